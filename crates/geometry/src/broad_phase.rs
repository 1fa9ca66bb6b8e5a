//! Broad phase: pairs of bodies that may be in contact.
//!
//! Bounding boxes are stored slightly enlarged (fat) in a bounding volume tree. As long as every body stays in its fat
//! box, the pairs of the previous call are reused; only bodies that left their box are searched again. The result
//! contains all pairs whose boxes overlap, and some more, so the result of the narrow phase does not depend on the
//! history. Unbounded boxes (half-spaces) are compared with all others. Bodies belong to groups, and pairs of groups
//! can be excluded.
//!
//! The tree splits its boxes at the median along the longest axis; building the tree and finding all pairs takes O(n
//! log n) for bodies with little overlap.

use rayon::prelude::*;

use crate::solid::Aabb;
use crate::space::{Space, Vector};

/// A fat box is larger by this fraction of the longest side of its body's box, on every side.
const SLACK: f64 = 0.05;
/// A fat box is renewed when it is larger than its body's box by more than this many slacks.
const RENEWAL_SLACKS: f64 = 4.0;
/// The tree is built anew when more than this fraction of the boxes has been renewed since.
const REBUILD_FRACTION: f64 = 0.25;
/// Bodies whose pairs one parallel task searches.
const TASK_BODIES: usize = 256;

/// Finds pairs of bodies whose boxes overlap; its cache speeds up the next call.
#[derive(Clone, Debug)]
pub struct BroadPhase<S: Space> {
    /// Fat box of each body.
    fat: Vec<Aabb<S>>,
    /// Group of each body.
    groups: Vec<u32>,
    /// True for pairs of groups that may be in contact, row-major.
    meets: Vec<bool>,
    /// Number of groups.
    width: usize,
    /// Bodies with unbounded boxes, in order.
    endless: Vec<u32>,
    tree: Tree<S>,
    /// Boxes renewed since the tree was built.
    renewed: usize,
    pairs: Vec<(u32, u32)>,
}

impl<S: Space> Default for BroadPhase<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: Space> BroadPhase<S> {
    /// An empty broad phase.
    pub fn new() -> Self {
        let tree = Tree { order: Vec::new(), nodes: Vec::new() };
        Self {
            fat: Vec::new(),
            groups: Vec::new(),
            meets: Vec::new(),
            width: 0,
            endless: Vec::new(),
            tree,
            renewed: 0,
            pairs: Vec::new(),
        }
    }

    /// All pairs (i, j), i < j, sorted, whose boxes overlap and of which at least one body is `free`; and some
    /// pairs whose boxes are near.
    ///
    /// ```
    /// # use voussoir_geometry::{Aabb, BroadPhase, D2, glam::dvec2};
    /// let unit = |x: f64| Aabb::<D2> { min: dvec2(x, 0.0), max: dvec2(x + 1.0, 1.0) };
    /// let mut broad = BroadPhase::new();
    /// assert_eq!(broad.pairs(&[unit(0.0), unit(0.5), unit(4.0)], |_| true), [(0, 1)]);
    /// ```
    pub fn pairs(&mut self, bounds: &[Aabb<S>], free: impl Fn(usize) -> bool) -> &[(u32, u32)] {
        let groups: Vec<u32> = (0..bounds.len()).map(|i| u32::from(free(i))).collect();
        self.pairs_of_groups(bounds, groups, 2, |a, b| a == 1 || b == 1)
    }

    /// All pairs (i, j), i < j, sorted, whose boxes overlap and whose groups meet; and some pairs whose boxes are
    /// near. Groups are numbered from 0 to `count` − 1, `meet` is symmetric.
    ///
    /// ```
    /// # use voussoir_geometry::{Aabb, BroadPhase, D2, glam::dvec2};
    /// let unit = |x: f64| Aabb::<D2> { min: dvec2(x, 0.0), max: dvec2(x + 1.0, 1.0) };
    /// let boxes = [unit(0.0), unit(0.5), unit(0.8)];
    /// // the first two ignore each other
    /// let pairs = BroadPhase::new().pairs_of_groups(&boxes, vec![0, 0, 1], 2, |a, b| a != b).to_vec();
    /// assert_eq!(pairs, [(0, 2), (1, 2)]);
    /// ```
    pub fn pairs_of_groups(
        &mut self,
        bounds: &[Aabb<S>],
        groups: Vec<u32>,
        count: usize,
        meet: impl Fn(usize, usize) -> bool,
    ) -> &[(u32, u32)] {
        let meets: Vec<bool> = (0..count * count).map(|k| meet(k / count, k % count)).collect();
        let endless: Vec<u32> = (0..bounds.len() as u32).filter(|&i| has_no_end(&bounds[i as usize])).collect();
        if groups != self.groups || meets != self.meets || endless != self.endless {
            (self.groups, self.meets, self.width, self.endless) = (groups, meets, count, endless);
            self.fat = bounds.iter().map(fatten).collect();
            self.find_all();
            return &self.pairs;
        }
        let left: Vec<u32> =
            (0..bounds.len() as u32).filter(|&i| !holds(&self.fat[i as usize], &bounds[i as usize])).collect();
        if left.is_empty() {
            return &self.pairs;
        }
        for &i in &left {
            self.fat[i as usize] = fatten(&bounds[i as usize]);
        }
        self.renewed += left.len();
        if self.renewed as f64 > REBUILD_FRACTION * self.fat.len() as f64 {
            self.find_all();
        } else {
            self.tree.refit(&self.fat);
            self.find_again(&left);
        }
        &self.pairs
    }

    /// Builds the tree and finds all pairs.
    fn find_all(&mut self) {
        self.renewed = 0;
        let finite = (0..self.fat.len() as u32).filter(|i| self.endless.binary_search(i).is_err());
        self.tree = Tree::build(finite.collect(), &self.fat);
        let all: Vec<u32> = (0..self.fat.len() as u32).collect();
        self.pairs = self.partners(&all, |i, j| i < j);
        self.pairs.par_sort_unstable();
    }

    /// Replaces the pairs of the bodies `left`.
    fn find_again(&mut self, left: &[u32]) {
        let mut stale = vec![false; self.fat.len()];
        left.iter().for_each(|&i| stale[i as usize] = true);
        self.pairs.retain(|&(i, j)| !stale[i as usize] && !stale[j as usize]);
        // a pair of two renewed bodies is found from both sides
        let found = self.partners(left, |i, j| !stale[j as usize] || i < j);
        self.pairs.extend(found);
        // long sorted runs merge in linear time
        self.pairs.sort();
    }

    /// Pairs of the bodies `of` with all others, if `wanted`.
    fn partners(&self, of: &[u32], wanted: impl Fn(u32, u32) -> bool + Sync) -> Vec<(u32, u32)> {
        let look_up = |i: u32, found: &mut Vec<(u32, u32)>| {
            let own = &self.fat[i as usize];
            let row = &self.meets[self.groups[i as usize] as usize * self.width..][..self.width];
            let mut meet = |j: u32| {
                let meets = row[self.groups[j as usize] as usize];
                if j != i && meets && wanted(i, j) && own.overlaps(&self.fat[j as usize]) {
                    found.push((i.min(j), i.max(j)));
                }
            };
            if self.endless.binary_search(&i).is_ok() {
                (0..self.fat.len() as u32).for_each(meet);
            } else {
                self.endless.iter().for_each(|&j| meet(j));
                self.tree.visit(own, &mut meet);
            }
        };
        let chunks = of.par_chunks(TASK_BODIES).map(|chunk| {
            let mut found = Vec::new();
            chunk.iter().for_each(|&i| look_up(i, &mut found));
            found
        });
        chunks.flatten_iter().collect()
    }
}

/// True if a side is infinite or not a number.
fn has_no_end<S: Space>(bounds: &Aabb<S>) -> bool {
    !(bounds.min.is_finite() && bounds.max.is_finite())
}

/// Longest side of a finite box, zero for others [m].
fn longest_side<S: Space>(bounds: &Aabb<S>) -> f64 {
    let side = (0..S::DIM).map(|i| bounds.max.get(i) - bounds.min.get(i)).fold(0.0, f64::max);
    if side.is_finite() { side } else { 0.0 }
}

fn fatten<S: Space>(bounds: &Aabb<S>) -> Aabb<S> {
    bounds.grown(SLACK * longest_side(bounds))
}

/// True if a fat box still serves.
fn holds<S: Space>(fat: &Aabb<S>, bounds: &Aabb<S>) -> bool {
    fat.contains(bounds) && bounds.grown(RENEWAL_SLACKS * SLACK * longest_side(bounds)).contains(fat)
}

/// A balanced tree of boxes. Node 0 is the root over all of `order`; a node over `order[low..high]` at place k has
/// its halves at k + 1 and k + 2 (middle − low).
#[derive(Clone, Debug)]
struct Tree<S: Space> {
    order: Vec<u32>,
    nodes: Vec<Aabb<S>>,
}

impl<S: Space> Tree<S> {
    fn build(order: Vec<u32>, boxes: &[Aabb<S>]) -> Self {
        let mut tree = Self { order, nodes: Vec::new() };
        let count = tree.order.len();
        if let Some(&first) = tree.order.first() {
            halve(&mut tree.order, boxes);
            tree.nodes = vec![boxes[first as usize]; 2 * count - 1];
            tree.refit(boxes);
        }
        tree
    }

    /// Recomputes the boxes of all nodes.
    fn refit(&mut self, boxes: &[Aabb<S>]) {
        if !self.order.is_empty() {
            fit(&self.order, &mut self.nodes, boxes);
        }
    }

    /// Calls `meet` for every body whose box overlaps `with`.
    fn visit(&self, with: &Aabb<S>, meet: &mut impl FnMut(u32)) {
        if !self.order.is_empty() {
            walk(&self.nodes, &self.order, with, meet);
        }
    }
}

/// Orders boxes so that every half of every half is on one side of a median.
fn halve<S: Space>(order: &mut [u32], boxes: &[Aabb<S>]) {
    if order.len() < 2 {
        return;
    }
    // twice the centre; the factor changes no comparison
    let centre = |i: u32| boxes[i as usize].min + boxes[i as usize].max;
    let (mut low, mut high) = (centre(order[0]), centre(order[0]));
    for &i in order.iter() {
        (low, high) = (low.min(centre(i)), high.max(centre(i)));
    }
    let spread = high - low;
    let axis = (1..S::DIM).fold(0, |best, i| if spread.get(i) > spread.get(best) { i } else { best });
    let middle = order.len() / 2;
    order.select_nth_unstable_by(middle, |&i, &j| centre(i).get(axis).total_cmp(&centre(j).get(axis)).then(i.cmp(&j)));
    let (left, right) = order.split_at_mut(middle);
    halve(left, boxes);
    halve(right, boxes);
}

/// Boxes of a subtree from its leaves up; returns the root's.
fn fit<S: Space>(order: &[u32], nodes: &mut [Aabb<S>], boxes: &[Aabb<S>]) -> Aabb<S> {
    nodes[0] = if let [leaf] = order {
        boxes[*leaf as usize]
    } else {
        let (left, right) = order.split_at(order.len() / 2);
        let (first, second) = nodes[1..].split_at_mut(2 * left.len() - 1);
        fit(left, first, boxes).union(&fit(right, second, boxes))
    };
    nodes[0]
}

fn walk<S: Space>(nodes: &[Aabb<S>], order: &[u32], with: &Aabb<S>, meet: &mut impl FnMut(u32)) {
    if !nodes[0].overlaps(with) {
        return;
    }
    if let [leaf] = order {
        meet(*leaf);
        return;
    }
    let (left, right) = order.split_at(order.len() / 2);
    let (first, second) = nodes[1..].split_at(2 * left.len() - 1);
    walk(first, left, with, meet);
    walk(second, right, with, meet);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{D2, D3};
    use glam::{DVec2, DVec3};
    use proptest::prelude::*;

    fn brute<S: Space>(bounds: &[Aabb<S>], free: &[bool]) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for i in 0..bounds.len() {
            for j in i + 1..bounds.len() {
                if (free[i] || free[j]) && bounds[i].overlaps(&bounds[j]) {
                    pairs.push((i as u32, j as u32));
                }
            }
        }
        pairs
    }

    /// Sorted, no duplicates, no pair of supports, no missing pair, and no pair that is far apart.
    fn check<S: Space>(found: &[(u32, u32)], bounds: &[Aabb<S>], free: &[bool], far: f64) {
        assert!(found.windows(2).all(|w| w[0] < w[1]) && found.iter().all(|(i, j)| i < j));
        for pair in brute(bounds, free) {
            assert!(found.binary_search(&pair).is_ok(), "{pair:?} is missing");
        }
        let grown: Vec<Aabb<S>> = bounds.iter().map(|b| b.grown(far)).collect();
        let near = brute(&grown, free);
        assert!(found.iter().all(|pair| near.binary_search(pair).is_ok()));
    }

    fn point() -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(-5.0..5.0).prop_map(DVec3::from)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn pairs_are_those_of_brute_force_while_bodies_move(
            bodies in prop::collection::vec((point(), 0.1..1.5f64, point(), prop::bool::weighted(0.8)), 0..120),
            plane in prop::option::of(-3.0..3.0f64),
        ) {
            let free: Vec<bool> = bodies.iter().map(|b| b.3).chain(plane.map(|_| false)).collect();
            let mut broad = BroadPhase::<D3>::new();
            for step in 0..12 {
                let mut bounds: Vec<_> = bodies.iter().map(|(at, half, v, _)| {
                    let centre = *at + *v * (0.002 * f64::from(step * step));
                    Aabb::<D3> { min: centre - *half, max: centre + *half }
                }).collect();
                bounds.extend(plane.map(|z| Aabb { min: DVec3::NEG_INFINITY, max: DVec3::new(f64::INFINITY, f64::INFINITY, z) }));
                let found = broad.pairs(&bounds, |i| free[i]).to_vec();
                // slack of a half-width of 1.5 and RENEWAL_SLACKS times that
                check(&found, &bounds, &free, 4.0 * 0.05 * 3.0 * 1.5);
            }
        }
    }

    #[test]
    fn bodies_may_come_and_go_and_be_nowhere() {
        let at = |x: f64| Aabb::<D2> { min: DVec2::new(x, 0.0), max: DVec2::new(x + 1.0, 1.0) };
        let mut broad = BroadPhase::<D2>::new();
        assert!(broad.pairs(&[], |_| true).is_empty());
        assert_eq!(broad.pairs(&[at(0.0), at(0.5)], |_| true), [(0, 1)]);
        assert_eq!(broad.pairs(&[at(0.0), at(0.5), at(1.2)], |i| i == 2), [(1, 2)]);
        assert!(broad.pairs(&[at(0.0), at(f64::NAN)], |_| true).is_empty());
        assert_eq!(broad.pairs(&[at(0.0), at(0.0), at(0.0)], |_| true), [(0, 1), (0, 2), (1, 2)]);
    }

    #[test]
    fn a_wall_at_rest_is_looked_up_once_and_one_brick_that_leaves_is_followed() {
        let brick = |i: usize, dx: f64| {
            let (column, row) = ((i % 40) as f64, (i / 40) as f64);
            let min = DVec2::new(column + 0.5 * (row % 2.0) + dx, row);
            Aabb::<D2> { min, max: min + 1.0 }
        };
        let mut broad = BroadPhase::<D2>::new();
        let free = vec![true; 1600];
        for step in 0..40 {
            let shift = |i: usize| if i == 777 { 0.1 * f64::from(step) } else { 1e-9 * f64::from(step) };
            let bounds: Vec<_> = (0..1600).map(|i| brick(i, shift(i))).collect();
            check(broad.pairs(&bounds, |_| true), &bounds, &free, 0.2);
        }
    }
}
