//! The global form: masses of nodes, Jacobian blocks of contacts, free velocity, bias.
//!
//! ```text
//! M (v − v*) = Σ Jᵀ r,     u = J v + b
//! ```
//! M is block diagonal. A rigid node has `dofs` velocities and a dense block; a node with any other number of
//! velocities has a [`MassBlock`] and occupies several *cells* of `dofs` velocities ([`crate::mass_block`]).
//! Velocities, momenta and the indices of nodes count in cells: the node that follows a node of three cells has an
//! index larger by three.
//!
//! A contact has one Jacobian block for each node or part of a node that it touches (two as a rule, one against a
//! support), rows ordered (n, t1[, t2]), signs included.

use std::sync::Arc;

use rayon::prelude::*;

use crate::capability::Requirements;
use crate::delassus::Laws;
use crate::face_element::Face;
use crate::mass_block::{MassBlock, WideNode};

/// Views flat numbers as `D × B` blocks.
pub(crate) fn blocks<const D: usize, const B: usize>(flat: &[f64]) -> &[[[f64; B]; D]] {
    flat.as_chunks::<B>().0.as_chunks::<D>().0
}

/// A frictional contact problem in global form.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Problem {
    dim: usize,
    dofs: usize,
    /// (nodes × dofs × dofs)
    pub(crate) mass: Vec<f64>,
    /// (nodes × dofs × dofs)
    pub(crate) inverse_mass: Vec<f64>,
    /// v* (nodes × dofs)
    pub(crate) free_velocity: Vec<f64>,
    /// first entry of each contact (contacts + 1)
    pub(crate) first: Vec<usize>,
    /// node of each entry
    pub(crate) node: Vec<u32>,
    /// Jacobian block of each entry (entries × dim × dofs)
    pub(crate) jacobian: Vec<f64>,
    /// b (contacts × dim)
    pub(crate) bias: Vec<f64>,
    /// μ (contacts)
    pub(crate) friction: Vec<f64>,
    /// diagonal of E (contacts × dim)
    pub(crate) compliance: Vec<f64>,
    /// least normal impulse (contacts)
    pub(crate) floor: Vec<f64>,
    /// associated (dilatant) friction in place of Coulomb's
    pub(crate) associated: bool,
    /// contacts that belong to one plane interface
    pub(crate) faces: Vec<Face>,
    /// nodes with mass blocks of their own, by rising cells
    pub(crate) wide: Vec<WideNode>,
}

/// A Jacobian block of a contact, on consecutive velocities of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry<'a> {
    /// The node.
    pub node: u32,
    /// First velocity of the node that the block acts on.
    pub first: usize,
    /// Row-major `dim × width`.
    pub block: &'a [f64],
}

impl Problem {
    /// An empty problem: `dim` components per contact (2 or 3), `dofs` velocities per rigid node (3 or 6).
    pub fn new(dim: usize, dofs: usize) -> Self {
        debug_assert!(matches!((dim, dofs), (2, 3) | (3, 6)));
        Self { dim, dofs, first: vec![0], ..Self::default() }
    }

    /// Adds a rigid node; mass and inverse mass are row-major `dofs × dofs`. Returns its index.
    pub fn push_node(&mut self, mass: &[f64], inverse_mass: &[f64], free_velocity: &[f64]) -> u32 {
        self.mass.extend_from_slice(mass);
        self.inverse_mass.extend_from_slice(inverse_mass);
        self.free_velocity.extend_from_slice(free_velocity);
        (self.nodes() - 1) as u32
    }

    /// Adds a node with any number of velocities. Returns its index, that of its first cell.
    pub fn push_wide_node(&mut self, mass: Arc<dyn MassBlock>, free_velocity: &[f64]) -> u32 {
        let (b, size) = (self.dofs, mass.size());
        debug_assert_eq!(size, free_velocity.len());
        let (first, cells) = (self.nodes(), size.div_ceil(b));
        self.free_velocity.extend_from_slice(free_velocity);
        self.free_velocity.resize((first + cells) * b, 0.0);
        self.mass.resize((first + cells) * b * b, 0.0);
        // inverse blocks of single cells have no meaning here and are never used
        self.inverse_mass.resize((first + cells) * b * b, 0.0);
        let own = &mut self.mass[first * b * b..];
        mass.entries(&mut |row, column, value| {
            if row / b == column / b {
                own[row / b * b * b + row % b * b + column % b] = value;
            }
        });
        for padding in size..cells * b {
            own[padding / b * b * b + padding % b * (b + 1)] = 1.0;
        }
        self.wide.push(WideNode { first, cells, mass });
        first as u32
    }

    /// Adds a contact whose Jacobian blocks act on parts of nodes; blocks on the same node are added up. Returns its
    /// index.
    pub fn push_contact_on_parts(&mut self, entries: &[Entry<'_>], bias: &[f64], friction: f64) -> usize {
        let b = self.dofs;
        let mut cells: Vec<(u32, Vec<f64>)> = Vec::new();
        for entry in entries {
            let width = entry.block.len() / self.dim;
            for (row, values) in entry.block.chunks_exact(width.max(1)).enumerate() {
                for (k, value) in values.iter().enumerate() {
                    let (cell, at) = (entry.node + ((entry.first + k) / b) as u32, (entry.first + k) % b);
                    let place = cells.iter().position(|(other, _)| *other == cell).unwrap_or_else(|| {
                        cells.push((cell, vec![0.0; self.dim * b]));
                        cells.len() - 1
                    });
                    cells[place].1[row * b + at] += value;
                }
            }
        }
        let blocks: Vec<(u32, &[f64])> = cells.iter().map(|(cell, block)| (*cell, block.as_slice())).collect();
        self.push_contact(&blocks, bias, friction)
    }

    /// Adds a contact from its Jacobian blocks (node, row-major `dim × dofs`), bias and friction. Returns its index.
    pub fn push_contact(&mut self, entries: &[(u32, &[f64])], bias: &[f64], friction: f64) -> usize {
        for (node, block) in entries {
            debug_assert_eq!(block.len(), self.dim * self.dofs);
            self.node.push(*node);
            self.jacobian.extend_from_slice(block);
        }
        self.first.push(self.node.len());
        self.bias.extend_from_slice(bias);
        self.friction.push(friction);
        self.compliance.resize(self.bias.len(), 0.0);
        self.floor.push(0.0);
        self.friction.len() - 1
    }

    /// Sets the diagonal of the compliance E of a contact [m/s per N·s]: the law acts between u + E r and r.
    pub fn set_compliance(&mut self, contact: usize, compliance: &[f64]) {
        self.compliance[contact * self.dim..][..self.dim].copy_from_slice(compliance);
    }

    /// Sets the least normal impulse of a contact (expansion phase of Poisson's impact law) [N·s].
    pub fn set_floor(&mut self, contact: usize, floor: f64) {
        self.floor[contact] = floor;
    }

    /// Declares some contacts as the nodes of one plane interface. Only the coupled face elements use this.
    pub fn push_face(&mut self, face: Face) {
        self.faces.push(face);
    }

    /// Selects the associated law, in which sliding contacts separate at speed μ‖u_T‖: K* ∋ u + E r ⊥ r ∈ K. It is
    /// convex and cheaper, but not Coulomb's.
    pub fn set_associated(&mut self, associated: bool) {
        self.associated = associated;
    }

    /// True for the associated law.
    pub fn is_associated(&self) -> bool {
        self.associated
    }

    /// Components per contact.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Velocities per rigid node, and per cell of other nodes.
    pub fn dofs(&self) -> usize {
        self.dofs
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.friction.len()
    }

    /// Number of nodes; one with a [`MassBlock`] counts as often as it has cells.
    pub fn nodes(&self) -> usize {
        self.free_velocity.len() / self.dofs.max(1)
    }

    /// Number of velocities of a node: `dofs`, or those of its mass block.
    pub fn size_of(&self, node: usize) -> usize {
        self.wide_node(node).map_or(self.dofs, |wide| wide.mass.size())
    }

    /// The node with a mass block that a cell belongs to.
    pub(crate) fn wide_node(&self, cell: usize) -> Option<&WideNode> {
        let after = self.wide.partition_point(|wide| wide.first <= cell);
        let wide = self.wide.get(after.checked_sub(1)?)?;
        (cell < wide.first + wide.cells).then_some(wide)
    }

    /// First cell of the node that a cell belongs to.
    pub(crate) fn owner(&self, cell: u32) -> u32 {
        self.wide_node(cell as usize).map_or(cell, |wide| wide.first as u32)
    }

    /// True for velocities (cells × dofs) that belong to a node, false for padding.
    pub fn is_velocity(&self, index: usize) -> bool {
        let wide = self.wide_node(index / self.dofs);
        wide.is_none_or(|wide| index < wide.first * self.dofs + wide.mass.size())
    }

    /// True when a contact has a least normal impulse.
    pub fn has_floor(&self) -> bool {
        self.floor.iter().any(|&f| f > 0.0)
    }

    /// Friction coefficients, one per contact.
    pub fn friction(&self) -> &[f64] {
        &self.friction
    }

    /// The laws of all contacts.
    pub fn laws(&self) -> Laws<'_> {
        Laws {
            dim: self.dim,
            friction: &self.friction,
            compliance: &self.compliance,
            floor: &self.floor,
            associated: self.associated,
        }
    }

    /// What the problem requires of its solver.
    pub fn requirements(&self) -> Requirements {
        Requirements::of(&self.laws(), false)
    }

    /// Free velocities v* (nodes × dofs).
    pub fn free_velocity(&self) -> &[f64] {
        &self.free_velocity
    }

    /// Calls `entry(row, column, value)` for the entries of M, by velocities (cells × dofs); those of padding included.
    pub fn mass_entries(&self, mut entry: impl FnMut(usize, usize, f64)) {
        let b = self.dofs;
        for (cell, block) in self.mass.chunks_exact((b * b).max(1)).enumerate() {
            for (at, &value) in block.iter().enumerate() {
                entry(cell * b + at / b, cell * b + at % b, value);
            }
        }
        for wide in &self.wide {
            let start = wide.first * b;
            wide.mass.entries(&mut |row, column, value| {
                if row / b != column / b {
                    entry(start + row, start + column, value);
                }
            });
        }
    }

    /// Mass of a rigid node, or the diagonal block of one cell of another node (dofs × dofs).
    pub fn mass_of(&self, node: usize) -> &[f64] {
        &self.mass[node * self.dofs * self.dofs..][..self.dofs * self.dofs]
    }

    /// Cells that a contact touches, with their Jacobian blocks (dim × dofs); the cell of a rigid node is the node.
    pub fn entries_of(&self, contact: usize) -> impl Iterator<Item = (u32, &[f64])> {
        let size = self.dim * self.dofs;
        (self.first[contact]..self.first[contact + 1]).map(move |e| (self.node[e], &self.jacobian[e * size..][..size]))
    }

    /// Bias b (contacts × dim).
    pub fn bias(&self) -> &[f64] {
        &self.bias
    }

    /// Diagonals of the compliance E (contacts × dim).
    pub fn compliance(&self) -> &[f64] {
        &self.compliance
    }

    /// Cells that a contact touches; the cell of a rigid node is the node.
    pub fn nodes_of(&self, contact: usize) -> &[u32] {
        &self.node[self.first[contact]..self.first[contact + 1]]
    }

    /// u = J v + b (contacts × dim).
    pub fn relative_velocity(&self, velocity: &[f64], out: &mut Vec<f64>) {
        out.clear();
        out.extend_from_slice(&self.bias);
        self.add_jacobian_times(velocity, out);
    }

    /// out += J v (contacts × dim).
    pub fn add_jacobian_times(&self, velocity: &[f64], out: &mut [f64]) {
        match self.dim {
            2 => self.add_j::<2, 3>(velocity, out),
            _ => self.add_j::<3, 6>(velocity, out),
        }
    }

    fn add_j<const D: usize, const B: usize>(&self, velocity: &[f64], out: &mut [f64]) {
        let (v, jac) = (velocity.as_chunks::<B>().0, blocks::<D, B>(&self.jacobian));
        in_pieces(out.as_chunks_mut::<D>().0, |i, u| {
            for e in self.first[i]..self.first[i + 1] {
                let v = &v[self.node[e] as usize];
                for (u, row) in u.iter_mut().zip(&jac[e]) {
                    *u += row.iter().zip(v).map(|(a, b)| a * b).sum::<f64>();
                }
            }
        });
    }

    /// out += Jᵀ r (nodes × dofs).
    pub fn add_transpose_times(&self, impulse: &[f64], out: &mut [f64]) {
        match self.dim {
            2 => self.add_jt::<2, 3>(impulse, out),
            _ => self.add_jt::<3, 6>(impulse, out),
        }
    }

    fn add_jt<const D: usize, const B: usize>(&self, impulse: &[f64], out: &mut [f64]) {
        let (out, jac) = (out.as_chunks_mut::<B>().0, blocks::<D, B>(&self.jacobian));
        for (i, r) in impulse.as_chunks::<D>().0.iter().enumerate() {
            for e in self.first[i]..self.first[i + 1] {
                let out = &mut out[self.node[e] as usize];
                for (r, row) in r.iter().zip(&jac[e]) {
                    for (o, a) in out.iter_mut().zip(row) {
                        *o += a * r;
                    }
                }
            }
        }
    }

    /// out = M x, node by node.
    pub fn mass_times(&self, x: &[f64], out: &mut Vec<f64>) {
        block_diagonal_times(&self.mass, self.dofs, x, out);
        for wide in &self.wide {
            let own = wide.first * self.dofs..wide.first * self.dofs + wide.mass.size();
            wide.mass.apply(&x[own.clone()], &mut out[own]);
        }
    }

    /// out = M⁻¹ x, node by node.
    pub fn inverse_mass_times(&self, x: &[f64], out: &mut Vec<f64>) {
        block_diagonal_times(&self.inverse_mass, self.dofs, x, out);
        for wide in &self.wide {
            let own = wide.first * self.dofs..(wide.first + wide.cells) * self.dofs;
            out[own.clone()].copy_from_slice(&x[own.clone()]);
            wide.solve(&mut out[own]);
        }
    }

    /// v = v* + M⁻¹ Jᵀ r.
    pub fn velocity(&self, impulse: &[f64], out: &mut Vec<f64>) {
        let mut momentum = vec![0.0; self.free_velocity.len()];
        self.add_transpose_times(impulse, &mut momentum);
        self.inverse_mass_times(&momentum, out);
        for (v, free) in out.iter_mut().zip(&self.free_velocity) {
            *v += free;
        }
    }

    /// q = J v* + b: the relative velocity without impulses.
    pub fn free_relative_velocity(&self) -> Vec<f64> {
        let mut q = Vec::new();
        self.relative_velocity(&self.free_velocity, &mut q);
        q
    }

    /// ‖ |J| |v*| + |b| ‖: how large the velocities are whose difference q is [m/s].
    pub fn speed_of_parts(&self) -> f64 {
        let mut square = 0.0;
        for i in 0..self.contacts() {
            for k in 0..self.dim {
                let mut sum = self.bias[i * self.dim + k].abs();
                for e in self.first[i]..self.first[i + 1] {
                    let row = &self.jacobian[(e * self.dim + k) * self.dofs..][..self.dofs];
                    let v = &self.free_velocity[self.node[e] as usize * self.dofs..][..self.dofs];
                    sum += row.iter().zip(v).map(|(j, v)| (j * v).abs()).sum::<f64>();
                }
                square += sum * sum;
            }
        }
        square.sqrt()
    }

    /// Diagonal `dim × dim` blocks of W = J M⁻¹ Jᵀ, row-major (contacts × dim × dim).
    pub fn delassus_diagonal(&self) -> Vec<f64> {
        match self.dim {
            2 => self.diagonal::<2, 3>(),
            _ => self.diagonal::<3, 6>(),
        }
    }

    fn diagonal<const D: usize, const B: usize>(&self) -> Vec<f64> {
        let (jac, inverse) = (blocks::<D, B>(&self.jacobian), blocks::<B, B>(&self.inverse_mass));
        let mut out = vec![0.0; self.contacts() * D * D];
        for (i, w) in out.as_chunks_mut::<D>().0.as_chunks_mut::<D>().0.iter_mut().enumerate() {
            if self.touches_wide(i) {
                *w = self.wide_diagonal::<D, B>(i);
                continue;
            }
            for e in self.first[i]..self.first[i + 1] {
                // a contact may meet the same node twice (a cable through one block): cross terms count
                for f in self.first[i]..self.first[i + 1] {
                    if self.node[e] == self.node[f] {
                        let y = times_inverse::<D, B>(&jac[f], &inverse[self.node[e] as usize]);
                        for a in 0..D {
                            for b in 0..D {
                                w[a][b] += dot(&jac[e][a], &y[b]);
                            }
                        }
                    }
                }
            }
        }
        out
    }
}

/// Contacts that one thread takes at a time.
pub(crate) const PIECE: usize = 2048;

/// Runs `work(i, item)` on all items, on all threads where there are many. Items must not depend on each other.
pub(crate) fn in_pieces<T: Send>(items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
    if items.len() <= PIECE {
        items.iter_mut().enumerate().for_each(|(i, item)| work(i, item));
    } else {
        items.par_chunks_mut(PIECE).enumerate().for_each(|(k, part)| {
            part.iter_mut().enumerate().for_each(|(i, item)| work(k * PIECE + i, item));
        });
    }
}

/// Rows of J M⁻¹ for one block (M⁻¹ symmetric).
pub(crate) fn times_inverse<const D: usize, const B: usize>(
    jac: &[[f64; B]; D],
    inverse: &[[f64; B]; B],
) -> [[f64; B]; D] {
    std::array::from_fn(|a| std::array::from_fn(|k| dot(&inverse[k], &jac[a])))
}

/// Scalar product of two small arrays.
pub(crate) fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn block_diagonal_times(matrix: &[f64], size: usize, x: &[f64], out: &mut Vec<f64>) {
    out.clear();
    for (block, x) in matrix.chunks_exact(size * size).zip(x.chunks_exact(size)) {
        out.extend(block.chunks_exact(size).map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum::<f64>()));
    }
}
