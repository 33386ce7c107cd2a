//! Builds the graph and finds the order of the rules.

use std::collections::BTreeSet;

use fullcourt_engine::ir::{Rules, TriggerKind};
use indexmap::IndexMap;
use petgraph::graph::{DiGraph, NodeIndex};

use super::facts::{Facts, facts};
use super::{Node, RuleGraph, Tie};
use crate::diagnostics::{Problem, Problems, nearest};
use crate::model::Model;

struct Builder<'a> {
    rules: &'a Rules,
    graph: DiGraph<Node, Tie>,
    nodes: IndexMap<Node, NodeIndex>,
}

/// The graph of a model.
pub fn build(model: &Model, problems: &mut Problems) -> RuleGraph {
    let rules = &model.rules;
    let mut builder = Builder { rules, graph: DiGraph::new(), nodes: IndexMap::new() };
    for phase in &rules.phases {
        builder.node(Node::Phase(phase.name.clone()));
    }
    for action in &rules.actions {
        let node = builder.node(Node::Action(action.name.clone()));
        for phase in &action.phases {
            let phase = builder.node(Node::Phase(rules.phases[phase.ix()].name.clone()));
            builder.tie(phase, node, Tie::Offers);
        }
        builder.effects(node, &facts(rules, None, &action.steps));
    }
    for rule in &rules.rules {
        let node = builder.node(Node::Rule(rule.name.clone()));
        for trigger in &rule.triggers {
            builder.trigger(trigger, node);
        }
        builder.effects(node, &facts(rules, rule.guard, &rule.steps));
    }
    for history in &rules.histories {
        let node = builder.node(Node::History(history.name.clone()));
        let phase = builder.node(Node::Phase(rules.phases[history.phase.ix()].name.clone()));
        builder.tie(phase, node, Tie::Sees);
    }
    for law in &rules.laws {
        let node = builder.node(Node::Law(law.name.clone()));
        for phase in &law.phases {
            let phase = builder.node(Node::Phase(rules.phases[phase.ix()].name.clone()));
            builder.tie(phase, node, Tie::Binds);
        }
        builder.effects(node, &facts(rules, Some(law.test), &[]));
    }
    let order = order(model, &mut builder, problems);
    RuleGraph { graph: builder.graph, order }
}

impl Builder<'_> {
    fn node(&mut self, node: Node) -> NodeIndex {
        if let Some(&index) = self.nodes.get(&node) {
            return index;
        }
        let index = self.graph.add_node(node.clone());
        self.nodes.insert(node, index);
        index
    }

    fn tie(&mut self, from: NodeIndex, to: NodeIndex, tie: Tie) {
        if !self.graph.edges_connecting(from, to).any(|edge| *edge.weight() == tie) {
            self.graph.add_edge(from, to, tie);
        }
    }

    fn trigger(&mut self, trigger: &TriggerKind, rule: NodeIndex) {
        let from = match trigger {
            TriggerKind::AtOnce => return,
            TriggerKind::Event(event, _) => Node::Event(self.rules.events[event.ix()].name.clone()),
            TriggerKind::RunsOut(clock) => Node::Clock(self.rules.clocks[clock.ix()].name.clone()),
            TriggerKind::Begins(span) | TriggerKind::Ends(span) => Node::Span(self.rules.spans[span.ix()].name.clone()),
            TriggerKind::Stuck(phase) | TriggerKind::Opens(phase) => {
                Node::Phase(self.rules.phases[phase.ix()].name.clone())
            }
            TriggerKind::Counted(slot) => Node::Value(self.rules.slots[slot.ix()].name.clone()),
        };
        let from = self.node(from);
        self.tie(from, rule, Tie::Starts);
    }

    fn effects(&mut self, from: NodeIndex, facts: &Facts) {
        let rules = self.rules;
        let mut all: Vec<(Node, Tie)> = Vec::new();
        all.extend(facts.reads.iter().map(|name| (Node::Value(name.clone()), Tie::Reads)));
        let history = |h: &usize| (Node::History(rules.histories[*h].name.clone()), Tie::Reads);
        all.extend(facts.histories.iter().filter(|h| **h < rules.histories.len()).map(history));
        let writes: BTreeSet<&String> = facts.sets.iter().chain(&facts.adds).collect();
        all.extend(writes.into_iter().map(|name| (Node::Value(name.clone()), Tie::Writes)));
        all.extend(facts.options.iter().map(|&o| (Node::Option(rules.options[o].name.clone()), Tie::Reads)));
        all.extend(facts.events.iter().map(|&e| (Node::Event(rules.events[e].name.clone()), Tie::Reports)));
        all.extend(facts.goes.iter().map(|&p| (Node::Phase(rules.phases[p].name.clone()), Tie::Goes)));
        all.extend(facts.begins.iter().map(|&s| (Node::Span(rules.spans[s].name.clone()), Tie::Begins)));
        all.extend(facts.ends.iter().map(|&s| (Node::Span(rules.spans[s].name.clone()), Tie::Ends)));
        all.extend(facts.ticks.iter().map(|&c| (Node::Clock(rules.clocks[c].name.clone()), Tie::Ticks)));
        all.extend(facts.decides.then_some((Node::Result, Tie::Decides)));
        for (node, tie) in all {
            let to = self.node(node);
            self.tie(from, to, tie);
        }
    }
}

/// The order of the rules: as written, but for what `after` and `before` say.
fn order(model: &Model, builder: &mut Builder<'_>, problems: &mut Problems) -> Vec<usize> {
    let rules = &model.rules.rules;
    let mut earlier: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); rules.len()];
    for (index, info) in model.rule_infos.iter().enumerate() {
        let sides = info.after.iter().map(|name| (name, true)).chain(info.before.iter().map(|name| (name, false)));
        for ((name, span), is_after) in sides {
            let Some(other) = rules.iter().position(|rule| rule.name == *name) else {
                let near = nearest(name, rules.iter().map(|rule| rule.name.as_str()));
                let near = near.map(|near| format!("did you mean `{near}`?"));
                problems
                    .push(Problem::error("unknown-name", *span, format!("there is no rule `{name}`")).help_maybe(near));
                continue;
            };
            let (first, second) = if is_after { (other, index) } else { (index, other) };
            earlier[second].insert(first);
            let from = builder.node(Node::Rule(rules[first].name.clone()));
            let to = builder.node(Node::Rule(rules[second].name.clone()));
            builder.tie(from, to, Tie::Before);
        }
    }
    let mut order = Vec::with_capacity(rules.len());
    while order.len() < rules.len() {
        let ready =
            (0..rules.len()).find(|index| !order.contains(index) && earlier[*index].iter().all(|e| order.contains(e)));
        let Some(next) = ready else {
            if let Some(stuck) = (0..rules.len()).find(|index| !order.contains(index)) {
                let message = format!("`{}` would have to run before itself", rules[stuck].name);
                problems.push(Problem::error("circular", model.rule_infos[stuck].name, message));
            }
            break;
        };
        order.push(next);
    }
    order
}
