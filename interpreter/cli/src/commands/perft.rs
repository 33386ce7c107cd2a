//! `perft`: how many chains of decisions there are.

use std::io::Write;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Instant;

use fullcourt_engine::action::Action;
use fullcourt_engine::fault::Fault;
use fullcourt_engine::session::Session;
use fullcourt_playtest::look_up::texts;
use fullcourt_plugin_host::MachineCode;
use serde_json::{Map, Value as Json, json};

use super::code;
use crate::args::{Extra, GameArgs};
use crate::error::CliError;
use crate::game::start;
use crate::interrupt;
use crate::out::{self, Format};

/// What is counted, and how.
pub(super) struct Count {
    pub depth: u32,
    pub divide: bool,
    pub bulk: bool,
    pub threads: Option<NonZeroUsize>,
}

/// Counts the chains of `depth` decisions, for each first decision if asked to.
pub(super) fn perft(args: &GameArgs, extras: &[Extra], count: &Count, format: Format) -> Result<ExitCode, CliError> {
    let mut started = start(args, extras, "perft", false, format)?;
    interrupt::watch();
    let begun = Instant::now();
    let depth = count.depth;
    let (parts, complete) = match depth {
        0 => (Vec::new(), true),
        _ => {
            let legal = texts(&*started.game).map_err(|fault| started.fault(&fault))?;
            // Making machine code takes as long as counting some hundred thousand positions.
            let played = depth - u32::from(count.bulk);
            if (legal.len() as f64).powi(i32::try_from(played).unwrap_or(i32::MAX)) > 1e5 {
                started.game.compile(&MachineCode);
            }
            let counts = branches(&*started.game, &legal, count).map_err(|fault| started.fault(&fault))?;
            let complete = counts.iter().all(Option::is_some);
            let texts = legal.into_iter().map(|(_, text)| text);
            // A branch that was broken off has no number of its own.
            (texts.zip(counts).filter_map(|(text, count)| Some((text, count?))).collect(), complete)
        }
    };
    let nodes = if depth == 0 { 1 } else { parts.iter().map(|(_, below)| below).sum::<u64>() };
    let seconds = begun.elapsed().as_secs_f64();
    let mut out = out::stdout();
    match format {
        Format::Json => {
            let mut json = json!({"depth": depth, "nodes": nodes, "complete": complete, "seconds": seconds});
            if let Some(object) = json.as_object_mut().filter(|_| count.divide) {
                let parts: Map<String, Json> = parts.into_iter().map(|(text, count)| (text, count.into())).collect();
                object.insert("divide".into(), parts.into());
            }
            writeln!(out, "{json}")?;
        }
        Format::Text => {
            for (text, count) in parts.iter().filter(|_| count.divide) {
                writeln!(out, "{text}: {count}")?;
            }
            let broken = if complete { "" } else { " (broken off)" };
            writeln!(out, "depth {depth}: {nodes}{broken}, {seconds:.3} s")?;
        }
    }
    out.flush()?;
    Ok(code(complete))
}

/// The number below each first decision; `None` where it was broken off. Threads take the next one that is left.
fn branches(game: &dyn Session, legal: &[(Action, String)], count: &Count) -> Result<Vec<Option<u64>>, Fault> {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = count.threads.map_or(cores, NonZeroUsize::get).min(legal.len().max(1)).min(512);
    let mut counts: Vec<Option<u64>> = vec![None; legal.len()];
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, results) = channel();
    thread::scope(|scope| {
        for _ in 0..threads {
            let (game, sender) = (game.branch(), sender.clone());
            let (next, failed) = (&next, &failed);
            scope.spawn(move || {
                let stop = || interrupt::asked() || failed.load(Ordering::Relaxed);
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some((action, _)) = legal.get(index).filter(|_| !stop()) else { break };
                    let below = game.perft_below(*action, count.depth - 1, count.bulk, &stop);
                    failed.fetch_or(below.is_err(), Ordering::Relaxed);
                    if stop() && below.is_ok() || sender.send((index, below)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let (mut nodes, mut done) = (0, 0);
        let mut fault = None;
        for (index, below) in results {
            match below {
                Ok(below) => {
                    counts[index] = Some(below);
                    nodes += below;
                    done += 1;
                    out::progress(&format!("{done} of {} branches, {nodes} so far", legal.len()));
                }
                // Of several faults the first in the order of the decisions, whichever thread was quicker.
                Err(other) if fault.as_ref().is_none_or(|(at, _)| index < *at) => fault = Some((index, other)),
                Err(_) => {}
            }
        }
        out::progress("");
        fault.map_or(Ok(counts), |(_, fault)| Err(fault))
    })
}
