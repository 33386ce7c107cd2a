//! `play`: a game at the terminal, line by line.

use std::collections::BTreeMap;
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use fullcourt_engine::action::Action;
use fullcourt_playtest::bots::{Bot, bot};
use fullcourt_playtest::look_up::{Found, look_up, texts};
use fullcourt_playtest::nearest::advice;
use fullcourt_playtest::play::{Log, play_one};
use fullcourt_playtest::record::{told, turn_text};

use super::{code, report};
use crate::args::{Extra, GameArgs};
use crate::draw;
use crate::error::CliError;
use crate::game::{Started, start};
use crate::interrupt;
use crate::lines::{Line, read_line};
use crate::out::{self, Format};

const HELP: &str = "\
Write an action as the game writes it, or one of these words:
  ?           what is legal, by its first word
  ? TEXT      what is legal and begins so
  why ACTION  whether an action is legal, and why not
  board       the board
  turns       the turns so far
  position    the position in one line
  state       the state in JSON
  undo        takes back your last decision and what came after it
  quit        ends the game here";

/// The words that are no actions.
const COMMANDS: [&str; 9] = ["help", "board", "turns", "position", "state", "undo", "quit", "exit", "why"];

/// Plays a game with people and bots.
pub(super) fn play(
    args: &GameArgs,
    extras: &[Extra],
    record: Option<&Path>,
    format: Format,
) -> Result<ExitCode, CliError> {
    if format == Format::Json {
        return Err(CliError::Misuse("`play` is for people; programs use `engine`, which speaks JSON".to_owned()));
    }
    let started = start(args, extras, "play", true, format)?;
    let mut players = Vec::new();
    let mut bots = Vec::new();
    for (side, player) in started.players.iter().enumerate() {
        let name = player.as_deref().unwrap_or("human");
        let made = match name {
            "human" => None,
            name => Some(bot(name, args.seed, side).map_err(|e| CliError::Misuse(format!("{e}; people are: human")))?),
        };
        players.push(name.to_owned());
        bots.push(made);
    }
    let record = report::RecordFile::open(record)?;
    interrupt::watch();
    let mut table = Table { started, bots, log: Log::default(), out: out::stdout(), colour: out::stdout_coloured() };
    let played = table.play();
    record.write(|| table.started.record(&table.log, &players))?;
    played?;
    Ok(code(true))
}

/// A game with those who play it.
struct Table<W: Write> {
    started: Started,
    bots: Vec<Option<Box<dyn Bot>>>,
    log: Log,
    out: W,
    colour: bool,
}

/// Whether to go on.
#[derive(PartialEq, Eq)]
enum Next {
    On,
    Quit,
}

impl<W: Write> Table<W> {
    fn play(&mut self) -> Result<(), CliError> {
        let title = &self.started.loaded.compiled.rules.title;
        writeln!(self.out, "{title}. `help` says what you can write.\n")?;
        self.board()?;
        let lines = lines_of_stdin();
        while !self.started.game.is_over() {
            if interrupt::asked() {
                return self.bye("stopped");
            }
            let side = self.started.game.to_act().unwrap_or(0);
            if self.bots.get(side).is_some_and(Option::is_some) {
                self.bot(side)?;
                continue;
            }
            write!(self.out, "{}> ", draw::status(&*self.started.game))?;
            self.out.flush()?;
            match next_line(&lines) {
                Some(Line::Text(line)) => {
                    if self.answer(String::from_utf8_lossy(&line).trim())? == Next::Quit {
                        return self.bye("ended here");
                    }
                }
                Some(Line::TooLong) => writeln!(self.out, "that line is too long")?,
                Some(Line::End) | None => {
                    writeln!(self.out)?;
                    return self.bye(if interrupt::asked() { "stopped" } else { "no more input" });
                }
            }
        }
        self.board()?;
        writeln!(self.out, "{}", report::box_score(&*self.started.game))?;
        writeln!(self.out, "{}", report::result(&*self.started.game))?;
        Ok(self.out.flush()?)
    }

    fn bye(&mut self, why: &str) -> Result<(), CliError> {
        writeln!(self.out, "{why}: {}", report::result(&*self.started.game))?;
        Ok(self.out.flush()?)
    }

    fn board(&mut self) -> Result<(), CliError> {
        let game = &*self.started.game;
        Ok(writeln!(self.out, "{}{}\n", draw::board(game, self.colour), draw::legend(game.rules()))?)
    }

    fn bot(&mut self, side: usize) -> Result<(), CliError> {
        let Table { started, bots, .. } = self;
        let legal = started.game.legal().map_err(|fault| started.fault(&fault))?;
        let Some(bot) = bots.get_mut(side).and_then(Option::as_mut) else {
            return Ok(());
        };
        let action = bot.choose(&*started.game, &legal).map_err(|fault| started.fault(&fault))?;
        self.act(action)
    }

    fn act(&mut self, action: Action) -> Result<(), CliError> {
        let side = self.started.game.to_act();
        let sources = &self.started.loaded.compiled.sources;
        let game = &mut *self.started.game;
        let played = game.legal().and_then(|legal| play_one(game, action, &legal, &mut self.log));
        played.map_err(|fault| CliError::fault(&fault, sources))?;
        let turn = self.log.turns.last().and_then(|turn| Some((turn.side, turn.decisions.last()?)));
        if let Some((side, decision)) = turn {
            let name = &self.started.game.rules().sides[side].name;
            writeln!(self.out, "{name}: {}{}", decision.written, decision.outcome)?;
        }
        let changed = self.started.game.to_act() != side;
        if changed && !self.started.game.is_over() {
            writeln!(self.out)?;
            self.board()?;
        }
        Ok(())
    }

    fn answer(&mut self, line: &str) -> Result<Next, CliError> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, rest.trim()) {
            ("", _) => {}
            ("quit" | "exit", "") => return Ok(Next::Quit),
            ("help", "") => writeln!(self.out, "{HELP}")?,
            ("board", "") => self.board()?,
            ("position", "") => match self.started.game.line() {
                Some(line) => writeln!(self.out, "{line}")?,
                None => writeln!(self.out, "the ruleset has no text of positions")?,
            },
            ("state", "") => writeln!(self.out, "{}", self.started.game.state())?,
            ("turns", "") => {
                let rules = self.started.game.rules();
                let lines = match rules.records.first() {
                    Some(def) => told(def, &self.log.turns),
                    None => (1..).zip(&self.log.turns).map(|(number, turn)| turn_text(rules, number, turn)).collect(),
                };
                for line in lines {
                    writeln!(self.out, "{line}")?;
                }
            }
            ("?", start) => self.list(start)?,
            ("undo", "") => self.undo()?,
            ("why", action) => {
                if self.look_up(action)?.is_some() {
                    writeln!(self.out, "`{action}` is legal")?;
                }
            }
            _ => {
                if let Some(action) = self.look_up(line)? {
                    self.act(action)?;
                }
            }
        }
        Ok(Next::On)
    }

    /// Takes back what bots did since, and then one decision of a person.
    fn undo(&mut self) -> Result<(), CliError> {
        let mut undone = false;
        while self.started.game.undo() {
            self.log.pop();
            undone = true;
            let side = self.started.game.to_act().unwrap_or(0);
            if self.bots.get(side).is_none_or(Option::is_none) {
                break;
            }
        }
        if undone { self.board() } else { Ok(writeln!(self.out, "there is nothing to take back")?) }
    }

    fn look_up(&mut self, text: &str) -> Result<Option<Action>, CliError> {
        match look_up(&*self.started.game, text).map_err(|fault| self.started.fault(&fault))? {
            Found::Legal(action) => return Ok(Some(action)),
            Found::Refused(refusals) => {
                writeln!(self.out, "`{text}` is not legal:")?;
                for reason in report::refusals(&refusals, &self.started) {
                    writeln!(self.out, "  {reason}")?;
                }
            }
            Found::Unknown(near) => {
                let command = advice(text, COMMANDS.iter().copied());
                let near = match near.is_empty() {
                    true if !command.is_empty() => command.trim_start_matches("; ").to_owned(),
                    true => "`?` lists what is legal".to_owned(),
                    false => near.join(", "),
                };
                writeln!(self.out, "no action is written `{text}`; perhaps {near}")?;
            }
        }
        Ok(None)
    }

    fn list(&mut self, start: &str) -> Result<(), CliError> {
        let legal = texts(&*self.started.game).map_err(|fault| self.started.fault(&fault))?;
        let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (_, text) in legal.iter().filter(|(_, text)| text.starts_with(start)) {
            let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
            groups.entry(word).or_default().push(rest);
        }
        if groups.is_empty() {
            writeln!(self.out, "nothing that begins with `{start}` is legal")?;
        }
        for (word, rests) in groups {
            writeln!(self.out, "{}", format!("  {word} {}", rests.join(", ")).trim_end())?;
        }
        Ok(())
    }
}

/// Lines come from a thread of their own, so that waiting for one can be interrupted.
fn lines_of_stdin() -> Receiver<Line> {
    let (sender, lines) = sync_channel(1);
    std::thread::spawn(move || {
        let mut stdin = BufReader::new(io::stdin());
        while let Ok(line) = read_line(&mut stdin) {
            let end = line == Line::End;
            if sender.send(line).is_err() || end {
                break;
            }
        }
    });
    lines
}

/// The next line; `None` at the end, and when the game is to be stopped.
fn next_line(lines: &Receiver<Line>) -> Option<Line> {
    loop {
        match lines.recv_timeout(Duration::from_millis(50)) {
            Ok(line) => return Some(line),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) if interrupt::asked() => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}
