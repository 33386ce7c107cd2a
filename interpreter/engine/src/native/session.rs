//! A session's long work by machine code: games at random, counting positions, and being compared with the program.

use super::{Native, Run};
use crate::action::Action;
use crate::history::History;
use crate::ir::Fixed;
use crate::position::Position;
use crate::program::machine::{Machine, Memory};
use crate::rng::Rng;
use crate::session::Play;

/// How many decisions machine code takes before somebody may stop it.
const SLICE: u32 = 256;
/// How often machine code may give up in a game before the program plays on.
const GIVE_UPS: u32 = 4;
/// How deep machine code counts before somebody may stop it.
const DEPTH: u32 = 3;

/// A game at random: where it stands.
pub(crate) struct Course<const N: usize> {
    /// The position, its phase judged.
    pub pos: Position<N>,
    /// What it has seen.
    pub history: History,
    /// Decisions so far.
    pub decisions: u64,
    /// Legal actions over all of them.
    pub actions: u64,
}

impl<const N: usize> Native<N> {
    /// Work with an instance; used ones are kept for the next time.
    fn with<T>(&self, work: impl FnOnce(&mut Run<N>) -> Option<T>) -> Option<T> {
        let kept = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        let mut run = kept.or_else(|| self.start())?;
        let done = work(&mut run);
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(run);
        }
        done
    }

    /// Plays a game at random as far as machine code takes it, or until `going` says no more.
    pub(crate) fn play_on(&self, course: &mut Course<N>, rng: &mut Rng, going: &dyn Fn(u64) -> bool) {
        self.with(|run| {
            run.set_past(&course.history)?;
            let mut left = GIVE_UPS;
            while left > 0 && course.pos.slot(Fixed::DECIDED) == 0 && going(course.decisions) {
                let walked = run.walk(&mut course.pos, rng, SLICE)?;
                course.history = run.past()?;
                course.decisions += walked.decisions;
                course.actions += walked.actions;
                left -= u32::from(walked.gave_up);
                if walked.decisions == 0 {
                    break;
                }
            }
            Some(())
        });
    }
}

impl<const N: usize> Play<N> {
    /// Counts positions by machine code, in parts between which somebody may stop it; `None` when it gave up.
    pub(crate) fn count_natively(
        &self,
        pos: &Position<N>,
        (depth, bulk): (u32, bool),
        stop: &dyn Fn() -> bool,
    ) -> Option<u64> {
        let (native, machine) = (self.native.as_ref()?, self.machine.as_ref()?);
        native.with(|run| {
            let mut memory = Memory { counting: true, ..Memory::default() };
            count(machine, run, &mut memory, pos, (depth, bulk), stop)
        })
    }

    /// Whether machine code and program agree here.
    pub(crate) fn compare_natively(&self, action: Option<Action>) -> Result<(), String> {
        let (Some(native), Some(machine)) = (&self.native, &self.machine) else { return Ok(()) };
        let past = Some(&self.history);
        let mut memory = Memory::default();
        machine.find_somehow(&self.pos, &mut memory, past).ok_or("the program gave up on the legal actions")?;
        let agreed = native.with(|run| {
            run.set_past(&self.history)?;
            let Some(groups) = run.find(&self.pos) else {
                return Some(Err("machine code gave up on the legal actions".to_owned()));
            };
            if groups != memory.groups {
                let pair = groups.iter().zip(&memory.groups).find(|(a, b)| a != b);
                return Some(Err(format!(
                    "legal actions of machine code differ from the program's: {} groups and {}, first {pair:?}",
                    groups.len(),
                    memory.groups.len(),
                )));
            }
            let Some(action) = action else { return Some(Ok(())) };
            let mut right = self.pos;
            if machine.play(&mut right, &mut memory, past, action).is_none() {
                return Some(Err("the program gave up on an action".to_owned()));
            }
            let text = self.game.action_text(&self.pos, action);
            Some(match run.play(&self.pos, action) {
                None => Err(format!("machine code gave up on `{text}`")),
                Some(pos) if pos != right => {
                    Err(format!("after `{text}` by machine code: {}", self.difference(&pos, &right)))
                }
                Some(_) => Ok(()),
            })
        });
        agreed.unwrap_or_else(|| Err("there is no instance of machine code".to_owned()))
    }
}

fn count<const N: usize>(
    machine: &Machine<N>,
    run: &mut Run<N>,
    memory: &mut Memory<N>,
    pos: &Position<N>,
    (depth, bulk): (u32, bool),
    stop: &dyn Fn() -> bool,
) -> Option<u64> {
    if depth <= DEPTH {
        return run.perft(pos, depth, bulk);
    }
    machine.find_somehow(pos, memory, None)?;
    let actions: Vec<Action> = memory.actions().collect();
    let mut nodes = 0;
    for action in actions {
        if stop() {
            break;
        }
        let mut next = *pos;
        machine.play(&mut next, memory, None, action)?;
        nodes += count(machine, run, memory, &next, (depth - 1, bulk), stop)?;
    }
    Some(nodes)
}
