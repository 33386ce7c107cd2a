//! Texts of positions, notations and records, as people meet them at the program.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Exit code, standard output, standard error.
fn run(folder: &Path, args: &[&str], input: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fullcourt"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

#[test]
fn a_position_is_typed_in_a_line() {
    let folder = folder("typed");
    let mate_in_one = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";
    let (code, out, err) = run(&folder, &["legal", "chess", "--position", mate_in_one, "--notation", "san"], "");
    assert!(code == 0 && err.is_empty() && lines(&out).contains(&"Rd8#"), "{out}{err}");
    // A mate that is loaded is a mate.
    let mated = "3R2k1/5ppp/8/8/8/8/8/K7 b - - 1 1";
    let (code, out, _) = run(&folder, &["run", "chess", "--position", mated], "");
    assert!(code == 0 && out.contains("White wins by `checkmate`"), "{out}");
    for (text, why) in [
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0", "at character 32"),
        ("6k1/5ppp/9/8/8/8/8/K2R4 w - - 0 1", "rank 6 has more than 8 squares"),
        ("6k1/5ppp/7/8/8/8/8/K2R4 w - - 0 1", "rank 6 has 7 squares"),
        ("6k1/5pxp/8/8/8/8/8/K2R4 w - - 0 1", "expected a piece"),
        ("6k1/5ppp/8/8/8/8/8/K2R3K w - - 0 1", "each side has one king"),
        ("6k1/5ppp/8/8/8/8/8/K5R1 w - - 0 1", ""),
        ("6k1/8/8/8/8/8/8/K5R1 w - - 0 1", "stands in check"),
        ("6k1/8/8/8/8/8/8/K2R4 w KQ - 0 1", "no piece on h1"),
    ] {
        let (code, out, err) = run(&folder, &["legal", "chess", "--position", text], "");
        match why.is_empty() {
            true => assert!(code == 0 && err.is_empty(), "{text}: {err}"),
            false => assert!(code == 2 && out.is_empty() && err.contains(why), "{text}: {err}"),
        }
    }
    let both = ["legal", "chess", "--position", mated, "--state", "x"];
    assert_eq!(run(&folder, &both, "").0, 2);
    let (code, _, err) = run(&folder, &["legal", "chess", "--notation", "sam"], "");
    assert!(code == 2 && err.contains("did you mean `san`?"), "{err}");
}

#[test]
fn counting_is_the_same_however_it_is_done() {
    let folder = folder("counting");
    let count = |more: &[&str]| {
        let mut args = vec!["perft", "chess", "--depth", "3", "--divide", "--format", "json"];
        args.extend_from_slice(more);
        let (code, out, err) = run(&folder, &args, "");
        assert!(code == 0 && err.is_empty(), "{err}");
        let json: serde_json::Value = serde_json::from_str(&out).unwrap();
        (json["nodes"].as_u64().unwrap(), json["divide"].clone())
    };
    let (nodes, divide) = count(&["--threads", "1"]);
    assert_eq!(nodes, 8902);
    assert_eq!(divide.as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum::<u64>(), 8902);
    assert_eq!(divide["e2e4"], 600);
    for more in [&["--bulk"][..], &["--threads", "2"], &["--bulk", "--threads", "100"]] {
        assert_eq!(count(more), (nodes, divide.clone()), "{more:?}");
    }
    assert_eq!(run(&folder, &["perft", "chess", "--depth", "1", "--threads", "0"], "").0, 2);
    let (_, out, _) = run(&folder, &["perft", "soccer-chess", "--depth", "0"], "");
    assert!(out.starts_with("depth 0: 1"), "{out}");
}

const GAME: &str = r#"[Event "a {strange} name"]
[Result "1-0"]

1. e4 e5 2. Bc4 { a comment
over two lines } Nc6?! 3. Qh5 $4 (3. Nf3 Nf6 (3... d6) 4. d3) 3... Nf6 ; the mistake
% not for us
4. Qxf7 1-0

[Event "the other way"]
[FEN "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"]

1.Rd8# 1-0
"#;

#[test]
fn games_from_elsewhere_are_read() {
    let folder = folder("elsewhere");
    let replay = |text: &str| {
        fs::write(folder.join("games.pgn"), text).unwrap();
        run(&folder, &["replay", "games.pgn", "--ruleset", "chess"], "")
    };
    let (code, out, err) = replay(GAME);
    assert!(code == 0 && err.is_empty(), "{out}{err}");
    assert_eq!(lines(&out).len(), 2);
    assert!(out.contains("games.pgn:1: 7 decisions agree; White wins by `checkmate`"), "{out}");
    assert!(out.contains("games.pgn:9: 1 decision agree; White wins"), "{out}");
    for (old, new, place, why) in [
        ("Qxf7 1-0", "Qxf8 1-0", "games.pgn:7:4", "no such action is legal"),
        ("Qxf7 1-0", "Qxf7 0-1", "games.pgn:7:9", "the result differs"),
        ("Qxf7 1-0", "Qxf7 Ke7", "games.pgn:7:9", "the game is over"),
        ("4. Qxf7 1-0", "4. Qxf7 1-0 Nf3", "games.pgn:7:13", "nothing follows a result"),
        ("3. d3)", "3. d3", "", ""),
        ("lines }", "lines ", "games.pgn:4:17", "a comment"),
        ("1.Rd8# 1-0", "1.Rd9# 1-0", "games.pgn:12:3", "like it are"),
        ("w - - 0 1\"]", "w - - 0 x\"]", "games.pgn:10:1", "expected a number"),
    ] {
        let (code, out, err) = replay(&GAME.replace(old, new));
        if place.is_empty() {
            continue;
        }
        let said = out + &err;
        assert!(code == 1 && said.contains(place) && said.contains(why), "{new}: {said}");
    }
    let (code, _, err) = run(&folder, &["replay", "games.pgn", "--ruleset", "pickup-chess"], "");
    assert!(code == 2 && err.contains("`record`"), "{err}");
    let long = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *";
    let off = ["replay", "games.pgn", "--ruleset", "chess", "--option", "repetition=off"];
    assert_eq!((replay(long).0, run(&folder, &off, "").0), (1, 0));
    let (code, _, err) = run(&folder, &["replay", "games.pgn"], "");
    assert!(code == 1 && err.contains("--ruleset"), "{err}");
}

#[test]
fn records_are_told_as_the_ruleset_says() {
    let folder = folder("told");
    for ruleset in ["chess", "exoplanet-chess", "soccer-chess"] {
        let (code, out, _) = run(&folder, &["run", ruleset, "--seed", "5", "--record", "r.txt"], "");
        assert_eq!(code, 0, "{out}");
        let record = fs::read_to_string(folder.join("r.txt")).unwrap();
        assert!(record.contains("[Notation \"") && record.contains("\n1. "), "{record}");
        let (code, out, err) = run(&folder, &["replay", "r.txt"], "");
        assert!(code == 0 && err.is_empty() && out.contains("agree"), "{out}{err}");
        let told: Vec<&str> = record.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).collect();
        let changed = |old: &str, new: &str| {
            assert!(record.contains(old), "{old}");
            fs::write(folder.join("x.txt"), record.replacen(old, new, 1)).unwrap();
            let (code, out, err) = run(&folder, &["replay", "x.txt"], "");
            assert!(code == 1 && (out.contains("differs") || err.contains("x.txt:")), "{old} -> {new}: {out}{err}");
        };
        // A turn that is gone, turns in another order, another number, another count, another template.
        changed(&format!("{}\n", told[3]), "");
        changed(&format!("{}\n{}\n", told[3], told[4]), &format!("{}\n{}\n", told[4], told[3]));
        changed(told[3], &told[3].replacen(|c: char| c.is_ascii_digit(), "77", 1));
        let decisions = record.lines().find(|line| line.starts_with("[Decisions")).unwrap();
        changed(decisions, "[Decisions \"3\"]");
        let notation = record.lines().find(|line| line.starts_with("[Notation")).unwrap();
        changed(notation, "[Notation \"other\"]");
    }
}

#[test]
fn people_write_as_they_like() {
    let folder = folder("people");
    let moves = "e4\ne7e5\nNf3\nNf9\nNc6\nBb5\nposition\nwhy O-O-O\nO-O\nquit\n";
    let (code, out, err) = run(&folder, &["play", "chess", "--record", "r.txt"], moves);
    assert!(code == 0 && err.is_empty(), "{err}");
    assert!(out.contains("White: e4") && out.contains("Black: e5"), "{out}");
    assert!(out.contains("r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"), "{out}");
    assert!(out.contains("no action is written `Nf9`"), "{out}");
    let record = fs::read_to_string(folder.join("r.txt")).unwrap();
    assert!(record.contains("1. e4 e5\n2. Nf3 Nc6\n3. Bb5\n*\n"), "{record}");
    assert_eq!(run(&folder, &["replay", "r.txt"], "").0, 0);
    // A game from a position says so.
    let start = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";
    run(&folder, &["play", "chess", "--position", start, "--record", "p.txt"], "Rd8\n");
    let record = fs::read_to_string(folder.join("p.txt")).unwrap();
    assert!(record.contains(&format!("[Position \"{start}\"]")) && record.contains("1. Rd8#\n1-0\n"), "{record}");
    let (code, out, err) = run(&folder, &["replay", "p.txt"], "");
    assert!(code == 0, "{out}{err}");
}
