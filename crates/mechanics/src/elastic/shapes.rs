//! Elastic blocks from the shapes of bodies.

use std::sync::Arc;

use voussoir_elastic::{
    ElasticBlock, ElasticConstants, ElasticError, ElasticMaterial, ElementForm, Fineness, MeshQuality, PlaneState,
    RayleighDamping, polygon_mesh, polyhedron_mesh,
};
use voussoir_geometry::{D2, D3, Shape2, Shape3, Space};

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
    /// What a plane model assumes about the third direction.
    pub state: PlaneState,
    /// Fineness of the mesh.
    pub fineness: Fineness,
    /// Damping of the elastic part.
    pub damping: RayleighDamping,
}

/// Dimensions whose shapes have meshes.
pub trait FlexibleSpace: Space {
    /// The elastic block of a shape, and the quality of its mesh. Polygons and polyhedra have meshes; round, unbounded and compound
    /// shapes do not.
    fn flexible(
        shape: &Self::Shape,
        settings: &FlexibleSettings,
    ) -> Result<(Arc<dyn ElasticBody>, MeshQuality), ElasticError>;
}

const NO_MESH: ElasticError =
    ElasticError::Shape { why: "only convex polygons and polyhedra have one; divide the block into convex ones" };

impl FlexibleSpace for D2 {
    fn flexible(
        shape: &Shape2,
        settings: &FlexibleSettings,
    ) -> Result<(Arc<dyn ElasticBody>, MeshQuality), ElasticError> {
        let FlexibleSettings { constants, density, expansion, thickness, state, .. } = *settings;
        let material = ElasticMaterial::plane(constants, density, expansion, thickness, state)?;
        let Shape2::Polygon(polygon) = shape else { return Err(NO_MESH) };
        let corners: Vec<[f64; 2]> = polygon.vertices().iter().map(|v| v.to_array()).collect();
        let mesh = polygon_mesh(&corners, &settings.fineness)?;
        mesh.check_volume(polygon.mass_properties().volume, 1e-9)?;
        let quality = mesh.quality();
        let block = ElasticBlock::new(mesh, material, ElementForm::Enhanced)?;
        Ok((Arc::new(FlexibleBlock::new(block, settings.damping)), quality))
    }
}

impl FlexibleSpace for D3 {
    fn flexible(
        shape: &Shape3,
        settings: &FlexibleSettings,
    ) -> Result<(Arc<dyn ElasticBody>, MeshQuality), ElasticError> {
        let material = ElasticMaterial::solid(settings.constants, settings.density, settings.expansion)?;
        let Shape3::Polyhedron(polyhedron) = shape else { return Err(NO_MESH) };
        let corners: Vec<[f64; 3]> = polyhedron.vertices().iter().map(|v| v.to_array()).collect();
        let faces: Vec<Vec<u32>> = (0..polyhedron.face_count()).map(|f| polyhedron.face(f).to_vec()).collect();
        let mesh = polyhedron_mesh(&corners, &faces, &settings.fineness)?;
        if let Some(mass) = voussoir_geometry::Solid::mass_properties(shape) {
            mesh.check_volume(mass.volume, 1e-9)?;
        }
        let quality = mesh.quality();
        let block = ElasticBlock::new(mesh, material, ElementForm::Enhanced)?;
        Ok((Arc::new(FlexibleBlock::new(block, settings.damping)), quality))
    }
}
