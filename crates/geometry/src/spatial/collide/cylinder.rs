//! Cylinders on polyhedra, cylinders, spheres and half-spaces.
//!
//! | pair | how |
//! |---|---|
//! | polyhedron, cylinder | direction of largest separation, then the intersection of the features, see `convex` |
//! | sphere | closest point of the cylinder to the centre |
//! | half-space | the rim of an end that lies flat; the lowest point of each rim otherwise |

use glam::DVec3;

use super::Points;
use super::convex::{self, Placed};
use crate::feature::{FeatureKind, name};
use crate::pose::Pose;
use crate::solid::ContactPoint;
use crate::space::{D3, Space};
use crate::spatial::cylinder::RIM;
use crate::spatial::{Cylinder, HalfSpace, Polyhedron, Sphere};

/// An end lies flat on a plane when it is tilted by less than this [rad].
const FLAT_TILT: f64 = 1e-2;
/// Below this fraction of the size a tilt is rounding.
const NO_TILT: f64 = 1e-9;

/// Cylinder (candidate) on polyhedron.
pub fn polyhedron(a: &Cylinder, pose_a: &Pose<D3>, b: &Polyhedron, pose_b: &Pose<D3>, alert: f64, out: &mut Points) {
    let own = in_axes(a, pose_a, pose_b);
    if own.centre.distance(b.centre()) > own.reach() + b.radius() + alert {
        return;
    }
    // round side on an edge or a vertex: across the axis
    let mut guesses = Vec::new();
    for edge in b.edges() {
        let [start, end] = edge.vertices.map(|v| b.vertices()[v as usize]);
        let n = own.axis.cross(end - start).normalize_or_zero();
        let away = own.across(own.centre - start.midpoint(end));
        guesses.extend([n, -n].into_iter().filter(|n| n.dot(away) > 0.0));
    }
    for &v in b.vertices() {
        guesses.extend(own.across(own.centre - v).try_normalize());
        // rim on a vertex
        for end in 0..2 {
            let out = own.across(v - own.end(end)).normalize_or_zero() * own.radius;
            guesses.extend((own.end(end) + out - v).try_normalize());
        }
    }
    guesses.extend((own.centre - b.centre()).try_normalize());
    let size = 2.0 * own.reach().min(b.radius());
    convex::collide(&own, &Placed::new(b), &guesses, size, alert, pose_b, out);
}

/// Cylinder on cylinder.
pub fn cylinder(a: &Cylinder, pose_a: &Pose<D3>, b: &Cylinder, pose_b: &Pose<D3>, alert: f64, out: &mut Points) {
    let own = in_axes(a, pose_a, pose_b);
    let between = own.centre - b.centre;
    if between.length() > own.reach() + b.reach() + alert {
        return;
    }
    let cross = own.axis.cross(b.axis).normalize_or_zero();
    let mut guesses = vec![cross, -cross];
    guesses.retain(|n| *n != DVec3::ZERO);
    guesses.extend([own.across(between), b.across(between), between].into_iter().filter_map(DVec3::try_normalize));
    // from each end of the one axis across the other
    for end in 0..2 {
        guesses.extend(b.across(own.end(end) - b.centre).try_normalize());
        guesses.extend(own.across(own.centre - b.end(end)).try_normalize());
    }
    let size = 2.0 * own.reach().min(b.reach());
    convex::collide(&own, b, &guesses, size, alert, pose_b, out);
}

/// Cylinder on sphere: one point.
pub fn sphere(a: &Cylinder, pose_a: &Pose<D3>, b: &Sphere, pose_b: &Pose<D3>, alert: f64, out: &mut Points) {
    let centre = pose_a.local_point(pose_b.point(b.centre)) - a.centre;
    let (z, across) = (a.axis.dot(centre), a.across(centre));
    let rho = across.length();
    let radial = across.try_normalize().unwrap_or(a.side);
    let (beyond, beside) = (z.abs() - a.half_height, rho - a.radius);
    let head = a.axis * if z < 0.0 { -1.0 } else { 1.0 };
    let end = u32::from(z >= 0.0);
    // outward direction, distance of the centre from the surface, feature
    let (direction, distance, feature) = if beyond > 0.0 && beside > 0.0 {
        let offset = head * beyond + radial * beside;
        (offset.normalize(), offset.length(), name(FeatureKind::RoundEdge, end, 0))
    } else if beyond >= beside {
        (head, beyond, name(FeatureKind::RoundFace, end, 0))
    } else {
        (radial, beside, name(FeatureKind::RoundFace, 2, 0))
    };
    let gap = distance - b.radius;
    if gap > alert {
        return;
    }
    let position = pose_a.point(a.centre + centre - direction * (b.radius + 0.5 * gap));
    out.push(ContactPoint { position, normal: -pose_a.direction(direction), gap, area: 0.0, feature });
}

/// Cylinder on half-space.
pub fn half_space(a: &Cylinder, pose_a: &Pose<D3>, b: &HalfSpace, pose_b: &Pose<D3>, alert: f64, out: &mut Points) {
    let normal = pose_b.direction(b.normal);
    // the plane in the axes of the cylinder: n·x = offset
    let n = D3::unrotate(pose_a.rotation, normal);
    let offset = b.offset - normal.dot(pose_a.position - pose_b.position);
    if n.dot(a.centre) - a.reach() - offset > alert {
        return;
    }
    let mut push = |p: DVec3, area: f64, feature: u64| {
        let gap = n.dot(p) - offset;
        if gap <= alert {
            let position = pose_a.point(p - n * (0.5 * gap));
            out.push(ContactPoint { position, normal, gap, area, feature });
        }
    };
    let across = a.across(n);
    let tilt = across.length();
    let lower = usize::from(a.axis.dot(n) < 0.0);
    if tilt < FLAT_TILT {
        let area = std::f64::consts::PI * a.radius * a.radius / RIM as f64;
        (0..RIM).for_each(|i| push(a.rim(lower, i), area, name(FeatureKind::VertexFace, (lower * RIM + i) as u32, 0)));
        if tilt > NO_TILT {
            push(a.end(lower) - across / tilt * a.radius, 0.0, name(FeatureKind::RoundFace, lower as u32, 0));
        }
        return;
    }
    for end in [lower, 1 - lower] {
        push(a.end(end) - across / tilt * a.radius, 0.0, name(FeatureKind::RoundFace, end as u32, 0));
    }
}

/// A cylinder in the axes of another body.
fn in_axes(a: &Cylinder, pose_a: &Pose<D3>, pose_b: &Pose<D3>) -> Cylinder {
    let direction = |d: DVec3| pose_b.local_direction(pose_a.direction(d));
    let centre = pose_b.local_point(pose_a.point(a.centre));
    Cylinder { centre, axis: direction(a.axis), side: direction(a.side), ..*a }
}
