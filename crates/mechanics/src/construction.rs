//! Construction: between two steps bodies are added, supports are released, bodies are removed.
//!
//! An absent body takes no part: no weight, no contacts, no loads. An added body is at rest (unless the scene gives it
//! a velocity) at its position in the drawing or, with [`Placement::OnWhatIsThere`], translated by the mean
//! displacement of the joints below it, weighted by their areas, without rotation.
//!
//! Bodies below may have moved from their drawn position. An overlap with them is stored in the state and stays:
//! pushing it apart would add energy to the structure. Bonds are created without stress when both of their bodies are
//! present. A released support keeps its velocity.
//!
//! Bodies unknown to the model may appear ([`crate::born`]), for instance in place of one that is removed because it
//! breaks.

use voussoir_geometry::{Detection, Solid, Space, Vector};

use crate::born::{BodyDescription, with_born};
use crate::error::MechanicsError;
use crate::inspect::TOLERANCE;
use crate::model::{Anchor, Cable, DeckPiece, Load, Model, Role};
use crate::state::{InitialOverlap, Presence, State};
use crate::step::beds::Beds;
use crate::step::detect::{find_points, find_start, ordered};
use crate::step::masses::Masses;

/// Largest overlap with which a body can be added, relative to the smaller body.
const NO_ROOM: f64 = 0.02;

/// A joint carries the body above it if the cosine between its normal and the vertical is larger than this.
const SUPPORTING_COSINE: f64 = 0.3;

/// Changes between two steps, in this order: bodies are removed, supports released, bodies added, bodies appear.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Change {
    /// Steps of the stage that are done before.
    pub after: u64,
    /// Bodies that are added.
    pub add: Vec<usize>,
    /// Positions of the added bodies.
    pub placement: Placement,
    /// Supports that are released.
    pub release: Vec<usize>,
    /// Bodies that are removed.
    pub remove: Vec<usize>,
    /// Bodies that appear: unknown to the model. A body whose name is known has appeared before.
    pub create: Vec<BodyDescription>,
}

/// Positions of added bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// As drawn.
    #[default]
    AsDrawn,
    /// As drawn relative to the bodies below.
    OnWhatIsThere,
}

impl<S: Space> State<S> {
    /// Marks bodies that are added later as absent.
    pub fn wait(&mut self, bodies: &[usize]) {
        for &body in bodies {
            self.presence[body] = Presence::Waiting;
        }
    }
}

/// Changes a state outside of a stepper.
pub fn change<S: Space>(model: &Model<S>, state: &mut State<S>, change: &Change) -> Result<(), MechanicsError> {
    let beds = find_start(model, &Masses::new(model), Detection::default());
    let whole = with_born(model, &state.born)?;
    apply(&whole, &beds, state, change)?;
    create(&whole, &beds, state, &change.create)?;
    Ok(())
}

/// Adds bodies that appear to a state; `model` has those that appeared before. Returns the model with all of them, or
/// `None` if none is new. After an error the state is unchanged.
pub(crate) fn create<S: Space>(
    model: &Model<S>,
    beds: &Beds<S>,
    state: &mut State<S>,
    bodies: &[BodyDescription],
) -> Result<Option<Model<S>>, MechanicsError> {
    let unknown = |body: &&BodyDescription| model.bodies.iter().all(|other| other.name != body.name);
    let new: Vec<BodyDescription> = bodies.iter().filter(unknown).cloned().collect();
    if new.is_empty() {
        return Ok(None);
    }
    let whole = with_born(model, &new)?.into_owned();
    let first = model.bodies.len();
    let mut after = state.clone();
    for body in &whole.bodies[first..] {
        let start = after.velocities.len();
        after.velocities.resize(start + S::DOFS, 0.0);
        S::pack(body.velocity, body.spin, &mut after.velocities[start..]);
        after.poses.push(body.pose);
        after.presence.push(Presence::There);
    }
    after.born.extend(new);
    let indices: Vec<usize> = (first..whole.bodies.len()).collect();
    for &body in &indices {
        after.ledger.construction += energy(&whole, &after, body);
    }
    note_overlaps(&whole, beds, &mut after, &indices)?;
    *state = after;
    Ok(Some(whole))
}

/// Changes a state. Changes that were already made are skipped.
pub(crate) fn apply<S: Space>(
    model: &Model<S>,
    beds: &Beds<S>,
    state: &mut State<S>,
    change: &Change,
) -> Result<(), MechanicsError> {
    for &body in change.remove.iter().filter(|&&body| state.presence[body].is_there()).collect::<Vec<_>>() {
        if state.is_free(model, body) {
            state.ledger.construction -= energy(model, state, body);
        }
        state.presence[body] = Presence::Gone;
        state.velocities[body * S::DOFS..][..S::DOFS].fill(0.0);
    }
    for &body in &change.release {
        if state.presence[body] == Presence::There && model.bodies[body].role != Role::Free {
            state.presence[body] = Presence::Released;
            state.ledger.construction += energy(model, state, body);
        }
    }
    // from below
    let mut new: Vec<usize> =
        change.add.iter().copied().filter(|&body| state.presence[body] == Presence::Waiting).collect();
    let depth = |body: usize| model.bodies[body].pose.position.dot(model.gravity);
    new.sort_by(|&a, &b| depth(b).total_cmp(&depth(a)).then(a.cmp(&b)));
    for &body in &new {
        if change.placement == Placement::OnWhatIsThere && model.bodies[body].role == Role::Free {
            let shift = settlement_below(model, beds, state, body);
            state.poses[body].position += shift;
        }
        state.presence[body] = Presence::There;
        if model.bodies[body].role == Role::Free {
            state.ledger.construction += energy(model, state, body);
        }
    }
    note_overlaps(model, beds, state, &new)
}

/// Kinetic energy of one body, and its potential energy relative to its drawn position [J].
fn energy<S: Space>(model: &Model<S>, state: &State<S>, body: usize) -> f64 {
    let mut block = [0.0; 36];
    let block = &mut block[..S::DOFS * S::DOFS];
    S::mass_matrix(model.bodies[body].mass, model.bodies[body].inertia, block);
    let v = &state.velocities[body * S::DOFS..][..S::DOFS];
    let row = |row: &[f64]| row.iter().zip(v).map(|(m, v)| m * v).sum::<f64>();
    let kinetic = 0.5 * block.chunks_exact(S::DOFS).zip(v).map(|(r, v)| v * row(r)).sum::<f64>();
    let fallen = state.poses[body].position - model.bodies[body].pose.position;
    kinetic - model.bodies[body].mass * model.gravity.dot(fallen)
}

/// Mean displacement of the joints below a body, with present bodies only; zero without such joints.
fn settlement_below<S: Space>(model: &Model<S>, beds: &Beds<S>, state: &State<S>, body: usize) -> S::Vector {
    let up = model.gravity * (-1.0 / model.gravity.length().max(f64::MIN_POSITIVE));
    let drawn: Vec<_> = model.bodies.iter().map(|body| body.pose).collect();
    let size = |i: usize| model.bodies[i].shape.size();
    let (mut sum, mut area) = (S::zero(), 0.0);
    let (mut points, mut found) = (Vec::new(), Vec::new());
    for below in (0..model.bodies.len()).filter(|&i| i != body && state.presence[i].is_there()) {
        let reach = TOLERANCE * size(body).min(size(below));
        if !near(model, state, [body, below], reach, true) {
            continue;
        }
        found.clear();
        find_points(model, &drawn, [body, below], reach, beds, Detection::default(), &mut points, &mut found);
        for point in found.iter().map(|contact| &contact.point).filter(|point| point.gap <= reach) {
            let weight = point.area.max(f64::MIN_POSITIVE);
            if point.normal.dot(up) > SUPPORTING_COSINE {
                let now = state.poses[below].point(drawn[below].local_point(point.position));
                sum += (now - point.position) * weight;
                area += weight;
            }
        }
    }
    if area > 0.0 { sum / area } else { S::zero() }
}

/// True if the boxes of two bodies are closer than `reach`, as drawn or in their present positions.
fn near<S: Space>(model: &Model<S>, state: &State<S>, bodies: [usize; 2], reach: f64, drawn: bool) -> bool {
    let margin = reach + model.joints.thickest();
    let [a, b] = bodies.map(|i| {
        let pose = if drawn { &model.bodies[i].pose } else { &state.poses[i] };
        model.bodies[i].shape.bounds(pose).grown(margin)
    });
    a.overlaps(&b)
}

/// Stores the overlaps of new bodies with others.
fn note_overlaps<S: Space>(
    model: &Model<S>,
    beds: &Beds<S>,
    state: &mut State<S>,
    new: &[usize],
) -> Result<(), MechanicsError> {
    let masses = Masses::at(model, state);
    let (mut points, mut found) = (Vec::new(), Vec::new());
    for (k, &body) in new.iter().enumerate() {
        for other in (0..model.bodies.len()).filter(|&i| i != body && masses.there[i] && !new[..k].contains(&i)) {
            let [on, under] = [body, other].map(|i| model.bodies[i].material);
            let held = masses.node[body].is_none() && masses.node[other].is_none();
            if held || model.joints.ignores(on, under) || !near(model, state, [body, other], 0.0, false) {
                continue;
            }
            let (a, b) = ordered(model, &masses, body.min(other), body.max(other));
            found.clear();
            find_points(model, &state.poses, [a, b], 0.0, beds, Detection::default(), &mut points, &mut found);
            let depth = found.iter().map(|contact| -contact.point.gap).fold(0.0, f64::max);
            let drawn = found.first().map_or(0.0, |contact| contact.overlap);
            if depth > drawn + NO_ROOM * masses.smaller(a, b) {
                let [name, other] = [body, other].map(|i| model.bodies[i].name.clone());
                return Err(MechanicsError::NoRoom { name, other, depth, time: state.time });
            }
            if depth > 0.0 {
                state.overlaps.push(InitialOverlap { candidate: a as u32, antagonist: b as u32, depth });
            }
        }
    }
    state.overlaps.sort_by_key(|overlap| (overlap.candidate, overlap.antagonist));
    Ok(())
}

/// The present bodies of a model in their present roles, and their indices in the whole model.
pub fn present<S: Space>(model: &Model<S>, presence: &[Presence]) -> (Model<S>, Vec<usize>) {
    let kept: Vec<usize> = (0..model.bodies.len()).filter(|&i| presence[i].is_there()).collect();
    let mut number = vec![None; model.bodies.len()];
    kept.iter().enumerate().for_each(|(k, &i)| number[i] = Some(k));
    let mut part = model.clone();
    part.bodies = kept.iter().map(|&i| model.bodies[i].clone()).collect();
    for (body, &i) in part.bodies.iter_mut().zip(&kept) {
        if presence[i] == Presence::Released {
            body.role = Role::Free;
        }
    }
    let there = |load: &Load<S>| Some(Load { body: number[load.body]?, ..load.clone() });
    part.loads = model.loads.iter().filter_map(there).collect();
    // a cable needs all its anchors, and a free body among them
    let anchored = |cable: &Cable<S>| {
        let anchors = cable.anchors.iter().map(|anchor| Some(Anchor { body: number[anchor.body]?, ..*anchor }));
        let anchors = anchors.collect::<Option<Vec<_>>>()?;
        let free = anchors.iter().any(|anchor| part.bodies[anchor.body].role == Role::Free);
        free.then(|| Cable { anchors, ..cable.clone() })
    };
    part.cables = model.cables.iter().filter_map(anchored).collect();
    for train in &mut part.trains {
        let there = |piece: &DeckPiece<S>| Some(DeckPiece { body: number[piece.body]?, ..*piece });
        train.deck = train.deck.iter().filter_map(there).collect();
    }
    part.elastic = kept.iter().map(|&i| model.elastic_part(i).cloned()).collect();
    (part, kept)
}
