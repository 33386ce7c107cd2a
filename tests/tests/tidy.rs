//! Rules of the house: no game in the interpreter, each dependency in its place, files of a bearable length.

#![allow(clippy::panic, reason = "a test may fail")]

use std::fs;
use std::path::{Path, PathBuf};

use fullcourt_compiler::compile;
use fullcourt_tests::{TestFiles, root, show};

/// Words of games; the interpreter knows none of them.
const WORDS: [&str; 39] = [
    "king",
    "queen",
    "rook",
    "bishop",
    "knight",
    "pawn",
    "white",
    "black",
    "eurostep",
    "specialists",
    "perimeter",
    "handler",
    "rim",
    "rims",
    "paint",
    "pickup",
    "basket",
    "basketball",
    "dribble",
    "shot",
    "steal",
    "inbound",
    "rebound",
    "cutter",
    "offense",
    "defense",
    "possession",
    "burst",
    "bursts",
    "lob",
    "lobs",
    "camped",
    "backcourt",
    "frontcourt",
    "chess",
    "soccer",
    "exoplanet",
    "puck",
    "goalkeeper",
];

/// The longest a file may be.
const LINES: usize = 600;

fn files(folder: &Path, extension: &str, out: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let skipped =
            path.ends_with("target") || path.file_name().is_some_and(|n| n.to_string_lossy().starts_with('.'));
        if path.is_dir() && !skipped {
            files(&path, extension, out);
        } else if path.extension().is_some_and(|found| found == extension) {
            out.push(path);
        }
    }
}

fn all(folder: &str, extension: &str) -> Vec<(String, String)> {
    let (mut found, root) = (Vec::new(), root());
    files(&root.join(folder), extension, &mut found);
    assert!(!found.is_empty(), "nothing in {folder}");
    let read = |path: PathBuf| {
        let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
        (name, fs::read_to_string(path).expect("text"))
    };
    found.into_iter().map(read).collect()
}

/// The words of a program's code, without comments.
fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = code.lines().enumerate().map(|(number, line)| (number + 1, line.split("//").next().unwrap_or("")));
    lines.flat_map(|(number, line)| {
        line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').map(move |word| (number, word))
    })
}

#[test]
fn the_interpreter_knows_no_game() {
    let mut found = Vec::new();
    for (name, text) in all("interpreter", "rs") {
        if name.contains("/tests/") || name.ends_with("tests.rs") || !name.contains("/src/") {
            continue;
        }
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (line, word) in words(code) {
            let lower = word.to_lowercase();
            if WORDS.contains(&lower.as_str()) {
                found.push(format!("{name}:{line}: {word}"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn dependencies_stay_in_their_place() {
    let places =
        [("pest", "compiler"), ("pest_derive", "compiler"), ("petgraph", "compiler"), ("wasmtime", "plugin-host")];
    for (name, text) in all("interpreter", "toml") {
        for (crate_name, place) in places {
            let has = text.lines().any(|line| line.split(['.', ' ', '=']).next() == Some(crate_name));
            assert_eq!(has, name == format!("interpreter/{place}/Cargo.toml"), "{crate_name} in {name}");
        }
        // The engine knows nothing of ours.
        if name == "interpreter/engine/Cargo.toml" {
            let own = text.lines().filter(|line| line.starts_with("fullcourt-") && line.contains("workspace"));
            assert_eq!(own.count(), 0, "{text}");
        }
    }
}

#[test]
fn pest_stays_within_syntax_and_petgraph_within_the_compiler() {
    for (name, text) in all("interpreter", "rs") {
        let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let uses = |word: &str| code.iter().any(|line| line.contains(&format!("{word}::")));
        assert!(!uses("pest") || name.starts_with("interpreter/compiler/src/syntax/"), "pest in {name}");
        assert!(!uses("petgraph") || name.starts_with("interpreter/compiler/src/"), "petgraph in {name}");
        assert!(!uses("wasmtime") || name.starts_with("interpreter/plugin-host/"), "wasmtime in {name}");
    }
}

#[test]
fn files_are_of_a_bearable_length() {
    let mut found = Vec::new();
    for folder in ["interpreter", "plugins", "tests", "rulesets", "stdlib"] {
        for extension in ["rs", "court", "pest"] {
            files(&root().join(folder), extension, &mut found);
        }
    }
    for path in found {
        let (name, lines) = (path.display().to_string(), fs::read_to_string(&path).expect("text").lines().count());
        assert!(lines <= LINES, "{name} has {lines} lines");
    }
}

#[test]
fn shipped_rulesets_are_without_fault_and_short() {
    for (name, text) in all("rulesets", "court") {
        let stem = Path::new(&name).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        match compile(&TestFiles::default(), &stem) {
            Ok(compiled) => assert!(compiled.warnings.is_empty(), "{name}: {:?}", compiled.warnings),
            Err(failure) => panic!("{name}:\n{}", show(&failure)),
        }
        let code = |line: &&str| !line.split("//").next().unwrap_or("").trim().is_empty();
        let lines = text.lines().filter(code).count();
        let most = match stem.as_str() {
            "exoplanet-chess" => 120,
            "chess" => 180,
            "soccer-chess" => 200,
            _ => 400,
        };
        assert!(lines <= most, "{name} has {lines} lines without comments and empty ones");
    }
}
