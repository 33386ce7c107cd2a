//! Actions, rules and tallies.

use fullcourt_engine::ir::{ActionDef, LawDef, Local, PhaseId, RuleDef, Stmt, StmtId, Template, TriggerKind, Ty};

use super::Info;
use super::scope::{Binding, Body, BodyKind, Check, Sym};
use super::types::{Typed, origin};
use crate::diagnostics::{Problem, Span};
use crate::syntax::ast::{ActionBody, Arg, Block, Cites, Item, ItemKind, Name, Param, RuleBody, Text, Trigger, When};

/// The numbers of actions must fit a packed action.
const MAX_ACTIONS: usize = 4095;

impl<'a> Check<'a> {
    pub(super) fn blocks(&mut self) {
        let items: &'a [Item] = &self.merged.items;
        self.templates(items);
        for item in items {
            match &item.kind {
                ItemKind::Action { name, otherwise, phases, body, cites } => {
                    if self.fresh("action", name, items, item) {
                        self.action(item.span, name, *otherwise, phases, body, cites);
                    }
                }
                ItemKind::Rule { name, after, before, body, cites } => {
                    if self.fresh("rule", name, items, item) {
                        let info = Info { name: name.span, after: named(after), before: named(before) };
                        if let Some(rule) = self.rule(item.span, name, body, cites) {
                            self.rules.rules.push(rule);
                            self.rule_infos.push(info);
                        }
                    }
                }
                ItemKind::Law { name, phases, test, cites } => {
                    if self.fresh("law", name, items, item) {
                        self.law(item.span, name, phases, test, cites);
                    }
                }
                ItemKind::Tally { name, when, cites } => {
                    if self.fresh("tally", name, items, item)
                        && let Some(rule) = self.when(item.span, name, when, cites, &mut Body::new(BodyKind::Tally))
                    {
                        self.rules.tallies.push(rule);
                    }
                }
                _ => {}
            }
        }
        if self.rules.actions.len() > MAX_ACTIONS {
            let span = items.first().map_or_else(Span::default, |item| item.span.before());
            self.error("too-large", span, format!("a ruleset has at most {MAX_ACTIONS} actions"));
        }
    }

    /// Whether no item of the kind before this one has the name.
    pub(super) fn fresh(&mut self, what: &str, name: &Name, items: &'a [Item], item: &Item) -> bool {
        let before = items.iter().take_while(|other| !std::ptr::eq(*other, item));
        let old = before
            .filter_map(|other| super::load::key(&other.kind))
            .find(|(kind, n, _)| *kind == what && *n == name.text);
        if let Some((_, _, old)) = old {
            self.duplicate(what, name, old);
            return false;
        }
        true
    }

    /// Definitions of whole actions and rules are checked on their own, so that an error in one is found once.
    fn templates(&mut self, items: &'a [Item]) {
        for (index, item) in items.iter().enumerate() {
            let before = self.problems.len();
            match &item.kind {
                ItemKind::DefineAction { name, params, notation, body: block, .. } => {
                    self.fresh("define action", name, items, item);
                    let mut body = Body::new(BodyKind::Definition);
                    self.bind_params(params, &mut body);
                    let mut steps = Vec::new();
                    self.statements(&block.statements, &mut body, &mut steps);
                    let aims = std::mem::take(&mut body.aims);
                    let template = self.template(notation, &aims);
                    self.check_notation(notation, &template, &aims);
                }
                ItemKind::DefineRule { name, params, when, .. } => {
                    self.fresh("define rule", name, items, item);
                    let mut body = Body::new(BodyKind::Definition);
                    self.bind_params(params, &mut body);
                    self.when(item.span, name, when, &Cites::default(), &mut body);
                }
                _ => continue,
            }
            if self.problems.iter().skip(before).any(|p| p.level == crate::diagnostics::Level::Error) {
                self.broken.push(index);
            }
        }
    }

    fn action(
        &mut self,
        span: Span,
        name: &'a Name,
        otherwise: bool,
        phases: &'a [Name],
        body: &'a ActionBody,
        cites: &Cites,
    ) {
        let mut ids = Vec::new();
        for phase in phases {
            match self.phases.get_index_of(&phase.text).and_then(|index| u32::try_from(index).ok()) {
                Some(index) if !ids.contains(&PhaseId(index)) => ids.push(PhaseId(index)),
                Some(_) => self.error("duplicate", phase.span, format!("the phase `{}` is named twice", phase.text)),
                None => {
                    let known: Vec<String> = self.phases.keys().cloned().collect();
                    self.unknown("phase", phase, known.iter().map(String::as_str));
                }
            }
        }
        let mut inner = Body::new(BodyKind::Action);
        let made = match body {
            ActionBody::Steps { notation, block } => Some(self.steps(notation, block, &mut inner)),
            ActionBody::Made { from, args } => self.made_action(from, args, &mut inner),
        };
        let Some((steps, notation)) = made else { return };
        let gates = |id: &StmtId| matches!(self.rules.stmt(*id), Stmt::Choose(_) | Stmt::Need(..));
        let gate = steps.iter().rposition(gates).map_or(0, |last| last + 1);
        self.actions.push(Info { name: name.span, ..Info::default() });
        self.aim_names.push(inner.aims.iter().map(|(name, _, ty)| (name.clone(), *ty)).collect());
        self.rules.actions.push(ActionDef {
            name: name.text.clone(),
            cite: cites.cite.clone(),
            text: cites.text.clone(),
            otherwise,
            phases: ids,
            notation,
            steps,
            gate,
            aims: inner.aims.iter().map(|(_, local, ty)| (*local, *ty)).collect(),
            locals: inner.locals as usize,
            origin: origin(span),
        });
    }

    fn law(&mut self, span: Span, name: &Name, phases: &[Name], test: &'a crate::syntax::ast::Expr, cites: &Cites) {
        let ids: Vec<Option<PhaseId>> = phases.iter().map(|phase| self.phase(phase)).collect();
        let mut body = Body::new(BodyKind::Rule);
        let test = self.want(test, &mut body, Ty::Test);
        if let (Some(test), Some(phases)) = (test, ids.into_iter().collect::<Option<Vec<_>>>()) {
            self.rules.laws.push(LawDef {
                name: name.text.clone(),
                phases,
                test,
                cite: cites.cite.clone(),
                text: cites.text.clone(),
                locals: body.locals as usize,
                origin: origin(span),
            });
            self.law_spans.push(name.span);
        }
    }

    fn steps(&mut self, notation: &Text, block: &'a Block, body: &mut Body<'a>) -> (Vec<StmtId>, Template) {
        let mut steps = Vec::new();
        self.statements(&block.statements, body, &mut steps);
        let aims = body.aims.clone();
        let template = self.template(notation, &aims);
        self.check_notation(notation, &template, &aims);
        (steps, template)
    }

    fn made_action(&mut self, from: &'a Name, args: &'a [Arg], body: &mut Body<'a>) -> Option<(Vec<StmtId>, Template)> {
        let items: &'a [Item] = &self.merged.items;
        let found = items.iter().enumerate().find_map(|(index, item)| match &item.kind {
            ItemKind::DefineAction { name, params, notation, body, .. } if name.text == from.text => {
                Some((index, params, notation, body))
            }
            _ => None,
        });
        let Some((index, params, notation, block)) = found else {
            self.unknown_template("define action", "definition of an action", from);
            return None;
        };
        let scope = self.instance(from, params, args, body)?;
        if self.broken.contains(&index) {
            return None;
        }
        body.scope = scope;
        let silenced = self.silenced;
        self.mute += 1;
        let mut steps = Vec::new();
        self.statements(&block.statements, body, &mut steps);
        let aims = body.aims.clone();
        let template = self.template(notation, &aims);
        self.mute -= 1;
        if self.silenced != silenced {
            self.misfit(from, from.span);
        }
        Some((steps, template))
    }

    /// Binds the parameters of a whole action or rule. Values are worked out where they are used: the position may have
    /// changed since the action began.
    fn instance(
        &mut self,
        from: &Name,
        params: &'a [Param],
        args: &'a [Arg],
        body: &mut Body<'a>,
    ) -> Option<Vec<(String, Binding<'a>)>> {
        let (mut scope, lets) = self.bind_args(from, params, args, from.span, body)?;
        for (_, binding) in &mut scope {
            if let Binding::Local(local, ty) = *binding
                && let Some((_, id)) = lets.iter().find(|(known, _)| *known == local)
            {
                *binding = Binding::Expr(Typed { id: *id, ty, none: false });
            }
        }
        Some(scope)
    }

    fn unknown_template(&mut self, kind: &str, what: &str, from: &Name) {
        let items: &'a [Item] = &self.merged.items;
        let known: Vec<&str> = items
            .iter()
            .filter_map(|item| super::load::key(&item.kind))
            .filter(|(k, ..)| *k == kind)
            .map(|(_, n, _)| n)
            .collect();
        self.unknown(what, from, known.into_iter());
    }

    fn rule(&mut self, span: Span, name: &'a Name, body: &'a RuleBody, cites: &Cites) -> Option<RuleDef> {
        match body {
            RuleBody::When(when) => self.when(span, name, when, cites, &mut Body::new(BodyKind::Rule)),
            RuleBody::Made { from, args } => {
                let items: &'a [Item] = &self.merged.items;
                let found = items.iter().enumerate().find_map(|(index, item)| match &item.kind {
                    ItemKind::DefineRule { name, params, when, .. } if name.text == from.text => {
                        Some((index, params, when))
                    }
                    _ => None,
                });
                let Some((index, params, when)) = found else {
                    self.unknown_template("define rule", "definition of a rule", from);
                    return None;
                };
                let mut inner = Body::new(BodyKind::Rule);
                let scope = self.instance(from, params, args, &mut inner)?;
                if self.broken.contains(&index) {
                    return None;
                }
                inner.scope = scope;
                let silenced = self.silenced;
                self.mute += 1;
                let rule = self.when(span, name, when, cites, &mut inner);
                self.mute -= 1;
                if self.silenced != silenced {
                    self.misfit(from, from.span);
                }
                rule
            }
        }
    }

    fn when(&mut self, span: Span, name: &Name, when: &'a When, cites: &Cites, body: &mut Body<'a>) -> Option<RuleDef> {
        let mut triggers = Vec::new();
        let mut names: Option<Vec<(String, Local, Ty)>> = None;
        for trigger in &when.triggers {
            let known = names.clone();
            if let Some(kind) = self.trigger(trigger, known.as_deref(), body, &mut names) {
                triggers.push(kind);
            }
        }
        // What a trigger that is not understood would have given is missing below: that is no further error.
        let understood = triggers.len() == when.triggers.len();
        self.mute += u32::from(!understood);
        let guard = when.guard.as_ref().map(|guard| self.want(guard, body, Ty::Test));
        body.top = false;
        let mut steps = Vec::new();
        self.statements(&when.block.statements, body, &mut steps);
        self.mute -= u32::from(!understood);
        if triggers.iter().any(|trigger| matches!(trigger, TriggerKind::Opens(_))) {
            self.only_decides(&when.block, &steps);
        }
        let guard = guard.map_or(Some(None), |guard| guard.map(Some))?;
        Some(RuleDef {
            name: name.text.clone(),
            cite: cites.cite.clone(),
            text: cites.text.clone(),
            triggers,
            guard,
            steps,
            locals: body.locals as usize,
            origin: origin(span),
        })
    }

    /// A phase that opens is played next: all that a rule can still do is to end the game.
    fn only_decides(&mut self, block: &Block, steps: &[StmtId]) {
        let mut all = true;
        crate::graph::refs::stmts_below(&self.rules, steps, &mut |_, stmt| {
            all &= matches!(stmt, Stmt::Let(..) | Stmt::If(..) | Stmt::Win(_) | Stmt::Award(_) | Stmt::Draw);
        });
        if !all {
            let problem =
                Problem::error("wrong-place", block.span, "a rule for a phase that opens only decides the game");
            self.report(problem.help(
                "`win`, `award` and `draw`, with `if` and `let`; other effects belong to what comes before the phase",
            ));
        }
    }

    fn trigger(
        &mut self,
        trigger: &'a Trigger,
        known: Option<&[(String, Local, Ty)]>,
        body: &mut Body<'a>,
        names: &mut Option<Vec<(String, Local, Ty)>>,
    ) -> Option<TriggerKind> {
        use crate::syntax::ast::TriggerKind as Written;
        match &trigger.kind {
            Written::AtOnce => Some(TriggerKind::AtOnce),
            Written::Begins { span } => self.span_id(span).map(TriggerKind::Begins),
            Written::Ends { span } => self.span_id(span).map(TriggerKind::Ends),
            Written::RunsOut { clock } => match self.symbols.get(&clock.text) {
                Some(&(Sym::Clock(id), _)) => Some(TriggerKind::RunsOut(id)),
                _ => {
                    let known: Vec<String> = self.rules.clocks.iter().map(|clock| clock.name.clone()).collect();
                    self.unknown("clock", clock, known.iter().map(String::as_str));
                    None
                }
            },
            Written::Stuck { phase } => self.phase(phase).map(TriggerKind::Stuck),
            Written::Opens { phase } => self.phase(phase).map(TriggerKind::Opens),
            Written::Counted { count } => match self.symbols.get(&count.text) {
                Some(&(Sym::Scalar { slot, .. }, _)) if self.rules.counts.iter().any(|count| count.slot == slot) => {
                    Some(TriggerKind::Counted(slot))
                }
                _ => {
                    self.unknown("count", count, std::iter::empty());
                    None
                }
            },
            Written::Event { name, binders } => {
                let id = self.event_id(name)?;
                let params = self.rules.events[id.ix()].params.clone();
                if binders.len() > params.len() {
                    let message = format!("`{}` carries {} values, not {}", name.text, params.len(), binders.len());
                    self.error("wrong-type", trigger.span, message);
                    return None;
                }
                let mut bound = Vec::new();
                for (binder, (_, ty)) in binders.iter().zip(&params) {
                    let old = known.and_then(|known| known.iter().find(|(n, ..)| *n == binder.text));
                    if let Some((_, local, old_ty)) = old {
                        if old_ty != ty {
                            let message = format!("`{}` is of another type in the trigger before", binder.text);
                            self.error("wrong-type", binder.span, message);
                        }
                        bound.push((binder.text.clone(), *local, *ty));
                        continue;
                    }
                    self.check_hiding(binder, body);
                    let local = body.local();
                    body.bind(&binder.text, local, *ty);
                    bound.push((binder.text.clone(), local, *ty));
                }
                let locals = bound.iter().map(|(_, local, _)| *local).collect();
                if known.is_some_and(|known| known.len() != bound.len()) {
                    let message = "all triggers of a rule must give the same names".to_owned();
                    self.report(Problem::error("wrong-type", trigger.span, message));
                }
                *names = Some(bound);
                Some(TriggerKind::Event(id, locals))
            }
        }
    }
}

fn named(names: &[Name]) -> Vec<(String, Span)> {
    names.iter().map(|name| (name.text.clone(), name.span)).collect()
}
