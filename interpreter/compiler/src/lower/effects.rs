//! Statements, and the two pieces of code that an action has.

use fullcourt_engine::ir::{Choice, Local, PhaseId, Stmt, StmtId, Ty};
use fullcourt_engine::program::machine::SAVED;
use fullcourt_engine::program::{Arg, Op, Reg};

use super::emit::{Emitter, Full, Label, Made};
use super::program::{Lower, Piece, Val};
use super::shapes::shield::{Plain, Shield};
use super::values::{Int, Set};

/// An action while its legal aims are looked for.
pub struct Search<'s> {
    /// Its number.
    pub action: u16,
    /// Its steps, the effects included.
    pub steps: &'s [StmtId],
    /// Where the effects begin.
    pub gate: usize,
    /// The effects.
    pub effects: &'s [StmtId],
    /// Registers of the aims chosen so far.
    pub aims: Vec<Reg>,
    /// How many positions are kept.
    pub saved: u8,
    /// Whether a law may refuse it.
    pub lawful: bool,
    /// The first aim, if it is a piece of the side that acts.
    pub who: Option<(Local, Piece, Reg)>,
    /// What spares most of the tests of a law.
    pub shield: Option<Shield>,
}

impl Lower<'_> {
    /// Code that finds the legal aims of an action.
    pub fn find(&mut self, index: usize) -> Made<u32> {
        let rules = self.rules;
        let def = &rules.actions[index];
        let entry = self.begin(def.locals);
        let ends = self.out.label();
        let lawful = rules.laws.iter().any(|law| law.phases.iter().any(|phase| def.phases.contains(phase)));
        let mut search = Search {
            action: u16::try_from(index).map_err(|_| Full)?,
            steps: &def.steps,
            gate: def.gate,
            effects: &def.steps[def.gate..],
            aims: Vec::new(),
            saved: 0,
            lawful,
            who: None,
            shield: None,
        };
        // Only where one law binds the action in all its phases, and nothing changes before the last aim is chosen.
        let mut binding = rules.laws.iter().filter(|law| law.phases.iter().any(|phase| def.phases.contains(phase)));
        let quiet = |step: &StmtId| matches!(rules.stmt(*step), Stmt::Choose(_) | Stmt::Need(..) | Stmt::Let(..));
        if let (Some(law), None) = (binding.next(), binding.next())
            && def.phases.iter().all(|phase| law.phases.contains(phase))
            && def.steps[..def.gate].iter().all(quiet)
        {
            search.shield = self.shield(law)?;
        }
        self.search(&mut search, 0, ends, None)?;
        self.out.place(ends);
        self.out.op(Op::End)?;
        Ok(entry)
    }

    /// The steps from one on: goes to `fail` when a condition does not hold; an action that is legal is given out, or
    /// added to the set of last aims.
    fn search(&mut self, search: &mut Search<'_>, from: usize, fail: Label, last: Option<(Reg, Reg)>) -> Made<()> {
        for at in from..search.gate {
            let step = search.steps[at];
            match self.rules.stmt(step) {
                Stmt::Choose(choice) => return self.choose(search, choice, at),
                Stmt::Need(test, ..) => {
                    let mark = self.out.mark();
                    self.cond(*test, false, fail)?;
                    self.out.release(mark);
                }
                _ => self.effects(&[step], true)?,
            }
        }
        self.legal(search, fail, last)
    }

    fn choose(&mut self, search: &mut Search<'_>, choice: &Choice, at: usize) -> Made<()> {
        let rest = &search.steps[at + 1..search.gate];
        let domain = self.set(choice.domain)?;
        if self.is_untested(rest, search.lawful) {
            let s = self.set_in_reg(domain)?;
            return self.give(search, s);
        }
        let piece = if choice.ty == Ty::Square { self.pieces_of(choice.domain) } else { Piece::default() };
        if self.splits(piece, &search.steps[at + 1..], choice.local) {
            return self.choose_by_kind(search, (choice, at), domain, piece);
        }
        self.choose_from(search, choice, at, (domain, piece))
    }

    /// Tries every aim of a set.
    pub fn choose_from(
        &mut self,
        search: &mut Search<'_>,
        choice: &Choice,
        at: usize,
        (domain, piece): (Set, Piece),
    ) -> Made<()> {
        let rest = &search.steps[at + 1..search.gate];
        let more = rest.iter().any(|&step| matches!(self.rules.stmt(step), Stmt::Choose(_)));
        let rest_set = self.out.set()?;
        self.set_into(rest_set, domain)?;
        if let Some(reach) = self.needed(rest, choice.local, piece, choice.domain) {
            self.leave_out(rest_set, &reach)?;
        }
        let place = self.out.int()?;
        let kept = if more { None } else { Some(self.out.set()?) };
        if let Some(kept) = kept {
            self.set_into(kept, Set::Const([0; 8]))?;
        }
        if let (Some(kept), Some(shield)) = (kept, search.shield)
            && rest.iter().all(|&step| matches!(self.rules.stmt(step), Stmt::Let(..)))
        {
            let who = search.who.map(|(local, piece, _)| (local, piece));
            let steps: Vec<StmtId> = rest.iter().chain(search.effects).copied().collect();
            if let Plain::Unless(tests, puts) = self.plain(&steps, who, choice.local, shield.guarded) {
                return self.choose_plainly(search, (choice, &steps), (rest_set, place, kept), (shield, &tests, &puts));
            }
        }
        let changes =
            rest.iter().any(|&step| !matches!(self.rules.stmt(step), Stmt::Choose(_) | Stmt::Need(..) | Stmt::Let(..)))
                || (search.lawful && !more);
        let save = search.saved;
        let (again, end) = (self.out.label(), self.out.label());
        if changes {
            if usize::from(save) >= SAVED {
                return Err(Full);
            }
            self.out.op(Op::Save { k: save })?;
            search.saved += 1;
        }
        self.out.place(again);
        if changes {
            self.out.op(Op::Restore { k: save })?;
        }
        self.out.op(Op::Next { d: place, s: rest_set, to: Emitter::to(end) })?;
        self.bind(choice.local, Val::Int(Int::Reg(place)));
        self.learn(choice.local, piece);
        let who = search.who;
        if search.aims.is_empty() && piece.owner.is_some() {
            search.who = Some((choice.local, piece, place));
        }
        search.aims.push(place);
        let mark = self.out.mark();
        self.search(search, at + 1, again, kept.map(|kept| (kept, place)))?;
        self.out.op(Op::Jump(Emitter::to(again)))?;
        self.out.release(mark);
        search.aims.pop();
        search.who = who;
        search.saved = save;
        self.out.place(end);
        match kept {
            Some(kept) => self.give(search, kept),
            None => Ok(()),
        }
    }

    /// The aims so far with each of a set as the last.
    pub fn give(&mut self, search: &Search<'_>, s: Reg) -> Made<()> {
        let prefix = self.out.prefix(search.aims.clone())?;
        self.out.op(Op::Group { action: search.action, prefix, s })
    }

    /// All conditions hold; the laws are left.
    fn legal(&mut self, search: &Search<'_>, fail: Label, last: Option<(Reg, Reg)>) -> Made<()> {
        let alone = last.is_none() && search.lawful;
        if alone {
            self.out.op(Op::Save { k: search.saved })?;
        }
        let broken = if alone { self.out.label() } else { fail };
        if search.lawful {
            self.effects(search.effects, true)?;
            self.laws(search.action, broken)?;
        }
        match last {
            Some((kept, place)) => self.out.op(Op::Insert { d: kept, a: place })?,
            None => self.out.op(Op::Single { action: search.action })?,
        }
        self.out.op(Op::Enough)?;
        if alone {
            let end = self.out.label();
            self.out.op(Op::Restore { k: search.saved })?;
            self.out.op(Op::Jump(Emitter::to(end)))?;
            self.out.place(broken);
            self.out.op(Op::Restore { k: search.saved })?;
            self.out.op(Op::Jump(Emitter::to(fail)))?;
            self.out.place(end);
        }
        Ok(())
    }

    /// The laws of the phase in which the action is looked for.
    pub fn laws(&mut self, action: u16, broken: Label) -> Made<()> {
        let rules = self.rules;
        let def = &rules.actions[usize::from(action)];
        for law in &rules.laws {
            let binding: Vec<PhaseId> = def.phases.iter().copied().filter(|p| law.phases.contains(p)).collect();
            if binding.is_empty() {
                continue;
            }
            let next = self.out.label();
            // An action may belong to phases that the law does not bind.
            if binding.len() < def.phases.len() {
                let phase = self.out.int()?;
                let slot = self.slot(fullcourt_engine::ir::Fixed::PHASE)?;
                self.out.op(Op::Slot { d: phase, slot })?;
                let holds = self.out.label();
                for id in binding {
                    let k = i32::try_from(id.0).map_err(|_| Full)?;
                    self.out.op(Op::IfCmpConst {
                        cmp: fullcourt_engine::ir::Cmp::Eq,
                        a: phase,
                        k,
                        to: Emitter::to(holds),
                    })?;
                }
                self.out.op(Op::Jump(Emitter::to(next)))?;
                self.out.place(holds);
            }
            self.aside(law.locals, |lower| lower.cond(law.test, false, broken))?;
            self.out.place(next);
        }
        Ok(())
    }

    /// Code that carries an action out; its aims are in the first registers.
    pub fn play(&mut self, index: usize) -> Made<u32> {
        let def = &self.rules.actions[index];
        let entry = self.begin(def.locals);
        for (local, _) in &def.aims {
            let reg = self.out.int()?;
            self.bind(*local, Val::Int(Int::Reg(reg)));
        }
        if let Some((choice, piece)) = self.split_of(&def.steps) {
            self.play_by_kind(&def.steps, choice, piece)?;
            return Ok(entry);
        }
        self.effects(&def.steps, false)?;
        self.out.op(Op::End)?;
        Ok(entry)
    }

    /// Statements. `trying`: the position alone matters, nothing is told and nothing waits.
    #[expect(clippy::too_many_lines, reason = "the dispatch table of statements: one short arm for each")]
    pub fn effects(&mut self, steps: &[StmtId], trying: bool) -> Made<()> {
        let rules = self.rules;
        for &step in steps {
            let mark = self.out.mark();
            // What is known of a piece holds until pieces move, in a loop also before they do.
            let moves = self.moves_pieces(step);
            if moves && matches!(rules.stmt(step), Stmt::For(..) | Stmt::ForSides(..)) {
                self.forget();
            }
            match rules.stmt(step) {
                // The aims are chosen, the conditions have been tested.
                Stmt::Choose(_) | Stmt::Need(..) => {}
                Stmt::Let(local, value) => self.let_in(*local, *value)?,
                Stmt::If(arms, otherwise) => {
                    let end = self.out.label();
                    let known = self.remember();
                    let mut settled = false;
                    for (test, steps) in arms {
                        match self.known(*test) {
                            Some(false) => continue,
                            Some(true) => {
                                self.effects(steps, trying)?;
                                settled = true;
                                break;
                            }
                            None => {}
                        }
                        let next = self.out.label();
                        self.cond(*test, false, next)?;
                        self.effects(steps, trying)?;
                        self.out.op(Op::Jump(Emitter::to(end)))?;
                        self.out.place(next);
                        self.recall(&known);
                    }
                    if !settled {
                        self.effects(otherwise, trying)?;
                    }
                    self.out.place(end);
                    self.recall(&known);
                }
                Stmt::ForSides(local, steps) => {
                    for side in 0..rules.sides.len() {
                        self.bind(*local, Val::Int(Int::Const(i32::try_from(side).map_err(|_| Full)?)));
                        self.effects(steps, trying)?;
                    }
                }
                Stmt::For(local, domain, steps) if self.marks_alone(*local, steps) => {
                    let domain = self.set(*domain)?;
                    self.marks_of_set(steps, domain)?;
                }
                Stmt::For(local, domain, steps) => {
                    let domain_set = self.set(*domain)?;
                    if let Some(adds) = self.adds_alone(steps) {
                        self.added_up(adds, domain_set)?;
                        self.out.release(mark);
                        continue;
                    }
                    let end = self.out.label();
                    let (place, again) = self.each(domain_set, end)?;
                    self.bind(*local, Val::Int(Int::Reg(place)));
                    let piece = if moves { Piece::default() } else { self.pieces_of(*domain) };
                    self.learn(*local, piece);
                    self.effects(steps, trying)?;
                    self.out.op(Op::Jump(Emitter::to(again)))?;
                    self.out.place(end);
                }
                Stmt::Move(from, to) => {
                    let (a, b) = (self.reg(*from)?, self.reg(*to)?);
                    self.out.op(Op::Move { a, b })?;
                }
                Stmt::MoveEach(local, domain, to) => {
                    let (domain_set, end) = (self.set(*domain)?, self.out.label());
                    let (place, again) = self.each(domain_set, end)?;
                    self.bind(*local, Val::Int(Int::Reg(place)));
                    let b = self.reg(*to)?;
                    self.out.op(Op::Gather { a: place, b })?;
                    self.out.op(Op::Jump(Emitter::to(again)))?;
                    self.out.place(end);
                    self.out.op(Op::MoveGathered)?;
                }
                Stmt::Put(kind, side, on) => {
                    let (a, b, c) = (self.reg(*kind)?, self.reg(*side)?, self.reg(*on)?);
                    self.out.op(Op::Put { a, b, c })?;
                }
                Stmt::Remove(square) => {
                    let a = self.reg(*square)?;
                    self.out.op(Op::Remove { a })?;
                }
                Stmt::Mark(plane, squares, on) => {
                    let (plane, s) = (u8::try_from(plane.0).map_err(|_| Full)?, self.set_reg(*squares)?);
                    self.out.op(if *on { Op::Mark { plane, s } } else { Op::Unmark { plane, s } })?;
                }
                Stmt::SetPlane(plane, squares) => {
                    let (plane, s) = (u8::try_from(plane.0).map_err(|_| Full)?, self.set_reg(*squares)?);
                    self.out.op(Op::SetPlane { plane, s })?;
                }
                Stmt::SetSlot(slot, of, value) => {
                    let slot = self.slot(*slot)?;
                    let a = self.reg(*value)?;
                    let op = match of {
                        None => Op::SetSlot { slot, a },
                        Some(side) => Op::SetSlotOf { slot, b: self.reg(*side)?, a },
                    };
                    self.out.op(op)?;
                }
                Stmt::AddSlot(slot, of, value, more) => {
                    let slot = self.slot(*slot)?;
                    let a = self.reg(*value)?;
                    let of = match of {
                        None => None,
                        Some(side) => Some(self.reg(*side)?),
                    };
                    self.out.op(match (of, more) {
                        (None, true) => Op::AddSlot { slot, a },
                        (None, false) => Op::TakeSlot { slot, a },
                        (Some(b), true) => Op::AddSlotOf { slot, b, a },
                        (Some(b), false) => Op::TakeSlotOf { slot, b, a },
                    })?;
                }
                Stmt::SetCounter(counter, place, value) => {
                    let counter = self.small(counter.0)?;
                    let (a, b) = (self.reg(*place)?, self.reg(*value)?);
                    self.out.op(Op::SetCounter { counter, a, b })?;
                }
                Stmt::Reserve(reserve, side, kind, more) => {
                    let reserve = self.small(reserve.0)?;
                    let (a, b) = (self.reg(*side)?, self.reg(*kind)?);
                    self.out.op(if *more { Op::Give1 { reserve, a, b } } else { Op::Take1 { reserve, a, b } })?;
                }
                Stmt::Tick(clock) => {
                    let skip = self.out.label();
                    if let Some(runs) = rules.clocks[clock.ix()].runs {
                        self.cond(runs, false, skip)?;
                    }
                    self.out.op(Op::Tick { clock: self.small(clock.0)?, quiet: trying })?;
                    self.out.place(skip);
                }
                Stmt::Report(event, args) if !trying => {
                    let mut regs = Vec::with_capacity(args.len());
                    for &arg in args {
                        regs.push(Arg::Int(self.reg(arg)?));
                    }
                    let (event, args) = (self.small(event.0)?, self.out.args(regs)?);
                    self.out.op(Op::Report { event, args })?;
                }
                Stmt::Begin(span, side) if !trying => {
                    let a = match side {
                        Some(side) => self.reg(*side)?,
                        None => self.in_reg(Int::Const(-1))?,
                    };
                    self.out.op(Op::Begin { span: self.small(span.0)?, a })?;
                }
                Stmt::End(span) if !trying => self.out.op(Op::EndSpan { span: self.small(span.0)? })?,
                Stmt::Go(phase) if !trying => self.out.op(Op::Go { phase: self.small(phase.0)? })?,
                Stmt::Report(..) | Stmt::Begin(..) | Stmt::End(_) | Stmt::Go(_) => {}
                Stmt::Win(side) => {
                    let a = self.reg(*side)?;
                    self.out.op(Op::Win { a })?;
                }
                Stmt::Award(side) => {
                    let a = self.reg(*side)?;
                    self.out.op(Op::Award { a })?;
                }
                Stmt::Draw => self.out.op(Op::Draw)?,
                Stmt::Stat(..) | Stmt::Recall(..) | Stmt::Forget(_) => self.out.op(Op::Give)?,
            }
            if moves {
                self.forget();
            }
            // What a name stands for is needed further on; all else is not.
            if !matches!(rules.stmt(step), Stmt::Let(..)) {
                self.out.release(mark);
            }
        }
        Ok(())
    }

    /// Whether a statement moves pieces, or anything within it does that is not known to be passed over.
    pub fn moves_pieces(&self, step: StmtId) -> bool {
        match self.rules.stmt(step) {
            Stmt::Move(..) | Stmt::MoveEach(..) | Stmt::Put(..) | Stmt::Remove(_) => true,
            Stmt::If(arms, otherwise) => {
                let taken = arms.iter().filter(|(test, _)| self.known(*test) != Some(false));
                taken.flat_map(|(_, steps)| steps).chain(otherwise).any(|&step| self.moves_pieces(step))
            }
            Stmt::For(_, _, steps) | Stmt::ForSides(_, steps) => steps.iter().any(|&step| self.moves_pieces(step)),
            _ => false,
        }
    }

    /// A loop over the places of a set as it is at the beginning, which goes to `end` when there are no more: the register
    /// of the place, and where the loop begins.
    pub fn each(&mut self, domain: Set, end: Label) -> Made<(Reg, Label)> {
        let rest = self.out.set()?;
        self.set_into(rest, domain)?;
        let place = self.out.int()?;
        let again = self.out.label();
        self.out.place(again);
        self.out.op(Op::Next { d: place, s: rest, to: Emitter::to(end) })?;
        Ok((place, again))
    }
}
