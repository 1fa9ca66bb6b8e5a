//! From a snapshot to the arrays of a frame.
//!
//! Recorded numbers keep to a tolerance far below anything that matters for a structure, and a number that
//! moved by less than its tolerance keeps the value of the frame before. So a wall at rest gives the same
//! bytes frame after frame, which cost nothing (see [`voussoir_hdf5::writer`]); the error is never larger
//! than the tolerance, whatever the number of frames. Poses and velocities have one tolerance always; what is
//! drawn (points of surfaces and contacts) is coarser where it moves: to 1/64 of the way since the frame before.

use std::io;

use serde::{Deserialize, Serialize};
use voussoir_mechanics::geometry::Surface;
use voussoir_mechanics::snapshot::{CableSnapshot, Cast, CastBody, ContactSnapshot, Features, Snapshot};

use crate::layout::{Channels, ordinals};
use crate::measures::{mean_stress, principal};
use crate::rows;
use crate::vector::{add, rotate};
use voussoir_hdf5::storage::Storage;
use voussoir_hdf5::writer::{DatasetId, Writer};

/// How finely numbers are recorded: absolute steps, powers of two. Zero keeps all digits of the file's type.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Precision {
    /// Positions of centroids; gaps, besides 1/512 of the value and 2⁻¹⁴ of the way since the frame before [m].
    pub length: f64,
    /// Points of surfaces and contacts, for pictures [m].
    pub drawing: f64,
    /// The same where bodies move fast: 1/64 of the way since the frame before, but no more than this [m].
    pub fast_drawing: f64,
    /// Components of quaternions.
    pub rotation: f64,
    /// [m/s]
    pub velocity: f64,
    /// [rad/s]
    pub spin: f64,
    /// [N], besides 2⁻¹² of the size of the force.
    pub force: f64,
}

impl Precision {
    /// All digits: double precision for poses, single for everything else.
    pub const EXACT: Self =
        Self { length: 0.0, drawing: 0.0, fast_drawing: 0.0, rotation: 0.0, velocity: 0.0, spin: 0.0, force: 0.0 };

    /// What suits the smallest free block: lengths to 1e-10 of its radius, drawings to 1e-5 of it, or 1e-3 where it moves
    /// fast, rotations to 1e-10, velocities to 1e-9 of it per second, spins to 1e-9 rad/s, forces to 1e-6 of its weight.
    pub fn for_cast(cast: &Cast) -> Self {
        let free = || cast.bodies.iter().filter(|body| !body.support);
        let size = smallest(free().map(CastBody::reach));
        let weight = smallest(free().map(|body| body.mass)) * 10.0;
        Self {
            length: power_of_two(size * 1e-10),
            drawing: power_of_two(size * 1e-5),
            fast_drawing: power_of_two(size * 1e-3),
            rotation: power_of_two(1e-10),
            velocity: power_of_two(size * 1e-9),
            spin: power_of_two(1e-9),
            force: power_of_two(weight * 1e-6),
        }
    }
}

/// Smallest of the positive finite values; 1 when there are none.
fn smallest(values: impl Iterator<Item = f64>) -> f64 {
    let least = values.filter(|v| v.is_finite() && *v > 0.0).fold(f64::INFINITY, f64::min);
    if least.is_finite() { least } else { 1.0 }
}

/// The largest power of two up to `x`; zero for zero, infinity for infinity.
fn power_of_two(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & 0x7FF0_0000_0000_0000)
}

/// Steps of one kind of number.
#[derive(Clone, Copy, Debug)]
struct Step {
    absolute: f64,
    relative: f64,
}

impl Step {
    fn absolute(absolute: f64) -> Self {
        Self { absolute, relative: 0.0 }
    }

    /// `value`, or `before` when that is close enough.
    fn settle(self, value: f64, before: Option<f64>) -> f64 {
        let step = self.absolute.max(self.relative * power_of_two(value));
        if !value.is_finite() || step == 0.0 {
            return value;
        }
        match before {
            Some(before) if (value - before).abs() <= step => before,
            _ => {
                let rounded = (value / step).round() * step;
                if rounded.is_finite() { rounded } else { value }
            }
        }
    }

    /// Single precision bytes of values that have a step each, given those of the frame before.
    fn each(values: impl Iterator<Item = (f64, Self)>, before: &[u8]) -> Vec<u8> {
        let mut before = before.as_chunks::<4>().0.iter().map(|b| f64::from(f32::from_le_bytes(*b)));
        values.flat_map(|(value, step)| (step.settle(value, before.next()) as f32).to_le_bytes()).collect()
    }

    /// Single precision bytes of `values`, given those of the frame before.
    fn single(self, values: impl Iterator<Item = f64>, before: &[u8]) -> Vec<u8> {
        let mut before = before.as_chunks::<4>().0.iter().map(|b| f64::from(f32::from_le_bytes(*b)));
        values.flat_map(|value| (self.settle(value, before.next()) as f32).to_le_bytes()).collect()
    }

    /// Double precision bytes of `values`, given those of the frame before.
    fn double(self, values: impl Iterator<Item = f64>, before: &[u8]) -> Vec<u8> {
        let mut before = before.as_chunks::<8>().0.iter().map(|b| f64::from_le_bytes(*b));
        values.flat_map(|value| self.settle(value, before.next()).to_le_bytes()).collect()
    }
}

/// What encoding needs to know besides the snapshot.
#[derive(Clone, Debug)]
pub struct Encoder {
    precision: Precision,
    /// Points in body axes, body by body.
    surfaces: Vec<Vec<[f64; 3]>>,
    /// Farthest point of each body from its centroid [m].
    radii: Vec<f64>,
    /// Polygons of each body.
    polygons: Vec<usize>,
    /// Volumes and the dimension, without surfaces.
    volumes: Cast,
    /// Positions of the first frame, as recorded; empty before it.
    origin: Vec<[f64; 3]>,
    /// Bodies of the contacts of the last frame, row by row.
    pairs: Vec<[i32; 2]>,
    /// How far points of each body went since the frame before, at the most [m].
    ways: Vec<f64>,
}

impl Encoder {
    /// For a run that has no frames yet, or whose first frame had these positions.
    pub fn new(cast: &Cast, precision: Precision, origin: Vec<[f64; 3]>) -> Self {
        Self {
            precision,
            surfaces: cast.bodies.iter().map(|body| body.surface().points.clone()).collect(),
            radii: cast.bodies.iter().map(CastBody::reach).collect(),
            polygons: cast.bodies.iter().map(|body| body.surface().polygons.len()).collect(),
            volumes: without_surfaces(cast),
            origin,
            pairs: Vec::new(),
            ways: Vec::new(),
        }
    }

    /// Goes on after a frame whose contacts had these bodies.
    #[must_use]
    pub fn after(self, pairs: Vec<[i32; 2]>) -> Self {
        Self { pairs, ..self }
    }

    /// Bodies of the contacts of the last frame, row by row.
    pub fn pairs(&self) -> &[[i32; 2]] {
        &self.pairs
    }

    /// Positions of the first frame, as recorded.
    pub fn origin(&self) -> &[[f64; 3]] {
        &self.origin
    }

    /// Writes frame number `frames` (from 0) and shows it.
    pub fn write(
        &mut self,
        writer: &mut Writer,
        storage: &mut impl Storage,
        channels: &Channels,
        snapshot: &Snapshot,
        frames: u64,
    ) -> io::Result<()> {
        let pieces: usize = snapshot.cables.iter().map(|cable| cable.points.len().saturating_sub(1)).sum();
        let starts = [
            (channels.point_start, writer.rows(channels.points)),
            (channels.cell_start, writer.rows(channels.cell_displacement)),
            (channels.contact_start, writer.rows(channels.gap)),
            (channels.contact_count, snapshot.contacts.len() as u64),
            (channels.cable_start, writer.rows(channels.cable_ends)),
            (channels.cable_points, 2 * pieces as u64),
            (channels.cable_cell_start, writer.rows(channels.cable)),
            (channels.cable_cells, pieces as u64),
            (channels.step, snapshot.step),
            (channels.index, frames),
            (channels.zero, 0),
            (channels.one, 1),
        ];
        let mut blocks = self.bodies(writer, channels, snapshot);
        blocks.extend(self.contacts(writer, channels, snapshot));
        blocks.extend(self.cables(channels, snapshot));
        writer.append(storage, blocks)?;

        // points of contacts and cables are numbered 0, 1, 2, …; offsets need one number more than cells
        let most = snapshot.contacts.len().max(2 * pieces);
        for (list, need, step) in [(channels.ordinals, most, 1), (channels.evens, pieces, 2)] {
            let (have, need) = (writer.rows(list), need as u64 + 1);
            if have < need {
                let count = (need - have).next_multiple_of(writer.chunk_rows(list));
                writer.append(storage, vec![(list, ordinals(have, count, step))])?;
            }
        }
        for (id, value) in starts {
            writer.push_row(storage, id, &value.to_le_bytes())?;
        }
        writer.push_row(storage, channels.four_zeros, &[0; 32])?;
        writer.push_row(storage, channels.time, &snapshot.time.to_le_bytes())?;
        writer.publish(storage, frames + 1)
    }

    fn bodies(&mut self, writer: &Writer, channels: &Channels, snapshot: &Snapshot) -> Vec<(DatasetId, Vec<u8>)> {
        let Precision { length, rotation, velocity, spin, .. } = self.precision;
        let bodies = &snapshot.bodies;
        let position =
            Step::absolute(length).double(bodies.iter().flat_map(|body| body.position), writer.last(channels.position));
        let rotation = Step::absolute(rotation)
            .double(bodies.iter().flat_map(|body| body.rotation), writer.last(channels.rotation));
        let velocities = Step::absolute(velocity)
            .single(bodies.iter().flat_map(|body| body.velocity), writer.last(channels.velocity));
        let spins = Step::absolute(spin).single(bodies.iter().flat_map(|body| body.spin), writer.last(channels.spin));

        // pictures follow from the recorded poses, so that a reader who computes them agrees
        let positions: Vec<[f64; 3]> = numbers(&position);
        let rotations: Vec<[f64; 4]> = numbers(&rotation);
        if self.origin.is_empty() {
            self.origin.clone_from(&positions);
        }
        self.ways = self.ways(writer, channels, &positions, &rotations);
        let poses = positions.iter().zip(&rotations).zip(&self.surfaces);
        let world = poses.zip(bodies.iter().zip(&self.ways)).flat_map(|(((&p, &q), surface), (body, &way))| {
            let step = self.drawn(way);
            // what is not there is a point
            let place = move |&x: &[f64; 3]| if body.absent { p } else { add(p, rotate(q, x)) };
            surface.iter().flat_map(place).map(move |value| (value, step))
        });
        let points = Step::each(world, writer.last(channels.points));

        // one value per face
        let moved = positions.iter().zip(&self.origin);
        let moved = moved
            .zip(&self.polygons)
            .flat_map(|((p, o), &faces)| std::iter::repeat_n([p[0] - o[0], p[1] - o[1], p[2] - o[2]], faces).flatten());
        let colour = Step { absolute: 0.0, relative: self.relative(11) };
        let displacement = colour.single(moved, writer.last(channels.cell_displacement));
        let moving = bodies.iter().zip(&self.polygons);
        let moving = moving.flat_map(|(body, &faces)| std::iter::repeat_n(body.velocity, faces).flatten());
        let colour = Step { absolute: velocity, ..colour };
        let cell_velocity = colour.single(moving, writer.last(channels.cell_velocity));
        let there = bodies.iter().zip(&self.polygons);
        let cell_there = there.flat_map(|(body, &faces)| std::iter::repeat_n(u8::from(!body.absent), faces)).collect();
        let [stress, principal] = self.stresses(writer, channels, snapshot);
        vec![
            (channels.position, position),
            (channels.rotation, rotation),
            (channels.velocity, velocities),
            (channels.spin, spins),
            (channels.there, bodies.iter().map(|body| u8::from(!body.absent)).collect()),
            (channels.cell_there, cell_there),
            (channels.cell_stress, stress),
            (channels.cell_principal, principal),
            (channels.points, points),
            (channels.cell_displacement, displacement),
            (channels.cell_velocity, cell_velocity),
        ]
    }

    /// How far points of each body went since the frame before, at the most [m]: |Δp| + 2 r |Δq|; nothing in the first.
    fn ways(&self, writer: &Writer, channels: &Channels, now: &[[f64; 3]], turned: &[[f64; 4]]) -> Vec<f64> {
        let before: Vec<[f64; 3]> = numbers(writer.last(channels.position));
        let turned_before: Vec<[f64; 4]> = numbers(writer.last(channels.rotation));
        let distance = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt();
        let way = |i: usize| {
            let (Some(p), Some(q)) = (before.get(i), turned_before.get(i)) else { return 0.0 };
            distance(&now[i], p) + 2.0 * self.radii[i] * distance(&turned[i], q)
        };
        (0..now.len()).map(way).collect()
    }

    /// Step of points of a body that went a way [m].
    fn drawn(&self, way: f64) -> Step {
        let Precision { drawing, fast_drawing, .. } = self.precision;
        Step::absolute(power_of_two((way / 64.0).min(fast_drawing)).max(drawing))
    }

    /// Mean stresses of all faces and their principal values, to 1/512 of the largest component of each block.
    fn stresses(&self, writer: &Writer, channels: &Channels, snapshot: &Snapshot) -> [Vec<u8>; 2] {
        let all = mean_stress(&self.volumes, snapshot);
        let mut out = [Vec::new(), Vec::new()];
        let before = [channels.cell_stress, channels.cell_principal].map(|id| writer.last(id));
        for (stress, &faces) in all.iter().zip(&self.polygons) {
            let [xx, yy, zz, yz, zx, xy] = *stress;
            let principal = principal(stress, self.volumes.dimension);
            let largest = principal.iter().map(|x| x.abs()).fold(0.0, f64::max);
            let step = Step::absolute(self.relative(9) * power_of_two(largest));
            let values: [&[f64]; 2] = [&[xx, yy, zz, xy, yz, zx], &principal];
            for ((out, values), before) in out.iter_mut().zip(values).zip(before) {
                let last = before.get(out.len()..).unwrap_or_default();
                let own = step.single(values.iter().copied(), last);
                (0..faces).for_each(|_| out.extend(&own));
            }
        }
        out
    }

    /// 2⁻ᵇⁱᵗˢ, or nothing when all digits are kept.
    fn relative(&self, bits: i32) -> f64 {
        if self.precision == Precision::EXACT { 0.0 } else { f64::powi(2.0, -bits) }
    }

    fn contacts(&mut self, writer: &Writer, channels: &Channels, snapshot: &Snapshot) -> Vec<(DatasetId, Vec<u8>)> {
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
        // all components to a part of the whole force
        let forces = contacts().flat_map(|c| {
            let size = c.force.iter().map(|x| x * x).sum::<f64>().sqrt();
            let step = Step::absolute(self.precision.force.max(self.relative(12) * power_of_two(size)));
            c.force.map(|x| (x, step))
        });
        let normal = Step::absolute(self.relative(13));
        let area = Step { absolute: 0.0, relative: self.relative(10) };
        let damage = Step::absolute(self.relative(10));
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
        ]
    }

    /// Straight pieces of all cables.
    fn cables(&self, channels: &Channels, snapshot: &Snapshot) -> Vec<(DatasetId, Vec<u8>)> {
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

/// A cast for measures alone.
fn without_surfaces(cast: &Cast) -> Cast {
    let bodies =
        cast.bodies.iter().map(|body| CastBody { name: String::new(), form: Surface::default().into(), ..*body });
    Cast {
        dimension: cast.dimension,
        bodies: bodies.collect(),
        materials: Vec::new(),
        cables: cast.cables.clone(),
        features: Features::default(),
    }
}

/// Double precision numbers, `N` at a time.
fn numbers<const N: usize>(bytes: &[u8]) -> Vec<[f64; N]> {
    let values: Vec<f64> = bytes.as_chunks::<8>().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
    values.as_chunks::<N>().0.to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn settled_values_stay_within_the_step(values in prop::collection::vec(-1e3..1e3f64, 1..50), bits in 1..30i32) {
            let step = Step { absolute: f64::powi(2.0, -bits), relative: f64::powi(2.0, -20) };
            let mut before = None;
            for value in values {
                let settled = step.settle(value, before);
                prop_assert!((settled - value).abs() <= step.absolute.max(value.abs() * step.relative));
                before = Some(settled);
            }
        }
    }

    #[test]
    fn small_motions_keep_the_value_and_large_ones_do_not() {
        let step = Step::absolute(0.25);
        assert_eq!(step.settle(1.2, Some(1.0)), 1.0);
        assert_eq!(step.settle(1.3, Some(1.0)), 1.25);
        assert_eq!(step.settle(f64::INFINITY, Some(1.0)), f64::INFINITY);
        assert!(step.settle(f64::NAN, Some(1.0)).is_nan());
        assert_eq!(Step::absolute(0.0).settle(1.3, Some(1.0)), 1.3);
    }
}
