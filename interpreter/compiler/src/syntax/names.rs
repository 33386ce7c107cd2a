//! The names that a tree uses, for finding circles among definitions.

use super::ast::{Arg, Block, Expr, ExprKind, Name, StatementKind};

/// Names used in an expression.
pub fn in_expr<'a>(expr: &'a Expr, out: &mut Vec<&'a Name>) {
    match &*expr.kind {
        ExprKind::Call { name, args, .. } => {
            out.push(name);
            in_args(args.as_deref().unwrap_or_default(), out);
        }
        ExprKind::Or(parts) | ExprKind::And(parts) => parts.iter().for_each(|part| in_expr(part, out)),
        ExprKind::Not(a) | ExprKind::Negate(a) | ExprKind::Some(a) | ExprKind::No(a) | ExprKind::Count(a) => {
            in_expr(a, out)
        }
        ExprKind::Compare { left, right, .. } | ExprKind::Arith { left, right, .. } => {
            in_expr(left, out);
            in_expr(right, out);
        }
        ExprKind::If { test, then, otherwise } => {
            [test, then, otherwise].into_iter().for_each(|part| in_expr(part, out))
        }
        ExprKind::Those { domain, test, .. } => {
            in_expr(domain, out);
            in_expr(test, out);
        }
        ExprKind::The { domain, keys, .. } => {
            in_expr(domain, out);
            keys.iter().flatten().for_each(|key| in_expr(key, out));
        }
        ExprKind::Geo { through, from, .. } => through.iter().chain(from).for_each(|part| in_expr(part, out)),
        ExprKind::Ranks(a, b) | ExprKind::Files(a, b) => {
            in_expr(a, out);
            in_expr(b, out);
        }
        ExprKind::Number(_)
        | ExprKind::Bool(_)
        | ExprKind::None
        | ExprKind::Square(_)
        | ExprKind::Rectangle(..)
        | ExprKind::Option(_)
        | ExprKind::OptionIs { .. }
        | ExprKind::Betza(_)
        | ExprKind::KindsWith(_)
        | ExprKind::Kinds(_)
        | ExprKind::Middle { .. }
        | ExprKind::Edge { .. } => {}
    }
}

fn in_args<'a>(args: &'a [Arg], out: &mut Vec<&'a Name>) {
    for arg in args {
        match arg {
            Arg::Expr(expr) => in_expr(expr, out),
            Arg::Block(block) => in_block(block, out),
        }
    }
}

/// Names used in a block.
pub fn in_block<'a>(block: &'a Block, out: &mut Vec<&'a Name>) {
    for statement in &block.statements {
        match &statement.kind {
            StatementKind::Choose { domain: a, .. }
            | StatementKind::Need { test: a, .. }
            | StatementKind::Let { value: a, .. }
            | StatementKind::Remove { square: a }
            | StatementKind::Mark { squares: a, .. }
            | StatementKind::Unmark { squares: a, .. }
            | StatementKind::Win { side: a }
            | StatementKind::Award { side: a }
            | StatementKind::Recall { value: a, .. } => in_expr(a, out),
            StatementKind::Move { from, to } => {
                in_expr(from, out);
                in_expr(to, out);
            }
            StatementKind::MoveEach { domain, to, .. } => {
                in_expr(domain, out);
                in_expr(to, out);
            }
            StatementKind::Put { kind, side, on } => [kind, side, on].into_iter().for_each(|part| in_expr(part, out)),
            StatementKind::If { arms, otherwise } => {
                for (test, block) in arms {
                    in_expr(test, out);
                    in_block(block, out);
                }
                otherwise.iter().for_each(|block| in_block(block, out));
            }
            StatementKind::ForSides { block, .. } => in_block(block, out),
            StatementKind::For { domain, block, .. } => {
                in_expr(domain, out);
                in_block(block, out);
            }
            StatementKind::Set { target, value }
            | StatementKind::Add { target, value }
            | StatementKind::Take { target, value } => {
                in_expr(value, out);
                target.of.iter().for_each(|of| in_expr(of, out));
            }
            StatementKind::Report { args, .. } => args.iter().for_each(|arg| in_expr(arg, out)),
            StatementKind::Begin { side, .. } => side.iter().for_each(|side| in_expr(side, out)),
            StatementKind::Call { name, args } => {
                out.push(name);
                in_args(args, out);
            }
            StatementKind::Tick { .. }
            | StatementKind::End { .. }
            | StatementKind::Go { .. }
            | StatementKind::Draw
            | StatementKind::Forget { .. } => {}
        }
    }
}
