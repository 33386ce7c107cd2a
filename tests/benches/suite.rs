//! The benchmark suite: `cargo bench -p fullcourt-tests`. Random play and counted positions by each way of running rules, and
//! what it takes to get there. Figures that were measured are kept in `docs/results`.
//!
//! For retired instructions, where the machine counts them, run one benchmark under the system's profiler:
//! `perf stat -e instructions cargo bench -p fullcourt-tests -- playouts`.

#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]

use divan::Bencher;
use divan::counter::ItemsCount;
use fullcourt_engine::rng::Rng;
use fullcourt_engine::session::{Session, Setup};
use fullcourt_plugin_host::MachineCode;
use fullcourt_tests::{Loaded, TestFiles, load};

fn main() {
    divan::main();
}

const RULESETS: [&str; 4] = ["pickup-chess", "chess", "soccer-chess", "exoplanet-chess"];
/// A playout ends after so many decisions, if not before.
const MOST: u64 = 2_000;

fn loaded(name: &str) -> Loaded {
    load(&TestFiles::default(), name)
}

/// A game; chess without draws by repetition, as other programs are measured.
fn game(name: &str) -> Box<dyn Session> {
    let options: &[(&str, &str)] = if name == "chess" { &[("repetition", "off")] } else { &[] };
    loaded(name).game(options, &Setup::default())
}

/// Plays the same random games again and again.
fn playouts(bencher: Bencher<'_, '_>, game: &dyn Session) {
    let (decisions, ..) = game.playout(&mut Rng::new(7), &|decisions| decisions < MOST).unwrap();
    bencher
        .counter(ItemsCount::new(decisions))
        .bench_local(|| game.playout(&mut Rng::new(7), &|decisions| decisions < MOST).unwrap());
}

#[divan::bench(args = RULESETS)]
fn playouts_by_reference(bencher: Bencher<'_, '_>, name: &str) {
    playouts(bencher, &*game(name).plain());
}

#[divan::bench(args = RULESETS)]
fn playouts_by_program(bencher: Bencher<'_, '_>, name: &str) {
    playouts(bencher, &*game(name));
}

#[divan::bench(args = RULESETS)]
fn playouts_by_machine_code(bencher: Bencher<'_, '_>, name: &str) {
    let mut game = game(name);
    assert!(game.compile(&MachineCode));
    playouts(bencher, &*game);
}

/// Positions counted: ruleset, depth, whether the last decisions are played.
const COUNTS: [(&str, u32, bool); 2] = [("chess", 4, false), ("exoplanet-chess", 3, true)];

#[divan::bench(args = [0, 1], sample_count = 10)]
fn perft_by_program(bencher: Bencher<'_, '_>, which: usize) {
    let (name, depth, bulk) = COUNTS[which];
    let game = game(name);
    let nodes = game.perft(depth, bulk, &|| false).unwrap();
    bencher.counter(ItemsCount::new(nodes)).bench_local(|| game.perft(depth, bulk, &|| false).unwrap());
}

#[divan::bench(args = [0, 1], sample_count = 10)]
fn perft_by_machine_code(bencher: Bencher<'_, '_>, which: usize) {
    let (name, depth, bulk) = COUNTS[which];
    let mut game = game(name);
    assert!(game.compile(&MachineCode));
    let nodes = game.perft(depth, bulk, &|| false).unwrap();
    bencher.counter(ItemsCount::new(nodes)).bench_local(|| game.perft(depth, bulk, &|| false).unwrap());
}

#[divan::bench(args = RULESETS, sample_count = 10)]
fn loading_to_the_first_legal_actions(bencher: Bencher<'_, '_>, name: &str) {
    bencher.bench_local(|| game(name).legal().unwrap());
}

#[divan::bench(args = RULESETS, sample_count = 3, sample_size = 1)]
fn making_machine_code(bencher: Bencher<'_, '_>, name: &str) {
    let game = game(name);
    bencher.bench_local(|| assert!(game.fork().compile(&MachineCode)));
}
