//! Selections: names, groups, ranges, patterns, tags, materials and boxes to bodies.
//!
//! A name has parts between dots, `wall.course[3].brick[5]`. A selection matches the first parts of a name:
//! - `wall` and `wall.course[3]` are everything inside, `wall.course` all courses;
//! - `[3..7]` is 3 to 7, both ends included; `[*]` is any number; `*` any letters of one part;
//! - a last part that is a tag takes the bodies of the group with that tag: `arch.springers`;
//! - `#tag` and `material:name` search all bodies; a box selects the bodies with the centroid inside.

use std::collections::{BTreeSet, HashMap};

use voussoir_geometry::Vector;
use voussoir_mechanics::model::Body;

use super::check::SceneCheck;
use super::dimension::Dimension;
use crate::error::SceneError;
use crate::place::Place;
use crate::scene::Scene;
use crate::scene::actions::{Select, Selection};
use crate::suggest;

/// Index of all bodies.
pub struct Register<'a, S: Dimension> {
    scene: &'a Scene,
    bodies: &'a [Body<S>],
    by_name: HashMap<&'a str, usize>,
}

impl<'a, S: Dimension> Register<'a, S> {
    /// Lists the bodies by name.
    pub fn new(scene: &'a Scene, bodies: &'a [Body<S>]) -> Self {
        let by_name = bodies.iter().enumerate().map(|(i, body)| (body.name.as_str(), i)).collect();
        Self { scene, bodies, by_name }
    }

    /// Indices of the selected bodies, in order, each once. An empty result is an error.
    pub fn find(
        &self,
        check: &SceneCheck<'_>,
        place: &Place<'_>,
        selection: &Selection,
    ) -> Result<Vec<usize>, SceneError> {
        match selection {
            Selection::One(item) => self.find_item(check, place, item),
            Selection::Many(items) => {
                if items.is_empty() {
                    return Err(check.error(place, "the selection is empty"));
                }
                let mut all = BTreeSet::new();
                for (i, item) in items.iter().enumerate() {
                    all.extend(self.find_item(check, &place.index(i), item)?);
                }
                Ok(all.into_iter().collect())
            }
        }
    }

    fn find_item(&self, check: &SceneCheck<'_>, place: &Place<'_>, item: &Select) -> Result<Vec<usize>, SceneError> {
        match item {
            Select::Inside(inside) => {
                let origin = S::Vector::from_slice(&check.origin);
                let min = check.vector::<S>(&place.key("min"), "`min`", &inside.min)? - origin;
                let max = check.vector::<S>(&place.key("max"), "`max`", &inside.max)? - origin;
                let within = |p: S::Vector| (0..S::DIM).all(|i| (min.get(i)..=max.get(i)).contains(&p.get(i)));
                let found = self.filter(|body| within(body.pose.position));
                if found.is_empty() {
                    return Err(check.error(place, "no body has its centroid in this box"));
                }
                Ok(found)
            }
            Select::Named(text) => {
                if let Some(&index) = self.by_name.get(text.as_str()) {
                    return Ok(vec![index]);
                }
                let found = self.find_text(check, place, text)?;
                if found.is_empty() { Err(self.nothing(check, place, text)) } else { Ok(found) }
            }
        }
    }

    fn find_text(&self, check: &SceneCheck<'_>, place: &Place<'_>, text: &str) -> Result<Vec<usize>, SceneError> {
        if let Some(tag) = text.strip_prefix('#') {
            return Ok(self.filter(|body| body.tags.iter().any(|t| t == tag)));
        }
        if let Some(name) = text.strip_prefix("material:") {
            let known: Vec<&str> = self.scene.materials.keys().map(String::as_str).collect();
            let Ok(index) = known.binary_search(&name) else {
                return Err(check.error(place, format!("there is no material \"{name}\"")).with_help(suggest::help(
                    "materials",
                    name,
                    &known,
                )));
            };
            return Ok(self.filter(|body| body.material == index));
        }
        let pattern: Vec<Part<'_>> =
            split(text).into_iter().map(Part::parse).collect::<Option<_>>().ok_or_else(|| {
                check.error(place, format!("\"{text}\" is not a selection")).with_help(
                    "examples: \"wall\", \"arch.voussoir[9]\", \"arch.voussoir[3..7]\", \"wall.*\", \"#tag\"",
                )
            })?;
        Ok(self.filter(|body| matches(&pattern, body)))
    }

    fn filter(&self, keep: impl Fn(&Body<S>) -> bool) -> Vec<usize> {
        self.bodies.iter().enumerate().filter(|(_, body)| keep(body)).map(|(i, _)| i).collect()
    }

    /// Error for a selection without bodies, with the available names.
    fn nothing(&self, check: &SceneCheck<'_>, place: &Place<'_>, text: &str) -> SceneError {
        let error = check.error(place, format!("the selection \"{text}\" finds no body"));
        // an index beyond the last one is the most likely error
        if let Some((stem, _)) = text.rsplit_once('[') {
            let last = |body: &Body<S>| {
                let rest = body.name.strip_prefix(stem)?.strip_prefix('[')?;
                rest.split(']').next()?.parse::<u64>().ok()
            };
            if let Some(last) = self.bodies.iter().filter_map(last).max() {
                return error.with_help(format!("\"{stem}\" has the numbers 0 to {last}"));
            }
        }
        // names without numbers, group tags and tags
        let mut words = BTreeSet::new();
        for body in self.bodies {
            let stem: String = without_numbers(&body.name);
            let group = body.name.split('.').next().unwrap_or_default();
            words.extend(body.tags.iter().map(|tag| format!("{group}.{tag}")));
            words.extend(body.tags.iter().map(|tag| format!("#{tag}")));
            words.insert(group.to_string());
            words.insert(stem);
            if words.len() > 2000 {
                break;
            }
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        error.with_help(suggest::help("selections", &without_numbers(text), &words))
    }
}

fn without_numbers(name: &str) -> String {
    let mut depth = 0;
    name.chars()
        .filter(|c| {
            depth += i32::from(*c == '[');
            let keep = depth <= 0;
            depth -= i32::from(*c == ']');
            keep
        })
        .collect()
}

/// Parts between dots; the dots of `[3..7]` are not separators.
fn split(text: &str) -> Vec<&str> {
    let mut inside = false;
    text.split(|c| {
        inside = (inside || c == '[') && c != ']';
        c == '.' && !inside
    })
    .collect()
}

/// One part of a pattern, between dots.
struct Part<'a> {
    word: &'a str,
    number: Number,
}

#[derive(Clone, Copy, PartialEq)]
enum Number {
    /// No brackets: with or without a number.
    Any,
    /// First and last.
    Range(u64, u64),
}

impl<'a> Part<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let Some((word, rest)) = text.split_once('[') else {
            return (!text.is_empty() && !text.contains(']')).then_some(Self { word: text, number: Number::Any });
        };
        let inside = rest.strip_suffix(']')?;
        let number = match inside.split_once("..") {
            _ if inside == "*" => Number::Range(0, u64::MAX),
            Some((first, last)) => {
                let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
                (first <= last).then_some(Number::Range(first, last))?
            }
            None => {
                let index = inside.trim().parse().ok()?;
                Number::Range(index, index)
            }
        };
        (!word.is_empty()).then_some(Self { word, number })
    }

    fn matches(&self, part: &str) -> bool {
        let (word, number) = match part.split_once('[') {
            Some((word, rest)) => (word, rest.trim_end_matches(']').parse::<u64>().ok()),
            None => (part, None),
        };
        let right_number = match self.number {
            Number::Any => true,
            Number::Range(first, last) => number.is_some_and(|n| (first..=last).contains(&n)),
        };
        right_number && glob(self.word.as_bytes(), word.as_bytes())
    }
}

/// True if the pattern matches the first parts of the name, or a group and then a tag.
fn matches<S: Dimension>(pattern: &[Part<'_>], body: &Body<S>) -> bool {
    let mut name = body.name.split('.');
    for (i, part) in pattern.iter().enumerate() {
        let Some(own) = name.next() else { return false };
        if part.matches(own) {
            continue;
        }
        let last = i + 1 == pattern.len() && i > 0 && part.number == Number::Any;
        return last && body.tags.iter().any(|tag| tag == part.word);
    }
    true
}

/// `*` stands for any letters. Linear memory, at most pattern × text steps.
fn glob(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while t < text.len() {
        if p < pattern.len() && pattern[p] == b'*' {
            retry = Some((p, t));
            p += 1;
        } else if p < pattern.len() && pattern[p] == text[t] {
            (p, t) = (p + 1, t + 1);
        } else if let Some((star, from)) = retry {
            retry = Some((star, from + 1));
            (p, t) = (star + 1, from + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|c| *c == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_match_any_letters() {
        for (pattern, text, expected) in
            [("*", "", true), ("a*c", "abbc", true), ("a*c", "abb", false), ("**b", "aab", true), ("ab", "abc", false)]
        {
            assert_eq!(glob(pattern.as_bytes(), text.as_bytes()), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn parts_have_words_and_numbers() {
        assert_eq!(split("a.b[3..7].c"), ["a", "b[3..7]", "c"]);
        assert!(Part::parse("brick[2..4]").is_some_and(|p| p.matches("brick[4]") && !p.matches("brick[5]")));
        assert!(Part::parse("brick").is_some_and(|p| p.matches("brick[4]") && p.matches("brick")));
        for wrong in ["", "[3]", "brick[", "brick[4..2]", "brick[x]", "brick]"] {
            assert!(Part::parse(wrong).is_none(), "{wrong}");
        }
    }
}
