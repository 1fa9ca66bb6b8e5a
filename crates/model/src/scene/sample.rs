//! Keys of a test on a sample of grains.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A test on a sample of grains (2D): its moduli or angle are computed by `voussoir sample`, with their scatter over
/// packings, and `voussoir calibrate` finds the springs for a modulus. The explicit stages of the scene are the test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Sample")]
pub struct SampleSpec {
    /// Test: "oedometer", "biaxial", "direct-shear" or "repose".
    pub test: SampleTest,
    /// Width of the sample [m].
    pub width: f64,
    /// Height of the sample as drawn [m].
    pub height: f64,
    /// Name of the lid; not for "repose".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lid: Option<String>,
    /// Names of the two side walls that the pressure acts on; for "biaxial".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sides: Option<[String; 2]>,
}

/// Tests on samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SampleTest {
    /// A lid is pressed into a box: moduli of the confined sample.
    Oedometer,
    /// A lid is pressed down between walls with a constant pressure: modulus, Poisson's ratio, angle of friction.
    Biaxial,
    /// The upper half of a box is pushed over the lower half: angle of friction.
    DirectShear,
    /// A wall of a box is removed: angle of the slope.
    Repose,
}
