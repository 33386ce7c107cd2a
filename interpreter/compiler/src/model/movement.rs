//! Movement: paths of legs, Betza's letters, and the kinds that have a trait.

use fullcourt_engine::board::{Directions, Leg};
use fullcourt_engine::ir::{Expr, PathId, TraitId, Ty};

use super::betza::{self, Use};
use super::scope::{Binding, Body, Check, Sym};
use super::types::Typed;
use crate::diagnostics::{Problem, Span};
use crate::syntax::ast::{self, Dirs, LegKind};

/// A path has at most so many legs.
const MAX_LEGS: usize = 8;

impl<'a> Check<'a> {
    pub(super) fn geo(
        &mut self,
        legs: &'a [ast::Leg],
        through: Option<&'a ast::Expr>,
        from: Option<&'a ast::Expr>,
        span: Span,
        body: &mut Body<'a>,
    ) -> Option<Typed> {
        if legs.len() > MAX_LEGS {
            self.error("too-large", span, format!("a path has at most {MAX_LEGS} legs"));
            return None;
        }
        let through = match through {
            Some(through) => Some(self.want(through, body, Ty::Squares)?),
            None => None,
        };
        let from = match from {
            Some(from) => self.want(from, body, Ty::Square)?,
            None => match body.find("it") {
                Some(Binding::Local(local, _)) => {
                    let local = *local;
                    self.expr_at(Expr::Local(local), span)
                }
                _ => {
                    let problem =
                        Problem::error("unknown-name", span, "a movement starts somewhere, and here is no piece");
                    self.report(problem.help("say from where: `slide any from SQUARE`"));
                    return None;
                }
            },
        };
        let small = |n: i64| i32::try_from(n).ok().filter(|n| (0..=512).contains(n));
        let mut path = Vec::with_capacity(legs.len());
        for leg in legs {
            path.push(match leg.kind {
                LegKind::Leap(a, b) => match small(a).zip(small(b)) {
                    Some((a, b)) if (a, b) != (0, 0) => Leg::Leap(a, b),
                    _ => {
                        self.error(
                            "wrong-value",
                            leg.span,
                            "a leap goes from 0 to 512 squares each way, not 0 both ways",
                        );
                        return None;
                    }
                },
                LegKind::Steps { dirs, min, max, free } => {
                    let steps = |n: i64| small(n).and_then(|n| u32::try_from(n).ok());
                    let ends = steps(min).zip(max.map_or(Some(512), steps));
                    let Some((min, max)) = ends.filter(|(min, max)| min <= max && *max > 0) else {
                        self.error("wrong-value", leg.span, "a piece goes from 1 to 512 steps");
                        return None;
                    };
                    Leg::Steps { dirs: directions(dirs), min, max, free, turning: leg.turning }
                }
            });
        }
        let path = self.path_of(path);
        self.made(Expr::Path(path, from, through), Ty::Squares, span)
    }

    /// The kinds that have a trait. Items may come in any order, so the items are asked.
    pub(super) fn kinds_with(&self, id: TraitId) -> u64 {
        let items: &'a [ast::Item] = &self.merged.items;
        let mut kinds = 0;
        for item in items {
            let ast::ItemKind::Piece { name, traits, .. } = &item.kind else { continue };
            let has =
                traits.iter().any(|used| matches!(self.symbols.get(&used.text), Some(&(Sym::Trait(t), _)) if t == id));
            if let (true, Some(&(Sym::Kind(kind), _))) = (has, self.symbols.get(&name.text)) {
                kinds |= 1 << kind;
            }
        }
        kinds
    }

    /// Betza's letters as a set of squares. `part` keeps the paths of one use alone, whatever stands on their squares;
    /// else paths that are only for going end on squares without a piece, paths that only take on those of others.
    pub(super) fn betza(
        &mut self,
        text: &ast::Text,
        part: Option<Use>,
        span: Span,
        body: &mut Body<'a>,
    ) -> Option<Typed> {
        let legs = match betza::read(&text.text) {
            Ok(legs) => legs,
            Err(wrong) => {
                let start = text.span.start as usize + wrong.at;
                let width = text.text.get(wrong.at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
                let at = Span::new(text.span.file, start, start + width);
                let help = (!wrong.help.is_empty()).then(|| wrong.help.to_owned());
                self.report(Problem::error("wrong-notation", at, wrong.message).help_maybe(help));
                return None;
            }
        };
        let from = match body.find("it") {
            Some(Binding::Local(local, _)) => Expr::Local(*local),
            _ => {
                let message = "here is no piece that `betza` could move";
                self.error("wrong-place", span, message);
                return None;
            }
        };
        let mut sets = Vec::new();
        for (leg, uses) in legs {
            if part.is_some_and(|part| !(part.quiet && uses.quiet || part.takes && uses.takes)) {
                continue;
            }
            let from = self.expr_at(from.clone(), span);
            let path = self.path_of(vec![leg]);
            let path = self.expr_at(Expr::Path(path, from, None), span);
            sets.push(match (part, uses) {
                (Some(_), _) | (None, Use { quiet: true, takes: true }) => path,
                (None, Use { takes, .. }) => {
                    let occupied = self.expr_at(Expr::Occupied, span);
                    let filter = if takes {
                        let owner = self.expr_at(Expr::OwnerAt(from), span);
                        let own = self.expr_at(Expr::SidePieces(owner), span);
                        let others = self.expr_at(Expr::SetNot(own), span);
                        self.expr_at(Expr::SetAnd(occupied, others), span)
                    } else {
                        self.expr_at(Expr::SetNot(occupied), span)
                    };
                    self.expr_at(Expr::SetAnd(path, filter), span)
                }
            });
        }
        match self.fold(&sets, span, Expr::SetOr) {
            Some(id) => Some(Typed { id, ty: Ty::Squares, none: false }),
            None => self.made(Expr::Places(Box::new([0; 8])), Ty::Squares, span),
        }
    }

    /// The number of a path.
    fn path_of(&mut self, path: Vec<Leg>) -> PathId {
        let known = self.rules.paths.iter().position(|known| *known == path);
        let index = known.unwrap_or_else(|| {
            self.rules.paths.push(path);
            self.rules.paths.len() - 1
        });
        PathId(u32::try_from(index).unwrap_or(0))
    }
}

fn directions(dirs: Dirs) -> Directions {
    match dirs {
        Dirs::Any => Directions::Any,
        Dirs::Straight => Directions::Straight,
        Dirs::Diagonal => Directions::Diagonal,
        Dirs::Forward => Directions::Forward,
        Dirs::Back => Directions::Back,
        Dirs::Sideways => Directions::Sideways,
        Dirs::Askew => Directions::Askew,
        Dirs::Ahead => Directions::Ahead,
    }
}
