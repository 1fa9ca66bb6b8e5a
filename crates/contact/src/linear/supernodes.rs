//! Elimination tree and supernodes of a [`Pattern`].

use std::ops::Range;

use super::pattern::Pattern;

/// Nodes gathered in supernodes, numbered so that children come before parents.
#[derive(Clone, Debug)]
pub struct Supernodes {
    /// Node of each place in the final order.
    pub node: Vec<usize>,
    /// Place of each node in the final order.
    pub position: Vec<u32>,
    /// Children of each supernode.
    pub children: Vec<Vec<usize>>,
    first: Vec<usize>,
    rows: Vec<Vec<u32>>,
}

/// Supernodes of up to this many nodes are merged with their child, regardless of the zeros that are then stored.
const ALWAYS_MERGE: usize = 3;
/// Larger supernodes are merged if at most this fraction of the front is stored zeros.
const ZEROS: f64 = 0.15;

impl Supernodes {
    /// Analyses a pattern.
    pub fn new(pattern: &Pattern) -> Self {
        let parent = elimination_tree(pattern, &pattern.order);
        let order: Vec<usize> = postorder(&parent).into_iter().map(|k| pattern.order[k]).collect();
        let n = order.len();
        let mut position = vec![0u32; n];
        for (k, &node) in order.iter().enumerate() {
            position[node] = k as u32;
        }
        let parent = elimination_tree(pattern, &order);
        let structure = column_structures(pattern, &order, &position, &parent);

        // gather chains of columns with (nearly) the same structure
        let (mut first, mut zeros) = (vec![0], 0usize);
        for j in 1..n {
            let start = *first.last().unwrap_or(&0);
            let width = j - start;
            let extra = width * (structure[j].len() + 1).saturating_sub(structure[j - 1].len());
            let height = width + 1 + structure[j].len();
            let fits = width < ALWAYS_MERGE || (zeros + extra) as f64 <= ZEROS * (height * (width + 1)) as f64;
            if parent[j - 1] == j && fits {
                zeros += extra;
            } else {
                first.push(j);
                zeros = 0;
            }
        }
        first.push(n);
        if n == 0 {
            first = vec![0];
        }
        let count = first.len() - 1;
        let rows: Vec<Vec<u32>> = (0..count).map(|s| structure[first[s + 1] - 1].clone()).collect();
        let mut owner = vec![0; n];
        for s in 0..count {
            owner[first[s]..first[s + 1]].fill(s);
        }
        let mut children = vec![Vec::new(); count];
        for (s, rows) in rows.iter().enumerate() {
            if let Some(&row) = rows.first() {
                children[owner[row as usize]].push(s);
            }
        }
        Self { node: order, position, children, first, rows }
    }

    /// x (node after node, `size` scalars each) in the order of elimination.
    pub fn ordered(&self, x: &[f64], size: usize) -> Vec<f64> {
        self.node.iter().flat_map(|&node| x[node * size..(node + 1) * size].iter().copied()).collect()
    }

    /// Undoes [`Supernodes::ordered`].
    pub fn scattered(&self, y: &[f64], size: usize, x: &mut [f64]) {
        for (y, &node) in y.chunks_exact(size).zip(&self.node) {
            x[node * size..(node + 1) * size].copy_from_slice(y);
        }
    }

    /// Number of supernodes.
    pub fn count(&self) -> usize {
        self.first.len() - 1
    }

    /// Places of the pivots of supernode `s`.
    pub fn columns(&self, s: usize) -> Range<usize> {
        self.first[s]..self.first[s + 1]
    }

    /// Places of the rows below the pivots of supernode `s`, increasing.
    pub fn rows(&self, s: usize) -> &[u32] {
        &self.rows[s]
    }
}

const NONE: usize = usize::MAX;

/// Parent of each place in the elimination tree, `usize::MAX` for roots (Liu's algorithm).
fn elimination_tree(pattern: &Pattern, order: &[usize]) -> Vec<usize> {
    let n = order.len();
    let mut position = vec![0; n];
    for (k, &node) in order.iter().enumerate() {
        position[node] = k;
    }
    let (mut parent, mut ancestor) = (vec![NONE; n], vec![NONE; n]);
    for (j, &node) in order.iter().enumerate() {
        for &row in &pattern.row[pattern.first[node]..pattern.first[node + 1]] {
            let mut i = position[row as usize];
            while i < j {
                let next = ancestor[i];
                ancestor[i] = j;
                if next == NONE {
                    parent[i] = j;
                    break;
                }
                i = next;
            }
        }
    }
    parent
}

/// Places ordered so that every subtree is contiguous and ends with its root.
fn postorder(parent: &[usize]) -> Vec<usize> {
    let n = parent.len();
    let (mut head, mut next) = (vec![NONE; n], vec![NONE; n]);
    for j in (0..n).rev() {
        if parent[j] != NONE {
            next[j] = head[parent[j]];
            head[parent[j]] = j;
        }
    }
    let (mut order, mut stack) = (Vec::with_capacity(n), Vec::new());
    for root in (0..n).filter(|&j| parent[j] == NONE) {
        stack.push(root);
        while let Some(&j) = stack.last() {
            if head[j] == NONE {
                order.push(j);
                stack.pop();
            } else {
                stack.push(head[j]);
                head[j] = next[head[j]];
            }
        }
    }
    order
}

/// Rows below the diagonal of every column of the factor, increasing.
fn column_structures(pattern: &Pattern, order: &[usize], position: &[u32], parent: &[usize]) -> Vec<Vec<u32>> {
    let n = order.len();
    let mut structure: Vec<Vec<u32>> = vec![Vec::new(); n];
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (j, &p) in parent.iter().enumerate() {
        if p != NONE {
            children[p].push(j);
        }
    }
    let mut seen = vec![NONE; n];
    for j in 0..n {
        let mut rows = Vec::new();
        seen[j] = j;
        let own = &pattern.row[pattern.first[order[j]]..pattern.first[order[j] + 1]];
        let inherited = children[j].iter().flat_map(|&c| structure[c].iter().copied());
        for row in own.iter().map(|&r| position[r as usize]).chain(inherited) {
            if row as usize > j && seen[row as usize] != j {
                seen[row as usize] = j;
                rows.push(row);
            }
        }
        rows.sort_unstable();
        structure[j] = rows;
    }
    structure
}
