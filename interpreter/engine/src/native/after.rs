//! What follows an action, as functions: stage for stage what `program::settle` does, with its tables worked out.

use wasm_encoder::BlockType;

use super::asm::{Body, Local, at};
use super::layout::QUEUE_ENTRY;
use super::maker::{Key, Maker, global};
use super::piece::{Context, Gives, Piece};
use crate::ir::{Fixed, SlotTy};
use crate::program::machine::Start;
use crate::program::{Init, Reg};

impl<const N: usize> Maker<'_, N> {
    /// All functions of settling.
    pub(super) fn after(&mut self) -> Option<Vec<(Key, Body)>> {
        let phases = self.machine.game.rules.phases.len();
        let mut made = vec![
            (Key::Latches, self.latches()),
            (Key::React, self.react()?),
            (Key::Close, self.close()?),
            (Key::Count, self.count()?),
            (Key::AskBegin, self.ask_begin()),
            (Key::OpenWaiting, self.open_waiting()),
            (Key::EnterPhase, self.enter_phase()?),
            (Key::Settle, self.settle()?),
            (Key::EndIfDecided, self.end_if_decided()),
            (Key::JudgeLater, self.judge_later()),
        ];
        for span in 0..self.machine.spans.len() {
            made.push((Key::Begin(span), self.begin(span)?));
            made.push((Key::Refresh(span), self.refresh(span)?));
        }
        for phase in 0..phases {
            made.push((Key::Judge(phase), self.judge(phase)?));
        }
        Some(made)
    }

    fn store(&self, body: &mut Body, slot: crate::ir::Slot, value: i32) {
        body.store32(self.layout.slot(slot), |body| {
            body.i().i32_const(value);
        });
    }

    fn decided(&self, body: &mut Body) {
        self.holds(body, Fixed::DECIDED, 1);
    }

    fn latches(&self) -> Body {
        let rules = &self.machine.game.rules;
        let mut body = Body::new(0);
        for (number, latch) in rules.latches.iter().enumerate() {
            self.may_latch(&mut body, number);
            body.when(|body| {
                self.call(body, Key::Latch(number));
                body.i().i32_const(1).i32_eq();
                body.when(|body| self.store(body, latch.slot, 1));
            });
        }
        body
    }

    /// Pushes whether a latch is open and has not been set.
    fn may_latch(&self, body: &mut Body, number: usize) {
        let rules = &self.machine.game.rules;
        let latch = &rules.latches[number];
        self.holds(body, rules.spans[latch.span.ix()].open, 1);
        self.holds(body, latch.slot, 0);
        body.i().i32_and();
    }

    fn latch(&self, body: &mut Body) {
        let count = self.machine.game.rules.latches.len();
        if count == 0 {
            return;
        }
        for number in 0..count {
            self.may_latch(body, number);
            if number > 0 {
                body.i().i32_or();
            }
        }
        body.when(|body| self.call(body, Key::Latches));
    }

    /// Runs rules; `value` pushes the value of that number.
    fn rules(&mut self, mut body: Body, starts: &[Start], value: impl Fn(&mut Body, usize)) -> Option<Body> {
        for start in starts {
            let code = self.machine.program.rules.get(start.rule)?;
            let mut params: Vec<(Reg, Local)> = Vec::new();
            for &(_, reg) in &code.binders {
                let local = body.int();
                match start.values.iter().position(|known| *known == reg) {
                    Some(number) => value(&mut body, number),
                    None => {
                        body.i().i32_const(0);
                    }
                }
                body.i().local_set(local);
                params.push((reg, local));
            }
            let context = Context { author: i32::from(code.rule), picked: 0, gives: Gives::Passed };
            let passed;
            (body, passed) = Piece::within(self, body, (code.entry, context), &params)?;
            if let Some(passed) = passed.filter(|_| !self.machine.game.rules.latches.is_empty()) {
                body.i().local_get(passed);
                body.when(|body| self.latch(body));
            }
        }
        Some(body)
    }

    fn plain_rules(&mut self, body: Body, starts: &[Start]) -> Option<Body> {
        starts.iter().all(|start| start.values.is_empty()).then_some(())?;
        self.rules(body, starts, |_, _| {})
    }

    // Most of the time nothing waits; looking costs less than a call.

    fn react_if(&self, body: &mut Body) {
        if self.machine.events.iter().chain(&self.machine.clocks).any(|starts| !starts.is_empty()) {
            body.i().global_get(global::WAITING);
            body.when(|body| self.call(body, Key::React));
        }
    }

    fn close_if(&self, body: &mut Body) {
        body.i().global_get(global::ENDS).i64_const(0).i64_ne();
        self.decided(body);
        body.i().i32_or();
        body.when(|body| self.call(body, Key::Close));
    }

    fn count_if(&self, body: &mut Body) {
        let counted = self.machine.game.rules.counts.iter().fold(0u64, |mask, count| mask | 1 << count.of.ix());
        if counted != 0 {
            body.i().global_get(global::CLOSED).i64_const(counted.cast_signed()).i64_and().i64_const(0).i64_ne();
            body.when(|body| self.call(body, Key::Count));
        }
    }

    fn open_if(&self, body: &mut Body) {
        body.i().global_get(global::BEGINS);
        body.when(|body| self.call(body, Key::OpenWaiting));
    }

    fn react(&mut self) -> Option<Body> {
        let machine = self.machine;
        let mut body = Body::new(0);
        let (next, entry) = (body.int(), body.int());
        let queue = self.layout.queue;
        body.i().block(BlockType::Empty).loop_(BlockType::Empty);
        body.i().local_get(next).global_get(global::WAITING).i32_ge_u().br_if(1);
        body.i().local_get(next).i32_const(QUEUE_ENTRY as i32).i32_mul().local_set(entry);
        body.i().local_get(next).i32_const(1).i32_add().local_set(next);
        for (kind, starts) in machine.events.iter().chain(&machine.clocks).enumerate() {
            if starts.is_empty() {
                continue;
            }
            body.i().local_get(entry).i32_load(at(queue, 2)).i32_const(kind as i32).i32_eq();
            body.i().if_(BlockType::Empty);
            body = self.rules(body, starts, |body, number| {
                body.i().local_get(entry).i32_load(at(queue + 4 + 4 * number as u32, 2));
            })?;
            body.i().br(1).end();
        }
        body.i().br(0).end().end();
        body.set_global(global::WAITING, 0);
        Some(body)
    }

    fn close(&mut self) -> Option<Body> {
        let machine = self.machine;
        let rules = &machine.game.rules;
        let mut body = Body::new(0);
        body.i().loop_(BlockType::Empty);
        self.decided(&mut body);
        body.when(|body| {
            body.i().global_get(global::ENDS).i64_const(1).i64_or().global_set(global::ENDS);
        });
        body.i().global_get(global::ENDS).i64_eqz();
        body.when(|body| {
            body.i().return_();
        });
        for &span in &machine.innermost {
            let def = &rules.spans[span];
            let around = machine.spans.iter().enumerate().filter(|(_, table)| table.within >> span & 1 == 1);
            let around = around.fold(0u64, |mask, (outer, _)| mask | 1 << outer);
            body.i().global_get(global::ENDS).i64_const(around.cast_signed()).i64_and().i64_const(0).i64_ne();
            self.holds(&mut body, def.open, 1);
            body.i().i32_and().if_(BlockType::Empty);
            body = self.plain_rules(body, &machine.spans[span].ends)?;
            self.react_if(&mut body);
            self.store(&mut body, def.open, 0);
            if span != 0 {
                self.store(&mut body, def.owner, -1);
                self.call(&mut body, Key::Refresh(span));
            }
            let bit = (1u64 << span).cast_signed();
            body.i().global_get(global::CLOSED).i64_const(bit).i64_or().global_set(global::CLOSED).br(1).end();
        }
        body.i().end().i64_const(0).global_set(global::ENDS);
        Some(body)
    }

    fn count(&mut self) -> Option<Body> {
        let machine = self.machine;
        let rules = &machine.game.rules;
        let mut body = Body::new(0);
        for (count, starts) in rules.counts.iter().zip(&machine.counted) {
            let most = if let SlotTy::Number(range) = rules.slots[count.slot.ix()].ty { range.high } else { i32::MAX };
            let address = self.layout.slot(count.slot);
            let bit = (1u64 << count.of.ix()).cast_signed();
            body.i().global_get(global::CLOSED).i64_const(bit).i64_and().i64_const(0).i64_ne().if_(BlockType::Empty);
            body.load32(address);
            body.i().i32_const(most).i32_lt_s();
            body.when(|body| {
                body.store32(address, |body| {
                    body.load32(address);
                    body.i().i32_const(1).i32_add();
                });
            });
            body = self.plain_rules(body, starts)?;
            self.react_if(&mut body);
            body.i().end();
        }
        Some(body)
    }

    /// A span is to begin for a side; asked again, it comes last.
    fn ask_begin(&self) -> Body {
        let mut body = Body::new(2);
        let (from, to, end) = (body.int(), body.int(), body.int());
        let list = self.layout.begins[0];
        body.i().global_get(global::LIST).local_tee(from).local_tee(to);
        body.i().global_get(global::BEGINS).i32_const(3).i32_shl().i32_add().local_set(end);
        body.i().block(BlockType::Empty).loop_(BlockType::Empty);
        body.i().local_get(from).local_get(end).i32_ge_u().br_if(1);
        body.i().local_get(from).i32_load(at(list, 2)).local_get(0).i32_ne();
        body.when(|body| {
            body.i().local_get(to).local_get(from).i64_load(at(list, 2)).i64_store(at(list, 2));
            body.i().local_get(to).i32_const(8).i32_add().local_set(to);
        });
        body.i().local_get(from).i32_const(8).i32_add().local_set(from).br(0).end().end();
        body.i().local_get(to).local_get(0).i32_store(at(list, 2));
        body.i().local_get(to).local_get(1).i32_store(at(list + 4, 2));
        body.i().local_get(to).global_get(global::LIST).i32_sub().i32_const(3).i32_shr_u().i32_const(1).i32_add();
        body.i().global_set(global::BEGINS);
        body
    }

    /// Spans that wait begin; what they ask for meanwhile waits in the other list.
    fn open_waiting(&self) -> Body {
        let mut body = Body::new(0);
        let (at_entry, end) = (body.int(), body.int());
        let [list, other] = self.layout.begins;
        body.i().global_get(global::LIST).local_tee(at_entry);
        body.i().global_get(global::BEGINS).i32_const(3).i32_shl().i32_add().local_set(end);
        body.i().i32_const((other - list) as i32).global_get(global::LIST).i32_sub().global_set(global::LIST);
        body.set_global(global::BEGINS, 0);
        body.i().block(BlockType::Empty).loop_(BlockType::Empty);
        body.i().local_get(at_entry).local_get(end).i32_ge_u().br_if(1);
        self.decided(&mut body);
        body.i().br_if(1);
        for span in 0..self.machine.spans.len() {
            body.i().local_get(at_entry).i32_load(at(list, 2)).i32_const(span as i32).i32_eq();
            body.when(|body| {
                body.i().local_get(at_entry).i32_load(at(list + 4, 2));
                self.call(body, Key::Begin(span));
            });
        }
        body.i().local_get(at_entry).i32_const(8).i32_add().local_set(at_entry).br(0).end().end();
        body
    }

    fn begin(&mut self, span: usize) -> Option<Body> {
        let rules = &self.machine.game.rules;
        let def = &rules.spans[span];
        let mut body = Body::new(1);
        if let Some(parent) = def.parent {
            self.holds(&mut body, rules.spans[parent.ix()].open, 0);
            body.when(|body| {
                body.i().local_get(0);
                self.call(body, Key::Begin(parent.ix()));
            });
        }
        self.store(&mut body, def.open, 1);
        if span != 0 {
            body.store32(self.layout.slot(def.owner), |body| {
                let mut i = body.i();
                if def.owned {
                    i.local_get(0)
                } else {
                    i.i32_const(-1)
                };
            });
        }
        self.call(&mut body, Key::Refresh(span));
        self.latch(&mut body);
        body = self.plain_rules(body, &self.machine.spans[span].begins)?;
        self.react_if(&mut body);
        Some(body)
    }

    fn refresh(&mut self, span: usize) -> Option<Body> {
        let machine = self.machine;
        let mut body = Body::new(0);
        for &plane in &machine.spans[span].planes {
            for word in 0..N {
                body.store64(self.layout.plane(usize::from(plane), word), |body| {
                    body.i().i64_const(0);
                });
            }
        }
        for &(number, init) in &machine.program.inits[span] {
            let slot = crate::ir::Slot(u32::from(number));
            match init {
                Init::Const(value) => self.store(&mut body, slot, value),
                Init::Code(_) => {
                    let local = body.int();
                    self.call(&mut body, Key::First(usize::from(number)));
                    body.i().local_set(local);
                    if let SlotTy::Number(range) = machine.game.rules.slots.get(usize::from(number))?.ty {
                        body.clamp(local, range.low, range.high);
                    }
                    body.store32(self.layout.slot(slot), |body| {
                        body.i().local_get(local);
                    });
                }
            }
        }
        Some(body)
    }

    fn enter_phase(&self) -> Option<Body> {
        let machine = self.machine;
        let rules = &machine.game.rules;
        let mut body = Body::new(0);
        let (phase, side, turns) = (body.int(), body.int(), body.int());
        body.i().i32_const(rules.phases.len() as i32 + 1).local_set(turns);
        body.i().loop_(BlockType::Empty);
        body.i().local_get(turns).i32_eqz();
        body.give_up_if();
        body.i().local_get(turns).i32_const(1).i32_sub().local_set(turns);
        body.i().global_get(global::GO);
        body.load32(self.layout.slot(Fixed::PHASE));
        body.i().global_get(global::GO).i32_const(-1).i32_gt_s().select().local_set(phase);
        body.set_global(global::GO, -1);
        // One block for each phase, the first innermost; the last thing is a phase that is none.
        for _ in 0..=rules.phases.len() {
            body.i().block(BlockType::Empty);
        }
        let count = rules.phases.len() as u32;
        body.i().local_get(phase).br_table(0..count, count);
        for (number, def) in rules.phases.iter().enumerate() {
            body.i().end();
            self.call(&mut body, Key::Acts(number));
            body.i().local_set(side);
            self.store(&mut body, Fixed::PHASE, number as i32);
            body.store32(self.layout.slot(Fixed::TO_ACT), |body| {
                body.i().local_get(side);
            });
            body.i().local_get(side).i32_const(0).i32_lt_s();
            body.give_up_if();
            if let Some(span) = def.span {
                self.holds(&mut body, rules.spans[span.ix()].open, 0);
                body.when(|body| {
                    body.i().local_get(side);
                    self.call(body, Key::Begin(span.ix()));
                });
                self.decided(&mut body);
                body.when(|body| {
                    body.i().return_();
                });
            }
            self.leads_on(&mut body, number);
            // The loop, around the blocks of the phases that follow and the one of none.
            body.i().br(count - number as u32);
        }
        body.i().end().unreachable().end();
        Some(body)
    }

    /// Judges a phase that has just begun; returns unless something else follows at once.
    fn leads_on(&self, body: &mut Body, phase: usize) {
        let machine = self.machine;
        if self.layout.remembers && !machine.sees[phase].is_empty() {
            // Rules that wait for a phase to open are not judged while positions are counted.
            if self.only_opening_asks() {
                body.i().global_get(global::COUNTING).i32_eqz();
                body.when(|body| self.call(body, Key::See(phase)));
            } else {
                self.call(body, Key::See(phase));
            }
        }
        let (stuck, opens) = (&machine.stuck[phase], &machine.opens[phase]);
        if stuck.is_empty() && opens.is_empty() {
            body.i().return_();
            return;
        }
        if machine.can_wait[phase] {
            body.i().global_get(global::LATER).global_get(global::COUNTING).i32_or();
            body.when(|body| {
                body.set_global(global::UNJUDGED, phase as i32);
                body.i().return_();
            });
        }
        if stuck.is_empty() {
            body.i().i32_const(0);
        } else {
            self.call(body, Key::AnyLegal);
            body.i().i32_eqz();
        }
        self.call(body, Key::Judge(phase));
        body.i().i32_eqz();
        body.when(|body| {
            body.i().return_();
        });
    }

    /// Rules of a phase in which nothing is legal, or that opens; gives whether something follows at once.
    fn judge(&mut self, phase: usize) -> Option<Body> {
        let machine = self.machine;
        let mut body = Body::new(1);
        let to_act = self.layout.slot(Fixed::TO_ACT);
        let act = |body: &mut Body| {
            body.load32(to_act);
            body.i().global_set(global::ME);
        };
        body.i().local_get(0).if_(BlockType::Empty);
        if machine.stuck[phase].is_empty() {
            body.i().i32_const(0).return_();
        } else {
            act(&mut body);
            body = self.plain_rules(body, &machine.stuck[phase])?;
        }
        body.i().else_();
        if machine.opens[phase].is_empty() {
            body.i().i32_const(0).return_();
        } else {
            body.i().global_get(global::COUNTING);
            body.when(|body| {
                body.i().i32_const(0).return_();
            });
            act(&mut body);
            body = self.plain_rules(body, &machine.opens[phase])?;
            self.holds(&mut body, Fixed::DECIDED, 0);
            body.when(|body| {
                body.i().i32_const(0).return_();
            });
        }
        body.i().end();
        self.react_if(&mut body);
        body.i().i64_const(0).global_set(global::CLOSED);
        self.close_if(&mut body);
        self.count_if(&mut body);
        self.decided(&mut body);
        body.when(|body| {
            body.i().i32_const(0).return_();
        });
        self.open_if(&mut body);
        body.i().i32_const(1);
        Some(body)
    }

    /// Judges the phase that waits for it; the parameter says whether something is legal.
    fn judge_later(&self) -> Body {
        let machine = self.machine;
        let mut body = Body::new(1);
        let phase = body.int();
        body.i().global_get(global::UNJUDGED).local_set(phase);
        body.set_global(global::UNJUDGED, -1);
        body.set_global(global::GO, -1);
        for number in 0..machine.stuck.len() {
            if machine.stuck[number].is_empty() && machine.opens[number].is_empty() {
                continue;
            }
            body.i().local_get(phase).i32_const(number as i32).i32_eq();
            body.when(|body| {
                if machine.stuck[number].is_empty() {
                    body.i().i32_const(0);
                } else {
                    body.i().local_get(0).i32_eqz();
                }
                self.call(body, Key::Judge(number));
                body.i().drop();
                self.call(body, Key::EndIfDecided);
            });
        }
        body
    }

    fn end_if_decided(&self) -> Body {
        let mut body = Body::new(0);
        self.decided(&mut body);
        body.when(|body| {
            self.close_if(body);
            self.store(body, Fixed::PHASE, -1);
            self.store(body, Fixed::TO_ACT, -1);
        });
        body
    }

    fn settle(&mut self) -> Option<Body> {
        let mut body = Body::new(0);
        self.latch(&mut body);
        self.react_if(&mut body);
        body = self.plain_rules(body, &self.machine.at_once)?;
        self.react_if(&mut body);
        body.i().i64_const(0).global_set(global::CLOSED);
        self.close_if(&mut body);
        self.count_if(&mut body);
        self.close_if(&mut body);
        self.holds(&mut body, Fixed::DECIDED, 0);
        body.when(|body| self.open_if(body));
        self.holds(&mut body, Fixed::DECIDED, 0);
        body.when(|body| self.call(body, Key::EnterPhase));
        self.decided(&mut body);
        body.when(|body| self.call(body, Key::EndIfDecided));
        Some(body)
    }
}
