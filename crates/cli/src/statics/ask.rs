//! Loads, directions and strengths as a user types them.

use voussoir_statics::conic::Engine;
use voussoir_statics::equilibrium::Capacity;
use voussoir_statics::{AnyQuestion, Direction};

/// Which load is multiplied.
#[derive(Clone, Debug, Default, clap::Args)]
#[group(multiple = false)]
pub struct AskedLoad {
    /// A load of the scene, by name
    #[arg(long, value_name = "NAME")]
    pub load: Option<String>,
    /// Every block is pushed this way by the multiplier times its weight: the acceleration of the ground in g
    #[arg(long, value_name = "DIR", allow_hyphen_values = true)]
    pub acceleration: Option<Direction>,
    /// The ground is tilted this way; the multiplier is the tangent of the angle
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

/// Which solver of conic programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum AskedEngine {
    /// Our interior point
    #[default]
    Own,
    /// Clarabel
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
    /// Compressive strength [Pa] [default: without limit]
    #[arg(long, value_name = "PA", allow_hyphen_values = true)]
    pub compression: Option<f64>,
}

impl AskedStrength {
    /// For the analysis.
    pub fn capacity(&self) -> Capacity {
        Capacity { cohesion: self.cohesion, tension: self.tension, compression: self.compression }
    }
}
