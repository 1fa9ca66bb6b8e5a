//! Working arrays of the explicit analysis, made from model and state and written back at frames and checkpoints.
//!
//! Flat arrays of four numbers per body: position (x, y, radius, angle), velocity (x, y, spin, –), force (x, y, moment,
//! –), mass (m, m, I, –). The radius is that of a disc about the centroid; other bodies have an outline.

use std::ops::{Deref, DerefMut};

use voussoir_geometry::glam::DVec2;
use voussoir_geometry::planar::RoundedOutline;
use voussoir_geometry::{D2, Solid};

use crate::error::MechanicsError;
use crate::model::Model;
use crate::state::State;

/// Four numbers of a body, in one line of the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub(super) struct Four(pub [f64; 4]);

impl Deref for Four {
    type Target = [f64; 4];

    fn deref(&self) -> &[f64; 4] {
        &self.0
    }
}

impl DerefMut for Four {
    fn deref_mut(&mut self) -> &mut [f64; 4] {
        &mut self.0
    }
}

/// Index of an outline that does not exist.
const NONE: u32 = u32::MAX;

/// Everything about bodies that a step reads and writes.
#[derive(Clone, Debug)]
pub(super) struct Arrays {
    /// x, y, radius, angle.
    pub pos: Vec<Four>,
    /// Half a step behind the positions.
    pub vel: Vec<Four>,
    /// All forces at the present positions but damping.
    pub force: Vec<Four>,
    /// Inertia, scaled if masses are.
    pub mass: Vec<Four>,
    /// 1/inertia; zero for motions that are not free.
    pub inverse: Vec<Four>,
    /// True weight m g.
    pub weight: Vec<Four>,
    /// Takes part.
    pub there: Vec<bool>,
    /// Takes part and moves freely.
    pub free: Vec<bool>,
    /// Bodies that do not move freely.
    held: Vec<u32>,
    /// Outline of bodies that are not discs about their centroid.
    outline_of: Vec<u32>,
    /// Bodies with an outline, in the order of the outlines.
    outlined: Vec<u32>,
    outlines: Vec<RoundedOutline>,
    /// Cosine and sine of the angle, per outline.
    pub turn: Vec<DVec2>,
}

impl Arrays {
    /// From a model and its state; corners are rounded at the distance `rounding` [m].
    pub fn new(
        model: &Model<D2>,
        state: &State<D2>,
        rounding: f64,
        guides: &[(usize, [bool; 3])],
    ) -> Result<Self, MechanicsError> {
        let count = model.bodies.len();
        let mut arrays = Self {
            pos: vec![Four::default(); count],
            vel: vec![Four::default(); count],
            force: vec![Four::default(); count],
            mass: vec![Four::default(); count],
            inverse: vec![Four::default(); count],
            weight: vec![Four::default(); count],
            there: state.presence.iter().map(|presence| presence.is_there()).collect(),
            free: (0..count).map(|i| state.is_free(model, i)).collect(),
            held: (0..count).filter(|&i| !state.is_free(model, i)).map(|i| i as u32).collect(),
            outline_of: vec![NONE; count],
            outlined: Vec::new(),
            outlines: Vec::new(),
            turn: Vec::new(),
        };
        for (i, body) in model.bodies.iter().enumerate() {
            let radius = body.shape.centred_ball();
            let pose = state.poses[i];
            arrays.pos[i] = Four([pose.position.x, pose.position.y, radius.unwrap_or(0.0), pose.rotation]);
            arrays.vel[i][..3].copy_from_slice(&state.velocities[3 * i..][..3]);
            if radius.is_none() {
                let outline = RoundedOutline::new(&body.shape, rounding).ok_or_else(|| MechanicsError::Body {
                    index: i,
                    name: body.name.clone(),
                    reason: "the explicit analysis needs convex shapes; split the body into convex parts".to_owned(),
                })?;
                arrays.outline_of[i] = arrays.outlines.len() as u32;
                arrays.outlined.push(i as u32);
                arrays.outlines.push(outline);
                arrays.turn.push(DVec2::from_angle(pose.rotation));
            }
            if arrays.free[i] {
                arrays.mass[i] = Four([body.mass, body.mass, body.inertia, 0.0]);
                arrays.weight[i] = Four([body.mass * model.gravity.x, body.mass * model.gravity.y, 0.0, 0.0]);
            }
        }
        arrays.free_motions(guides);
        Ok(arrays)
    }

    /// Inverse masses; zero for guided motions.
    pub fn free_motions(&mut self, guides: &[(usize, [bool; 3])]) {
        for (inverse, mass) in self.inverse.iter_mut().zip(&self.mass) {
            *inverse = Four(std::array::from_fn(|k| if mass[k] > 0.0 { 1.0 / mass[k] } else { 0.0 }));
        }
        for (body, free) in guides {
            for k in (0..3).filter(|&k| !free[k]) {
                self.inverse[*body][k] = 0.0;
                self.vel[*body][k] = 0.0;
            }
        }
    }

    /// Forces of bodies without contacts and loads: weights of free bodies.
    pub fn clear_forces(&mut self) {
        for ((force, weight), free) in self.force.iter_mut().zip(&self.weight).zip(&self.free) {
            *force = if *free { *weight } else { Four::default() };
        }
    }

    /// The same for bodies that do not move freely.
    pub fn clear_held(&mut self) {
        for &body in &self.held {
            self.force[body as usize] = Four::default();
        }
    }

    /// Shares the forces on a group of bodies by their masses, so that the bodies move together in the motions that are
    /// free for them.
    pub fn share_forces(&mut self, group: &[usize]) {
        for k in 0..3 {
            let moving = || group.iter().copied().filter(|&i| self.inverse[i][k] > 0.0);
            let force: f64 = moving().map(|i| self.force[i][k]).sum();
            let mass: f64 = moving().map(|i| self.mass[i][k]).sum();
            for i in moving().collect::<Vec<_>>() {
                self.force[i][k] = force * self.mass[i][k] / mass;
            }
        }
    }

    /// Writes positions and velocities into a state.
    pub fn write(&self, state: &mut State<D2>) {
        for (i, (pos, vel)) in self.pos.iter().zip(&self.vel).enumerate() {
            state.poses[i].position = DVec2::new(pos[0], pos[1]);
            state.poses[i].rotation = pos[3];
            state.velocities[3 * i..][..3].copy_from_slice(&vel[..3]);
        }
    }

    /// Outline of a body; `None` for a disc about its centroid.
    pub fn outline(&self, body: usize) -> Option<&RoundedOutline> {
        self.outlines.get(self.outline_of[body] as usize)
    }

    /// The outline, and its turn as cosine and sine.
    pub fn turned(&self, body: usize) -> Option<(&RoundedOutline, DVec2)> {
        let index = self.outline_of[body] as usize;
        self.outlines.get(index).map(|outline| (outline, self.turn[index]))
    }

    /// Centroid of a body.
    pub fn centre(&self, body: usize) -> DVec2 {
        DVec2::new(self.pos[body][0], self.pos[body][1])
    }

    /// Radius of the circle about the centroid that encloses a body [m].
    pub fn reach(&self, body: usize) -> f64 {
        self.outline(body).map_or(self.pos[body][2], |outline| outline.reach)
    }

    /// Recomputes the turns of all outlines.
    pub fn turn_outlines(&mut self) {
        for (turn, &body) in self.turn.iter_mut().zip(&self.outlined) {
            *turn = DVec2::from_angle(self.pos[body as usize][3]);
        }
    }
}
