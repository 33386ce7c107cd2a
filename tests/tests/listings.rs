//! For each shape a small ruleset, and what it is lowered to with the shape and without: so a reader sees what a shape does,
//! and a change of it is seen in what it gives. `FULLCOURT_BLESS=1` writes the texts anew.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may fail")]

use std::fmt::Write;
use std::fs;

use fullcourt_compiler::lower::{Shape, Shapes};
use fullcourt_tests::{TestFiles, load, root};

/// A listing is to be read.
const LINES: usize = 80;

/// A listing without what is beside the point: the code of the second side, which is that of the first by other numbers,
/// and how a game begins.
fn ours(listing: &str) -> String {
    let beside = |piece: &&str| {
        let head = piece.lines().next().unwrap_or_default();
        head.ends_with(" for Two") || head == "rule `opening`" || head.starts_with("who acts")
    };
    let pieces: Vec<&str> = listing.split("\n\n").filter(|piece| !beside(piece)).collect();
    pieces.join("\n\n").trim_end().to_owned() + "\n"
}

#[test]
fn listings_are_as_they_are_kept() {
    let folder = root().join("tests/cases/listings");
    let bless = std::env::var_os("FULLCOURT_BLESS").is_some();
    let mut wrong = String::new();
    for &shape in Shape::ALL {
        let name = shape.name();
        let text = fs::read_to_string(folder.join(format!("{name}.court")))
            .unwrap_or_else(|error| panic!("each shape has a ruleset: {name}.court: {error}"));
        let rules = load(&TestFiles::with(name, &text), name);
        let listing = |shapes| {
            let program = rules.program_with(&rules.compiled.defaults, shapes).unwrap();
            ours(&program.listing(&rules.compiled.rules))
        };
        let (with, without) = (listing(Shapes::default()), listing(Shapes::default().without(shape)));
        assert_ne!(with, without, "{name} does nothing for its ruleset");
        for (end, text) in [("with", with), ("without", without)] {
            assert!(text.lines().count() <= LINES, "{name}, {end} the shape: {} lines", text.lines().count());
            let path = folder.join(format!("{name}.{end}.txt"));
            if bless {
                fs::write(path, text).unwrap();
            } else if fs::read_to_string(&path).unwrap_or_default() != text {
                let _ = writeln!(wrong, "{name}.{end}.txt is not\n{text}");
            }
        }
    }
    assert!(wrong.is_empty(), "FULLCOURT_BLESS=1 writes them anew\n{wrong}");
}
