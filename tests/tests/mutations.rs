//! Thousands of broken texts: something is said about each, and none brings the compiler down.

use fullcourt_engine::rng::Rng;
use fullcourt_tests::hostile::{RACE, check_text, mutate};
use fullcourt_tests::root;

/// A debug build is some ten times slower.
const SCALE: usize = if cfg!(debug_assertions) { 1 } else { 8 };

fn shipped(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).expect("it is shipped")
}

/// How many of so many mutants, or of eight times as many, are refused.
fn refused(text: &str, seed: u64, count: usize) -> usize {
    let mut rng = Rng::new(seed);
    (0..count * SCALE).filter(|_| check_text(&mutate(text, &mut rng)) > 0).count()
}

#[test]
fn mutants_of_a_small_ruleset() {
    let found = refused(RACE, 1, 400);
    assert!(found > 250 * SCALE, "only {found} mutants were refused");
}

#[test]
fn mutants_of_the_library() {
    let library = shipped("stdlib/ball.court");
    assert!(refused(&library, 2, 40) > 25 * SCALE);
}

#[test]
fn mutants_of_the_shipped_ruleset() {
    let ruleset = shipped("rulesets/pickup-chess.court");
    let found = refused(&ruleset, 3, 10);
    assert!(found > 5 * SCALE, "only {found} mutants were refused");
}

#[test]
fn mutants_of_the_chess_games() {
    for (path, seed) in [("stdlib/chess-pieces", 5), ("rulesets/chess", 6), ("rulesets/soccer-chess", 7)] {
        let text = shipped(&format!("{path}.court"));
        assert!(refused(&text, seed, 20) > 10 * SCALE, "{path}");
    }
}

#[test]
fn mutants_of_rulesets_that_extend() {
    let edits = "language 1\nruleset \"E\"\nextends pickup-chess\nset target = 21\nreplace board 10 x 8\n\
        add piece Archbishop \"A\" { moves = slide diagonal or leap 1 2  throws = ray any  lobs }\nwithout rule cap\n";
    assert!(refused(edits, 4, 10) > 3 * SCALE);
}

#[test]
fn texts_that_are_no_rulesets() {
    let open = "(".repeat(5_000);
    let nested = format!("define a = {}1", "not ".repeat(5_000));
    let blocks = format!("rule a when game begins {}", "{ if true ".repeat(3_000));
    let long = format!("define a = {}1", "1 + ".repeat(50_000));
    let same = "replace ".repeat(4_000);
    let name = format!("define {} = 1", "n".repeat(100_000));
    for text in ["", "\u{feff}", "\0\0\0", "🏀", "\"", "// nothing", &open, &nested, &blocks, &long, &same, &name] {
        assert!(check_text(text) > 0, "{}", text.chars().take(40).collect::<String>());
    }
}
