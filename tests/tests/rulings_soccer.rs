//! The rulings on Soccer Chess, at least one test for each, and the page's sample. The match is in `rulings_match.rs`.

use std::collections::BTreeSet;

use fullcourt_engine::session::{Session, Setup};
use fullcourt_playtest::play::{Log, play_one};
use fullcourt_playtest::record::{read_foreign, replay_body};
use fullcourt_tests::TestFiles;
use fullcourt_tests::lines::{refused, written};
use fullcourt_tests::pitch::{Options, SOCCER, ball, first_set, pitch};
use fullcourt_tests::play::{say, texts};

/// The squares to which texts of that beginning lead.
fn targets(play: &dyn Session, start: &str) -> BTreeSet<String> {
    texts(play).iter().filter_map(|text| text.strip_prefix(start)).map(str::to_owned).collect()
}

fn set(squares: &str) -> BTreeSet<String> {
    squares.split_whitespace().map(str::to_owned).collect()
}

/// Where a text leads in Visited's first set.
fn goes(options: Options, men: &str, ball: &str, start: &str) -> BTreeSet<String> {
    targets(&*first_set(options, men, ball), start)
}

/// All squares of the grid in these directions until the edge, or the first that stops.
fn rays(from: (i32, i32), steps: &[(i32, i32)], stops: impl Fn(i32, i32) -> bool) -> BTreeSet<String> {
    let name =
        |file: i32, rank: i32| format!("{}{rank}", char::from(b"abcdefghijk"[usize::try_from(file - 1).unwrap_or(0)]));
    let mut out = BTreeSet::new();
    for &(df, dr) in steps {
        let (mut file, mut rank) = (from.0 + df, from.1 + dr);
        while (1..=11).contains(&file) && (1..=17).contains(&rank) && !stops(file, rank) {
            out.insert(name(file, rank));
            (file, rank) = (file + df, rank + dr);
        }
    }
    out
}

const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

fn in_small(file: i32, rank: i32) -> bool {
    (4..=8).contains(&file) && (rank <= 2 || rank >= 16)
}

#[test]
fn s1_the_board() {
    let play = SOCCER.game(&[], &Setup::default());
    let board = &play.rules().board;
    assert_eq!(board.places(), 11 * 17 + 6);
    let drawn = |sign: &str| -> BTreeSet<String> {
        let places = (0..board.places()).filter(|&place| play.cell(place).zone.as_deref() == Some(sign));
        places.map(|place| board.name(place)).collect()
    };
    assert_eq!(drawn("_"), set("e0 f0 g0 e18 f18 g18"));
    assert_eq!(drawn(":"), set("d1 e1 f1 g1 h1 d2 e2 f2 g2 h2 d16 e16 f16 g16 h16 d17 e17 f17 g17 h17"));
    assert_eq!(drawn("x"), set("f9"));
    // Only the ball may stand on a goal square.
    assert_eq!(goes(&[], "Kf1 kf17", "a9", "K f1-"), set("e1 g1 e2 f2 g2"));
    assert_eq!(goes(&[], "Kf17 kf1", "a9", "K f17-"), set("e17 g17 e16 f16 g16"));
}

#[test]
fn s1_visited_plays_up() {
    let mut play = first_set(&[], "Kf1 Qf12 kd17", "f13");
    let kicks = targets(&*play, "Q f12x");
    assert!(kicks.contains("f18") && !kicks.contains("f0"), "{kicks:?}");
    assert_eq!(say(&mut *play, "Q f12xf18"), " +1");
    assert_eq!(play.score(), [1, 0]);
    let mut visitor = SOCCER.at(&[], &pitch("Kd1 qf6 kf17", "f5 play v 1 1 - 0-0 0-0 h"));
    assert_eq!(say(&mut *visitor, "Q f6xf0"), " +1");
    assert_eq!(visitor.score(), [0, 1]);
}

#[test]
fn s2_who_moves_and_kicks_how() {
    let play = SOCCER.game(&[], &Setup::default());
    let line = play.line().unwrap_or_default();
    assert!(line.contains("[KNNNNRRBBQQknnnnrrbbqq]"), "{line}");
    let everyway = [STRAIGHT, DIAGONAL].concat();
    let f9 = (6, 9);
    let moves = |kind: &str| goes(&[], &format!("{kind}f9 kf17"), "k17", &format!("{kind} f9-"));
    assert_eq!(moves("K"), set("e8 f8 g8 e9 g9 e10 f10 g10"));
    assert_eq!(moves("N"), set("e7 g7 d8 h8 d10 h10 e11 g11"));
    assert_eq!(moves("R"), rays(f9, &STRAIGHT, in_small));
    assert_eq!(moves("B"), rays(f9, &DIAGONAL, in_small));
    assert_eq!(moves("Q"), rays(f9, &everyway, in_small));
    // Kicks from f9, the ball's square; they may cross small areas.
    let kicks = |man: &str| goes(&[], &format!("{man} kd17"), "f9", &format!("{} {}x", &man[..1], &man[1..]));
    let goal = |mut squares: BTreeSet<String>| {
        squares.insert("f18".to_owned());
        squares
    };
    let free = |_, _| false;
    assert_eq!(kicks("Ke8"), goal(rays(f9, &everyway, free)));
    assert_eq!(kicks("Ne7"), set("e7 g7 d8 h8 d10 h10 e11 g11"));
    assert_eq!(kicks("Rf6"), goal(rays(f9, &STRAIGHT, free)));
    assert_eq!(kicks("Bc6"), rays(f9, &DIAGONAL, free));
    assert_eq!(kicks("Qc6"), goal(rays(f9, &everyway, free)));
}

#[test]
fn s3_small_areas() {
    let up: String = (2..=17).map(|rank| format!("a{rank} ")).collect();
    let rook = |options: Options, men: &str| goes(options, men, "k9", "R a1-");
    let through: Options = &[("small_area", "no_stopping")];
    assert_eq!(rook(&[], "Ra1 Ke2 kf17"), set(&format!("{up} b1 c1")));
    assert_eq!(rook(&[("small_area", "closed")], "Ra1 Ke2 kf17"), set(&format!("{up} b1 c1")));
    assert_eq!(rook(through, "Ra1 Ke2 kf17"), set(&format!("{up} b1 c1 i1 j1 k1")));
    assert_eq!(rook(through, "Ra1 Kf1 kf17"), set(&format!("{up} b1 c1")));
    // The same in the other's area, and for leaps.
    assert_eq!(goes(&[], "Bb14 Ke2 kf17", "k9", "B b14-"), rays((2, 14), &DIAGONAL, in_small));
    for options in [&[][..], through] {
        assert_eq!(goes(options, "Nc3 Kf1 kf17", "k9", "N c3-"), set("a2 a4 b1 b5 d5 e4"));
        assert_eq!(goes(options, "Nc15 Kf1 kf17", "k9", "N c15-"), set("a14 a16 b13 b17 d13 e14"));
    }
    let bishop = goes(through, "Bb14 Ke2 kf17", "k9", "B b14-");
    assert!(!bishop.contains("d16") && !bishop.contains("e17"), "{bishop:?}");
    // A ball that rests there is out of their reach: they would have to stop there.
    for options in [&[][..], through] {
        assert_eq!(goes(options, "Re5 Kh1 kf17", "e2", "R e5x"), set(""));
    }
    assert!(!goes(&[], "Ke3 kf17", "e2", "K e3x").is_empty());
}

#[test]
fn s3_the_ball_crosses_small_areas_and_rests_there() {
    let kicks = goes(&[], "Qb1 Kh2 kf17", "c1", "Q b1x");
    assert!(set("d1 f1 h1 i1 k1").is_subset(&kicks), "{kicks:?}");
    let mut play = first_set(&[], "Qb1 Kh2 kf17", "c1");
    say(&mut *play, "Q b1xg1");
    assert_eq!(ball(&*play), "g1");
}

#[test]
fn s3_keepers() {
    // Into both areas, and out of the own one.
    assert_eq!(goes(&[], "Kd2 kf17", "k9", "K d2-"), set("c1 c2 c3 d1 d3 e1 e2 e3"));
    assert_eq!(goes(&[], "Kc16 kf17", "k9", "K c16-"), set("b15 b16 b17 c15 c17 d15 d16 d17"));
    let confined: Options = &[("keeper_confined", "yes")];
    assert_eq!(goes(&[("keeper_confined", "no")], "Kd2 kf17", "k9", "K d2-").len(), 8);
    assert_eq!(goes(confined, "Kd2 kf17", "k9", "K d2-"), set("d1 e1 e2"));
    assert_eq!(goes(confined, "Kd2 kf17", "d3", "K d2x"), set(""));
    assert!(!goes(confined, "Kd2 kf17", "e2", "K d2x").is_empty());
    assert!(!goes(&[], "Kd2 kf17", "d3", "K d2x").is_empty());
    assert_eq!(goes(confined, "Kd16 kf17", "k9", "K d16-"), set(""));
    let visitor = SOCCER.at(confined, &pitch("Kd2 ke16", "k9 play v 1 1 - 0-0 0-0 h"));
    assert_eq!(targets(&*visitor, "K e16-"), set("d16 f16 d17 e17 f17"));
}

#[test]
fn s4_moves_and_kicks() {
    // The page's figure: a Back kicks to all its leaps from the ball's square, also to where it stood.
    assert_eq!(goes(&[], "Ne10 Kf1 kf17", "g9", "N e10x"), set("e10 e8 f11 f7 h11 h7 i10 i8"));
    assert_eq!(goes(&[], "Ne10 Rh11 ri8 Kf1 kf17", "g9", "N e10x"), set("e10 e8 f11 f7 h7 i10"));
    // The ball's square is no square to stop on, and it stops who slides.
    let rook = first_set(&[], "Ra9 Kf1 kf17", "d9");
    assert_eq!(targets(&*rook, "R a9-").iter().filter(|square| square.ends_with('9')).count(), 2);
    assert!(!refused(&*rook, "R a9-d9").is_empty() && !refused(&*rook, "R a9-e9").is_empty());
    // A man stops it too, and nobody is captured.
    assert_eq!(goes(&[], "Ra9 rc9 Na11 Kf1 kf17", "k1", "R a9-"), set("b9 a10 a8 a7 a6 a5 a4 a3 a2 a1"));
    // The ball goes over empty squares only, but over the one that was just left.
    let line = goes(&[], "Re8 Ne5 re13 Kf1 kf17", "e10", "R e8x");
    assert_eq!(&line - &rays((5, 10), &[(1, 0), (-1, 0)], |_, _| false), set("e11 e12 e9 e8 e7 e6"));
    let mut play = first_set(&[], "Re8 Ne5 re13 Kf1 kf17", "e10");
    say(&mut *play, "R e8xe6");
    assert_eq!(play.line(), Some(pitch("Re10 Ne5 re13 Kf1 kf17", "e6 play h 1 0 e10 0-0 0-0 h")));
    // Who does not reach the ball does not kick it.
    assert!(refused(&*first_set(&[], "Ra9 Kf1 kf17", "b10"), "R a9xb12").contains("does not reach the ball"));
    assert!(refused(&*first_set(&[], "Ra9 Nc9 Kf1 kf17", "d9"), "R a9xd12").contains("does not reach the ball"));
}

#[test]
fn s4_no_kick_no_move_to_the_ball() {
    // With the men of the page a kick back is always there, so this is seen with keepers that only kick forward.
    let text = "language 1\nruleset \"Forward\"\nextends soccer-chess\n\
        replace piece Keeper \"K\" { moves = step any  kicks = slide forward }\n";
    let rules = fullcourt_tests::load(&TestFiles::with("forward", text), "forward");
    let kicks = |men: &str| targets(&*rules.at(&[], &pitch(men, "f4 play h 1 0 - 0-0 0-0 h")), "K f3");
    assert_eq!(kicks("Kf3 Nf7 kd17"), set("xf5 xf6 -e2 -f2 -g2 -e3 -g3 -e4 -g4"));
    assert_eq!(kicks("Kf3 Nf5 kd17"), set("-e2 -f2 -g2 -e3 -g3 -e4 -g4"));
}

#[test]
fn s5_goals_along_any_line() {
    let straight: Options = &[("goal_entry", "straight")];
    let enters = |options: Options, men: &str, ball: &str, text: &str| {
        texts(&*first_set(options, men, ball)).iter().any(|legal| legal == text)
    };
    let cases = [
        // A Half along a diagonal, from afar and from beside the goal; a Forward; a keeper.
        ("Bg10 kd17 Kf1", "k14", "B g10xg18", true, false),
        ("Bj14 kd17 Kf1", "h16", "B j14xf18", false, false),
        ("Qb13 kh17 Kf1", "b14", "Q b13xf18", true, false),
        ("Kd17 kh16", "d16", "K d17xf18", true, false),
        ("Kd16 kh16", "d17", "K d16xe18", true, false),
        // Along the file, and by a leap.
        ("Re3 kd17 Kf1", "e9", "R e3xe18", true, true),
        ("Qg3 kd17 Kf1", "g9", "Q g3xg18", true, true),
        ("Nd14 kd17 Kf1", "c16", "N d14xe18", false, false),
        ("Nb15 kh16 Kf1", "c17", "N b15xe18", true, true),
        ("Kd15 kh16", "e16", "K d15xe18", true, true),
        // Somebody stands between.
        ("Re3 ke17 Kf1", "e9", "R e3xe18", false, false),
        ("Qb13 ke17 Kf1", "b14", "Q b13xf18", false, false),
        // No goal there.
        ("Rd3 kh17 Kf1", "d9", "R d3xd18", false, false),
    ];
    for (men, ball, text, any, only) in cases {
        assert_eq!(enters(&[], men, ball, text), any, "{text} with the ball on {ball}");
        assert_eq!(enters(&[("goal_entry", "any")], men, ball, text), any, "{text} with the ball on {ball}");
        assert_eq!(enters(straight, men, ball, text), only, "{text} with the ball on {ball}, straight");
    }
    // The Visitor's way down: from e10 to the ball on a6 and to g0.
    let visitor = SOCCER.at(&[], &pitch("Kh1 be10 kf17", "a6 play v 1 1 - 0-0 0-0 h"));
    assert!(texts(&*visitor).contains(&"B e10xg0".to_owned()));
}

#[test]
fn s5_own_goals() {
    let on: Options = &[("own_goals", "on")];
    for options in [&[][..], &[("own_goals", "off")]] {
        let play = first_set(options, "Rf7 Kd1 kd17", "f9");
        assert!(targets(&*play, "R f7x").contains("f18") && !targets(&*play, "R f7x").contains("f0"));
    }
    let straight: Options = &[("own_goals", "on"), ("goal_entry", "straight")];
    assert!(targets(&*first_set(straight, "Rf7 Kd1 kd17", "f9"), "R f7x").contains("f0"));
    let diagonal = |options: Options| targets(&*first_set(options, "Bd7 Kh1 kd17", "b5"), "B d7x").contains("g0");
    assert!(diagonal(on) && !diagonal(straight));
    let mut play = first_set(on, "Rf7 Kd1 kd17", "f9");
    assert_eq!(say(&mut *play, "R f7xf0"), " +1");
    assert_eq!(play.line(), Some(pitch("Rf9 Kd1 kd17", "e8 play v 1 1 - 0-1 0-1 h")));
    let mut visitor = SOCCER.at(on, &pitch("Rf7 Kd1 re9 kd17", "e10 play v 1 1 - 0-0 0-0 h"));
    say(&mut *visitor, "R e9xe18");
    assert_eq!(visitor.line(), Some(pitch("Rf7 Kd1 re10 kd17", "f9 play h 1 2 - 1-0 0-0 h")));
}

#[test]
fn s6_five_moves_by_five_men() {
    let men = "Na5 Nb5 Nc5 Nd5 Re5 Kf1 kf17";
    let mut play = first_set(&[], men, "k9");
    for (number, text) in ["N a5-b7", "N b5-a7", "N c5-d7", "N d5-c7"].iter().enumerate() {
        say(&mut *play, text);
        assert!(texts(&*play).contains(&"done".to_owned()));
        assert_eq!((play.to_act(), play.state()["spans"]["spell"].as_str()), (Some(0), Some("visited")), "{number}");
        // Who has moved does not move again, nor kick.
        let stood = &text[5..];
        assert_eq!(targets(&*play, &format!("N {stood}")), set(""));
    }
    assert!(play.line().is_some_and(|line| line.contains(" k9 play h 1 0 a7b7c7d7 ")), "{:?}", play.line());
    say(&mut *play, "R e5-e6");
    assert_eq!(play.line(), Some(pitch("Nb7 Na7 Nd7 Nc7 Re6 Kf1 kf17", "k9 play v 1 1 - 0-0 0-0 h")));
    // A kick is a move as well.
    let mut kick = first_set(&[], "Na5 Rb5 Kf1 kf17", "a8");
    say(&mut *kick, "R b5-b8");
    assert_eq!(targets(&*kick, "R b8"), set(""));
    kick = first_set(&[], "Na5 Rb8 Kf1 kf17", "a8");
    say(&mut *kick, "R b8xa12");
    assert_eq!(targets(&*kick, "R a8"), set(""));
    assert!(!targets(&*kick, "N a5-").is_empty());
}

#[test]
fn s6_a_set_is_over_when_its_side_says_so() {
    let men = "Na5 Nb5 Kf1 nk5 kf17";
    let mut play = first_set(&[], men, "k9");
    say(&mut *play, "done");
    assert_eq!(play.line(), Some(pitch(men, "k9 play v 1 1 - 0-0 0-0 h")));
    say(&mut *play, "N k5-j7");
    say(&mut *play, "done");
    assert_eq!(play.line(), Some(pitch("Na5 Nb5 Kf1 nj7 kf17", "k9 play h 1 2 - 0-0 0-0 h")));
}

#[test]
fn s6_a_goal_ends_the_set() {
    let men = "Rf12 Na5 Kf1 kd17";
    for options in [&[][..], &[("goal_ends_set", "yes")]] {
        let mut play = first_set(options, men, "f13");
        say(&mut *play, "R f12xf18");
        assert_eq!(play.line(), Some(pitch("Rf13 Na5 Kf1 kd17", "f9 play v 1 1 - 1-0 0-0 h")));
    }
    let mut play = first_set(&[("goal_ends_set", "no")], men, "f13");
    say(&mut *play, "R f12xf18");
    assert_eq!(play.line(), Some(pitch("Rf13 Na5 Kf1 kd17", "f9 play h 1 0 f13 1-0 0-0 h")));
    say(&mut *play, "N a5-b7");
    // A goal with the fifth move ends it in any case.
    let fifth = pitch("Rf12 Na5 Nb5 Nc5 Nd5 Qk1 Kf1 kd17", "f13 play h 1 0 a5b5c5d5 0-0 0-0 h");
    let mut last = SOCCER.at(&[("goal_ends_set", "no")], &fifth);
    say(&mut *last, "R f12xf18");
    assert_eq!(last.to_act(), Some(1));
}

const FIRST_DIAGRAM: &str =
    "5k5/11/4b6/11/4nnnn3/11/2rq2r2bq/11/11/R3Q1Q3R/1N2N1N2N1/11/5B5/5B5/11/11/5K5[] f9 play h 1 0 - 0-0 0-0 h -";
/// Typed from the page's second diagram.
const SECOND_DIAGRAM: &str = "5k5/11/4b6/2n8/6n4/5n5/r2qn1r3q/R7b1R/5Q2N2/6Q4/1N2N1N1B2/11/5B5/11/11/11/5K5[] \
    a15 play h 1 2 - 0-0 0-0 h -";

#[test]
fn the_sample_is_read() {
    let text =
        std::fs::read_to_string(fullcourt_tests::root().join("tests/data/soccer/sample.txt")).expect("it is there");
    let games = read_foreign(&text).expect("it is a game");
    assert_eq!(games.len(), 1);
    assert_eq!(games[0].header("Line").map(|(line, _)| line), Some(FIRST_DIAGRAM));
    let def = &SOCCER.compiled.rules.records[0];
    for strict in [false, true] {
        let mut play = SOCCER.at(&[], FIRST_DIAGRAM);
        let replayed = replay_body(&games[0].body, def, &mut *play, strict);
        assert_eq!((replayed.decisions, replayed.difference), (10, None));
        assert_eq!(play.line().as_deref(), Some(SECOND_DIAGRAM));
    }
}

#[test]
fn the_sample_is_written() {
    let actions = [
        ["Q e8xi9", "N j7xk10", "R k8xa10", "B f4-i7", "R a8xa15"],
        ["R c11-a11", "N e13-c14", "N f13-e11", "B j11-i10", "N h13-f12"],
    ];
    let mut play = SOCCER.at(&[], FIRST_DIAGRAM);
    let mut log = Log::default();
    for text in actions.as_flattened() {
        let action = play.find(text).expect("no fault").expect("it is legal");
        let legal = play.legal().expect("no fault");
        play_one(&mut *play, action, &legal, &mut log).expect("no fault");
    }
    assert_eq!(play.line().as_deref(), Some(SECOND_DIAGRAM));
    let told: Vec<String> = log
        .turns
        .iter()
        .map(|turn| {
            let decisions: Vec<&str> = turn.decisions.iter().map(|decision| decision.written.as_str()).collect();
            format!("{}{}", turn.head, decisions.join(", "))
        })
        .collect();
    assert_eq!(told, ["1. Qexi9, Nxk10, Rxa10, Bi7, Raxa15", "1... Ra11, Nc14, Ne11, Bi10, Nf12"]);
}

#[test]
fn rivals_are_told_apart_by_their_movement() {
    let men = "Na5 Ne5 Kf1 kf17";
    let play = first_set(&[], men, "k9");
    let page = |play: &dyn Session, text: &str| written(play, "page", text);
    assert_eq!([page(&*play, "N a5-c6"), page(&*play, "N e5-c6"), page(&*play, "N a5-b7")], ["Nac6", "Nec6", "Nb7"]);
    // By the rank where the file is the same.
    let play = first_set(&[], "Na5 Na7 Kf1 kf17", "k9");
    assert_eq!([page(&*play, "N a5-c6"), page(&*play, "N a7-c6")], ["N5c6", "N7c6"]);
    // Who has moved counts too.
    let moved = SOCCER.at(&[], &pitch(men, "k9 play h 1 0 e5 0-0 0-0 h"));
    assert_eq!(page(&*moved, "N a5-c6"), "Nac6");
    // Who is shut off does not.
    let shut = first_set(&[], "Ra5 Re5 nd5 Kf1 kf17", "k9");
    assert_eq!(page(&*shut, "R a5-c5"), "Rc5");
}
