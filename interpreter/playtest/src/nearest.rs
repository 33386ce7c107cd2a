//! What was probably meant.
//!
//! In: a text and those that would be right. Out: the most similar of them.

/// Longer texts are no misspelt names, and the distance is quadratic.
const LONGEST: usize = 200;

/// The candidates most like `text`, best first, at most `count`, none of which is wholly different.
pub fn nearest<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    if text.chars().take(LONGEST + 1).count() > LONGEST {
        return Vec::new();
    }
    let lower = text.to_lowercase();
    let mut found: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= LONGEST)
        .map(|candidate| (strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| distance * 2 <= candidate.chars().count().max(lower.chars().count()))
        .collect();
    found.sort_unstable();
    found.truncate(count);
    found.into_iter().map(|(_, candidate)| candidate).collect()
}

/// ` (did you mean …?)` when something is near, else nothing.
pub fn advice<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    // A wrong word is worse than none.
    let length = |word: &str| word.trim_start_matches('-').chars().count();
    let like = |near: &&str| {
        let distance = strsim::damerau_levenshtein(&text.to_lowercase(), &near.to_lowercase());
        distance * 3 <= length(text).max(length(near)) + 1
    };
    match nearest(text, candidates, 1).into_iter().find(like) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => String::new(),
    }
}
