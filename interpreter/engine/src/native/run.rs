//! An instance of machine code at work.

use std::sync::Arc;

use super::asked::{Answers, int_at, set_at};
use super::layout::{DECISIONS, GROUP_HEAD, LEVELS, Layout, SINGLE};
use super::{Instance, Native};
use crate::action::Action;
use crate::history::History;
use crate::position::Position;
use crate::program::Group;
use crate::program::machine::Machine;
use crate::rng::Rng;

/// Machine code in a memory of its own.
pub struct Run<const N: usize> {
    machine: Arc<Machine<N>>,
    layout: Arc<Layout<N>>,
    instance: Box<dyn Instance>,
}

/// How far a game at random went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walked {
    /// Decisions.
    pub decisions: u64,
    /// Legal actions over all decisions.
    pub actions: u64,
    /// Whether the code gave up at the decision after these.
    pub gave_up: bool,
}

impl<const N: usize> Native<N> {
    /// A fresh instance; `None` when the machine has none left.
    #[must_use]
    pub fn start(&self) -> Option<Run<N>> {
        let mut answers = Answers::new(self.machine.clone());
        let asked = Box::new(move |number, bytes: &mut [u8]| answers.answer(number, bytes));
        let instance = self.code.start(asked).ok()?;
        Some(Run { machine: self.machine.clone(), layout: self.layout.clone(), instance })
    }
}

impl<const N: usize> Run<N> {
    /// Puts a position into memory; nothing is left of a run that stopped half way.
    fn load(&mut self, pos: &Position<N>) -> Option<()> {
        self.instance.set_global("one", 0);
        self.instance.set_global("unjudged", -1);
        self.instance.set_global("gathered", 0);
        self.layout.write(&self.machine, pos, self.instance.memory())
    }

    fn position(&mut self) -> Option<Position<N>> {
        self.layout.read(&self.machine, self.instance.memory())
    }

    /// What the game has seen so far; `None` when it is too long.
    pub fn set_past(&mut self, history: &History) -> Option<()> {
        if !self.layout.remembers {
            return Some(());
        }
        self.layout.past.write(history, self.instance.memory())
    }

    /// What the game has seen, with what was played since; nothing where no rule asks.
    pub fn past(&mut self) -> Option<History> {
        if !self.layout.remembers {
            return Some(History::default());
        }
        self.layout.past.read(self.instance.memory())
    }

    fn mode(&mut self, later: bool, counting: bool) {
        self.instance.set_global("later", i64::from(later));
        self.instance.set_global("counting", i64::from(counting));
    }

    /// The legal actions of a position in groups, in the program's order; `None` when the code gave up.
    pub fn find(&mut self, pos: &Position<N>) -> Option<Vec<Group<N>>> {
        self.load(pos)?;
        let first = self.layout.groups().0;
        self.instance.set_global("found", i64::from(first));
        self.instance.call("find", &[]).ok()?;
        let end = u32::try_from(self.instance.global("found")).ok()?;
        let bytes = &*self.instance.memory();
        let sides = self.machine.game.rules.sides.len();
        let mut groups = Vec::new();
        for address in (first..end).step_by(Layout::<N>::GROUP as usize) {
            let head = int_at(bytes, address)?;
            let action = usize::try_from(head & (SINGLE - 1)).ok()? / sides;
            let aims = self.machine.program.actions.get(action)?.first()?.aims;
            let prefix = aims.saturating_sub(1);
            let mut group = Group { action: u16::try_from(action).ok()?, prefix, aims: [0; 3], last: None };
            for (number, aim) in (0u32..u32::from(prefix)).zip(&mut group.aims) {
                *aim = int_at(bytes, address + 4 + 4 * number)?;
            }
            if head & SINGLE == 0 {
                group.last = Some(set_at(bytes, address + GROUP_HEAD)?);
            }
            groups.push(group);
        }
        Some(groups)
    }

    /// The position after a legal action; `None` when the code gave up.
    pub fn play(&mut self, pos: &Position<N>, action: Action) -> Option<Position<N>> {
        self.load(pos)?;
        self.mode(false, false);
        let sides = self.machine.game.rules.sides.len();
        let side = usize::try_from(pos.slot(crate::ir::Fixed::TO_ACT)).ok()?;
        let picked = i32::try_from(action.def() * sides + side).ok()?;
        let aims = [0, 1, 2, 3].map(|number| action.aim(number));
        self.instance.call("act", &[picked, aims[0], aims[1], aims[2], aims[3]]).ok()?;
        self.position()
    }

    /// A game at random for so many decisions at most, from a position whose phase has been judged. Where the code gave up,
    /// the position and the source of chance are those before the decision that it did not take.
    pub fn walk(&mut self, pos: &mut Position<N>, rng: &mut Rng, most: u32) -> Option<Walked> {
        let (start, before) = (*pos, self.past()?);
        let mut limit = most;
        let mut gave_up = false;
        loop {
            self.load(&start)?;
            self.set_past(&before)?;
            self.mode(true, false);
            self.instance.set_global("actions", 0);
            self.instance.set_global("chance", rng.state().cast_signed());
            let went = self.instance.call("playout", &[i32::try_from(limit).ok()?]);
            let decisions = u32::try_from(int_at(self.instance.memory(), DECISIONS)?).ok()?;
            // What was put off is judged now.
            let judged = went.is_ok() && (decisions < limit || self.judge().is_some());
            if judged {
                *pos = self.position()?;
                *rng = Rng::new(self.instance.global("chance").cast_unsigned());
                let actions = self.instance.global("actions").cast_unsigned();
                return Some(Walked { decisions: u64::from(decisions), actions, gave_up });
            }
            // The same chance leads here again, up to the decision before.
            gave_up = true;
            let next = if went.is_ok() { decisions.saturating_sub(1) } else { decisions };
            if limit == 0 || next >= limit {
                return None;
            }
            limit = next;
        }
    }

    /// Judges the phase of the position in memory, if that waits.
    fn judge(&mut self) -> Option<()> {
        let first = self.layout.groups().0;
        self.instance.set_global("found", i64::from(first));
        self.instance.call("find", &[]).ok()?;
        let any = i32::from(self.instance.global("found") > i64::from(first));
        self.instance.call("judge", &[any]).ok().map(|_| ())
    }

    /// How many chains of so many decisions there are; `None` when the code gave up, or does not count so deep.
    pub fn perft(&mut self, pos: &Position<N>, depth: u32, bulk: bool) -> Option<u64> {
        if depth > LEVELS {
            return None;
        }
        self.load(pos)?;
        self.mode(true, true);
        let first = self.layout.groups().0;
        self.instance.set_global("found", i64::from(first));
        let levels = i32::try_from(self.layout.levels()).ok()?;
        let nodes = self.instance.call("perft", &[i32::try_from(depth).ok()?, i32::from(bulk), levels]).ok()?;
        Some(nodes.cast_unsigned())
    }
}
