//! Forces of the last step as a first guess, found by contact key and rotated to the new frame.

use voussoir_geometry::{Space, Vector};

use super::law::{Contact, Laws};
use crate::state::ContactMemory;

/// Impulses (active × dim) to start the solver from; zero for contacts that are new. Both lists are sorted by key. Rows
/// of bonds and cables add theirs after them.
pub(crate) fn warm_start<S: Space>(
    memory: &[ContactMemory<S>],
    contacts: &[Contact<S>],
    laws: &Laws<S>,
    h: f64,
) -> Vec<f64> {
    let mut impulses = vec![0.0; laws.active.len() * S::DIM];
    let mut remembered = memory.iter().peekable();
    for ((active, frame), r) in
        laws.active.iter().zip(laws.frames.chunks_exact(S::DIM)).zip(impulses.chunks_exact_mut(S::DIM))
    {
        let key = contacts[active.contact].key;
        while remembered.next_if(|m| m.key < key).is_some() {}
        if let Some(found) = remembered.next_if(|m| m.key == key) {
            for (r, direction) in r.iter_mut().zip(frame) {
                *r = found.force.dot(*direction) * h;
            }
        }
    }
    impulses
}
