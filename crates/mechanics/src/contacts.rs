//! Contacts after a step: geometry, force, status.

use voussoir_geometry::{ContactPoint, Space};

use crate::state::ContactKey;

/// Status of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ContactStatus {
    /// No force.
    Open = 0,
    /// A force, no slip.
    Stick = 1,
    /// A force, and slip; the force is on the friction cone.
    Slide = 2,
}

/// One contact of the last step, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRecord<S: Space> {
    /// Its key.
    pub key: ContactKey,
    /// Position in the mid configuration [m].
    pub position: S::Vector,
    /// From the antagonist to the candidate.
    pub normal: S::Vector,
    /// In the mid configuration, > 0 apart [m].
    pub gap: f64,
    /// Share of the point in the area of the interface [m²]; length in 2D.
    pub area: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// Mean force over the step on the candidate, of contact and bond [N].
    pub force: S::Vector,
    /// The part of the force that acts in the bond [N].
    pub bond: S::Vector,
    /// Damage of the bond: 0 sound … 1 broken; 0 without a bond.
    pub damage: f64,
    /// Accumulated slip since the contact was first detected, ≥ 0 [m].
    pub slip: f64,
    /// Velocity of the candidate relative to the antagonist at the end of the step [m/s].
    pub velocity: S::Vector,
    /// Its sliding part in the plane of contact [m/s]: the deflection of springs is excluded.
    pub sliding: S::Vector,
    /// Open, stick or slide.
    pub status: ContactStatus,
}

impl<S: Space> ContactRecord<S> {
    /// A contact without force and velocity.
    pub(crate) fn open(key: ContactKey, point: &ContactPoint<S>, friction: f64) -> Self {
        Self {
            key,
            position: point.position,
            normal: point.normal,
            gap: point.gap,
            area: point.area,
            friction,
            force: S::zero(),
            bond: S::zero(),
            damage: 0.0,
            slip: 0.0,
            velocity: S::zero(),
            sliding: S::zero(),
            status: ContactStatus::Open,
        }
    }
}
