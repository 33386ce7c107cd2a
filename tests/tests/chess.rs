//! Orthodox chess, whose counts, games and laws are known: the language and the engine are right if they come out.

#![allow(clippy::panic, reason = "a test may fail")]

use std::sync::LazyLock;

use fullcourt_engine::session::{Session, Setup};
use fullcourt_playtest::look_up::{Found, look_up};
use fullcourt_playtest::play::{Log, play_one};
use fullcourt_playtest::record::{Header, header_of, read, read_foreign, replay, replay_body, write};
use fullcourt_tests::lines::{count, end, refused, rows, say_all, written};
use fullcourt_tests::play::{say, texts};
use fullcourt_tests::{Loaded, TestFiles, load, root};

type Options<'a> = &'a [(&'a str, &'a str)];

static RULES: LazyLock<Loaded> = LazyLock::new(|| load(&TestFiles::default(), "chess"));
const COUNTS: &str = "data/chess/perft.tsv";

fn data(name: &str) -> String {
    std::fs::read_to_string(root().join("tests/data/chess").join(name)).expect("it is there")
}

fn at(line: &str) -> Box<dyn Session> {
    RULES.at(&[], line)
}

fn start(options: Options) -> Box<dyn Session> {
    RULES.game(options, &Setup::default())
}

fn line(play: &dyn Session) -> String {
    play.line().unwrap_or_default()
}

fn is_legal(position: &str, text: &str) -> bool {
    texts(&*at(position)).iter().any(|legal| legal == text)
}

#[test]
fn the_counts() {
    count(&RULES, rows(COUNTS, |nodes| nodes <= 5_000_000), true);
}

#[test]
fn counting_the_last_actions_is_playing_them() {
    count(&RULES, rows(COUNTS, |nodes| nodes <= 50_000), false);
}

#[test]
fn single_positions() {
    for row in data("positions.tsv").lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        let [name, position, in_check, legal] = fields[..] else { panic!("{row}") };
        let play = at(position);
        assert_eq!(texts(&*play).len().to_string(), legal, "{name}");
        let side = RULES.compiled.rules.sides.iter().position(|side| side.key == in_check);
        let expected = match (legal, side) {
            ("0", None) => "draw stalemate".to_owned(),
            ("0", Some(side)) => format!("{} checkmate", ["black", "white"][side]),
            _ => String::new(),
        };
        assert_eq!(end(&*play), expected, "{name}");
    }
}

/// The moves of a game as they are told, without numbers and result.
fn moves(body: &str) -> Vec<&str> {
    let words = body.split_whitespace();
    words.filter(|word| !word.starts_with(|c: char| c.is_ascii_digit())).collect()
}

#[test]
fn known_games_end_in_mate() {
    let text = data("games.pgn");
    let games = read_foreign(&text).expect("these are games");
    assert_eq!(games.len(), text.matches("[Event ").count());
    let def = &RULES.compiled.rules.records[0];
    for game in &games {
        let header = |name: &str| game.header(name).map_or("", |(value, _)| value);
        let mut play = start(&[]);
        let replayed = replay_body(&game.body, def, &mut *play, false);
        assert_eq!(replayed.difference, None, "{}", header("Event"));
        let winner = if header("Result") == "1-0" { "white checkmate" } else { "black checkmate" };
        assert_eq!(end(&*play), winner, "{}", header("Event"));
    }
}

#[test]
fn known_games_are_written_as_they_are_told() {
    let text = data("games.pgn");
    for game in text.split("[Event ").skip(1) {
        let body = &game[game.rfind(']').map_or(0, |at| at + 1)..];
        let told = moves(body);
        assert!(told.len() >= 4 && told.last().is_some_and(|last| last.ends_with('#')), "{told:?}");
        let mut play = start(&[]);
        let mut log = Log::default();
        for san in &told {
            let Ok(Found::Legal(action)) = look_up(&*play, san) else { panic!("{san} in {}", line(&*play)) };
            let legal = play.legal().expect("no fault");
            play_one(&mut *play, action, &legal, &mut log).expect("no fault");
        }
        let again: Vec<&str> = log.turns.iter().flat_map(|t| &t.decisions).map(|d| d.written.as_str()).collect();
        assert_eq!(again, told);
        // The whole record is read again and played to the same end.
        let header = Header {
            ruleset: "chess".to_owned(),
            hash: RULES.compiled.hash.clone(),
            engine: "0".to_owned(),
            decisions: log.decisions(),
            ..header_of(&*play)
        };
        let record = write(&header, &RULES.compiled.rules, &log.turns);
        let script = read(&record).unwrap_or_else(|wrong| panic!("{wrong}\n{record}"));
        let mut fresh = start(&[]);
        let replayed = replay(&script, &mut *fresh);
        assert_eq!((replayed.decisions, &replayed.difference), (told.len(), &None), "{record}");
        assert_eq!((fresh.state(), end(&*fresh)), (play.state(), end(&*play)));
        // The same turns as a body of a game from elsewhere.
        let foreign = read_foreign(&record).expect("a record of ours has headers and turns");
        let mut other = start(&[]);
        assert_eq!(replay_body(&foreign[0].body, &RULES.compiled.rules.records[0], &mut *other, true).difference, None);
        assert_eq!(line(&*other), line(&*play));
    }
}

#[test]
fn a_record_that_is_wrong_is_found_out() {
    let replayed = |body: &str| {
        let games = read_foreign(&format!("[Event \"x\"]\n\n{body}\n")).expect("a game");
        let replayed = replay_body(&games[0].body, &RULES.compiled.rules.records[0], &mut *start(&[]), false);
        (replayed.decisions, replayed.difference.map(|difference| difference.what))
    };
    assert_eq!(replayed("1. f3 e5 2. g4 Qh4# 0-1"), (4, None));
    assert_eq!(replayed("1. f3 e5 2. g4 Qh4# 1-0"), (4, Some("the result".to_owned())));
    assert_eq!(replayed("1. f3 e5 2. g5 Qh4#"), (2, Some("the decision".to_owned())));
    assert_eq!(replayed("1. f3 e5 2. g4 Qh4# 3. h3"), (4, Some("who acts".to_owned())));
    // Comments, variations, praise and missing signs are passed over.
    assert_eq!(replayed("1. f3? {why} e5! (1... d5 2. e4) 2. g4?? $4 Qh4 0-1"), (4, None));
}

#[test]
fn moves_are_told_apart() {
    let san = |position: &str, moves: &[(&str, &str)]| {
        let play = at(position);
        for (text, told) in moves {
            assert_eq!(written(&*play, "san", text), *told, "{text} in {position}");
        }
    };
    // By the file, by the rank, by both.
    let files = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
    san(files, &[("b1d2", "Nbd2"), ("f3d2", "Nfd2"), ("b1c3", "Nc3"), ("f3e5", "Ne5")]);
    san("4k3/8/8/1N6/8/8/8/1N2K3 w - - 0 1", &[("b1c3", "N1c3"), ("b5c3", "N5c3"), ("b5d6", "Nd6+")]);
    let three = "4k3/8/8/1N6/8/8/8/1N1NK3 w - - 0 1";
    san(three, &[("b1c3", "Nb1c3"), ("b5c3", "N5c3"), ("d1c3", "Ndc3"), ("b1d2", "Nd2")]);
    // The file comes first where both would do.
    san("4k3/8/8/8/8/8/3N4/1N2K2N w - - 0 1", &[("d2f3", "Nf3"), ("h1g3", "Ng3"), ("b1a3", "Na3")]);
    san("4k3/8/8/3N4/8/8/8/1N2K3 w - - 0 1", &[("b1c3", "Nbc3"), ("d5c3", "Ndc3")]);
    // Rooks in a line, Queens on three corners of a square.
    san("4k3/8/8/8/R7/8/8/R3K3 w - - 0 1", &[("a1a2", "R1a2"), ("a4a2", "R4a2"), ("a1b1", "Rb1")]);
    let queens = "1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1";
    san(queens, &[("h4e1", "Qh4e1"), ("e4e1", "Qee1"), ("h1e1", "Q1e1")]);
    // A rival that is pinned is none.
    san("k3r3/8/8/8/8/8/4N3/1N2K3 w - - 0 1", &[("b1c3", "Nc3")]);
    // With a capture.
    san("4k3/8/8/8/8/2p2N2/8/1N2K3 w - - 0 1", &[("b1c3", "Nxc3")]);
    san("4k3/8/8/8/8/5N2/3p4/1N2K3 w - - 0 1", &[("b1d2", "Nbxd2"), ("f3d2", "Nfxd2"), ("e1d2", "Kxd2")]);
}

#[test]
fn special_moves_are_written_as_everywhere() {
    let san = |position: &str, text: &str| written(&*at(position), "san", text);
    let castles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_eq!([san(castles, "e1g1"), san(castles, "e1c1"), san(castles, "e1f1")], ["O-O", "O-O-O", "Kf1"]);
    assert_eq!(san("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), "O-O+");
    assert_eq!(san("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"), "O-O-O+");
    let passed = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    assert_eq!([san(passed, "e5d6"), san(passed, "e5e6")], ["exd6", "e6"]);
    assert_eq!(san("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", "e4d3"), "exd3");
    let crown = "1n2k3/P7/8/8/8/8/8/K7 w - - 0 1";
    assert_eq!([san(crown, "a7a8q"), san(crown, "a7a8n"), san(crown, "a7b8r")], ["a8=Q", "a8=N", "axb8=R+"]);
    assert_eq!(san("8/8/8/8/8/k7/7p/K7 b - - 0 1", "h2h1q"), "h1=Q#");
    assert_eq!(san("6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1", "d1d8"), "Rd8#");
    assert_eq!(san("6k1/5pp1/8/8/8/8/8/3RK3 w - - 0 1", "d1d8"), "Rd8+");
    let first = start(&[]);
    assert_eq!([written(&*first, "san", "e2e4"), written(&*first, "san", "g1f3")], ["e4", "Nf3"]);
}

#[test]
fn castling_moves_both_and_its_right_is_lost() {
    let all = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let after = |moves: &str| {
        let mut play = at(all);
        say_all(&mut *play, moves);
        line(&*play).split(' ').nth(2).unwrap_or_default().to_owned()
    };
    let mut play = at(all);
    say_all(&mut *play, "e1g1 e8c8");
    assert_eq!(line(&*play), "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2");
    assert_eq!(after("e1c1"), "kq");
    assert_eq!(after("e1e2"), "kq");
    assert_eq!(after("h1h2"), "Qkq");
    assert_eq!(after("a1a2"), "Kkq");
    // A Rook that is taken loses it too; the one that takes has moved.
    assert_eq!(after("a1a8"), "Kk");
    assert_eq!(after("h1h8"), "Qq");
    // Who goes back has moved all the same; nor does another Rook on its square have the right.
    assert_eq!(after("e1e2 e8e7 e2e1 e7e8"), "-");
    assert_eq!(after("h1h2 a8b8 h2h1"), "Qk");
    let mut other = at("4k3/8/8/8/8/6n1/8/4K2R b K - 0 1");
    say(&mut *other, "g3h1");
    assert_eq!(line(&*other), "4k3/8/8/8/8/8/8/4K2n w - - 0 2");
    let mut back = at("r3k2r/8/8/8/8/8/7R/R3K2R w KQkq - 0 1");
    say_all(&mut *back, "h1g1 e8e7 h2h1 e7d7");
    assert!(!texts(&*back).contains(&"e1g1".to_owned()) && texts(&*back).contains(&"e1c1".to_owned()));
}

#[test]
fn castling_needs_a_free_and_safe_way() {
    let castles = |men: &str| {
        let position = format!("{men} w KQ - 0 1");
        [is_legal(&position, "e1g1"), is_legal(&position, "e1c1")]
    };
    assert_eq!(castles("4k3/8/8/8/8/8/8/R3K2R"), [true, true]);
    assert_eq!(castles("4k3/8/8/8/8/8/8/R3KB1R"), [false, true]);
    assert_eq!(castles("4k3/8/8/8/8/8/8/RN2K1NR"), [false, false]);
    // Out of check, through it, into it; the Rook may be attacked, and b1 too.
    assert_eq!(castles("4k3/8/8/8/4r3/8/8/R3K2R"), [false, false]);
    assert_eq!(castles("4k3/8/8/8/5r2/8/8/R3K2R"), [false, true]);
    assert_eq!(castles("4k3/8/8/8/6r1/8/8/R3K2R"), [false, true]);
    assert_eq!(castles("4k3/8/8/8/3r4/8/8/R3K2R"), [true, false]);
    assert_eq!(castles("4k3/8/8/8/2r5/8/8/R3K2R"), [true, false]);
    assert_eq!(castles("4k3/8/8/8/1r5r/8/8/R3K2R"), [true, true]);
    assert_eq!(castles("4k3/8/8/8/r7/8/8/R3K2R"), [true, true]);
    // A Pawn attacks the square askew even if it cannot go there.
    assert_eq!(castles("4k3/8/8/8/8/8/6p1/R3K2R"), [false, true]);
}

#[test]
fn in_passing_only_at_once() {
    let mut play = at("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1");
    say(&mut *play, "d7d5");
    assert_eq!(line(&*play), "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2");
    let mut later = play.fork();
    say(&mut *play, "e5d6");
    assert_eq!(line(&*play), "4k3/8/3P4/8/8/8/8/4K3 b - - 0 2");
    say_all(&mut *later, "e1e2 e8e7");
    assert!(!texts(&*later).contains(&"e5d6".to_owned()));
    // A single step is not passed over, and nobody else takes in passing.
    assert!(!is_legal("4k3/8/3p4/4P3/8/8/8/4K3 w - - 0 1", "e5f6"));
    assert!(is_legal("4k3/8/8/3pPP2/8/8/8/4K3 w - d6 0 1", "e5d6"));
    assert!(!is_legal("4k3/8/8/3pP3/5N2/8/8/4K3 w - d6 0 1", "f5d6"));
}

#[test]
fn refusals_name_the_law() {
    let king = "king_safe: your own king would stand in check";
    let says = |position: &str, text: &str| {
        let found = refused(&*at(position), text);
        assert!(found.contains(king), "{text}: {found}");
    };
    says("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3");
    says("4r1k1/8/8/8/8/8/8/4K3 w - - 0 1", "e1e2");
    says("4r1k1/8/8/8/8/8/P7/4K3 w - - 0 1", "a2a3");
    says("8/K3P2r/8/8/8/8/8/7k w - - 0 1", "e7e8q");
    says("8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1", "e4d3");
    says("4k1r1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1");
    // What the law does not forbid is refused for another reason.
    let other = refused(&*start(&[]), "e2e5");
    assert!(!other.is_empty() && !other.contains(king), "{other}");
    let through = refused(&*at("4k3/8/8/8/5r2/8/8/4K2R w K - 0 1"), "e1g1");
    assert!(!through.is_empty() && !through.contains(king), "{through}");
}

#[test]
fn fifty_moves() {
    let quiet = |options: Options, men: &str, count: u32, action: &str| {
        let mut play = RULES.at(options, &format!("{men} w - - {count} 80"));
        say(&mut *play, action);
        end(&*play)
    };
    let men = "4k3/8/8/8/2n5/1P6/8/4K3";
    assert_eq!(quiet(&[], men, 98, "e1d1"), "");
    assert_eq!(quiet(&[], men, 99, "e1d1"), "draw quiet_end");
    assert_eq!(quiet(&[], men, 99, "b3b4"), "");
    assert_eq!(quiet(&[], men, 99, "b3c4"), "");
    assert_eq!(quiet(&[], "8/P3k3/8/8/8/8/8/4K3", 99, "a7a8q"), "");
    assert_eq!(quiet(&[("quiet_limit", "off")], men, 99, "e1d1"), "");
    assert_eq!(quiet(&[("quiet_limit", "150")], men, 148, "e1d1"), "");
    assert_eq!(quiet(&[("quiet_limit", "150")], men, 149, "e1d1"), "draw quiet_end");
    // Mate comes first; so does stalemate.
    assert_eq!(quiet(&[], "6k1/5ppp/8/8/8/8/8/3RK3", 99, "d1d8"), "white checkmate");
    assert_eq!(quiet(&[], "7k/8/6K1/8/8/5Q2/8/8", 99, "f3f7"), "draw stalemate");
}

#[test]
fn the_third_occurrence() {
    let around = "g1f3 g8f6 f3g1 f6g8";
    let mut play = start(&[]);
    say_all(&mut *play, &format!("{around} g1f3 g8f6 f3g1"));
    assert_eq!(end(&*play), "");
    say(&mut *play, "f6g8");
    assert_eq!(end(&*play), "draw repeated");
    assert!(play.undo() && end(&*play).is_empty());
    let mut off = start(&[("repetition", "off")]);
    (0..12).for_each(|_| say_all(&mut *off, around));
    assert_eq!(end(&*off), "");
    let mut two = start(&[("repetition", "2")]);
    say_all(&mut *two, around);
    assert_eq!(end(&*two), "draw repeated");
}

#[test]
fn rights_belong_to_the_position() {
    // The board is the first one again after four and eight moves, but the Rooks have lost their rights on the way.
    let around = "h1g1 h8g8 g1h1 g8h8";
    let mut rooks = at("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    say_all(&mut *rooks, &format!("{around} {around}"));
    assert_eq!(end(&*rooks), "");
    say_all(&mut *rooks, "h1g1 h8g8");
    assert_eq!(end(&*rooks), "draw repeated");
    // So it is with a Pawn that could be taken in passing only the first time.
    let around = "e8e7 e1e2 e7e8 e2e1";
    let mut pawn = at("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1");
    say_all(&mut *pawn, &format!("e2e4 {around} {around}"));
    assert_eq!(end(&*pawn), "");
    say(&mut *pawn, "e8e7");
    assert_eq!(end(&*pawn), "draw repeated");
    // Where nobody could take it, it is the same position.
    let mut free = at("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    say_all(&mut *free, &format!("e2e4 {around} {around}"));
    assert_eq!(end(&*free), "draw repeated");
}
