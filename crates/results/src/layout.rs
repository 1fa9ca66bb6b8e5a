//! The structure of `results.vtkhdf`.
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
//!     CellData/…                scalars of bodies that the analysis declared, PointData/… those at points (NaN where
//!                               a body is not deformed)
//!   balls/                      PolyData, one vertex per disc or sphere; only where there are any, or may appear
//!     Points                    centre [m]                PointData/radius    [m], 0 while the body is not there
//!     PointData/orientation     quaternion (w, x, y, z), as the glyphs of VTK want it
//!     PointData/…               body, material, support, there, displacement, velocity, stress, principal_stress and
//!                               declared scalars, as on the faces of `bodies`
//!   contacts/                   PolyData, one vertex per contact, as many as the frame has
//!     Points                    [m]                       PointData/gap       > 0 is apart [m]
//!     PointData/force           on the candidate [N]      PointData/normal    from antagonist to candidate
//!     PointData/area            [m²]                      PointData/friction  coefficient
//!     PointData/status          0 open, 1 stick, 2 slide  PointData/bodies    candidate, antagonist
//!     PointData/damage          of a bond: 0 sound … 1 broken
//!     PointData/slip            way that it slid since its bodies came near each other [m]
//!     PointData/pressure        normal force over area [Pa]
//!     PointData/utilisation     friction used, ‖T‖/(μN): 1 slides
//!   cables/                     PolyData, one line per straight piece, as many as the frame has
//!     Points                    [m], two per piece        CellData/force      tension [N]
//!     CellData/cable            index of the cable
//!   …/                          parts that do not change, if the recorder was given any: of an analysis without
//!                               time `thrust` (PointData/force, eccentricity, friction_use; CellData/line) and
//!                               `joints` (PointData/force, eccentricity, friction_use, area, stress, compression_use,
//!                               state; NaN where a joint has no stress or no strength)
//!   Assembly/                   links to all parts
//!   Steps/                      how many frames, for readers of the whole
//! /voussoir                     @format, @program, @title, @dimension
//!   origin                      of all positions of the file, in survey coordinates [m]; only where it is not zero
//!   bodies/                     name, material, support, mass [kg], volume [m³], radius of a ball [m] (0 for
//!                               polygons), points (body axes, [m], f64), point_offsets, polygon_offsets (one more
//!                               than bodies)
//!   materials/name
//!   status/name                 names of the codes of PointData/status: open, stick, slide
//!   joint_state/name            names of the codes of PointData/state of `joints`
//!   cables/                     name, strength [N] (infinite where there is none), anchors (bodies of cable i:
//!                               anchors[anchor_offsets[i]..anchor_offsets[i + 1]]); only where there are cables
//!   frames/                     @count; time [s], step, position [m] and rotation (x, y, z, w) of every
//!                               body (frames × bodies × 3 or 4, f64), velocity and spin (f32), there (1 or 0),
//!                               contact_start (first row in /VTKHDF/contacts), contact_count,
//!                               cable_start (first row of /VTKHDF/cables/Points), cable_points,
//!                               point_start (first row of /VTKHDF/bodies/Points); body_count where bodies may appear
//!   deformed/                   only where bodies may be deformed. Bodies of frame k: body[body_start[k]..] and
//!                               body_count[k]; displacement of their points from the form in /voussoir/bodies (body
//!                               axes, [m], f32): from row point_start[k] on, body after body
//!   fields/                     point_name, point_unit, body_name, body_unit of declared scalars; body/NAME (frames ×
//!                               bodies, f32)
//! ```
//!
//! Bodies that appear in a run are added at the end of all lists; indices are never used again. Arrays with one entry
//! per body grow in their second extent, and `body_count` is the number of entries of a frame. The polygons of a frame
//! are the first ones of the list: their number is in `NumberOfPoints` and `NumberOfCells` at the row that
//! `PartOffsets` gives.
//!
//! A `PartitionedDataSetCollection` would be as good, but VTK 9.6 and 9.7 then forget the number of frames when
//! they are asked for it before the data (`RequestDataObject` looks for it in `/VTKHDF/Steps`, which a
//! collection cannot have). With `/VTKHDF/Steps` in a `MultiBlockDataSet`, VTK 9.4 to 9.7 read all frames in
//! any order. VTK 9.4 treats that group as a part; therefore it has a type and `Steps` of its own.
//!
//! Every frame starts a new chunk, so that one frame is read without its neighbours. Arrays that VTK needs several
//! times (for example offsets that are all zero) are one dataset with several names.

use std::io;

use voussoir_hdf5::message::Type;
use voussoir_hdf5::skeleton::{GroupId, Skeleton};
use voussoir_hdf5::storage::Storage;
use voussoir_hdf5::writer::{DatasetId, Writer};
use voussoir_mechanics::snapshot::{Cast, FieldInfo};

use crate::channels::{CABLE_CHUNK, Channels, block, list_chunk};
use crate::fixed::FixedPart;
use crate::lists::{Lists, Totals};
use crate::parts;

/// Names of the codes of the status of contacts.
const STATUS_NAMES: [&str; 3] = ["open", "stick", "slide"];

/// Names of the codes of the state of joints of static results.
const JOINT_STATE_NAMES: [&str; 5] = ["idle", "carries", "hinge", "slips", "hinge-slips"];

/// Format number of the group `/voussoir`.
pub(crate) const FORMAT: u32 = 3;
/// The oldest format that can be read; it has neither balls nor bodies that appear.
pub(crate) const OLDEST_FORMAT: u32 = 2;

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
        let id = file.dataset(block(element, &tail, list_chunk(rows, false)));
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

/// Writes a new file without frames.
pub(crate) fn create(
    storage: &mut impl Storage,
    cast: &Cast,
    title: &str,
    fixed: &[FixedPart],
) -> io::Result<(Writer, Channels, Lists)> {
    let mut file = Skeleton::default();
    let mut constants = Constants(Vec::new());
    let channels = Channels::new(&mut file, cast);
    let lists = Lists::new(&mut file, cast);

    let root = parts::vtk_group(&mut file, Skeleton::ROOT, "VTKHDF", "MultiBlockDataSet");
    let part_steps = parts::bodies(&mut file, root, &channels, &lists, &mut constants, cast);
    parts::contacts(&mut file, root, &channels, &mut constants);
    parts::cables(&mut file, root, &channels, &mut constants);
    let mut names = vec!["bodies", "contacts", "cables"];
    if let Some(balls) = &channels.balls {
        parts::balls(&mut file, root, &channels, balls, &lists, &mut constants, cast);
        names.push("balls");
    }
    for part in fixed {
        part.write(&mut file, root, names.len() as i64, &channels, &mut constants);
        names.push(&part.name);
    }
    let assembly = file.group(root, "Assembly");
    for part in names {
        file.soft_link(assembly, part, &format!("/VTKHDF/{part}"));
    }
    let steps = parts::vtk_group(&mut file, root, "Steps", "PolyData");
    file.counter(steps, "NSteps");
    file.link(steps, "Values", channels.time);
    file.link(steps, "NumberOfParts", channels.one);
    file.link(steps, "NumberOfPoints", channels.one);
    file.link_group(steps, "Steps", part_steps);
    own_part(&mut file, &channels, &lists, &mut constants, cast, title);

    let mut writer = file.write(storage)?;
    for (id, bytes) in constants.0 {
        writer.extend(storage, id, &bytes)?;
    }
    for (id, bytes) in lists.zeros().into_iter().chain(lists.rows(&cast.bodies, Totals::default())) {
        writer.extend(storage, id, &bytes)?;
    }
    // offsets of no cells are a zero; contacts and cables extend the lists
    let count = writer.chunk_rows(channels.ordinals);
    writer.append(storage, vec![(channels.ordinals, ordinals(0, count, 1))])?;
    writer.append(storage, vec![(channels.evens, ordinals(0, CABLE_CHUNK, 2))])?;
    writer.publish(storage, 0)?;
    Ok((writer, channels, lists))
}

/// `start, start + 1, …`, `count` of them, each multiplied by `step`.
pub(crate) fn ordinals(start: u64, count: u64, step: u64) -> Vec<u8> {
    (start..start + count).flat_map(|i| (i as i64 * step as i64).to_le_bytes()).collect()
}

fn own_part(
    file: &mut Skeleton,
    channels: &Channels,
    lists: &Lists,
    constants: &mut Constants,
    cast: &Cast,
    title: &str,
) {
    let own = file.group(Skeleton::ROOT, "voussoir");
    file.integer(own, "format", i64::from(FORMAT));
    file.text(own, "program", concat!("voussoir ", env!("CARGO_PKG_VERSION")));
    file.text(own, "title", title);
    file.integer(own, "dimension", cast.dimension as i64);

    if cast.origin != [0.0; 3] {
        let bytes = cast.origin.iter().flat_map(|x| x.to_le_bytes()).collect();
        constants.add(file, own, "origin", Type::F64, 1, bytes);
    }
    let group = file.group(own, "bodies");
    lists.link(file, group);
    let group = file.group(own, "materials");
    constants.texts(file, group, "name", cast.materials.iter().map(String::as_str));
    for (name, codes) in [("status", &STATUS_NAMES[..]), ("joint_state", &JOINT_STATE_NAMES[..])] {
        let group = file.group(own, name);
        constants.texts(file, group, "name", codes.iter().copied());
    }
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
        ("point_start", channels.point_start),
    ] {
        file.link(group, name, id);
    }
    if let Some(growth) = &channels.growth {
        file.link(group, "body_count", growth.bodies);
    }
    if let Some(deformation) = &channels.deformation {
        let group = file.group(own, "deformed");
        file.link(group, "body_start", deformation.body_start);
        file.link(group, "body_count", deformation.body_count);
        file.link(group, "point_start", deformation.point_start);
        file.link(group, "body", deformation.body);
        file.link(group, "displacement", deformation.displacement);
    }
    fields(file, own, channels, constants, cast);
}

/// Names and units of declared scalars, and those of bodies.
fn fields(file: &mut Skeleton, own: GroupId, channels: &Channels, constants: &mut Constants, cast: &Cast) {
    let features = &cast.features;
    if features.point_fields.is_empty() && features.body_fields.is_empty() {
        return;
    }
    let group = file.group(own, "fields");
    for (kind, fields) in [("point", &features.point_fields), ("body", &features.body_fields)] {
        let mut list = |what: &str, of: fn(&FieldInfo) -> &str| {
            constants.texts(file, group, &format!("{kind}_{what}"), fields.iter().map(of));
        };
        list("name", |field| &field.name);
        list("unit", |field| &field.unit);
    }
    let bodies = file.group(group, "body");
    for (field, ids) in features.body_fields.iter().zip(&channels.body_fields) {
        file.link(bodies, &field.name, ids.values);
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
