//! Places: the separate contact areas of a structure with its supports.
//!
//! A support may carry several feet: the ground under four piers has four reactions, and their sum does not determine
//! any of them. A place is a connected part of the contacts with one support: patches belong together if they have the
//! same free body, if their bodies touch, or if they are nearly adjacent.

use voussoir_geometry::{Space, Vector};
use voussoir_mechanics::model::Role;

use crate::patch::Patch;
use crate::structure::Structure;

/// Patches are adjacent up to this share of the extent of the smaller one.
const ADJACENT_DISTANCE: f64 = 0.1;

/// A foot, an abutment or a springing.
#[derive(Clone, Debug, PartialEq)]
pub struct SupportPlace<S: Space> {
    /// Name of the support, with the name of the body on it if the support has several places.
    pub name: String,
    /// Index of the support.
    pub support: usize,
    /// Its contacts.
    pub contacts: Vec<usize>,
    /// Mean of the contact points [m].
    pub centre: S::Vector,
}

impl<S: Space> Structure<S> {
    /// All places, ordered by support.
    pub fn places(&self) -> Vec<SupportPlace<S>> {
        let held: Vec<&Patch<S>> =
            self.patches.iter().filter(|patch| self.model.bodies[patch.bodies[1]].role != Role::Free).collect();
        let mut touching: Vec<[usize; 2]> = self.patches.iter().map(|patch| patch.bodies).collect();
        touching.iter_mut().for_each(|pair| pair.sort_unstable());
        touching.sort_unstable();
        let boxes: Vec<[S::Vector; 2]> = held.iter().map(|patch| self.bounds(patch)).collect();
        let mut group: Vec<usize> = (0..held.len()).collect();
        for i in 0..held.len() {
            for j in 0..i {
                if held[i].bodies[1] != held[j].bodies[1] {
                    continue;
                }
                let mut pair = [held[i].bodies[0], held[j].bodies[0]];
                pair.sort_unstable();
                let together = pair[0] == pair[1] || touching.binary_search(&pair).is_ok();
                if together || adjacent::<S>(boxes[i], boxes[j]) {
                    let (a, b) = (group[i].min(group[j]), group[i].max(group[j]));
                    group.iter_mut().filter(|g| **g == b).for_each(|g| *g = a);
                }
            }
        }
        let mut places: Vec<(SupportPlace<S>, Vec<usize>)> = Vec::new();
        for first in (0..held.len()).filter(|&i| group[i] == i) {
            let mine = || (0..held.len()).filter(|&i| group[i] == first).map(|i| held[i]);
            let contacts: Vec<usize> = mine().flat_map(|patch| patch.contacts.iter().copied()).collect();
            let mut sum = S::zero();
            contacts.iter().for_each(|&i| sum += self.contacts[i].position);
            let centre = sum / contacts.len() as f64;
            let place = SupportPlace { name: String::new(), support: held[first].bodies[1], contacts, centre };
            let mut bodies: Vec<usize> = mine().map(|patch| patch.bodies[0]).collect();
            bodies.sort_unstable();
            bodies.dedup();
            places.push((place, bodies));
        }
        places.sort_by_key(|(place, _)| place.support);
        self.named(places)
    }

    /// Names of places: the support, and the body on it if there are several.
    fn named(&self, places: Vec<(SupportPlace<S>, Vec<usize>)>) -> Vec<SupportPlace<S>> {
        let group = |bodies: &[usize]| -> Option<&str> {
            let of = |body: usize| self.name(body).split('.').next().unwrap_or_default();
            let first = of(*bodies.first()?);
            bodies.iter().all(|&body| of(body) == first).then_some(first)
        };
        let label = |k: usize| {
            let (place, bodies) = &places[k];
            let support = self.name(place.support);
            let mut others =
                places.iter().enumerate().filter(|(i, (other, _))| *i != k && other.support == place.support);
            if others.clone().next().is_none() {
                return support.to_owned();
            }
            let own = group(bodies);
            match (own, &bodies[..]) {
                (Some(name), _) if others.all(|(_, (_, bodies))| group(bodies) != own) => {
                    format!("{support} under {name}")
                }
                (_, [only]) => format!("{support} under {}", self.name(*only)),
                (_, [first, .., last]) => {
                    format!("{support} under {} … {}", self.name(*first), self.name(*last))
                }
                (_, []) => support.to_owned(),
            }
        };
        let names: Vec<String> = (0..places.len()).map(label).collect();
        places.into_iter().zip(names).map(|((place, _), name)| SupportPlace { name, ..place }).collect()
    }

    /// Box around the contact points of a patch.
    fn bounds(&self, patch: &Patch<S>) -> [S::Vector; 2] {
        let pick = |choose: fn(f64, f64) -> f64| {
            let axis = |k: usize| patch.contacts.iter().map(|&i| self.contacts[i].position.get(k)).reduce(choose);
            let numbers: Vec<f64> = (0..S::DIM).map(|k| axis(k).unwrap_or(0.0)).collect();
            S::Vector::from_slice(&numbers)
        };
        [pick(f64::min), pick(f64::max)]
    }
}

/// True if the distance of two boxes is small compared with the smaller one.
fn adjacent<S: Space>(a: [S::Vector; 2], b: [S::Vector; 2]) -> bool {
    let extent = (a[1] - a[0]).length().min((b[1] - b[0]).length());
    let gap = |k: usize| (a[0].get(k) - b[1].get(k)).max(b[0].get(k) - a[1].get(k)).max(0.0);
    let distance = (0..S::DIM).map(|k| gap(k) * gap(k)).sum::<f64>().sqrt();
    distance <= ADJACENT_DISTANCE * extent
}
