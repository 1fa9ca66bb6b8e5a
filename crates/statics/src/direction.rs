//! Directions as users write them: an axis with a sign, or one number per axis.

use std::str::FromStr;

use voussoir_geometry::{Space, Vector};

use crate::error::StaticsError;

/// A direction in the axes of the scene.
#[derive(Clone, Debug, PartialEq)]
pub enum Direction {
    /// Index of the axis, and sign.
    Axis(usize, f64),
    /// One number per axis.
    Vector(Vec<f64>),
}

impl FromStr for Direction {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (sign, word) = match text.as_bytes() {
            [b'-', ..] => (-1.0, &text[1..]),
            [b'+', ..] => (1.0, &text[1..]),
            _ => (1.0, text),
        };
        if let Some(axis) = ["x", "y", "z"].iter().position(|axis| *axis == word) {
            return Ok(Self::Axis(axis, sign));
        }
        let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
        match numbers {
            Ok(numbers) if (2..=3).contains(&numbers.len()) && numbers.iter().all(|x| x.is_finite()) => {
                Ok(Self::Vector(numbers))
            }
            _ => Err("a direction is x, -x, y, … or one number per axis, such as 1,0,0.5".to_owned()),
        }
    }
}

impl Direction {
    /// The direction as a vector of a dimension; its number of components must be that of the scene.
    pub fn vector<S: Space>(&self) -> Result<S::Vector, StaticsError> {
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
            let what = format!("the direction {numbers:?}");
            let reason = format!("it has {} numbers, but the scene has the axes {axes}", numbers.len());
            return Err(StaticsError::Number { what, reason });
        }
        Ok(S::Vector::from_slice(&numbers))
    }
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
