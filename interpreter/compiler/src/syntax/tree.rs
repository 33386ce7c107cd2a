//! Help for turning pest's pairs into nodes.
//!
//! In: pairs of one chunk. Out: their children without words and signs, spans in the file, names, texts and numbers. What
//! the grammar guarantees to be there is still asked for politely: a missing child becomes an empty placeholder.

use super::ast::{Cites, Name, Text};
use super::rules::Rule;
use super::words::keyword;
use crate::diagnostics::{FileId, Problem, Span};
use pest::iterators::Pair;
use std::iter::Peekable;
use std::vec::IntoIter;

/// Reads the pairs of one chunk.
pub(super) struct Reader<'t> {
    /// The file.
    pub file: FileId,
    /// Where the chunk begins in it.
    pub base: usize,
    /// Start and end of the tokens of the file.
    pub tokens: &'t [(usize, usize)],
    /// What is wrong.
    pub problems: Vec<Problem>,
}

/// The children of a pair, words and signs left out.
pub(super) struct Kids<'i> {
    list: Peekable<IntoIter<Pair<'i, Rule>>>,
}

impl<'i> Kids<'i> {
    /// The children of a pair.
    pub fn of(pair: Pair<'i, Rule>) -> Kids<'i> {
        let list: Vec<_> = pair.into_inner().filter(|kid| keyword(kid.as_rule()).is_none()).collect();
        Kids { list: list.into_iter().peekable() }
    }

    /// The next child if it is of this rule.
    pub fn pick(&mut self, rule: Rule) -> Option<Pair<'i, Rule>> {
        self.list.next_if(|kid| kid.as_rule() == rule)
    }

    /// Whether the next child is of this rule; it is left out then.
    pub fn has(&mut self, rule: Rule) -> bool {
        self.pick(rule).is_some()
    }
}

impl<'i> Iterator for Kids<'i> {
    type Item = Pair<'i, Rule>;

    fn next(&mut self) -> Option<Pair<'i, Rule>> {
        self.list.next()
    }
}

impl Reader<'_> {
    /// Where a pair stands. Pest lets a rule with an optional end reach over the white space and comments behind it, so the
    /// end is that of the last token inside.
    pub fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        let (start, end) = (span.start() + self.base, span.end() + self.base);
        let before = self.tokens.partition_point(|token| token.0 < end);
        let last = before.checked_sub(1).and_then(|at| self.tokens.get(at));
        let end = last.map_or(end, |token| token.1.min(end));
        Span::new(self.file, start, end)
    }

    /// A word as it stands.
    pub fn name(&self, pair: &Pair<'_, Rule>) -> Name {
        Name { text: pair.as_str().to_string(), span: self.span(pair) }
    }

    /// The next child as a word.
    pub fn next_name(&self, kids: &mut Kids<'_>) -> Name {
        kids.next().map_or_else(Name::default, |pair| self.name(&pair))
    }

    /// The next child as a word if it is a name.
    pub fn maybe_name(&self, kids: &mut Kids<'_>) -> Option<Name> {
        kids.pick(Rule::name).map(|pair| self.name(&pair))
    }

    /// All names that come next.
    pub fn names(&self, kids: &mut Kids<'_>) -> Vec<Name> {
        std::iter::from_fn(|| self.maybe_name(kids)).collect()
    }

    /// Text in quotes.
    pub fn text(&self, pair: &Pair<'_, Rule>) -> Text {
        let span = self.span(pair);
        let inner = pair.as_str().strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        let inside = Span { start: span.start + 1, end: span.end.saturating_sub(1).max(span.start + 1), ..span };
        Text { text: inner.unwrap_or("").to_string(), span: inside }
    }

    /// The next child as text if it is one.
    pub fn maybe_text(&self, kids: &mut Kids<'_>) -> Option<Text> {
        kids.pick(Rule::string).map(|pair| self.text(&pair))
    }

    /// The next child as text.
    pub fn next_text(&self, kids: &mut Kids<'_>) -> Text {
        self.maybe_text(kids).unwrap_or_default()
    }

    /// A number. What is too large is reported and becomes the largest number.
    pub fn number(&mut self, pair: &Pair<'_, Rule>) -> i64 {
        match pair.as_str().parse::<i32>() {
            Ok(number) => i64::from(number),
            Err(_) => {
                let message = format!("a number is at most {}", i32::MAX);
                self.problems.push(Problem::error("syntax-number", self.span(pair), message));
                i64::from(i32::MAX)
            }
        }
    }

    /// The next child as a number.
    pub fn next_number(&mut self, kids: &mut Kids<'_>) -> i64 {
        kids.next().map_or(0, |pair| self.number(&pair))
    }

    /// Adds the paragraphs and the words that come next, as one pair or as several.
    pub fn more_cites(&self, kids: &mut Kids<'_>, cites: &mut Cites) {
        while let Some(pair) = kids.pick(Rule::cites) {
            self.more_cites(&mut Kids::of(pair), cites);
        }
        while let Some(pair) = kids.pick(Rule::cite) {
            if !cites.cite.is_empty() {
                cites.cite.push(' ');
            }
            cites.cite.push_str(pair.as_str());
        }
        if !cites.cite.is_empty() && cites.text.is_empty() {
            cites.text = self.maybe_text(kids).map(|text| text.text).unwrap_or_default();
        }
    }

    /// The paragraphs and the words that come next.
    pub fn cites(&self, kids: &mut Kids<'_>) -> Cites {
        let mut cites = Cites::default();
        self.more_cites(kids, &mut cites);
        cites
    }
}
