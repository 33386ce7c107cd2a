//! Text at the edge: actions and events as the ruleset's templates write them.

use crate::action::{Action, MAX_AIMS};
use crate::board::file_letters;
use crate::game::Game;
use crate::ir::{ActionDef, EventId, Piece, Template, Ty};
use crate::position::Position;

/// Something that happened, for people and programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventText {
    /// The event's name.
    pub event: String,
    /// Its values by name, as text; `None` where there is none.
    pub values: Vec<(String, EventValue)>,
    /// What a record appends to the decision; may be empty.
    pub notation: String,
}

/// What the text of an action may mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The number of its definition.
    pub def: usize,
    /// Its aims.
    pub aims: Vec<i32>,
    /// What the text says of a piece that is not so.
    pub untrue: Option<String>,
}

/// A value of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventValue {
    /// A number.
    Number(i32),
    /// Yes or no.
    Test(bool),
    /// A square, side or kind.
    Name(String),
    /// Nothing.
    None,
}

impl<const N: usize> Game<N> {
    /// A place, side, kind, number or test as notation has it.
    #[must_use]
    pub fn aim_text(&self, ty: Ty, value: i32) -> String {
        let index = usize::try_from(value).ok();
        match ty {
            Ty::Square => {
                let place = index.filter(|&place| place < self.rules.board.places());
                place.map_or("none".to_owned(), |place| self.rules.board.name(place))
            }
            Ty::Kind => index.and_then(|k| self.rules.kinds.get(k)).map_or("none".to_owned(), |k| k.letter.clone()),
            Ty::Side => index.and_then(|s| self.rules.sides.get(s)).map_or("none".to_owned(), |s| s.key.clone()),
            Ty::Test => (value == 1).to_string(),
            Ty::Number | Ty::Squares | Ty::Kinds => value.to_string(),
        }
    }

    fn fill(&self, pos: &Position<N>, template: &Template, value: impl Fn(u32) -> i32) -> String {
        let mut out = String::new();
        template.0.iter().for_each(|piece| out.push_str(&self.piece_text(pos, piece, &value)));
        out
    }

    /// A part of a template; `value` gives the frame's scalars.
    pub(crate) fn piece_text(&self, pos: &Position<N>, piece: &Piece, value: &dyn Fn(u32) -> i32) -> String {
        let coords = |local: u32| usize::try_from(value(local)).ok().map(|place| self.rules.board.coords(place));
        match piece {
            Piece::Text(text) => text.clone(),
            Piece::Value(local, ty) => self.aim_text(*ty, value(local.0)),
            Piece::Small(local) => self.aim_text(Ty::Kind, value(local.0)).to_lowercase(),
            Piece::KindOf(local) => {
                let kind = self.kind_at(pos, value(local.0)).and_then(|kind| self.rules.kinds.get(kind));
                kind.map_or("?".to_owned(), |kind| kind.letter.clone())
            }
            Piece::FileOf(local) => coords(local.0).map_or(String::new(), |(file, _)| file_letters(file)),
            Piece::RankOf(local) => coords(local.0).map_or(String::new(), |(_, rank)| (rank + 1).to_string()),
            // Only a further notation tells things apart.
            Piece::Apart(local, _) => self.aim_text(Ty::Square, value(local.0)),
        }
    }

    /// An action as the position's ruleset writes it.
    #[must_use]
    pub fn action_text(&self, pos: &Position<N>, action: Action) -> String {
        let Some(def) = self.rules.actions.get(action.def()) else {
            return String::new();
        };
        self.fill(pos, &def.notation, |local| {
            let aim = def.aims.iter().position(|(l, _)| l.0 == local);
            aim.map_or(-1, |aim| action.aim(aim))
        })
    }

    /// What a text may mean: definitions of actions with aims, legal or not, in the order of the rules. With each what
    /// the text says of a piece that is not so, if anything.
    #[must_use]
    pub fn parse_action(&self, pos: &Position<N>, text: &str) -> Vec<Reading> {
        let defs = self.rules.actions.iter().enumerate();
        defs.filter_map(|(index, def)| {
            let (aims, untrue) = self.match_notation(pos, def, text)?;
            Some(Reading { def: index, aims, untrue })
        })
        .collect()
    }

    fn match_notation(&self, pos: &Position<N>, def: &ActionDef, text: &str) -> Option<(Vec<i32>, Option<String>)> {
        let mut rest = text;
        let mut aims = vec![-1; def.aims.len().min(MAX_AIMS)];
        let mut letters = Vec::new();
        for piece in &def.notation.0 {
            match piece {
                Piece::Text(literal) => rest = rest.strip_prefix(literal.as_str())?,
                Piece::Value(local, ty) => {
                    let (value, length) = self.read_aim(*ty, rest)?;
                    rest = rest.get(length..)?;
                    let aim = def.aims.iter().position(|(l, _)| l == local)?;
                    if aims[aim] != -1 && aims[aim] != value {
                        return None;
                    }
                    aims[aim] = value;
                }
                Piece::Small(local) => {
                    let kinds = self.rules.kinds.iter().enumerate();
                    let letters = kinds.map(|(kind, def)| (kind, def.letter.to_lowercase()));
                    let fits = letters.filter(|(_, letter)| rest.starts_with(letter.as_str()));
                    let (kind, letter) = fits.max_by_key(|(_, letter)| letter.len())?;
                    rest = rest.get(letter.len()..)?;
                    let aim = def.aims.iter().position(|(l, _)| l == local)?;
                    aims[aim] = i32::try_from(kind).ok()?;
                }
                // These stand in further notations only, which are not read like this.
                Piece::FileOf(_) | Piece::RankOf(_) | Piece::Apart(..) => return None,
                Piece::KindOf(local) => {
                    let (kind, length) = self.read_aim(Ty::Kind, rest)?;
                    rest = rest.get(length..)?;
                    letters.push((*local, kind));
                }
            }
        }
        if !rest.is_empty() || aims.contains(&-1) {
            return None;
        }
        let untrue = letters.iter().find_map(|(local, kind)| {
            let place = def.aims.iter().position(|(l, _)| l == local).map_or(-1, |aim| aims[aim]);
            let kind = usize::try_from(*kind).ok()?;
            let found = self.kind_at(pos, place);
            if found == Some(kind) {
                return None;
            }
            let (name, square) = (&self.rules.kinds[kind].name, self.aim_text(Ty::Square, place));
            Some(match found {
                Some(found) => format!("the piece on {square} is a {}, not a {name}", self.rules.kinds[found].name),
                None => format!("there is no piece on {square}"),
            })
        });
        Some((aims, untrue))
    }

    /// The value at the beginning of a text and how many bytes it takes.
    fn read_aim(&self, ty: Ty, text: &str) -> Option<(i32, usize)> {
        let scan = |accept: fn(char) -> bool| text.find(|c| !accept(c)).unwrap_or(text.len());
        match ty {
            Ty::Square => {
                let letters = scan(|c| c.is_ascii_lowercase());
                let digits = text.get(letters..)?.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len() - letters);
                let place = self.rules.board.parse(text.get(..letters + digits)?)?;
                Some((i32::try_from(place).ok()?, letters + digits))
            }
            Ty::Kind => {
                let kinds = self.rules.kinds.iter().enumerate().filter(|(_, kind)| text.starts_with(&kind.letter));
                let (kind, def) = kinds.max_by_key(|(_, kind)| kind.letter.len())?;
                Some((i32::try_from(kind).ok()?, def.letter.len()))
            }
            Ty::Number => {
                let digits = scan(|c| c.is_ascii_digit());
                Some((text.get(..digits)?.parse().ok()?, digits))
            }
            Ty::Side => {
                let (side, def) = self.rules.sides.iter().enumerate().find(|(_, side)| text.starts_with(&side.key))?;
                Some((i32::try_from(side).ok()?, def.key.len()))
            }
            Ty::Squares | Ty::Kinds | Ty::Test => None,
        }
    }

    pub(crate) fn event_text(&self, pos: &Position<N>, event: EventId, values: &[i32]) -> EventText {
        let def = &self.rules.events[event.ix()];
        let value_of = |local: u32| values.get(local as usize).copied().unwrap_or(-1);
        let shown = |(ty, value): (Ty, i32)| match ty {
            Ty::Number => EventValue::Number(value),
            Ty::Test => EventValue::Test(value == 1),
            _ if value < 0 => EventValue::None,
            _ => EventValue::Name(self.aim_text(ty, value)),
        };
        EventText {
            event: def.name.clone(),
            values: def
                .params
                .iter()
                .zip(values)
                .map(|((name, ty), &value)| (name.clone(), shown((*ty, value))))
                .collect(),
            notation: def.notation.as_ref().map_or(String::new(), |template| self.fill(pos, template, value_of)),
        }
    }
}
