//! A position as JSON: what a program may read, and all that restores it exactly.

use serde_json::{Map, Value as Json, json};

use crate::game::Game;
use crate::ir::{Fixed, InvariantDef, Plane, Slot, SlotTy, SpanId, Ty};
use crate::position::Position;
use crate::walk::eval::{Cx, Value};

impl<const N: usize> Game<N> {
    /// The state of a position.
    #[must_use]
    pub fn state(&self, pos: &Position<N>) -> Json {
        let rules = &self.rules;
        let over = self.is_over(pos);
        let mut state = Map::new();
        let scores = (0..rules.sides.len()).map(|side| pos.slot(rules.score.plus(side)));
        state.insert("score".into(), scores.collect());
        state.insert("to_act".into(), self.side_json(pos.slot(Fixed::TO_ACT)));
        let phase = self.phase(pos).map_or("over", |phase| rules.phases[phase].name.as_str());
        state.insert("phase".into(), phase.into());
        state.insert("over".into(), over.into());
        state.insert("winner".into(), if over { self.side_json(pos.slot(Fixed::WINNER)) } else { Json::Null });
        state.insert("result".into(), self.result(pos));
        for show in &rules.shows {
            let mut cx = Cx::new(&show.name);
            cx.enter(show.locals);
            cx.me = pos.slot(Fixed::TO_ACT);
            let shown = show.guard.is_none_or(|guard| self.test(pos, &mut cx, guard));
            let value = if shown { self.eval(pos, &mut cx, show.value) } else { Value::Int(-1) };
            let value = if shown && !cx.failed() { self.value_json(show.ty, value) } else { Json::Null };
            state.insert(show.name.clone(), value);
        }
        state.insert("pieces".into(), self.pieces(pos));
        state.insert("spans".into(), self.spans(pos));
        state.insert("vars".into(), self.vars(pos));
        state.insert("reserves".into(), self.reserves(pos));
        Json::Object(state)
    }

    /// The result: null, or who won and by which rule.
    #[must_use]
    pub fn result(&self, pos: &Position<N>) -> Json {
        if !self.is_over(pos) {
            return Json::Null;
        }
        let (rule, cite, text) = self.decider(pos.slot(Fixed::DECIDER));
        json!({"winner": self.side_json(pos.slot(Fixed::WINNER)), "rule": rule, "cite": cite, "text": text})
    }

    /// Name, paragraph and words of what decided a game.
    fn decider(&self, number: i32) -> (String, String, String) {
        let rules = &self.rules;
        let number = usize::try_from(number).unwrap_or(usize::MAX);
        if let Some(rule) = rules.rules.get(number) {
            return (rule.name.clone(), rule.cite.clone(), rule.text.clone());
        }
        let number = number.wrapping_sub(rules.rules.len());
        if let Some(action) = rules.actions.get(number) {
            return (action.name.clone(), action.cite.clone(), action.text.clone());
        }
        (String::new(), String::new(), String::new())
    }

    /// The number of the rule or action of that name, as a result keeps it.
    fn decider_named(&self, name: &str, cite: &Json) -> Option<i32> {
        let rules = self.rules.rules.iter().map(|rule| (&rule.name, &rule.cite));
        let actions = self.rules.actions.iter().map(|action| (&action.name, &action.cite));
        // A rule and an action may share a name; the paragraph tells them apart.
        let mut all = rules.chain(actions);
        let fits = |(known, known_cite): (&String, &String)| known == name && *cite == known_cite.as_str();
        i32::try_from(all.position(fits)?).ok()
    }

    fn side_json(&self, side: i32) -> Json {
        let side = usize::try_from(side).ok().and_then(|side| self.rules.sides.get(side));
        side.map_or(Json::Null, |side| side.key.clone().into())
    }

    fn value_json(&self, ty: Ty, value: Value<N>) -> Json {
        match value {
            Value::Int(value) if ty == Ty::Number => value.into(),
            Value::Int(value) if ty == Ty::Test => (value == 1).into(),
            Value::Int(value) if value < 0 => Json::Null,
            Value::Int(value) => self.aim_text(ty, value).into(),
            Value::Set(set) => set.iter().map(|place| self.rules.board.name(place)).collect(),
            Value::Kinds(kinds) => {
                let kinds_in = self.rules.kinds.iter().enumerate().filter(|(k, _)| kinds >> k & 1 == 1);
                kinds_in.map(|(_, kind)| kind.letter.clone()).collect()
            }
        }
    }

    fn pieces(&self, pos: &Position<N>) -> Json {
        let rules = &self.rules;
        let piece = |place: usize| {
            let at = i32::try_from(place).unwrap_or(-1);
            let mut piece = Map::new();
            piece.insert("square".into(), rules.board.name(place).into());
            piece.insert(
                "side".into(),
                self.owner_at(pos, at).map_or(Json::Null, |s| rules.sides[s].key.clone().into()),
            );
            piece.insert(
                "kind".into(),
                self.kind_at(pos, at).map_or(Json::Null, |k| rules.kinds[k].name.clone().into()),
            );
            let marks = self.marks().filter(|(plane, _)| pos.plane(*plane).has(place)).map(|(_, name)| name);
            piece.insert("marks".into(), marks.collect());
            let counters = rules.counters.iter().enumerate().map(|(c, def)| (def, self.counter(pos, c, place)));
            let shown = |square: bool, value: i32| -> Json {
                if square { self.aim_text(Ty::Square, value - 1).into() } else { value.into() }
            };
            let counters: Map<String, Json> = counters
                .filter(|(_, value)| *value != 0)
                .map(|(def, value)| (def.name.clone(), shown(def.square, value)))
                .collect();
            piece.insert("counters".into(), counters.into());
            Json::Object(piece)
        };
        self.occupied(pos).iter().map(piece).collect()
    }

    /// Planes that are marks of pieces, by name.
    fn marks(&self) -> impl Iterator<Item = (Plane, &str)> {
        let counters = &self.rules.counters;
        (0u32..).zip(&self.rules.planes).filter_map(move |(index, def)| {
            let plane = Plane(index);
            let counter = counters.iter().any(|c| (c.first.0..c.first.0 + c.bits).contains(&index));
            (def.travels && def.span.is_some() && !counter).then_some((plane, def.name.as_str()))
        })
    }

    fn spans(&self, pos: &Position<N>) -> Json {
        let open = self.rules.spans.iter().filter(|def| pos.slot(def.open) == 1);
        let open = open.map(|def| {
            let owner = if def.owned { self.side_json(pos.slot(def.owner)) } else { true.into() };
            (def.name.clone(), owner)
        });
        Json::Object(open.collect())
    }

    fn vars(&self, pos: &Position<N>) -> Json {
        let rules = &self.rules;
        let mut vars = Map::new();
        for (index, def) in (0u32..).zip(&rules.slots) {
            if def.name.is_empty() || index >= rules.score.0 && index < rules.score.0 + rules.sides.len() as u32 {
                continue;
            }
            let value = self.value_json(slot_ty(def.ty), Value::Int(pos.slot(Slot(index))));
            match def.side.and_then(|side| rules.sides.get(usize::from(side))) {
                None => {
                    vars.insert(def.name.clone(), value);
                }
                Some(side) => {
                    let entry = vars.entry(def.name.clone()).or_insert_with(|| Json::Object(Map::new()));
                    if let Json::Object(sides) = entry {
                        sides.insert(side.key.clone(), value);
                    }
                }
            }
        }
        for (index, def) in (0u32..).zip(&rules.planes) {
            if !def.travels && def.span.is_some() {
                vars.insert(def.name.clone(), self.value_json(Ty::Squares, Value::Set(pos.plane(Plane(index)))));
            }
        }
        Json::Object(vars)
    }

    fn reserves(&self, pos: &Position<N>) -> Json {
        let rules = &self.rules;
        let letters = |reserve: usize, side: usize| -> String {
            let kinds = rules.kinds.iter().enumerate();
            let count = |kind| usize::try_from(pos.slot(self.reserve_slot(reserve, side, kind))).unwrap_or(0);
            kinds.map(|(kind, def)| def.letter.repeat(count(kind))).collect()
        };
        let reserves = rules.reserves.iter().enumerate().map(|(reserve, def)| {
            let sides = rules.sides.iter().enumerate();
            let sides = sides.map(|(side, s)| (s.key.clone(), letters(reserve, side).into()));
            (def.name.clone(), Json::Object(sides.collect()))
        });
        Json::Object(reserves.collect())
    }
}

/// The type of what a slot holds.
#[must_use]
pub fn slot_ty(ty: SlotTy) -> Ty {
    match ty {
        SlotTy::Number(_) => Ty::Number,
        SlotTy::Test => Ty::Test,
        SlotTy::Side => Ty::Side,
        SlotTy::Kind => Ty::Kind,
        SlotTy::Square | SlotTy::Piece => Ty::Square,
    }
}

type Read<T> = Result<T, String>;

fn field<'j>(object: &'j Json, name: &str) -> Read<&'j Json> {
    object.get(name).ok_or_else(|| format!("the state has no `{name}`"))
}

fn object<'j>(json: &'j Json, what: &str) -> Read<&'j Map<String, Json>> {
    json.as_object().ok_or_else(|| format!("`{what}` must be an object"))
}

impl<const N: usize> Game<N> {
    /// The position of a state.
    ///
    /// # Errors
    /// One sentence about the first thing that is missing, unknown, out of its range, or forbidden by an invariant.
    pub fn read_state(&self, state: &Json) -> Read<Position<N>> {
        let rules = &self.rules;
        let given = object(state, "state")?;
        let mut pos = self.blank();
        self.read_pieces(&mut pos, field(state, "pieces")?)?;
        let scores = field(state, "score")?.as_array().filter(|s| s.len() == rules.sides.len());
        let scores = scores.ok_or_else(|| format!("`score` must be a list of {} numbers", rules.sides.len()))?;
        for (side, score) in scores.iter().enumerate() {
            let slot = rules.score.plus(side);
            pos.set_slot(slot, self.read_slot(slot, score, "score")?);
        }
        self.read_vars(&mut pos, field(state, "vars")?)?;
        self.read_reserves(&mut pos, field(state, "reserves")?)?;
        self.read_spans(&mut pos, field(state, "spans")?)?;
        self.read_progress(&mut pos, state)?;
        self.check_invariants(&pos)?;
        // What follows from the rest must not say otherwise, and nothing unknown is passed over in silence.
        let Json::Object(made) = self.state(&pos) else { return Ok(pos) };
        for (name, value) in given {
            match made.get(name) {
                None => return Err(format!("`{name}` is no part of a state of this ruleset")),
                Some(_) if name == "pieces" => {}
                // What is only shown is worked out anew: whoever edits a state need not keep it up.
                Some(_) if self.rules.shows.iter().any(|show| show.name == *name) => {}
                Some(made) if made == value => {}
                Some(made) => {
                    let shown = |json: &Json| json.to_string().chars().take(200).collect::<String>();
                    return Err(format!("`{name}` is {}, but from the rest follows {}", shown(value), shown(made)));
                }
            }
        }
        Ok(pos)
    }

    fn read_pieces(&self, pos: &mut Position<N>, json: &Json) -> Read<()> {
        let rules = &self.rules;
        for piece in json.as_array().ok_or("`pieces` must be a list")? {
            let text =
                |name: &str| field(piece, name)?.as_str().ok_or_else(|| format!("`{name}` of a piece must be text"));
            let square = text("square")?;
            let place = rules.board.parse(square).ok_or_else(|| format!("`{square}` is no square of the board"))?;
            let side = text("side")?;
            let side = rules.side_by_name(side).ok_or_else(|| format!("`{side}` is no side"))?;
            let name = text("kind")?;
            let kind = rules.kinds.iter().position(|kind| kind.name == name);
            let kind = kind.ok_or_else(|| format!("`{name}` is no kind of piece"))?;
            if self.occupied(pos).has(place) {
                return Err(format!("two pieces stand on {square}"));
            }
            pos.set_bit(rules.side_plane(side), place, true);
            pos.set_bit(rules.kind_plane(kind), place, true);
            const FIELDS: [&str; 5] = ["square", "side", "kind", "marks", "counters"];
            if let Some(odd) = object(piece, "piece")?.keys().find(|key| !FIELDS.contains(&key.as_str())) {
                return Err(format!("`{odd}` is no part of a piece"));
            }
            let marks = field(piece, "marks")?.as_array().ok_or("`marks` of a piece must be a list")?;
            for mark in marks {
                let name = mark.as_str().unwrap_or_default();
                let plane = self.marks().find(|(_, known)| *known == name);
                let (plane, _) = plane.ok_or_else(|| format!("{mark} is no mark"))?;
                pos.set_bit(plane, place, true);
            }
            for (name, value) in object(field(piece, "counters")?, "counters")? {
                let counter = rules.counters.iter().position(|def| def.name == *name);
                let counter = counter.ok_or_else(|| format!("`{name}` is no counter"))?;
                let def = &rules.counters[counter];
                let value = if def.square {
                    let place = value.as_str().and_then(|name| rules.board.parse(name));
                    let place = place.and_then(|place| i32::try_from(place).ok());
                    place.ok_or_else(|| format!("`{name}` must be a square"))? + 1
                } else {
                    let value = value.as_i64().and_then(|v| i32::try_from(v).ok());
                    let value = value.filter(|v| (0..=def.max).contains(v));
                    value.ok_or_else(|| format!("`{name}` must be a number from 0 to {}", def.max))?
                };
                self.set_counter(pos, counter, place, value);
            }
        }
        Ok(())
    }

    fn read_slot(&self, slot: Slot, json: &Json, name: &str) -> Read<i32> {
        let rules = &self.rules;
        let wrong = |what: &str| format!("`{name}` must be {what}, not {json}");
        let index = |index: usize| i32::try_from(index).unwrap_or(-1);
        let ty = rules.slots[slot.ix()].ty;
        if json.is_null() && !matches!(ty, SlotTy::Number(_) | SlotTy::Test) {
            return Ok(-1);
        }
        match ty {
            SlotTy::Number(range) => {
                let value = json.as_i64().and_then(|value| i32::try_from(value).ok());
                let value = value.filter(|value| (range.low..=range.high).contains(value));
                value.ok_or_else(|| wrong(&format!("a number from {} to {}", range.low, range.high)))
            }
            SlotTy::Test => json.as_bool().map(i32::from).ok_or_else(|| wrong("true or false")),
            SlotTy::Side => json
                .as_str()
                .and_then(|name| rules.side_by_name(name))
                .map(index)
                .ok_or_else(|| wrong("a side or null")),
            SlotTy::Kind => {
                let kind = json.as_str().and_then(|letter| rules.kind_by_letter(letter));
                kind.map(index).ok_or_else(|| wrong("the letter of a kind or null"))
            }
            SlotTy::Square | SlotTy::Piece => {
                let place = json.as_str().and_then(|name| rules.board.parse(name));
                place.map(index).ok_or_else(|| wrong("a square or null"))
            }
        }
    }

    fn read_vars(&self, pos: &mut Position<N>, json: &Json) -> Read<()> {
        let rules = &self.rules;
        let vars = object(json, "vars")?;
        for (index, def) in (0u32..).zip(&rules.slots) {
            let is_score = index >= rules.score.0 && index < rules.score.0 + rules.sides.len() as u32;
            if def.name.is_empty() || is_score {
                continue;
            }
            let mut value = vars.get(&def.name).ok_or_else(|| format!("`vars` has no `{}`", def.name))?;
            if let Some(side) = def.side.and_then(|side| rules.sides.get(usize::from(side))) {
                value = field(value, &side.key).map_err(|_| format!("`{}` has no value for {}", def.name, side.key))?;
            }
            let value = self.read_slot(Slot(index), value, &def.name)?;
            if def.ty == SlotTy::Piece && value >= 0 && self.owner_at(pos, value).is_none() {
                return Err(format!("`{}` must be the square of a piece", def.name));
            }
            pos.set_slot(Slot(index), value);
        }
        for (index, def) in (0u32..).zip(&rules.planes) {
            if def.travels || def.span.is_none() {
                continue;
            }
            let value = vars.get(&def.name).and_then(Json::as_array);
            for name in value.ok_or_else(|| format!("`{}` must be a list of squares", def.name))? {
                let place = name.as_str().and_then(|name| rules.board.parse(name));
                pos.set_bit(Plane(index), place.ok_or_else(|| format!("{name} is no square of the board"))?, true);
            }
        }
        let known = |name: &str| {
            rules.slots.iter().any(|def| def.name == name)
                || rules.planes.iter().any(|def| !def.travels && def.name == name)
        };
        match vars.keys().find(|name| !known(name)) {
            Some(name) => Err(format!("`{name}` is no variable of this ruleset")),
            None => Ok(()),
        }
    }

    fn read_reserves(&self, pos: &mut Position<N>, json: &Json) -> Read<()> {
        let rules = &self.rules;
        for (reserve, def) in rules.reserves.iter().enumerate() {
            for (side, side_def) in rules.sides.iter().enumerate() {
                let text = json.get(&def.name).and_then(|sides| sides.get(&side_def.key)).and_then(Json::as_str);
                let mut text = text.ok_or_else(|| format!("`reserves` lacks `{}` of {}", def.name, side_def.key))?;
                if text.len() > 4096 {
                    return Err(format!("the reserve `{}` is too large", def.name));
                }
                while !text.is_empty() {
                    let kind = rules.kinds.iter().position(|kind| text.starts_with(&kind.letter));
                    let kind = kind.ok_or_else(|| format!("`{text}` begins with no piece's letter"))?;
                    let slot = self.reserve_slot(reserve, side, kind);
                    pos.set_slot(slot, pos.slot(slot) + 1);
                    text = &text[rules.kinds[kind].letter.len()..];
                }
            }
        }
        Ok(())
    }

    fn read_spans(&self, pos: &mut Position<N>, json: &Json) -> Read<()> {
        let rules = &self.rules;
        let spans = object(json, "spans")?;
        for (name, owner) in spans {
            let def = rules.spans.iter().find(|def| def.name == *name).ok_or_else(|| format!("`{name}` is no span"))?;
            pos.set_slot(def.open, 1);
            if !def.owned && *owner != Json::Bool(true) {
                return Err(format!("the span `{name}` belongs to no side: it is open (`true`) or not there"));
            }
            if def.owned {
                let side = owner.as_str().and_then(|name| rules.side_by_name(name));
                let side = side.and_then(|side| i32::try_from(side).ok());
                pos.set_slot(def.owner, side.ok_or_else(|| format!("the span `{name}` must belong to a side"))?);
            }
        }
        for def in &rules.spans {
            let parent = def.parent.and_then(|SpanId(p)| rules.spans.get(p as usize));
            if let Some(parent) = parent.filter(|parent| pos.slot(def.open) == 1 && pos.slot(parent.open) == 0) {
                return Err(format!("the span `{}` is open outside of `{}`", def.name, parent.name));
            }
        }
        Ok(())
    }

    fn read_progress(&self, pos: &mut Position<N>, state: &Json) -> Read<()> {
        let rules = &self.rules;
        let name = field(state, "phase")?.as_str().ok_or("`phase` must be text")?;
        if name == "over" {
            let result = field(state, "result")?;
            let cite = field(result, "cite")?;
            let rule = field(result, "rule")?.as_str().and_then(|rule| self.decider_named(rule, cite));
            let winner = field(result, "winner")?;
            let side = winner.as_str().and_then(|name| rules.side_by_name(name)).and_then(|s| i32::try_from(s).ok());
            if side.is_none() && !winner.is_null() {
                return Err(format!("{winner} is no side"));
            }
            pos.set_slot(Fixed::DECIDED, 1);
            pos.set_slot(Fixed::WINNER, side.unwrap_or(-1));
            pos.set_slot(Fixed::DECIDER, rule.ok_or("`result` names no rule of this ruleset")?);
            return Ok(());
        }
        let phase = rules.phases.iter().position(|phase| phase.name == name);
        let phase = phase.ok_or_else(|| format!("`{name}` is no phase"))?;
        let def = &rules.phases[phase];
        if let Some(span) = def.span.map(|span| &rules.spans[span.ix()]).filter(|span| pos.slot(span.open) == 0) {
            return Err(format!("the phase `{name}` needs the span `{}`, which is not open", span.name));
        }
        if pos.slot(rules.spans[0].open) == 0 {
            return Err("the game is neither open nor over".to_owned());
        }
        pos.set_slot(Fixed::PHASE, i32::try_from(phase).unwrap_or(-1));
        let mut cx = Cx::new(&def.name);
        cx.enter(rules.shared_locals);
        let side = self.int(pos, &mut cx, def.side);
        if usize::try_from(side).is_err() {
            return Err(format!("nobody acts in the phase `{name}`"));
        }
        pos.set_slot(Fixed::TO_ACT, side);
        match state.get("to_act") {
            Some(given) if *given != self.side_json(side) => {
                Err(format!("`to_act` is {given}, but in the phase `{name}` {} acts", self.side_json(side)))
            }
            _ => Ok(()),
        }
    }

    /// Tests the ruleset's invariants.
    ///
    /// # Errors
    /// The first that does not hold.
    pub fn check_invariants(&self, pos: &Position<N>) -> Read<()> {
        for invariant in &self.rules.invariants {
            let mut cx = Cx::new(&invariant.name);
            cx.enter(invariant.locals);
            cx.me = pos.slot(Fixed::TO_ACT);
            let holds = self.test(pos, &mut cx, invariant.test);
            cx.done().map_err(|fault| fault.text)?;
            if !holds {
                let InvariantDef { name, cite, text, .. } = invariant;
                let why = if text.is_empty() { String::new() } else { format!(": {text}") };
                return Err(format!("the position breaks `{name}`{why} {cite}").trim_end().to_owned());
            }
        }
        Ok(())
    }
}
