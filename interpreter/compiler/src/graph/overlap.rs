//! Whether two actions of one phase can be the same action.

use fullcourt_engine::ir::{ActionDef, Expr, ExprId, Local, Piece, Rules, Stmt, Ty, ZoneOf};

/// Whether two actions could be written alike and nothing shows that they never are.
pub fn may_coincide(rules: &Rules, a: &ActionDef, b: &ActionDef) -> bool {
    if shape(a) != shape(b) {
        return false;
    }
    let (left, right) = (conditions(rules, a), conditions(rules, b));
    let same = Same { rules, a, b };
    !left.iter().any(|x| right.iter().any(|y| same.excludes(*x, *y)))
}

/// What of a notation can be seen in the text.
#[derive(Debug, PartialEq)]
enum Mark<'a> {
    Text(&'a str),
    Value(Ty),
}

fn shape(action: &ActionDef) -> Vec<Mark<'_>> {
    action.notation.0.iter().map(mark).collect()
}

fn mark(piece: &Piece) -> Mark<'_> {
    match piece {
        Piece::Text(text) => Mark::Text(text),
        Piece::Value(_, ty) => Mark::Value(*ty),
        Piece::KindOf(_) | Piece::Small(_) => Mark::Value(Ty::Kind),
        Piece::FileOf(_) | Piece::RankOf(_) | Piece::Apart(..) => Mark::Value(Ty::Square),
    }
}

/// The conditions of an action, each with the choice to which it applies (none: a test).
fn conditions(rules: &Rules, action: &ActionDef) -> Vec<(Option<usize>, ExprId)> {
    let mut out = Vec::new();
    let mut aim = 0;
    for &step in &action.steps[..action.gate] {
        match rules.stmt(step) {
            Stmt::Choose(choice) => {
                out.extend(choice.parts.iter().map(|(part, _)| (Some(aim), *part)));
                aim += 1;
            }
            Stmt::Need(test, ..) => conjuncts(rules, *test, &mut out),
            _ => {}
        }
    }
    out
}

fn conjuncts(rules: &Rules, test: ExprId, out: &mut Vec<(Option<usize>, ExprId)>) {
    match *rules.expr(test) {
        Expr::And(a, b) => {
            conjuncts(rules, a, out);
            conjuncts(rules, b, out);
        }
        _ => out.push((None, test)),
    }
}

struct Same<'r> {
    rules: &'r Rules,
    a: &'r ActionDef,
    b: &'r ActionDef,
}

impl Same<'_> {
    /// Whether two conditions cannot both hold: one is the other's opposite.
    fn excludes(&self, (aim_a, a): (Option<usize>, ExprId), (aim_b, b): (Option<usize>, ExprId)) -> bool {
        if aim_a != aim_b {
            return false;
        }
        match (self.rules.expr(a), self.rules.expr(b)) {
            (Expr::SetNot(inner) | Expr::Not(inner), _) if self.equal(*inner, b) => true,
            (_, Expr::SetNot(inner) | Expr::Not(inner)) if self.equal(a, *inner) => true,
            _ => false,
        }
    }

    fn local(&self, a: Local, b: Local) -> bool {
        let place = |action: &ActionDef, local| action.aims.iter().position(|(l, _)| *l == local);
        match (place(self.a, a), place(self.b, b)) {
            (Some(x), Some(y)) => x == y,
            _ => false,
        }
    }

    /// Whether two expressions are the same, choices being compared by their order.
    fn equal(&self, a: ExprId, b: ExprId) -> bool {
        let (a, b) = (self.rules.expr(a), self.rules.expr(b));
        let same_node = match (a, b) {
            (Expr::Local(x), Expr::Local(y)) => return self.local(*x, *y),
            (Expr::Zone(x, ZoneOf::Side(_)), Expr::Zone(y, ZoneOf::Side(_))) => x == y,
            (Expr::Let(..), _) | (_, Expr::Let(..)) => return false,
            (Expr::Those(..) | Expr::The(..), _) | (_, Expr::Those(..) | Expr::The(..)) => return false,
            _ => head(a) == head(b),
        };
        let (left, right) = (super::refs::children(a), super::refs::children(b));
        same_node && left.len() == right.len() && left.into_iter().zip(right).all(|(x, y)| self.equal(x, y))
    }
}

/// An expression without what lies below it.
fn head(expr: &Expr) -> String {
    match expr {
        Expr::Const(value) => format!("const {value}"),
        Expr::Places(words) => format!("places {words:?}"),
        Expr::Option(option) => format!("option {}", option.0),
        Expr::Zone(zone, of) => format!("zone {} {}", zone.0, matches!(of, ZoneOf::Written)),
        Expr::TraitPieces(id) => format!("trait {}", id.0),
        Expr::Plane(plane) => format!("plane {}", plane.0),
        Expr::Slot(slot) => format!("slot {}", slot.0),
        Expr::SlotOf(slot, _) => format!("slot of {}", slot.0),
        Expr::Counter(counter, _) => format!("counter {}", counter.0),
        Expr::ReserveKinds(reserve, _) => format!("kinds {}", reserve.0),
        Expr::ReserveCount(reserve, _) => format!("count {}", reserve.0),
        Expr::Seen(id) => format!("seen {}", id.0),
        Expr::Kinds(kinds) => format!("kinds {kinds}"),
        Expr::SpanOwner(span) => format!("owner {}", span.0),
        Expr::Cmp(cmp, ..) => format!("cmp {cmp:?}"),
        Expr::Arith(op, ..) => format!("arith {op:?}"),
        Expr::Path(path, ..) => format!("path {}", path.0),
        Expr::Geometry(geo, branch, _) => format!("geometry {} {branch:?}", geo.0),
        Expr::Plugin(function, _) => format!("plugin {function}"),
        other => format!("{:?}", std::mem::discriminant(other)),
    }
}
