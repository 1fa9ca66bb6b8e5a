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

/// Arrays of a part: its points, and the cells of its only kind.
struct Mesh<'a> {
    name: &'a str,
    index: i64,
    points: DatasetId,
    point_count: DatasetId,
    cells: &'a str,
    cell_count: DatasetId,
    connectivity_count: DatasetId,
    offsets: DatasetId,
    connectivity: DatasetId,
}

/// Adds a PolyData with one kind of cells.
fn poly_data(
    file: &mut Skeleton,
    root: GroupId,
    mesh: &Mesh<'_>,
    channels: &Channels,
    constants: &mut Constants,
) -> GroupId {
    let part = vtk_group(file, root, mesh.name, "PolyData");
    file.integer(part, "Index", mesh.index);
    file.link(part, "Points", mesh.points);
    file.link(part, "NumberOfPoints", mesh.point_count);
    let cells = file.group(part, mesh.cells);
    file.link(cells, "NumberOfCells", mesh.cell_count);
    file.link(cells, "NumberOfConnectivityIds", mesh.connectivity_count);
    file.link(cells, "Offsets", mesh.offsets);
    file.link(cells, "Connectivity", mesh.connectivity);
    empty_cells(file, part, mesh.cells, channels, constants);
    part
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

/// Polygons of all bodies; returns the group of steps.
pub(crate) fn bodies(
    file: &mut Skeleton,
    root: GroupId,
    channels: &Channels,
    lists: &Lists,
    constants: &mut Constants,
    cast: &Cast,
) -> GroupId {
    let mesh = Mesh {
        name: "bodies",
        index: 0,
        points: channels.points,
        point_count: lists.version_points,
        cells: "Polygons",
        cell_count: lists.version_polygons,
        connectivity_count: lists.version_corners,
        offsets: lists.corner_offsets,
        connectivity: lists.corners,
    };
    let part = poly_data(file, root, &mesh, channels, constants);

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
    let mesh = Mesh {
        name: "balls",
        index: 3,
        points: balls.points,
        point_count: lists.version_balls,
        cells: "Vertices",
        cell_count: lists.version_balls,
        connectivity_count: lists.version_balls,
        offsets: channels.ordinals,
        connectivity: channels.ordinals,
    };
    let part = poly_data(file, root, &mesh, channels, constants);

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

/// For each frame the row of its numbers of points and cells.
fn version(channels: &Channels) -> DatasetId {
    channels.growth.as_ref().map_or(channels.zero, |growth| growth.version)
}

/// Arrays of a part; `start` has the first row of each frame.
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
    let mesh = Mesh {
        name: "contacts",
        index: 1,
        points: channels.contact_points,
        point_count: channels.contact_count,
        cells: "Vertices",
        cell_count: channels.contact_count,
        connectivity_count: channels.contact_count,
        offsets: channels.ordinals,
        connectivity: channels.ordinals,
    };
    let part = poly_data(file, root, &mesh, channels, constants);

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
        ("pressure", channels.pressure),
        ("utilisation", channels.utilisation),
    ];
    data(file, part, steps, "PointData", arrays, channels.contact_start);
}

/// One line per straight piece of a cable.
pub(crate) fn cables(file: &mut Skeleton, root: GroupId, channels: &Channels, constants: &mut Constants) {
    let mesh = Mesh {
        name: "cables",
        index: 2,
        points: channels.cable_ends,
        point_count: channels.cable_points,
        cells: "Lines",
        cell_count: channels.cable_cells,
        connectivity_count: channels.cable_points,
        offsets: channels.evens,
        connectivity: channels.ordinals,
    };
    let part = poly_data(file, root, &mesh, channels, constants);

    let steps = steps(file, part, channels, channels.index, channels.cable_start);
    let arrays = [("force", channels.cable_force), ("cable", channels.cable)];
    data(file, part, steps, "CellData", arrays, channels.cable_cell_start);
}
