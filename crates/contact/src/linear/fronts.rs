//! Multifrontal elimination: the assembly of fronts, and the tasks that run in parallel.
//!
//! The front of a supernode is a dense matrix over its pivots and the rows below. It gathers the matrix's own entries
//! and the Schur complements of the children in a fixed order, so the bits do not depend on the number of threads.
//! Subtrees below a few top supernodes share nothing and are eliminated in parallel; the large fronts of the top are
//! updated in parallel by panels of fixed width. Duff & Reid, ACM TOMS 9 (1983).

use std::ops::Range;

use rayon::prelude::*;

use super::Singular;
use super::pattern::{Matrix, Pattern};
use super::supernodes::Supernodes;

/// The tree is cut into at least this many subtrees (if it has so many branches), whatever the number of threads.
const SUBTREES: usize = 16;
/// Fronts narrower than this are not worth a second thread.
pub(super) const WIDE: usize = 384;
/// Width of the panels by which wide fronts are updated.
pub(super) const PANEL: usize = 128;

/// A block of the matrix and its place in a front.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// start in the values and stride between scalar columns
    from: usize,
    stride: usize,
    /// block row and column in the front
    row: u32,
    column: u32,
    /// the block goes in transposed
    transposed: bool,
}

/// Where a row of a supernode lies in the front of its parent.
#[derive(Clone, Copy, Debug)]
struct Place {
    row: u32,
    /// rows up to here (exclusive) follow each other in the parent too, so that they are added in one go
    run_end: u32,
}

/// Factors of one supernode.
pub(super) trait Front: Default + Send {
    /// True when only the lower triangle counts: block column j of the Schur complement then starts with block row j.
    const LOWER: bool;
    /// Eliminates `pivots` columns of the dense front (column-major, n × n); `n − pivots` rows stay below;
    /// a node has `size` of them.
    fn eliminate(&mut self, dense: &mut [f64], n: usize, pivots: usize, size: usize) -> Result<(), Singular>;
    /// The Schur complement for the parent (column-major), taken out.
    fn take_schur(&mut self) -> Vec<f64>;
}

/// The elimination tree with everything that does not depend on values.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub tree: Supernodes,
    pub size: usize,
    entries: Vec<Vec<Entry>>,
    /// places of the rows of each supernode in its parent's front
    into_parent: Vec<Vec<Place>>,
    subtrees: Vec<Range<usize>>,
    top: Vec<usize>,
}

impl Plan {
    /// Analyses a pattern; with `symmetric` only blocks on and below the diagonal (by node) are read.
    pub fn new(pattern: &Pattern, symmetric: bool) -> Self {
        let tree = Supernodes::new(pattern);
        let count = tree.count();
        let mut owner = vec![0; pattern.nodes()];
        for s in 0..count {
            owner[tree.columns(s)].fill(s);
        }
        let place = |s: usize, position: u32| -> u32 {
            let columns = tree.columns(s);
            if columns.contains(&(position as usize)) {
                position - columns.start as u32
            } else {
                (columns.len() + tree.rows(s).binary_search(&position).unwrap_or(0)) as u32
            }
        };
        let size = pattern.size;
        let mut entries = vec![Vec::new(); count];
        for j in 0..pattern.nodes() {
            let column = &pattern.row[pattern.first[j]..pattern.first[j + 1]];
            for (k, &i) in column.iter().enumerate().filter(|(_, i)| !symmetric || **i as usize >= j) {
                let (row, col) = (tree.position[i as usize], tree.position[j]);
                let s = owner[row.min(col) as usize];
                let transposed = symmetric && row < col;
                let (row, col) = if transposed { (col, row) } else { (row, col) };
                entries[s].push(Entry {
                    from: pattern.first[j] * size * size + k * size,
                    stride: column.len() * size,
                    row: place(s, row),
                    column: place(s, col),
                    transposed,
                });
            }
        }
        let into_parent = (0..count)
            .map(|s| match tree.rows(s).first() {
                Some(&row) => {
                    let parent = owner[row as usize];
                    places(tree.rows(s).iter().map(|&row| place(parent, row)))
                }
                None => Vec::new(),
            })
            .collect();
        let (subtrees, top) = cut(&tree);
        Self { tree, size, entries, into_parent, subtrees, top }
    }

    /// Eliminates all supernodes: subtrees in parallel, then the top.
    pub fn factorise<F: Front>(&self, matrix: &Matrix, fronts: &mut Vec<F>) -> Result<(), Singular> {
        fronts.resize_with(self.tree.count(), F::default);
        let (mut rest, mut parts, mut start) = (&mut fronts[..], Vec::new(), 0);
        for range in &self.subtrees {
            let (_, after) = rest.split_at_mut(range.start - start);
            let (part, after) = after.split_at_mut(range.len());
            parts.push((range.clone(), part));
            (rest, start) = (after, range.end);
        }
        parts.into_par_iter().try_for_each(|(range, part)| {
            let (base, mut scratch) = (range.start, Vec::new());
            range.into_iter().try_for_each(|s| self.eliminate(matrix, part, base, s, &mut scratch))
        })?;
        let mut scratch = Vec::new();
        self.top.iter().try_for_each(|&s| self.eliminate(matrix, fronts, 0, s, &mut scratch))
    }

    /// Gathers and eliminates the front of supernode `s`; `fronts` starts with supernode `base`.
    fn eliminate<F: Front>(
        &self,
        matrix: &Matrix,
        fronts: &mut [F],
        base: usize,
        s: usize,
        dense: &mut Vec<f64>,
    ) -> Result<(), Singular> {
        let size = self.size;
        let pivots = self.tree.columns(s).len() * size;
        let n = pivots + self.tree.rows(s).len() * size;
        dense.clear();
        dense.resize(n * n, 0.0);
        for entry in &self.entries[s] {
            let (row, column) = (entry.row as usize * size, entry.column as usize * size);
            for c in 0..size {
                let from = &matrix.values[entry.from + c * entry.stride..][..size];
                if entry.transposed {
                    for (a, x) in from.iter().enumerate() {
                        dense[(column + a) * n + row + c] = *x;
                    }
                } else {
                    dense[(column + c) * n + row..][..size].copy_from_slice(from);
                }
            }
        }
        for &child in &self.tree.children[s] {
            let schur = fronts[child - base].take_schur();
            add_schur(dense, n, &schur, &self.into_parent[child], size, F::LOWER);
        }
        fronts[s - base].eliminate(dense, n, pivots, size)
    }
}

/// Marks the runs of consecutive rows.
fn places(rows: impl Iterator<Item = u32>) -> Vec<Place> {
    let mut places: Vec<Place> = rows.map(|row| Place { row, run_end: 0 }).collect();
    let mut run_end = places.len() as u32;
    for k in (0..places.len()).rev() {
        if places.get(k + 1).is_some_and(|next| next.row != places[k].row + 1) {
            run_end = k as u32 + 1;
        }
        places[k].run_end = run_end;
    }
    places
}

/// Adds the Schur complement of a child to the front of its parent (n × n).
fn add_schur(dense: &mut [f64], n: usize, schur: &[f64], places: &[Place], size: usize, lower: bool) {
    let mut from = schur;
    for (j, place) in places.iter().enumerate() {
        let first = if lower { j } else { 0 };
        for c in 0..size {
            let into = &mut dense[(place.row as usize * size + c) * n..][..n];
            let mut k = first;
            while let Some(run) = places.get(k) {
                let run_end = run.run_end as usize;
                let (column, rest) = from.split_at((run_end - k) * size);
                from = rest;
                for (sum, x) in into[run.row as usize * size..][..column.len()].iter_mut().zip(column) {
                    *sum += x;
                }
                k = run_end;
            }
        }
    }
}

/// Subtrees that are eliminated in parallel, and the supernodes above them: the heaviest subtree is opened until there
/// are enough.
fn cut(tree: &Supernodes) -> (Vec<Range<usize>>, Vec<usize>) {
    let count = tree.count();
    let (mut first, mut work) = ((0..count).collect::<Vec<_>>(), vec![0.0f64; count]);
    let mut is_child = vec![false; count];
    for s in 0..count {
        let (k, m) = (tree.columns(s).len() as f64, tree.rows(s).len() as f64);
        work[s] += k * (k + m) * (k + m);
        for &child in &tree.children[s] {
            work[s] += work[child];
            first[s] = first[s].min(first[child]);
            is_child[child] = true;
        }
    }
    let mut subtrees: Vec<usize> = (0..count).filter(|&s| !is_child[s]).collect();
    let mut top = Vec::new();
    while subtrees.len() < SUBTREES {
        let heaviest = (0..subtrees.len()).max_by(|&a, &b| work[subtrees[a]].total_cmp(&work[subtrees[b]]));
        let Some(k) = heaviest.filter(|&k| !tree.children[subtrees[k]].is_empty()) else { break };
        let opened = subtrees.swap_remove(k);
        subtrees.extend(&tree.children[opened]);
        top.push(opened);
    }
    subtrees.sort_unstable();
    top.sort_unstable();
    (subtrees.into_iter().map(|s| first[s]..s + 1).collect(), top)
}

/// Runs `update(first column, its columns)` over the columns of `dense` (height n), in parallel where it is wide.
pub(super) fn by_panels(dense: &mut [f64], n: usize, update: impl Fn(usize, &mut [f64]) + Sync) {
    if n < WIDE {
        if !dense.is_empty() {
            update(0, dense);
        }
    } else {
        dense.par_chunks_mut(n * PANEL).enumerate().for_each(|(k, panel)| update(k * PANEL, panel));
    }
}
