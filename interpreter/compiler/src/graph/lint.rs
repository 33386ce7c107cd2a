//! What only the whole shows: rules that never fire, phases that cannot be left, values written twice, and the like.

use std::collections::BTreeSet;

use fullcourt_engine::ir::{Cmp, Expr, ExprId, OptionDomain, RuleDef, Rules, Stmt, TriggerKind};

use super::RuleGraph;
use super::facts::{Facts, facts, spans_within};
use super::overlap::may_coincide;
use super::refs::exprs_written;
use crate::diagnostics::{Problem, Problems};
use crate::model::Model;

/// Finds what is wrong with a ruleset as a whole.
pub fn lint(model: &Model, graph: &RuleGraph, problems: &mut Problems) {
    let lint = Lint::new(model, graph);
    lint.options(problems);
    lint.clocks(problems);
    let (reach, phases) = lint.game();
    lint.phases(&phases, problems);
    lint.never(&reach, &phases, problems);
    lint.laws(&phases, problems);
    lint.coincide(problems);
    lint.double_writes(problems);
    lint.endless(problems);
}

/// How many pairs of actions are reported before the rest is left out.
const MOST_PAIRS: usize = 50;

struct Lint<'a> {
    model: &'a Model,
    rules: &'a Rules,
    graph: &'a RuleGraph,
    actions: Vec<Facts>,
    reactions: Vec<Facts>,
}

/// What was reached from some place.
#[derive(Default)]
struct Reach {
    events: BTreeSet<usize>,
    clocks: BTreeSet<usize>,
    begins: BTreeSet<usize>,
    ends: BTreeSet<usize>,
    goes: BTreeSet<usize>,
    rules: BTreeSet<usize>,
    decides: bool,
}

impl<'a> Lint<'a> {
    fn new(model: &'a Model, graph: &'a RuleGraph) -> Lint<'a> {
        let rules = &model.rules;
        Lint {
            model,
            rules,
            graph,
            actions: rules.actions.iter().map(|action| facts(rules, None, &action.steps)).collect(),
            reactions: rules.rules.iter().map(|rule| facts(rules, rule.guard, &rule.steps)).collect(),
        }
    }

    fn options(&self, problems: &mut Problems) {
        let mut read: BTreeSet<usize> = BTreeSet::new();
        let mut more = Facts::default();
        for zone in &self.rules.zones {
            more.read(self.rules, zone.value);
        }
        for id in self.rules.clocks.iter().filter_map(|clock| clock.runs) {
            more.read(self.rules, id);
        }
        for slot in &self.rules.slots {
            more.read(self.rules, slot.init);
        }
        for id in self.rules.latches.iter().map(|latch| latch.when) {
            more.read(self.rules, id);
        }
        let laws = self.rules.laws.iter().map(|law| law.test);
        laws.chain(self.rules.invariants.iter().map(|def| def.test)).for_each(|id| more.read(self.rules, id));
        let mut written = Vec::new();
        for def in &self.rules.notations {
            exprs_written(&def.steps, &mut written);
            exprs_written(&def.after, &mut written);
        }
        self.rules.records.iter().for_each(|def| exprs_written(&def.head, &mut written));
        written.into_iter().for_each(|id| more.read(self.rules, id));
        for show in &self.rules.shows {
            show.guard.into_iter().chain([show.value]).for_each(|id| more.read(self.rules, id));
        }
        let tallies: Vec<Facts> =
            self.rules.tallies.iter().map(|tally| facts(self.rules, tally.guard, &tally.steps)).collect();
        let all = self.actions.iter().chain(&self.reactions).chain(&tallies).chain([&more]);
        all.for_each(|facts| read.extend(&facts.options));
        for (index, option) in self.rules.options.iter().enumerate() {
            if !read.contains(&index) {
                let message = format!("nothing asks for the option `{}`: it changes nothing", option.name);
                let problem = Problem::error("option-unread", self.model.option_spans[index], message);
                problems.push(problem.help("use it in a rule, or take it away"));
            }
        }
    }

    fn clocks(&self, problems: &mut Problems) {
        let all = self.actions.iter().chain(&self.reactions);
        let ticked: BTreeSet<usize> = all.flat_map(|facts| facts.ticks.iter().copied()).collect();
        for (index, clock) in self.rules.clocks.iter().enumerate() {
            if !ticked.contains(&index) {
                let message = format!("nothing ticks the clock `{}`: it never runs out", clock.name);
                let problem = Problem::error("clock-unticked", self.model.clock_spans[index], message);
                problems.push(problem.help(format!("write `tick {}` into the actions that it counts", clock.name)));
            }
        }
    }

    /// What follows from facts: events start rules, spans that end or begin too, and so on.
    fn reach<'s>(&'s self, from: impl Iterator<Item = &'s Facts>) -> Reach {
        let mut reach = Reach::default();
        let mut todo: Vec<&Facts> = from.collect();
        while let Some(facts) = todo.pop() {
            reach.events.extend(&facts.events);
            reach.clocks.extend(&facts.ticks);
            reach.begins.extend(&facts.begins);
            for &span in &facts.ends {
                reach.ends.extend(spans_within(self.rules, span));
            }
            for &phase in &facts.goes {
                // A phase begins its span, and those around it, when they are not open.
                let mut span = self.rules.phases[phase].span;
                while let Some(at) = span {
                    reach.begins.insert(at.ix());
                    span = self.rules.spans[at.ix()].parent;
                }
            }
            reach.goes.extend(&facts.goes);
            reach.decides |= facts.decides;
            if facts.decides {
                reach.ends.extend(0..self.rules.spans.len());
            }
            for (index, rule) in self.rules.rules.iter().enumerate() {
                if !reach.rules.contains(&index) && rule.triggers.iter().any(|trigger| self.starts(&reach, trigger)) {
                    reach.rules.insert(index);
                    // Seen again: what was reached may start rules that were looked at before.
                    todo.push(&self.reactions[index]);
                }
            }
        }
        reach
    }

    fn starts(&self, reach: &Reach, trigger: &TriggerKind) -> bool {
        match trigger {
            TriggerKind::AtOnce => true,
            TriggerKind::Event(event, _) => reach.events.contains(&event.ix()),
            TriggerKind::RunsOut(clock) => reach.clocks.contains(&clock.ix()),
            TriggerKind::Begins(span) => reach.begins.contains(&span.ix()),
            TriggerKind::Ends(span) => reach.ends.contains(&span.ix()),
            TriggerKind::Stuck(phase) | TriggerKind::Opens(phase) => reach.goes.contains(&phase.ix()),
            TriggerKind::Counted(slot) => {
                let count = self.rules.counts.iter().find(|count| count.slot == *slot);
                count.is_some_and(|count| reach.ends.contains(&count.of.ix()))
            }
        }
    }

    fn in_phase(&self, phase: usize) -> impl Iterator<Item = usize> + '_ {
        let offered = move |action: &fullcourt_engine::ir::ActionDef| action.phases.iter().any(|p| p.ix() == phase);
        self.rules.actions.iter().enumerate().filter(move |(_, action)| offered(action)).map(|(index, _)| index)
    }

    /// Everything that can happen once a game has begun, and the phases that are reached.
    fn game(&self) -> (Reach, BTreeSet<usize>) {
        let begin = Facts { begins: BTreeSet::from([0]), ..Facts::default() };
        let mut phases: BTreeSet<usize> = BTreeSet::new();
        let mut all: Vec<&Facts> = vec![&begin];
        loop {
            let reach = self.reach(all.iter().copied());
            let new: Vec<usize> = reach.goes.difference(&phases).copied().collect();
            if new.is_empty() {
                return (reach, phases);
            }
            for phase in new {
                phases.insert(phase);
                all.extend(self.in_phase(phase).map(|action| &self.actions[action]));
            }
        }
    }

    fn phases(&self, reached: &BTreeSet<usize>, problems: &mut Problems) {
        for (index, phase) in self.rules.phases.iter().enumerate() {
            let span = self.model.phase_spans[index];
            if !reached.contains(&index) {
                let message = format!("nothing leads to the phase `{}`", phase.name);
                problems.push(Problem::error("phase-unreached", span, message).help("write `go` to it somewhere"));
                continue;
            }
            let stuck = TriggerKind::Stuck(fullcourt_engine::ir::PhaseId(u32::try_from(index).unwrap_or(0)));
            let rules = self.rules.rules.iter().zip(&self.reactions);
            let opens = TriggerKind::Opens(fullcourt_engine::ir::PhaseId(u32::try_from(index).unwrap_or(0)));
            let leads = |rule: &RuleDef| rule.triggers.contains(&stuck) || rule.triggers.contains(&opens);
            let stuck = rules.filter(|(rule, _)| leads(rule)).map(|(_, facts)| facts);
            let out = self.in_phase(index).map(|action| &self.actions[action]).chain(stuck);
            let reach = self.reach(out);
            if !reach.decides && reach.goes.iter().all(|&other| other == index) {
                let message = format!("the phase `{}` cannot be left", phase.name);
                let help = "let an action of it `go` to another phase, or decide the game";
                problems.push(Problem::error("phase-stays", span, message).help(help));
            }
        }
    }

    fn never(&self, reach: &Reach, phases: &BTreeSet<usize>, problems: &mut Problems) {
        for (index, rule) in self.rules.rules.iter().enumerate() {
            let span = self.model.rule_infos[index].name;
            let unticked = |t: &TriggerKind| matches!(t, TriggerKind::RunsOut(_));
            if !rule.triggers.iter().any(|trigger| self.starts(reach, trigger)) && !rule.triggers.iter().all(unticked) {
                let message = format!("the rule `{}` never fires: nothing starts it", rule.name);
                problems.push(Problem::error("never-fires", span, message));
            } else if rule.guard.is_some_and(|guard| self.truth(guard) == Some(false)) {
                let message =
                    format!("the rule `{}` never fires: its condition holds for no value of the options", rule.name);
                problems.push(Problem::error("never-fires", span, message));
            }
        }
        for (index, action) in self.rules.actions.iter().enumerate() {
            let reached = action.phases.is_empty() || action.phases.iter().any(|phase| phases.contains(&phase.ix()));
            if !reached {
                continue; // The phase is reported.
            }
            let shut = action.steps[..action.gate].iter().find(|&&step| match self.rules.stmt(step) {
                Stmt::Need(test, ..) => self.truth(*test) == Some(false),
                Stmt::Choose(choice) => choice.parts.iter().any(|(part, _)| self.empty(*part)),
                _ => false,
            });
            if let Some(step) = shut {
                let message = format!("the action `{}` is never legal: a condition of it never holds", action.name);
                let origin = self.rules.stmt_origins[step.ix()];
                let problem = Problem::error("never-fires", self.model.actions[index].name, message);
                problems.push(problem.label(crate::model::span_of(origin), "this one"));
            }
        }
    }

    /// Laws of phases that nothing reaches, laws that always hold, and histories that nobody asks.
    fn laws(&self, phases: &BTreeSet<usize>, problems: &mut Problems) {
        for (law, &span) in self.rules.laws.iter().zip(&self.model.law_spans) {
            let what = match self.truth(law.test) {
                Some(true) => "it always holds",
                Some(false) => "no action could keep it",
                None if !law.phases.iter().any(|phase| phases.contains(&phase.ix())) => "nothing leads to its phases",
                None => continue,
            };
            problems.push(Problem::error("never-fires", span, format!("the law `{}` says nothing: {what}", law.name)));
        }
        let laws = self.rules.laws.iter().map(|law| facts(self.rules, Some(law.test), &[]));
        let mut asked: BTreeSet<usize> = laws.flat_map(|facts| facts.histories).collect();
        asked.extend(self.actions.iter().chain(&self.reactions).flat_map(|facts| facts.histories.iter().copied()));
        for (index, history) in self.rules.histories.iter().enumerate() {
            if !asked.contains(&index) {
                let message = format!("nothing asks for the history `{}`", history.name);
                let problem = Problem::error("never-fires", crate::model::span_of(history.origin), message);
                problems.push(problem.help("compare it with a number in a rule, a `need` or a law"));
            }
        }
    }

    fn empty(&self, set: ExprId) -> bool {
        matches!(self.rules.expr(set), Expr::Places(words) if words.iter().all(|&word| word == 0))
    }

    /// Whether a test holds for all values of the options, or for none.
    fn truth(&self, test: ExprId) -> Option<bool> {
        match self.rules.expr(test) {
            Expr::Const(value) => Some(*value == 1),
            Expr::Not(a) => self.truth(*a).map(|a| !a),
            Expr::And(a, b) => match (self.truth(*a), self.truth(*b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Expr::Or(a, b) => match (self.truth(*a), self.truth(*b)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            Expr::Some(set) if self.empty(*set) => Some(false),
            Expr::Cmp(cmp, a, b) => {
                let ((al, ah), (bl, bh)) = self.bounds(*a).zip(self.bounds(*b))?;
                match cmp {
                    Cmp::Eq if ah < bl || bh < al => Some(false),
                    Cmp::Ne if ah < bl || bh < al => Some(true),
                    Cmp::Lt if ah < bl => Some(true),
                    Cmp::Lt if al >= bh => Some(false),
                    Cmp::Le if ah <= bl => Some(true),
                    Cmp::Le if al > bh => Some(false),
                    Cmp::Gt if al > bh => Some(true),
                    Cmp::Gt if ah <= bl => Some(false),
                    Cmp::Ge if al >= bh => Some(true),
                    Cmp::Ge if ah < bl => Some(false),
                    Cmp::Eq if (al, ah) == (bl, bh) && al == ah => Some(true),
                    Cmp::Ne if (al, ah) == (bl, bh) && al == ah => Some(false),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn bounds(&self, id: ExprId) -> Option<(i64, i64)> {
        match self.rules.expr(id) {
            Expr::Const(value) => Some((i64::from(*value), i64::from(*value))),
            Expr::Option(option) => match &self.rules.options[option.ix()].domain {
                OptionDomain::Range(range) => Some((i64::from(range.low), i64::from(range.high))),
                OptionDomain::Words(words) => Some((0, i64::try_from(words.len()).ok()? - 1)),
                OptionDomain::RangeOr(range, _) => Some((i64::from(range.low), i64::from(i32::MAX))),
            },
            Expr::Slot(slot) | Expr::SlotOf(slot, _) => match self.rules.slots[slot.ix()].ty {
                fullcourt_engine::ir::SlotTy::Number(range) => Some((i64::from(range.low), i64::from(range.high))),
                _ => None,
            },
            Expr::Count(_) | Expr::ReserveCount(..) => Some((0, i64::from(i32::MAX))),
            _ => None,
        }
    }

    fn coincide(&self, problems: &mut Problems) {
        let mut pairs = 0;
        for phase in 0..self.rules.phases.len() {
            let here: Vec<usize> = self.in_phase(phase).collect();
            for (at, &first) in here.iter().enumerate() {
                for &second in &here[at + 1..] {
                    let (a, b) = (&self.rules.actions[first], &self.rules.actions[second]);
                    if a.otherwise || b.otherwise || !may_coincide(self.rules, a, b) {
                        continue;
                    }
                    let message = format!("`{}` and `{}` can be the same action, written alike", a.name, b.name);
                    let help = "write `otherwise` before the one that counts only if the other is impossible, or make their conditions exclude each other";
                    let problem = Problem::error("same-action", self.model.actions[second].name, message);
                    problems.push(problem.label(self.model.actions[first].name, "the other one").help(help));
                    pairs += 1;
                    if pairs == MOST_PAIRS {
                        return;
                    }
                }
            }
        }
    }

    /// Whether the order of two rules is said.
    fn ordered(&self, a: usize, b: usize) -> bool {
        let name = |index: usize| super::Node::Rule(self.rules.rules[index].name.clone());
        let find = |node: super::Node| self.graph.graph.node_indices().find(|&index| self.graph.graph[index] == node);
        let (Some(from), Some(to)) = (find(name(a)), find(name(b))) else {
            return false;
        };
        let before = petgraph::visit::EdgeFiltered::from_fn(&self.graph.graph, |edge| {
            *petgraph::visit::EdgeRef::weight(&edge) == super::Tie::Before
        });
        petgraph::algo::has_path_connecting(&before, from, to, None)
            || petgraph::algo::has_path_connecting(&before, to, from, None)
    }

    fn double_writes(&self, problems: &mut Problems) {
        let same = |a: &TriggerKind, b: &TriggerKind| match (a, b) {
            (TriggerKind::Event(x, _), TriggerKind::Event(y, _)) => x == y,
            (a, b) => a == b,
        };
        for (first, a) in self.rules.rules.iter().enumerate() {
            for (second, b) in self.rules.rules.iter().enumerate().skip(first + 1) {
                if !a.triggers.iter().any(|x| b.triggers.iter().any(|y| same(x, y))) {
                    continue;
                }
                let (x, y) = (&self.reactions[first], &self.reactions[second]);
                let clash = x.sets.iter().find(|name| y.sets.contains(*name) || y.adds.contains(*name));
                let clash = clash.or_else(|| x.adds.iter().find(|name| y.sets.contains(*name))).cloned();
                let both = |what: &str, holds: bool| holds.then(|| what.to_owned());
                let clash = clash
                    .or_else(|| both("the result", x.decides && y.decides))
                    .or_else(|| both("the next phase", !x.goes.is_empty() && !y.goes.is_empty()));
                let Some(clash) = clash.filter(|_| !self.ordered(first, second)) else {
                    continue;
                };
                let message =
                    format!("`{}` and `{}` both write {clash} at the same event, in no order", a.name, b.name);
                let help = format!(
                    "say which comes first: `rule {0} after {1} when …`, or `rule {0} before {1} when …`",
                    b.name, a.name
                );
                let problem = Problem::error("double-write", self.model.rule_infos[second].name, message);
                problems.push(problem.label(self.model.rule_infos[first].name, "the other one").help(help));
            }
        }
    }

    /// A rule whose own events, or those of the rules they start, start it again.
    fn endless(&self, problems: &mut Problems) {
        for (index, rule) in self.rules.rules.iter().enumerate() {
            let events = &self.reactions[index].events;
            let mut seen: BTreeSet<usize> = BTreeSet::new();
            let mut todo: Vec<usize> = events.iter().copied().collect();
            let mut again = false;
            while let Some(event) = todo.pop() {
                for (other, reaction) in self.rules.rules.iter().enumerate() {
                    let started =
                        reaction.triggers.iter().any(|t| matches!(t, TriggerKind::Event(e, _) if e.ix() == event));
                    if started && other == index {
                        again = true;
                    }
                    if started && seen.insert(other) {
                        todo.extend(&self.reactions[other].events);
                    }
                }
            }
            if again {
                let message = format!("the rule `{}` starts itself again by what it reports", rule.name);
                problems.push(Problem::error("endless-reaction", self.model.rule_infos[index].name, message));
            }
        }
    }
}
