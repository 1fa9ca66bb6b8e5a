//! Paths of forces: thrust lines through chains of blocks, and the network of all forces.
//!
//! The thrust line of a chain is the polyline through the centres of pressure of its joints: the position of the
//! resultant at every joint.
//!
//! A chain is a row of bodies in which each has contact with the next. Two kinds are recognised: numbered bodies of one
//! generator (`arch.voussoir[0]`, `[1]`, …) that transmit forces from each to the next, and mostly along the chain,
//! unlike a course of a wall; and, among all others, bodies that exchange forces with exactly two neighbours.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use voussoir_mechanics::snapshot::Cast;

use super::interface::InterfaceResultant;
use crate::vector::Vec3;

/// Minimum number of bodies of a chain.
const SHORTEST_CHAIN: usize = 3;

/// An interface counts if its force is at least this fraction of the largest force on one of its bodies.
const LEAST_FORCE: f64 = 0.02;

/// The thrust line through a chain of blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainThrustLine {
    /// Name of the chain: the common beginning of the names of its bodies.
    pub name: String,
    /// Bodies in order.
    pub bodies: Vec<u32>,
    /// Centres of pressure in order: at joints of the chain and at its ends [m].
    pub points: Vec<Vec3>,
    /// ‖F‖ at each of the points [N].
    pub forces: Vec<f64>,
}

/// A line between the centroids of two bodies with a contact force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strut {
    /// Candidate and antagonist.
    pub bodies: [u32; 2],
    /// ‖F‖ [N].
    pub force: f64,
}

/// All pairs of bodies with a contact force of at least `part` of the largest.
pub fn force_network(interfaces: &[InterfaceResultant], part: f64) -> Vec<Strut> {
    let largest = interfaces.iter().filter(|i| i.carries()).map(InterfaceResultant::size).fold(0.0, f64::max);
    let counts = interfaces.iter().filter(|i| i.carries() && i.size() >= part * largest);
    counts.map(|i| Strut { bodies: i.bodies, force: i.size() }).collect()
}

/// Thrust lines of all chains of a structure.
pub fn thrust_lines(cast: &Cast, interfaces: &[InterfaceResultant]) -> Vec<ChainThrustLine> {
    let joints = Joints::new(cast, interfaces);
    let mut used = BTreeSet::new();
    let mut lines = Vec::new();
    for (name, chain) in numbered(cast) {
        if chain.len() >= SHORTEST_CHAIN && joints.carry_along(&chain) {
            used.extend(chain.iter().copied());
            lines.extend(joints.line(name, chain));
        }
    }
    for chain in joints.links(cast, &used) {
        let name = cast.bodies[chain[0] as usize].name.clone();
        lines.extend(joints.line(stem(&name).map_or(name.clone(), |(stem, _)| stem.to_owned()), chain));
    }
    lines
}

/// Free bodies by the stem of their names, in order of their numbers; a missing number ends a row.
fn numbered(cast: &Cast) -> Vec<(String, Vec<u32>)> {
    let mut stems: BTreeMap<&str, BTreeMap<u64, u32>> = BTreeMap::new();
    for (index, body) in cast.bodies.iter().enumerate().filter(|(_, body)| !body.support) {
        if let Some((stem, number)) = stem(&body.name) {
            stems.entry(stem).or_default().insert(number, index as u32);
        }
    }
    let rows = stems.into_iter().flat_map(|(stem, members)| {
        let members: Vec<(u64, u32)> = members.into_iter().collect();
        let rows: Vec<Vec<u32>> =
            members.chunk_by(|a, b| a.0 + 1 == b.0).map(|row| row.iter().map(|(_, index)| *index).collect()).collect();
        rows.into_iter().map(move |row| (stem.to_owned(), row))
    });
    rows.collect()
}

/// `arch.voussoir[9]` → (`arch.voussoir`, 9).
fn stem(name: &str) -> Option<(&str, u64)> {
    let (stem, number) = name.strip_suffix(']')?.rsplit_once('[')?;
    Some((stem, number.parse().ok()?))
}

/// Interfaces that count, by bodies.
struct Joints<'a> {
    of_body: HashMap<u32, Vec<(u32, &'a InterfaceResultant)>>,
}

impl<'a> Joints<'a> {
    fn new(cast: &Cast, interfaces: &'a [InterfaceResultant]) -> Self {
        let mut largest: HashMap<u32, f64> = HashMap::new();
        let sound = |i: &&InterfaceResultant| i.carries() && i.bodies.iter().all(|&b| (b as usize) < cast.bodies.len());
        for interface in interfaces.iter().filter(sound) {
            for body in interface.bodies {
                let most = largest.entry(body).or_default();
                *most = most.max(interface.size());
            }
        }
        let mut of_body: HashMap<u32, Vec<(u32, &InterfaceResultant)>> = HashMap::new();
        for interface in interfaces.iter().filter(sound) {
            let [a, b] = interface.bodies;
            // for supports the other side decides
            let counts = |body: u32| {
                cast.bodies[body as usize].support
                    || interface.size() >= LEAST_FORCE * largest.get(&body).copied().unwrap_or(0.0)
            };
            if counts(a) && counts(b) {
                of_body.entry(a).or_default().push((b, interface));
                of_body.entry(b).or_default().push((a, interface));
            }
        }
        Self { of_body }
    }

    fn neighbours(&self, body: u32) -> &[(u32, &'a InterfaceResultant)] {
        self.of_body.get(&body).map_or(&[], Vec::as_slice)
    }

    fn between(&self, a: u32, b: u32) -> Option<&'a InterfaceResultant> {
        self.neighbours(a).iter().find(|(other, _)| *other == b).map(|(_, interface)| *interface)
    }

    /// True if each body of a chain pushes the next, and most of the force of inner bodies acts along the chain.
    fn carry_along(&self, chain: &[u32]) -> bool {
        let along = |pair: &[u32]| self.between(pair[0], pair[1]).map(InterfaceResultant::size);
        let inside = |three: &[u32]| {
            let all: f64 = self.neighbours(three[1]).iter().map(|(_, interface)| interface.size()).sum();
            let own = along(&three[..2]).zip(along(&three[1..])).map(|(a, b)| a + b);
            own.is_some_and(|own| own >= 0.5 * all)
        };
        chain.windows(2).all(|pair| along(pair).is_some()) && chain.windows(3).all(inside)
    }

    /// The line through a chain, from the body that carries its first body to the body that carries its last.
    fn line(&self, name: String, chain: Vec<u32>) -> Option<ChainThrustLine> {
        // bodies that carry the ends of the chain, besides the bodies of the chain
        let outside = |body: u32| {
            let others = self.neighbours(body).iter().filter(|(other, _)| !chain.contains(other));
            others.max_by(|a, b| a.1.size().total_cmp(&b.1.size())).map(|(_, interface)| *interface)
        };
        let first = chain.first().and_then(|&body| outside(body));
        let last = chain.last().and_then(|&body| outside(body));
        let joints = chain.windows(2).filter_map(|pair| self.between(pair[0], pair[1]));
        let all: Vec<&InterfaceResultant> = first.into_iter().chain(joints).chain(last).collect();
        (all.len() >= 2).then(|| ChainThrustLine {
            name,
            points: all.iter().map(|interface| interface.centre).collect(),
            forces: all.iter().map(|interface| interface.size()).collect(),
            bodies: chain,
        })
    }

    /// Chains of free bodies with exactly two neighbours each.
    fn links(&self, cast: &Cast, used: &BTreeSet<u32>) -> Vec<Vec<u32>> {
        let is_link = |body: u32| {
            !cast.bodies[body as usize].support && !used.contains(&body) && self.neighbours(body).len() == 2
        };
        let mut seen = BTreeSet::new();
        let mut chains = Vec::new();
        for start in (0..cast.bodies.len() as u32).filter(|&body| is_link(body)) {
            if seen.contains(&start) {
                continue;
            }
            // to one end, and from there to the other
            let walk = |from: u32| {
                let mut chain = vec![from];
                loop {
                    let here = chain[chain.len() - 1];
                    let next = self.neighbours(here).iter().map(|(other, _)| *other);
                    match next.filter(|&other| is_link(other) && !chain.contains(&other)).min() {
                        Some(next) => chain.push(next),
                        None => return chain,
                    }
                }
            };
            let end = walk(start).pop().unwrap_or(start);
            let chain = walk(end);
            seen.extend(chain.iter().copied());
            if chain.len() >= SHORTEST_CHAIN {
                chains.push(chain);
            }
        }
        chains
    }
}

#[cfg(test)]
mod tests {
    use voussoir_mechanics::geometry::Surface;
    use voussoir_mechanics::snapshot::{CastBody, ContactSnapshot, Features, Snapshot};

    use super::*;
    use crate::measures::interfaces;

    fn cast(names: &[&str]) -> Cast {
        let body = |name: &&str| CastBody {
            name: (*name).to_owned(),
            material: 0,
            support: name.starts_with("support"),
            mass: 1.0,
            volume: 1.0,
            form: Surface::default().into(),
        };
        Cast {
            dimension: 2,
            bodies: names.iter().map(body).collect(),
            materials: vec![],
            cables: vec![],
            features: Features::default(),
            origin: [0.0; 3],
        }
    }

    fn touching(pairs: &[([u32; 2], Vec3)]) -> Vec<InterfaceResultant> {
        let contact = |&(bodies, position): &([u32; 2], Vec3)| ContactSnapshot {
            bodies,
            position,
            normal: [1.0, 0.0, 0.0],
            force: [5.0, 0.0, 0.0],
            status: 1,
            ..Default::default()
        };
        interfaces(&Snapshot { contacts: pairs.iter().map(contact).collect(), ..Default::default() })
    }

    #[test]
    fn an_arch_has_one_line_from_support_to_support() {
        let cast = cast(&["support", "a.v[0]", "a.v[1]", "a.v[2]", "support.right"]);
        let all = touching(&[
            ([1, 0], [0.0, 0.0, 0.0]),
            ([1, 2], [1.0, 1.0, 0.0]),
            ([2, 3], [2.0, 1.0, 0.0]),
            ([3, 4], [3.0, 0.0, 0.0]),
        ]);
        let lines = thrust_lines(&cast, &all);
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].name, "a.v");
        assert_eq!(lines[0].points.iter().map(|p| p[0]).collect::<Vec<_>>(), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(lines[0].forces, [5.0; 4]);
        assert_eq!(force_network(&all, 0.5).len(), 4);
    }

    #[test]
    fn a_course_of_a_wall_has_no_line() {
        let cast = cast(&["support", "w.b[0]", "w.b[1]", "w.b[2]", "above"]);
        let at = [0.0; 3];
        let mut all = touching(&[([1, 2], at), ([2, 3], at), ([2, 0], at), ([2, 4], at), ([4, 1], at), ([4, 3], at)]);
        // bed joints carry far more than head joints
        all.iter_mut().filter(|i| i.bodies.contains(&0) || i.bodies.contains(&4)).for_each(|i| i.force[0] *= 10.0);
        assert!(thrust_lines(&cast, &all).is_empty());
    }

    #[test]
    fn bodies_without_numbers_form_chains_by_what_they_touch() {
        let cast = cast(&["p", "support", "q", "r", "other"]);
        // r – p – q in a row, r on the support; `other` has no contact
        let at = [0.0; 3];
        let lines = thrust_lines(&cast, &touching(&[([0, 2], at), ([0, 3], at), ([3, 1], at), ([2, 1], at)]));
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].points.len(), 4);
        // a fourth neighbour makes it a wall, which has no thrust line
        let wall = touching(&[([0, 2], at), ([0, 3], at), ([2, 3], at), ([2, 4], at), ([3, 4], at), ([0, 4], at)]);
        assert!(thrust_lines(&cast, &wall).is_empty());
    }
}
