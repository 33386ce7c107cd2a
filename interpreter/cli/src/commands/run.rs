//! `run`: one game between bots.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;

use fullcourt_engine::session::Session;
use fullcourt_playtest::bots::bot;
use fullcourt_playtest::play::{End, Limits, Log, Step, play_game};
use fullcourt_playtest::record::{Turn, told_turn, turn_text};

use super::{code, report};
use crate::args::{Extra, GameArgs};
use crate::draw;
use crate::error::CliError;
use crate::game::start;
use crate::interrupt;
use crate::out::{self, Format};

/// Plays one game to its end, prints it and writes its record.
pub(super) fn run(
    args: &GameArgs,
    extras: &[Extra],
    record: Option<&Path>,
    boards: bool,
    format: Format,
) -> Result<ExitCode, CliError> {
    let mut started = start(args, extras, "run", true, format)?;
    let players: Vec<String> =
        started.players.iter().map(|player| player.clone().unwrap_or_else(|| "random".to_owned())).collect();
    let mut bots = Vec::new();
    for (side, name) in players.iter().enumerate() {
        bots.push(bot(name, args.seed, side).map_err(|unknown| CliError::Misuse(unknown.to_string()))?);
    }
    let record = report::RecordFile::open(record)?;
    interrupt::watch();
    let rules = started.game.rules().clone();
    let mut printer = Printer { out: out::stdout(), boards, colour: out::stdout_coloured(), turn: None, number: 0 };
    let text = format == Format::Text;
    if text {
        writeln!(printer.out, "{}, seed {}", rules.title, args.seed)?;
        writeln!(printer.out, "\n{}{}\n", draw::board(&*started.game, printer.colour), draw::legend(&rules))?;
    }
    let mut log = Log::default();
    let mut trouble = Ok(());
    let end = play_game(&mut started.game, &mut bots, Limits::default(), &mut log, &mut |step, game| {
        if text {
            trouble = printer.step(step, game);
        }
        if interrupt::asked() || trouble.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    record.write(|| started.record(&log, &players))?;
    trouble?;
    if text {
        printer.finish(&*started.game)?;
        let game = &*started.game;
        writeln!(printer.out, "\n{}", draw::board(game, printer.colour))?;
        let box_score = report::box_score(game);
        if !box_score.is_empty() {
            writeln!(printer.out, "{box_score}")?;
        }
        writeln!(printer.out, "{}", report::result(game))?;
    } else {
        writeln!(printer.out, "{}", report::game_json(&started, &log, &players))?;
    }
    printer.out.flush()?;
    match end {
        Ok(End::Over) => Ok(code(true)),
        Ok(End::Stopped) => Ok(code(false)),
        Ok(End::Limit) => Err(CliError::Finding("the game did not end within a million decisions".to_owned())),
        Err(fault) => Err(started.fault(&fault)),
    }
}

/// Prints turns as they are complete.
struct Printer<W: Write> {
    out: W,
    boards: bool,
    colour: bool,
    turn: Option<Turn>,
    number: usize,
}

impl<W: Write> Printer<W> {
    fn step(&mut self, step: &Step<'_>, game: &dyn Session) -> io::Result<()> {
        if step.new_turn {
            // The board is drawn as it was before this decision: that of the complete turn.
            self.flush_turn(game)?;
        }
        let turn = self.turn.get_or_insert_with(|| Turn {
            side: step.side,
            head: step.head.to_owned(),
            decisions: Vec::new(),
        });
        turn.decisions.push(step.decision.clone());
        if self.boards && (game.is_over() || game.to_act() != Some(step.side)) {
            self.flush_turn(game)?;
            writeln!(self.out, "\n{}{}\n", draw::board(game, self.colour), draw::status(game))?;
        }
        Ok(())
    }

    fn flush_turn(&mut self, game: &dyn Session) -> io::Result<()> {
        let Some(turn) = self.turn.take() else { return Ok(()) };
        self.number += 1;
        let Some(def) = game.rules().records.first() else {
            return writeln!(self.out, "{}", turn_text(game.rules(), self.number, &turn));
        };
        // As the record tells it: a turn without a head goes on in the line of the one before.
        match (self.number, turn.head.is_empty() && !self.boards) {
            (1, _) => {}
            (_, true) => write!(self.out, " ")?,
            (_, false) => writeln!(self.out)?,
        }
        write!(self.out, "{}", told_turn(def, &turn))
    }

    fn finish(&mut self, game: &dyn Session) -> io::Result<()> {
        self.flush_turn(game)?;
        if self.number > 0 && !game.rules().records.is_empty() { writeln!(self.out) } else { Ok(()) }
    }
}
