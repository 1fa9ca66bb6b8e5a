//! "Did you mean": the nearest valid word.

/// Longer words are compared by their beginning only, which bounds the cost of a comparison.
const COMPARED_LETTERS: usize = 48;

/// The candidate nearest to `word`, if the difference is small enough for a typing error.
///
/// ```
/// # use voussoir_model::suggest::nearest;
/// assert_eq!(nearest("fricton", ["density", "friction"]), Some("friction"));
/// assert_eq!(nearest("colour", ["density", "friction"]), None);
/// ```
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = beginning(word).to_lowercase();
    let limit = (word.chars().count() / 3).max(2);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let lower = beginning(candidate).to_lowercase();
        let mut distance = strsim::damerau_levenshtein(&word, &lower);
        // a plural, an abbreviation or a word with a unit also counts as near
        let (short, long) = if word.len() < lower.len() { (&word, &lower) } else { (&lower, &word) };
        if short.len() >= 3 && 2 * short.len() >= long.len() && long.starts_with(short.as_str()) {
            distance = distance.min(1);
        }
        if distance <= limit && distance < candidate.chars().count() && best.is_none_or(|(d, _)| distance < d) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// `did you mean "x"? valid …: a, b, c`.
pub fn help(what: &str, word: &str, candidates: &[&str]) -> String {
    let list = enumerate(candidates);
    match nearest(word, candidates.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? valid {what}: {list}"),
        None => format!("valid {what}: {list}"),
    }
}

/// The first words of a list, with the number of the rest.
pub fn enumerate(words: &[&str]) -> String {
    const MOST_SHOWN: usize = 24;
    if words.is_empty() {
        return "none".into();
    }
    let mut list = words.iter().take(MOST_SHOWN).copied().collect::<Vec<_>>().join(", ");
    if words.len() > MOST_SHOWN {
        list += &format!(" and {} more", words.len() - MOST_SHOWN);
    }
    list
}

fn beginning(word: &str) -> &str {
    word.char_indices().nth(COMPARED_LETTERS).map_or(word, |(end, _)| &word[..end])
}
