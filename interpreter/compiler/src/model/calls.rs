//! Names and calls: values of the position, zones, geometries, plugins, words of the language, definitions.

use std::rc::Rc;

use fullcourt_engine::ir::{Arith, Expr, ExprId, Ty, ZoneOf};

use super::scope::{Binding, Body, BodyKind, Check, Sym, Word};
use super::types::{Typed, from_host, of, words};
use crate::diagnostics::{Problem, Span, nearest};
use crate::syntax::ast::{Arg, DefineBody, ExprKind, Name, Param};

impl<'a> Check<'a> {
    fn value(&mut self, expr: Expr, ty: Ty, span: Span) -> Option<Typed> {
        Some(Typed { id: self.expr_at(expr, span), ty, none: false })
    }

    /// The names that hold in a body, for advice.
    pub(super) fn names(&self, body: &Body<'a>) -> Vec<String> {
        body.scope.iter().map(|(name, _)| name.clone()).chain(self.symbols.keys().cloned()).collect()
    }

    pub(super) fn call(
        &mut self,
        name: &'a Name,
        branch: Option<&'a Name>,
        args: Option<&'a [Arg]>,
        span: Span,
        body: &mut Body<'a>,
    ) -> Option<Typed> {
        if let Some(binding) = body.find(&name.text).cloned() {
            return self.call_local(name, binding, args, span, body);
        }
        let Some(&(sym, _)) = self.symbols.get(&name.text) else {
            if self.options.contains_key(&name.text) {
                let message = format!("`{}` is the name of an option", name.text);
                let problem = Problem::error("unknown-name", name.span, message);
                self.report(problem.help(format!("write `option.{}`", name.text)));
                return None;
            }
            if name.text == "betza" {
                let problem = Problem::error("wrong-notation", name.span, "behind `betza` stands text in quotes");
                self.report(problem.help("write for example `betza \"WfF\"`"));
                return None;
            }
            let known = self.names(body);
            self.unknown("name", name, known.iter().map(String::as_str));
            return None;
        };
        if branch.is_some() && !matches!(sym, Sym::Geometry(_)) {
            let message = format!("`{}` is no geometry, so it has no branches", name.text);
            self.error("wrong-type", span, message);
            return None;
        }
        match args {
            None => self.bare(name, sym, span, body),
            Some(args) => self.applied(name, sym, branch, args, span, body),
        }
    }

    fn call_local(
        &mut self,
        name: &'a Name,
        binding: Binding<'a>,
        args: Option<&'a [Arg]>,
        span: Span,
        body: &mut Body<'a>,
    ) -> Option<Typed> {
        if matches!(binding, Binding::Unknown) {
            return None;
        }
        let takes_args = matches!(binding, Binding::Func(_) | Binding::Opaque(_, 1..));
        match (takes_args, args) {
            (false, Some(_)) => {
                self.error("wrong-type", span, format!("`{}` is a value here: nothing can be given to it", name.text));
                return None;
            }
            (true, None) => {
                let message = format!("`{}` needs values in brackets", name.text);
                self.error("wrong-type", span, message);
                return None;
            }
            _ => {}
        }
        match binding {
            Binding::Local(local, ty) => self.value(Expr::Local(local), ty, span),
            Binding::Expr(typed) => Some(typed),
            Binding::Func(target) => {
                let &(sym, _) = self.symbols.get(&target)?;
                self.applied(name, sym, None, args.unwrap_or_default(), span, body)
            }
            Binding::Opaque(Some(ty), count) => {
                let args = args.unwrap_or_default();
                self.count_args(name, count, args.len(), span)?;
                for arg in args {
                    if let Arg::Expr(arg) = arg {
                        self.expr(arg, body);
                    }
                }
                self.value(Expr::Const(-1), ty, span)
            }
            Binding::Unknown => None,
            Binding::Opaque(None, _) | Binding::Block(..) => {
                self.error("wrong-type", span, format!("`{}` stands for effects, not for a value", name.text));
                None
            }
        }
    }

    fn count_args(&mut self, name: &Name, wanted: usize, found: usize, span: Span) -> Option<()> {
        if wanted == found {
            return Some(());
        }
        self.error("wrong-type", span, format!("`{}` takes {wanted} values, not {found}", name.text));
        None
    }

    /// A name on its own.
    fn bare(&mut self, name: &'a Name, sym: Sym, span: Span, body: &mut Body<'a>) -> Option<Typed> {
        match sym {
            Sym::Side(side) => self.value(Expr::Const(side), Ty::Side, span),
            Sym::Kind(kind) => self.value(Expr::Const(kind), Ty::Kind, span),
            Sym::Zone(zone) => {
                let of = if body.written && self.rules.zones[zone].per_side { ZoneOf::Written } else { ZoneOf::All };
                let zone = fullcourt_engine::ir::ZoneId(u32::try_from(zone).unwrap_or(0));
                self.value(Expr::Zone(zone, of), Ty::Squares, span)
            }
            Sym::Mark(plane) | Sym::SetVar(plane) => self.value(Expr::Plane(plane), Ty::Squares, span),
            Sym::Scalar { slot, ty, per_side: false } => self.value(Expr::Slot(slot), ty, span),
            Sym::Clock(clock) => {
                let slot = self.rules.clocks[clock.ix()].slot;
                self.value(Expr::Slot(slot), Ty::Number, span)
            }
            Sym::Trait(id) => self.value(Expr::TraitPieces(id), Ty::Squares, span),
            Sym::Owner(id) => self.value(Expr::SpanOwner(id), Ty::Side, span),
            Sym::Against(id) => {
                let owner = self.expr_at(Expr::SpanOwner(id), span);
                self.value(Expr::Opponent(owner), Ty::Side, span)
            }
            Sym::Recall(id) if matches!(body.kind, BodyKind::Tally | BodyKind::Definition) => {
                self.value(Expr::Recalled(id), Ty::Square, span)
            }
            Sym::Recall(_) => {
                let problem = Problem::error("wrong-place", span, format!("only a tally may ask for `{}`", name.text));
                self.report(
                    problem.help("statistics lie beside the game and change nothing in it; use a `mark … one`"),
                );
                None
            }
            Sym::Define(_) | Sym::Word(_) => self.applied(name, sym, None, &[], span, body),
            Sym::Scalar { .. } | Sym::Reserve(_) => {
                let problem = Problem::error("wrong-type", span, format!("each side has its own `{}`", name.text));
                self.report(problem.help(format!("say whose: `{} of me`", name.text)));
                None
            }
            Sym::History(id) => self.value(Expr::Seen(id), Ty::Number, span),
            Sym::Counter(_) | Sym::PieceSquare(_) | Sym::Geometry(_) => {
                let problem = Problem::error("wrong-type", span, format!("each piece has its own `{}`", name.text));
                self.report(problem.help(format!("say of which: `{} of SQUARE`", name.text)));
                None
            }
            Sym::Plugin(_) => self.applied(name, sym, None, &[], span, body),
        }
    }

    /// One argument of a wanted type.
    fn only(&mut self, name: &Name, args: &'a [Arg], ty: Ty, span: Span, body: &mut Body<'a>) -> Option<ExprId> {
        self.count_args(name, 1, args.len(), span)?;
        self.arg(&args[0], ty, span, body)
    }

    fn arg(&mut self, arg: &'a Arg, ty: Ty, span: Span, body: &mut Body<'a>) -> Option<ExprId> {
        match arg {
            Arg::Expr(expr) => self.want(expr, body, ty),
            Arg::Block(_) => {
                self.error("wrong-type", span, format!("expected {}, found effects in braces", words(ty)));
                None
            }
        }
    }

    fn applied(
        &mut self,
        name: &'a Name,
        sym: Sym,
        branch: Option<&'a Name>,
        args: &'a [Arg],
        span: Span,
        body: &mut Body<'a>,
    ) -> Option<Typed> {
        match sym {
            Sym::Zone(zone) => {
                let side = self.only(name, args, Ty::Side, span, body)?;
                if !self.rules.zones[zone].per_side {
                    let declared = super::types::span(self.rules.zones[zone].origin);
                    let message = format!("the zone `{}` belongs to no side", name.text);
                    let problem =
                        Problem::error("wrong-type", span, message).label(declared, "declared here, not `per side`");
                    let help = format!("write `{0}` alone, or declare it `zone {0} per side = …`", name.text);
                    // One mistake in a declaration shows at every use: the first is enough.
                    if self.sideless.insert(zone) {
                        self.report(problem.help(help));
                    }
                    return None;
                }
                let zone = fullcourt_engine::ir::ZoneId(u32::try_from(zone).unwrap_or(0));
                self.value(Expr::Zone(zone, ZoneOf::Side(side)), Ty::Squares, span)
            }
            Sym::Scalar { slot, ty, per_side: true } => {
                let side = self.only(name, args, Ty::Side, span, body)?;
                self.value(Expr::SlotOf(slot, side), ty, span)
            }
            Sym::Counter(counter) => {
                let place = self.only(name, args, Ty::Square, span, body)?;
                self.value(Expr::Counter(counter, place), Ty::Number, span)
            }
            Sym::PieceSquare(counter) => {
                let place = self.only(name, args, Ty::Square, span, body)?;
                let kept = self.expr_at(Expr::Counter(counter, place), span);
                let one = self.expr_at(Expr::Const(1), span);
                self.value(Expr::Arith(Arith::Sub, kept, one), Ty::Square, span)
            }
            Sym::Reserve(reserve) => {
                let side = self.only(name, args, Ty::Side, span, body)?;
                self.value(Expr::ReserveKinds(reserve, side), Ty::Kinds, span)
            }
            Sym::Kind(_) | Sym::Mark(_) | Sym::Trait(_) => {
                let side = self.only(name, args, Ty::Side, span, body)?;
                let all = self.bare(name, sym, span, body)?;
                let all = self.convert(all, Ty::Squares, span)?;
                let own = self.expr_at(Expr::SidePieces(side), span);
                self.value(Expr::SetAnd(all, own), Ty::Squares, span)
            }
            Sym::Geometry(geo) => {
                let place = self.only(name, args, Ty::Square, span, body)?;
                let branch = match branch {
                    Some(branch) => Some(self.branch(geo.ix(), branch)?),
                    None => None,
                };
                self.value(Expr::Geometry(geo, branch, place), Ty::Squares, span)
            }
            Sym::Plugin(function) => {
                let signature = self.rules.plugin_fns[usize::from(function)].signature.clone();
                self.count_args(name, signature.params.len(), args.len(), span)?;
                let ids: Vec<Option<ExprId>> = args
                    .iter()
                    .zip(&signature.params)
                    .map(|(arg, ty)| self.arg(arg, from_host(*ty), span, body))
                    .collect();
                let ids: Vec<ExprId> = ids.into_iter().collect::<Option<_>>()?;
                self.value(Expr::Plugin(function, ids), from_host(signature.result), span)
            }
            Sym::Word(word) => self.word(name, word, args, span, body),
            Sym::Define(item) => self.expand_value(name, item, args, span, body),
            Sym::Side(_)
            | Sym::SetVar(_)
            | Sym::Scalar { .. }
            | Sym::Clock(_)
            | Sym::Owner(_)
            | Sym::Against(_)
            | Sym::History(_)
            | Sym::Recall(_) => {
                self.error("wrong-type", span, format!("nothing can be given to `{}`", name.text));
                None
            }
        }
    }

    fn branch(&mut self, geo: usize, label: &Name) -> Option<u16> {
        let known = self.branch_names(geo);
        if known.contains(&label.text) {
            let index = self.rules.branch_labels.iter().position(|known| *known == label.text);
            let index = index.unwrap_or_else(|| {
                self.rules.branch_labels.push(label.text.clone());
                self.rules.branch_labels.len() - 1
            });
            return u16::try_from(index).ok();
        }
        let what = format!("branch of `{}`", self.rules.geometries[geo]);
        self.unknown(&what, label, known.iter().map(String::as_str));
        None
    }

    fn word(&mut self, name: &'a Name, word: Word, args: &'a [Arg], span: Span, body: &mut Body<'a>) -> Option<Typed> {
        let params: &[Ty] = match word {
            Word::Everywhere
            | Word::Winner
            | Word::Nowhere
            | Word::Empty
            | Word::Occupied
            | Word::Me
            | Word::Them
            | Word::Width
            | Word::Height => &[],
            Word::Opponent => &[Ty::Side],
            Word::Between | Word::Distance | Word::InFront => &[Ty::Square, Ty::Square],
            Word::Near => &[Ty::Squares, Ty::Number],
            Word::KindAt | Word::OwnerAt | Word::RankAt | Word::FileAt => &[Ty::Square],
        };
        self.count_args(name, params.len(), args.len(), span)?;
        let ids: Vec<Option<ExprId>> =
            args.iter().zip(params).map(|(arg, ty)| self.arg(arg, *ty, span, body)).collect();
        let ids: Vec<ExprId> = ids.into_iter().collect::<Option<_>>()?;
        let (width, height) = (self.rules.board.files, self.rules.board.ranks);
        let (expr, ty) = match word {
            Word::Everywhere => (Expr::Everywhere, Ty::Squares),
            Word::Nowhere => (Expr::Places(Box::new([0; 8])), Ty::Squares),
            Word::Empty => (Expr::Empty, Ty::Squares),
            Word::Occupied => (Expr::Occupied, Ty::Squares),
            Word::Me => (Expr::Me, Ty::Side),
            Word::Them => {
                let me = self.expr_at(Expr::Me, span);
                (Expr::Opponent(me), Ty::Side)
            }
            Word::Winner => (Expr::Winner, Ty::Side),
            Word::Width => (Expr::Const(width), Ty::Number),
            Word::Height => (Expr::Const(height), Ty::Number),
            Word::Opponent => (Expr::Opponent(ids[0]), Ty::Side),
            Word::Between => (Expr::Between(ids[0], ids[1]), Ty::Squares),
            Word::Distance => (Expr::Distance(ids[0], ids[1]), Ty::Number),
            Word::InFront => (Expr::InFront(ids[0], ids[1]), Ty::Squares),
            Word::Near => (Expr::Near(ids[0], ids[1]), Ty::Squares),
            Word::KindAt => (Expr::KindAt(ids[0]), Ty::Kind),
            Word::OwnerAt => (Expr::OwnerAt(ids[0]), Ty::Side),
            Word::RankAt => (Expr::RankAt(ids[0]), Ty::Number),
            Word::FileAt => (Expr::FileAt(ids[0]), Ty::Number),
        };
        self.value(expr, ty, span)
    }

    /// A definition of a value, expanded where it is used.
    fn expand_value(
        &mut self,
        name: &'a Name,
        item: usize,
        args: &'a [Arg],
        span: Span,
        body: &mut Body<'a>,
    ) -> Option<Typed> {
        let (params, define, _) = self.define(item)?;
        let DefineBody::Value(value) = define else {
            self.error("wrong-type", span, format!("`{}` stands for effects, not for a value", name.text));
            return None;
        };
        if self.broken.contains(&item) {
            return None;
        }
        let (scope, lets) = self.bind_args(name, params, args, span, body)?;
        let outer = std::mem::replace(&mut body.scope, scope);
        body.depth += 4;
        let silenced = self.silenced;
        self.mute += 1;
        let inner = self.expr(value, body);
        self.mute -= 1;
        body.depth -= 4;
        body.scope = outer;
        if self.silenced != silenced {
            self.misfit(name, span);
        }
        let mut typed = inner?;
        for (local, value) in lets.into_iter().rev() {
            typed.id = self.expr_at(Expr::Let(local, value, typed.id), span);
        }
        Some(typed)
    }

    /// A definition that is right in itself makes no sense with what is given to it.
    pub(super) fn misfit(&mut self, name: &Name, span: Span) {
        if !self.overflowed && self.mute == 0 {
            let message = format!("`{}` makes no sense with what is given to it here", name.text);
            let help = "a definition that is given as a value must give what the other one expects";
            self.report(Problem::error("wrong-type", span, message).help(help));
        }
    }

    /// The names of a definition's parameters with what is given for them. Values that cost something to repeat get a
    /// place in the frame; the second list says how those are filled.
    #[expect(clippy::type_complexity, reason = "a scope, and the values to be filled in before it is used")]
    pub(super) fn bind_args(
        &mut self,
        name: &Name,
        params: &'a [Param],
        args: &'a [Arg],
        span: Span,
        body: &mut Body<'a>,
    ) -> Option<(Vec<(String, Binding<'a>)>, Vec<(fullcourt_engine::ir::Local, ExprId)>)> {
        self.count_args(name, params.len(), args.len(), span)?;
        let mut scope = Vec::with_capacity(params.len());
        let mut lets = Vec::new();
        let mut complete = true;
        for (param, arg) in params.iter().zip(args) {
            let binding = match (param.ty, param.over.is_empty(), arg) {
                (Some(ty), true, _) => self.arg(arg, of(ty), span, body).map(|id| {
                    if matches!(self.rules.expr(id), Expr::Const(_) | Expr::Local(_)) {
                        Binding::Expr(Typed { id, ty: of(ty), none: false })
                    } else {
                        let local = body.local();
                        lets.push((local, id));
                        Binding::Local(local, of(ty))
                    }
                }),
                (None, true, Arg::Block(block)) => Some(Binding::Block(block, Rc::new(body.scope.clone()))),
                (ty, _, Arg::Expr(expr)) => self.definition_arg(param, ty.map(of), expr, body),
                (_, _, Arg::Block(block)) => {
                    let message =
                        format!("`{}` wants the name of a definition, not effects in braces", param.name.text);
                    self.error("wrong-type", block.span, message);
                    None
                }
            };
            match binding {
                Some(binding) => scope.push((param.name.text.clone(), binding)),
                None => complete = false,
            }
        }
        complete.then_some((scope, lets))
    }

    /// An argument that is the name of a definition (or of a geometry, a zone per side …).
    fn definition_arg(
        &mut self,
        param: &Param,
        ty: Option<Ty>,
        expr: &'a crate::syntax::ast::Expr,
        body: &mut Body<'a>,
    ) -> Option<Binding<'a>> {
        let ExprKind::Call { name, branch: None, args: None } = &*expr.kind else {
            let what = if ty.is_some() { "a definition" } else { "effects" };
            let message = format!("`{}` wants the name of {what} with {} values", param.name.text, param.over.len());
            self.error("wrong-type", expr.span, message);
            return None;
        };
        if let Some(binding) = body.find(&name.text) {
            return match binding {
                Binding::Func(_) | Binding::Opaque(..) | Binding::Block(..) => Some(binding.clone()),
                Binding::Unknown => None,
                Binding::Local(..) | Binding::Expr(_) => {
                    let message = format!("`{}` is a value, and `{}` wants a definition", name.text, param.name.text);
                    self.error("wrong-type", expr.span, message);
                    None
                }
            };
        }
        let Some(&(sym, _)) = self.symbols.get(&name.text) else {
            let known = self.names(body);
            let near =
                nearest(&name.text, known.iter().map(String::as_str)).map(|near| format!("did you mean `{near}`?"));
            let message = format!("there is no definition `{}`", name.text);
            self.report(Problem::error("unknown-name", name.span, message).help_maybe(near));
            return None;
        };
        let fits = match sym {
            Sym::Define(item) => {
                let (params, define, _) = self.define(item)?;
                let effects = matches!(define, DefineBody::Effects(_));
                params.len() == param.over.len() && effects == ty.is_none()
            }
            Sym::Geometry(_) | Sym::Zone(_) | Sym::Reserve(_) | Sym::Counter(_) | Sym::PieceSquare(_) => {
                ty.is_some() && param.over.len() == 1
            }
            Sym::Plugin(function) => {
                let signature = &self.rules.plugin_fns[usize::from(function)].signature;
                ty == Some(from_host(signature.result)) && signature.params.len() == param.over.len()
            }
            Sym::Word(_) => ty.is_some(),
            _ => false,
        };
        if !fits {
            let what = match ty {
                Some(ty) => format!("a definition of {} with {} values", words(ty), param.over.len()),
                None => format!("effects with {} values", param.over.len()),
            };
            self.error("wrong-type", expr.span, format!("`{}` wants {what}; `{}` is none", param.name.text, name.text));
            return None;
        }
        Some(Binding::Func(name.text.clone()))
    }
}
