//! The name that was probably meant.
//!
//! In: a word and the names that would be valid. Out: the nearest of them, if one is near enough.

/// The candidate most like `word`; of several that are equally near, the first. `None` when all are too far: more than
/// one mistake in three letters (at least one mistake is forgiven in words of two letters or more).
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Names are short; a text of a thousand letters is no misspelt name, and the distance is quadratic.
    let length = word.chars().take(65).count();
    if length > 64 {
        return None;
    }
    let allowed = if length < 2 { 0 } else { (length / 3).max(1) };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate.len().abs_diff(word.len()) > 4 * (allowed + 1) {
            continue;
        }
        let distance = distance(word, candidate);
        if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// A wrong case counts less than a wrong letter, so that `slider` finds `Slider` even among shorter names.
fn distance(word: &str, candidate: &str) -> usize {
    if word == candidate {
        return 0;
    }
    if word.to_lowercase() == candidate.to_lowercase() {
        return usize::from(word.chars().count() > 1);
    }
    strsim::damerau_levenshtein(word, candidate).max(1)
}
