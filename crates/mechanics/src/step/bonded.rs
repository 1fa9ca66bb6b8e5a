//! A bond in one step: its rows in the contact problem, and the check of whether it holds.
//!
//! A bond is a row ([`super::rows`]) with the springs of its law, or rigid. It must pull as well as push, so the tip of
//! its cone lies at −s, s a multiple of the expected force, and of the strength for a law that breaks at once.
//! [`judge`] examines a solution: forces near the cone need a larger s, jumps that wear the bond a smaller β, forces
//! beyond the strength break it. The step is then solved again ([`super::passes`]).

use voussoir_geometry::{Pose, Space, Vector};

use super::bonds::Place;
use super::law::{Contact, DEAD_BAND, Replaced};
use super::masses::Masses;
use super::predict::{Interval, Prediction};
use super::relative::support_velocities;
use super::rows::Row;
use super::spring::Spring;
use crate::elastic::attached::Holder;
use crate::elastic::flex::ElasticSide;
use crate::joints::law::Replaces;
use crate::state::{BondMemory, State};

/// Distance of the cone's tip from zero, relative to the expected force.
const CONE_FACTOR: f64 = 4.0;
/// Factor on the size of a cone that is too small.
const CONE_GROWTH: f64 = 8.0;
/// A force that uses a larger share of its cone needs a larger cone.
const MAX_CONE_USE: f64 = 0.9;
/// Smallest wear that requires another pass, relative to β.
const WEAR_TOLERANCE: f64 = 1e-8;
/// A point of a bond with a strength breaks when it moves faster than this share of its speed without the bond. A force
/// on the cone is no criterion: if the distribution of a force over points is not unique, solvers may load one of them
/// to its limit.
const BREAK_SPEED_RATIO: f64 = 1e-5;
/// The point must also move faster than this multiple of the solver's error: the speed without the bond may be almost
/// zero, as in a body whose fall the bond does not change.
const BREAK_ERROR_RATIO: f64 = 2.0;
/// Compliance of rigid bonds, relative to the mobility of their point: if many bonds hold one face, it makes their
/// forces unique. The bond yields by less than 1e-6 of the motion of the point in a step without the bond.
const RIGID_COMPLIANCE: f64 = 1e-6;
/// Speed that a bond can stop even if everything is at rest [m/s].
const LEAST_SPEED: f64 = 1e-6;

/// A bond in one step, before anything is solved.
#[derive(Clone, Debug)]
pub(crate) struct Bonded<S: Space> {
    /// Index among the places.
    pub index: usize,
    /// Its point as a contact in the mid configuration.
    pub contact: Contact<S>,
    pub frame: Vec<S::Vector>,
    pub support: [S::Vector; 2],
    /// Reference of the jump, in the axes of the antagonist [m].
    pub origin: S::Vector,
    /// β at the start of the step and in the present pass.
    pub beta: [f64; 2],
    /// Jump and velocity at the start; stiffness per β is the law's.
    pub start: Spring,
    /// Row of the present pass; `None` if the bond is broken.
    row: Option<Row>,
    /// Jacobian blocks.
    entries: Vec<(u32, Vec<f64>)>,
    /// Smallest distance of the tip of the cone from zero [N·s].
    cone: f64,
    /// Mean diagonal of J M⁻¹ Jᵀ.
    mobility: f64,
    /// Speed of its point without the bond [m/s].
    reference: f64,
    /// β of the present row.
    used: f64,
    /// Jumps of rigid bonds below this are rounding [m].
    band: f64,
}

/// Unbroken bonds with both bodies present, at the start of a step.
pub(crate) fn prepare<S: Space>(
    places: &[Place<S>],
    masses: &Masses,
    state: &State<S>,
    prediction: &Prediction<S>,
    over: Interval,
) -> Vec<Bonded<S>> {
    let there =
        |place: &Place<S>| [place.key.candidate, place.key.antagonist].iter().all(|&i| masses.there[i as usize]);
    let intact = places.iter().zip(&state.bonds).enumerate();
    intact
        .filter(|(_, (place, memory))| memory.beta > 0.0 && there(place))
        .map(|(index, (place, memory))| {
            let bodies = [place.key.candidate, place.key.antagonist].map(|i| i as usize);
            let (now, mid) = (&state.poses, &prediction.poses);
            let at = |poses: &[Pose<S>]| [0, 1].map(|k| poses[bodies[k]].point(place.points[k]));
            let apart = |[a, b]: [S::Vector; 2]| a - b;
            let elastic = [0, 1].map(|side| prediction.flexed.as_ref()?.side(Holder::Bond(index, side)));
            let [bent, bends] = elastic_jumps(state, prediction, elastic);
            let middle = at(mid).into_iter().fold(S::zero(), |sum, x| sum + x * 0.5);
            let normal = mid[bodies[1]].direction(place.normal);
            let mut frame = Vec::new();
            S::frame(normal, &mut frame);
            // the jump at the start, turned with the antagonist to the mid configuration
            let local = now[bodies[1]].local_direction(apart(at(now)) + bent);
            let origin = memory.origin.unwrap_or(local);
            let jump = mid[bodies[1]].direction(local - origin);
            let point = voussoir_geometry::ContactPoint {
                position: middle,
                normal,
                gap: (apart(at(mid)) + bends - mid[bodies[1]].direction(origin)).dot(normal),
                area: place.area,
                feature: place.key.feature,
            };
            let contact = Contact { key: place.key, point, overlap: 0.0, elastic };
            let support = support_velocities(masses, state, prediction, &contact);
            let entries = entries(masses, prediction, &contact, &frame);
            let mut bonded = Bonded {
                index,
                contact,
                support,
                origin,
                beta: [memory.beta; 2],
                start: Spring {
                    stiffness: [0.0; 3],
                    jump: [0.0; 3],
                    before: [0.0; 3],
                    closure: f64::INFINITY,
                    pulls: true,
                },
                row: None,
                entries,
                cone: 0.0,
                mobility: 0.0,
                reference: 0.0,
                used: memory.beta,
                band: 0.0,
                frame,
            };
            let probe = bonded.plain_row();
            let before = probe.relative::<S>(&prediction.before);
            for (i, direction) in bonded.frame.iter().enumerate() {
                bonded.start.jump[i] = jump.dot(*direction);
                bonded.start.before[i] = before[i] - support[0].dot(*direction);
            }
            // displacements of elastic blocks are as small as the band
            let rigid = !bonded.contact.is_elastic();
            bonded.band = if rigid { DEAD_BAND * masses.smaller(bodies[0], bodies[1]) } else { 0.0 };
            bonded.mobility = probe.mobility::<S>(masses, prediction.flexed.as_deref());
            (bonded.cone, bonded.reference) = expected::<S>(place, &bonded, &probe, memory, prediction, over);
            bonded
        })
        .collect()
}

/// Elastic displacement of the candidate relative to the antagonist at a bond, world axes: at the start of the step and in the mid
/// configuration [m].
fn elastic_jumps<S: Space>(
    state: &State<S>,
    prediction: &Prediction<S>,
    sides: [Option<ElasticSide>; 2],
) -> [S::Vector; 2] {
    let mut jumps = [S::zero(); 2];
    let Some(flexed) = &prediction.flexed else { return jumps };
    for (side, sign) in sides.into_iter().zip([1.0, -1.0]) {
        let Some(side) = side else { continue };
        let body = flexed.nodes[side.node as usize].body;
        jumps[0] += flexed.displaced(&state.poses, side, &state.elastic[body].displacement) * sign;
        jumps[1] += flexed.displaced_middle(&prediction.poses, side) * sign;
    }
    jumps
}

/// Expected impulse of a bond, with a margin [N·s]; velocity of its point without the bond [m/s].
fn expected<S: Space>(
    place: &Place<S>,
    bonded: &Bonded<S>,
    probe: &Row,
    memory: &BondMemory<S>,
    prediction: &Prediction<S>,
    over: Interval,
) -> (f64, f64) {
    let length = |x: [f64; 3]| x[..S::DIM].iter().map(|x| x * x).sum::<f64>().sqrt();
    let (compliance, bias) = bonded.springs(place, over);
    let mut free = probe.relative::<S>(&prediction.free);
    for (i, direction) in bonded.frame.iter().enumerate() {
        free[i] += bias[i] - bonded.support[1].dot(*direction);
    }
    let soft = compliance[..S::DIM].iter().copied().fold(f64::INFINITY, f64::min);
    let reference = length(free) + LEAST_SPEED;
    (CONE_FACTOR * (reference / (bonded.mobility + soft)).max(memory.force.length() * over.h), reference)
}

impl<S: Space> Bonded<S> {
    /// The Jacobian alone.
    fn plain_row(&self) -> Row {
        Row { entries: self.entries.clone(), bias: [0.0; 3], compliance: [0.0; 3], friction: 1.0, shift: 0.0 }
    }

    /// The springs with the stiffness of some β.
    fn spring_at(&self, place: &Place<S>, beta: f64) -> Option<Spring> {
        let [n, t] = place.bond.law().stiffness(beta, place.springs)?;
        Some(Spring { stiffness: [n * place.area, t * place.area, t * place.area], ..self.start })
    }

    /// E and b of the present pass.
    fn springs(&self, place: &Place<S>, over: Interval) -> ([f64; 3], [f64; 3]) {
        match self.spring_at(place, self.beta[1]) {
            Some(spring) => (spring.compliance(over), spring.bias(over)),
            None => {
                // rigid: the jump of the mid configuration is removed, except for its rounding error
                let Interval { h, theta, .. } = over;
                let mid = |i: usize| self.start.jump[i] + (1.0 - theta) * h * self.start.before[i];
                let beyond = |x: f64| if x.abs() < self.band { 0.0 } else { x - self.band * x.signum() };
                ([RIGID_COMPLIANCE * self.mobility; 3], std::array::from_fn(|i| beyond(mid(i)) / h))
            }
        }
    }

    /// The row of the present pass, if the bond holds.
    pub fn row(&self) -> Option<&Row> {
        self.row.as_ref()
    }

    /// Reverts the changes of the last judgement.
    pub fn as_solved(&mut self) {
        self.beta[1] = self.used;
    }

    /// Makes the row of the present pass.
    fn make_row(&mut self, place: &Place<S>, over: Interval) {
        self.used = self.beta[1];
        if self.used == 0.0 {
            self.row = None;
            return;
        }
        let (compliance, mut bias) = self.springs(place, over);
        for (i, direction) in self.frame.iter().enumerate() {
            bias[i] -= self.support[1].dot(*direction);
        }
        let (friction, shift) = match place.bond.law().strength(place.friction) {
            Some(strength) => {
                let tip = over.h * place.area * strength.tip;
                (place.friction, tip.min(self.cone * (1.0 + 1.0 / place.friction)))
            }
            None => (1.0, self.cone),
        };
        self.row = Some(Row { bias, compliance, friction, shift, ..self.plain_row() });
    }

    /// Judges the bond by the solution of the present pass; true if the step must be solved again. `left` is the error
    /// of the solver in the velocity of an intact point [m/s].
    fn judge(&mut self, place: &Place<S>, r: &[f64], velocities: &[f64], left: f64, over: Interval) -> bool {
        let Some(row) = &self.row else { return false };
        let tangential = r[1..].iter().map(|x| x * x).sum::<f64>().sqrt();
        let used = if r[0] > 0.0 { tangential / (row.friction * r[0]) } else { f64::INFINITY };
        if let Some(strength) = place.bond.law().strength(place.friction) {
            let tip = over.h * place.area * strength.tip;
            let pull = row.shift - r[0];
            let least = (BREAK_SPEED_RATIO * self.reference).max(BREAK_ERROR_RATIO * left);
            let gives = row.shift >= tip && self.misfit(place, row, r, velocities, over) > least;
            if gives || pull > over.h * place.area * strength.tension {
                self.beta[1] = 0.0;
                return true;
            }
            if row.shift >= tip {
                return false;
            }
        }
        if used > MAX_CONE_USE {
            self.cone *= CONE_GROWTH;
            return true;
        }
        let jump = self.start.after(over, self.after(row, velocities));
        let slip = jump[1..S::DIM].iter().map(|x| x * x).sum::<f64>().sqrt();
        let worn = place.bond.law().worn(self.beta[0], [jump[0], slip], over.h);
        if worn < self.beta[1] - WEAR_TOLERANCE * self.beta[0] || worn == 0.0 && self.beta[1] > 0.0 {
            self.beta[1] = worn;
            // a softer bond has a smaller force
            return true;
        }
        false
    }

    /// ‖u + E R + b‖: violation of the rigid bond [m/s].
    fn misfit(&self, place: &Place<S>, row: &Row, r: &[f64], velocities: &[f64], over: Interval) -> f64 {
        let (compliance, bias) = self.springs(place, over);
        let after = self.after(row, velocities);
        let own = |i: usize| r[i] - if i == 0 { row.shift } else { 0.0 };
        (0..S::DIM).map(|i| (after[i] + compliance[i] * own(i) + bias[i]).powi(2)).sum::<f64>().sqrt()
    }

    /// Relative velocity at the end, in the frame.
    fn after(&self, row: &Row, velocities: &[f64]) -> [f64; 3] {
        let mut u = row.relative::<S>(velocities);
        for (i, direction) in self.frame.iter().enumerate() {
            u[i] -= self.support[1].dot(*direction);
        }
        u
    }
}

/// Makes all rows of a pass.
pub(crate) fn make_rows<S: Space>(places: &[Place<S>], bonds: &mut [Bonded<S>], over: Interval) -> Vec<Row> {
    bonds.iter_mut().for_each(|bond| bond.make_row(&places[bond.index], over));
    bonds.iter().filter_map(|bond| bond.row.clone()).collect()
}

/// Judges the impulses `r` of the rows (rows × dim) and the velocities of a pass, solved with the error `left` [m/s];
/// true if another pass is needed.
pub(crate) fn judge<S: Space>(
    places: &[Place<S>],
    bonds: &mut [Bonded<S>],
    r: &[f64],
    velocities: &[f64],
    left: f64,
    over: Interval,
) -> bool {
    let mut again = false;
    let holding = bonds.iter_mut().filter(|bond| bond.row.is_some());
    for (bond, r) in holding.zip(r.chunks_exact(S::DIM)) {
        again |= bond.judge(&places[bond.index], r, velocities, left, over);
    }
    again
}

/// Contacts that bonds replace.
pub(crate) fn replaced<S: Space>(places: &[Place<S>], bonds: &[Bonded<S>]) -> Replaced {
    let mut replaced = Replaced::default();
    for bond in bonds.iter().filter(|bond| bond.beta[1] > 0.0) {
        let place = &places[bond.index];
        match place.bond.law().replaces() {
            Replaces::Nothing => {}
            Replaces::Contact => replaced.keys.push(place.key),
            Replaces::Pair => replaced.pairs.push((place.key.candidate, place.key.antagonist)),
        }
    }
    replaced.pairs.dedup();
    replaced
}

/// A bond at the end of the step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held<S: Space> {
    /// β at the end.
    pub beta: f64,
    /// Impulse on the candidate, world axes [N·s].
    pub impulse: S::Vector,
    /// Energy taken from the bodies: stored, dissipated by wear, lost at rigid bonds, numerical dissipation [J].
    pub energy: [f64; 4],
    /// Work of supports [J].
    pub supports: f64,
}

/// State of a bond whose row has the impulse `r` (dim); `None` if it broke.
pub(crate) fn held<S: Space>(
    places: &[Place<S>],
    bond: &Bonded<S>,
    r: Option<&[f64]>,
    velocities: &[f64],
    over: Interval,
) -> Held<S> {
    let place = &places[bond.index];
    let row = bond.row.clone().unwrap_or_else(|| bond.plain_row());
    let after = bond.after(&row, velocities);
    let jump = bond.start.after(over, after);
    let (mut impulse, mut work, mut supports) = (S::zero(), 0.0, 0.0);
    if let Some(r) = r {
        for (i, direction) in bond.frame.iter().enumerate() {
            let own = r[i] - if i == 0 { row.shift } else { 0.0 };
            impulse += *direction * own;
            work += own * 0.5 * (after[i] + bond.start.before[i]);
        }
        supports = impulse.dot((bond.support[0] + bond.support[1]) * 0.5);
    }
    let all = 0..S::DIM;
    let [before, now] = bond.beta.map(|beta| bond.spring_at(place, beta));
    let now = if bond.beta[1] == 0.0 { None } else { now };
    let energy = match before {
        Some(before) => {
            let stored = before.energy(bond.start.jump, all.clone());
            let new = now.map_or(0.0, |now| now.energy(jump, all.clone()));
            // for θ = ½ this is exactly the dissipation of the damage
            let wear = stored - now.map_or(0.0, |now| now.energy(bond.start.jump, all));
            [new - stored, wear, 0.0, -work - (new - stored) - wear]
        }
        None => [0.0, 0.0, -work, 0.0],
    };
    Held { beta: bond.beta[1], impulse, energy, supports }
}

/// Jacobian blocks of a bond's point.
fn entries<S: Space>(
    masses: &Masses,
    prediction: &Prediction<S>,
    contact: &Contact<S>,
    frame: &[S::Vector],
) -> Vec<(u32, Vec<f64>)> {
    let mut entries = Vec::new();
    let bodies = [(contact.key.candidate, 1.0), (contact.key.antagonist, -1.0)];
    for ((body, sign), elastic) in bodies.into_iter().zip(contact.elastic) {
        let Some(node) = masses.node[body as usize] else { continue };
        let pose = &prediction.poses[body as usize];
        let mut block = vec![0.0; S::DIM * S::DOFS];
        for (direction, row) in frame.iter().zip(block.chunks_exact_mut(S::DOFS)) {
            S::jacobian_row(pose.rotation, contact.point.position - pose.position, *direction * sign, row);
        }
        entries.push((node, block));
        if let (Some(flexed), Some(side)) = (&prediction.flexed, elastic) {
            entries.extend(flexed.cells(&prediction.poses, side, frame, sign));
        }
    }
    entries
}
