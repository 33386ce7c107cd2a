//! From the text of a record to what it says. Whether the game can be played like that is not asked here.

use std::collections::BTreeMap;

use super::scan::Scan;
use super::write::{capitalised, uncapitalised};
use super::{Body, Header, LINE_BYTES, OWN, TEXT_BYTES};
use crate::nearest::advice;

/// Where and why a text is no record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {text}")]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong.
    pub text: String,
}

/// A decision with its outcome, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Both, with the blank between them.
    pub text: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

/// A turn as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptTurn {
    /// The side's name.
    pub side: String,
    /// The line, from 1.
    pub line: usize,
    /// The decisions, at least one.
    pub decisions: Vec<Token>,
}

/// A record as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// The headers.
    pub header: Header,
    /// The turns in order.
    pub turns: Vec<ScriptTurn>,
    /// The text of the turns, where the ruleset's own template tells them.
    pub body: Body,
    lines: BTreeMap<String, usize>,
}

impl Script {
    /// The line of a header; 1 when it is not there.
    #[must_use]
    pub fn line_of(&self, header: &str) -> usize {
        self.lines.get(header).copied().unwrap_or(1)
    }
}

/// Reads a record.
///
/// # Errors
/// The first place that is not as a record must be.
pub fn read(text: &str) -> Result<Script, ReadError> {
    let at = |line: usize, text: String| Err(ReadError { line, column: 1, text });
    if text.len() > TEXT_BYTES {
        return at(1, format!("a record may have {} MiB, this one has more", TEXT_BYTES >> 20));
    }
    let mut script = Script::default();
    let mut last = 1;
    for (number, line) in (1..).zip(text.split('\n')) {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.len() > LINE_BYTES {
            return at(number, format!("a line may have {LINE_BYTES} bytes, this one has more"));
        }
        let mut scan = Scan::new(line, number);
        if script.header.notation.is_some() && !line.trim_start().starts_with('[') {
            script.body.push(number, line);
            continue;
        }
        if scan.skip()? {
            continue;
        }
        last = number;
        if scan.take("[") {
            if !script.turns.is_empty() || !script.body.is_empty() {
                return scan.error("a header stands above the turns, not between them");
            }
            header(&mut script, &mut scan, number)?;
        } else {
            let turn = turn(&mut scan, number, script.turns.len() + 1)?;
            if script.turns.last().is_some_and(|before| before.side == turn.side) {
                return at(number, format!("the turn before is one of {} too; one turn is one line", turn.side));
            }
            script.turns.push(turn);
        }
    }
    for key in ["Ruleset", "Hash", "Options", "Result", "Decisions"] {
        if !script.lines.contains_key(key) {
            return at(1, format!("the header `{key}` is missing"));
        }
    }
    if script.header.notation.is_some() {
        return Ok(script);
    }
    let decisions: usize = script.turns.iter().map(|turn| turn.decisions.len()).sum();
    let announced = script.header.decisions;
    if decisions < announced {
        return at(last, format!("the record ends after {decisions} decisions; its header says {announced}"));
    }
    if decisions > announced {
        let extra = script.turns.iter().flat_map(|turn| &turn.decisions).nth(announced);
        let (line, column) = extra.map_or((last, 1), |token| (token.line, token.column));
        let text = format!("a decision too many: the header says {announced}, there are {decisions}");
        return Err(ReadError { line, column, text });
    }
    Ok(script)
}

fn header(script: &mut Script, scan: &mut Scan<'_>, number: usize) -> Result<(), ReadError> {
    scan.skip()?;
    let start = scan.column();
    let mut words = Vec::new();
    loop {
        let word = scan.until(&[' ', '\t', '"', ']', '[']);
        if word.is_empty() {
            break;
        }
        words.push(word);
        scan.skip()?;
    }
    let value = scan.quoted()?;
    scan.skip()?;
    scan.expect("]")?;
    if !scan.skip()? {
        return scan.error(format!("expected the end of the line, found {}", scan.found()));
    }
    let wrong = |text: String| Err(ReadError { line: number, column: start, text });
    let name = words.join(" ");
    if script.lines.insert(name.clone(), number).is_some() {
        return wrong(format!("the header `{name}` stands there twice"));
    }
    let to = &mut script.header;
    let number_in = |value: &str| -> Result<u64, ReadError> {
        let problem =
            || ReadError { line: number, column: start, text: format!("`{name}` must be a number, not `{value}`") };
        value.parse().map_err(|_| problem())
    };
    match *words {
        [] => return wrong("a header begins with its name".to_owned()),
        ["Ruleset"] => to.ruleset = value,
        ["Title"] => to.title = value,
        ["Hash"] => to.hash = value,
        ["Engine"] => to.engine = value,
        ["Position"] => to.position = Some(value),
        ["Notation"] => to.notation = Some(value),
        ["Result"] => to.result = value,
        ["Seed"] => to.seed = number_in(&value)?,
        ["Decisions"] => to.decisions = usize::try_from(number_in(&value)?).unwrap_or(usize::MAX),
        ["Score"] => {
            for score in value.split_whitespace() {
                let Ok(score) = score.parse() else {
                    return wrong(format!("`Score` has numbers, not `{score}`"));
                };
                to.score.push(score);
            }
        }
        ["Options"] => {
            for pair in value.split_whitespace() {
                let Some((option, value)) = pair.split_once('=') else {
                    return wrong(format!("`{pair}` should be written as name=value"));
                };
                to.options.push((option.to_owned(), value.to_owned()));
            }
        }
        ["State"] => match serde_json::from_str(&value) {
            Ok(state) => to.state = Some(state),
            Err(error) => return wrong(format!("`State` is no JSON: {error}")),
        },
        ["Player", side] => to.players.push((side.to_owned(), value)),
        ["Setup", parameter] => to.setup.push((parameter.to_owned(), String::new(), value)),
        ["Setup", parameter, side] => to.setup.push((parameter.to_owned(), side.to_owned(), value)),
        [key, ..] if OWN.contains(&key) => return wrong(format!("`{key}` has other words behind it than this")),
        [key] if capitalised(key) == key => to.setup.push((uncapitalised(key), String::new(), value)),
        [key, side] if capitalised(key) == key => to.setup.push((uncapitalised(key), side.to_owned(), value)),
        [key, ..] => return wrong(format!("`{name}` is no header{}", advice(key, OWN.iter().copied()))),
    }
    Ok(())
}

fn turn(scan: &mut Scan<'_>, number: usize, expected: usize) -> Result<ScriptTurn, ReadError> {
    let count = scan.until(&['.', ' ', ',', '"']);
    if count != expected.to_string() {
        let mut start = Scan::new("", number);
        start.skip()?;
        let what = if count.is_empty() { scan.found() } else { format!("`{count}`") };
        return start.error(format!("expected turn {expected}, found {what}"));
    }
    scan.expect(".")?;
    scan.skip()?;
    let side = scan.until(&[':', ',', '"', '{']).trim_end().to_owned();
    scan.expect(":")?;
    let mut decisions = Vec::new();
    loop {
        scan.skip()?;
        let column = scan.column();
        decisions.push(Token { text: scan.token()?, line: number, column });
        if scan.skip()? {
            return Ok(ScriptTurn { side, line: number, decisions });
        }
        scan.expect(",")?;
    }
}
