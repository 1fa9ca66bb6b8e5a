//! Mortar beds: joints whose gaps are measured from their initial value.
//!
//! The thickness of the bed between two faces is their distance when the structure was built: g₀(x) = c + k·(x − x̄)
//! over the nodes of the first detection, x in the axes of the candidate (flat faces make it exact). A contact is then
//! measured by g − g₀. A gap larger than the joint thickness e at the start has no bed: a node lies midway between the
//! faces, so that both are within e/2 of the plane between them (Perales' thesis §3.3.3). Beds follow from the model
//! alone, so a resumed run has the same beds.

use std::collections::HashMap;

use voussoir_geometry::{Pose, Space, Vector};

use super::law::Contact;
use crate::model::Model;
use crate::state::{ContactKey, InitialOverlap};

/// Nodes belong to one bed when the cosine between their normals is above this.
const SAME_WAY: f64 = 0.98;
/// A contact is in a bed when the cosine between its normal and the bed's is above this.
const BED_COSINE: f64 = 0.8;
/// Weight that keeps slopes finite where nodes lie on a line or in a point, relative to their spread.
const RIDGE_WEIGHT: f64 = 1e-12;

/// All beds, by candidate and antagonist.
#[derive(Clone, Debug)]
pub(crate) struct Beds<S: Space> {
    pairs: HashMap<(u32, u32), Vec<Bed<S>>>,
    /// Overlap of pairs at the start [m].
    overlaps: HashMap<(u32, u32), f64>,
}

/// The bed between two faces.
#[derive(Clone, Debug)]
struct Bed<S: Space> {
    /// In the axes of the candidate.
    normal: S::Vector,
    /// Mean of the nodes, in the axes of the candidate [m].
    middle: S::Vector,
    /// Gap at the mean [m].
    gap: f64,
    slope: S::Vector,
    /// Smallest and largest gap of the nodes [m].
    range: [f64; 2],
}

impl<S: Space> Beds<S> {
    /// No beds.
    pub fn none() -> Self {
        Self { pairs: HashMap::new(), overlaps: HashMap::new() }
    }

    /// Beds of the contacts at the start; `contacts` are sorted by key, with plain gaps.
    pub fn new(model: &Model<S>, contacts: &[Contact<S>]) -> Self {
        let mut pairs = HashMap::new();
        let same =
            |a: &Contact<S>, b: &Contact<S>| (a.key.candidate, a.key.antagonist) == (b.key.candidate, b.key.antagonist);
        for own in contacts.chunk_by(same) {
            let key = (own[0].key.candidate, own[0].key.antagonist);
            let [a, b] = [key.0, key.1].map(|i| &model.bodies[i as usize]);
            let thickness = model.joints.between(a.material, b.material).thickness;
            if !model.joints.has_beds(a.material, b.material) {
                continue;
            }
            let mut left: Vec<&Contact<S>> = own.iter().filter(|contact| contact.point.gap <= thickness).collect();
            let mut beds = Vec::new();
            while let Some(first) = left.first() {
                let normal = first.point.normal;
                let (nodes, others): (Vec<_>, Vec<_>) =
                    left.iter().partition(|contact| contact.point.normal.dot(normal) > SAME_WAY);
                beds.push(bed(&a.pose, &nodes));
                left = others;
            }
            pairs.insert(key, beds);
        }
        Self { pairs, overlaps: HashMap::new() }
    }

    /// Stores the initial overlaps of these contacts: overlaps in the drawing are not corrected.
    pub fn note_overlaps(&mut self, contacts: &[Contact<S>]) {
        for contact in contacts.iter().filter(|contact| contact.point.gap < 0.0) {
            let depth = self.overlaps.entry((contact.key.candidate, contact.key.antagonist)).or_insert(0.0);
            *depth = depth.max(-contact.point.gap);
        }
    }

    /// Stores the overlaps of bodies with others when they were added; true if an overlap is new or deeper.
    pub fn add_overlaps(&mut self, overlaps: &[InitialOverlap]) -> bool {
        let mut changed = false;
        for overlap in overlaps {
            let depth = self.overlaps.entry((overlap.candidate, overlap.antagonist)).or_insert(0.0);
            changed |= overlap.depth > *depth;
            *depth = depth.max(overlap.depth);
        }
        changed
    }

    /// Overlap of a pair at the start [m].
    pub fn overlap(&self, key: &ContactKey) -> f64 {
        if self.overlaps.is_empty() {
            return 0.0;
        }
        self.overlaps.get(&(key.candidate, key.antagonist)).copied().unwrap_or(0.0)
    }

    /// Thickness of the bed at a contact [m]; zero without a bed.
    pub fn at(&self, contact: &Contact<S>, pose: &Pose<S>) -> f64 {
        if self.pairs.is_empty() {
            return 0.0;
        }
        let Some(beds) = self.pairs.get(&(contact.key.candidate, contact.key.antagonist)) else { return 0.0 };
        let normal = pose.local_direction(contact.point.normal);
        let along = |bed: &&Bed<S>| bed.normal.dot(normal);
        let Some(bed) = beds.iter().max_by(|x, y| along(x).total_cmp(&along(y))).filter(|bed| along(bed) > BED_COSINE)
        else {
            return 0.0;
        };
        let gap = bed.gap + bed.slope.dot(pose.local_point(contact.point.position) - bed.middle);
        gap.clamp(bed.range[0], bed.range[1])
    }
}

/// The bed of some nodes, at least one, by least squares.
fn bed<S: Space>(pose: &Pose<S>, nodes: &[&Contact<S>]) -> Bed<S> {
    let count = nodes.len() as f64;
    let at: Vec<S::Vector> = nodes.iter().map(|node| pose.local_point(node.point.position)).collect();
    let middle = at.iter().fold(S::zero(), |sum, x| sum + *x) / count;
    let gap = nodes.iter().map(|node| node.point.gap).sum::<f64>() / count;
    // (Σ d dᵀ + ridge) k = Σ d (g − ḡ)
    let (mut matrix, mut right) = ([[0.0; 3]; 3], [0.0; 3]);
    let mut spread = 0.0;
    for (x, node) in at.iter().zip(nodes) {
        let d = *x - middle;
        spread += d.dot(d);
        for i in 0..S::DIM {
            right[i] += d.get(i) * (node.point.gap - gap);
            for j in 0..S::DIM {
                matrix[i][j] += d.get(i) * d.get(j);
            }
        }
    }
    let ridge = (RIDGE_WEIGHT * spread).max(f64::MIN_POSITIVE);
    for (i, row) in matrix.iter_mut().enumerate() {
        row[i] += if i < S::DIM { ridge } else { 1.0 };
    }
    let slope = solve(matrix, right);
    let gaps = || nodes.iter().map(|node| node.point.gap);
    let range = [gaps().fold(f64::INFINITY, f64::min), gaps().fold(f64::NEG_INFINITY, f64::max)];
    let normal = pose.local_direction(nodes[0].point.normal);
    Bed { normal, middle, gap, slope: S::Vector::from_slice(&slope[..S::DIM]), range }
}

/// Solves a symmetric positive definite 3 × 3 system.
fn solve(mut a: [[f64; 3]; 3], mut b: [f64; 3]) -> [f64; 3] {
    for i in 0..3 {
        for j in i + 1..3 {
            let factor = a[j][i] / a[i][i];
            for k in i..3 {
                a[j][k] -= factor * a[i][k];
            }
            b[j] -= factor * b[i];
        }
    }
    let mut x = [0.0; 3];
    for i in (0..3).rev() {
        let known: f64 = (i + 1..3).map(|k| a[i][k] * x[k]).sum();
        x[i] = (b[i] - known) / a[i][i];
    }
    x
}
