//! Velocities and positions by central differences, with damping.
//!
//! ```text
//! undamped  v₊ = v₋ + F Δt/m
//! viscous   v₊ = ((1 − αΔt/2) v₋ + F Δt/m)/(1 + αΔt/2)
//! local     v₊ = v₋ + (F − β |F| sgn v₋) Δt/m
//! x ← x + v₊ Δt
//! ```
//! The damping force D of a step is m (v₊ − v₋)/Δt − F; it takes −D·½(v₋ + v₊)Δt.

use pulp::{Arch, NullaryFnOnce};
use rayon::prelude::*;

use super::arrays::{Arrays, Four};
use super::settings::{Adaptive, Damping};

/// Bodies in one partial sum: sums do not depend on the number of threads.
const CHUNK: usize = 1024;
/// Bodies from which on several threads are used.
const MANY: usize = 4096;

/// Damping in this step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DampingNow {
    /// The law.
    pub law: Damping,
    /// Present coefficient of viscous damping [1/s].
    pub alpha: f64,
}

/// Sums over bodies in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct MotionSums {
    /// Work of the true weights [J].
    pub gravity: f64,
    /// Dissipated by damping [J].
    pub damping: f64,
    /// Σ m v² at the middle of the step, both velocities averaged [J].
    pub power: f64,
    /// Change of Σ m v² [J].
    pub change: f64,
    /// Square of the largest velocity of a point of a body [m²/s²].
    pub fastest: f64,
}

impl MotionSums {
    fn join(&mut self, other: &Self) {
        self.gravity += other.gravity;
        self.damping += other.damping;
        self.power += other.power;
        self.change += other.change;
        self.fastest = self.fastest.max(other.fastest);
    }
}

impl DampingNow {
    /// The velocity after a step, and the work of damping, of one degree of freedom.
    #[inline(always)]
    pub fn next(&self, v: f64, force: f64, mass: f64, inverse: f64, round: bool, dt: f64) -> (f64, f64) {
        match self.law {
            Damping::Off => (v + force * inverse * dt, 0.0),
            Damping::Viscous(_) | Damping::Adaptive(_) => {
                let half = 0.5 * self.alpha * dt;
                let new = ((1.0 - half) * v + force * inverse * dt) / (1.0 + half);
                let mean = 0.5 * (v + new);
                (new, self.alpha * mass * mean * mean * dt)
            }
            Damping::Local { blocks, particles } => {
                let beta = if round { particles } else { blocks };
                // at rest nothing is damped
                let sign = if v > 0.0 {
                    1.0
                } else if v < 0.0 {
                    -1.0
                } else {
                    0.0
                };
                let damping = -beta * force.abs() * sign;
                let new = v + (force + damping) * inverse * dt;
                (new, -damping * 0.5 * (v + new) * dt)
            }
        }
    }

    /// The coefficient of the next step.
    pub fn adapt(&mut self, sums: &MotionSums, dt: f64) {
        let Damping::Adaptive(Adaptive { ratio, start, up, band }) = self.law else { return };
        // R |ΣĖ_k| = α Σ m v²,  2Δt ΣĖ_k = Σ m (v₊² − v₋²)
        let ideal = ratio * (sums.change / (2.0 * dt)).abs() / sums.power.max(f64::MIN_POSITIVE);
        if ideal < band * self.alpha {
            self.alpha /= up;
        } else if ideal >= self.alpha / band {
            self.alpha = (self.alpha * up).min(start);
        }
    }
}

/// Factor by which damping raises the largest frequency: local damping makes forces against the motion (1 + β) times as
/// large, ω √(1 + β).
pub(super) fn stiffening(damping: Damping) -> f64 {
    match damping {
        Damping::Local { blocks, particles } => (1.0 + blocks.max(particles)).sqrt(),
        Damping::Off | Damping::Viscous(_) | Damping::Adaptive(_) => 1.0,
    }
}

/// Radius and kind of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// Disc about its centroid.
    pub round: bool,
    /// Radius of the circle around the body [m].
    pub reach: f64,
}

/// Consecutive bodies.
struct Bodies<'a> {
    pos: &'a mut [Four],
    vel: &'a mut [Four],
    force: &'a mut [Four],
    inverse: &'a [Four],
    mass: &'a [Four],
    weight: &'a [Four],
    free: &'a [bool],
    extents: &'a [Extent],
}

/// Moves all free bodies by one step and sets their forces to their weights; supports are not touched.
pub(super) fn advance(arrays: &mut Arrays, extents: &[Extent], damping: &DampingNow, dt: f64) -> MotionSums {
    let Arrays { pos, vel, force, inverse, mass, weight, free, .. } = arrays;
    let all = pos.chunks_mut(CHUNK).zip(vel.chunks_mut(CHUNK)).zip(force.chunks_mut(CHUNK)).enumerate();
    let chunks = all.map(|(k, ((pos, vel), force))| {
        let range = k * CHUNK..k * CHUNK + pos.len();
        let (inverse, mass, weight) = (&inverse[range.clone()], &mass[range.clone()], &weight[range.clone()]);
        Bodies { pos, vel, force, inverse, mass, weight, free: &free[range.clone()], extents: &extents[range] }
    });
    let arch = Arch::new();
    let run = |bodies: Bodies<'_>| arch.dispatch(Task { bodies, damping, dt });
    let mut sums = MotionSums::default();
    if extents.len() >= MANY && rayon::current_num_threads() > 1 {
        let chunks: Vec<Bodies<'_>> = chunks.collect();
        let parts: Vec<MotionSums> = chunks.into_par_iter().map(run).collect();
        parts.iter().for_each(|part| sums.join(part));
    } else {
        chunks.map(run).for_each(|part| sums.join(&part));
    }
    sums
}

/// Motion of consecutive bodies.
struct Task<'a> {
    bodies: Bodies<'a>,
    damping: &'a DampingNow,
    dt: f64,
}

impl NullaryFnOnce for Task<'_> {
    type Output = MotionSums;

    // inlined into functions for the instructions of this machine
    #[inline(always)]
    fn call(mut self) -> MotionSums {
        self.bodies.advance(self.damping, self.dt)
    }
}

impl Bodies<'_> {
    #[inline(always)]
    fn advance(&mut self, damping: &DampingNow, dt: f64) -> MotionSums {
        // the law is known outside of the loop
        match damping.law {
            Damping::Off => self.each::<false>(&DampingNow { law: Damping::Off, alpha: 0.0 }, dt),
            Damping::Viscous(_) | Damping::Adaptive(_) => {
                self.each::<true>(&DampingNow { law: Damping::Viscous(0.0), alpha: damping.alpha }, dt)
            }
            Damping::Local { blocks, particles } => {
                self.each::<false>(&DampingNow { law: Damping::Local { blocks, particles }, alpha: 0.0 }, dt)
            }
        }
    }

    #[inline(always)]
    fn each<const ADAPTS: bool>(&mut self, damping: &DampingNow, dt: f64) -> MotionSums {
        // sums of each component
        let (mut work, mut power, mut change, mut gravity) = ([0.0; 4], [0.0; 4], [0.0; 4], [0.0; 2]);
        let mut fastest = 0.0f64;
        let moving = self.pos.iter_mut().zip(self.vel.iter_mut()).zip(self.force.iter_mut());
        let fixed = self.inverse.iter().zip(self.mass).zip(self.weight).zip(self.free).zip(self.extents);
        for (((pos, vel), force), ((((inverse, mass), weight), free), extent)) in moving.zip(fixed) {
            if !free {
                continue;
            }
            let mut new = [0.0; 4];
            for k in 0..4 {
                let old = vel[k];
                let (next, damped) = damping.next(old, force[k], mass[k], inverse[k], extent.round, dt);
                work[k] += damped;
                if ADAPTS {
                    let mean = 0.5 * (old + next);
                    power[k] += mass[k] * mean * mean;
                    change[k] += mass[k] * (next * next - old * old);
                }
                new[k] = next;
            }
            (*vel, *force) = (Four(new), *weight);
            gravity[0] += weight[0] * new[0];
            gravity[1] += weight[1] * new[1];
            pos[0] += new[0] * dt;
            pos[1] += new[1] * dt;
            pos[3] += new[2] * dt;
            // (|v| + |ω| r)² ≤ 2 (v² + (ω r)²); the turn of a disc moves no point outwards
            let turning = new[2] * extent.reach;
            let (spread, outward) = if extent.round { (1.0, 0.0) } else { (2.0, turning * turning) };
            let square = spread * (new[0] * new[0] + new[1] * new[1] + outward);
            fastest = if square > fastest { square } else { fastest };
        }
        let sum = |parts: [f64; 4]| (parts[0] + parts[1]) + (parts[2] + parts[3]);
        let gravity = (gravity[0] + gravity[1]) * dt;
        MotionSums { gravity, damping: sum(work), power: sum(power), change: sum(change), fastest }
    }
}
