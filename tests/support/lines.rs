//! Games from positions in one line, what comes of them, and tables of how many chains of actions begin there.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use fullcourt_engine::session::{Session, Setup};

use crate::play::say;
use crate::{Loaded, root};

impl Loaded {
    /// A game with these options, taken over from a position in one line.
    ///
    /// # Panics
    /// When there can be no such position.
    #[must_use]
    #[allow(clippy::panic)]
    pub fn at(&self, options: &[(&str, &str)], line: &str) -> Box<dyn Session> {
        let mut play = self.game(options, &Setup::default());
        play.set_line(line).unwrap_or_else(|wrong| panic!("`{line}`: {wrong}"));
        play
    }
}

/// Plays the actions of these texts, with blanks between them.
///
/// # Panics
/// When one of them is not legal.
pub fn say_all(play: &mut dyn Session, texts: &str) {
    texts.split_whitespace().for_each(|text| drop(say(play, text)));
}

/// How a game ended: `white checkmate`, `draw stalemate`; `` while it goes on.
#[must_use]
pub fn end(play: &dyn Session) -> String {
    let result = play.result();
    let text = |name: &str| result[name].as_str().unwrap_or("draw").to_owned();
    if result.is_null() { String::new() } else { format!("{} {}", text("winner"), text("rule")) }
}

/// A legal action in a notation.
///
/// # Panics
/// When it is not legal.
#[must_use]
#[allow(clippy::panic, clippy::expect_used)]
pub fn written(play: &dyn Session, notation: &str, text: &str) -> String {
    let legal = play.legal().expect("the rules do not fault");
    let action = legal.iter().find(|action| play.text(**action) == text);
    let action = action.unwrap_or_else(|| panic!("`{text}` is not legal in {:?}", play.line()));
    play.notated(notation, &[*action], &legal).expect("the rules do not fault")[0].whole()
}

/// Why a text is refused.
///
/// # Panics
/// When it is legal.
#[must_use]
#[allow(clippy::panic, clippy::expect_used)]
pub fn refused(play: &dyn Session, text: &str) -> String {
    match play.find(text).expect("the rules do not fault") {
        Ok(_) => panic!("`{text}` is legal in {:?}", play.line()),
        Err(why) => why.iter().map(|refusal| format!("{}: {}\n", refusal.rule, refusal.text)).collect(),
    }
}

/// A row of a table of counts.
#[derive(Clone, Debug)]
pub struct Row {
    /// The position in one line.
    pub position: String,
    /// How many actions deep.
    pub depth: u32,
    /// How many chains of so many actions there are.
    pub nodes: u64,
}

/// The rows of a file of the tests' folder: name, position, depth, nodes; only those whose nodes `are` so many.
///
/// # Panics
/// When the file is not such a table.
#[must_use]
#[allow(clippy::expect_used)]
pub fn rows(path: &str, are: impl Fn(u64) -> bool) -> Vec<Row> {
    let text = std::fs::read_to_string(root().join("tests").join(path)).expect("the table is there");
    let row = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [_, position, depth, nodes] = fields[..] else { return None };
        Some(Row { position: position.to_owned(), depth: depth.parse().ok()?, nodes: nodes.parse().ok()? })
    };
    let rows = text.lines().skip(1).map(|line| row(line).expect("a row has a position, a depth and nodes"));
    rows.filter(|row| are(row.nodes)).collect()
}

/// Counts the rows with two threads, the largest first.
///
/// # Panics
/// When the number of a row is another one.
#[allow(clippy::expect_used)]
pub fn count(rules: &Loaded, mut rows: Vec<Row>, bulk: bool) {
    assert!(!rows.is_empty());
    rows.sort_by_key(|row| std::cmp::Reverse(row.nodes));
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
            let found = rules.at(&[], &row.position).perft(row.depth, bulk, &|| false).expect("the rules do not fault");
            if found != row.nodes {
                wrong.lock().expect("no thread has failed").push(format!("{row:?}: found {found}"));
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let wrong = wrong.into_inner().expect("no thread has failed");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
