//! Axle trains: loads that travel along a path over a deck.
//!
//! An axle of weight Q, at the distance b behind the first one, is at s = f(t) − b along the path. Its load is
//! distributed uniformly over the length c: each deck segment beneath it gets the fraction of c that lies on it, at the
//! centre of this fraction, as a force along gravity at a point of the body. The load passes continuously from body to
//! body; off the deck it is zero.

use voussoir_geometry::{Pose, Space, Vector};

use crate::model::Model;
use crate::time_function::TimeFunction;

/// Axle loads that travel together.
#[derive(Clone, Debug)]
pub struct Train<S: Space> {
    /// Unique name.
    pub name: String,
    /// All axles.
    pub axles: Vec<Axle>,
    /// f: position of the first axle along the path [m].
    pub function: TimeFunction,
    /// c: contact length of an axle [m].
    pub contact: f64,
    /// Pieces of the deck, which do not overlap.
    pub deck: Vec<DeckPiece<S>>,
    /// Spread of the loads by fill between axles and deck; `None`: no spread.
    pub dispersion: Option<Dispersion>,
}

/// Spread of axle loads through fill: uniform between two lines that leave the ends of the contact length at a slope.
#[derive(Clone, Debug, PartialEq)]
pub struct Dispersion {
    /// Tangent of the angle between these lines and the vertical.
    pub slope: f64,
    /// Depth of the fill above the deck along the path: (s, depth) [m], s rising, linear in between.
    pub depth: Vec<(f64, f64)>,
    /// Width of the modelled strip and of the lane [m]: the strip carries its share of an axle that is spread over the
    /// lane and, at the same slope, to both sides of it. `None`: the whole axle.
    pub widths: Option<[f64; 2]>,
}

impl Dispersion {
    /// Depth of the fill at a place; beyond the deck the depth at its nearest end [m].
    fn depth_at(&self, s: f64) -> f64 {
        let next = self.depth.partition_point(|(at, _)| *at < s);
        match (next.checked_sub(1).and_then(|i| self.depth.get(i)), self.depth.get(next)) {
            (Some(&(a, low)), Some(&(b, high))) if b > a => low + (high - low) * (s - a) / (b - a),
            (Some(&(_, depth)), _) | (None, Some(&(_, depth))) => depth,
            (None, None) => 0.0,
        }
    }

    /// Intersection with the deck of the line that leaves `edge` towards `sign`: the first root of x = edge + sign ·
    /// slope · depth(x).
    fn reach(&self, edge: f64, sign: f64) -> f64 {
        let deepest = self.depth.iter().map(|(_, depth)| *depth).fold(0.0, f64::max);
        let (mut near, mut far) = (0.0, self.slope * deepest);
        for _ in 0..60 {
            let middle = 0.5 * (near + far);
            if middle < self.slope * self.depth_at(edge + sign * middle) { near = middle } else { far = middle }
        }
        edge + sign * far
    }

    /// Share of an axle at `s` that the modelled strip carries.
    fn share(&self, s: f64) -> f64 {
        self.widths.map_or(1.0, |[strip, lane]| (strip / (lane + 2.0 * self.slope * self.depth_at(s))).min(1.0))
    }
}

/// One axle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axle {
    /// Q [N].
    pub load: f64,
    /// b: distance behind the first axle [m].
    pub behind: f64,
}

/// A straight piece of the top of a body, along the path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeckPiece<S: Space> {
    /// Index of the body.
    pub body: usize,
    /// Its start and end along the path [m].
    pub range: [f64; 2],
    /// The points of the body at its start and end, in body axes [m].
    pub ends: [S::Vector; 2],
}

/// A force of a train on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxleForce<S: Space> {
    /// Index of the body.
    pub body: usize,
    /// World axes [N].
    pub force: S::Vector,
    /// Point of attack in body axes [m].
    pub point: S::Vector,
}

impl<S: Space> Train<S> {
    /// All forces at a time; `down` has the length one.
    pub fn forces(&self, time: f64, down: S::Vector) -> Vec<AxleForce<S>> {
        self.forces_at(self.function.value(time), false, down)
    }

    /// All forces with the first axle at `first` along the path [m]; `reversed`: the other axles are ahead of it, as if
    /// the train came from the other end.
    pub fn forces_at(&self, first: f64, reversed: bool, down: S::Vector) -> Vec<AxleForce<S>> {
        let mut forces = Vec::new();
        for axle in &self.axles {
            let s = if reversed { first + axle.behind } else { first - axle.behind };
            let (mut from, mut to) = (s - 0.5 * self.contact, s + 0.5 * self.contact);
            let mut load = axle.load;
            if let Some(fill) = &self.dispersion {
                (from, to) = (fill.reach(from, -1.0), fill.reach(to, 1.0));
                load *= fill.share(s);
            }
            for piece in &self.deck {
                let [begin, end] = piece.range;
                let (a, b) = (begin.max(from), end.min(to));
                if b <= a {
                    continue;
                }
                let along = (0.5 * (a + b) - begin) / (end - begin);
                let point = piece.ends[0] + (piece.ends[1] - piece.ends[0]) * along;
                let force = down * (load * ((b - a) / (to - from)));
                forces.push(AxleForce { body: piece.body, force, point });
            }
        }
        forces
    }

    /// Returns the error of a train of a model, if any.
    pub(crate) fn fault(&self, model: &Model<S>) -> Option<String> {
        if let Some(axle) = self.axles.iter().find(|axle| !(axle.load.is_finite() && axle.behind.is_finite())) {
            return Some(format!("an axle of {} N, {} m behind the first", axle.load, axle.behind));
        }
        if !(self.contact > 0.0 && self.contact.is_finite()) {
            return Some(format!("its contact length is {} m; it must be above zero", self.contact));
        }
        if let Some(fill) = &self.dispersion {
            let numbers = fill.depth.iter().all(|(s, depth)| s.is_finite() && *depth >= 0.0 && depth.is_finite());
            if !(numbers && fill.slope >= 0.0 && fill.slope.is_finite()) {
                return Some("the dispersion of its axle loads has an invalid number".to_owned());
            }
        }
        let good = |piece: &DeckPiece<S>| {
            piece.body < model.bodies.len()
                && piece.range[1] > piece.range[0]
                && piece.range.iter().all(|s| s.is_finite())
                && piece.ends.iter().all(|end| end.is_finite())
        };
        self.deck.iter().position(|piece| !good(piece)).map(|i| format!("piece {i} of its deck belongs to no body"))
    }
}

/// Cuts pieces so that only the highest piece remains at every place along the path. `height` is that of a world point.
pub fn uppermost<S: Space>(
    pieces: &[DeckPiece<S>],
    poses: &[Pose<S>],
    height: impl Fn(S::Vector) -> f64,
) -> Vec<DeckPiece<S>> {
    let at = |piece: &DeckPiece<S>, s: f64| {
        let along = (s - piece.range[0]) / (piece.range[1] - piece.range[0]);
        piece.ends[0] + (piece.ends[1] - piece.ends[0]) * along
    };
    let mut cuts: Vec<f64> = pieces.iter().flat_map(|piece| piece.range).collect();
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    let mut kept: Vec<(usize, DeckPiece<S>)> = Vec::new();
    for pair in cuts.windows(2) {
        let middle = 0.5 * (pair[0] + pair[1]);
        let level = |piece: &DeckPiece<S>| height(poses[piece.body].point(at(piece, middle)));
        let over = pieces.iter().enumerate().filter(|(_, piece)| piece.range[0] < middle && middle < piece.range[1]);
        let Some((index, top)) = over.max_by(|(_, a), (_, b)| level(a).total_cmp(&level(b))) else { continue };
        match kept.last_mut() {
            // continues from the interval before
            Some((last, piece)) if *last == index && piece.range[1] == pair[0] => {
                (piece.range[1], piece.ends[1]) = (pair[1], at(top, pair[1]));
            }
            _ => kept.push((
                index,
                DeckPiece { body: top.body, range: [pair[0], pair[1]], ends: [at(top, pair[0]), at(top, pair[1])] },
            )),
        }
    }
    kept.into_iter().map(|(_, piece)| piece).collect()
}

#[cfg(test)]
mod tests {
    use voussoir_geometry::D2;
    use voussoir_geometry::glam::DVec2;

    use super::*;

    fn piece(body: usize, from: f64, to: f64, height: f64) -> DeckPiece<D2> {
        DeckPiece { body, range: [from, to], ends: [DVec2::new(from, height), DVec2::new(to, height)] }
    }

    #[test]
    fn the_weight_of_an_axle_is_shared_over_a_joint() {
        let train = Train::<D2> {
            name: "train".to_owned(),
            axles: vec![Axle { load: 100.0, behind: 0.0 }, Axle { load: 50.0, behind: 3.0 }],
            function: TimeFunction::Table(vec![(0.0, 0.0), (10.0, 10.0)]),
            contact: 0.4,
            deck: vec![piece(0, 0.0, 1.0, 0.0), piece(1, 1.0, 2.0, 0.0)],
            dispersion: None,
        };
        let at = |time: f64| train.forces(time, DVec2::NEG_Y);
        // on the first body, over the joint, beside the deck
        assert_eq!(at(0.5).iter().map(|f| (f.body, f.force.y)).collect::<Vec<_>>(), [(0, -100.0)]);
        let shared = at(1.1);
        assert!((shared[0].force.y + 25.0).abs() < 1e-9 && (shared[1].force.y + 75.0).abs() < 1e-9, "{shared:?}");
        assert!((shared[0].point.x - 0.95).abs() < 1e-9 && (shared[1].point.x - 1.15).abs() < 1e-9, "{shared:?}");
        assert_eq!(at(3.5).iter().map(|f| (f.body, f.force.y)).collect::<Vec<_>>(), [(0, -50.0)]);
        assert!(at(9.0).is_empty());
    }

    #[test]
    fn fill_spreads_an_axle_at_its_slope() {
        // a deck that falls from 0 to −1 m over 2 m, fill up to +0.5 m
        let deck = vec![DeckPiece { body: 0, range: [0.0, 2.0], ends: [DVec2::new(0.0, 0.0), DVec2::new(2.0, -1.0)] }];
        let depth = vec![(0.0, 0.5), (2.0, 1.5)];
        let train = Train::<D2> {
            name: "train".to_owned(),
            axles: vec![Axle { load: 90.0, behind: 0.0 }],
            function: TimeFunction::Constant(1.0),
            contact: 0.2,
            deck,
            dispersion: Some(Dispersion { slope: 0.5, depth, widths: Some([1.0, 2.0]) }),
        };
        // to the right x = 1.1 + (0.5 + x/2)/2, to the left x = 0.9 − (0.5 + x/2)/2
        let (right, left) = (1.35 / 0.75, 0.65 / 1.25);
        let forces = train.forces(0.0, DVec2::NEG_Y);
        assert!((forces[0].point.x - 0.5 * (left + right)).abs() < 1e-12, "{forces:?}");
        // 1 m of a lane of 2 m that is 2 · 0.5 · 1 m wider at the depth of 1 m
        assert!((forces[0].force.y + 30.0).abs() < 1e-12, "{forces:?}");
    }

    #[test]
    fn only_the_highest_piece_is_left() {
        let poses = vec![Pose::<D2>::identity(); 2];
        let kept = uppermost(&[piece(0, 0.0, 3.0, 1.0), piece(1, 1.0, 2.0, 2.0)], &poses, |p| p.y);
        let expected = [piece(0, 0.0, 1.0, 1.0), piece(1, 1.0, 2.0, 2.0), piece(0, 2.0, 3.0, 1.0)];
        assert_eq!(kept, expected);
    }
}
