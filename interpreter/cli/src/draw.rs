//! The board as text.
//!
//! In: a game in play. Out: its ranks from the top, files below, and a line that explains the signs. Places beyond the
//! grid are drawn at their coordinates.

use std::fmt::Write;

use fullcourt_engine::board::file_letters;
use fullcourt_engine::ir::{Rules, Stmt};
use fullcourt_engine::session::Session;

const BOLD: &str = "\x1b[1m";
const CYAN: &str = "\x1b[36m";
const DIM: &str = "\x1b[2m";
const PLAIN: &str = "\x1b[0m";

/// The board of a game; `coloured` for a terminal.
#[must_use]
pub fn board(game: &dyn Session, coloured: bool) -> String {
    let rules = game.rules();
    let board = &rules.board;
    let coords: Vec<(i32, i32)> = (0..board.places()).map(|place| board.coords(place)).collect();
    let span = |of: fn(&(i32, i32)) -> i32| {
        let values = || coords.iter().map(of);
        (values().min().unwrap_or(0), values().max().unwrap_or(0))
    };
    let ((left, right), (bottom, top)) = (span(|c| c.0), span(|c| c.1));
    let cells: Vec<(String, &str)> = (0..board.places()).map(|place| cell(game, place)).collect();
    let files: Vec<String> = (left..=right).map(|f| if f < 0 { String::new() } else { file_letters(f) }).collect();
    let widths = |texts: &mut dyn Iterator<Item = &str>| texts.map(|text| text.chars().count()).max().unwrap_or(1);
    let width = widths(&mut cells.iter().map(|(text, _)| text.as_str()).chain(files.iter().map(String::as_str)));
    let margin = (bottom..=top).map(|rank| (rank + 1).to_string().len()).max().unwrap_or(1);
    let mut out = String::new();
    for rank in (bottom..=top).rev() {
        let mut line = format!("{:>margin$} ", rank + 1);
        for file in left..=right {
            let (text, colour) = board.at(file, rank).map_or((" ", ""), |place| (&cells[place].0, cells[place].1));
            let blanks = " ".repeat(width - text.chars().count());
            let _ = match coloured && !colour.is_empty() {
                true => write!(line, " {colour}{text}{PLAIN}{blanks}"),
                false => write!(line, " {text}{blanks}"),
            };
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    let mut line = " ".repeat(margin + 1);
    for file in &files {
        let _ = write!(line, " {file:<width$}");
    }
    let _ = writeln!(out, "{}", line.trim_end());
    out
}

/// What stands on a place, with a colour.
fn cell(game: &dyn Session, place: usize) -> (String, &'static str) {
    let cell = game.cell(place);
    let Some((side, kind)) = cell.piece else {
        let sign = cell.zone.filter(|sign| !sign.is_empty()).unwrap_or_else(|| ".".to_owned());
        return if cell.signs.is_empty() { (sign, DIM) } else { (cell.signs, PLAIN) };
    };
    let letter = game.rules().kinds.get(kind).map_or("?", |kind| kind.letter.as_str());
    (piece(letter, side) + &cell.signs, if side == 0 { BOLD } else { CYAN })
}

/// The letter of a piece: large for the first side, small for the second, with the side's number for others.
fn piece(letter: &str, side: usize) -> String {
    let (large, small) = (letter.to_uppercase(), letter.to_lowercase());
    match side {
        0 => large,
        1 if small != large => small,
        _ => format!("{large}{}", side + 1),
    }
}

/// What the signs on the board mean.
#[must_use]
pub fn legend(rules: &Rules) -> String {
    let mut parts = Vec::new();
    for (side, def) in rules.sides.iter().enumerate() {
        let example = rules.kinds.first().map_or(String::new(), |kind| piece(&kind.letter, side));
        parts.push(format!("{example} {}", def.name));
    }
    let planes =
        rules.drawn_planes.iter().filter_map(|(plane, sign)| Some((sign, &rules.planes.get(plane.ix())?.name)));
    let slots = rules.drawn_slots.iter().filter_map(|(slot, sign)| Some((sign, &rules.slots.get(slot.ix())?.name)));
    let zones = rules.zones.iter().filter_map(|zone| Some((zone.drawn.as_ref()?, &zone.name)));
    parts.extend(planes.chain(slots).chain(zones).map(|(sign, name)| format!("{sign} {name}")));
    parts.join("   ")
}

/// Whether any rule of the ruleset changes a score.
#[must_use]
pub fn scores_matter(rules: &Rules) -> bool {
    rules
        .stmts
        .iter()
        .any(|stmt| matches!(stmt, Stmt::SetSlot(slot, ..) | Stmt::AddSlot(slot, ..) if *slot == rules.score))
}

/// The score, the phase and who acts, in a line.
#[must_use]
pub fn status(game: &dyn Session) -> String {
    let rules = game.rules();
    let score = game.score();
    let scores: Vec<String> =
        rules.sides.iter().zip(&score).map(|(side, score)| format!("{} {score}", side.name)).collect();
    let acting = game.to_act().and_then(|side| rules.sides.get(side));
    let phase = game.phase().and_then(|phase| rules.phases.get(phase));
    let rest = match (acting, phase) {
        (Some(side), Some(phase)) => format!("{} acts ({})", side.name, phase.name),
        _ => "the game is over".to_owned(),
    };
    if scores_matter(rules) { format!("{} — {rest}", scores.join(", ")) } else { rest }
}
