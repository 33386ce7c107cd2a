//! The program as people call it: what it prints where, and its exit codes.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const TINY: &str = include_str!("tiny.court");

/// A folder of its own with the small ruleset in it.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("tiny.court"), TINY).unwrap();
    folder
}

fn call(folder: &Path, line: &str, input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fullcourt"))
        .args(line.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// Exit code, standard output, standard error.
fn run(folder: &Path, line: &str) -> (i32, String, String) {
    let output = call(folder, line, "");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[track_caller]
fn misuse(folder: &Path, line: &str, message: &str) {
    let (code, out, err) = run(folder, line);
    assert!(code == 2 && out.is_empty(), "{code} {out}");
    assert!(err.contains(message), "{err}");
}

#[track_caller]
fn finding(folder: &Path, line: &str, message: &str) {
    let (code, out, err) = run(folder, line);
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains(message) || err.contains(message), "{out}{err}");
}

#[test]
fn the_program_is_listed_without_shapes_by_name() {
    let folder = folder("shapes");
    let (code, all, err) = run(&folder, "graph tiny.court --format program");
    assert_eq!(code, 0, "{err}");
    let (code, less, err) =
        run(&folder, "graph tiny.court --format program --without-shape known-tests --without-shape path-tables");
    assert_eq!(code, 0, "{err}");
    assert!(all != less && less.contains("left off: paths are walked"), "{less}");
    let line = "graph tiny.court --format program --without-shape by-kinds";
    misuse(&folder, line, "there is no shape `by-kinds`; did you mean `by-kind`?");
    misuse(&folder, line, "  remembered-answers  ");
    misuse(&folder, "graph tiny.court --without-shape by-kind", "for `graph --format program` only");
}

#[test]
fn shipped_rulesets_are_sound_and_playable_from_anywhere() {
    let folder = folder("shipped");
    for entry in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rulesets")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "court") {
            continue;
        }
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert_eq!(run(&folder, &format!("check {name}")), (0, format!("{name}: ok\n"), String::new()));
        let (code, out, _) = run(&folder, &format!("run {name} --seed 1 --record r.txt"));
        assert_eq!(code, 0, "{out}");
        let (code, out, err) = run(&folder, "replay r.txt");
        assert!(code == 0 && err.is_empty() && out.contains("agree"), "{out}{err}");
    }
}

#[test]
fn misuse_is_two_and_says_what_was_meant() {
    let folder = folder("misuse");
    misuse(&folder, "fly", "unrecognized subcommand");
    misuse(&folder, "check", "required");
    misuse(&folder, "check nothing.court", "there is no file `nothing.court`");
    misuse(&folder, "check ../no/where", "there is no file");
    misuse(&folder, "legal nothing", "there is no ruleset `nothing`");
    misuse(&folder, "legal tiny --option targt=2", "did you mean `target`?");
    misuse(&folder, "legal tiny --option target=9", "option `target` (§1) is a number from 1 to 4, not `9`");
    misuse(&folder, "legal tiny --option pass=ye", "one of yes, no, not `ye`; did you mean `yes`?");
    misuse(&folder, "legal tiny --option pass", "NAME=VALUE");
    misuse(&folder, "legal tiny --stnes SSSS", "did you mean `--stones`?");
    misuse(&folder, "legal tiny --stones first=SSX", "expected a piece (S), found `X`");
    misuse(&folder, "legal tiny --stones third=SSSS", "`third` is no side");
    misuse(&folder, "legal tiny --opener nobody", "must be one of first, second");
    misuse(&folder, "legal tiny --opener", "--opener needs a value");
    misuse(&folder, "legal tiny --set opner=first", "did you mean `opener`?");
    misuse(&folder, "legal tiny --seed x", "invalid value");
    misuse(&folder, "legal tiny --state nowhere.json", "cannot be read");
    misuse(&folder, "legal tiny --first random", "unexpected argument `--first`");
    misuse(&folder, "legal tiny --format dot", "only `graph`");
    misuse(&folder, "run tiny --first randm", "did you mean `random`?");
    misuse(&folder, "perft tiny --depht 2", "--depth");
    misuse(&folder, "bench tiny --seconds 0", "--seconds");
    misuse(&folder, "play tiny --format json", "`engine`");
    misuse(&folder, "replay nowhere.txt", "cannot be read");
    misuse(&folder, "run tiny --record no/where.txt", "cannot be written");
}

#[test]
fn setup_parameters_come_from_the_ruleset() {
    let folder = folder("setup");
    let acts = |line: &str| {
        let (code, out, err) = run(&folder, &format!("run tiny {line} --format json"));
        assert_eq!(code, 0, "{err}");
        serde_json::from_str::<serde_json::Value>(&out).unwrap()
    };
    for line in ["--opener second", "--opener=Second", "--set opener=second"] {
        assert_eq!(acts(line)["turns"][0]["side"], "second", "{line}");
    }
    assert_eq!(acts("--seed 5"), acts("--seed 5"));
    let game = acts("--option target=1 --first greedy --second=greedy --stones first=SSSS --opener first");
    assert_eq!((&game["score"][0], &game["result"]["winner"]), (&1.into(), &"first".into()));
    let (_, out, _) = run(&folder, "options tiny");
    assert!(out.contains("--stones") && out.contains("target") && out.contains("stones to win"), "{out}");
}

#[test]
fn lists_and_counts() {
    let folder = folder("lists");
    let (code, out, _) = run(&folder, "legal tiny --opener first");
    let lines: Vec<&str> = out.lines().collect();
    assert!(code == 0 && lines.len() == 10 && lines.is_sorted());
    let (_, out, _) = run(&folder, "legal tiny --format json");
    assert!(out.starts_with("{\"actions\":[\"drop S a1\",\"drop S a2\""), "{out}");
    let count = |line: &str| -> serde_json::Value {
        serde_json::from_str(&run(&folder, &format!("perft tiny --format json {line}")).1).unwrap()
    };
    assert_eq!(count("--depth 0")["nodes"], 1);
    assert_eq!(count("--depth 1")["nodes"], 10);
    let divided = count("--depth 2 --divide");
    assert_eq!((&divided["nodes"], &divided["divide"]["skip"]), (&(9 * 9 + 10).into(), &10.into()));
    // A finished game has no leaf below it.
    assert_eq!(count("--depth 2 --option target=1")["nodes"], 10);
    let (code, out, _) = run(&folder, "bench tiny --seconds 0.1 --format json");
    let bench: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(code == 0 && bench["reference"]["decisions_per_second"].as_f64().unwrap() > 0.0);
    assert!(run(&folder, "graph tiny --format dot").1.starts_with("digraph"));
    assert!(run(&folder, "graph tiny --format json").1.starts_with("{\"nodes\""));
}

#[test]
fn states_go_in_and_out() {
    let folder = folder("states");
    let script = "{\"do\":\"play\",\"action\":\"drop S b2\"}\n";
    let answer = call(&folder, "engine tiny --opener first", script).stdout;
    fs::write(folder.join("state.json"), &answer).unwrap();
    let (code, out, err) = run(&folder, "legal tiny --state state.json");
    assert!(code == 0 && out.lines().count() == 9 && !out.contains("b2"), "{out}{err}");
    let piped = call(&folder, "legal tiny --state -", std::str::from_utf8(&answer).unwrap());
    assert_eq!(String::from_utf8(piped.stdout).unwrap(), out);
    let (code, ..) = run(&folder, "run tiny --state state.json --record r.txt");
    assert_eq!(code, 0);
    let (code, out, err) = run(&folder, "replay r.txt");
    assert!(code == 0 && out.contains("agree"), "{out}{err}");
    fs::write(folder.join("state.json"), "{\"score\":[0,0]}").unwrap();
    misuse(&folder, "legal tiny --state state.json", "--state: ");
}

#[test]
fn records_that_were_changed_are_found_out() {
    let folder = folder("records");
    assert_eq!(run(&folder, "run tiny --seed 2 --record r.txt").0, 0);
    let record = fs::read_to_string(folder.join("r.txt")).unwrap();
    let (start, turns) = record.split_once("\n\n").unwrap();
    let turns: Vec<&str> = turns.lines().collect();
    let write = |text: String| fs::write(folder.join("x.txt"), text).unwrap();
    write(format!("{start}\n\n{}\n", turns[..turns.len() - 1].join("\n")));
    finding(&folder, "replay x.txt", "the record ends after");
    write(record.replacen(" !", "", 1));
    finding(&folder, "replay x.txt", "turn 1, decision 1: what comes of `drop S c3` differs");
    write(record.replacen("drop S b1", "drop S c3", 1));
    finding(&folder, "replay x.txt", "`c3` is not in `empty`");
    write(record.replacen("1. Second", "1. First", 1));
    finding(&folder, "replay x.txt", "one turn is one line");
    write(record.replace("[Result \"second", "[Result \"first"));
    finding(&folder, "replay x.txt", "the result differs");
    write(record.replace("[Score \"2", "[Score \"1"));
    finding(&folder, "replay x.txt", "the score differs");
    write(record.replace("target=3", "target=33"));
    finding(&folder, "replay x.txt", "x.txt:6:1: option `target`");
    write(record.replace("[Ruleset \"tiny\"]", "[Ruleset \"/etc/passwd\"]"));
    finding(&folder, "replay x.txt", "no plain name");
    fs::write(folder.join("tiny.court"), TINY.replace("option pass = yes | no ", "option pass = no | yes ")).unwrap();
    let (code, _, err) = run(&folder, "replay r.txt");
    assert!(code == 0 && err.contains("warning: the record was made by other rules"), "{err}");
    fs::write(folder.join("tiny.court"), TINY.replace("\" !\"", "\" ?\"")).unwrap();
    finding(&folder, "replay r.txt", "the game:   ?");
}

#[test]
fn a_ruleset_reads_nothing_outside_of_its_folder() {
    let folder = folder("outside");
    let inner = folder.join("inner");
    fs::create_dir_all(inner.join("stdlib")).unwrap();
    let write = |path: &str, text: &str| fs::write(folder.join(path), text).unwrap();
    write("secret.court", "top secret");
    for path in ["../secret", "/etc/passwd", "../secret.court", "sub/../../secret", "./../secret"] {
        write("inner/a.court", &format!("language 1\nextends {path}\n"));
        let (code, out, err) = run(&folder, "check inner/a.court");
        assert!(code == 1 && !err.contains("top secret") && !out.contains("root:"), "{path} {out}{err}");
    }
    fs::create_dir_all(inner.join("sub")).unwrap();
    write("inner/sub/base.court", TINY);
    write("inner/a.court", "language 1\nextends sub/base\n");
    assert_eq!(run(&folder, "check inner/a.court").0, 0);
    write("inner/a.court", "language 1\nruleset \"A\"\nuse tools\n");
    finding(&folder, "check inner/a.court", "tools");
    write("inner/stdlib/tools.court", "language 1\nnonsense\n");
    finding(&folder, "check inner/a.court", "nonsense");
    #[cfg(unix)]
    {
        fs::remove_file(inner.join("stdlib/tools.court")).unwrap();
        std::os::unix::fs::symlink(folder.join("secret.court"), inner.join("tools.court")).unwrap();
        let (code, _, err) = run(&folder, "check inner/a.court");
        assert!(code == 1 && !err.contains("top secret"), "{err}");
        assert!(err.contains("lies outside of the ruleset's folder"), "{err}");
    }
    write("large.court", &"/".repeat((256 << 10) + 1));
    finding(&folder, "check large.court", "is larger than 256 KiB");
}

#[test]
fn a_file_wins_and_may_extend_what_it_is_named_after() {
    let folder = folder("wins");
    for entry in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rulesets")).unwrap() {
        let name = entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned();
        fs::write(folder.join(format!("{name}.court")), format!("language 1\nextends {name}\n")).unwrap();
        let (code, out, err) = run(&folder, &format!("legal {name}"));
        assert!(code == 0 && !out.is_empty(), "{err}");
        fs::write(folder.join(format!("{name}.court")), TINY).unwrap();
        assert!(run(&folder, &format!("options {name}")).1.starts_with("Tiny"));
    }
}

#[test]
fn problems_are_json_where_asked_for() {
    let folder = folder("problems");
    fs::write(folder.join("bad.court"), TINY.replace("hand of me\n  add", "hnd of me\n  add")).unwrap();
    let (code, out, err) = run(&folder, "check tiny.court bad.court --format json");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(code == 1 && err.is_empty());
    assert_eq!((&json["ok"], &json["files"][0]["ok"]), (&false.into(), &true.into()));
    assert_eq!(json["files"][1]["problems"][0]["text"], "hnd", "{json}");
    let (code, out, err) = run(&folder, "legal bad.court --format json");
    assert!(code == 1 && out.is_empty() && err.starts_with("{\"problems\":[{"), "{err}");
    finding(&folder, "check bad.court", "bad.court: not ok, 1 error");
}

#[test]
fn people_play_line_by_line() {
    let folder = folder("play");
    let script = "?\ndrop S b2\ndrop S b2\nwhy skip\nundo\nfly\nhelp\nturns\nstate\ndrop S b1\nquit\n";
    let output = call(&folder, "play tiny --opener first --record r.txt", script);
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{out}");
    for text in
        ["drop S a1, S a2", "`b2` is not in `empty`", "`skip` is legal", "no action is written `fly`", "ended here"]
    {
        assert!(out.contains(text), "{text}: {out}");
    }
    let record = fs::read_to_string(folder.join("r.txt")).unwrap();
    assert!(record.ends_with("\n1. First: drop S b1 !\n"), "{record}");
    assert_eq!(run(&folder, "replay r.txt").0, 0);
    let output = call(&folder, "play tiny --first greedy --second random", "");
    assert!(String::from_utf8(output.stdout).unwrap().contains("wins"));
    let output = call(&folder, "play tiny --opener first", "drop S a1\n");
    assert!(String::from_utf8(output.stdout).unwrap().contains("no more input"));
}

/// Ctrl-C while a game is waited for or played loses nothing of it.
#[cfg(unix)]
#[test]
fn an_interrupted_game_keeps_its_record() {
    let folder = folder("interrupt");
    let mut child = Command::new(env!("CARGO_BIN_EXE_fullcourt"))
        .args(["play", "tiny", "--opener", "first", "--record", "r.txt"])
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"drop S b1\n").unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("First: drop S b1") {
        line.clear();
        assert!(out.read_line(&mut line).unwrap() > 0);
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    drop(stdin);
    assert!(fs::read_to_string(folder.join("r.txt")).unwrap().ends_with("\n1. First: drop S b1 !\n"));
    assert_eq!(run(&folder, "replay r.txt").0, 0);
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let folder = folder("pipe");
    let mut child = Command::new(env!("CARGO_BIN_EXE_fullcourt"))
        .args(["perft", "tiny", "--depth", "3", "--divide"])
        .current_dir(&folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}
