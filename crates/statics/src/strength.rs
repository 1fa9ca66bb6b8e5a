//! Joints of limited compressive strength in 3D: divided into cells, each with its own force and its own limit.
//!
//! A uniform stress in every cell is an admissible stress state of the joint, so the result is a lower bound. The cells
//! are narrow along the edges, where hinges form: they are divided at the cosines of equal angles.

use voussoir_geometry::Space;
use voussoir_mechanics::ContactRecord;
use voussoir_mechanics::state::ContactKey;

use crate::equilibrium::Capacity;
use crate::error::StaticsError;
use crate::patch::Patch;
use crate::stress_block::{clip, middle};
use crate::structure::Structure;

/// Cells along each side of the box around a joint.
const CELLS: usize = 16;

/// Divides the joints of a 3D structure if their strength is limited; 2D has a closed form.
pub(crate) fn divide<S: Space>(structure: &mut Structure<S>, capacity: &Capacity) -> Result<(), StaticsError> {
    if let Some(strength) = capacity.compression
        && !(strength > 0.0 && strength.is_finite())
    {
        let reason = format!("{strength} Pa; it must be above zero");
        return Err(StaticsError::Number { what: "the compressive strength".to_owned(), reason });
    }
    for (what, value) in [("the cohesion", capacity.cohesion), ("the tensile strength", capacity.tension)] {
        if !(value >= 0.0 && value.is_finite()) {
            let reason = format!("{value} Pa; it must be zero or more");
            return Err(StaticsError::Number { what: what.to_owned(), reason });
        }
    }
    if capacity.compression.is_none() || S::DIM == 2 {
        return Ok(());
    }
    let mut contacts = Vec::new();
    for patch in &structure.patches {
        let outline = patch.outline(&structure.contacts);
        if outline.len() < 3 {
            contacts.extend(patch.contacts.iter().map(|&i| structure.contacts[i]));
        } else {
            contacts.extend(cells(patch, &outline, &structure.contacts[patch.contacts[0]]));
        }
    }
    contacts.sort_by_key(|contact| contact.key);
    let (model, poses) = (structure.model.clone(), structure.poses.clone());
    let cables = std::mem::take(&mut structure.cables);
    *structure = Structure { cables, ..Structure::with_contacts(model, poses, contacts)? };
    Ok(())
}

/// The cells of a patch as contacts.
fn cells<S: Space>(patch: &Patch<S>, outline: &[[f64; 2]], like: &ContactRecord<S>) -> Vec<ContactRecord<S>> {
    // axes along the longest side, so that rectangles are cut parallel to their edges
    let side = |i: usize| {
        let (a, b) = (outline[i], outline[(i + 1) % outline.len()]);
        [b[0] - a[0], b[1] - a[1]]
    };
    let length = |s: [f64; 2]| s[0].hypot(s[1]);
    let longest = (0..outline.len()).map(side).max_by(|a, b| length(*a).total_cmp(&length(*b))).unwrap_or([1.0, 0.0]);
    let u = longest.map(|x| x / length(longest));
    let turn = |p: [f64; 2]| [p[0] * u[0] + p[1] * u[1], p[1] * u[0] - p[0] * u[1]];
    let back = |p: [f64; 2]| [p[0] * u[0] - p[1] * u[1], p[0] * u[1] + p[1] * u[0]];
    let turned: Vec<[f64; 2]> = outline.iter().map(|p| turn(*p)).collect();
    let range = |k: usize| {
        turned.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| (low.min(p[k]), high.max(p[k])))
    };
    let cut = |(low, high): (f64, f64), i: usize| {
        let share = 0.5 - 0.5 * (std::f64::consts::PI * i as f64 / CELLS as f64).cos();
        low + share * (high - low)
    };
    let (x, y) = (range(0), range(1));
    let mut found = Vec::new();
    for i in 0..CELLS {
        let column = clip(&clip(&turned, |p| p[0] - cut(x, i)), |p| cut(x, i + 1) - p[0]);
        for j in 0..CELLS {
            let cell = clip(&clip(&column, |p| p[1] - cut(y, j)), |p| cut(y, j + 1) - p[1]);
            let Some((area, centre)) = middle(&cell).filter(|(area, _)| *area > 1e-12 * patch.area) else { continue };
            let at = back(centre);
            let mut position = patch.centre;
            patch.tangents.iter().zip(at).for_each(|(t, x)| position += *t * x);
            let key = ContactKey { feature: (i * CELLS + j) as u64 + (like.key.feature << 16), ..like.key };
            found.push(ContactRecord { key, position, area, ..*like });
        }
    }
    found
}
