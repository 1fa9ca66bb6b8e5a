//! Mistakes beyond the first one of a scene.
//!
//! A reader stops at the first mistake. Here it is mended in a copy of the text and the copy is read again: a key gets the name
//! that was suggested for it, any other line is left out. What follows from the mending (a key that is now missing) ends the
//! search.

use std::path::Path;

use crate::build::build;
use crate::error::SceneError;
use crate::scene::Scene;

/// Mistakes that are looked for besides the first one.
const MOST: usize = 9;

/// Mistakes of the same scene after the first one, with their lines in the original text; files are looked for in `base`.
pub fn further_mistakes(first: &SceneError, base: &Path) -> Vec<SceneError> {
    let mut found: Vec<SceneError> = Vec::new();
    let (mut text, mut last) = (first.text.to_string(), first.clone());
    while found.len() < MOST {
        let Some(mended) = mended(&text, &last) else { break };
        text = mended;
        let read = Scene::parse(&text, &first.file).and_then(|scene| build(&scene, base).map(|_| ()));
        let Err(next) = read else { break };
        let seen = |other: &SceneError| other.line == next.line && other.message == next.message;
        if next.line == 0 || next.message.contains("missing") || seen(first) || found.iter().any(seen) {
            break;
        }
        found.push(next.clone());
        last = next;
    }
    found
}

/// The text without a mistake; lines keep their numbers.
fn mended(text: &str, error: &SceneError) -> Option<String> {
    let suggested = error.help.as_deref().and_then(|help| help.strip_prefix("did you mean `")?.split('`').next());
    if let (Some(name), true) = (suggested, error.message.starts_with("unknown key")) {
        let mut mended = text.to_owned();
        text.get(error.span.clone()).filter(|key| !key.contains('\n'))?;
        mended.replace_range(error.span.clone(), name);
        return Some(mended);
    }
    let line = text.lines().nth(error.line.checked_sub(1)?)?;
    // a whole line with one key; anything else would leave brackets open
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
