//! Loads, directions and strengths as a user types them.

use std::str::FromStr;

use voussoir_geometry::{Space, Vector};
use voussoir_mechanics::model::Model;
use voussoir_statics::conic::Engine;
use voussoir_statics::equilibrium::Capacity;
use voussoir_statics::loads::Question;

use crate::failure::{Failure, Result};

/// A direction: an axis with or without a sign, or one number per axis.
#[derive(Clone, Debug, PartialEq)]
pub enum Direction {
    /// Number of the axis and sign.
    Axis(usize, f64),
    /// As given.
    Vector(Vec<f64>),
}

impl FromStr for Direction {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let (sign, word) = match text.as_bytes() {
            [b'-', ..] => (-1.0, &text[1..]),
            [b'+', ..] => (1.0, &text[1..]),
            _ => (1.0, text),
        };
        if let Some(axis) = ["x", "y", "z"].iter().position(|axis| *axis == word) {
            return Ok(Self::Axis(axis, sign));
        }
        let numbers: std::result::Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
        match numbers {
            Ok(numbers) if (2..=3).contains(&numbers.len()) && numbers.iter().all(|x| x.is_finite()) => {
                Ok(Self::Vector(numbers))
            }
            _ => Err("a direction is x, -x, y, … or one number per axis, such as 1,0,0.5".to_owned()),
        }
    }
}

impl Direction {
    /// As a vector of a dimension.
    pub fn vector<S: Space>(&self) -> Result<S::Vector> {
        let numbers = match self {
            Self::Axis(axis, sign) => {
                let mut numbers = vec![0.0; 3];
                numbers[*axis] = *sign;
                numbers.truncate(S::DIM.max(axis + 1));
                numbers
            }
            Self::Vector(numbers) => numbers.clone(),
        };
        if numbers.len() != S::DIM {
            let axes = if S::DIM == 2 { "x and y" } else { "x, y and z" };
            let message = format!("the direction {numbers:?} has {} numbers, the scene {axes}", numbers.len());
            return Err(Failure::bad_input(message));
        }
        Ok(S::Vector::from_slice(&numbers))
    }
}

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
    pub fn question<S: Space>(&self) -> Result<Option<Question<S>>> {
        Ok(match (&self.load, &self.acceleration, &self.tilt) {
            (Some(name), ..) => Some(Question::Named(name.clone())),
            (_, Some(direction), _) => Some(Question::Acceleration(direction.vector::<S>()?)),
            (_, _, Some(direction)) => Some(Question::Tilt(direction.vector::<S>()?)),
            _ => None,
        })
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

/// Index of a body by name.
pub fn body<S: Space>(model: &Model<S>, name: &str) -> Result<usize> {
    model.bodies.iter().position(|body| body.name == name).ok_or_else(|| {
        let words: Vec<&str> = model.bodies.iter().take(2000).map(|body| body.name.as_str()).collect();
        let help = voussoir_model::suggest::help("bodies", name, &words);
        Failure::bad_input(format!("there is no body \"{name}\"")).with_help(help)
    })
}

/// A support that is to settle, and which way: down where no direction is given.
pub fn settling<S: Space>(model: &Model<S>, name: &str, direction: Option<&Direction>) -> Result<(usize, S::Vector)> {
    let direction = direction.map_or(Ok(model.gravity), Direction::vector::<S>)?;
    Ok((body(model, name)?, direction))
}

#[cfg(test)]
mod tests {
    use super::*;
    use voussoir_geometry::glam::{DVec2, DVec3};
    use voussoir_geometry::{D2, D3};

    #[test]
    fn directions_are_axes_or_numbers() {
        let read = |text: &str| text.parse::<Direction>().unwrap();
        assert_eq!(read("-x").vector::<D2>().unwrap(), DVec2::NEG_X);
        assert_eq!(read("z").vector::<D3>().unwrap(), DVec3::Z);
        assert_eq!(read("-1, 0, 0.5").vector::<D3>().unwrap(), DVec3::new(-1.0, 0.0, 0.5));
        assert!(read("z").vector::<D2>().is_err());
        assert!(read("1,2").vector::<D3>().is_err());
        for wrong in ["", "u", "1", "1,2,3,4", "nan,1"] {
            assert!(wrong.parse::<Direction>().is_err(), "{wrong}");
        }
    }
}
