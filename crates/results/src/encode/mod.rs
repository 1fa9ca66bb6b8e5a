//! From a snapshot to the arrays of a frame.
//!
//! Recorded numbers are rounded to a tolerance far below the accuracy that structures need, and a number that changed
//! by less than its tolerance keeps the value of the previous frame. A wall at rest therefore gives the same bytes
//! frame after frame, which cost nothing (see [`voussoir_hdf5::writer`]); the error is never larger than the tolerance,
//! whatever the number of frames. Poses and velocities have a constant tolerance; points of surfaces and contacts,
//! which are only drawn, have a coarser one while they move: 1/64 of the displacement since the previous frame.
//!
//! | module | content |
//! |---|---|
//! | [`precision`] | tolerances, and rounding to them |
//! | [`bodies`] | poses, velocities, polygons, balls and stresses of bodies |
//! | [`deformed`] | displacements of deformed bodies, declared scalars |
//! | [`contacts`] | contacts and cables |

mod bodies;
mod contacts;
mod deformed;
mod precision;

use std::io;

use voussoir_hdf5::storage::Storage;
use voussoir_hdf5::writer::Writer;
use voussoir_mechanics::geometry::Surface;
use voussoir_mechanics::snapshot::{Cast, CastBody, Features, Snapshot};

use crate::channels::Channels;
use crate::layout::ordinals;
use crate::lists::{Lists, Totals};
pub use precision::Precision;

/// Data of a body for the encoder.
#[derive(Clone, Debug)]
struct Encoded {
    /// Points in body axes.
    points: Vec<[f64; 3]>,
    /// Number of polygons.
    polygons: usize,
    /// Radius of a ball [m].
    ball: Option<f64>,
    /// Farthest point from the centroid [m].
    reach: f64,
}

impl Encoded {
    fn of(body: &CastBody) -> Self {
        let surface = body.surface();
        Self {
            points: surface.points.clone(),
            polygons: surface.polygons.len(),
            ball: body.ball(),
            reach: body.reach(),
        }
    }
}

/// Data for the encoder besides the snapshot.
#[derive(Clone, Debug)]
pub struct Encoder {
    precision: Precision,
    bodies: Vec<Encoded>,
    totals: Totals,
    /// Volumes and the dimension, without surfaces.
    volumes: Cast,
    /// Positions in the first frame that has the body, as recorded.
    origin: Vec<[f64; 3]>,
    /// Bodies of the contacts of the last frame, row by row.
    pairs: Vec<[i32; 2]>,
    /// Upper bound of the displacement of points of each body since the previous frame [m].
    ways: Vec<f64>,
    /// Numbers of points, polygons and balls that were written last, and the number of rows written.
    written: Option<(Totals, u64)>,
}

impl Encoder {
    /// For a run that has no frames yet, or that recorded bodies first at these positions.
    pub fn new(cast: &Cast, precision: Precision, origin: Vec<[f64; 3]>) -> Self {
        Self {
            precision,
            bodies: cast.bodies.iter().map(Encoded::of).collect(),
            totals: Totals::of(&cast.bodies),
            volumes: without_surfaces(cast),
            origin,
            pairs: Vec::new(),
            ways: Vec::new(),
            written: None,
        }
    }

    /// Continues after a frame whose contacts had these bodies, with these totals.
    #[must_use]
    pub fn after(self, pairs: Vec<[i32; 2]>, written: Option<(Totals, u64)>) -> Self {
        Self { pairs, written, ..self }
    }

    /// Bodies of the contacts of the last frame, row by row.
    pub fn pairs(&self) -> &[[i32; 2]] {
        &self.pairs
    }

    /// Positions in the first frame that has the body, as recorded.
    pub fn origin(&self) -> &[[f64; 3]] {
        &self.origin
    }

    /// Totals that were written last.
    pub fn written(&self) -> Option<(Totals, u64)> {
        self.written
    }

    /// All bodies so far.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// Bodies that appear: they are part of all frames from the next one on.
    pub fn appear(
        &mut self,
        writer: &mut Writer,
        storage: &mut impl Storage,
        channels: &Channels,
        lists: &Lists,
        bodies: &[CastBody],
    ) -> io::Result<()> {
        for (id, rows) in lists.rows(bodies, self.totals) {
            writer.extend(storage, id, &rows)?;
        }
        self.bodies.extend(bodies.iter().map(Encoded::of));
        self.volumes.bodies.extend(bodies.iter().map(without_surface));
        self.totals = self.totals.and(bodies);
        for id in channels.per_body() {
            writer.widen(id, self.totals.bodies as u64);
        }
        Ok(())
    }

    /// Writes frame number `frames` (from 0) and shows it.
    pub fn write(
        &mut self,
        writer: &mut Writer,
        storage: &mut impl Storage,
        channels: &Channels,
        lists: &Lists,
        snapshot: &Snapshot,
        frames: u64,
    ) -> io::Result<()> {
        let version = self.version(writer, storage, lists)?;
        let pieces: usize = snapshot.cables.iter().map(|cable| cable.points.len().saturating_sub(1)).sum();
        let mut starts = vec![
            (channels.point_start, writer.rows(channels.points)),
            (channels.cell_start, writer.rows(channels.cell_displacement)),
            (channels.contact_start, writer.rows(channels.gap)),
            (channels.contact_count, snapshot.contacts.len() as u64),
            (channels.cable_start, writer.rows(channels.cable_ends)),
            (channels.cable_points, 2 * pieces as u64),
            (channels.cable_cell_start, writer.rows(channels.cable)),
            (channels.cable_cells, pieces as u64),
            (channels.step, snapshot.step),
            (channels.index, frames),
            (channels.zero, 0),
            (channels.one, 1),
        ];
        if let Some(balls) = &channels.balls {
            starts.push((balls.start, writer.rows(balls.points)));
        }
        if let Some(growth) = &channels.growth {
            starts.extend([(growth.bodies, self.totals.bodies as u64), (growth.version, version)]);
        }
        if let Some(deformation) = &channels.deformation {
            starts.extend([
                (deformation.body_start, writer.rows(deformation.body)),
                (deformation.body_count, snapshot.deformed.len() as u64),
                (deformation.point_start, writer.rows(deformation.displacement)),
            ]);
        }
        let mut blocks = self.bodies(writer, channels, snapshot);
        blocks.extend(self.contacts(writer, channels, snapshot));
        blocks.extend(self.cables(channels, snapshot));
        writer.append(storage, blocks)?;

        // points of contacts, cables and balls are numbered 0, 1, 2, …; offsets need one number more than cells
        let most = snapshot.contacts.len().max(2 * pieces).max(self.totals.balls);
        for (list, need, step) in [(channels.ordinals, most, 1), (channels.evens, pieces, 2)] {
            let (have, need) = (writer.rows(list), need as u64 + 1);
            if have < need {
                let count = (need - have).next_multiple_of(writer.chunk_rows(list));
                writer.append(storage, vec![(list, ordinals(have, count, step))])?;
            }
        }
        for (id, value) in starts {
            writer.push_row(storage, id, &value.to_le_bytes())?;
        }
        writer.push_row(storage, channels.four_zeros, &[0; 32])?;
        writer.push_row(storage, channels.time, &snapshot.time.to_le_bytes())?;
        writer.publish(storage, frames + 1)
    }

    /// Index of the row of the numbers of points, polygons and balls for the next frame; a new one if bodies appeared.
    fn version(&mut self, writer: &mut Writer, storage: &mut impl Storage, lists: &Lists) -> io::Result<u64> {
        let version = match self.written {
            Some((totals, version)) if totals == self.totals => return Ok(version),
            Some((_, version)) => version + 1,
            None => 0,
        };
        for (id, row) in lists.version(self.totals) {
            writer.extend(storage, id, &row)?;
        }
        self.written = Some((self.totals, version));
        Ok(version)
    }

    /// 2⁻ᵇⁱᵗˢ, or nothing when all digits are kept.
    fn relative(&self, bits: i32) -> f64 {
        if self.precision == Precision::EXACT { 0.0 } else { f64::powi(2.0, -bits) }
    }
}

/// A cast for measures alone.
fn without_surfaces(cast: &Cast) -> Cast {
    Cast {
        dimension: cast.dimension,
        bodies: cast.bodies.iter().map(without_surface).collect(),
        materials: Vec::new(),
        cables: cast.cables.clone(),
        features: Features::default(),
        origin: [0.0; 3],
    }
}

fn without_surface(body: &CastBody) -> CastBody {
    CastBody { name: String::new(), form: Surface::default().into(), ..*body }
}
