//! The entities of a drawing as surfaces and outlines, by layer; references to blocks are followed.

use std::collections::{BTreeMap, HashMap};

use voussoir_geometry::glam::{DAffine3, DMat3, DVec2, DVec3};

use super::outline::{Corner, Outline, axes, light_polyline, normal};
use super::pairs::DxfEntity;
use crate::import::ImportError;
use crate::mesh::Mesh;

/// Largest nesting depth of blocks.
const DEEPEST_NESTING: usize = 16;
/// Largest number of entities of a drawing, with references followed.
const MOST_ENTITIES: usize = 2_000_000;

/// Prefix of the names of layers with results.
pub(super) const RESULTS: &str = "voussoir-";

/// Surfaces and outlines of a drawing.
#[derive(Debug, Default)]
pub struct Drawing {
    /// Faces that may belong together, by layer.
    pub loose: BTreeMap<String, Mesh>,
    /// Separate meshes, with their layer.
    pub meshes: Vec<(String, Mesh)>,
    /// Closed polylines.
    pub outlines: Vec<Drawn>,
    /// Circles: layer, centre, radius.
    pub circles: Vec<(String, DVec3, f64)>,
    /// Lines: layer, ends.
    pub lines: Vec<(String, [DVec3; 2])>,
    /// Unsupported entities with their counts.
    pub unused: BTreeMap<String, usize>,
    entities: usize,
}

/// A closed polyline in space.
#[derive(Clone, Debug)]
pub struct Drawn {
    pub layer: String,
    pub points: Vec<DVec3>,
    /// Unit normal of its plane in the drawing.
    pub normal: DVec3,
    /// Thickness in the drawing, if any.
    pub thickness: f64,
    pub arcs: bool,
}

/// The definitions of blocks by name.
pub type Definitions<'a> = HashMap<&'a str, Vec<DxfEntity<'a>>>;

/// Placement of a block by a reference.
#[derive(Clone, Copy)]
struct Here<'a> {
    place: DAffine3,
    /// The layer of the reference, for entities on layer 0.
    layer: Option<&'a str>,
    depth: usize,
}

impl Drawing {
    /// Adds some entities.
    pub fn gather(entities: &[DxfEntity<'_>], definitions: &Definitions<'_>) -> Result<Self, ImportError> {
        let mut drawing = Self::default();
        drawing.all(entities, definitions, Here { place: DAffine3::IDENTITY, layer: None, depth: 0 })?;
        Ok(drawing)
    }

    fn all(&mut self, entities: &[DxfEntity<'_>], blocks: &Definitions<'_>, here: Here<'_>) -> Result<(), ImportError> {
        let mut i = 0;
        while let Some(entity) = entities.get(i) {
            i += 1;
            self.entities += 1;
            if self.entities > MOST_ENTITIES {
                return Err(entity.error(format!("more than {MOST_ENTITIES} entities, including those of references")));
            }
            let layer = here.layer_of(entity);
            match entity.kind {
                "3DFACE" => self.face(entity, layer, here)?,
                "LWPOLYLINE" => {
                    let outline = light_polyline(entity)?;
                    if entity.integer(70)? & 1 == 1 || outline.returns() {
                        self.outline(outline, layer, here);
                    } else {
                        self.open("LWPOLYLINE", layer);
                    }
                }
                "POLYLINE" => {
                    let own = entities[i..].iter().take_while(|e| e.kind == "VERTEX").count();
                    self.polyline(entity, &entities[i..i + own], layer, here)?;
                    i += own;
                }
                "CIRCLE" | "LINE" => self.curve(entity, layer, here)?,
                "INSERT" => self.insert(entity, blocks, here)?,
                "SEQEND" | "ATTRIB" => {}
                other => self.unused(other),
            }
        }
        Ok(())
    }

    /// A circle or a line; both need drawings that are read in two dimensions.
    fn curve(&mut self, entity: &DxfEntity<'_>, layer: &str, here: Here<'_>) -> Result<(), ImportError> {
        let Some(start) = entity.point(10)? else { return Err(entity.error("its first point is missing")) };
        if entity.kind == "LINE" {
            let Some(end) = entity.point(11)? else { return Err(entity.error("its second point is missing")) };
            self.lines.push((layer.to_owned(), [start, end].map(|p| here.place.transform_point3(p))));
            return Ok(());
        }
        let Some(radius) = entity.number(40)?.filter(|radius| *radius > 0.0) else {
            return Err(entity.error("its radius must be above zero"));
        };
        let [x, y] = axes(normal(entity)?);
        let centre = x * start.x + y * start.y + normal(entity)? * start.z;
        let size = here.place.transform_vector3(x * radius).length();
        self.circles.push((layer.to_owned(), here.place.transform_point3(centre), size));
        Ok(())
    }

    /// An open polyline, which is not a block. On a layer of results it is a thrust line.
    fn open(&mut self, kind: &str, layer: &str) {
        if layer.starts_with(RESULTS) {
            self.unused("polyline of results");
        } else {
            self.unused(&format!("open {kind}"));
        }
    }

    fn unused(&mut self, what: &str) {
        *self.unused.entry(what.chars().take(40).collect()).or_default() += 1;
    }

    /// Three or four corners.
    fn face(&mut self, entity: &DxfEntity<'_>, layer: &str, here: Here<'_>) -> Result<(), ImportError> {
        let mut corners = Vec::with_capacity(4);
        for code in 10..14 {
            match entity.point(code)? {
                Some(point) if corners.last() != Some(&point) => corners.push(point),
                Some(_) => {}
                None if code == 13 => {}
                None => return Err(entity.error(format!("corner {} is missing", code - 9))),
            }
        }
        if corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
        if corners.len() < 3 {
            self.unused("3DFACE without area");
            return Ok(());
        }
        let mesh = self.loose.entry(layer.to_owned()).or_default();
        push(mesh, entity, corners.into_iter().map(|p| here.place.transform_point3(p)))
    }

    /// Polyface meshes, polygon meshes, closed polylines.
    fn polyline(
        &mut self,
        head: &DxfEntity<'_>,
        vertices: &[DxfEntity<'_>],
        layer: &str,
        here: Here<'_>,
    ) -> Result<(), ImportError> {
        let flags = head.integer(70)?;
        if flags & 64 != 0 {
            let mesh = polyface(vertices, here.place)?;
            if mesh.faces() == 0 {
                self.unused("polyface mesh without faces");
            } else {
                self.meshes.push((layer.to_owned(), mesh));
            }
        } else if flags & 16 != 0 {
            let mesh = polygon_mesh(head, vertices, flags, here.place)?;
            self.meshes.push((layer.to_owned(), mesh));
        } else if flags & 8 != 0 {
            let points: Vec<DVec3> =
                vertices.iter().map(|v| Ok(v.point(10)?.unwrap_or_default())).collect::<Result<_, ImportError>>()?;
            if flags & 1 == 1 || points.len() > 3 && points.first() == points.last() {
                self.closed_in_space(points, layer, here);
            } else {
                self.open("POLYLINE", layer);
            }
        } else {
            let mut outline = Outline {
                elevation: head.number(30)?.unwrap_or(0.0),
                thickness: head.number(39)?.unwrap_or(0.0),
                normal: normal(head)?,
                corners: Vec::new(),
            };
            // vertices of a fitted spline's frame are not on the curve
            for vertex in vertices.iter() {
                if vertex.integer(70)? & 16 == 0 {
                    let at = vertex.point(10)?.unwrap_or_default();
                    let bulge = vertex.number(42)?.unwrap_or(0.0);
                    outline.corners.push(Corner { at: DVec2::new(at.x, at.y), bulge });
                }
            }
            if flags & 1 == 1 || outline.returns() {
                self.outline(outline, layer, here);
            } else {
                self.open("POLYLINE", layer);
            }
        }
        Ok(())
    }

    fn outline(&mut self, outline: Outline, layer: &str, here: Here<'_>) {
        let points: Vec<DVec3> = outline.points().into_iter().map(|p| here.place.transform_point3(p)).collect();
        let along = here.place.transform_vector3(outline.normal);
        self.push_outline(layer, points, along, outline.thickness, outline.has_arcs());
    }

    fn closed_in_space(&mut self, mut points: Vec<DVec3>, layer: &str, here: Here<'_>) {
        points.dedup();
        while points.len() > 1 && points.first() == points.last() {
            points.pop();
        }
        let points: Vec<DVec3> = points.into_iter().map(|p| here.place.transform_point3(p)).collect();
        let n = points.len();
        let around: DVec3 = (0..n).map(|i| (points[i] - points[0]).cross(points[(i + 1) % n] - points[0])).sum();
        self.push_outline(layer, points, around, 0.0, false);
    }

    fn push_outline(&mut self, layer: &str, points: Vec<DVec3>, along: DVec3, thickness: f64, arcs: bool) {
        match along.try_normalize() {
            Some(normal) if points.len() >= 3 => {
                let thickness = thickness * along.length();
                self.outlines.push(Drawn { layer: layer.to_owned(), points, normal, thickness, arcs });
            }
            _ => self.unused("closed polyline without area"),
        }
    }

    /// Follows a reference, once for each row and column.
    fn insert(&mut self, entity: &DxfEntity<'_>, blocks: &Definitions<'_>, here: Here<'_>) -> Result<(), ImportError> {
        let name = entity.text(2).unwrap_or_default();
        let Some(inside) = blocks.get(name) else {
            self.unused("INSERT of an unknown block");
            return Ok(());
        };
        if here.depth >= DEEPEST_NESTING {
            return Err(
                entity.error(format!("nested blocks are deeper than {DEEPEST_NESTING}; \"{name}\" contains itself"))
            );
        }
        let scale = [41, 42, 43].map(|code| entity.number(code).map(|s| s.unwrap_or(1.0)));
        let [sx, sy, sz] = scale;
        let scale = DVec3::new(sx?, sy?, sz?);
        let angle = entity.number(50)?.unwrap_or(0.0).to_radians();
        let normal = normal(entity)?;
        let [x, y] = axes(normal);
        let plane = DMat3::from_cols(x, y, normal);
        let turn = DMat3::from_rotation_z(angle);
        let at = entity.point(10)?.unwrap_or_default();
        let count = |code: i32| entity.integer(code).map(|n| n.clamp(1, MOST_ENTITIES as i64));
        let (columns, rows) = (count(70)?, count(71)?);
        let (across, along) = (entity.number(44)?.unwrap_or(0.0), entity.number(45)?.unwrap_or(0.0));
        let base = inside.first().and_then(|first| first.point(10).ok().flatten()).unwrap_or_default();
        for row in 0..rows {
            for column in 0..columns {
                // empty blocks have no entities to count
                self.entities += 1;
                if self.entities > MOST_ENTITIES {
                    return Err(
                        entity.error(format!("more than {MOST_ENTITIES} entities, including those of references"))
                    );
                }
                let shift = turn * DVec3::new(column as f64 * across, row as f64 * along, 0.0);
                let place =
                    DAffine3::from_mat3_translation(plane * turn * DMat3::from_diagonal(scale), plane * (at + shift))
                        * DAffine3::from_translation(-base);
                let inner =
                    Here { place: here.place * place, layer: Some(here.layer_of(entity)), depth: here.depth + 1 };
                self.all(&inside[1..], blocks, inner)?;
            }
        }
        Ok(())
    }
}

impl<'a> Here<'a> {
    /// The layer of an entity; layer 0 inside a block is that of its reference.
    fn layer_of(&self, entity: &DxfEntity<'a>) -> &'a str {
        match (entity.text(8), self.layer) {
            (Some("0") | None, Some(layer)) => layer,
            (Some(layer), _) => layer,
            (None, None) => "0",
        }
    }
}

/// A face with vertices of its own.
fn push(mesh: &mut Mesh, entity: &DxfEntity<'_>, corners: impl Iterator<Item = DVec3>) -> Result<(), ImportError> {
    let start = mesh.vertices.len();
    for corner in corners {
        mesh.push_vertex(corner.to_array()).map_err(|message| entity.error(message))?;
    }
    let end = mesh.vertices.len();
    mesh.push_face(start as u32..end as u32).map_err(|message| entity.error(message))
}

/// Vertices with positions come first, then vertices that are faces.
fn polyface(vertices: &[DxfEntity<'_>], place: DAffine3) -> Result<Mesh, ImportError> {
    let mut mesh = Mesh::default();
    for vertex in vertices {
        let flags = vertex.integer(70)?;
        if flags & 128 != 0 && flags & 64 == 0 {
            let mut corners = Vec::with_capacity(4);
            for code in 71..75 {
                // a negative number is an edge that is not drawn
                let index = vertex.integer(code)?.unsigned_abs();
                if index > mesh.vertices.len() as u64 {
                    let message = format!("it refers to vertex {index}, but there are {}", mesh.vertices.len());
                    return Err(vertex.error(message));
                }
                if index > 0 {
                    corners.push((index - 1) as u32);
                }
            }
            // points and lines are allowed in a polyface mesh
            if corners.len() >= 3 {
                mesh.push_face(corners).map_err(|message| vertex.error(message))?;
            }
        } else {
            let at = vertex.point(10)?.ok_or_else(|| vertex.error("it has no position"))?;
            mesh.push_vertex(place.transform_point3(at).to_array()).map_err(|message| vertex.error(message))?;
        }
    }
    Ok(mesh)
}

/// Rows and columns of vertices with quadrilaterals between.
fn polygon_mesh(
    head: &DxfEntity<'_>,
    vertices: &[DxfEntity<'_>],
    flags: i64,
    place: DAffine3,
) -> Result<Mesh, ImportError> {
    let mut mesh = Mesh::default();
    let [rows, columns] = [head.integer(71)?, head.integer(72)?];
    let wanted = rows.checked_mul(columns).filter(|_| rows >= 2 && columns >= 2);
    if wanted.and_then(|n| usize::try_from(n).ok()) != Some(vertices.len()) {
        let message = format!("{rows} × {columns} vertices are declared, but the file has {}", vertices.len());
        return Err(head.error(message));
    }
    for vertex in vertices {
        let at = vertex.point(10)?.ok_or_else(|| vertex.error("it has no position"))?;
        mesh.push_vertex(place.transform_point3(at).to_array()).map_err(|message| vertex.error(message))?;
    }
    let (rows, columns) = (rows as u32, columns as u32);
    let (last_row, last_column) =
        (if flags & 1 != 0 { rows } else { rows - 1 }, if flags & 32 != 0 { columns } else { columns - 1 });
    let at = |row: u32, column: u32| (row % rows) * columns + column % columns;
    for row in 0..last_row {
        for column in 0..last_column {
            let face = [at(row, column), at(row, column + 1), at(row + 1, column + 1), at(row + 1, column)];
            mesh.push_face(face).map_err(|message| head.error(message))?;
        }
    }
    Ok(mesh)
}
