//! The first pass: every name gets its number and its place in the position. No expression is looked at but for first
//! values that are constants.

use fullcourt_engine::board::{Board, Facing, MAX_PLACES, parse_coords};
use fullcourt_engine::ir::{
    ClockDef, ClockId, CountDef, CounterDef, CounterId, EventDef, Expr, ExprId, Fixed, GeoId, HistoryId, KindDef,
    Plane, PlaneDef, Range, RecallId, ReserveDef, ReserveId, SideDef, Slot, SlotDef, SlotTy, SpanDef, SpanId, StatDef,
    TraitId, Ty, ZoneDef,
};
use fullcourt_engine::position::{MAX_PLANES, MAX_SLOTS};

use super::scope::{Check, Sym, WORDS};
use super::types;
use crate::diagnostics::{Problem, Span, nearest};
use crate::syntax::ast::{self, Item, ItemKind, Name};

/// The span that every ruleset has.
const GAME: SpanId = SpanId(0);
const MAX_KINDS: usize = 40;
/// How far off the grid a further square may lie.
const BEYOND: i64 = 8;
/// The most items of one kind that a ruleset may have: far more than a game needs, and few enough to be checked at once.
const MAX_ITEMS: usize = 400;
/// The most definitions.
const MAX_DEFINES: usize = 2000;
/// The most statistics.
const MAX_STATS: usize = 64;

impl<'a> Check<'a> {
    pub(super) fn declare(&mut self) {
        let items: &'a [Item] = &self.merged.items;
        self.rules.title = self.merged.title.clone().unwrap_or_default();
        for (name, word) in WORDS {
            self.symbols.insert(name.to_owned(), (Sym::Word(word), Span::default()));
        }
        self.fixed();
        self.board(items);
        for item in items {
            match &item.kind {
                ItemKind::Side { name, faces } => self.side(name, faces),
                ItemKind::Piece { name, letter, cites, .. } => self.kind(name, letter, cites),
                ItemKind::Span { name, .. } => {
                    if self.new_in("span", name, |check| &mut check.spans) {
                        self.span_slots(&name.text, None);
                    }
                }
                _ => {}
            }
        }
        self.require(items);
        let score = self.slots_for("score", Ty::Number, Some((i32::MIN.into(), i32::MAX.into())), true, GAME);
        self.rules.score = score;
        self.symbols
            .insert("score".into(), (Sym::Scalar { slot: score, ty: Ty::Number, per_side: true }, Span::default()));
        for (index, item) in items.iter().enumerate() {
            self.declare_item(index, item);
        }
        self.sets();
        self.limits();
    }

    fn fixed(&mut self) {
        for ty in
            [SlotTy::Number(Range { low: -1, high: i32::MAX }), SlotTy::Side, SlotTy::Test, SlotTy::Side, SlotTy::Side]
        {
            let init = self.constant(-1);
            self.rules.slots.push(SlotDef { name: String::new(), ty, side: None, span: GAME, init });
        }
        debug_assert_eq!(self.rules.slots.len(), Fixed::COUNT);
        self.spans.insert("game".into(), Span::default());
        self.span_slots("game", None);
    }

    pub(super) fn constant(&mut self, value: i32) -> ExprId {
        self.expr_at(Expr::Const(value), Span::default())
    }

    fn span_slots(&mut self, name: &str, parent: Option<SpanId>) {
        let init = self.constant(0);
        let open = self.slot(String::new(), SlotTy::Test, None, GAME, init);
        let owner = self.slot(String::new(), SlotTy::Side, None, GAME, init);
        self.rules.spans.push(SpanDef { name: name.to_owned(), parent, open, owner, owned: false });
    }

    pub(super) fn slot(&mut self, name: String, ty: SlotTy, side: Option<u8>, span: SpanId, init: ExprId) -> Slot {
        self.rules.slots.push(SlotDef { name, ty, side, span, init });
        Slot(u32::try_from(self.rules.slots.len() - 1).unwrap_or(0))
    }

    /// Slots of a variable, one or one per side; their first value is filled in later.
    fn slots_for(&mut self, name: &str, ty: Ty, range: Option<(i64, i64)>, per_side: bool, span: SpanId) -> Slot {
        let clamp = |value: i64| i32::try_from(value).unwrap_or(if value < 0 { i32::MIN } else { i32::MAX });
        let slot_ty = match ty {
            Ty::Test => SlotTy::Test,
            Ty::Side => SlotTy::Side,
            Ty::Kind => SlotTy::Kind,
            Ty::Square => SlotTy::Square,
            Ty::Number | Ty::Squares | Ty::Kinds => {
                let (low, high) = range.unwrap_or((i64::from(i32::MIN), i64::from(i32::MAX)));
                SlotTy::Number(Range { low: clamp(low), high: clamp(high) })
            }
        };
        let init = match slot_ty {
            SlotTy::Test => 0,
            SlotTy::Number(range) => 0.clamp(range.low, range.high),
            SlotTy::Side | SlotTy::Kind | SlotTy::Square | SlotTy::Piece => -1,
        };
        let init = self.constant(init);
        let sides = self.rules.sides.len().max(1);
        let first = self.slot(name.to_owned(), slot_ty, per_side.then_some(0), span, init);
        if per_side {
            for side in 1..sides {
                self.slot(name.to_owned(), slot_ty, u8::try_from(side).ok(), span, init);
            }
        }
        first
    }

    fn plane(&mut self, name: &str, travels: bool, span: Option<SpanId>) -> Plane {
        self.rules.planes.push(PlaneDef { name: name.to_owned(), travels, span });
        Plane(u32::try_from(self.rules.planes.len() - 1).unwrap_or(0))
    }

    fn board(&mut self, items: &[Item]) {
        let mut boards = items.iter().filter_map(|item| match &item.kind {
            ItemKind::Board { files, ranks, beyond, .. } => Some((*files, *ranks, beyond, item.span)),
            _ => None,
        });
        let Some((files, ranks, beyond, span)) = boards.next() else {
            let span = items.first().map_or_else(Span::default, |item| item.span.before());
            let problem = Problem::error("missing-part", span, "the ruleset has no board");
            self.board_known = false;
            return self.report(problem.help("say for example `board 8 x 8`"));
        };
        if let Some((.., other)) = boards.next() {
            self.report(
                Problem::error("duplicate", other, "the ruleset has a second board").label(span, "the first board"),
            );
        }
        let mut coords = Vec::new();
        for name in beyond {
            match parse_coords(&name.text) {
                Some((file, rank))
                    if i64::from(file) > files + BEYOND || !(-BEYOND..=ranks + BEYOND).contains(&i64::from(rank)) =>
                {
                    let message = format!("`{}` lies more than {BEYOND} squares off the board", name.text);
                    self.error("off-board", name.span, message);
                }
                Some(at) => coords.push(at),
                None => self.error("off-board", name.span, format!("`{}` is no square", name.text)),
            }
        }
        let small = |n: i64| i32::try_from(n).ok().filter(|n| (1..=512).contains(n));
        let board = small(files).zip(small(ranks)).and_then(|(files, ranks)| Board::new(files, ranks, &coords));
        match board {
            Some(board) => self.rules.board = board,
            None => {
                let message = format!(
                    "a board has from 1 to {MAX_PLACES} squares, each once, those beyond the grid included; this one has {}",
                    files.saturating_mul(ranks).saturating_add(i64::try_from(coords.len()).unwrap_or(0))
                );
                self.error("board-size", span, message);
                self.board_known = false;
            }
        }
    }

    fn side(&mut self, name: &Name, faces: &Name) {
        let facing = match faces.text.as_str() {
            "north" => Facing::North,
            "south" => Facing::South,
            other => {
                let near = nearest(other, ["north", "south"]).map(|near| format!("did you mean `{near}`?"));
                let message = format!("a side faces north or south, not `{other}`");
                self.report(Problem::error("unknown-name", faces.span, message).help_maybe(near));
                Facing::North
            }
        };
        if self.rules.sides.iter().any(|side| side.key == name.text.to_lowercase() && side.name != name.text) {
            let message = format!("`{}` differs from another side only in capital letters", name.text);
            self.error("duplicate", name.span, message);
        }
        let index = i32::try_from(self.rules.sides.len()).unwrap_or(0);
        if self.new_symbol(name, Sym::Side(index)) {
            self.rules.sides.push(SideDef { name: name.text.clone(), key: name.text.to_lowercase(), facing });
        }
    }

    fn kind(&mut self, name: &Name, letter: &str, cites: &ast::Cites) {
        let index = i32::try_from(self.rules.kinds.len()).unwrap_or(0);
        let same = self.rules.kinds.iter().find(|kind| kind.letter == letter).map(|kind| kind.name.clone());
        let begins = |a: &str, b: &str| a != b && !b.is_empty() && a.starts_with(b);
        let near = self.rules.kinds.iter().find(|kind| begins(&kind.letter, letter) || begins(letter, &kind.letter));
        if let Some(other) = near.map(|kind| (kind.name.clone(), kind.letter.clone())) {
            let message = format!(
                "one of the letters `{letter}` of `{}` and `{}` of `{}` begins the other",
                name.text, other.1, other.0
            );
            let problem = Problem::error("duplicate", name.span, message);
            self.report(problem.help("a row of letters, such as a line-up, could be read in two ways"));
        }
        if let Some(other) = same {
            self.error("duplicate", name.span, format!("`{}` has the letter `{letter}`, as `{other}` has", name.text));
        }
        if letter.is_empty() || letter.chars().count() > 2 || !letter.chars().all(char::is_alphanumeric) {
            self.error("wrong-value", name.span, format!("the letter of `{}` must be one or two letters", name.text));
        }
        if self.new_symbol(name, Sym::Kind(index)) {
            self.rules.kinds.push(KindDef {
                name: name.text.clone(),
                letter: letter.to_owned(),
                geometry: Vec::new(),
                traits: Vec::new(),
                cite: cites.cite.clone(),
            });
        }
    }

    /// What every ruleset needs; the planes of sides and kinds come first.
    fn require(&mut self, items: &[Item]) {
        let span = items.first().map_or_else(Span::default, |item| item.span.before());
        if !(1..=8).contains(&self.rules.sides.len()) {
            let message = format!("a ruleset has from 1 to 8 sides; this one has {}", self.rules.sides.len());
            self.report(Problem::error("missing-part", span, message).help("say for example `side First faces north`"));
        }
        if self.rules.kinds.is_empty() || self.rules.kinds.len() > MAX_KINDS {
            let message =
                format!("a ruleset has from 1 to {MAX_KINDS} kinds of piece; this one has {}", self.rules.kinds.len());
            self.report(
                Problem::error("missing-part", span, message).help("say for example `piece Runner \"R\" { … }`"),
            );
        }
        for name in self.rules.sides.iter().map(|s| s.name.clone()).collect::<Vec<_>>() {
            self.plane(&name, true, None);
        }
        for name in self.rules.kinds.iter().map(|k| k.name.clone()).collect::<Vec<_>>() {
            self.plane(&name, true, None);
        }
    }

    /// Enters a name into a name space of its own; says so when it is there already.
    fn new_in(
        &mut self,
        what: &str,
        name: &Name,
        space: for<'c> fn(&'c mut Check<'a>) -> &'c mut indexmap::IndexMap<String, Span>,
    ) -> bool {
        if let Some(&old) = space(self).get(&name.text) {
            self.duplicate(what, name, old);
            return false;
        }
        space(self).insert(name.text.clone(), name.span);
        true
    }

    pub(super) fn duplicate(&mut self, what: &str, name: &Name, old: Span) {
        let article = if what.starts_with(|c: char| "aeiou".contains(c)) { "an" } else { "a" };
        let message = format!("there is {article} {what} `{}` already", name.text);
        let mut problem = Problem::error("duplicate", name.span, message);
        if old == Span::default() {
            problem = problem.help("this word belongs to the language; choose another one");
        } else {
            problem = problem.label(old, "the first one");
            if old.file != name.span.file {
                problem = problem.help("to change it write `replace`, to have another choose another name");
            }
        }
        self.report(problem);
    }

    /// Enters a name among those that expressions use.
    fn new_symbol(&mut self, name: &Name, sym: Sym) -> bool {
        if let Some(&(_, old)) = self.symbols.get(&name.text) {
            self.duplicate("name", name, old);
            return false;
        }
        self.symbols.insert(name.text.clone(), (sym, name.span));
        true
    }

    #[expect(clippy::too_many_lines, reason = "the dispatch table of items: one short arm for each")]
    fn declare_item(&mut self, index: usize, item: &'a Item) {
        match &item.kind {
            ItemKind::Option { name, domain, cites } => self.option(name, domain, cites),
            ItemKind::Zone { name, per_side, drawn, cites, .. } => {
                if self.new_symbol(name, Sym::Zone(self.rules.zones.len())) {
                    let value = self.constant(0);
                    self.rules.zones.push(ZoneDef {
                        name: name.text.clone(),
                        per_side: *per_side,
                        drawn: drawn.clone(),
                        value,
                        cite: cites.cite.clone(),
                        origin: types::origin(item.span),
                    });
                }
            }
            ItemKind::Reserve { name } => {
                let id = ReserveId(u32::try_from(self.rules.reserves.len()).unwrap_or(0));
                if self.new_symbol(name, Sym::Reserve(id)) {
                    let first = Slot(u32::try_from(self.rules.slots.len()).unwrap_or(0));
                    let init = self.constant(0);
                    for _ in 0..self.rules.sides.len() * self.rules.kinds.len() {
                        self.slot(String::new(), SlotTy::Number(Range { low: 0, high: 4096 }), None, GAME, init);
                    }
                    self.rules.reserves.push(ReserveDef { name: name.text.clone(), first });
                }
            }
            ItemKind::Geometry { name, .. } => {
                let id = GeoId(u32::try_from(self.rules.geometries.len()).unwrap_or(0));
                if self.new_symbol(name, Sym::Geometry(id)) {
                    self.rules.geometries.push(name.text.clone());
                }
            }
            ItemKind::Trait { name } => {
                let id = TraitId(u32::try_from(self.rules.traits.len()).unwrap_or(0));
                if self.new_symbol(name, Sym::Trait(id)) {
                    self.rules.traits.push(name.text.clone());
                }
            }
            ItemKind::Plugin { name, functions } => {
                self.plugins.push((name.text.clone(), name.span));
                for function in functions {
                    let id = u16::try_from(self.rules.plugin_fns.len()).unwrap_or(u16::MAX);
                    if self.new_symbol(&function.name, Sym::Plugin(id)) {
                        self.rules.plugin_fns.push(fullcourt_engine::ir::PluginFnDef {
                            plugin: name.text.clone(),
                            name: function.name.text.clone(),
                            signature: fullcourt_engine::hostcall::Signature {
                                params: function.params.iter().map(|ty| types::host(*ty)).collect(),
                                result: types::host(function.result),
                            },
                            origin: types::origin(function.name.span),
                        });
                    }
                }
            }
            ItemKind::Span { name, owner, against, within } => {
                self.span_item(name, owner.as_ref(), against.as_ref(), within)
            }
            ItemKind::Mark { name, one, within, drawn, .. } => {
                let Some(span) = within.as_ref().map_or(Some(GAME), |within| self.span_id(within)) else { return };
                if *one {
                    let init = self.constant(-1);
                    let slot = Slot(u32::try_from(self.rules.slots.len()).unwrap_or(0));
                    if self.new_symbol(name, Sym::Scalar { slot, ty: Ty::Square, per_side: false }) {
                        self.slot(name.text.clone(), SlotTy::Piece, None, span, init);
                        self.rules.drawn_slots.extend(drawn.clone().map(|sign| (slot, sign)));
                    }
                } else {
                    let plane = Plane(u32::try_from(self.rules.planes.len()).unwrap_or(0));
                    if self.new_symbol(name, Sym::Mark(plane)) {
                        self.plane(&name.text, true, Some(span));
                        self.rules.drawn_planes.extend(drawn.clone().map(|sign| (plane, sign)));
                    }
                }
            }
            ItemKind::Counter { name, max, within, .. } => {
                let Some(span) = self.span_id(within) else { return };
                let Some(max) = i32::try_from(*max).ok().filter(|max| (1..=65_535).contains(max)) else {
                    return self.error("wrong-value", item.span, "a counter goes up to a number from 1 to 65535");
                };
                let id = CounterId(u32::try_from(self.rules.counters.len()).unwrap_or(0));
                if self.new_symbol(name, Sym::Counter(id)) {
                    let bits = 32 - max.leading_zeros();
                    let first = self.plane(&name.text, true, Some(span));
                    for _ in 1..bits {
                        self.plane(&name.text, true, Some(span));
                    }
                    let name = name.text.clone();
                    self.rules.counters.push(CounterDef { name, first, bits, max, square: false });
                }
            }
            ItemKind::Var { name, per_piece: true, ty, range, init, within, drawn, .. } => {
                let Some(span) = within.as_ref().map_or(Some(GAME), |within| self.span_id(within)) else { return };
                if *ty != ast::Ty::Square || range.is_some() || init.is_some() || drawn.is_some() {
                    let problem = Problem::error("wrong-type", item.span, "a variable of each piece is a square");
                    self.report(problem.help("for a number write `counter NAME up to N in SPAN`, for a test `mark NAME`; it begins as `none`"));
                }
                let id = CounterId(u32::try_from(self.rules.counters.len()).unwrap_or(0));
                if self.new_symbol(name, Sym::PieceSquare(id)) {
                    let max = i32::try_from(self.rules.board.places()).unwrap_or(0);
                    let bits = 32 - max.leading_zeros();
                    let first = self.plane(&name.text, true, Some(span));
                    for _ in 1..bits {
                        self.plane(&name.text, true, Some(span));
                    }
                    self.rules.counters.push(CounterDef { name: name.text.clone(), first, bits, max, square: true });
                }
            }
            ItemKind::Clock { name, within, .. } => {
                let Some(span) = self.span_id(within) else { return };
                let id = ClockId(u32::try_from(self.rules.clocks.len()).unwrap_or(0));
                if self.new_symbol(name, Sym::Clock(id)) {
                    let slot = self.slots_for(&name.text, Ty::Number, Some((0, 1_000_000)), false, span);
                    self.rules.clocks.push(ClockDef { name: name.text.clone(), slot, runs: None });
                }
            }
            ItemKind::Latch { name, within, .. } => {
                let Some(span) = self.span_id(within) else { return };
                self.scalar(name, Ty::Test, None, false, span);
            }
            ItemKind::Count { name, of, within, .. } => {
                let (Some(span), Some(of)) = (self.span_id(within), self.span_id(of)) else { return };
                if let Some(slot) = self.scalar(name, Ty::Number, Some((0, 1_000_000_000)), false, span) {
                    self.rules.counts.push(CountDef { slot, of });
                }
            }
            ItemKind::Var { name, per_side, ty, range, within, drawn, .. } => {
                let Some(span) = within.as_ref().map_or(Some(GAME), |within| self.span_id(within)) else { return };
                match (types::of(*ty), per_side) {
                    (Ty::Squares, false) => {
                        let plane = Plane(u32::try_from(self.rules.planes.len()).unwrap_or(0));
                        if self.new_symbol(name, Sym::SetVar(plane)) {
                            self.plane(&name.text, false, Some(span));
                            self.rules.drawn_planes.extend(drawn.clone().map(|sign| (plane, sign)));
                        }
                    }
                    (Ty::Squares, true) => {
                        let message = "a set of squares cannot be kept per side; declare one for each side";
                        self.error("wrong-type", item.span, message);
                    }
                    (ty, per_side) => {
                        let slot = self.scalar(name, ty, *range, *per_side, span);
                        match (drawn, slot) {
                            (Some(sign), Some(slot)) if ty == Ty::Square && !per_side => {
                                self.rules.drawn_slots.push((slot, sign.clone()));
                            }
                            (Some(_), _) => self.error("wrong-type", item.span, "only squares and marks are drawn"),
                            (None, _) => {}
                        }
                    }
                }
            }
            ItemKind::Setup { name, what: ast::Setup::Side { .. }, .. } => {
                self.scalar(name, Ty::Side, None, false, GAME);
            }
            ItemKind::Event { name, params, .. } => {
                if self.new_in("event", name, |check| &mut check.events) {
                    let params = params.iter().map(|param| (param.name.text.clone(), self.param_ty(param))).collect();
                    self.rules.events.push(EventDef { name: name.text.clone(), params, notation: None });
                }
            }
            ItemKind::Phase { name, .. } => {
                if name.text == "over" {
                    let problem =
                        Problem::error("duplicate", name.span, "`over` is what a state calls the end of the game");
                    self.report(problem.help("choose another name"));
                }
                self.new_in("phase", name, |check| &mut check.phases);
            }
            ItemKind::Define { name, .. } => {
                self.new_symbol(name, Sym::Define(index));
            }
            ItemKind::Stat { per_piece, names, cites } => {
                for name in names {
                    if self.new_in("statistic", name, |check| &mut check.stats) {
                        let (name, cite) = (name.text.clone(), cites.cite.clone());
                        self.rules.stats.push(StatDef { name, per_piece: *per_piece, cite });
                    }
                }
            }
            ItemKind::History { name, .. } => {
                let id = self.histories;
                self.histories +=
                    usize::from(self.new_symbol(name, Sym::History(HistoryId(u32::try_from(id).unwrap_or(0)))));
            }
            ItemKind::Recall { name } => {
                let id = RecallId(u32::try_from(self.rules.recalls.len()).unwrap_or(0));
                if self.new_symbol(name, Sym::Recall(id)) {
                    self.rules.recalls.push(name.text.clone());
                }
            }
            _ => {}
        }
    }

    fn param_ty(&mut self, param: &ast::Param) -> Ty {
        match (param.ty, param.over.is_empty()) {
            (Some(ty), true) => types::of(ty),
            _ => {
                self.error("wrong-type", param.name.span, "an event carries values, not definitions");
                Ty::Number
            }
        }
    }

    fn scalar(&mut self, name: &Name, ty: Ty, range: Option<(i64, i64)>, per_side: bool, span: SpanId) -> Option<Slot> {
        let slot = Slot(u32::try_from(self.rules.slots.len()).unwrap_or(0));
        if let Some((low, high)) = range
            && low > high
        {
            self.error("wrong-value", name.span, format!("the range {low}..{high} holds no number"));
        }
        let range = range.map(|(low, high)| (low, high.max(low)));
        self.new_symbol(name, Sym::Scalar { slot, ty, per_side }).then(|| {
            self.slots_for(&name.text, ty, range, per_side, span);
            slot
        })
    }

    fn span_item(&mut self, name: &Name, owner: Option<&Name>, against: Option<&Name>, within: &Name) {
        let (Some(id), Some(parent)) = (self.span_id(name), self.span_id(within)) else { return };
        let mut at = Some(parent);
        for _ in 0..=self.rules.spans.len() {
            at = at.and_then(|span| self.rules.spans[span.ix()].parent);
        }
        if parent == id || at.is_some() {
            let message = format!("the span `{}` would lie within itself", name.text);
            return self.error("circular", name.span, message);
        }
        let def = &mut self.rules.spans[id.ix()];
        def.parent = Some(parent);
        def.owned = owner.is_some();
        // Found again only when a span lies in one that is declared later.
        let mut up = Some(parent);
        for _ in 0..=self.rules.spans.len() {
            if up == Some(id) {
                self.rules.spans[id.ix()].parent = Some(GAME);
                let message = format!("the span `{}` would lie within itself", name.text);
                return self.error("circular", name.span, message);
            }
            up = up.and_then(|span| self.rules.spans[span.ix()].parent);
        }
        if let Some(owner) = owner {
            self.new_symbol(owner, Sym::Owner(id));
        }
        if let Some(against) = against {
            self.new_symbol(against, Sym::Against(id));
        }
    }

    fn limits(&mut self) {
        let mut counts: indexmap::IndexMap<&str, (usize, Span)> = indexmap::IndexMap::new();
        for (kind, _, span) in self.merged.items.iter().filter_map(|item| super::load::key(&item.kind)) {
            let entry = counts.entry(kind).or_insert((0, span));
            *entry = (entry.0 + 1, span);
        }
        for (kind, (count, span)) in counts {
            let most = if kind == "define" { MAX_DEFINES } else { MAX_ITEMS };
            if count > most {
                let message = format!("the ruleset has {count} items `{kind}`; there is room for {most}");
                self.error("too-large", span, message);
                self.overflowed = true;
            }
        }
        if self.rules.stats.len() > MAX_STATS {
            let span = self.stats.values().last().copied().unwrap_or_default();
            let message =
                format!("the ruleset has {} statistics; there is room for {MAX_STATS}", self.rules.stats.len());
            self.error("too-large", span, message);
            self.overflowed = true;
        }
        let span = self.merged.items.first().map_or_else(Span::default, |item| item.span.before());
        let (planes, slots) = (self.rules.planes.len(), self.rules.slots.len());
        if planes > MAX_PLANES || slots > MAX_SLOTS {
            let message = format!(
                "the ruleset needs {planes} sets and {slots} numbers in a position; there is room for {MAX_PLANES} and {MAX_SLOTS}"
            );
            let help = "use fewer kinds, marks, variables and reserves, or counters with smaller ends";
            self.report(Problem::error("too-large", span, message).help(help));
        }
    }
}
