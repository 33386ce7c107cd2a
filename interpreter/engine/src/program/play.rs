//! What a program is asked for: the legal actions in groups, and to carry one out.

use super::machine::{Machine, Memory, Past};
use crate::action::Action;
use crate::bits::Bits;
use crate::ir::Fixed;
use crate::position::Position;

/// How many operations that cost something a decision may take before the walker is asked instead.
const FUEL: u64 = 4_000_000;

/// Legal actions that differ in their last aim only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group<const N: usize> {
    /// The number of the action's definition.
    pub action: u16,
    /// How many aims there are before the last.
    pub prefix: u8,
    /// The aims before the last.
    pub aims: [i32; 3],
    /// The last aims, by number; `None` for an action without aims.
    pub last: Option<Bits<N>>,
}

/// The answer of a program: `None` when it gave up and the walker is to be asked.
pub type Fast<T> = Option<T>;

impl<const N: usize> Machine<N> {
    /// Finds the legal actions of a position; they are in `memory.groups` then, in the walker's order.
    pub fn find(&self, pos: &Position<N>, m: &mut Memory<N>, past: Past<'_>) -> Fast<()> {
        self.find_somehow(pos, m, past)?;
        self.put_in_order(m);
        Some(())
    }

    /// Puts the legal actions that were found into the walker's order.
    pub(super) fn put_in_order(&self, m: &mut Memory<N>) {
        let last = |action: u16| self.game.rules.actions[usize::from(action)].otherwise;
        m.groups.sort_unstable_by_key(|group| (last(group.action), group.action, group.aims));
        // Last aims that were legal as a set and those that were tried one by one come as two groups.
        m.groups.dedup_by(|next, kept| match (next.last, &mut kept.last) {
            (Some(more), Some(last)) if (next.action, next.aims) == (kept.action, kept.aims) => {
                *last = last.or(more);
                true
            }
            _ => false,
        });
    }

    /// Finds the legal actions of a position, in any order (always the same).
    pub fn find_somehow(&self, pos: &Position<N>, m: &mut Memory<N>, past: Past<'_>) -> Fast<()> {
        m.fuel = FUEL;
        m.seen.clear();
        self.find_beside(pos, m, past)
    }

    /// Looks for legal actions in a copy.
    fn find_beside(&self, pos: &Position<N>, m: &mut Memory<N>, past: Past<'_>) -> Fast<()> {
        let mut work = m.work.take().unwrap_or_default();
        work.copy_from(pos, self.planes, self.slots);
        let found = self.find_in(&mut work, m, past);
        m.work = Some(work);
        found
    }

    /// Whether there is a legal action.
    pub(super) fn any_legal(&self, pos: &Position<N>, m: &mut Memory<N>, past: Past<'_>) -> Fast<bool> {
        let (me, author) = (m.me, m.author);
        (m.one_suffices, m.enough) = (true, false);
        let found = self.find_beside(pos, m, past);
        m.one_suffices = false;
        (m.me, m.author) = (me, author);
        found?;
        Some(m.enough || !m.groups.is_empty())
    }

    fn find_in(&self, pos: &mut Position<N>, m: &mut Memory<N>, past: Past<'_>) -> Fast<()> {
        m.groups.clear();
        let Some(phase) = self.game.phase(pos) else { return Some(()) };
        let side = pos.slot(Fixed::TO_ACT);
        m.me = side;
        let side = usize::try_from(side).ok()?;
        for &index in &self.game.rules.phases[phase].actions {
            if self.game.rules.actions[index].otherwise && !m.groups.is_empty() {
                continue;
            }
            let code = self.program.actions.get(index)?.get(side)?;
            if !self.run(pos, m, past, code.find) {
                return None;
            }
            if m.enough && m.one_suffices {
                break;
            }
        }
        Some(())
    }

    /// Carries out a legal action with all that follows. When the program gives up, the position is of no use.
    pub fn play(&self, pos: &mut Position<N>, m: &mut Memory<N>, past: Past<'_>, action: Action) -> Fast<()> {
        m.fuel = FUEL;
        m.seen.clear();
        m.waiting.happened.clear();
        m.waiting.values.clear();
        m.waiting.begins.clear();
        (m.waiting.ends, m.waiting.go) = (0, None);
        m.unjudged = None;
        m.me = pos.slot(Fixed::TO_ACT);
        let side = usize::try_from(m.me).ok()?;
        let code = self.program.actions.get(action.def())?.get(side)?;
        m.author = i32::try_from(self.game.rules.rules.len() + action.def()).ok()?;
        for aim in 0..usize::from(code.aims) {
            m.ints[aim] = action.aim(aim);
        }
        if !self.run(pos, m, past, code.play) {
            return None;
        }
        self.settle(pos, m, past)
    }
}

impl<const N: usize> Memory<N> {
    /// How many legal actions were found.
    #[must_use]
    pub fn count(&self) -> usize {
        self.groups.iter().map(|group| group.last.map_or(1, |set| set.len() as usize)).sum()
    }

    /// The legal action of that number, in the order of the groups.
    #[must_use]
    pub fn pick(&self, number: usize) -> Option<Action> {
        let mut left = number;
        for group in &self.groups {
            let here = group.last.map_or(1, |set| set.len() as usize);
            if left < here {
                return Some(group.action_with(group.last.and_then(|set| set.iter().nth(left))));
            }
            left -= here;
        }
        None
    }

    /// All legal actions that were found.
    pub fn actions(&self) -> impl Iterator<Item = Action> + '_ {
        self.groups.iter().flat_map(|group| {
            let one = group.last.is_none().then(|| group.action_with(None));
            let many = group.last.into_iter().flat_map(Bits::iter).map(|last| group.action_with(Some(last)));
            one.into_iter().chain(many)
        })
    }
}

impl<const N: usize> Group<N> {
    fn action_with(&self, last: Option<usize>) -> Action {
        let mut aims = [self.aims[0], self.aims[1], self.aims[2], 0];
        let before = usize::from(self.prefix);
        if let Some(last) = last {
            aims[before] = i32::try_from(last).unwrap_or(0);
        }
        Action::pack(usize::from(self.action), &aims)
    }
}
