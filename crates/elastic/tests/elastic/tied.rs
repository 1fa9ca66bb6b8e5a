//! Blocks of tied cells: uniform stress through meshes that do not match, bending as one block, cells that do not meet.

use voussoir_elastic::*;

use crate::{box_mesh, held, stone, traction};

/// A box with its lowest corner at a place.
fn cell(at: [f64; 3], size: [f64; 3], counts: [usize; 3]) -> FiniteMesh<3> {
    let mut mesh = box_mesh(size, counts);
    mesh.points.iter_mut().for_each(|p| (0..3).for_each(|c| p[c] += at[c]));
    mesh
}

fn end(x: f64) -> [[f64; 3]; 4] {
    [[x, 0.0, 0.0], [x, 0.4, 0.0], [x, 0.4, 0.4], [x, 0.0, 0.4]]
}

fn tied_block(cells: Vec<FiniteMesh<3>>) -> ElasticBlock<3> {
    let TiedMesh { mesh, ties, .. } = TiedMesh::new(cells).unwrap();
    ElasticBlock::tied(mesh, &ties, stone(20e9, 0.2), ElementForm::Enhanced).unwrap()
}

#[test]
fn uniform_stress_passes_between_meshes_that_do_not_match() {
    let block = tied_block(vec![
        cell([0.0; 3], [1.0, 0.4, 0.4], [4, 3, 3]),
        cell([1.0, 0.0, 0.0], [1.0, 0.4, 0.25], [3, 4, 2]),
        cell([1.0, 0.0, 0.25], [1.0, 0.4, 0.15], [5, 2, 1]),
    ]);
    let mut forces = traction(&block.mesh, &end(0.0), [-1.0, 0.0, 0.0], [-160.0, 0.0, 0.0]);
    // both cells of the other end carry their share
    for (low, high, share) in [(0.0, 0.25, 100.0), (0.25, 0.4, 60.0)] {
        let part = [[2.0, 0.0, low], [2.0, 0.4, low], [2.0, 0.4, high], [2.0, 0.0, high]];
        let own = traction(&block.mesh, &part, [1.0, 0.0, 0.0], [share, 0.0, 0.0]);
        forces.iter_mut().zip(own).for_each(|(f, own)| *f += own);
    }
    // held at one corner and against rotation
    let at = |x: [f64; 3]| {
        block.mesh.points.iter().position(|p| p.iter().zip(x).all(|(a, b)| (a - b).abs() < 1e-9)).unwrap()
    };
    let (a, b, c) = (at([0.0; 3]), at([0.0, 0.4, 0.0]), at([0.0, 0.0, 0.4]));
    let given: Vec<(usize, f64)> =
        [3 * a, 3 * a + 1, 3 * a + 2, 3 * b, 3 * b + 2, 3 * c].iter().map(|&k| (k, 0.0)).collect();
    let u = static_displacement(&block, &given, &forces).unwrap();
    for g in block.gauss_stresses(&u, 0.0) {
        assert!((g.stress.0[0] / 1000.0 - 1.0).abs() < 1e-8, "{:?}", g.stress);
        assert!(g.stress.0[1..].iter().all(|s| s.abs() < 1e-5), "{:?}", g.stress);
    }
}

#[test]
fn tied_cells_bend_as_one_block() {
    let tip = |block: &ElasticBlock<3>| {
        let forces = traction(&block.mesh, &end(2.0), [1.0, 0.0, 0.0], [0.0, 0.0, 1000.0]);
        let u = static_displacement(block, &held(&block.mesh, |p| p[0].abs() < 1e-9), &forces).unwrap();
        u.iter().zip(&forces).map(|(u, f)| u * f).sum::<f64>() / 1000.0
    };
    let one = tip(&tied_block(vec![cell([0.0; 3], [2.0, 0.4, 0.4], [8, 2, 2])]));
    let halves = |n: usize, m: usize| {
        vec![cell([0.0; 3], [1.0, 0.4, 0.4], [4, n, n]), cell([1.0, 0.0, 0.0], [1.0, 0.4, 0.4], [4, m, m])]
    };
    let matching = tip(&tied_block(halves(2, 2)));
    assert!((matching / one - 1.0).abs() < 2e-4 && matching > one, "{matching:e} {one:e}");
    // between meshes that do not match, about what the finer mesh changes
    let mixed = tip(&tied_block(halves(2, 3)));
    assert!((mixed / one - 1.0).abs() < 5e-3, "{mixed:e} {one:e}");
}

#[test]
fn inner_faces_are_no_part_of_the_surface() {
    let lower = cell([0.0; 3], [1.0, 0.4, 0.4], [2, 2, 2]);
    let upper = cell([0.0, 0.0, 0.4], [0.5, 0.4, 0.4], [2, 2, 2]);
    let tied = TiedMesh::new(vec![lower.clone(), upper]).unwrap();
    // of 24 faces each, four of the upper one and two of the lower one are inside
    assert_eq!((tied.mesh.surface().len(), tied.outer.len()), (48, 48 - 4 - 2));
    let apart = TiedMesh::new(vec![lower.clone(), cell([3.0, 0.0, 0.0], [1.0; 3], [1; 3])]);
    assert!(apart.unwrap_err().to_string().contains("not connected by common faces"));
    // in the plane
    let rectangle = |x: f64, y: f64, n: usize| {
        let corners = [[x, y], [x + 1.0, y], [x + 1.0, y + 0.5], [x, y + 0.5]];
        polygon_mesh(&corners, &Fineness::divided(n)).unwrap()
    };
    let tied = TiedMesh::new(vec![rectangle(0.0, 0.0, 4), rectangle(0.5, 0.5, 2)]).unwrap();
    assert_eq!(tied.outer.len(), 16 + 8 - 2 - 1);
    let sum: f64 = tied.ties.iter().map(|tie| tie.share).sum();
    // the common side has 0.5 m, the larger elements 0.5 m
    assert!((sum - 1.0).abs() < 1e-12);
}
