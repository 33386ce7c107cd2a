//! A game in play: the position, what came before it, and the box score. The width of the board is hidden here.

use std::sync::Arc;

use serde_json::Value as Json;

use crate::action::Action;
use crate::fault::{Fault, Refusal};
use crate::game::Game;
use crate::history::{Beside, History};
use crate::hostcall::HostCall;
use crate::ir::{Fixed, Rules, SetupKind};
use crate::line;
use crate::native::{Native, Runner};
use crate::notation::Notated;
use crate::position::Position;
use crate::program::Program;
use crate::program::machine::{Machine, Memory};
use crate::rng::Rng;
pub use crate::setup::Setup;
use crate::setup::resolve;
use crate::tally::Tally;
use crate::text::{EventText, Reading};
use crate::walk::legal::MAX_ACTIONS;

/// What a square shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Side and kind of the piece on it.
    pub piece: Option<(usize, usize)>,
    /// Signs of marks of the piece.
    pub signs: String,
    /// The sign of the zone it belongs to.
    pub zone: Option<String>,
}

/// Over how many decisions operations were counted, and how often each kind ran.
pub type Operations = (u64, Vec<(String, u64)>);

/// A game in play.
pub trait Session: Send {
    /// The rules.
    fn rules(&self) -> &Arc<Rules>;
    /// The value of each option.
    fn options(&self) -> &[i32];
    /// The setup as it was made, chance resolved: `(parameter, side or "", value)`.
    fn setup(&self) -> &[(String, String, String)];
    /// All legal actions.
    ///
    /// # Errors
    /// A fault of the rules.
    fn legal(&self) -> Result<Vec<Action>, Fault>;
    /// Whether an action is legal, tested alone.
    ///
    /// # Errors
    /// A fault of the rules.
    fn is_legal(&self, action: Action) -> Result<bool, Fault>;
    /// An action as the ruleset writes it.
    fn text(&self, action: Action) -> String;
    /// The action that a text means.
    ///
    /// # Errors
    /// A fault of the rules, or why nothing of that text is legal.
    fn find(&self, text: &str) -> Result<Result<Action, Vec<Refusal>>, Fault>;
    /// Carries out an action with all that follows. Nothing changes when it fails.
    ///
    /// # Errors
    /// A fault; code `refused` when the action is not legal.
    fn play(&mut self, action: Action) -> Result<Vec<EventText>, Fault>;
    /// Takes back the last action; `false` at the start and after a state was set.
    fn undo(&mut self) -> bool;
    /// The state as JSON.
    fn state(&self) -> Json;
    /// Takes over a state.
    ///
    /// # Errors
    /// What is wrong with it; nothing has changed then.
    fn set_state(&mut self, state: &Json) -> Result<(), String>;
    /// The position in one line, as the ruleset's first template writes it; `None` when it has none.
    fn line(&self) -> Option<String>;
    /// Takes over the position that a line says.
    ///
    /// # Errors
    /// What is wrong with it; nothing has changed then.
    fn set_line(&mut self, text: &str) -> Result<(), String>;
    /// Legal actions in the notation of that name. What tells an action apart depends on all `legal` ones.
    ///
    /// # Errors
    /// A fault of the rules.
    fn notated(&self, name: &str, actions: &[Action], legal: &[Action]) -> Result<Vec<Notated>, Fault>;
    /// What a record of that number puts before a turn that begins now.
    ///
    /// # Errors
    /// A fault of the rules.
    fn record_head(&self, record: usize) -> Result<String, Fault>;
    /// Whether the game has a result.
    fn is_over(&self) -> bool;
    /// The side that acts.
    fn to_act(&self) -> Option<usize>;
    /// The phase; `None` when the game is over.
    fn phase(&self) -> Option<usize>;
    /// The score of each side.
    fn score(&self) -> Vec<i32>;
    /// The side that won, if there is one.
    fn winner(&self) -> Option<usize>;
    /// The result as JSON; null while the game goes on.
    fn result(&self) -> Json;
    /// The hash of the position, as kept and as computed anew.
    fn hashes(&self) -> (u64, u64);
    /// Whether the invariants hold.
    ///
    /// # Errors
    /// The first that does not.
    fn check_invariants(&self) -> Result<(), String>;
    /// What a place shows.
    fn cell(&self, place: usize) -> Cell;
    /// The box score.
    fn tally(&self) -> &Tally;
    /// How many actions can be taken back.
    fn plies(&self) -> usize;
    /// How many chains of `depth` decisions start here; a finished game has none below it, and rules that wait for a phase
    /// to open are not judged. `bulk` counts the last decisions without playing them.
    ///
    /// # Errors
    /// A fault of the rules.
    fn perft(&self, depth: u32, bulk: bool, stop: &dyn Fn() -> bool) -> Result<u64, Fault>;
    /// The same below a legal action; 1 for a depth of 0.
    ///
    /// # Errors
    /// A fault of the rules.
    fn perft_below(&self, action: Action, depth: u32, bulk: bool, stop: &dyn Fn() -> bool) -> Result<u64, Fault>;
    /// Random play from here, all legal actions counted at each decision and nothing told, until the game is over or
    /// `going` says no more. Gives the number of decisions and of legal actions over all of them, and whether the game
    /// is over.
    ///
    /// # Errors
    /// A fault of the rules.
    fn playout(&self, rng: &mut Rng, going: &dyn Fn(u64) -> bool) -> Result<(u64, u64, bool), Fault>;
    /// How often the program carries out each kind of operation in random play, those that come most often first, and
    /// over how many decisions; `None` where there is no program.
    ///
    /// # Errors
    /// A fault of the rules.
    fn operations(&self, rng: &mut Rng, going: &dyn Fn(u64) -> bool) -> Result<Option<Operations>, Fault>;
    /// Whether a program runs the rules; the walker does else.
    fn is_fast(&self) -> bool;
    /// Makes machine code of the program, for long work: it, its forks and branches play at random and count positions
    /// with it from then on. `false` when there is none; the program does the work then. Takes some tenths of a second.
    fn compile(&mut self, runner: &dyn Runner) -> bool;
    /// A copy without the past that the walker plays.
    fn plain(&self) -> Box<dyn Session>;
    /// Whether program and walker agree on the legal actions here, and on the position after one of them.
    ///
    /// # Errors
    /// What they differ in.
    fn compare(&self, action: Option<Action>) -> Result<(), String>;
    /// A copy.
    fn fork(&self) -> Box<dyn Session>;
    /// A copy without the past, cheap also late in a game: it takes back only what is played on it.
    fn branch(&self) -> Box<dyn Session>;
}

/// Why a game cannot start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// A setup parameter is unknown or has a wrong value.
    #[error("{0}")]
    Setup(String),
    /// The rules cannot be carried out.
    #[error("{0}")]
    Fault(#[from] Fault),
}

/// Starts a game; the program, if there is one, was lowered from these rules with these options.
///
/// # Errors
/// A wrong setup, or a fault of the rules.
pub fn start(
    rules: &Arc<Rules>,
    options: &[i32],
    host: &Arc<dyn HostCall>,
    setup: &Setup,
    program: Option<&Arc<Program>>,
) -> Result<Box<dyn Session>, StartError> {
    match rules.board.places() {
        0..=64 => Play::<1>::start(rules, options, host, setup, program),
        65..=128 => Play::<2>::start(rules, options, host, setup, program),
        129..=256 => Play::<4>::start(rules, options, host, setup, program),
        _ => Play::<8>::start(rules, options, host, setup, program),
    }
}

#[derive(Clone)]
pub(crate) struct Play<const N: usize> {
    pub(crate) game: Arc<Game<N>>,
    pub(crate) machine: Option<Arc<Machine<N>>>,
    pub(crate) native: Option<Arc<Native<N>>>,
    setup: Vec<(String, String, String)>,
    pub(crate) pos: Position<N>,
    tally: Tally,
    /// What the game has seen, for rules against repetition.
    pub(crate) history: History,
    past: Past<N>,
}

/// What an action changes.
#[derive(Clone)]
struct Kept<const N: usize> {
    pos: Position<N>,
    tally: Tally,
    /// How long the history was.
    seen: usize,
}

/// What has been played, so that it can be taken back. Only every [`KEPT_EVERY`]th position is kept, so that a very long
/// game needs little memory; those between are played again from the one before.
#[derive(Clone)]
struct Past<const N: usize> {
    actions: Vec<Action>,
    kept: Vec<Kept<N>>,
}

/// One position in so many is kept.
const KEPT_EVERY: usize = 32;

impl<const N: usize> Default for Past<N> {
    fn default() -> Self {
        Past { actions: Vec::new(), kept: Vec::new() }
    }
}

impl<const N: usize> Past<N> {
    /// Notes an action and what was before it.
    fn push(&mut self, action: Action, before: Kept<N>) {
        if self.actions.len().is_multiple_of(KEPT_EVERY) {
            self.kept.push(before);
        }
        self.actions.push(action);
    }

    /// Forgets the last action and gives what was before it.
    fn pop(&mut self, game: &Game<N>, history: &mut History) -> Option<(Position<N>, Tally)> {
        self.actions.pop()?;
        let last = self.actions.len() / KEPT_EVERY;
        let Kept { mut pos, mut tally, seen } = self.kept.get(last)?.clone();
        self.kept.truncate(self.actions.len().div_ceil(KEPT_EVERY));
        history.truncate(seen);
        for &action in self.actions.get(last * KEPT_EVERY..)? {
            // INVARIANT: the action was carried out on this very position before, and the rules know no chance.
            let beside = Beside { tally: Some(&mut tally), ..Beside::past(Some(history)) };
            let done = game.apply(&pos, action, beside).ok()?;
            history.extend(done.seen);
            pos = done.pos;
        }
        Some((pos, tally))
    }
}

impl<const N: usize> Play<N> {
    fn start(
        rules: &Arc<Rules>,
        options: &[i32],
        host: &Arc<dyn HostCall>,
        setup: &Setup,
        program: Option<&Arc<Program>>,
    ) -> Result<Box<dyn Session>, StartError> {
        let game = Arc::new(Game::<N>::new(rules.clone(), options.to_vec(), host.clone())?);
        let setup = resolve(rules, setup).map_err(StartError::Setup)?;
        let lineups: Vec<(usize, usize, String)> = setup
            .iter()
            .filter_map(|(name, side, text)| {
                let index = rules.setups.iter().position(|def| def.name == *name)?;
                matches!(rules.setups[index].kind, SetupKind::Lineup { .. }).then_some(())?;
                Some((index, rules.side_by_name(side)?, text.clone()))
            })
            .collect();
        let mut tally = Tally::new(rules, &lineups);
        let make = |pos: &mut Position<N>| {
            if let Some((def, text)) = &rules.start {
                // INVARIANT: the text fits its template (checked by the compiler).
                game.put_said(pos, &line::read(rules, &rules.positions[*def], text).unwrap_or_default());
            }
            game.put_sides(pos, &setup);
            game.put_lineups(pos, &setup);
        };
        let done = game.begin(game.blank(), make, Some(&mut tally))?;
        if rules.start.is_some() {
            game.check_invariants(&done.pos)
                .map_err(|why| StartError::Setup(format!("the first position cannot be: {why}")))?;
        }
        let mut history = History::default();
        history.extend(done.seen);
        let machine = program.map(|program| Arc::new(Machine::new(game.clone(), program.clone())));
        Ok(Box::new(Play { game, machine, native: None, setup, pos: done.pos, tally, history, past: Past::default() }))
    }

    /// Puts a position in place of the one there is; nothing can be taken back.
    fn replace(&mut self, pos: Position<N>, history: History) {
        let mut tally = Tally::new(&self.game.rules, &[]);
        self.game.introduce(&pos, &mut tally);
        (self.pos, self.tally, self.history, self.past) = (pos, tally, history, Past::default());
    }

    /// What the game has seen, as conditions ask for it.
    pub(crate) fn past(&self) -> Option<&History> {
        Some(&self.history)
    }
}

impl<const N: usize> Session for Play<N> {
    fn rules(&self) -> &Arc<Rules> {
        &self.game.rules
    }

    fn options(&self) -> &[i32] {
        &self.game.options
    }

    fn setup(&self) -> &[(String, String, String)] {
        &self.setup
    }

    fn legal(&self) -> Result<Vec<Action>, Fault> {
        if let Some(machine) = &self.machine {
            let mut memory = Memory::default();
            if machine.find(&self.pos, &mut memory, self.past()).is_some() && memory.count() <= MAX_ACTIONS {
                return Ok(memory.actions().collect());
            }
        }
        self.game.legal(&self.pos, self.past())
    }

    fn is_legal(&self, action: Action) -> Result<bool, Fault> {
        self.game.is_legal(&self.pos, self.past(), action)
    }

    fn text(&self, action: Action) -> String {
        self.game.action_text(&self.pos, action)
    }

    fn find(&self, text: &str) -> Result<Result<Action, Vec<Refusal>>, Fault> {
        let mut refusals = Vec::new();
        for Reading { def, aims, untrue } in self.game.parse_action(&self.pos, text) {
            let refusal = match (self.game.refusal(&self.pos, self.past(), def, &aims)?, untrue) {
                (None, None) => return Ok(Ok(Action::pack(def, &aims))),
                (Some(refusal), None) => refusal,
                (refusal, Some(text)) => {
                    let rule = &self.game.rules.actions[def];
                    // A wrong piece says more than what follows from it, but not more than a wrong phase.
                    let here = refusal.filter(|r| r.origin == rule.origin);
                    here.unwrap_or_else(|| Refusal {
                        rule: rule.name.clone(),
                        cite: rule.cite.clone(),
                        origin: rule.origin,
                        text,
                    })
                }
            };
            refusals.push((def, refusal));
        }
        // Reasons from rules of this phase say more than those of others.
        let phase = self.game.phase(&self.pos);
        let here = |def: &usize| phase.is_some_and(|p| self.game.rules.phases[p].actions.contains(def));
        if refusals.iter().any(|(def, _)| here(def)) {
            refusals.retain(|(def, _)| here(def));
        }
        Ok(Err(refusals.into_iter().map(|(_, refusal)| refusal).collect()))
    }

    fn play(&mut self, action: Action) -> Result<Vec<EventText>, Fault> {
        let mut tally = self.tally.clone();
        let beside = Beside { tally: Some(&mut tally), ..Beside::past(Some(&self.history)) };
        let done = self.game.apply(&self.pos, action, beside)?;
        let before = Kept {
            pos: std::mem::replace(&mut self.pos, done.pos),
            tally: std::mem::replace(&mut self.tally, tally),
            seen: self.history.len(),
        };
        self.past.push(action, before);
        self.history.extend(done.seen);
        Ok(done.log)
    }

    fn undo(&mut self) -> bool {
        let Some((pos, tally)) = self.past.pop(&self.game, &mut self.history) else {
            return false;
        };
        self.pos = pos;
        self.tally = tally;
        true
    }

    fn state(&self) -> Json {
        self.game.state(&self.pos)
    }

    fn set_state(&mut self, state: &Json) -> Result<(), String> {
        let pos = self.game.read_state(state)?;
        let mut history = History::default();
        history.extend(self.game.sees(&pos));
        self.replace(pos, history);
        Ok(())
    }

    fn line(&self) -> Option<String> {
        self.game.line(&self.pos)
    }

    fn set_line(&mut self, text: &str) -> Result<(), String> {
        let done = self.game.read_line(text, |pos| self.game.put_sides(pos, &self.setup))?;
        let mut history = History::default();
        history.extend(done.seen);
        self.replace(done.pos, history);
        Ok(())
    }

    fn notated(&self, name: &str, actions: &[Action], legal: &[Action]) -> Result<Vec<Notated>, Fault> {
        self.game.notated(&self.pos, self.past(), name, (actions, legal))
    }

    fn record_head(&self, record: usize) -> Result<String, Fault> {
        match self.game.rules.records.get(record) {
            Some(def) => self.game.record_head(&self.pos, def),
            None => Ok(String::new()),
        }
    }

    fn is_over(&self) -> bool {
        self.game.is_over(&self.pos)
    }

    fn to_act(&self) -> Option<usize> {
        usize::try_from(self.pos.slot(Fixed::TO_ACT)).ok()
    }

    fn phase(&self) -> Option<usize> {
        self.game.phase(&self.pos)
    }

    fn score(&self) -> Vec<i32> {
        (0..self.rules().sides.len()).map(|side| self.pos.slot(self.rules().score.plus(side))).collect()
    }

    fn winner(&self) -> Option<usize> {
        usize::try_from(self.pos.slot(Fixed::WINNER)).ok().filter(|_| self.is_over())
    }

    fn result(&self) -> Json {
        self.game.result(&self.pos)
    }

    fn hashes(&self) -> (u64, u64) {
        (self.pos.hash(), self.pos.recomputed_hash())
    }

    fn check_invariants(&self) -> Result<(), String> {
        self.game.check_invariants(&self.pos)
    }

    fn cell(&self, place: usize) -> Cell {
        let rules = &self.game.rules;
        let at = i32::try_from(place).unwrap_or(-1);
        let piece = self.game.owner_at(&self.pos, at).zip(self.game.kind_at(&self.pos, at));
        let planes = rules.drawn_planes.iter().filter(|(plane, _)| self.pos.plane(*plane).has(place));
        let slots = rules.drawn_slots.iter().filter(|(slot, _)| self.pos.slot(*slot) == at);
        let signs = planes.map(|(_, sign)| sign.as_str()).chain(slots.map(|(_, sign)| sign.as_str())).collect();
        let zones = rules.zones.iter().zip(&self.game.zones);
        // Where zones lie in each other, the smallest shows.
        let drawn = zones.filter(|(def, table)| def.drawn.is_some() && table.all.has(place));
        let zone = drawn.min_by_key(|(_, table)| table.all.len()).and_then(|(def, _)| def.drawn.clone());
        Cell { piece, signs, zone }
    }

    fn tally(&self) -> &Tally {
        &self.tally
    }

    fn plies(&self) -> usize {
        self.past.actions.len()
    }

    fn perft(&self, depth: u32, bulk: bool, stop: &dyn Fn() -> bool) -> Result<u64, Fault> {
        self.count(&self.pos, depth, bulk, stop)
    }

    fn perft_below(&self, action: Action, depth: u32, bulk: bool, stop: &dyn Fn() -> bool) -> Result<u64, Fault> {
        let done = self.game.apply(&self.pos, action, Beside { counting: true, ..Beside::default() })?;
        self.count(&done.pos, depth, bulk, stop)
    }

    fn playout(&self, rng: &mut Rng, going: &dyn Fn(u64) -> bool) -> Result<(u64, u64, bool), Fault> {
        self.random_play(rng, going)
    }

    fn operations(&self, rng: &mut Rng, going: &dyn Fn(u64) -> bool) -> Result<Option<Operations>, Fault> {
        self.count_operations(rng, going)
    }

    fn is_fast(&self) -> bool {
        self.machine.is_some()
    }

    fn compile(&mut self, runner: &dyn Runner) -> bool {
        if self.native.is_none() {
            self.native = self.machine.as_ref().and_then(|machine| Native::new(machine, runner)).map(Arc::new);
        }
        self.native.is_some()
    }

    fn plain(&self) -> Box<dyn Session> {
        Box::new(Play { machine: None, native: None, past: Past::default(), ..self.clone() })
    }

    fn compare(&self, action: Option<Action>) -> Result<(), String> {
        self.compare_here(action)?;
        self.compare_natively(action)
    }

    fn fork(&self) -> Box<dyn Session> {
        Box::new(self.clone())
    }

    fn branch(&self) -> Box<dyn Session> {
        Box::new(Play {
            game: self.game.clone(),
            machine: self.machine.clone(),
            native: self.native.clone(),
            setup: self.setup.clone(),
            pos: self.pos,
            tally: self.tally.clone(),
            history: self.history.clone(),
            past: Past::default(),
        })
    }
}
