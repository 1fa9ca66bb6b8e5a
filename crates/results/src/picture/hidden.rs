//! Visible parts of a line, and parts inside or behind bodies.

use super::PaintedFace;
use super::depth::{DepthBuffer, NOTHING, SampledShape};
use super::sheet::Point;
use crate::vector::Vec3;

/// Sampling distance along lines [px].
const SAMPLE_DISTANCE: f64 = 2.0;
/// A point less than this behind a face counts as on the face [px].
const FACE_TOLERANCE: f64 = 1.0;

/// Faces that hide lines.
#[derive(Debug)]
pub struct Hider<'a> {
    buffer: DepthBuffer,
    faces: &'a [PaintedFace],
}

impl<'a> Hider<'a> {
    /// Faces on a drawing of this size [px].
    pub fn new(size: [f64; 2], faces: &'a [PaintedFace]) -> Self {
        Self { buffer: DepthBuffer::new(size, 1.0, faces.iter().map(SampledShape::from)), faces }
    }

    fn hides(&self, [x, y, near]: Vec3) -> bool {
        let [width, height] = self.buffer.size;
        if x < 0.0 || y < 0.0 || x >= width as f64 || y >= height as f64 {
            return false;
        }
        let face = self.buffer.nearest[y as usize * width + x as usize];
        let face = if face == NOTHING { None } else { self.faces.get(face as usize) };
        face.and_then(|face| SampledShape::from(face).nearness(x, y))
            .is_some_and(|nearness| nearness > near + FACE_TOLERANCE)
    }

    /// The visible and the hidden pieces of a line; points are page coordinates and nearness [px].
    pub fn split(&self, line: &[Vec3]) -> [Vec<Vec<Point>>; 2] {
        let mut pieces = [Vec::new(), Vec::new()];
        for ends in line.windows(2) {
            let [a, b] = [ends[0], ends[1]];
            let count = (((b[0] - a[0]).hypot(b[1] - a[1]) / SAMPLE_DISTANCE).ceil() as usize).clamp(1, 10_000);
            let at = |k: usize| {
                let part = k as f64 / count as f64;
                std::array::from_fn::<f64, 3, _>(|i| a[i] + part * (b[i] - a[i]))
            };
            // a step is hidden if its middle is hidden
            let hidden = |k: usize| {
                let (p, q) = (at(k), at(k + 1));
                usize::from(self.hides(std::array::from_fn(|i| 0.5 * (p[i] + q[i]))))
            };
            let mut start = 0;
            for k in 1..=count {
                if k == count || hidden(k) != hidden(start) {
                    let flat = |k: usize| [at(k)[0], at(k)[1]];
                    pieces[hidden(start)].push(vec![flat(start), flat(k)]);
                    start = k;
                }
            }
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_behind_a_square_is_hidden_there_and_seen_beside_it() {
        let points = vec![[20.0, 20.0, 5.0], [60.0, 20.0, 5.0], [60.0, 60.0, 5.0], [20.0, 60.0, 5.0]];
        let face = PaintedFace { points, creases: vec![true; 4], group: 0, colour: [0; 3], ball: None };
        let faces = [face];
        let hider = Hider::new([100.0, 100.0], &faces);
        let length = |pieces: &[Vec<Point>]| pieces.iter().map(|p| (p[1][0] - p[0][0]).abs()).sum::<f64>();
        let [seen, hidden] = hider.split(&[[0.0, 40.0, 0.0], [100.0, 40.0, 0.0]]);
        assert_eq!((seen.len(), hidden.len()), (2, 1));
        assert!((length(&hidden) - 40.0).abs() <= 2.0 * SAMPLE_DISTANCE, "{}", length(&hidden));
        let [seen, hidden] = hider.split(&[[0.0, 40.0, 9.0], [100.0, 40.0, 9.0]]);
        assert_eq!((length(&seen), hidden.len()), (100.0, 0));
    }
}
