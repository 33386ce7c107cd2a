//! The litmus edits of the design that concern Exoplanet Chess and Soccer Chess: a line or two that extend them, and a game
//! that shows the change.

use fullcourt_engine::session::{Session, Setup};
use fullcourt_tests::play::{say, texts};
use fullcourt_tests::{Loaded, TestFiles, load};

/// A shipped ruleset changed by these lines, of which there are at most two.
fn edit(base: &str, lines: &str) -> Loaded {
    assert!((1..=2).contains(&lines.lines().count()), "{lines}");
    let text = format!("language 1\nruleset \"Edited\"\nextends {base}\n{lines}\n");
    load(&TestFiles::with("edited", &text), "edited")
}

fn at(rules: &Loaded, line: &str) -> Box<dyn Session> {
    let mut play = rules.game(&[], &Setup::default());
    play.set_line(line).expect("the position can be");
    play
}

#[test]
fn exoplanet_with_chancellors() {
    let rules = edit(
        "exoplanet-chess",
        "add piece Chancellor \"C\" { moves = betza \"RN\"  heir }\nreplace start fen \"4k3/8/8/8/8/8/8/4K3[QCRRBBNNPPPPPPPPqcrrbbnnpppppppp] w - - 0 1\"",
    );
    let play = rules.game(&[], &Setup::default());
    // 5 steps of the King, and six kinds and the Chancellor on 31 squares.
    assert_eq!(play.legal().expect("no fault").len(), 5 + 31 * 6);
    let play = at(&rules, "4k3/8/8/8/3C4/8/8/4K3[] w - - 0 1");
    let of_it = texts(&*play).into_iter().filter(|text| text.starts_with("d4")).count();
    assert_eq!(of_it, 14 + 8);
}

#[test]
fn exoplanet_with_recaptured_pieces_returning() {
    let rules = edit(
        "exoplanet-chess",
        "replace define takes(there: squares) { for v in there and occupied { report taken(kind of v, me)  add kind of v to hand of me  remove v } }",
    );
    let mut play = at(&rules, "4k3/8/8/3r4/4P3/8/8/4K3[] w - - 0 1");
    say(&mut *play, "e4d5");
    assert_eq!(play.line().as_deref(), Some("4k3/8/8/3P4/8/8/8/4K3[R] b - - 0 1"));
    say(&mut *play, "e8f8");
    assert!(texts(&*play).contains(&"R@a1".to_owned()));
}

#[test]
fn goals_that_end_the_match_at_five() {
    let rules =
        edit("soccer-chess", "add rule enough after golden_goal when goal_scored(s) if score of s >= 5 { win s }");
    for (score, over) in [("3-0", false), ("4-0", true)] {
        let line = format!("5k5/11/11/11/11/11/11/11/4Q6/11/11/11/11/11/11/11/5K5[] e8 play h 1 0 - {score} 0-0 h -");
        let mut play = at(&rules, &line);
        say(&mut *play, "Q e9xe18");
        assert_eq!(play.is_over(), over, "{score}");
    }
}

#[test]
fn a_goal_from_the_own_half_is_worth_three() {
    let rules = edit(
        "soccer-chess",
        "add rule far when goal_scored(s) if some (Forward of s and moved and team of s) { add 2 to score of s }",
    );
    let mut play = at(&rules, "5k5/11/11/11/11/11/11/11/4Q6/11/11/11/11/11/11/11/5K5[] e8 play h 1 0 - 0-0 0-0 h -");
    say(&mut *play, "Q e9xe18");
    assert_eq!(play.score(), [3, 0]);
}
