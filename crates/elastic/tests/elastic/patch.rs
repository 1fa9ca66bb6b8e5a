//! Patch tests: every linear displacement is reproduced with its constant stress, to 1e-10.

use proptest::prelude::*;
use voussoir_elastic::*;

use crate::{box_mesh, box_shape, stone};

/// Applies a linear displacement at the outer points; the inner ones follow, and the stress is constant.
fn passes<const D: usize>(mesh: FiniteMesh<D>, material: ElasticMaterial, form: ElementForm) -> f64 {
    let gradient: [[f64; D]; D] =
        std::array::from_fn(|i| std::array::from_fn(|j| 1e-3 * (1.0 + i as f64 * 0.7 - j as f64 * 0.4)));
    let exact: Vec<f64> = mesh
        .points
        .iter()
        .flat_map(|p| (0..D).map(move |i| 1e-4 + gradient[i].iter().zip(p).map(|(g, x)| g * x).sum::<f64>()))
        .collect();
    let mut outer: Vec<u32> = mesh.surface().iter().flat_map(|face| face.points.clone()).collect();
    outer.sort_unstable();
    outer.dedup();
    let given: Vec<(usize, f64)> =
        outer.iter().flat_map(|&p| (0..D).map(move |c| p as usize * D + c)).map(|k| (k, exact[k])).collect();
    let block = ElasticBlock::new(mesh, material, form).unwrap();
    let u = static_displacement(&block, &given, &vec![0.0; block.size()]).unwrap();
    let error = u.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let gauss = block.gauss_stresses(&u, 0.0);
    let scale = gauss[0].stress.von_mises();
    let spread = gauss.iter().flat_map(|g| (0..6).map(|k| (g.stress.0[k] - gauss[0].stress.0[k]).abs() / scale));
    let points = block.point_stresses(&gauss);
    let averaged = points.iter().flat_map(|s| (0..6).map(|k| (s.0[k] - gauss[0].stress.0[k]).abs() / scale));
    spread.chain(averaged).fold(error / 1e-3, f64::max)
}

fn plane() -> ElasticMaterial {
    let constants = ElasticConstants::Isotropic { young: 20e9, poisson: 0.25 };
    ElasticMaterial::plane(constants, 2400.0, 0.0, 0.5, PlaneState::Strain).unwrap()
}

/// Moves the inner points of a mesh by pseudo-random shares of a length.
fn distort<const D: usize>(mesh: &mut FiniteMesh<D>, by: f64) {
    let outer: Vec<u32> = mesh.surface().iter().flat_map(|face| face.points.clone()).collect();
    for k in 0..mesh.points.len() {
        if !outer.contains(&(k as u32)) {
            for c in 0..D {
                let random = ((k * 7919 + c * 104_729) % 1000) as f64 / 1000.0 - 0.5;
                mesh.points[k][c] += by * random;
            }
        }
    }
}

#[test]
fn distorted_hexahedra() {
    let mut mesh = box_mesh([1.0, 1.0, 1.0], [3, 3, 3]);
    distort(&mut mesh, 0.25);
    assert!(mesh.quality().scaled_jacobian < 0.95);
    for form in [ElementForm::Enhanced, ElementForm::Standard] {
        assert!(passes(mesh.clone(), stone(20e9, 0.25), form) < 1e-10);
    }
}

#[test]
fn bedded_stone() {
    let mut mesh = box_mesh([1.0, 0.5, 0.4], [3, 3, 3]);
    distort(&mut mesh, 0.1);
    let constants = ElasticConstants::Bedded {
        young: 30e9,
        poisson: 0.2,
        young_across: 10e9,
        poisson_across: 0.1,
        shear_across: 5e9,
        normal: [0.2, 0.1, 1.0],
    };
    let material = ElasticMaterial::solid(constants, 2400.0, 0.0).unwrap();
    assert!(passes(mesh, material, ElementForm::Enhanced) < 1e-10);
}

/// Corners and faces of a voussoir of a round arch.
fn voussoir() -> (Vec<[f64; 3]>, Vec<Vec<u32>>) {
    let (_, faces) = box_shape([1.0; 3]);
    let corner = |k: usize| {
        let (radius, angle) = (if k & 1 == 1 { 2.5 } else { 2.0 }, if k & 4 == 4 { 1.0f64 } else { 0.8 });
        [radius * angle.cos(), if k & 2 == 2 { 0.8 } else { 0.0 }, radius * angle.sin()]
    };
    ((0..8).map(corner).collect(), faces)
}

/// Prism over a regular polygon.
fn prism(sides: usize) -> (Vec<[f64; 3]>, Vec<Vec<u32>>) {
    let at = |k: usize, z: f64| {
        let angle = std::f64::consts::TAU * k as f64 / sides as f64;
        [angle.cos(), angle.sin(), z]
    };
    let corners = (0..sides).map(|k| at(k, 0.0)).chain((0..sides).map(|k| at(k, 0.7))).collect();
    let n = sides as u32;
    let mut faces: Vec<Vec<u32>> = (0..n).map(|k| vec![k, (k + 1) % n, n + (k + 1) % n, n + k]).collect();
    faces.push((0..n).rev().collect());
    faces.push((n..2 * n).collect());
    (corners, faces)
}

fn pyramid() -> (Vec<[f64; 3]>, Vec<Vec<u32>>) {
    let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.2, 0.0], [0.0, 1.2, 0.0], [0.4, 0.5, 0.9]];
    (corners, vec![vec![3, 2, 1, 0], vec![0, 1, 4], vec![1, 2, 4], vec![2, 3, 4], vec![3, 0, 4]])
}

/// Volume by tetrahedra from the origin.
fn volume(corners: &[[f64; 3]], faces: &[Vec<u32>]) -> f64 {
    let triangle = |a: [f64; 3], b: [f64; 3], c: [f64; 3]| {
        (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]))
            / 6.0
    };
    let at = |face: &[u32], k: usize| corners[face[k] as usize];
    faces.iter().map(|f| (1..f.len() - 1).map(|k| triangle(at(f, 0), at(f, k), at(f, k + 1))).sum::<f64>()).sum()
}

#[test]
fn meshes_of_blocks() {
    for (name, elements, (corners, faces)) in [
        ("voussoir", 27, voussoir()),
        ("hexagonal prism", 12 * 8, prism(6)),
        ("triangular prism", 6 * 8, prism(3)),
        ("pyramid", 8 * 4 * 8, pyramid()),
    ] {
        for grading in [1.0, 1.5] {
            let fineness = Fineness { grading, ..Fineness::divided(3) };
            let mesh = polyhedron_mesh(&corners, &faces, &fineness).unwrap();
            assert_eq!(mesh.elements.len(), elements, "{name}");
            mesh.check_volume(volume(&corners, &faces), 1e-12).unwrap();
            let quality = mesh.quality();
            assert!(quality.jacobian_ratio > 0.0 && quality.scaled_jacobian > 0.0, "{name}: {quality:?}");
            let error = passes(mesh, stone(20e9, 0.25), ElementForm::Enhanced);
            assert!(error < 1e-10, "{name}: {error:e}");
        }
    }
}

#[test]
fn meshes_of_polygons() {
    let corner = |k: usize, n: usize| {
        let angle = std::f64::consts::TAU * k as f64 / n as f64;
        [1.3 * angle.cos() + 0.2 * angle.sin(), angle.sin()]
    };
    for n in 3..8 {
        let corners: Vec<[f64; 2]> = (0..n).map(|k| corner(k, n)).collect();
        let area: f64 = (0..n)
            .map(|k| 0.5 * (corners[k][0] * corners[(k + 1) % n][1] - corners[k][1] * corners[(k + 1) % n][0]))
            .sum();
        let mesh = polygon_mesh(&corners, &Fineness { grading: 1.3, ..Fineness::divided(4) }).unwrap();
        assert_eq!(mesh.elements.len(), if n == 4 { 16 } else { 4 * n });
        mesh.check_volume(area, 1e-12).unwrap();
        assert!(passes(mesh, plane(), ElementForm::Enhanced) < 1e-10);
    }
}

/// Splits quadrilaterals and hexahedra of a mesh into elements of another kind, with middle points for quadratic ones.
pub fn split<const D: usize>(mesh: &FiniteMesh<D>, kind: ElementKind) -> FiniteMesh<D> {
    let parts: &[&[usize]] = match kind {
        ElementKind::Triangle3 | ElementKind::Triangle6 => &[&[0, 1, 2], &[0, 2, 3]],
        ElementKind::Tetra4 | ElementKind::Tetra10 => {
            &[&[0, 1, 2, 6], &[0, 2, 3, 6], &[0, 3, 7, 6], &[0, 7, 4, 6], &[0, 4, 5, 6], &[0, 5, 1, 6]]
        }
        ElementKind::Quad4 | ElementKind::Quad8 => &[&[0, 1, 2, 3]],
        _ => &[&[0, 1, 2, 3, 4, 5, 6, 7]],
    };
    const TETRA: [[usize; 2]; 6] = [[0, 1], [1, 2], [2, 0], [0, 3], [2, 3], [1, 3]];
    const QUAD: [[usize; 2]; 4] = [[0, 1], [1, 2], [2, 3], [3, 0]];
    const HEXA: [[usize; 2]; 12] =
        [[0, 1], [0, 3], [0, 4], [1, 2], [1, 5], [2, 3], [2, 6], [3, 7], [4, 5], [4, 7], [5, 6], [6, 7]];
    let edges: &[[usize; 2]] = match kind {
        ElementKind::Triangle6 => &TETRA[..3],
        ElementKind::Tetra10 => &TETRA,
        ElementKind::Quad8 => &QUAD,
        ElementKind::Hexa20 => &HEXA,
        _ => &[],
    };
    let mut points = mesh.points.clone();
    let mut middles = std::collections::BTreeMap::new();
    let mut elements = Vec::new();
    for element in &mesh.elements {
        for part in parts {
            let mut own: Vec<u32> = part.iter().map(|&k| element.points[k]).collect();
            for [a, b] in edges {
                let (a, b) = (own[*a].min(own[*b]), own[*a].max(own[*b]));
                let middle = *middles.entry((a, b)).or_insert_with(|| {
                    let (x, y) = (points[a as usize], points[b as usize]);
                    points.push(std::array::from_fn(|c| 0.5 * (x[c] + y[c])));
                    points.len() as u32 - 1
                });
                own.push(middle);
            }
            elements.push(FiniteElement { kind, points: own });
        }
    }
    FiniteMesh { points, elements }
}

#[test]
fn all_kinds_of_elements() {
    let mut solid = box_mesh([1.0, 1.0, 1.0], [3, 3, 3]);
    distort(&mut solid, 0.15);
    for kind in [ElementKind::Tetra4, ElementKind::Tetra10, ElementKind::Hexa8, ElementKind::Hexa20] {
        let mesh = split(&solid, kind);
        mesh.check_volume(1.0, 1e-12).unwrap();
        let error = passes(mesh, stone(20e9, 0.25), ElementForm::Enhanced);
        assert!(error < 1e-10, "{kind:?}: {error:e}");
    }
    let corners = [[0.0, 0.0], [2.0, 0.3], [1.7, 1.5], [-0.2, 1.0]];
    let mut flat = polygon_mesh(&corners, &Fineness::divided(4)).unwrap();
    distort(&mut flat, 0.1);
    for kind in [ElementKind::Triangle3, ElementKind::Triangle6, ElementKind::Quad4, ElementKind::Quad8] {
        let error = passes(split(&flat, kind), plane(), ElementForm::Enhanced);
        assert!(error < 1e-10, "{kind:?}: {error:e}");
    }
}

#[test]
fn largest_frequencies_of_all_kinds_are_alike() {
    // row sums of the mass of quadratic triangles and tetrahedra are zero or negative at corners
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let flat = polygon_mesh(&corners, &Fineness::divided(3)).unwrap();
    let of = |kind| ElasticBlock::new(split(&flat, kind), plane(), ElementForm::Enhanced).unwrap().largest_frequency();
    let solid = box_mesh([1.0; 3], [2, 2, 2]);
    let whole = |kind| {
        ElasticBlock::new(split(&solid, kind), stone(20e9, 0.2), ElementForm::Enhanced).unwrap().largest_frequency()
    };
    let frequencies = [
        [of(ElementKind::Quad4), of(ElementKind::Quad8), of(ElementKind::Triangle3), of(ElementKind::Triangle6)],
        [
            whole(ElementKind::Hexa8),
            whole(ElementKind::Hexa20),
            whole(ElementKind::Tetra4),
            whole(ElementKind::Tetra10),
        ],
    ];
    for [linear, others @ ..] in frequencies {
        assert!(others.iter().all(|other| (0.5..20.0).contains(&(other / linear))), "{frequencies:?}");
    }
}

#[test]
fn unusable_meshes_are_refused() {
    let good = box_mesh([1.0; 3], [2, 1, 1]);
    let mut inverted = good.clone();
    inverted.elements[1].points.swap(0, 4);
    assert!(matches!(inverted.check(), Err(ElasticError::Inverted { element: 1, .. })));
    let mut short = good.clone();
    short.elements[0].points.pop();
    assert!(short.check().unwrap_err().to_string().contains("hexahedron with 8 points with 7 points"));
    let mut unknown = good.clone();
    unknown.elements[1].points[3] = 99;
    assert_eq!(unknown.check(), Err(ElasticError::UnknownPoint { element: 1, point: 99, points: 12 }));
    let mut doubled = good.clone();
    doubled.elements.push(good.elements[0].clone());
    doubled.elements.push(good.elements[0].clone());
    assert!(matches!(doubled.check(), Err(ElasticError::Overlap { .. })));
    let mut part = good;
    part.elements.pop();
    assert!(
        matches!(part.check_volume(1.0, 1e-9), Err(ElasticError::Volume { mesh, .. }) if (mesh - 0.5).abs() < 1e-12)
    );
}

/// Convex hull by brute force: all planes through three points with the others on one side.
fn hull(points: &[[f64; 3]]) -> (Vec<[f64; 3]>, Vec<Vec<u32>>) {
    let minus = |a: [f64; 3], b: [f64; 3]| -> [f64; 3] { std::array::from_fn(|c| a[c] - b[c]) };
    let mut faces = Vec::new();
    let n = points.len();
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                if i < j && i < k && j != k {
                    let (u, v) = (minus(points[j], points[i]), minus(points[k], points[i]));
                    let normal: [f64; 3] =
                        std::array::from_fn(|c| u[(c + 1) % 3] * v[(c + 2) % 3] - u[(c + 2) % 3] * v[(c + 1) % 3]);
                    let height =
                        |p: &[f64; 3]| minus(*p, points[i]).iter().zip(normal).map(|(a, b)| a * b).sum::<f64>();
                    let others = (0..n).filter(|l| ![i, j, k].contains(l));
                    if others.map(|l| height(&points[l])).all(|h| h < 0.0) {
                        faces.push(vec![i as u32, j as u32, k as u32]);
                    }
                }
            }
        }
    }
    let mut used: Vec<u32> = faces.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    let place = |v: &u32| used.binary_search(v).unwrap() as u32;
    let faces = faces.iter().map(|face: &Vec<u32>| face.iter().map(place).collect()).collect();
    (used.iter().map(|&v| points[v as usize]).collect(), faces)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]
    #[test]
    fn random_hulls(coordinates in prop::collection::vec(prop::array::uniform3(-1.0..1.0f64), 10)) {
        let (corners, faces) = hull(&coordinates);
        let size = volume(&corners, &faces);
        prop_assume!(size > 0.2);
        let mesh = polyhedron_mesh(&corners, &faces, &Fineness::divided(1)).unwrap();
        mesh.check_volume(size, 1e-12).unwrap();
        let error = passes(mesh, stone(20e9, 0.25), ElementForm::Enhanced);
        prop_assert!(error < 1e-10, "{error:e}");
    }
}
