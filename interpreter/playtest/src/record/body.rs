//! Turns as the ruleset's own template tells them, read while they are played.
//!
//! At each place stands one of the legal actions, in the record's notation: so what is written and what is read cannot
//! differ. Comments in braces, after `;` or `//`, variations in parentheses, numbers of turns and signs of praise or blame
//! are passed over.

use fullcourt_engine::action::Action;
use fullcourt_engine::ir::RecordDef;
use fullcourt_engine::notation::Notated;
use fullcourt_engine::session::Session;

use super::replay::{Difference, Replayed};
use crate::look_up::{Found, look_up};
use crate::nearest::nearest;
use crate::play::outcome;

/// Lines of a record that belong together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    text: String,
    /// The number of the first line, from 1.
    first: usize,
}

impl Body {
    /// Adds a line; lines come one after another.
    pub fn push(&mut self, number: usize, line: &str) {
        if self.text.is_empty() {
            self.first = number;
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Whether nothing is told.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// Plays what a body tells. `strict`: heads of turns and outcomes must be as the game has them, as in a record of our own;
/// else they may be left out.
#[must_use]
pub fn replay_body(body: &Body, def: &RecordDef, game: &mut dyn Session, strict: bool) -> Replayed {
    let mut cursor = Cursor { body, at: 0, decisions: 0, turn: 0, decision: 0 };
    let difference = cursor.play(def, game, strict).err().map(|difference| *difference);
    Replayed { decisions: cursor.decisions, difference }
}

struct Cursor<'a> {
    body: &'a Body,
    at: usize,
    decisions: usize,
    turn: usize,
    decision: usize,
}

type Outcome = Result<(), Box<Difference>>;

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        self.body.text.get(self.at..).unwrap_or_default()
    }

    fn take(&mut self, text: &str) -> bool {
        let here = !text.is_empty() && self.rest().starts_with(text);
        self.at += if here { text.len() } else { 0 };
        here
    }

    fn differs<T>(&self, what: &str, expected: &str, found: String) -> Result<T, Box<Difference>> {
        let before = self.body.text.get(..self.at).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Err(Box::new(Difference {
            line: self.body.first + before.matches('\n').count(),
            column: before.get(line_start..).unwrap_or_default().chars().count() + 1,
            turn: self.turn,
            decision: self.decision,
            what: what.to_owned(),
            expected: expected.to_owned(),
            found,
            refusals: Vec::new(),
        }))
    }

    /// The word at the cursor, for messages.
    fn word(&self, def: &RecordDef) -> String {
        let stop = def.between.trim().chars().next();
        let end = self.rest().find(|c: char| c.is_whitespace() || Some(c) == stop).unwrap_or(self.rest().len());
        let word: String = self.rest().get(..end).unwrap_or_default().chars().take(60).collect();
        if word.is_empty() { "nothing".to_owned() } else { word }
    }

    /// Blanks, comments and variations.
    fn skip(&mut self) -> Outcome {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            let rest = self.rest();
            if rest.starts_with(';') || rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with('{') {
                match rest.find('}') {
                    Some(end) => self.at += end + 1,
                    None => {
                        return self.differs(
                            "a comment",
                            "a comment without its `}`",
                            "nothing is read behind it".to_owned(),
                        );
                    }
                }
            } else if rest.starts_with('(') {
                self.variation()?;
            } else if rest.starts_with('$') {
                self.at += 1 + rest.get(1..).unwrap_or_default().bytes().take_while(u8::is_ascii_digit).count();
            } else {
                return Ok(());
            }
        }
    }

    fn variation(&mut self) -> Outcome {
        let mut depth = 0;
        let mut comment = false;
        for (at, c) in self.rest().char_indices() {
            match c {
                '{' => comment = true,
                '}' => comment = false,
                '(' if !comment => depth += 1,
                ')' if !comment => depth -= 1,
                _ => {}
            }
            if depth == 0 && !comment {
                self.at += at + 1;
                return Ok(());
            }
        }
        self.differs("a variation", "a variation without its `)`", "nothing is read behind it".to_owned())
    }

    /// `12.` or `12...`
    fn number(&mut self) -> bool {
        let rest = self.rest();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let dots = rest.bytes().skip(digits).take_while(|byte| *byte == b'.').count();
        let is_number = dots > 0;
        self.at += if is_number { digits + dots } else { 0 };
        is_number
    }

    fn play(&mut self, def: &RecordDef, game: &mut dyn Session, strict: bool) -> Outcome {
        let record = game.rules().records.iter().position(|known| known.name == def.name).unwrap_or(0);
        let mut before = None;
        loop {
            self.skip()?;
            let head = game.record_head(record).or_else(|fault| self.differs("a rule", "", fault.text))?;
            let now = game.to_act().map(|side| (side, head));
            if let (true, Some((_, head))) = (before != now, &now) {
                (self.turn, self.decision) = (self.turn + 1, 0);
                let head = head.trim();
                if !self.take(head)
                    && strict
                    && !head.is_empty()
                    && !self.rest().is_empty()
                    && self.result(def).is_none()
                {
                    let found = self.word(def);
                    return self.differs("how the turn begins", &found, head.to_owned());
                }
                self.skip()?;
            }
            before = now;
            while self.number() {
                self.skip()?;
            }
            if self.rest().is_empty() {
                return Ok(());
            }
            if let Some((index, length)) = self.result(def) {
                return self.end(def, game, index, length);
            }
            self.decision += 1;
            self.step(def, game, strict)?;
            self.decisions += 1;
            self.skip()?;
            self.take(def.between.trim());
        }
    }

    /// The word for a result at the cursor: its number and length.
    fn result(&self, def: &RecordDef) -> Option<(usize, usize)> {
        let rest = self.rest();
        let ends = |word: &str| {
            rest.get(word.len()..).is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
        };
        let fits = def.results.iter().enumerate().filter(|(_, word)| rest.starts_with(word.as_str()) && ends(word));
        fits.max_by_key(|(_, word)| word.len()).map(|(index, word)| (index, word.len()))
    }

    /// A result: nothing may follow, and the rules must agree once the game is over by them.
    fn end(&mut self, def: &RecordDef, game: &dyn Session, index: usize, length: usize) -> Outcome {
        let sides = game.rules().sides.len();
        let right = game.winner().unwrap_or(sides);
        if game.is_over() && index != right {
            let found = def.results.get(right).cloned().unwrap_or_default();
            return self.differs("the result", &def.results[index], found);
        }
        self.at += length;
        self.skip()?;
        if self.rest().is_empty() {
            return Ok(());
        }
        let found = self.word(def);
        self.differs("the end", &found, "nothing follows a result; another game begins with its headers".to_owned())
    }

    fn step(&mut self, def: &RecordDef, game: &mut dyn Session, strict: bool) -> Outcome {
        if game.is_over() {
            let found = self.word(def);
            let result = super::result_text(&game.result());
            return self.differs("who acts", &found, format!("the game is over: {result}"));
        }
        let legal = game.legal().or_else(|fault| self.differs("a rule", "", fault.text))?;
        let notated = game.notated(&def.notation, &legal, &legal);
        let notated = notated.or_else(|fault| self.differs("a rule", "", fault.text))?;
        let mut best: Vec<(Action, usize)> = Vec::new();
        for (action, text) in legal.iter().zip(&notated) {
            let Some(length) = self.fits(def, text) else { continue };
            if best.first().is_none_or(|(_, old)| length >= *old) {
                best.retain(|(_, old)| *old == length);
                best.push((*action, length));
            }
        }
        let word = self.word(def);
        let &[(action, length)] = best.as_slice() else {
            let found = match best.len() {
                0 => self.advice(game, &word, &notated),
                count => format!("{count} legal actions are written so"),
            };
            return self.differs("the decision", &word, found);
        };
        let events =
            game.play(action).or_else(|fault| self.differs("a rule could not be carried out", &word, fault.text))?;
        self.at += length;
        let outcome = outcome(&events);
        if !outcome.is_empty() && !self.take(&outcome) && strict {
            return self.differs(&format!("what comes of `{word}`"), "nothing", outcome.trim().to_owned());
        }
        Ok(())
    }

    /// How many bytes a notated action takes at the cursor, with the signs behind it; `None` if it does not stand there.
    fn fits(&self, def: &RecordDef, text: &Notated) -> Option<usize> {
        let rest = self.rest();
        let after = rest.strip_prefix(text.text.as_str())?;
        let after = after.strip_prefix(text.after.as_str()).unwrap_or(after);
        let after = after.trim_start_matches(['+', '#', '!', '?']);
        let stop = def.between.trim().chars().next();
        let ends = |c: char| c.is_whitespace() || Some(c) == stop || "{;($".contains(c);
        after.chars().next().is_none_or(ends).then_some(rest.len() - after.len())
    }

    /// Why a word is no legal action.
    fn advice(&self, game: &dyn Session, word: &str, notated: &[Notated]) -> String {
        if let Ok(Found::Refused(refusals)) = look_up(game, word)
            && let Some(first) = refusals.first()
        {
            let cite = if first.cite.is_empty() { String::new() } else { format!(" ({})", first.cite) };
            return format!("it is not legal: {}{cite}", first.text);
        }
        let near = nearest(word, notated.iter().map(|text| text.text.as_str()), 3);
        if near.is_empty() {
            "no such action is legal".to_owned()
        } else {
            format!("no such action is legal; like it are {}", near.join(", "))
        }
    }
}
