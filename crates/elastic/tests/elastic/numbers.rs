//! Published and independently computed numbers: Cook's membrane, a cantilever, held expansion.

use voussoir_elastic::*;

use crate::patch::split;
use crate::{box_mesh, held, stone, traction};

/// Cook's membrane: vertical displacement at the middle of the loaded edge.
fn cook(
    n: usize,
    kind: ElementKind,
    form: ElementForm,
    constants: ElasticConstants,
    state: PlaneState,
    total: f64,
) -> f64 {
    let corners = [[0.0, 0.0], [48.0, 44.0], [48.0, 60.0], [0.0, 44.0]];
    let mesh = split(&polygon_mesh(&corners, &Fineness::divided(n)).unwrap(), kind);
    let material = ElasticMaterial::plane(constants, 1.0, 0.0, 1.0, state).unwrap();
    let block = ElasticBlock::new(mesh, material, form).unwrap();
    let forces = traction(&block.mesh, &[corners[1], corners[2]], [1.0, 0.0], [0.0, total]);
    let fixed = held(&block.mesh, |p| p[0].abs() < 1e-9);
    let u = static_displacement(&block, &fixed, &forces).unwrap();
    let middle = block.mesh.points.iter().position(|p| (p[0] - 48.0).abs() + (p[1] - 52.0).abs() < 1e-9).unwrap();
    u[2 * middle + 1]
}

#[test]
fn cooks_membrane() {
    let constants = ElasticConstants::Isotropic { young: 1.0, poisson: 1.0 / 3.0 };
    let value =
        |n: usize, kind: ElementKind, form: ElementForm| cook(n, kind, form, constants, PlaneState::Stress, 1.0);
    use ElementForm::{Enhanced, Standard};
    let table = [
        (ElementKind::Quad4, Enhanced, [21.050301, 23.016441, 23.688831, 23.883278]),
        (ElementKind::Quad4, Standard, [11.845180, 18.299166, 22.079183, 23.430411]),
        (ElementKind::Triangle3, Standard, [6.742530, 11.251992, 17.331163, 21.592150]),
        (ElementKind::Triangle6, Standard, [21.251406, 23.476094, 23.860706, 23.927125]),
    ];
    for (kind, form, values) in table {
        for (n, expected) in [2, 4, 8, 16].into_iter().zip(values) {
            let computed = value(n, kind, form);
            assert!((computed - expected).abs() < 1e-6, "{kind:?} {n}: {computed:.6} instead of {expected}");
        }
    }
    // quadratic quadrilaterals converge to 23.9677
    let [coarse, fine] = [16, 32].map(|n| value(n, ElementKind::Quad8, Standard));
    assert!(coarse < fine && fine < 23.9677 && fine > 23.949, "{coarse} {fine}");
}

#[test]
fn nearly_incompressible_membrane_does_not_lock() {
    let constants = ElasticConstants::Isotropic { young: 240.565, poisson: 0.4999 };
    let value = |form: ElementForm| cook(16, ElementKind::Quad4, form, constants, PlaneState::Strain, 100.0);
    assert!((value(ElementForm::Enhanced) - 7.593163).abs() < 1e-6);
    assert!((value(ElementForm::Standard) - 2.407329).abs() < 1e-6);
}

/// Cantilever 10 × 1 × 1 m with uniform end shear: work divided by load.
fn cantilever(counts: [usize; 3], kind: ElementKind, form: ElementForm) -> f64 {
    let mesh = split(&box_mesh([10.0, 1.0, 1.0], counts), kind);
    let block = ElasticBlock::new(mesh, stone(30e9, 0.2), form).unwrap();
    let end = [[10.0, 0.0, 0.0], [10.0, 1.0, 0.0], [10.0, 1.0, 1.0], [10.0, 0.0, 1.0]];
    let forces = traction(&block.mesh, &end, [1.0, 0.0, 0.0], [0.0, 0.0, 1000.0]);
    let u = static_displacement(&block, &held(&block.mesh, |p| p[0].abs() < 1e-9), &forces).unwrap();
    u.iter().zip(&forces).map(|(u, f)| u * f).sum::<f64>() / 1000.0
}

#[test]
fn a_cantilever_bends() {
    use ElementForm::{Enhanced, Standard};
    for (counts, form, expected) in [
        ([5, 1, 1], Enhanced, 1.317134e-4),
        ([10, 1, 1], Enhanced, 1.331829e-4),
        ([20, 2, 2], Enhanced, 1.334279e-4),
        ([10, 1, 1], Standard, 0.905445e-4),
        ([20, 2, 2], Standard, 1.192801e-4),
    ] {
        let computed = cantilever(counts, ElementKind::Hexa8, form);
        assert!((computed - expected).abs() < 1e-10, "{counts:?}: {computed:e} instead of {expected:e}");
    }
    // tetrahedra by another division into six than that of the reference: within 0.3 %
    for (counts, expected) in [([5, 1, 1], 1.315193e-4), ([10, 1, 1], 1.328561e-4)] {
        let computed = cantilever(counts, ElementKind::Tetra10, Standard);
        assert!((computed / expected - 1.0).abs() < 3e-3, "{counts:?}: {computed:e} instead of {expected:e}");
    }
    // quadratic hexahedra come from below, as every compatible element; 27-point hexahedra give 1.337742e-4 for [20, 2, 2]
    let [coarse, fine] = [[5, 1, 1], [10, 2, 2]].map(|counts| cantilever(counts, ElementKind::Hexa20, Standard));
    assert!(coarse < fine && fine < 1.337742e-4 && fine > 0.997 * 1.337742e-4, "{coarse:e} {fine:e}");
}

#[test]
fn a_heated_bar_between_walls() {
    let mesh = box_mesh([2.0, 0.2, 0.3], [4, 1, 2]);
    let block = ElasticBlock::new(mesh, stone(20e9, 0.2), ElementForm::Enhanced).unwrap();
    let forces = block.thermal_forces(30.0);
    let hold = |axes: usize, condition: &dyn Fn(&[f64; 3]) -> bool| -> Vec<(usize, f64)> {
        held(&block.mesh, condition).into_iter().filter(|(k, _)| k % 3 == axes).collect()
    };
    let corner: Vec<(usize, f64)> =
        [hold(1, &|p| p[1] == 0.0), hold(2, &|p| p[2] == 0.0), hold(0, &|p| p[0] == 0.0)].concat();
    // free to expand: no stress
    let u = static_displacement(&block, &corner, &forces).unwrap();
    let largest = block.gauss_stresses(&u, 30.0).iter().map(|g| g.stress.von_mises()).fold(0.0, f64::max);
    assert!(largest < 1e-9 * 6e6);
    // between rigid walls: −EαΔT
    let walls = [corner, hold(0, &|p| p[0] == 2.0)].concat();
    let u = static_displacement(&block, &walls, &forces).unwrap();
    for g in block.gauss_stresses(&u, 30.0) {
        assert!((g.stress.0[0] / (-20e9 * 1e-5 * 30.0) - 1.0).abs() < 1e-9);
        assert!(g.stress.0[1..].iter().all(|s| s.abs() < 1e-9 * 6e6));
    }
}

#[test]
fn mass_and_inertia_are_those_of_the_block() {
    // a mesh of a box about its centroid: m, m(b² + c²)/12
    let mut mesh = box_mesh([1.0, 2.0, 3.0], [2, 3, 2]);
    mesh.points.iter_mut().for_each(|p| *p = [p[0] - 0.5, p[1] - 1.0, p[2] - 1.5]);
    let block = ElasticBlock::new(mesh, stone(20e9, 0.2), ElementForm::Enhanced).unwrap();
    let (inertia, mass) = (block.inertia(), 2400.0 * 6.0);
    let expected = [mass, mass, mass, mass * 13.0 / 12.0, mass * 10.0 / 12.0, mass * 5.0 / 12.0];
    for i in 0..6 {
        for j in 0..6 {
            let exact = if i == j { expected[i] } else { 0.0 };
            assert!((inertia[6 * i + j] - exact).abs() < 1e-9 * mass, "{i} {j}");
        }
    }
}
