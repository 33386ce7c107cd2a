//! What an action or rule reads, writes and causes.

use std::collections::BTreeSet;

use fullcourt_engine::ir::{Expr, ExprId, Rules, Stmt, StmtId};

use super::refs::{exprs_below, exprs_of, stmts_below};

/// What one action, rule or clause does.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Names of values read.
    pub reads: BTreeSet<String>,
    /// Names of values written, other than by adding to them.
    pub sets: BTreeSet<String>,
    /// Names of values added to.
    pub adds: BTreeSet<String>,
    /// Numbers of histories read.
    pub histories: BTreeSet<usize>,
    /// Numbers of options read.
    pub options: BTreeSet<usize>,
    /// Numbers of events reported.
    pub events: BTreeSet<usize>,
    /// Numbers of phases gone to.
    pub goes: BTreeSet<usize>,
    /// Numbers of spans that begin.
    pub begins: BTreeSet<usize>,
    /// Numbers of spans that end.
    pub ends: BTreeSet<usize>,
    /// Numbers of clocks ticked.
    pub ticks: BTreeSet<usize>,
    /// Whether it can decide the game.
    pub decides: bool,
}

/// The facts of statements with a guard.
pub fn facts(rules: &Rules, guard: Option<ExprId>, steps: &[StmtId]) -> Facts {
    let mut facts = Facts::default();
    if let Some(guard) = guard {
        facts.read(rules, guard);
    }
    let mut exprs = Vec::new();
    stmts_below(rules, steps, &mut |_, stmt| {
        exprs.extend(exprs_of(stmt));
        facts.does(rules, stmt);
    });
    for expr in exprs {
        facts.read(rules, expr);
    }
    facts
}

impl Facts {
    /// Adds what an expression reads.
    pub fn read(&mut self, rules: &Rules, id: ExprId) {
        let mut geometries = BTreeSet::new();
        exprs_below(rules, id, &mut |expr| match expr {
            Expr::Plane(plane) => {
                self.reads.insert(rules.planes[plane.ix()].name.clone());
            }
            Expr::Slot(slot) | Expr::SlotOf(slot, _) => {
                let name = &rules.slots[slot.ix()].name;
                if !name.is_empty() {
                    self.reads.insert(name.clone());
                }
            }
            Expr::Counter(counter, _) => {
                self.reads.insert(rules.counters[counter.ix()].name.clone());
            }
            Expr::ReserveKinds(reserve, _) | Expr::ReserveCount(reserve, _) => {
                self.reads.insert(rules.reserves[reserve.ix()].name.clone());
            }
            Expr::Seen(id) => {
                self.histories.insert(id.ix());
            }
            Expr::Option(option) => {
                self.options.insert(option.ix());
            }
            Expr::Geometry(geo, ..) => {
                geometries.insert(geo.ix());
            }
            _ => {}
        });
        for geo in geometries {
            for branch in rules.kinds.iter().filter_map(|kind| kind.geometry.get(geo)).flatten() {
                for id in branch.guard.into_iter().chain([branch.value]) {
                    // INVARIANT: geometries do not ask for themselves (checked in the model), so this ends.
                    self.read(rules, id);
                }
            }
        }
    }

    fn does(&mut self, rules: &Rules, stmt: &Stmt) {
        match stmt {
            Stmt::Mark(plane, ..) | Stmt::SetPlane(plane, _) => {
                self.sets.insert(rules.planes[plane.ix()].name.clone());
            }
            Stmt::SetSlot(slot, ..) => {
                self.sets.insert(rules.slots[slot.ix()].name.clone());
            }
            Stmt::AddSlot(slot, ..) => {
                self.adds.insert(rules.slots[slot.ix()].name.clone());
            }
            Stmt::SetCounter(counter, ..) => {
                self.sets.insert(rules.counters[counter.ix()].name.clone());
            }
            Stmt::Reserve(reserve, ..) => {
                self.adds.insert(rules.reserves[reserve.ix()].name.clone());
            }
            Stmt::Tick(clock) => {
                self.ticks.insert(clock.ix());
            }
            Stmt::Report(event, _) => {
                self.events.insert(event.ix());
            }
            Stmt::Begin(span, _) => {
                self.begins.insert(span.ix());
            }
            Stmt::End(span) => {
                self.ends.insert(span.ix());
            }
            Stmt::Go(phase) => {
                self.goes.insert(phase.ix());
            }
            Stmt::Win(_) | Stmt::Award(_) | Stmt::Draw => self.decides = true,
            _ => {}
        }
    }
}

/// The spans that end with one: itself and those within it.
pub fn spans_within(rules: &Rules, span: usize) -> BTreeSet<usize> {
    let within = |mut at: usize| {
        for _ in 0..=rules.spans.len() {
            if at == span {
                return true;
            }
            match rules.spans[at].parent {
                Some(parent) => at = parent.ix(),
                None => return false,
            }
        }
        false
    };
    (0..rules.spans.len()).filter(|&at| within(at)).collect()
}
