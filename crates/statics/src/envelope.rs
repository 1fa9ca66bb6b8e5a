//! Trains as envelopes: the multiplier of a train at every position, in both directions, and the worst of them.
//!
//! The multiplier is computed on a grid of positions. Every mechanism found there is a mechanism for all other positions
//! too: λ(s) ≤ −P_dead/P_train(s) on it. The smallest of these bounds on a grid of 1 cm proposes the next position, until
//! the proposal is not below the smallest multiplier found. With limited strength or without dilatancy mechanisms bound
//! nothing; the grid is then halved about the worst position down to 1 cm.

use serde::Serialize;
use voussoir_geometry::{Space, Vector};
use voussoir_mechanics::model::{DeckPiece, Train};
use voussoir_mechanics::train::AxleForce;

use crate::decide::{Certificate, decide};
use crate::error::StaticsError;
use crate::joints::PlaneJoint;
use crate::limit::{LimitAnswer, LimitSettings, LimitVerdict, limit_of};
use crate::stand::StandSettings;
use crate::structure::Structure;

/// Resolution of the worst position [m].
const FINE: f64 = 0.01;

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
    /// Positions by direction and distance.
    pub points: Vec<EnvelopePoint>,
    /// The position with the smallest multiplier; `None` if no position has one.
    pub worst: Option<EnvelopePoint>,
    /// Positions whose bounds do not meet.
    pub undecided: usize,
    /// Newton steps in all.
    pub iterations: usize,
    /// Limit analysis at the worst position.
    pub answer: Option<LimitAnswer>,
    /// Joints under all loads with the train at its worst position, not multiplied; empty if that cannot be carried.
    #[serde(skip)]
    pub joints: Vec<PlaneJoint>,
}

/// A mechanism as a bound for other positions.
struct MechanismBound {
    dead: f64,
    velocities: Vec<f64>,
}

struct Search<'a, S: Space> {
    structure: &'a mut Structure<S>,
    train: Train<S>,
    dead: Vec<f64>,
    settings: &'a LimitSettings,
    points: Vec<EnvelopePoint>,
    bounds: Vec<MechanismBound>,
    worst: Option<(f64, LimitAnswer, EnvelopePoint)>,
    iterations: usize,
}

/// Finds the envelope of a train for positions every `step` [m]. The forces at the worst position are left in the contacts.
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
    let mut search =
        Search { structure, train, dead, settings, points: Vec::new(), bounds: Vec::new(), worst: None, iterations: 0 };
    let directions: &[bool] = if search.train.axles.len() > 1 { &[false, true] } else { &[false] };
    for &reversed in directions {
        let [from, to] = search.range(reversed);
        let count = ((to - from) / step).ceil().max(1.0) as usize;
        for i in 0..=count {
            search.solve(from + (to - from) * i as f64 / count as f64, reversed);
        }
    }
    if settings.associated && settings.capacity.is_dry() {
        search.refine_by_mechanisms(directions);
    } else {
        search.refine_by_halving(step);
    }
    search.finish()
}

impl<S: Space> Search<'_, S> {
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

    /// The multiplier at a position; nothing where no axle acts on a free body.
    fn solve(&mut self, distance: f64, reversed: bool) {
        let mut live = vec![0.0; self.dead.len()];
        for on in self.forces(distance, reversed) {
            self.structure.add_load(&mut live, on.body, on.force, S::no_spin(), on.point);
        }
        if self.structure.size_of(&live) == 0.0 {
            return;
        }
        let answer = limit_of(self.structure, &self.dead, &live, self.settings);
        self.iterations += answer.iterations;
        let point = EnvelopePoint {
            distance_m: distance,
            at: self.place(distance),
            reversed,
            multiplier: answer.multiplier,
            upper: answer.upper,
            verdict: answer.verdict,
            proved: answer.proved,
        };
        self.points.push(point.clone());
        if let Some(mechanism) = answer.mechanism.as_ref().filter(|_| answer.proved) {
            self.bounds.push(MechanismBound { dead: mechanism.dead_power_w, velocities: mechanism.velocities.clone() });
        }
        if let Some(value) = answer.multiplier
            && self.worst.as_ref().is_none_or(|(least, ..)| value < *least)
        {
            self.worst = Some((value, answer, point));
        }
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
            // what mechanisms promise is not below what was found
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
            let Some((_, _, worst)) = &self.worst else { return };
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
        if let Some((_, found, point)) = self.worst.clone() {
            // once more, so that the forces of the worst position are left
            let keep = self.points.len();
            self.solve(point.distance_m, point.reversed);
            self.points.truncate(keep);
            answer = Some(LimitAnswer { load: name.clone(), ..found });
            joints = self.joints_at(&point);
        }
        let order = |a: &EnvelopePoint, b: &EnvelopePoint| {
            a.reversed.cmp(&b.reversed).then(a.distance_m.total_cmp(&b.distance_m))
        };
        self.points.sort_by(order);
        Ok(Envelope {
            train: name,
            worst: self.worst.map(|(_, _, point)| point),
            undecided: self.points.iter().filter(|point| !point.proved && self.settings.associated).count(),
            points: self.points,
            iterations: self.iterations,
            answer,
            joints,
        })
    }
}
