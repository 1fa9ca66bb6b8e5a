//! Trains as envelopes: the multiplier of a train at every position, in both directions, and the worst of them.
//!
//! The multiplier is computed on a grid of positions. Every mechanism found there is a mechanism for all other
//! positions too: λ(s) ≤ −P_dead/P_train(s) on it. The smallest of these bounds on a grid of 1 cm proposes the next
//! position, until the proposal is not below the smallest multiplier found. Where the mechanism of another position
//! governs, one linear solve proves it ([`crate::nearby`]), so most positions need no program. With limited strength or
//! without dilatancy mechanisms give no bounds; the grid is then halved about the worst position down to 1 cm.

use serde::Serialize;
use voussoir_geometry::{Space, Vector};
use voussoir_mechanics::model::{DeckPiece, Train};
use voussoir_mechanics::train::AxleForce;

use crate::conic::Engine;
use crate::decide::{Certificate, decide};
use crate::equilibrium::Terms;
use crate::error::StaticsError;
use crate::joints::PlaneJoint;
use crate::limit::{LimitAnswer, LimitSettings, LimitVerdict, limit_of};
use crate::nearby::{Nearby, Neighbourhood};
use crate::stand::StandSettings;
use crate::structure::Structure;

/// Resolution of the worst position [m].
const FINE: f64 = 0.01;

/// Number of free bodies of small structures.
const SMALL: usize = 100;

/// Most positions of the refinement.
const REFINEMENTS: usize = 60;

/// One position of a train.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EnvelopePoint {
    /// Distance of the first axle from the start of the path \[m\].
    pub distance_m: f64,
    /// Place of the first axle, at the height of the start of the deck \[m\].
    pub at: [f64; 3],
    /// True if the train comes from the other end: its other axles are ahead along the path.
    pub reversed: bool,
    /// Largest multiplier, a lower bound; `None` if there is none.
    pub multiplier: Option<f64>,
    /// Upper bound from a mechanism.
    pub upper: Option<f64>,
    /// How the analysis ended.
    pub verdict: LimitVerdict,
    /// True if the bounds meet.
    pub proved: bool,
}

/// All positions of a train.
#[derive(Clone, Debug, Serialize)]
pub struct Envelope {
    /// Its name.
    pub train: String,
    /// Positions, sorted by direction and distance.
    pub points: Vec<EnvelopePoint>,
    /// The position with the smallest multiplier; `None` if no position has one.
    pub worst: Option<EnvelopePoint>,
    /// Positions whose bounds do not meet.
    pub undecided: usize,
    /// Newton steps in all.
    pub iterations: usize,
    /// Positions for which a program was solved; the others follow from the mechanisms of these.
    pub solved: usize,
    /// Limit analysis at the worst position.
    pub answer: Option<LimitAnswer>,
    /// Joints under all loads with the train at its worst position, not multiplied; empty if no equilibrium exists.
    #[serde(skip)]
    pub joints: Vec<PlaneJoint>,
}

/// A mechanism as a bound for other positions.
struct MechanismBound {
    dead: f64,
    velocities: Vec<f64>,
}

struct Search<'a, 'p, S: Space> {
    structure: &'a mut Structure<S>,
    /// Solved positions, if mechanisms bound others.
    nearby: Option<Neighbourhood<'p>>,
    train: Train<S>,
    dead: Vec<f64>,
    settings: &'a LimitSettings,
    points: Vec<EnvelopePoint>,
    bounds: Vec<MechanismBound>,
    worst: Option<(f64, EnvelopePoint)>,
    iterations: usize,
    solved: usize,
}

/// Finds the envelope of a train for positions every `step` [m]. The forces at the worst position are left in the
/// contacts.
pub fn envelope<S: Space>(
    structure: &mut Structure<S>,
    name: &str,
    step: f64,
    settings: &LimitSettings,
) -> Result<Envelope, StaticsError> {
    if !(step >= FINE && step.is_finite()) {
        let reason = format!("it is {step} m; at least {FINE} m");
        return Err(StaticsError::Number { what: "the step of the positions".to_owned(), reason });
    }
    let Some(train) = structure.model.trains.iter().find(|train| train.name == name).cloned() else {
        let known = structure.model.trains.iter().map(|train| train.name.clone()).collect();
        return Err(StaticsError::UnknownLoad { name: name.to_owned(), known });
    };
    crate::strength::divide(structure, &settings.capacity)?;
    let dead = structure.dead_load(settings.time, Some(name));
    // mechanisms bound other positions if sliding opens joints and nothing but friction dissipates
    let bounding = settings.associated && settings.capacity.is_dry();
    let loaded = structure.size_of(&dead) > 0.0 && structure.ties().next().is_none();
    let template = structure.pose(&Terms { live: Some(&dead), ..Terms::new(&dead, &settings.capacity) });
    let nearby = (bounding && loaded).then(|| Neighbourhood::new(&template));
    let (points, bounds) = (Vec::new(), Vec::new());
    let mut search =
        Search { structure, nearby, train, dead, settings, points, bounds, worst: None, iterations: 0, solved: 0 };
    let directions: &[bool] = if search.train.axles.len() > 1 { &[false, true] } else { &[false] };
    for &reversed in directions {
        let [from, to] = search.range(reversed);
        let count = ((to - from) / step).ceil().max(1.0) as usize;
        for i in coarse_first(count) {
            search.solve(from + (to - from) * i as f64 / count as f64, reversed);
        }
    }
    if bounding {
        search.refine_by_mechanisms(directions);
    } else {
        search.refine_by_halving(step);
    }
    search.finish()
}

/// The numbers from 0 to `count`: every eighth first, then the others between them.
fn coarse_first(count: usize) -> impl Iterator<Item = usize> {
    let every = move |step: usize| (0..=count).step_by(step).filter(move |i| step == 8 || i % (2 * step) != 0);
    [8, 4, 2, 1].into_iter().flat_map(every)
}

impl<S: Space> Search<'_, '_, S> {
    /// Distances of the first axle between which some axle is on the deck.
    fn range(&self, reversed: bool) -> [f64; 2] {
        let deck = &self.train.deck;
        let begin = deck.iter().map(|piece| piece.range[0]).fold(f64::INFINITY, f64::min);
        let end = deck.iter().map(|piece| piece.range[1]).fold(f64::NEG_INFINITY, f64::max);
        let length = self.train.axles.iter().map(|axle| axle.behind).fold(0.0, f64::max);
        if reversed { [begin - length, end] } else { [begin, end + length] }
    }

    fn forces(&self, distance: f64, reversed: bool) -> Vec<AxleForce<S>> {
        let down = self.structure.model.gravity / self.structure.model.gravity.length().max(f64::MIN_POSITIVE);
        self.train.forces_at(distance, reversed, down)
    }

    /// The axle loads at a position (nodes × dofs).
    fn live(&self, distance: f64, reversed: bool) -> Vec<f64> {
        let mut live = vec![0.0; self.dead.len()];
        for on in self.forces(distance, reversed) {
            self.structure.add_load(&mut live, on.body, on.force, S::no_spin(), on.point);
        }
        live
    }

    /// The multiplier at a position; nothing where no axle acts on a free body.
    fn solve(&mut self, distance: f64, reversed: bool) {
        let live = self.live(distance, reversed);
        if self.structure.size_of(&live) == 0.0 {
            return;
        }
        let near = self.nearby.as_ref().and_then(|nearby| nearby.of(self.structure, &live));
        let (bounds, verdict, proved) = match near {
            Some(Nearby::Bounds(bounds)) => (bounds.map(Some), LimitVerdict::Limit, true),
            Some(Nearby::Unbounded) => ([None, None], LimitVerdict::Unbounded, true),
            None => {
                let answer = self.solve_program(&live);
                ([answer.multiplier, answer.upper], answer.verdict, answer.proved)
            }
        };
        let [multiplier, upper] = bounds;
        let at = self.place(distance);
        let point = EnvelopePoint { distance_m: distance, at, reversed, multiplier, upper, verdict, proved };
        self.points.push(point.clone());
        if let Some(value) = multiplier
            && self.worst.as_ref().is_none_or(|(least, _)| value < *least)
        {
            self.worst = Some((value, point));
        }
    }

    /// Solves the program of a load, and keeps its mechanism for other positions.
    fn solve_program(&mut self, live: &[f64]) -> LimitAnswer {
        // the own solver is faster for small programs
        let engine = if self.structure.nodes() <= SMALL { Engine::Own } else { self.settings.engine };
        let settings = LimitSettings { engine, ..self.settings.clone() };
        let answer = limit_of(self.structure, &self.dead, live, &settings);
        self.iterations += answer.iterations;
        self.solved += 1;
        if let Some(mechanism) = answer.mechanism.as_ref().filter(|_| answer.proved) {
            self.bounds.push(MechanismBound { dead: mechanism.dead_power_w, velocities: mechanism.velocities.clone() });
            if let Some(nearby) = self.nearby.as_mut().filter(|_| answer.verdict == LimitVerdict::Limit) {
                nearby.learn(self.structure, &mechanism.velocities);
            }
        }
        if let Some(nearby) =
            self.nearby.as_mut().filter(|_| answer.proved && answer.verdict == LimitVerdict::Unbounded)
        {
            nearby.learn_direction(self.structure, live);
        }
        answer
    }

    /// World point at a distance along the path.
    fn place(&self, distance: f64) -> [f64; 3] {
        let Some(DeckPiece { body, range, ends }) = self.train.deck.first() else { return [0.0; 3] };
        let [a, b] = ends.map(|end| self.structure.poses[*body].point(end));
        let mut along = (b - a).to_3d();
        along[S::UP] = 0.0;
        let (a, length) = (a.to_3d(), range[1] - range[0]);
        std::array::from_fn(|k| a[k] + along[k] / length * (distance - range[0]))
    }

    /// Upper bound of the multiplier at a position from all mechanisms found so far.
    fn bound(&self, distance: f64, reversed: bool) -> f64 {
        let mut live = vec![0.0; self.dead.len()];
        let mut touched = Vec::new();
        for on in self.forces(distance, reversed) {
            self.structure.add_load(&mut live, on.body, on.force, S::no_spin(), on.point);
            touched.extend(self.structure.node[on.body].map(|node| node as usize));
        }
        touched.sort_unstable();
        touched.dedup();
        let power = |v: &[f64]| -> f64 {
            touched.iter().flat_map(|node| node * S::DOFS..(node + 1) * S::DOFS).map(|i| live[i] * v[i]).sum()
        };
        let of = |bound: &MechanismBound| (power(&bound.velocities), bound.dead);
        self.bounds
            .iter()
            .map(of)
            .filter(|(live, _)| *live > 0.0)
            .map(|(live, dead)| -dead / live)
            .fold(f64::INFINITY, f64::min)
    }

    /// Positions that mechanisms of other positions propose.
    fn refine_by_mechanisms(&mut self, directions: &[bool]) {
        for _ in 0..REFINEMENTS {
            let mut best: Option<(f64, f64, bool)> = None;
            for &reversed in directions {
                let [from, to] = self.range(reversed);
                for i in 0..=((to - from) / FINE) as usize {
                    let distance = from + FINE * i as f64;
                    let bound = self.bound(distance, reversed);
                    if best.is_none_or(|(least, ..)| bound < least) {
                        best = Some((bound, distance, reversed));
                    }
                }
            }
            let (Some((bound, distance, reversed)), Some((least, ..))) = (best, &self.worst) else { return };
            // the bound from mechanisms is not below the smallest multiplier found
            if bound >= *least * (1.0 - 1e-7) {
                return;
            }
            let before = self.bounds.len();
            self.solve(distance, reversed);
            if self.bounds.len() == before {
                return;
            }
        }
    }

    /// Positions about the worst one, at half the distance each time.
    fn refine_by_halving(&mut self, step: f64) {
        let mut step = 0.5 * step;
        while step >= 0.5 * FINE {
            let Some((_, worst)) = &self.worst else { return };
            let (distance, reversed) = (worst.distance_m, worst.reversed);
            self.solve(distance - step, reversed);
            self.solve(distance + step, reversed);
            step *= 0.5;
        }
    }

    /// Joints of a state of equilibrium with the train at a position.
    fn joints_at(&self, point: &EnvelopePoint) -> Vec<PlaneJoint> {
        let mut total = self.dead.clone();
        for on in self.forces(point.distance_m, point.reversed) {
            self.structure.add_load(&mut total, on.body, on.force, S::no_spin(), on.point);
        }
        let mut state = self.structure.clone();
        let settings = StandSettings { time: self.settings.time, ..StandSettings::default() };
        match decide(&mut state, &total, &settings).certificate {
            Certificate::Forces => state.joints(state.unit_of(&total)),
            Certificate::Mechanism | Certificate::None => Vec::new(),
        }
    }

    fn finish(mut self) -> Result<Envelope, StaticsError> {
        let name = self.train.name.clone();
        if self.points.is_empty() {
            let reason = "its path runs over supports only".to_owned();
            return Err(StaticsError::TouchesNothing { name, reason });
        }
        let (mut answer, mut joints) = (None, Vec::new());
        if let Some((_, point)) = self.worst.clone() {
            // the structure keeps the forces of the worst position
            let found = self.solve_program(&self.live(point.distance_m, point.reversed));
            answer = Some(LimitAnswer { load: name.clone(), ..found });
            joints = self.joints_at(&point);
        }
        let order = |a: &EnvelopePoint, b: &EnvelopePoint| {
            a.reversed.cmp(&b.reversed).then(a.distance_m.total_cmp(&b.distance_m))
        };
        self.points.sort_by(order);
        Ok(Envelope {
            train: name,
            worst: self.worst.map(|(_, point)| point),
            undecided: self.points.iter().filter(|point| !point.proved && self.settings.associated).count(),
            points: self.points,
            iterations: self.iterations,
            solved: self.solved,
            answer,
            joints,
        })
    }
}
