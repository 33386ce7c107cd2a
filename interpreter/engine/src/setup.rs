//! How a game is set up: parameters of the ruleset with their values, chance resolved.

use crate::game::Game;
use crate::ir::{LineupPart, Rules, SetupKind};
use crate::position::Position;
use crate::rng::Rng;
use crate::tally::lineup_kinds;

/// Values of setup parameters, as text; what is missing has its default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// `(parameter, side or "", value)`.
    pub values: Vec<(String, String, String)>,
    /// The seed of all chance.
    pub seed: u64,
}

impl<const N: usize> Game<N> {
    /// Fills in setup parameters that are sides.
    pub(crate) fn put_sides(&self, pos: &mut Position<N>, setup: &[(String, String, String)]) {
        for (name, _, value) in setup {
            let def = self.rules.setups.iter().find(|def| def.name == *name);
            if let Some(SetupKind::Side { slot, .. }) = def.map(|def| &def.kind) {
                let side = self.rules.side_by_name(value).and_then(|side| i32::try_from(side).ok());
                pos.set_slot(*slot, side.unwrap_or(-1));
            }
        }
    }

    /// Fills in setup parameters that are line-ups.
    pub(crate) fn put_lineups(&self, pos: &mut Position<N>, setup: &[(String, String, String)]) {
        for (name, side, value) in setup {
            let def = self.rules.setups.iter().find(|def| def.name == *name);
            let Some(SetupKind::Lineup { parts, .. }) = def.map(|def| &def.kind) else { continue };
            let side = self.rules.side_by_name(side).unwrap_or(0);
            for (kind, part) in lineup_kinds(&self.rules, parts, value).unwrap_or_default() {
                if let LineupPart::Pieces(_, reserve) = parts[part] {
                    let slot = self.reserve_slot(reserve.ix(), side, kind);
                    pos.set_slot(slot, pos.slot(slot) + 1);
                }
            }
        }
    }
}

/// All setup parameters with their values, checked; chance is drawn here.
pub(crate) fn resolve(rules: &Rules, setup: &Setup) -> Result<Vec<(String, String, String)>, String> {
    let mut rng = Rng::new(setup.seed);
    for (name, side, _) in &setup.values {
        let Some(def) = rules.setups.iter().find(|def| def.name == *name) else {
            let names: Vec<_> = rules.setups.iter().map(|def| def.name.as_str()).collect();
            return Err(format!("`{name}` is no setup parameter; there are: {}", names.join(", ")));
        };
        if matches!(def.kind, SetupKind::Lineup { .. }) && rules.side_by_name(side).is_none() {
            let sides: Vec<_> = rules.sides.iter().map(|side| side.key.as_str()).collect();
            return Err(format!("`{side}` is no side; `{name}` is set for one of {}", sides.join(", ")));
        }
    }
    let given = |name: &str, side: Option<&str>| {
        let same_side = |s: &str| side.is_none_or(|side| s.to_lowercase() == side);
        setup.values.iter().rev().find(|(n, s, _)| n == name && same_side(s)).map(|(_, _, value)| value.clone())
    };
    let mut out = Vec::new();
    for def in &rules.setups {
        match &def.kind {
            SetupKind::Lineup { default, parts } => {
                for side in &rules.sides {
                    let text = given(&def.name, Some(&side.key)).unwrap_or_else(|| default.clone());
                    lineup_kinds(rules, parts, &text)
                        .map_err(|wrong| format!("`{}` of {}: {wrong}", def.name, side.key))?;
                    out.push((def.name.clone(), side.key.clone(), text));
                }
            }
            SetupKind::Side { default, .. } => {
                let side = match given(&def.name, None).filter(|text| text != "random") {
                    Some(text) => rules.side_by_name(&text).ok_or_else(|| {
                        let sides: Vec<_> = rules.sides.iter().map(|side| side.key.as_str()).collect();
                        format!("`{}` must be one of {}, not `{text}`", def.name, sides.join(", "))
                    })?,
                    None => default.map_or_else(|| rng.below(rules.sides.len()), usize::from),
                };
                out.push((def.name.clone(), String::new(), rules.sides[side].key.clone()));
            }
        }
    }
    Ok(out)
}
