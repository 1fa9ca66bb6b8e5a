//! Values at the points of elastic blocks, as colours of their faces.

use std::collections::HashMap;

use voussoir_mechanics::snapshot::{Cast, Snapshot};

use crate::measures::BlockQuantity;

/// Values of one field at the points of deformed bodies.
pub(super) struct PointColours<'a>(HashMap<usize, &'a [f64]>);

impl<'a> PointColours<'a> {
    /// Nothing for quantities that have no values at points.
    pub fn new(quantity: BlockQuantity, cast: &Cast, snapshot: &'a Snapshot) -> Self {
        let named = |name: &str| cast.features.point_fields.iter().position(|info| info.name == name);
        let Some(field) = quantity.field().and_then(named) else { return Self(HashMap::new()) };
        let of = |deformed: &'a voussoir_mechanics::snapshot::Deformed| {
            deformed.values.get(field).map(|values| (deformed.body as usize, values.as_slice()))
        };
        Self(snapshot.deformed.iter().filter_map(of).collect())
    }

    /// Mean over the corners of a face; `None` without values.
    pub fn value(&self, body: usize, corners: &[u32]) -> Option<f64> {
        let values = self.0.get(&body)?;
        let sum: f64 = corners.iter().map(|&corner| values.get(corner as usize).copied().unwrap_or(f64::NAN)).sum();
        let mean = sum / corners.len() as f64;
        (!mean.is_nan()).then_some(mean)
    }
}
