//! Expressions.
//!
//! In: pairs of the rules from `expr` to `primary`. Out: `ast::Expr`. One function per rule.

use super::ast::{Arg, ArithOp, CmpOp, Expr, ExprKind};
use super::rules::Rule;
use super::tree::{Kids, Reader};
use crate::diagnostics::Span;
use pest::iterators::Pair;

impl Reader<'_> {
    /// An expression of any rule.
    pub(super) fn expr(&mut self, pair: Pair<'_, Rule>) -> Expr {
        match pair.as_rule() {
            Rule::and_expr => self.several(pair, Rule::and_op, ExprKind::And),
            Rule::not_expr => self.not_expr(pair),
            Rule::comparison => self.comparison(pair),
            Rule::sum | Rule::product => self.arith(pair),
            Rule::unary => self.unary(pair),
            Rule::primary => self.primary(pair),
            _ => self.several(pair, Rule::or_op, ExprKind::Or),
        }
    }

    /// The next child as an expression; `whole` is the place of its parent.
    pub(super) fn next_expr(&mut self, kids: &mut Kids<'_>, whole: Span) -> Expr {
        match kids.next() {
            Some(kid) => self.expr(kid),
            None => Expr { span: whole, kind: Box::new(ExprKind::None) },
        }
    }

    /// `a or b or c`, `a and b and c`, or only `a`.
    fn several(&mut self, pair: Pair<'_, Rule>, op: Rule, make: fn(Vec<Expr>) -> ExprKind) -> Expr {
        let span = self.span(&pair);
        let mut list: Vec<Expr> = Kids::of(pair).filter(|kid| kid.as_rule() != op).map(|kid| self.expr(kid)).collect();
        match (list.len(), list.pop()) {
            (1, Some(only)) => only,
            (_, last) => {
                list.extend(last);
                Expr { span, kind: Box::new(make(list)) }
            }
        }
    }

    fn not_expr(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let mut nots = Vec::new();
        while let Some(not) = kids.pick(Rule::not_op) {
            nots.push(self.span(&not));
        }
        let inner = self.next_expr(&mut kids, span);
        nots.into_iter()
            .rev()
            .fold(inner, |inner, not| Expr { span: not.to(inner.span), kind: Box::new(ExprKind::Not(inner)) })
    }

    fn comparison(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        if let Some(test) = kids.pick(Rule::option_is) {
            return self.option_is(test);
        }
        let left = self.next_expr(&mut kids, span);
        let Some(op) = kids.pick(Rule::cmp_op) else { return left };
        let op = cmp_op(op);
        let right = self.next_expr(&mut kids, span);
        let span = left.span.to(right.span);
        Expr { span, kind: Box::new(ExprKind::Compare { op, left, right }) }
    }

    fn option_is(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let option = match kids.pick(Rule::option_ref) {
            Some(option) => self.next_name(&mut Kids::of(option)),
            None => Default::default(),
        };
        let not = kids.pick(Rule::is_word).is_some_and(|word| Kids::of(word).has(Rule::is_not));
        let word = self.next_name(&mut kids);
        Expr { span, kind: Box::new(ExprKind::OptionIs { option, not, word }) }
    }

    /// `a + b - c`, `a * b / c`, from the left.
    fn arith(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let mut left = self.next_expr(&mut kids, span);
        while let Some(op) = kids.next() {
            let op = match op.as_str() {
                "+" => ArithOp::Add,
                "-" => ArithOp::Sub,
                "*" => ArithOp::Mul,
                _ => ArithOp::Div,
            };
            let right = self.next_expr(&mut kids, span);
            let span = left.span.to(right.span);
            left = Expr { span, kind: Box::new(ExprKind::Arith { op, left, right }) };
        }
        left
    }

    fn unary(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let mut prefixes = Vec::new();
        while let Some(prefix) = kids.pick(Rule::prefix) {
            let make: fn(Expr) -> ExprKind = match prefix.as_str() {
                "some" => ExprKind::Some,
                "no" => ExprKind::No,
                "count" => ExprKind::Count,
                _ => ExprKind::Negate,
            };
            prefixes.push((self.span(&prefix), make));
        }
        let inner = self.next_expr(&mut kids, span);
        prefixes
            .into_iter()
            .rev()
            .fold(inner, |inner, (prefix, make)| Expr { span: prefix.to(inner.span), kind: Box::new(make(inner)) })
    }

    /// An expression in parentheses keeps them in its span, so that what is underlined is a whole.
    fn primary(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let kind = match Kids::of(pair).next() {
            None => ExprKind::None,
            Some(kid) => match kid.as_rule() {
                Rule::conditional => self.conditional(kid),
                Rule::those => self.those(kid),
                Rule::the_one => self.the_one(kid),
                Rule::option_ref => ExprKind::Option(self.next_name(&mut Kids::of(kid))),
                Rule::betza => ExprKind::Betza(self.next_text(&mut Kids::of(kid))),
                Rule::kind_set => self.kind_set(kid),
                Rule::geo => self.geo(kid),
                Rule::ranks => self.ranks(kid),
                Rule::files => self.files(kid),
                Rule::middle => self.middle(kid),
                Rule::edge => self.edge(kid),
                Rule::literal => self.literal(kid),
                Rule::call => self.call(kid),
                _ => *self.expr(kid).kind,
            },
        };
        Expr { span, kind: Box::new(kind) }
    }

    fn conditional(&mut self, pair: Pair<'_, Rule>) -> ExprKind {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let test = self.next_expr(&mut kids, span);
        let then = self.next_expr(&mut kids, span);
        let otherwise = self.next_expr(&mut kids, span);
        ExprKind::If { test, then, otherwise }
    }

    fn those(&mut self, pair: Pair<'_, Rule>) -> ExprKind {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let name = self.next_name(&mut kids);
        let domain = self.next_expr(&mut kids, span);
        let test = self.next_expr(&mut kids, span);
        ExprKind::Those { name, domain, test }
    }

    fn the_one(&mut self, pair: Pair<'_, Rule>) -> ExprKind {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let name = self.next_name(&mut kids);
        let domain = self.next_expr(&mut kids, span);
        let keys = kids.map(|key| self.key(key)).collect();
        ExprKind::The { name, domain, keys }
    }

    fn key(&mut self, pair: Pair<'_, Rule>) -> Option<Expr> {
        Kids::of(pair).find(|kid| kid.as_rule() == Rule::expr).map(|kid| self.expr(kid))
    }

    fn kind_set(&mut self, pair: Pair<'_, Rule>) -> ExprKind {
        let mut kids = Kids::of(pair);
        match kids.pick(Rule::kinds_with) {
            Some(with) => ExprKind::KindsWith(self.next_name(&mut Kids::of(with))),
            None => ExprKind::Kinds(self.names(&mut kids)),
        }
    }

    fn literal(&mut self, pair: Pair<'_, Rule>) -> ExprKind {
        let Some(kid) = Kids::of(pair).next() else { return ExprKind::None };
        let text = kid.as_str();
        match kid.as_rule() {
            Rule::number => ExprKind::Number(self.number(&kid)),
            Rule::square => ExprKind::Square(text.to_string()),
            Rule::rectangle => {
                let (from, to) = text.split_once("..").unwrap_or((text, text));
                ExprKind::Rectangle(from.to_string(), to.to_string())
            }
            Rule::bool_lit => ExprKind::Bool(text == "true"),
            _ => ExprKind::None,
        }
    }

    fn call(&mut self, pair: Pair<'_, Rule>) -> ExprKind {
        let mut kids = Kids::of(pair);
        let name = self.next_name(&mut kids);
        let branch = kids.pick(Rule::branch_ref).map(|branch| self.next_name(&mut Kids::of(branch)));
        let args = kids.next().map(|kid| match kid.as_rule() {
            Rule::of_arg => {
                let span = self.span(&kid);
                vec![Arg::Expr(self.next_expr(&mut Kids::of(kid), span))]
            }
            _ => self.args(kid),
        });
        ExprKind::Call { name, branch, args }
    }

    /// `(a, { … })`
    pub(super) fn args(&mut self, pair: Pair<'_, Rule>) -> Vec<Arg> {
        Kids::of(pair).filter_map(|arg| self.arg(arg)).collect()
    }

    fn arg(&mut self, pair: Pair<'_, Rule>) -> Option<Arg> {
        Kids::of(pair).next().map(|kid| match kid.as_rule() {
            Rule::block => Arg::Block(self.block(kid)),
            _ => Arg::Expr(self.expr(kid)),
        })
    }
}

fn cmp_op(pair: Pair<'_, Rule>) -> CmpOp {
    match Kids::of(pair).next().map(|kid| kid.as_rule()) {
        Some(Rule::is_not | Rule::ne_op) => CmpOp::Ne,
        Some(Rule::in_op) => CmpOp::In,
        Some(Rule::le_op) => CmpOp::Le,
        Some(Rule::ge_op) => CmpOp::Ge,
        Some(Rule::lt_op) => CmpOp::Lt,
        Some(Rule::gt_op) => CmpOp::Gt,
        _ => CmpOp::Eq,
    }
}
