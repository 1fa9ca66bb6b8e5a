//! Parts of a recording that are the same in every frame: points or lines with numbers, such as thrust lines and joints.

use serde::{Deserialize, Serialize};

use voussoir_hdf5::message::Type;
use voussoir_hdf5::skeleton::{GroupId, Skeleton};

use crate::channels::Channels;
use crate::layout::{Constants, running_sum};
use crate::parts::{empty_cells, steps, vtk_group};

/// A part besides bodies, contacts and cables.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FixedPart {
    /// Its name in the file.
    pub name: String,
    /// Points [m].
    pub points: Vec<[f64; 3]>,
    /// Lines as numbers of points; without lines every point is a vertex.
    pub lines: Vec<Vec<usize>>,
    /// Numbers at points: name, numbers per point, values.
    pub point_data: Vec<(String, usize, Vec<f64>)>,
    /// Whole numbers of lines: name, values.
    pub line_data: Vec<(String, Vec<i32>)>,
}

impl FixedPart {
    /// Writes the part as PolyData number `index`.
    pub(crate) fn write(
        &self,
        file: &mut Skeleton,
        root: GroupId,
        index: i64,
        channels: &Channels,
        constants: &mut Constants,
    ) {
        let part = vtk_group(file, root, &self.name, "PolyData");
        file.integer(part, "Index", index);
        let floats = |values: &mut dyn Iterator<Item = f64>| values.flat_map(|x| (x as f32).to_le_bytes()).collect();
        let bytes = floats(&mut self.points.iter().flatten().copied());
        constants.add(file, part, "Points", Type::F32, 3, bytes);
        constants.integers(file, part, "NumberOfPoints", [self.points.len()]);
        let vertices: Vec<Vec<usize>> = (0..self.points.len()).map(|point| vec![point]).collect();
        let (kind, cells) = if self.lines.is_empty() { ("Vertices", &vertices) } else { ("Lines", &self.lines) };
        let group = file.group(part, kind);
        constants.integers(file, group, "NumberOfCells", [cells.len()]);
        constants.integers(file, group, "NumberOfConnectivityIds", [cells.iter().map(Vec::len).sum()]);
        constants.integers(file, group, "Offsets", running_sum(cells.iter().map(Vec::len)));
        constants.integers(file, group, "Connectivity", cells.iter().flatten().copied());
        empty_cells(file, part, kind, channels, constants);

        let steps = steps(file, part, channels, channels.zero, channels.zero);
        let data = file.group(part, "PointData");
        let offsets = file.group(steps, "PointDataOffsets");
        for (name, width, values) in &self.point_data {
            constants.add(file, data, name, Type::F32, *width as u64, floats(&mut values.iter().copied()));
            file.link(offsets, name, channels.zero);
        }
        let data = file.group(part, "CellData");
        let offsets = file.group(steps, "CellDataOffsets");
        for (name, values) in &self.line_data {
            let bytes = values.iter().flat_map(|v| v.to_le_bytes()).collect();
            constants.add(file, data, name, Type::I32, 1, bytes);
            file.link(offsets, name, channels.zero);
        }
    }
}
