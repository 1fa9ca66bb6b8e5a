//! Chains of blocks for thrust lines: arches, columns, strips of a vault.

use std::collections::{BTreeMap, BTreeSet};

use voussoir_geometry::Space;
use voussoir_mechanics::model::Role;

use crate::structure::Structure;

/// Links in order; a link is one body, or all bodies of a course of a vault. The ends may be supports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// Name of the bodies, without their numbers.
    pub name: String,
    /// Bodies of each link.
    pub links: Vec<Vec<usize>>,
}

impl<S: Space> Structure<S> {
    /// Automatically recognised chains: bodies of the same name in which each body has contact with at most two others
    /// of this name, such as the voussoirs of an arch or the drums of a column.
    pub fn chains(&self) -> Vec<Chain> {
        let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for &body in &self.body {
            groups.entry(stem(self.name(body))).or_default().push(body);
        }
        let neighbours = self.neighbours();
        let mut chains = Vec::new();
        for (name, members) in groups {
            let own: BTreeSet<usize> = members.iter().copied().collect();
            for path in paths(&own, &neighbours) {
                if path.len() > 1 {
                    let links = path.into_iter().map(|body| vec![body]).collect();
                    chains.push(self.with_supports(Chain { name: name.clone(), links }, &neighbours));
                }
            }
        }
        chains
    }

    /// A chain of selected bodies: in the order of their contacts or, if they form no simple chain, in links of the
    /// same first number that differs in their names (courses of a vault).
    pub fn chain_of(&self, name: &str, bodies: &[usize]) -> Option<Chain> {
        let free: BTreeSet<usize> =
            bodies.iter().copied().filter(|&i| self.model.bodies[i].role == Role::Free).collect();
        let neighbours = self.neighbours();
        let mut found = paths(&free, &neighbours);
        let links: Vec<Vec<usize>> = match (found.len(), found.pop()) {
            (1, Some(path)) if path.len() == free.len() => path.into_iter().map(|body| vec![body]).collect(),
            _ => self.by_number(&free),
        };
        let chain = Chain { name: name.to_owned(), links };
        (chain.links.len() > 1 || free.len() == 1).then(|| self.with_supports(chain, &neighbours))
    }

    /// Bodies in contact with each body.
    fn neighbours(&self) -> Vec<BTreeSet<usize>> {
        let mut neighbours = vec![BTreeSet::new(); self.node.len()];
        for patch in &self.patches {
            let [a, b] = patch.bodies;
            neighbours[a].insert(b);
            neighbours[b].insert(a);
        }
        neighbours
    }

    /// Adds the supports in contact with the first and the last link.
    fn with_supports(&self, mut chain: Chain, neighbours: &[BTreeSet<usize>]) -> Chain {
        let touched = |link: &[usize]| -> Vec<usize> {
            let all: BTreeSet<usize> = link.iter().flat_map(|&body| neighbours[body].iter().copied()).collect();
            all.into_iter().filter(|&i| self.model.bodies[i].role != Role::Free).collect()
        };
        let (first, last) = (chain.links.first().cloned(), chain.links.last().cloned());
        let (Some(first), Some(last)) = (first, last) else { return chain };
        let (start, end) = (touched(&first), touched(&last));
        if !start.is_empty() {
            chain.links.insert(0, start);
        }
        // one link on one support has one end
        if !end.is_empty() && first != last {
            chain.links.push(end);
        }
        chain
    }

    /// Links by the first number in the names that is not the same for all.
    fn by_number(&self, bodies: &BTreeSet<usize>) -> Vec<Vec<usize>> {
        let numbers: Vec<(usize, Vec<u64>)> = bodies.iter().map(|&body| (body, numbers(self.name(body)))).collect();
        let most = numbers.iter().map(|(_, n)| n.len()).max().unwrap_or(0);
        for place in 0..most {
            let mut links: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
            for (body, numbers) in &numbers {
                links.entry(numbers.get(place).copied().unwrap_or(0)).or_default().push(*body);
            }
            if links.len() > 1 {
                return links.into_values().collect();
            }
        }
        vec![bodies.iter().copied().collect()]
    }
}

/// Connected parts of the graph of `members` that are simple paths, in order, each from its lower end in numbering.
fn paths(members: &BTreeSet<usize>, neighbours: &[BTreeSet<usize>]) -> Vec<Vec<usize>> {
    let inside = |body: usize| neighbours[body].iter().copied().filter(|other| members.contains(other));
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for &start in members {
        if seen.contains(&start) {
            continue;
        }
        // everything connected with it
        let mut part = BTreeSet::from([start]);
        let mut front = vec![start];
        while let Some(body) = front.pop() {
            front.extend(inside(body).filter(|&other| part.insert(other)));
        }
        seen.extend(part.iter().copied());
        let ends: Vec<usize> = part.iter().copied().filter(|&body| inside(body).count() < 2).collect();
        let simple = part.iter().all(|&body| inside(body).count() <= 2) && (ends.len() == 2 || part.len() == 1);
        if !simple {
            continue;
        }
        let mut path = vec![ends[0]];
        while let Some(next) = inside(path[path.len() - 1]).find(|other| !path.contains(other)) {
            path.push(next);
        }
        found.push(path);
    }
    found
}

/// A name without its numbers.
fn stem(name: &str) -> String {
    let mut inside = false;
    name.chars()
        .filter(|&c| {
            let keep = !inside && c != '[';
            inside = (inside || c == '[') && c != ']';
            keep
        })
        .collect()
}

/// The numbers in brackets of a name.
fn numbers(name: &str) -> Vec<u64> {
    name.split('[').skip(1).filter_map(|rest| rest.split(']').next()?.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_stems_and_numbers() {
        assert_eq!(stem("wall.course[3].brick[12]"), "wall.course.brick");
        assert_eq!(numbers("wall.course[3].brick[12]"), [3, 12]);
        assert_eq!((stem("pier").as_str(), numbers("pier").len()), ("pier", 0));
    }
}
