//! Bilinear cohesive zone: strength and energy are chosen apart, in mode I, in mode II and in any mixture.
//!
//! R = −S β (kₙ δₙ, k_t δ_T), β = 1 − D the share of the stiffness that is left. Along a direction of the jump with
//! cosines (a, b) to normal and plane, of length m:
//! ```text
//! begins at  m₀ = 1/√((kₙa/fₙ)² + (k_t b/f_t)²)          (tₙ/fₙ)² + (t_t/f_t)² = 1
//! ends at    m₁ = 2/(m₀ (kₙa²/Gₙ + k_t b²/G_t))           Gᴵ/Gₙ + Gᴵᴵ/G_t = 1
//! β = m₀(m₁ − m)/(m(m₁ − m₀)) between them; β never grows
//! ```
//! so that the force falls on a straight line, and unloading follows the secant. Camanho & Dávila (2002) with the linear
//! energy criterion.

use super::positive;

/// Parameters per area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bilinear {
    /// Stiffness kₙ, k_t [Pa/m].
    pub stiffness: [f64; 2],
    /// Strength in tension and in shear [Pa].
    pub strength: [f64; 2],
    /// Energy in mode I and in mode II [J/m²].
    pub energy: [f64; 2],
}

impl Bilinear {
    /// β (kₙ, k_t) [Pa/m].
    pub fn stiffness(&self, beta: f64) -> [f64; 2] {
        self.stiffness.map(|k| beta * k)
    }

    /// β after a step that ends with the jump (normal, tangential) [m].
    ///
    /// ```
    /// # use voussoir_mechanics::joints::Bilinear;
    /// let law = Bilinear { stiffness: [1e10, 1e10], strength: [1e6, 1e6], energy: [100.0, 100.0] };
    /// assert_eq!(law.worn(1.0, [1e-4, 0.0]), 1.0);
    /// let half = 0.5 * (1e-4 + 2e-4); // half way down: 2G/f = 2e-4 m
    /// assert!((law.worn(1.0, [half, 0.0]) * 1e10 * half - 0.5e6).abs() < 1.0);
    /// assert_eq!(law.worn(1.0, [3e-4, 0.0]), 0.0);
    /// ```
    pub fn worn(&self, beta: f64, jump: [f64; 2]) -> f64 {
        let jump = [jump[0].max(0.0), jump[1]];
        let m = jump[0].hypot(jump[1]);
        if m == 0.0 {
            return beta;
        }
        let (a, b) = (jump[0] / m, jump[1] / m);
        let ([kn, kt], [fn_, ft], [gn, gt]) = (self.stiffness, self.strength, self.energy);
        let begin = 1.0 / (kn * a / fn_).hypot(kt * b / ft);
        let end = 2.0 / (begin * (kn * a * a / gn + kt * b * b / gt));
        let new = if m <= begin {
            1.0
        } else if m >= end {
            0.0
        } else {
            begin * (end - m) / (m * (end - begin))
        };
        new.min(beta)
    }

    /// What is wrong with the numbers, if anything.
    pub(super) fn fault(&self) -> Option<String> {
        let mode = |i: usize| ["tension", "shear"][i];
        (0..2).find_map(|i| {
            let least = 0.5 * self.strength[i].powi(2) / self.stiffness[i];
            positive(&format!("stiffness of the bond in {}", mode(i)), self.stiffness[i])
                .or_else(|| positive(&format!("strength of the bond in {}", mode(i)), self.strength[i]))
                .or_else(|| {
                    (!(self.energy[i] > least && self.energy[i].is_finite())).then(|| {
                        format!(
                            "the energy of the bond in {} is {} J/m²; it must be above f²/(2k) = {least:.4e} J/m², which \
                             is stored at the peak: raise the energy or the stiffness",
                            mode(i),
                            self.energy[i]
                        )
                    })
                })
        })
    }
}
