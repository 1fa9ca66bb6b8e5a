//! Forces of pairs of discs, in batches that a compiler can vectorise.
//!
//! Positions and velocities of the pairs of a batch are copied into arrays, one per quantity; closed pairs come first.
//! Then the law is evaluated for all of them, and their forces are added to the bodies. Every operation is rounded as
//! written, whatever instructions the machine has: results have the same bits on all machines.
//!
//! Pairs are divided into parts that do not depend on the number of threads. Each body belongs to one part, which adds the
//! forces of its pairs on these bodies directly; forces on other bodies are added in the order of the parts at the end.

use pulp::{Arch, NullaryFnOnce};
use rayon::prelude::*;

use super::arrays::Four;
use super::forces::Sums;
use super::law::{Laws, PointLaw};
use super::lists::DiscPair;

/// Pairs evaluated together.
const BATCH: usize = 64;
/// Accumulators of a sum over a batch.
const LANES: usize = 8;
/// Pairs of a part, at least.
const PART: usize = 4096;

/// Consecutive pairs, and the bodies they act on.
#[derive(Clone, Debug)]
struct Part {
    /// Number of pairs.
    pairs: usize,
    /// First of the bodies that belong to this part, and the first that does not.
    own: [usize; 2],
    /// First body of the pairs, at most that of the part.
    low: usize,
    /// Forces on the bodies before and behind those of the part.
    outer: [Vec<Four>; 2],
}

/// Division of the pairs of discs; empty if the pairs are one part.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts(Vec<Part>);

impl Parts {
    /// Parts of pairs sorted by candidate.
    pub fn new(pairs: &[DiscPair], bodies: usize) -> Self {
        let mut starts = Vec::new();
        for (k, pair) in pairs.iter().enumerate() {
            let full = starts.last().is_none_or(|&start| k - start >= PART && pairs[k - 1].a != pair.a);
            if full {
                starts.push(k);
            }
        }
        let part = |k: usize| {
            let end = starts.get(k + 1).copied().unwrap_or(pairs.len());
            let pairs_of = &pairs[starts[k]..end];
            let first = if k == 0 { 0 } else { pairs_of[0].a as usize };
            let behind = pairs.get(end).map_or(bodies, |pair| pair.a as usize);
            let low = pairs_of.iter().map(|pair| pair.b as usize).fold(first, usize::min);
            let high = pairs_of.iter().map(|pair| pair.b as usize + 1).fold(behind, usize::max);
            let outer = [first - low, high - behind].map(|count| vec![Four::default(); count]);
            Part { pairs: pairs_of.len(), own: [first, behind], low, outer }
        };
        let parts: Vec<Part> = if starts.len() < 2 { Vec::new() } else { (0..starts.len()).map(part).collect() };
        let outer: usize = parts.iter().flat_map(|part| &part.outer).map(Vec::len).sum();
        Self(if outer > bodies { Vec::new() } else { parts })
    }
}

/// Adds the forces of all pairs to `force`, and returns the energy dissipated by friction in the step of `dt` [J]. With
/// `dt` = 0 nothing has moved: the forces are those of the end of the last step.
pub(super) fn sweep(
    (pos, vel, force): (&[Four], &[Four], &mut [Four]),
    pairs: &mut [DiscPair],
    parts: &mut Parts,
    laws: &Laws,
    dt: f64,
) -> f64 {
    let arch = Arch::new();
    if parts.0.is_empty() {
        let force = Forces { own: force, first: 0, outer: [&mut [], &mut []] };
        return arch.dispatch(Task { pos, vel, force, pairs, laws, dt });
    }
    let (mut pairs, mut rest) = (pairs, &mut *force);
    let mut tasks = Vec::with_capacity(parts.0.len());
    for part in &mut parts.0 {
        let (own_pairs, other_pairs) = pairs.split_at_mut(part.pairs);
        let (own, others) = rest.split_at_mut(part.own[1] - part.own[0]);
        (pairs, rest) = (other_pairs, others);
        let [before, behind] = &mut part.outer;
        let force = Forces { own, first: part.own[0], outer: [before, behind] };
        tasks.push(Task { pos, vel, force, pairs: own_pairs, laws, dt });
    }
    let run = |mut task: Task<'_>| {
        task.force.outer.iter_mut().for_each(|outer| outer.fill(Four::default()));
        arch.dispatch(task)
    };
    let friction: Vec<f64> = if rayon::current_num_threads() > 1 {
        tasks.into_par_iter().map(run).collect()
    } else {
        tasks.into_iter().map(run).collect()
    };
    for part in &parts.0 {
        for (outer, first) in part.outer.iter().zip([part.low, part.own[1]]) {
            for (sum, outer) in force[first..].iter_mut().zip(outer) {
                (0..4).for_each(|k| sum[k] += outer[k]);
            }
        }
    }
    friction.iter().sum()
}

/// Forces on the bodies of a part, and on those before and behind.
struct Forces<'a> {
    own: &'a mut [Four],
    first: usize,
    outer: [&'a mut [Four]; 2],
}

impl Forces<'_> {
    #[inline(always)]
    fn on(&mut self, body: usize) -> &mut Four {
        if body < self.first {
            let [before, _] = &mut self.outer;
            let from_end = self.first - body;
            let count = before.len();
            return &mut before[count - from_end];
        }
        let place = body - self.first;
        let own = self.own.len();
        if place < own { &mut self.own[place] } else { &mut self.outer[1][place - own] }
    }
}

/// One number per pair of a batch.
type Lanes = [[f64; LANES]; BATCH / LANES];

/// The quantities of a batch, one array each.
struct Batch {
    /// From the antagonist to the candidate [m].
    between: [Lanes; 2],
    radius: [Lanes; 2],
    /// Relative velocity of the centres [m/s].
    velocity: [Lanes; 2],
    spin: [Lanes; 2],
    elastic: Lanes,
    /// μ of this step.
    friction: Lanes,
    /// kₙ S, k_t S, 1/(k_t S), c S, f_c S, width.
    law: [Lanes; 6],
    force: [Lanes; 2],
    /// Moments on both bodies.
    moment: [Lanes; 2],
    slid: Lanes,
}

const ZERO: Lanes = [[0.0; LANES]; BATCH / LANES];

const EMPTY: Batch = Batch {
    between: [ZERO; 2],
    radius: [ZERO; 2],
    velocity: [ZERO; 2],
    spin: [ZERO; 2],
    elastic: ZERO,
    friction: ZERO,
    law: [ZERO; 6],
    force: [ZERO; 2],
    moment: [ZERO; 2],
    slid: ZERO,
};

/// Constants of a law for points of discs.
#[inline(always)]
fn constants(law: &PointLaw) -> [f64; 6] {
    let s = law.round;
    let kt = law.tangential * s;
    [law.normal * s, kt, 1.0 / kt, law.cohesion * s, law.strength * s, law.width]
}

/// The pairs of one part.
struct Task<'a> {
    pos: &'a [Four],
    vel: &'a [Four],
    force: Forces<'a>,
    pairs: &'a mut [DiscPair],
    laws: &'a Laws,
    dt: f64,
}

impl NullaryFnOnce for Task<'_> {
    type Output = f64;

    // inlined into functions for the instructions of this machine
    #[inline(always)]
    fn call(self) -> f64 {
        let Self { pos, vel, mut force, pairs, laws, dt } = self;
        let vel = &vel[..pos.len()];
        let mut batch = EMPTY;
        let mut friction = [0.0; LANES];
        let mut known = u32::MAX;
        for pairs in pairs.chunks_mut(BATCH) {
            // most scenes have one law between discs: its constants stay in place
            let same = pairs.iter().all(|pair| pair.law == pairs[0].law);
            if !same {
                known = u32::MAX;
            } else if known != pairs[0].law {
                known = pairs[0].law;
                let all = constants(laws.at(known));
                (0..6).for_each(|k| batch.law[k] = [[all[k]; LANES]; BATCH / LANES]);
                batch.friction = [[laws.at(known).friction[0]; LANES]; BATCH / LANES];
            }
            let mut at = [0u8; BATCH];
            let count = gather(pos, vel, pairs, laws, same, &mut batch, &mut at);
            evaluate(&mut batch, count, dt, &mut friction);
            scatter(&batch, &at[..count], pairs, &mut force, dt > 0.0);
        }
        friction.iter().sum()
    }
}

/// Copies the closed pairs into the batch and returns their number; `at` has their places among `pairs`.
#[inline(always)]
fn gather(
    pos: &[Four],
    vel: &[Four],
    pairs: &mut [DiscPair],
    laws: &Laws,
    same: bool,
    batch: &mut Batch,
    at: &mut [u8; BATCH],
) -> usize {
    let mut count = 0;
    let mut law = laws.at(pairs[0].law);
    // friction that differs between pairs or with sliding
    let varies = !same || law.friction[0] != law.friction[1];
    for (k, pair) in pairs.iter_mut().enumerate() {
        let (a, b) = (pair.a as usize, pair.b as usize);
        let (p, q) = (&pos[a], &pos[b]);
        let (dx, dy) = (p[0] - q[0], p[1] - q[1]);
        if !same {
            law = laws.at(pair.law);
        }
        let square = dx * dx + dy * dy;
        let reach = p[2] + q[2] + law.width;
        // positions that are no numbers any more must not pass unnoticed
        let closed = (square < reach * reach) | square.is_nan();
        let (m, l) = (count / LANES % (BATCH / LANES), count % LANES);
        let (v, w) = (&vel[a], &vel[b]);
        (batch.between[0][m][l], batch.between[1][m][l]) = (dx, dy);
        (batch.radius[0][m][l], batch.radius[1][m][l]) = (p[2], q[2]);
        (batch.velocity[0][m][l], batch.velocity[1][m][l]) = (v[0] - w[0], v[1] - w[1]);
        (batch.spin[0][m][l], batch.spin[1][m][l]) = (v[2], w[2]);
        batch.elastic[m][l] = pair.elastic;
        if varies {
            batch.friction[m][l] = law.friction[usize::from(pair.slid)];
        }
        if !same {
            let all = constants(law);
            (0..6).for_each(|k| batch.law[k][m][l] = all[k]);
        }
        at[count % BATCH] = k as u8;
        // an open pair forgets its slip
        let kept = u64::from(closed).wrapping_neg();
        pair.elastic = f64::from_bits(pair.elastic.to_bits() & kept);
        pair.slid &= closed;
        count += usize::from(closed);
    }
    count
}

/// The law of closed pairs; adds the energy dissipated by friction to sums.
#[inline(always)]
fn evaluate(batch: &mut Batch, count: usize, dt: f64, friction: &mut [f64; LANES]) {
    let moved = dt > 0.0;
    for m in 0..count.div_ceil(LANES).min(BATCH / LANES) {
        for l in 0..LANES {
            let [kn, kt, compliance, cohesion, strength, width] = [0, 1, 2, 3, 4, 5].map(|k| batch.law[k][m][l]);
            let (ra, rb) = (batch.radius[0][m][l], batch.radius[1][m][l]);
            let (dx, dy) = (batch.between[0][m][l], batch.between[1][m][l]);
            let distance = (dx * dx + dy * dy).sqrt();
            let inverse = 1.0 / if distance > f64::MIN_POSITIVE { distance } else { f64::MIN_POSITIVE };
            let (nx, ny) = (dx * inverse, dy * inverse);
            let overlap = ra + rb + width - distance;
            // distances of the contact point from the two centres
            let (arm_a, arm_b) = (ra - 0.5 * overlap, rb - 0.5 * overlap);
            let (ux, uy) = (batch.velocity[0][m][l] * dt, batch.velocity[1][m][l] * dt);
            // angle by which the line of centres turned: tan Δψ from the cross and scalar products of its old and new
            // direction
            let (along, across) = ((ux * nx + uy * ny) * inverse, (ux * ny - uy * nx) * inverse);
            // 1/(1 − x), x the approach in a step relative to the distance
            let tan = across * (1.0 + along * (1.0 + along * (1.0 + along)));
            let t2 = tan * tan;
            let turned = tan * (1.0 - t2 * (1.0 / 3.0 - 0.2 * t2));
            let du = distance * turned + (arm_a * batch.spin[0][m][l] + arm_b * batch.spin[1][m][l]) * dt;
            let pressed = kn * overlap;
            let normal = if pressed < strength { pressed } else { strength };
            let limit = cohesion + batch.friction[m][l] * normal;
            let old = batch.elastic[m][l];
            let trial = old + du;
            let bound = limit * compliance;
            let slides = moved & ((kt * trial).abs() > limit);
            let now = if slides { bound.copysign(trial) } else { trial };
            let slid = trial - now;
            let tangential = -kt * now;
            batch.elastic[m][l] = now;
            batch.slid[m][l] = slid.abs();
            // work along the sliding distance, with the mean of the forces before and after; the last lanes may be unused
            let work = 0.5 * kt * (old + now) * slid;
            friction[l] += if m * LANES + l < count { work } else { 0.0 };
            batch.force[0][m][l] = normal * nx + tangential * ny;
            batch.force[1][m][l] = normal * ny - tangential * nx;
            (batch.moment[0][m][l], batch.moment[1][m][l]) = (arm_a * tangential, arm_b * tangential);
        }
    }
}

/// Adds the forces of a batch to the bodies, and writes the memory of the pairs.
#[inline(always)]
fn scatter(batch: &Batch, at: &[u8], pairs: &mut [DiscPair], force: &mut Forces<'_>, moved: bool) {
    for (i, &k) in at.iter().enumerate() {
        let (m, l) = (i / LANES % (BATCH / LANES), i % LANES);
        let pair = &mut pairs[k as usize];
        let slid = batch.slid[m][l];
        pair.elastic = batch.elastic[m][l];
        pair.slid = (slid > 0.0) | (pair.slid & !moved);
        if slid > 0.0 {
            pair.way += slid;
        }
        let (fx, fy) = (batch.force[0][m][l], batch.force[1][m][l]);
        let on_a = force.on(pair.a as usize);
        *on_a = Four([on_a[0] + fx, on_a[1] + fy, on_a[2] + batch.moment[0][m][l], on_a[3]]);
        let on_b = force.on(pair.b as usize);
        *on_b = Four([on_b[0] - fx, on_b[1] - fy, on_b[2] + batch.moment[1][m][l], on_b[3]]);
    }
}

/// Overlap and normal of a pair; `None` if it is open.
fn closed(pos: &[Four], pair: &DiscPair, laws: &Laws) -> Option<(f64, [f64; 2])> {
    let (p, q) = (pos[pair.a as usize], pos[pair.b as usize]);
    let (dx, dy) = (p[0] - q[0], p[1] - q[1]);
    let square = dx * dx + dy * dy;
    let reach = p[2] + q[2] + laws.at(pair.law).width;
    (square < reach * reach).then(|| {
        let distance = square.sqrt();
        let inverse = 1.0 / distance.max(f64::MIN_POSITIVE);
        (reach - distance, [dx * inverse, dy * inverse])
    })
}

/// Energy, forces and overlaps of the closed pairs.
pub(super) fn measure(pos: &[Four], pairs: &[DiscPair], laws: &Laws) -> Sums {
    let mut sums = Sums { listed: pairs.len(), ..Sums::default() };
    for pair in pairs {
        let Some((overlap, _)) = closed(pos, pair, laws) else { continue };
        let law = laws.at(pair.law);
        let mut point = law.held(law.round, overlap, pair.elastic);
        point.slid = if pair.slid { 1.0 } else { 0.0 };
        sums.add(&point, overlap);
    }
    sums
}
