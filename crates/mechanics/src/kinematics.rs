//! Velocities of the points of a rigid body: v(x) = v_c + ω × (x − c), in two and three dimensions.
//!
//! c is the centroid, v_c its velocity in world axes [m/s], ω the spin [rad/s]. The `dofs` velocities of a body hold
//! v_c and the spin in body axes. The transpose of this map is [`Space::jacobian_row`].

use voussoir_geometry::glam::DVec2;
use voussoir_geometry::{D2, Pose, Space, Vector};

/// v + ω × r: velocity at `arm` r from a point with the velocity v; all in the same axes.
#[inline]
pub fn rigid_velocity<S: Space>(velocity: S::Vector, spin: S::Spin, arm: S::Vector) -> S::Vector {
    velocity + S::spin_cross(spin, arm)
}

/// The same in the plane, from the velocities (v_x, v_y, ω) [m/s, rad/s] of the centroid.
#[inline]
pub fn plane_velocity(velocity: [f64; 3], arm: DVec2) -> DVec2 {
    rigid_velocity::<D2>(DVec2::new(velocity[0], velocity[1]), velocity[2], arm)
}

/// Velocity [m/s] of the point at `x` (world axes) of a body with the given pose and velocities (dofs).
///
/// ```
/// # use voussoir_geometry::{D2, Pose, glam::DVec2};
/// # use voussoir_mechanics::kinematics::point_velocity;
/// // a wheel of radius 1 m that rolls to the right stands still where it touches the ground
/// let wheel = Pose::<D2>::at(DVec2::new(3.0, 1.0));
/// assert_eq!(point_velocity(&wheel, &[2.0, 0.0, -2.0], DVec2::new(3.0, 0.0)), DVec2::ZERO);
/// ```
pub fn point_velocity<S: Space>(pose: &Pose<S>, velocity: &[f64], x: S::Vector) -> S::Vector {
    let (linear, spin) = S::unpack(velocity);
    rigid_velocity::<S>(linear, S::spin_to_world(pose.rotation, spin), x - pose.position)
}

/// ‖v_c‖ + ρ‖ω‖ [m/s]: an upper bound of the speed of all points within the `radius` ρ of the centroid [m]. For an
/// unbounded body (a half-space) only the centroid is used.
pub fn fastest_point<S: Space>(velocity: &[f64], radius: f64) -> f64 {
    let (linear, spin) = S::unpack(velocity);
    linear.length() + if radius.is_finite() { radius * spin_length::<S>(spin) } else { 0.0 }
}

/// ‖ω‖ [rad/s].
pub fn spin_length<S: Space>(spin: S::Spin) -> f64 {
    S::spin_to_3d(spin).iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use voussoir_geometry::D3;
    use voussoir_geometry::glam::{DQuat, DVec3};

    use super::*;

    /// The point velocity is what the Jacobian rows give, and no point is faster than the bound.
    fn check<S: Space>(pose: Pose<S>, velocity: &[f64], x: S::Vector, axes: &[S::Vector]) -> Result<(), TestCaseError> {
        let v = point_velocity(&pose, velocity, x);
        for axis in axes {
            let mut row = vec![0.0; S::DOFS];
            S::jacobian_row(pose.rotation, x - pose.position, *axis, &mut row);
            let along: f64 = row.iter().zip(velocity).map(|(j, v)| j * v).sum();
            prop_assert!((along - v.dot(*axis)).abs() < 1e-12);
        }
        let bound = fastest_point::<S>(velocity, (x - pose.position).length());
        prop_assert!(v.length() <= bound * (1.0 + 1e-12));
        Ok(())
    }

    proptest! {
        #[test]
        fn point_velocities_are_those_of_the_jacobian(
            v in prop::array::uniform6(-2.0..2.0f64), x in prop::array::uniform3(-2.0..2.0f64),
            axis in prop::array::uniform3(0.1..1.0f64), angle in -3.0..3.0f64
        ) {
            let turn = DQuat::from_axis_angle(DVec3::from(axis).normalize(), angle);
            let pose = Pose::<D3> { position: DVec3::new(0.3, -0.2, 1.0), rotation: turn };
            check(pose, &v, DVec3::from(x), &DVec3::AXES)?;
            let pose = Pose::<D2> { position: DVec2::new(0.3, -0.2), rotation: angle };
            check(pose, &v[..3], DVec2::new(x[0], x[1]), &DVec2::AXES)?;
        }
    }
}
