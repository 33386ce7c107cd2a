//! Expressions: typed, definitions expanded.

use fullcourt_engine::ir::{Arith, Cmp, Expr, ExprId, OptionDomain, Ty};

use super::scope::{Body, Check, Sym};
use super::types::{Typed, words};
use crate::diagnostics::{Problem, Span, nearest};
use crate::syntax::ast::{self, ArithOp, CmpOp, ExprKind, Name};

impl<'a> Check<'a> {
    /// An expression of a wanted type.
    pub(super) fn want(&mut self, expr: &'a ast::Expr, body: &mut Body<'a>, ty: Ty) -> Option<ExprId> {
        let typed = self.expr(expr, body)?;
        self.convert(typed, ty, expr.span)
    }

    /// The same value as another type, where that goes without saying.
    pub(super) fn convert(&mut self, typed: Typed, ty: Ty, span: Span) -> Option<ExprId> {
        let Typed { id, ty: found, none } = typed;
        if found == ty || (none && matches!(ty, Ty::Square | Ty::Side | Ty::Kind)) {
            return Some(id);
        }
        if ty == Ty::Squares {
            match found {
                Ty::Square => return Some(self.expr_at(Expr::Single(id), span)),
                Ty::Side => return Some(self.expr_at(Expr::SidePieces(id), span)),
                Ty::Kind => return Some(self.expr_at(Expr::KindPieces(id), span)),
                _ => {}
            }
        }
        let help = match (found, ty) {
            (Ty::Squares, Ty::Test) => {
                Some("write `some` before it to ask whether it has any, or `x in` to ask for one")
            }
            (Ty::Square, Ty::Test) => Some("write `x is not none`, or `x in` a set"),
            (Ty::Squares, Ty::Square) => Some("write `the x in … by order` to take one square of a set"),
            (Ty::Squares | Ty::Kinds, Ty::Number) => Some("write `count` before it to count"),
            _ => None,
        };
        let message = format!("expected {}, found {}", words(ty), words(found));
        self.report(Problem::error("wrong-type", span, message).help_maybe(help.map(str::to_owned)));
        None
    }

    pub(super) fn made(&mut self, expr: Expr, ty: Ty, span: Span) -> Option<Typed> {
        Some(Typed { id: self.expr_at(expr, span), ty, none: false })
    }

    /// An expression with the type it has.
    pub(super) fn expr(&mut self, expr: &'a ast::Expr, body: &mut Body<'a>) -> Option<Typed> {
        body.depth += 1;
        let typed = if self.within_limits(expr.span, body.depth / 4) { self.expr_node(expr, body) } else { None };
        body.depth -= 1;
        typed
    }

    #[expect(clippy::too_many_lines, reason = "the dispatch table of expressions: one short arm for each")]
    fn expr_node(&mut self, expr: &'a ast::Expr, body: &mut Body<'a>) -> Option<Typed> {
        let span = expr.span;
        match &*expr.kind {
            ExprKind::Number(value) => match i32::try_from(*value) {
                Ok(value) => self.made(Expr::Const(value), Ty::Number, span),
                Err(_) => {
                    self.error("wrong-value", span, format!("the number {value} is too large"));
                    None
                }
            },
            ExprKind::Bool(value) => self.made(Expr::Const(i32::from(*value)), Ty::Test, span),
            ExprKind::None => {
                let id = self.expr_at(Expr::Const(-1), span);
                Some(Typed { id, ty: Ty::Square, none: true })
            }
            ExprKind::Square(name) => {
                let place = self.place(name, span)?;
                self.made(Expr::Const(place), Ty::Square, span)
            }
            ExprKind::Rectangle(from, to) => self.rectangle(from, to, span),
            ExprKind::Call { name, branch, args } => self.call(name, branch.as_ref(), args.as_deref(), span, body),
            ExprKind::Option(name) => self.option_ref(name),
            ExprKind::OptionIs { option, not, word } => self.option_is(option, *not, word, span),
            ExprKind::Or(parts) => self.joined(parts, body, span, "or"),
            ExprKind::And(parts) => self.joined(parts, body, span, "and"),
            ExprKind::Not(inner) => {
                let typed = self.expr(inner, body)?;
                if typed.ty == Ty::Test {
                    self.made(Expr::Not(typed.id), Ty::Test, span)
                } else {
                    let set = self.convert(typed, Ty::Squares, inner.span)?;
                    self.made(Expr::SetNot(set), Ty::Squares, span)
                }
            }
            ExprKind::Compare { op, left, right } => self.compare(*op, left, right, span, body),
            ExprKind::Arith { op, left, right } => {
                let (left, right) = (self.want(left, body, Ty::Number), self.want(right, body, Ty::Number));
                let op = match op {
                    ArithOp::Add => Arith::Add,
                    ArithOp::Sub => Arith::Sub,
                    ArithOp::Mul => Arith::Mul,
                    ArithOp::Div => Arith::Div,
                };
                self.made(Expr::Arith(op, left?, right?), Ty::Number, span)
            }
            ExprKind::Negate(inner) => {
                let value = self.want(inner, body, Ty::Number)?;
                let zero = self.expr_at(Expr::Const(0), span);
                self.made(Expr::Arith(Arith::Sub, zero, value), Ty::Number, span)
            }
            ExprKind::Some(inner) => {
                let id = self.collection(inner, body)?;
                self.made(Expr::Some(id), Ty::Test, span)
            }
            ExprKind::No(inner) => {
                let id = self.collection(inner, body)?;
                let some = self.expr_at(Expr::Some(id), span);
                self.made(Expr::Not(some), Ty::Test, span)
            }
            ExprKind::Count(inner) => {
                let id = self.collection(inner, body)?;
                let count = match *self.rules.expr(id) {
                    Expr::ReserveKinds(reserve, side) => Expr::ReserveCount(reserve, side),
                    _ => Expr::Count(id),
                };
                self.made(count, Ty::Number, span)
            }
            ExprKind::If { test, then, otherwise } => {
                let test = self.want(test, body, Ty::Test);
                let (a, b) = (self.expr(then, body), self.expr(otherwise, body));
                let (test, a, b) = (test?, a?, b?);
                let may_lack = |ty| matches!(ty, Ty::Square | Ty::Side | Ty::Kind);
                let ty = if (a.ty == b.ty && !a.none) || (b.none && may_lack(a.ty)) {
                    a.ty
                } else if a.none && may_lack(b.ty) {
                    b.ty
                } else if is_set(a.ty) && is_set(b.ty) {
                    Ty::Squares
                } else {
                    let message = format!("one way gives {}, the other {}", words(a.ty), words(b.ty));
                    self.report(
                        Problem::error("wrong-type", span, message)
                            .label(then.span, words(a.ty))
                            .label(otherwise.span, words(b.ty)),
                    );
                    return None;
                };
                let (a, b) = (self.convert(a, ty, then.span)?, self.convert(b, ty, otherwise.span)?);
                self.made(Expr::If(test, a, b), ty, span)
            }
            ExprKind::Those { name, domain, test } => {
                let domain = self.want(domain, body, Ty::Squares);
                let local = self.inner_name(name, body);
                let test = self.want(test, body, Ty::Test);
                body.scope.pop();
                self.made(Expr::Those(local, domain?, test?), Ty::Squares, span)
            }
            ExprKind::The { name, domain, keys } => {
                let domain = self.want(domain, body, Ty::Squares);
                let local = self.inner_name(name, body);
                let ids: Vec<Option<ExprId>> =
                    keys.iter().flatten().map(|key| self.want(key, body, Ty::Number)).collect();
                body.scope.pop();
                if keys.last().is_some_and(Option::is_some) || keys[..keys.len() - 1].iter().any(Option::is_none) {
                    let problem = Problem::error("no-order", span, "the keys do not always single one square out");
                    self.report(
                        problem.help("end the keys with `order`: of equal squares the first on the board is taken"),
                    );
                }
                let ids: Vec<ExprId> = ids.into_iter().collect::<Option<_>>()?;
                self.made(Expr::The(local, domain?, ids), Ty::Square, span)
            }
            ExprKind::Geo { legs, through, from } => self.geo(legs, through.as_ref(), from.as_ref(), span, body),
            ExprKind::Betza(text) => self.betza(text, None, span, body),
            ExprKind::KindsWith(name) => match self.symbols.get(&name.text) {
                Some(&(Sym::Trait(id), _)) => {
                    let kinds = self.kinds_with(id);
                    self.made(Expr::Kinds(kinds), Ty::Kinds, span)
                }
                _ => {
                    let known = self.rules.traits.clone();
                    self.unknown("trait", name, known.iter().map(String::as_str));
                    None
                }
            },
            ExprKind::Kinds(names) => {
                let mut kinds = Some(0);
                for name in names {
                    let found = match self.symbols.get(&name.text) {
                        Some(&(Sym::Kind(kind), _)) => Some(1u64 << kind),
                        _ => {
                            let known: Vec<String> = self.rules.kinds.iter().map(|kind| kind.name.clone()).collect();
                            self.unknown("kind of piece", name, known.iter().map(String::as_str));
                            None
                        }
                    };
                    kinds = kinds.zip(found).map(|(all, one)| all | one);
                }
                self.made(Expr::Kinds(kinds?), Ty::Kinds, span)
            }
            ExprKind::Ranks(a, b) => self.band(a, b, false, span, body),
            ExprKind::Files(a, b) => self.band(a, b, true, span, body),
            ExprKind::Middle { count, files } => self.middle(*count, *files, span),
            ExprKind::Edge { files } => {
                let board = &self.rules.board;
                let (ranks, width) = (board.ranks, board.files);
                let on_edge = |f: i32, r: i32| if *files { f == 0 || f == width - 1 } else { r == 0 || r == ranks - 1 };
                let set = self.places_where(on_edge);
                self.made(Expr::Places(set), Ty::Squares, span)
            }
        }
    }

    /// A name for the squares of a set, looked at one by one.
    fn inner_name(&mut self, name: &Name, body: &mut Body<'a>) -> fullcourt_engine::ir::Local {
        self.check_hiding(name, body);
        let local = body.local();
        body.bind(&name.text, local, Ty::Square);
        local
    }

    /// Says so when a name would hide another.
    pub(super) fn check_hiding(&mut self, name: &Name, body: &Body<'a>) {
        // A name that a later file gives (a ruleset to what its library calls a parameter) is not hidden: the earlier
        // file could not know it.
        let here = self.merged.rank_of(name.span.file);
        let old = self.symbols.get(&name.text).map(|(_, span)| *span);
        let old = old.filter(|old| *old == Span::default() || self.merged.rank_of(old.file) <= here);
        if old.is_some() || body.find(&name.text).is_some() {
            let mut problem =
                Problem::error("hidden-name", name.span, format!("`{}` is the name of something else here", name.text));
            if let Some(old) = old.filter(|old| *old != Span::default()) {
                problem = problem.label(old, "what would be hidden");
            }
            self.report(problem.help("choose another name"));
        }
    }

    /// A set of squares or of kinds.
    fn collection(&mut self, expr: &'a ast::Expr, body: &mut Body<'a>) -> Option<ExprId> {
        let typed = self.expr(expr, body)?;
        if typed.ty == Ty::Kinds {
            return Some(typed.id);
        }
        self.convert(typed, Ty::Squares, expr.span)
    }

    fn joined(&mut self, parts: &'a [ast::Expr], body: &mut Body<'a>, span: Span, word: &str) -> Option<Typed> {
        let typed: Vec<Option<Typed>> = parts.iter().map(|part| self.expr(part, body)).collect();
        let known: Vec<(Typed, Span)> =
            typed.iter().zip(parts).filter_map(|(typed, part)| typed.map(|typed| (typed, part.span))).collect();
        let (first, first_span) = *known.first()?;
        let tests = first.ty == Ty::Test;
        let mut ids = Vec::with_capacity(parts.len());
        let mut fits = known.len() == parts.len();
        for (typed, part) in known {
            if (typed.ty == Ty::Test) != tests {
                let message = format!(
                    "`{word}` joins tests with tests and sets with sets; this is {}, and what it is joined to is {}",
                    words(typed.ty),
                    words(first.ty)
                );
                let help = "to make a test of a set write `some SET`, `no SET`, or `x in SET`";
                self.report(Problem::error("wrong-type", part, message).label(first_span, words(first.ty)).help(help));
                fits = false;
            } else if tests {
                ids.push(typed.id);
            } else {
                match self.convert(typed, Ty::Squares, part) {
                    Some(id) => ids.push(id),
                    None => fits = false,
                }
            }
        }
        if !fits {
            return None;
        }
        let make = match (word, tests) {
            ("and", true) => Expr::And,
            ("and", false) => Expr::SetAnd,
            (_, true) => Expr::Or,
            (_, false) => Expr::SetOr,
        };
        let ty = if tests { Ty::Test } else { Ty::Squares };
        let id = self.fold(&ids, span, make)?;
        Some(Typed { id, ty, none: false })
    }

    /// A balanced tree of a chain, so that long chains do not nest deeply; the order stays.
    pub(super) fn fold(&mut self, ids: &[ExprId], span: Span, make: fn(ExprId, ExprId) -> Expr) -> Option<ExprId> {
        match ids {
            [] => None,
            [one] => Some(*one),
            _ => {
                let (left, right) = ids.split_at(ids.len() / 2);
                let (left, right) = (self.fold(left, span, make)?, self.fold(right, span, make)?);
                Some(self.expr_at(make(left, right), span))
            }
        }
    }

    fn compare(
        &mut self,
        op: CmpOp,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
        span: Span,
        body: &mut Body<'a>,
    ) -> Option<Typed> {
        let (a, b) = (self.expr(left, body), self.expr(right, body));
        let (a, b) = (a?, b?);
        if op == CmpOp::In {
            return match (a.ty, b.ty) {
                (Ty::Kind, Ty::Kinds) => self.made(Expr::InKinds(a.id, b.id), Ty::Test, span),
                _ => {
                    let place = self.convert(a, Ty::Square, left.span);
                    let set = self.convert(b, Ty::Squares, right.span);
                    self.made(Expr::InSet(place?, set?), Ty::Test, span)
                }
            };
        }
        let cmp = match op {
            CmpOp::Eq | CmpOp::In => Cmp::Eq,
            CmpOp::Ne => Cmp::Ne,
            CmpOp::Lt => Cmp::Lt,
            CmpOp::Le => Cmp::Le,
            CmpOp::Gt => Cmp::Gt,
            CmpOp::Ge => Cmp::Ge,
        };
        // `x is KIND` asks for the kind of the piece on x.
        let a = match (a.ty, b.ty) {
            (Ty::Square, Ty::Kind) if !a.none && !b.none => self.made(Expr::KindAt(a.id), Ty::Kind, left.span)?,
            _ => a,
        };
        let scalar = |ty| matches!(ty, Ty::Square | Ty::Side | Ty::Kind | Ty::Number | Ty::Test);
        let ordered = !matches!(cmp, Cmp::Eq | Cmp::Ne);
        let same = a.ty == b.ty || (a.none && scalar(b.ty)) || (b.none && scalar(a.ty));
        let none_fits = |one: &Typed, other: &Typed| !one.none || matches!(other.ty, Ty::Square | Ty::Side | Ty::Kind);
        if !same
            || !scalar(a.ty)
            || !scalar(b.ty)
            || (ordered && a.ty != Ty::Number)
            || !none_fits(&a, &b)
            || !none_fits(&b, &a)
        {
            let message = if ordered {
                format!("expected two numbers, found {} and {}", words(a.ty), words(b.ty))
            } else {
                format!("{} cannot be compared with {}", words(a.ty), words(b.ty))
            };
            let help = (is_set(b.ty) && !ordered).then(|| "to ask whether a square is in a set write `in`".to_owned());
            self.report(Problem::error("wrong-type", span, message).help_maybe(help));
            return None;
        }
        self.made(Expr::Cmp(cmp, a.id, b.id), Ty::Test, span)
    }

    fn option_named(&mut self, name: &Name) -> Option<usize> {
        if let Some(&(id, _)) = self.options.get(&name.text) {
            return Some(id.ix());
        }
        let known: Vec<String> = self.options.keys().cloned().collect();
        self.unknown("option", name, known.iter().map(String::as_str));
        None
    }

    fn option_ref(&mut self, name: &Name) -> Option<Typed> {
        let index = self.option_named(name)?;
        let (id, _) = *self.options.get_index(index)?.1;
        if let OptionDomain::Words(words) = &self.rules.options[index].domain {
            let message = format!("the option `{}` is a word, not a number", name.text);
            let help = format!("ask for one of its words: `option.{} is {}`", name.text, words[0]);
            self.report(Problem::error("wrong-type", name.span, message).help(help));
            return None;
        }
        self.made(Expr::Option(id), Ty::Number, name.span)
    }

    fn option_is(&mut self, option: &Name, not: bool, word: &Name, span: Span) -> Option<Typed> {
        let index = self.option_named(option)?;
        let (id, _) = *self.options.get_index(index)?.1;
        let def = &self.rules.options[index];
        let value = match def.parse(&word.text) {
            Ok(value) => value,
            Err(expected) => {
                let near = match &def.domain {
                    OptionDomain::Words(words) | OptionDomain::RangeOr(_, words) => {
                        nearest(&word.text, words.iter().map(String::as_str))
                    }
                    OptionDomain::Range(_) => None,
                };
                let near = near.map(|near| format!("did you mean `{near}`?"));
                let message = format!("the option `{}` is {expected}, never `{}`", option.text, word.text);
                self.report(Problem::error("unknown-name", word.span, message).help_maybe(near));
                return None;
            }
        };
        let left = self.expr_at(Expr::Option(id), option.span);
        let right = self.expr_at(Expr::Const(value), word.span);
        self.made(Expr::Cmp(if not { Cmp::Ne } else { Cmp::Eq }, left, right), Ty::Test, span)
    }

    fn place(&mut self, name: &str, span: Span) -> Option<i32> {
        let place = self.rules.board.parse(name).and_then(|place| i32::try_from(place).ok());
        if place.is_none() {
            let board = &self.rules.board;
            let last = board.name(board.grid().saturating_sub(1));
            self.error("off-board", span, format!("`{name}` is not on the board, which goes from a1 to {last}"));
        }
        place
    }

    fn rectangle(&mut self, from: &str, to: &str, span: Span) -> Option<Typed> {
        let (from, to) = (self.place(from, span), self.place(to, span));
        let coords = |place: i32| self.rules.board.coords(usize::try_from(place).unwrap_or(0));
        let ((af, ar), (bf, br)) = (coords(from?), coords(to?));
        let set =
            self.places_where(|f, r| (af.min(bf)..=af.max(bf)).contains(&f) && (ar.min(br)..=ar.max(br)).contains(&r));
        self.made(Expr::Places(set), Ty::Squares, span)
    }

    fn places_where(&self, holds: impl Fn(i32, i32) -> bool) -> Box<[u64; 8]> {
        let mut words = Box::new([0u64; 8]);
        for place in 0..self.rules.board.grid() {
            let (file, rank) = self.rules.board.coords(place);
            if holds(file, rank) {
                words[place / 64] |= 1 << (place % 64);
            }
        }
        words
    }

    fn band(
        &mut self,
        a: &'a ast::Expr,
        b: &'a ast::Expr,
        files: bool,
        span: Span,
        body: &mut Body<'a>,
    ) -> Option<Typed> {
        let (low, high) = (self.want(a, body, Ty::Number), self.want(b, body, Ty::Number));
        let (low, high) = (low?, high?);
        let count = if files { self.rules.board.files } else { self.rules.board.ranks };
        let what = if files { "files" } else { "ranks" };
        // Ends that follow from numbers and options alone must lie on the board as the options stand.
        let ends = self.fixed_value(low).zip(self.fixed_value(high));
        if let Some((low, high)) = ends
            && low <= high
            && (low < 1 || high > count)
        {
            let message = format!("{what} {low} to {high} are not on the board, which has {count}");
            self.error("off-board", span, message);
        }
        let expr = if files { Expr::Files(low, high) } else { Expr::Ranks(low, high) };
        self.made(expr, Ty::Squares, span)
    }

    /// The value of an expression of numbers and options, as the options stand.
    pub(super) fn fixed_value(&self, id: ExprId) -> Option<i32> {
        match self.rules.expr(id) {
            Expr::Const(value) => Some(*value),
            Expr::Option(option) => self.defaults.get(option.ix()).copied(),
            Expr::Arith(op, a, b) => {
                let (a, b) = (self.fixed_value(*a)?, self.fixed_value(*b)?);
                match op {
                    Arith::Add => a.checked_add(b),
                    Arith::Sub => a.checked_sub(b),
                    Arith::Mul => a.checked_mul(b),
                    Arith::Div => a.checked_div(b),
                }
            }
            _ => None,
        }
    }

    fn middle(&mut self, count: i64, files: bool, span: Span) -> Option<Typed> {
        let all = if files { self.rules.board.files } else { self.rules.board.ranks };
        let what = if files { "files" } else { "ranks" };
        let count = i32::try_from(count).unwrap_or(i32::MAX);
        if count > all || count < 1 {
            self.error("off-board", span, format!("the board has only {all} {what}, not {count} in the middle"));
            return None;
        }
        if (all - count) % 2 != 0 {
            let message = format!("{all} {what} have no middle {count}: as many must be left on either hand");
            self.error("off-board", span, message);
            return None;
        }
        let low = (all - count) / 2;
        let set = self.places_where(|f, r| (low..low + count).contains(if files { &f } else { &r }));
        self.made(Expr::Places(set), Ty::Squares, span)
    }
}

fn is_set(ty: Ty) -> bool {
    matches!(ty, Ty::Squares | Ty::Square | Ty::Side | Ty::Kind)
}
