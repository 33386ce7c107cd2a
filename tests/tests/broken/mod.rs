//! A small ruleset to be broken, and what is said about it then.

use fullcourt_compiler::compile;
use fullcourt_compiler::diagnostics::Problem;
use fullcourt_tests::hostile::RACE;
use fullcourt_tests::{TestFiles, show};

/// The race with these changes, each of which must apply.
#[must_use]
pub fn race(edits: &[(&str, &str)]) -> TestFiles {
    let mut text = RACE.to_owned();
    for (old, new) in edits {
        assert!(text.contains(old), "`{old}` is not in the race");
        text = text.replacen(old, new, 1);
    }
    TestFiles::with("race", &text)
}

/// A ruleset of these lines that extends the race.
#[must_use]
pub fn child(lines: &str) -> TestFiles {
    let mut files = race(&[]);
    files.extra.push(("child".to_owned(), format!("language 1\nruleset \"Child\"\nextends race\n{lines}\n")));
    files
}

/// Code and underlined text of every problem of the last file.
#[must_use]
pub fn problems(files: &TestFiles) -> Vec<(&'static str, String)> {
    found(files).into_iter().map(|(problem, text)| (problem.code, text)).collect()
}

fn found(files: &TestFiles) -> Vec<(Problem, String)> {
    let entry = if files.extra.iter().any(|(name, _)| name == "child") { "child" } else { "race" };
    match compile(files, entry) {
        Ok(_) => Vec::new(),
        Err(failure) => {
            let shown = show(&failure);
            failure.problems.iter().for_each(|problem| reads_well(problem, &shown));
            let text = |problem: &Problem| failure.sources.slice(problem.span).to_owned();
            failure.problems.iter().map(|problem| (problem.clone(), text(problem))).collect()
        }
    }
}

/// One problem, its text, and a part of its help.
pub fn one(edits: &[(&str, &str)], code: &str, text: &str, help: &str) {
    check(&race(edits), &[(code, text)], help);
}

/// All problems; each must have this part in its help or message.
pub fn check(files: &TestFiles, expected: &[(&str, &str)], help: &str) {
    let found = found(files);
    let shown: Vec<(&str, &str)> = found.iter().map(|(problem, text)| (problem.code, text.as_str())).collect();
    let messages: Vec<&str> = found.iter().map(|(problem, _)| problem.message.as_str()).collect();
    assert_eq!(shown, expected, "{messages:?}");
    for (problem, _) in &found {
        let advice = problem.help.as_deref().unwrap_or_default();
        assert!(advice.contains(help), "`{advice}` says nothing of `{help}`: {}", problem.message);
    }
}

/// Lower case, no final period, no names of the program's own types, all within one line.
fn reads_well(problem: &Problem, all: &str) {
    let texts = [Some(&problem.message), problem.help.as_ref()].into_iter().flatten();
    for text in texts.chain(problem.labels.iter().map(|label| &label.text)) {
        let first = text.chars().next().unwrap_or('A');
        assert!(!first.is_uppercase(), "`{text}`\n{all}");
        assert!(!text.ends_with('.') && !text.contains('\n') && !text.is_empty(), "`{text}`\n{all}");
        let own_words = ["Some(", "None", "Ok(", "Err(", "ExprId", "Ty::", "Rule::", "Option<", "Vec<", "i32", "usize"];
        assert!(own_words.iter().all(|word| !text.contains(word)), "`{text}`\n{all}");
        assert_eq!(text.matches('`').count() % 2, 0, "`{text}`\n{all}");
    }
}
