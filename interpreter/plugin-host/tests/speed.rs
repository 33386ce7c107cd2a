//! How long loading and calling take. Prints times; run with `--release -- --ignored --nocapture`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where something is wrong")]

mod common;

use std::hint::black_box;
use std::time::Instant;

use common::{Random, declare};
use fullcourt_engine::hostcall::{HostCall, HostFnId, HostLimits, HostType as T, HostValue as V};
use fullcourt_plugin_host::{PluginHost, PluginSource};

const EUROSTEP: &[u8] = include_bytes!("../../../plugins/eurostep/eurostep.wasm");
const SPECIALISTS: &[u8] = include_bytes!("../../../plugins/specialists/specialists.wasm");

fn load(modules: [&[u8]; 2], places: u16) -> PluginHost {
    let bent = [declare("eurostep", &[T::Square, T::Squares, T::Number, T::Number], T::Squares)];
    let reach = [T::Squares, T::Squares, T::Squares, T::Number, T::Number];
    let near = [declare("perimeter", &reach, T::Squares), declare("guard", &reach, T::Squares)];
    let sources = [
        PluginSource { name: "eurostep", bytes: modules[0], functions: &bent },
        PluginSource { name: "specialists", bytes: modules[1], functions: &near },
    ];
    PluginHost::load(&sources, HostLimits { places, sides: 2, kinds: 6 }).unwrap()
}

/// Nanoseconds a call, with this many different sets of arguments in turn.
fn call_time(host: &PluginHost, places: usize, different: usize) -> f64 {
    const CALLS: usize = 200_000;
    let mut random = Random(5);
    let args: Vec<[V; 4]> = (0..different)
        .map(|_| {
            let from = V::Square(Some(random.below(places) as u16));
            [from, V::Squares(random.set(places, 3)), V::Number(8), V::Number((places / 8) as i32)]
        })
        .collect();
    let start = Instant::now();
    for args in args.iter().cycle().take(CALLS) {
        black_box(host.call(HostFnId(0), black_box(args)).unwrap());
    }
    start.elapsed().as_nanos() as f64 / CALLS as f64
}

/// The module with a custom section that makes it another one.
fn renamed(module: &[u8], round: u8) -> Vec<u8> {
    [module, &[0, 2, 1, b'a' + round]].concat()
}

#[test]
#[ignore = "prints times"]
fn loading() {
    for round in 0..6 {
        let modules = [renamed(EUROSTEP, round), renamed(SPECIALISTS, round)];
        let start = Instant::now();
        let host = black_box(load([&modules[0], &modules[1]], 64));
        let loaded = start.elapsed();
        let from = [V::Square(Some(0)), V::Squares([0; 8]), V::Number(8), V::Number(8)];
        black_box(host.call(HostFnId(0), &from).unwrap());
        let called = start.elapsed() - loaded;
        println!("load two plugins, round {round}: {loaded:?}, first call of one: {called:?}");
    }
    load([EUROSTEP, SPECIALISTS], 64);
    let start = Instant::now();
    black_box(load([EUROSTEP, SPECIALISTS], 64));
    println!("load two plugins that this process knows: {:?}", start.elapsed());
}

#[test]
#[ignore = "prints times"]
fn calling() {
    for (places, name) in [(64, "in one word"), (80, "in memory")] {
        let host = load([EUROSTEP, SPECIALISTS], places);
        let places = usize::from(places);
        println!("call, set {name}, remembered: {:.0} ns", call_time(&host, places, 100));
        println!("call, set {name}, computed: {:.0} ns", call_time(&host, places, 200_000));
    }
}
