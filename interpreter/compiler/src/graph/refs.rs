//! Walks over expressions and statements: what they read, write and cause.

use fullcourt_engine::ir::{Expr, ExprId, Rules, Stmt, StmtId, Write, ZoneOf};

/// The expressions directly below one.
pub fn children(expr: &Expr) -> Vec<ExprId> {
    match expr {
        Expr::Const(_)
        | Expr::Places(_)
        | Expr::Everywhere
        | Expr::Empty
        | Expr::Occupied
        | Expr::Local(_)
        | Expr::Option(_)
        | Expr::Zone(_, ZoneOf::All | ZoneOf::Written)
        | Expr::TraitPieces(_)
        | Expr::Plane(_)
        | Expr::Slot(_)
        | Expr::SpanOwner(_)
        | Expr::Me
        | Expr::Winner
        | Expr::Seen(_)
        | Expr::Kinds(_)
        | Expr::Recalled(_) => Vec::new(),
        Expr::Zone(_, ZoneOf::Side(a))
        | Expr::SidePieces(a)
        | Expr::KindPieces(a)
        | Expr::Single(a)
        | Expr::SlotOf(_, a)
        | Expr::Counter(_, a)
        | Expr::ReserveKinds(_, a)
        | Expr::ReserveCount(_, a)
        | Expr::Opponent(a)
        | Expr::SetNot(a)
        | Expr::Not(a)
        | Expr::Some(a)
        | Expr::Count(a)
        | Expr::Geometry(_, _, a)
        | Expr::KindAt(a)
        | Expr::OwnerAt(a)
        | Expr::RankAt(a)
        | Expr::FileAt(a) => vec![*a],
        Expr::Ranks(a, b)
        | Expr::Files(a, b)
        | Expr::SetAnd(a, b)
        | Expr::SetOr(a, b)
        | Expr::And(a, b)
        | Expr::Or(a, b)
        | Expr::InSet(a, b)
        | Expr::InKinds(a, b)
        | Expr::Cmp(_, a, b)
        | Expr::Arith(_, a, b)
        | Expr::Let(_, a, b)
        | Expr::Those(_, a, b)
        | Expr::Between(a, b)
        | Expr::Distance(a, b)
        | Expr::InFront(a, b)
        | Expr::Near(a, b) => vec![*a, *b],
        Expr::If(a, b, c) => vec![*a, *b, *c],
        Expr::The(_, a, keys) => std::iter::once(*a).chain(keys.iter().copied()).collect(),
        Expr::Path(_, a, through) => std::iter::once(*a).chain(*through).collect(),
        Expr::Plugin(_, args) => args.clone(),
    }
}

/// Visits an expression and all below it.
pub fn exprs_below(rules: &Rules, id: ExprId, visit: &mut impl FnMut(&Expr)) {
    let mut stack = vec![id];
    let mut seen = std::collections::BTreeSet::new();
    while let Some(id) = stack.pop() {
        if seen.insert(id) {
            let expr = rules.expr(id);
            visit(expr);
            stack.extend(children(expr));
        }
    }
}

/// The expressions directly in a statement.
pub fn exprs_of(stmt: &Stmt) -> Vec<ExprId> {
    match stmt {
        Stmt::Choose(choice) => vec![choice.domain],
        Stmt::Need(a, ..) | Stmt::Let(_, a) | Stmt::For(_, a, _) | Stmt::Remove(a) | Stmt::Mark(_, a, _) => vec![*a],
        Stmt::SetPlane(_, a) | Stmt::Win(a) | Stmt::Award(a) | Stmt::Recall(_, a) => vec![*a],
        Stmt::If(arms, _) => arms.iter().map(|(test, _)| *test).collect(),
        Stmt::MoveEach(_, a, b)
        | Stmt::Move(a, b)
        | Stmt::SetCounter(_, a, b)
        | Stmt::Stat(_, a, b, _)
        | Stmt::Reserve(_, a, b, _) => {
            vec![*a, *b]
        }
        Stmt::Put(a, b, c) => vec![*a, *b, *c],
        Stmt::SetSlot(_, of, a) | Stmt::AddSlot(_, of, a, _) => of.iter().copied().chain([*a]).collect(),
        Stmt::Report(_, args) => args.clone(),
        Stmt::Begin(_, side) => side.iter().copied().collect(),
        Stmt::ForSides(..) | Stmt::Tick(_) | Stmt::End(_) | Stmt::Go(_) | Stmt::Draw | Stmt::Forget(_) => Vec::new(),
    }
}

/// Visits statements and all within them.
pub fn stmts_below(rules: &Rules, steps: &[StmtId], visit: &mut impl FnMut(StmtId, &Stmt)) {
    for &id in steps {
        let stmt = rules.stmt(id);
        visit(id, stmt);
        match stmt {
            Stmt::If(arms, otherwise) => {
                for (_, steps) in arms {
                    stmts_below(rules, steps, visit);
                }
                stmts_below(rules, otherwise, visit);
            }
            Stmt::ForSides(_, steps) | Stmt::For(_, _, steps) => stmts_below(rules, steps, visit),
            _ => {}
        }
    }
}

/// The expressions of what a notation writes.
pub fn exprs_written(steps: &[Write], out: &mut Vec<ExprId>) {
    for step in steps {
        match step {
            Write::Text(_) => {}
            Write::Let(_, value) => out.push(*value),
            Write::If(arms, otherwise) => {
                for (test, steps) in arms {
                    out.push(*test);
                    exprs_written(steps, out);
                }
                exprs_written(otherwise, out);
            }
        }
    }
}
