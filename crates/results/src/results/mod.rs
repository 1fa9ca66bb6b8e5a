//! Reading a results folder, frame by frame, also while it grows.
//!
//! | module | content |
//! |---|---|
//! | [`cast`] | the lists of bodies, materials, cables and declared scalars |
//! | [`bodies`] | bodies of a frame: poses, velocities, deformation, scalars |

mod bodies;
mod cast;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use voussoir_mechanics::snapshot::{BodySnapshot, CableSnapshot, Cast, ContactSnapshot, Snapshot};

use crate::checksums::FolderSums;
use crate::error::ResultsError;
use crate::frames::FRAMES_FILE;
use crate::layout::{FORMAT, OLDEST_FORMAT};
use crate::summary::Summary;
use bodies::BodyArrays;
use voussoir_hdf5::read::{Array, ReadFault, Reader};

/// Results on disk. Frames are read one at a time; only the constant part and the times are kept in memory.
pub struct Results {
    dir: PathBuf,
    path: PathBuf,
    title: String,
    cast: Cast,
    times: Vec<f64>,
    arrays: Arrays,
    /// Poses of bodies that appeared, in the first frame that has them.
    born: Vec<BodySnapshot>,
    /// Checksums of the folder, if it has them.
    sums: Option<Arc<FolderSums>>,
}

impl std::fmt::Debug for Results {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Results").field("path", &self.path).field("frames", &self.times.len()).finish_non_exhaustive()
    }
}

/// Arrays that frames are read from.
struct Arrays {
    step: Array,
    bodies: BodyArrays,
    contact_start: Array,
    contact_count: Array,
    points: Array,
    gap: Array,
    force: Array,
    normal: Array,
    area: Array,
    friction: Array,
    status: Array,
    pair: Array,
    damage: Array,
    /// Missing in files of earlier versions.
    slip: Option<Array>,
    cable_start: Array,
    cable_points: Array,
    cable_ends: Array,
    cable_force: Array,
    cable: Array,
}

impl Arrays {
    fn open(file: &Reader, count: u64) -> Result<Self, ReadFault> {
        let frames = |name: &str| file.array(&format!("voussoir/frames/{name}"));
        let contacts = |name: &str| file.array(&format!("VTKHDF/contacts/{name}"));
        Ok(Self {
            step: frames("step")?,
            bodies: BodyArrays::open(file, count)?,
            contact_start: frames("contact_start")?,
            contact_count: frames("contact_count")?,
            points: contacts("Points")?,
            gap: contacts("PointData/gap")?,
            force: contacts("PointData/force")?,
            normal: contacts("PointData/normal")?,
            area: contacts("PointData/area")?,
            friction: contacts("PointData/friction")?,
            status: contacts("PointData/status")?,
            pair: contacts("PointData/bodies")?,
            damage: contacts("PointData/damage")?,
            slip: contacts("PointData/slip").ok(),
            cable_start: frames("cable_start")?,
            cable_points: frames("cable_points")?,
            cable_ends: file.array("VTKHDF/cables/Points")?,
            cable_force: file.array("VTKHDF/cables/CellData/force")?,
            cable: file.array("VTKHDF/cables/CellData/cable")?,
        })
    }
}

impl Results {
    /// Opens a results folder, complete, interrupted or growing.
    pub fn open(dir: &Path) -> Result<Self, ResultsError> {
        let path = dir.join(FRAMES_FILE);
        std::fs::metadata(&path).map_err(ResultsError::read(&path))?;
        let damaged = |fault: ReadFault| ResultsError::damaged(&path)(fault);
        let sums = FolderSums::open(dir)?;
        let file = reader(&path, &sums).map_err(damaged)?;
        let found = file.integer("voussoir", "format").map_err(damaged)?;
        if !(i64::from(OLDEST_FORMAT)..=i64::from(FORMAT)).contains(&found) {
            let found = u32::try_from(found).unwrap_or(u32::MAX);
            return Err(ResultsError::OtherFormat { path, found, expected: FORMAT });
        }
        let (times, arrays) = open_frames(&file).map_err(damaged)?;
        let title = file.text("voussoir", "title").map_err(damaged)?;
        let cast = cast::read(&file).map_err(damaged)?;
        let mut results = Self { dir: dir.to_owned(), path, title, cast, times, arrays, born: Vec::new(), sums };
        results.find_births()?;
        Ok(results)
    }

    /// Reads frames and bodies that were added since the last call; returns the number of frames.
    pub fn refresh(&mut self) -> Result<usize, ResultsError> {
        let read = || {
            let file = reader(&self.path, &self.sums)?;
            let frames = open_frames(&file)?;
            let grown = frames.1.bodies.known() > self.cast.bodies.len() as u64;
            Ok((frames, if grown { Some(cast::read(&file)?) } else { None }))
        };
        let opened = read().map_err(|fault: ReadFault| ResultsError::damaged(&self.path)(fault))?;
        (self.times, self.arrays) = opened.0;
        if let Some(cast) = opened.1 {
            self.cast = cast;
        }
        self.find_births()?;
        Ok(self.times.len())
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.times.len()
    }

    /// Time of every frame [s].
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The frame nearest to a time [s]; 0 without frames.
    pub fn nearest(&self, time: f64) -> usize {
        let next = self.times.partition_point(|&t| t < time);
        match (next.checked_sub(1), self.times.get(next)) {
            (Some(before), Some(&after)) if time - self.times[before] <= after - time => before,
            (Some(before), None) => before,
            _ => next,
        }
    }

    /// Constant data of the run.
    pub fn cast(&self) -> &Cast {
        &self.cast
    }

    /// Title of the scene.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Summary of the run.
    pub fn summary(&self) -> Result<Summary, ResultsError> {
        Summary::read(&self.dir)
    }

    /// Frame `index`, from 0. Poses have double precision, everything else single (see [`crate::Precision`]). Bodies that
    /// appear later are absent, with the pose that they will have.
    pub fn frame(&self, index: usize) -> Result<Snapshot, ResultsError> {
        let (bodies, contacts, cables) = (self.bodies(index)?, self.contacts(index)?, self.cables(index)?);
        let (deformed, body_fields) = (self.deformed(index)?, self.body_fields(index)?);
        let step = self.arrays.step.i64s(index as u64, 1).map_err(ResultsError::damaged(&self.path))?[0];
        let (time, step) = (self.times[index], step.max(0) as u64);
        Ok(Snapshot { time, step, bodies, contacts, cables, deformed, body_fields })
    }

    /// The contacts of frame `index`.
    pub fn contacts(&self, index: usize) -> Result<Vec<ContactSnapshot>, ResultsError> {
        self.check_frame(index)?;
        self.read_contacts(index as u64).map_err(ResultsError::damaged(&self.path))
    }

    /// The cables of frame `index`.
    pub fn cables(&self, index: usize) -> Result<Vec<CableSnapshot>, ResultsError> {
        self.check_frame(index)?;
        self.read_cables(index as u64).map_err(ResultsError::damaged(&self.path))
    }

    /// Steps done at every frame.
    pub fn steps(&self) -> Result<Vec<u64>, ResultsError> {
        let steps = self.arrays.step.i64s(0, self.times.len() as u64).map_err(ResultsError::damaged(&self.path))?;
        Ok(steps.into_iter().map(|step| step.max(0) as u64).collect())
    }

    fn check_frame(&self, frame: usize) -> Result<(), ResultsError> {
        let frames = self.times.len();
        let missing = || ResultsError::NoSuchFrame { path: self.path.clone(), frame, frames };
        if frame < frames { Ok(()) } else { Err(missing()) }
    }

    fn read_contacts(&self, frame: u64) -> Result<Vec<ContactSnapshot>, ReadFault> {
        let arrays = &self.arrays;
        let number = |array: &Array| array.i64s(frame, 1).map(|values| values[0].max(0) as u64);
        let (start, count) = (number(&arrays.contact_start)?, number(&arrays.contact_count)?);
        let position = arrays.points.f32s(start, count)?;
        let gap = arrays.gap.f32s(start, count)?;
        let force = arrays.force.f32s(start, count)?;
        let normal = arrays.normal.f32s(start, count)?;
        let area = arrays.area.f32s(start, count)?;
        let friction = arrays.friction.f32s(start, count)?;
        let status = arrays.status.u8s(start, count)?;
        let pair = arrays.pair.i32s(start, count)?;
        let damage = arrays.damage.f32s(start, count)?;
        let slip = arrays.slip.as_ref().map_or(Ok(Vec::new()), |slip| slip.f32s(start, count))?;
        let triple = |values: &[f32], i: usize| [0, 1, 2].map(|k| f64::from(values[3 * i + k]));
        let short = [position.len(), force.len(), normal.len()].iter().any(|&n| n != 3 * gap.len());
        let contacts = if short || pair.len() != 2 * gap.len() { 0 } else { gap.len() };
        Ok((0..contacts)
            .map(|i| ContactSnapshot {
                bodies: [pair[2 * i] as u32, pair[2 * i + 1] as u32],
                position: triple(&position, i),
                normal: triple(&normal, i),
                gap: f64::from(gap[i]),
                force: triple(&force, i),
                area: f64::from(area[i]),
                friction: f64::from(friction[i]),
                status: status[i],
                damage: f64::from(damage[i]),
                slip: slip.get(i).copied().map_or(0.0, f64::from),
            })
            .collect())
    }

    fn read_cables(&self, frame: u64) -> Result<Vec<CableSnapshot>, ReadFault> {
        let arrays = &self.arrays;
        let number = |array: &Array| array.i64s(frame, 1).map(|values| values[0].max(0) as u64);
        let (start, count) = (number(&arrays.cable_start)?, number(&arrays.cable_points)?);
        // the file has two ends per segment
        let ends = arrays.cable_ends.f32s(start, count)?;
        let force = arrays.cable_force.f32s(start / 2, count / 2)?;
        let index = arrays.cable.i32s(start / 2, count / 2)?;
        let mut cables: Vec<CableSnapshot> = Vec::new();
        let mut last = None;
        for (piece, (&force, &index)) in ends.as_chunks::<6>().0.iter().zip(force.iter().zip(&index)) {
            let [a, b] = [0, 3].map(|at| [piece[at], piece[at + 1], piece[at + 2]].map(f64::from));
            match cables.last_mut() {
                Some(cable) if last == Some(index) => cable.points.push(b),
                _ => {
                    // absent cables before this one have no segments
                    cables.resize(
                        cables.len().max(usize::try_from(index).unwrap_or(0).min(MOST_CABLES)),
                        CableSnapshot::default(),
                    );
                    cables.push(CableSnapshot { points: vec![a, b], force: f64::from(force) });
                }
            }
            last = Some(index);
        }
        Ok(cables)
    }
}

/// Maximum number of cables of a file.
const MOST_CABLES: usize = 1_000_000;

/// Opens the file, with its checksums if there are any.
fn reader(path: &Path, sums: &Option<Arc<FolderSums>>) -> Result<Reader, ReadFault> {
    match sums {
        Some(sums) => Reader::open_checked(path, Arc::<FolderSums>::clone(sums)),
        None => Reader::open(path),
    }
}

fn open_frames(file: &Reader) -> Result<(Vec<f64>, Arrays), ReadFault> {
    let count = file.integer("voussoir/frames", "count")?.max(0) as u64;
    file.check_frames(count)?;
    let times = file.array("voussoir/frames/time")?.f64s(0, count)?;
    Ok((times, Arrays::open(file, count)?))
}
