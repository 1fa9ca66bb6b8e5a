//! Reading a results folder, frame by frame, also while it grows.

use std::path::{Path, PathBuf};

use voussoir_mechanics::geometry::Surface;
use voussoir_mechanics::snapshot::{
    BodySnapshot, CableSnapshot, Cast, CastBody, CastCable, ContactSnapshot, Features, Snapshot,
};

use crate::error::ResultsError;
use crate::frames::FRAMES_FILE;
use crate::layout::FORMAT;
use crate::summary::Summary;
use voussoir_hdf5::read::{Array, ReadFault, Reader};

/// Results on disk. Frames are read one at a time; nothing but the constant part and the times is kept.
pub struct Results {
    dir: PathBuf,
    path: PathBuf,
    title: String,
    cast: Cast,
    times: Vec<f64>,
    arrays: Arrays,
}

impl std::fmt::Debug for Results {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Results").field("path", &self.path).field("frames", &self.times.len()).finish_non_exhaustive()
    }
}

/// Arrays that frames are read from.
struct Arrays {
    step: Array,
    position: Array,
    rotation: Array,
    velocity: Array,
    spin: Array,
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
    /// Missing in files of versions that did not record it.
    slip: Option<Array>,
    cable_start: Array,
    cable_points: Array,
    cable_ends: Array,
    cable_force: Array,
    cable: Array,
    /// Missing in files of versions without construction.
    there: Option<Array>,
}

impl Arrays {
    fn open(file: &Reader) -> Result<Self, ReadFault> {
        let frames = |name: &str| file.array(&format!("voussoir/frames/{name}"));
        let contacts = |name: &str| file.array(&format!("VTKHDF/contacts/{name}"));
        Ok(Self {
            step: frames("step")?,
            position: frames("position")?,
            rotation: frames("rotation")?,
            velocity: frames("velocity")?,
            spin: frames("spin")?,
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
            there: frames("there").ok(),
        })
    }
}

impl Results {
    /// Opens a results folder, finished, interrupted or still growing.
    pub fn open(dir: &Path) -> Result<Self, ResultsError> {
        let path = dir.join(FRAMES_FILE);
        std::fs::metadata(&path).map_err(ResultsError::read(&path))?;
        let damaged = |fault: ReadFault| ResultsError::damaged(&path)(fault);
        let file = Reader::open(&path).map_err(damaged)?;
        let found = file.integer("voussoir", "format").map_err(damaged)?;
        if found != i64::from(FORMAT) {
            let found = u32::try_from(found).unwrap_or(u32::MAX);
            return Err(ResultsError::OtherFormat { path, found, expected: FORMAT });
        }
        let (times, arrays) = open_frames(&file).map_err(damaged)?;
        let title = file.text("voussoir", "title").map_err(damaged)?;
        let cast = read_cast(&file).map_err(damaged)?.ok_or_else(|| ResultsError::Damaged {
            path: path.clone(),
            reason: "the lists of bodies do not fit together".to_owned(),
        })?;
        Ok(Self { dir: dir.to_owned(), path, title, cast, times, arrays })
    }

    /// Looks for frames added since, and gives their number now.
    pub fn refresh(&mut self) -> Result<usize, ResultsError> {
        let opened = Reader::open(&self.path).and_then(|file| open_frames(&file));
        (self.times, self.arrays) = opened.map_err(ResultsError::damaged(&self.path))?;
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

    /// The frame nearest to a time [s]; 0 when there are none.
    pub fn nearest(&self, time: f64) -> usize {
        let next = self.times.partition_point(|&t| t < time);
        match (next.checked_sub(1), self.times.get(next)) {
            (Some(before), Some(&after)) if time - self.times[before] <= after - time => before,
            (Some(before), None) => before,
            _ => next,
        }
    }

    /// What is constant over the run.
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

    /// The run in a few numbers.
    pub fn summary(&self) -> Result<Summary, ResultsError> {
        Summary::read(&self.dir)
    }

    /// Frame `index`, from 0. Poses have double precision, everything else single (see [`crate::Precision`]).
    pub fn frame(&self, index: usize) -> Result<Snapshot, ResultsError> {
        let (bodies, contacts, cables) = (self.bodies(index)?, self.contacts(index)?, self.cables(index)?);
        let step = self.arrays.step.i64s(index as u64, 1).map_err(ResultsError::damaged(&self.path))?[0];
        Ok(Snapshot {
            time: self.times[index],
            step: step.max(0) as u64,
            bodies,
            contacts,
            cables,
            ..Snapshot::default()
        })
    }

    /// The bodies of frame `index` alone.
    pub fn bodies(&self, index: usize) -> Result<Vec<BodySnapshot>, ResultsError> {
        self.check_frame(index)?;
        self.all_there(index, self.read_bodies(index as u64).map_err(ResultsError::damaged(&self.path))?)
    }

    /// The bodies of frame `index` without their velocities, which takes half the time.
    pub fn poses(&self, index: usize) -> Result<Vec<BodySnapshot>, ResultsError> {
        self.check_frame(index)?;
        let Arrays { position, rotation, there, .. } = &self.arrays;
        let frame = index as u64;
        let read = || {
            let there = there.as_ref().map_or(Ok(Vec::new()), |there| there.u8s(frame, 1))?;
            let (position, rotation) = (position.f64s(frame, 1)?, rotation.f64s(frame, 1)?);
            let poses = position.as_chunks::<3>().0.iter().zip(rotation.as_chunks::<4>().0).enumerate();
            let body = |(i, (&position, &rotation)): (usize, (&[f64; 3], &[f64; 4]))| BodySnapshot {
                position,
                rotation,
                absent: there.get(i) == Some(&0),
                ..BodySnapshot::default()
            };
            Ok(poses.map(body).collect())
        };
        self.all_there(index, read().map_err(|fault: ReadFault| ResultsError::damaged(&self.path)(fault))?)
    }

    /// As many bodies as the run has, or a word about it.
    fn all_there(&self, index: usize, bodies: Vec<BodySnapshot>) -> Result<Vec<BodySnapshot>, ResultsError> {
        if bodies.len() == self.cast.bodies.len() {
            return Ok(bodies);
        }
        let reason = format!("frame {index} has {} bodies of {}", bodies.len(), self.cast.bodies.len());
        Err(ResultsError::Damaged { path: self.path.clone(), reason })
    }

    /// The contacts of frame `index` alone.
    pub fn contacts(&self, index: usize) -> Result<Vec<ContactSnapshot>, ResultsError> {
        self.check_frame(index)?;
        self.read_contacts(index as u64).map_err(ResultsError::damaged(&self.path))
    }

    /// The cables of frame `index` alone.
    pub fn cables(&self, index: usize) -> Result<Vec<CableSnapshot>, ResultsError> {
        self.check_frame(index)?;
        self.read_cables(index as u64).map_err(ResultsError::damaged(&self.path))
    }

    /// Position and velocity of one body of frame `index`, read without the others as far as the file allows.
    pub fn body_at(&self, index: usize, body: usize) -> Result<([f64; 3], [f64; 3]), ResultsError> {
        self.check_frame(index)?;
        let read = || {
            let position = self.arrays.position.f64_entry(index as u64, body as u64)?;
            let velocity = self.arrays.velocity.f32_entry(index as u64, body as u64)?;
            Ok((position, velocity))
        };
        let (position, velocity) = read().map_err(|fault: ReadFault| ResultsError::damaged(&self.path)(fault))?;
        match (position[..].try_into(), velocity[..].try_into()) {
            (Ok(position), Ok(velocity)) => Ok((position, <[f32; 3]>::map(velocity, f64::from))),
            _ => Err(ResultsError::damaged(&self.path)("a position is not three numbers")),
        }
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

    fn read_bodies(&self, frame: u64) -> Result<Vec<BodySnapshot>, ReadFault> {
        let Arrays { position, rotation, velocity, spin, there, .. } = &self.arrays;
        let there = there.as_ref().map_or(Ok(Vec::new()), |there| there.u8s(frame, 1))?;
        let mut there = there.into_iter();
        let position = position.f64s(frame, 1)?;
        let rotation = rotation.f64s(frame, 1)?;
        let velocity = velocity.f32s(frame, 1)?;
        let spin = spin.f32s(frame, 1)?;
        let (velocity, spin) = (velocity.as_chunks::<3>().0, spin.as_chunks::<3>().0);
        let poses = position.as_chunks::<3>().0.iter().zip(rotation.as_chunks::<4>().0);
        let bodies =
            poses.zip(velocity.iter().zip(spin)).map(|((position, rotation), (velocity, spin))| BodySnapshot {
                position: *position,
                rotation: *rotation,
                velocity: velocity.map(f64::from),
                spin: spin.map(f64::from),
                absent: there.next() == Some(0),
            });
        Ok(bodies.collect())
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
        // there are half as many pieces as ends of pieces, everywhere in the file
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
                    // those before it that are not there have no pieces
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

/// No file has more cables than this.
const MOST_CABLES: usize = 1_000_000;

fn open_frames(file: &Reader) -> Result<(Vec<f64>, Arrays), ReadFault> {
    let count = file.integer("voussoir/frames", "count")?.max(0) as u64;
    let times = file.array("voussoir/frames/time")?.f64s(0, count)?;
    Ok((times, Arrays::open(file)?))
}

/// The constant part; `None` when its lists contradict each other.
fn read_cast(file: &Reader) -> Result<Option<Cast>, ReadFault> {
    let dimension = file.integer("voussoir", "dimension")?;
    let whole = |path: &str| file.array(path).map(|array| (array.rows(), array));
    let texts = |path: &str| whole(path).and_then(|(rows, array)| array.texts(0, rows));
    let integers = |path: &str| whole(path).and_then(|(rows, array)| array.i64s(0, rows));
    let numbers = |path: &str| whole(path).and_then(|(rows, array)| array.f64s(0, rows));

    let names = texts("voussoir/bodies/name")?;
    let material = integers("voussoir/bodies/material")?;
    let support = whole("voussoir/bodies/support").and_then(|(rows, array)| array.u8s(0, rows))?;
    let mass = numbers("voussoir/bodies/mass")?;
    let volume = numbers("voussoir/bodies/volume")?;
    let points = numbers("voussoir/bodies/points")?;
    let point_offsets = integers("voussoir/bodies/point_offsets")?;
    let polygon_offsets = integers("voussoir/bodies/polygon_offsets")?;
    let corner_offsets = integers("VTKHDF/bodies/Polygons/Offsets")?;
    let corners = integers("VTKHDF/bodies/Polygons/Connectivity")?;
    let materials = texts("voussoir/materials/name")?;

    // every list is as long as the others say, and every range lies inside its list
    let count = names.len();
    if [material.len(), support.len(), mass.len(), volume.len()].iter().any(|&n| n != count) {
        return Ok(None);
    }
    let points = points.as_chunks::<3>().0;
    let range = |offsets: &[i64], i: usize, end: usize| {
        let (from, to) = (usize::try_from(*offsets.get(i)?).ok()?, usize::try_from(*offsets.get(i + 1)?).ok()?);
        (from <= to && to <= end).then_some(from..to)
    };
    let body = |i: usize| {
        let own = range(&point_offsets, i, points.len())?;
        let polygon = |p: usize| {
            let corners = &corners[range(&corner_offsets, p, corners.len())?];
            let local = |&corner: &i64| u32::try_from(corner.checked_sub(own.start as i64)?).ok();
            corners.iter().map(|c| local(c).filter(|&c| (c as usize) < own.len())).collect::<Option<Vec<u32>>>()
        };
        let polygons = range(&polygon_offsets, i, corner_offsets.len())?.map(polygon).collect::<Option<_>>()?;
        Some(CastBody {
            name: names[i].clone(),
            material: usize::try_from(material[i]).ok()?,
            support: support[i] != 0,
            mass: mass[i],
            volume: volume[i],
            form: Surface { points: points[own.clone()].to_vec(), polygons }.into(),
        })
    };
    let bodies: Option<Vec<CastBody>> = (0..count).map(body).collect();
    let cables = match texts("voussoir/cables/name") {
        Ok(names) => {
            let strength = numbers("voussoir/cables/strength")?;
            // results of earlier versions do not say them
            let anchors = integers("voussoir/cables/anchors").unwrap_or_default();
            let offsets = integers("voussoir/cables/anchor_offsets").unwrap_or_default();
            let anchored = |i: usize| -> Option<Vec<u32>> {
                let own = range(&offsets, i, anchors.len())?;
                let body = |&body: &i64| u32::try_from(body).ok().filter(|&body| (body as usize) < count);
                anchors[own].iter().map(body).collect()
            };
            let cable = |(i, (name, strength)): (usize, (String, f64))| CastCable {
                name,
                strength: Some(strength).filter(|s| s.is_finite()),
                anchors: anchored(i).unwrap_or_default(),
            };
            names.into_iter().zip(strength).enumerate().map(cable).collect()
        }
        Err(_) => Vec::new(),
    };
    Ok(bodies.map(|bodies| Cast {
        dimension: dimension.clamp(2, 3) as usize,
        bodies,
        materials,
        cables,
        features: Features::default(),
    }))
}
