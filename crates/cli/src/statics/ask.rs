//! Arguments for loads, solvers and strengths.

use voussoir_statics::conic::Engine;
use voussoir_statics::equilibrium::Capacity;
use voussoir_statics::{AnyQuestion, Direction};

/// The load that is multiplied.
#[derive(Clone, Debug, Default, clap::Args)]
#[group(multiple = false)]
pub struct AskedLoad {
    /// Name of a load of the scene
    #[arg(long, value_name = "NAME")]
    pub load: Option<String>,
    /// Force on every block in this direction: multiplier × weight (ground acceleration in g)
    #[arg(long, value_name = "DIR", allow_hyphen_values = true)]
    pub acceleration: Option<Direction>,
    /// Tilt of the ground towards this direction; the multiplier is the tangent of the angle
    #[arg(long, value_name = "DIR", allow_hyphen_values = true)]
    pub tilt: Option<Direction>,
}

impl AskedLoad {
    /// The question, if there is one.
    pub fn question(&self) -> Option<AnyQuestion> {
        match (&self.load, &self.acceleration, &self.tilt) {
            (Some(name), ..) => Some(AnyQuestion::Named(name.clone())),
            (_, Some(direction), _) => Some(AnyQuestion::Acceleration(direction.clone())),
            (_, _, Some(direction)) => Some(AnyQuestion::Tilt(direction.clone())),
            _ => None,
        }
    }
}

/// Solver of the conic programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum AskedEngine {
    /// Interior-point solver of voussoir
    #[default]
    Own,
    /// Interior-point solver Clarabel
    Clarabel,
}

impl From<AskedEngine> for Engine {
    fn from(engine: AskedEngine) -> Self {
        match engine {
            AskedEngine::Own => Self::Own,
            AskedEngine::Clarabel => Self::Clarabel,
        }
    }
}

/// Strength of joints besides friction.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Strength of the joints")]
pub struct AskedStrength {
    /// Cohesion [Pa]
    #[arg(long, value_name = "PA", default_value_t = 0.0, allow_hyphen_values = true)]
    pub cohesion: f64,
    /// Tensile strength [Pa]
    #[arg(long, value_name = "PA", default_value_t = 0.0, allow_hyphen_values = true)]
    pub tension: f64,
    /// Compressive strength [Pa] [default: unlimited]
    #[arg(long, value_name = "PA", allow_hyphen_values = true)]
    pub compression: Option<f64>,
}

impl AskedStrength {
    /// The strengths for the analysis.
    pub fn capacity(&self) -> Capacity {
        Capacity { cohesion: self.cohesion, tension: self.tension, compression: self.compression }
    }
}
