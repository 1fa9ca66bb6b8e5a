//! Linear elastic blocks by finite elements.
//!
//! | module | content |
//! |---|---|
//! | [`kind`], `rule` | kinds of elements, shape functions, integration rules |
//! | [`mesh`], [`block_mesh`] | meshes, their surface and quality; own meshes of convex blocks |
//! | [`material`], `element` | elastic constants; matrices of one element, incompatible modes |
//! | [`block`], [`fixed`] | matrices of a block, rigid motions; static displacements |
//! | [`operator`] | the operator of a time step, its condensation to contact coordinates |
//! | [`modes`] | reduced bases: free modes and static responses |
//! | [`interface`] | contact coordinates: mean values over an interface |
//! | [`tied`], `clip` | blocks of several convex cells |
//! | [`stress`] | stresses and their measures |
//!
//! Strains are small; displacements are in the axes of the block, which follow its rotation. Lengths in m, forces in N, stresses
//! in Pa, tension positive. The crate knows no bodies, no contacts, no files and no clock.

pub mod block;
pub mod block_mesh;
mod clip;
mod element;
pub mod error;
pub mod fixed;
mod grid;
pub mod interface;
pub mod kind;
pub mod material;
pub mod mesh;
pub mod modes;
pub mod operator;
mod rule;
mod small;
mod sparse;
pub mod stress;
pub mod surface;
pub mod tied;

pub use block::{ElasticBlock, ElementForm};
pub use block_mesh::{Fineness, polygon_mesh, polyhedron_mesh};
pub use error::ElasticError;
pub use fixed::static_displacement;
pub use interface::{ContactCoordinate, CoordinateMode, coordinates, grid_points};
pub use kind::ElementKind;
pub use material::{ElasticConstants, ElasticMaterial, PlaneState};
pub use mesh::{FiniteElement, FiniteMesh, MeshQuality, SurfaceFace};
pub use modes::ModalBasis;
pub use operator::{PointWeights, RayleighDamping, StepOperator, gather, scatter};
pub use stress::{GaussStress, StressTensor, mean_stress};
pub use surface::BlockSurface;
pub use tied::{CellTie, TiedMesh};
