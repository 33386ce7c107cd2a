//! The best score in sight.
//!
//! Every action is worth what the game looks like after it: won or lost, then the lead. While the same side goes on
//! acting it looks on into some of its next decisions. The work of a decision is bounded, so that games of hundreds of
//! turns stay a matter of seconds.

use fullcourt_engine::action::Action;
use fullcourt_engine::fault::Fault;
use fullcourt_engine::ir::Origin;
use fullcourt_engine::rng::Rng;
use fullcourt_engine::session::Session;

use super::Bot;
use super::random::pick;

/// How many actions are tried in a decision.
const WIDTH: usize = 40;
/// In how many of the best of them it looks further.
const BEAMS: usize = 4;
/// How many actions are tried there.
const BEAM_WIDTH: usize = 10;

/// What a position is worth to a side: won 1, lost −1, else 0; then the lead over the best of the others.
type Worth = (i32, i32);

/// Plays for the score.
#[derive(Clone, Debug)]
pub struct Greedy {
    rng: Rng,
}

impl Greedy {
    /// A player with this seed, which only decides between equals.
    #[must_use]
    pub fn new(seed: u64) -> Greedy {
        Greedy { rng: Rng::new(seed) }
    }

    /// Some of the actions in any order: all of them if they are few.
    fn some(&mut self, actions: &[Action], count: usize) -> Vec<Action> {
        let mut actions = actions.to_vec();
        let count = count.min(actions.len());
        for at in 0..count {
            let other = at + self.rng.below(actions.len() - at);
            actions.swap(at, other);
        }
        actions.truncate(count);
        actions
    }

    /// What the best of some continuations of the same side is worth, or the position itself when it does not act.
    fn ahead(&mut self, game: &mut dyn Session, me: usize) -> Result<Worth, Fault> {
        let now = worth(game, me);
        if game.is_over() || game.to_act() != Some(me) {
            return Ok(now);
        }
        let legal = game.legal()?;
        let mut best = now;
        for action in self.some(&legal, BEAM_WIDTH) {
            game.play(action)?;
            best = best.max(worth(game, me));
            game.undo();
        }
        Ok(best)
    }
}

impl Bot for Greedy {
    fn choose(&mut self, game: &dyn Session, legal: &[Action]) -> Result<Action, Fault> {
        let (Some(me), Some(&first)) = (game.to_act(), legal.first()) else {
            return Err(nothing_legal(game));
        };
        if legal.len() == 1 {
            return Ok(first);
        }
        let mut trial = game.branch();
        let mut tried = Vec::new();
        for action in self.some(legal, WIDTH) {
            trial.play(action)?;
            tried.push((worth(&*trial, me), action));
            trial.undo();
        }
        let best = tried.iter().map(|(worth, _)| *worth).max().unwrap_or_default();
        let mut equals: Vec<Action> = tried.iter().filter(|(worth, _)| *worth == best).map(|(_, a)| *a).collect();
        if best == worth(game, me) {
            let mut further = Vec::new();
            for &action in equals.iter().take(BEAMS) {
                trial.play(action)?;
                further.push((self.ahead(&mut *trial, me)?, action));
                trial.undo();
            }
            let promised = further.iter().map(|(worth, _)| *worth).max().unwrap_or_default();
            if promised > best {
                equals = further.iter().filter(|(worth, _)| *worth == promised).map(|(_, a)| *a).collect();
            }
        }
        Ok(pick(&mut self.rng, &equals).unwrap_or(first))
    }
}

fn worth(game: &dyn Session, me: usize) -> Worth {
    let score = game.score();
    let mine = score.get(me).copied().unwrap_or(0);
    let others = score.iter().enumerate().filter(|(side, _)| *side != me).map(|(_, score)| *score).max();
    let outcome = match (game.is_over(), game.winner()) {
        (true, Some(winner)) if winner == me => 1,
        (true, Some(_)) => -1,
        _ => 0,
    };
    (outcome, mine.saturating_sub(others.unwrap_or(0)))
}

/// The rules let a side act that has no action.
pub(crate) fn nothing_legal(game: &dyn Session) -> Fault {
    let phase = game.phase().and_then(|phase| game.rules().phases.get(phase));
    Fault {
        code: "nothing-legal",
        rule: phase.map_or(String::new(), |phase| phase.name.clone()),
        text: match phase {
            Some(phase) => {
                format!("nothing is legal in the phase `{}`, and it does not say what happens then", phase.name)
            }
            None => "the game is over, nobody acts".to_owned(),
        },
        origin: phase.map_or_else(Origin::default, |phase| phase.origin),
    }
}
