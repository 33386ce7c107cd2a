//! What the fuzz targets and the tests of broken texts have in common.

use fullcourt_compiler::compile;
use fullcourt_compiler::diagnostics::{FileId, Problem, render};
use fullcourt_compiler::syntax;
use fullcourt_engine::rng::Rng;

use crate::{TestFiles, show};

/// A race over five ranks.
pub const RACE: &str = r#"language 1
ruleset "Race"
side White faces north
side Black faces south
board 5 x 5
option wait = 20 in 1..99  §1 "moves until it is a draw"
option jumps = on | off  §2 "whether a jumper jumps"
zone goal per side = rank 1
geometry moves
piece Runner "R" { moves = step any }
piece Jumper "J" { moves = leap 1 2 if option.jumps is on }
var turn: side in game
clock patience = option.wait in game
event stepped(who: square, to: square) " ~ {to}"
rule opening when game begins {
  put Runner of White on a1
  put Jumper of White on b1
  put Runner of Black on e5
  put Jumper of Black on d5
  set turn to White  go race
}
phase race of turn
action run in race "{kind of who} {who}-{to}" {
  choose who in me
  choose to in targets(who)
  move who to to
  tick patience
  report stepped(who, to)
  set turn to them
  go race
}
define targets(who: square) = moves of who and empty
rule arrival when stepped(who, to) if to in goal of turn { win opponent of turn }
rule tired_out when patience runs out { draw }
"#;

/// Reads and checks a text as a ruleset; whatever is said about it is also written out. The answer is how many problems
/// there are. It must not panic.
pub fn check_text(text: &str) -> usize {
    let (ast, problems) = syntax::parse(text, FileId(0));
    let printed = syntax::print(&ast);
    if problems.is_empty() {
        let (_, again) = syntax::parse(&printed, FileId(0));
        assert!(again.is_empty(), "what is printed is not read again: {again:?}\n{printed}");
    }
    match compile(&TestFiles::with("hostile", text), "hostile") {
        Ok(compiled) => compiled.warnings.len(),
        Err(failure) => {
            let _ = show(&failure);
            let _ = render::all_to_text(&failure.problems, &failure.sources, false);
            failure.problems.iter().for_each(|problem: &Problem| drop(render::to_json(problem, &failure.sources)));
            failure.problems.len()
        }
    }
}

/// A text with a few of its tokens left out, doubled, exchanged, or replaced by others of it, or cut off.
#[must_use]
pub fn mutate(text: &str, rng: &mut Rng) -> String {
    let mut tokens: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let alike =
            |c: char| c.is_alphanumeric() == first.is_alphanumeric() && c.is_whitespace() == first.is_whitespace();
        let word = first.is_alphanumeric() || first.is_whitespace();
        let length = if word { rest.find(|c| !alike(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after;
    }
    const STRANGE: [&str; 14] =
        ["(", "{", "}", "\"", "§", "é", "99999999999", "..", "not ", "0", "-", "//", "none", "\u{0}"];
    for _ in 0..1 + rng.below(3) {
        let count = tokens.len();
        if count == 0 {
            break;
        }
        let (at, other) = (rng.below(count), rng.below(count));
        match rng.below(7) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[other]),
            2 => tokens.swap(at, other),
            3 => tokens[at] = tokens[other],
            4 => tokens[at] = STRANGE[rng.below(STRANGE.len())],
            5 => tokens.insert(at, STRANGE[rng.below(STRANGE.len())]),
            _ if rng.below(8) == 0 => tokens.truncate(at.max(1)),
            _ => tokens.swap(at, (at + 2).min(count - 1)),
        }
    }
    tokens.concat()
}
