//! Velocities and positions by central differences, with damping.
//!
//! ```text
//! undamped  v₊ = v₋ + F Δt/m
//! viscous   v₊ = ((1 − αΔt/2) v₋ + F Δt/m)/(1 + αΔt/2)
//! local     v₊ = v₋ + (F − β |F| sgn v₋) Δt/m
//! x ← x + v₊ Δt
//! ```
//! The damping force D of a step is m (v₊ − v₋)/Δt − F; it takes −D·½(v₋ + v₊)Δt.

use super::arrays::{Arrays, Four};
use super::settings::{Adaptive, Damping};

/// Bodies in one partial sum: sums do not depend on the number of threads.
const CHUNK: usize = 1024;

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

/// Moves all free bodies by one step; supports are not touched.
pub(super) fn advance(arrays: &mut Arrays, round: &[bool], reach: &[f64], damping: &DampingNow, dt: f64) -> MotionSums {
    let mut sums = MotionSums::default();
    let count = arrays.pos.len();
    for start in (0..count).step_by(CHUNK) {
        let mut own = MotionSums::default();
        for i in start..(start + CHUNK).min(count) {
            if arrays.free[i] {
                body(arrays, i, round[i], reach[i], damping, dt, &mut own);
            }
        }
        sums.gravity += own.gravity;
        sums.damping += own.damping;
        sums.power += own.power;
        sums.change += own.change;
        sums.fastest = sums.fastest.max(own.fastest);
    }
    sums
}

#[inline(always)]
fn body(arrays: &mut Arrays, i: usize, round: bool, reach: f64, damping: &DampingNow, dt: f64, sums: &mut MotionSums) {
    let (force, inverse, mass): (Four, Four, Four) = (arrays.force[i], arrays.inverse[i], arrays.mass[i]);
    let vel = &mut arrays.vel[i];
    for k in 0..3 {
        if inverse[k] == 0.0 {
            continue;
        }
        let old = vel[k];
        let (new, work) = damping.next(old, force[k], mass[k], inverse[k], round, dt);
        let mean = 0.5 * (old + new);
        sums.damping += work;
        sums.power += mass[k] * mean * mean;
        sums.change += mass[k] * (new * new - old * old);
        vel[k] = new;
    }
    let (weight, vel) = (arrays.weight[i], *vel);
    sums.gravity += (weight[0] * vel[0] + weight[1] * vel[1]) * dt;
    let pos = &mut arrays.pos[i];
    pos[0] += vel[0] * dt;
    pos[1] += vel[1] * dt;
    pos[3] += vel[2] * dt;
    let turning = vel[2] * reach;
    // (|v| + |ω| r)² ≤ 2 (v² + (ω r)²); the turn of a disc moves no point outwards
    let spread = if round { 1.0 } else { 2.0 };
    let outward = if round { 0.0 } else { turning * turning };
    sums.fastest = sums.fastest.max(spread * (vel[0] * vel[0] + vel[1] * vel[1] + outward));
}
