//! Contacts and cables of a frame.

use voussoir_hdf5::writer::{DatasetId, Writer};
use voussoir_mechanics::snapshot::{CableSnapshot, ContactSnapshot, Snapshot};

use super::Encoder;
use super::precision::{Precision, Step, power_of_two};
use crate::channels::Channels;
use crate::rows;

/// Normal force of a contact [N].
fn normal_force(contact: &ContactSnapshot) -> f64 {
    contact.force.iter().zip(contact.normal).map(|(f, n)| f * n).sum()
}

/// Normal force over area [Pa]; zero for points without area.
fn pressure(contact: &ContactSnapshot) -> f64 {
    if contact.area > 0.0 { normal_force(contact) / contact.area } else { 0.0 }
}

/// ‖T‖/(μN): 1 slides. Zero without force or friction.
fn utilisation(contact: &ContactSnapshot) -> f64 {
    let normal = normal_force(contact);
    let carried = contact.friction * normal;
    let shear = contact.force.iter().zip(contact.normal).map(|(f, n)| (f - normal * n).powi(2)).sum::<f64>().sqrt();
    if carried > 0.0 { shear / carried } else { 0.0 }
}

impl Encoder {
    pub(super) fn contacts(
        &mut self,
        writer: &Writer,
        channels: &Channels,
        snapshot: &Snapshot,
    ) -> Vec<(DatasetId, Vec<u8>)> {
        let before = |id| writer.last(id);
        let moving = self.ways.iter().filter(|&&way| way > self.precision.drawing).count();
        let order = if 2 * moving > self.ways.len() {
            (0..snapshot.contacts.len()).collect()
        } else {
            rows::assign(&self.pairs, &snapshot.contacts)
        };
        self.pairs = order.iter().map(|&index| snapshot.contacts[index].bodies.map(|body| body as i32)).collect();
        let contacts = || order.iter().map(|&index| &snapshot.contacts[index]);
        let way = |contact: &ContactSnapshot| {
            let of = |body: u32| self.ways.get(body as usize).copied().unwrap_or(0.0);
            contact.bodies.map(of).into_iter().fold(0.0, f64::max)
        };
        let points = contacts().flat_map(|c| {
            let step = self.drawn(way(c));
            c.position.map(|x| (x, step))
        });
        let gaps = contacts().map(|c| {
            let Precision { length, drawing, .. } = self.precision;
            let moving = power_of_two((self.relative(14) * way(c)).min(drawing));
            (c.gap, Step { absolute: length.max(moving), relative: self.relative(9) })
        });
        // all components are rounded relative to the whole force
        let forces = contacts().flat_map(|c| {
            let size = c.force.iter().map(|x| x * x).sum::<f64>().sqrt();
            let step = Step::absolute(self.precision.force.max(self.relative(12) * power_of_two(size)));
            c.force.map(|x| (x, step))
        });
        let normal = Step::absolute(self.relative(13));
        let area = Step { absolute: 0.0, relative: self.relative(10) };
        let damage = Step::absolute(self.relative(10));
        let derived = Step { absolute: 0.0, relative: self.relative(10) };
        let slip = Step { absolute: self.precision.drawing, relative: self.relative(9) };
        vec![
            (channels.contact_points, Step::each(points, before(channels.contact_points))),
            (channels.gap, Step::each(gaps, before(channels.gap))),
            (channels.force, Step::each(forces, before(channels.force))),
            (channels.normal, normal.single(contacts().flat_map(|c| c.normal), before(channels.normal))),
            (channels.area, area.single(contacts().map(|c| c.area), before(channels.area))),
            (channels.friction, Step::absolute(0.0).single(contacts().map(|c| c.friction), &[])),
            (channels.status, contacts().map(|c| c.status).collect()),
            (channels.pair, contacts().flat_map(|c| c.bodies).flat_map(|b| (b as i32).to_le_bytes()).collect()),
            (channels.damage, damage.single(contacts().map(|c| c.damage), before(channels.damage))),
            (channels.slip, slip.single(contacts().map(|c| c.slip), before(channels.slip))),
            (channels.pressure, derived.single(contacts().map(pressure), before(channels.pressure))),
            (channels.utilisation, derived.single(contacts().map(utilisation), before(channels.utilisation))),
        ]
    }

    /// Straight pieces of all cables.
    pub(super) fn cables(&self, channels: &Channels, snapshot: &Snapshot) -> Vec<(DatasetId, Vec<u8>)> {
        let cables = || snapshot.cables.iter().enumerate();
        let per_piece = |(index, cable): (usize, &CableSnapshot)| {
            std::iter::repeat_n((index, cable.force), cable.points.len().saturating_sub(1))
        };
        let ends = cables().flat_map(|(_, cable)| cable.points.windows(2).flatten()).flatten();
        let force = cables().flat_map(per_piece).map(|(_, force)| force);
        let index = cables().flat_map(per_piece).map(|(index, _)| index as i32);
        vec![
            (channels.cable_ends, ends.flat_map(|x| (*x as f32).to_le_bytes()).collect()),
            (channels.cable_force, force.flat_map(|x| (x as f32).to_le_bytes()).collect()),
            (channels.cable, index.flat_map(i32::to_le_bytes).collect()),
        ]
    }
}
