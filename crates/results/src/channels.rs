//! The datasets of `results.vtkhdf` that grow from frame to frame, and the shapes of their chunks.

use serde::{Deserialize, Serialize};
use voussoir_hdf5::message::Type;
use voussoir_hdf5::skeleton::{DatasetSpec, Skeleton};
use voussoir_hdf5::writer::DatasetId;
use voussoir_mechanics::snapshot::Cast;

/// Largest number of rows of a chunk.
const CHUNK_ROWS: u64 = 1024;

/// Largest number of faces of a chunk; faces repeat the values of their blocks.
const CELL_ROWS: u64 = 2048;

/// Smallest number of rows of a chunk if bodies may appear.
const APPEARING_ROWS: u64 = 128;

/// Pieces of cables that a chunk holds.
pub(crate) const CABLE_CHUNK: u64 = 64;

/// Rows of the small arrays with one row per frame that are made at once.
const FRAME_CHUNK: u64 = 128;

/// The arrays that grow.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Channels {
    // one row per frame
    pub time: DatasetId,
    pub step: DatasetId,
    pub index: DatasetId,
    pub zero: DatasetId,
    pub four_zeros: DatasetId,
    pub one: DatasetId,
    pub point_start: DatasetId,
    pub cell_start: DatasetId,
    pub contact_start: DatasetId,
    pub contact_count: DatasetId,
    pub cable_start: DatasetId,
    pub cable_points: DatasetId,
    pub cable_cell_start: DatasetId,
    pub cable_cells: DatasetId,
    // one block per frame
    pub position: DatasetId,
    pub rotation: DatasetId,
    pub velocity: DatasetId,
    pub spin: DatasetId,
    pub there: DatasetId,
    pub points: DatasetId,
    pub cell_displacement: DatasetId,
    pub cell_velocity: DatasetId,
    pub cell_there: DatasetId,
    pub cell_stress: DatasetId,
    pub cell_principal: DatasetId,
    pub contact_points: DatasetId,
    pub gap: DatasetId,
    pub force: DatasetId,
    pub normal: DatasetId,
    pub area: DatasetId,
    pub friction: DatasetId,
    pub status: DatasetId,
    pub pair: DatasetId,
    pub damage: DatasetId,
    pub slip: DatasetId,
    pub pressure: DatasetId,
    pub utilisation: DatasetId,
    pub cable_ends: DatasetId,
    pub cable_force: DatasetId,
    pub cable: DatasetId,
    /// 0, 1, 2, … up to the largest number of contacts, ends of pieces of cables and balls.
    pub ordinals: DatasetId,
    /// 0, 2, 4, … up to the largest number of pieces of cables.
    pub evens: DatasetId,
    /// Discs and spheres, if there are any or if they may appear.
    pub balls: Option<BallChannels>,
    /// If bodies may appear.
    pub growth: Option<GrowthChannels>,
    /// If bodies may be deformed.
    pub deformation: Option<DeformationChannels>,
    /// Values at the points of all polygons, one array per field.
    pub point_fields: Vec<DatasetId>,
    /// One per field of bodies.
    pub body_fields: Vec<BodyFieldChannels>,
}

/// Arrays of discs and spheres, one row per ball and frame.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct BallChannels {
    /// First row of each frame.
    pub start: DatasetId,
    pub points: DatasetId,
    pub radius: DatasetId,
    pub orientation: DatasetId,
    pub displacement: DatasetId,
    pub velocity: DatasetId,
    pub there: DatasetId,
    pub stress: DatasetId,
    pub principal: DatasetId,
}

/// One row per frame, if bodies may appear.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GrowthChannels {
    /// Number of bodies of the frame.
    pub bodies: DatasetId,
    /// Which of the rows with numbers of points and polygons holds.
    pub version: DatasetId,
}

/// Displacements of the points of deformed bodies.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct DeformationChannels {
    /// One row per frame: first row and number of deformed bodies, first row of their points.
    pub body_start: DatasetId,
    pub body_count: DatasetId,
    pub point_start: DatasetId,
    /// Indices of deformed bodies.
    pub body: DatasetId,
    /// From the undeformed shape of the cast, body axes [m].
    pub displacement: DatasetId,
}

/// Values of bodies: one row per frame, and one value per face and ball.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct BodyFieldChannels {
    pub values: DatasetId,
    pub cells: DatasetId,
    pub balls: Option<DatasetId>,
}

impl Channels {
    /// Adds all arrays that the frames of a cast need to a file.
    pub fn new(file: &mut Skeleton, cast: &Cast) -> Self {
        let sizes = Sizes::of(cast);
        let features = &cast.features;
        let mut row = |tail: &[u64]| file.dataset(per_frame(Type::I64, tail));
        let [step, index, zero, one, point_start, cell_start] = std::array::from_fn(|_| row(&[]));
        let [contact_start, contact_count, cable_start, cable_points] = std::array::from_fn(|_| row(&[]));
        let [cable_cell_start, cable_cells, four_zeros] = [row(&[]), row(&[]), row(&[4])];
        let growth = features.appearing.then(|| GrowthChannels { bodies: row(&[]), version: row(&[]) });
        let deformation_rows = features.deforming.then(|| [row(&[]), row(&[]), row(&[])]);
        let ball_start = sizes.with_balls.then(|| row(&[]));
        let per_body = |element, width| sizes.per_body(element, width);
        let faces = |element, tail: &[u64]| block(element, tail, sizes.cell_chunk);
        let contacts = |element, tail: &[u64]| block(element, tail, sizes.contact_chunk);
        Self {
            time: file.dataset(per_frame(Type::F64, &[])),
            step,
            index,
            zero,
            four_zeros,
            one,
            point_start,
            cell_start,
            contact_start,
            contact_count,
            cable_start,
            cable_points,
            cable_cell_start,
            cable_cells,
            position: file.dataset(by_columns(per_body(Type::F64, 3))),
            rotation: file.dataset(per_body(Type::F64, 4)),
            velocity: file.dataset(per_body(Type::F32, 3)),
            spin: file.dataset(by_columns(per_body(Type::F32, 3))),
            there: file.dataset(per_body(Type::U8, 1)),
            points: file.dataset(by_columns(block(Type::F32, &[3], sizes.point_chunk))),
            cell_displacement: file.dataset(faces(Type::F32, &[3])),
            cell_velocity: file.dataset(faces(Type::F32, &[3])),
            cell_there: file.dataset(faces(Type::U8, &[])),
            cell_stress: file.dataset(faces(Type::F32, &[6])),
            cell_principal: file.dataset(faces(Type::F32, &[3])),
            contact_points: file.dataset(by_columns(contacts(Type::F32, &[3]))),
            gap: file.dataset(contacts(Type::F32, &[])),
            force: file.dataset(contacts(Type::F32, &[3])),
            normal: file.dataset(contacts(Type::F32, &[3])),
            area: file.dataset(contacts(Type::F32, &[])),
            friction: file.dataset(contacts(Type::F32, &[])),
            status: file.dataset(contacts(Type::U8, &[])),
            pair: file.dataset(contacts(Type::I32, &[2])),
            damage: file.dataset(contacts(Type::F32, &[])),
            slip: file.dataset(contacts(Type::F32, &[])),
            pressure: file.dataset(contacts(Type::F32, &[])),
            utilisation: file.dataset(contacts(Type::F32, &[])),
            cable_ends: file.dataset(block(Type::F32, &[3], 2 * CABLE_CHUNK)),
            cable_force: file.dataset(block(Type::F32, &[], CABLE_CHUNK)),
            cable: file.dataset(block(Type::I32, &[], CABLE_CHUNK)),
            ordinals: file.dataset(contacts(Type::I64, &[])),
            evens: file.dataset(block(Type::I64, &[], CABLE_CHUNK)),
            balls: ball_start.map(|start| BallChannels::new(file, start, &sizes)),
            growth,
            deformation: deformation_rows.map(|[body_start, body_count, point_start]| DeformationChannels {
                body_start,
                body_count,
                point_start,
                body: file.dataset(block(Type::I32, &[], sizes.deformed_chunk)),
                displacement: file.dataset(by_columns(block(Type::F32, &[3], sizes.point_chunk))),
            }),
            point_fields: features
                .point_fields
                .iter()
                .map(|_| file.dataset(block(Type::F32, &[], sizes.point_chunk)))
                .collect(),
            body_fields: features.body_fields.iter().map(|_| BodyFieldChannels::new(file, &sizes)).collect(),
        }
    }

    /// Arrays with one entry per body and frame.
    pub fn per_body(&self) -> Vec<DatasetId> {
        let poses = [self.position, self.rotation, self.velocity, self.spin, self.there];
        poses.into_iter().chain(self.body_fields.iter().map(|field| field.values)).collect()
    }
}

impl BallChannels {
    fn new(file: &mut Skeleton, start: DatasetId, sizes: &Sizes) -> Self {
        let balls = |element, tail: &[u64]| block(element, tail, sizes.ball_chunk);
        Self {
            start,
            points: file.dataset(by_columns(balls(Type::F32, &[3]))),
            radius: file.dataset(balls(Type::F32, &[])),
            orientation: file.dataset(by_columns(balls(Type::F32, &[4]))),
            displacement: file.dataset(by_columns(balls(Type::F32, &[3]))),
            velocity: file.dataset(by_columns(balls(Type::F32, &[3]))),
            there: file.dataset(balls(Type::U8, &[])),
            stress: file.dataset(by_columns(balls(Type::F32, &[6]))),
            principal: file.dataset(by_columns(balls(Type::F32, &[3]))),
        }
    }
}

impl BodyFieldChannels {
    fn new(file: &mut Skeleton, sizes: &Sizes) -> Self {
        Self {
            values: file.dataset(sizes.per_body(Type::F32, 1)),
            cells: file.dataset(block(Type::F32, &[], sizes.cell_chunk)),
            balls: sizes.with_balls.then(|| file.dataset(block(Type::F32, &[], sizes.ball_chunk))),
        }
    }
}

/// Rows of the chunks for a cast.
struct Sizes {
    bodies: u64,
    body_chunk: u64,
    point_chunk: u64,
    cell_chunk: u64,
    ball_chunk: u64,
    contact_chunk: u64,
    deformed_chunk: u64,
    with_balls: bool,
    appearing: bool,
}

impl Sizes {
    fn of(cast: &Cast) -> Self {
        let appearing = cast.features.appearing;
        let bodies = cast.bodies.len() as u64;
        let count = |of: &dyn Fn(&voussoir_mechanics::snapshot::CastBody) -> usize| -> u64 {
            cast.bodies.iter().map(|body| of(body) as u64).sum()
        };
        let balls = count(&|body| usize::from(body.ball().is_some()));
        Self {
            bodies,
            body_chunk: list_chunk(bodies, appearing),
            point_chunk: list_chunk(count(&|body| body.surface().points.len()), appearing),
            cell_chunk: even_chunks(count(&|body| body.surface().polygons.len()), CELL_ROWS).max(if appearing {
                APPEARING_ROWS
            } else {
                1
            }),
            ball_chunk: list_chunk(balls, appearing),
            // frames are filled up to whole chunks
            contact_chunk: (3 * bodies).next_power_of_two().clamp(if appearing { 256 } else { 32 }, CHUNK_ROWS),
            deformed_chunk: list_chunk(bodies - balls, appearing),
            with_balls: balls > 0 || appearing,
            appearing,
        }
    }

    /// One row per frame, of one entry per body.
    fn per_body(&self, element: Type, width: u64) -> DatasetSpec {
        DatasetSpec {
            element,
            tail: vec![self.bodies, width],
            chunk: vec![1, self.body_chunk, width],
            shuffle: Some(element.size()),
            widening: self.appearing,
        }
    }
}

/// Rows of a chunk such that `rows` rows fill a few chunks with little waste, also if more rows may be added.
pub(crate) fn list_chunk(rows: u64, appearing: bool) -> u64 {
    even_chunks(rows, CHUNK_ROWS).max(if appearing { APPEARING_ROWS } else { 1 })
}

/// The same with at most `most` rows in a chunk.
fn even_chunks(rows: u64, most: u64) -> u64 {
    rows.div_ceil(rows.div_ceil(most).max(1)).max(1)
}

pub(crate) fn block(element: Type, tail: &[u64], chunk: u64) -> DatasetSpec {
    let chunk = std::iter::once(chunk).chain(tail.iter().copied()).collect();
    DatasetSpec { element, tail: tail.to_vec(), chunk, shuffle: Some(element.size()), widening: false }
}

/// Compressed column by column: coordinates of neighbours are similar, x and y are not.
fn by_columns(spec: DatasetSpec) -> DatasetSpec {
    let columns = spec.chunk.last().map_or(1, |&columns| columns as u32);
    DatasetSpec { shuffle: Some(columns * spec.element.size()), ..spec }
}

fn per_frame(element: Type, tail: &[u64]) -> DatasetSpec {
    DatasetSpec { shuffle: None, ..block(element, tail, FRAME_CHUNK) }
}
