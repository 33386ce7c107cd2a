//! Paths, ranks and files.
//!
//! In: pairs of the geometric rules. Out: expressions.

use super::ast::{Dirs, Expr, ExprKind, Leg, LegKind};
use super::rules::Rule;
use super::tree::{Kids, Reader};
use pest::iterators::Pair;

impl Reader<'_> {
    /// `step any then turning slide any through S from X`
    pub(super) fn geo(&mut self, pair: Pair<'_, Rule>) -> ExprKind {
        let mut legs = Vec::new();
        let mut turning = false;
        let (mut through, mut from) = (None, None);
        for kid in Kids::of(pair) {
            match kid.as_rule() {
                Rule::geo_leg => {
                    legs.push(self.geo_leg(kid, turning));
                    turning = false;
                }
                Rule::geo_then => turning = Kids::of(kid).has(Rule::geo_turning),
                Rule::geo_through => through = Some(self.geo_operand(kid)),
                _ => from = Some(self.geo_operand(kid)),
            }
        }
        ExprKind::Geo { legs, through, from }
    }

    /// What stands after `through` or `from`.
    fn geo_operand(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        self.next_expr(&mut Kids::of(pair), span)
    }

    fn geo_leg(&mut self, pair: Pair<'_, Rule>, turning: bool) -> Leg {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let kind = match kids.next() {
            Some(kid) if kid.as_rule() == Rule::geo_leap => self.geo_leap(kid),
            Some(kid) => self.geo_step(kid),
            None => LegKind::Leap(0, 0),
        };
        Leg { span, kind, turning }
    }

    fn geo_leap(&mut self, pair: Pair<'_, Rule>) -> LegKind {
        let mut kids = Kids::of(pair);
        let across = self.next_number(&mut kids);
        LegKind::Leap(across, self.next_number(&mut kids))
    }

    fn geo_step(&mut self, pair: Pair<'_, Rule>) -> LegKind {
        let mut kids = Kids::of(pair);
        let verb = self.next_name(&mut kids).text;
        let dirs = geo_dirs(&self.next_name(&mut kids).text);
        let (mut min, mut max) = (1, (verb == "step").then_some(1));
        if let Some(limit) = kids.pick(Rule::geo_limit) {
            let mut parts = Kids::of(limit);
            let exactly = parts.next().is_some_and(|kind| kind.as_rule() == Rule::geo_exactly);
            let number = self.next_number(&mut parts);
            min = if exactly { number } else { 1 };
            max = Some(number);
        }
        LegKind::Steps { dirs, min, max, free: verb == "ray" }
    }

    /// `ranks a..b`, `rank a`
    pub(super) fn ranks(&mut self, pair: Pair<'_, Rule>) -> ExprKind {
        let (low, high) = self.lines(pair);
        ExprKind::Ranks(low, high)
    }

    /// `files a..b`, `file a`
    pub(super) fn files(&mut self, pair: Pair<'_, Rule>) -> ExprKind {
        let (low, high) = self.lines(pair);
        ExprKind::Files(low, high)
    }

    fn lines(&mut self, pair: Pair<'_, Rule>) -> (Expr, Expr) {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let low = self.next_expr(&mut kids, span);
        let high = match kids.next() {
            Some(kid) => self.expr(kid),
            None => low.clone(),
        };
        (low, high)
    }

    /// `middle 2 files`
    pub(super) fn middle(&mut self, pair: Pair<'_, Rule>) -> ExprKind {
        let mut kids = Kids::of(pair);
        let count = self.next_number(&mut kids);
        ExprKind::Middle { count, files: self.next_name(&mut kids).text.starts_with("file") }
    }

    /// `edge files`
    pub(super) fn edge(&mut self, pair: Pair<'_, Rule>) -> ExprKind {
        ExprKind::Edge { files: self.next_name(&mut Kids::of(pair)).text.starts_with("file") }
    }
}

fn geo_dirs(word: &str) -> Dirs {
    match word {
        "straight" => Dirs::Straight,
        "diagonal" => Dirs::Diagonal,
        "forward" => Dirs::Forward,
        "back" => Dirs::Back,
        "sideways" => Dirs::Sideways,
        "ahead" => Dirs::Ahead,
        "askew" => Dirs::Askew,
        _ => Dirs::Any,
    }
}
