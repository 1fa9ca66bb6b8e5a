//! Vibration modes of a scene or of a results folder: answers, files, calibration on measured frequencies.
//!
//! | module | content |
//! |---|---|
//! | [`measured`] | measured frequencies, factors of springs, lines of the scene |
//! | [`files`] | shapes as drawings and as a recording |

pub mod files;
pub mod measured;

use std::path::Path;

use voussoir_model::{Built, StageAnalysis};
use voussoir_statics::modes::{ModeOptions, Modes, Vibrating};

use crate::error::Result;
use crate::last_state::last_state;
use crate::scene_file::SceneFile;

/// Request of `modes`.
#[derive(Clone, Copy, Debug)]
pub struct ModesRequest {
    /// Number of modes.
    pub count: usize,
    /// Distance of the points of a joint from its corners [m]; `None`: that of the explicit stages of the scene, or
    /// zero.
    pub rounding: Option<f64>,
    /// Points of a joint; `None`: those of the explicit stages of the scene, or 2.
    pub points: Option<u8>,
}

/// A structure whose modes are computed.
#[derive(Debug)]
pub struct ModesSubject {
    /// Its scene.
    pub file: SceneFile,
    /// Time of the state [s]; `None`: as drawn.
    pub time: Option<f64>,
    /// Model and poses of the bodies.
    pub structure: Vibrating,
}

impl ModesSubject {
    /// A scene as drawn, or the last checkpoint of a results folder.
    pub fn load(path: &Path) -> Result<Self> {
        if !path.is_dir() {
            let file = SceneFile::load(path)?;
            let structure = Vibrating::drawn(&file.built.finished());
            return Ok(Self { file, time: None, structure });
        }
        let (file, state) = last_state(path)?;
        let structure = Vibrating::in_state(&file.built.model, &state)?;
        Ok(Self { file, time: Some(state.time()), structure })
    }

    /// Settings for the springs of contacts.
    pub fn options(&self, request: &ModesRequest) -> ModeOptions {
        let [rounding, points] = of_stages(&self.file.built);
        ModeOptions {
            count: request.count,
            rounding: request.rounding.unwrap_or(rounding).max(0.0),
            three_points: request.points.map_or(points == 3.0, |points| points == 3),
        }
    }

    /// Computes the modes.
    pub fn modes(&self, request: &ModesRequest) -> Result<Modes> {
        Ok(self.structure.modes(&self.options(request))?)
    }
}

/// Rounding [m] and points of the first explicit stage that gives them.
fn of_stages(built: &Built) -> [f64; 2] {
    let explicit = built.stages.iter().find_map(|stage| match &stage.analysis {
        StageAnalysis::Explicit(settings) => Some([settings.rounding.unwrap_or(0.0), f64::from(settings.points)]),
        _ => None,
    });
    explicit.unwrap_or([0.0, 2.0])
}
