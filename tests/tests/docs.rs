//! The documentation: every example does what it says, every link leads somewhere, and nothing of the language and of its
//! messages goes without a word.
//!
//! A fenced block marked `court` is a whole ruleset that compiles. Further words after a comma: `base` (the ruleset that
//! fragments extend, one in the whole documentation), `fragment` (items that extend it), `expressions` (one a line),
//! `error=CODE` (it must be refused with that code and no other), `name=NAME` (other examples may extend it by that name).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fullcourt_compiler::compile;
use fullcourt_compiler::diagnostics::{CODES, Level};
use fullcourt_compiler::syntax::{ITEM_WORDS, parse};
use fullcourt_engine::session::Setup;
use fullcourt_tests::{TestFiles, load, root, show};

/// What a part of a ruleset cannot show by itself: that something uses it, and that it leads somewhere.
const OF_THE_WHOLE: [&str; 5] = ["option-unread", "clock-unticked", "phase-unreached", "phase-stays", "never-fires"];

/// A fenced block of a page.
struct Example {
    place: String,
    marks: Vec<String>,
    text: String,
}

impl Example {
    fn is(&self, mark: &str) -> bool {
        self.marks.iter().any(|known| known == mark)
    }

    fn value(&self, key: &str) -> Option<&str> {
        self.marks.iter().find_map(|mark| mark.strip_prefix(key)?.strip_prefix('='))
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| format!("{}: {error}", path.display()))
}

/// Files below a folder that end so, in order.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            out.extend(files(&path, end));
        } else if path.to_string_lossy().ends_with(end) {
            out.push(path);
        }
    }
    out.sort();
    out
}

/// The pages: the book and the files at the top.
fn pages() -> Vec<PathBuf> {
    let mut pages = files(&root().join("docs/src"), ".md");
    pages.extend(files(&root().join("docs/decisions"), ".md"));
    pages.extend(
        ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"]
            .map(|name| root().join(name))
            .into_iter()
            .filter(|p| p.exists()),
    );
    pages
}

fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

fn examples() -> Vec<Example> {
    let mut out: Vec<Example> = Vec::new();
    for page in pages() {
        let text = read(&page);
        let mut open: Option<Example> = None;
        for (number, line) in (1..).zip(text.lines()) {
            match (&mut open, line.trim_start().strip_prefix("```")) {
                (None, Some(info)) => {
                    let marks = info.split(',').map(|mark| mark.trim().to_owned()).collect();
                    open = Some(Example { place: format!("{}:{number}", shown(&page)), marks, text: String::new() });
                }
                (Some(_), Some(_)) => out.extend(open.take()),
                (Some(example), None) => {
                    example.text.push_str(line);
                    example.text.push('\n');
                }
                (None, None) => {}
            }
        }
        assert!(open.is_none(), "{}: a block does not end", shown(&page));
    }
    out.retain(|example| example.is("court"));
    out
}

/// The files of an example and the name under which it is compiled.
fn files_of(example: &Example, all: &[Example]) -> TestFiles {
    let base = all.iter().filter(|other| other.is("base")).map(|other| ("yard".to_owned(), other.text.clone()));
    let named = all.iter().filter_map(|other| Some((other.value("name")?.to_owned(), other.text.clone())));
    let mut text = String::new();
    if example.is("fragment") || example.is("expressions") {
        text.push_str("language 1\nruleset \"Example\"\nextends yard\n");
    }
    if example.is("expressions") {
        let lines = example.text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("//"));
        for (number, line) in (1..).zip(lines) {
            text.push_str(&format!("define example_{number}(it: square, s: side, n: number) = {line}\n"));
        }
    } else {
        text.push_str(&example.text);
    }
    let extra = base.chain(named).chain([("example".to_owned(), text)]).collect();
    TestFiles { extra, modules: Vec::new() }
}

/// What is wrong with an example; nothing when it does what it says.
fn check(example: &Example, all: &[Example]) -> Option<String> {
    let result = compile(&files_of(example, all), "example");
    let failure = match result {
        Err(failure) => failure,
        Ok(_) if example.value("error").is_some() => return Some("it compiles, and says that it does not".to_owned()),
        Ok(compiled) if compiled.warnings.is_empty() => return None,
        Ok(compiled) => return Some(format!("{:?}", compiled.warnings)),
    };
    let part = example.is("fragment") || example.is("expressions");
    let mut codes: BTreeSet<&str> =
        failure.problems.iter().filter(|p| p.level == Level::Error).map(|problem| problem.code).collect();
    if let Some(wanted) = example.value("error") {
        if part && codes.len() > 1 {
            codes.retain(|code| *code == wanted || !OF_THE_WHOLE.contains(code));
        }
        let fits = codes == BTreeSet::from([wanted]);
        return (!fits).then(|| format!("it should give {wanted}:\n{}", show(&failure)));
    }
    let bearable = part && codes.iter().all(|code| OF_THE_WHOLE.contains(code));
    (!bearable).then(|| show(&failure))
}

#[test]
fn every_example_does_what_it_says() {
    let all = examples();
    assert_eq!(all.iter().filter(|example| example.is("base")).count(), 1, "one example is the base of the fragments");
    assert!(all.len() > 90, "only {} examples were found", all.len());
    let wrong: Vec<String> =
        all.iter().filter_map(|example| Some(format!("{}: {}", example.place, check(example, &all)?))).collect();
    assert!(wrong.is_empty(), "{} of {} examples:\n{}", wrong.len(), all.len(), wrong.join("\n"));
}

/// Every block that is marked otherwise is marked on purpose.
#[test]
fn marks_of_examples_are_known() {
    for example in examples() {
        for mark in &example.marks {
            let known = ["court", "base", "fragment", "expressions"].contains(&mark.as_str())
                || mark.starts_with("error=")
                || mark.starts_with("name=");
            assert!(known, "{}: what is `{mark}`?", example.place);
        }
    }
}

/// The names of an inline or reference link, outside of fenced blocks.
fn links(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        fenced ^= line.trim_start().starts_with("```");
        if fenced {
            continue;
        }
        // What stands in backticks is no link.
        let plain: String = line.split('`').step_by(2).collect::<Vec<_>>().join("``");
        for part in plain.split("](").skip(1) {
            out.extend(part.split(')').next().map(str::to_owned));
        }
    }
    out
}

/// Headings as mdBook names them in links.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let mut out = BTreeSet::new();
    for line in text.lines() {
        fenced ^= line.trim_start().starts_with("```");
        if fenced || !line.starts_with('#') {
            continue;
        }
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        out.insert(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
    }
    out
}

#[test]
fn links_lead_somewhere() {
    let mut wrong = Vec::new();
    for page in pages() {
        let text = read(&page);
        for link in links(&text) {
            if link.contains("://") || link.is_empty() {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { page.clone() } else { page.with_file_name("").join(file) };
            let found = target.exists() && (anchor.is_empty() || anchors(&read(&target)).contains(anchor));
            if !found {
                wrong.push(format!("{}: {link}", shown(&page)));
            }
        }
    }
    assert!(wrong.is_empty(), "links that lead nowhere:\n{}", wrong.join("\n"));
}

#[test]
fn the_summary_has_every_page() {
    let source = root().join("docs/src");
    let summary = read(&source.join("SUMMARY.md"));
    let named: BTreeSet<PathBuf> = links(&summary).into_iter().map(|link| source.join(link)).collect();
    let there: BTreeSet<PathBuf> = files(&source, ".md").into_iter().filter(|p| !p.ends_with("SUMMARY.md")).collect();
    assert_eq!(named, there);
}

/// Whole words of the reference that stand in backticks or in blocks.
fn reference_words() -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for page in files(&root().join("docs/src/language"), ".md") {
        let mut fenced = false;
        for line in read(&page).lines() {
            let fence = line.trim_start().starts_with("```");
            fenced ^= fence;
            let code: Vec<&str> = if fenced { vec![line] } else { line.split('`').skip(1).step_by(2).collect() };
            for part in code {
                let parts = part.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                words.extend(parts.filter(|word| !word.is_empty()).map(str::to_owned));
            }
        }
    }
    words
}

/// What stands in double quotes after a marker, wherever it occurs in a text.
fn quoted_after<'t>(text: &'t str, marker: &str) -> Vec<&'t str> {
    let after = text.split(marker).skip(1).filter_map(|rest| rest.trim_start().strip_prefix('"'));
    after.filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn the_reference_has_every_word() {
    let words = reference_words();
    let mut wanted: BTreeSet<String> = ITEM_WORDS.iter().map(|word| (*word).to_owned()).collect();
    let compiler = root().join("interpreter/compiler/src");
    for line in read(&compiler.join("syntax/court.pest")).lines() {
        let is_sign = line.starts_with("k_") && !line.contains("~ !wc");
        let wordy = line.contains("~ !wc") || line.trim_start().starts_with(['"', '|']);
        if wordy && !is_sign {
            let plain = line.split('"').skip(1).step_by(2);
            wanted.extend(
                plain.filter(|w| w.chars().all(|c| c.is_ascii_lowercase()) && !w.is_empty()).map(str::to_owned),
            );
        }
    }
    let given = read(&compiler.join("model/scope.rs"));
    let own = given.lines().filter(|line| line.contains("\", Word::")).flat_map(|line| quoted_after(line, "("));
    let own: Vec<String> = own.map(str::to_owned).collect();
    assert!(own.len() > 10, "the words that the language gives were not found: {own:?}");
    wanted.extend(own);
    assert!(wanted.len() > 120, "only {} words were found: {wanted:?}", wanted.len());
    let missing: Vec<&String> = wanted.iter().filter(|word| !words.contains(*word)).collect();
    assert!(missing.is_empty(), "the language reference does not mention {missing:?}");
}

/// Every code that a source file raises.
fn raised() -> BTreeSet<String> {
    let mut codes: BTreeSet<String> = CODES.iter().map(|code| code.code.to_owned()).collect();
    let is_code = |text: &str| text.len() > 2 && text.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    for (folder, markers) in [
        ("interpreter/compiler/src", vec!["error(", "warning("]),
        ("interpreter/engine/src", vec![".fail(", "code: "]),
        ("interpreter/plugin-host/src/error.rs", vec!["&str = "]),
    ] {
        let path = root().join(folder);
        let sources = if path.is_file() { vec![path] } else { files(&path, ".rs") };
        for source in sources.iter().filter(|path| !shown(path).contains("tests")) {
            let text = read(source);
            let found = markers.iter().flat_map(|marker| quoted_after(&text, marker));
            codes.extend(found.filter(|code| is_code(code)).map(str::to_owned));
        }
    }
    codes
}

#[test]
fn every_code_has_an_entry() {
    let page = read(&root().join("docs/src/language/diagnostics.md"));
    let entries: BTreeSet<String> =
        page.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`')).map(str::to_owned).collect();
    let raised = raised();
    assert!(raised.len() > 40, "only {} codes were found", raised.len());
    let missing: Vec<&String> = raised.difference(&entries).collect();
    assert!(missing.is_empty(), "codes without an entry on the page of diagnostics: {missing:?}");
    let too_many: Vec<&String> = entries.difference(&raised).collect();
    assert!(too_many.is_empty(), "entries for codes that nothing raises: {too_many:?}");
}

/// The commands that a person copies stand on lines of their own; the test command is what `.ci/run` reads.
#[test]
fn the_readme_has_its_commands() {
    let readme = read(&root().join("README.md"));
    let has = |line: &str| readme.lines().filter(|other| *other == line).count();
    assert_eq!(has("cargo run --release -- run pickup-chess"), 1);
    assert_eq!(has("cargo test --release --workspace"), 1);
}

/// The shipped files are well formed here too, so that a broken one is not taken for a broken example.
#[test]
fn shipped_files_are_well_formed() {
    let shipped = [root().join("rulesets"), root().join("stdlib")].map(|folder| files(&folder, ".court")).concat();
    for path in shipped {
        let mut sources = fullcourt_compiler::diagnostics::Sources::default();
        let file = sources.add(shown(&path), read(&path));
        let (_, problems) = parse(sources.text(file), file);
        assert!(problems.is_empty(), "{}: {problems:?}", shown(&path));
    }
}

/// The worked example of what follows an action, as the page of rules tells it.
#[test]
fn the_worked_example_goes_as_told() {
    let loaded = load(&TestFiles::default(), "pickup-chess");
    let values = vec![("tip".to_owned(), String::new(), "white".to_owned())];
    let mut game = loaded.game(&[("shot_clock", "1")], &Setup { values, seed: 1 });
    let decisions = [
        "place Q a8",
        "place Q c2",
        "place R b8",
        "place R e1",
        "place B a7",
        "place B f5",
        "place N b7",
        "place N a2",
        "place P h8",
        "place P a4",
        "inbound e1-e1",
        "R* e1-e5",
        "pass e5-f5",
    ];
    let mut events = Vec::new();
    for text in decisions {
        let action = game.find(text).expect("no fault").expect("it is legal");
        events = game.play(action).expect("no fault");
    }
    let names: Vec<&str> = events.iter().map(|event| event.event.as_str()).collect();
    assert_eq!(names, ["passed", "offense_done", "late", "scored"]);
    let outcome: String = events.iter().map(|event| event.notation.as_str()).collect();
    assert_eq!(outcome, " ! clock +1");
    let state = game.state();
    assert_eq!(state["score"], serde_json::json!([0, 1]));
    assert_eq!(state["phase"], "sub");
    assert_eq!(state["to_act"], "black");
    assert_eq!(state["turn"], 1);
    assert!(state["handler"].is_null() && state["spans"].get("possession").is_none());
    let pieces = state["pieces"].as_array().expect("pieces");
    let queen = pieces.iter().find(|piece| piece["square"] == "c2").expect("the Queen");
    assert_eq!(queen["marks"], serde_json::json!(["owes"]));
}
