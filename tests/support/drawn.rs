//! Small rulesets drawn at random: games that nobody would play, made of what the language has, joined as no author would
//! join it. What two implementations make of them must be the same.

use fullcourt_engine::rng::{Rng, mix};

/// How deep expressions lie within each other.
const DEPTH: usize = 3;

/// A ruleset; the same number gives the same text.
#[must_use]
pub fn ruleset(seed: u64) -> String {
    let mut pen =
        Pen { rng: Rng::new(mix(seed)), names: 0, kinds: Vec::new(), phases: Vec::new(), text: String::new() };
    pen.space();
    pen.pieces();
    pen.memory();
    pen.opening();
    pen.actions();
    pen.rules();
    pen.loops(seed);
    pen.text
}

/// Writes a ruleset.
struct Pen {
    rng: Rng,
    /// How many names have been made up.
    names: usize,
    kinds: Vec<&'static str>,
    phases: Vec<&'static str>,
    text: String,
}

/// The squares that have a name where an expression stands.
type Scope<'a> = &'a [String];

impl Pen {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.rng.below(of.len())]
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.rng.below(100) < percent
    }

    fn number_to(&mut self, most: usize) -> usize {
        1 + self.rng.below(most)
    }

    fn kind(&mut self) -> &'static str {
        self.kinds[self.rng.below(self.kinds.len())]
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("name{}", self.names)
    }

    fn space(&mut self) {
        let (width, height) = (3 + self.rng.below(7), 4 + self.rng.below(6));
        self.line("language 1\nruleset \"Drawn\"\nside White faces north\nside Black faces south");
        let third = self.chance(20);
        if third {
            self.line("side Grey faces north");
        }
        let beyond = if self.chance(25) { format!(" and a0, b{}", height + 1) } else { String::new() };
        self.line(&format!("board {width} x {height}{beyond}"));
        let goal =
            self.one(&["rank 1", "rank 1 and file 2", "ranks 1..2 and not file 1", "a1..b2", "edge files and rank 2"]);
        let field = self.one(&[
            "ranks 2..3",
            "files 1..2 or rank 4",
            "b2..c3",
            "everywhere and not edge files",
            "a1 or b3 or c2",
        ]);
        self.line(&format!("zone goal per side = {goal}\nzone field = {field}"));
    }

    /// A path of a piece, or several.
    fn path(&mut self, depth: usize) -> String {
        let way = self.one(&["any", "straight", "diagonal", "forward", "back", "sideways", "askew", "ahead"]);
        let (a, b) = (self.rng.below(3), self.number_to(3));
        let far = self.number_to(3);
        match self.rng.below(if depth == 0 { 8 } else { 12 }) {
            0 => format!("step {way}"),
            1 => format!("slide {way}"),
            2 => format!("ray {way}"),
            3 => format!("leap {a} {b}"),
            4 => format!("slide {way} up to {far}"),
            5 => format!("slide {way} exactly {far}"),
            6 => format!("betza \"{}\"", self.one(&["WfF", "NN", "fmWfcF", "R2", "sWvF", "KN", "fsNB2", "cQ", "mRcB"])),
            7 => {
                let through = self.set(&["it".to_owned()], 1);
                format!("slide {way} through ({through})")
            }
            8 | 9 => format!("{} or {}", self.path(0), self.path(0)),
            10 => {
                let then = self.one(&["then", "then turning"]);
                format!("step {way} {then} slide any up to {far}")
            }
            _ => format!("slide {way} up to {far} then turning step straight"),
        }
    }

    fn pieces(&mut self) {
        self.line("geometry moves\ngeometry hits = moves\ntrait heavy\ntrait royal\nreserve hand");
        let names = ["Ant", "Bee", "Cat", "Dog"];
        let count = 2 + self.rng.below(3);
        self.kinds = names[..count].to_vec();
        for name in &names[..count] {
            let moves =
                if self.chance(25) { format!("near: {}, far: {}", self.path(0), self.path(1)) } else { self.path(1) };
            let hits = if self.chance(40) { format!("  hits = {}", self.path(1)) } else { String::new() };
            let heavy = if self.chance(40) { "  heavy" } else { "" };
            let royal = if *name == "Ant" { "  royal" } else { "" };
            self.line(&format!("piece {name} \"{}\" {{ moves = {moves}{hits}{heavy}{royal} }}", &name[..1]));
        }
    }

    fn memory(&mut self) {
        let wait = 5 + self.rng.below(20);
        self.line(&format!("option wait = {wait} in 2..99  §1 \"how long\"\noption wild = yes | no  §2 \"how wild\""));
        self.line("span turn of mover in game\nvar next_up: side in game\ncount turns of turn in game");
        let span = self.one(&["turn", "game"]);
        self.line(&format!("mark tired in {span}\nmark star one in game drawn \"*\"\ncounter steps up to 3 in {span}"));
        self.line("clock patience = option.wait in game\nvar loud: test in turn\nvar quota: number 0..9 = 1 in game");
        self.line("var spot: square in game\nvar area: squares in turn\nvar bonus per side: number 0..5 in game");
        self.line("var home per piece: square in game\nlatch crossed in turn when some (me and field)");
        self.line("event moved_to(who: square, n: number)\nevent gone(what: kind, of_whom: side)");
        self.line("define hit_by(s: square, by: side) = some (those a in by with s in hits of a)");
        let scope = ["who".to_owned()];
        let near = self.set(&scope, 2);
        self.line(&format!("define reachable(who: square) = {near}"));
        self.phases = if self.chance(50) { vec!["play"] } else { vec!["play", "reply"] };
        for phase in self.phases.clone() {
            let of = if phase == "play" { "next_up" } else { "opponent of next_up" };
            self.line(&format!("phase {phase} of {of} in turn"));
            self.line(&format!("otherwise action wait_{phase} in {phase} \"wait\" {{ tick patience  end turn  set next_up to opponent of next_up  go play }}"));
        }
    }

    fn opening(&mut self) {
        self.line("rule opening when game begins {");
        for side in ["White", "Black"] {
            for _ in 0..2 + self.rng.below(4) {
                let (kind, goal) =
                    (self.kind(), self.one(&["empty", "empty and field", "empty and ranks 2..3", "empty"]));
                let spot = self.fresh();
                let key = self.one(&["order", "rank_of", "file_of", "-rank_of"]);
                let key = if key == "order" { key.to_owned() } else { format!("{key}({spot}), order") };
                let name = self.fresh();
                self.line(&format!("  let {name} = the {spot} in {goal} by {key}\n  if {name} is not none {{ put {kind} of {side} on {name} }}"));
            }
            let kind = self.kind();
            self.line(&format!("  add {kind} to hand of {side}"));
        }
        self.line("  if option.wild is yes { add 1 to quota }\n  set next_up to White  go play\n}");
    }

    fn square(&mut self, scope: Scope<'_>) -> String {
        let named = scope.len();
        match self.rng.below(10) {
            0 => "star".to_owned(),
            1 => "spot".to_owned(),
            2 => self.one(&["a1", "b2", "c3", "b4"]).to_owned(),
            _ if named == 0 => "star".to_owned(),
            _ => scope[self.rng.below(named)].clone(),
        }
    }

    /// A set of squares.
    fn set(&mut self, scope: Scope<'_>, depth: usize) -> String {
        // A geometry has no side that acts and asks for no geometry.
        let inside = scope.first().is_some_and(|name| name == "it");
        if depth == 0 || self.chance(25) {
            let square = self.square(scope);
            let n = self.number_to(2);
            return match self.rng.below(if inside { 11 } else { 19 }) {
                0..=2 => "empty".to_owned(),
                3 => "occupied".to_owned(),
                4 => "field".to_owned(),
                5 => "everywhere".to_owned(),
                6 => self.kind().to_owned(),
                7 => "heavy".to_owned(),
                8 => format!("near({square}, {n})"),
                9 => "goal".to_owned(),
                10 => format!("near({}, 1)", self.kind()),
                11 => "me".to_owned(),
                12 => "them".to_owned(),
                13 => format!("{} of me", self.one(&["goal", "heavy", "royal"])),
                14 => self.one(&["tired", "area", "tired of them", "tired of me"]).to_owned(),
                15 => format!("moves of {square}"),
                16 => format!("hits of {square}"),
                17 => format!("{} straight from {square}", self.one(&["slide", "ray", "step"])),
                _ => {
                    let other = self.square(scope);
                    format!("{}({square}, {other})", self.one(&["between", "in_front"]))
                }
            };
        }
        match self.rng.below(10) {
            0..=3 => format!("({} and {})", self.set(scope, depth - 1), self.set(scope, depth - 1)),
            4 | 5 => format!("({} or {})", self.set(scope, depth - 1), self.set(scope, depth - 1)),
            6 => format!("(not {})", self.set(scope, 0)),
            7 | 8 if !inside => {
                let name = self.fresh();
                let of = self.set(scope, depth - 1);
                let mut inner = scope.to_vec();
                inner.push(name.clone());
                format!("(those {name} in {of} with {})", self.test(&inner, depth - 1))
            }
            9 if !inside => {
                let test = self.test(scope, depth - 1);
                format!("(if {test} then {} else {})", self.set(scope, depth - 1), self.set(scope, depth - 1))
            }
            _ => format!("({} and not {})", self.set(scope, depth - 1), self.set(scope, 0)),
        }
    }

    fn test(&mut self, scope: Scope<'_>, depth: usize) -> String {
        let square = self.square(scope);
        if depth > 0 && self.chance(30) {
            let join = self.one(&["and", "or"]);
            return format!("({} {join} {})", self.test(scope, depth - 1), self.test(scope, depth - 1));
        }
        let below = depth.saturating_sub(1);
        match self.rng.below(16) {
            0 | 1 => format!("{square} in {}", self.set(scope, below)),
            2 => format!("some {}", self.set(scope, below)),
            3 => format!("no {}", self.set(scope, below)),
            4 | 5 => {
                let compare = self.one(&["<", "<=", "=", "!=", ">", ">="]);
                format!("{} {compare} {}", self.number(scope, below), self.number(scope, below))
            }
            6 => format!("{square} is {}", self.kind()),
            7 => format!("owner of {square} = me"),
            8 => "loud".to_owned(),
            9 => format!("not ({})", self.test(scope, below)),
            10 => format!("{} in hand of {}", self.kind(), self.one(&["me", "them"])),
            11 => "star is none".to_owned(),
            12 => "option.wild is yes".to_owned(),
            13 => format!("hit_by({square}, {})", self.one(&["me", "them", "White"])),
            14 => "crossed".to_owned(),
            _ => format!("kind of {square} in kinds with heavy"),
        }
    }

    fn number(&mut self, scope: Scope<'_>, depth: usize) -> String {
        let square = self.square(scope);
        if depth > 0 && self.chance(25) {
            let join = self.one(&["+", "-", "*", "/"]);
            return format!("({} {join} {})", self.number(scope, depth - 1), self.number(scope, depth - 1));
        }
        match self.rng.below(12) {
            0..=2 => self.rng.below(5).to_string(),
            3 => format!("count {}", self.set(scope, depth.saturating_sub(1))),
            4 => format!("score of {}", self.one(&["me", "them"])),
            5 => format!("steps of {square}"),
            6 => format!("{}({square})", self.one(&["rank_of", "file_of"])),
            7 => format!("distance({square}, {})", self.square(scope)),
            8 => "quota".to_owned(),
            9 => self.one(&["patience", "turns", "width"]).to_owned(),
            10 => format!("bonus of {}", self.one(&["me", "them"])),
            _ if depth > 0 => {
                let test = self.test(scope, depth - 1);
                format!("(if {test} then {} else {})", self.number(scope, depth - 1), self.number(scope, depth - 1))
            }
            _ => "3".to_owned(),
        }
    }

    /// Effects that always can be carried out.
    fn effect(&mut self, scope: Scope<'_>, depth: usize) -> String {
        let square = self.square(scope);
        match self.rng.below(if depth == 0 { 13 } else { 18 }) {
            0 => format!("mark {} as tired", self.set(scope, 1)),
            1 => format!("unmark {} as tired", self.set(scope, 1)),
            2 => format!("if some ({square} and occupied) {{ set star to {square} }}"),
            3 => format!("set spot to {square}"),
            4 => format!("set area to {}", self.set(scope, 2)),
            5 => format!(
                "add {} to {}",
                self.number_to(3),
                self.one(&["quota", "score of me", "bonus of me", "bonus of them"])
            ),
            6 => format!("take 1 from {}", self.one(&["quota", "score of them", "bonus of them"])),
            7 => format!("if some ({square} and occupied) {{ add 1 to steps of {square} }}"),
            8 => format!("set loud to {}", self.test(scope, 1)),
            9 => format!("set quota to {}", self.number(scope, 2)),
            10 => "tick patience".to_owned(),
            11 => {
                let n = self.number(scope, 1);
                format!("if some ({square} and occupied) {{ report moved_to({square}, {n}) }}")
            }
            12 => format!("if some ({square} and occupied) {{ set home of {square} to {} }}", self.square(scope)),
            13 => {
                let name = self.fresh();
                let of = self.set(scope, 1);
                let mut inner = scope.to_vec();
                inner.push(name.clone());
                format!("for {name} in {of} {{ {} }}", self.effect(&inner, depth - 1))
            }
            14 | 15 => {
                let test = self.test(scope, depth);
                format!(
                    "if {test} {{ {} }} else {{ {} }}",
                    self.effect(scope, depth - 1),
                    self.effect(scope, depth - 1)
                )
            }
            16 => {
                let name = self.fresh();
                format!(
                    "for {name} in {} and occupied and not royal {{ report gone(kind of {name}, owner of {name})  remove {name} }}",
                    self.set(scope, 0)
                )
            }
            _ => {
                let (name, spot) = (self.fresh(), self.fresh());
                let kind = self.kind();
                let set = self.set(scope, 1);
                format!(
                    "let {name} = the {spot} in empty and {set} by {}, order  if {name} is not none {{ put {kind} of me on {name} }}",
                    self.number(std::slice::from_ref(&spot), 1)
                )
            }
        }
    }

    /// Loops that do one thing for each place, branches by name, tests that choose between tests. By numbers of their own, so that all else
    /// stays as it was drawn before there were any.
    fn loops(&mut self, seed: u64) {
        self.rng = Rng::new(mix(seed ^ 0x100b));
        if self.chance(50) {
            let (a, b) = (self.set(&[], 1), self.set(&[], 1));
            let verb = self.one(&["mark", "unmark"]);
            let change = match self.rng.below(4) {
                0 => "take 2 from quota".to_owned(),
                1 => format!("add {} to score of White", self.number_to(3)),
                2 => "add option.wait to bonus of Black".to_owned(),
                _ => format!("add {} to quota", self.number_to(3)),
            };
            let when = self.one(&["turn begins", "turn ends"]);
            self.line(&format!(
                "rule sweeping when {when} {{ for here in {a} {{ {verb} here as tired }} for there in {b} {{ {change} }} }}"
            ));
        }
        // What a branch with a name gives, by all pieces.
        if self.text.contains("far: ") {
            let label = self.one(&["far", "near"]);
            self.line(&format!(
                "rule branching when turn begins {{ set area to (those z in everywhere with some (those y in occupied with z in moves.{label} of y)) }}"
            ));
        }
        // When the game ends, the turn has ended before.
        let (left, who) = (self.one(&["tired", "area", "tired of White"]), self.one(&["White", "Black"]));
        self.line(&format!("rule closing when game ends {{ add count ({left}) to score of {who} }}"));
        if self.chance(50) {
            let (test, a, b) = (self.test(&[], 1), self.test(&[], 1), self.test(&[], 1));
            self.line(&format!(
                "rule choosing when turn ends if (if {test} then {a} else {b}) {{ add 1 to score of Black }}"
            ));
        }
    }

    /// What comes next after an action.
    fn passing_on(&mut self) -> String {
        let other = self.phases[self.rng.below(self.phases.len())];
        match self.rng.below(5) {
            0 => String::new(),
            1 => format!("go {other}"),
            _ => format!("end turn  set next_up to opponent of next_up  go {other}"),
        }
    }

    fn actions(&mut self) {
        let count = 2 + self.rng.below(4);
        for index in 0..count {
            let phase = if index < self.phases.len() {
                self.phases[index]
            } else {
                self.phases[self.rng.below(self.phases.len())]
            };
            let (name, scope) = (format!("act{index}"), ["who".to_owned(), "to".to_owned()]);
            let movers = match self.rng.below(4) {
                0 => "me".to_owned(),
                1 => "me and not tired".to_owned(),
                2 => format!("me and ({})", self.set(&[], 1)),
                _ => format!("me and {}", self.kind()),
            };
            let who = ["who".to_owned()];
            let body = match if index == 0 { 0 } else { self.rng.below(6) } {
                0..=2 => {
                    let aims = match self.rng.below(5) {
                        0 => "moves of who and empty".to_owned(),
                        1 => "(moves of who and empty) or (hits of who and them)".to_owned(),
                        2 => "moves of who and not me".to_owned(),
                        3 => format!("moves of who and empty and {}", self.set(&who, DEPTH)),
                        _ => "reachable(who) and empty and near(who, 2)".to_owned(),
                    };
                    let need =
                        if self.chance(40) { format!("  need {}\n", self.test(&scope, DEPTH)) } else { String::new() };
                    let before = if self.chance(20) { format!("  {}\n", self.effect(&who, 0)) } else { String::new() };
                    format!(
                        "  choose who in {movers}\n{before}  choose to in {aims}\n{need}  for v in to and occupied {{ report gone(kind of v, owner of v)  remove v }}\n  move who to to"
                    )
                }
                3 => {
                    let aims = self.set(&[], 2);
                    format!(
                        "  choose k in hand of me\n  choose to in empty and {aims}\n  take k from hand of me\n  put k of me on to"
                    )
                }
                4 => {
                    let other = self.set(&who, 2);
                    format!(
                        "  choose who in {movers}\n  choose to in occupied and not who and {other}\n  move each m in who or to to if m = who then to else who"
                    )
                }
                _ => {
                    let need = self.test(&who, DEPTH);
                    format!(
                        "  choose who in {movers}\n  choose to in kinds with heavy\n  need {need}\n  remove who  put (to) of me on who"
                    )
                }
            };
            let scope: Vec<String> = if body.contains("choose k in") {
                vec!["to".to_owned()]
            } else if body.contains("kinds with") {
                vec!["who".to_owned()]
            } else {
                scope.to_vec()
            };
            let first = self.effect(&scope, 2);
            let second = if self.chance(50) { self.effect(&scope, 1) } else { String::new() };
            let next = if index == 0 {
                let last = self.phases[self.phases.len() - 1];
                format!("report moved_to(to, 1)  end turn  set next_up to opponent of next_up  go {last}")
            } else {
                self.passing_on()
            };
            let shown = if body.contains("choose k in") { "{k}" } else { "{who}" };
            self.line(&format!(
                "action {name} in {phase} \"{name} {shown} {{to}}\" {{\n{body}\n  {first}\n  {second}\n  {next}\n}}"
            ));
        }
    }

    fn rules(&mut self) {
        let (cap, who) = (10 + self.rng.below(30), ["who".to_owned()]);
        self.line(&format!("rule cap when turns counted if turns >= {cap} {{ draw }}"));
        self.line("rule tired_out after cap when patience runs out { win them }");
        if self.chance(60) {
            let effect = self.effect(&who, 1);
            let test = self.test(&who, 2);
            self.line(&format!(
                "rule reacts when moved_to(who) if {test} {{ if steps of who < 3 {{ add 1 to steps of who }} }}"
            ));
            if !effect.contains("report") {
                self.line(&format!("rule again after reacts when moved_to(who) {{ {effect} }}"));
            }
        }
        if self.chance(50) {
            self.line("rule loss when gone(what, of_whom) { add 1 to score of me }");
        }
        if self.chance(50) {
            let set = self.set(&[], 2);
            self.line(&format!(
                "rule arrived after cap, tired_out when at once if some (me and goal of them and {set}) {{ win me }}"
            ));
        }
        if self.chance(40) {
            let effect = self.effect(&[], 1);
            if !effect.contains("report") && !effect.contains("tick") {
                self.line(&format!("rule ending when turn ends {{ {effect} }}"));
            }
        }
        if self.chance(50) {
            let test = match self.rng.below(4) {
                0 | 1 => "no (those k in me and royal with hit_by(k, opponent of me))".to_owned(),
                2 => "no (goal of me and me and heavy)".to_owned(),
                _ => self.test(&[], 2),
            };
            self.line(&format!("law fine in play = {test}  \"so it is\""));
        }
        if self.chance(30) {
            self.line("history seen of play = men, next_up, hand\nrule back after cap, tired_out when play opens if seen >= 2 { draw }");
        }
    }
}
