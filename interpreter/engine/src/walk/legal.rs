//! Legal actions: listed, tested one by one, carried out, and refused with a reason.

use crate::action::{Action, MAX_AIMS};
use crate::fault::{Fault, Refusal};
use crate::game::Game;
use crate::history::{Beside, History};
use crate::ir::{ActionDef, Choice, Fixed, LawDef, PhaseId, Stmt, Ty};
use crate::position::Position;
use crate::walk::act::{Done, Run};
use crate::walk::eval::{Cx, Value, int};

/// The most legal actions a position may have.
pub const MAX_ACTIONS: usize = 1 << 18;

struct Found {
    actions: Vec<Action>,
    /// How many suffice.
    limit: usize,
}

impl<const N: usize> Game<N> {
    /// All legal actions, in the order of the rules and of their aims; none when the game is over.
    ///
    /// # Errors
    /// A fault when a condition cannot be computed or there are more than [`MAX_ACTIONS`].
    pub fn legal(&self, pos: &Position<N>, history: Option<&History>) -> Result<Vec<Action>, Fault> {
        self.find(pos, &Beside::past(history), MAX_ACTIONS + 1)
    }

    /// Whether there is a legal action.
    ///
    /// # Errors
    /// A fault when a condition cannot be computed.
    pub fn has_legal(&self, pos: &Position<N>, beside: &Beside<'_>) -> Result<bool, Fault> {
        Ok(!self.find(pos, beside, 1)?.is_empty())
    }

    fn find(&self, pos: &Position<N>, beside: &Beside<'_>, limit: usize) -> Result<Vec<Action>, Fault> {
        let mut found = Found { actions: Vec::new(), limit };
        let Some(phase) = self.phase(pos) else {
            return Ok(found.actions);
        };
        let mut steps = 0;
        for &index in &self.rules.phases[phase].actions {
            let def = &self.rules.actions[index];
            if def.otherwise && !found.actions.is_empty() {
                continue;
            }
            let mut run = Run::new(self, *pos, &def.name, beside.without_tally());
            run.cx.steps = steps;
            run.cx.enter(def.locals);
            let mut aims = Vec::with_capacity(MAX_AIMS);
            run.gate(index, def, 0, &mut aims, &mut found);
            steps = run.cx.steps;
            run.cx.done()?;
            if found.actions.len() >= limit {
                break;
            }
        }
        if found.actions.len() > MAX_ACTIONS {
            let text = format!("a position has more than {MAX_ACTIONS} legal actions");
            return Err(Fault { code: "too-many", rule: String::new(), text, origin: Default::default() });
        }
        Ok(found.actions)
    }

    /// Whether the phase offers an action's definition now, whatever its aims.
    fn offered(&self, pos: &Position<N>, history: Option<&History>, action: Action) -> Result<bool, Fault> {
        let Some(phase) = self.phase(pos) else {
            return Ok(false);
        };
        let actions = &self.rules.phases[phase].actions;
        let Some(rank) = actions.iter().position(|&index| index == action.def()) else {
            return Ok(false);
        };
        let def = &self.rules.actions[action.def()];
        if Action::pack(action.def(), &aims_of(def, action)) != action {
            return Ok(false);
        }
        if def.otherwise {
            for &earlier in &actions[..rank] {
                let earlier_def = &self.rules.actions[earlier];
                let mut found = Found { actions: Vec::new(), limit: 1 };
                let mut run = Run::new(self, *pos, &earlier_def.name, Beside::past(history));
                run.cx.enter(earlier_def.locals);
                run.gate(earlier, earlier_def, 0, &mut Vec::new(), &mut found);
                run.cx.done()?;
                if !found.actions.is_empty() {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether an action is legal, by walking it alone.
    ///
    /// # Errors
    /// A fault when a condition cannot be computed.
    pub fn is_legal(&self, pos: &Position<N>, history: Option<&History>, action: Action) -> Result<bool, Fault> {
        if !self.offered(pos, history, action)? {
            return Ok(false);
        }
        let def = &self.rules.actions[action.def()];
        let mut run = self.running(pos, def, action, Beside::past(history));
        Ok(run.gates(def)? && run.lawful(def)?)
    }

    fn running<'g>(&'g self, pos: &Position<N>, def: &'g ActionDef, action: Action, beside: Beside<'g>) -> Run<'g, N> {
        let mut run = Run::new(self, *pos, &def.name, beside);
        run.cx.enter(def.locals);
        run.author = i32::try_from(self.rules.rules.len() + action.def()).unwrap_or(-1);
        for (slot, aim) in run.aims.iter_mut().zip(aims_of(def, action)) {
            *slot = aim;
        }
        run
    }

    /// Carries out a legal action with all that follows.
    ///
    /// # Errors
    /// A fault; code `refused` when the action is not legal. The position given is never touched.
    pub fn apply(&self, pos: &Position<N>, action: Action, beside: Beside<'_>) -> Result<Done<N>, Fault> {
        let refused = || {
            let rule = self.rules.actions.get(action.def()).map_or(String::new(), |def| def.name.clone());
            let text = "the action is not legal here".to_owned();
            Fault { code: "refused", rule, text, origin: Default::default() }
        };
        if !self.offered(pos, beside.history, action)? {
            return Err(refused());
        }
        let def = &self.rules.actions[action.def()];
        let mut run = self.running(pos, def, action, beside);
        if !run.gates(def)? {
            return Err(refused());
        }
        run.block(&def.steps[def.gate..]);
        let broken = run.broken_law().is_some();
        run.cx.done()?;
        if broken {
            return Err(refused());
        }
        run.settle();
        run.finish()
    }

    /// Why an action of this definition with these aims is not legal; `None` when it is.
    ///
    /// # Errors
    /// A fault when a condition cannot be computed.
    pub fn refusal(
        &self,
        pos: &Position<N>,
        history: Option<&History>,
        index: usize,
        aims: &[i32],
    ) -> Result<Option<Refusal>, Fault> {
        let def = &self.rules.actions[index];
        let refuse = |origin, cite: &str, text| {
            Some(Refusal {
                rule: def.name.clone(),
                cite: if cite.is_empty() { def.cite.clone() } else { cite.to_owned() },
                origin,
                text,
            })
        };
        let Some(phase) = self.phase(pos) else {
            return Ok(refuse(def.origin, "", "the game is over".to_owned()));
        };
        let here = &self.rules.phases[phase];
        if !here.actions.contains(&index) {
            let phases: Vec<_> = def.phases.iter().map(|p| format!("`{}`", self.rules.phases[p.ix()].name)).collect();
            let text = format!("this is the phase `{}`; `{}` belongs to {}", here.name, def.name, phases.join(", "));
            return Ok(refuse(def.origin, "", text));
        }
        let action = Action::pack(index, aims);
        let mut run = self.running(pos, def, action, Beside::past(history));
        for &step in &def.steps[..def.gate] {
            let origin = self.rules.stmt_origins[step.ix()];
            match self.rules.stmt(step) {
                Stmt::Choose(choice) => {
                    let aim = run.aims.get(run.taken).copied().unwrap_or(-1);
                    if !self.offers(&run.pos, &mut run.cx, choice, aim) && !run.cx.failed() {
                        let (part, text) = self.failing_part(&run.pos, &mut run.cx, choice, aim);
                        run.cx.done()?;
                        let text = match choice.text.as_str() {
                            "" => text,
                            why => format!("`{}`: {why}", self.aim_text(choice.ty, aim)),
                        };
                        return Ok(refuse(part, &choice.cite, text));
                    }
                    run.block(&[step]);
                }
                Stmt::Need(test, cite, text) => {
                    if !run.test(*test) && !run.cx.failed() {
                        let text = if text.is_empty() { "a condition does not hold".to_owned() } else { text.clone() };
                        return Ok(refuse(origin, cite, text));
                    }
                }
                _ => run.block(&[step]),
            }
            run.cx.done()?;
        }
        run.trying = true;
        run.block(&def.steps[def.gate..]);
        let broken = run.broken_law();
        run.cx.done()?;
        if let Some(law) = broken {
            let text = if law.text.is_empty() { format!("it would break `{}`", law.name) } else { law.text.clone() };
            return Ok(Some(Refusal {
                rule: law.name.clone(),
                cite: if law.cite.is_empty() { def.cite.clone() } else { law.cite.clone() },
                origin: law.origin,
                text,
            }));
        }
        if !self.is_legal(pos, history, action)? {
            return Ok(refuse(def.origin, "", "it is open only when nothing before it is possible".to_owned()));
        }
        Ok(None)
    }

    /// The first condition of a choice that an aim does not meet.
    fn failing_part(
        &self,
        pos: &Position<N>,
        cx: &mut Cx<N>,
        choice: &Choice,
        aim: i32,
    ) -> (crate::ir::Origin, String) {
        let name = self.aim_text(choice.ty, aim);
        for (part, text) in &choice.parts {
            let one = Choice { domain: *part, parts: Vec::new(), ..choice.clone() };
            if !self.offers(pos, cx, &one, aim) {
                return (self.rules.expr_origins[part.ix()], format!("`{name}` is not in `{text}`"));
            }
        }
        (self.rules.expr_origins[choice.domain.ix()], format!("`{name}` is not among the choices"))
    }
}

/// The aims that an action of this definition has.
fn aims_of(def: &ActionDef, action: Action) -> Vec<i32> {
    (0..def.aims.len()).map(|index| action.aim(index)).collect()
}

impl<'g, const N: usize> Run<'g, N> {
    /// Walks the steps up to the last choice or condition with the aims given: whether all of them hold.
    fn gates(&mut self, def: &ActionDef) -> Result<bool, Fault> {
        self.block(&def.steps[..def.gate]);
        match self.cx.done() {
            Ok(()) => Ok(true),
            Err(fault) if fault.code == "refused" => Ok(false),
            Err(fault) => Err(fault),
        }
    }

    /// Walks the steps up to the last choice or condition, trying every aim.
    fn gate(&mut self, index: usize, def: &ActionDef, from: usize, aims: &mut Vec<i32>, found: &mut Found) {
        for at in from..def.gate {
            if self.cx.failed() {
                return;
            }
            match self.game.rules.stmt(def.steps[at]) {
                Stmt::Choose(choice) => {
                    let (values, changes) = self.choices(choice, &def.steps[at + 1..def.gate]);
                    for value in values {
                        aims.push(value);
                        self.cx.bind(choice.local, Value::Int(value));
                        let saved = changes.then_some(self.pos);
                        self.gate(index, def, at + 1, aims, found);
                        if let Some(saved) = saved {
                            self.pos = saved;
                        }
                        aims.pop();
                        if found.actions.len() >= found.limit || self.cx.failed() {
                            return;
                        }
                    }
                    return;
                }
                Stmt::Need(test, _, _) => {
                    if !self.test(*test) {
                        return;
                    }
                }
                _ => self.block(&[def.steps[at]]),
            }
        }
        if !self.cx.failed() && self.keeps_laws(def) && !self.cx.failed() {
            found.actions.push(Action::pack(index, aims));
        }
    }

    /// Whether the effects that are left leave a position that the laws of the phase allow; everything is as before.
    fn keeps_laws(&mut self, def: &ActionDef) -> bool {
        if self.laws().next().is_none() {
            return true;
        }
        let (pos, happened) = (self.pos, self.pending.happened.len());
        let (ends, begins, go) = (self.pending.ends.len(), self.pending.begins.clone(), self.pending.go);
        let trying = std::mem::replace(&mut self.trying, true);
        self.block(&def.steps[def.gate..]);
        let kept = self.broken_law().is_none();
        self.trying = trying;
        self.pos = pos;
        self.pending.happened.truncate(happened);
        self.pending.ends.truncate(ends);
        (self.pending.begins, self.pending.go) = (begins, go);
        kept
    }

    /// Whether an action that has passed its gates keeps the laws; the run is of no use afterwards.
    fn lawful(&mut self, def: &ActionDef) -> Result<bool, Fault> {
        if self.laws().next().is_none() {
            return Ok(true);
        }
        self.trying = true;
        self.block(&def.steps[def.gate..]);
        let kept = self.broken_law().is_none();
        self.cx.done()?;
        Ok(kept)
    }

    /// The laws of the phase.
    fn laws(&self) -> impl Iterator<Item = &'g LawDef> + use<'g, N> {
        // No phase begins before the action has been settled.
        let phase = u32::try_from(self.pos.slot(Fixed::PHASE)).unwrap_or(u32::MAX);
        self.game.rules.laws.iter().filter(move |law| law.phases.contains(&PhaseId(phase)))
    }

    /// The first law of the phase that the position breaks.
    fn broken_law(&mut self) -> Option<&'g LawDef> {
        for law in self.laws() {
            let outer = self.cx.above(law.locals);
            let holds = self.test(law.test);
            self.cx.back(outer);
            if !holds || self.cx.failed() {
                return Some(law);
            }
        }
        None
    }

    /// The aims that a choice offers, and whether steps up to the gate change the position.
    fn choices(&mut self, choice: &Choice, rest: &[crate::ir::StmtId]) -> (Vec<i32>, bool) {
        let changes = rest
            .iter()
            .any(|&step| !matches!(self.game.rules.stmt(step), Stmt::Choose(_) | Stmt::Need(..) | Stmt::Let(..)));
        let values = if choice.ty == Ty::Kind {
            let kinds = self.game.kinds(&self.pos, &mut self.cx, choice.domain);
            (0..64).filter(|kind| kinds >> kind & 1 == 1).collect()
        } else {
            let set = self.game.set(&self.pos, &mut self.cx, choice.domain);
            set.iter()
                .filter_map(|place| match int::<N>(place) {
                    Value::Int(place) => Some(place),
                    _ => None,
                })
                .collect()
        };
        (values, changes)
    }
}

impl<const N: usize> Game<N> {
    /// Whether the game has a result.
    #[must_use]
    pub fn is_over(&self, pos: &Position<N>) -> bool {
        pos.slot(Fixed::DECIDED) == 1
    }
}
