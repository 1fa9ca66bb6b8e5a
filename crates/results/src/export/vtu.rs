//! VTK XML files: bodies, contacts and cables of every frame as unstructured grids, and an index of times (`results.pvd`).
//!
//! Readable by every ParaView since 4.0. Numbers are binary, appended after the description.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use voussoir_mechanics::snapshot::{BodySnapshot, Cast, Snapshot};

use super::{make_folder, surveyed, write_file};
use crate::Results;
use crate::error::ResultsError;
use crate::measures::BlockQuantity;
use crate::picture::escape;
use crate::vector::{place, sub};

/// Cell types of VTK.
const VERTEX: u8 = 1;
const LINE: u8 = 3;
const POLYGON: u8 = 7;

/// Writes `bodies_0000.vtu`, `contacts_0000.vtu`, where there are discs or spheres `balls_0000.vtu` (vertices with radius and
/// orientation), where there are cables `cables_0000.vtu`, … and `results.pvd` into a folder; returns the files.
pub fn write_vtu(results: &Results, frames: &[usize], dir: &Path) -> Result<Vec<PathBuf>, ResultsError> {
    make_folder(dir)?;
    let cast = results.cast();
    let first = surveyed(results, results.frame(0)?);
    let mut written = Vec::new();
    let mut index =
        String::from("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n");
    for &frame in frames {
        let snapshot = surveyed(results, results.frame(frame)?);
        let mut parts = vec![("bodies", bodies(cast, &first, &snapshot)), ("contacts", contacts(&snapshot))];
        if cast.bodies.iter().any(|body| body.ball().is_some()) {
            parts.push(("balls", balls(cast, &first, &snapshot)));
        }
        if !cast.cables.is_empty() {
            parts.push(("cables", cables(&snapshot)));
        }
        for (part, (name, grid)) in parts.into_iter().enumerate() {
            let file = format!("{name}_{frame:04}.vtu");
            let time = snapshot.time;
            let _ = writeln!(index, "<DataSet timestep=\"{time:e}\" part=\"{part}\" name=\"{name}\" file=\"{file}\"/>");
            written.push(write_file(&dir.join(file), |out| grid.write(out))?);
        }
    }
    index.push_str("</Collection>\n</VTKFile>\n");
    written.insert(0, write_file(&dir.join("results.pvd"), |out| out.write_all(index.as_bytes()))?);
    Ok(written)
}

/// A grid under construction.
#[derive(Default)]
struct Grid {
    points: usize,
    cells: usize,
    /// Elements of the description, by place.
    point_data: String,
    cell_data: String,
    geometry: String,
    topology: String,
    bytes: Vec<u8>,
}

impl Grid {
    /// Appends numbers and returns their XML element.
    fn array(&mut self, kind: &str, name: &str, width: usize, data: Vec<u8>) -> String {
        let element = format!(
            "<DataArray type=\"{kind}\" Name=\"{}\" NumberOfComponents=\"{width}\" format=\"appended\" offset=\"{}\"/>\n",
            escape(name),
            self.bytes.len()
        );
        self.bytes.extend((data.len() as u64).to_le_bytes());
        self.bytes.extend(data);
        element
    }

    fn floats(&mut self, name: &str, width: usize, values: impl Iterator<Item = f64>) -> String {
        self.array("Float64", name, width, values.flat_map(f64::to_le_bytes).collect())
    }

    fn integers(&mut self, name: &str, width: usize, values: impl Iterator<Item = i64>) -> String {
        self.array("Int64", name, width, values.flat_map(i64::to_le_bytes).collect())
    }

    fn cells(&mut self, kind: u8, polygons: impl Iterator<Item = Vec<i64>> + Clone) {
        let connectivity = self.integers("connectivity", 1, polygons.clone().flatten());
        let ends = polygons.clone().scan(0, |end, polygon| {
            *end += polygon.len() as i64;
            Some(*end)
        });
        let offsets = self.integers("offsets", 1, ends);
        self.cells = polygons.count();
        let kinds = self.array("UInt8", "types", 1, vec![kind; self.cells]);
        self.topology = connectivity + &offsets + &kinds;
    }

    fn write(self, out: &mut impl Write) -> std::io::Result<()> {
        write!(
            out,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" \
             header_type=\"UInt64\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n\
             <PointData>\n{}</PointData>\n<CellData>\n{}</CellData>\n<Points>\n{}</Points>\n<Cells>\n{}</Cells>\n\
             </Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_",
            self.points, self.cells, self.point_data, self.cell_data, self.geometry, self.topology
        )?;
        out.write_all(&self.bytes)?;
        out.write_all(b"\n</AppendedData>\n</VTKFile>\n")
    }
}

/// Faces of all bodies.
fn bodies(cast: &Cast, first: &Snapshot, snapshot: &Snapshot) -> Grid {
    let mut grid = Grid::default();
    // absent bodies are reduced to a point
    let at = |now: &BodySnapshot, point| if now.absent { now.position } else { place(now, point) };
    let points = snapshot
        .bodies
        .iter()
        .enumerate()
        .flat_map(|(i, now)| snapshot.points_of(cast, i).iter().map(move |&point| at(now, point)));
    grid.points = points.clone().count();
    grid.geometry = grid.floats("points", 3, points.flatten());
    let starts: Vec<i64> = cast
        .bodies
        .iter()
        .scan(0, |start, body| {
            let own = *start;
            *start += body.surface().points.len() as i64;
            Some(own)
        })
        .collect();
    let polygons = cast.bodies.iter().zip(&starts).flat_map(|(body, &start)| {
        let corners = move |polygon: &Vec<u32>| polygon.iter().map(|&corner| start + i64::from(corner)).collect();
        body.surface().polygons.iter().map(corners)
    });
    grid.cells(POLYGON, polygons);

    // one value per body, repeated for its faces
    let faces: Vec<usize> =
        cast.bodies.iter().enumerate().flat_map(|(i, b)| std::iter::repeat_n(i, b.surface().polygons.len())).collect();
    grid.cell_data = body_data(&mut grid, cast, first, snapshot, &faces);
    for (field, info) in cast.features.point_fields.iter().enumerate() {
        let mut deformed = snapshot.deformed.iter().peekable();
        let values = cast.bodies.iter().enumerate().flat_map(|(i, body)| {
            let own = deformed.next_if(|one| one.body as usize == i).and_then(|one| one.values.get(field));
            own.cloned().unwrap_or_else(|| vec![f64::NAN; body.surface().points.len()])
        });
        let values: Vec<f64> = values.collect();
        let element = grid.floats(&info.name, 1, values.into_iter());
        grid.point_data += &element;
    }
    grid
}

/// One vertex per disc or sphere.
fn balls(cast: &Cast, first: &Snapshot, snapshot: &Snapshot) -> Grid {
    let mut grid = Grid::default();
    let all: Vec<usize> = (0..cast.bodies.len()).filter(|&i| cast.bodies[i].ball().is_some()).collect();
    grid.points = all.len();
    grid.geometry = grid.floats("points", 3, all.iter().flat_map(|&i| snapshot.bodies[i].position));
    grid.cells(VERTEX, (0..all.len() as i64).map(|i| vec![i]));
    let radius = |i: usize| if snapshot.bodies[i].absent { 0.0 } else { cast.bodies[i].ball().unwrap_or(0.0) };
    let radii = grid.floats("radius", 1, all.iter().map(|&i| radius(i)));
    let turns = all.iter().flat_map(|&i| {
        let [x, y, z, w] = snapshot.bodies[i].rotation;
        [w, x, y, z]
    });
    let orientation = grid.floats("orientation", 4, turns);
    grid.point_data = radii + &orientation + &body_data(&mut grid, cast, first, snapshot, &all);
    grid
}

/// Values of bodies, one row for each of `owners`.
fn body_data(grid: &mut Grid, cast: &Cast, first: &Snapshot, snapshot: &Snapshot, owners: &[usize]) -> String {
    let each = || owners.iter().copied();
    let mut data = grid.integers("body", 1, each().map(|i| i as i64));
    data += &grid.integers("material", 1, each().map(|i| cast.bodies[i].material as i64));
    data += &grid.integers("there", 1, each().map(|i| i64::from(!snapshot.bodies[i].absent)));
    data += &grid.integers("support", 1, each().map(|i| i64::from(cast.bodies[i].support)));
    let moved = each().flat_map(|i| sub(snapshot.bodies[i].position, first.bodies[i].position));
    data += &grid.floats("displacement", 3, moved);
    data += &grid.floats("velocity", 3, each().flat_map(|i| snapshot.bodies[i].velocity));
    for quantity in
        [BlockQuantity::Pressure, BlockQuantity::Stress, BlockQuantity::Use, BlockQuantity::Damage, BlockQuantity::Slip]
    {
        let values = quantity.values(cast, first, snapshot).unwrap_or_default();
        let name = match quantity {
            BlockQuantity::Pressure => "mean_pressure",
            BlockQuantity::Stress => "principal_compression",
            BlockQuantity::Use => "joint_use",
            BlockQuantity::Slip => "slip",
            _ => "damage",
        };
        data += &grid.floats(name, 1, each().map(|i| values.get(i).copied().unwrap_or(f64::NAN)));
    }
    for (info, values) in cast.features.body_fields.iter().zip(&snapshot.body_fields) {
        data += &grid.floats(&info.name, 1, each().map(|i| values.get(i).copied().unwrap_or(f64::NAN)));
    }
    data
}

/// One vertex per contact.
fn contacts(snapshot: &Snapshot) -> Grid {
    let mut grid = Grid::default();
    let all = || snapshot.contacts.iter();
    grid.points = snapshot.contacts.len();
    grid.geometry = grid.floats("points", 3, all().flat_map(|c| c.position));
    grid.cells(VERTEX, (0..snapshot.contacts.len() as i64).map(|i| vec![i]));
    let mut data = grid.floats("gap", 1, all().map(|c| c.gap));
    data += &grid.floats("force", 3, all().flat_map(|c| c.force));
    data += &grid.floats("normal", 3, all().flat_map(|c| c.normal));
    data += &grid.floats("area", 1, all().map(|c| c.area));
    data += &grid.floats("friction", 1, all().map(|c| c.friction));
    data += &grid.floats("damage", 1, all().map(|c| c.damage));
    data += &grid.floats("slip", 1, all().map(|c| c.slip));
    data += &grid.integers("status", 1, all().map(|c| i64::from(c.status)));
    data += &grid.integers("bodies", 2, all().flat_map(|c| c.bodies.map(i64::from)));
    grid.point_data = data;
    grid
}

/// One line per straight segment of a cable.
fn cables(snapshot: &Snapshot) -> Grid {
    let mut grid = Grid::default();
    let pieces: Vec<(usize, f64, &[[f64; 3]])> = snapshot
        .cables
        .iter()
        .enumerate()
        .flat_map(|(index, cable)| cable.points.windows(2).map(move |ends| (index, cable.force, ends)))
        .collect();
    grid.points = 2 * pieces.len();
    grid.geometry = grid.floats("points", 3, pieces.iter().flat_map(|(_, _, ends)| ends.iter().flatten().copied()));
    grid.cells(LINE, (0..pieces.len() as i64).map(|i| vec![2 * i, 2 * i + 1]));
    let mut data = grid.floats("force", 1, pieces.iter().map(|(_, force, _)| *force));
    data += &grid.integers("cable", 1, pieces.iter().map(|(index, _, _)| *index as i64));
    grid.cell_data = data;
    grid
}
