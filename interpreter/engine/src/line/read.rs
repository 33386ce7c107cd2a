//! What a position text says.

use super::{letter, words_of};
use crate::ir::{CounterId, Field, Gaps, Plane, PositionDef, ReserveId, Rules, Slot, SlotTy, SpanId};

/// Where and why a text is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at character {at}: {text}")]
pub struct LineError {
    /// The character, from 1.
    pub at: usize,
    /// What is wrong.
    pub text: String,
}

/// One thing that a text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// A piece of a side and a kind stands on a place.
    Man(usize, usize, usize),
    /// A number of the position.
    Slot(Slot, i32),
    /// A place is in a set.
    Bit(Plane, usize),
    /// A counter of the piece on a place.
    Counter(CounterId, usize, i32),
    /// A reserve of a side has one more of a kind.
    Reserve(ReserveId, usize, usize),
    /// A span is open and belongs to a side.
    Owner(SpanId, usize),
    /// The phase.
    Phase(usize),
}

/// The most pieces of a kind in a reserve, as in a state.
const MOST_IN_RESERVE: usize = 4096;

/// The longest text that is read.
const LONGEST: usize = 1 << 16;

/// Reads a text.
///
/// # Errors
/// The first place that does not fit the template.
pub fn read(rules: &Rules, def: &PositionDef, text: &str) -> Result<Vec<Said>, LineError> {
    let mut reader = Reader { rules, text, at: 0, said: Vec::new(), also: String::new() };
    if text.len() > LONGEST {
        return reader.wrong(format!("the text is longer than {} KiB", LONGEST >> 10));
    }
    for field in &def.fields {
        reader.field(field)?;
    }
    if reader.rest().is_empty() { Ok(reader.said) } else { reader.expected("the end") }
}

struct Reader<'a> {
    rules: &'a Rules,
    text: &'a str,
    at: usize,
    said: Vec<Said>,
    /// What could also have stood before the text that comes next.
    also: String,
}

type Read<T> = Result<T, LineError>;

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn wrong<T>(&self, text: String) -> Read<T> {
        let at = self.text.get(..self.at).unwrap_or_default().chars().count() + 1;
        Err(LineError { at, text })
    }

    fn expected<T>(&self, what: &str) -> Read<T> {
        let found: String = self.rest().chars().take(12).collect();
        let found = if found.is_empty() { "the end".to_owned() } else { format!("`{found}`") };
        self.wrong(format!("expected {what}, found {found}"))
    }

    fn take(&mut self, text: &str) -> bool {
        let here = self.rest().starts_with(text);
        self.at += if here { text.len() } else { 0 };
        here
    }

    /// The longest of some words that stands here.
    fn word<'w>(&mut self, words: impl Iterator<Item = &'w str>) -> Option<usize> {
        let rest = self.rest();
        let fits = words.enumerate().filter(|(_, word)| !word.is_empty() && rest.starts_with(word));
        let (index, word) = fits.max_by_key(|(_, word)| word.len())?;
        self.at += word.len();
        Some(index)
    }

    fn field(&mut self, field: &Field) -> Read<()> {
        match field {
            Field::Text(text) => {
                let also = std::mem::take(&mut self.also);
                if self.take(text) {
                    return Ok(());
                }
                self.expected(&format!("{also}`{text}`"))
            }
            Field::Men { down, between, gaps } => self.men(*down, between, gaps),
            Field::Slot { slot, count, words, between, none } => {
                for index in 0..*count {
                    if index > 0 && !self.take(between) {
                        return self.expected(&format!("`{between}`"));
                    }
                    let slot = slot.plus(index);
                    let value = self.value(slot, words, none.as_deref())?;
                    self.said.push(Said::Slot(slot, value));
                }
                Ok(())
            }
            Field::Plane { plane, none } => {
                let mut found = false;
                let mut places = std::collections::BTreeSet::new();
                while let Some(place) = self.square() {
                    if !places.insert(place) {
                        return self.wrong(format!("{} stands there twice", self.rules.board.name(place)));
                    }
                    self.said.push(Said::Bit(*plane, place));
                    found = true;
                }
                if found || self.take(none) { Ok(()) } else { self.expected(&format!("squares or `{none}`")) }
            }
            Field::Counter { counter, none } => self.counter(*counter, none),
            Field::Flags { plane, flags, none } => {
                let mut taken = vec![false; flags.len()];
                while let Some(index) = self.word(flags.iter().map(|(word, _)| word.as_str())) {
                    if std::mem::replace(&mut taken[index], true) {
                        self.at -= flags[index].0.len();
                        return self.wrong(format!("`{}` stands there twice", flags[index].0));
                    }
                    self.said.push(Said::Bit(*plane, flags[index].1));
                }
                let words: Vec<&str> = flags.iter().map(|(word, _)| word.as_str()).collect();
                if taken.contains(&true) || self.take(none) {
                    return Ok(());
                }
                self.expected(&format!("some of {}, or `{none}`", words.join(" ")))
            }
            Field::Reserve(id) => {
                let start = self.at;
                let mut counts = vec![0; 2 * self.rules.kinds.len()];
                while let Some((side, kind)) = self.man() {
                    self.said.push(Said::Reserve(*id, side, kind));
                    counts[side * self.rules.kinds.len() + kind] += 1;
                }
                if counts.iter().any(|count| *count > MOST_IN_RESERVE) {
                    self.at = start;
                    return self.wrong(format!("a reserve has at most {MOST_IN_RESERVE} pieces of a kind"));
                }
                self.also = format!("{} or ", self.a_piece());
                Ok(())
            }
            Field::Owner { span, words, none } => {
                let words = words_of(self.rules, words, SlotTy::Side);
                match self.word(words.iter().map(String::as_str)) {
                    Some(side) => self.said.push(Said::Owner(*span, side)),
                    None if self.take(none) => {}
                    None => return self.expected(&format!("one of {}, or `{none}`", words.join(", "))),
                }
                Ok(())
            }
            Field::Phase => match self.word(self.rules.phases.iter().map(|phase| phase.name.as_str())) {
                Some(phase) => {
                    self.said.push(Said::Phase(phase));
                    Ok(())
                }
                None => {
                    let names: Vec<&str> = self.rules.phases.iter().map(|phase| phase.name.as_str()).collect();
                    self.expected(&format!("a phase ({})", names.join(", ")))
                }
            },
        }
    }

    fn counter(&mut self, id: CounterId, none: &str) -> Read<()> {
        let def = &self.rules.counters[id.ix()];
        let mut counts: Vec<(usize, i32)> = Vec::new();
        while let Some(place) = self.square() {
            if def.square {
                let Some(to) = self.square() else { return self.expected("the square that goes with it") };
                if counts.iter().any(|(known, _)| *known == place) {
                    return self.wrong(format!("{} stands there twice", self.rules.board.name(place)));
                }
                counts.push((place, i32::try_from(to + 1).unwrap_or(0)));
            } else {
                match counts.iter_mut().find(|(known, _)| *known == place) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((place, 1)),
                }
            }
        }
        if counts.is_empty() && !self.take(none) {
            return self.expected(&format!("squares or `{none}`"));
        }
        if let Some((place, _)) = counts.iter().find(|(_, count)| *count > def.max) {
            let square = self.rules.board.name(*place);
            return self.wrong(format!("`{}` of the piece on {square} is at most {}", def.name, def.max));
        }
        self.said.extend(counts.into_iter().map(|(place, count)| Said::Counter(id, place, count)));
        Ok(())
    }

    /// A piece's letter, for messages.
    fn a_piece(&self) -> String {
        let letters: Vec<&str> = self.rules.kinds.iter().map(|kind| kind.letter.as_str()).collect();
        format!("a piece ({}, large or small)", letters.join(" "))
    }

    /// A piece's letter.
    fn man(&mut self) -> Option<(usize, usize)> {
        let rules = self.rules;
        let all = (0..rules.sides.len().min(2)).flat_map(|side| (0..rules.kinds.len()).map(move |kind| (side, kind)));
        let letters: Vec<String> = all.map(|(side, kind)| letter(rules, side, kind)).collect();
        let index = self.word(letters.iter().map(String::as_str))?;
        Some((index / rules.kinds.len(), index % rules.kinds.len()))
    }

    fn men(&mut self, down: bool, between: &str, gaps: &Gaps) -> Read<()> {
        let (files, ranks) = (self.rules.board.files, self.rules.board.ranks);
        for row in 0..ranks {
            if row > 0 && !self.take(between) {
                return self.expected(&format!("`{between}`"));
            }
            let rank = if down { ranks - 1 - row } else { row };
            let mut file = 0;
            let mut counted = false;
            while file < files {
                let start = self.at;
                if let Some((side, kind)) = self.man() {
                    if let Some(place) = self.rules.board.at(file, rank) {
                        self.said.push(Said::Man(place, side, kind));
                    }
                    file += 1;
                    counted = false;
                    continue;
                }
                let empty = match gaps {
                    Gaps::Count => self.digits(if files < 10 { 1 } else { 4 }),
                    Gaps::Sign(sign) => self.take(sign).then_some(1),
                };
                if empty.is_some() && std::mem::replace(&mut counted, *gaps == Gaps::Count) {
                    self.at = start;
                    return self.wrong("empty squares in a row are counted once".to_owned());
                }
                match empty {
                    Some(count) if count > 0 && file + count <= files => file += count,
                    Some(count) => {
                        self.at = start;
                        let text = if count == 0 {
                            "there are no 0 empty squares".to_owned()
                        } else {
                            format!("rank {} has more than {files} squares", rank + 1)
                        };
                        return self.wrong(text);
                    }
                    None if self.rest().is_empty() || self.rest().starts_with(between) => {
                        return self
                            .wrong(format!("rank {} has {file} squares; the board has {files} files", rank + 1));
                    }
                    None => {
                        return self.expected(&format!("{} or empty squares", self.a_piece()));
                    }
                }
            }
            let more = self.man().is_some()
                || match gaps {
                    Gaps::Count => self.rest().starts_with(|c: char| c.is_ascii_digit()),
                    Gaps::Sign(sign) => between != sign && self.rest().starts_with(sign.as_str()),
                };
            if more {
                return self.wrong(format!("rank {} has more than {files} squares", rank + 1));
            }
        }
        Ok(())
    }

    fn digits(&mut self, most: usize) -> Option<i32> {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()).min(most);
        let digits = rest.get(..end)?;
        // A number is written in one way.
        if digits.len() > 1 && digits.starts_with('0') {
            return None;
        }
        let number = digits.parse().ok()?;
        self.at += end;
        Some(number)
    }

    fn square(&mut self) -> Option<usize> {
        let rest = self.rest();
        let letters = rest.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(rest.len());
        let tail = rest.get(letters..)?;
        let digits = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
        let place = self.rules.board.parse(rest.get(..letters + digits)?)?;
        self.at += letters + digits;
        Some(place)
    }

    /// The value of a number of the position.
    fn value(&mut self, slot: Slot, words: &[String], none: Option<&str>) -> Read<i32> {
        let index = |index: usize| i32::try_from(index).unwrap_or(-1);
        let ty = self.rules.slots[slot.ix()].ty;
        let none = none.unwrap_or("-");
        match ty {
            SlotTy::Number(range) => {
                let start = self.at;
                let sign = if self.take("-") { -1 } else { 1 };
                match self.digits(9).map(|number| sign * number) {
                    Some(number) if (range.low..=range.high).contains(&number) => Ok(number),
                    found => {
                        self.at = start;
                        let what = if found.is_some() {
                            format!("a number from {} to {}", range.low, range.high)
                        } else {
                            "a number".to_owned()
                        };
                        self.expected(&what)
                    }
                }
            }
            SlotTy::Square | SlotTy::Piece => match self.square() {
                Some(place) => Ok(index(place)),
                None if self.take(none) => Ok(-1),
                None => self.expected(&format!("a square or `{none}`")),
            },
            SlotTy::Test | SlotTy::Side | SlotTy::Kind => {
                let words = words_of(self.rules, words, ty);
                match self.word(words.iter().map(String::as_str)) {
                    // The first word of a test is yes.
                    Some(word) if ty == SlotTy::Test => Ok(i32::from(word == 0)),
                    Some(word) => Ok(index(word)),
                    None if ty != SlotTy::Test && self.take(none) => Ok(-1),
                    None => self.expected(&format!("one of {}", words.join(", "))),
                }
            }
        }
    }
}
