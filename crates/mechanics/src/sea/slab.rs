//! A layer of water under the ice that is driven by floes and wind.
//!
//! The layer has one velocity U, which is added to the current. With the depth H, the area A, the density ρ_w, the friction
//! γ at its lower side and the Coriolis parameter f (complex notation, k × U = i U):
//! ```text
//! dU/dt = (−Σ F_w + τ_a A_open) / (ρ_w H A) − (γ/H + i f) U
//! ```
//! F_w: force of the water on a floe [N]; τ_a = ρ_a C_a |U_a| U_a: stress of the wind in the middle of the area; A_open: area
//! without floes. Over a force step h the right-hand side without U is its mean value q, and the equation is solved
//! exactly: U(h) = e^(−λh) U(0) + q (1 − e^(−λh))/λ, λ = γ/H + i f. Floes feel U(h/2) with the forces F_w of the previous
//! step. The impulse that floes get from the water is taken from the layer exactly, so that momentum is kept.
//!
//! Values of the public FloeDyn code: H = 15 m, γ = 1e-5 m/s.

use serde::{Deserialize, Serialize};
use voussoir_geometry::glam::DVec2;

/// Depth of the layer [m].
pub const SLAB_DEPTH: f64 = 15.0;
/// Friction at the lower side of the layer [m/s].
pub const SLAB_FRICTION: f64 = 1e-5;

/// A layer of water under the ice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slab {
    /// H [m].
    pub depth: f64,
    /// γ [m/s].
    pub friction: f64,
    /// A [m²].
    pub area: f64,
    /// Point at which the stress of the wind on open water is evaluated [m].
    pub centre: DVec2,
    /// ρ_w [kg/m³].
    pub density: f64,
    /// ρ_a C_a of open water [kg/m³].
    pub air: f64,
}

/// State of the layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SlabMemory {
    /// U [m/s].
    pub velocity: DVec2,
    /// −Σ F_w / (ρ_w H A) in the last force step [m/s²].
    pub drag: DVec2,
}

/// Product of complex numbers.
fn times(a: DVec2, b: DVec2) -> DVec2 {
    DVec2::new(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
}

/// e^(−λt) and (1 − e^(−λt))/λ.
fn decay(lambda: DVec2, t: f64) -> (DVec2, DVec2) {
    let z = -lambda * t;
    let power = DVec2::from_angle(z.y) * z.x.exp();
    if z.length() < 1e-3 {
        // 1 + z/2 + z²/6 + z³/24 + z⁴/120
        let mut series = DVec2::X;
        for k in (2..=5).rev() {
            series = DVec2::X + times(z, series) / f64::from(k);
        }
        return (power, series * t);
    }
    let inverse = DVec2::new(lambda.x, -lambda.y) / lambda.length_squared();
    (power, times(DVec2::X - power, inverse))
}

impl Slab {
    /// Mass of the layer [kg].
    pub fn mass(&self) -> f64 {
        self.density * self.depth * self.area
    }

    fn lambda(&self, coriolis: f64) -> DVec2 {
        DVec2::new(self.friction / self.depth, coriolis)
    }

    /// Velocity in the middle of a step of `h` [s]; `wind` is the force of the wind on open water [N].
    pub fn middle(&self, memory: &SlabMemory, wind: DVec2, coriolis: f64, h: f64) -> DVec2 {
        let (power, mean) = decay(self.lambda(coriolis), 0.5 * h);
        times(power, memory.velocity) + times(mean, memory.drag + wind / self.mass())
    }

    /// The state after a step of `h` [s] in which the water gave floes the impulse `given` [N·s].
    pub fn advance(&self, memory: &SlabMemory, given: DVec2, wind: DVec2, coriolis: f64, h: f64) -> SlabMemory {
        let (power, mean) = decay(self.lambda(coriolis), h);
        let drag = -given / (h * self.mass());
        let velocity = times(power, memory.velocity) + times(mean, drag + wind / self.mass());
        SlabMemory { velocity, drag }
    }

    /// The first invalid number, with its name.
    pub(super) fn fault(&self) -> Option<String> {
        let positive = [self.depth, self.area, self.density].iter().all(|x| *x > 0.0 && x.is_finite());
        let others = [self.friction, self.air].iter().all(|x| *x >= 0.0 && x.is_finite());
        (!(positive && others && self.centre.is_finite()))
            .then(|| "the slab needs a positive depth, area and density, and a friction of zero or more".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Under a steady wind the velocity is U_s (1 − e^(−λt)), whatever the step.
    #[test]
    fn steady_wind_is_exact() {
        let slab = Slab { depth: 15.0, friction: 1e-5, area: 1e8, centre: DVec2::ZERO, density: 1024.0, air: 2.28e-3 };
        let (wind, f) = (DVec2::new(0.2 * slab.area, 0.0), 1.4e-4);
        let lambda = DVec2::new(1e-5 / 15.0, f);
        let inverse = DVec2::new(lambda.x, -lambda.y) / lambda.length_squared();
        let steady = times(wind / slab.mass(), inverse);
        for steps in [1, 10, 1000] {
            let (mut memory, h) = (SlabMemory::default(), 50_000.0 / f64::from(steps));
            for _ in 0..steps {
                memory = slab.advance(&memory, DVec2::ZERO, wind, f, h);
            }
            let power = DVec2::from_angle(-f * 50_000.0) * (-lambda.x * 50_000.0).exp();
            let expected = times(steady, DVec2::X - power);
            assert!((memory.velocity - expected).length() < 1e-12 * expected.length(), "{steps}: {:?}", memory);
        }
    }

    /// The series for small |λt| continues the closed form.
    #[test]
    fn small_steps_are_continuous() {
        let lambda = DVec2::new(1e-6, 1.4e-4);
        let small = decay(lambda, 0.999e-3 / lambda.length()).1;
        let large = decay(lambda, 1.001e-3 / lambda.length()).1;
        let between = decay(lambda, 1e-3 / lambda.length()).1;
        assert!((small.midpoint(large) - between).length() < 1e-9 * between.length());
        assert_eq!(decay(DVec2::ZERO, 60.0).1, DVec2::new(60.0, 0.0));
    }
}
