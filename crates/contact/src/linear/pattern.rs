//! Pattern and values of K = M + Jᵀ G J by node blocks.

use crate::problem::{Problem, blocks};

/// Which node blocks of K are not zero, and where each contact adds to them.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// Scalars per node.
    pub size: usize,
    /// First block of each block column (nodes + 1).
    pub first: Vec<usize>,
    /// Row (node) of each block, increasing in a column; both triangles are there.
    pub row: Vec<u32>,
    /// Elimination order: `order[k]` is the node eliminated k-th.
    pub order: Vec<usize>,
    /// For each pair of entries of each contact: start in the values and stride between columns.
    slots: Vec<(usize, usize)>,
    /// First slot of each contact (contacts + 1).
    first_slot: Vec<usize>,
    /// What the pattern was made from, to see whether it still fits.
    key: (Vec<usize>, Vec<u32>, Vec<[usize; 2]>),
}

impl Pattern {
    /// The pattern of a problem.
    pub fn new(problem: &Problem) -> Self {
        let nodes = problem.nodes();
        // neighbours of every node, itself included
        let mut columns: Vec<Vec<u32>> = (0..nodes as u32).map(|n| vec![n]).collect();
        for i in 0..problem.contacts() {
            let touched = problem.nodes_of(i);
            for &a in touched {
                for &b in touched {
                    if a != b && !columns[a as usize].contains(&b) {
                        columns[a as usize].push(b);
                    }
                }
            }
        }
        // cells of one node share its mass block
        for wide in &problem.wide {
            for cell in wide.first..wide.first + wide.cells {
                columns[cell].extend((wide.first..wide.first + wide.cells).map(|other| other as u32));
            }
        }
        let (first, row) = gathered(columns);
        let size = problem.dofs();
        let (mut slots, mut first_slot) = (Vec::new(), vec![0]);
        for i in 0..problem.contacts() {
            let touched = problem.nodes_of(i);
            for &b in touched {
                for &a in touched {
                    let column = &row[first[b as usize]..first[b as usize + 1]];
                    let place = column.binary_search(&a).unwrap_or(0);
                    slots.push((first[b as usize] * size * size + place * size, column.len() * size));
                }
            }
            first_slot.push(slots.len());
        }
        let order = minimum_degree(&first, &row);
        Self {
            size,
            first,
            row,
            order,
            slots,
            first_slot,
            key: (problem.first.clone(), problem.node.clone(), wide_cells(problem)),
        }
    }

    /// The pattern of a matrix given by block rows (`first`, `column`), made symmetric, with a full diagonal.
    pub fn of_blocks(size: usize, first: &[usize], column: &[u32]) -> Self {
        let nodes = first.len() - 1;
        let mut columns: Vec<Vec<u32>> = (0..nodes as u32).map(|n| vec![n]).collect();
        for i in 0..nodes {
            for &j in &column[first[i]..first[i + 1]] {
                columns[i].push(j);
                columns[j as usize].push(i as u32);
            }
        }
        let (first, row) = gathered(columns);
        let order = minimum_degree(&first, &row);
        Self { size, first, row, order, slots: Vec::new(), first_slot: Vec::new(), key: Default::default() }
    }

    /// True when the problem has the graph that this pattern was made from.
    pub fn fits(&self, problem: &Problem) -> bool {
        self.nodes() == problem.nodes()
            && self.size == problem.dofs()
            && self.key.0 == problem.first
            && self.key.1 == problem.node
            && self.key.2 == wide_cells(problem)
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.first.len() - 1
    }

    /// Number of scalars.
    pub fn scalars(&self) -> usize {
        self.nodes() * self.size
    }

    /// Column pointers and row indices of the scalar matrix (both triangles).
    pub fn scalar_columns(&self) -> (Vec<usize>, Vec<usize>) {
        let (mut pointer, mut index) = (vec![0], Vec::new());
        for j in 0..self.nodes() {
            let rows = &self.row[self.first[j]..self.first[j + 1]];
            for _ in 0..self.size {
                index.extend(rows.iter().flat_map(|&i| (0..self.size).map(move |a| i as usize * self.size + a)));
                pointer.push(index.len());
            }
        }
        (pointer, index)
    }
}

/// First cell and number of cells of the nodes with mass blocks of their own.
fn wide_cells(problem: &Problem) -> Vec<[usize; 2]> {
    problem.wide.iter().map(|wide| [wide.first, wide.cells]).collect()
}

/// Columns sorted and without repetitions, one after another.
fn gathered(mut columns: Vec<Vec<u32>>) -> (Vec<usize>, Vec<u32>) {
    let (mut first, mut row) = (vec![0], Vec::new());
    for column in &mut columns {
        column.sort_unstable();
        column.dedup();
        row.extend_from_slice(column);
        first.push(row.len());
    }
    (first, row)
}

fn minimum_degree(first: &[usize], row: &[u32]) -> Vec<usize> {
    let rows: Vec<usize> = row.iter().map(|&r| r as usize).collect();
    voussoir_dense::minimum_degree(first, &rows)
}

/// Values of K on a [`Pattern`], scalar column after scalar column.
#[derive(Clone, Debug, Default)]
pub struct Matrix {
    /// The values.
    pub values: Vec<f64>,
}

impl Matrix {
    /// K = M + Jᵀ G J with `g` row-major (contacts × dim × dim). With `symmetric`, blocks above the diagonal may be
    /// left out.
    pub fn assemble(&mut self, problem: &Problem, pattern: &Pattern, g: &[f64], symmetric: bool) {
        match problem.dim() {
            2 => self.run::<2, 3>(problem, pattern, g, symmetric),
            _ => self.run::<3, 6>(problem, pattern, g, symmetric),
        }
    }

    fn run<const D: usize, const B: usize>(
        &mut self,
        problem: &Problem,
        pattern: &Pattern,
        g: &[f64],
        symmetric: bool,
    ) {
        self.values.clear();
        self.values.resize(pattern.row.len() * B * B, 0.0);
        for (n, mass) in blocks::<B, B>(&problem.mass).iter().enumerate() {
            let column = &pattern.row[pattern.first[n]..pattern.first[n + 1]];
            let place = column.binary_search(&(n as u32)).unwrap_or(0);
            let start = pattern.first[n] * B * B + place * B;
            for c in 0..B {
                for a in 0..B {
                    self.values[start + c * column.len() * B + a] = mass[a][c];
                }
            }
        }
        self.add_couplings(problem, pattern);
        let jac = blocks::<D, B>(&problem.jacobian);
        for (i, g) in blocks::<D, D>(g).iter().enumerate() {
            if g.iter().flatten().all(|&x| x == 0.0) {
                continue;
            }
            let entries = problem.first[i]..problem.first[i + 1];
            let mut slot = pattern.first_slot[i];
            for f in entries.clone() {
                // columns of G J for the second node
                let gj: [[f64; B]; D] =
                    std::array::from_fn(|a| std::array::from_fn(|c| (0..D).map(|b| g[a][b] * jac[f][b][c]).sum()));
                for e in entries.clone() {
                    let (start, stride) = pattern.slots[slot];
                    slot += 1;
                    if symmetric && problem.node[e] < problem.node[f] {
                        continue;
                    }
                    for c in 0..B {
                        let out = &mut self.values[start + c * stride..][..B];
                        for (a, gj) in gj.iter().enumerate() {
                            for (o, j) in out.iter_mut().zip(&jac[e][a]) {
                                *o += j * gj[c];
                            }
                        }
                    }
                }
            }
        }
    }

    /// Adds what mass blocks have between different cells of a node.
    fn add_couplings(&mut self, problem: &Problem, pattern: &Pattern) {
        let b = pattern.size;
        for wide in &problem.wide {
            wide.mass.entries(&mut |row, column, value| {
                if row / b == column / b {
                    return;
                }
                let (i, j) = ((wide.first + row / b) as u32, wide.first + column / b);
                let rows = &pattern.row[pattern.first[j]..pattern.first[j + 1]];
                let place = rows.binary_search(&i).unwrap_or(0);
                let start = pattern.first[j] * b * b + place * b;
                self.values[start + column % b * rows.len() * b + row % b] = value;
            });
        }
    }

    /// Sets the block in row `i` and column `j` of the pattern.
    pub fn set_block<const D: usize>(&mut self, pattern: &Pattern, i: usize, j: usize, block: &[[f64; D]; D]) {
        let column = &pattern.row[pattern.first[j]..pattern.first[j + 1]];
        let place = column.binary_search(&(i as u32)).unwrap_or(0);
        let start = pattern.first[j] * D * D + place * D;
        for c in 0..D {
            for a in 0..D {
                self.values[start + c * column.len() * D + a] = block[a][c];
            }
        }
    }

    /// out = K x, both triangles present.
    pub fn times(&self, pattern: &Pattern, x: &[f64], out: &mut Vec<f64>) {
        let size = pattern.size;
        out.clear();
        out.resize(x.len(), 0.0);
        for j in 0..pattern.nodes() {
            let rows = &pattern.row[pattern.first[j]..pattern.first[j + 1]];
            for c in 0..size {
                let column = &self.values[pattern.first[j] * size * size + c * rows.len() * size..];
                for (block, &i) in column.chunks_exact(size).zip(rows) {
                    for (o, k) in out[i as usize * size..].iter_mut().zip(block) {
                        *o += k * x[j * size + c];
                    }
                }
            }
        }
    }
}
