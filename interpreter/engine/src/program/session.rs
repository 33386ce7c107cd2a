//! A session's work that a program does: counting positions, playing at random, and being compared with the walker.

use std::collections::HashMap;

use super::machine::{Machine, Memory};
use crate::action::Action;
use crate::fault::Fault;
use crate::history::{Beside, History};
use crate::ir::Fixed;
use crate::native::Course;
use crate::position::Position;
use crate::rng::Rng;
use crate::session::{Operations, Play};

impl<const N: usize> Play<N> {
    /// Counts positions with the program where there is one.
    pub(crate) fn count(
        &self,
        pos: &Position<N>,
        depth: u32,
        bulk: bool,
        stop: &dyn Fn() -> bool,
    ) -> Result<u64, Fault> {
        if let Some(nodes) = self.count_natively(pos, (depth, bulk), stop) {
            return Ok(nodes);
        }
        let Some(machine) = &self.machine else { return self.game.perft(pos, depth, bulk, stop) };
        let mut memory = Memory { counting: true, ..Memory::default() };
        let mut stack = vec![Vec::new(); depth as usize + 1];
        match machine.perft(pos, &mut memory, &mut stack, (depth, bulk), stop) {
            Some(nodes) => Ok(nodes),
            None => self.game.perft(pos, depth, bulk, stop),
        }
    }

    /// Random play with the program where there is one.
    pub(crate) fn random_play(&self, rng: &mut Rng, going: &dyn Fn(u64) -> bool) -> Result<(u64, u64, bool), Fault> {
        let mut course = Course { pos: self.pos, history: self.history.clone(), decisions: 0, actions: 0 };
        if let Some(native) = &self.native {
            native.play_on(&mut course, rng, going);
        }
        // Each position is searched anyway: its phase is judged then.
        self.play_on(course, &mut Memory { later: true, ..Memory::default() }, rng, going)
    }

    /// Counts the operations of the program in random play, by their names.
    pub(crate) fn count_operations(
        &self,
        rng: &mut Rng,
        going: &dyn Fn(u64) -> bool,
    ) -> Result<Option<Operations>, Fault> {
        if self.machine.is_none() {
            return Ok(None);
        }
        let course = Course { pos: self.pos, history: self.history.clone(), decisions: 0, actions: 0 };
        let mut memory = Memory { later: true, operations: Some(HashMap::new()), ..Memory::default() };
        let (decisions, ..) = self.play_on(course, &mut memory, rng, going)?;
        let counts = memory.operations.unwrap_or_default().into_values().map(|(op, count)| (op.name(), count));
        let mut counts: Vec<(String, u64)> = counts.collect();
        counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Ok(Some((decisions, counts)))
    }

    /// Random play by the program from where a game stands.
    fn play_on(
        &self,
        course: Course<N>,
        memory: &mut Memory<N>,
        rng: &mut Rng,
        going: &dyn Fn(u64) -> bool,
    ) -> Result<(u64, u64, bool), Fault> {
        let Course { mut pos, mut history, mut decisions, mut actions } = course;
        // The decision whose phase waits to be judged: before it, and what histories had seen.
        let mut unsettled: Option<(Position<N>, Action, usize)> = None;
        while pos.slot(Fixed::DECIDED) == 0 && going(decisions) {
            let action = if let Some(count) = self.find_by_program(&mut pos, memory, &history) {
                if pos.slot(Fixed::DECIDED) == 1 {
                    break;
                }
                actions += count as u64;
                (count > 0).then(|| rng.below(count)).and_then(|number| memory.pick(number))
            } else {
                memory.unjudged = None;
                if let Some((before, action, seen)) = unsettled.take() {
                    history.truncate(seen);
                    pos = self.walk(&before, action, &mut history)?;
                    if pos.slot(Fixed::DECIDED) == 1 {
                        break;
                    }
                }
                let legal = self.game.legal(&pos, Some(&history))?;
                actions += legal.len() as u64;
                (!legal.is_empty()).then(|| legal[rng.below(legal.len())])
            };
            let Some(action) = action else { break };
            decisions += 1;
            let mut next = pos;
            let past = Some(&history);
            let played = self.machine.as_ref().and_then(|machine| machine.play(&mut next, memory, past, action));
            if played.is_some() {
                unsettled = memory.unjudged.is_some().then(|| (pos, action, history.len()));
                pos = next;
                history.extend(std::mem::take(&mut memory.seen));
            } else {
                memory.unjudged = None;
                unsettled = None;
                pos = self.walk(&pos, action, &mut history)?;
            }
        }
        Ok((decisions, actions, pos.slot(Fixed::DECIDED) == 1))
    }

    /// The position after an action, by the walker.
    fn walk(&self, pos: &Position<N>, action: Action, history: &mut History) -> Result<Position<N>, Fault> {
        let done = self.game.apply(pos, action, Beside::past(Some(history)))?;
        history.extend(done.seen);
        Ok(done.pos)
    }

    /// How many actions the program finds legal, after judging the phase if that was put off; `None` when it gives up.
    fn find_by_program(&self, pos: &mut Position<N>, memory: &mut Memory<N>, history: &History) -> Option<usize> {
        let machine = self.machine.as_ref()?;
        let past = Some(history);
        machine.find_somehow(pos, memory, past)?;
        let count = memory.count();
        machine.judge_later(pos, memory, past, count > 0)?;
        Some(count)
    }

    /// Whether program and walker agree.
    pub(crate) fn compare_here(&self, action: Option<Action>) -> Result<(), String> {
        let Some(machine) = &self.machine else { return Err("there is no program".to_owned()) };
        let mut memory = Memory::default();
        let past = self.past();
        machine.find_somehow(&self.pos, &mut memory, past).ok_or("the program gave up on the legal actions")?;
        let counted = memory.count();
        machine.put_in_order(&mut memory);
        let legal = self.game.legal(&self.pos, Some(&self.history)).map_err(|fault| fault.text)?;
        let fast: Vec<Action> = memory.actions().collect();
        if fast != legal {
            let texts = |list: &[Action], other: &[Action]| -> Vec<String> {
                let odd = list.iter().filter(|action| !other.contains(action)).take(8);
                odd.map(|action| self.game.action_text(&self.pos, *action)).collect()
            };
            if let Some(number) = (0..fast.len().min(legal.len())).find(|&n| fast[n] != legal[n])
                && fast.len() == legal.len()
            {
                let text = |list: &[Action]| self.game.action_text(&self.pos, list[number]);
                return Err(format!(
                    "action {number} is {} in the program, {} in the walker",
                    text(&fast),
                    text(&legal)
                ));
            }
            return Err(format!(
                "legal actions differ ({} and {}): only the program has {:?}, only the walker {:?}",
                fast.len(),
                legal.len(),
                texts(&fast, &legal),
                texts(&legal, &fast)
            ));
        }
        if counted != legal.len() || (0..legal.len()).any(|number| memory.pick(number) != Some(legal[number])) {
            return Err("groups are not counted or picked as they are listed".to_owned());
        }
        let Some(action) = action else { return Ok(()) };
        let mut pos = self.pos;
        machine.play(&mut pos, &mut memory, past, action).ok_or("the program gave up on an action")?;
        let done = self.game.apply(&self.pos, action, Beside::past(Some(&self.history))).map_err(|fault| fault.text)?;
        if pos != done.pos {
            return Err(format!(
                "after `{}`: {}",
                self.game.action_text(&self.pos, action),
                self.difference(&pos, &done.pos)
            ));
        }
        if memory.seen != done.seen {
            return Err("histories have seen something else".to_owned());
        }
        Ok(())
    }

    /// The first parts in which two positions differ.
    pub(crate) fn difference(&self, fast: &Position<N>, right: &Position<N>) -> String {
        let rules = &self.game.rules;
        let mut out = Vec::new();
        for (number, def) in rules.planes.iter().enumerate() {
            if fast.plane_at(number) != right.plane_at(number) {
                out.push(format!("the set `{}` ({number})", def.name));
            }
        }
        for (number, def) in rules.slots.iter().enumerate() {
            let (a, b) = (fast.slot_at(number), right.slot_at(number));
            if a != b {
                out.push(format!("`{}` ({number}) is {a}, not {b}", def.name));
            }
        }
        out.join(", ")
    }
}

impl<const N: usize> Machine<N> {
    /// How many chains of so many decisions there are; `None` when the program gave up. When it is stopped, those
    /// so far.
    fn perft(
        &self,
        pos: &Position<N>,
        m: &mut Memory<N>,
        stack: &mut [Vec<Action>],
        (depth, bulk): (u32, bool),
        stop: &dyn Fn() -> bool,
    ) -> Option<u64> {
        let Some((list, deeper)) = stack.split_first_mut().filter(|_| depth > 0) else { return Some(1) };
        self.find_somehow(pos, m, None)?;
        if bulk && depth == 1 {
            return Some(m.count() as u64);
        }
        list.clear();
        list.extend(m.actions());
        let mut nodes = 0;
        for &action in list.iter() {
            if stop() {
                break;
            }
            let mut next = *pos;
            self.play(&mut next, m, None, action)?;
            nodes += self.perft(&next, m, deeper, (depth - 1, bulk), stop)?;
        }
        Some(nodes)
    }
}
