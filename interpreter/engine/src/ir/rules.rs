//! A whole ruleset.

use super::code::*;
use super::defs::*;
use super::ids::*;
use super::texts::*;
use crate::board::{Board, Leg};

/// A ruleset, ready to run.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Rules {
    pub title: String,
    pub board: Board,
    pub sides: Vec<SideDef>,
    pub kinds: Vec<KindDef>,
    pub traits: Vec<String>,
    pub geometries: Vec<String>,
    /// Labels of branches, over all kinds and geometries.
    pub branch_labels: Vec<String>,
    pub paths: Vec<Vec<Leg>>,
    pub options: Vec<OptionDef>,
    pub zones: Vec<ZoneDef>,
    pub spans: Vec<SpanDef>,
    /// Planes: first one per side, then one per kind, then the others.
    pub planes: Vec<PlaneDef>,
    /// Slots: see [`Fixed`](super::Fixed) for the first.
    pub slots: Vec<SlotDef>,
    /// Signs of marks on the board: a plane or a piece slot.
    pub drawn_planes: Vec<(Plane, String)>,
    pub drawn_slots: Vec<(Slot, String)>,
    pub counters: Vec<CounterDef>,
    pub clocks: Vec<ClockDef>,
    pub latches: Vec<LatchDef>,
    pub counts: Vec<CountDef>,
    pub reserves: Vec<ReserveDef>,
    pub events: Vec<EventDef>,
    pub phases: Vec<PhaseDef>,
    pub actions: Vec<ActionDef>,
    /// In the order in which rules with the same trigger run.
    pub rules: Vec<RuleDef>,
    pub laws: Vec<LawDef>,
    pub histories: Vec<HistoryDef>,
    pub stats: Vec<StatDef>,
    pub recalls: Vec<String>,
    pub tallies: Vec<RuleDef>,
    pub shows: Vec<ShowDef>,
    pub invariants: Vec<InvariantDef>,
    pub setups: Vec<SetupDef>,
    /// Texts of positions; the first is the one that is written.
    pub positions: Vec<PositionDef>,
    /// The number of a position text, and how the game begins in it.
    pub start: Option<(usize, String)>,
    pub notations: Vec<NotationDef>,
    /// How records tell games; the first is the one that is written.
    pub records: Vec<RecordDef>,
    pub plugin_fns: Vec<PluginFnDef>,
    pub exprs: Vec<Expr>,
    pub expr_origins: Vec<Origin>,
    pub stmts: Vec<Stmt>,
    pub stmt_origins: Vec<Origin>,
    /// The score of the first side; those of the others follow.
    pub score: Slot,
    /// Frame size that suffices for every expression outside rules and actions: branches of geometries, clocks,
    /// latches, zones, first values.
    pub shared_locals: usize,
}

/// The slots that every ruleset has, before its own.
pub struct Fixed;

impl Fixed {
    /// The phase, −1 when the game is over.
    pub const PHASE: Slot = Slot(0);
    /// The side that acts, −1 when nobody does.
    pub const TO_ACT: Slot = Slot(1);
    /// 1 once the game has a result.
    pub const DECIDED: Slot = Slot(2);
    /// The side that won, −1 for nobody.
    pub const WINNER: Slot = Slot(3);
    /// What decided: the number of a rule, or of an action after all rules; −1 for nothing.
    pub const DECIDER: Slot = Slot(4);
    /// How many there are.
    pub const COUNT: usize = 5;
}

impl Rules {
    /// The plane of a side's pieces.
    #[must_use]
    pub fn side_plane(&self, side: usize) -> Plane {
        Plane(u32::try_from(side).unwrap_or(0))
    }

    /// The plane of a kind's pieces.
    #[must_use]
    pub fn kind_plane(&self, kind: usize) -> Plane {
        Plane(u32::try_from(self.sides.len() + kind).unwrap_or(0))
    }

    /// The expression with that number.
    #[must_use]
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.ix()]
    }

    /// The statement with that number.
    #[must_use]
    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id.ix()]
    }

    /// The names of further notations, each once.
    #[must_use]
    pub fn notation_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for def in &self.notations {
            if !names.contains(&def.name.as_str()) {
                names.push(&def.name);
            }
        }
        names
    }

    /// The kind with that letter.
    #[must_use]
    pub fn kind_by_letter(&self, letter: &str) -> Option<usize> {
        self.kinds.iter().position(|kind| kind.letter == letter)
    }

    /// The side with that name, in any case.
    #[must_use]
    pub fn side_by_name(&self, name: &str) -> Option<usize> {
        self.sides.iter().position(|side| side.key == name.to_lowercase())
    }
}
