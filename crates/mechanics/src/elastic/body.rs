//! Elastic blocks with their dimension erased: the interface for a step.
//!
//! Vectors at the points of a mesh are flat, `Space::DIM` numbers per point, in body axes; single points and directions
//! have three numbers (plane: z = 0).

use std::fmt::Debug;
use std::sync::Arc;

use voussoir_elastic::{
    BlockSurface, CoordinateMode, ElasticBlock, ElasticError, GaussStress, ModalBasis, PointWeights, RayleighDamping,
    StepOperator, StressTensor, SurfaceFace, coordinates, gather, scatter,
};
use voussoir_geometry::Surface;

/// An elastic block: mesh, matrices, surface. Equal blocks share one.
pub trait ElasticBody: Debug + Send + Sync {
    /// Number of displacements.
    fn size(&self) -> usize;

    /// The operator of a step for hθ = `reach` [s].
    fn operator(self: Arc<Self>, reach: f64) -> Result<Arc<dyn ElasticOperator>, ElasticError>;

    /// Weights of the contact coordinates of an interface; `None` if no plane part of the surface covers it
    /// ([`voussoir_elastic::interface`]).
    fn interface(
        &self,
        corners: &[[f64; 3]],
        outward: [f64; 3],
        near: f64,
        mode: CoordinateMode,
    ) -> Option<Vec<PointWeights>>;

    /// 2 or 3.
    fn dimension(&self) -> usize;

    /// Displacements of the points of the mesh; the same vector unless the block is reduced ([`super::reduced`]).
    fn nodal(&self, displacement: &[f64]) -> Vec<f64> {
        displacement.to_vec()
    }

    /// The `count` lowest free modes and the static responses to forces at the points.
    fn modal_basis(&self, count: usize, forces: &[Vec<f64>]) -> Result<ModalBasis, ElasticError>;

    /// Damping of the elastic part.
    fn damping(&self) -> RayleighDamping;

    /// Points of the mesh on the face with a point and an outward normal, within a distance: number, place, share of the area [m²].
    fn points_around(&self, point: [f64; 3], outward: [f64; 3], radius: f64) -> Vec<(u32, [f64; 3], f64)>;

    /// Weights of the point of the surface nearest to a point.
    fn nearest(&self, point: [f64; 3]) -> PointWeights;

    /// Weights of a force at a point of the surface, spread over its plane part; `None` for points inside.
    fn spread(&self, point: [f64; 3]) -> Option<PointWeights>;

    /// Values of contact coordinates, `DIM` per coordinate.
    fn gather(&self, coordinates: &[PointWeights], values: &[f64]) -> Vec<f64>;

    /// Impulses at the points of the mesh from impulses on contact coordinates.
    fn scatter(&self, coordinates: &[PointWeights], impulses: &[f64]) -> Vec<f64>;

    /// Forces of rotation with a spin in body axes, and the rate of change of the spin ([`ElasticBlock::turning`]).
    fn turning(&self, spin: [f64; 3], velocity: &[f64]) -> (Vec<f64>, [f64; 3]);

    /// Forces of a rise of temperature [N].
    fn thermal_forces(&self, kelvin: f64) -> Vec<f64>;

    /// ½ uᵀKu [J].
    fn elastic_energy(&self, displacement: &[f64]) -> f64;

    /// ½ pᵀMp [J].
    fn kinetic_energy(&self, velocity: &[f64]) -> f64;

    /// pᵀCp: power of the damping [W].
    fn damping_power(&self, velocity: &[f64]) -> f64;

    /// Removes the rigid part.
    fn take_rigid_part(&self, values: &mut [f64]);

    /// Stresses at the integration points.
    fn stresses(&self, displacement: &[f64], kelvin: f64) -> Vec<GaussStress>;

    /// Positions of the integration points.
    fn gauss_places(&self) -> Vec<[f64; 3]>;

    /// Stresses averaged to the points of the mesh.
    fn point_stresses(&self, gauss: &[GaussStress]) -> Vec<StressTensor>;

    /// Polygons to draw: the faces of the surface, in 2D the elements; their points are the points of the mesh in the
    /// list.
    fn drawn(&self) -> (Surface, Vec<u32>);

    /// Largest extent [m].
    fn extent(&self) -> f64;

    /// Largest circular frequency of the mesh, approximately [rad/s].
    fn largest_frequency(&self) -> f64;

    /// Mass [kg].
    fn mass(&self) -> f64;
}

/// The factorised operator of a step of an elastic block ([`StepOperator`]).
pub trait ElasticOperator: Debug + Send + Sync {
    /// Elastic velocities from impulses at the points.
    fn elastic(&self, impulses: &[f64]) -> Vec<f64>;

    /// Elastic velocity at the end of a step without contacts.
    fn free(&self, h: f64, velocity: &[f64], displacement: &[f64], forces: &[f64]) -> Vec<f64>;

    /// Compliance of contact coordinates, row-major.
    fn compliance(&self, coordinates: &[PointWeights]) -> Vec<f64>;
}

/// An elastic block of one dimension.
#[derive(Debug)]
pub struct FlexibleBlock<const D: usize> {
    block: ElasticBlock<D>,
    surface: BlockSurface<D>,
    /// Faces of the surface, without those between tied cells.
    outer: Vec<SurfaceFace>,
    damping: RayleighDamping,
}

impl<const D: usize> FlexibleBlock<D> {
    /// From a block with its matrices and its outer faces.
    pub fn new(block: ElasticBlock<D>, outer: Vec<SurfaceFace>, damping: RayleighDamping) -> Self {
        Self { surface: BlockSurface::of_faces(&block.mesh, outer.iter().cloned()), outer, block, damping }
    }

    /// The block.
    pub fn block(&self) -> &ElasticBlock<D> {
        &self.block
    }
}

fn narrow<const D: usize>(x: [f64; 3]) -> [f64; D] {
    std::array::from_fn(|c| x[c])
}

impl<const D: usize> ElasticBody for FlexibleBlock<D> {
    fn size(&self) -> usize {
        self.block.size()
    }

    fn operator(self: Arc<Self>, reach: f64) -> Result<Arc<dyn ElasticOperator>, ElasticError> {
        let operator = StepOperator::new(&self.block, self.damping, reach)?;
        Ok(Arc::new(Factored { body: self, operator }))
    }

    fn interface(
        &self,
        corners: &[[f64; 3]],
        outward: [f64; 3],
        near: f64,
        mode: CoordinateMode,
    ) -> Option<Vec<PointWeights>> {
        let corners: Vec<[f64; D]> = corners.iter().map(|x| narrow(*x)).collect();
        let found = coordinates(&self.surface, &corners, &narrow(outward), near, mode)?;
        Some(found.into_iter().map(|coordinate| coordinate.weights).collect())
    }

    fn dimension(&self) -> usize {
        D
    }

    fn nearest(&self, point: [f64; 3]) -> PointWeights {
        self.surface.nearest(&narrow(point))
    }

    fn modal_basis(&self, count: usize, forces: &[Vec<f64>]) -> Result<ModalBasis, ElasticError> {
        ModalBasis::new(&self.block, count, forces)
    }

    fn damping(&self) -> RayleighDamping {
        self.damping
    }

    fn points_around(&self, point: [f64; 3], outward: [f64; 3], radius: f64) -> Vec<(u32, [f64; 3], f64)> {
        let wide = |x: [f64; D]| std::array::from_fn(|c| if c < D { x[c] } else { 0.0 });
        let found = self.surface.points_around(&narrow(point), &narrow(outward), radius);
        found.into_iter().map(|(p, place, area)| (p, wide(place), area)).collect()
    }

    fn spread(&self, point: [f64; 3]) -> Option<PointWeights> {
        self.surface.spread(&narrow(point))
    }

    fn gather(&self, coordinates: &[PointWeights], values: &[f64]) -> Vec<f64> {
        gather::<D>(coordinates, values)
    }

    fn scatter(&self, coordinates: &[PointWeights], impulses: &[f64]) -> Vec<f64> {
        scatter::<D>(coordinates, impulses, self.block.mesh.points.len())
    }

    fn turning(&self, spin: [f64; 3], velocity: &[f64]) -> (Vec<f64>, [f64; 3]) {
        self.block.turning(spin, velocity)
    }

    fn thermal_forces(&self, kelvin: f64) -> Vec<f64> {
        self.block.thermal_forces(kelvin)
    }

    fn elastic_energy(&self, displacement: &[f64]) -> f64 {
        self.block.elastic_energy(displacement)
    }

    fn kinetic_energy(&self, velocity: &[f64]) -> f64 {
        self.block.kinetic_energy(velocity)
    }

    fn damping_power(&self, velocity: &[f64]) -> f64 {
        let RayleighDamping { mass, stiffness } = self.damping;
        2.0 * (mass * self.block.kinetic_energy(velocity) + stiffness * self.block.elastic_energy(velocity))
    }

    fn take_rigid_part(&self, values: &mut [f64]) {
        self.block.take_rigid_part(values);
    }

    fn stresses(&self, displacement: &[f64], kelvin: f64) -> Vec<GaussStress> {
        self.block.gauss_stresses(displacement, kelvin)
    }

    fn gauss_places(&self) -> Vec<[f64; 3]> {
        let wide = |x: [f64; D]| std::array::from_fn(|c| if c < D { x[c] } else { 0.0 });
        self.block.gauss_places().into_iter().map(wide).collect()
    }

    fn point_stresses(&self, gauss: &[GaussStress]) -> Vec<StressTensor> {
        self.block.point_stresses(gauss)
    }

    fn drawn(&self) -> (Surface, Vec<u32>) {
        let mesh = &self.block.mesh;
        let mut polygons: Vec<Vec<u32>> = if D == 2 {
            mesh.elements.iter().map(|e| e.points[..e.kind.corners()].to_vec()).collect()
        } else {
            self.outer.iter().map(|face| face.points[..face.kind.corners()].to_vec()).collect()
        };
        let mut used: Vec<u32> = polygons.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let place = |p: u32| used.binary_search(&p).unwrap_or_default() as u32;
        polygons.iter_mut().flatten().for_each(|p| *p = place(*p));
        let wide = |p: &u32| std::array::from_fn(|c| if c < D { mesh.points[*p as usize][c] } else { 0.0 });
        (Surface { points: used.iter().map(wide).collect(), polygons }, used)
    }

    fn extent(&self) -> f64 {
        self.surface.size()
    }

    fn largest_frequency(&self) -> f64 {
        self.block.largest_frequency()
    }

    fn mass(&self) -> f64 {
        self.block.inertia()[0]
    }
}

/// Operator and block of one dimension.
#[derive(Debug)]
struct Factored<const D: usize> {
    body: Arc<FlexibleBlock<D>>,
    operator: StepOperator<D>,
}

impl<const D: usize> ElasticOperator for Factored<D> {
    fn elastic(&self, impulses: &[f64]) -> Vec<f64> {
        self.operator.elastic(&self.body.block, impulses)
    }

    fn free(&self, h: f64, velocity: &[f64], displacement: &[f64], forces: &[f64]) -> Vec<f64> {
        self.operator.free(&self.body.block, h, velocity, displacement, forces)
    }

    fn compliance(&self, coordinates: &[PointWeights]) -> Vec<f64> {
        self.operator.compliance(&self.body.block, coordinates)
    }
}
