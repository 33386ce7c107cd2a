//! The rulings on Exoplanet Chess, at least one test for each, and its counts.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use fullcourt_engine::session::{Session, Setup};
use fullcourt_tests::lines::{count, end, refused, rows, say_all, written};
use fullcourt_tests::play::{say, texts};
use fullcourt_tests::{Loaded, TestFiles, load};

type Options<'a> = &'a [(&'a str, &'a str)];

static RULES: LazyLock<Loaded> = LazyLock::new(|| load(&TestFiles::default(), "exoplanet-chess"));
const START: &str = "4k3/8/8/8/8/8/8/4K3[QRRBBNNPPPPPPPPqrrbbnnpppppppp] w - - 0 1";
/// The counts of the table of cases; up to this many nodes they are checked always.
const CASES: &str = "cases/exoplanet/perft.tsv";
const SMALL: u64 = 5_000_000;

fn start(options: Options, coin: &str, seed: u64) -> Box<dyn Session> {
    let values = vec![("coin".to_owned(), String::new(), coin.to_owned())];
    RULES.game(options, &Setup { values, seed })
}

fn at(line: &str) -> Box<dyn Session> {
    RULES.at(&[], line)
}

fn legal(line: &str) -> BTreeSet<String> {
    texts(&*at(line)).into_iter().collect()
}

fn set(words: &str) -> BTreeSet<String> {
    words.split_whitespace().map(str::to_owned).collect()
}

/// The texts of that beginning, without it.
fn after(line: &str, start: &str) -> BTreeSet<String> {
    legal(line).iter().filter_map(|text| text.strip_prefix(start)).map(str::to_owned).collect()
}

/// The squares of some ranks, but for these.
fn ranks(ranks: std::ops::RangeInclusive<u8>, without: &str) -> BTreeSet<String> {
    let squares = ranks.flat_map(|rank| ('a'..='h').map(move |file| format!("{file}{rank}")));
    squares.filter(|square| !set(without).contains(square)).collect()
}

fn side(play: &dyn Session) -> &str {
    play.to_act().map_or("", |side| RULES.compiled.rules.sides[side].key.as_str())
}

#[test]
fn e1_who_acts_first() {
    for coin in ["white", "black"] {
        assert_eq!(side(&*start(&[], coin, 0)), "white");
        assert_eq!(side(&*start(&[("first", "white")], coin, 0)), "white");
        assert_eq!(side(&*start(&[("first", "black")], coin, 0)), "black");
        assert_eq!(side(&*start(&[("first", "coin")], coin, 0)), coin);
    }
    let mut thrown = BTreeSet::new();
    for seed in 0..20 {
        let setup = Setup { values: Vec::new(), seed };
        let coin = || side(&*RULES.game(&[("first", "coin")], &setup)).to_owned();
        assert_eq!(coin(), coin(), "the same seed throws the same coin");
        thrown.insert(coin());
    }
    assert_eq!(thrown, set("white black"));
    assert_eq!(start(&[], "white", 0).line().as_deref(), Some(START));
    let black = start(&[("first", "black")], "white", 0).line();
    assert_eq!(black, Some(START.replace(" w ", " b ")));
    // They take turns.
    let mut play = start(&[], "white", 0);
    say(&mut *play, "N@c3");
    assert_eq!(side(&*play), "black");
    say(&mut *play, "e8e7");
    assert_eq!(side(&*play), "white");
}

#[test]
fn e2_equal_pieces_are_one_choice() {
    let all = legal(START);
    assert_eq!(all.len(), 160);
    for kind in ["Q", "R", "B", "N", "P"] {
        // §4: an empty square of ranks 1 to 4.
        assert_eq!(after(START, &format!("{kind}@")), ranks(1..=4, "e1"), "{kind}");
    }
    assert_eq!(after(START, "K@"), set(""));
    assert_eq!(after(START, "e1"), set("d1 f1 d2 e2 f2"));
    // The second Knight is still there when the first stands on the board; then there is none.
    let mut play = start(&[], "white", 0);
    say_all(&mut *play, "N@c3 N@c6 N@f3 N@f6");
    assert!(texts(&*play).iter().all(|text| !text.starts_with("N@")));
    let line = "r1bqkbnr/pppppppp/2n5/8/8/2N2N2/8/4K3[QRRBBPPPPPPPP] w - - 0 1";
    assert_eq!(after(line, "B@"), ranks(1..=4, "e1 c3 f3"));
}

#[test]
fn e2_black_has_the_other_half() {
    let line = START.replace(" w ", " b ");
    for kind in ["Q", "R", "B", "N", "P"] {
        assert_eq!(after(&line, &format!("{kind}@")), ranks(5..=8, "e8"), "{kind}");
    }
    assert_eq!(legal(&line).len(), 160);
    // §5: Bishops need not stand on squares of two colors, nor on different ranks.
    let mut play = start(&[], "white", 0);
    say_all(&mut *play, "B@c1 B@c8 B@e3");
    assert_eq!(play.line().as_deref(), Some("2b1k3/8/8/8/8/4B3/8/2B1K3[QRRNNPPPPPPPPqrrbnnpppppppp] b - - 0 2"));
    // §9: a captured piece goes nowhere.
    say_all(&mut *play, "P@h6 e3h6");
    assert_eq!(play.line().as_deref(), Some("2b1k3/8/7B/8/8/8/8/2B1K3[QRRNNPPPPPPPPqrrbnnppppppp] b - - 0 3"));
}

#[test]
fn e3_a_mate_that_a_deployment_can_block_is_none() {
    assert_eq!(end(&*at("4k3/8/8/8/8/8/r7/r3K3[] w - - 0 1")), "black checkmate");
    assert_eq!(legal("4k3/8/8/8/8/8/r7/r3K3[N] w - - 0 1"), set("N@b1 N@c1 N@d1"));
    assert_eq!(legal("4k3/8/8/8/8/8/r7/r3K3[NP] w - - 0 1"), set("N@b1 N@c1 N@d1 P@b1 P@c1 P@d1"));
    // What the other side has in reserve is of no use.
    assert_eq!(end(&*at("4k3/8/8/8/8/8/r7/r3K3[n] w - - 0 1")), "black checkmate");
    // In the other half nothing can be put between.
    assert_eq!(end(&*at("K6r/7r/8/8/8/8/8/4k3[QN] w - - 0 1")), "black checkmate");
    // The same by an action.
    let mut mate = at("4k2r/8/8/8/8/8/r7/4K3[] b - - 0 1");
    assert_eq!(written(&*mate, "san", "h8h1"), "Rh1#");
    say(&mut *mate, "h8h1");
    assert_eq!(end(&*mate), "black checkmate");
    let mut check = at("4k2r/8/8/8/8/8/r7/4K3[N] b - - 0 1");
    assert_eq!(written(&*check, "san", "h8h1"), "Rh1+");
    say(&mut *check, "h8h1");
    assert_eq!(end(&*check), "");
    assert_eq!(texts(&*check), ["N@f1", "N@g1"]);
}

#[test]
fn e3_a_deployment_gives_mate() {
    let mut play = at("8/8/8/3B4/7R/k7/8/2K5[PPp] w - - 0 1");
    assert_eq!(written(&*play, "san", "P@b2"), "P@b2#");
    assert_eq!(written(&*play, "san", "P@a2"), "P@a2");
    say(&mut *play, "P@b2");
    assert_eq!(end(&*play), "white checkmate");
    assert_eq!(play.winner(), Some(0));
    assert!(texts(&*play).is_empty());
}

#[test]
fn e3_without_an_action_and_without_check_it_is_a_draw() {
    assert_eq!(end(&*at("7k/5Q2/6K1/8/8/8/8/8[] b - - 0 1")), "draw stalemate");
    assert_eq!(legal("7k/5Q2/6K1/8/8/8/8/8[p] b - - 0 1").len(), 32 - 3);
    let mut play = at("7k/8/6K1/8/8/5Q2/8/8[] w - - 0 1");
    assert_eq!(written(&*play, "san", "f3f7"), "Qf7");
    say(&mut *play, "f3f7");
    assert_eq!((end(&*play), play.winner()), ("draw stalemate".to_owned(), None));
}

#[test]
fn e3_no_king_is_left_in_check() {
    // §8: neither by a move nor by a deployment.
    let king = "own king would stand in check";
    let pinned = at("4r1k1/8/8/8/8/8/4N3/4K3[N] w - - 0 1");
    assert!(refused(&*pinned, "e2c3").contains(king));
    let check = at("4r1k1/8/8/8/8/8/8/4K3[N] w - - 0 1");
    assert!(refused(&*check, "N@d4").contains(king));
    assert!(refused(&*check, "e1e2").contains(king));
    assert_eq!(texts(&*check), ["N@e2", "N@e3", "N@e4", "e1d1", "e1d2", "e1f1", "e1f2"]);
}

/// Both Kings go one step and back, `times` times.
fn shuffle(play: &mut dyn Session, times: usize) {
    (0..times).for_each(|_| say_all(play, "e1e2 e8e7 e2e1 e7e8"));
}

#[test]
fn e4_the_third_occurrence_draws() {
    let mut play = start(&[], "white", 0);
    shuffle(&mut *play, 1);
    say_all(&mut *play, "e1e2 e8e7 e2e1");
    assert_eq!(end(&*play), "");
    say(&mut *play, "e7e8");
    assert_eq!(end(&*play), "draw repeated");
    let mut off = start(&[("repetition", "off")], "white", 0);
    shuffle(&mut *off, 20);
    assert_eq!(end(&*off), "");
    let mut two = start(&[("repetition", "2")], "white", 0);
    say_all(&mut *two, "e1e2 e8e7 e2e1");
    assert_eq!(end(&*two), "");
    say(&mut *two, "e7e8");
    assert_eq!(end(&*two), "draw repeated");
    let mut five = start(&[("repetition", "5")], "white", 0);
    shuffle(&mut *five, 3);
    assert_eq!(end(&*five), "");
    shuffle(&mut *five, 1);
    assert_eq!(end(&*five), "draw repeated");
}

#[test]
fn e4_reserves_and_the_side_to_act_belong_to_the_position() {
    // The Knight is deployed and taken: the men stand as before, but the reserve is another one.
    let around = "N@b4 a4b4 h1h2 b4b5 h2g1 b5a5 g1h1 a5a4";
    let mut play = RULES.at(&[("repetition", "2")], "6k1/8/8/8/r7/8/8/7K[N] w - - 0 1");
    say_all(&mut *play, around);
    assert_eq!(play.line().as_deref(), Some("6k1/8/8/8/r7/8/8/7K[] w - - 6 5"));
    assert_eq!(end(&*play), "");
    // A King loses an action: the men stand as before, but the other side acts.
    let mut tempo = RULES.at(&[("repetition", "2")], "6k1/8/8/8/r7/8/8/7K[] w - - 0 1");
    say_all(&mut *tempo, "h1h2 a4a5 h2g1 a5a4 g1h1");
    assert!(tempo.line().is_some_and(|line| line.starts_with("6k1/8/8/8/r7/8/8/7K[] b ")));
    assert_eq!(end(&*tempo), "");
}

#[test]
fn e4_quiet_actions() {
    let quiet = |options: Options, men: &str, count: u32, action: &str| {
        let mut play = RULES.at(options, &format!("{men} w - - {count} 70"));
        say(&mut *play, action);
        end(&*play)
    };
    let men = "4k3/8/8/8/2n5/1P6/8/4K3[N]";
    assert_eq!(quiet(&[], men, 98, "e1d1"), "");
    assert_eq!(quiet(&[], men, 99, "e1d1"), "draw quiet_end");
    // A capture, a Pawn move and a deployment begin the count anew.
    for action in ["b3c4", "b3b4", "N@h1"] {
        assert_eq!(quiet(&[], men, 99, action), "", "{action}");
    }
    assert_eq!(quiet(&[], "8/P3k3/8/8/8/8/8/4K3[]", 99, "a7a8q"), "");
    assert_eq!(quiet(&[("quiet_limit", "off")], men, 99, "e1d1"), "");
    assert_eq!(quiet(&[("quiet_limit", "off")], men, 500, "e1d1"), "");
    assert_eq!(quiet(&[("quiet_limit", "200")], men, 99, "e1d1"), "");
    assert_eq!(quiet(&[("quiet_limit", "5")], men, 3, "e1d1"), "");
    assert_eq!(quiet(&[("quiet_limit", "5")], men, 4, "e1d1"), "draw quiet_end");
    let mut play = at(&format!("{men} w - - 42 70"));
    say(&mut *play, "N@h1");
    assert!(play.line().is_some_and(|line| line.ends_with(" b - - 0 70")));
    say(&mut *play, "c4d6");
    assert!(play.line().is_some_and(|line| line.ends_with(" w - - 1 71")));
}

#[test]
fn e4_mate_and_stalemate_come_first() {
    let mut mate = at("4k2r/8/8/8/8/8/r7/4K3[] b - - 99 70");
    say(&mut *mate, "h8h1");
    assert_eq!(end(&*mate), "black checkmate");
    let mut stale = at("7k/8/6K1/8/8/5Q2/8/8[] w - - 99 70");
    say(&mut *stale, "f3f7");
    assert_eq!(end(&*stale), "draw stalemate");
}

#[test]
fn e4_no_draw_from_material() {
    let mut play = at("4k3/8/8/8/8/8/8/4K3[] w - - 0 1");
    assert_eq!(texts(&*play).len(), 5);
    say_all(&mut *play, "e1e2 e8e7 e2e3");
    assert_eq!(end(&*play), "");
    // The last Pawn is taken: two bare Kings play on.
    let mut bare = at("8/8/8/8/8/4k3/4P3/4K3[] b - - 0 1");
    assert!(refused(&*bare, "e3e2").contains("own king would stand in check"));
    bare = at("8/8/8/8/8/4k3/4P3/7K[] b - - 0 1");
    say(&mut *bare, "e3e2");
    assert_eq!(end(&*bare), "");
}

#[test]
fn e5_a_pawn_becomes_a_queen_at_once() {
    let line = "n7/1P2k3/8/8/8/8/2p5/K2R4[] w - - 7 9";
    let mut play = at(line);
    assert_eq!(after(line, "b7"), set("a8q b8q"));
    assert_eq!(written(&*play, "san", "b7b8q"), "b8=Q");
    assert_eq!(written(&*play, "san", "b7a8q"), "bxa8=Q");
    say(&mut *play, "b7a8q");
    assert_eq!(play.line().as_deref(), Some("Q7/4k3/8/8/8/8/2p5/K2R4[] b - - 0 9"));
    let black: BTreeSet<String> = texts(&*play).into_iter().filter(|text| text.starts_with("c2")).collect();
    assert_eq!(black, set("c2c1q c2d1q"));
    assert_eq!(written(&*play, "san", "c2d1q"), "cxd1=Q+");
    say(&mut *play, "c2d1q");
    assert_eq!(play.line().as_deref(), Some("Q7/4k3/8/8/8/8/8/K2q4[] w - - 0 10"));
    // It is a Queen, and comes from no reserve.
    let line = "8/P3k3/8/8/8/8/8/4K3[] w - - 0 1";
    assert_eq!(after(line, "a7"), set("a8q"));
    assert_eq!(written(&*at(line), "san", "a7a8q"), "a8=Q");
    assert!(!refused(&*at(line), "a7a8").is_empty());
}

#[test]
fn e5_pawns_are_deployed_on_the_first_rank_too() {
    let mut play = start(&[], "white", 0);
    say_all(&mut *play, "P@a1 P@h8 a1a2 h8h7 a2a3 h7h6");
    assert_eq!(play.line().as_deref(), Some("4k3/8/7p/8/8/P7/8/4K3[QRRBBNNPPPPPPPqrrbbnnppppppp] w - - 0 4"));
    // §6: one square from any rank, straight on if it is empty; captures one square askew.
    for (pawn, goes) in [("a1", "a2"), ("a2", "a3"), ("a3", "a4"), ("a4", "a5"), ("a5", "a6"), ("a6", "a7")] {
        let rank = usize::from(pawn.as_bytes()[1] - b'0');
        let rows: Vec<&str> = (1..=8).rev().map(|row| if row == rank { "P7" } else { "8" }).collect();
        let men = rows.join("/").replacen('8', "4k3", 1);
        let men = match rank {
            1 => men.replace("/P7", "/P3K3"),
            _ => format!("{}4K3", men.strip_suffix('8').unwrap_or(&men)),
        };
        assert_eq!(after(&format!("{men}[] w - - 0 1"), pawn), set(goes), "{men}");
    }
    assert_eq!(after("4k3/8/8/8/1n1n4/2P5/8/4K3[] w - - 0 1", "c3"), set("c4 b4 d4"));
    assert_eq!(after("4k3/8/8/8/1nnn4/2P5/8/4K3[] w - - 0 1", "c3"), set("b4 d4"));
    assert_eq!(after("4k3/8/8/2p5/1N1N4/8/8/4K3[] b - - 0 1", "c5"), set("c4 b4 d4"));
}

#[test]
fn e5_no_castling() {
    let line = "r3k2r/8/8/8/8/8/8/R3K2R[] w - - 0 1";
    assert_eq!(after(line, "e1"), set("d1 f1 d2 e2 f2"));
}

#[test]
fn texts_and_records() {
    let play = at("4k3/P7/8/8/8/8/1p6/4KN1N[NPn] w - - 0 1");
    for text in ["a7a8q", "N@c3", "P@b1", "e1e2", "f1g3", "h1g3"] {
        assert!(texts(&*play).iter().any(|legal| legal == text), "{text}");
    }
    let san = |text: &str| written(&*play, "san", text);
    assert_eq!([san("a7a8q"), san("N@c3"), san("P@b1")], ["a8=Q+", "N@c3", "P@b1"]);
    assert_eq!([san("f1g3"), san("h1g3"), san("f1e3"), san("e1e2")], ["Nfg3", "Nhg3", "Ne3", "Ke2"]);
    assert_eq!(play.record_head(0).as_deref(), Ok("1. "));
}

#[test]
fn the_counts() {
    count(&RULES, rows(CASES, |nodes| nodes <= SMALL), true);
}

#[test]
fn counting_the_last_actions_is_playing_them() {
    count(&RULES, rows(CASES, |nodes| nodes <= 100_000), false);
}

/// Takes about a quarter of an hour: `cargo test --release --workspace --test rulings_exoplanet -- --ignored`.
#[test]
#[ignore = "it takes long"]
fn the_large_counts() {
    count(&RULES, rows(CASES, |nodes| nodes > SMALL), true);
}
