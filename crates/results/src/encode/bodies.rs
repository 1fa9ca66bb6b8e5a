//! Poses, velocities, polygons, balls and stresses of the bodies of a frame.

use voussoir_hdf5::writer::{DatasetId, Writer};
use voussoir_mechanics::snapshot::Snapshot;

use super::precision::{Precision, Step, power_of_two};
use super::{Encoded, Encoder};
use crate::channels::{BallChannels, Channels};
use crate::measures::{mean_stress, principal};
use crate::vector::{Vec3, add, rotate, sub};

/// Poses as recorded; pictures depend on these, so that they agree with pictures that a reader computes.
struct Poses {
    positions: Vec<Vec3>,
    rotations: Vec<[f64; 4]>,
}

/// Mean stresses of a body and their principal values, with the step to which they are recorded.
struct Stress {
    components: [f64; 6],
    principal: [f64; 3],
    step: Step,
}

impl Encoder {
    pub(super) fn bodies(
        &mut self,
        writer: &Writer,
        channels: &Channels,
        snapshot: &Snapshot,
    ) -> Vec<(DatasetId, Vec<u8>)> {
        let Precision { length, rotation, velocity, spin, .. } = self.precision;
        let bodies = &snapshot.bodies;
        let position =
            Step::absolute(length).double(bodies.iter().flat_map(|body| body.position), writer.last(channels.position));
        let rotation = Step::absolute(rotation)
            .double(bodies.iter().flat_map(|body| body.rotation), writer.last(channels.rotation));
        let velocities = Step::absolute(velocity)
            .single(bodies.iter().flat_map(|body| body.velocity), writer.last(channels.velocity));
        let spins = Step::absolute(spin).single(bodies.iter().flat_map(|body| body.spin), writer.last(channels.spin));

        let poses = Poses { positions: numbers(&position), rotations: numbers(&rotation) };
        let known = self.origin.len().min(poses.positions.len());
        self.origin.extend(&poses.positions[known..]);
        self.ways = self.ways(writer, channels, &poses);
        let displacement = self.deformed(writer, channels, snapshot);
        let mut blocks = vec![
            (channels.position, position),
            (channels.rotation, rotation),
            (channels.velocity, velocities),
            (channels.spin, spins),
            (channels.there, bodies.iter().map(|body| u8::from(!body.absent)).collect()),
            (channels.points, self.points(writer, channels, snapshot, &poses, displacement.as_deref())),
        ];
        let stresses = self.stresses(snapshot);
        blocks.extend(self.faces(writer, channels, snapshot, &poses, &stresses));
        if let Some(balls) = &channels.balls {
            blocks.extend(self.balls(writer, balls, snapshot, &poses, &stresses));
        }
        blocks.extend(self.fields(writer, channels, snapshot));
        blocks.extend(self.deformed_blocks(channels, snapshot, displacement));
        blocks
    }

    /// Points of all polygons in the world; `displacement` are the recorded displacements of deformed bodies.
    fn points(
        &self,
        writer: &Writer,
        channels: &Channels,
        snapshot: &Snapshot,
        poses: &Poses,
        displacement: Option<&[u8]>,
    ) -> Vec<u8> {
        let mut displaced = displacement.unwrap_or_default().as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b));
        let mut deformed = snapshot.deformed.iter().map(|one| one.body as usize).peekable();
        let mut world = Vec::new();
        for (i, (known, body)) in self.bodies.iter().zip(&snapshot.bodies).enumerate() {
            let (p, q, step) = (poses.positions[i], poses.rotations[i], self.drawn(self.ways[i]));
            let moves = deformed.next_if_eq(&i).is_some();
            for &local in &known.points {
                let mut local = local;
                if moves {
                    local.iter_mut().for_each(|x| *x += displaced.next().map_or(0.0, f64::from));
                }
                // an absent body is reduced to a point
                let place = if body.absent { p } else { add(p, rotate(q, local)) };
                world.extend(place.map(|value| (value, step)));
            }
        }
        Step::each(world.into_iter(), writer.last(channels.points))
    }

    /// One value per face.
    fn faces(
        &self,
        writer: &Writer,
        channels: &Channels,
        snapshot: &Snapshot,
        poses: &Poses,
        stresses: &[Stress],
    ) -> Vec<(DatasetId, Vec<u8>)> {
        let (moved, moving) = self.colours();
        let count = |i: usize| self.bodies[i].polygons;
        let each = || (0..self.bodies.len()).flat_map(|i| std::iter::repeat_n(i, count(i)));
        let displacement = each().flat_map(|i| sub(poses.positions[i], self.origin[i]));
        let velocity = each().flat_map(|i| snapshot.bodies[i].velocity);
        let there = each().map(|i| u8::from(!snapshot.bodies[i].absent)).collect();
        let stress = each().flat_map(|i| stresses[i].components.map(|x| (x, stresses[i].step)));
        let principal = each().flat_map(|i| stresses[i].principal.map(|x| (x, stresses[i].step)));
        let last = |id| writer.last(id);
        vec![
            (channels.cell_there, there),
            (channels.cell_stress, Step::each(stress, last(channels.cell_stress))),
            (channels.cell_principal, Step::each(principal, last(channels.cell_principal))),
            (channels.cell_displacement, moved.single(displacement, last(channels.cell_displacement))),
            (channels.cell_velocity, moving.single(velocity, last(channels.cell_velocity))),
        ]
    }

    /// One value per ball.
    fn balls(
        &self,
        writer: &Writer,
        balls: &BallChannels,
        snapshot: &Snapshot,
        poses: &Poses,
        stresses: &[Stress],
    ) -> Vec<(DatasetId, Vec<u8>)> {
        let (moved, moving) = self.colours();
        let of = |(i, known): (usize, &Encoded)| known.ball.map(|radius| (i, radius));
        let each = || self.bodies.iter().enumerate().filter_map(of);
        let points = each().flat_map(|(i, _)| {
            let step = self.drawn(self.ways[i]);
            poses.positions[i].map(|x| (x, step))
        });
        let radius = each().map(|(i, radius)| if snapshot.bodies[i].absent { 0.0 } else { radius });
        let orientation = each().flat_map(|(i, _)| {
            let [x, y, z, w] = poses.rotations[i];
            [w, x, y, z]
        });
        let displacement = each().flat_map(|(i, _)| sub(poses.positions[i], self.origin[i]));
        let velocity = each().flat_map(|(i, _)| snapshot.bodies[i].velocity);
        let there = each().map(|(i, _)| u8::from(!snapshot.bodies[i].absent)).collect();
        let stress = each().flat_map(|(i, _)| stresses[i].components.map(|x| (x, stresses[i].step)));
        let principal = each().flat_map(|(i, _)| stresses[i].principal.map(|x| (x, stresses[i].step)));
        let last = |id| writer.last(id);
        let turned = Step::absolute(self.relative(10));
        vec![
            (balls.points, Step::each(points, last(balls.points))),
            (balls.radius, Step::absolute(0.0).single(radius, &[])),
            (balls.orientation, turned.single(orientation, last(balls.orientation))),
            (balls.displacement, moved.single(displacement, last(balls.displacement))),
            (balls.velocity, moving.single(velocity, last(balls.velocity))),
            (balls.there, there),
            (balls.stress, Step::each(stress, last(balls.stress))),
            (balls.principal, Step::each(principal, last(balls.principal))),
        ]
    }

    /// Steps of displacements and velocities on faces.
    fn colours(&self) -> (Step, Step) {
        let moved = Step { absolute: 0.0, relative: self.relative(11) };
        (moved, Step { absolute: self.precision.velocity, ..moved })
    }

    /// Upper bound of the displacement of points of each body since the previous frame [m]: |Δp| + 2 r |Δq|; zero in
    /// its first.
    fn ways(&self, writer: &Writer, channels: &Channels, now: &Poses) -> Vec<f64> {
        let before: Vec<[f64; 3]> = numbers(writer.last(channels.position));
        let turned_before: Vec<[f64; 4]> = numbers(writer.last(channels.rotation));
        let distance = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt();
        let way = |i: usize| {
            let (Some(p), Some(q)) = (before.get(i), turned_before.get(i)) else { return 0.0 };
            // entries beyond the bodies of the previous frame are padding, without a rotation
            if *q == [0.0; 4] {
                return 0.0;
            }
            distance(&now.positions[i], p) + 2.0 * self.bodies[i].reach * distance(&now.rotations[i], q)
        };
        (0..now.positions.len()).map(way).collect()
    }

    /// Rounding step of points of a body with this displacement since the previous frame [m].
    pub(super) fn drawn(&self, way: f64) -> Step {
        let Precision { drawing, fast_drawing, .. } = self.precision;
        Step::absolute(power_of_two((way / 64.0).min(fast_drawing)).max(drawing))
    }

    /// Mean stresses of all bodies, to 1/512 of the largest component of each.
    fn stresses(&self, snapshot: &Snapshot) -> Vec<Stress> {
        let of = |stress: &[f64; 6]| {
            let [xx, yy, zz, yz, zx, xy] = *stress;
            let principal = principal(stress, self.volumes.dimension);
            let largest = principal.iter().map(|x| x.abs()).fold(0.0, f64::max);
            let step = Step::absolute(self.relative(9) * power_of_two(largest));
            Stress { components: [xx, yy, zz, xy, yz, zx], principal, step }
        };
        mean_stress(&self.volumes, snapshot).iter().map(of).collect()
    }
}

/// Double precision numbers, `N` at a time.
fn numbers<const N: usize>(bytes: &[u8]) -> Vec<[f64; N]> {
    let values: Vec<f64> = bytes.as_chunks::<8>().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
    values.as_chunks::<N>().0.to_vec()
}
