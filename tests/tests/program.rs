//! The program does what the walker does: legal actions in their order, positions, histories, at every step of random games
//! with random options.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may fail")]

use fullcourt_compiler::lower::Shapes;
use fullcourt_engine::session::Setup;
use fullcourt_tests::agree::{Tally, drawn, games};
use fullcourt_tests::{Loaded, TestFiles, load};

/// A debug build is some ten times slower.
const SCALE: u64 = if cfg!(debug_assertions) { 1 } else { 10 };

fn shipped(name: &str) -> Loaded {
    load(&TestFiles::default(), name)
}

#[test]
fn pickup() {
    assert!(games(Shapes::default(), &shipped("pickup-chess"), 0..4 * SCALE, 600) > 1000);
}

#[test]
fn exoplanet() {
    assert!(games(Shapes::default(), &shipped("exoplanet-chess"), 0..3 * SCALE, 250) > 500);
}

#[test]
fn chess() {
    assert!(games(Shapes::default(), &shipped("chess"), 0..3 * SCALE, 250) > 500);
}

#[test]
fn soccer() {
    assert!(games(Shapes::default(), &shipped("soccer-chess"), 0..3 * SCALE, 400) > 500);
}

/// Two thousand games of each ruleset, with random options: `cargo test --release --workspace --test program -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn two_thousand_games_each() {
    for name in ["pickup-chess", "exoplanet-chess", "chess", "soccer-chess"] {
        let decisions = games(Shapes::default(), &shipped(name), 1_000..3_000, 2_000);
        println!("{name}: {decisions} decisions agree");
    }
}

/// Actions that random games hardly ever meet: a piece taken beside its square stood on the line of a rider, or the piece
/// that takes did.
#[test]
fn lines_opened_by_what_is_taken() {
    let rules = shipped("chess");
    for line in [
        "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1",
        "4k1b1/8/8/3pP3/8/8/K7/8 w - d6 0 1",
        "8/8/8/8/k2Pp2Q/8/8/4K3 b - d3 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ] {
        let mut game = rules.game(&[], &Setup::default());
        game.set_line(line).unwrap();
        for action in game.legal().unwrap() {
            game.compare(Some(action)).unwrap_or_else(|text| panic!("{line}: {text}"));
        }
        let never = || false;
        assert_eq!(game.perft(3, true, &never), game.plain().perft(3, true, &never), "{line}");
    }
}

/// Pieces that must reach a place: in all directions, ahead, riding, only so far, and not at all.
const FETCH: &str = r#"language 1
ruleset "Fetch"
side White faces north
side Black faces south
board 6 x 7
geometry moves
piece Any "A" { moves = slide any }
piece Ahead "B" { moves = slide forward }
piece Rider "C" { moves = betza "ffNN" }
piece Near "D" { moves = step straight or leap 2 2 }
piece Still "E" { }
piece Turned "F" { moves = slide askew or step back }
var turn: side in game
var ball: square in game
clock patience = 60 in game
rule opening when game begins {
  put Any of White on a1  put Ahead of White on b1  put Rider of White on c1  put Near of White on d1
  put Still of White on e1  put Turned of White on f1
  put Any of Black on a7  put Ahead of Black on b7  put Rider of Black on c7  put Near of Black on d7
  put Still of Black on e7  put Turned of Black on f7
  set ball to c4  set turn to White  go play
}
phase play of turn in game
action run in play "{who}-{to}" {
  choose who in me
  choose to in moves of who and empty
  move who to to
  tick patience
  set turn to them
}
action fetch in play "{who}x{to}" {
  choose who in me
  need ball in (moves of who and empty) "it does not reach the ball"
  let at = ball
  move who to at
  choose to in empty
  set ball to to
  tick patience
  set turn to them
}
action wait in play "wait" { tick patience  set turn to them }
rule late when patience runs out { draw }
"#;

#[test]
fn small_rulesets_and_edits() {
    let edited = |base: &str, lines: &str| {
        load(&TestFiles::with("edited", &format!("language 1\nruleset \"E\"\nextends {base}\n{lines}\n")), "edited")
    };
    let all = [
        load(&TestFiles::with("race", fullcourt_tests::hostile::RACE), "race"),
        load(&TestFiles::with("fetch", FETCH), "fetch"),
        edited("pickup-chess", "replace board 10 x 8  §2"),
        edited("pickup-chess", "replace board 18 x 16  §2\nset cap = 40"),
        edited("pickup-chess", "set energy = turn\nset steal_spot = lane\nset lob = safe"),
        // A guarded piece that may be put down, a geometry that faces, riders, a law of another shape, two laws.
        edited(
            "exoplanet-chess",
            "replace start fen \"4k3/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1\"\nreplace piece Knight \"N\" { moves = betza \"NNfF\"  heir  royal }\nwithout invariant one_king",
        ),
        edited(
            "chess",
            "replace piece Bishop \"B\" { moves = betza \"fsNB2\"  heir }\nadd law calm in play = count me > 1",
        ),
        edited("chess", "replace law king_safe in play = not checked(me) or count me < 5  \"not yet\""),
        edited("chess", "replace piece Rook \"R\" { moves = slide straight through (not Pawn)  heir }"),
    ];
    for (index, rules) in all.iter().enumerate() {
        assert!(games(Shapes::default(), rules, 0..2 * SCALE, 120) > 20, "ruleset {index}");
    }
}

#[test]
fn drawn_rulesets() {
    let mut tally = Tally::default();
    // The last three were drawn once and disagreed, or spent the budget.
    (0..60 * SCALE).chain([10_198, 14_425, 20_229]).for_each(|seed| drawn(Shapes::default(), seed, &mut tally));
    println!("{tally:?}");
    assert!(tally.refused * 4 < tally.played, "{tally:?}");
    assert!(tally.slow * 20 < tally.played, "{tally:?}");
    assert!(tally.decisions > 10 * tally.played, "{tally:?}");
}

/// Twenty thousand rulesets: `cargo test --release --workspace --test program -- --ignored drawn --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn many_drawn_rulesets() {
    let mut tally = Tally::default();
    (10_000..30_000).for_each(|seed| drawn(Shapes::default(), seed, &mut tally));
    println!("{tally:?}");
    assert!(tally.played > 18_000, "{tally:?}");
}

#[test]
fn the_games_leave_nothing_to_the_walker() {
    for name in ["pickup-chess", "exoplanet-chess", "chess", "soccer-chess"] {
        let rules = shipped(name);
        let program = rules.program(&rules.compiled.defaults).unwrap();
        let listing = program.listing(&rules.compiled.rules);
        let first = listing.lines().next().unwrap_or_default();
        assert!(first.ends_with(" operations, 0 fragments left to the walker"), "{first}");
    }
}
