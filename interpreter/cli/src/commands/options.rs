//! `options`: what can be chosen in a ruleset.

use std::io::Write;
use std::process::ExitCode;

use fullcourt_engine::ir::{OptionDef, OptionDomain, Rules, SetupDef, SetupKind};
use serde_json::{Value as Json, json};

use super::code;
use crate::error::{CliError, say_problems};
use crate::load::Loaded;
use crate::out::{self, Format};

/// Lists options and setup parameters.
pub(super) fn options(ruleset: &str, format: Format) -> Result<ExitCode, CliError> {
    let loaded = Loaded::find(ruleset)?;
    say_problems(&loaded.compiled.warnings, &loaded.compiled.sources, format);
    let rules = &loaded.compiled.rules;
    let values = &loaded.compiled.defaults;
    let mut out = out::stdout();
    if format == Format::Json {
        writeln!(out, "{}", json!({"options": options_json(rules, values), "setup": setups_json(rules)}))?;
        out.flush()?;
        return Ok(code(true));
    }
    let rows: Vec<[String; 4]> = rules.options.iter().zip(values).map(|(def, value)| option_row(def, *value)).collect();
    let setups: Vec<[String; 4]> = rules.setups.iter().map(|def| setup_row(rules, def)).collect();
    let width = |column: usize| {
        let cells = rows.iter().chain(&setups).map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let (a, b, c) = (width(0), width(1), width(2));
    writeln!(out, "{}", rules.title)?;
    for (title, rows) in [("Options (--option NAME=VALUE), the default first", &rows), ("Setup parameters", &setups)] {
        if !rows.is_empty() {
            writeln!(out, "\n{title}:")?;
        }
        for [name, values, cite, text] in rows {
            writeln!(out, "{}", format!("  {name:<a$}  {values:<b$}  {cite:<c$}  {text}").trim_end())?;
        }
    }
    out.flush()?;
    Ok(code(true))
}

/// Name, values with the default first, paragraph, meaning.
fn option_row(def: &OptionDef, value: i32) -> [String; 4] {
    let shown = def.show(value);
    let values = match &def.domain {
        OptionDomain::Range(range) => format!("{shown} ({} to {})", range.low, range.high),
        OptionDomain::RangeOr(range, words) => {
            let words: String = words.iter().filter(|word| **word != shown).map(|word| format!(" | {word}")).collect();
            format!("{shown} ({} to {}){words}", range.low, range.high)
        }
        OptionDomain::Words(words) => {
            let others = words.iter().filter(|word| **word != shown).map(String::as_str);
            std::iter::once(shown.as_str()).chain(others).collect::<Vec<_>>().join(" | ")
        }
    };
    [def.name.clone(), values, def.cite.clone(), def.text.clone()]
}

fn setup_row(rules: &Rules, def: &SetupDef) -> [String; 4] {
    let name = format!("--{}", def.name);
    let values = match &def.kind {
        SetupKind::Lineup { default, .. } => format!("[SIDE=]{default}"),
        SetupKind::Side { default, .. } => {
            let default = default.and_then(|side| rules.sides.get(usize::from(side)));
            let default = default.map_or("random", |side| side.key.as_str());
            let sides = rules.sides.iter().map(|side| side.key.as_str()).filter(|key| *key != default);
            std::iter::once(default).chain(sides).collect::<Vec<_>>().join(" | ")
        }
    };
    [name, values, def.cite.clone(), def.text.clone()]
}

/// Options with these values as JSON.
pub(crate) fn options_json(rules: &Rules, values: &[i32]) -> Json {
    let option = |(def, value): (&OptionDef, &i32)| {
        let json_of = |value: i32| match &def.domain {
            OptionDomain::Range(_) => Json::from(value),
            OptionDomain::RangeOr(range, _) if (range.low..=range.high).contains(&value) => Json::from(value),
            OptionDomain::Words(_) | OptionDomain::RangeOr(..) => def.show(value).into(),
        };
        let allowed = match &def.domain {
            OptionDomain::Range(range) => json!({"from": range.low, "to": range.high}),
            OptionDomain::Words(words) => json!(words),
            OptionDomain::RangeOr(range, words) => json!({"from": range.low, "to": range.high, "or": words}),
        };
        json!({
            "name": def.name,
            "value": json_of(*value),
            "default": json_of(def.default),
            "values": allowed,
            "cite": def.cite,
            "text": def.text,
        })
    };
    rules.options.iter().zip(values).map(option).collect()
}

/// Setup parameters as JSON.
pub(crate) fn setups_json(rules: &Rules) -> Json {
    let setup = |def: &SetupDef| {
        let (kind, default) = match &def.kind {
            SetupKind::Lineup { default, .. } => ("lineup", default.as_str()),
            SetupKind::Side { default, .. } => {
                let side = default.and_then(|side| rules.sides.get(usize::from(side)));
                ("side", side.map_or("random", |side| side.key.as_str()))
            }
        };
        json!({
            "name": def.name,
            "kind": kind,
            "per_side": kind == "lineup",
            "default": default,
            "cite": def.cite,
            "text": def.text,
        })
    };
    rules.setups.iter().map(setup).collect()
}
