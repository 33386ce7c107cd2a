//! The box score of a game, for people and for programs.
//!
//! In: the numbers that the rules' tallies counted. Out: a table for each side, or JSON.

use std::fmt::Write;

use fullcourt_engine::ir::Rules;
use fullcourt_engine::tally::{Row, Tally};
use serde_json::{Map, Value as Json, json};

/// The rows of a side, each with the piece's name: its letter, numbered where the side has several of them.
fn rows<'t>(rules: &Rules, tally: &'t Tally, side: usize) -> Vec<(String, &'t Row)> {
    let own: Vec<&Row> = tally.rows.iter().filter(|row| row.side == side).collect();
    let name = |index: usize, row: &Row| {
        let letter = rules.kinds.get(row.kind).map_or("?", |kind| kind.letter.as_str());
        let same = |rows: &[&Row]| rows.iter().filter(|other| other.kind == row.kind).count();
        if same(&own) > 1 { format!("{letter}{}", same(&own[..=index])) } else { letter.to_owned() }
    };
    own.iter().enumerate().map(|(index, row)| (name(index, row), *row)).collect()
}

/// The statistics of pieces, or those of sides, by number and name.
fn stats(rules: &Rules, per_piece: bool) -> Vec<(usize, &str)> {
    let all = rules.stats.iter().enumerate();
    all.filter(|(_, stat)| stat.per_piece == per_piece).map(|(index, stat)| (index, stat.name.as_str())).collect()
}

fn value(values: &[i64], stat: usize) -> i64 {
    values.get(stat).copied().unwrap_or(0)
}

/// The box score as tables, one for each side. Empty when the ruleset counts nothing.
#[must_use]
pub fn to_text(rules: &Rules, tally: &Tally, score: &[i32]) -> String {
    let mut out = String::new();
    if rules.stats.is_empty() {
        return out;
    }
    let columns = stats(rules, true);
    for (side, def) in rules.sides.iter().enumerate() {
        if side > 0 {
            out.push('\n');
        }
        let rows = rows(rules, tally, side);
        let points = score.get(side).map_or(String::new(), |score| format!(" {score}"));
        let heading = format!("{}{points}", def.name);
        let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let width = width.max(heading.chars().count()).max("all".len());
        if !columns.is_empty() {
            let _ = write!(out, "{heading:<width$}");
            for (_, name) in &columns {
                let _ = write!(out, "  {name}");
            }
            out.push('\n');
            for (name, row) in &rows {
                let shown = |stat| if row.seen { value(&row.values, stat).to_string() } else { "-".to_owned() };
                let _ = writeln!(out, "{name:<width$}{}", cells(&columns, shown));
            }
            let total = |stat| rows.iter().map(|(_, row)| value(&row.values, stat)).sum::<i64>().to_string();
            let _ = writeln!(out, "{:<width$}{}", "all", cells(&columns, total));
        } else {
            let _ = writeln!(out, "{heading}");
        }
        let sides = stats(rules, false);
        let of_side = |stat| tally.sides.get(side).map_or(0, |values| value(values, stat));
        let more: Vec<String> = sides.iter().map(|(stat, name)| format!("{name} {}", of_side(*stat))).collect();
        if !more.is_empty() {
            let _ = writeln!(out, "{}", more.join(", "));
        }
    }
    out
}

fn cells(columns: &[(usize, &str)], shown: impl Fn(usize) -> String) -> String {
    columns.iter().map(|(stat, name)| format!("  {:>1$}", shown(*stat), name.chars().count())).collect()
}

/// The box score as JSON: for each side its pieces, their sums, and what belongs to the side only.
#[must_use]
pub fn to_json(rules: &Rules, tally: &Tally) -> Json {
    let columns = stats(rules, true);
    let side_json = |side: usize| {
        let rows = rows(rules, tally, side);
        let numbers = |of: &dyn Fn(usize) -> i64| -> Map<String, Json> {
            columns.iter().map(|(stat, name)| ((*name).to_owned(), of(*stat).into())).collect()
        };
        let piece = |(name, row): &(String, &Row)| {
            let kind = rules.kinds.get(row.kind).map_or("?", |kind| kind.name.as_str());
            json!({"piece": name, "kind": kind, "played": row.seen, "stats": numbers(&|stat| value(&row.values, stat))})
        };
        let own: Map<String, Json> = stats(rules, false)
            .iter()
            .map(|(stat, name)| {
                let number = tally.sides.get(side).map_or(0, |values| value(values, *stat));
                ((*name).to_owned(), number.into())
            })
            .collect();
        json!({
            "pieces": rows.iter().map(piece).collect::<Vec<_>>(),
            "all": numbers(&|stat| rows.iter().map(|(_, row)| value(&row.values, stat)).sum()),
            "side": own,
        })
    };
    Json::Object(rules.sides.iter().enumerate().map(|(side, def)| (def.key.clone(), side_json(side))).collect())
}
