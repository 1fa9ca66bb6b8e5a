//! An open results folder, which may grow, be damaged or be overwritten while it is shown.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{OnceLock, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use voussoir_mechanics::snapshot::Snapshot;
use voussoir_results::measures::Joints;
use voussoir_results::picture::endless;
use voussoir_results::{FRAMES_FILE, Results, ResultsError, SceneFacts};

use crate::bodies::corners_of;

/// Reads the scene of a results folder on request.
pub type SceneReader = Box<dyn Fn(&Path) -> Option<Box<dyn SceneFacts>> + Send + Sync>;

/// A run to show.
pub struct RunSource {
    /// Results folder.
    pub dir: PathBuf,
    /// Source of loads and stages.
    pub scene: SceneReader,
}

impl fmt::Debug for RunSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunSource").field("dir", &self.dir).finish_non_exhaustive()
    }
}

/// A run that is shown.
pub(crate) struct ViewedRun {
    source: RunSource,
    scene: OnceLock<Option<Box<dyn SceneFacts>>>,
    opened: RwLock<Option<Opened>>,
}

impl fmt::Debug for ViewedRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.source.fmt(f)
    }
}

/// Results as last read.
pub struct Opened {
    /// The results.
    pub results: Results,
    /// The first frame, the reference of displacements; empty if it does not exist yet.
    pub first: Snapshot,
    /// Half-spaces and half-planes.
    pub endless: Vec<bool>,
    /// Origin of the coordinates, chosen so that single precision is sufficient [m].
    pub origin: [f64; 3],
    /// Joints as built, read on the first request.
    joints: OnceLock<Joints>,
    /// Corners of bodies, once a frame has deformed ones.
    corners: OnceLock<HashMap<usize, Vec<u32>>>,
    stamp: Stamp,
}

impl ViewedRun {
    /// A run that is not open yet.
    pub fn new(source: RunSource) -> Self {
        Self { source, scene: OnceLock::new(), opened: RwLock::new(None) }
    }

    /// The results folder.
    pub fn dir(&self) -> &Path {
        &self.source.dir
    }

    /// Facts of the scene.
    pub fn scene(&self) -> &dyn SceneFacts {
        self.scene.get_or_init(|| (self.source.scene)(&self.source.dir)).as_deref().unwrap_or(&())
    }

    /// Reads new frames and returns the status of the run, with the times of all frames from `from` on.
    pub fn status(&self, from: usize) -> Value {
        let problem = self.look().err().map(|error| error.to_string());
        let finished = voussoir_results::Summary::read(&self.source.dir).is_ok_and(|summary| summary.finished);
        let name = self.source.dir.display().to_string();
        let opened = self.read();
        let Some(opened) = opened.as_ref() else {
            return json!({ "name": name, "problem": problem, "frames": 0, "times": [], "finished": finished,
                "generation": 0 });
        };
        let times = opened.results.times();
        json!({
            "name": name,
            "problem": problem,
            "frames": times.len(),
            "times": times.get(from..).unwrap_or_default(),
            "finished": finished,
            "generation": opened.generation(),
            "bodies": opened.results.cast().bodies.len(),
        })
    }

    /// Calls `act` with the results; opens them if necessary.
    pub fn with<R>(&self, act: impl FnOnce(&Opened) -> Result<R, ResultsError>) -> Result<R, ResultsError> {
        if self.read().is_none() {
            self.look()?;
        }
        match self.read().as_ref() {
            Some(opened) => act(opened),
            None => Err(ResultsError::NoSuchFrame { path: self.source.dir.join(FRAMES_FILE), frame: 0, frames: 0 }),
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Option<Opened>> {
        self.opened.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens the file, or reads what has been added.
    fn look(&self) -> Result<(), ResultsError> {
        let stamp = Stamp::of(&self.source.dir.join(FRAMES_FILE));
        let unchanged = |opened: &Opened| opened.stamp == stamp && !stamp.is_fresh();
        if self.read().as_ref().is_some_and(unchanged) {
            return Ok(());
        }
        let mut slot = self.opened.write().unwrap_or_else(PoisonError::into_inner);
        match slot.as_mut() {
            Some(opened) if opened.stamp.generation == stamp.generation && opened.stamp.bytes <= stamp.bytes => {
                let before = (opened.results.frames(), opened.results.cast().bodies.len());
                opened.results.refresh()?;
                opened.stamp = stamp;
                if before.0 == 0 {
                    opened.begin()?;
                } else if before.1 != opened.results.cast().bodies.len() {
                    opened.grow()?;
                }
            }
            _ => {
                let results = Results::open(&self.source.dir)?;
                let mut opened = Opened {
                    results,
                    first: Snapshot::default(),
                    endless: Vec::new(),
                    origin: [0.0; 3],
                    joints: OnceLock::new(),
                    corners: OnceLock::new(),
                    stamp,
                };
                opened.begin()?;
                *slot = Some(opened);
            }
        }
        Ok(())
    }
}

impl Opened {
    /// Identifier of the file: another run in the same folder has another identifier.
    pub fn generation(&self) -> u64 {
        self.stamp.generation
    }

    /// The joints as built, once a frame has contacts.
    pub fn joints(&self) -> Result<Option<&Joints>, ResultsError> {
        if self.joints.get().is_none()
            && let Some(joints) = Joints::of_results(&self.results)?
        {
            let _ = self.joints.set(joints);
        }
        Ok(self.joints.get())
    }

    /// Points of every body that are corners of faces, in the order in which bodies are packed.
    pub fn corners(&self) -> &HashMap<usize, Vec<u32>> {
        self.corners.get_or_init(|| corners_of(self.results.cast()))
    }

    /// Adds bodies that have appeared; the origin stays the same.
    fn grow(&mut self) -> Result<(), ResultsError> {
        self.first = self.results.frame(0)?;
        self.endless = endless(self.results.cast(), &self.first);
        self.corners = OnceLock::new();
        Ok(())
    }

    /// Sets the values that follow from the first frame, once it exists.
    fn begin(&mut self) -> Result<(), ResultsError> {
        let cast = self.results.cast();
        self.endless = vec![false; cast.bodies.len()];
        if self.results.frames() == 0 {
            return Ok(());
        }
        self.first = self.results.frame(0)?;
        self.endless = endless(cast, &self.first);
        let ends = self.first.bodies.iter().zip(&self.endless).filter(|(_, endless)| !**endless);
        let places: Vec<[f64; 3]> = ends.map(|(body, _)| body.position).collect();
        let count = places.len().max(1) as f64;
        let mean = |k: usize| places.iter().map(|place| place[k]).sum::<f64>() / count;
        // a round number near the middle, so that small models keep their coordinates
        self.origin = std::array::from_fn(|k| (mean(k) / 1024.0).round() * 1024.0);
        Ok(())
    }
}

/// Metadata of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Stamp {
    /// Identifier of the file.
    generation: u64,
    bytes: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(path: &Path) -> Self {
        let Ok(data) = std::fs::metadata(path) else { return Self::default() };
        #[cfg(unix)]
        let number = std::os::unix::fs::MetadataExt::ino(&data);
        #[cfg(not(unix))]
        let number = 0;
        // file numbers are reused, times of modification are not
        let since = |time: SystemTime| time.duration_since(SystemTime::UNIX_EPOCH).ok();
        let born = data.created().ok().and_then(since).map_or(0, |age| age.as_nanos() as u64);
        // 53 bits survive in a JSON number
        let generation = (number ^ born.wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 11;
        Self { generation, bytes: data.len(), modified: data.modified().ok() }
    }

    /// True if the file was written so recently that the next write may have the same time.
    fn is_fresh(&self) -> bool {
        let age = self.modified.and_then(|modified| modified.elapsed().ok());
        age.is_none_or(|age| age < Duration::from_secs(2))
    }
}
