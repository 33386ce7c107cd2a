//! Code that looks for the last aims of an action where the shield may hold.

use fullcourt_engine::ir::{Choice, ExprId, StmtId};
use fullcourt_engine::program::machine::SAVED;
use fullcourt_engine::program::{Op, Reg};

use super::Shield;
use crate::lower::effects::Search;
use crate::lower::emit::{Emitter, Full, Label, Made};
use crate::lower::program::{Lower, Val};
use crate::lower::values::{Int, Set};

impl Lower<'_> {
    /// The last aims of an action that needs no test where the shield holds.
    pub fn choose_plainly(
        &mut self,
        search: &mut Search<'_>,
        (choice, steps): (&Choice, &[StmtId]),
        (rest, place, kept): (Reg, Reg, Reg),
        (shield, tests, puts): (Shield, &[ExprId], &[ExprId]),
    ) -> Made<()> {
        let save = search.saved;
        if usize::from(save) >= SAVED {
            return Err(Full);
        }
        let known = self.remember();
        let (all, slowly, done) = (self.out.label(), self.out.label(), self.out.label());
        let who = search.who.map(|(.., reg)| reg);
        self.unshielded(&shield, who, slowly)?;
        for &kind in puts {
            let mark = self.out.mark();
            let a = self.reg(kind)?;
            let s = self.set_in_reg(Set::Const([shield.guarded, 0, 0, 0, 0, 0, 0, 0]))?;
            self.out.op(Op::IfIn { a, s, to: Emitter::to(slowly) })?;
            self.out.release(mark);
        }
        if tests.is_empty() {
            // All of them are legal as they are.
            self.give(search, rest)?;
            self.out.op(Op::Jump(Emitter::to(done)))?;
        } else {
            let mark = self.out.mark();
            let (again, test) = (self.out.label(), self.out.label());
            self.out.op(Op::Save { k: save })?;
            self.out.place(again);
            self.out.op(Op::Next { d: place, s: rest, to: Emitter::to(all) })?;
            self.bind(choice.local, Val::Int(Int::Reg(place)));
            self.special(steps, tests, test)?;
            self.out.op(Op::Insert { d: kept, a: place })?;
            self.out.op(Op::Enough)?;
            self.out.op(Op::Jump(Emitter::to(again)))?;
            self.out.release(mark);
            self.out.place(test);
            self.recall(&known);
            self.tested(search, steps, (place, kept, save), again)?;
            self.out.release(mark);
        }
        self.out.place(slowly);
        self.recall(&known);
        let again = self.out.label();
        self.out.op(Op::Save { k: save })?;
        self.out.place(again);
        self.out.op(Op::Next { d: place, s: rest, to: Emitter::to(all) })?;
        self.bind(choice.local, Val::Int(Int::Reg(place)));
        self.tested(search, steps, (place, kept, save), again)?;
        self.out.place(all);
        self.give(search, kept)?;
        self.out.place(done);
        self.recall(&known);
        Ok(())
    }

    /// Plays the effects for one last aim and tests the law; the position is as before afterwards.
    fn tested(
        &mut self,
        search: &Search<'_>,
        steps: &[StmtId],
        (place, kept, save): (Reg, Reg, u8),
        again: Label,
    ) -> Made<()> {
        let mark = self.out.mark();
        let broken = self.out.label();
        self.effects(steps, true)?;
        self.laws(search.action, broken)?;
        self.out.op(Op::Insert { d: kept, a: place })?;
        self.out.op(Op::Enough)?;
        self.out.place(broken);
        self.out.op(Op::Restore { k: save })?;
        self.out.op(Op::Jump(Emitter::to(again)))?;
        self.out.release(mark);
        Ok(())
    }
}
