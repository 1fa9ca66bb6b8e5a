//! `BODIES.DAT`: bodies in the order in which they appear; their numbers in the file are ignored.

use voussoir_geometry::glam::{DMat3, DVec2, DVec3};

use super::columns::{A, DatboxLine, DatboxTable};
use crate::import::{ImportError, Notes};

/// A rigid body as the file has it.
#[derive(Clone, Debug)]
pub struct DatboxBody {
    /// Line of its `RBDY` record.
    pub line: usize,
    /// Name of its bulk law.
    pub material: String,
    /// Radius of the ball (2D: disc) of the same volume; 0: from the shape [m].
    pub radius: f64,
    /// Radius of gyration in 2D; 0: from the shape [m].
    pub gyration: f64,
    /// Origin of its axes [m]; the third number is an angle in 2D [rad].
    pub position: [f64; 3],
    /// Its contactors.
    pub contactors: Vec<Contactor>,
}

/// A contactor: a contact surface of a body.
#[derive(Clone, Debug)]
pub struct Contactor {
    /// Line of the file.
    pub line: usize,
    /// Five letters, `POLYR` for instance.
    pub kind: String,
    /// Colour, which see tables refer to.
    pub colour: String,
    /// Its form in the axes of the body.
    pub form: ContactorForm,
}

/// Forms of contactors.
#[derive(Clone, Debug, PartialEq)]
pub enum ContactorForm {
    /// Disc or ball.
    Round {
        /// [m]
        radius: f64,
        /// Centre [m].
        offset: DVec3,
    },
    /// A thick line along x with round ends (2D).
    Segment {
        /// Half of the distance between the centres of its ends [m].
        half_length: f64,
        /// Half of its thickness [m].
        radius: f64,
    },
    /// A polygon (2D).
    Polygon(Vec<DVec2>),
    /// A box; only its faces across the local z count in LMGC90.
    Plane {
        /// Half sizes [m].
        half: DVec3,
        /// Axes as columns.
        frame: DMat3,
        /// Centre [m].
        shift: DVec3,
    },
    /// A cylinder about z.
    Cylinder {
        /// [m]
        half_height: f64,
        /// [m]
        radius: f64,
    },
    /// A closed surface of triangles.
    Polyhedron {
        /// [m]
        vertices: Vec<DVec3>,
        /// Indices from 0.
        triangles: Vec<Vec<u32>>,
    },
    /// Contactors without a shape in scenes: hollow discs and cylinders, points.
    Unknown,
}

/// All bodies, and the dimension.
pub(crate) fn read(table: &DatboxTable, notes: &mut Notes) -> Result<(Vec<DatboxBody>, usize), ImportError> {
    let mut bodies = Vec::new();
    let mut dimension = None;
    for record in table.records("bdyty") {
        let Some(first) = record.first() else { continue };
        let dim = match first.kind().as_str() {
            "RBDY2" => 2,
            "RBDY3" => 3,
            other => {
                return Err(table
                    .error(Some(first), format!("a body of the kind {other:?}"))
                    .with_help("rigid bodies are read: RBDY2, RBDY3"));
            }
        };
        if *dimension.get_or_insert(dim) != dim {
            return Err(table.error(Some(first), "bodies of 2D and 3D in one model"));
        }
        bodies.push(body(table, record, dim, notes)?);
    }
    match dimension {
        Some(dimension) => Ok((bodies, dimension)),
        None => Err(table.error(None, "the file has no bodies: no $bdyty starts in column 1")),
    }
}

fn body(table: &DatboxTable, record: &[DatboxLine], dim: usize, notes: &mut Notes) -> Result<DatboxBody, ImportError> {
    let first = &record[0];
    let section = |key: &str| {
        let start = record.iter().position(|line| line.keyword() == Some(key))?;
        let lines = &record[start + 1..];
        let end = lines.iter().position(|line| line.keyword().is_some()).unwrap_or(lines.len());
        Some(&lines[..end])
    };
    let need = |key: &str| {
        section(key)
            .filter(|lines| !lines.is_empty())
            .ok_or_else(|| table.error(Some(first), format!("the body has no ${key}")))
    };
    let (bulk, node) = (need("blmty")?, need("nodty")?);
    let [radius, gyration, _] = table.reals(&bulk[0], &A)?;
    let material = bulk[0].columns(23..=27);
    if material.is_empty() {
        return Err(table.error(Some(&bulk[0]), "no bulk law in columns 23 to 27"));
    }
    let wanted = if dim == 2 { "NO3" } else { "NO6" };
    if !node[0].kind().starts_with(wanted) {
        let message = format!("the node is {:?}, a rigid body of {dim}D has {wanted}xx", node[0].kind());
        return Err(table.error(Some(&node[0]), message));
    }
    let position = table.reals(&node[0], &A)?;
    let mut contactors = Vec::new();
    let mut lines = section("tacty").unwrap_or_default();
    while let Some((line, rest)) = lines.split_first() {
        let mut reader = Rest { table, lines: rest };
        contactors.push(contactor(&mut reader, line)?);
        // lines that belong to a contactor without shape
        while reader.lines.first().is_some_and(DatboxLine::goes_on) {
            reader.lines = &reader.lines[1..];
        }
        lines = reader.lines;
    }
    if contactors.is_empty() {
        notes.changed(format!("the body in line {} has no contactor and touches nothing", first.number));
    }
    Ok(DatboxBody { line: first.number, material, radius, gyration, position, contactors })
}

/// The remaining lines of a section.
struct Rest<'a> {
    table: &'a DatboxTable,
    lines: &'a [DatboxLine],
}

impl<'a> Rest<'a> {
    /// The next line, which must continue the same contactor.
    fn next(&mut self, of: &DatboxLine, what: &str) -> Result<&'a DatboxLine, ImportError> {
        match self.lines.split_first() {
            Some((line, rest)) if line.goes_on() => {
                self.lines = rest;
                Ok(line)
            }
            _ => Err(self.table.error(Some(of), format!("{} ends before its {what}", of.kind()))),
        }
    }

    fn point(&mut self, of: &DatboxLine, what: &str) -> Result<DVec3, ImportError> {
        let line = self.next(of, what)?;
        Ok(DVec3::from_array(self.table.reals(line, &A)?))
    }

    /// Vertices and triangles of a closed surface; counts are limited by the rest of the file.
    fn surface(&mut self, of: &DatboxLine, counts: &DatboxLine) -> Result<(Vec<DVec3>, Vec<Vec<u32>>), ImportError> {
        let (corners, faces) = (self.table.count(counts, 40..=47)?, self.table.count(counts, 60..=67)?);
        let mut vertices = Vec::new();
        for _ in 0..corners {
            vertices.push(self.point(of, "vertices")?);
        }
        let mut triangles = Vec::new();
        for _ in 0..faces {
            let line = self.next(of, "faces")?;
            let mut triangle = Vec::with_capacity(3);
            for columns in [35..=47, 56..=68, 77..=89] {
                let number = self.table.count(line, columns)?;
                if !(1..=corners).contains(&number) {
                    let message = format!("a triangle refers to vertex {number}, there are 1 to {corners}");
                    return Err(self.table.error(Some(line), message));
                }
                triangle.push((number - 1) as u32);
            }
            triangles.push(triangle);
        }
        Ok((vertices, triangles))
    }
}

fn contactor(rest: &mut Rest<'_>, line: &DatboxLine) -> Result<Contactor, ImportError> {
    let (table, kind) = (rest.table, line.kind());
    let sizes = || table.reals(line, &A);
    let form = match kind.as_str() {
        "DISKx" | "SPHER" => ContactorForm::Round { radius: sizes()?[0], offset: DVec3::ZERO },
        "DISKb" | "SPHEb" => ContactorForm::Round { radius: sizes()?[0], offset: rest.point(line, "offset")? },
        "JONCx" => ContactorForm::Segment { half_length: sizes()?[0], radius: sizes()?[1] },
        "POLYG" => {
            let corners = table.count(line, 40..=46)?;
            let mut outline = Vec::new();
            for _ in 0..corners {
                outline.push(rest.point(line, "vertices")?.truncate());
            }
            ContactorForm::Polygon(outline)
        }
        "PLANx" => {
            let (mut frame, mut shift) = (DMat3::IDENTITY, DVec3::ZERO);
            if rest.lines.first().is_some_and(|next| next.goes_on() && next.whole().contains("localframe")) {
                rest.lines = &rest.lines[1..];
                let mut point = || rest.point(line, "frame and shift");
                frame = DMat3::from_cols(point()?, point()?, point()?);
                shift = point()?;
            }
            ContactorForm::Plane { half: DVec3::from_array(sizes()?), frame, shift }
        }
        "CYLND" => ContactorForm::Cylinder { half_height: sizes()?[0], radius: sizes()?[1] },
        "POLYR" => {
            let (vertices, triangles) = rest.surface(line, line)?;
            ContactorForm::Polyhedron { vertices, triangles }
        }
        "POLYF" => {
            // patches with numbers of their own make up one surface
            let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
            for _ in 0..table.count(line, 40..=47)? {
                let counts = rest.next(line, "patches")?;
                let (points, faces) = rest.surface(line, counts)?;
                let first = vertices.len() as u32;
                vertices.extend(points);
                triangles.extend(faces.into_iter().map(|f: Vec<u32>| f.into_iter().map(|v| v + first).collect()));
            }
            ContactorForm::Polyhedron { vertices, triangles }
        }
        "xKSID" | "DNLYC" | "PT2Dx" | "PT3Dx" => ContactorForm::Unknown,
        other => {
            return Err(table.error(Some(line), format!("{other:?} is not a supported contactor")).with_help(
                "known are DISKx, DISKb, JONCx, POLYG, xKSID, PT2Dx in 2D and PLANx, SPHER, SPHEb, CYLND, DNLYC, POLYR, \
                 POLYF, PT3Dx in 3D",
            ));
        }
    };
    Ok(Contactor { line: line.number, kind, colour: line.columns(23..=27), form })
}
