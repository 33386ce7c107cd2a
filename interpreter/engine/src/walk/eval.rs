//! Values of expressions. Total: a missing place, side or kind gives the empty set or −1, never an error; only plugins
//! and the budget can fail.

use crate::bits::Bits;
use crate::board::Facing;
use crate::fault::Fault;
use crate::game::Game;
use crate::history::{History, key};
use crate::hostcall::{HostFnId, HostType, HostValue};
use crate::ir::{Expr, ExprId, Fixed, GeoId, HistoryId, Local, Origin, ZoneOf};
use crate::position::Position;

/// How many steps one decision may take before it ends as a fault: no ruleset can hang the engine.
pub const BUDGET: u64 = 30_000_000;
const MAX_DEPTH: u32 = 200;
/// What a call of a plugin counts for.
pub(crate) const PLUGIN_STEPS: u64 = 10_000;

/// A value while rules run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<const N: usize> {
    /// A square, side, kind, number or test.
    Int(i32),
    /// A set of places.
    Set(Bits<N>),
    /// A set of kinds.
    Kinds(u64),
}

/// What a running rule has: its frame, the side that acts, its budget, and the first fault.
pub struct Cx<'r, const N: usize> {
    frame: Vec<Value<N>>,
    base: usize,
    /// The side that acts, −1 for nobody.
    pub me: i32,
    /// The action or rule that runs.
    pub rule: &'r str,
    /// Steps taken.
    pub steps: u64,
    /// Where the pieces are that statistics remember; filled for tallies only.
    pub recalled: Vec<i32>,
    /// The positions that the game has seen before, if somebody keeps them.
    pub history: Option<&'r History>,
    /// Those that this decision has added.
    pub seen: Vec<(HistoryId, u64)>,
    depth: u32,
    fault: Option<Fault>,
}

impl<'r, const N: usize> Cx<'r, N> {
    /// A fresh frame for a rule of that name.
    #[must_use]
    pub fn new(rule: &'r str) -> Self {
        Cx {
            frame: Vec::with_capacity(32),
            base: 0,
            me: -1,
            rule,
            steps: 0,
            recalled: Vec::new(),
            history: None,
            seen: Vec::new(),
            depth: 0,
            fault: None,
        }
    }

    /// Makes room for the values of a rule.
    pub fn enter(&mut self, locals: usize) {
        self.frame.clear();
        self.frame.resize(locals, Value::Int(-1));
        self.base = 0;
    }

    /// Opens a frame of its own above the one in use; what comes back closes it.
    pub(crate) fn above(&mut self, locals: usize) -> (usize, usize) {
        let outer = (self.base, self.frame.len());
        self.base = outer.1;
        self.frame.resize(outer.1 + locals, Value::Int(-1));
        outer
    }

    /// Closes a frame that [`Cx::above`] opened.
    pub(crate) fn back(&mut self, (base, len): (usize, usize)) {
        self.frame.truncate(len);
        self.base = base;
    }

    /// Sets a value of the frame.
    pub fn bind(&mut self, local: Local, value: Value<N>) {
        if let Some(old) = self.frame.get_mut(self.base + local.ix()) {
            *old = value;
        }
    }

    /// A value of the frame.
    #[must_use]
    pub fn local(&self, local: Local) -> Value<N> {
        self.frame.get(self.base + local.ix()).copied().unwrap_or(Value::Int(-1))
    }

    /// Takes steps; past the budget that is a fault.
    pub fn spend(&mut self, steps: u64, origin: Origin) {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > BUDGET {
            self.fail("budget", format!("`{}` takes more steps than a decision may", self.rule), origin);
        }
    }

    /// Keeps the first fault.
    pub fn fail(&mut self, code: &'static str, text: String, origin: Origin) {
        if self.fault.is_none() {
            self.fault = Some(Fault { code, rule: self.rule.to_owned(), text, origin });
        }
    }

    /// Says which rule the fault belongs to.
    pub fn blame(&mut self, rule: &str) {
        if let Some(fault) = &mut self.fault {
            rule.clone_into(&mut fault.rule);
        }
    }

    /// Whether something has failed.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.fault.is_some()
    }

    /// The end of a computation.
    ///
    /// # Errors
    /// The first fault.
    pub fn done(&mut self) -> Result<(), Fault> {
        self.fault.take().map_or(Ok(()), Err)
    }
}

impl<const N: usize> Game<N> {
    /// A set.
    pub fn set(&self, pos: &Position<N>, cx: &mut Cx<N>, id: ExprId) -> Bits<N> {
        match self.eval(pos, cx, id) {
            Value::Set(set) => set,
            Value::Int(_) | Value::Kinds(_) => Bits::EMPTY,
        }
    }

    /// A scalar.
    pub fn int(&self, pos: &Position<N>, cx: &mut Cx<N>, id: ExprId) -> i32 {
        match self.eval(pos, cx, id) {
            Value::Int(value) => value,
            Value::Set(_) | Value::Kinds(_) => -1,
        }
    }

    /// A test.
    pub fn test(&self, pos: &Position<N>, cx: &mut Cx<N>, id: ExprId) -> bool {
        self.int(pos, cx, id) == 1
    }

    /// A set of kinds.
    pub fn kinds(&self, pos: &Position<N>, cx: &mut Cx<N>, id: ExprId) -> u64 {
        match self.eval(pos, cx, id) {
            Value::Kinds(kinds) => kinds,
            Value::Int(_) | Value::Set(_) => 0,
        }
    }

    fn place(&self, pos: &Position<N>, cx: &mut Cx<N>, id: ExprId) -> Option<usize> {
        usize::try_from(self.int(pos, cx, id)).ok().filter(|&place| place < self.rules.board.places())
    }

    fn side(&self, pos: &Position<N>, cx: &mut Cx<N>, id: ExprId) -> Option<usize> {
        usize::try_from(self.int(pos, cx, id)).ok().filter(|&side| side < self.rules.sides.len())
    }

    /// The value of an expression.
    pub fn eval(&self, pos: &Position<N>, cx: &mut Cx<N>, id: ExprId) -> Value<N> {
        cx.steps += 1;
        if cx.failed() {
            return Value::Int(-1);
        }
        if cx.steps > BUDGET || cx.depth > MAX_DEPTH {
            let origin = self.rules.expr_origins[id.ix()];
            cx.fail("budget", format!("`{}` takes more steps than a decision may", cx.rule), origin);
            return Value::Int(-1);
        }
        cx.depth += 1;
        let value = self.eval_node(pos, cx, id);
        cx.depth -= 1;
        value
    }

    #[expect(clippy::too_many_lines, reason = "the dispatch table of expressions: one short arm for each")]
    fn eval_node(&self, pos: &Position<N>, cx: &mut Cx<N>, id: ExprId) -> Value<N> {
        let rules = &*self.rules;
        match rules.expr(id) {
            Expr::Const(value) => Value::Int(*value),
            Expr::Places(words) => Value::Set(Bits::narrow(words)),
            Expr::Everywhere => Value::Set(self.grid),
            Expr::Empty => Value::Set(self.grid.minus(self.occupied(pos))),
            Expr::Occupied => Value::Set(self.occupied(pos)),
            Expr::Local(local) => cx.local(*local),
            Expr::Option(option) => Value::Int(self.options.get(option.ix()).copied().unwrap_or(0)),
            Expr::Zone(zone, of) => Value::Set(self.zone(pos, cx, zone.ix(), *of)),
            Expr::Ranks(a, b) => Value::Set(self.band(pos, cx, (*a, *b), false)),
            Expr::Files(a, b) => Value::Set(self.band(pos, cx, (*a, *b), true)),
            Expr::SidePieces(side) => {
                Value::Set(self.side(pos, cx, *side).map_or(Bits::EMPTY, |side| pos.plane(rules.side_plane(side))))
            }
            Expr::KindPieces(kind) => {
                let kind = usize::try_from(self.int(pos, cx, *kind)).ok().filter(|&kind| kind < rules.kinds.len());
                Value::Set(kind.map_or(Bits::EMPTY, |kind| pos.plane(rules.kind_plane(kind))))
            }
            Expr::TraitPieces(wanted) => {
                let kinds = rules.kinds.iter().enumerate().filter(|(_, kind)| kind.traits.contains(wanted));
                Value::Set(kinds.fold(Bits::EMPTY, |set, (kind, _)| set.or(pos.plane(rules.kind_plane(kind)))))
            }
            Expr::Single(place) => Value::Set(self.place(pos, cx, *place).map_or(Bits::EMPTY, Bits::one)),
            Expr::Plane(plane) => Value::Set(pos.plane(*plane)),
            Expr::Slot(slot) => Value::Int(pos.slot(*slot)),
            Expr::SlotOf(slot, side) => {
                Value::Int(self.side(pos, cx, *side).map_or(0, |side| pos.slot(slot.plus(side))))
            }
            Expr::Counter(counter, place) => {
                Value::Int(self.place(pos, cx, *place).map_or(0, |place| self.counter(pos, counter.ix(), place)))
            }
            Expr::ReserveKinds(reserve, side) => {
                let side = self.side(pos, cx, *side);
                Value::Kinds(side.map_or(0, |side| self.reserve_kinds(pos, reserve.ix(), side)))
            }
            Expr::ReserveCount(reserve, side) => {
                let side = self.side(pos, cx, *side);
                let count =
                    |side| (0..rules.kinds.len()).map(|k| pos.slot(self.reserve_slot(reserve.ix(), side, k))).sum();
                Value::Int(side.map_or(0, count))
            }
            Expr::SpanOwner(span) => Value::Int(pos.slot(rules.spans[span.ix()].owner)),
            Expr::Me => Value::Int(cx.me),
            Expr::Winner => Value::Int(if pos.slot(Fixed::DECIDED) == 1 { pos.slot(Fixed::WINNER) } else { -1 }),
            Expr::Seen(id) => Value::Int(self.seen(pos, cx, *id)),
            Expr::Kinds(kinds) => Value::Kinds(*kinds),
            Expr::Opponent(side) => {
                let next = |side: usize| i32::try_from((side + 1) % rules.sides.len()).unwrap_or(-1);
                Value::Int(self.side(pos, cx, *side).map_or(-1, next))
            }
            Expr::SetAnd(a, b) => {
                let a = self.set(pos, cx, *a);
                Value::Set(if a.is_empty() { a } else { a.and(self.set(pos, cx, *b)) })
            }
            Expr::SetOr(a, b) => Value::Set(self.set(pos, cx, *a).or(self.set(pos, cx, *b))),
            Expr::SetNot(a) => Value::Set(self.all.minus(self.set(pos, cx, *a))),
            Expr::And(a, b) => truth(self.test(pos, cx, *a) && self.test(pos, cx, *b)),
            Expr::Or(a, b) => truth(self.test(pos, cx, *a) || self.test(pos, cx, *b)),
            Expr::Not(a) => truth(!self.test(pos, cx, *a)),
            Expr::InSet(place, set) => {
                let place = self.place(pos, cx, *place);
                truth(place.is_some_and(|place| self.set(pos, cx, *set).has(place)))
            }
            Expr::InKinds(kind, kinds) => {
                let kind = u32::try_from(self.int(pos, cx, *kind)).ok();
                let kinds = self.kinds(pos, cx, *kinds);
                truth(kind.is_some_and(|kind| kinds.checked_shr(kind).unwrap_or(0) & 1 == 1))
            }
            Expr::Some(set) => truth(match self.eval(pos, cx, *set) {
                Value::Set(set) => !set.is_empty(),
                Value::Kinds(kinds) => kinds != 0,
                Value::Int(value) => value >= 0,
            }),
            Expr::Count(set) => Value::Int(match self.eval(pos, cx, *set) {
                Value::Set(set) => i32::try_from(set.len()).unwrap_or(i32::MAX),
                Value::Kinds(kinds) => i32::try_from(kinds.count_ones()).unwrap_or(i32::MAX),
                Value::Int(_) => 0,
            }),
            Expr::Cmp(cmp, a, b) => {
                let (a, b) = (self.int(pos, cx, *a), self.int(pos, cx, *b));
                truth(cmp.holds(a, b))
            }
            Expr::Arith(op, a, b) => {
                let (a, b) = (self.int(pos, cx, *a), self.int(pos, cx, *b));
                Value::Int(op.of(a, b))
            }
            Expr::If(test, then, otherwise) => {
                let branch = if self.test(pos, cx, *test) { *then } else { *otherwise };
                self.eval(pos, cx, branch)
            }
            Expr::Let(local, value, body) => {
                let value = self.eval(pos, cx, *value);
                cx.bind(*local, value);
                self.eval(pos, cx, *body)
            }
            Expr::Those(local, domain, test) => {
                let mut kept = Bits::EMPTY;
                for place in self.set(pos, cx, *domain).iter() {
                    cx.bind(*local, int(place));
                    if self.test(pos, cx, *test) {
                        kept.insert(place);
                    }
                }
                Value::Set(kept)
            }
            Expr::The(local, domain, keys) => {
                let mut best: Option<(Vec<i32>, usize)> = None;
                for place in self.set(pos, cx, *domain).iter() {
                    cx.bind(*local, int(place));
                    let key: Vec<i32> = keys.iter().map(|key| self.int(pos, cx, *key)).collect();
                    if best.as_ref().is_none_or(|(least, _)| key < *least) {
                        best = Some((key, place));
                    }
                }
                best.map_or(Value::Int(-1), |(_, place)| int(place))
            }
            Expr::Path(path, from, through) => {
                let from = self.place(pos, cx, *from);
                let through = match through {
                    Some(set) => self.set(pos, cx, *set),
                    None => self.grid.minus(self.occupied(pos)),
                };
                let Some(from) = from else {
                    return Value::Set(Bits::EMPTY);
                };
                let legs = &rules.paths[path.ix()];
                // One leg walks a few lines; with more, every place may be an end of the leg before.
                let work = if legs.len() > 1 { 64 * rules.board.places() * legs.len() } else { 8 };
                cx.steps = cx.steps.saturating_add(work as u64);
                let facing = self.facing(pos, cx, from);
                Value::Set(rules.board.path(&rules.paths[path.ix()], from, through, facing))
            }
            Expr::Geometry(geo, branch, place) => {
                let place = self.place(pos, cx, *place);
                Value::Set(place.map_or(Bits::EMPTY, |place| self.geometry(pos, cx, *geo, *branch, place)))
            }
            Expr::Plugin(function, args) => self.plugin(pos, cx, id, *function, args),
            Expr::Between(a, b) => {
                let (a, b) = (self.place(pos, cx, *a), self.place(pos, cx, *b));
                Value::Set(a.zip(b).map_or(Bits::EMPTY, |(a, b)| rules.board.between(a, b)))
            }
            Expr::Distance(a, b) => {
                let (a, b) = (self.place(pos, cx, *a), self.place(pos, cx, *b));
                Value::Int(a.zip(b).map_or(i32::MAX, |(a, b)| rules.board.distance(a, b)))
            }
            Expr::InFront(a, b) => {
                let (a, b) = (self.place(pos, cx, *a), self.place(pos, cx, *b));
                Value::Set(a.zip(b).map_or(Bits::EMPTY, |(a, b)| rules.board.in_front(a, b)))
            }
            Expr::Near(set, reach) => {
                let (set, reach) = (self.set(pos, cx, *set), self.int(pos, cx, *reach));
                cx.steps += rules.board.places() as u64 * u64::from(set.len());
                Value::Set(rules.board.near(set, reach))
            }
            Expr::KindAt(place) => {
                let place = self.int(pos, cx, *place);
                Value::Int(self.kind_at(pos, place).and_then(|k| i32::try_from(k).ok()).unwrap_or(-1))
            }
            Expr::OwnerAt(place) => {
                let place = self.int(pos, cx, *place);
                Value::Int(self.owner_at(pos, place).and_then(|s| i32::try_from(s).ok()).unwrap_or(-1))
            }
            Expr::RankAt(place) => {
                Value::Int(self.place(pos, cx, *place).map_or(0, |place| rules.board.coords(place).1 + 1))
            }
            Expr::Recalled(recall) => Value::Int(cx.recalled.get(recall.ix()).copied().unwrap_or(-1)),
            Expr::FileAt(place) => {
                Value::Int(self.place(pos, cx, *place).map_or(0, |place| rules.board.coords(place).0 + 1))
            }
        }
    }

    /// How often a history has seen the position.
    fn seen(&self, pos: &Position<N>, cx: &mut Cx<N>, id: HistoryId) -> i32 {
        let Some(def) = self.rules.histories.get(id.ix()) else {
            return 0;
        };
        let key = key(def, pos);
        let now = cx.seen.iter().filter(|seen| **seen == (id, key)).count();
        let before = cx.history.map_or(0, |history| history.count(id, key));
        cx.steps = cx.steps.saturating_add(cx.history.map_or(0, |history| history.len() as u64 / 8));
        i32::try_from(now + before).unwrap_or(i32::MAX)
    }

    fn zone(&self, pos: &Position<N>, cx: &mut Cx<N>, zone: usize, of: ZoneOf) -> Bits<N> {
        // INVARIANT: a zone reads only zones before it (checked by the compiler), so those are filled.
        let Some(table) = self.zones.get(zone) else {
            return Bits::EMPTY;
        };
        match of {
            ZoneOf::All => table.all,
            ZoneOf::Written => table.written,
            ZoneOf::Side(side) => {
                self.side(pos, cx, side).and_then(|side| table.sides.get(side).copied()).unwrap_or_default()
            }
        }
    }

    fn band(&self, pos: &Position<N>, cx: &mut Cx<N>, (a, b): (ExprId, ExprId), files: bool) -> Bits<N> {
        let (low, high) = (self.int(pos, cx, a), self.int(pos, cx, b));
        let mut set = Bits::EMPTY;
        for place in self.grid.iter() {
            let (file, rank) = self.rules.board.coords(place);
            let index = if files { file } else { rank } + 1;
            if (low..=high).contains(&index) {
                set.insert(place);
            }
        }
        set
    }

    fn facing(&self, pos: &Position<N>, cx: &Cx<N>, from: usize) -> Facing {
        let owner = i32::try_from(from).ok().and_then(|from| self.owner_at(pos, from));
        let side = owner.or_else(|| usize::try_from(cx.me).ok());
        side.and_then(|side| self.rules.sides.get(side)).map_or(Facing::North, |side| side.facing)
    }

    fn geometry(&self, pos: &Position<N>, cx: &mut Cx<N>, geo: GeoId, branch: Option<u16>, place: usize) -> Bits<N> {
        let Some(kind) = i32::try_from(place).ok().and_then(|p| self.kind_at(pos, p)) else {
            return Bits::EMPTY;
        };
        let rules = &*self.rules;
        let outer = cx.above(rules.shared_locals);
        let mut before = Bits::EMPTY;
        let mut found = Bits::EMPTY;
        // A branch of another kind may carry the label too: labels are matched by their number over all kinds.
        let wanted = branch.and_then(|b| rules.branch_labels.get(usize::from(b)));
        for branch in &rules.kinds[kind].geometry[geo.ix()] {
            cx.bind(branch.it, int(place));
            let open = branch.guard.is_none_or(|guard| self.test(pos, cx, guard));
            let squares = if open { self.set(pos, cx, branch.value) } else { Bits::EMPTY };
            if wanted.is_none() || branch.label.as_ref() == wanted {
                found = found.or(squares.minus(before));
            }
            before = before.or(squares);
        }
        cx.back(outer);
        found
    }

    fn plugin(&self, pos: &Position<N>, cx: &mut Cx<N>, id: ExprId, function: u16, args: &[ExprId]) -> Value<N> {
        let Some(def) = self.rules.plugin_fns.get(usize::from(function)) else {
            return Value::Int(-1);
        };
        let mut values = Vec::with_capacity(args.len());
        for (&arg, ty) in args.iter().zip(&def.signature.params) {
            let value = self.eval(pos, cx, arg);
            values.push(outgoing(value, *ty));
        }
        // A call may burn its own fuel, a million units, before it fails.
        cx.spend(PLUGIN_STEPS, self.rules.expr_origins[id.ix()]);
        if cx.failed() {
            return Value::Int(-1);
        }
        match self.host.call(HostFnId(function), &values) {
            Ok(HostValue::Square(place)) => Value::Int(place.map_or(-1, i32::from)),
            Ok(HostValue::Squares(words)) => Value::Set(Bits::narrow(&words).and(self.all)),
            Ok(HostValue::Side(value) | HostValue::Kind(value)) => Value::Int(i32::from(value)),
            Ok(HostValue::Number(value)) => Value::Int(value),
            Ok(HostValue::Test(value)) => Value::Int(i32::from(value)),
            Err(fault) => {
                cx.fail(fault.code, fault.text, self.rules.expr_origins[id.ix()]);
                Value::Int(-1)
            }
        }
    }
}

fn outgoing<const N: usize>(value: Value<N>, ty: HostType) -> HostValue {
    let scalar = if let Value::Int(scalar) = value { scalar } else { -1 };
    match ty {
        HostType::Square => HostValue::Square(u16::try_from(scalar).ok()),
        HostType::Squares => HostValue::Squares(if let Value::Set(set) = value { set.widen() } else { [0; 8] }),
        HostType::Side => HostValue::Side(u8::try_from(scalar).unwrap_or(u8::MAX)),
        HostType::Kind => HostValue::Kind(u8::try_from(scalar).unwrap_or(u8::MAX)),
        HostType::Number => HostValue::Number(scalar),
        HostType::Test => HostValue::Test(scalar == 1),
    }
}

fn truth<const N: usize>(value: bool) -> Value<N> {
    Value::Int(i32::from(value))
}

/// A place as a value.
#[must_use]
pub fn int<const N: usize>(place: usize) -> Value<N> {
    Value::Int(i32::try_from(place).unwrap_or(-1))
}
