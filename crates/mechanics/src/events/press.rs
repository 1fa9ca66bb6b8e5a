//! The contact problem of a dynamic step of a jam ([`super::jam`]): linearised, solved, and linearised again.

use std::collections::{BTreeMap, BTreeSet};

use voussoir_contact::impact::{ImpactOptions, impact};
use voussoir_contact::{Options, Problem, SolverKind, planar};
use voussoir_geometry::glam::DVec2;
use voussoir_geometry::{D2, Pose};

use super::EventDriven;
use super::jam::{Hit, SLACK};
use super::touch::Touch;

/// Overlap at the end of a dynamic step that is accepted, relative to the size of the smaller body.
const DEEP: f64 = 2e-7;
/// Gap of contacts with forces at the end of a dynamic step that is accepted, likewise.
const FAR: f64 = 1e-5;
/// Overlap above which a prediction is discarded, likewise.
const FAILED: f64 = 0.01;
/// Contacts with larger gaps do not enter the problem, likewise.
pub(super) const MARGIN: f64 = 0.05;
/// Error of the velocities by linearisation that is accepted, relative to the fastest motion.
const SETTLED: f64 = 1e-8;
/// Largest overlap at the start that a dynamic step of the length of the force step removes, relative to the size of the
/// smaller body; a limit, so that removing overlap does not cause high velocities.
const PUSHED: f64 = 2e-6;
/// Target and largest accepted overlap in the middle of a dynamic step, relative to [`SLACK`].
const MIDDLE: [f64; 2] = [0.2, 0.7];
/// Linearisations.
const ROUNDS: usize = 12;

/// A contact with its frame and its impulse [N·s].
pub(super) type Pressed = (Row, [DVec2; 2], [f64; 2]);

/// A contact at the end or in the middle of a dynamic step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub touch: Touch,
    /// Gap that must not become negative [m].
    pub gap: f64,
    /// In the middle of the step.
    pub middle: bool,
}

impl Row {
    fn key(&self) -> (usize, u64, bool) {
        (self.touch.pair, self.touch.point.feature, self.middle)
    }
}

/// One body of a jam at one linearisation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Push {
    /// V₁.
    pub velocity: [f64; 3],
    /// Work of wind, water, loads and gravity [J].
    pub work: [f64; 4],
    /// M + h C.
    pub mass: [f64; 9],
    /// Impulse of the water [N·s].
    pub water: DVec2,
}

/// Velocities and time of a dynamic step on trial: they decide where its contacts are.
#[derive(Clone, Copy)]
struct Trial<'a> {
    /// Gaps, below zero, that pairs may have at the end and in the middle of the step ([`EventDriven::allowed`]) [m].
    allowed: &'a BTreeMap<usize, [f64; 2]>,
    /// Node of the contact problem of each body.
    node: &'a BTreeMap<usize, u32>,
    /// Velocities of the nodes at the start of the step.
    starts: &'a [[f64; 3]],
    /// Velocities of the nodes at the end of the step.
    ends: &'a [[f64; 3]],
    /// Start and end of the step [s].
    over: (f64, f64),
}

impl<'a> Trial<'a> {
    /// The same step with other velocities at its end.
    fn with(self, ends: &'a [[f64; 3]]) -> Self {
        Self { ends, ..self }
    }

    /// Velocities of a body at the start and at the end; `None` if the body is no node.
    fn velocities(&self, body: usize) -> Option<[&'a [f64; 3]; 2]> {
        self.node.get(&body).map(|k| [&self.starts[*k as usize], &self.ends[*k as usize]])
    }
}

/// A dynamic step.
pub(super) struct Step {
    pub pushes: Vec<Push>,
    pub contacts: Vec<Pressed>,
    /// Sum of the contact impulses on each body.
    pub sums: Vec<[f64; 3]>,
    pub residual: f64,
    pub converged: bool,
}

impl EventDriven {
    /// Solves a dynamic step.
    pub(super) fn press(&mut self, bodies: &[usize], pairs: &[usize], hit: &Hit, over: (f64, f64)) -> Step {
        let node: BTreeMap<usize, u32> = bodies.iter().enumerate().map(|(k, &body)| (body, k as u32)).collect();
        let mut warm = self.remembered(pairs, over.1 - over.0);
        let allowed = self.allowed(pairs, over);
        let trial = Trial { allowed: &allowed, node: &node, starts: &hit.velocities, ends: &[], over };
        // pairs whose contacts count in the middle of the step as well
        let mut bent: BTreeSet<usize> = BTreeSet::new();
        let mut step = Step {
            pushes: Vec::new(),
            contacts: Vec::new(),
            sums: vec![[0.0; 3]; bodies.len()],
            residual: f64::INFINITY,
            converged: false,
        };
        let mut solved: Vec<[f64; 3]> = Vec::new();
        for round in 0..=ROUNDS {
            step.pushes = self.pushes(bodies, &hit.velocities, &step.sums, over);
            let mut at: Vec<[f64; 3]> = step.pushes.iter().map(|push| push.velocity).collect();
            let mut rows = self.rows(pairs, &bent, trial.with(&at));
            let deep = rows.iter().map(|row| -row.gap / self.size_of(row.touch.pair)).fold(0.0, f64::max);
            if round > 0 {
                let error = at.iter().zip(&solved).map(|(a, b)| self.speed_of(a, b)).fold(0.0, f64::max);
                let late = round + 4 > ROUNDS;
                let settled = error <= SETTLED * self.fastest && !self.acts_far(&step, &rows);
                if deep <= DEEP && (settled || late && error <= 1e-6 * self.fastest) {
                    let more = self.bends(pairs, &bent, trial.with(&at));
                    if more.is_empty() {
                        step.converged = true;
                        let deepest = rows.iter().map(|row| -row.touch.point.gap).fold(0.0, f64::max);
                        self.tally.penetration = self.tally.penetration.max(deepest);
                        return step;
                    }
                    bent.extend(more);
                    rows = self.rows(pairs, &bent, trial.with(&at));
                }
                if round == ROUNDS {
                    return step;
                }
            } else if deep > FAILED {
                at = hit.velocities.iter().map(|v| v.map(|v| -v)).collect();
                rows = self.rows(pairs, &bent, trial.with(&at));
            }
            let (problem, frames) = self.linearised(&rows, trial.with(&at), &step);
            let start: Vec<f64> = rows
                .iter()
                .zip(&frames)
                .flat_map(|(row, frame)| {
                    let r = warm.get(&row.key()).copied().unwrap_or(DVec2::ZERO);
                    [r.dot(frame[0]), r.dot(frame[1])]
                })
                .collect();
            let impulses = self.solved(&problem, &start, &mut step.residual);
            let mut velocities = Vec::new();
            problem.velocity(&impulses, &mut velocities);
            solved = velocities.chunks_exact(3).map(|v| [v[0], v[1], v[2]]).collect();
            let mut sums = vec![0.0; 3 * bodies.len()];
            problem.add_transpose_times(&impulses, &mut sums);
            step.sums = sums.chunks_exact(3).map(|r| [r[0], r[1], r[2]]).collect();
            let pairs = impulses.chunks_exact(2).map(|r| [r[0], r[1]]);
            step.contacts = rows.into_iter().zip(frames).zip(pairs).map(|((a, b), c)| (a, b, c)).collect();
            warm = step.contacts.iter().map(|(row, frame, r)| (row.key(), frame[0] * r[0] + frame[1] * r[1])).collect();
        }
        step
    }

    /// True if a contact with a force is open at the latest velocities.
    fn acts_far(&self, step: &Step, rows: &[Row]) -> bool {
        let known: BTreeMap<(usize, u64, bool), f64> = rows.iter().map(|row| (row.key(), row.gap)).collect();
        step.contacts
            .iter()
            .filter(|(_, _, r)| r[0] > 0.0)
            .any(|(row, _, _)| known.get(&row.key()).is_none_or(|gap| *gap > FAR * self.size_of(row.touch.pair)))
    }

    /// Pairs that overlap in the middle of the step, and whose contacts do not yet count there.
    fn bends(&self, pairs: &[usize], bent: &BTreeSet<usize>, trial: Trial<'_>) -> Vec<usize> {
        let others: Vec<usize> = pairs.iter().copied().filter(|pair| !bent.contains(pair)).collect();
        let mut rows = Vec::new();
        self.rows_at(&others, true, trial, &mut rows);
        let deep = |row: &&Row| -row.gap > (MIDDLE[1] - MIDDLE[0]) * SLACK * self.size_of(row.touch.pair);
        rows.iter().filter(deep).map(|row| row.touch.pair).collect()
    }

    /// Solves the contact problem of a dynamic step: from the latest forces, then from zero, then as an impact.
    fn solved(&mut self, problem: &Problem, start: &[f64], residual: &mut f64) -> Vec<f64> {
        let tolerance = 0.1 * self.settings.tolerance;
        let options = Options { kind: self.settings.solver, tolerance, ..Options::default() };
        let mut best = Vec::new();
        *residual = f64::INFINITY;
        if self.settings.solver == SolverKind::Auto
            && let Some(found) = planar::solve(problem, start, &[], 0.0, 0.5 * self.settings.tolerance)
        {
            self.tally.attempts += 1;
            (*residual, best) = (found.residual, found.impulses);
            if *residual <= self.settings.tolerance {
                return best;
            }
        }
        for from in [start, vec![0.0; start.len()].as_slice()] {
            self.tally.attempts += 1;
            let found = self.solver.solve(problem, from, &options);
            if found.report.residual < *residual || best.is_empty() {
                (*residual, best) = (found.report.residual, found.impulses);
            }
            if *residual <= self.settings.tolerance {
                return best;
            }
        }
        self.tally.attempts += 1;
        let most = self.settings.lemke;
        let options = ImpactOptions { tolerance, relaxation: 0.0, most, solver: self.settings.solver };
        let other = impact(problem, &vec![0.0; problem.contacts()], &options, &mut self.solver);
        if other.residual < *residual {
            (*residual, best) = (other.residual, other.impulses);
        }
        best
    }

    /// Gaps, below zero, that pairs which overlap at the start may have at the end of a dynamic step and in its middle
    /// [m].
    fn allowed(&self, pairs: &[usize], (t, end): (f64, f64)) -> BTreeMap<usize, [f64; 2]> {
        let mut allowed = BTreeMap::new();
        for &pair in pairs {
            let gap = self.points(pair, t, 0.0).iter().map(|touch| touch.point.gap).fold(0.0, f64::min);
            let left = (gap + PUSHED * self.size_of(pair) * (end - t) / self.settings.step).min(0.0);
            if gap < 0.0 {
                allowed.insert(pair, [left, gap]);
            }
        }
        allowed
    }

    /// Contact impulses of the previous step, in world axes.
    fn remembered(&self, pairs: &[usize], h: f64) -> BTreeMap<(usize, u64, bool), DVec2> {
        let mut known = BTreeMap::new();
        for &pair in pairs {
            let p = &self.pairs[pair];
            let own = (p.candidate, p.antagonist);
            let first = self.state.contacts.partition_point(|c| (c.key.candidate, c.key.antagonist) < own);
            for contact in &self.state.contacts[first..] {
                if (contact.key.candidate, contact.key.antagonist) != own {
                    break;
                }
                known.insert((pair, contact.key.feature, false), contact.force * h);
            }
        }
        known
    }

    /// Bodies under wind, water, loads and contact impulses.
    fn pushes(&self, bodies: &[usize], starts: &[[f64; 3]], sums: &[[f64; 3]], (t, end): (f64, f64)) -> Vec<Push> {
        let push = |((&body, v), sum): ((&usize, &[f64; 3]), &[f64; 3])| {
            let (leg, b) = (&self.legs[body], &self.model.bodies[body]);
            let masses = [b.mass, b.mass, b.inertia];
            let mut mass = [0.0; 9];
            (0..3).for_each(|i| mass[4 * i] = masses[i]);
            let h = end - t;
            if leg.kick > t {
                // the acceleration already includes the forces
                let velocity = std::array::from_fn(|i| v[i] + leg.pull[i] * h + sum[i] / masses[i]);
                return Push { velocity, work: [0.0; 4], mass, water: DVec2::ZERO };
            }
            let load = self.loads(body, &leg.pose, 0.5 * (t + end));
            let force = std::array::from_fn(|i| load[i] + sum[i] / h);
            let place = (leg.pose.position, leg.pose.rotation);
            let drift = self.sea.drift(&self.floe(body), place, *v, force, (t, h));
            let slope = self.sea.drag_slope(&self.floe(body), place, drift.mean, t);
            mass.iter_mut().zip(slope).for_each(|(mass, slope)| *mass += 0.5 * h * slope);
            let weight = self.model.gravity * b.mass;
            let mean = DVec2::new(v[0] + drift.velocity[0], v[1] + drift.velocity[1]) * 0.5;
            let gravity = h * weight.dot(mean);
            let work = h * (0..3).map(|i| load[i] * drift.mean[i]).sum::<f64>();
            let others = work - h * weight.dot(DVec2::new(drift.mean[0], drift.mean[1]));
            let water = DVec2::new(drift.impulse[1][0], drift.impulse[1][1]);
            Push { velocity: drift.velocity, work: [drift.work[0], drift.work[1], others, gravity], mass, water }
        };
        bodies.iter().zip(starts).zip(sums).map(push).collect()
    }

    /// Placement of a body at the end or in the middle of a dynamic step, with its velocities at the start and the end.
    pub(super) fn placed(
        &self,
        body: usize,
        v: Option<[&[f64; 3]; 2]>,
        (t, end): (f64, f64),
        middle: bool,
    ) -> Pose<D2> {
        let (leg, h) = (&self.legs[body], end - t);
        let [first, second] = if middle { [0.375 * h, 0.125 * h] } else { [0.5 * h, 0.5 * h] };
        let Some([a, b]) = v else { return leg.pose_at(if middle { t + 0.5 * h } else { end }) };
        let way = |i: usize| first * a[i] + second * b[i];
        Pose { position: leg.pose.position + DVec2::new(way(0), way(1)), rotation: leg.pose.rotation + way(2) }
    }

    /// Contacts of pairs at the end of the step, and of those in `bent` in its middle.
    fn rows(&self, pairs: &[usize], bent: &BTreeSet<usize>, trial: Trial<'_>) -> Vec<Row> {
        let mut rows = Vec::new();
        self.rows_at(pairs, false, trial, &mut rows);
        let bent: Vec<usize> = bent.iter().copied().collect();
        self.rows_at(&bent, true, trial, &mut rows);
        rows
    }

    /// Contacts of pairs in the middle or at the end of a step on trial.
    fn rows_at(&self, pairs: &[usize], middle: bool, trial: Trial<'_>, out: &mut Vec<Row>) {
        let mut touches = Vec::new();
        for &pair in pairs {
            let p = &self.pairs[pair];
            let [a, b] = [p.candidate as usize, p.antagonist as usize];
            let of = |body: usize| self.placed(body, trial.velocities(body), trial.over, middle);
            let (own, mut other) = (of(a), of(b));
            other.position += p.shift;
            let size = self.size(a, b);
            self.points_of(pair, &own, &other, MARGIN * size, &mut touches);
            let [end, half] = trial.allowed.get(&pair).copied().unwrap_or([0.0; 2]);
            let least = if middle { half - MIDDLE[0] * SLACK * size } else { end };
            out.extend(touches.drain(..).map(|touch| Row { touch, gap: touch.point.gap - least, middle }));
        }
    }

    /// The linearised contact problem, and the frames of its contacts.
    fn linearised(&self, rows: &[Row], trial: Trial<'_>, step: &Step) -> (Problem, Vec<[DVec2; 2]>) {
        let Trial { node, ends, over, .. } = trial;
        let h = over.1 - over.0;
        let mut problem = Problem::new(2, 3);
        for (push, sum) in step.pushes.iter().zip(&step.sums) {
            let inverse = inverted(&push.mass);
            let back: [f64; 3] = std::array::from_fn(|i| (0..3).map(|j| inverse[3 * i + j] * sum[j]).sum());
            let free: [f64; 3] = std::array::from_fn(|i| push.velocity[i] - back[i]);
            problem.push_node(&push.mass, &inverse, &free);
        }
        let mut frames = Vec::with_capacity(rows.len());
        for Row { touch, gap, middle } in rows {
            // the gap moves by this times the velocity at the end
            let span = if *middle { 0.125 * h } else { 0.5 * h };
            let p = &self.pairs[touch.pair];
            let n = touch.point.normal;
            let frame = [n, DVec2::new(n.y, -n.x)];
            let mut entries: Vec<(u32, [f64; 6])> = Vec::with_capacity(2);
            let mut own = [gap / span, 0.0];
            for (body, sign, shift) in [(p.candidate, 1.0, DVec2::ZERO), (p.antagonist, -1.0, p.shift)] {
                let body = body as usize;
                let k = node.get(&body).copied();
                let place = self.placed(body, trial.velocities(body), over, *middle);
                let arm = touch.point.position - place.position - shift;
                if let Some(k) = k {
                    let row = |d: DVec2| [sign * d.x, sign * d.y, sign * arm.perp_dot(d)];
                    let [first, second] = frame.map(row);
                    let v = &ends[k as usize];
                    own[0] -= (0..3).map(|i| first[i] * v[i]).sum::<f64>();
                    entries.push((k, [first[0], first[1], first[2], second[0], second[1], second[2]]));
                } else {
                    let v = self.legs[body].velocity_at(over.1);
                    own[1] += sign * crate::kinematics::plane_velocity(v, arm).dot(frame[1]);
                }
            }
            let blocks: Vec<(u32, &[f64])> = entries.iter().map(|(k, rows)| (*k, rows.as_slice())).collect();
            problem.push_contact(&blocks, &own, self.law(touch.pair).0);
            frames.push(frame);
        }
        (problem, frames)
    }
}

/// Inverse of a symmetric 3 × 3 matrix.
fn inverted(m: &[f64; 9]) -> [f64; 9] {
    let minor = |i: usize, j: usize| {
        let at = |r: usize, c: usize| m[(i + r) % 3 * 3 + (j + c) % 3];
        at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)
    };
    let determinant: f64 = (0..3).map(|j| m[j] * minor(0, j)).sum();
    std::array::from_fn(|k| minor(k % 3, k / 3) / determinant)
}
