//! Vectors in three dimensions as plain arrays, for pictures, measures and exports.

use voussoir_mechanics::snapshot::BodySnapshot;

/// A point or vector.
pub type Vec3 = [f64; 3];

pub fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub fn scale(a: Vec3, by: f64) -> Vec3 {
    a.map(|x| x * by)
}

pub fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub fn length(a: Vec3) -> f64 {
    dot(a, a).sqrt()
}

pub fn distance(a: Vec3, b: Vec3) -> f64 {
    length(sub(a, b))
}

/// `a` with length 1; zero stays zero.
pub fn unit(a: Vec3) -> Vec3 {
    let size = length(a);
    if size > 0.0 { scale(a, 1.0 / size) } else { a }
}

/// `v` rotated by the quaternion (x, y, z, w): v + 2 q × (q × v + w v).
pub fn rotate([x, y, z, w]: [f64; 4], v: Vec3) -> Vec3 {
    let q = [x, y, z];
    add(v, scale(cross(q, add(cross(q, v), scale(v, w))), 2.0))
}

/// World position of a point given in the axes of a body.
pub fn place(body: &BodySnapshot, point: Vec3) -> Vec3 {
    add(body.position, rotate(body.rotation, point))
}

/// Twice the area vector of a closed loop (Newell's sum, taken about its first point).
pub fn newell(points: &[Vec3]) -> Vec3 {
    let Some(&origin) = points.first() else { return [0.0; 3] };
    let pairs = points.iter().zip(points.iter().skip(1));
    pairs.fold([0.0; 3], |sum, (&a, &b)| add(sum, cross(sub(a, origin), sub(b, origin))))
}

/// A bounding box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BoundingBox {
    pub low: Vec3,
    pub high: Vec3,
}

impl BoundingBox {
    /// The empty box.
    pub const EMPTY: Self = Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    pub fn of(points: impl IntoIterator<Item = Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, Self::with)
    }

    pub fn with(mut self, point: Vec3) -> Self {
        for axis in 0..3 {
            self.low[axis] = self.low[axis].min(point[axis]);
            self.high[axis] = self.high[axis].max(point[axis]);
        }
        self
    }

    /// Length of the diagonal; zero when empty.
    pub fn diagonal(&self) -> f64 {
        if self.low[0] <= self.high[0] { distance(self.low, self.high) } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_about_z_takes_x_to_y() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let y = rotate([0.0, 0.0, half, half], [2.0, 0.0, 0.0]);
        assert!(distance(y, [0.0, 2.0, 0.0]) < 1e-15);
    }

    #[test]
    fn the_area_vector_of_a_square_is_its_normal() {
        let square = [[1.0, 0.0, 5.0], [3.0, 0.0, 5.0], [3.0, 2.0, 5.0], [1.0, 2.0, 5.0]];
        assert_eq!(newell(&square), [0.0, 0.0, 8.0]);
    }
}
