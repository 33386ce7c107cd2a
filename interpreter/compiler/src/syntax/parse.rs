//! A file read into its tree.
//!
//! In: a text. Out: its `Ast` and what is wrong with it. One error of the grammar is found for each item, since pest stops
//! at the first; split.rs keeps items apart.

use super::ast::Ast;
use super::rules::{Rule, read_item};
use super::split::{Chunk, Split, split};
use super::tree::{Kids, Reader};
use super::words::{choices, describe, is_reserved, keyword, statement_words};
use crate::diagnostics::{FileId, Problem, Problems, Span, nearest};
use pest::error::{Error, ErrorVariant, InputLocation};

/// The largest text that is read.
pub const MAX_BYTES: usize = 256 * 1024;

/// After so many problems the rest of a file is not read.
const MOST_PROBLEMS: usize = 200;

/// Reads a text. The tree holds the items that could be read; the problems are sorted, each once.
pub fn parse(text: &str, file: FileId) -> (Ast, Vec<Problem>) {
    if text.len() > MAX_BYTES {
        let message = format!("this file holds {} bytes of text; at most {MAX_BYTES} are read", text.len());
        return (Ast::default(), vec![Problem::error("syntax-too-large", Span::new(file, 0, 0), message)]);
    }
    // Signs that a terminal obeys instead of showing could make a ruleset look like another one.
    if let Some((at, odd)) = text.char_indices().find(|(_, c)| obeyed(*c)) {
        let message = format!("the file holds the control character U+{:04X}", u32::from(odd));
        let span = Span::new(file, at, at + odd.len_utf8());
        return (Ast::default(), vec![Problem::error("syntax", span, message).help("take it out; it shows nothing")]);
    }
    let mut split = split(text, file);
    let mut reader = Reader { file, base: 0, tokens: &split.tokens, problems: std::mem::take(&mut split.problems) };
    let mut items = Vec::new();
    for chunk in split.chunks.iter().filter(|chunk| !chunk.broken) {
        let part = split.text.get(chunk.start..chunk.end).unwrap_or("");
        // Something that is no ruleset at all is not read to its end.
        if reader.problems.len() >= MOST_PROBLEMS {
            break;
        }
        reader.base = chunk.start;
        match read_item(part) {
            Ok(pairs) => items.extend(
                pairs
                    .flat_map(Kids::of)
                    .filter(|pair| pair.as_rule() == Rule::item)
                    .filter_map(|pair| reader.item(pair)),
            ),
            Err(error) => reader.problems.push(grammar_error(&error, text, &split, chunk, file)),
        }
    }
    let problems: Problems = reader.problems.into_iter().collect();
    (Ast { items, comments: split.comments }, problems.into_sorted())
}

/// Control characters but for blanks and ends of lines, and those that change the direction of writing.
fn obeyed(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
        || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// What pest says, in words for people.
fn grammar_error(error: &Error<Rule>, text: &str, split: &Split, chunk: &Chunk, file: FileId) -> Problem {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at + chunk.start,
    };
    let next = split.tokens.partition_point(|token| token.1 <= at);
    let found = split.tokens.get(next).filter(|token| token.1 <= chunk.end);
    let (span, word) = match found {
        Some(&(start, end)) => (Span::new(file, start, end), text.get(start..end).unwrap_or("")),
        None => (Span::new(file, chunk.end, chunk.end), ""),
    };
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
        // Pest ran out of stack: the thread has less of it than usual.
        return Problem::error("syntax-nesting", span, "this is nested too deeply");
    };
    let shown = if word.is_empty() { "the end of the item".to_string() } else { format!("`{}`", shorten(word)) };
    let message = format!("expected {}, found {shown}", expectation(positives));
    let mut problem = Problem::error("syntax", span, message);
    if let Some(right) = meant(word, positives) {
        problem = problem.help(format!("did you mean `{right}`?")).fix(span, right);
    } else if positives.contains(&Rule::name) && is_reserved(word) {
        problem = problem.help(format!("`{word}` is a word of the language and cannot be a name"));
    } else if positives.contains(&Rule::name) && is_square(word) {
        problem = problem.help(format!("`{word}` is a square and cannot be a name"));
    } else if word.starts_with('§') {
        problem = problem.help("a paragraph stands at the end of an item, right behind its opening brace, behind the name of a rule or the phases of an action, or in a `need`");
    }
    problem
}

fn shorten(word: &str) -> String {
    if word.chars().count() <= 40 { word.to_string() } else { word.chars().take(40).chain("…".chars()).collect() }
}

fn is_square(word: &str) -> bool {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_lowercase());
    (1..=2).contains(&(word.len() - digits.len()))
        && !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The word that was probably meant, of those that could stand there.
fn meant(word: &str, positives: &[Rule]) -> Option<&'static str> {
    let statements = positives.contains(&Rule::statement);
    let keywords = positives.iter().filter_map(|expected| keyword(*expected));
    let chosen = positives.iter().flat_map(|expected| choices(*expected).iter().copied());
    let items = positives.contains(&Rule::item);
    let items = super::words::ITEM_WORDS.iter().copied().filter(|_| items);
    let words = keywords.chain(chosen).chain(statement_words().filter(|_| statements)).chain(items);
    nearest(word, words.filter(|candidate| candidate.starts_with(|c: char| c.is_ascii_alphabetic())))
        .filter(|found| *found != word)
}

/// `a, b or c`. What may go on with an expression is left out when something else may stand there as well: it is always
/// possible and says nothing.
fn expectation(positives: &[Rule]) -> String {
    let mut all: Vec<String> = Vec::new();
    let mut vital: Vec<String> = Vec::new();
    for rule in positives {
        let words = describe(*rule);
        let minor = words == "an operator"
            || matches!(
                rule,
                Rule::k_dot
                    | Rule::k_of
                    | Rule::k_open
                    | Rule::of_arg
                    | Rule::args
                    | Rule::branch_ref
                    | Rule::cite
                    | Rule::cites
            );
        if !minor && !vital.contains(&words) {
            vital.push(words.clone());
        }
        if !all.contains(&words) {
            all.push(words);
        }
    }
    let mut list = if vital.is_empty() { all } else { vital };
    list.sort_by_key(|words| words == "the end of the item");
    match (list.pop(), list.is_empty()) {
        (None, _) => "something else".to_string(),
        (Some(only), true) => only,
        (Some(last), false) => format!("{} or {last}", list.join(", ")),
    }
}
