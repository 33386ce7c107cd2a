//! A tree as text.
//!
//! In: an `Ast`. Out: text that reads back as the same tree apart from places. Comments are not printed: they belong to no
//! node yet.

use super::ast::{Ast, Block, Cites, Expr, Lvalue, Name, Statement, StatementKind};
use super::print_expr::ends_in_path;

/// A file as text, an item a line or more.
pub fn print(ast: &Ast) -> String {
    let mut printer = Printer::default();
    for item in &ast.items {
        printer.item(item);
        printer.push("\n");
    }
    printer.text
}

/// Text in the making.
#[derive(Default)]
pub(super) struct Printer {
    text: String,
    indent: usize,
}

/// Words with something between them.
pub(super) fn names(list: &[Name], between: &str) -> String {
    let words: Vec<&str> = list.iter().map(|name| name.text.as_str()).collect();
    words.join(between)
}

impl Printer {
    /// Adds text.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Begins a line.
    pub(super) fn line(&mut self) {
        self.text.push('\n');
        for _ in 0..self.indent {
            self.text.push_str("  ");
        }
    }

    /// What stands in braces, indented.
    pub(super) fn braces(&mut self, inside: impl FnOnce(&mut Printer)) {
        self.push("{");
        self.indent += 1;
        inside(self);
        self.indent -= 1;
        self.line();
        self.push("}");
    }

    /// `§5 "words"`, behind what is there.
    pub(super) fn cites(&mut self, cites: &Cites) {
        if !cites.cite.is_empty() {
            self.push(&format!(" {}", cites.cite));
        }
        if !cites.text.is_empty() {
            self.push(&format!(" \"{}\"", cites.text));
        }
    }

    /// `{ … }`
    pub(super) fn block(&mut self, block: &Block) {
        if block.statements.is_empty() {
            self.push("{ }");
            return;
        }
        self.braces(|printer| {
            for statement in &block.statements {
                printer.line();
                printer.statement(statement);
            }
        });
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Choose { name, domain, cites } => {
                self.words(&["choose ", &name.text, " in "], domain);
                self.cites(cites);
            }
            StatementKind::Need { test, cites } => {
                self.words(&["need "], test);
                self.cites(cites);
            }
            StatementKind::Let { name, value } => self.words(&["let ", &name.text, " = "], value),
            StatementKind::If { arms, otherwise } => self.if_statement(arms, otherwise.as_ref()),
            StatementKind::ForSides { name, block } => {
                self.push(&format!("for each side {} ", name.text));
                self.block(block);
            }
            StatementKind::For { name, domain, block } => {
                self.words(&["for ", &name.text, " in "], domain);
                self.push(" ");
                self.block(block);
            }
            StatementKind::Move { from, to } => {
                self.words(&["move "], from);
                self.words(&[" to "], to);
            }
            StatementKind::MoveEach { name, domain, to } => {
                self.words(&["move each ", &name.text, " in "], domain);
                self.words(&[" to "], to);
            }
            StatementKind::Put { kind, side, on } => {
                self.push("put ");
                self.guarded(kind, !is_name(kind));
                self.words(&[" of "], side);
                self.words(&[" on "], on);
            }
            StatementKind::Remove { square } => self.words(&["remove "], square),
            StatementKind::Mark { squares, mark } => {
                self.words(&["mark "], squares);
                self.push(&format!(" as {}", mark.text));
            }
            StatementKind::Unmark { squares, mark } => {
                self.words(&["unmark "], squares);
                self.push(&format!(" as {}", mark.text));
            }
            StatementKind::Set { target, value } => {
                self.push("set ");
                self.lvalue(target);
                self.words(&[" to "], value);
            }
            StatementKind::Add { value, target } => {
                self.words(&["add "], value);
                self.push(" to ");
                self.lvalue(target);
            }
            StatementKind::Take { value, target } => {
                self.push("take ");
                self.guarded(value, ends_in_path(value));
                self.push(" from ");
                self.lvalue(target);
            }
            StatementKind::Tick { clock } => self.push(&format!("tick {}", clock.text)),
            StatementKind::Report { event, args } => {
                self.push(&format!("report {}", event.text));
                if !args.is_empty() {
                    let args: Vec<_> = args.iter().cloned().map(super::ast::Arg::Expr).collect();
                    self.args(&args);
                }
            }
            StatementKind::Begin { what, side } => {
                self.push(&format!("begin {}", what.text));
                if let Some(side) = side {
                    self.words(&[" for "], side);
                }
            }
            StatementKind::End { what } => self.push(&format!("end {}", what.text)),
            StatementKind::Go { phase } => self.push(&format!("go {}", phase.text)),
            StatementKind::Win { side } => self.words(&["win "], side),
            StatementKind::Award { side } => self.words(&["award "], side),
            StatementKind::Draw => self.push("draw"),
            StatementKind::Recall { name, value } => self.words(&["recall ", &name.text, " as "], value),
            StatementKind::Forget { name } => self.push(&format!("forget {}", name.text)),
            StatementKind::Call { name, args } => {
                self.push(&name.text);
                if !args.is_empty() {
                    self.args(args);
                }
            }
        }
    }

    /// Words, then an expression.
    pub(super) fn words(&mut self, words: &[&str], expr: &Expr) {
        for word in words {
            self.push(word);
        }
        self.expr(expr);
    }

    fn lvalue(&mut self, target: &Lvalue) {
        self.push(&target.name.text);
        if let Some(of) = &target.of {
            self.words(&[" of "], of);
        }
    }

    fn if_statement(&mut self, arms: &[(Expr, Block)], otherwise: Option<&Block>) {
        for (at, (test, block)) in arms.iter().enumerate() {
            self.words(&[if at == 0 { "if " } else { " else if " }], test);
            self.push(" ");
            self.block(block);
        }
        if let Some(block) = otherwise {
            self.push(" else ");
            self.block(block);
        }
    }
}

/// Whether an expression is one word, neither in parentheses nor a call.
fn is_name(expr: &Expr) -> bool {
    matches!(&*expr.kind, super::ast::ExprKind::Call { branch: None, args: None, .. })
}
