//! Statements.
//!
//! In: pairs of `block` and of the rules `s_…`. Out: `ast::Block`. One function per rule that has a shape of its own.

use super::ast::{Block, Cites, Expr, Lvalue, Name, Statement, StatementKind};
use super::rules::Rule;
use super::tree::{Kids, Reader};
use super::words::statement_words;
use crate::diagnostics::{Problem, Span, nearest};
use pest::iterators::Pair;

impl Reader<'_> {
    /// `{ … }`
    pub(super) fn block(&mut self, pair: Pair<'_, Rule>) -> Block {
        self.body(pair, &mut Cites::default())
    }

    /// `{ §5 … }`
    pub(super) fn body(&mut self, pair: Pair<'_, Rule>, cites: &mut Cites) -> Block {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        self.more_cites(&mut kids, cites);
        let statements: Vec<Statement> = kids.filter_map(|kid| self.statement(kid)).collect();
        self.misspelt(&statements);
        Block { span, statements }
    }

    /// `mvoe a to b` reads as four uses of definitions. Two bare words in a row of which the first is nearly a statement's
    /// are a misspelling.
    fn misspelt(&mut self, statements: &[Statement]) {
        let bare = |statement: &Statement| match &statement.kind {
            StatementKind::Call { name, args } if args.is_empty() && name.span == statement.span => Some(name.clone()),
            _ => None,
        };
        for pair in statements.windows(2) {
            if let [first, second] = pair
                && let (Some(word), Some(_)) = (bare(first), bare(second))
                && second.span.start <= first.span.end + 1
                && let Some(right) = nearest(&word.text, statement_words())
            {
                let message = format!("`{}` does not begin a statement", word.text);
                let problem = Problem::error("syntax", word.span, message)
                    .help(format!("did you mean `{right}`?"))
                    .fix(word.span, right);
                self.problems.push(problem);
                return;
            }
        }
    }

    fn statement(&mut self, pair: Pair<'_, Rule>) -> Option<Statement> {
        let span = self.span(&pair);
        let kid = Kids::of(pair).next()?;
        let rule = kid.as_rule();
        let mut kids = Kids::of(kid);
        let kids = &mut kids;
        let kind = match rule {
            Rule::s_choose => StatementKind::Choose {
                name: self.next_name(kids),
                domain: self.next_expr(kids, span),
                cites: self.law_text(kids),
            },
            Rule::s_need => self.s_need(kids, span),
            Rule::s_let => StatementKind::Let { name: self.next_name(kids), value: self.next_expr(kids, span) },
            Rule::s_if => self.s_if(kids, span),
            Rule::s_for_side => {
                StatementKind::ForSides { name: self.next_name(kids), block: self.next_block(kids, span) }
            }
            Rule::s_for => StatementKind::For {
                name: self.next_name(kids),
                domain: self.next_expr(kids, span),
                block: self.next_block(kids, span),
            },
            Rule::s_move_each => StatementKind::MoveEach {
                name: self.next_name(kids),
                domain: self.next_expr(kids, span),
                to: self.next_expr(kids, span),
            },
            Rule::s_move => StatementKind::Move { from: self.next_expr(kids, span), to: self.next_expr(kids, span) },
            Rule::s_put => StatementKind::Put {
                kind: self.put_kind(kids, span),
                side: self.next_expr(kids, span),
                on: self.next_expr(kids, span),
            },
            Rule::s_remove => StatementKind::Remove { square: self.next_expr(kids, span) },
            Rule::s_mark => StatementKind::Mark { squares: self.next_expr(kids, span), mark: self.next_name(kids) },
            Rule::s_unmark => StatementKind::Unmark { squares: self.next_expr(kids, span), mark: self.next_name(kids) },
            Rule::s_set => StatementKind::Set { target: self.lvalue(kids, span), value: self.next_expr(kids, span) },
            Rule::s_add => StatementKind::Add { value: self.next_expr(kids, span), target: self.lvalue(kids, span) },
            Rule::s_take => StatementKind::Take { value: self.next_expr(kids, span), target: self.lvalue(kids, span) },
            Rule::s_tick => StatementKind::Tick { clock: self.next_name(kids) },
            Rule::s_report => {
                StatementKind::Report { event: self.next_name(kids), args: kids.map(|kid| self.expr(kid)).collect() }
            }
            Rule::s_begin => StatementKind::Begin { what: self.next_name(kids), side: self.maybe_expr(kids) },
            Rule::s_end => StatementKind::End { what: self.next_name(kids) },
            Rule::s_go => StatementKind::Go { phase: self.next_name(kids) },
            Rule::s_win => StatementKind::Win { side: self.next_expr(kids, span) },
            Rule::s_award => StatementKind::Award { side: self.next_expr(kids, span) },
            Rule::s_draw => StatementKind::Draw,
            Rule::s_recall => StatementKind::Recall { name: self.next_name(kids), value: self.next_expr(kids, span) },
            Rule::s_forget => StatementKind::Forget { name: self.next_name(kids) },
            _ => StatementKind::Call {
                name: self.next_name(kids),
                args: kids.pick(Rule::args).map(|args| self.args(args)).unwrap_or_default(),
            },
        };
        Some(Statement { span, kind })
    }

    fn maybe_expr(&mut self, kids: &mut Kids<'_>) -> Option<Expr> {
        kids.pick(Rule::expr).map(|kid| self.expr(kid))
    }

    fn next_block(&mut self, kids: &mut Kids<'_>, whole: Span) -> Block {
        match kids.next() {
            Some(kid) => self.block(kid),
            None => Block { span: whole, statements: Vec::new() },
        }
    }

    fn s_need(&mut self, kids: &mut Kids<'_>, span: Span) -> StatementKind {
        let test = self.next_expr(kids, span);
        let mut cites = self.cites(kids);
        if let Some(text) = self.maybe_text(kids) {
            cites.text = text.text;
        }
        StatementKind::Need { test, cites }
    }

    fn s_if(&mut self, kids: &mut Kids<'_>, span: Span) -> StatementKind {
        let test = self.next_expr(kids, span);
        let mut arms = vec![(test, self.next_block(kids, span))];
        while let Some(elif) = kids.pick(Rule::elif) {
            let span = self.span(&elif);
            let mut inner = Kids::of(elif);
            let test = self.next_expr(&mut inner, span);
            arms.push((test, self.next_block(&mut inner, span)));
        }
        let otherwise = kids.pick(Rule::els).map(|els| self.next_block(&mut Kids::of(els), span));
        StatementKind::If { arms, otherwise }
    }

    /// A kind is a name here, since `k of me` would be a call of `k`.
    fn put_kind(&mut self, kids: &mut Kids<'_>, span: Span) -> Expr {
        let Some(pair) = kids.next() else { return self.next_expr(kids, span) };
        let span = self.span(&pair);
        let mut inner = Kids::of(pair);
        match self.maybe_name(&mut inner) {
            Some(name) => name_expr(name),
            None => Expr { span, ..self.next_expr(&mut inner, span) },
        }
    }

    fn lvalue(&mut self, kids: &mut Kids<'_>, whole: Span) -> Lvalue {
        match kids.next() {
            Some(pair) => {
                let span = self.span(&pair);
                let mut inner = Kids::of(pair);
                Lvalue { name: self.next_name(&mut inner), of: self.maybe_expr(&mut inner), span }
            }
            None => Lvalue { name: Name::default(), of: None, span: whole },
        }
    }
}

fn name_expr(name: Name) -> Expr {
    let span = name.span;
    Expr { span, kind: Box::new(super::ast::ExprKind::Call { name, branch: None, args: None }) }
}
