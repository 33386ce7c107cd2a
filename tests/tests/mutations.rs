//! Thousands of broken texts: something is said about each, and none brings the compiler down.

mod broken;

use broken::RACE;
use fullcourt_engine::rng::Rng;
use fullcourt_tests::hostile::{check_text, mutate};
use fullcourt_tests::root;

fn shipped(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).expect("it is shipped")
}

/// How many of so many mutants are refused.
fn refused(text: &str, seed: u64, count: usize) -> usize {
    let mut rng = Rng::new(seed);
    (0..count).filter(|_| check_text(&mutate(text, &mut rng)) > 0).count()
}

#[test]
fn mutants_of_a_small_ruleset() {
    let found = refused(RACE, 1, 3_000);
    assert!(found > 2_000, "only {found} mutants were refused");
}

#[test]
fn mutants_of_the_library() {
    let library = shipped("stdlib/ball.court");
    assert!(refused(&library, 2, 300) > 200);
}

#[test]
fn mutants_of_the_shipped_ruleset() {
    let ruleset = shipped("rulesets/pickup-chess.court");
    let found = refused(&ruleset, 3, 60);
    assert!(found > 30, "only {found} mutants were refused");
}

#[test]
fn mutants_of_rulesets_that_extend() {
    let edits = "language 1\nruleset \"E\"\nextends pickup-chess\nset target = 21\nreplace board 10 x 8\n\
        add piece Archbishop \"A\" { moves = slide diagonal or leap 1 2  throws = ray any  lobs }\nwithout rule cap\n";
    assert!(refused(edits, 4, 60) > 20);
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
