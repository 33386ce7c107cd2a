//! The last stage: rules in their order, actions of phases in their rank, and the program.
//!
//! In: a model and its graph. Out: what the walker walks, and, for option values, the operations that the machine runs.

mod conditions;
mod effects;
mod emit;
mod paths;
mod program;
mod shapes;
mod values;

use std::sync::Arc;

use fullcourt_engine::game::Game;
use fullcourt_engine::hostcall::HostCall;
use fullcourt_engine::ir::Rules;
use fullcourt_engine::program::Program;

use crate::graph::RuleGraph;
use crate::model::Model;

pub use program::{program, program_with};
pub use shapes::{Shape, Shapes};

/// The program of rules with these options; `None` when the walker must do.
#[must_use]
pub fn program_of(rules: &Arc<Rules>, options: &[i32], host: &Arc<dyn HostCall>) -> Option<Arc<Program>> {
    program_of_with(rules, options, host, Shapes::default())
}

/// The same with these shapes alone.
#[must_use]
pub fn program_of_with(
    rules: &Arc<Rules>,
    options: &[i32],
    host: &Arc<dyn HostCall>,
    shapes: Shapes,
) -> Option<Arc<Program>> {
    let game = Game::<8>::new(rules.clone(), options.to_vec(), host.clone()).ok()?;
    program_with(&game, shapes).map(Arc::new)
}

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
