//! Rotation of a body that no moment acts on.
//!
//! The spin ω⁺ after a step solves  I ω⁺ = exp(−h ω̄) I ω,  ω̄ = θ ω⁺ + (1−θ) ω,  all in body axes. Turned by the same
//! exp(h ω̄) the body keeps its angular momentum in world axes exactly; and since a rotation about ω̄ does not change
//! the component along ω̄, ω̄·I(ω⁺ − ω) = 0: for θ = ½ the kinetic energy is kept exactly too (for θ > ½ it falls).

use voussoir_geometry::Space;

use super::masses::add_product;
use crate::kinematics::spin_length;

/// More than enough for h|ω| < ½; beyond that a step turns the body too far for any scheme.
const ITERATIONS: usize = 100;

/// The spin (body axes) after `h` seconds of free rotation; `mass` and `inverse` are the body's blocks.
pub(crate) fn free_spin<S: Space>(
    inertia: S::Inertia,
    mass: &[f64],
    inverse: &[f64],
    spin: S::Spin,
    h: f64,
    theta: f64,
) -> S::Spin {
    if S::gyroscopic(inertia, spin) == S::no_spin() {
        return spin;
    }
    let momentum = angular::<S>(mass, spin);
    let mut next = spin;
    let mut last_change = f64::INFINITY;
    for _ in 0..ITERATIONS {
        let mean = next * theta + spin * (1.0 - theta);
        let turned = S::spin_to_body(S::advance(S::no_rotation(), mean, h), momentum);
        let candidate = angular::<S>(inverse, turned);
        let change = spin_length::<S>(candidate - next);
        next = candidate;
        // at rounding level the change no longer shrinks
        if change == 0.0 || (change >= last_change && change <= 1e-14 * spin_length::<S>(spin)) {
            break;
        }
        last_change = change;
    }
    next
}

/// The angular part of a `dofs × dofs` block times a spin.
pub(crate) fn angular<S: Space>(block: &[f64], spin: S::Spin) -> S::Spin {
    let (mut x, mut y) = ([0.0; 6], [0.0; 6]);
    S::pack(S::zero(), spin, &mut x[..S::DOFS]);
    add_product(block, &x[..S::DOFS], &mut y[..S::DOFS]);
    S::unpack(&y[..S::DOFS]).1
}
