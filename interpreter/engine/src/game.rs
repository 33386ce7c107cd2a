//! A ruleset with its options and plugins bound: tables filled, ready to be played.

use std::sync::Arc;

use crate::bits::Bits;
use crate::fault::Fault;
use crate::hostcall::HostCall;
use crate::ir::{Fixed, Plane, Rules, Slot, SlotTy};
use crate::position::Position;
use crate::tally::Tally;
use crate::walk::eval::Cx;

/// The squares of a zone.
#[derive(Clone, Debug)]
pub struct ZoneTable<const N: usize> {
    /// As written, for a side that looks north.
    pub written: Bits<N>,
    /// For each side.
    pub sides: Vec<Bits<N>>,
    /// Of all sides together.
    pub all: Bits<N>,
}

/// A ruleset bound to option values and plugins, for boards of up to `64 * N` places.
pub struct Game<const N: usize> {
    /// The rules.
    pub rules: Arc<Rules>,
    /// The value of each option.
    pub options: Vec<i32>,
    /// Runs plugin functions.
    pub host: Arc<dyn HostCall>,
    /// Zones, in the order of the rules; filled one after another when loading.
    pub zones: Vec<ZoneTable<N>>,
    /// All places of the board.
    pub all: Bits<N>,
    /// All places of the grid.
    pub grid: Bits<N>,
    /// Planes whose bits go along with pieces.
    pub travelling: Vec<Plane>,
    /// Slots that follow one piece.
    pub piece_slots: Vec<Slot>,
}

impl<const N: usize> Game<N> {
    /// Binds rules to values of all options and to a host of plugins.
    ///
    /// # Errors
    /// A fault when a zone cannot be computed (a plugin fails).
    pub fn new(rules: Arc<Rules>, options: Vec<i32>, host: Arc<dyn HostCall>) -> Result<Game<N>, Fault> {
        let places = rules.board.places();
        let mut game = Game {
            all: Bits::first(places),
            grid: Bits::first(rules.board.grid()),
            travelling: (0u32..).zip(&rules.planes).filter(|(_, def)| def.travels).map(|(p, _)| Plane(p)).collect(),
            piece_slots: (0u32..)
                .zip(&rules.slots)
                .filter(|(_, def)| def.ty == SlotTy::Piece)
                .map(|(s, _)| Slot(s))
                .collect(),
            zones: Vec::with_capacity(rules.zones.len()),
            rules,
            options,
            host,
        };
        let empty = game.blank();
        for index in 0..game.rules.zones.len() {
            let def = &game.rules.zones[index];
            let mut cx = Cx::new(&def.name);
            cx.enter(game.rules.shared_locals);
            let written = game.set(&empty, &mut cx, def.value).and(game.all);
            cx.done()?;
            let board = &game.rules.board;
            let sides: Vec<Bits<N>> = match def.per_side {
                true => game.rules.sides.iter().map(|side| board.oriented(written, side.facing)).collect(),
                false => vec![written; game.rules.sides.len()],
            };
            let all = sides.iter().fold(Bits::EMPTY, |all, set| all.or(*set));
            let all = if def.per_side { all } else { written };
            game.zones.push(ZoneTable { written, sides, all });
        }
        Ok(game)
    }

    /// A position without pieces in which no game has begun.
    #[must_use]
    pub fn blank(&self) -> Position<N> {
        let mut pos = Position::default();
        for (index, def) in (0u32..).zip(&self.rules.slots) {
            let value = match def.ty {
                SlotTy::Side | SlotTy::Kind | SlotTy::Square | SlotTy::Piece => -1,
                SlotTy::Test => 0,
                SlotTy::Number(range) => 0.clamp(range.low, range.high),
            };
            pos.set_slot(Slot(index), value);
        }
        pos.set_slot(Fixed::PHASE, -1);
        pos
    }

    /// Tells a box score which pieces stand on the board.
    pub fn introduce(&self, pos: &Position<N>, tally: &mut Tally) {
        for place in self.occupied(pos).iter() {
            let at = i32::try_from(place).unwrap_or(-1);
            if let (Some(side), Some(kind)) = (self.owner_at(pos, at), self.kind_at(pos, at)) {
                tally.put(side, kind, place);
            }
        }
    }

    /// All pieces.
    #[must_use]
    pub fn occupied(&self, pos: &Position<N>) -> Bits<N> {
        (0..self.rules.sides.len()).fold(Bits::EMPTY, |all, side| all.or(pos.plane(self.rules.side_plane(side))))
    }

    /// The side of the piece on a place.
    #[must_use]
    pub fn owner_at(&self, pos: &Position<N>, place: i32) -> Option<usize> {
        let place = usize::try_from(place).ok()?;
        (0..self.rules.sides.len()).find(|&side| pos.plane(self.rules.side_plane(side)).has(place))
    }

    /// The kind of the piece on a place.
    #[must_use]
    pub fn kind_at(&self, pos: &Position<N>, place: i32) -> Option<usize> {
        let place = usize::try_from(place).ok()?;
        (0..self.rules.kinds.len()).find(|&kind| pos.plane(self.rules.kind_plane(kind)).has(place))
    }

    /// The phase, unless the game is over or has not begun.
    #[must_use]
    pub fn phase(&self, pos: &Position<N>) -> Option<usize> {
        usize::try_from(pos.slot(Fixed::PHASE)).ok().filter(|&phase| phase < self.rules.phases.len())
    }
}
