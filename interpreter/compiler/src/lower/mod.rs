//! The last stage of today: rules in their order, actions of phases in their rank.
//!
//! In: a model and its graph. Out: what the engine walks. Later, known shapes become single operations here.

mod conditions;
mod effects;
mod emit;
mod pins;
mod program;
mod reach;
mod shapes;
mod values;

use fullcourt_engine::ir::Rules;

use crate::graph::RuleGraph;
use crate::model::Model;

pub use program::program;

/// The rules as the engine runs them.
pub fn lower(model: Model, graph: &RuleGraph) -> Rules {
    let mut rules = model.rules;
    rules.rules = graph.order.iter().filter_map(|&index| rules.rules.get(index).cloned()).collect();
    for (index, phase) in rules.phases.iter_mut().enumerate() {
        let offered =
            |&(_, action): &(usize, &fullcourt_engine::ir::ActionDef)| action.phases.iter().any(|p| p.ix() == index);
        let mut actions: Vec<usize> =
            rules.actions.iter().enumerate().filter(offered).map(|(action, _)| action).collect();
        // `otherwise` counts only when nothing above is possible: such actions come last.
        actions.sort_by_key(|&action| rules.actions[action].otherwise);
        phase.actions = actions;
    }
    rules
}
