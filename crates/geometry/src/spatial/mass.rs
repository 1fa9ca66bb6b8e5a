//! Volume, centroid and inertia of polyhedra and compounds, exact up to rounding.
//!
//! The solid is cut into tetrahedra (o, a, b, c) over a fan of triangles on each face. With o as origin,
//! D = a·(b × c) and s = a + b + c:
//!
//! V = D/6,   ∫x dV = D/24 s,   ∫x xᵀ dV = D/120 (a aᵀ + b bᵀ + c cᵀ + s sᵀ),   I = tr(C) 1 − C.

use glam::{DMat3, DVec3};

use super::polyhedron::Polyhedron;
use crate::solid::MassProperties;
use crate::space::D3;

/// Mass properties of a polyhedron at unit density.
pub fn polyhedron(shape: &Polyhedron) -> MassProperties<D3> {
    // the origin of the tetrahedra is the centre of the box: no cancellation far from the shape's origin
    let origin = shape.centre();
    let at = |v: u32| shape.vertices()[v as usize] - origin;
    let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for f in 0..shape.face_count() {
        let face = shape.face(f);
        let a = at(face[0]);
        for pair in face[1..].windows(2) {
            let (b, c) = (at(pair[0]), at(pair[1]));
            let d = a.dot(b.cross(c));
            let s = a + b + c;
            volume += d / 6.0;
            first += s * (d / 24.0);
            second += (outer(a) + outer(b) + outer(c) + outer(s)) * (d / 120.0);
        }
    }
    let c = first / volume;
    MassProperties { volume, centroid: origin + c, inertia: inertia(second - outer(c) * volume) }
}

/// Mass properties of a solid sphere at unit density.
pub fn sphere(centre: DVec3, radius: f64) -> MassProperties<D3> {
    let volume = 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    MassProperties {
        volume,
        centroid: centre,
        inertia: DMat3::from_diagonal(DVec3::splat(0.4 * volume * radius * radius)),
    }
}

/// Mass properties of parts taken together (Huygens–Steiner).
pub fn together(parts: &[MassProperties<D3>]) -> MassProperties<D3> {
    let volume: f64 = parts.iter().map(|p| p.volume).sum();
    let centroid = parts.iter().map(|p| p.centroid * p.volume).sum::<DVec3>() / volume;
    let mut total = DMat3::ZERO;
    for p in parts {
        total += p.inertia + inertia(outer(p.centroid - centroid) * p.volume);
    }
    MassProperties { volume, centroid, inertia: total }
}

/// v vᵀ.
fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// Inertia from the second moments C = ∫x xᵀ dV.
fn inertia(second: DMat3) -> DMat3 {
    let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
    DMat3::from_diagonal(DVec3::splat(trace)) - second
}
