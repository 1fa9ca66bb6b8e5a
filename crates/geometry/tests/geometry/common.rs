//! Shapes, poses and slow reference answers for the tests.

use proptest::prelude::*;
use voussoir_geometry::glam::{DQuat, DVec2, DVec3, dvec2, dvec3};
use voussoir_geometry::{ContactPoint, D2, D3, Pose, Shape2, Shape3, Solid};

/// A regular prism with `sides` sides of circumradius `radius` around z, from −height/2 to height/2.
pub fn prism(sides: usize, radius: f64, height: f64) -> Shape3 {
    let corner = |i: usize, z: f64| {
        let (y, x) = (std::f64::consts::TAU * i as f64 / sides as f64).sin_cos();
        dvec3(radius * x, radius * y, z)
    };
    let mut vertices: Vec<DVec3> = (0..sides).map(|i| corner(i, -0.5 * height)).collect();
    vertices.extend((0..sides).map(|i| corner(i, 0.5 * height)));
    let n = sides as u32;
    let mut faces: Vec<Vec<u32>> = (0..n).map(|i| vec![i, (i + 1) % n, n + (i + 1) % n, n + i]).collect();
    faces.push((0..n).rev().collect());
    faces.push((n..2 * n).collect());
    let checked = Shape3::polyhedron(vertices, faces).expect("a prism is sound");
    assert!(checked.repairs.is_empty(), "{:?}", checked.repairs);
    checked.shape
}

/// Corners of the regular polygon that is the prism's base, turned by `angle` and moved.
pub fn ring(sides: usize, radius: f64, angle: f64, centre: DVec2) -> Vec<DVec2> {
    let step = std::f64::consts::TAU / sides as f64;
    (0..sides).map(|i| centre + radius * DVec2::from_angle(angle + i as f64 * step)).collect()
}

pub fn cuboid(x: f64, y: f64, z: f64) -> Shape3 {
    Shape3::cuboid(dvec3(x, y, z)).expect("a box is sound")
}

pub fn rectangle(x: f64, y: f64) -> Shape2 {
    Shape2::rectangle(dvec2(x, y)).expect("a rectangle is sound")
}

pub fn at(x: f64, y: f64, z: f64) -> Pose<D3> {
    Pose::at(dvec3(x, y, z))
}

pub fn at2(x: f64, y: f64) -> Pose<D2> {
    Pose::at(dvec2(x, y))
}

pub fn contacts(a: &Shape3, pose_a: &Pose<D3>, b: &Shape3, pose_b: &Pose<D3>, alert: f64) -> Vec<ContactPoint<D3>> {
    let mut out = Vec::new();
    a.collide(pose_a, b, pose_b, alert, &mut out);
    for p in &out {
        assert!((p.normal.length() - 1.0).abs() < 1e-14);
        assert!(p.gap <= alert && p.position.is_finite() && p.area >= 0.0);
    }
    let mut names: Vec<u64> = out.iter().map(|p| p.feature).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), out.len(), "two points with one name");
    out
}

pub fn contacts2(a: &Shape2, pose_a: &Pose<D2>, b: &Shape2, pose_b: &Pose<D2>, alert: f64) -> Vec<ContactPoint<D2>> {
    let mut out = Vec::new();
    a.collide(pose_a, b, pose_b, alert, &mut out);
    for p in &out {
        assert!((p.normal.length() - 1.0).abs() < 1e-14);
        assert!(p.gap <= alert && p.position.is_finite() && p.area >= 0.0);
    }
    out
}

pub fn total_area(points: &[ContactPoint<D3>]) -> f64 {
    points.iter().map(|p| p.area).sum()
}

/// Vertices of the intersection of two convex polygons, found the slow way: corners of the one inside the other
/// and crossings of all pairs of sides, sorted by angle. Doubles within 1e-9 are joined.
pub fn slow_intersection(a: &[DVec2], b: &[DVec2]) -> Vec<DVec2> {
    let inside = |p: DVec2, ring: &[DVec2]| {
        (0..ring.len()).all(|i| (ring[(i + 1) % ring.len()] - ring[i]).perp_dot(p - ring[i]) >= 0.0)
    };
    let mut found: Vec<DVec2> = a.iter().copied().filter(|&p| inside(p, b)).collect();
    found.extend(b.iter().copied().filter(|&p| inside(p, a)));
    for i in 0..a.len() {
        let (p, r) = (a[i], a[(i + 1) % a.len()] - a[i]);
        for j in 0..b.len() {
            let (q, s) = (b[j], b[(j + 1) % b.len()] - b[j]);
            let det = r.perp_dot(s);
            let (t, u) = ((q - p).perp_dot(s) / det, (q - p).perp_dot(r) / det);
            if (0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u) {
                found.push(p + r * t);
            }
        }
    }
    if found.is_empty() {
        return found;
    }
    let centre = found.iter().sum::<DVec2>() / found.len() as f64;
    found.sort_by(|x, y| (*x - centre).to_angle().total_cmp(&(*y - centre).to_angle()));
    found.dedup_by(|x, y| x.distance(*y) < 1e-9);
    if found.len() > 1 && found[0].distance(found[found.len() - 1]) < 1e-9 {
        found.pop();
    }
    found
}

/// The corners of a convex polygon that are no straighter than `tolerance` [m].
pub fn real_corners(ring: &[DVec2], tolerance: f64) -> Vec<DVec2> {
    let n = ring.len();
    let bent = |i: &usize| {
        let (a, p, b) = (ring[(i + n - 1) % n], ring[*i], ring[(i + 1) % n]);
        (b - a).perp_dot(p - a).abs() > tolerance * (b - a).length()
    };
    (0..n).filter(bent).map(|i| ring[i]).collect()
}

pub fn polygon_area(ring: &[DVec2]) -> f64 {
    (0..ring.len()).map(|i| 0.5 * ring[i].perp_dot(ring[(i + 1) % ring.len()])).sum()
}

pub fn vector() -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(-1.0..1.0f64).prop_map(DVec3::from)
}

pub fn rotation() -> impl Strategy<Value = DQuat> {
    (vector(), 0.0..std::f64::consts::TAU)
        .prop_map(|(axis, angle)| DQuat::from_axis_angle(axis.try_normalize().unwrap_or(DVec3::Z), angle))
}

/// Any placement within some metres.
pub fn pose() -> impl Strategy<Value = Pose<D3>> {
    (vector(), rotation()).prop_map(|(v, rotation)| Pose { position: v * 10.0, rotation })
}

/// A convex polyhedron of about unit size. Its faces are flat to rounding: distances from a face that is only nearly
/// flat, which shapes may have, are not defined to the digits that the tests ask for.
pub fn stone() -> impl Strategy<Value = Shape3> {
    let sound = |shape: &Shape3| shape.size() > 0.5 && unevenness(shape) < 1e-12;
    prop::collection::vec(vector(), 5..24)
        .prop_filter_map("flat", move |points| Shape3::hull(&points).ok().filter(sound))
}

/// How far corners lie off the planes of their faces [m].
fn unevenness(shape: &Shape3) -> f64 {
    let Shape3::Polyhedron(p) = shape else { return 0.0 };
    let off = |f: usize| {
        let (n, d) = (p.normals()[f], p.offsets()[f]);
        p.face(f).iter().map(move |&v| (n.dot(p.vertices()[v as usize]) - d).abs()).fold(0.0, f64::max)
    };
    (0..p.face_count()).map(off).fold(0.0, f64::max)
}

/// This many cases, or as many as PROPTEST_CASES says.
pub fn cases(count: u32) -> ProptestConfig {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = count;
    }
    config
}
