//! A program bound to a game: its tables, and the memory in which it runs.

use std::collections::HashMap;
use std::mem::Discriminant;
use std::sync::Arc;

use super::Program;
use super::memo::Memo;
use super::op::{Op, Reg};
use super::play::Group;
use super::tables::PathTable;
use crate::bits::Bits;
use crate::game::Game;
use crate::history::History;
use crate::ir::{HistoryId, Local, SpanId, TriggerKind};
use crate::position::Position;

/// The most spans a program can keep apart.
pub const MAX_SPANS: usize = 64;
/// How many positions an action may keep while its aims are looked for.
pub const SAVED: usize = 6;

/// A rule that something starts.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    /// Its place among the rules of the program.
    pub rule: usize,
    /// Where each value of an event goes.
    pub values: Vec<Reg>,
}

/// What a span has.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpanTable {
    /// The spans that end with it, itself included.
    pub within: u64,
    pub depth: usize,
    pub planes: Vec<u8>,
    pub begins: Vec<Start>,
    pub ends: Vec<Start>,
}

/// A program bound to a game.
pub struct Machine<const N: usize> {
    /// The game.
    pub game: Arc<Game<N>>,
    /// The program.
    pub program: Arc<Program>,
    /// How many planes and slots positions use.
    pub(crate) planes: usize,
    pub(crate) slots: usize,
    pub(crate) sets: Vec<Bits<N>>,
    pub(crate) paths: Vec<PathTable<N>>,
    pub(crate) spans: Vec<SpanTable>,
    /// Spans, those that end first before the others.
    pub(crate) innermost: Vec<usize>,
    pub(crate) events: Vec<Vec<Start>>,
    pub(crate) clocks: Vec<Vec<Start>>,
    pub(crate) counted: Vec<Vec<Start>>,
    pub(crate) stuck: Vec<Vec<Start>>,
    pub(crate) opens: Vec<Vec<Start>>,
    pub(crate) at_once: Vec<Start>,
    /// Whether the rules for a phase in which nothing is legal can only decide the game.
    pub(crate) can_wait: Vec<bool>,
    pub(crate) sees: Vec<Vec<HistoryId>>,
}

impl<const N: usize> Machine<N> {
    /// Binds a program to the game for which it was lowered.
    #[must_use]
    pub fn new(game: Arc<Game<N>>, program: Arc<Program>) -> Machine<N> {
        let rules = &game.rules;
        let starts = |wanted: &dyn Fn(&TriggerKind) -> Option<Vec<Local>>| -> Vec<Start> {
            let mut out = Vec::new();
            for (index, code) in program.rules.iter().enumerate() {
                let Some(locals) = code.triggers.iter().find_map(wanted) else { continue };
                let place = |local: &Local| code.binders.iter().find(|(known, _)| known == local).map(|(_, reg)| *reg);
                out.push(Start { rule: index, values: locals.iter().filter_map(place).collect() });
            }
            out
        };
        let plain = |kind: TriggerKind| starts(&|trigger| (*trigger == kind).then(Vec::new));
        let parent = |span: usize| rules.spans[span].parent.map(SpanId::ix);
        let chain = |span: usize| std::iter::successors(Some(span), |&at| parent(at));
        let spans: Vec<SpanTable> = (0..rules.spans.len())
            .map(|span| {
                let id = SpanId(u32::try_from(span).unwrap_or(0));
                SpanTable {
                    within: (0..rules.spans.len())
                        .filter(|&inner| chain(inner).any(|at| at == span))
                        .fold(0, |mask, inner| {
                            mask | 1u64.checked_shl(u32::try_from(inner).unwrap_or(64)).unwrap_or(0)
                        }),
                    depth: chain(span).count() - 1,
                    planes: (0u8..)
                        .zip(&rules.planes)
                        .filter(|(_, def)| def.span == Some(id))
                        .map(|(plane, _)| plane)
                        .collect(),
                    begins: plain(TriggerKind::Begins(id)),
                    ends: plain(TriggerKind::Ends(id)),
                }
            })
            .collect();
        let mut innermost: Vec<usize> = (0..spans.len()).collect();
        innermost.sort_by_key(|&span| std::cmp::Reverse((spans[span].depth, span)));
        let phases = 0..u32::try_from(rules.phases.len()).unwrap_or(0);
        let sees = phases.clone().map(|phase| {
            let histories = (0u32..).zip(&rules.histories).filter(|(_, def)| def.phase.0 == phase);
            histories.map(|(number, _)| HistoryId(number)).collect()
        });
        let stuck: Vec<Vec<Start>> =
            phases.clone().map(|phase| plain(TriggerKind::Stuck(crate::ir::PhaseId(phase)))).collect();
        let only_decide = |starts: &Vec<Start>| starts.iter().all(|start| program.rules[start.rule].decides);
        let table = |legs| match program.without.path_tables {
            true => PathTable::walked(legs),
            false => PathTable::new(&rules.board, legs),
        };
        Machine {
            planes: rules.planes.len(),
            slots: rules.slots.len(),
            can_wait: stuck.iter().map(|starts| !program.without.judging_later && only_decide(starts)).collect(),
            sets: program.sets.iter().map(Bits::narrow).collect(),
            paths: program.paths.iter().map(|legs| table(legs)).collect(),
            innermost,
            events: (0..rules.events.len())
                .map(|event| {
                    starts(&|trigger| match trigger {
                        TriggerKind::Event(id, locals) if id.ix() == event => Some(locals.clone()),
                        _ => None,
                    })
                })
                .collect(),
            clocks: (0..u32::try_from(rules.clocks.len()).unwrap_or(0))
                .map(|clock| plain(TriggerKind::RunsOut(crate::ir::ClockId(clock))))
                .collect(),
            counted: rules.counts.iter().map(|count| plain(TriggerKind::Counted(count.slot))).collect(),
            stuck,
            opens: phases.clone().map(|phase| plain(TriggerKind::Opens(crate::ir::PhaseId(phase)))).collect(),
            at_once: plain(TriggerKind::AtOnce),
            sees: sees.collect(),
            spans,
            game,
            program,
        }
    }
}

/// The memory in which a program runs: made once, used for every decision.
pub struct Memory<const N: usize> {
    pub(crate) ints: Box<[i32; 256]>,
    pub(crate) sets: Box<[Bits<N>; 256]>,
    pub(crate) saved: Vec<Position<N>>,
    /// Where legal actions are looked for, so that the position itself stays as it is.
    pub(crate) work: Option<Box<Position<N>>>,
    /// Groups of legal actions that were found.
    pub groups: Vec<Group<N>>,
    /// How many operations that cost something are left.
    pub(crate) fuel: u64,
    pub(crate) me: i32,
    /// The action that is looked at.
    pub(crate) author: i32,
    pub(crate) gathered: Vec<(usize, usize)>,
    pub(crate) waiting: Waiting,
    /// What histories have seen while the decision is carried out.
    pub(crate) seen: Vec<(HistoryId, u64)>,
    pub(crate) counting: bool,
    /// Whether a phase in which rules can only decide the game is judged later, by who looks for legal actions anyway.
    pub(crate) later: bool,
    /// The phase that waits to be judged.
    pub(crate) unjudged: Option<usize>,
    /// Whether a search may end at the first legal action, and whether there was one.
    pub(crate) one_suffices: bool,
    pub(crate) enough: bool,
    /// Whether the guard of the rule that ran last has held.
    pub(crate) passed: bool,
    pub(crate) memo: Memo,
    /// How often each kind of operation ran, with one of the kind; `None` if nobody wants to know.
    pub(crate) operations: Option<HashMap<Discriminant<Op>, (Op, u64)>>,
}

/// What waits while an action is carried out.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    /// Events (or clocks that ran out) with where their values begin and how many there are.
    pub happened: std::collections::VecDeque<(Happened, usize, usize)>,
    pub values: Vec<i32>,
    /// Spans that are to end.
    pub ends: u64,
    /// Spans that are to begin, with their side.
    pub begins: Vec<(usize, i32)>,
    pub go: Option<usize>,
}

/// Something to which rules may react.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Happened {
    Event(usize),
    RanOut(usize),
}

impl<const N: usize> Default for Memory<N> {
    fn default() -> Self {
        Memory {
            ints: Box::new([0; 256]),
            sets: Box::new([Bits::EMPTY; 256]),
            saved: vec![Position::default(); SAVED],
            work: None,
            groups: Vec::new(),
            fuel: 0,
            me: -1,
            author: -1,
            gathered: Vec::new(),
            waiting: Waiting::default(),
            seen: Vec::new(),
            counting: false,
            later: false,
            unjudged: None,
            one_suffices: false,
            enough: false,
            passed: false,
            memo: Memo::default(),
            operations: None,
        }
    }
}

/// What a run may look at beside the position: what the game has seen.
pub type Past<'a> = Option<&'a History>;
