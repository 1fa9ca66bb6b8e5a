//! Range checks of the numbers of a scene, with the position of each number in the file.

use voussoir_geometry::{Space, Vector};

use crate::error::{SceneError, Source};
use crate::place::Place;
use crate::scene::NumberOrVector;

/// Smallest size of a block [m].
pub const SMALLEST_LENGTH: f64 = 1e-6;
/// Largest size of a block, and largest distance from the origin of the model [m].
pub const LARGEST_LENGTH: f64 = 1e6;
/// Largest number of bodies of a scene.
pub const MOST_BODIES: u64 = 5_000_000;

/// Largest number of bodies of a scene without `max_bodies`: more take minutes to check.
pub const MOST_BODIES_UNASKED: u64 = 120_000;

/// Checks values of one scene.
#[derive(Clone, Copy)]
pub struct SceneCheck<'a> {
    /// The text that errors refer to.
    pub source: &'a Source,
    /// Origin of the model in the coordinates of the scene [m]; see [`super::survey`].
    pub origin: [f64; 3],
}

impl SceneCheck<'_> {
    /// An error at the value of a place.
    pub fn error(&self, place: &Place<'_>, message: impl Into<String>) -> SceneError {
        place.error(self.source, message)
    }

    /// A number.
    pub fn finite(&self, place: &Place<'_>, what: &str, value: f64) -> Result<f64, SceneError> {
        if value.is_finite() {
            return Ok(value);
        }
        let found = if value.is_nan() { "nan, not a number" } else { "infinite" };
        Err(self.error(place, format!("{what} is {found}")))
    }

    /// A number above zero.
    pub fn positive(&self, place: &Place<'_>, what: &str, value: f64) -> Result<f64, SceneError> {
        self.finite(place, what, value)?;
        if value > 0.0 {
            return Ok(value);
        }
        Err(self.error(place, format!("{what} is {value}; it must be above zero")))
    }

    /// A number, zero or more.
    pub fn not_negative(&self, place: &Place<'_>, what: &str, value: f64) -> Result<f64, SceneError> {
        self.finite(place, what, value)?;
        if value >= 0.0 {
            return Ok(value);
        }
        Err(self.error(place, format!("{what} is {value}; it must not be negative")))
    }

    /// A number between two others, ends included.
    pub fn between(&self, place: &Place<'_>, what: &str, value: f64, min: f64, max: f64) -> Result<f64, SceneError> {
        self.finite(place, what, value)?;
        if (min..=max).contains(&value) {
            return Ok(value);
        }
        Err(self.error(place, format!("{what} is {value}; it must be between {min} and {max}")))
    }

    /// A length of a block [m].
    pub fn length(&self, place: &Place<'_>, what: &str, value: f64) -> Result<f64, SceneError> {
        self.positive(place, what, value)?;
        if value > SMALLEST_LENGTH && value < LARGEST_LENGTH {
            return Ok(value);
        }
        Err(self
            .error(place, format!("{what} is {value:e} m, outside the permitted range"))
            .with_help(format!("lengths are in metres, {SMALLEST_LENGTH:e} to {LARGEST_LENGTH:e}")))
    }

    /// A count.
    pub fn count(&self, place: &Place<'_>, what: &str, value: u64, min: u64, max: u64) -> Result<usize, SceneError> {
        if value < min || value > max {
            return Err(self.error(place, format!("{what} is {value}; it must be between {min} and {max}")));
        }
        usize::try_from(value).map_err(|_| self.error(place, format!("{what} is {value}, too large for this computer")))
    }

    /// One finite number per axis.
    pub fn vector<S: Space>(&self, place: &Place<'_>, what: &str, values: &[f64]) -> Result<S::Vector, SceneError> {
        if values.len() != S::DIM {
            let message = format!("{what} has {} numbers; a {}D scene needs {}", values.len(), S::DIM, S::DIM);
            return Err(self.error(place, message));
        }
        for (i, &value) in values.iter().enumerate() {
            let place = place.index(i);
            self.finite(&place, what, value)?;
        }
        Ok(S::Vector::from_slice(values))
    }

    /// A point of the scene, measured from the origin of the model [m].
    pub fn point<S: Space>(&self, place: &Place<'_>, what: &str, values: &[f64]) -> Result<S::Vector, SceneError> {
        let point = self.vector::<S>(place, what, values)?;
        self.near::<S>(place, what, values, &self.origin)?;
        Ok(point - S::Vector::from_slice(&self.origin))
    }

    /// A point in the axes of a body, or a distance along the axes [m].
    pub fn offset<S: Space>(&self, place: &Place<'_>, what: &str, values: &[f64]) -> Result<S::Vector, SceneError> {
        let point = self.vector::<S>(place, what, values)?;
        self.near::<S>(place, what, values, &[0.0; 3])?;
        Ok(point)
    }

    /// Checks that a point is not farther from another one than the largest permitted distance.
    fn near<S: Space>(&self, place: &Place<'_>, what: &str, values: &[f64], from: &[f64]) -> Result<(), SceneError> {
        for (i, (&value, from)) in values.iter().zip(from).enumerate().take(S::DIM) {
            if (value - from).abs() >= LARGEST_LENGTH {
                let message = format!("{what} is {value:e} m, outside the permitted range");
                return Err(self.error(&place.index(i), message).with_help(format!(
                    "coordinates are in metres, at most {LARGEST_LENGTH:e}, unless all bodies are in one place far from zero"
                )));
            }
        }
        Ok(())
    }

    /// A vector that is not zero, of length 1.
    pub fn direction<S: Space>(&self, place: &Place<'_>, what: &str, values: &[f64]) -> Result<S::Vector, SceneError> {
        let vector = self.vector::<S>(place, what, values)?;
        let length = vector.length();
        if length.is_finite() && length > 0.0 && (1.0 / length).is_finite() {
            return Ok(vector / length);
        }
        Err(self.error(place, format!("{what} has length {length}; it must not be zero")))
    }

    /// Lengths along the axes: one number for all, or one for each.
    pub fn lengths<S: Space>(
        &self,
        place: &Place<'_>,
        what: &str,
        size: &NumberOrVector,
    ) -> Result<S::Vector, SceneError> {
        match size {
            NumberOrVector::Number(value) => Ok(S::Vector::splat(self.length(place, what, *value)?)),
            NumberOrVector::Vector(values) => {
                let vector = self.vector::<S>(place, what, values)?;
                for (i, &value) in values.iter().enumerate() {
                    self.length(&place.index(i), what, value)?;
                }
                Ok(vector)
            }
        }
    }
}
