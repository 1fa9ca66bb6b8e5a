//! What stands where in `results.vtkhdf`.
//!
//! ```text
//! /VTKHDF                       VTKHDF 2.3, Type = MultiBlockDataSet
//!   bodies/                     PolyData, one polygon per face, Steps/NSteps frames
//!     Points                    world position [m], f32; the polygons are the same in every frame
//!     CellData/body             index of the body         CellData/material   index of the material
//!     CellData/support          1 for supports            CellData/displacement  from the first frame [m]
//!     CellData/velocity         of the centroid [m/s]     CellData/there      1 when the body is there; what is
//!                               not there is drawn as a point
//!     CellData/stress           mean of the block, xx yy zz xy yz zx, tension > 0 [Pa]
//!     CellData/principal_stress the same, most tension first [Pa]
//!   contacts/                   PolyData, one vertex per contact, as many as the frame has
//!     Points                    [m]                       PointData/gap       > 0 is apart [m]
//!     PointData/force           on the candidate [N]      PointData/normal    from antagonist to candidate
//!     PointData/area            [m²]                      PointData/friction  coefficient
//!     PointData/status          0 open, 1 stick, 2 slide  PointData/bodies    candidate, antagonist
//!     PointData/damage          of a bond: 0 sound … 1 broken
//!     PointData/slip            way that it slid since its bodies came near each other [m]
//!   cables/                     PolyData, one line per straight piece, as many as the frame has
//!     Points                    [m], two per piece        CellData/force      tension [N]
//!     CellData/cable            index of the cable
//!   …/                          parts that do not change, if the recorder was given any: of an analysis without
//!                               time `thrust` (PointData/force, eccentricity, friction_use; CellData/line) and
//!                               `joints` (PointData/force, eccentricity, friction_use, state)
//!   Assembly/                   links to all parts
//!   Steps/                      how many frames, for readers of the whole
//! /voussoir                     @format, @program, @title, @dimension
//!   bodies/                     name, material, support, mass [kg], volume [m³], points (body axes, [m], f64),
//!                               point_offsets, polygon_offsets (one more than bodies)
//!   materials/name
//!   cables/                     name, strength [N] (infinite where there is none), anchors (bodies of cable i:
//!                               anchors[anchor_offsets[i]..anchor_offsets[i + 1]]); only where there are cables
//!   frames/                     @count; time [s], step, position [m] and rotation (x, y, z, w) of every
//!                               body (frames × bodies × 3 or 4, f64), velocity and spin (f32), there (1 or 0),
//!                               contact_start (first row in /VTKHDF/contacts), contact_count,
//!                               cable_start (first row of /VTKHDF/cables/Points), cable_points
//! ```
//!
//! A `PartitionedDataSetCollection` would be as good, but VTK 9.6 and 9.7 then forget the number of frames when
//! they are asked for it before the data (`RequestDataObject` looks for it in `/VTKHDF/Steps`, which a
//! collection cannot have). With `/VTKHDF/Steps` in a `MultiBlockDataSet`, VTK 9.4 to 9.7 read all frames in
//! any order. VTK 9.4 looks at that group as if it were a part; its type and its own `Steps` are for that.
//!
//! Every frame starts a new chunk, so that one frame is read without its neighbours. Arrays that VTK wants
//! many times (offsets that are all zero, for instance) are one dataset with many names.

use std::io;

use serde::{Deserialize, Serialize};
use voussoir_mechanics::snapshot::Cast;

use crate::fixed::FixedPart;

use voussoir_hdf5::message::Type;
use voussoir_hdf5::skeleton::{DatasetSpec, GroupId, Skeleton};
use voussoir_hdf5::storage::Storage;
use voussoir_hdf5::writer::{DatasetId, Writer};

/// Format number of the group `/voussoir`.
pub(crate) const FORMAT: u32 = 2;

/// Rows that a chunk holds at the most.
const CHUNK_ROWS: u64 = 1024;

/// Faces that a chunk holds at the most: their values are those of blocks, several times.
const CELL_ROWS: u64 = 2048;

/// Pieces of cables that a chunk holds.
const CABLE_CHUNK: u64 = 64;

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
    pub cable_ends: DatasetId,
    pub cable_force: DatasetId,
    pub cable: DatasetId,
    // 0, 1, 2, … up to the largest number of contacts
    pub ordinals: DatasetId,
    // 0, 2, 4, … up to the largest number of pieces of cables
    pub evens: DatasetId,
}

/// Constant arrays of a cast, ready to be written.
pub(crate) struct Constants(Vec<(DatasetId, Vec<u8>)>);

impl Constants {
    pub(crate) fn add(
        &mut self,
        file: &mut Skeleton,
        group: GroupId,
        name: &str,
        element: Type,
        width: u64,
        bytes: Vec<u8>,
    ) {
        let tail = if width == 1 { vec![] } else { vec![width] };
        let rows = bytes.len() as u64 / (u64::from(element.size()) * width);
        let chunk = chunk_rows(rows);
        let id = file.dataset(block(element, &tail, chunk));
        file.link(group, name, id);
        self.0.push((id, bytes));
    }

    pub(crate) fn integers(
        &mut self,
        file: &mut Skeleton,
        group: GroupId,
        name: &str,
        values: impl IntoIterator<Item = usize>,
    ) {
        let bytes = values.into_iter().flat_map(|v| (v as i64).to_le_bytes()).collect();
        self.add(file, group, name, Type::I64, 1, bytes);
    }

    fn texts<'a>(&mut self, file: &mut Skeleton, group: GroupId, name: &str, texts: impl Iterator<Item = &'a str>) {
        let texts: Vec<&str> = texts.collect();
        let width = texts.iter().map(|text| text.len()).max().unwrap_or(0).max(1);
        let mut bytes = Vec::with_capacity(width * texts.len());
        for text in texts {
            bytes.extend(text.as_bytes());
            bytes.extend(std::iter::repeat_n(0, width - text.len()));
        }
        self.add(file, group, name, Type::Text(width as u32), 1, bytes);
    }
}

/// Rows of a chunk such that `rows` rows fill a few chunks with little waste.
fn chunk_rows(rows: u64) -> u64 {
    even_chunks(rows, CHUNK_ROWS)
}

/// The same with `most` rows in a chunk at the most.
fn even_chunks(rows: u64, most: u64) -> u64 {
    rows.div_ceil(rows.div_ceil(most).max(1)).max(1)
}

/// Rows of a chunk of contacts; frames are filled up to whole chunks.
fn contact_chunk(bodies: usize) -> u64 {
    (3 * bodies as u64).next_power_of_two().clamp(32, CHUNK_ROWS)
}

fn block(element: Type, tail: &[u64], chunk: u64) -> DatasetSpec {
    let chunk = std::iter::once(chunk).chain(tail.iter().copied()).collect();
    DatasetSpec { element, tail: tail.to_vec(), chunk, shuffle: Some(element.size()), widening: false }
}

/// Compressed column by column: coordinates of neighbours are alike, x and y are not.
fn by_columns(spec: DatasetSpec) -> DatasetSpec {
    let columns = spec.chunk.last().map_or(1, |&columns| columns as u32);
    DatasetSpec { shuffle: Some(columns * spec.element.size()), ..spec }
}

fn per_frame(element: Type, tail: &[u64]) -> DatasetSpec {
    DatasetSpec { shuffle: None, ..block(element, tail, FRAME_CHUNK) }
}

/// One row per frame, of one entry per body.
fn per_body(element: Type, bodies: usize, width: u64) -> DatasetSpec {
    let bodies = bodies as u64;
    let chunk = vec![1, chunk_rows(bodies), width];
    DatasetSpec { element, tail: vec![bodies, width], chunk, shuffle: Some(element.size()), widening: false }
}

/// Writes a new file without frames.
pub(crate) fn create(
    storage: &mut impl Storage,
    cast: &Cast,
    title: &str,
    fixed: &[FixedPart],
) -> io::Result<(Writer, Channels)> {
    let mut file = Skeleton::default();
    let mut constants = Constants(Vec::new());
    let bodies = cast.bodies.len();
    let points: usize = cast.bodies.iter().map(|body| body.surface().points.len()).sum();
    let polygons: usize = cast.bodies.iter().map(|body| body.surface().polygons.len()).sum();
    let point_chunk = chunk_rows(points as u64);
    let cell_chunk = even_chunks(polygons as u64, CELL_ROWS);
    let contact_chunk = contact_chunk(bodies);

    let channels = Channels {
        time: file.dataset(per_frame(Type::F64, &[])),
        step: file.dataset(per_frame(Type::I64, &[])),
        index: file.dataset(per_frame(Type::I64, &[])),
        zero: file.dataset(per_frame(Type::I64, &[])),
        four_zeros: file.dataset(per_frame(Type::I64, &[4])),
        one: file.dataset(per_frame(Type::I64, &[])),
        point_start: file.dataset(per_frame(Type::I64, &[])),
        cell_start: file.dataset(per_frame(Type::I64, &[])),
        contact_start: file.dataset(per_frame(Type::I64, &[])),
        contact_count: file.dataset(per_frame(Type::I64, &[])),
        cable_start: file.dataset(per_frame(Type::I64, &[])),
        cable_points: file.dataset(per_frame(Type::I64, &[])),
        cable_cell_start: file.dataset(per_frame(Type::I64, &[])),
        cable_cells: file.dataset(per_frame(Type::I64, &[])),
        position: file.dataset(by_columns(per_body(Type::F64, bodies, 3))),
        rotation: file.dataset(per_body(Type::F64, bodies, 4)),
        velocity: file.dataset(per_body(Type::F32, bodies, 3)),
        spin: file.dataset(by_columns(per_body(Type::F32, bodies, 3))),
        there: file.dataset(per_body(Type::U8, bodies, 1)),
        points: file.dataset(by_columns(block(Type::F32, &[3], point_chunk))),
        cell_displacement: file.dataset(block(Type::F32, &[3], cell_chunk)),
        cell_velocity: file.dataset(block(Type::F32, &[3], cell_chunk)),
        cell_there: file.dataset(block(Type::U8, &[], cell_chunk)),
        cell_stress: file.dataset(block(Type::F32, &[6], cell_chunk)),
        cell_principal: file.dataset(block(Type::F32, &[3], cell_chunk)),
        contact_points: file.dataset(by_columns(block(Type::F32, &[3], contact_chunk))),
        gap: file.dataset(block(Type::F32, &[], contact_chunk)),
        force: file.dataset(block(Type::F32, &[3], contact_chunk)),
        normal: file.dataset(block(Type::F32, &[3], contact_chunk)),
        area: file.dataset(block(Type::F32, &[], contact_chunk)),
        friction: file.dataset(block(Type::F32, &[], contact_chunk)),
        status: file.dataset(block(Type::U8, &[], contact_chunk)),
        pair: file.dataset(block(Type::I32, &[2], contact_chunk)),
        damage: file.dataset(block(Type::F32, &[], contact_chunk)),
        slip: file.dataset(block(Type::F32, &[], contact_chunk)),
        cable_ends: file.dataset(block(Type::F32, &[3], 2 * CABLE_CHUNK)),
        cable_force: file.dataset(block(Type::F32, &[], CABLE_CHUNK)),
        cable: file.dataset(block(Type::I32, &[], CABLE_CHUNK)),
        ordinals: file.dataset(block(Type::I64, &[], contact_chunk)),
        evens: file.dataset(block(Type::I64, &[], CABLE_CHUNK)),
    };

    let root = vtk_group(&mut file, Skeleton::ROOT, "VTKHDF", "MultiBlockDataSet");
    let part_steps = bodies_part(&mut file, root, &channels, &mut constants, cast);
    contacts_part(&mut file, root, &channels, &mut constants);
    cables_part(&mut file, root, &channels, &mut constants);
    for (index, part) in fixed.iter().enumerate() {
        part.write(&mut file, root, 3 + index as i64, &channels, &mut constants);
    }
    let assembly = file.group(root, "Assembly");
    for part in ["bodies", "contacts", "cables"].into_iter().chain(fixed.iter().map(|part| part.name.as_str())) {
        file.soft_link(assembly, part, &format!("/VTKHDF/{part}"));
    }
    let steps = vtk_group(&mut file, root, "Steps", "PolyData");
    file.counter(steps, "NSteps");
    file.link(steps, "Values", channels.time);
    file.link(steps, "NumberOfParts", channels.one);
    file.link(steps, "NumberOfPoints", channels.one);
    file.link_group(steps, "Steps", part_steps);
    own_part(&mut file, &channels, &mut constants, cast, title);

    let mut writer = file.write(storage)?;
    for (id, bytes) in constants.0 {
        writer.extend(storage, id, &bytes)?;
    }
    // offsets of no cells are a zero; contacts and cables extend the lists
    writer.append(storage, vec![(channels.ordinals, ordinals(0, contact_chunk, 1))])?;
    writer.append(storage, vec![(channels.evens, ordinals(0, CABLE_CHUNK, 2))])?;
    writer.publish(storage, 0)?;
    Ok((writer, channels))
}

/// `start, start + 1, …`, `count` of them, each multiplied by `step`.
pub(crate) fn ordinals(start: u64, count: u64, step: u64) -> Vec<u8> {
    (start..start + count).flat_map(|i| (i as i64 * step as i64).to_le_bytes()).collect()
}

pub(crate) fn vtk_group(file: &mut Skeleton, parent: GroupId, name: &str, kind: &str) -> GroupId {
    let group = file.group(parent, name);
    file.integers(group, "Version", &[2, 3]);
    file.text(group, "Type", kind);
    group
}

/// The four kinds of cells of a PolyData; all but `kept` are empty.
pub(crate) fn empty_cells(
    file: &mut Skeleton,
    part: GroupId,
    kept: &str,
    channels: &Channels,
    constants: &mut Constants,
) {
    for name in ["Vertices", "Lines", "Polygons", "Strips"] {
        if name != kept {
            let group = file.group(part, name);
            file.link(group, "NumberOfCells", channels.zero);
            file.link(group, "NumberOfConnectivityIds", channels.zero);
            constants.integers(file, group, "Offsets", [0]);
            constants.integers(file, group, "Connectivity", []);
        }
    }
}

pub(crate) fn steps(
    file: &mut Skeleton,
    part: GroupId,
    channels: &Channels,
    parts: DatasetId,
    points: DatasetId,
) -> GroupId {
    let steps = file.group(part, "Steps");
    file.counter(steps, "NSteps");
    file.link(steps, "Values", channels.time);
    file.link(steps, "NumberOfParts", channels.one);
    file.link(steps, "PartOffsets", parts);
    file.link(steps, "PointOffsets", points);
    file.link(steps, "CellOffsets", channels.four_zeros);
    file.link(steps, "ConnectivityIdOffsets", channels.four_zeros);
    steps
}

/// Gives the group of steps.
fn bodies_part(
    file: &mut Skeleton,
    root: GroupId,
    channels: &Channels,
    constants: &mut Constants,
    cast: &Cast,
) -> GroupId {
    let part = vtk_group(file, root, "bodies", "PolyData");
    file.integer(part, "Index", 0);
    file.link(part, "Points", channels.points);
    let surfaces = || cast.bodies.iter().map(|body| body.surface());
    constants.integers(file, part, "NumberOfPoints", [surfaces().map(|s| s.points.len()).sum()]);

    // faces of all bodies, one after the other
    let sizes: Vec<usize> = surfaces().flat_map(|s| s.polygons.iter().map(Vec::len)).collect();
    let mut connectivity = Vec::new();
    let mut first = 0;
    for surface in surfaces() {
        connectivity.extend(surface.polygons.iter().flatten().map(|&point| first + point as usize));
        first += surface.points.len();
    }
    let polygons = file.group(part, "Polygons");
    constants.integers(file, polygons, "NumberOfCells", [sizes.len()]);
    constants.integers(file, polygons, "NumberOfConnectivityIds", [connectivity.len()]);
    constants.integers(file, polygons, "Offsets", running_sum(sizes.into_iter()));
    constants.integers(file, polygons, "Connectivity", connectivity);
    empty_cells(file, part, "Polygons", channels, constants);

    let per_cell = |value: &dyn Fn(usize) -> i32| -> Vec<i32> {
        let bodies = cast.bodies.iter().enumerate();
        bodies.flat_map(|(i, body)| std::iter::repeat_n(value(i), body.surface().polygons.len())).collect()
    };
    let bytes = |values: Vec<i32>| values.iter().flat_map(|v| v.to_le_bytes()).collect();
    let data = file.group(part, "CellData");
    constants.add(file, data, "body", Type::I32, 1, bytes(per_cell(&|i| i as i32)));
    constants.add(file, data, "material", Type::I32, 1, bytes(per_cell(&|i| cast.bodies[i].material as i32)));
    let support = per_cell(&|i| i32::from(cast.bodies[i].support)).iter().map(|&v| v as u8).collect();
    constants.add(file, data, "support", Type::U8, 1, support);
    file.link(data, "displacement", channels.cell_displacement);
    file.link(data, "velocity", channels.cell_velocity);
    file.link(data, "there", channels.cell_there);
    file.link(data, "stress", channels.cell_stress);
    file.link(data, "principal_stress", channels.cell_principal);

    let steps = steps(file, part, channels, channels.zero, channels.point_start);
    let offsets = file.group(steps, "CellDataOffsets");
    for name in ["body", "material", "support"] {
        file.link(offsets, name, channels.zero);
    }
    for name in ["displacement", "velocity", "there", "stress", "principal_stress"] {
        file.link(offsets, name, channels.cell_start);
    }
    steps
}

fn contacts_part(file: &mut Skeleton, root: GroupId, channels: &Channels, constants: &mut Constants) {
    let part = vtk_group(file, root, "contacts", "PolyData");
    file.integer(part, "Index", 1);
    file.link(part, "Points", channels.contact_points);
    file.link(part, "NumberOfPoints", channels.contact_count);
    let vertices = file.group(part, "Vertices");
    file.link(vertices, "NumberOfCells", channels.contact_count);
    file.link(vertices, "NumberOfConnectivityIds", channels.contact_count);
    file.link(vertices, "Offsets", channels.ordinals);
    file.link(vertices, "Connectivity", channels.ordinals);
    empty_cells(file, part, "Vertices", channels, constants);

    let data = file.group(part, "PointData");
    let steps = steps(file, part, channels, channels.index, channels.contact_start);
    let offsets = file.group(steps, "PointDataOffsets");
    for (name, id) in [
        ("gap", channels.gap),
        ("force", channels.force),
        ("normal", channels.normal),
        ("area", channels.area),
        ("friction", channels.friction),
        ("status", channels.status),
        ("bodies", channels.pair),
        ("damage", channels.damage),
        ("slip", channels.slip),
    ] {
        file.link(data, name, id);
        file.link(offsets, name, channels.contact_start);
    }
}

fn cables_part(file: &mut Skeleton, root: GroupId, channels: &Channels, constants: &mut Constants) {
    let part = vtk_group(file, root, "cables", "PolyData");
    file.integer(part, "Index", 2);
    file.link(part, "Points", channels.cable_ends);
    file.link(part, "NumberOfPoints", channels.cable_points);
    let lines = file.group(part, "Lines");
    file.link(lines, "NumberOfCells", channels.cable_cells);
    file.link(lines, "NumberOfConnectivityIds", channels.cable_points);
    file.link(lines, "Offsets", channels.evens);
    file.link(lines, "Connectivity", channels.ordinals);
    empty_cells(file, part, "Lines", channels, constants);

    let data = file.group(part, "CellData");
    let steps = steps(file, part, channels, channels.index, channels.cable_start);
    let offsets = file.group(steps, "CellDataOffsets");
    for (name, id) in [("force", channels.cable_force), ("cable", channels.cable)] {
        file.link(data, name, id);
        file.link(offsets, name, channels.cable_cell_start);
    }
}

fn own_part(file: &mut Skeleton, channels: &Channels, constants: &mut Constants, cast: &Cast, title: &str) {
    let own = file.group(Skeleton::ROOT, "voussoir");
    file.integer(own, "format", i64::from(FORMAT));
    file.text(own, "program", concat!("voussoir ", env!("CARGO_PKG_VERSION")));
    file.text(own, "title", title);
    file.integer(own, "dimension", cast.dimension as i64);

    let group = file.group(own, "bodies");
    constants.texts(file, group, "name", cast.bodies.iter().map(|body| body.name.as_str()));
    constants.integers(file, group, "material", cast.bodies.iter().map(|body| body.material));
    let support = cast.bodies.iter().map(|body| u8::from(body.support)).collect();
    constants.add(file, group, "support", Type::U8, 1, support);
    let mass = cast.bodies.iter().flat_map(|body| body.mass.to_le_bytes()).collect();
    constants.add(file, group, "mass", Type::F64, 1, mass);
    let volume = cast.bodies.iter().flat_map(|body| body.volume.to_le_bytes()).collect();
    constants.add(file, group, "volume", Type::F64, 1, volume);
    let surfaces = || cast.bodies.iter().map(|body| body.surface());
    let points = surfaces().flat_map(|s| s.points.iter().flatten()).flat_map(|x| x.to_le_bytes()).collect();
    constants.add(file, group, "points", Type::F64, 3, points);
    constants.integers(file, group, "point_offsets", running_sum(surfaces().map(|s| s.points.len())));
    constants.integers(file, group, "polygon_offsets", running_sum(surfaces().map(|s| s.polygons.len())));

    let group = file.group(own, "materials");
    constants.texts(file, group, "name", cast.materials.iter().map(String::as_str));

    if !cast.cables.is_empty() {
        let group = file.group(own, "cables");
        constants.texts(file, group, "name", cast.cables.iter().map(|cable| cable.name.as_str()));
        let strength = cast.cables.iter().flat_map(|c| c.strength.unwrap_or(f64::INFINITY).to_le_bytes()).collect();
        constants.add(file, group, "strength", Type::F64, 1, strength);
        let anchors = || cast.cables.iter().map(|cable| cable.anchors.as_slice());
        constants.integers(file, group, "anchors", anchors().flatten().map(|&body| body as usize));
        constants.integers(file, group, "anchor_offsets", running_sum(anchors().map(<[u32]>::len)));
    }

    let group = file.group(own, "frames");
    file.counter(group, "count");
    for (name, id) in [
        ("time", channels.time),
        ("step", channels.step),
        ("position", channels.position),
        ("rotation", channels.rotation),
        ("velocity", channels.velocity),
        ("spin", channels.spin),
        ("there", channels.there),
        ("contact_start", channels.contact_start),
        ("contact_count", channels.contact_count),
        ("cable_start", channels.cable_start),
        ("cable_points", channels.cable_points),
    ] {
        file.link(group, name, id);
    }
}

/// 0 and the sums of the first one, two, … values.
pub(crate) fn running_sum(values: impl Iterator<Item = usize>) -> Vec<usize> {
    std::iter::once(0)
        .chain(values.scan(0, |sum, value| {
            *sum += value;
            Some(*sum)
        }))
        .collect()
}
