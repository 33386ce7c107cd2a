//! Statements: typed, definitions of effects expanded in place.

use fullcourt_engine::ir::{Arith, Choice, EventId, Expr, ExprId, PhaseId, SlotTy, StatId, Stmt, StmtId, Ty};

use super::scope::{Binding, Body, BodyKind, Check, Sym};
use super::types::of;
use crate::diagnostics::{Problem, Span};
use crate::syntax::ast::{Arg, Block, DefineBody, Lvalue, Name, Statement, StatementKind};

impl<'a> Check<'a> {
    /// A block of its own: names that it introduces end with it.
    pub(super) fn block(&mut self, block: &'a Block, body: &mut Body<'a>) -> Vec<StmtId> {
        let (names, top) = (body.scope.len(), body.top);
        body.top = false;
        let mut out = Vec::new();
        self.statements(&block.statements, body, &mut out);
        body.scope.truncate(names);
        body.top = top;
        out
    }

    /// Statements into a list.
    pub(super) fn statements(&mut self, statements: &'a [Statement], body: &mut Body<'a>, out: &mut Vec<StmtId>) {
        for statement in statements {
            body.depth += 1;
            if self.within_limits(statement.span, body.depth / 4) {
                self.statement(statement, body, out);
            }
            body.depth -= 1;
        }
    }

    fn push(&mut self, out: &mut Vec<StmtId>, stmt: Option<Stmt>, span: Span) {
        if let Some(stmt) = stmt {
            out.push(self.stmt_at(stmt, span));
        }
    }

    #[expect(clippy::too_many_lines, reason = "the dispatch table of statements: one short arm for each")]
    fn statement(&mut self, statement: &'a Statement, body: &mut Body<'a>, out: &mut Vec<StmtId>) {
        let span = statement.span;
        let stmt = match &statement.kind {
            StatementKind::Choose { name, domain, cites } => self.choose(name, domain, cites, span, body),
            StatementKind::Need { test, cites } => {
                let test = self.want(test, body, Ty::Test);
                if self.only_in_action("need", span, body) {
                    test.map(|test| Stmt::Need(test, cites.cite.clone(), cites.text.clone()))
                } else {
                    None
                }
            }
            StatementKind::Let { name, value } => {
                let value = self.expr(value, body);
                self.check_hiding(name, body);
                let local = body.local();
                match value {
                    Some(value) => body.bind(&name.text, local, value.ty),
                    None => body.scope.push((name.text.clone(), Binding::Unknown)),
                }
                value.map(|value| Stmt::Let(local, value.id))
            }
            StatementKind::If { arms, otherwise } => {
                let arms = arms.iter().map(|(test, block)| {
                    let test = self.want(test, body, Ty::Test);
                    let steps = self.block(block, body);
                    Some((test?, steps))
                });
                let arms: Vec<Option<_>> = arms.collect();
                let otherwise = otherwise.as_ref().map_or_else(Vec::new, |block| self.block(block, body));
                arms.into_iter().collect::<Option<Vec<_>>>().map(|arms| Stmt::If(arms, otherwise))
            }
            StatementKind::ForSides { name, block } => {
                self.check_hiding(name, body);
                let local = body.local();
                body.bind(&name.text, local, Ty::Side);
                let steps = self.block(block, body);
                body.scope.pop();
                Some(Stmt::ForSides(local, steps))
            }
            StatementKind::For { name, domain, block } => {
                let domain = self.want(domain, body, Ty::Squares);
                self.check_hiding(name, body);
                let local = body.local();
                body.bind(&name.text, local, Ty::Square);
                let steps = self.block(block, body);
                body.scope.pop();
                domain.map(|domain| Stmt::For(local, domain, steps))
            }
            StatementKind::Move { from, to } => {
                let (from, to) = (self.want(from, body, Ty::Square), self.want(to, body, Ty::Square));
                from.zip(to).map(|(from, to)| Stmt::Move(from, to))
            }
            StatementKind::MoveEach { name, domain, to } => {
                let domain = self.want(domain, body, Ty::Squares);
                self.check_hiding(name, body);
                let local = body.local();
                body.bind(&name.text, local, Ty::Square);
                let to = self.want(to, body, Ty::Square);
                body.scope.pop();
                domain.zip(to).map(|(domain, to)| Stmt::MoveEach(local, domain, to))
            }
            StatementKind::Put { kind, side, on } => {
                let (kind, side) = (self.want(kind, body, Ty::Kind), self.want(side, body, Ty::Side));
                let on = self.want(on, body, Ty::Square);
                kind.zip(side).zip(on).map(|((kind, side), on)| Stmt::Put(kind, side, on))
            }
            StatementKind::Remove { square } => self.want(square, body, Ty::Square).map(Stmt::Remove),
            StatementKind::Mark { squares, mark } => self.mark(squares, mark, true, body),
            StatementKind::Unmark { squares, mark } => self.mark(squares, mark, false, body),
            StatementKind::Set { target, value } => self.set(target, value, body),
            StatementKind::Add { value, target } => self.change(target, value, true, body),
            StatementKind::Take { value, target } => self.change(target, value, false, body),
            StatementKind::Tick { clock } => match self.symbols.get(&clock.text) {
                Some(&(Sym::Clock(id), _)) => Some(Stmt::Tick(id)),
                _ => {
                    let known: Vec<String> = self.rules.clocks.iter().map(|clock| clock.name.clone()).collect();
                    self.unknown("clock", clock, known.iter().map(String::as_str));
                    None
                }
            },
            StatementKind::Report { event, args } => self.event(event, args, span, body),
            StatementKind::Begin { what, side } => {
                let owned = self.span_id(what).map(|id| (id, self.rules.spans[id.ix()].owned));
                let side = side.as_ref().map(|side| self.want(side, body, Ty::Side));
                match (owned, side) {
                    (Some((id, true)), Some(side)) => side.map(|side| Stmt::Begin(id, Some(side))),
                    (Some((id, false)), None) => Some(Stmt::Begin(id, None)),
                    (Some((_, owned)), _) => {
                        let message = if owned {
                            format!("the span `{0}` belongs to a side: `begin {0} for SIDE`", what.text)
                        } else {
                            format!("the span `{0}` belongs to no side: `begin {0}`", what.text)
                        };
                        self.error("wrong-type", span, message);
                        None
                    }
                    (None, _) => None,
                }
            }
            StatementKind::End { what } => self.span_id(what).map(Stmt::End),
            StatementKind::Go { phase } => self.phase(phase).map(Stmt::Go),
            StatementKind::Win { side } => self.want(side, body, Ty::Side).map(Stmt::Win),
            StatementKind::Award { side } => self.want(side, body, Ty::Side).map(Stmt::Award),
            StatementKind::Draw => Some(Stmt::Draw),
            StatementKind::Recall { name, value } => {
                let value = self.want(value, body, Ty::Square);
                self.recall(name, span, body).zip(value).map(|(id, value)| Stmt::Recall(id, value))
            }
            StatementKind::Forget { name } => self.recall(name, span, body).map(Stmt::Forget),
            StatementKind::Call { name, args } => {
                self.call_effects(name, args, span, body, out);
                None
            }
        };
        if body.kind == BodyKind::Tally && stmt.as_ref().is_some_and(changes_game) {
            let problem = Problem::error("wrong-place", span, "a tally only counts: it cannot change the game");
            self.report(problem.help("write a `rule` instead"));
            return;
        }
        self.push(out, stmt, span);
    }

    fn only_in_action(&mut self, word: &str, span: Span, body: &Body<'a>) -> bool {
        let fits = matches!(body.kind, BodyKind::Action | BodyKind::Definition) && body.top;
        if !fits {
            // Definitions are checked before they are used: whether they stand in an action only their use shows.
            let (mute, message) =
                (std::mem::take(&mut self.mute), format!("`{word}` stands only at the top of an action"));
            let help = "in rules, and within `if` and `for`, nothing is chosen or needed any more";
            self.report(Problem::error("wrong-place", span, message).help(help));
            self.mute = mute;
        }
        fits
    }

    fn choose(
        &mut self,
        name: &'a Name,
        domain: &'a crate::syntax::ast::Expr,
        cites: &crate::syntax::ast::Cites,
        span: Span,
        body: &mut Body<'a>,
    ) -> Option<Stmt> {
        let typed = self.expr(domain, body);
        self.check_hiding(name, body);
        let fits = self.only_in_action("choose", span, body);
        let local = body.local();
        let ty = if typed.is_some_and(|typed| typed.ty == Ty::Kinds) { Ty::Kind } else { Ty::Square };
        body.bind(&name.text, local, ty);
        if !fits {
            return None;
        }
        // The choice is there also when what it is made from is wrong: the notation may show it.
        body.aims.push((name.text.clone(), local, ty));
        let typed = typed?;
        let id = if ty == Ty::Kind { typed.id } else { self.convert(typed, Ty::Squares, domain.span)? };
        if body.aims.len() > fullcourt_engine::action::MAX_AIMS {
            let message = format!("an action has at most {} choices", fullcourt_engine::action::MAX_AIMS);
            self.error("too-large", span, message);
        }
        let parts = self.parts_of(id);
        let (cite, text) = (cites.cite.clone(), cites.text.clone());
        Some(Stmt::Choose(Choice { local, domain: id, ty, parts, cite, text }))
    }

    /// The operands of a domain's outermost `and`, each with its text.
    fn parts_of(&self, id: ExprId) -> Vec<(ExprId, String)> {
        match *self.rules.expr(id) {
            Expr::SetAnd(a, b) => [self.parts_of(a), self.parts_of(b)].concat(),
            _ => {
                let text = self.sources.slice(super::types::span(self.rules.expr_origins[id.ix()]));
                vec![(id, text.split_whitespace().collect::<Vec<_>>().join(" "))]
            }
        }
    }

    fn mark(
        &mut self,
        squares: &'a crate::syntax::ast::Expr,
        mark: &Name,
        on: bool,
        body: &mut Body<'a>,
    ) -> Option<Stmt> {
        let squares = self.want(squares, body, Ty::Squares);
        match self.symbols.get(&mark.text) {
            Some(&(Sym::Mark(plane), _)) => squares.map(|squares| Stmt::Mark(plane, squares, on)),
            Some(&(Sym::Scalar { slot, .. }, _)) if self.rules.slots[slot.ix()].ty == SlotTy::Piece => {
                let problem =
                    Problem::error("wrong-type", mark.span, format!("`{}` marks one piece at a time", mark.text));
                self.report(problem.help(format!("write `set {} to SQUARE`", mark.text)));
                None
            }
            _ => {
                let known: Vec<String> = self
                    .symbols
                    .iter()
                    .filter(|(_, (sym, _))| matches!(sym, Sym::Mark(_)))
                    .map(|(name, _)| name.clone())
                    .collect();
                self.unknown("mark", mark, known.iter().map(String::as_str));
                None
            }
        }
    }

    fn lvalue(&mut self, target: &'a Lvalue, body: &mut Body<'a>) -> Option<Sym> {
        let name = &target.name;
        if body.find(&name.text).is_some() {
            let problem = Problem::error("wrong-type", name.span, format!("`{}` is a name for a value", name.text));
            self.report(problem.help("only variables, marks, counters, clocks and reserves change"));
            return None;
        }
        let found = self.symbols.get(&name.text).map(|(sym, _)| *sym);
        if found.is_none() && !self.stats.contains_key(&name.text) {
            let known = self.names(body);
            self.unknown("variable", name, known.iter().map(String::as_str));
        }
        found
    }

    /// The side of a value per side.
    fn side_of(&mut self, target: &'a Lvalue, per_side: bool, body: &mut Body<'a>) -> Option<Option<ExprId>> {
        match (&target.of, per_side) {
            (None, false) => Some(None),
            (Some(of), true) => self.want(of, body, Ty::Side).map(Some),
            (None, true) => {
                let problem =
                    Problem::error("wrong-type", target.span, format!("each side has its own `{}`", target.name.text));
                self.report(problem.help(format!("say whose: `{} of me`", target.name.text)));
                None
            }
            (Some(_), false) => {
                self.error("wrong-type", target.span, format!("there is only one `{}`", target.name.text));
                None
            }
        }
    }

    fn set(&mut self, target: &'a Lvalue, value: &'a crate::syntax::ast::Expr, body: &mut Body<'a>) -> Option<Stmt> {
        match self.lvalue(target, body)? {
            Sym::Scalar { slot, ty, per_side } => {
                let of = self.side_of(target, per_side, body);
                let value = self.want(value, body, ty);
                Some(Stmt::SetSlot(slot, of?, value?))
            }
            Sym::Clock(clock) => {
                let of = self.side_of(target, false, body);
                let value = self.want(value, body, Ty::Number);
                of?;
                Some(Stmt::SetSlot(self.rules.clocks[clock.ix()].slot, None, value?))
            }
            Sym::SetVar(plane) => {
                let of = self.side_of(target, false, body);
                let value = self.want(value, body, Ty::Squares);
                of?;
                Some(Stmt::SetPlane(plane, value?))
            }
            Sym::Counter(counter) => {
                let place = self.piece_of(target, body);
                let value = self.want(value, body, Ty::Number);
                Some(Stmt::SetCounter(counter, place?, value?))
            }
            Sym::PieceSquare(counter) => {
                let place = self.piece_of(target, body);
                let value = self.want(value, body, Ty::Square)?;
                let one = self.expr_at(Expr::Const(1), target.span);
                let value = self.expr_at(Expr::Arith(Arith::Add, value, one), target.span);
                Some(Stmt::SetCounter(counter, place?, value))
            }
            _ => self.unchangeable(target, "set"),
        }
    }

    fn piece_of(&mut self, target: &'a Lvalue, body: &mut Body<'a>) -> Option<ExprId> {
        if let Some(of) = &target.of {
            return self.want(of, body, Ty::Square);
        }
        let problem =
            Problem::error("wrong-type", target.span, format!("each piece has its own `{}`", target.name.text));
        self.report(problem.help(format!("say of which: `{} of SQUARE`", target.name.text)));
        None
    }

    fn unchangeable(&mut self, target: &Lvalue, word: &str) -> Option<Stmt> {
        let message = format!("`{word}` cannot change `{}`", target.name.text);
        let help = "`set` changes variables, clocks and counters; `add` and `take` change numbers and reserves; `mark` changes marks";
        self.report(Problem::error("wrong-type", target.span, message).help(help));
        None
    }

    fn change(
        &mut self,
        target: &'a Lvalue,
        value: &'a crate::syntax::ast::Expr,
        more: bool,
        body: &mut Body<'a>,
    ) -> Option<Stmt> {
        let tally = matches!(body.kind, BodyKind::Tally | BodyKind::Definition);
        if let (true, Some(index)) = (tally, self.stats.get_index_of(&target.name.text)) {
            return self.stat(index, target, value, more, body);
        }
        let sym = self.lvalue(target, body);
        if sym.is_none() && self.stats.contains_key(&target.name.text) {
            let message = format!("only a tally changes the statistic `{}`", target.name.text);
            self.error("wrong-place", target.span, message);
        }
        match sym? {
            Sym::Scalar { slot, ty: Ty::Number, per_side } => {
                let of = self.side_of(target, per_side, body);
                let value = self.want(value, body, Ty::Number);
                Some(Stmt::AddSlot(slot, of?, value?, more))
            }
            Sym::Clock(clock) => {
                let value = self.want(value, body, Ty::Number)?;
                Some(Stmt::AddSlot(self.rules.clocks[clock.ix()].slot, None, value, more))
            }
            Sym::Counter(counter) => {
                let place = self.piece_of(target, body);
                let value = self.want(value, body, Ty::Number);
                let (place, value) = (place?, value?);
                let old = self.expr_at(Expr::Counter(counter, place), target.span);
                let op = if more { Arith::Add } else { Arith::Sub };
                let sum = self.expr_at(Expr::Arith(op, old, value), target.span);
                Some(Stmt::SetCounter(counter, place, sum))
            }
            Sym::Reserve(reserve) => {
                let of = self.side_of(target, true, body);
                let kind = self.want(value, body, Ty::Kind);
                Some(Stmt::Reserve(reserve, of??, kind?, more))
            }
            _ => self.unchangeable(target, if more { "add" } else { "take" }),
        }
    }

    fn stat(
        &mut self,
        index: usize,
        target: &'a Lvalue,
        value: &'a crate::syntax::ast::Expr,
        more: bool,
        body: &mut Body<'a>,
    ) -> Option<Stmt> {
        let per_piece = self.rules.stats[index].per_piece;
        let value = self.want(value, body, Ty::Number);
        let of = match &target.of {
            Some(of) => self.want(of, body, if per_piece { Ty::Square } else { Ty::Side })?,
            None => {
                let whose = if per_piece { "piece" } else { "side" };
                let message = format!("each {whose} has its own `{}`: say of which", target.name.text);
                self.error("wrong-type", target.span, message);
                return None;
            }
        };
        Some(Stmt::Stat(StatId(u32::try_from(index).ok()?), of, value?, more))
    }

    fn recall(&mut self, name: &Name, span: Span, body: &Body<'a>) -> Option<fullcourt_engine::ir::RecallId> {
        if !matches!(body.kind, BodyKind::Tally | BodyKind::Definition) {
            self.error("wrong-place", span, "only a tally recalls and forgets");
            return None;
        }
        if let Some(&(Sym::Recall(id), _)) = self.symbols.get(&name.text) {
            return Some(id);
        }
        let known = self.rules.recalls.clone();
        self.unknown("piece to recall", name, known.iter().map(String::as_str));
        None
    }

    pub(super) fn phase(&mut self, name: &Name) -> Option<PhaseId> {
        let found = self.phases.get_index_of(&name.text);
        if found.is_none() {
            let known: Vec<String> = self.phases.keys().cloned().collect();
            self.unknown("phase", name, known.iter().map(String::as_str));
        }
        found.and_then(|index| u32::try_from(index).ok()).map(PhaseId)
    }

    pub(super) fn event_id(&mut self, name: &Name) -> Option<EventId> {
        let found = self.events.get_index_of(&name.text);
        if found.is_none() {
            let known: Vec<String> = self.events.keys().cloned().collect();
            self.unknown("event", name, known.iter().map(String::as_str));
        }
        found.and_then(|index| u32::try_from(index).ok()).map(EventId)
    }

    fn event(
        &mut self,
        name: &Name,
        args: &'a [crate::syntax::ast::Expr],
        span: Span,
        body: &mut Body<'a>,
    ) -> Option<Stmt> {
        let id = self.event_id(name)?;
        let params = self.rules.events[id.ix()].params.clone();
        if params.len() != args.len() {
            self.error(
                "wrong-type",
                span,
                format!("`{}` carries {} values, not {}", name.text, params.len(), args.len()),
            );
            return None;
        }
        let ids: Vec<Option<ExprId>> =
            args.iter().zip(&params).map(|(arg, (_, ty))| self.want(arg, body, *ty)).collect();
        Some(Stmt::Report(id, ids.into_iter().collect::<Option<_>>()?))
    }

    /// A definition of effects, or effects given as a parameter, written out in place.
    fn call_effects(
        &mut self,
        name: &'a Name,
        args: &'a [Arg],
        span: Span,
        body: &mut Body<'a>,
        out: &mut Vec<StmtId>,
    ) {
        let target = match body.find(&name.text).cloned() {
            Some(Binding::Block(block, scope)) => {
                if !args.is_empty() {
                    self.error("wrong-type", span, format!("nothing can be given to `{}`", name.text));
                }
                return self.inline_block(block, &scope, body, out);
            }
            Some(Binding::Opaque(None, count)) => {
                if args.len() != count {
                    self.error("wrong-type", span, format!("`{}` takes {count} values, not {}", name.text, args.len()));
                }
                for arg in args {
                    if let Arg::Expr(arg) = arg {
                        self.expr(arg, body);
                    }
                }
                return;
            }
            Some(Binding::Unknown) => return,
            Some(Binding::Func(target)) => target,
            Some(Binding::Local(..) | Binding::Expr(_) | Binding::Opaque(Some(_), _)) => {
                return self.error(
                    "wrong-type",
                    span,
                    format!("`{}` is a value: it does nothing by itself", name.text),
                );
            }
            None => name.text.clone(),
        };
        let item = match self.symbols.get(&target) {
            Some(&(Sym::Define(item), _)) => item,
            Some(_) => {
                return self.error(
                    "wrong-type",
                    span,
                    format!("`{}` is a value: it does nothing by itself", name.text),
                );
            }
            None => {
                let known = self.names(body);
                return self.unknown("definition", name, known.iter().map(String::as_str));
            }
        };
        let Some((params, define, _)) = self.define(item) else { return };
        let DefineBody::Effects(block) = define else {
            return self.error("wrong-type", span, format!("`{}` is a value: it does nothing by itself", name.text));
        };
        if self.broken.contains(&item) {
            return;
        }
        let Some((scope, lets)) = self.bind_args(name, params, args, span, body) else { return };
        for (local, value) in lets {
            out.push(self.stmt_at(Stmt::Let(local, value), span));
        }
        let outer = std::mem::replace(&mut body.scope, scope);
        let silenced = self.silenced;
        self.mute += 1;
        body.depth += 4;
        self.statements(&block.statements, body, out);
        body.depth -= 4;
        self.mute -= 1;
        body.scope = outer;
        if self.silenced != silenced {
            self.misfit(name, span);
        }
    }

    /// Effects that were given to a definition: they mean what they meant where they were written.
    fn inline_block(
        &mut self,
        block: &'a Block,
        scope: &[(String, Binding<'a>)],
        body: &mut Body<'a>,
        out: &mut Vec<StmtId>,
    ) {
        let outer = std::mem::replace(&mut body.scope, scope.to_vec());
        let top = std::mem::replace(&mut body.top, false);
        let mute = self.mute;
        self.mute = mute.saturating_sub(1);
        self.statements(&block.statements, body, out);
        self.mute = mute;
        body.top = top;
        body.scope = outer;
    }

    /// Checks every definition on its own; says whether a ruleset can be made of them at all (no circle among them).
    pub(super) fn check_definitions(&mut self) -> bool {
        // Those that are used come before those that use them, so that an error is found where it is.
        let Some(order) = self.definition_order() else {
            return false;
        };
        for index in order {
            let Some((params, define, _)) = self.define(index) else { continue };
            let before = self.problems.len();
            let mut body = Body::new(BodyKind::Definition);
            self.bind_params(params, &mut body);
            match define {
                DefineBody::Value(value) => {
                    self.expr(value, &mut body);
                }
                DefineBody::Effects(block) => self.statements(&block.statements, &mut body, &mut Vec::new()),
            }
            if self.problems.iter().skip(before).any(|p| p.level == crate::diagnostics::Level::Error) {
                self.broken.push(index);
            }
        }
        true
    }

    pub(super) fn bind_params(&mut self, params: &'a [crate::syntax::ast::Param], body: &mut Body<'a>) {
        for param in params {
            self.check_hiding(&param.name, body);
            let binding = match (param.ty, param.over.len()) {
                (Some(ty), 0) => Binding::Local(body.local(), of(ty)),
                (ty, count) => Binding::Opaque(ty.map(of), count),
            };
            body.scope.push((param.name.text.clone(), binding));
        }
    }
}

fn changes_game(stmt: &Stmt) -> bool {
    !matches!(
        stmt,
        Stmt::Let(..)
            | Stmt::If(..)
            | Stmt::For(..)
            | Stmt::ForSides(..)
            | Stmt::Stat(..)
            | Stmt::Recall(..)
            | Stmt::Forget(_)
    )
}
