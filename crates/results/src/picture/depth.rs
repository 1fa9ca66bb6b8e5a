//! Visible face at every sample of a grid: a depth buffer, filled in bands by all threads.

use rayon::prelude::*;

use super::PaintedFace;
use super::balls::PaintedBall;
use crate::vector::{Vec3, newell};

/// No visible face.
pub const NOTHING: u32 = u32::MAX;

/// Rows that are filled together.
const BAND: usize = 32;

/// The nearest face at every sample.
#[derive(Debug)]
pub struct DepthBuffer {
    /// Samples in a row, and rows.
    pub size: [usize; 2],
    /// Index of the nearest face, row by row; [`NOTHING`] where there is none.
    pub nearest: Vec<u32>,
}

/// A shape that covers samples.
#[derive(Clone, Copy, Debug)]
pub(super) enum SampledShape<'a> {
    /// A convex polygon, by page coordinates and nearness.
    Polygon(&'a [Vec3]),
    /// A disc or a sphere.
    Ball(&'a PaintedBall),
}

impl<'a> From<&'a PaintedFace> for SampledShape<'a> {
    fn from(face: &'a PaintedFace) -> Self {
        face.ball.as_ref().map_or(Self::Polygon(&face.points), Self::Ball)
    }
}

impl SampledShape<'_> {
    /// Nearness at a point of the page that the shape covers; `None` where it is seen edge-on.
    pub fn nearness(self, x: f64, y: f64) -> Option<f64> {
        match self {
            Self::Polygon(points) => plane(points).map(|[c, a, b]| c + a * x + b * y),
            Self::Ball(ball) => ball.nearness(x, y),
        }
    }
}

/// A shape on the page, ready to be filled.
struct Prepared<'a> {
    index: u32,
    outline: Outline<'a>,
    /// First and last row.
    rows: (f64, f64),
}

enum Outline<'a> {
    /// Nearness is `plane[0] + plane[1] x + plane[2] y`.
    Polygon {
        corners: Vec<[f64; 2]>,
        plane: Vec3,
    },
    Ball(&'a PaintedBall),
}

impl DepthBuffer {
    /// Fills the buffer with shapes. There are `samples` samples to a unit of the page, in both directions, and `size`
    /// units.
    pub fn new<'a>(size: [f64; 2], samples: f64, shapes: impl Iterator<Item = SampledShape<'a>>) -> Self {
        let size = size.map(|length| (length * samples).ceil().max(1.0) as usize);
        let prepared: Vec<Prepared> =
            shapes.enumerate().filter_map(|(index, shape)| prepare(index as u32, shape, samples)).collect();
        let mut nearest = vec![NOTHING; size[0] * size[1]];
        nearest.par_chunks_mut(size[0] * BAND).enumerate().for_each(|(band, rows)| {
            let mut depth = vec![f32::NEG_INFINITY; rows.len()];
            let (first, count) = (band * BAND, rows.len() / size[0]);
            let touches = |p: &&Prepared| p.rows.1 >= first as f64 && p.rows.0 <= (first + count) as f64;
            for shape in prepared.iter().filter(touches) {
                fill(shape, samples, first, count, size[0], rows, &mut depth);
            }
        });
        Self { size, nearest }
    }

    /// For each of `count` faces, whether it is visible anywhere.
    pub fn seen(&self, count: usize) -> Vec<bool> {
        let mut seen = vec![false; count];
        for &face in self.nearest.iter().filter(|&&face| face != NOTHING) {
            seen[face as usize] = true;
        }
        seen
    }
}

/// `None` for polygons that are seen edge-on.
fn prepare(index: u32, shape: SampledShape<'_>, samples: f64) -> Option<Prepared<'_>> {
    let polygon = match shape {
        SampledShape::Polygon(polygon) => polygon,
        SampledShape::Ball(ball) => {
            let rows = (samples * (ball.centre[1] - ball.radius), samples * (ball.centre[1] + ball.radius));
            return Some(Prepared { index, outline: Outline::Ball(ball), rows });
        }
    };
    let plane = plane(polygon)?;
    let corners: Vec<[f64; 2]> = polygon.iter().map(|p| [p[0] * samples, p[1] * samples]).collect();
    let rows = corners.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), p| (a.min(p[1]), b.max(p[1])));
    let plane = [plane[0], plane[1] / samples, plane[2] / samples];
    Some(Prepared { index, outline: Outline::Polygon { corners, plane }, rows })
}

/// Nearness over the page, `c₀ + c₁ x + c₂ y`, of a flat polygon; `None` when it is seen edge-on.
pub fn plane(polygon: &[Vec3]) -> Option<Vec3> {
    let normal = newell(polygon);
    let size = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
    let origin = polygon.first()?;
    if normal[2].abs() <= 1e-9 * size || !size.is_finite() {
        return None;
    }
    let [a, b] = [-normal[0] / normal[2], -normal[1] / normal[2]];
    Some([origin[2] - a * origin[0] - b * origin[1], a, b])
}

/// Fills `count` rows from row `first`.
fn fill(
    shape: &Prepared<'_>,
    samples: f64,
    first: usize,
    count: usize,
    width: usize,
    nearest: &mut [u32],
    depth: &mut [f32],
) {
    let from = ((shape.rows.0 - 0.5).ceil().max(first as f64)) as usize;
    let to = ((shape.rows.1 - 0.5).floor()).min((first + count) as f64 - 1.0);
    if to < from as f64 {
        return;
    }
    for row in from..=to as usize {
        let y = row as f64 + 0.5;
        let (left, right) = shape.outline.span(y, samples);
        let start = (left - 0.5).ceil().max(0.0);
        let end = (right - 0.5).floor().min(width as f64 - 1.0);
        if start > end || !start.is_finite() {
            continue;
        }
        let base = (row - first) * width;
        for column in start as usize..=end as usize {
            let z = shape.outline.nearness(column as f64 + 0.5, y, samples) as f32;
            if z > depth[base + column] {
                depth[base + column] = z;
                nearest[base + column] = shape.index;
            }
        }
    }
}

impl Outline<'_> {
    /// Where the outline crosses the middle of a row, in samples.
    fn span(&self, y: f64, samples: f64) -> (f64, f64) {
        match self {
            Self::Polygon { corners, .. } => {
                let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
                for (i, a) in corners.iter().enumerate() {
                    let b = corners[(i + 1) % corners.len()];
                    if (a[1] <= y) != (b[1] <= y) {
                        let x = a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]);
                        left = left.min(x);
                        right = right.max(x);
                    }
                }
                (left, right)
            }
            Self::Ball(ball) => {
                let half = ball.radius * ball.radius - (y / samples - ball.centre[1]).powi(2);
                let half = half.max(0.0).sqrt();
                (samples * (ball.centre[0] - half), samples * (ball.centre[0] + half))
            }
        }
    }

    /// Nearness at a sample inside.
    fn nearness(&self, x: f64, y: f64, samples: f64) -> f64 {
        match self {
            Self::Polygon { plane, .. } => plane[0] + plane[2] * y + plane[1] * x,
            Self::Ball(ball) => ball.nearness(x / samples, y / samples).unwrap_or(ball.centre[2]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::balls::Shading;
    use super::*;

    fn square(x: f64, y: f64, side: f64, z: f64) -> Vec<Vec3> {
        vec![[x, y, z], [x + side, y, z], [x + side, y + side, z], [x, y + side, z]]
    }

    fn buffer(size: [f64; 2], samples: f64, polygons: &[Vec<Vec3>]) -> DepthBuffer {
        DepthBuffer::new(size, samples, polygons.iter().map(|polygon| SampledShape::Polygon(polygon)))
    }

    #[test]
    fn a_sphere_bulges_through_a_square_before_its_centre() {
        let shading = Shading { base: [0; 3], darkest: 0.5, light: [0.0, 0.0, 1.0] };
        let ball = PaintedBall { centre: [50.0, 40.0, 0.0], radius: 30.0, shading: Some(shading) };
        // the square is nearer than the centre; the sphere comes through it in a circle of √(30² − 24²) = 18
        let square = square(0.0, 0.0, 100.0, 24.0);
        let buffer = DepthBuffer::new(
            [100.0, 80.0],
            2.0,
            [SampledShape::Polygon(&square), SampledShape::Ball(&ball)].into_iter(),
        );
        let area = buffer.nearest.iter().filter(|&&face| face == 1).count() as f64 / 4.0;
        let circle = std::f64::consts::PI * 18.0 * 18.0;
        assert!((area - circle).abs() < 0.02 * circle, "{area}");
    }

    #[test]
    fn the_nearer_of_two_squares_is_seen() {
        let buffer = buffer([100.0, 80.0], 1.0, &[square(10.0, 10.0, 40.0, 1.0), square(30.0, 30.0, 40.0, 2.0)]);
        let at = |x: usize, y: usize| buffer.nearest[y * 100 + x];
        assert_eq!((at(20, 20), at(40, 40), at(60, 60), at(5, 5)), (0, 1, 1, NOTHING));
        let seen = buffer.nearest.iter().filter(|&&face| face == 1).count();
        assert_eq!(seen, 1600);
    }

    #[test]
    fn squares_that_pass_through_each_other_meet_in_a_line() {
        let tilted = vec![[0.0, 0.0, -50.0], [100.0, 0.0, 50.0], [100.0, 50.0, 50.0], [0.0, 50.0, -50.0]];
        let buffer = buffer([100.0, 50.0], 2.0, &[square(0.0, 0.0, 100.0, 0.0), tilted]);
        let row: Vec<u32> = buffer.nearest[200 * 50..][..200].to_vec();
        assert!(row[..100].iter().all(|&face| face == 0) && row[100..].iter().all(|&face| face == 1));
    }

    #[test]
    fn hidden_and_outside_faces_are_not_seen() {
        let polygons = [square(10.0, 10.0, 20.0, 0.0), square(0.0, 0.0, 50.0, 1.0), square(-90.0, 0.0, 50.0, 1.0)];
        assert_eq!(buffer([60.0, 60.0], 2.0, &polygons).seen(3), [false, true, false]);
    }
}
