//! Mistakes beyond the first one of a scene.
//!
//! A reader stops at the first mistake. This module corrects it in a copy of the text and reads the copy again: a word
//! is replaced by the suggested or the first valid one, a number by its absolute value or 1, a list by one of the right
//! length, or the line is removed. Consequences of the correction (a key that is now missing, blocks that overlap where
//! the correction has put them) are not mistakes of the scene.

use std::path::Path;

use crate::build::build;
use crate::error::SceneError;
use crate::scene::Scene;

/// Largest number of mistakes that are reported besides the first one.
const MOST_MISTAKES: usize = 9;

/// Mistakes of the same scene besides the first one, by their lines in the original text; paths are relative to `base`.
pub fn further_mistakes(first: &SceneError, base: &Path) -> Vec<SceneError> {
    let mut all = vec![first.clone()];
    let mut text = first.text.to_string();
    while all.len() <= MOST_MISTAKES {
        let Some((mended, next)) = next_mistake(&text, &all, base) else { break };
        text = mended;
        all.push(next);
    }
    let mut further = all.split_off(1);
    further.sort_by_key(|error| error.line);
    further
}

/// The text with the last known mistake corrected, and the next mistake.
fn next_mistake(text: &str, known: &[SceneError], base: &Path) -> Option<(String, SceneError)> {
    let last = known.last()?;
    let replaced = replacements(text, last);
    // without the line a key may be missing, which is not a mistake of the scene
    let missing = |next: &SceneError| next.message.contains("missing") || next.message.contains(" needs `");
    let neither = |next: &SceneError| next.message.contains(" has neither `") && same_table(text, next.line, last.line);
    // numbers of the correction are not those that were meant
    let follows = |next: &SceneError, left_out: bool| match left_out {
        true => missing(next) || neither(next),
        false => next.message.contains(" overlap by "),
    };
    let trials =
        replaced.into_iter().map(|text| (text, false)).chain(without_line(text, last).map(|text| (text, true)));
    for (mended, left_out) in trials {
        let read = Scene::parse(&mended, &last.file).and_then(|scene| build(&scene, base).map(|_| ()));
        let next = read.err()?;
        let seen = known.iter().any(|other| other.line == next.line && other.message == next.message);
        let elsewhere = (next.line, next.column) != (last.line, last.column);
        if next.line != 0 && elsewhere && !seen && !follows(&next, left_out) {
            return Some((mended, next));
        }
    }
    None
}

/// Texts with another word or number in place of a mistake: the suggested word; for a number its absolute value, and 1.
fn replacements(text: &str, error: &SceneError) -> Vec<String> {
    let Some(written) = text.get(error.span.clone()).filter(|written| !written.contains('\n')) else {
        return Vec::new();
    };
    let mut words = Vec::new();
    if let Some(name) = error.help.as_deref().and_then(|help| help.strip_prefix("did you mean `")?.split('`').next()) {
        words.push(if written.starts_with('"') { format!("\"{name}\"") } else { name.to_owned() });
    }
    // the first of the valid words
    let valid = error.help.as_deref().filter(|help| help.starts_with("valid ")).and_then(|help| help.split_once(": "));
    if let (Some(name), true) = (valid.and_then(|(_, names)| names.split(',').next()), written.starts_with('"')) {
        words.push(format!("\"{name}\""));
    }
    words.extend(right_length(written, &error.message));
    if let Ok(number) = written.trim().parse::<f64>() {
        words.extend([number.abs().to_string(), "1".to_owned()]);
    }
    let with = |word: String| {
        let mut mended = text.to_owned();
        mended.replace_range(error.span.clone(), &word);
        mended
    };
    words.into_iter().map(with).collect()
}

/// A list of as many numbers as the message asks for: "the force has 2 numbers; a 3D scene needs 3".
fn right_length(written: &str, message: &str) -> Option<String> {
    let count: usize = message.split_once(" numbers; ")?.1.split_once(" needs ")?.1.parse().ok()?;
    let inside = written.strip_prefix('[')?.strip_suffix(']')?;
    let mut numbers: Vec<&str> = inside.split(',').map(str::trim).filter(|number| !number.is_empty()).collect();
    numbers.resize(count, "0.0");
    Some(format!("[{}]", numbers.join(", ")))
}

/// True if no table begins between the line at which a table begins and another line.
fn same_table(text: &str, begin: usize, line: usize) -> bool {
    let mut between = text.lines().take(line).skip(begin);
    begin <= line && !between.any(|line| line.trim_start().starts_with('['))
}

/// The text without the line of a mistake; lines keep their numbers.
fn without_line(text: &str, error: &SceneError) -> Option<String> {
    let line = text.lines().nth(error.line.checked_sub(1)?)?;
    // only a whole line with one key; otherwise brackets could stay open
    let balanced = ["[]", "{}"].iter().all(|pair| {
        let count = |which: usize| line.chars().filter(|c| pair.chars().nth(which) == Some(*c)).count();
        count(0) == count(1)
    });
    if !line.contains('=') || !balanced || line.contains("\"\"\"") || line.contains("'''") {
        return None;
    }
    let kept: Vec<&str> = text.lines().enumerate().map(|(i, own)| if i + 1 == error.line { "" } else { own }).collect();
    Some(kept.join("\n"))
}
