//! Games from elsewhere: headers that we do not know, and turns as the ruleset's template tells them.

use super::scan::Scan;
use super::{Body, ReadError, TEXT_BYTES};

/// A game from elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Foreign {
    /// Names and values of its headers, each with its line.
    pub headers: Vec<(String, String, usize)>,
    /// Its turns.
    pub body: Body,
    /// The line where it begins, from 1.
    pub line: usize,
}

impl Foreign {
    /// A header by its name, in any case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<(&str, usize)> {
        let fits = |(known, ..): &&(String, String, usize)| known.eq_ignore_ascii_case(name);
        self.headers.iter().find(fits).map(|(_, value, line)| (value.as_str(), *line))
    }
}

/// Whether a text is no record of our own: those name their ruleset.
#[must_use]
pub fn is_foreign(text: &str) -> bool {
    !text.lines().any(|line| line.trim_start().starts_with("[Ruleset "))
}

/// Reads the games of a text: headers, then turns, then the next game's headers.
///
/// # Errors
/// The first header that is not written as headers are; a text without turns.
pub fn read_foreign(text: &str) -> Result<Vec<Foreign>, ReadError> {
    if text.len() > TEXT_BYTES {
        let text = format!("a record may have {} MiB, this one has more", TEXT_BYTES >> 20);
        return Err(ReadError { line: 1, column: 1, text });
    }
    let mut games: Vec<Foreign> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        // Such a line is for other programs; it counts all the same.
        let line = if line.starts_with('%') { "" } else { line };
        let header = line.trim_start().starts_with('[');
        let told = games.last().is_some_and(|game| !game.body.is_empty());
        if games.is_empty() && line.trim().is_empty() {
            continue;
        }
        if games.is_empty() || (header && told) {
            games.push(Foreign { line: number, ..Foreign::default() });
        }
        let Some(game) = games.last_mut() else { continue };
        if !header {
            game.body.push(number, line);
            continue;
        }
        let mut scan = Scan::new(line, number);
        scan.skip()?;
        scan.expect("[")?;
        scan.skip()?;
        let name = scan.until(&[' ', '\t', '"', ']']).to_owned();
        scan.skip()?;
        let value = scan.quoted()?;
        scan.skip()?;
        scan.expect("]")?;
        game.headers.push((name, value, number));
    }
    match games.iter().find(|game| game.body.is_empty()) {
        None if games.is_empty() => Err(ReadError { line: 1, column: 1, text: "there is no game".to_owned() }),
        None => Ok(games),
        Some(game) => {
            let text = "this game has no turns".to_owned();
            Err(ReadError { line: game.line, column: 1, text })
        }
    }
}
