//! Non-convex blocks: exact parts, and no contacts at internal faces.

use crate::common::*;
use proptest::prelude::*;
use voussoir_geometry::glam::{DVec2, DVec3, dvec2, dvec3};
use voussoir_geometry::{Checked, ContactPoint, D2, D3, Pose, Repair, Shape2, Shape3, ShapeError, Solid};

/// A prism over an outline in (x, z), from y = 0 to y = width.
fn extruded(outline: &[[f64; 2]], width: f64) -> (Vec<DVec3>, Vec<Vec<u32>>) {
    let n = outline.len() as u32;
    let side = |y: f64| outline.iter().map(move |p| dvec3(p[0], y, p[1]));
    let vertices = side(0.0).chain(side(width)).collect();
    let mut faces: Vec<Vec<u32>> = vec![(0..n).collect(), (n..2 * n).rev().collect()];
    faces.extend((0..n).map(|i| vec![(i + 1) % n, i, n + i, n + (i + 1) % n]));
    (vertices, faces)
}

fn area(outline: &[[f64; 2]]) -> f64 {
    let ring: Vec<DVec2> = outline.iter().map(|p| DVec2::from_array(*p)).collect();
    polygon_area(&ring)
}

/// Steps of a stair, one stone.
fn stair(steps: usize) -> Vec<[f64; 2]> {
    let mut outline = vec![[0.0, 0.0], [steps as f64, 0.0]];
    for i in (0..steps).rev() {
        outline.push([(i + 1) as f64, (steps - i) as f64]);
        outline.push([i as f64, (steps - i) as f64]);
    }
    outline
}

fn parts(shape: &Shape3) -> usize {
    match shape {
        Shape3::Compound(compound) => compound.parts().len(),
        _ => 1,
    }
}

fn volume(shape: &Shape3) -> f64 {
    shape.mass_properties().unwrap().volume
}

#[test]
fn a_stair_tread_needs_no_cutting_by_hand() {
    let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    let (vertices, faces) = extruded(&outline, 1.5);
    let checked = Shape3::solid(&vertices, &faces).unwrap();
    assert_eq!(parts(&checked.shape), 2);
    assert!(checked.repairs.contains(&Repair::CutIntoParts { parts: 2 }));
    assert!((volume(&checked.shape) - 4.5).abs() < 1e-12);
    let mass = checked.shape.mass_properties().unwrap();
    // two boxes by hand
    assert!(mass.centroid.distance(dvec3(2.5 / 3.0, 0.75, 2.5 / 3.0)) < 1e-12, "{}", mass.centroid);
}

#[test]
fn stairs_combs_stars_and_frames() {
    for steps in 2..8 {
        let outline = stair(steps);
        let (vertices, faces) = extruded(&outline, 0.7);
        let shape = Shape3::solid(&vertices, &faces).unwrap().shape;
        assert!((volume(&shape) - 0.7 * area(&outline)).abs() < 1e-10);
        assert!(parts(&shape) <= steps, "{} parts for {steps} steps", parts(&shape));
    }
    // a star: reflex vertices between the tips
    let star: Vec<[f64; 2]> = (0..10)
        .map(|i| {
            let p = DVec2::from_angle(std::f64::consts::PI * f64::from(i) / 5.0) * if i % 2 == 0 { 1.0 } else { 0.4 };
            p.to_array()
        })
        .collect();
    let (vertices, faces) = extruded(&star, 0.3);
    let shape = Shape3::solid(&vertices, &faces).unwrap().shape;
    assert!((volume(&shape) - 0.3 * area(&star)).abs() < 1e-10 && parts(&shape) <= 8, "{} parts", parts(&shape));
    // a window frame: a hole all through, so that no face is convex and no plane through one vertex does it
    let quad = |z: f64, s: f64| [dvec3(-s, -s, z), dvec3(s, -s, z), dvec3(s, s, z), dvec3(-s, s, z)];
    let vertices: Vec<DVec3> = [quad(0.0, 1.0), quad(0.0, 0.5), quad(0.3, 1.0), quad(0.3, 0.5)].concat();
    let mut faces = Vec::new();
    for i in 0..4u32 {
        let j = (i + 1) % 4;
        faces.push(vec![j, i, 4 + i, 4 + j]);
        faces.push(vec![8 + i, 8 + j, 12 + j, 12 + i]);
        faces.push(vec![i, j, 8 + j, 8 + i]);
        faces.push(vec![4 + j, 4 + i, 12 + i, 12 + j]);
    }
    let shape = Shape3::solid(&vertices, &faces).unwrap().shape;
    assert!((volume(&shape) - 0.3 * 3.0).abs() < 1e-12 && parts(&shape) == 4, "{} parts", parts(&shape));
}

#[test]
fn a_cross_of_three_beams() {
    // solid: union of three boxes 3 × 1 × 1 along the axes, as one surface of unit squares
    let inside = |c: [i32; 3]| c.iter().filter(|x| **x != 1).count() <= 1 && c.iter().all(|x| (0..3).contains(x));
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for cell in (0..27).map(|k| [k % 3, k / 3 % 3, k / 9]).filter(|c| inside(*c)) {
        for axis in 0..3 {
            for sign in [-1, 1] {
                let mut next = cell;
                next[axis] += sign;
                if inside(next) {
                    continue;
                }
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let corner = |a: i32, b: i32| {
                    let mut p = cell.map(f64::from);
                    p[axis] += f64::from((sign + 1) / 2);
                    p[u] += f64::from(a);
                    p[v] += f64::from(b);
                    DVec3::from_array(p)
                };
                let first = vertices.len() as u32;
                vertices.extend([corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)]);
                let face: Vec<u32> = (first..first + 4).collect();
                faces.push(if sign == 1 { face } else { face.into_iter().rev().collect() });
            }
        }
    }
    let shape = Shape3::solid(&vertices, &faces).unwrap().shape;
    assert!((volume(&shape) - 7.0).abs() < 1e-12);
    assert!(parts(&shape) <= 5, "{} parts", parts(&shape));
}

proptest! {
    #![proptest_config(cases(48))]
    #[test]
    fn parts_fill_the_solid(
        radii in prop::collection::vec(0.3..1.0f64, 5..14), world in pose(), probes in prop::collection::vec(vector(), 40),
    ) {
        let n = radii.len();
        let outline: Vec<[f64; 2]> = radii
            .iter()
            .enumerate()
            .map(|(i, r)| (DVec2::from_angle(std::f64::consts::TAU * i as f64 / n as f64) * *r).to_array())
            .collect();
        let (vertices, faces) = extruded(&outline, 0.8);
        let vertices: Vec<DVec3> = vertices.iter().map(|v| world.point(*v)).collect();
        let Checked { shape, repairs } = Shape3::solid(&vertices, &faces).unwrap();
        prop_assert!((volume(&shape) - 0.8 * area(&outline)).abs() < 1e-9 + straightened(&repairs, 0.8));
        // a point is in a part exactly when it is in the outline
        let ring: Vec<DVec2> = outline.iter().map(|p| DVec2::from_array(*p)).collect();
        for probe in probes {
            let local = dvec3(probe.x, 0.4 + 0.39 * probe.y, probe.z);
            let p = local.xz_pair();
            let crossings = (0..n).filter(|&i| {
                let (a, b) = (ring[i], ring[(i + 1) % n]);
                (a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y)
            }).count();
            let near = (0..n).map(|i| {
                let (a, b) = (ring[i], ring[(i + 1) % n]);
                let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
                p.distance(a + (b - a) * t)
            }).fold(f64::INFINITY, f64::min);
            if near < 1e-4 {
                continue;
            }
            let solid: Vec<&Shape3> = match &shape {
                Shape3::Compound(c) => c.parts().iter().collect(),
                other => vec![other],
            };
            let at = world.point(local);
            let holding = solid.iter().filter(|part| match part {
                Shape3::Polyhedron(p) => p.normals().iter().zip(p.offsets()).all(|(n, d)| n.dot(at) <= *d),
                _ => false,
            }).count();
            prop_assert_eq!(holding, crossings % 2, "at {:?}", p);
        }
    }

    #[test]
    fn polygons_that_are_not_convex(radii in prop::collection::vec(0.2..1.0f64, 5..24)) {
        let n = radii.len() as f64;
        let outline: Vec<DVec2> = radii.iter().enumerate()
            .map(|(i, r)| DVec2::from_angle(std::f64::consts::TAU * i as f64 / n) * *r).collect();
        let shape = Shape2::outline(&outline).unwrap().shape;
        prop_assert!((shape.mass_properties().unwrap().volume - polygon_area(&outline)).abs() < 1e-12);
    }
}

/// Largest volume that vanishes with vertices on nearly straight edges of a prism this wide [m³], as listed: each took
/// a triangle with it, whose base is shorter than the outline is wide.
fn straightened(repairs: &[Repair], width: f64) -> f64 {
    let each = |repair: &Repair| match repair {
        Repair::CollinearVertices { count, off } => *count as f64 * off * 0.5 * 2.0 * width,
        _ => 0.0,
    };
    repairs.iter().map(each).sum()
}

/// An outline with a vertex 2e-6 beside a straight side: coordinates in files are no better than that, so it is taken
/// as straight, and the list of repairs says by how much.
#[test]
fn nearly_straight_sides_are_listed_with_what_they_change() {
    for off in [2e-6, -2e-6, 0.0] {
        let outline = [[0.0, 0.0], [0.5, -off], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let (vertices, faces) = extruded(&outline, 0.8);
        let Checked { shape, repairs } = Shape3::solid(&vertices, &faces).unwrap();
        assert_eq!(parts(&shape), 1);
        let listed = repairs.iter().find_map(|repair| match repair {
            Repair::CollinearVertices { count: 2, off } => Some(*off),
            _ => None,
        });
        assert!((listed.unwrap() - off.abs()).abs() < 1e-15, "{repairs:?}");
        let lost = 0.8 * area(&outline) - volume(&shape);
        assert!((lost - 0.8 * 0.5 * off).abs() < 1e-12, "{lost}");
    }
}

/// (x, z) of a point.
trait Pairs {
    fn xz_pair(self) -> DVec2;
}

impl Pairs for DVec3 {
    fn xz_pair(self) -> DVec2 {
        dvec2(self.x, self.z)
    }
}

#[test]
fn a_surface_through_itself_is_refused() {
    // two boxes that overlap, joined to one surface by nothing: two parts; and a twisted prism
    let outline = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.1]];
    let (vertices, faces) = extruded(&outline, 1.0);
    let error = Shape3::solid(&vertices, &faces).unwrap_err();
    assert!(
        matches!(
            error,
            ShapeError::SelfCrossing { .. } | ShapeError::SelfIntersecting { .. } | ShapeError::ZeroVolume { .. }
        ),
        "{error}"
    );
}

/// Two boxes side by side as one body, their common face at x = 0, the top at z = 0.
fn twin() -> Shape3 {
    let half = cuboid(1.0, 1.0, 1.0);
    Shape3::compound(vec![(at(-0.5, 0.0, -0.5), half.clone()), (at(0.5, 0.0, -0.5), half)]).unwrap()
}

#[test]
fn nothing_catches_on_the_seam() {
    let (floor, block) = (twin(), cuboid(0.3, 0.3, 0.3));
    let mut i = 0;
    while i <= 400 {
        // across the seam, a little sunk in or above
        let x = -0.4 + 0.002 * f64::from(i);
        for depth in [1e-3, 1e-5, 1e-9, 0.0, -1e-4] {
            let points = contacts(&block, &at(x, 0.0, 0.15 - depth), &floor, &Pose::identity(), 5e-3);
            assert!(points.iter().all(|p| p.normal == DVec3::Z), "at {x}, {depth}: {points:?}");
            assert!((total_area(&points) - 0.09).abs() < 1e-9, "at {x}, {depth}: {}", total_area(&points));
            assert!(points.iter().all(|p| (p.gap + depth).abs() < 1e-12));
        }
        i += 1;
    }
}

#[test]
fn balls_and_corners_roll_over_the_seam() {
    let floor = twin();
    let ball = Shape3::sphere(0.2).unwrap();
    let stone = cuboid(0.2, 0.2, 0.2);
    let on_corner = voussoir_geometry::glam::DQuat::from_rotation_arc(dvec3(1.0, 1.0, 1.0).normalize(), DVec3::NEG_Z);
    for i in 0..=80 {
        let x = -0.04 + 0.001 * f64::from(i);
        let points = contacts(&ball, &at(x, 0.05, 0.2 - 1e-4), &floor, &Pose::identity(), 1e-3);
        assert!(points.iter().all(|p| p.normal.distance(DVec3::Z) < 1e-12), "ball at {x}: {points:?}");
        let place = Pose { position: dvec3(x, 0.05, 0.1 * 3f64.sqrt() - 1e-4), rotation: on_corner };
        let points = contacts(&stone, &place, &floor, &Pose::identity(), 1e-3);
        assert!(
            !points.is_empty() && points.iter().all(|p| p.normal.distance(DVec3::Z) < 1e-9),
            "corner at {x}: {points:?}"
        );
    }
}

#[test]
fn an_inner_corner_is_touched_on_both_faces_and_nowhere_else() {
    let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    let (vertices, faces) = extruded(&outline, 1.0);
    let stair = Shape3::solid(&vertices, &faces).unwrap().shape;
    let block = cuboid(0.5, 0.5, 0.5);
    // on the tread and against the riser
    let points = contacts(&block, &at(1.25, 0.5, 1.25), &stair, &Pose::identity(), 1e-3);
    let on = |n: DVec3| points.iter().filter(|p| p.normal.distance(n) < 1e-12).map(|p| p.area).sum::<f64>();
    assert!((on(DVec3::Z) - 0.25).abs() < 1e-12 && (on(DVec3::X) - 0.25).abs() < 1e-12, "{points:?}");
    assert!((total_area(&points) - 0.5).abs() < 1e-12);
    // on the tread, away from the riser; on the top; across the outer edge
    for (x, z) in [(1.6, 1.25), (0.5, 2.25), (1.0, 2.25)] {
        let points = contacts(&block, &at(x, 0.5, z), &stair, &Pose::identity(), 1e-3);
        assert!(points.iter().all(|p| p.normal.distance(DVec3::Z) < 1e-12), "at {x}, {z}: {points:?}");
    }
}

fn contacts_2d(a: &Shape2, x: f64, y: f64, b: &Shape2) -> Vec<ContactPoint<D2>> {
    contacts2(a, &at2(x, y), b, &Pose::identity(), 5e-3)
}

#[test]
fn nothing_catches_on_the_seam_in_the_plane() {
    let half = rectangle(1.0, 1.0);
    let floor = Shape2::compound(vec![(at2(-0.5, -0.5), half.clone()), (at2(0.5, -0.5), half)]).unwrap();
    let (block, disc) = (rectangle(0.3, 0.3), Shape2::disc(0.1).unwrap());
    for i in 0..=400 {
        let x = -0.4 + 0.002 * f64::from(i);
        for depth in [1e-3, 1e-6, 0.0] {
            let points = contacts_2d(&block, x, 0.15 - depth, &floor);
            assert!(points.iter().all(|p| p.normal == DVec2::Y), "at {x}, {depth}: {points:?}");
            assert!((points.iter().map(|p| p.area).sum::<f64>() - 0.3).abs() < 1e-9);
            let points = contacts_2d(&disc, x, 0.1 - depth, &floor);
            assert!(points.iter().all(|p| p.normal.distance(DVec2::Y) < 1e-12), "disc at {x}, {depth}: {points:?}");
        }
    }
}

#[test]
fn moved_compounds_keep_what_is_hidden() {
    let moved = twin().placed(&Pose::<D3> {
        position: dvec3(3.0, 1.0, 2.0),
        rotation: voussoir_geometry::glam::DQuat::from_rotation_z(0.3),
    });
    let Shape3::Compound(compound) = &moved else { panic!() };
    for part in compound.parts() {
        let Shape3::Polyhedron(p) = part else { panic!() };
        assert_eq!((0..p.face_count()).filter(|&f| p.is_hidden(f)).count(), 1);
        // the four edges of the seam: flat all round
        assert_eq!((0..p.edges().len()).filter(|&e| p.is_hidden_edge(e)).count(), 4);
    }
}
