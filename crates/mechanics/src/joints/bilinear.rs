//! Bilinear cohesive zone: strength and energy are independent parameters, in mode I, in mode II and in any mixture.
//!
//! R = −S β (kₙ δₙ, k_t δ_T), β = 1 − D the share of the stiffness that is left. Along a direction of the jump with
//! cosines (a, b) to normal and plane, of length m:
//! ```text
//! begins at  m₀ = 1/√((kₙa/fₙ)² + (k_t b/f_t)²)          (tₙ/fₙ)² + (t_t/f_t)² = 1
//! ends at    m₁ = 2/(m₀ (kₙa²/Gₙ + k_t b²/G_t))           Gᴵ/Gₙ + Gᴵᴵ/G_t = 1
//! β = m₀(m₁ − m)/(m(m₁ − m₀)) between them; β never grows
//! ```
//! so that the force falls on a straight line, and unloading follows the secant. Reference: Camanho & Dávila,
//! NASA/TM-2002-211737 (2002), with the linear energy criterion.

use super::law::{BondLaw, JointLaw, LawParameter, Replaces, ParameterUnit, positive};
use super::{Elastic, Joint};

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

/// Lengths of a jump in a direction at which the traction has its peak and vanishes.
#[derive(Clone, Copy, Debug)]
struct Branch {
    /// m: length of the jump, closing part omitted.
    length: f64,
    /// (a, b): its direction.
    direction: [f64; 2],
    /// m₀
    begin: f64,
    /// m₁
    end: f64,
}

impl Bilinear {
    fn branch(&self, jump: [f64; 2]) -> Option<Branch> {
        let jump = [jump[0].max(0.0), jump[1]];
        let m = jump[0].hypot(jump[1]);
        if m == 0.0 {
            return None;
        }
        let (a, b) = (jump[0] / m, jump[1] / m);
        let ([kn, kt], [fn_, ft], [gn, gt]) = (self.stiffness, self.strength, self.energy);
        let begin = 1.0 / (kn * a / fn_).hypot(kt * b / ft);
        let end = 2.0 / (begin * (kn * a * a / gn + kt * b * b / gt));
        Some(Branch { length: m, direction: [a, b], begin, end })
    }
}

impl JointLaw for Bilinear {
    fn key(&self) -> &'static str {
        "bilinear"
    }

    fn reference(&self) -> &'static str {
        "Camanho & Dávila, NASA/TM-2002-211737 (2002)"
    }

    fn parameters(&mut self) -> Vec<LawParameter<'_>> {
        [
            LawParameter::pair(["normal stiffness", "tangential stiffness"], ParameterUnit::Stiffness, &mut self.stiffness),
            LawParameter::pair(["tensile strength", "shear strength"], ParameterUnit::Stress, &mut self.strength),
            LawParameter::pair(["energy in mode I", "energy in mode II"], ParameterUnit::Energy, &mut self.energy),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    fn fault(&self, _joint: &Joint) -> Option<String> {
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

    /// β (kₙ, k_t).
    fn stiffness(&self, beta: f64, _springs: Option<Elastic>) -> Option<[f64; 2]> {
        Some(self.stiffness.map(|k| beta * k))
    }

    fn stiffness_slope(&self, _beta: f64) -> [f64; 2] {
        self.stiffness
    }

    /// ```
    /// # use voussoir_mechanics::joints::{Bilinear, JointLaw};
    /// let law = Bilinear { stiffness: [1e10, 1e10], strength: [1e6, 1e6], energy: [100.0, 100.0] };
    /// assert_eq!(law.worn(1.0, [1e-4, 0.0], 1e-3), 1.0);
    /// let half = 0.5 * (1e-4 + 2e-4); // half way down: 2G/f = 2e-4 m
    /// assert!((law.worn(1.0, [half, 0.0], 1e-3) * 1e10 * half - 0.5e6).abs() < 1.0);
    /// assert_eq!(law.worn(1.0, [3e-4, 0.0], 1e-3), 0.0);
    /// ```
    fn worn(&self, beta: f64, jump: [f64; 2], _h: f64) -> f64 {
        let Some(Branch { length: m, begin, end, .. }) = self.branch(jump) else { return beta };
        let new = if m <= begin {
            1.0
        } else if m >= end {
            0.0
        } else {
            begin * (end - m) / (m * (end - begin))
        };
        new.min(beta)
    }

    /// With p = (kₙa/fₙ)² + (k_t b/f_t)², q = kₙa²/Gₙ + k_t b²/G_t: m₀ = p^(−½), m₁ = 2√p/q, both functions of the
    /// direction (a, b) = δ/m, and β = m₀(m₁ − m)/(m(m₁ − m₀)).
    fn worn_slope(&self, beta: f64, jump: [f64; 2], h: f64) -> [f64; 2] {
        let Some(Branch { length: m, direction: [a, b], begin, end }) = self.branch(jump) else { return [0.0; 2] };
        let new = self.worn(beta, jump, h);
        if m <= begin || m >= end || new >= beta {
            return [0.0; 2];
        }
        let ([kn, kt], [fn_, ft], [gn, gt]) = (self.stiffness, self.strength, self.energy);
        let (pa, pb) = ((kn / fn_).powi(2), (kt / ft).powi(2));
        let (qa, qb) = (kn / gn, kt / gt);
        let (p, q) = (pa * a * a + pb * b * b, qa * a * a + qb * b * b);
        // ∂β/∂m, ∂β/∂m₀, ∂β/∂m₁
        let span = end - begin;
        let by_length = -begin * end / (m * m * span);
        let by_begin = (end - m) * end / (m * span * span);
        let by_end = begin * (m - begin) / (m * span * span);
        std::array::from_fn(|i| {
            // a closing jump counts as none
            if i == 0 && jump[0] <= 0.0 {
                return 0.0;
            }
            let d = [a, b];
            // derivatives of a and b by component i: (e_i − d_i d)/m
            let turn = |k: usize| (f64::from(u8::from(i == k)) - d[i] * d[k]) / m;
            let dp = 2.0 * (pa * a * turn(0) + pb * b * turn(1));
            let dq = 2.0 * (qa * a * turn(0) + qb * b * turn(1));
            let begin_slope = -0.5 * dp / (p * p.sqrt());
            let end_slope = dp / (p.sqrt() * q) - 2.0 * p.sqrt() * dq / (q * q);
            by_length * d[i] + by_begin * begin_slope + by_end * end_slope
        })
    }
}

impl BondLaw for Bilinear {
    fn sample() -> Self {
        Self { stiffness: [4e10, 2e10], strength: [4e5, 6e5], energy: [40.0, 90.0] }
    }

    fn replaces(&self) -> Replaces {
        Replaces::Nothing
    }
}
