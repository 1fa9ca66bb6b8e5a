//! The material library: stones and mortars with the scatter of their tests, dry and saturated, each with its source.
//!
//! A scene adopts values by `like = "NAME"` and may override each of them. Values that a source lacks are absent: the
//! density of a material is always the scene's.

/// A measured value: mean and scatter (±), in SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Mean.
    pub mean: f64,
    /// Half width of the scatter; zero if the source has none.
    pub scatter: f64,
}

/// One material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LibraryMaterial {
    /// Name, as written in scenes.
    pub name: &'static str,
    /// Description.
    pub words: &'static str,
    /// Compressive strength [Pa].
    pub compressive_strength: Option<Measured>,
    /// Tensile strength [Pa].
    pub tensile_strength: Option<Measured>,
    /// Young's modulus [Pa].
    pub young_modulus: Option<Measured>,
    /// Poisson's ratio.
    pub poisson_ratio: Option<f64>,
    /// Source of the values.
    pub source: &'static str,
}

const BECK: &str = "Beck (2006), in Perales' thesis, figures 1.16 and 1.19";
const BIENIAWSKI: &str = "Bieniawski (1974), in Perales' thesis, tables 1.1 to 1.3";
const AFNOR: &str = "standard A179, least strength after 28 days, in Perales' thesis, figure 1.28";

const MPA: f64 = 1e6;
/// One pound per square inch [Pa].
const PSI: f64 = 6894.757;

/// Means and scatters in MPa: compression, modulus, tension.
const fn soft(name: &'static str, words: &'static str, [c, e, t]: [[f64; 2]; 3]) -> LibraryMaterial {
    LibraryMaterial {
        name,
        words,
        compressive_strength: Some(Measured { mean: c[0] * MPA, scatter: c[1] * MPA }),
        tensile_strength: Some(Measured { mean: t[0] * MPA, scatter: t[1] * MPA }),
        young_modulus: Some(Measured { mean: e[0] * MPA, scatter: e[1] * MPA }),
        poisson_ratio: None,
        source: BECK,
    }
}

/// Strengths in MPa, modulus in GPa, ratio.
const fn rock(name: &'static str, words: &'static str, [c, t, e]: [f64; 3], ratio: Option<f64>) -> LibraryMaterial {
    LibraryMaterial {
        name,
        words,
        compressive_strength: Some(Measured { mean: c * MPA, scatter: 0.0 }),
        tensile_strength: Some(Measured { mean: t * MPA, scatter: 0.0 }),
        young_modulus: Some(Measured { mean: e * 1e3 * MPA, scatter: 0.0 }),
        poisson_ratio: ratio,
        source: BIENIAWSKI,
    }
}

const fn mortar(name: &'static str, words: &'static str, psi: f64) -> LibraryMaterial {
    LibraryMaterial {
        name,
        words,
        compressive_strength: Some(Measured { mean: psi * PSI, scatter: 0.0 }),
        tensile_strength: None,
        young_modulus: None,
        poisson_ratio: None,
        source: AFNOR,
    }
}

/// All materials, in the order in which they are listed. Strengths across the bed, unless the name says `-along`.
// 6.28 MPa is a strength, not 2π
#[allow(clippy::approx_constant)]
pub const ENTRIES: &[LibraryMaterial] = &[
    soft("tuffeau-dry", "white tuffeau, dry", [[11.67, 0.33], [2037.0, 234.0], [1.30, 0.11]]),
    soft("tuffeau-saturated", "white tuffeau, saturated", [[4.83, 0.33], [988.0, 115.0], [0.38, 0.08]]),
    soft("tuffeau-dry-along", "white tuffeau, dry, along the bed", [[9.13, 0.35], [1481.0, 196.0], [1.48, 0.09]]),
    soft(
        "tuffeau-saturated-along",
        "white tuffeau, saturated, along the bed",
        [[3.86, 0.15], [687.0, 106.0], [0.51, 0.06]],
    ),
    soft("sebastopol-dry", "Sébastopol stone, dry", [[9.88, 0.50], [1968.0, 291.0], [0.92, 0.14]]),
    soft("sebastopol-saturated", "Sébastopol stone, saturated", [[6.28, 0.30], [1500.0, 210.0], [0.52, 0.08]]),
    soft("sebastopol-dry-along", "Sébastopol stone, dry, along the bed", [[8.43, 0.42], [1806.0, 243.0], [0.98, 0.08]]),
    soft(
        "sebastopol-saturated-along",
        "Sébastopol stone, saturated, along the bed",
        [[5.41, 0.28], [1342.0, 146.0], [0.66, 0.04]],
    ),
    rock("norite", "norite, intact", [300.0, 20.0, 100.0], Some(0.24)),
    rock("granite", "granite, intact", [166.0, 12.0, 45.0], Some(0.23)),
    rock("quartzite", "quartzite, intact", [250.0, 25.0, 90.0], Some(0.16)),
    rock("sandstone", "sandstone, intact", [100.0, 6.0, 22.0], Some(0.24)),
    rock("dolerite", "dolerite, intact", [280.0, 20.0, 70.0], Some(0.20)),
    rock("limestone", "limestone, intact", [102.0, 14.0, 48.0], Some(0.25)),
    rock("norite-fractured", "norite, moderately fractured", [19.0, 0.480, 50.0], None),
    rock("granite-fractured", "granite, moderately fractured", [10.5, 0.265, 22.5], None),
    rock("quartzite-fractured", "quartzite, moderately fractured", [15.8, 0.665, 45.0], None),
    rock("sandstone-fractured", "sandstone, moderately fractured", [6.3, 0.266, 11.0], None),
    rock("dolerite-fractured", "dolerite, moderately fractured", [17.7, 0.657, 35.0], None),
    rock("limestone-fractured", "limestone, moderately fractured", [6.5, 0.578, 24.0], None),
    rock("norite-broken", "norite, heavily fractured", [0.950, 0.023, 20.0], None),
    rock("granite-broken", "granite, heavily fractured", [0.525, 0.0127, 9.0], None),
    rock("quartzite-broken", "quartzite, heavily fractured", [0.790, 0.031, 18.0], None),
    rock("sandstone-broken", "sandstone, heavily fractured", [0.315, 0.0125, 4.0], None),
    rock("dolerite-broken", "dolerite, heavily fractured", [0.885, 0.031, 14.0], None),
    rock("limestone-broken", "limestone, heavily fractured", [0.320, 0.025, 10.0], None),
    mortar("mortar-m", "mortar of type M, mostly Portland cement", 2500.0),
    mortar("mortar-s", "mortar of type S", 1800.0),
    mortar("mortar-n", "mortar of type N", 750.0),
    mortar("mortar-o", "mortar of type O", 350.0),
    mortar("mortar-k", "mortar of type K, mostly lime", 75.0),
];

/// A material by name.
pub fn find(name: &str) -> Option<&'static LibraryMaterial> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

/// Barton's criterion of rock joints (Barton and Choubey 1977): τ = σₙ tan(JRC log₁₀(JCS/σₙ) + φ_r).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Barton {
    /// Joint roughness coefficient, 0 smooth … 20 rough.
    pub jrc: f64,
    /// Strength of the joint's wall [Pa].
    pub jcs: f64,
    /// Residual angle of friction [rad].
    pub residual: f64,
    /// Normal stress on the joint [Pa].
    pub normal_stress: f64,
}

/// Largest angle of friction of a joint (Barton): at lower stress the criterion is not valid [rad].
const STEEPEST_FRICTION: f64 = 70.0 * std::f64::consts::PI / 180.0;

impl Barton {
    /// Angle of friction τ/σₙ at the normal stress, at most 70° [rad].
    pub fn angle(&self) -> f64 {
        let rough = self.jrc * (self.jcs / self.normal_stress).log10().max(0.0);
        (rough.to_radians() + self.residual).min(STEEPEST_FRICTION)
    }

    /// Coefficient of friction.
    ///
    /// ```
    /// # use voussoir_model::library::Barton;
    /// // at σₙ = JCS only the residual friction is left
    /// let joint = Barton { jrc: 9.0, jcs: 50e6, residual: 30f64.to_radians(), normal_stress: 50e6 };
    /// assert!((joint.coefficient() - 30f64.to_radians().tan()).abs() < 1e-15);
    /// // a hundredth of it: 9 · log₁₀ 100 = 18 degrees more
    /// let joint = Barton { normal_stress: 0.5e6, ..joint };
    /// assert!((joint.coefficient() - 48f64.to_radians().tan()).abs() < 1e-12);
    /// ```
    pub fn coefficient(&self) -> f64 {
        self.angle().tan()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        for (i, entry) in ENTRIES.iter().enumerate() {
            assert!(ENTRIES[..i].iter().all(|other| other.name != entry.name), "{}", entry.name);
            assert_eq!(find(entry.name), Some(entry));
        }
    }

    /// Statements of the thesis about its figures: loss of strength by water and differences between directions.
    #[test]
    fn the_figures_agree_with_their_text() {
        let strength = |name: &str| find(name).unwrap().compressive_strength.unwrap().mean;
        let tension = |name: &str| find(name).unwrap().tensile_strength.unwrap().mean;
        let loss = |wet: f64, dry: f64| (100.0 * (1.0 - wet / dry)).round();
        assert_eq!(loss(strength("tuffeau-saturated"), strength("tuffeau-dry")), 59.0); // printed: 58 %
        assert_eq!(loss(strength("sebastopol-saturated"), strength("sebastopol-dry")), 36.0);
        assert_eq!(loss(strength("tuffeau-dry-along"), strength("tuffeau-dry")), 22.0); // printed: 21 %
        assert_eq!(loss(strength("sebastopol-dry-along"), strength("sebastopol-dry")), 15.0);
        // mean of both directions, printed: 68 % and 38 %
        let both = |stone: &str| {
            let of =
                |end: &str| loss(tension(&format!("{stone}-saturated{end}")), tension(&format!("{stone}-dry{end}")));
            0.5 * (of("") + of("-along"))
        };
        assert_eq!((both("tuffeau"), both("sebastopol")), (68.5, 38.0));
    }

    /// A tilt test turns Barton's formula round: JRC = (α − φ_r)/log₁₀(JCS/σₙ₀), equation 1.7.1 of the thesis.
    #[test]
    fn barton_inverts_the_tilt_test() {
        for (jrc, phi) in [(2.0, 25.0), (8.0, 30.0), (12.0, 20.0)] {
            let joint = Barton { jrc, jcs: 20e6, residual: f64::to_radians(phi), normal_stress: 4e3 };
            let tilt = joint.angle().to_degrees();
            if tilt < 70.0 {
                assert!(((tilt - phi) / (joint.jcs / joint.normal_stress).log10() - jrc).abs() < 1e-9);
            } else {
                assert!((tilt - 70.0).abs() < 1e-9);
            }
        }
    }
}
