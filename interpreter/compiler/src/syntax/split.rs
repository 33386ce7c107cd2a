//! A file cut into its items, so that each is read alone and an error in one hides none in another.
//!
//! In: a text. Out: chunks that hold one item each, the comments, the problems that can be seen without the grammar
//! (brackets, quotes, nesting, foreign spellings, first words), and the text with those foreign spellings blanked or
//! replaced that the grammar does not know; it keeps its length, so places stay right.

use super::ast::Comment;
use super::depth::{Depth, MAX_DEPTH};
use super::tokens::{Token, TokenKind, tokens};
use super::words::{ITEM_WORDS, goes_on, is_item_word, is_statement_word, is_unfinished};
use crate::diagnostics::{FileId, Problem, Span, nearest};

/// A part of the text that should be one item.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk {
    /// First byte.
    pub start: usize,
    /// The byte after its last token.
    pub end: usize,
    /// It is not worth reading: what is wrong with it has been said.
    pub broken: bool,
    first_token: usize,
    unknown: bool,
    option: bool,
}

/// What a file consists of.
pub(super) struct Split {
    /// The text to read.
    pub text: String,
    /// Its items.
    pub chunks: Vec<Chunk>,
    /// Its comments.
    pub comments: Vec<Comment>,
    /// Start and end of its tokens without comments.
    pub tokens: Vec<(usize, usize)>,
    /// What is wrong already.
    pub problems: Vec<Problem>,
}

/// Cuts a text.
pub(super) fn split(text: &str, file: FileId) -> Split {
    let mut splitter = Splitter::new(text, file);
    for token in tokens(text) {
        splitter.token(token);
    }
    splitter.end_chunk();
    Split {
        // Only whole characters are replaced, and only by ASCII, so this copies nothing anew.
        text: String::from_utf8(splitter.clean).unwrap_or_default(),
        chunks: splitter.chunks,
        comments: splitter.comments,
        tokens: splitter.tokens,
        problems: splitter.problems,
    }
}

struct Splitter<'t> {
    text: &'t str,
    file: FileId,
    clean: Vec<u8>,
    chunks: Vec<Chunk>,
    comments: Vec<Comment>,
    tokens: Vec<(usize, usize)>,
    problems: Vec<Problem>,
    open: Vec<Open>,
    open_braces: usize,
    depth: Depth,
}

/// A bracket that waits for its partner.
struct Open {
    brace: bool,
    span: Span,
}

impl<'t> Splitter<'t> {
    fn new(text: &'t str, file: FileId) -> Splitter<'t> {
        Splitter {
            text,
            file,
            clean: text.as_bytes().to_vec(),
            chunks: Vec::new(),
            comments: Vec::new(),
            tokens: Vec::new(),
            problems: Vec::new(),
            open: Vec::new(),
            open_braces: 0,
            depth: Depth::new(),
        }
    }

    fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or("")
    }

    fn span(&self, token: Token) -> Span {
        Span::new(self.file, token.start, token.end)
    }

    fn token(&mut self, token: Token) {
        let text = self.slice(token.start, token.end);
        match token.kind {
            TokenKind::Comment => {
                let text = text.trim_end();
                let span = Span::new(self.file, token.start, token.start + text.len());
                self.comments.push(Comment { text: text.to_string(), span });
                return;
            }
            TokenKind::ForeignComment => {
                let sign = if text.starts_with('#') { "#" } else { "/*" };
                let at = Span::new(self.file, token.start, token.start + sign.len());
                let problem = Problem::error(
                    "syntax-foreign-operator",
                    at,
                    format!("a comment begins with `//`, not with `{sign}`"),
                );
                self.problems.push(problem);
                self.blank(token.start, token.end);
                return;
            }
            _ => {}
        }
        if self.starts_item(token, text) {
            self.end_chunk();
            self.begin_chunk(token, text);
        }
        self.tokens.push((token.start, token.end));
        self.inspect(token, text);
        if let Some(chunk) = self.chunks.last_mut() {
            chunk.end = token.end;
        }
    }

    /// Whether an item begins here. Between brackets one begins only in the first column, and only with a word that can be
    /// nothing else there: then a bracket before it was forgotten.
    fn starts_item(&self, token: Token, text: &str) -> bool {
        let (Some(chunk), Some(&(start, end))) = (self.chunks.last(), self.tokens.last()) else {
            return true;
        };
        if !token.first || token.kind != TokenKind::Word {
            return false;
        }
        let alone = self.tokens.len() == chunk.first_token + 1;
        let previous = self.slice(start, end);
        let waits = matches!(previous, "replace" | "add" | "otherwise" | "define" | "without");
        let dotted = self.text.as_bytes().get(token.end) == Some(&b'.');
        let known = is_item_word(text) && !(text == "option" && dotted);
        match (known, self.open.is_empty()) {
            (true, false) => token.column == 0 && !is_statement_word(text) && text != "count",
            (true, true) if token.column == 0 => !waits,
            (true, true) => !alone && !is_unfinished(previous),
            (false, false) => false,
            (false, true) => {
                let unknown = token.column == 0 && !alone && !is_unfinished(previous) && !goes_on(text);
                unknown && (!chunk.unknown || nearest(text, ITEM_WORDS.iter().copied()).is_some())
            }
        }
    }

    fn begin_chunk(&mut self, token: Token, text: &str) {
        let unknown = !is_item_word(text);
        self.chunks.push(Chunk {
            start: token.start,
            end: token.end,
            broken: unknown,
            first_token: self.tokens.len(),
            unknown,
            option: false,
        });
        self.depth = Depth::new();
        // A bracket that closes nothing is reported as such.
        if unknown && !matches!(text, ")" | "}") {
            self.problems.push(unknown_item(text, self.span(token)));
        }
    }

    /// Reports the bracket that was left open.
    fn end_chunk(&mut self) {
        let next = self.chunks.last().map(|chunk| chunk.end);
        if let Some(open) = self.open.pop() {
            self.never_closed(&open, next);
        }
        self.open.clear();
        self.open_braces = 0;
    }

    fn never_closed(&mut self, open: &Open, end: Option<usize>) {
        let sign = if open.brace { ('{', '}') } else { ('(', ')') };
        let mut problem = Problem::error("syntax-unbalanced", open.span, format!("`{}` is never closed", sign.0));
        if let Some(end) = end {
            let at = Span::new(self.file, end, end);
            problem = problem.label(at, format!("expected `{}` before this place", sign.1));
        }
        self.break_chunk(problem);
    }

    /// Reports a problem that makes the rest of the chunk unreadable, unless it was unreadable before.
    fn break_chunk(&mut self, problem: Problem) {
        if let Some(chunk) = self.chunks.last_mut()
            && !chunk.broken
        {
            chunk.broken = true;
            self.problems.push(problem);
        }
    }

    fn inspect(&mut self, token: Token, text: &str) {
        let unknown = self.chunks.last().is_some_and(|chunk| chunk.unknown);
        match token.kind {
            TokenKind::OpenText => {
                let problem = Problem::error(
                    "syntax-unclosed-text",
                    self.span(token),
                    "this text has no closing `\"` on its line",
                );
                self.break_chunk(problem);
            }
            TokenKind::ForeignText => self.foreign_text(token, text, unknown),
            TokenKind::Sign => {
                self.foreign_sign(token, text, unknown);
                self.bracket(token, text, unknown);
            }
            _ => self.note_option(text),
        }
        if matches!(token.kind, TokenKind::Sign | TokenKind::Word) && !self.depth.step(text) {
            let message = format!("more than {MAX_DEPTH} parentheses, braces and operators lie in each other here");
            let problem = Problem::error("syntax-nesting", self.span(token), message)
                .help("give a part of it a name with `define`");
            self.break_chunk(problem);
        }
    }

    /// In some items `|` stands between words.
    fn note_option(&mut self, text: &str) {
        let Some(chunk) = self.chunks.last_mut() else { return };
        let words = self.tokens.get(chunk.first_token..).unwrap_or(&[]);
        if matches!(text, "option" | "position" | "record") && words.len() <= 2 {
            chunk.option = true;
        }
    }

    fn bracket(&mut self, token: Token, text: &str, unknown: bool) {
        let span = self.span(token);
        let brace = matches!(text, "{" | "}");
        match text {
            "(" | "{" => {
                self.open_braces += usize::from(brace);
                self.open.push(Open { brace, span });
            }
            ")" | "}" => {
                let waiting = if brace { self.open_braces } else { self.open.len() - self.open_braces };
                if waiting == 0 {
                    self.blank(token.start, token.end);
                    let first = self.chunks.last().is_none_or(|chunk| chunk.start == token.start);
                    if !unknown || first {
                        let problem =
                            Problem::error("syntax-unbalanced", span, format!("`{text}` closes nothing")).fix(span, "");
                        self.problems.push(problem);
                    }
                    return;
                }
                while let Some(open) = self.open.pop() {
                    self.open_braces -= usize::from(open.brace);
                    if open.brace == brace {
                        break;
                    }
                    self.never_closed(&open, Some(token.start));
                }
            }
            _ => {}
        }
    }

    fn foreign_sign(&mut self, token: Token, text: &str, unknown: bool) {
        let option = self.chunks.last().is_some_and(|chunk| chunk.option);
        let right = match text {
            "==" => "=",
            "&&" | "&" => "and",
            "||" => "or",
            "|" if !option => "or",
            "!" => "not",
            ";" => "",
            _ => return,
        };
        match text {
            "==" => self.blank(token.start + 1, token.end),
            ";" => self.blank(token.start, token.end),
            _ => {}
        }
        if unknown {
            return;
        }
        let span = self.span(token);
        let message = match text {
            ";" => "nothing separates statements or items: leave out `;`".to_string(),
            _ => format!("write `{right}` instead of `{text}`"),
        };
        let blank = |at: Option<u8>| at.is_none_or(|byte| byte.is_ascii_whitespace() || b"()".contains(&byte));
        let bytes = self.text.as_bytes();
        let mut replacement = right.to_string();
        if right.starts_with(|first: char| first.is_ascii_alphabetic()) {
            if !blank(token.start.checked_sub(1).and_then(|at| bytes.get(at).copied())) {
                replacement.insert(0, ' ');
            }
            if !blank(bytes.get(token.end).copied()) || text == "!" {
                replacement.push(' ');
            }
        }
        let problem = Problem::error("syntax-foreign-operator", span, message).fix(span, replacement);
        self.problems.push(problem);
    }

    fn foreign_text(&mut self, token: Token, text: &str, unknown: bool) {
        // The quotes change their roles, so that a `"` inside ends nothing.
        for byte in self.clean.get_mut(token.start..token.end).unwrap_or(&mut []) {
            *byte = match *byte {
                b'\'' => b'"',
                b'"' => b'\'',
                other => other,
            };
        }
        if unknown {
            return;
        }
        let span = self.span(token);
        let inner = text.trim_matches('\'');
        let mut problem = Problem::error("syntax-foreign-operator", span, "text stands in double quotes");
        if !inner.contains('"') {
            problem = problem.fix(span, format!("\"{inner}\""));
        }
        self.problems.push(problem);
    }

    fn blank(&mut self, start: usize, end: usize) {
        for byte in self.clean.get_mut(start..end).unwrap_or(&mut []) {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
}

fn unknown_item(text: &str, span: Span) -> Problem {
    let code = "syntax-unknown-item";
    if is_statement_word(text) {
        let message = format!("the statement `{text}` stands outside of braces");
        return Problem::error(code, span, message).help("statements belong to an `action`, a `rule` or a `define`");
    }
    let shown: String = text.chars().take(40).collect();
    let problem = Problem::error(code, span, format!("`{shown}` does not begin an item"));
    match nearest(text, ITEM_WORDS.iter().copied()) {
        Some(word) => problem.help(format!("did you mean `{word}`?")).fix(span, word),
        None => problem.help("an item begins with a word such as `zone`, `piece`, `action` or `rule`"),
    }
}
