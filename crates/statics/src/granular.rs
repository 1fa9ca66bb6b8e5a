//! Limit analysis of a state: the structure in which the contacts that carry force are closed, and no others.
//!
//! Discs with less than two such contacts, and other bodies without any, carry nothing: these *rattlers* are left out and
//! counted, one after the other, since a body may become one when its neighbours are left out.

use std::collections::BTreeSet;
use std::sync::Arc;

use voussoir_geometry::{Solid, Space, Vector};
use voussoir_mechanics::any::{AnyModel, AnyState, other_dimension};
use voussoir_mechanics::construction::present;
use voussoir_mechanics::inspect::contacts_within;
use voussoir_mechanics::model::{Model, Role};
use voussoir_mechanics::state::{Presence, State};

use crate::any::AnyStructure;
use crate::error::StaticsError;
use crate::structure::{CLOSED, Structure};

/// The structure of a state.
#[derive(Clone, Debug)]
pub struct Carrying {
    /// Bodies that carry, and the contacts between them.
    pub structure: AnyStructure,
    /// Indices of these bodies in the model.
    pub bodies: Vec<usize>,
    /// Number of bodies left out.
    pub rattlers: usize,
}

/// The contacts of a state that carry force, with the bodies that they hold.
pub fn carrying(model: &AnyModel, state: &AnyState) -> Result<Carrying, StaticsError> {
    match (model, state) {
        (AnyModel::Two(model), AnyState::Two(state)) => {
            let (structure, bodies, rattlers) = in_space(model, state)?;
            Ok(Carrying { structure: AnyStructure::Two(structure), bodies, rattlers })
        }
        (AnyModel::Three(model), AnyState::Three(state)) => {
            let (structure, bodies, rattlers) = in_space(model, state)?;
            Ok(Carrying { structure: AnyStructure::Three(structure), bodies, rattlers })
        }
        _ => Err(StaticsError::Number { what: "the state".to_owned(), reason: other_dimension(model).to_string() }),
    }
}

fn in_space<S: Space>(
    model: &Arc<Model<S>>,
    state: &State<S>,
) -> Result<(Structure<S>, Vec<usize>, usize), StaticsError> {
    let pairs: BTreeSet<[u32; 2]> = state
        .contacts
        .iter()
        .filter(|contact| contact.force.length() > 0.0)
        .map(|contact| [contact.key.candidate, contact.key.antagonist])
        .collect();
    let mut presence = state.presence.clone();
    let mut rattlers = 0;
    loop {
        let mut partners = vec![0usize; model.bodies.len()];
        let there = |body: u32| presence[body as usize].is_there();
        for pair in pairs.iter().filter(|pair| pair.iter().all(|&body| there(body))) {
            pair.iter().for_each(|&body| partners[body as usize] += 1);
        }
        let is_loose = |i: &usize| {
            let body = &model.bodies[*i];
            let free = body.role == Role::Free || presence[*i] == Presence::Released;
            let needed = if body.shape.centred_ball().is_some() { 2 } else { 1 };
            free && presence[*i].is_there() && partners[*i] < needed
        };
        let loose: Vec<usize> = (0..model.bodies.len()).filter(is_loose).collect();
        if loose.is_empty() {
            break;
        }
        rattlers += loose.len();
        loose.into_iter().for_each(|i| presence[i] = Presence::Gone);
    }
    let (part, bodies) = present(model, &presence);
    part.check()?;
    let poses: Vec<_> = bodies.iter().map(|&body| state.poses[body]).collect();
    let mut contacts = contacts_within(&part, &poses, CLOSED);
    contacts.retain(|contact| {
        let [a, b] = [contact.key.candidate, contact.key.antagonist].map(|body| bodies[body as usize] as u32);
        pairs.contains(&[a, b]) || pairs.contains(&[b, a])
    });
    Ok((Structure::with_contacts(Arc::new(part), poses, contacts)?, bodies, rattlers))
}
