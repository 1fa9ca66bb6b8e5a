//! Broad and narrow phase: which bodies may touch, and the points in which they do.
//!
//! The candidate of a pair is its free body, or the one with the smaller index if both are free (a released
//! support counts as the larger index); there are no contacts between supports and none with absent bodies. Contacts
//! are sorted by key, for any number of threads. Gaps are measured from the thickness of the joint, or from their
//! initial value if the joint has mortar beds.

use std::sync::Arc;

use rayon::prelude::*;
use voussoir_geometry::{Aabb, BroadPhase, ContactPoint, Detection, Pose, Solid, Space, Vector};

use super::Tools;
use super::beds::Beds;
use super::law::Contact;
use super::masses::Masses;
use super::predict::Prediction;
use super::relative::{relative_velocity, support_velocity};
use super::repeat::Detected;
use super::retry::Outcome;
use crate::kinematics::fastest_point;
use crate::model::{DynamicSettings, Model, Role};
use crate::state::{ContactKey, State};

/// Default alert distance, relative to the smallest body.
const ALERT_DISTANCE: f64 = 5e-3;

/// Pairs per task of the narrow phase.
const TASK_PAIRS: usize = 64;

/// Alert distance [m]: one distance for all pairs, or one that grows with the travel of each body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Alert {
    /// The user's distance.
    Fixed(f64),
    /// A common distance, and the distance that each body may travel in two steps.
    Reach(f64, Vec<f64>),
}

impl Alert {
    /// The alert distance according to the settings, for bodies with these velocities.
    pub fn new<S: Space>(
        model: &Model<S>,
        settings: &DynamicSettings,
        masses: &Masses,
        state: &State<S>,
        h: f64,
    ) -> Self {
        if let Some(distance) = settings.alert {
            return Self::Fixed(distance);
        }
        // a part of a cut step may be followed by a whole step
        let h = h.max(settings.step);
        let fall = model.gravity.length() * h;
        let reach = state
            .velocities
            .chunks_exact(S::DOFS)
            .zip(&masses.size)
            .map(|(v, size)| 2.0 * h * (fastest_point::<S>(v, 0.5 * size) + fall));
        Self::Reach(Self::default_distance(masses), reach.collect())
    }

    /// A larger alert distance, if contacts made bodies faster than predicted: a skipped pair must not penetrate before
    /// the next detection, `ahead` seconds later.
    /// `velocities` are those of the free bodies at the end of the step (nodes × dofs).
    pub fn widened<S: Space>(&self, masses: &Masses, velocities: &[f64], ahead: f64) -> Option<Self> {
        let Self::Reach(distance, reach) = self else { return None };
        let mut wider = None;
        for (v, &body) in velocities.chunks_exact(S::DOFS).zip(&masses.body) {
            let travel = ahead * fastest_point::<S>(v, 0.5 * masses.size[body]);
            if travel > reach[body].max(0.5 * distance) && travel.is_finite() {
                wider.get_or_insert_with(|| reach.clone())[body] = 1.5 * travel;
            }
        }
        wider.map(|reach| Self::Reach(*distance, reach))
    }

    /// The common distance for bodies at rest.
    pub fn default_distance(masses: &Masses) -> f64 {
        ALERT_DISTANCE * masses.smallest
    }

    /// For a pair of bodies.
    pub fn between(&self, a: usize, b: usize) -> f64 {
        match self {
            Self::Fixed(distance) => *distance,
            Self::Reach(distance, reach) => distance.max(reach[a] + reach[b]),
        }
    }

    /// Enlargement of the box of a body, so that the boxes of every pair within its alert distance overlap.
    pub fn margin(&self, body: usize) -> f64 {
        match self {
            Self::Fixed(distance) => 0.5 * distance,
            Self::Reach(distance, reach) => (0.5 * distance).max(reach[body]),
        }
    }
}

/// Contacts of the mid configuration, sorted by key.
pub(crate) fn detect<S: Space>(
    model: &Model<S>,
    settings: &DynamicSettings,
    tools: &mut Tools<S>,
    prediction: &Prediction<S>,
    alert: &Alert,
) -> Arc<Vec<Contact<S>>> {
    let Tools { masses, beds, broad, detected, recompute, .. } = tools;
    if !*recompute && let Some(contacts) = detected.as_ref().and_then(|last| last.again(&prediction.poses, alert)) {
        return contacts;
    }
    let contacts = Arc::new(find_contacts(model, masses, broad, &prediction.poses, alert, beds, settings.detection));
    *detected = (prediction.at_rest && !*recompute).then(|| Detected::new(&prediction.poses, alert, &contacts));
    contacts
}

/// Penetration tolerated for a skipped pair, relative to the smaller body.
const MISSED_PENETRATION: f64 = 1e-6;

/// The alert distance that detects all contacts of the step, if the present one was too small because contacts made
/// bodies faster. `ahead` is the time to the next detection.
pub(crate) fn surprise<S: Space>(
    model: &Model<S>,
    settings: &DynamicSettings,
    tools: &mut Tools<S>,
    prediction: &Prediction<S>,
    alert: &Alert,
    outcome: &Outcome<S>,
    ahead: f64,
) -> Option<Alert> {
    let velocities = tools.masses.gather::<S>(&outcome.state.velocities);
    let wider = alert.widened::<S>(&tools.masses, &velocities, ahead)?;
    let found = detect(model, settings, tools, prediction, &wider);
    let masses = &tools.masses;
    let missed = found.iter().any(|contact| {
        let (a, b) = (contact.key.candidate as usize, contact.key.antagonist as usize);
        let support = support_velocity(masses, prediction, contact);
        let u = relative_velocity(masses, prediction, contact, &velocities, support).dot(contact.point.normal);
        contact.point.gap + ahead * u < -MISSED_PENETRATION * masses.smaller(a, b)
            && outcome.records.binary_search_by_key(&contact.key, |record| record.key).is_err()
    });
    missed.then_some(wider)
}

/// Beds of mortar between the bodies in their initial positions.
pub(crate) fn find_beds<S: Space>(model: &Model<S>, masses: &Masses, detection: Detection) -> Beds<S> {
    if !model.joints.has_any_beds() {
        return Beds::none();
    }
    let poses: Vec<Pose<S>> = model.bodies.iter().map(|body| body.pose).collect();
    let alert = Alert::Fixed(Alert::default_distance(masses));
    let mut contacts = find_contacts(model, masses, &mut BroadPhase::new(), &poses, &alert, &Beds::none(), detection);
    // plain gaps
    for contact in &mut contacts {
        let [a, b] = [contact.key.candidate, contact.key.antagonist].map(|i| model.bodies[i as usize].material);
        contact.point.gap += model.joints.width(a, b);
    }
    Beds::new(model, &contacts)
}

/// The beds, and the overlaps of bodies in their initial positions.
pub(crate) fn find_start<S: Space>(model: &Model<S>, masses: &Masses, detection: Detection) -> Beds<S> {
    let mut beds = find_beds(model, masses, detection);
    let poses: Vec<Pose<S>> = model.bodies.iter().map(|body| body.pose).collect();
    let contacts = find_contacts(model, masses, &mut BroadPhase::new(), &poses, &Alert::Fixed(0.0), &beds, detection);
    beds.note_overlaps(&contacts);
    beds
}

/// Contacts of bodies placed at `poses`, sorted by key.
pub(crate) fn find_contacts<S: Space>(
    model: &Model<S>,
    masses: &Masses,
    broad: &mut BroadPhase<S>,
    poses: &[Pose<S>],
    alert: &Alert,
    beds: &Beds<S>,
    detection: Detection,
) -> Vec<Contact<S>> {
    let bed = 0.5 * model.joints.thickest();
    let bounds: Vec<Aabb<S>> = (0..poses.len())
        .into_par_iter()
        .with_min_len(TASK_PAIRS)
        .map(|i| model.bodies[i].shape.bounds(&poses[i]).grown(alert.margin(i) + bed))
        .collect();
    // groups: two for each material (supports, free bodies), and one of absent bodies
    let kinds = 2 * model.materials.len().max(1);
    let group = |i: usize| match masses.there[i] {
        true => (2 * model.bodies[i].material + usize::from(masses.node[i].is_some())) as u32,
        false => kinds as u32,
    };
    let groups: Vec<u32> = (0..poses.len()).map(group).collect();
    let meet =
        |a: usize, b: usize| a.max(b) < kinds && (a % 2 == 1 || b % 2 == 1) && !model.joints.ignores(a / 2, b / 2);
    let pairs = broad.pairs_of_groups(&bounds, groups, kinds + 1, meet);
    let mut contacts: Vec<Contact<S>> = pairs
        .par_chunks(TASK_PAIRS)
        .flat_map_iter(|pairs| {
            let (mut points, mut found): (Vec<ContactPoint<S>>, _) = (Vec::new(), Vec::new());
            for &(i, j) in pairs {
                // pairs come from boxes that are larger than the alert distance
                if !bounds[i as usize].overlaps(&bounds[j as usize]) {
                    continue;
                }
                let (a, b) = ordered(model, masses, i as usize, j as usize);
                let distance = alert.between(a, b);
                find_points(model, poses, [a, b], distance, beds, detection, &mut points, &mut found);
            }
            found
        })
        .collect();
    // sorted already, except for supports with lower indices than the bodies on them
    if !contacts.is_sorted_by_key(|contact| contact.key) {
        contacts.sort_by_key(|contact| contact.key);
    }
    contacts
}

/// Candidate and antagonist of the bodies i < j, of which one at least is free.
pub(crate) fn ordered<S: Space>(model: &Model<S>, masses: &Masses, i: usize, j: usize) -> (usize, usize) {
    let was_free = |body: usize| model.bodies[body].role == Role::Free;
    match (masses.node[i].is_some(), masses.node[j].is_some()) {
        (false, _) => (j, i),
        (true, true) if was_free(j) && !was_free(i) => (j, i),
        _ => (i, j),
    }
}

/// Contacts of a candidate and an antagonist up to a distance, in order of their features; `points` is scratch.
#[allow(clippy::too_many_arguments)]
pub(crate) fn find_points<S: Space>(
    model: &Model<S>,
    poses: &[Pose<S>],
    [a, b]: [usize; 2],
    distance: f64,
    beds: &Beds<S>,
    detection: Detection,
    points: &mut Vec<ContactPoint<S>>,
    found: &mut Vec<Contact<S>>,
) {
    let [on, under] = [a, b].map(|i| model.bodies[i].material);
    let (candidate, antagonist) = (&model.bodies[a].shape, &model.bodies[b].shape);
    let distance = distance + model.joints.between(on, under).thickness;
    points.clear();
    candidate.collide_by(&poses[a], antagonist, &poses[b], distance, detection, points);
    points.sort_unstable_by_key(|point| point.feature);
    let width = model.joints.width(on, under);
    let disc = || candidate.centred_ball().or(antagonist.centred_ball()).is_some();
    let length = if S::DIM == 2 { model.joints.point_length(on, under, disc()) } else { 0.0 };
    found.extend(points.iter().map(|point| {
        let key = ContactKey { candidate: a as u32, antagonist: b as u32, feature: point.feature };
        let mut contact = Contact { key, point: *point, overlap: beds.overlap(&key), elastic: [None; 2] };
        if point.area == 0.0 {
            contact.point.area = length;
        }
        contact.point.gap -= width + beds.at(&contact, &poses[a]);
        contact
    }));
}
