//! The loop: one arm for each operation.

use std::mem::discriminant;

use super::machine::{Happened, Machine, Memory, Past};
use super::op::Op;
use super::play::Group;
use super::{Arg, Entry};
use crate::bits::Bits;
use crate::board::Facing;
use crate::history::key;
use crate::hostcall::{HostFnId, HostType, HostValue};
use crate::ir::{Fixed, Plane, ReserveId, Slot, SlotTy};
use crate::position::Position;
use crate::walk::eval::PLUGIN_STEPS;

impl<const N: usize> Machine<N> {
    #[inline]
    fn place(&self, value: i32) -> Option<usize> {
        usize::try_from(value).ok().filter(|&place| place < self.game.rules.board.places())
    }

    #[inline]
    fn side(&self, value: i32) -> Option<usize> {
        usize::try_from(value).ok().filter(|&side| side < self.game.rules.sides.len())
    }

    #[inline]
    pub(super) fn occupied(&self, pos: &Position<N>) -> Bits<N> {
        (0..self.game.rules.sides.len()).fold(Bits::EMPTY, |all, side| all.or(pos.plane_at(side)))
    }

    #[inline]
    fn kind_at(&self, pos: &Position<N>, place: i32) -> Option<usize> {
        let place = usize::try_from(place).ok()?;
        let first = self.game.rules.sides.len();
        (0..self.game.rules.kinds.len()).find(|&kind| pos.plane_at(first + kind).has(place))
    }

    #[inline]
    fn owner_at(&self, pos: &Position<N>, place: i32) -> Option<usize> {
        let place = usize::try_from(place).ok()?;
        (0..self.game.rules.sides.len()).find(|&side| pos.plane_at(side).has(place))
    }

    /// Runs code to its end, and counts its operations if they are to be counted.
    pub(super) fn run(&self, pos: &mut Position<N>, m: &mut Memory<N>, past: Past<'_>, entry: Entry) -> bool {
        if m.operations.is_some() {
            self.run_as::<true>(pos, m, past, entry)
        } else {
            self.run_as::<false>(pos, m, past, entry)
        }
    }

    /// Runs code to its end. `false`: it gave up, and the walker is to be asked; the position is of no use then.
    #[expect(clippy::too_many_lines, reason = "the dispatch table of operations: one short arm for each")]
    fn run_as<const COUNT: bool>(
        &self,
        pos: &mut Position<N>,
        m: &mut Memory<N>,
        past: Past<'_>,
        entry: Entry,
    ) -> bool {
        let rules = &*self.game.rules;
        let code = self.program.code.as_slice();
        let mut at = entry as usize;
        macro_rules! int {
            ($r:expr) => {
                m.ints[usize::from($r)]
            };
        }
        macro_rules! set {
            ($r:expr) => {
                m.sets[usize::from($r)]
            };
        }
        macro_rules! jump {
            ($test:expr, $to:expr) => {
                if $test {
                    at = $to as usize;
                    continue;
                }
            };
        }
        macro_rules! index {
            ($value:expr) => {
                match i32::try_from($value) {
                    Ok(value) => value,
                    Err(_) => return false,
                }
            };
        }
        while let Some(&op) = code.get(at) {
            if COUNT && let Some(operations) = &mut m.operations {
                operations.entry(discriminant(&op)).or_insert((op, 0)).1 += 1;
            }
            match op {
                Op::End => return true,
                Op::Give | Op::Nobody => return false,
                Op::Passed => m.passed = true,
                Op::Jump(to) => {
                    if (to as usize) <= at {
                        if m.fuel == 0 {
                            return false;
                        }
                        m.fuel -= 1;
                    }
                    at = to as usize;
                    continue;
                }
                Op::Fuel(cost) => {
                    let Some(left) = m.fuel.checked_sub(u64::from(cost)) else { return false };
                    m.fuel = left;
                }
                Op::IfEmpty { s, to } => jump!(set!(s).is_empty(), to),
                Op::IfSome { s, to } => jump!(!set!(s).is_empty(), to),
                Op::IfIn { a, s, to } => jump!(usize::try_from(int!(a)).is_ok_and(|a| set!(s).has(a)), to),
                Op::IfOut { a, s, to } => jump!(!usize::try_from(int!(a)).is_ok_and(|a| set!(s).has(a)), to),
                Op::IfCmp { cmp, a, b, to } => jump!(cmp.holds(int!(a), int!(b)), to),
                Op::IfCmpConst { cmp, a, k, to } => jump!(cmp.holds(int!(a), k), to),
                Op::Switch { a, table } => {
                    let table = &self.program.switches[usize::from(table)];
                    let kind = self.kind_at(pos, int!(a)).unwrap_or(rules.kinds.len());
                    at = table[kind] as usize;
                    continue;
                }
                Op::Next { d, s, to } => match set!(s).lowest() {
                    Some(place) => {
                        if m.fuel == 0 {
                            return false;
                        }
                        m.fuel -= 1;
                        set!(s).remove(place);
                        int!(d) = index!(place);
                    }
                    None => jump!(true, to),
                },

                Op::Int { d, k } => int!(d) = k,
                Op::Copy { d, a } => int!(d) = int!(a),
                Op::Slot { d, slot } => int!(d) = pos.slot_at(usize::from(slot)),
                Op::SlotOf { d, slot, a } => {
                    int!(d) = self.side(int!(a)).map_or(0, |side| pos.slot_at(usize::from(slot) + side));
                }
                Op::Me { d } => int!(d) = m.me,
                Op::Winner { d } => {
                    int!(d) = if pos.slot(Fixed::DECIDED) == 1 { pos.slot(Fixed::WINNER) } else { -1 };
                }
                Op::Seen { d, history } => int!(d) = self.seen(pos, m, past, history),
                Op::Opponent { d, a } => {
                    int!(d) = self.side(int!(a)).map_or(-1, |side| index((side + 1) % rules.sides.len()));
                }
                Op::Arith { op, d, a, b } => int!(d) = op.of(int!(a), int!(b)),
                Op::Count { d, s } => int!(d) = index!(set!(s).len()),
                Op::KindAt { d, a } => int!(d) = self.kind_at(pos, int!(a)).map_or(-1, index),
                Op::OwnerAt { d, a } => int!(d) = self.owner_at(pos, int!(a)).map_or(-1, index),
                Op::RankAt { d, a } => int!(d) = self.place(int!(a)).map_or(0, |p| rules.board.coords(p).1 + 1),
                Op::FileAt { d, a } => int!(d) = self.place(int!(a)).map_or(0, |p| rules.board.coords(p).0 + 1),
                Op::Distance { d, a, b } => {
                    let places = self.place(int!(a)).zip(self.place(int!(b)));
                    int!(d) = places.map_or(i32::MAX, |(a, b)| rules.board.distance(a, b));
                }
                Op::Counter { d, counter, a } => {
                    int!(d) = self.place(int!(a)).map_or(0, |p| self.game.counter(pos, usize::from(counter), p));
                }
                Op::ReserveCount { d, reserve, a } => {
                    let count = |side: usize| {
                        let slots = (0..rules.kinds.len())
                            .map(|kind| pos.slot(self.game.reserve_slot(usize::from(reserve), side, kind)));
                        slots.sum()
                    };
                    int!(d) = self.side(int!(a)).map_or(0, count);
                }

                Op::Set { d, k } => set!(d) = self.sets[usize::from(k)],
                Op::CopySet { d, s } => set!(d) = set!(s),
                Op::Plane { d, plane } => set!(d) = pos.plane_at(usize::from(plane)),
                Op::Occupied { d } => set!(d) = self.occupied(pos),
                Op::Empty { d } => set!(d) = self.game.grid.minus(self.occupied(pos)),
                Op::SideSet { d, a } => {
                    set!(d) = self.side(int!(a)).map_or(Bits::EMPTY, |side| pos.plane_at(side));
                }
                Op::KindSet { d, a } => {
                    let kind = usize::try_from(int!(a)).ok().filter(|&kind| kind < rules.kinds.len());
                    set!(d) = kind.map_or(Bits::EMPTY, |kind| pos.plane_at(rules.sides.len() + kind));
                }
                Op::One { d, a } => set!(d) = self.place(int!(a)).map_or(Bits::EMPTY, Bits::one),
                Op::And { d, s, t } => set!(d) = set!(s).and(set!(t)),
                Op::Or { d, s, t } => set!(d) = set!(s).or(set!(t)),
                Op::Minus { d, s, t } => set!(d) = set!(s).minus(set!(t)),
                Op::Not { d, s } => set!(d) = self.game.all.minus(set!(s)),
                Op::Insert { d, a } => {
                    if let Ok(place) = usize::try_from(int!(a)) {
                        set!(d).insert(place);
                    }
                }
                Op::ZoneOf { d, zone, a } => {
                    let table = &self.game.zones[usize::from(zone)];
                    set!(d) = self.side(int!(a)).and_then(|side| table.sides.get(side).copied()).unwrap_or_default();
                }
                Op::Ranks { d, a, b } => set!(d) = self.band(int!(a), int!(b), false),
                Op::Files { d, a, b } => set!(d) = self.band(int!(a), int!(b), true),
                Op::Path { d, path, a, t, facing } => {
                    set!(d) = match self.place(int!(a)) {
                        None => Bits::EMPTY,
                        Some(place) => {
                            let facing = match facing {
                                255 => {
                                    let owner = self.owner_at(pos, int!(a)).or_else(|| self.side(m.me));
                                    owner.map_or(Facing::North, |side| rules.sides[side].facing)
                                }
                                0 => Facing::North,
                                _ => Facing::South,
                            };
                            self.paths[usize::from(path)].from(&rules.board, place, set!(t), facing)
                        }
                    };
                }
                Op::Between { d, a, b } => {
                    let places = self.place(int!(a)).zip(self.place(int!(b)));
                    set!(d) = places.map_or(Bits::EMPTY, |(a, b)| rules.board.between(a, b));
                }
                Op::InFront { d, a, b } => {
                    let places = self.place(int!(a)).zip(self.place(int!(b)));
                    set!(d) = places.map_or(Bits::EMPTY, |(a, b)| rules.board.in_front(a, b));
                }
                Op::Near { d, s, a } => set!(d) = rules.board.near(set!(s), int!(a)),
                Op::ReserveKinds { d, reserve, a } => {
                    let kinds =
                        self.side(int!(a)).map_or(0, |side| self.game.reserve_kinds(pos, usize::from(reserve), side));
                    let mut set = Bits::EMPTY;
                    set.0[0] = kinds;
                    set!(d) = set;
                }
                Op::Plugin { d, function, args } => {
                    if !self.plugin(m, d, function, args) {
                        return false;
                    }
                }

                Op::Move { a, b } => {
                    let (Some(from), Some(to)) = (self.place(int!(a)), self.place(int!(b))) else { return false };
                    if !self.move_piece(pos, from, to) {
                        return false;
                    }
                }
                Op::Gather { a, b } => {
                    let (Some(from), Some(to)) = (self.place(int!(a)), self.place(int!(b))) else { return false };
                    m.gathered.push((from, to));
                }
                Op::MoveGathered => {
                    let moves = std::mem::take(&mut m.gathered);
                    let moved = self.move_all(pos, &moves);
                    m.gathered = moves;
                    m.gathered.clear();
                    if !moved {
                        return false;
                    }
                }
                Op::Put { a, b, c } => {
                    let kind = usize::try_from(int!(a)).ok().filter(|&kind| kind < rules.kinds.len());
                    let (Some(kind), Some(side), Some(on)) = (kind, self.side(int!(b)), self.place(int!(c))) else {
                        return false;
                    };
                    if self.occupied(pos).has(on) {
                        return false;
                    }
                    pos.set_bit(rules.side_plane(side), on, true);
                    pos.set_bit(rules.kind_plane(kind), on, true);
                }
                Op::Remove { a } => {
                    let Some(place) = self.place(int!(a)).filter(|&place| self.occupied(pos).has(place)) else {
                        return false;
                    };
                    for &plane in &self.game.travelling {
                        pos.set_bit(plane, place, false);
                    }
                    for &slot in &self.game.piece_slots {
                        if usize::try_from(pos.slot(slot)) == Ok(place) {
                            pos.set_slot(slot, -1);
                        }
                    }
                }
                Op::Mark { plane, s } => {
                    let plane = Plane(u32::from(plane));
                    let new = pos.plane(plane).or(set!(s).and(self.occupied(pos)));
                    pos.set_plane(plane, new);
                }
                Op::Unmark { plane, s } => {
                    let plane = Plane(u32::from(plane));
                    pos.set_plane(plane, pos.plane(plane).minus(set!(s)));
                }
                Op::SetPlane { plane, s } => pos.set_plane(Plane(u32::from(plane)), set!(s)),
                Op::SetSlot { slot, a } => self.store(pos, usize::from(slot), int!(a)),
                Op::AddSlot { slot, a } => {
                    let value = pos.slot_at(usize::from(slot)).saturating_add(int!(a));
                    self.store(pos, usize::from(slot), value);
                }
                Op::TakeSlot { slot, a } => {
                    let value = pos.slot_at(usize::from(slot)).saturating_add(int!(a).saturating_neg());
                    self.store(pos, usize::from(slot), value);
                }
                Op::SetSlotOf { slot, b, a } => {
                    let Some(side) = self.side(int!(b)) else { return false };
                    self.store(pos, usize::from(slot) + side, int!(a));
                }
                Op::AddSlotOf { slot, b, a } => {
                    let Some(side) = self.side(int!(b)) else { return false };
                    let slot = usize::from(slot) + side;
                    self.store(pos, slot, pos.slot_at(slot).saturating_add(int!(a)));
                }
                Op::TakeSlotOf { slot, b, a } => {
                    let Some(side) = self.side(int!(b)) else { return false };
                    let slot = usize::from(slot) + side;
                    self.store(pos, slot, pos.slot_at(slot).saturating_add(int!(a).saturating_neg()));
                }
                Op::SetCounter { counter, a, b } => {
                    if let Some(place) = self.place(int!(a)).filter(|&place| self.occupied(pos).has(place)) {
                        self.game.set_counter(pos, usize::from(counter), place, int!(b));
                    }
                }
                Op::Give1 { reserve, a, b } => {
                    if !self.reserve(pos, reserve, int!(a), int!(b), 1) {
                        return false;
                    }
                }
                Op::Take1 { reserve, a, b } => {
                    if !self.reserve(pos, reserve, int!(a), int!(b), -1) {
                        return false;
                    }
                }
                Op::Tick { clock, quiet } => {
                    let slot = rules.clocks[usize::from(clock)].slot;
                    let left = pos.slot(slot);
                    if left > 0 {
                        pos.set_slot(slot, left - 1);
                        if left == 1 && !quiet && !self.clocks[usize::from(clock)].is_empty() {
                            m.waiting.happened.push_back((Happened::RanOut(usize::from(clock)), 0, 0));
                        }
                    }
                }
                Op::Report { event, args } => {
                    let event = usize::from(event);
                    if !self.events[event].is_empty() {
                        let start = m.waiting.values.len();
                        for arg in &self.program.args[usize::from(args)] {
                            if let Some(reg) = arg.int() {
                                m.waiting.values.push(m.ints[usize::from(reg)]);
                            }
                        }
                        let count = m.waiting.values.len() - start;
                        m.waiting.happened.push_back((Happened::Event(event), start, count));
                    }
                }
                Op::Begin { span, a } => {
                    let span = usize::from(span);
                    let side = int!(a);
                    m.waiting.begins.retain(|(other, _)| *other != span);
                    m.waiting.begins.push((span, side));
                }
                Op::EndSpan { span } => m.waiting.ends |= 1 << span,
                Op::Go { phase } => m.waiting.go = Some(usize::from(phase)),
                Op::Win { a } => decide(pos, int!(a), m.author, false),
                Op::Award { a } => decide(pos, int!(a), m.author, true),
                Op::Draw => decide(pos, -1, m.author, false),

                Op::Save { k } => m.saved[usize::from(k)].copy_from(pos, self.planes, self.slots),
                Op::Restore { k } => pos.copy_from(&m.saved[usize::from(k)], self.planes, self.slots),
                Op::Group { action, prefix, s } => {
                    let set = set!(s);
                    if !set.is_empty() {
                        let mut aims = [0; 3];
                        let regs = &self.program.prefixes[usize::from(prefix)];
                        for (aim, &reg) in aims.iter_mut().zip(regs) {
                            *aim = m.ints[usize::from(reg)];
                        }
                        let prefix = u8::try_from(regs.len()).unwrap_or(0);
                        m.groups.push(Group { action, prefix, aims, last: Some(set) });
                        if m.one_suffices {
                            m.enough = true;
                            return true;
                        }
                    }
                }
                Op::Enough => {
                    if m.one_suffices {
                        m.enough = true;
                        return true;
                    }
                }
                Op::Single { action } => m.groups.push(Group { action, prefix: 0, aims: [0; 3], last: None }),
            }
            at += 1;
        }
        false
    }

    fn seen(&self, pos: &Position<N>, m: &Memory<N>, past: Past<'_>, history: u16) -> i32 {
        let Some(def) = self.game.rules.histories.get(usize::from(history)) else { return 0 };
        let id = crate::ir::HistoryId(u32::from(history));
        let key = key(def, pos);
        let now = m.seen.iter().filter(|seen| **seen == (id, key)).count();
        let before = past.map_or(0, |history| history.count(id, key));
        i32::try_from(now + before).unwrap_or(i32::MAX)
    }

    /// Places of some ranks or files.
    pub(crate) fn band(&self, low: i32, high: i32, files: bool) -> Bits<N> {
        let mut set = Bits::EMPTY;
        for place in self.game.grid.iter() {
            let (file, rank) = self.game.rules.board.coords(place);
            if (low..=high).contains(&(if files { file } else { rank } + 1)) {
                set.insert(place);
            }
        }
        set
    }

    fn plugin(&self, m: &mut Memory<N>, d: u8, function: u16, args: u16) -> bool {
        let Some(def) = self.game.rules.plugin_fns.get(usize::from(function)) else { return false };
        let Some(left) = m.fuel.checked_sub(PLUGIN_STEPS) else { return false };
        m.fuel = left;
        let args = &self.program.args[usize::from(args)];
        m.memo.ask(function);
        for arg in args {
            match arg {
                Arg::Int(reg) => m.memo.with([u64::from(m.ints[usize::from(*reg)].cast_unsigned())]),
                Arg::Set(reg) => m.memo.with(m.sets[usize::from(*reg)].0),
            }
        }
        let known = m.memo.answer().filter(|_| !self.program.without.remembering);
        let answer = if let Some(answer) = known {
            answer
        } else {
            let values: Vec<HostValue> =
                args.iter().zip(&def.signature.params).map(|(arg, ty)| m.host_value(arg, *ty)).collect();
            let Ok(answer) = self.game.host.call(HostFnId(function), &values) else { return false };
            m.memo.learn(answer);
            answer
        };
        let d = usize::from(d);
        match answer {
            HostValue::Squares(words) => m.sets[d] = Bits::narrow(&words).and(self.game.all),
            HostValue::Square(place) => m.ints[d] = place.map_or(-1, i32::from),
            HostValue::Side(value) | HostValue::Kind(value) => m.ints[d] = i32::from(value),
            HostValue::Number(value) => m.ints[d] = value,
            HostValue::Test(value) => m.ints[d] = i32::from(value),
        }
        true
    }

    fn move_piece(&self, pos: &mut Position<N>, from: usize, to: usize) -> bool {
        let occupied = self.occupied(pos);
        if !occupied.has(from) {
            return false;
        }
        if from == to {
            return true;
        }
        if occupied.has(to) {
            return false;
        }
        for &plane in &self.game.travelling {
            if pos.plane_at(plane.ix()).has(from) {
                pos.set_bit(plane, from, false);
                pos.set_bit(plane, to, true);
            }
        }
        for &slot in &self.game.piece_slots {
            if usize::try_from(pos.slot(slot)) == Ok(from) {
                pos.set_slot(slot, index(to));
            }
        }
        true
    }

    fn move_all(&self, pos: &mut Position<N>, moves: &[(usize, usize)]) -> bool {
        let mut after = self.occupied(pos);
        for &(from, _) in moves {
            if !after.has(from) {
                return false;
            }
            after.remove(from);
        }
        for &(_, to) in moves {
            if after.has(to) {
                return false;
            }
            after.insert(to);
        }
        for &plane in &self.game.travelling {
            let old = pos.plane(plane);
            let mut new = old;
            moves.iter().for_each(|&(from, _)| new.remove(from));
            moves.iter().filter(|(from, _)| old.has(*from)).for_each(|&(_, to)| new.insert(to));
            pos.set_plane(plane, new);
        }
        for &slot in &self.game.piece_slots {
            let at = usize::try_from(pos.slot(slot)).ok();
            if let Some((_, to)) = moves.iter().find(|(from, _)| Some(*from) == at) {
                pos.set_slot(slot, index(*to));
            }
        }
        true
    }

    fn store(&self, pos: &mut Position<N>, slot: usize, value: i32) {
        let value = match self.game.rules.slots[slot].ty {
            SlotTy::Number(range) => value.clamp(range.low, range.high),
            SlotTy::Piece if !usize::try_from(value).is_ok_and(|place| self.occupied(pos).has(place)) => -1,
            SlotTy::Piece | SlotTy::Test | SlotTy::Side | SlotTy::Kind | SlotTy::Square => value,
        };
        pos.set_slot(Slot(u32::try_from(slot).unwrap_or(0)), value);
    }

    fn reserve(&self, pos: &mut Position<N>, reserve: u16, side: i32, kind: i32, more: i32) -> bool {
        let kind = usize::try_from(kind).ok().filter(|&kind| kind < self.game.rules.kinds.len());
        let (Some(side), Some(kind)) = (self.side(side), kind) else { return false };
        let slot = self.game.reserve_slot(ReserveId(u32::from(reserve)).ix(), side, kind);
        let count = pos.slot(slot).saturating_add(more);
        let most = match self.game.rules.slots[slot.ix()].ty {
            SlotTy::Number(range) => range.high,
            _ => i32::MAX,
        };
        if count < 0 || count > most {
            return false;
        }
        pos.set_slot(slot, count);
        true
    }
}

fn decide<const N: usize>(pos: &mut Position<N>, side: i32, author: i32, anyhow: bool) {
    if pos.slot(Fixed::DECIDED) == 0 || anyhow {
        pos.set_slot(Fixed::DECIDED, 1);
        pos.set_slot(Fixed::WINNER, side);
        pos.set_slot(Fixed::DECIDER, author);
    }
}

fn index(value: usize) -> i32 {
    i32::try_from(value).unwrap_or(-1)
}

impl<const N: usize> Memory<N> {
    /// An argument as a plugin gets it.
    pub(crate) fn host_value(&self, arg: &Arg, ty: HostType) -> HostValue {
        let int = if let Arg::Int(reg) = arg { self.ints[usize::from(*reg)] } else { -1 };
        match ty {
            HostType::Square => HostValue::Square(u16::try_from(int).ok()),
            HostType::Squares => HostValue::Squares(match arg {
                Arg::Set(reg) => self.sets[usize::from(*reg)].widen(),
                Arg::Int(_) => [0; 8],
            }),
            HostType::Side => HostValue::Side(u8::try_from(int).unwrap_or(u8::MAX)),
            HostType::Kind => HostValue::Kind(u8::try_from(int).unwrap_or(u8::MAX)),
            HostType::Number => HostValue::Number(int),
            HostType::Test => HostValue::Test(int == 1),
        }
    }
}
