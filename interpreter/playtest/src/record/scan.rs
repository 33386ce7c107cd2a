//! Reading one line of a record.
//!
//! In: a line and its number. Out: names, texts in quotes, decisions; or the column of what does not belong there.

use super::ReadError;

/// A place in a line.
pub(super) struct Scan<'a> {
    line: &'a str,
    number: usize,
    at: usize,
}

impl<'a> Scan<'a> {
    pub(super) fn new(line: &'a str, number: usize) -> Scan<'a> {
        Scan { line, number, at: 0 }
    }

    fn rest(&self) -> &'a str {
        self.line.get(self.at..).unwrap_or_default()
    }

    /// The column, from 1.
    pub(super) fn column(&self) -> usize {
        self.line.get(..self.at).unwrap_or_default().chars().count() + 1
    }

    pub(super) fn error<T>(&self, text: impl Into<String>) -> Result<T, ReadError> {
        Err(ReadError { line: self.number, column: self.column(), text: text.into() })
    }

    /// What stands here, for messages.
    pub(super) fn found(&self) -> String {
        match self.rest().chars().next() {
            Some(c) => format!("`{}`", c.escape_debug()),
            None => "the end of the line".to_owned(),
        }
    }

    /// Skips blanks and comments; `true` at the end of the line.
    pub(super) fn skip(&mut self) -> Result<bool, ReadError> {
        loop {
            let blanks = self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len();
            self.at += blanks;
            if self.rest().starts_with("//") {
                self.at = self.line.len();
            }
            if !self.rest().starts_with('{') {
                return Ok(self.rest().is_empty());
            }
            match self.rest().find('}') {
                Some(end) => self.at += end + 1,
                None => return self.error("this comment has no `}` on its line"),
            }
        }
    }

    pub(super) fn take(&mut self, text: &str) -> bool {
        let here = self.rest().starts_with(text);
        self.at += if here { text.len() } else { 0 };
        here
    }

    pub(super) fn expect(&mut self, text: &str) -> Result<(), ReadError> {
        if self.take(text) { Ok(()) } else { self.error(format!("expected `{text}`, found {}", self.found())) }
    }

    /// Everything up to the first of these characters.
    pub(super) fn until(&mut self, stops: &[char]) -> &'a str {
        let rest = self.rest();
        let end = rest.find(stops).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    /// A text in quotes.
    pub(super) fn quoted(&mut self) -> Result<String, ReadError> {
        let opening = self.at;
        self.expect("\"")?;
        let mut out = String::new();
        let mut chars = self.rest().char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += at + 1;
                    return Ok(out);
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => out.push('\n'),
                    Some((_, 'r')) => out.push('\r'),
                    Some((_, c @ ('"' | '\\'))) => out.push(c),
                    _ => {
                        self.at += at;
                        return self.error("after `\\` in quotes stands one of `\\`, `\"`, `n`, `r`");
                    }
                },
                c => out.push(c),
            }
        }
        self.at = opening;
        self.error("this text in quotes has no end on its line")
    }

    /// A decision with its outcome.
    pub(super) fn token(&mut self) -> Result<String, ReadError> {
        if self.rest().starts_with('"') {
            return self.quoted();
        }
        let rest = self.rest();
        let end = rest.find([',', '{', '}', '"']).unwrap_or(rest.len());
        let end = rest.find("//").map_or(end, |comment| comment.min(end));
        let text = rest.get(..end).unwrap_or_default().trim_end();
        if text.is_empty() {
            return self.error(format!("expected a decision, found {}", self.found()));
        }
        self.at += end;
        Ok(text.to_owned())
    }
}
