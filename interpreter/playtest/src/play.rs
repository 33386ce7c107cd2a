//! Whole games, and the turns they are told in.

use std::ops::ControlFlow;

use fullcourt_engine::action::Action;
use fullcourt_engine::fault::Fault;
use fullcourt_engine::notation::Notated;
use fullcourt_engine::session::Session;
use fullcourt_engine::text::EventText;

use crate::bots::Bot;
use crate::record::{Decision, Turn};

/// When to stop a game that does not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most decisions.
    pub decisions: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { decisions: 1_000_000 }
    }
}

/// How playing ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The game has a result.
    Over,
    /// A limit was reached.
    Limit,
    /// The observer stopped it.
    Stopped,
}

/// What an observer is told after each decision.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// The side that decided.
    pub side: usize,
    /// Whether a turn begins with it.
    pub new_turn: bool,
    /// What the ruleset's record puts before the turn.
    pub head: &'a str,
    /// The decision and its outcome.
    pub decision: &'a Decision,
    /// All that happened.
    pub events: &'a [EventText],
}

/// Sees every decision; may stop the game.
pub type Observer<'o> = dyn FnMut(&Step<'_>, &dyn Session) -> ControlFlow<()> + 'o;

/// The decisions of a game in turns. A turn goes on as long as the same side acts, and what the ruleset's record puts before
/// it stays the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// The turns so far.
    pub turns: Vec<Turn>,
}

impl Log {
    /// Adds a decision; `true` when a turn begins with it.
    pub fn push(&mut self, side: usize, head: String, decision: Decision) -> bool {
        if let Some(turn) = self.turns.last_mut().filter(|turn| turn.side == side && turn.head == head) {
            turn.decisions.push(decision);
            return false;
        }
        self.turns.push(Turn { side, head, decisions: vec![decision] });
        true
    }

    /// Takes the last decision back.
    pub fn pop(&mut self) {
        if let Some(turn) = self.turns.last_mut() {
            turn.decisions.pop();
            if turn.decisions.is_empty() {
                self.turns.pop();
            }
        }
    }

    /// How many decisions there are.
    #[must_use]
    pub fn decisions(&self) -> usize {
        self.turns.iter().map(|turn| turn.decisions.len()).sum()
    }
}

/// What a record appends to a decision.
#[must_use]
pub fn outcome(events: &[EventText]) -> String {
    events.iter().map(|event| event.notation.as_str()).collect()
}

/// Plays one of the legal actions and logs it.
///
/// # Errors
/// A fault of the rules; then nothing has changed.
pub fn play_one(
    game: &mut dyn Session,
    action: Action,
    legal: &[Action],
    log: &mut Log,
) -> Result<(bool, Vec<EventText>), Fault> {
    let side = game.to_act().unwrap_or(0);
    let text = game.text(action);
    let (mut head, mut written) = (String::new(), text.clone());
    if let Some(def) = game.rules().clone().records.first() {
        head = game.record_head(0)?;
        written = game.notated(&def.notation, &[action], legal)?.first().map_or(written, Notated::whole);
    }
    let events = game.play(action)?;
    let new_turn = log.push(side, head, Decision { text, written, outcome: outcome(&events) });
    Ok((new_turn, events))
}

/// How many decisions can be taken back at most while bots play: a long game need not remember all of it.
const REMEMBERED: usize = 256;

/// Plays a game on to its end: one bot for each side. What was played cannot be taken back afterwards.
///
/// # Errors
/// A fault of the rules; the log has what was played before it.
pub fn play_game(
    game: &mut Box<dyn Session>,
    bots: &mut [Box<dyn Bot>],
    limits: Limits,
    log: &mut Log,
    observer: &mut Observer<'_>,
) -> Result<End, Fault> {
    for _ in 0..limits.decisions {
        if game.is_over() {
            return Ok(End::Over);
        }
        if game.plies() >= REMEMBERED {
            *game = game.branch();
        }
        let legal = game.legal()?;
        let side = game.to_act().filter(|_| !legal.is_empty());
        let Some((side, bot)) = side.and_then(|side| Some((side, bots.get_mut(side)?))) else {
            return Err(crate::bots::nothing_legal(&**game));
        };
        let action = bot.choose(&**game, &legal)?;
        let (new_turn, events) = play_one(&mut **game, action, &legal, log)?;
        let Some((turn, decision)) = log.turns.last().and_then(|turn| Some((turn, turn.decisions.last()?))) else {
            continue;
        };
        let step = Step { side, new_turn, head: &turn.head, decision, events: &events };
        if observer(&step, &**game).is_break() {
            return Ok(if game.is_over() { End::Over } else { End::Stopped });
        }
    }
    Ok(if game.is_over() { End::Over } else { End::Limit })
}
