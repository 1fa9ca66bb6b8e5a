//! The data of a conic program: elements between nodes, their capacity, loads.
//!
//! An *element* joins nodes (free bodies) by at most four force components; contacts join one or two nodes and have `dim`
//! components (one without friction), a joint of limited strength in the plane four, a cable one for any number of nodes.

use super::cone::Cone;
use super::normal::Small;

/// Maximum number of components of an element.
pub const MOST_COMPONENTS: usize = 4;

/// One element: offsets of its data in the flat arrays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Element {
    /// In the nodes.
    pub node: usize,
    pub nodes: usize,
    pub components: usize,
    /// In the components.
    pub first: usize,
    /// In `jacobian`: components × dofs for the first node, then for the second, …
    pub jacobian: usize,
    /// In the rows of F.
    pub row: usize,
    pub rows: usize,
    /// In `map`: rows × components.
    pub map: usize,
    /// In the cones.
    pub cone: usize,
    pub cones: usize,
}

/// A conic program.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    pub(crate) dofs: usize,
    pub(crate) elements: Vec<Element>,
    /// Nodes of all elements; those of one differ.
    pub(crate) node: Vec<u32>,
    pub(crate) jacobian: Vec<f64>,
    pub(crate) map: Vec<f64>,
    pub(crate) offset: Vec<f64>,
    pub(crate) cones: Vec<Cone>,
    /// c (components).
    pub(crate) cost: Vec<f64>,
    /// f_D (nodes × dofs).
    pub(crate) dead: Vec<f64>,
    /// f_L (nodes × dofs); empty when there is no λ.
    pub(crate) live: Vec<f64>,
}

impl Program {
    /// A program with `dofs` unknowns per node, fixed loads `dead` and the load `live` that λ multiplies (nodes × dofs;
    /// empty: there is no λ).
    pub fn new(dofs: usize, dead: Vec<f64>, live: Vec<f64>) -> Self {
        debug_assert!(live.is_empty() || live.len() == dead.len());
        Self {
            dofs,
            elements: Vec::new(),
            node: Vec::new(),
            jacobian: Vec::new(),
            map: Vec::new(),
            offset: Vec::new(),
            cones: Vec::new(),
            cost: Vec::new(),
            dead,
            live,
        }
    }

    /// Adds an element: a row-major Jacobian block (components × dofs) for each of its nodes, and the cost of its
    /// components. [`Program::positive`] and [`Program::lorentz`] add its capacity. Returns its index.
    pub fn element(&mut self, entries: &[(u32, &[f64])], cost: &[f64]) -> usize {
        let components = cost.len();
        debug_assert!(components <= MOST_COMPONENTS && !entries.is_empty());
        let (node, jacobian) = (self.node.len(), self.jacobian.len());
        for (node, block) in entries {
            debug_assert_eq!(block.len(), components * self.dofs);
            self.node.push(*node);
            self.jacobian.extend_from_slice(block);
        }
        self.elements.push(Element {
            node,
            nodes: entries.len(),
            components,
            first: self.cost.len(),
            jacobian,
            row: self.offset.len(),
            rows: 0,
            map: self.map.len(),
            cone: self.cones.len(),
            cones: 0,
        });
        self.cost.extend_from_slice(cost);
        self.elements.len() - 1
    }

    /// Constraint of the last element: row·r + offset ≥ 0.
    pub fn positive(&mut self, row: &[f64], offset: f64) {
        self.rows(Cone::Positive, &[row], &[offset]);
    }

    /// Constraint of the last element: rows·r + offset in the Lorentz cone x₀ ≥ ‖(x₁, x₂)‖.
    pub fn lorentz(&mut self, rows: [&[f64]; 3], offset: [f64; 3]) {
        self.rows(Cone::Lorentz, &rows, &offset);
    }

    fn rows(&mut self, cone: Cone, rows: &[&[f64]], offset: &[f64]) {
        let Some(element) = self.elements.last_mut() else { return };
        element.rows += rows.len();
        element.cones += 1;
        for row in rows {
            debug_assert_eq!(row.len(), element.components);
            self.map.extend_from_slice(row);
        }
        self.offset.extend_from_slice(offset);
        self.cones.push(cone);
    }

    /// Components of all elements.
    pub fn components(&self) -> usize {
        self.cost.len()
    }

    /// Number of elements.
    pub fn elements(&self) -> usize {
        self.elements.len()
    }

    /// First component of an element.
    pub fn first_component(&self, element: usize) -> usize {
        self.elements[element].first
    }

    /// Number of components of an element.
    pub fn components_of(&self, element: usize) -> usize {
        self.elements[element].components
    }

    /// True if the program has a λ.
    pub fn has_live(&self) -> bool {
        !self.live.is_empty()
    }

    /// Jacobian blocks of an element with their nodes.
    pub(crate) fn blocks(&self, element: &Element) -> impl Iterator<Item = (usize, &[f64])> {
        let size = element.components * self.dofs;
        let blocks = self.jacobian[element.jacobian..].chunks_exact(size);
        self.nodes_of(element).iter().zip(blocks).map(|(node, block)| (*node as usize, block))
    }

    /// Nodes of an element.
    pub(crate) fn nodes_of(&self, element: &Element) -> &[u32] {
        &self.node[element.node..][..element.nodes]
    }

    /// out += Jᵀ r (nodes × dofs).
    pub fn add_forces(&self, r: &[f64], out: &mut [f64]) {
        match self.dofs {
            3 => self.add_jt::<3>(r, out),
            _ => self.add_jt::<6>(r, out),
        }
    }

    fn add_jt<const B: usize>(&self, r: &[f64], out: &mut [f64]) {
        let out = out.as_chunks_mut::<B>().0;
        for element in &self.elements {
            for (node, block) in self.blocks(element) {
                let out = &mut out[node];
                for (row, r) in block.as_chunks::<B>().0.iter().zip(&r[element.first..]) {
                    for (o, j) in out.iter_mut().zip(row) {
                        *o += j * r;
                    }
                }
            }
        }
    }

    /// out += J v (components).
    pub fn add_velocities(&self, v: &[f64], out: &mut [f64]) {
        match self.dofs {
            3 => self.add_j::<3>(v, out),
            _ => self.add_j::<6>(v, out),
        }
    }

    fn add_j<const B: usize>(&self, v: &[f64], out: &mut [f64]) {
        let v = v.as_chunks::<B>().0;
        for element in &self.elements {
            for (node, block) in self.blocks(element) {
                let v = &v[node];
                for (row, out) in block.as_chunks::<B>().0.iter().zip(&mut out[element.first..]) {
                    *out += row.iter().zip(v).map(|(a, b)| a * b).sum::<f64>();
                }
            }
        }
    }

    /// out += F r (rows).
    pub(crate) fn add_map(&self, r: &[f64], out: &mut [f64]) {
        for element in &self.elements {
            let m = element.components;
            let r = &r[element.first..][..m];
            for (row, out) in self.map_of(element).chunks_exact(m).zip(&mut out[element.row..]) {
                *out += row.iter().zip(r).map(|(a, b)| a * b).sum::<f64>();
            }
        }
    }

    /// out += Fᵀ z (components).
    pub(crate) fn add_map_transposed(&self, z: &[f64], out: &mut [f64]) {
        for element in &self.elements {
            let m = element.components;
            let out = &mut out[element.first..][..m];
            for (row, z) in self.map_of(element).chunks_exact(m).zip(&z[element.row..]) {
                for (o, f) in out.iter_mut().zip(row) {
                    *o += f * z;
                }
            }
        }
    }

    /// Rows of F of an element (rows × components).
    pub(crate) fn map_of(&self, element: &Element) -> &[f64] {
        &self.map[element.map..][..element.rows * element.components]
    }
}

/// F⁻¹ where F is square, by elimination with pivots.
pub(super) fn inverse_map(program: &Program, element: &Element) -> Option<Small> {
    let m = element.components;
    if element.rows != m {
        return None;
    }
    let mut work = [[0.0; 2 * MOST_COMPONENTS]; MOST_COMPONENTS];
    for (i, row) in program.map_of(element).chunks_exact(m).enumerate() {
        work[i][..m].copy_from_slice(row);
        work[i][MOST_COMPONENTS + i] = 1.0;
    }
    for c in 0..m {
        let pivot = (c..m).max_by(|&a, &b| work[a][c].abs().total_cmp(&work[b][c].abs()))?;
        work.swap(c, pivot);
        let head = work[c][c];
        if head == 0.0 {
            return None;
        }
        work[c].iter_mut().for_each(|x| *x /= head);
        let row = work[c];
        for (i, other) in work.iter_mut().enumerate().take(m) {
            let factor = other[c];
            if i != c && factor != 0.0 {
                other.iter_mut().zip(row).for_each(|(o, x)| *o -= factor * x);
            }
        }
    }
    let mut out = [0.0; MOST_COMPONENTS * MOST_COMPONENTS];
    for (i, row) in work.iter().enumerate().take(m) {
        out[i * MOST_COMPONENTS..][..m].copy_from_slice(&row[MOST_COMPONENTS..MOST_COMPONENTS + m]);
    }
    Some(out)
}
