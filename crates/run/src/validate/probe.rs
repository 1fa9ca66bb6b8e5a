//! Observed quantities of a check: one number at one time.

use std::sync::Arc;

use voussoir_mechanics::model::JointTable;
use voussoir_mechanics::probe as scene;
use voussoir_mechanics::snapshot::{BodySnapshot, Cast, CastBody, ContactSnapshot, Snapshot};
use voussoir_mechanics::state::EnergyLedger;
use voussoir_model::Built;
use voussoir_results::measures::observe;

use super::case::{Case, CaseCheck, ObservedQuantity, ObservedStatus, VectorComponent};
use super::values::Scope;

/// Values of a run at one time, dimension erased.
#[derive(Clone, Debug)]
pub struct Instant {
    /// Bodies at the end of the step, contacts of the step.
    pub snapshot: Snapshot,
    /// Centroids in the mid configuration, where the contacts are [m].
    pub centroids: Vec<[f64; 3]>,
    /// Of all free bodies [J].
    pub kinetic_energy: f64,
    /// Of all free bodies, from the start [J].
    pub potential_energy: f64,
    /// Work and dissipation so far.
    pub ledger: EnergyLedger,
    /// Of all free bodies [N·s].
    pub momentum: [f64; 3],
    /// Of all free bodies about the origin [N·m·s].
    pub angular_momentum: [f64; 3],
    /// Columns of the analysis itself: head and value.
    pub columns: Vec<(&'static str, f64)>,
}

/// A check with its bodies, cables and probes resolved.
#[derive(Clone, Debug)]
pub struct CaseProbe {
    quantity: ObservedQuantity,
    component: VectorComponent,
    /// Head of a column of the analysis.
    column: Option<String>,
    body: Option<usize>,
    cable: Option<usize>,
    other: Option<usize>,
    status: Option<ObservedStatus>,
    /// Corners of the box in which contacts count.
    inside: Option<[[f64; 3]; 2]>,
    /// Indices of the free bodies.
    free: Vec<usize>,
    /// Longest side [m] and material of all bodies, if required.
    stones: Vec<(f64, usize)>,
    joints: JointTable,
    /// A probe of the scene, with the cast of the run.
    own: Option<(scene::Probe, Arc<Cast>)>,
}

impl CaseProbe {
    /// The observer of a check, for a scene and its cast of bodies.
    pub fn new(
        case: &Case,
        check: &CaseCheck,
        scope: &Scope,
        cast: &Cast,
        built: &Built,
    ) -> Result<Self, super::ValidateError> {
        let wrong = |reason: String| case.wrong(format!("check \"{}\": {reason}", check.what));
        let find = |name: &Option<String>| match name {
            None => Ok(None),
            Some(name) => match cast.bodies.iter().position(|body| &body.name == name) {
                Some(index) => Ok(Some(index)),
                None => {
                    let known: Vec<&str> = cast.bodies.iter().map(|body| body.name.as_str()).collect();
                    Err(wrong(format!("there is no body \"{name}\"; there are: {}", known.join(", "))))
                }
            },
        };
        let corner = |numbers: &[super::values::Number], fill: f64| {
            let mut corner = [fill; 3];
            for (c, number) in corner.iter_mut().zip(numbers) {
                *c = scope.value(number).map_err(wrong)?;
            }
            Ok(corner)
        };
        let inside = match &check.inside {
            None => None,
            Some(area) => Some([corner(&area.min, f64::NEG_INFINITY)?, corner(&area.max, f64::INFINITY)?]),
        };
        let probes = &built.probes;
        let own = match (check.quantity, &check.probe) {
            (ObservedQuantity::Probe, Some(head)) => match probes.iter().find(|probe| &probe.head == head) {
                Some(probe) => Some((probe.clone(), Arc::new(cast.clone()))),
                None => {
                    let known: Vec<&str> = probes.iter().map(|probe| probe.head.as_str()).collect();
                    return Err(wrong(format!("there is no probe \"{head}\"; there are: {}", known.join(", "))));
                }
            },
            (ObservedQuantity::Probe, None) => return Err(wrong("which `probe`?".to_owned())),
            (ObservedQuantity::Column, Some(_)) | (_, None) => None,
            (_, Some(_)) => return Err(wrong("`probe` belongs to quantity = \"probe\"".to_owned())),
        };
        let probe = Self {
            quantity: check.quantity,
            component: check.component,
            body: find(&check.body)?,
            cable: match &check.cable {
                None => None,
                Some(name) => {
                    let index = cast.cables.iter().position(|cable| &cable.name == name);
                    Some(index.ok_or_else(|| wrong(format!("there is no cable \"{name}\"")))?)
                }
            },
            other: find(&check.other)?,
            status: check.status,
            inside,
            free: (0..cast.bodies.len()).filter(|&i| !cast.bodies[i].support).collect(),
            stones: match check.quantity {
                ObservedQuantity::Depth => {
                    let side = |body: &CastBody| longest_side(&body.polygons(cast.dimension).points);
                    cast.bodies.iter().map(|body| (side(body), body.material)).collect()
                }
                _ => Vec::new(),
            },
            column: check.probe.clone().filter(|_| check.quantity == ObservedQuantity::Column),
            joints: built.model.joints().clone(),
            own,
        };
        if matches!(check.quantity, ObservedQuantity::Force | ObservedQuantity::Moment) && probe.body.is_none() {
            return Err(wrong("forces and moments act on a `body`".to_owned()));
        }
        if check.quantity == ObservedQuantity::CableTension && probe.cable.is_none() {
            return Err(wrong("tensions are those of a `cable`".to_owned()));
        }
        let forces = check.quantity == ObservedQuantity::Force;
        if matches!(check.component, VectorComponent::Normal | VectorComponent::Tangential) && !forces {
            return Err(wrong("only forces have a normal and a tangential component".to_owned()));
        }
        Ok(probe)
    }

    /// The observed number; `None` if it does not exist (no contacts before the first step).
    pub fn observe(&self, start: &Instant, now: &Instant) -> Option<f64> {
        match self.quantity {
            ObservedQuantity::Position => self.kinematic(now, |body| body.position),
            ObservedQuantity::Displacement => self.moved(start, now, |from, to| subtract(to.position, from.position)),
            ObservedQuantity::Velocity => self.kinematic(now, |body| body.velocity),
            ObservedQuantity::Rotation => {
                self.moved(start, now, |from, to| rotation_vector(from.rotation, to.rotation))
            }
            ObservedQuantity::Orientation => {
                self.kinematic(now, |body| rotation_vector([0.0, 0.0, 0.0, 1.0], body.rotation))
            }
            ObservedQuantity::Spin => self.kinematic(now, |body| body.spin),
            ObservedQuantity::Force => self.force(now),
            ObservedQuantity::Moment => self.moment(now),
            ObservedQuantity::CableTension => {
                let cable = now.snapshot.cables.get(self.cable?)?;
                (now.snapshot.step > 0).then_some(cable.force)
            }
            ObservedQuantity::Contacts => (now.snapshot.step > 0).then(|| self.contacts(now).count() as f64),
            ObservedQuantity::SmallestGap => self.contacts(now).map(|contact| contact.gap).reduce(f64::min),
            ObservedQuantity::Depth => (now.snapshot.step > 0).then(|| self.depth(now)),
            ObservedQuantity::LargestGap => self.contacts(now).map(|contact| contact.gap).reduce(f64::max),
            ObservedQuantity::KineticEnergy => Some(now.kinetic_energy),
            ObservedQuantity::Energy => Some(now.kinetic_energy + now.potential_energy),
            ObservedQuantity::FrictionWork => Some(now.ledger.friction),
            ObservedQuantity::ImpactWork => Some(now.ledger.impact),
            ObservedQuantity::CohesionWork => Some(now.ledger.cohesion),
            ObservedQuantity::ElasticEnergy => Some(now.ledger.elastic),
            ObservedQuantity::NumericalWork => Some(now.ledger.numerical),
            ObservedQuantity::LedgerError => Some(ledger_error(start, now)),
            ObservedQuantity::Damage => self.contacts(now).map(|contact| contact.damage).reduce(f64::max),
            ObservedQuantity::Momentum => Some(self.part(now.momentum)),
            ObservedQuantity::AngularMomentum => Some(self.part(now.angular_momentum)),
            ObservedQuantity::Column => {
                let found = now.columns.iter().find(|(head, _)| Some(*head) == self.column.as_deref());
                found.map(|(_, value)| *value)
            }
            ObservedQuantity::Asymmetry => Some(asymmetry(&start.snapshot, &now.snapshot)),
            ObservedQuantity::Probe => {
                let (probe, cast) = self.own.as_ref()?;
                (now.snapshot.step > 0).then(|| observe(probe, cast, &now.snapshot))
            }
            // of answers, not of simulations: `ask::is_asked`
            _ => None,
        }
    }

    /// A vector of a body minus that of the other body; without a body the largest of all free ones.
    fn kinematic(&self, now: &Instant, of: impl Fn(&BodySnapshot) -> [f64; 3]) -> Option<f64> {
        self.moved(now, now, |_, body| of(body))
    }

    fn moved(
        &self,
        start: &Instant,
        now: &Instant,
        of: impl Fn(&BodySnapshot, &BodySnapshot) -> [f64; 3],
    ) -> Option<f64> {
        let of = |i: usize| of(&start.snapshot.bodies[i], &now.snapshot.bodies[i]);
        let less = self.other.map_or([0.0; 3], of);
        match self.body {
            Some(body) => Some(self.part(subtract(of(body), less))),
            None => {
                let there = self.free.iter().filter(|&&i| !now.snapshot.bodies[i].absent);
                there.map(|&i| self.part(subtract(of(i), less)).abs()).reduce(f64::max)
            }
        }
    }

    fn part(&self, v: [f64; 3]) -> f64 {
        match self.component {
            VectorComponent::X => v[0],
            VectorComponent::Y => v[1],
            VectorComponent::Z => v[2],
            VectorComponent::Length | VectorComponent::Normal | VectorComponent::Tangential => dot(v, v).sqrt(),
        }
    }

    /// The largest depth of a contact, of the longest side of the smaller body.
    fn depth(&self, now: &Instant) -> f64 {
        let depth = |contact: &ContactSnapshot| {
            let [(one, of_one), (other, of_other)] = contact.bodies.map(|body| self.stones[body as usize]);
            // gaps are measured from the thickness of the joint
            -(contact.gap + self.joints.width(of_one, of_other)) / one.min(other)
        };
        self.contacts(now).map(depth).fold(0.0, f64::max)
    }

    fn contacts<'a>(&'a self, now: &'a Instant) -> impl Iterator<Item = &'a ContactSnapshot> {
        let touches = |contact: &ContactSnapshot, body: Option<usize>| {
            body.is_none_or(|body| contact.bodies.contains(&(body as u32)))
        };
        now.snapshot.contacts.iter().filter(move |contact| {
            let status = match self.status {
                None => true,
                Some(ObservedStatus::Open) => contact.status == 0,
                Some(ObservedStatus::Stick) => contact.status == 1,
                Some(ObservedStatus::Slide) => contact.status == 2,
                Some(ObservedStatus::Closed) => contact.status != 0,
            };
            let inside =
                self.inside.is_none_or(|[min, max]| (0..3).all(|k| (min[k]..=max[k]).contains(&contact.position[k])));
            status && inside && touches(contact, self.body) && touches(contact, self.other)
        })
    }

    /// Forces on the body: +1 where it is the candidate, −1 where it is the antagonist.
    fn signed<'a>(&'a self, now: &'a Instant) -> impl Iterator<Item = (f64, &'a ContactSnapshot)> {
        self.contacts(now)
            .map(|contact| (if Some(contact.bodies[0] as usize) == self.body { 1.0 } else { -1.0 }, contact))
    }

    fn force(&self, now: &Instant) -> Option<f64> {
        let mut sum = [0.0; 3];
        let mut normals = 0.0;
        for (sign, contact) in self.signed(now) {
            let normal = dot(contact.force, contact.normal);
            normals += normal;
            let tangential = subtract(contact.force, scale(contact.normal, normal));
            let part = if self.component == VectorComponent::Tangential { tangential } else { contact.force };
            sum = subtract(sum, scale(part, -sign));
        }
        let value = if self.component == VectorComponent::Normal { normals } else { self.part(sum) };
        (now.snapshot.step > 0).then_some(value)
    }

    fn moment(&self, now: &Instant) -> Option<f64> {
        let centroid = self.body.map(|body| now.centroids[body])?;
        let mut sum = [0.0; 3];
        for (sign, contact) in self.signed(now) {
            let arm = subtract(contact.position, centroid);
            sum = subtract(sum, scale(cross(arm, contact.force), -sign));
        }
        (now.snapshot.step > 0).then(|| self.part(sum))
    }
}

/// |ΔE_kin + ΔE_pot − W + D + E_elastic| over the largest of these.
fn ledger_error(start: &Instant, now: &Instant) -> f64 {
    let ledger = &now.ledger;
    let energy = |at: &Instant| at.kinetic_energy + at.potential_energy;
    let change = energy(now) - energy(start);
    let parts = [ledger.gravity, ledger.loads, ledger.supports, change, ledger.taken(), ledger.cohesion];
    let scale = parts.iter().map(|x| x.abs()).fold(0.0, f64::max);
    let left = change - (ledger.loads + ledger.supports + ledger.construction) + ledger.taken();
    if scale > 0.0 { left.abs() / scale } else { 0.0 }
}

/// Largest difference between the mirror image of a body and its partner, in position [m] and velocity [m/s].
fn asymmetry(start: &Snapshot, now: &Snapshot) -> f64 {
    let mirror = |[x, y, z]: [f64; 3]| [-x, y, z];
    let distance = |a: [f64; 3], b: [f64; 3]| dot(subtract(a, b), subtract(a, b)).sqrt();
    let mut most: f64 = 0.0;
    for (body, at) in now.bodies.iter().zip(&start.bodies) {
        let apart = |i: &usize| distance(mirror(at.position), start.bodies[*i].position);
        let Some(partner) = (0..start.bodies.len()).min_by(|a, b| apart(a).total_cmp(&apart(b))) else { continue };
        let partner = &now.bodies[partner];
        most = most.max(distance(mirror(body.position), partner.position));
        most = most.max(distance(mirror(body.velocity), partner.velocity));
    }
    most
}

/// The rotation from one quaternion (x, y, z, w) to another, world axes [rad].
fn rotation_vector(from: [f64; 4], to: [f64; 4]) -> [f64; 3] {
    let [ax, ay, az, aw] = to;
    let [bx, by, bz, bw] = [-from[0], -from[1], -from[2], from[3]];
    let v = [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    ];
    let w = aw * bw - ax * bx - ay * by - az * bz;
    let length = dot(v, v).sqrt();
    if length == 0.0 {
        return [0.0; 3];
    }
    // the shorter way round
    let (length_signed, w) = if w < 0.0 { (-length, -w) } else { (length, w) };
    scale(v, 2.0 * length.atan2(w) / length_signed)
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn subtract(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[k] - b[k])
}

fn scale(a: [f64; 3], by: f64) -> [f64; 3] {
    a.map(|x| x * by)
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Longest side of a box around points, along the axes.
fn longest_side(points: &[[f64; 3]]) -> f64 {
    let side = |k: usize| {
        let along = || points.iter().map(|point| point[k]);
        along().fold(f64::NEG_INFINITY, f64::max) - along().fold(f64::INFINITY, f64::min)
    };
    (0..3).map(side).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotation_vectors_of_turns_about_z() {
        let about_z = |angle: f64| [0.0, 0.0, (0.5 * angle).sin(), (0.5 * angle).cos()];
        for angle in [-3.0, -1e-9, 0.0, 0.4, 3.1] {
            let v = rotation_vector(about_z(0.3), about_z(0.3 + angle));
            assert!((v[2] - angle).abs() < 1e-14 && v[0] == 0.0 && v[1] == 0.0, "{angle}: {v:?}");
        }
        // more than half a turn is less than half a turn the other way
        assert!((rotation_vector(about_z(0.0), about_z(4.0))[2] - (4.0 - std::f64::consts::TAU)).abs() < 1e-14);
    }

    #[test]
    fn a_mirror_image_is_symmetric() {
        let at = |x: f64, vx: f64| BodySnapshot {
            position: [x, 0.0, 1.0],
            velocity: [vx, 0.5, 0.0],
            ..BodySnapshot::default()
        };
        let snapshot = |bodies: Vec<BodySnapshot>| Snapshot { bodies, ..Snapshot::default() };
        let start = snapshot(vec![at(-1.0, 0.0), at(0.0, 0.0), at(1.0, 0.0)]);
        let good = snapshot(vec![at(-1.5, -2.0), at(0.0, 0.0), at(1.5, 2.0)]);
        let bad = snapshot(vec![at(-1.5, -2.0), at(1e-3, 0.0), at(1.5, 2.0)]);
        assert_eq!(asymmetry(&start, &good), 0.0);
        assert!((asymmetry(&start, &bad) - 2e-3).abs() < 1e-15);
    }
}
