//! Paths: where a piece can go, from tables of the board.

use super::asm::{Local, at};
use super::layout::{Layout, OPERANDS};
use super::maker::global;
use super::piece::Piece;
use crate::bits::Bits;
use crate::board::{DIRECTIONS, Facing, Leg};
use crate::program::tables::Shape;
use crate::program::{Op, Reg};

/// The places of a line from each place, in the order of walking.
type Rays = Vec<Vec<usize>>;

/// A part of the lines in one direction: a set for each place, whose places come in rising or in falling order.
struct Part<const N: usize> {
    sets: Vec<Bits<N>>,
    rising: bool,
}

impl<const N: usize> Part<N> {
    /// The part of some places; `None` when they come in no order.
    fn new(rays: impl Iterator<Item = Vec<usize>>) -> Option<Part<N>> {
        let (mut sets, mut up, mut down) = (Vec::new(), true, true);
        for ray in rays {
            up &= ray.is_sorted();
            down &= ray.is_sorted_by(|a, b| a > b);
            let mut set = Bits::EMPTY;
            ray.iter().for_each(|&place| set.insert(place));
            sets.push(set);
        }
        (up || down).then_some(Part { sets, rising: up })
    }

    fn is_empty(&self) -> bool {
        self.sets.iter().all(Bits::is_empty)
    }
}

/// Lines cut into parts that have an order: on the grid, then beyond it. `None` when a line comes back.
fn parts<const N: usize>(rays: &Rays, grid: usize) -> Option<[Part<N>; 2]> {
    let cut = |ray: &Vec<usize>| ray.iter().position(|&place| place >= grid).unwrap_or(ray.len());
    let comes_back = |ray: &Vec<usize>| ray[cut(ray)..].iter().any(|&place| place < grid);
    if rays.iter().any(comes_back) {
        return None;
    }
    let near = Part::new(rays.iter().map(|ray| ray[..cut(ray)].to_vec()))?;
    let far = Part::new(rays.iter().map(|ray| ray[cut(ray)..].to_vec()))?;
    Some([near, far])
}

impl<const N: usize> Piece<'_, '_, N> {
    /// Pushes 1 if the piece on a place looks south, by its owner, else by the side that acts.
    fn facing_at(&mut self, a: Reg) {
        let rules = self.maker.machine.game.rules.clone();
        let owner = self.body.int();
        self.owner_at(a);
        self.body.i().local_tee(owner).global_get(global::ME).local_get(owner).i32_const(-1).i32_gt_s().select();
        self.body.i().local_set(owner);
        self.body.i().i32_const(0);
        for (side, def) in rules.sides.iter().enumerate() {
            if def.facing == Facing::South {
                self.body.i().local_get(owner).i32_const(side as i32).i32_eq().i32_or();
            }
        }
    }

    /// Where a path leads.
    pub(super) fn path(&mut self, d: Reg, path: u16, a: Reg, (t, facing): (Reg, u8)) -> Option<()> {
        let machine = self.maker.machine;
        let table = machine.paths.get(usize::from(path))?;
        if let Shape::Fixed([north, south]) = &table.shape {
            if facing < 2 || north == south {
                let sets = if facing == 1 { south } else { north };
                let table = self.maker.layout.sets(sets.iter().copied())?;
                self.look_up_set(d, table, a, None);
            } else {
                let both = north.iter().copied().chain([Bits::EMPTY]).chain(south.iter().copied());
                let table = self.maker.layout.sets(both)?;
                let beside = self.body.int();
                self.facing_at(a);
                let stride = Layout::<N>::SET as i32 * (north.len() as i32 + 1);
                self.body.i().i32_const(stride).i32_mul().local_set(beside);
                self.look_up_set(d, table, a, Some(beside));
            }
            return Some(());
        }
        let (north, south) = (self.rays(&table.legs, Facing::North), self.rays(&table.legs, Facing::South));
        match (north, south) {
            (Some(north), Some(south)) => {
                let exactly = match table.legs.as_slice() {
                    [Leg::Steps { min: 2.., max, .. }] => Some(*max as usize),
                    _ => None,
                };
                match facing {
                    1 => self.ways(d, &south, a, (t, exactly)),
                    0 => self.ways(d, &north, a, (t, exactly)),
                    _ if north == south => self.ways(d, &north, a, (t, exactly)),
                    _ => {
                        self.facing_at(a);
                        self.body.i().if_(wasm_encoder::BlockType::Empty);
                        self.ways(d, &south, a, (t, exactly))?;
                        self.body.i().else_();
                        self.ways(d, &north, a, (t, exactly))?;
                        self.body.i().end();
                        Some(())
                    }
                }
            }
            _ => {
                let way = self.body.int();
                match facing {
                    255 => self.facing_at(a),
                    known => {
                        self.body.i().i32_const(i32::from(known));
                    }
                }
                self.body.i().local_set(way);
                self.body.store32(OPERANDS + 4, |body| {
                    body.i().local_get(way);
                });
                self.asked(Op::Path { d, path, a, t, facing }, d)
            }
        }
    }

    /// The lines of a path in all its directions; `None` when it does not consist of lines that tables can tell.
    fn rays(&self, legs: &[Leg], facing: Facing) -> Option<Vec<Rays>> {
        let board = &self.maker.machine.game.rules.board;
        let walk = |most: u32, step: &dyn Fn(usize) -> Option<usize>| -> Rays {
            let ray = |place| std::iter::successors(step(place), |&at| step(at)).take(most as usize).collect();
            (0..board.places()).map(ray).collect()
        };
        let all: Vec<Rays> = match legs {
            [Leg::Steps { dirs, min, max, free: false, .. }] if *min == 1 || min == max => {
                let ways = (0..DIRECTIONS.len()).filter(|&way| dirs.contains(way, facing));
                ways.map(|way| walk(*max, &|place| board.step(place, way))).collect()
            }
            [Leg::Ride { ways, min: 1, max }] if ways.iter().all(|way| *way != (0, 0)) => {
                let ahead = if facing == Facing::North { 1 } else { -1 };
                let step = |(files, ranks): (i32, i32)| {
                    move |place| {
                        let (file, rank) = board.coords(place);
                        board.at(file + files, rank + ahead * ranks)
                    }
                };
                ways.iter().map(|&way| walk(*max, &step(way))).collect()
            }
            _ => return None,
        };
        let tells = all.iter().all(|rays| parts::<N>(rays, board.grid()).is_some());
        tells.then_some(all)
    }

    /// Lines in all their directions; `exactly`: only to places so many steps away.
    fn ways(&mut self, d: Reg, all: &[Rays], a: Reg, (t, exactly): (Reg, Option<usize>)) -> Option<()> {
        let out: [Local; N] = std::array::from_fn(|_| self.body.word());
        for &word in &out {
            self.body.i().i64_const(0).local_set(word);
        }
        let address = self.address(a, None);
        let solid: [Local; N] = std::array::from_fn(|_| self.body.word());
        for (word, &local) in solid.iter().enumerate() {
            self.get_set(t, word);
            self.body.i().i64_const(-1).i64_xor().local_set(local);
        }
        for rays in all {
            if let Some(steps) = exactly {
                self.far(out, (rays, steps), address, solid)?;
            } else {
                let parts = parts::<N>(rays, self.maker.machine.game.rules.board.grid())?;
                self.line(out, &parts, address, solid)?;
            }
        }
        self.each_word(d, |piece, word| {
            piece.body.i().local_get(out[word]);
        });
        Some(())
    }

    /// A line in one direction, to what stops it; `solid` are the places that cannot be gone through.
    fn line(&mut self, out: [Local; N], parts: &[Part<N>; 2], address: Local, solid: [Local; N]) -> Option<()> {
        let (ray, stops, free) = (self.body.word(), self.body.word(), self.body.word());
        let mut steps: Vec<(u32, usize, bool)> = Vec::new();
        for part in parts.iter().filter(|part| !part.is_empty()) {
            let table = self.maker.layout.sets(part.sets.iter().copied())?;
            let order: Vec<usize> = if part.rising { (0..N).collect() } else { (0..N).rev().collect() };
            let used = order.into_iter().filter(|&word| part.sets.iter().any(|set| set.0[word] != 0));
            steps.extend(used.map(|word| (table, word, part.rising)));
        }
        // `free` is 1 as long as nothing has stopped the line, then 0.
        let last = steps.len().saturating_sub(1);
        for (number, &(table, word, rising)) in steps.iter().enumerate() {
            let mut i = self.body.i();
            i.local_get(address).i64_load(at(table + 8 * word as u32, 3)).local_tee(ray);
            i.local_get(solid[word]).i64_and().local_set(stops);
            if rising {
                // Up to the lowest stop, everything if there is none, nothing if the line was stopped before.
                i.local_get(stops).local_get(stops);
                if number == 0 {
                    i.i64_const(1)
                } else {
                    i.local_get(free)
                };
                i.i64_sub().i64_xor();
            } else {
                if number == 0 {
                    i.i64_const(-1)
                } else {
                    i.i64_const(0).local_get(free).i64_sub()
                };
                i.i64_const(63).local_get(stops).i64_const(1).i64_or().i64_clz().i64_xor().i64_shl();
            }
            i.local_get(ray).i64_and().local_get(out[word]).i64_or().local_set(out[word]);
            if number < last {
                i.local_get(stops).i64_eqz().i64_extend_i32_u();
                if number > 0 {
                    i.local_get(free).i64_and();
                }
                i.local_set(free);
            }
        }
        Some(())
    }

    /// So many steps in one direction and no fewer.
    fn far(&mut self, out: [Local; N], (rays, steps): (&Rays, usize), address: Local, solid: [Local; N]) -> Option<()> {
        let ends = |ray: &Vec<usize>| match ray.split_last() {
            Some((&last, between)) if ray.len() == steps => {
                let mut set = Bits::EMPTY;
                between.iter().for_each(|&place| set.insert(place));
                (set, Bits::one(last))
            }
            _ => (Bits::EMPTY, Bits::EMPTY),
        };
        let ends: Vec<(Bits<N>, Bits<N>)> = rays.iter().map(ends).collect();
        let between = self.maker.layout.sets(ends.iter().map(|end| end.0))?;
        let last = self.maker.layout.sets(ends.iter().map(|end| end.1))?;
        let free = self.body.word();
        self.body.i().i64_const(0);
        for (word, &local) in (0u32..).zip(&solid) {
            self.body.i().local_get(address).i64_load(at(between + 8 * word, 3)).local_get(local).i64_and().i64_or();
        }
        self.body.i().i64_eqz().i64_extend_i32_u().local_set(free);
        self.body.i().i64_const(0).local_get(free).i64_sub().local_set(free);
        for (word, &part) in (0u32..).zip(&out) {
            self.body.i().local_get(address).i64_load(at(last + 8 * word, 3)).local_get(free).i64_and();
            self.body.i().local_get(part).i64_or().local_set(part);
        }
        Some(())
    }
}
