//! Dimension as a type: [`D2`] (y up, bodies move in the plane) and [`D3`] (z up).
//!
//! A body has `DOFS` generalized velocities: the velocity of its centroid in world axes, then its
//! spin (2D: one number; 3D: the angular velocity in **body** axes). All flat arrays of
//! generalized velocities in the project are ordered body by body in that way.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use glam::{DMat3, DQuat, DVec2, DVec3};
use serde::{Serialize, de::DeserializeOwned};

use crate::solid::Solid;

/// Vectors of either dimension.
pub trait Vector:
    Copy
    + Debug
    + PartialEq
    + Send
    + Sync
    + Serialize
    + DeserializeOwned
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + 'static
{
    /// Scalar product.
    fn dot(self, other: Self) -> f64;
    /// Component `i`, below `Space::DIM`.
    fn get(self, i: usize) -> f64;
    /// From the first `DIM` numbers of a slice.
    fn from_slice(values: &[f64]) -> Self;
    /// Padded with zero to three numbers (2D: z = 0).
    fn to_3d(self) -> [f64; 3];
    /// Component-wise minimum.
    fn min(self, other: Self) -> Self;
    /// Component-wise maximum.
    fn max(self, other: Self) -> Self;
    /// The same number in every component.
    fn splat(value: f64) -> Self;
    /// Euclidean length.
    fn length(self) -> f64 {
        self.dot(self).sqrt()
    }
    /// True if no component is NaN or infinite.
    fn is_finite(self) -> bool {
        self.length().is_finite()
    }
}

macro_rules! vector {
    ($type:ty, $dim:literal, |$v:ident| $pad:expr) => {
        impl Vector for $type {
            #[inline]
            fn dot(self, other: Self) -> f64 {
                self.dot(other)
            }
            #[inline]
            fn get(self, i: usize) -> f64 {
                self[i]
            }
            #[inline]
            fn from_slice(values: &[f64]) -> Self {
                <$type>::from_slice(values)
            }
            #[inline]
            fn to_3d(self) -> [f64; 3] {
                let $v = self;
                $pad
            }
            #[inline]
            fn min(self, other: Self) -> Self {
                self.min(other)
            }
            #[inline]
            fn max(self, other: Self) -> Self {
                self.max(other)
            }
            #[inline]
            fn splat(value: f64) -> Self {
                <$type>::splat(value)
            }
        }
    };
}
vector!(DVec2, 2, |v| [v.x, v.y, 0.0]);
vector!(DVec3, 3, |v| [v.x, v.y, v.z]);

/// A dimension: its vectors, rotations, inertia and contact frames.
pub trait Space: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// Number of coordinates; also the number of components of a contact (n, t1[, t2]).
    const DIM: usize;
    /// Generalized velocities per body.
    const DOFS: usize;
    /// Index of the vertical axis.
    const UP: usize = Self::DIM - 1;
    /// Points and directions.
    type Vector: Vector;
    /// Orientation of a body: an angle in 2D [rad], a unit quaternion in 3D.
    type Rotation: Copy + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned;
    /// Angular velocity, torque: a number in 2D, a vector in 3D.
    type Spin: Copy
        + Debug
        + PartialEq
        + Send
        + Sync
        + Serialize
        + DeserializeOwned
        + Add<Output = Self::Spin>
        + Sub<Output = Self::Spin>
        + Mul<f64, Output = Self::Spin>;
    /// Moment of inertia about the centroid: a number in 2D, a full tensor in body axes in 3D.
    type Inertia: Copy + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned;
    /// Shapes of bodies.
    type Shape: Solid<Self>;

    /// The zero vector.
    fn zero() -> Self::Vector {
        Self::Vector::splat(0.0)
    }
    /// The neutral rotation.
    fn no_rotation() -> Self::Rotation;
    /// No spin.
    fn no_spin() -> Self::Spin;
    /// Turns a vector from local to world axes.
    fn rotate(rotation: Self::Rotation, v: Self::Vector) -> Self::Vector;
    /// Turns a vector from world to local axes.
    fn unrotate(rotation: Self::Rotation, v: Self::Vector) -> Self::Vector;
    /// The rotation `outer ∘ inner`.
    fn combine(outer: Self::Rotation, inner: Self::Rotation) -> Self::Rotation;
    /// `rotation ⊗ exp(h ω)` with ω the spin in body axes (exponential map, renormalized).
    fn advance(rotation: Self::Rotation, spin: Self::Spin, h: f64) -> Self::Rotation;
    /// Gyroscopic torque −ω × (I ω) in body axes; zero in 2D.
    fn gyroscopic(inertia: Self::Inertia, spin: Self::Spin) -> Self::Spin;
    /// A torque or spin given in world axes, in body axes.
    fn spin_to_body(rotation: Self::Rotation, spin: Self::Spin) -> Self::Spin;
    /// A torque or spin given in body axes, in world axes.
    fn spin_to_world(rotation: Self::Rotation, spin: Self::Spin) -> Self::Spin;
    /// `arm × v`: the torque of a force, all in the same axes.
    fn cross(arm: Self::Vector, v: Self::Vector) -> Self::Spin;
    /// `spin × arm`: the velocity of a point of a rotating body, all in the same axes.
    fn spin_cross(spin: Self::Spin, arm: Self::Vector) -> Self::Vector;
    /// Inertia times a number (density, for instance).
    fn scale_inertia(inertia: Self::Inertia, by: f64) -> Self::Inertia;
    /// Row-major `DOFS × DOFS` mass matrix of a body.
    fn mass_matrix(mass: f64, inertia: Self::Inertia, out: &mut [f64]);
    /// Row-major `DOFS × DOFS` inverse mass matrix of a body.
    fn inverse_mass_matrix(mass: f64, inertia: Self::Inertia, out: &mut [f64]);
    /// Writes a linear velocity and a spin as `DOFS` numbers.
    fn pack(linear: Self::Vector, spin: Self::Spin, out: &mut [f64]);
    /// Reads a linear velocity and a spin from `DOFS` numbers.
    fn unpack(values: &[f64]) -> (Self::Vector, Self::Spin);
    /// Row of the contact Jacobian for direction `d` (world) at `arm` = point − centroid (world):
    /// `[dᵀ, (Aᵀ(arm × d))ᵀ]`, so that row · velocities = velocity of the point along `d`.
    fn jacobian_row(rotation: Self::Rotation, arm: Self::Vector, d: Self::Vector, out: &mut [f64]) {
        Self::pack(d, Self::spin_to_body(rotation, Self::cross(arm, d)), out);
    }
    /// Orthonormal frame with first axis `n`; writes `DIM` vectors. A pure function of `n`.
    fn frame(n: Self::Vector, out: &mut Vec<Self::Vector>);
    /// Spin as three numbers (2D: about z).
    fn spin_to_3d(spin: Self::Spin) -> [f64; 3];
    /// Rotation as a quaternion (x, y, z, w), for files.
    fn rotation_to_quaternion(rotation: Self::Rotation) -> [f64; 4];
    /// The rotation of a quaternion (x, y, z, w); in 2D its part about z.
    fn rotation_from_quaternion(quaternion: [f64; 4]) -> Self::Rotation;
    /// The spin of three numbers; in 2D the last one.
    fn spin_from_3d(spin: [f64; 3]) -> Self::Spin;
}

/// The plane: x to the right, y up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct D2;

/// Space: z up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct D3;

impl Space for D2 {
    const DIM: usize = 2;
    const DOFS: usize = 3;
    type Vector = DVec2;
    type Rotation = f64;
    type Spin = f64;
    type Inertia = f64;
    type Shape = crate::planar::Shape2;

    #[inline]
    fn no_rotation() -> f64 {
        0.0
    }
    #[inline]
    fn no_spin() -> f64 {
        0.0
    }
    #[inline]
    fn rotate(rotation: f64, v: DVec2) -> DVec2 {
        DVec2::from_angle(rotation).rotate(v)
    }
    #[inline]
    fn unrotate(rotation: f64, v: DVec2) -> DVec2 {
        DVec2::from_angle(-rotation).rotate(v)
    }
    #[inline]
    fn combine(outer: f64, inner: f64) -> f64 {
        outer + inner
    }
    #[inline]
    fn advance(rotation: f64, spin: f64, h: f64) -> f64 {
        rotation + h * spin
    }
    #[inline]
    fn gyroscopic(_inertia: f64, _spin: f64) -> f64 {
        0.0
    }
    #[inline]
    fn spin_to_body(_rotation: f64, spin: f64) -> f64 {
        spin
    }
    #[inline]
    fn spin_to_world(_rotation: f64, spin: f64) -> f64 {
        spin
    }
    #[inline]
    fn cross(arm: DVec2, v: DVec2) -> f64 {
        arm.perp_dot(v)
    }
    #[inline]
    fn spin_cross(spin: f64, arm: DVec2) -> DVec2 {
        arm.perp() * spin
    }
    #[inline]
    fn scale_inertia(inertia: f64, by: f64) -> f64 {
        inertia * by
    }
    #[inline]
    fn mass_matrix(mass: f64, inertia: f64, out: &mut [f64]) {
        out.fill(0.0);
        (out[0], out[4], out[8]) = (mass, mass, inertia);
    }
    #[inline]
    fn inverse_mass_matrix(mass: f64, inertia: f64, out: &mut [f64]) {
        Self::mass_matrix(1.0 / mass, 1.0 / inertia, out);
    }
    #[inline]
    fn pack(linear: DVec2, spin: f64, out: &mut [f64]) {
        out.copy_from_slice(&[linear.x, linear.y, spin]);
    }
    #[inline]
    fn unpack(values: &[f64]) -> (DVec2, f64) {
        (DVec2::new(values[0], values[1]), values[2])
    }
    #[inline]
    fn frame(n: DVec2, out: &mut Vec<DVec2>) {
        out.extend([n, DVec2::new(n.y, -n.x)]);
    }
    #[inline]
    fn spin_to_3d(spin: f64) -> [f64; 3] {
        [0.0, 0.0, spin]
    }
    #[inline]
    fn rotation_from_quaternion([_, _, z, w]: [f64; 4]) -> f64 {
        2.0 * z.atan2(w)
    }
    #[inline]
    fn spin_from_3d([_, _, spin]: [f64; 3]) -> f64 {
        spin
    }
    #[inline]
    fn rotation_to_quaternion(rotation: f64) -> [f64; 4] {
        let (sin, cos) = (rotation / 2.0).sin_cos();
        [0.0, 0.0, sin, cos]
    }
}

// Same items as for `D2`, with the formulas of three dimensions.
impl Space for D3 {
    const DIM: usize = 3;
    const DOFS: usize = 6;
    type Vector = DVec3;
    type Rotation = DQuat;
    type Spin = DVec3;
    type Inertia = DMat3;
    type Shape = crate::spatial::Shape3;

    #[inline]
    fn no_rotation() -> DQuat {
        DQuat::IDENTITY
    }
    #[inline]
    fn no_spin() -> DVec3 {
        DVec3::ZERO
    }
    #[inline]
    fn rotate(rotation: DQuat, v: DVec3) -> DVec3 {
        rotation * v
    }
    #[inline]
    fn unrotate(rotation: DQuat, v: DVec3) -> DVec3 {
        rotation.inverse() * v
    }
    #[inline]
    fn combine(outer: DQuat, inner: DQuat) -> DQuat {
        (outer * inner).normalize()
    }
    #[inline]
    fn advance(rotation: DQuat, spin: DVec3, h: f64) -> DQuat {
        // exp(½hω) = (cos|φ|, sin|φ|/|φ| φ) with φ = ½hω; series where the quotient loses digits
        let phi = spin * (0.5 * h);
        let angle = phi.length();
        let sinc = if angle < 1e-6 { 1.0 - angle * angle / 6.0 } else { angle.sin() / angle };
        if angle == 0.0 {
            return rotation;
        }
        let v = phi * sinc;
        (rotation * DQuat::from_xyzw(v.x, v.y, v.z, angle.cos())).normalize()
    }
    #[inline]
    fn gyroscopic(inertia: DMat3, spin: DVec3) -> DVec3 {
        -spin.cross(inertia * spin)
    }
    #[inline]
    fn spin_to_body(rotation: DQuat, spin: DVec3) -> DVec3 {
        rotation.inverse() * spin
    }
    #[inline]
    fn spin_to_world(rotation: DQuat, spin: DVec3) -> DVec3 {
        rotation * spin
    }
    #[inline]
    fn cross(arm: DVec3, v: DVec3) -> DVec3 {
        arm.cross(v)
    }
    #[inline]
    fn spin_cross(spin: DVec3, arm: DVec3) -> DVec3 {
        spin.cross(arm)
    }
    #[inline]
    fn scale_inertia(inertia: DMat3, by: f64) -> DMat3 {
        inertia * by
    }
    #[inline]
    fn mass_matrix(mass: f64, inertia: DMat3, out: &mut [f64]) {
        out.fill(0.0);
        for i in 0..3 {
            out[7 * i] = mass;
            for j in 0..3 {
                out[6 * (3 + i) + 3 + j] = inertia.row(i)[j];
            }
        }
    }
    #[inline]
    fn inverse_mass_matrix(mass: f64, inertia: DMat3, out: &mut [f64]) {
        Self::mass_matrix(1.0 / mass, inertia.inverse(), out);
    }
    #[inline]
    fn pack(linear: DVec3, spin: DVec3, out: &mut [f64]) {
        out.copy_from_slice(&[linear.x, linear.y, linear.z, spin.x, spin.y, spin.z]);
    }
    #[inline]
    fn unpack(values: &[f64]) -> (DVec3, DVec3) {
        (DVec3::from_slice(values), DVec3::from_slice(&values[3..]))
    }
    #[inline]
    fn frame(n: DVec3, out: &mut Vec<DVec3>) {
        // the coordinate axis least aligned with n starts the tangent plane
        let a = n.abs();
        let axis = if a.x <= a.y && a.x <= a.z {
            DVec3::X
        } else if a.y <= a.z {
            DVec3::Y
        } else {
            DVec3::Z
        };
        let t1 = (axis - n * n.dot(axis)).normalize();
        out.extend([n, t1, n.cross(t1)]);
    }
    #[inline]
    fn spin_to_3d(spin: DVec3) -> [f64; 3] {
        spin.to_array()
    }
    #[inline]
    fn rotation_from_quaternion(quaternion: [f64; 4]) -> DQuat {
        DQuat::from_array(quaternion).normalize()
    }
    #[inline]
    fn spin_from_3d(spin: [f64; 3]) -> DVec3 {
        DVec3::from_array(spin)
    }
    #[inline]
    fn rotation_to_quaternion(rotation: DQuat) -> [f64; 4] {
        rotation.to_array()
    }
}
