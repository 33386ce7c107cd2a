//! Positions of Pickup Chess, said in a line.

use fullcourt_engine::session::Session;
use serde_json::{Map, Value as Json, json};

/// A state in the making.
#[derive(Clone, Debug)]
pub struct Scene {
    state: Json,
}

impl Scene {
    /// A possession of `side` in its offense turn. Pieces are written `Kd4 Re5 | kd7 pe6`: White's in capitals. After the
    /// square `*` has the ball, `!` owes an exit, `.` is without energy, `'` has moved this turn, `+` is the sixth man,
    /// `^` has burst.
    ///
    /// # Panics
    /// When a piece is not written so.
    #[must_use]
    #[allow(clippy::panic)]
    pub fn offense(play: &dyn Session, side: &str, pieces: &str) -> Scene {
        let mut state = play.state();
        let mut list = Vec::new();
        let mut ball = Json::Null;
        for word in pieces.split([' ', '|']).filter(|word| !word.is_empty()) {
            let letter = &word[..1];
            let kind = play.rules().kinds.iter().find(|kind| kind.letter.eq_ignore_ascii_case(letter));
            let Some(kind) = kind else { panic!("no kind has the letter {letter}") };
            let side = if letter == kind.letter { "white" } else { "black" };
            let end = word.find(|c: char| "*!.'+^".contains(c)).unwrap_or(word.len());
            let (square, signs) = (&word[1..end], &word[end..]);
            if signs.contains('*') {
                ball = square.into();
            }
            let marks = [('!', "owes"), ('.', "spent"), ('\'', "moved"), ('+', "sixth")];
            let marks: Vec<&str> = marks.iter().filter(|(sign, _)| signs.contains(*sign)).map(|(_, m)| *m).collect();
            let counters = if signs.contains('^') { json!({"bursts": 1}) } else { json!({}) };
            let piece =
                json!({"square": square, "side": side, "kind": kind.name, "marks": marks, "counters": counters});
            list.push(piece);
        }
        state["pieces"] = list.into();
        state["spans"] = json!({"game": true, "possession": side, "turn": side});
        let mut scene = Scene { state };
        scene.put("phase", "offense".into());
        if let Some(state) = scene.state.as_object_mut() {
            state.remove("to_act");
        }
        let options = play.rules().options.iter().zip(play.options());
        let options: Map<String, Json> = options.map(|(def, value)| (def.name.clone(), (*value).into())).collect();
        scene
            .var("ball", ball)
            .var("bring_up", options["bring_up"].clone())
            .var("shot", options["shot_clock"].clone())
            .reserve("starters", "", "")
            .reserve("bench", "K", "K")
    }

    fn put(&mut self, name: &str, value: Json) {
        self.state[name] = value;
    }

    /// Another phase.
    #[must_use]
    pub fn phase(mut self, phase: &str) -> Scene {
        self.put("phase", phase.into());
        self
    }

    /// The side whose turn it is.
    #[must_use]
    pub fn turn(mut self, side: &str) -> Scene {
        self.state["spans"]["turn"] = side.into();
        self
    }

    /// No ball in play: a dead ball or the start.
    #[must_use]
    pub fn dead(mut self) -> Scene {
        self.state["spans"] = json!({"game": true});
        self
    }

    /// The score.
    #[must_use]
    pub fn score(mut self, white: i32, black: i32) -> Scene {
        self.put("score", json!([white, black]));
        self
    }

    /// A variable.
    #[must_use]
    pub fn var(mut self, name: &str, value: impl Into<Json>) -> Scene {
        self.state["vars"][name] = value.into();
        self
    }

    /// What the two sides have in a reserve.
    #[must_use]
    pub fn reserve(mut self, name: &str, white: &str, black: &str) -> Scene {
        self.state["reserves"][name] = json!({"white": white, "black": black});
        self
    }

    /// Sets the game to it.
    ///
    /// # Panics
    /// When it is no position of the game.
    #[allow(clippy::panic)]
    pub fn set(self, play: &mut dyn Session) {
        play.set_state(&self.state).unwrap_or_else(|wrong| panic!("{wrong}: {}", self.state));
    }
}
