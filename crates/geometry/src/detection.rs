//! Settings of contact detection: the method, and the number of nodes.
//!
//! The methods differ in the search for the contact direction of two polyhedra (polygons in 2D) and in the
//! treatment of corners. Pairs with a round or unbounded shape have closed forms, identical for all methods.
//!
//! | method | direction | corners |
//! |---|---|---|
//! | clip | separating axis; faces exact | sharp |
//! | common plane | the plane of largest separation (Cundall), found by a fast search | sharp |
//! | swept | closest points of shrunk cores (GJK) | rounded by the margin |
//! | rounded (2D) | corners as discs on the sides and corners of the other | arcs tangent to the sides |
//!
//! Fewer nodes give smaller contact problems: at most four or three, those that span the largest area. The area of a
//! dropped node is distributed to its neighbours among the kept nodes.

use serde::{Deserialize, Serialize};

use crate::solid::ContactPoint;
use crate::space::{Space, Vector};

/// How contact points are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Detection {
    /// The method.
    pub method: Method,
    /// Which points are kept.
    pub nodes: Nodes,
    /// Distance of the tangent points of rounded corners from the corner, for [`Method::Rounded`] [m].
    pub rounding: f64,
    /// A third point in the middle of two sides in contact, with the weights 1/6, 2/3, 1/6 (2D).
    pub middle: bool,
}

/// Methods for pairs of polyhedra and pairs of polygons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Method {
    /// Separating axis, then n-gon clipping of the two faces.
    #[default]
    Clip,
    /// Cundall's common plane: projection of the near vertices, convex hulls, overlap.
    CommonPlane,
    /// Closest points of shrunk cores, offset by the margin.
    Swept,
    /// Corners are arcs tangent to their sides (2D; in 3D as `Clip`).
    Rounded,
}

/// Which points of an overlap are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Nodes {
    /// All vertices of the overlap polygon.
    #[default]
    All,
    /// At most four.
    Four,
    /// At most three.
    Three,
}

impl Nodes {
    /// The largest number of points of two convex shapes.
    pub fn most(self) -> usize {
        match self {
            Self::All => usize::MAX,
            Self::Four => 4,
            Self::Three => 3,
        }
    }
}

/// Areas that differ by less than this share tie: the earlier choice stays.
const EQUAL_AREA: f64 = 1e-6;

/// Keeps the points from `start` on that span the largest area, at most `nodes` of them, in their order. All of them
/// lie about in one plane, counter-clockwise about their common normal.
pub(crate) fn reduce<S: Space>(nodes: Nodes, start: usize, points: &mut Vec<ContactPoint<S>>) {
    let (count, most) = (points.len() - start, nodes.most());
    if count <= most {
        return;
    }
    let own = &points[start..];
    let mut kept = spread(own, most);
    kept.sort_unstable();
    // the area of dropped nodes is distributed to the two ends of the nearest side so that its centroid is kept
    let mut areas: Vec<f64> = kept.iter().map(|&i| own[i].area).collect();
    for (i, point) in own.iter().enumerate().filter(|(i, _)| kept.binary_search(i).is_err()) {
        let next = kept.partition_point(|&k| k < i) % most;
        let before = (next + most - 1) % most;
        let (a, b) = (own[kept[before]].position, own[kept[next]].position);
        let side = b - a;
        let t = (side.dot(point.position - a) / side.dot(side).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        areas[before] += point.area * (1.0 - t);
        areas[next] += point.area * t;
    }
    let chosen: Vec<ContactPoint<S>> =
        kept.iter().zip(areas).map(|(&i, area)| ContactPoint { area, ..own[i] }).collect();
    points.truncate(start);
    points.extend(chosen);
}

/// Indices of `most` points that span a large area: greedy, then exchanged one by one while that helps.
fn spread<S: Space>(points: &[ContactPoint<S>], most: usize) -> Vec<usize> {
    let centre = points.iter().fold(S::zero(), |sum, p| sum + p.position) / points.len() as f64;
    let mut kept = vec![farthest(points, |i| (points[i].position - centre).length())];
    while kept.len() < most {
        let gain = |i: usize| {
            if kept.len() == 1 {
                (points[i].position - points[kept[0]].position).length()
            } else {
                let mut more = kept.clone();
                more.push(i);
                area(points, more)
            }
        };
        let next = farthest(points, |i| if kept.contains(&i) { f64::NEG_INFINITY } else { gain(i) });
        kept.push(next);
    }
    for _ in 0..points.len() {
        let mut offers: Vec<(f64, u64, Vec<usize>)> = Vec::new();
        for place in 0..most {
            for i in (0..points.len()).filter(|i| !kept.contains(i)) {
                let mut other = kept.clone();
                other[place] = i;
                offers.push((area(points, other.clone()), points[i].feature, other));
            }
        }
        let largest = offers.iter().map(|offer| offer.0).fold(0.0, f64::max);
        if largest <= area(points, kept.clone()) * (1.0 + EQUAL_AREA) {
            break;
        }
        // of equals the smallest name
        let tied = offers.into_iter().filter(|offer| offer.0 >= largest * (1.0 - EQUAL_AREA));
        let Some((_, _, chosen)) = tied.min_by_key(|offer| offer.1) else { break };
        kept = chosen;
    }
    kept
}

/// The first index with the largest value, up to rounding.
fn farthest<S: Space>(points: &[ContactPoint<S>], value: impl Fn(usize) -> f64) -> usize {
    let values: Vec<f64> = (0..points.len()).map(value).collect();
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let slack = EQUAL_AREA * largest.abs();
    // of equals the smallest name, which does not depend on the order of the ring
    let tied = (0..points.len()).filter(|&i| values[i] >= largest - slack);
    tied.min_by_key(|&i| points[i].feature).unwrap_or(0)
}

/// Area of the polygon over some of the points, in ring order (2D: its largest extent).
fn area<S: Space>(points: &[ContactPoint<S>], mut chosen: Vec<usize>) -> f64 {
    chosen.sort_unstable();
    let foot = points[chosen[0]].position;
    let mut sum = [0.0; 3];
    for pair in chosen[1..].windows(2) {
        let (a, b) = ((points[pair[0]].position - foot).to_3d(), (points[pair[1]].position - foot).to_3d());
        for (i, sum) in sum.iter_mut().enumerate() {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            *sum += 0.5 * (a[j] * b[k] - a[k] * b[j]);
        }
    }
    sum.iter().map(|x| x * x).sum::<f64>().sqrt()
}
