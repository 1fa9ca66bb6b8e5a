//! Displacements of deformed bodies, and scalars that the analysis declared.

use voussoir_hdf5::writer::{DatasetId, Writer};
use voussoir_mechanics::snapshot::{Deformed, Snapshot};

use super::Encoder;
use super::precision::Step;
use crate::channels::Channels;

impl Encoder {
    /// Displacements of the points of deformed bodies from the undeformed shape of the cast, body axes; `None` if the
    /// run declared none.
    pub(super) fn deformed(&self, writer: &Writer, channels: &Channels, snapshot: &Snapshot) -> Option<Vec<u8>> {
        let deformation = channels.deformation.as_ref()?;
        let displaced = |one: &Deformed| {
            let form = &self.bodies[one.body as usize].points;
            let each =
                form.iter().zip(&one.points).flat_map(|(x, now)| std::array::from_fn::<f64, 3, _>(|k| now[k] - x[k]));
            each.collect::<Vec<f64>>()
        };
        let step = Step { absolute: self.precision.length, relative: self.relative(12) };
        Some(step.single(snapshot.deformed.iter().flat_map(displaced), writer.last(deformation.displacement)))
    }

    pub(super) fn deformed_blocks(
        &self,
        channels: &Channels,
        snapshot: &Snapshot,
        displacement: Option<Vec<u8>>,
    ) -> Vec<(DatasetId, Vec<u8>)> {
        let (Some(deformation), Some(displacement)) = (&channels.deformation, displacement) else { return Vec::new() };
        let bodies = snapshot.deformed.iter().flat_map(|one| (one.body as i32).to_le_bytes()).collect();
        vec![(deformation.body, bodies), (deformation.displacement, displacement)]
    }

    /// Declared scalars: at all points, and of all bodies; NaN where there is none.
    pub(super) fn fields(
        &self,
        writer: &Writer,
        channels: &Channels,
        snapshot: &Snapshot,
    ) -> Vec<(DatasetId, Vec<u8>)> {
        let step = Step { absolute: 0.0, relative: self.relative(12) };
        let mut blocks = Vec::new();
        for (field, &id) in channels.point_fields.iter().enumerate() {
            let mut deformed = snapshot.deformed.iter().peekable();
            let values = self.bodies.iter().enumerate().flat_map(|(i, body)| {
                let own = deformed.next_if(|one| one.body as usize == i).and_then(|one| one.values.get(field));
                own.cloned().unwrap_or_else(|| vec![f64::NAN; body.points.len()])
            });
            blocks.push((id, step.single(values, writer.last(id))));
        }
        for (field, ids) in channels.body_fields.iter().enumerate() {
            let value = |i: usize| {
                let own = snapshot.body_fields.get(field).and_then(|values| values.get(i));
                own.copied().unwrap_or(f64::NAN)
            };
            let each = || (0..self.bodies.len()).map(value);
            blocks.push((ids.values, step.single(each(), writer.last(ids.values))));
            let repeated = |count: fn(&super::Encoded) -> usize| {
                let times = self.bodies.iter().map(count);
                each().zip(times).flat_map(|(value, times)| std::iter::repeat_n(value, times)).collect::<Vec<f64>>()
            };
            let cells = repeated(|body| body.polygons).into_iter();
            blocks.push((ids.cells, step.single(cells, writer.last(ids.cells))));
            if let Some(id) = ids.balls {
                let balls = repeated(|body| usize::from(body.ball.is_some())).into_iter();
                blocks.push((id, step.single(balls, writer.last(id))));
            }
        }
        blocks
    }
}
