//! Contact coordinates: sums, places, exact pressures.

use proptest::prelude::*;
use voussoir_elastic::*;

use crate::{box_mesh, stone};

fn check_sums<const D: usize>(mesh: &FiniteMesh<D>, coordinates: &[ContactCoordinate<D>]) {
    for coordinate in coordinates {
        let sum: f64 = coordinate.weights.iter().map(|(_, w)| w).sum();
        assert!((sum - 1.0).abs() < 1e-12);
        for c in 0..D {
            let place: f64 = coordinate.weights.iter().map(|&(p, w)| w * mesh.points[p as usize][c]).sum();
            assert!((place - coordinate.place[c]).abs() < 1e-12);
        }
    }
}

#[test]
fn corner_coordinates_are_at_the_corners() {
    let mesh = box_mesh([1.0, 1.2, 0.5], [3, 4, 1]);
    let surface = BlockSurface::new(&mesh);
    assert_eq!(surface.planes(), 6);
    let polygon = [[0.1, 0.2, 0.5], [0.95, 0.3, 0.5], [0.8, 1.1, 0.5], [0.4, 1.15, 0.5], [0.05, 0.9, 0.5]];
    for corners in 3..=5 {
        let found =
            coordinates(&surface, &polygon[..corners], &[0.0, 0.0, 1.0], 1e-9, CoordinateMode::Corners).unwrap();
        check_sums(&mesh, &found);
        for (coordinate, corner) in found.iter().zip(&polygon) {
            let way: f64 = coordinate.place.iter().zip(corner).map(|(a, b)| (a - b).abs()).sum();
            assert!(way < 1e-12, "{:?} {corner:?}", coordinate.place);
        }
    }
}

#[test]
fn a_grid_acts_at_the_corners_of_its_cells() {
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 0.6], [0.0, 0.6]];
    let mesh = polygon_mesh(&corners, &Fineness::divided(5)).unwrap();
    let top = [corners[2], corners[3]];
    let found = coordinates(&BlockSurface::new(&mesh), &top, &[0.0, 1.0], 1e-9, CoordinateMode::Grid(4)).unwrap();
    check_sums(&mesh, &found);
    assert_eq!(found.len(), 5);
    let places = found.iter().map(|c| c.place[0]).zip([1.0, 0.75, 0.5, 0.25, 0.0]);
    assert!(places.clone().all(|(x, expected)| (x - expected).abs() < 1e-12));
    assert!((found.iter().map(|c| c.area).sum::<f64>() - 1.0).abs() < 1e-12);
}

#[test]
fn an_interface_beside_the_block_has_no_coordinates() {
    let surface = BlockSurface::new(&box_mesh([1.0; 3], [2; 3]));
    let beside = [[0.5, 0.0, 1.0], [1.5, 0.0, 1.0], [1.5, 1.0, 1.0], [0.5, 1.0, 1.0]];
    assert_eq!(coordinates(&surface, &beside, &[0.0, 0.0, 1.0], 1e-9, CoordinateMode::Corners), None);
    assert_eq!(coordinates(&surface, &beside, &[0.0, 0.0, -1.0], 1e-9, CoordinateMode::Corners), None);
    // the value at a point beside the surface is that at the nearest point
    let weights = surface.nearest(&[1.3, 0.5, 0.5]);
    assert_eq!(weights.len(), 1);
}

/// Forces ∫ p N of a linear pressure on the top of a box with its mesh [N].
fn exact_forces(mesh: &FiniteMesh<3>) -> Vec<f64> {
    let top: Vec<SurfaceFace> =
        mesh.surface().into_iter().filter(|f| f.points.iter().all(|&p| mesh.points[p as usize][2] == 0.5)).collect();
    let mut forces = vec![0.0; mesh.points.len()];
    let at = 0.6f64.sqrt();
    for face in &top {
        let x: Vec<[f64; 3]> = face.points.iter().map(|&p| mesh.points[p as usize]).collect();
        let area = (x[2][0] - x[0][0]).abs() * (x[2][1] - x[0][1]).abs();
        for (u, wu) in [(-at, 5.0 / 9.0), (0.0, 8.0 / 9.0), (at, 5.0 / 9.0)] {
            for (v, wv) in [(-at, 5.0 / 9.0), (0.0, 8.0 / 9.0), (at, 5.0 / 9.0)] {
                let n = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                    .map(|(a, b)| (1.0 + a * u) * (1.0 + b * v) / 4.0);
                let place = |c: usize| n.iter().zip(&x).map(|(n, x)| n * x[c]).sum::<f64>();
                let pressure = 2.0 + 0.7 * place(0) - 0.4 * place(1);
                (0..4).for_each(|k| forces[face.points[k] as usize] += pressure * n[k] * wu * wv * area / 4.0);
            }
        }
    }
    forces
}

/// Distance of the exact forces of a linear pressure from those that forces on the coordinates of two interfaces, which
/// together cover the top, can give: least squares.
fn pressure_error(mode: CoordinateMode, cut: f64) -> f64 {
    let mesh = box_mesh([1.0, 1.2, 0.5], [5, 3, 1]);
    let surface = BlockSurface::new(&mesh);
    let rectangle = |from: f64, to: f64| [[from, 0.0, 0.5], [to, 0.0, 0.5], [to, 1.2, 0.5], [from, 1.2, 0.5]];
    let columns: Vec<Vec<f64>> = [rectangle(0.0, cut), rectangle(cut, 1.0)]
        .iter()
        .flat_map(|part| coordinates(&surface, part, &[0.0, 0.0, 1.0], 1e-9, mode).unwrap())
        .map(|coordinate| {
            let mut column = vec![0.0; mesh.points.len()];
            coordinate.weights.iter().for_each(|&(p, w)| column[p as usize] = w);
            column
        })
        .collect();
    // Gram–Schmidt twice: what is left of the forces is not in the span
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let reduced = |mut v: Vec<f64>, basis: &[Vec<f64>]| {
        for _ in 0..2 {
            for b in basis {
                let share = dot(&v, b);
                v.iter_mut().zip(b).for_each(|(v, b)| *v -= share * b);
            }
        }
        v
    };
    for column in columns {
        let rest = reduced(column, &basis);
        let length = dot(&rest, &rest).sqrt();
        if length > 1e-9 {
            basis.push(rest.iter().map(|x| x / length).collect());
        }
    }
    let rest = reduced(exact_forces(&mesh), &basis);
    dot(&rest, &rest).sqrt()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]
    #[test]
    fn uniform_and_linear_pressure_are_exact_for_any_division(cut in 0.2..0.8f64) {
        prop_assert!(pressure_error(CoordinateMode::Corners, cut) < 1e-12);
        prop_assert!(pressure_error(CoordinateMode::Grid(2), cut) < 1e-12);
        prop_assert!(pressure_error(CoordinateMode::Parallelograms(3), cut) < 1e-12);
    }
}

#[test]
fn a_uniform_pressure_through_coordinates_gives_a_uniform_stress() {
    // top loaded through two interfaces that do not match the mesh, bottom through one; faces of hexahedra not parallelograms
    let corners: Vec<[f64; 3]> = (0..8)
        .map(|k: usize| {
            let (x, y, z) = ((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64);
            [x, y * 1.2, z * 0.5]
        })
        .collect();
    let (_, faces) = crate::box_shape([1.0; 3]);
    let mut mesh = polyhedron_mesh(&corners, &faces, &Fineness::divided(3)).unwrap();
    // move inner points of the top within the top
    for (k, p) in mesh.points.iter_mut().enumerate() {
        let inner = p[0] > 0.01 && p[0] < 0.99 && p[1] > 0.01 && p[1] < 1.19;
        if inner {
            p[0] += 0.06 * ((k * 37 % 11) as f64 / 11.0 - 0.5);
            p[1] += 0.06 * ((k * 53 % 13) as f64 / 13.0 - 0.5);
        }
    }
    let block = ElasticBlock::new(mesh, stone(20e9, 0.2), ElementForm::Enhanced).unwrap();
    let surface = BlockSurface::new(&block.mesh);
    let face = |z: f64, from: f64, to: f64| [[from, 0.0, z], [to, 0.0, z], [to, 1.2, z], [from, 1.2, z]];
    let mut forces = vec![0.0; block.size()];
    let mut add = |polygon: &[[f64; 3]], up: f64, mode: CoordinateMode| {
        for coordinate in coordinates(&surface, polygon, &[0.0, 0.0, up], 1e-9, mode).unwrap() {
            coordinate.weights.iter().for_each(|&(p, w)| forces[3 * p as usize + 2] -= up * 1e6 * w * coordinate.area);
        }
    };
    add(&face(0.5, 0.0, 0.37), 1.0, CoordinateMode::Corners);
    add(&face(0.5, 0.37, 1.0), 1.0, CoordinateMode::Grid(2));
    add(&face(0.0, 0.0, 1.0), -1.0, CoordinateMode::Grid(3));
    // held at one point, and against rotation
    let at = |x: [f64; 3]| {
        block.mesh.points.iter().position(|p| p.iter().zip(x).all(|(a, b)| (a - b).abs() < 1e-9)).unwrap()
    };
    let (a, b, c) = (at([0.0; 3]), at([1.0, 0.0, 0.0]), at([0.0, 1.2, 0.0]));
    let given: Vec<(usize, f64)> =
        [3 * a, 3 * a + 1, 3 * a + 2, 3 * b + 1, 3 * b + 2, 3 * c + 2].iter().map(|&k| (k, 0.0)).collect();
    let u = static_displacement(&block, &given, &forces).unwrap();
    for g in block.gauss_stresses(&u, 0.0) {
        assert!((g.stress.0[2] / -1e6 - 1.0).abs() < 1e-8, "{:?}", g.stress);
        assert!([0, 1, 3, 4, 5].iter().all(|&k| g.stress.0[k].abs() < 1e-2));
    }
}

#[test]
fn a_spread_force_has_its_resultant_at_its_point() {
    let mesh = box_mesh([1.0, 1.2, 0.5], [3, 4, 1]);
    let surface = BlockSurface::new(&mesh);
    let point = [0.3, 0.9, 0.5];
    let weights = surface.spread(&point).unwrap();
    assert!((weights.iter().map(|(_, w)| w).sum::<f64>() - 1.0).abs() < 1e-12);
    for c in 0..3 {
        let place: f64 = weights.iter().map(|&(p, w)| w * mesh.points[p as usize][c]).sum();
        assert!((place - point[c]).abs() < 1e-12);
    }
    // at the centre of a face the pressure is uniform: the corner has the quarter of an element
    let even = surface.spread(&[0.5, 0.6, 0.5]).unwrap();
    let corner = even.iter().find(|&&(p, _)| mesh.points[p as usize] == [0.0, 0.0, 0.5]).unwrap();
    assert!((corner.1 - 0.25 / 12.0).abs() < 1e-12);
    assert_eq!(surface.spread(&[0.5, 0.6, 0.3]), None);
    // in the plane
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 0.6], [0.0, 0.6]];
    let mesh = polygon_mesh(&corners, &Fineness::divided(5)).unwrap();
    let weights = BlockSurface::new(&mesh).spread(&[0.7, 0.6]).unwrap();
    let place: f64 = weights.iter().map(|&(p, w)| w * mesh.points[p as usize][0]).sum();
    assert!((place - 0.7).abs() < 1e-12 && weights.len() == 6);
}

#[test]
fn grids_of_parallelograms_and_other_polygons() {
    let mesh = box_mesh([1.0, 1.2, 0.5], [4, 3, 1]);
    let surface = BlockSurface::new(&mesh);
    let whole = [[0.0, 0.0, 0.5], [1.0, 0.0, 0.5], [1.0, 1.2, 0.5], [0.0, 1.2, 0.5]];
    let trapezium = [[0.0, 0.0, 0.5], [1.0, 0.0, 0.5], [0.7, 1.2, 0.5], [0.2, 1.2, 0.5]];
    for (polygon, count, area) in [(whole, 16, 1.2), (trapezium, 25, 0.9)] {
        let mode = CoordinateMode::grid(&polygon, 3);
        let found = coordinates(&surface, &polygon, &[0.0, 0.0, 1.0], 1e-9, mode).unwrap();
        check_sums(&mesh, &found);
        let points = grid_points(&polygon, mode);
        assert_eq!((found.len(), points.len()), (count, count));
        for (coordinate, (place, own)) in found.iter().zip(&points) {
            assert!(coordinate.place.iter().zip(place).all(|(a, b)| (a - b).abs() < 1e-12));
            assert!((coordinate.area - own).abs() < 1e-12);
        }
        assert!((points.iter().map(|p| p.1).sum::<f64>() - area).abs() < 1e-12);
    }
    // cells that are the faces of the mesh: the displacements of its points
    let mesh = box_mesh([1.0, 1.2, 0.5], [3, 3, 1]);
    let mode = CoordinateMode::Parallelograms(3);
    for coordinate in coordinates(&BlockSurface::new(&mesh), &whole, &[0.0, 0.0, 1.0], 1e-9, mode).unwrap() {
        let others: f64 = coordinate.weights.iter().map(|(_, w)| w.abs()).sum();
        assert!((others - 1.0).abs() < 1e-11);
    }
}

/// Two rectangles of 0.5 × 0.4 m with 5 and 7 elements along their edges on each other without friction; 50 kN on the top with an
/// eccentricity. Solved without motion: contact forces r and the rigid motion of the upper block from equal displacements of
/// all contact coordinates and from equilibrium. The largest error of the vertical stress relative to the mean pressure.
fn contact_patch(grid: Option<usize>, eccentricity: f64) -> f64 {
    let constants = ElasticConstants::Isotropic { young: 20e9, poisson: 0.2 };
    let material = || ElasticMaterial::plane(constants, 2400.0, 0.0, 1.0, PlaneState::Strain).unwrap();
    let corners = |y: f64| [[-0.25, y], [0.25, y], [0.25, y + 0.4], [-0.25, y + 0.4]];
    let block = |y: f64, n: usize| {
        ElasticBlock::new(polygon_mesh(&corners(y), &Fineness::divided(n)).unwrap(), material(), ElementForm::Enhanced)
            .unwrap()
    };
    let (lower, upper) = (block(0.0, 5), block(0.4, 7));
    let mode = grid.map_or(CoordinateMode::Corners, CoordinateMode::Grid);
    let interface = [[-0.25, 0.4], [0.25, 0.4]];
    let found = |block: &ElasticBlock<2>, up: f64| {
        coordinates(&BlockSurface::new(&block.mesh), &interface, &[0.0, up], 1e-9, mode).unwrap()
    };
    let (below, above) = (found(&lower, 1.0), found(&upper, -1.0));
    let n = below.len();
    // the floor holds the lower block vertically; the upper one is held at two corners, whose forces vanish in equilibrium
    let at = |block: &ElasticBlock<2>, x: f64, y: f64| {
        block.mesh.points.iter().position(|p| (p[0] - x).abs() + (p[1] - y).abs() < 1e-9).unwrap()
    };
    let mut floor: Vec<(usize, f64)> =
        (0..lower.mesh.points.len()).filter(|&p| lower.mesh.points[p][1] < 1e-9).map(|p| (2 * p + 1, 0.0)).collect();
    floor.push((2 * at(&lower, 0.0 - 0.25, 0.0), 0.0));
    let (left, right) = (at(&upper, -0.25, 0.8), at(&upper, 0.25, 0.8));
    let held = vec![(2 * left, 0.0), (2 * left + 1, 0.0), (2 * right + 1, 0.0)];
    let unit = |block: &ElasticBlock<2>, coordinate: &ContactCoordinate<2>, sign: f64| {
        let mut forces = vec![0.0; block.size()];
        coordinate.weights.iter().for_each(|&(p, w)| forces[2 * p as usize + 1] += sign * w);
        forces
    };
    let value = |coordinate: &ContactCoordinate<2>, u: &[f64]| -> f64 {
        coordinate.weights.iter().map(|&(p, w)| w * u[2 * p as usize + 1]).sum()
    };
    let mut load = vec![0.0; upper.size()];
    for (p, w) in BlockSurface::new(&upper.mesh).spread(&[eccentricity, 0.8]).unwrap() {
        load[2 * p as usize + 1] -= 50e3 * w;
    }
    // unknowns: r, and vertical displacement and rotation of the upper block, which its supports leave out
    let size = n + 2;
    let (mut matrix, mut right_side) = (vec![vec![0.0; size]; size], vec![0.0; size]);
    for c in 0..n {
        let down = static_displacement(&lower, &floor, &unit(&lower, &below[c], -1.0)).unwrap();
        let up = static_displacement(&upper, &held, &unit(&upper, &above[c], 1.0)).unwrap();
        for d in 0..n {
            matrix[d][c] = value(&above[d], &up) - value(&below[d], &down);
        }
        (matrix[c][n], matrix[c][n + 1]) = (1.0, above[c].place[0]);
        (matrix[n][c], matrix[n + 1][c]) = (1.0, above[c].place[0]);
    }
    let loaded = static_displacement(&upper, &held, &load).unwrap();
    for d in 0..n {
        right_side[d] = -value(&above[d], &loaded);
    }
    (right_side[n], right_side[n + 1]) = (50e3, 50e3 * eccentricity);
    // displacements are scaled to forces
    for row in matrix.iter_mut().take(n) {
        row[..n].iter_mut().for_each(|x| *x *= 1e9);
    }
    right_side[..n].iter_mut().for_each(|x| *x *= 1e9);
    let solution = solve(matrix, right_side);
    let mut worst: f64 = 0.0;
    for (block, coordinates, fixed, sign, own) in
        [(&lower, &below, &floor, -1.0, vec![0.0; lower.size()]), (&upper, &above, &held, 1.0, load)]
    {
        let mut forces = own;
        for (coordinate, r) in coordinates.iter().zip(&solution) {
            forces.iter_mut().zip(unit(block, coordinate, sign * r)).for_each(|(f, own)| *f += own);
        }
        let u = static_displacement(block, fixed, &forces).unwrap();
        for (place, g) in block.gauss_places().iter().zip(block.gauss_stresses(&u, 0.0)) {
            let pressure = 1.0 + 3.0 * eccentricity * place[0] / 0.0625;
            worst = worst.max((g.stress.0[1] / 1e5 + pressure).abs());
        }
    }
    worst
}

/// Gauss with pivoting.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap();
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..n {
            let share = a[i][k] / a[k][k];
            for j in k..n {
                let above = a[k][j];
                a[i][j] -= share * above;
            }
            b[i] -= share * b[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k][k];
    }
    b
}

#[test]
fn uniform_and_linear_pressures_pass_contacts_between_different_meshes() {
    for grid in [None, Some(2), Some(4)] {
        for eccentricity in [0.0, 0.05] {
            let error = contact_patch(grid, eccentricity);
            assert!(error < 1e-9, "grid {grid:?}, eccentricity {eccentricity}: {error:e}");
        }
    }
}
