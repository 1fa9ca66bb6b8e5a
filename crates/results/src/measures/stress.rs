//! Mean stress of blocks from contact forces and cables.
//!
//! σ̄ = 1/V Σ f ⊗ (x − c), its symmetric part, with c the centroid: the volume mean of any stress field in equilibrium
//! with the forces (uniform body forces cancel about c). Tension is positive. Cable forces act at the anchors.

use voussoir_mechanics::snapshot::{Cast, Snapshot};

use crate::vector::{Vec3, length, scale, sub};

/// A symmetric tensor: xx, yy, zz, yz, zx, xy [Pa].
pub type Stress = [f64; 6];

/// Mean stress of every body [Pa]; NaN if the volume is not known.
pub fn mean_stress(cast: &Cast, snapshot: &Snapshot) -> Vec<Stress> {
    let mut sums = vec![[0.0; 6]; cast.bodies.len()];
    let mut add = |index: u32, f: Vec3, at: Vec3| {
        let index = index as usize;
        let (Some(body), Some(sum)) = (snapshot.bodies.get(index), sums.get_mut(index)) else { return };
        let r = sub(at, body.position);
        let part = |i: usize, j: usize| 0.5 * (f[i] * r[j] + f[j] * r[i]);
        let own = [part(0, 0), part(1, 1), part(2, 2), part(1, 2), part(2, 0), part(0, 1)];
        sum.iter_mut().zip(own).for_each(|(sum, part)| *sum += part);
    };
    for contact in &snapshot.contacts {
        add(contact.bodies[0], contact.force, contact.position);
        add(contact.bodies[1], scale(contact.force, -1.0), contact.position);
    }
    for (cable, now) in cast.cables.iter().zip(&snapshot.cables).filter(|(cable, _)| !cable.anchors.is_empty()) {
        // each straight segment pulls its two ends together; a closed cable ends where it begins
        for (i, ends) in now.points.windows(2).enumerate() {
            let piece = sub(ends[1], ends[0]);
            let long = length(piece);
            if long > 0.0 {
                let pull = scale(piece, now.force / long);
                let anchor = |k: usize| cable.anchors[k % cable.anchors.len()];
                add(anchor(i), pull, ends[0]);
                add(anchor(i + 1), scale(pull, -1.0), ends[1]);
            }
        }
    }
    for (sum, body) in sums.iter_mut().zip(&cast.bodies) {
        let volume = if body.volume > 0.0 { body.volume } else { f64::NAN };
        sum.iter_mut().for_each(|part| *part /= volume);
    }
    sums
}

/// Mean pressure, compression positive [Pa]: −tr σ / dimension.
pub fn pressure(stress: &Stress, dimension: usize) -> f64 {
    if dimension == 2 { -(stress[0] + stress[1]) / 2.0 } else { -(stress[0] + stress[1] + stress[2]) / 3.0 }
}

/// Principal stresses, the largest (tension) first [Pa]. In 2D the last is zero.
pub fn principal(stress: &Stress, dimension: usize) -> [f64; 3] {
    let [xx, yy, zz, yz, zx, xy] = *stress;
    if dimension == 2 {
        let (mean, radius) = (0.5 * (xx + yy), (0.5 * (xx - yy)).hypot(xy));
        return [mean + radius, mean - radius, 0.0];
    }
    // the trigonometric solution of the characteristic equation, about the mean
    let mean = (xx + yy + zz) / 3.0;
    let [a, b, c] = [xx - mean, yy - mean, zz - mean];
    let p = ((a * a + b * b + c * c) / 6.0 + (yz * yz + zx * zx + xy * xy) / 3.0).sqrt();
    if p == 0.0 || !p.is_finite() {
        return [mean; 3];
    }
    let determinant = a * (b * c - yz * yz) - xy * (xy * c - yz * zx) + zx * (xy * yz - b * zx);
    let angle = (determinant / (2.0 * p.powi(3))).clamp(-1.0, 1.0).acos() / 3.0;
    let root = |turn: f64| mean + 2.0 * p * (angle + turn * std::f64::consts::TAU / 3.0).cos();
    let (first, last) = (root(0.0), root(1.0));
    [first, 3.0 * mean - first - last, last]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use voussoir_mechanics::geometry::Surface;
    use voussoir_mechanics::snapshot::{BodySnapshot, CableSnapshot, CastBody, CastCable, ContactSnapshot, Features};

    use super::*;

    fn body(volume: f64) -> CastBody {
        CastBody { name: "b".into(), material: 0, support: false, mass: 1.0, volume, form: Surface::default().into() }
    }

    #[test]
    fn a_squeezed_cube_has_the_stress_of_force_over_area() {
        // 600 N on the faces z = ±1 of a cube with sides of 2 m
        let push = |z: f64, other: u32| ContactSnapshot {
            bodies: [0, other],
            position: [0.3, 0.0, z],
            force: [0.0, 0.0, -600.0 * z],
            ..Default::default()
        };
        let cast = Cast {
            dimension: 3,
            bodies: vec![body(8.0), body(0.0)],
            materials: vec![],
            cables: vec![],
            features: Features::default(),
            origin: [0.0; 3],
        };
        let snapshot = Snapshot {
            bodies: vec![BodySnapshot::default(); 2],
            contacts: vec![push(1.0, 1), push(-1.0, 1)],
            ..Default::default()
        };
        let stress = mean_stress(&cast, &snapshot);
        assert_eq!(stress[0], [0.0, 0.0, -150.0, 0.0, 0.0, 0.0]);
        assert_eq!(pressure(&stress[0], 3), 50.0);
        assert_eq!(principal(&stress[0], 3)[2], -150.0);
        assert!(stress[1][0].is_nan());
    }

    #[test]
    fn a_row_of_blocks_that_a_cable_presses_together_is_free_of_stress_but_for_it() {
        // T = 600 N pulls the centroids of two cubes of 2 m towards each other, their joint pushes back: on average
        // each is compressed between its centroid and its face, σ = −T · 1 m / 8 m³
        let cable = CastCable { name: "c".into(), strength: None, anchors: vec![0, 1] };
        let cast = Cast {
            dimension: 3,
            bodies: vec![body(8.0); 2],
            materials: vec![],
            cables: vec![cable],
            features: Features::default(),
            origin: [0.0; 3],
        };
        let at = |x: f64| BodySnapshot { position: [x, 0.0, 0.0], ..Default::default() };
        let joint = ContactSnapshot { bodies: [0, 1], force: [-600.0, 0.0, 0.0], ..Default::default() };
        let through = |a: f64, b: f64| CableSnapshot { points: vec![[a, 0.0, 0.0], [b, 0.0, 0.0]], force: 600.0 };
        let stress = |way: CableSnapshot| {
            let bodies = vec![at(-1.0), at(1.0)];
            mean_stress(&cast, &Snapshot { bodies, contacts: vec![joint], cables: vec![way], ..Default::default() })
        };
        assert_eq!(stress(through(-1.0, 1.0))[0], [-75.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        // tied at the far faces, the cable compresses both cubes in full: σ = −T/A
        assert_eq!(stress(through(-2.0, 2.0))[1], [-150.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }

    proptest! {
        #[test]
        fn principal_stresses_keep_the_invariants(s in prop::array::uniform6(-1e3..1e3f64)) {
            let [a, b, c] = principal(&s, 3);
            let [xx, yy, zz, yz, zx, xy] = s;
            prop_assert!(a >= b && b >= c);
            let close = |x: f64, y: f64, scale: f64| (x - y).abs() < 1e-9 * scale;
            prop_assert!(close(a + b + c, xx + yy + zz, 1e4));
            prop_assert!(close(a * b + b * c + c * a, xx * yy + yy * zz + zz * xx - yz * yz - zx * zx - xy * xy, 1e8));
            let determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * zx) + zx * (xy * yz - yy * zx);
            prop_assert!(close(a * b * c, determinant, 1e11));
        }
    }
}
