//! What names mean while a ruleset is checked, and the order of the check.

use std::rc::Rc;

use fullcourt_engine::board::Board;
use fullcourt_engine::ir::{
    ClockId, CounterId, Expr, ExprId, GeoId, HistoryId, Local, OptId, Origin, Plane, RecallId, ReserveId, Rules, Slot,
    SpanId, Stmt, StmtId, TraitId, Ty,
};
use indexmap::IndexMap;

use super::types::{Typed, origin};
use super::{Info, Merged, Model};
use crate::diagnostics::{Problem, Problems, Sources, Span, nearest};
use crate::syntax::ast::{self, Block, Name};

/// The most expressions and statements a ruleset may have once its definitions are expanded.
pub(super) const MAX_NODES: usize = 200_000;
/// How deep definitions may use each other, and expressions nest.
pub(super) const MAX_DEPTH: u32 = 48;

/// What a global name means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sym {
    Side(i32),
    Kind(i32),
    Zone(usize),
    Mark(Plane),
    SetVar(Plane),
    Scalar {
        slot: Slot,
        ty: Ty,
        per_side: bool,
    },
    Counter(CounterId),
    Clock(ClockId),
    Reserve(ReserveId),
    Geometry(GeoId),
    Trait(TraitId),
    Owner(SpanId),
    Against(SpanId),
    Define(usize),
    Plugin(u16),
    Recall(RecallId),
    History(HistoryId),
    /// A square of each piece.
    PieceSquare(CounterId),
    Word(Word),
}

/// Words that the language itself gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Everywhere,
    Nowhere,
    Empty,
    Occupied,
    Me,
    Them,
    Width,
    Height,
    Winner,
    Opponent,
    Between,
    Distance,
    InFront,
    Near,
    KindAt,
    OwnerAt,
    RankAt,
    FileAt,
}

pub(super) const WORDS: [(&str, Word); 18] = [
    ("everywhere", Word::Everywhere),
    ("nowhere", Word::Nowhere),
    ("empty", Word::Empty),
    ("occupied", Word::Occupied),
    ("me", Word::Me),
    ("them", Word::Them),
    ("width", Word::Width),
    ("height", Word::Height),
    ("winner", Word::Winner),
    ("opponent", Word::Opponent),
    ("between", Word::Between),
    ("distance", Word::Distance),
    ("in_front", Word::InFront),
    ("near", Word::Near),
    ("kind", Word::KindAt),
    ("owner", Word::OwnerAt),
    ("rank_of", Word::RankAt),
    ("file_of", Word::FileAt),
];

/// What a name of a body means.
#[derive(Clone, Debug)]
pub(super) enum Binding<'a> {
    /// A value of the frame.
    Local(Local, Ty),
    /// An expression that costs nothing to repeat.
    Expr(Typed),
    /// The global name of a definition with parameters.
    Func(String),
    /// Effects, with the names that held where they were written.
    Block(&'a Block, Rc<Vec<(String, Binding<'a>)>>),
    /// A value that could not be understood: its uses say nothing more.
    Unknown,
    /// A parameter that stands for a definition, while its own definition is checked: its type, `None` for effects.
    Opaque(Option<Ty>, usize),
}

/// What kind of body is being checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyKind {
    /// An action: it may choose and need.
    Action,
    /// A rule or a stuck rule.
    Rule,
    /// Statistics.
    Tally,
    /// An expression outside of rules.
    Shared,
    /// A zone of each side, written for the side that looks north.
    Zone,
    /// A definition on its own: nothing of it will run.
    Definition,
}

/// A body while it is checked.
#[derive(Debug)]
pub(super) struct Body<'a> {
    pub scope: Vec<(String, Binding<'a>)>,
    pub locals: u32,
    pub kind: BodyKind,
    pub depth: u32,
    /// Whether this is the outermost block of an action.
    pub top: bool,
    /// Choices in order.
    pub aims: Vec<(String, Local, Ty)>,
    /// Whether a zone of each side means the one that is being written.
    pub written: bool,
}

impl<'a> Body<'a> {
    pub fn new(kind: BodyKind) -> Body<'a> {
        Body { scope: Vec::new(), locals: 0, kind, depth: 0, top: true, aims: Vec::new(), written: false }
    }

    pub fn local(&mut self) -> Local {
        self.locals += 1;
        Local(self.locals - 1)
    }

    pub fn bind(&mut self, name: &str, local: Local, ty: Ty) {
        self.scope.push((name.to_owned(), Binding::Local(local, ty)));
    }

    pub fn find(&self, name: &str) -> Option<&Binding<'a>> {
        self.scope.iter().rev().find(|(n, _)| n == name).map(|(_, binding)| binding)
    }
}

/// The check of a ruleset.
pub(super) struct Check<'a> {
    pub merged: &'a Merged,
    pub sources: &'a Sources,
    pub problems: &'a mut Problems,
    pub rules: Rules,
    pub symbols: IndexMap<String, (Sym, Span)>,
    pub options: IndexMap<String, (OptId, Span)>,
    pub phases: IndexMap<String, Span>,
    pub events: IndexMap<String, Span>,
    pub spans: IndexMap<String, Span>,
    pub stats: IndexMap<String, Span>,
    pub actions: Vec<Info>,
    /// The choices of each action by name.
    pub aim_names: Vec<Vec<(String, Ty)>>,
    pub rule_infos: Vec<Info>,
    pub law_spans: Vec<Span>,
    pub plugins: Vec<(String, Span)>,
    pub defaults: Vec<i32>,
    /// Definitions whose own check found errors: their uses say nothing more.
    pub broken: Vec<usize>,
    /// While over 0 nothing is reported: the same errors were found before.
    pub mute: u32,
    /// How many reports were not made for that reason.
    pub silenced: u32,
    pub overflowed: bool,
    /// How many histories have a number.
    pub histories: usize,
    /// Zones of no side of which it was said that they have none.
    pub sideless: std::collections::BTreeSet<usize>,
    /// Whether there is a board: else no square can be told to lie on it or not.
    pub board_known: bool,
}

impl<'a> Check<'a> {
    pub fn new(merged: &'a Merged, sources: &'a Sources, problems: &'a mut Problems) -> Check<'a> {
        let Some(board) = Board::new(1, 1, &[]) else { unreachable!("a board of one square exists") };
        Check {
            merged,
            sources,
            problems,
            rules: empty_rules(board),
            symbols: IndexMap::new(),
            options: IndexMap::new(),
            phases: IndexMap::new(),
            events: IndexMap::new(),
            spans: IndexMap::new(),
            stats: IndexMap::new(),
            actions: Vec::new(),
            aim_names: Vec::new(),
            rule_infos: Vec::new(),
            law_spans: Vec::new(),
            plugins: Vec::new(),
            defaults: Vec::new(),
            broken: Vec::new(),
            mute: 0,
            silenced: 0,
            overflowed: false,
            histories: 0,
            sideless: std::collections::BTreeSet::new(),
            board_known: true,
        }
    }

    /// The check from names to bodies.
    pub fn run(mut self) -> Option<Model> {
        self.declare();
        // What is far too large is not looked at any closer.
        if self.overflowed {
            return None;
        }
        if !self.check_definitions() {
            return None;
        }
        self.parts();
        self.blocks();
        self.texts();
        Some(Model {
            option_spans: self.options.values().map(|(_, span)| *span).collect(),
            event_spans: self.events.values().copied().collect(),
            phase_spans: self.phases.values().copied().collect(),
            clock_spans: self
                .rules
                .clocks
                .iter()
                .map(|clock| self.symbols.get(&clock.name).map_or_else(Span::default, |(_, span)| *span))
                .collect(),
            rules: self.rules,
            actions: self.actions,
            rule_infos: self.rule_infos,
            law_spans: self.law_spans,
            plugins: self.plugins,
            defaults: self.defaults,
        })
    }

    pub fn report(&mut self, problem: Problem) {
        // Once the ruleset is too large, or has no board, what is missing for that reason is not reported.
        if self.overflowed || (problem.code == "off-board" && !self.board_known) {
            return;
        }
        if self.mute == 0 {
            self.problems.push(problem);
        } else {
            self.silenced += 1;
        }
    }

    pub fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report(Problem::error(code, span, message));
    }

    /// An expression of the arena.
    pub fn expr_at(&mut self, expr: Expr, span: Span) -> ExprId {
        let id = ExprId(u32::try_from(self.rules.exprs.len()).unwrap_or(u32::MAX));
        self.rules.exprs.push(expr);
        self.rules.expr_origins.push(origin(span));
        id
    }

    /// A statement of the arena.
    pub fn stmt_at(&mut self, stmt: Stmt, span: Span) -> StmtId {
        let id = StmtId(u32::try_from(self.rules.stmts.len()).unwrap_or(u32::MAX));
        self.rules.stmts.push(stmt);
        self.rules.stmt_origins.push(origin(span));
        id
    }

    /// Whether the expanded ruleset is still of a bearable size; says so once when it is not.
    pub fn within_limits(&mut self, span: Span, depth: u32) -> bool {
        let fits = self.rules.exprs.len() + self.rules.stmts.len() < MAX_NODES && depth <= MAX_DEPTH;
        if !fits && !self.overflowed {
            self.overflowed = true;
            let message = "the ruleset becomes too large here: its definitions use each other too deeply or too often";
            self.problems.push(Problem::error("too-large", span, message));
        }
        fits
    }

    /// An unknown name, with the nearest known one.
    pub fn unknown<'n>(&mut self, what: &str, name: &Name, known: impl Iterator<Item = &'n str>) {
        // Advice takes time: after so many errors nobody reads it.
        let near = (self.problems.len() < 50)
            .then(|| nearest(&name.text, known))
            .flatten()
            .map(|near| format!("did you mean `{near}`?"));
        let mut problem =
            Problem::error("unknown-name", name.span, format!("there is no {what} `{}`", name.text)).help_maybe(near);
        if let Some((_, span)) = self.merged.removed.iter().find(|(removed, _)| *removed == name.text) {
            problem = problem.label(*span, "taken away here");
        }
        self.report(problem);
    }

    /// The number of a span of time.
    pub fn span_id(&mut self, name: &Name) -> Option<SpanId> {
        let found = self.spans.get_index_of(&name.text);
        if found.is_none() {
            let known: Vec<String> = self.spans.keys().cloned().collect();
            self.unknown("span", name, known.iter().map(String::as_str));
        }
        found.and_then(|index| u32::try_from(index).ok()).map(SpanId)
    }

    /// A definition by its number among the items.
    pub fn define(&self, item: usize) -> Option<(&'a [ast::Param], &'a ast::DefineBody, &'a Name)> {
        match &self.merged.items.get(item)?.kind {
            ast::ItemKind::Define { name, params, body, .. } => Some((params, body, name)),
            _ => None,
        }
    }
}

fn empty_rules(board: Board) -> Rules {
    Rules {
        title: String::new(),
        board,
        sides: Vec::new(),
        kinds: Vec::new(),
        traits: Vec::new(),
        geometries: Vec::new(),
        branch_labels: Vec::new(),
        paths: Vec::new(),
        options: Vec::new(),
        zones: Vec::new(),
        spans: Vec::new(),
        planes: Vec::new(),
        slots: Vec::new(),
        drawn_planes: Vec::new(),
        drawn_slots: Vec::new(),
        counters: Vec::new(),
        clocks: Vec::new(),
        latches: Vec::new(),
        counts: Vec::new(),
        reserves: Vec::new(),
        events: Vec::new(),
        phases: Vec::new(),
        actions: Vec::new(),
        rules: Vec::new(),
        laws: Vec::new(),
        histories: Vec::new(),
        stats: Vec::new(),
        recalls: Vec::new(),
        tallies: Vec::new(),
        shows: Vec::new(),
        invariants: Vec::new(),
        setups: Vec::new(),
        positions: Vec::new(),
        start: None,
        notations: Vec::new(),
        records: Vec::new(),
        plugin_fns: Vec::new(),
        exprs: Vec::new(),
        expr_origins: Vec::<Origin>::new(),
        stmts: Vec::new(),
        stmt_origins: Vec::new(),
        score: Slot(0),
        shared_locals: 0,
    }
}
