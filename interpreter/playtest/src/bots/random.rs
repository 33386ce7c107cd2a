//! Any legal action, all equally likely.

use fullcourt_engine::action::Action;
use fullcourt_engine::fault::Fault;
use fullcourt_engine::rng::Rng;
use fullcourt_engine::session::Session;

use super::Bot;

/// Plays at random.
#[derive(Clone, Debug)]
pub struct Random {
    rng: Rng,
}

impl Random {
    /// A player with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random { rng: Rng::new(seed) }
    }
}

impl Bot for Random {
    fn choose(&mut self, game: &dyn Session, legal: &[Action]) -> Result<Action, Fault> {
        pick(&mut self.rng, legal).ok_or_else(|| super::nothing_legal(game))
    }
}

/// One of many.
pub(super) fn pick<T: Copy>(rng: &mut Rng, many: &[T]) -> Option<T> {
    many.get(rng.below(many.len())).copied()
}
