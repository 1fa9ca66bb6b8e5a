//! Bodies of a frame: poses and velocities, deformation, declared scalars.

use voussoir_hdf5::read::{Array, ReadFault, Reader};
use voussoir_mechanics::snapshot::{BodySnapshot, Deformed};

use super::Results;
use crate::error::ResultsError;
use crate::layout::running_sum;

/// Arrays that bodies of frames are read from.
pub struct BodyArrays {
    position: Array,
    rotation: Array,
    velocity: Array,
    spin: Array,
    /// Missing in files of versions without construction.
    there: Option<Array>,
    /// Bodies of every frame, where bodies may appear.
    counts: Option<Vec<u64>>,
    deformation: Option<Deformation>,
    point_start: Option<Array>,
    point_fields: Vec<Array>,
    body_fields: Vec<Array>,
}

/// Displacements of deformed bodies.
struct Deformation {
    body_start: Array,
    body_count: Array,
    point_start: Array,
    body: Array,
    displacement: Array,
}

impl BodyArrays {
    /// Opens the arrays of a file with `count` frames.
    pub fn open(file: &Reader, count: u64) -> Result<Self, ReadFault> {
        let frames = |name: &str| file.array(&format!("voussoir/frames/{name}"));
        let counts = match frames("body_count") {
            Ok(counts) => Some(counts.i64s(0, count)?.into_iter().map(|n| n.max(0) as u64).collect()),
            Err(_) => None,
        };
        let deformed = |name: &str| file.array(&format!("voussoir/deformed/{name}"));
        let deformation = match deformed("body_start") {
            Ok(body_start) => Some(Deformation {
                body_start,
                body_count: deformed("body_count")?,
                point_start: deformed("point_start")?,
                body: deformed("body")?,
                displacement: deformed("displacement")?,
            }),
            Err(_) => None,
        };
        let named = |kind: &str, group: &str| -> Result<Vec<Array>, ReadFault> {
            let names = super::cast::texts(file, &format!("voussoir/fields/{kind}_name"))?;
            names.iter().map(|name| file.array(&format!("{group}/{name}"))).collect()
        };
        Ok(Self {
            position: frames("position")?,
            rotation: frames("rotation")?,
            velocity: frames("velocity")?,
            spin: frames("spin")?,
            there: frames("there").ok(),
            counts,
            deformation,
            point_start: frames("point_start").ok(),
            point_fields: named("point", "VTKHDF/bodies/PointData")?,
            body_fields: named("body", "voussoir/fields/body")?,
        })
    }

    /// Number of bodies in the frames.
    pub fn known(&self) -> u64 {
        match &self.counts {
            Some(counts) => counts.last().copied().unwrap_or(0),
            None => self.position.width(),
        }
    }

    /// Bodies of a frame.
    fn count(&self, frame: u64) -> u64 {
        match &self.counts {
            Some(counts) => counts.get(frame as usize).copied().unwrap_or(0),
            None => self.position.width(),
        }
    }

    /// Bodies of a frame, with or without their velocities.
    fn read(&self, frame: u64, motion: bool) -> Result<Vec<BodySnapshot>, ReadFault> {
        let count = self.count(frame);
        let there = self.there.as_ref().map_or(Ok(Vec::new()), |there| there.u8_entries(frame, count))?;
        let position = self.position.f64_entries(frame, count)?;
        let rotation = self.rotation.f64_entries(frame, count)?;
        let [velocity, spin] = match motion {
            true => [self.velocity.f32_entries(frame, count)?, self.spin.f32_entries(frame, count)?],
            false => [Vec::new(), Vec::new()],
        };
        let triple =
            |values: &[f32], i: usize| values.as_chunks().0.get(i).map_or([0.0; 3], |v: &[f32; 3]| v.map(f64::from));
        let poses = position.as_chunks::<3>().0.iter().zip(rotation.as_chunks::<4>().0).enumerate();
        Ok(poses
            .map(|(i, (&position, &rotation))| BodySnapshot {
                position,
                rotation,
                velocity: triple(&velocity, i),
                spin: triple(&spin, i),
                absent: there.get(i) == Some(&0),
            })
            .collect())
    }
}

impl Results {
    /// The bodies of frame `index` alone.
    pub fn bodies(&self, index: usize) -> Result<Vec<BodySnapshot>, ResultsError> {
        self.read_bodies(index, true)
    }

    /// The bodies of frame `index` without their velocities, which takes half the time.
    pub fn poses(&self, index: usize) -> Result<Vec<BodySnapshot>, ResultsError> {
        self.read_bodies(index, false)
    }

    fn read_bodies(&self, index: usize, motion: bool) -> Result<Vec<BodySnapshot>, ResultsError> {
        self.check_frame(index)?;
        let known = self.arrays.bodies.read(index as u64, motion);
        let mut bodies = known.map_err(ResultsError::damaged(&self.path))?;
        let (found, expected) = (bodies.len(), self.cast.bodies.len());
        let complete = self.arrays.bodies.counts.is_some() || found == expected;
        if !complete || found > expected {
            let reason = format!("frame {index} has {found} bodies of {expected}");
            return Err(ResultsError::Damaged { path: self.path.clone(), reason });
        }
        // bodies that appear later
        bodies.extend((found..expected).map(|body| self.unborn(body)));
        Ok(bodies)
    }

    /// A body before it appears: absent, with its first pose.
    fn unborn(&self, body: usize) -> BodySnapshot {
        let before = self.arrays.bodies.count(0) as usize;
        let known = body.checked_sub(before).and_then(|index| self.born.get(index)).copied();
        let nowhere = BodySnapshot { rotation: [0.0, 0.0, 0.0, 1.0], ..BodySnapshot::default() };
        BodySnapshot { absent: true, velocity: [0.0; 3], spin: [0.0; 3], ..known.unwrap_or(nowhere) }
    }

    /// Finds the first pose of bodies that appeared since the last call.
    pub(super) fn find_births(&mut self) -> Result<(), ResultsError> {
        let arrays = &self.arrays.bodies;
        let Some(counts) = arrays.counts.as_ref().filter(|counts| !counts.is_empty()) else { return Ok(()) };
        let first = counts[0] as usize;
        loop {
            let known = first + self.born.len();
            let frame = counts.partition_point(|&count| count as usize <= known);
            if frame == counts.len() {
                return Ok(());
            }
            let bodies = arrays.read(frame as u64, false).map_err(ResultsError::damaged(&self.path))?;
            self.born.extend(&bodies[known.min(bodies.len())..]);
            if bodies.len() <= known {
                return Ok(());
            }
        }
    }

    /// Position and velocity of one body of frame `index`, read without the other bodies if the layout of the file
    /// allows it.
    pub fn body_at(&self, index: usize, body: usize) -> Result<([f64; 3], [f64; 3]), ResultsError> {
        self.check_frame(index)?;
        let arrays = &self.arrays.bodies;
        if body as u64 >= arrays.count(index as u64) {
            return Ok((self.unborn(body).position, [0.0; 3]));
        }
        let read = || {
            let position = arrays.position.f64_entry(index as u64, body as u64)?;
            let velocity = arrays.velocity.f32_entry(index as u64, body as u64)?;
            Ok((position, velocity))
        };
        let (position, velocity) = read().map_err(|fault: ReadFault| ResultsError::damaged(&self.path)(fault))?;
        match (position[..].try_into(), velocity[..].try_into()) {
            (Ok(position), Ok(velocity)) => Ok((position, <[f32; 3]>::map(velocity, f64::from))),
            _ => Err(ResultsError::damaged(&self.path)("a position is not three numbers")),
        }
    }

    /// Deformed bodies of frame `index`, by rising index.
    pub fn deformed(&self, index: usize) -> Result<Vec<Deformed>, ResultsError> {
        self.check_frame(index)?;
        self.read_deformed(index as u64).map_err(ResultsError::damaged(&self.path))
    }

    fn read_deformed(&self, frame: u64) -> Result<Vec<Deformed>, ReadFault> {
        let arrays = &self.arrays.bodies;
        let Some(deformation) = &arrays.deformation else { return Ok(Vec::new()) };
        let number = |array: &Array| array.i64s(frame, 1).map(|values| values[0].max(0) as u64);
        let bodies = deformation.body.i32s(number(&deformation.body_start)?, number(&deformation.body_count)?)?;
        let mut start = number(&deformation.point_start)?;
        let drawn = arrays.point_start.as_ref().map_or(Ok(0), number)?;
        let points = self.cast.bodies.iter().map(|body| body.surface().points.len());
        let firsts: Vec<u64> = running_sum(points).into_iter().map(|first| first as u64).collect();
        let mut all = Vec::with_capacity(bodies.len());
        for body in bodies {
            // a body that is missing in the lists has no points
            let known = usize::try_from(body).ok().and_then(|body| self.cast.bodies.get(body));
            let form = known.map_or(&[][..], |body| &body.surface().points);
            let count = form.len() as u64;
            let moved = deformation.displacement.f32s(start, count)?;
            start += count;
            let place = |(x, by): (&[f64; 3], &[f32; 3])| std::array::from_fn(|k| x[k] + f64::from(by[k]));
            let first = drawn + firsts.get(body as usize).copied().unwrap_or(0);
            let values = arrays
                .point_fields
                .iter()
                .map(|field| Ok(field.f32s(first, count)?.into_iter().map(f64::from).collect()));
            all.push(Deformed {
                body: body as u32,
                points: form.iter().zip(moved.as_chunks::<3>().0).map(place).collect(),
                values: values.collect::<Result<_, ReadFault>>()?,
            });
        }
        Ok(all)
    }

    /// Declared scalars of bodies of frame `index`, one list per field; NaN where there is no value.
    pub fn body_fields(&self, index: usize) -> Result<Vec<Vec<f64>>, ResultsError> {
        self.check_frame(index)?;
        let arrays = &self.arrays.bodies;
        let read = |field: &Array| {
            let known = field.f32_entries(index as u64, arrays.count(index as u64))?;
            let mut values: Vec<f64> = known.into_iter().map(f64::from).collect();
            values.resize(self.cast.bodies.len(), f64::NAN);
            Ok(values)
        };
        let all: Result<Vec<Vec<f64>>, ReadFault> = arrays.body_fields.iter().map(read).collect();
        all.map_err(ResultsError::damaged(&self.path))
    }
}
