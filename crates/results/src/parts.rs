//! The parts of `results.vtkhdf` that VTK reads: bodies, balls, contacts and cables, each a PolyData.

use voussoir_hdf5::skeleton::{GroupId, Skeleton};
use voussoir_hdf5::writer::DatasetId;
use voussoir_mechanics::snapshot::Cast;

use crate::channels::{BallChannels, Channels};
use crate::layout::Constants;
use crate::lists::Lists;

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

/// Polygons of all bodies; gives the group of steps.
pub(crate) fn bodies(
    file: &mut Skeleton,
    root: GroupId,
    channels: &Channels,
    lists: &Lists,
    constants: &mut Constants,
    cast: &Cast,
) -> GroupId {
    let part = vtk_group(file, root, "bodies", "PolyData");
    file.integer(part, "Index", 0);
    file.link(part, "Points", channels.points);
    file.link(part, "NumberOfPoints", lists.version_points);
    let polygons = file.group(part, "Polygons");
    file.link(polygons, "NumberOfCells", lists.version_polygons);
    file.link(polygons, "NumberOfConnectivityIds", lists.version_corners);
    file.link(polygons, "Offsets", lists.corner_offsets);
    file.link(polygons, "Connectivity", lists.corners);
    empty_cells(file, part, "Polygons", channels, constants);

    let steps = steps(file, part, channels, version(channels), channels.point_start);
    let constant = [("body", lists.cell_body), ("material", lists.cell_material), ("support", lists.cell_support)];
    let changing = [
        ("displacement", channels.cell_displacement),
        ("velocity", channels.cell_velocity),
        ("there", channels.cell_there),
        ("stress", channels.cell_stress),
        ("principal_stress", channels.cell_principal),
    ];
    let named = cast.features.body_fields.iter().zip(&channels.body_fields);
    let declared = named.map(|(field, ids)| (field.name.as_str(), ids.cells));
    data(file, part, steps, "CellData", constant, channels.zero);
    data(file, part, steps, "CellData", changing.into_iter().chain(declared), channels.cell_start);
    let declared = cast.features.point_fields.iter().map(|field| field.name.as_str());
    let declared = declared.zip(channels.point_fields.iter().copied());
    data(file, part, steps, "PointData", declared, channels.point_start);
    steps
}

/// Discs and spheres, one vertex each.
pub(crate) fn balls(
    file: &mut Skeleton,
    root: GroupId,
    channels: &Channels,
    balls: &BallChannels,
    lists: &Lists,
    constants: &mut Constants,
    cast: &Cast,
) {
    let part = vtk_group(file, root, "balls", "PolyData");
    file.integer(part, "Index", 3);
    file.link(part, "Points", balls.points);
    file.link(part, "NumberOfPoints", lists.version_balls);
    let vertices = file.group(part, "Vertices");
    file.link(vertices, "NumberOfCells", lists.version_balls);
    file.link(vertices, "NumberOfConnectivityIds", lists.version_balls);
    file.link(vertices, "Offsets", channels.ordinals);
    file.link(vertices, "Connectivity", channels.ordinals);
    empty_cells(file, part, "Vertices", channels, constants);

    let steps = steps(file, part, channels, version(channels), balls.start);
    let constant = [("body", lists.ball_body), ("material", lists.ball_material), ("support", lists.ball_support)];
    let changing = [
        ("radius", balls.radius),
        ("orientation", balls.orientation),
        ("displacement", balls.displacement),
        ("velocity", balls.velocity),
        ("there", balls.there),
        ("stress", balls.stress),
        ("principal_stress", balls.principal),
    ];
    let named = cast.features.body_fields.iter().zip(&channels.body_fields);
    let declared = named.filter_map(|(field, ids)| Some((field.name.as_str(), ids.balls?)));
    data(file, part, steps, "PointData", constant, channels.zero);
    data(file, part, steps, "PointData", changing.into_iter().chain(declared), balls.start);
}

/// Which row of the numbers of points and cells holds, per frame.
fn version(channels: &Channels) -> DatasetId {
    channels.growth.as_ref().map_or(channels.zero, |growth| growth.version)
}

/// Arrays of a part, whose rows of a frame start where `start` says.
fn data<'a>(
    file: &mut Skeleton,
    part: GroupId,
    steps: GroupId,
    kind: &str,
    arrays: impl IntoIterator<Item = (&'a str, DatasetId)>,
    start: DatasetId,
) {
    let mut arrays = arrays.into_iter().peekable();
    if arrays.peek().is_none() {
        return;
    }
    let group = file.subgroup(part, kind);
    let offsets = file.subgroup(steps, &format!("{kind}Offsets"));
    for (name, id) in arrays {
        file.link(group, name, id);
        file.link(offsets, name, start);
    }
}

/// One vertex per contact.
pub(crate) fn contacts(file: &mut Skeleton, root: GroupId, channels: &Channels, constants: &mut Constants) {
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

    let steps = steps(file, part, channels, channels.index, channels.contact_start);
    let arrays = [
        ("gap", channels.gap),
        ("force", channels.force),
        ("normal", channels.normal),
        ("area", channels.area),
        ("friction", channels.friction),
        ("status", channels.status),
        ("bodies", channels.pair),
        ("damage", channels.damage),
        ("slip", channels.slip),
    ];
    data(file, part, steps, "PointData", arrays, channels.contact_start);
}

/// One line per straight piece of a cable.
pub(crate) fn cables(file: &mut Skeleton, root: GroupId, channels: &Channels, constants: &mut Constants) {
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

    let steps = steps(file, part, channels, channels.index, channels.cable_start);
    let arrays = [("force", channels.cable_force), ("cable", channels.cable)];
    data(file, part, steps, "CellData", arrays, channels.cable_cell_start);
}
