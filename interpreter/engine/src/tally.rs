//! Statistics: kept beside the position, fed by changes and events, only when somebody listens.
//!
//! A position does not tell two pieces of one kind and side apart; a box score does. So the tally follows each piece
//! from where it was put.

use crate::ir::{LineupPart, Rules, SetupKind, StatId};

/// One piece of a side, and its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its side.
    pub side: usize,
    /// Its kind.
    pub kind: usize,
    /// Whether it has been on the board.
    pub seen: bool,
    /// Its statistics, in the order of the ruleset's statistics per piece.
    pub values: Vec<i64>,
}

/// The box score of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Pieces in the order of the line-ups, then others as they come.
    pub rows: Vec<Row>,
    /// For each side its statistics, in the order of the ruleset's statistics.
    pub sides: Vec<Vec<i64>>,
    at: Vec<Option<usize>>,
    recalls: Vec<Option<usize>>,
    stats: usize,
}

impl Tally {
    /// An empty box score with a row for every piece of these line-ups (for each setup parameter and side its text).
    #[must_use]
    pub fn new(rules: &Rules, lineups: &[(usize, usize, String)]) -> Tally {
        let mut tally = Tally {
            rows: Vec::new(),
            sides: vec![vec![0; rules.stats.len()]; rules.sides.len()],
            at: vec![None; rules.board.places()],
            recalls: vec![None; rules.recalls.len()],
            stats: rules.stats.len(),
        };
        for (setup, side, text) in lineups {
            if let Some(SetupKind::Lineup { parts, .. }) = rules.setups.get(*setup).map(|s| &s.kind) {
                for kind in lineup_kinds(rules, parts, text).unwrap_or_default().into_iter().map(|(kind, _)| kind) {
                    tally.rows.push(Row { side: *side, kind, seen: false, values: vec![0; rules.stats.len()] });
                }
            }
        }
        tally
    }

    /// Adds to a statistic of the piece on a place, or of a side.
    pub fn add(&mut self, rules: &Rules, stat: StatId, of: i32, value: i64) {
        let Ok(of) = usize::try_from(of) else {
            return;
        };
        let cell = if rules.stats[stat.ix()].per_piece {
            let row = self.at.get(of).copied().flatten();
            row.and_then(|row| self.rows.get_mut(row)).and_then(|row| row.values.get_mut(stat.ix()))
        } else {
            self.sides.get_mut(of).and_then(|side| side.get_mut(stat.ix()))
        };
        if let Some(cell) = cell {
            *cell = cell.saturating_add(value);
        }
    }

    /// A piece appeared.
    pub fn put(&mut self, side: usize, kind: usize, place: usize) {
        let free = self.rows.iter().position(|row| row.side == side && row.kind == kind && !row.seen);
        let row = free.unwrap_or_else(|| {
            self.rows.push(Row { side, kind, seen: false, values: vec![0; self.stats] });
            self.rows.len() - 1
        });
        self.rows[row].seen = true;
        if let Some(at) = self.at.get_mut(place) {
            *at = Some(row);
        }
    }

    /// Pieces went from places to places, all at once.
    pub fn moved(&mut self, moves: &[(usize, usize)]) {
        let rows: Vec<Option<usize>> =
            moves.iter().map(|&(from, _)| self.at.get_mut(from).and_then(Option::take)).collect();
        for (&(_, to), row) in moves.iter().zip(rows) {
            if let Some(at) = self.at.get_mut(to) {
                *at = row;
            }
        }
    }

    /// A piece disappeared.
    pub fn removed(&mut self, place: usize) {
        if let Some(at) = self.at.get_mut(place) {
            *at = None;
        }
    }

    /// Remembers the piece on a place; −1 forgets.
    pub fn recall(&mut self, recall: usize, place: i32) {
        let row = usize::try_from(place).ok().and_then(|place| self.at.get(place).copied().flatten());
        if let Some(slot) = self.recalls.get_mut(recall) {
            *slot = row;
        }
    }

    /// Where the remembered pieces are, −1 for nowhere.
    #[must_use]
    pub fn recalled(&self) -> Vec<i32> {
        let place_of = |row: &Option<usize>| {
            let place = row.and_then(|row| self.at.iter().position(|at| *at == Some(row)));
            place.and_then(|place| i32::try_from(place).ok()).unwrap_or(-1)
        };
        self.recalls.iter().map(place_of).collect()
    }
}

/// The kinds of a line-up's text with the parts they belong to, or what is wrong with it.
///
/// # Errors
/// One sentence.
pub fn lineup_kinds(rules: &Rules, parts: &[LineupPart], text: &str) -> Result<Vec<(usize, usize)>, String> {
    let mut rest = text;
    let shown: String = text.chars().take(80).collect();
    let mut kinds = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        match part {
            LineupPart::Text(literal) => {
                rest = rest.strip_prefix(literal.as_str()).ok_or_else(|| match rest.chars().next() {
                    Some(found) => format!("expected `{literal}`, found `{found}` in `{shown}`"),
                    None => format!("`{shown}` ends where `{literal}` should follow"),
                })?;
            }
            LineupPart::Pieces(count, _) => {
                for _ in 0..*count {
                    let found = rules.kinds.iter().position(|kind| rest.starts_with(&kind.letter));
                    let Some(kind) = found else {
                        let letters: Vec<_> = rules.kinds.iter().map(|kind| kind.letter.as_str()).collect();
                        let found = rest.chars().next().map_or("nothing".to_owned(), |c| format!("`{c}`"));
                        return Err(format!("expected a piece ({}), found {found} in `{shown}`", letters.join(" ")));
                    };
                    rest = &rest[rules.kinds[kind].letter.len()..];
                    kinds.push((kind, index));
                }
            }
        }
    }
    if rest.is_empty() { Ok(kinds) } else { Err(format!("there is more than fits in `{shown}`")) }
}
