//! Elastic blocks from the shapes of bodies.

use std::sync::Arc;

use voussoir_elastic::{
    ElasticBlock, ElasticConstants, ElasticError, ElasticMaterial, ElementForm, Fineness, FiniteMesh, MeshQuality,
    PlaneState, RayleighDamping, TiedMesh, polygon_mesh, polyhedron_mesh,
};
use voussoir_geometry::{D2, D3, Shape2, Shape3, Solid, Space};

use super::body::{ElasticBody, FlexibleBlock};

/// Material and mesh of an elastic block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlexibleSettings {
    /// Elastic constants; the normal of a bed is in body axes.
    pub constants: ElasticConstants,
    /// Density [kg/m³].
    pub density: f64,
    /// Thermal expansion [1/K].
    pub expansion: f64,
    /// Thickness of a plane model [m].
    pub thickness: f64,
    /// Plane strain or plane stress.
    pub state: PlaneState,
    /// Fineness of the mesh.
    pub fineness: Fineness,
    /// Damping of the elastic part.
    pub damping: RayleighDamping,
}

/// Dimensions whose shapes have meshes.
pub trait FlexibleSpace: Space {
    /// The elastic block of a shape, and the quality of its mesh. Polygons and polyhedra have meshes, and compounds of them, whose
    /// parts are tied ([`voussoir_elastic::tied`]); round and unbounded shapes do not.
    fn flexible(
        shape: &Self::Shape,
        settings: &FlexibleSettings,
    ) -> Result<(Arc<dyn ElasticBody>, MeshQuality), ElasticError>;

    /// The elastic block of a shape with a given mesh in the axes of the shape: points (plane: z is ignored) and elements.
    fn with_mesh(
        shape: &Self::Shape,
        settings: &FlexibleSettings,
        mesh: &FiniteMesh<3>,
    ) -> Result<(Arc<dyn ElasticBody>, MeshQuality), ElasticError>;

    /// Diameter of the largest convex part of a shape [m].
    fn largest_cell(shape: &Self::Shape) -> f64;
}

const NO_MESH: ElasticError =
    ElasticError::Shape { why: "only polygons and polyhedra, and compounds of them, have one" };

/// Largest relative difference of the volumes of a block and of its own mesh, caused by rounding errors.
const ROUNDING: f64 = 1e-9;

/// The same for a mesh from a file: coordinates are written with few digits.
const WRITTEN: f64 = 1e-6;

/// Matrices of a mesh that fills a shape.
fn assembled<const D: usize>(
    tied: TiedMesh<D>,
    volume: Option<f64>,
    tolerance: f64,
    material: ElasticMaterial,
    damping: RayleighDamping,
) -> Result<(Arc<dyn ElasticBody>, MeshQuality), ElasticError> {
    let TiedMesh { mesh, ties, outer } = tied;
    mesh.check()?;
    if let Some(volume) = volume {
        mesh.check_volume(volume, tolerance)?;
    }
    let quality = mesh.quality();
    let block = ElasticBlock::tied(mesh, &ties, material, ElementForm::Enhanced)?;
    Ok((Arc::new(FlexibleBlock::new(block, outer, damping)), quality))
}

/// A mesh of which the dimension is known.
fn narrowed<const D: usize>(mesh: &FiniteMesh<3>) -> FiniteMesh<D> {
    let points = mesh.points.iter().map(|p| std::array::from_fn(|c| p[c])).collect();
    FiniteMesh { points, elements: mesh.elements.clone() }
}

fn plane_material(settings: &FlexibleSettings) -> Result<ElasticMaterial, ElasticError> {
    let FlexibleSettings { constants, density, expansion, thickness, state, .. } = *settings;
    ElasticMaterial::plane(constants, density, expansion, thickness, state)
}

fn solid_material(settings: &FlexibleSettings) -> Result<ElasticMaterial, ElasticError> {
    ElasticMaterial::solid(settings.constants, settings.density, settings.expansion)
}

impl FlexibleSpace for D2 {
    fn flexible(
        shape: &Shape2,
        settings: &FlexibleSettings,
    ) -> Result<(Arc<dyn ElasticBody>, MeshQuality), ElasticError> {
        let cell = |shape: &Shape2| {
            let Shape2::Polygon(polygon) = shape else { return Err(NO_MESH) };
            let corners: Vec<[f64; 2]> = polygon.vertices().iter().map(|v| v.to_array()).collect();
            polygon_mesh(&corners, &settings.fineness)
        };
        let cells = match shape {
            Shape2::Compound(compound) => compound.parts().iter().map(cell).collect::<Result<_, _>>()?,
            single => vec![cell(single)?],
        };
        let volume = shape.mass_properties().map(|mass| mass.volume);
        assembled(TiedMesh::new(cells)?, volume, ROUNDING, plane_material(settings)?, settings.damping)
    }

    fn with_mesh(
        shape: &Shape2,
        settings: &FlexibleSettings,
        mesh: &FiniteMesh<3>,
    ) -> Result<(Arc<dyn ElasticBody>, MeshQuality), ElasticError> {
        let volume = shape.mass_properties().map(|mass| mass.volume);
        let tied = TiedMesh::single(narrowed::<2>(mesh))?;
        assembled(tied, volume, WRITTEN, plane_material(settings)?, settings.damping)
    }

    fn largest_cell(shape: &Shape2) -> f64 {
        match shape {
            Shape2::Compound(compound) => compound.parts().iter().map(Solid::size).fold(0.0, f64::max),
            single => single.size(),
        }
    }
}

impl FlexibleSpace for D3 {
    fn flexible(
        shape: &Shape3,
        settings: &FlexibleSettings,
    ) -> Result<(Arc<dyn ElasticBody>, MeshQuality), ElasticError> {
        let cell = |shape: &Shape3| {
            let Shape3::Polyhedron(polyhedron) = shape else { return Err(NO_MESH) };
            let corners: Vec<[f64; 3]> = polyhedron.vertices().iter().map(|v| v.to_array()).collect();
            let faces: Vec<Vec<u32>> = (0..polyhedron.face_count()).map(|f| polyhedron.face(f).to_vec()).collect();
            polyhedron_mesh(&corners, &faces, &settings.fineness)
        };
        let cells = match shape {
            Shape3::Compound(compound) => compound.parts().iter().map(cell).collect::<Result<_, _>>()?,
            single => vec![cell(single)?],
        };
        let volume = shape.mass_properties().map(|mass| mass.volume);
        assembled(TiedMesh::new(cells)?, volume, ROUNDING, solid_material(settings)?, settings.damping)
    }

    fn with_mesh(
        shape: &Shape3,
        settings: &FlexibleSettings,
        mesh: &FiniteMesh<3>,
    ) -> Result<(Arc<dyn ElasticBody>, MeshQuality), ElasticError> {
        let volume = shape.mass_properties().map(|mass| mass.volume);
        let tied = TiedMesh::single(mesh.clone())?;
        assembled(tied, volume, WRITTEN, solid_material(settings)?, settings.damping)
    }

    fn largest_cell(shape: &Shape3) -> f64 {
        match shape {
            Shape3::Compound(compound) => compound.parts().iter().map(Solid::size).fold(0.0, f64::max),
            single => single.size(),
        }
    }
}
