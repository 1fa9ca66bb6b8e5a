//! Tests of elastic blocks: patch tests, published numbers, closed forms, contact coordinates.

mod coordinates;
mod numbers;
mod patch;
mod steps;
mod tied;

use voussoir_elastic::*;

/// Stone in space.
fn stone(young: f64, poisson: f64) -> ElasticMaterial {
    ElasticMaterial::solid(ElasticConstants::Isotropic { young, poisson }, 2400.0, 1e-5).unwrap()
}

/// Corners and faces of a box from the origin.
fn box_shape(size: [f64; 3]) -> (Vec<[f64; 3]>, Vec<Vec<u32>>) {
    let corners = (0..8).map(|k| std::array::from_fn(|c| if k >> c & 1 == 1 { size[c] } else { 0.0 })).collect();
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [1, 3, 7, 5], [3, 2, 6, 7], [2, 0, 4, 6]];
    (corners, faces.iter().map(|face| face.to_vec()).collect())
}

/// Mesh of a box with its own number of elements along each edge.
fn box_mesh(size: [f64; 3], counts: [usize; 3]) -> FiniteMesh<3> {
    // a unit box with equal divisions, stretched: counts by the size of elements
    let (corners, faces) = box_shape(counts.map(|n| n as f64));
    let mut mesh = polyhedron_mesh(&corners, &faces, &Fineness::of_size(1.0)).unwrap();
    for point in &mut mesh.points {
        (0..3).for_each(|c| point[c] *= size[c] / counts[c] as f64);
    }
    mesh
}

/// Indices of the displacements of the points that satisfy a condition.
fn held<const D: usize>(mesh: &FiniteMesh<D>, condition: impl Fn(&[f64; D]) -> bool) -> Vec<(usize, f64)> {
    let points = mesh.points.iter().enumerate().filter(|(_, p)| condition(p));
    points.flat_map(|(k, _)| (0..D).map(move |c| (k * D + c, 0.0))).collect()
}

/// Forces of a uniform traction [Pa] on the faces of the surface whose points all satisfy a condition, by the weights of an
/// interface.
fn traction<const D: usize>(
    mesh: &FiniteMesh<D>,
    corners: &[[f64; D]],
    outward: [f64; D],
    total: [f64; D],
) -> Vec<f64> {
    let coordinates = coordinates(&BlockSurface::new(mesh), corners, &outward, 1e-9, CoordinateMode::Corners).unwrap();
    let area: f64 = coordinates.iter().map(|c| c.area).sum();
    let weights: Vec<PointWeights> = coordinates.iter().map(|c| c.weights.clone()).collect();
    let impulses: Vec<f64> = coordinates.iter().flat_map(|c| total.map(|t| t * c.area / area)).collect();
    scatter::<D>(&weights, &impulses, mesh.points.len())
}
