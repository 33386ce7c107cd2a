//! Expressions as text.
//!
//! In: `ast::Expr`. Out: text that reads back as the same tree, with no more parentheses than that needs.

use super::ast::{Arg, ArithOp, CmpOp, Dirs, Expr, ExprKind, Leg, LegKind, Name};
use super::print::{Printer, names};
use crate::diagnostics::Span;

/// How tightly an expression holds together. What is used where a tighter one is needed gets parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tightness {
    /// `if`, `those`, `the`: they reach as far as they can.
    Open,
    Or,
    And,
    Not,
    Compare,
    /// `rank a`: reaches over the whole sum behind it.
    Lines,
    Sum,
    Product,
    Unary,
    Primary,
}

fn tightness(expr: &Expr) -> Tightness {
    match &*expr.kind {
        ExprKind::If { .. } | ExprKind::Those { .. } | ExprKind::The { .. } => Tightness::Open,
        ExprKind::Or(_) => Tightness::Or,
        ExprKind::And(_) => Tightness::And,
        ExprKind::Not(_) => Tightness::Not,
        ExprKind::Compare { .. } | ExprKind::OptionIs { .. } => Tightness::Compare,
        ExprKind::Ranks(..) | ExprKind::Files(..) => Tightness::Lines,
        ExprKind::Arith { op: ArithOp::Add | ArithOp::Sub, .. } => Tightness::Sum,
        ExprKind::Arith { .. } => Tightness::Product,
        ExprKind::Negate(_) | ExprKind::Some(_) | ExprKind::No(_) | ExprKind::Count(_) => Tightness::Unary,
        _ => Tightness::Primary,
    }
}

/// The expression that ends where this one ends, if it does not end with a bracket or a word of its own.
fn last(expr: &Expr) -> Option<&Expr> {
    match &*expr.kind {
        ExprKind::Or(list) | ExprKind::And(list) => list.last(),
        ExprKind::Not(inner)
        | ExprKind::Negate(inner)
        | ExprKind::Some(inner)
        | ExprKind::No(inner)
        | ExprKind::Count(inner) => Some(inner),
        ExprKind::Compare { right, .. } | ExprKind::Arith { right, .. } => Some(right),
        ExprKind::If { otherwise, .. } => Some(otherwise),
        ExprKind::Those { test, .. } => Some(test),
        ExprKind::The { keys, .. } => keys.last().and_then(Option::as_ref),
        ExprKind::Ranks(_, high) | ExprKind::Files(_, high) => Some(high),
        ExprKind::Call { args: Some(args), .. } => of_arg(expr.span, args),
        ExprKind::Geo { through, from, .. } => from.as_ref().or(through.as_ref()),
        _ => None,
    }
}

/// Whether a path stands at the end, which would take a `then`, `through` or `from` behind it for its own.
pub(super) fn ends_in_path(expr: &Expr) -> bool {
    matches!(&*expr.kind, ExprKind::Geo { .. }) || last(expr).is_some_and(ends_in_path)
}

/// Whether `the … by` stands at the end, which would take a comma behind it for its own.
pub(super) fn ends_in_keys(expr: &Expr) -> bool {
    matches!(&*expr.kind, ExprKind::The { .. }) || last(expr).is_some_and(ends_in_keys)
}

fn ends_in_square(expr: &Expr) -> bool {
    matches!(&*expr.kind, ExprKind::Square(_)) || last(expr).is_some_and(ends_in_square)
}

/// The argument of a call that was written with `of`: it ends where the call ends.
fn of_arg(call: Span, args: &[Arg]) -> Option<&Expr> {
    match args {
        [Arg::Expr(arg)] if arg.span.end == call.end => Some(arg),
        _ => None,
    }
}

impl Printer {
    /// An expression where any may stand.
    pub(super) fn expr(&mut self, expr: &Expr) {
        self.operand(expr, Tightness::Open);
    }

    /// An expression, in parentheses if asked for.
    pub(super) fn guarded(&mut self, expr: &Expr, parentheses: bool) {
        if parentheses {
            self.push("(");
        }
        self.expr(expr);
        if parentheses {
            self.push(")");
        }
    }

    /// An expression where one at least so tight must stand.
    pub(super) fn operand(&mut self, expr: &Expr, least: Tightness) {
        if tightness(expr) < least {
            self.guarded(expr, true);
            return;
        }
        match &*expr.kind {
            ExprKind::Number(number) => self.push(&number.to_string()),
            ExprKind::Bool(value) => self.push(if *value { "true" } else { "false" }),
            ExprKind::None => self.push("none"),
            ExprKind::Square(square) => self.push(square),
            ExprKind::Rectangle(from, to) => self.push(&format!("{from}..{to}")),
            ExprKind::Call { name, branch, args } => self.call(expr.span, name, branch.as_ref(), args.as_deref()),
            ExprKind::Option(name) => self.push(&format!("option.{}", name.text)),
            ExprKind::Or(list) => self.list(list, " or ", Tightness::And),
            ExprKind::And(list) => self.list(list, " and ", Tightness::Not),
            ExprKind::Not(inner) => self.prefix("not ", inner, Tightness::Not),
            ExprKind::Compare { op, left, right } => self.compare(*op, left, right),
            ExprKind::OptionIs { option, not, word } => {
                let is = if *not { "is not" } else { "is" };
                self.push(&format!("option.{} {is} {}", option.text, word.text));
            }
            ExprKind::Arith { op, left, right } => self.arith(*op, left, right),
            ExprKind::Negate(inner) => self.prefix("-", inner, Tightness::Unary),
            ExprKind::Some(inner) => self.prefix("some ", inner, Tightness::Unary),
            ExprKind::No(inner) => self.prefix("no ", inner, Tightness::Unary),
            ExprKind::Count(inner) => self.prefix("count ", inner, Tightness::Unary),
            ExprKind::If { test, then, otherwise } => {
                self.push("if ");
                self.guarded(test, ends_in_path(test));
                self.push(" then ");
                self.expr(then);
                self.push(" else ");
                self.expr(otherwise);
            }
            ExprKind::Those { name, domain, test } => {
                self.push(&format!("those {} in ", name.text));
                self.expr(domain);
                self.push(" with ");
                self.expr(test);
            }
            ExprKind::The { name, domain, keys } => self.the(name, domain, keys),
            ExprKind::Geo { legs, through, from } => self.geo(legs, through.as_ref(), from.as_ref()),
            ExprKind::Betza(text) => self.push(&format!("betza \"{}\"", text.text)),
            ExprKind::KindsWith(name) => self.push(&format!("kinds with {}", name.text)),
            ExprKind::Kinds(list) => self.push(&format!("kinds({})", comma(list))),
            ExprKind::Ranks(low, high) => self.lines("rank", low, high),
            ExprKind::Files(low, high) => self.lines("file", low, high),
            ExprKind::Middle { count, files } => {
                self.push(&format!("middle {count} {}", if *files { "files" } else { "ranks" }));
            }
            ExprKind::Edge { files } => self.push(if *files { "edge files" } else { "edge ranks" }),
        }
    }

    fn prefix(&mut self, word: &str, inner: &Expr, least: Tightness) {
        self.push(word);
        self.operand(inner, least);
    }

    fn list(&mut self, list: &[Expr], between: &str, least: Tightness) {
        for (at, expr) in list.iter().enumerate() {
            if at > 0 {
                self.push(between);
            }
            self.operand(expr, least);
        }
    }

    fn call(&mut self, span: Span, name: &Name, branch: Option<&Name>, args: Option<&[Arg]>) {
        self.push(&name.text);
        if let Some(branch) = branch {
            self.push(&format!(".{}", branch.text));
        }
        let Some(args) = args else { return };
        match of_arg(span, args) {
            Some(arg) => {
                self.push(" of ");
                self.operand(arg, Tightness::Unary);
            }
            None => self.args(args),
        }
    }

    /// `(a, { … })`
    pub(super) fn args(&mut self, args: &[Arg]) {
        self.push("(");
        for (at, arg) in args.iter().enumerate() {
            if at > 0 {
                self.push(", ");
            }
            match arg {
                Arg::Expr(expr) => self.guarded(expr, at + 1 < args.len() && ends_in_keys(expr)),
                Arg::Block(block) => self.block(block),
            }
        }
        self.push(")");
    }

    fn compare(&mut self, op: CmpOp, left: &Expr, right: &Expr) {
        self.operand(left, Tightness::Lines);
        let is = matches!(&*right.kind, ExprKind::None | ExprKind::Bool(_) | ExprKind::Call { args: None, .. });
        // `option.x is …` takes any word, so it is another tree.
        let is = is && !matches!(&*left.kind, ExprKind::Option(_));
        self.push(match op {
            CmpOp::Eq if is => " is ",
            CmpOp::Eq => " = ",
            CmpOp::Ne if is => " is not ",
            CmpOp::Ne => " != ",
            CmpOp::Lt => " < ",
            CmpOp::Le => " <= ",
            CmpOp::Gt => " > ",
            CmpOp::Ge => " >= ",
            CmpOp::In => " in ",
        });
        self.operand(right, Tightness::Lines);
    }

    fn arith(&mut self, op: ArithOp, left: &Expr, right: &Expr) {
        let (sign, least) = match op {
            ArithOp::Add => (" + ", Tightness::Sum),
            ArithOp::Sub => (" - ", Tightness::Sum),
            ArithOp::Mul => (" * ", Tightness::Product),
            ArithOp::Div => (" / ", Tightness::Product),
        };
        self.operand(left, least);
        self.push(sign);
        self.operand(right, if least == Tightness::Sum { Tightness::Product } else { Tightness::Unary });
    }

    fn the(&mut self, name: &Name, domain: &Expr, keys: &[Option<Expr>]) {
        self.push(&format!("the {} in ", name.text));
        self.expr(domain);
        self.push(" by ");
        for (at, key) in keys.iter().enumerate() {
            if at > 0 {
                self.push(", ");
            }
            match key {
                Some(key) => self.guarded(key, at + 1 < keys.len() && ends_in_keys(key)),
                None => self.push("order"),
            }
        }
    }

    fn geo(&mut self, legs: &[Leg], through: Option<&Expr>, from: Option<&Expr>) {
        for (at, leg) in legs.iter().enumerate() {
            if at > 0 {
                self.push(if leg.turning { " then turning " } else { " then " });
            }
            self.push(&leg_text(&leg.kind));
        }
        for (word, operand) in [(" through ", through), (" from ", from)] {
            if let Some(operand) = operand {
                self.push(word);
                if ends_in_path(operand) {
                    self.guarded(operand, true);
                } else {
                    self.operand(operand, Tightness::Unary);
                }
            }
        }
    }

    fn lines(&mut self, word: &str, low: &Expr, high: &Expr) {
        // `rank a` is `ranks a..a` with the same `a` twice.
        if low.span == high.span {
            self.push(&format!("{word} "));
            self.operand(low, Tightness::Sum);
            return;
        }
        self.push(&format!("{word}s "));
        // `a1..b2` would be a rectangle.
        if ends_in_square(low) {
            self.guarded(low, true);
        } else {
            self.operand(low, Tightness::Sum);
        }
        self.push("..");
        self.operand(high, Tightness::Sum);
    }
}

fn leg_text(leg: &LegKind) -> String {
    match leg {
        LegKind::Leap(across, along) => format!("leap {across} {along}"),
        LegKind::Steps { dirs, min, max, free } => {
            let verb = match (free, min, max) {
                (true, ..) => "ray",
                (false, 1, Some(1)) => return format!("step {}", dirs_text(*dirs)),
                _ => "slide",
            };
            let dirs = dirs_text(*dirs);
            match max {
                None => format!("{verb} {dirs}"),
                Some(max) if max == min => format!("{verb} {dirs} exactly {max}"),
                Some(max) => format!("{verb} {dirs} up to {max}"),
            }
        }
    }
}

fn dirs_text(dirs: Dirs) -> &'static str {
    match dirs {
        Dirs::Any => "any",
        Dirs::Straight => "straight",
        Dirs::Diagonal => "diagonal",
        Dirs::Forward => "forward",
        Dirs::Back => "back",
        Dirs::Sideways => "sideways",
        Dirs::Askew => "askew",
        Dirs::Ahead => "ahead",
    }
}

/// Words with commas between them.
pub(super) fn comma(list: &[Name]) -> String {
    names(list, ", ")
}
