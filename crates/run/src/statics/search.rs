//! The limiting value of a parameter for which a structure stands, by bisection on certificates.

use std::path::Path;

use voussoir_mechanics::AnyModel;
use voussoir_statics::find::{Find, Found, find};
use voussoir_statics::{AnyQuestion, AnyStructure, Direction};

use super::vary::{BESIDE, with_value};
use crate::error::{Result, RunError};
use crate::scene_file::SceneFile;

/// A parameter and the interval in which its limiting value is searched.
#[derive(Clone, Debug)]
pub struct Search {
    /// Key of the scene, or one of [`BESIDE`].
    pub key: String,
    /// Which limiting value: smallest or largest.
    pub find: Find,
    /// The interval.
    pub between: [f64; 2],
    /// Precision relative to the larger end of the interval.
    pub precision: f64,
    /// Direction of a tilt or an acceleration; default x.
    pub direction: Option<Direction>,
}

/// A scene whose parameter takes different values.
#[derive(Clone, Debug)]
pub struct Varied<'a> {
    file: &'a SceneFile,
    base: &'a Path,
    model: AnyModel,
    key: &'a str,
    /// Direction of the tilt or the acceleration, for parameters that are not keys of the scene.
    beside: Option<AnyQuestion>,
}

impl<'a> Varied<'a> {
    /// A scene whose meshes are in `base`.
    pub fn new(file: &'a SceneFile, base: &'a Path, search: &'a Search) -> Self {
        let direction = search.direction.clone().unwrap_or(Direction::Axis(0, 1.0));
        let beside = match BESIDE.iter().position(|name| *name == search.key) {
            Some(0) => Some(AnyQuestion::Tilt(direction)),
            Some(_) => Some(AnyQuestion::Acceleration(direction)),
            None => None,
        };
        Self { file, base, model: file.built.finished(), key: &search.key, beside }
    }

    /// The model for a value, and the text of its scene.
    pub fn model(&self, value: f64) -> Result<(AnyModel, String)> {
        if let Some(question) = &self.beside {
            let factor = if self.key == BESIDE[0] { value.to_radians().tan() } else { value };
            return Ok((question.applied(&self.model, factor)?, self.file.scene.source.text.to_string()));
        }
        let text = with_value(&self.file.scene.source.text, self.key, value)?;
        let name = format!("{} with {} = {value}", self.file.scene.source.file, self.key);
        let model = SceneFile::read(&text, &name, self.base)?.built.finished();
        if model.dimension() != self.model.dimension() {
            return Err(RunError::input(format!("{}: the dimension cannot be varied", self.key)));
        }
        Ok((model, text))
    }
}

impl Search {
    /// Checks interval and precision.
    pub fn check(&self) -> Result<()> {
        let [low, high] = self.between;
        if !(low < high && low.is_finite() && high.is_finite()) {
            return Err(RunError::input(format!("--between {low} {high}: the first number must be the smaller one")));
        }
        if !(self.precision > 0.0 && self.precision < 1.0) {
            return Err(RunError::input(format!(
                "--precision {}: must be between 0 and 1, such as 1e-5",
                self.precision
            )));
        }
        Ok(())
    }

    /// Bisects; `stands` returns true, false or undecided (`None`) for a value.
    pub fn bisect(&self, stands: impl FnMut(f64) -> Result<Option<bool>>) -> Result<Found> {
        self.check()?;
        find(self.find, self.between, self.precision, stands)
    }

    /// The structure at the limiting value, with the text of its scene; `stands` judges a structure and leaves its
    /// forces in it.
    pub fn run(
        &self,
        varied: &Varied<'_>,
        mut stands: impl FnMut(&mut AnyStructure) -> Result<Option<bool>>,
    ) -> Result<(Found, AnyStructure, String)> {
        let mut last: Option<AnyStructure> = None;
        let found = self.bisect(|value| {
            let mut structure = AnyStructure::new(&varied.model(value)?.0)?;
            // forces of the previous structure are the first guess
            if let Some(last) = &last {
                structure.take_forces(last);
            }
            let verdict = stands(&mut structure)?;
            if verdict == Some(true) {
                last = Some(structure);
            }
            Ok(verdict)
        })?;
        // if no value stands, the nearest end of the interval
        let nearest = if self.find == Find::Smallest { found.upper } else { found.lower };
        let (model, text) = varied.model(found.value.unwrap_or(nearest))?;
        let mut structure = AnyStructure::new(&model)?;
        if let Some(last) = &last {
            structure.take_forces(last);
        }
        Ok((found, structure, text))
    }
}
