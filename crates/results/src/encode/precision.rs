//! Rounding of recorded numbers.

use serde::{Deserialize, Serialize};
use voussoir_mechanics::snapshot::{Cast, CastBody};

/// Rounding of recorded numbers: absolute steps, powers of two. Zero keeps all digits of the data type in the file.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Precision {
    /// Positions of centroids; gaps, in addition to 1/512 of the value and 2⁻¹⁴ of the displacement since the previous
    /// frame [m].
    pub length: f64,
    /// Points of surfaces and contacts, for pictures [m].
    pub drawing: f64,
    /// The same for fast bodies: 1/64 of the displacement since the previous frame, but at most this [m].
    pub fast_drawing: f64,
    /// Components of quaternions.
    pub rotation: f64,
    /// [m/s]
    pub velocity: f64,
    /// [rad/s]
    pub spin: f64,
    /// [N], in addition to 2⁻¹² of the magnitude of the force.
    pub force: f64,
}

impl Precision {
    /// All digits: double precision for poses, single for everything else.
    pub const EXACT: Self =
        Self { length: 0.0, drawing: 0.0, fast_drawing: 0.0, rotation: 0.0, velocity: 0.0, spin: 0.0, force: 0.0 };

    /// Steps for the smallest free block: lengths to 1e-10 of its radius, drawings to 1e-5 of it, or 1e-3 where it
    /// moves fast, rotations to 1e-10, velocities to 1e-9 of it per second, spins to 1e-9 rad/s, forces to 1e-6 of its
    /// weight.
    pub fn for_cast(cast: &Cast) -> Self {
        let free = || cast.bodies.iter().filter(|body| !body.support);
        let size = smallest(free().map(CastBody::reach));
        let weight = smallest(free().map(|body| body.mass)) * 10.0;
        Self {
            length: power_of_two(size * 1e-10),
            drawing: power_of_two(size * 1e-5),
            fast_drawing: power_of_two(size * 1e-3),
            rotation: power_of_two(1e-10),
            velocity: power_of_two(size * 1e-9),
            spin: power_of_two(1e-9),
            force: power_of_two(weight * 1e-6),
        }
    }
}

/// Smallest of the positive finite values; 1 when there are none.
fn smallest(values: impl Iterator<Item = f64>) -> f64 {
    let least = values.filter(|v| v.is_finite() && *v > 0.0).fold(f64::INFINITY, f64::min);
    if least.is_finite() { least } else { 1.0 }
}

/// The largest power of two up to `x`; zero for zero, infinity for infinity.
pub(super) fn power_of_two(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & 0x7FF0_0000_0000_0000)
}

/// Steps of one kind of number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub absolute: f64,
    pub relative: f64,
}

impl Step {
    pub fn absolute(absolute: f64) -> Self {
        Self { absolute, relative: 0.0 }
    }

    /// `value`, or `before` if the difference is below the step.
    pub fn settle(self, value: f64, before: Option<f64>) -> f64 {
        let step = self.absolute.max(self.relative * power_of_two(value));
        if !value.is_finite() || step == 0.0 {
            return value;
        }
        match before {
            Some(before) if (value - before).abs() <= step => before,
            _ => {
                let rounded = (value / step).round() * step;
                if rounded.is_finite() { rounded } else { value }
            }
        }
    }

    /// Single precision bytes of values that have a step each, given those of the previous frame.
    pub fn each(values: impl Iterator<Item = (f64, Self)>, before: &[u8]) -> Vec<u8> {
        let mut before = before.as_chunks::<4>().0.iter().map(|b| f64::from(f32::from_le_bytes(*b)));
        values.flat_map(|(value, step)| (step.settle(value, before.next()) as f32).to_le_bytes()).collect()
    }

    /// Single precision bytes of `values`, given those of the previous frame.
    pub fn single(self, values: impl Iterator<Item = f64>, before: &[u8]) -> Vec<u8> {
        let mut before = before.as_chunks::<4>().0.iter().map(|b| f64::from(f32::from_le_bytes(*b)));
        values.flat_map(|value| (self.settle(value, before.next()) as f32).to_le_bytes()).collect()
    }

    /// Double precision bytes of `values`, given those of the previous frame.
    pub fn double(self, values: impl Iterator<Item = f64>, before: &[u8]) -> Vec<u8> {
        let mut before = before.as_chunks::<8>().0.iter().map(|b| f64::from_le_bytes(*b));
        values.flat_map(|value| self.settle(value, before.next()).to_le_bytes()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn settled_values_stay_within_the_step(values in prop::collection::vec(-1e3..1e3f64, 1..50), bits in 1..30i32) {
            let step = Step { absolute: f64::powi(2.0, -bits), relative: f64::powi(2.0, -20) };
            let mut before = None;
            for value in values {
                let settled = step.settle(value, before);
                prop_assert!((settled - value).abs() <= step.absolute.max(value.abs() * step.relative));
                before = Some(settled);
            }
        }
    }

    #[test]
    fn small_motions_keep_the_value_and_large_ones_do_not() {
        let step = Step::absolute(0.25);
        assert_eq!(step.settle(1.2, Some(1.0)), 1.0);
        assert_eq!(step.settle(1.3, Some(1.0)), 1.25);
        assert_eq!(step.settle(f64::INFINITY, Some(1.0)), f64::INFINITY);
        assert!(step.settle(f64::NAN, Some(1.0)).is_nan());
        assert_eq!(Step::absolute(0.0).settle(1.3, Some(1.0)), 1.3);
    }
}
