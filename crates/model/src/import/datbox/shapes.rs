//! Bodies of a DATBOX as bodies of a scene: polyhedra go to one OBJ file per material, the rest is written out.

use voussoir_geometry::glam::{DMat3, DQuat, DVec3};

use super::assemble::{Placed, Source};
use super::bodies::{Contactor, ContactorForm, DatboxBody};
use crate::import::geometry::{self, Block, Repairs};
use crate::import::{ImportError, ImportOptions, Notes};
use crate::scene::NumberOrVector;
use crate::scene::bodies::{
    BodyKeys, BodySpec, Compound, CylinderSpec, FormSpec, MeshFile, PartPlacement, PartSpec, PolygonSpec,
    PolyhedronSpec, RadiusKeys, Rotation, SegmentSpec, ShapeSpec, SizeKeys,
};
use crate::scene::numbers::Numbers;

/// Relative difference from the mass of the shape above which a mass is written to the scene.
const SAME_MASS: f64 = 1e-4;

/// Half thickness of a plane that has none, relative to its smaller half size.
const LEAST_THICKNESS: f64 = 0.01;

/// The bodies of the scene and their geometry files.
pub(super) struct Written {
    pub bodies: Vec<BodySpec>,
    pub files: Vec<(String, String)>,
    /// How each body is selected, by order of the source.
    pub selections: Vec<Option<String>>,
}

/// Writes all bodies.
pub(super) fn bodies(
    source: &Source<'_>,
    placed: &[Placed<'_>],
    options: &ImportOptions,
    notes: &mut Notes,
) -> Result<Written, ImportError> {
    let mut out = Written { bodies: Vec::new(), files: Vec::new(), selections: Vec::new() };
    let mut groups: Vec<(String, Vec<Block>)> = Vec::new();
    let mut repairs = Repairs::default();
    for place in placed {
        let known: Vec<&Contactor> =
            place.body.contactors.iter().filter(|c| c.form != ContactorForm::Unknown).collect();
        for contactor in place.body.contactors.iter().filter(|c| c.form == ContactorForm::Unknown) {
            notes.dropped(format!("contactors {} (BODIES.DAT, line {} the first)", contactor.kind, contactor.line));
        }
        if known.is_empty() {
            notes.dropped(format!("body {}: it has no shape", place.number));
            out.selections.push(None);
            continue;
        }
        if let [Contactor { form: ContactorForm::Polyhedron { vertices, triangles }, line, .. }] = known[..]
            && !place.moves()
            && !place.has_own_mass(source, notes)
        {
            let world = vertices.iter().map(|v| place.point(*v)).collect();
            let block = geometry::block(place.name.clone(), world, triangles.clone(), &mut repairs)
                .map_err(|error| refuse(source, place, *line, &error))?;
            match groups.iter_mut().find(|(material, _)| *material == place.material) {
                Some((_, blocks)) => blocks.push(block),
                None => groups.push((place.material.clone(), vec![block])),
            }
            out.selections.push(Some(format!("#{}", place.name)));
            continue;
        }
        out.bodies.push(single(source, place, &known, &mut repairs, notes)?);
        out.selections.push(Some(place.name.clone()));
    }
    repairs.tell(notes);
    let mut meshes = Vec::new();
    for (material, blocks) in groups {
        let mut name = word(&material);
        // file systems may not tell small letters from large ones
        let taken = |name: &str| {
            let file = format!("{}-{name}.obj", options.name).to_lowercase();
            out.files.iter().any(|(other, _)| other.to_lowercase() == file)
        };
        while taken(&name) {
            name.push('_');
        }
        let mesh = format!("{}-{name}.obj", options.name);
        out.files.push((mesh.clone(), geometry::obj(&blocks)));
        let common = BodyKeys { name, material, ..BodyKeys::default() };
        meshes.push(BodySpec { common, form: FormSpec::Mesh(MeshFile { mesh, scale: None, inset: None }) });
    }
    meshes.append(&mut out.bodies);
    out.bodies = meshes;
    Ok(out)
}

/// Letters and digits only, for names of bodies and files.
pub(super) fn word(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect()
}

fn refuse(source: &Source<'_>, place: &Placed<'_>, line: usize, error: &dyn std::fmt::Display) -> ImportError {
    ImportError::new(&source.tables.bodies.path, line, format!("body {}: {error}", place.number))
}

/// A body of its own.
fn single(
    source: &Source<'_>,
    place: &Placed<'_>,
    contactors: &[&Contactor],
    repairs: &mut Repairs,
    notes: &mut Notes,
) -> Result<BodySpec, ImportError> {
    let mut parts = Vec::with_capacity(contactors.len());
    for contactor in contactors {
        parts.push(part(source, place, contactor, repairs, notes)?);
    }
    let three = source.dimension == 3;
    let mut common = BodyKeys {
        name: place.name.clone(),
        material: place.material.clone(),
        position: place.position_numbers(three),
        rotation: rotation(three, place.frame, place.angle),
        mass: place.own_mass(source, notes),
        ..BodyKeys::default()
    };
    if let Some(start) = place.start.filter(|_| place.moves()) {
        let v = start.velocity;
        if three {
            common.velocity = nonzero(&v.to_array());
            // the source has the spin in the axes of the body
            common.spin = nonzero(&(place.frame * start.spin).to_array()).map(NumberOrVector::Vector);
        } else {
            common.velocity = nonzero(&[v.x, v.y]);
            common.spin = (v.z != 0.0).then_some(NumberOrVector::Number(v.z));
        }
    }
    let shape = match <[(PartPlacement, ShapeSpec); 1]>::try_from(parts) {
        Ok([(PartPlacement { position: None, rotation: None }, shape)]) => shape,
        Ok([(placement, shape)]) => ShapeSpec::Compound(Compound { parts: vec![PartSpec { placement, shape }] }),
        Err(parts) => ShapeSpec::Compound(Compound {
            parts: parts.into_iter().map(|(placement, shape)| PartSpec { placement, shape }).collect(),
        }),
    };
    Ok(BodySpec { common, form: FormSpec::Shaped(shape) })
}

/// One contactor in the axes of its body.
fn part(
    source: &Source<'_>,
    place: &Placed<'_>,
    contactor: &Contactor,
    repairs: &mut Repairs,
    notes: &mut Notes,
) -> Result<(PartPlacement, ShapeSpec), ImportError> {
    let three = source.dimension == 3;
    let mut placement = PartPlacement::default();
    let wrong = |what: &str| refuse(source, place, contactor.line, &format!("{} has {what}", contactor.kind));
    let length = |value: f64| if value > 0.0 { Ok(value) } else { Err(wrong(&format!("a length of {value} m"))) };
    let of_other = || wrong(&format!("not possible in a {}D model", source.dimension));
    let shape = match &contactor.form {
        ContactorForm::Round { radius, offset } => {
            let round = RadiusKeys { radius: length(*radius)? };
            placement.position = nonzero(if three { &offset.as_ref()[..] } else { &offset.as_ref()[..2] });
            if three { ShapeSpec::Sphere(round) } else { ShapeSpec::Disc(round) }
        }
        ContactorForm::Segment { half_length, radius } if !three => {
            let (length, thickness) = (2.0 * length(*half_length)?, 2.0 * length(*radius)?);
            ShapeSpec::Segment(SegmentSpec { length, thickness })
        }
        ContactorForm::Polygon(outline) if !three => ShapeSpec::Polygon(PolygonSpec {
            vertices: outline.iter().map(|v| Numbers(v.to_array())).collect(),
            holes: Vec::new(),
        }),
        ContactorForm::Plane { half, frame, shift } if three => {
            let (mut half, mut shift) = (*half, *shift);
            if half.z == 0.0 {
                // a plane without thickness keeps its face
                half.z = LEAST_THICKNESS * half.x.min(half.y);
                shift -= *frame * DVec3::new(0.0, 0.0, half.z);
                notes.changed(format!("planes without thickness are {} m thick below their face", 2.0 * half.z));
            }
            placement.position = nonzero(&shift.to_array());
            placement.rotation = rotation(true, *frame, 0.0);
            let mut size = Vec::with_capacity(3);
            for half in half.to_array() {
                size.push(2.0 * length(half)?);
            }
            ShapeSpec::Box(SizeKeys { size: NumberOrVector::Vector(size) })
        }
        ContactorForm::Cylinder { half_height, radius } if three => {
            ShapeSpec::Cylinder(CylinderSpec { height: 2.0 * length(*half_height)?, radius: length(*radius)? })
        }
        ContactorForm::Polyhedron { vertices, triangles } if three => {
            let block = geometry::block(place.name.clone(), vertices.clone(), triangles.clone(), repairs)
                .map_err(|error| refuse(source, place, contactor.line, &error))?;
            ShapeSpec::Polyhedron(PolyhedronSpec {
                vertices: block.vertices.iter().map(|v| Numbers(v.to_array())).collect(),
                faces: Some(block.faces),
            })
        }
        _ => return Err(of_other()),
    };
    Ok((placement, shape))
}

/// Numbers, unless all are zero.
pub(super) fn nonzero(values: &[f64]) -> Option<Vec<f64>> {
    // + 0.0 makes −0 a plain 0
    values.iter().any(|x| *x != 0.0).then(|| values.iter().map(|x| x + 0.0).collect())
}

/// A rotation, unless it is the identity.
fn rotation(three: bool, frame: DMat3, angle: f64) -> Option<Rotation> {
    if !three {
        return (angle != 0.0).then(|| Rotation { angle_deg: Some(angle.to_degrees()), ..Rotation::default() });
    }
    (frame != DMat3::IDENTITY)
        .then(|| Rotation { quaternion: Some(Numbers(DQuat::from_mat3(&frame).to_array())), ..Rotation::default() })
}

impl Placed<'_> {
    /// World position of a point in the axes of the body.
    pub fn point(&self, local: DVec3) -> DVec3 {
        // a frame without rotation keeps all digits
        if self.frame == DMat3::IDENTITY { self.position + local } else { self.position + self.frame * local }
    }

    /// True if it has a velocity at the start.
    pub fn moves(&self) -> bool {
        self.start.is_some_and(|start| start.velocity != DVec3::ZERO || start.spin != DVec3::ZERO)
    }

    fn position_numbers(&self, three: bool) -> Option<Vec<f64>> {
        nonzero(if three { &self.position.as_ref()[..] } else { &self.position.as_ref()[..2] })
    }

    fn has_own_mass(&self, source: &Source<'_>, notes: &mut Notes) -> bool {
        self.own_mass(source, notes).is_some()
    }

    /// Mass in the source, if it differs from density × volume [kg].
    fn own_mass(&self, source: &Source<'_>, notes: &mut Notes) -> Option<f64> {
        let DatboxBody { radius, gyration, .. } = *self.body;
        let density = source.bulk.densities.get(&self.body.material)?;
        let given = match source.dimension {
            2 if radius > 0.0 && gyration > 0.0 => std::f64::consts::PI * radius * radius,
            3 if radius > 0.0 => 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3),
            _ => return None,
        };
        let own: Option<Vec<f64>> = self.body.contactors.iter().map(|c| volume(&c.form)).collect();
        let own: f64 = own?.iter().sum();
        if !self.free || (given - own).abs() <= SAME_MASS * own {
            return None;
        }
        notes.changed(
            "bodies whose mass differs from density × volume keep their mass; their inertia is scaled by \
                       the same factor",
        );
        Some(density * given)
    }
}

/// Volume (area in 2D) of a contactor; `None` where there is none.
fn volume(form: &ContactorForm) -> Option<f64> {
    use std::f64::consts::PI;
    Some(match form {
        ContactorForm::Round { .. } => return None,
        ContactorForm::Segment { half_length, radius } => 4.0 * half_length * radius + PI * radius * radius,
        ContactorForm::Polygon(outline) => {
            let origin = *outline.first()?;
            let twice = |w: &[voussoir_geometry::glam::DVec2]| (w[0] - origin).perp_dot(w[1] - origin);
            (0.5 * outline.windows(2).map(twice).sum::<f64>()).abs()
        }
        ContactorForm::Plane { half, .. } => 8.0 * half.element_product(),
        ContactorForm::Cylinder { half_height, radius } => 2.0 * half_height * PI * radius * radius,
        ContactorForm::Polyhedron { vertices, triangles } => {
            let mut repairs = Repairs::default();
            geometry::block(String::new(), vertices.clone(), triangles.clone(), &mut repairs).ok()?.volume
        }
        ContactorForm::Unknown => return None,
    })
}
