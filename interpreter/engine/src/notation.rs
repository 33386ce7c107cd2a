//! Actions in the further notations of a ruleset, and what a record puts before a turn.
//!
//! A notation is only written. A text is read by comparing it with those of the legal actions, so that reader and writer
//! cannot differ, and what tells two actions apart is said once.

use crate::action::Action;
use crate::fault::Fault;
use crate::game::Game;
use crate::history::{Beside, History};
use crate::ir::{Fixed, Local, NotationDef, Piece, RecordDef, Template, Ty, Write};
use crate::position::Position;
use crate::walk::eval::{Cx, Value};

/// An action as a notation has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notated {
    /// What is said of it before it is played.
    pub text: String,
    /// What is said of the position after it; a reader does not insist on it.
    pub after: String,
}

impl Notated {
    /// Both together.
    #[must_use]
    pub fn whole(&self) -> String {
        format!("{}{}", self.text, self.after)
    }
}

/// Where a notation is being written.
struct Scene<'a, const N: usize> {
    pos: &'a Position<N>,
    /// The action, and all legal ones, for what tells it apart.
    action: Option<(&'a NotationDef, Action, &'a [Action])>,
}

impl<const N: usize> Game<N> {
    /// Legal actions in the notation of that name; an action that it does not know is written as its own text.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn notated(
        &self,
        pos: &Position<N>,
        history: Option<&History>,
        name: &str,
        (actions, legal): (&[Action], &[Action]),
    ) -> Result<Vec<Notated>, Fault> {
        // One budget for all of them: a list is asked for as a whole.
        let mut steps = 0;
        actions.iter().map(|&action| self.notate(pos, history, name, (action, legal), &mut steps)).collect()
    }

    fn notate(
        &self,
        pos: &Position<N>,
        history: Option<&History>,
        name: &str,
        (action, legal): (Action, &[Action]),
        steps: &mut u64,
    ) -> Result<Notated, Fault> {
        let Some(def) = self.rules.notations.iter().find(|def| def.name == name && def.action == action.def()) else {
            return Ok(Notated { text: self.action_text(pos, action), after: String::new() });
        };
        let mut cx = Cx::new(&def.name);
        cx.enter(def.locals);
        cx.me = pos.slot(Fixed::TO_ACT);
        cx.history = history;
        cx.steps = *steps;
        for (index, (_, _)) in self.rules.actions[def.action].aims.iter().enumerate() {
            cx.bind(Local(u32::try_from(index).unwrap_or(0)), Value::Int(action.aim(index)));
        }
        let mut notated = Notated { text: String::new(), after: String::new() };
        let scene = Scene { pos, action: Some((def, action, legal)) };
        self.write_steps(&def.steps, &scene, &mut cx, &mut notated.text);
        if !def.after.is_empty() && !cx.failed() {
            let done = self.apply(pos, action, Beside::past(history))?;
            cx.spend(done.steps, def.origin);
            let scene = Scene { pos: &done.pos, action: Some((def, action, legal)) };
            self.write_steps(&def.after, &scene, &mut cx, &mut notated.after);
        }
        *steps = cx.steps;
        cx.done()?;
        Ok(notated)
    }

    /// What a record puts before a turn that begins in this position.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn record_head(&self, pos: &Position<N>, def: &RecordDef) -> Result<String, Fault> {
        let mut cx = Cx::new(&def.name);
        cx.enter(def.locals);
        cx.me = pos.slot(Fixed::TO_ACT);
        let mut out = String::new();
        self.write_steps(&def.head, &Scene { pos, action: None }, &mut cx, &mut out);
        cx.done()?;
        Ok(out)
    }

    fn write_steps(&self, steps: &[Write], scene: &Scene<'_, N>, cx: &mut Cx<'_, N>, out: &mut String) {
        for step in steps {
            match step {
                Write::Text(template) => {
                    let apart = template.0.iter().filter(|piece| matches!(piece, Piece::Apart(..))).count();
                    let legal = scene.action.map_or(0, |(.., legal)| legal.len());
                    cx.spend((template.0.len() + apart * legal) as u64, crate::ir::Origin::default());
                    self.write_text(template, scene, cx, out);
                }
                Write::Let(local, value) => {
                    let value = self.eval(scene.pos, cx, *value);
                    cx.bind(*local, value);
                }
                Write::If(arms, otherwise) => {
                    let arm = arms.iter().find(|(test, _)| self.test(scene.pos, cx, *test));
                    self.write_steps(arm.map_or(otherwise, |(_, steps)| steps), scene, cx, out);
                }
            }
            if cx.failed() {
                return;
            }
        }
    }

    fn write_text(&self, template: &Template, scene: &Scene<'_, N>, cx: &Cx<'_, N>, out: &mut String) {
        let scalar = |local: Local| match cx.local(local) {
            Value::Int(value) => value,
            Value::Set(_) | Value::Kinds(_) => -1,
        };
        for piece in &template.0 {
            match piece {
                Piece::Apart(local, set) => {
                    let place = scalar(*local);
                    let rivals: Vec<i32> = match set {
                        Some(set) => match cx.local(*set) {
                            Value::Set(set) => set.iter().filter_map(|place| i32::try_from(place).ok()).collect(),
                            Value::Int(_) | Value::Kinds(_) => Vec::new(),
                        },
                        None => self.rivals(scene, *local),
                    };
                    out.push_str(&self.apart(place, &rivals));
                }
                piece => out.push_str(&self.piece_text(scene.pos, piece, &|local| scalar(Local(local)))),
            }
        }
    }

    /// The aims of other legal actions that differ from an action in this one alone, and have the same kind of piece there.
    fn rivals(&self, scene: &Scene<'_, N>, local: Local) -> Vec<i32> {
        let Some((def, action, legal)) = scene.action else {
            return Vec::new();
        };
        let aims = self.rules.actions[def.action].aims.len();
        let which = local.ix();
        let kind = |action: Action| self.kind_at(scene.pos, action.aim(which));
        let same = |other: &&Action| {
            other.def() == action.def()
                && (0..aims).all(|aim| aim == which || other.aim(aim) == action.aim(aim))
                && kind(**other) == kind(action)
        };
        legal.iter().filter(same).map(|other| other.aim(which)).collect()
    }

    /// The least of a place that tells it apart from others: nothing, its file, its rank, or both.
    fn apart(&self, place: i32, rivals: &[i32]) -> String {
        let board = &self.rules.board;
        let coords = |place: i32| board.coords(usize::try_from(place).unwrap_or(0));
        let rivals: Vec<(i32, i32)> = rivals.iter().filter(|&&rival| rival != place).map(|&r| coords(r)).collect();
        let (file, rank) = coords(place);
        if rivals.is_empty() {
            String::new()
        } else if rivals.iter().all(|rival| rival.0 != file) {
            crate::board::file_letters(file)
        } else if rivals.iter().all(|rival| rival.1 != rank) {
            (rank + 1).to_string()
        } else {
            self.aim_text(Ty::Square, place)
        }
    }
}
