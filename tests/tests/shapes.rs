//! Each shape alone is switched off: the program means the same, and is another one.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may fail")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fullcourt_compiler::compile;
use fullcourt_compiler::lower::{Shape, Shapes};
use fullcourt_engine::hostcall::{HostCall, HostFault, HostFnId, HostValue};
use fullcourt_engine::rng::Rng;
use fullcourt_engine::session::Setup;
use fullcourt_tests::agree::{Tally, drawn, games, totals};
use fullcourt_tests::{Loaded, TestFiles, host, load};

const GAMES: [&str; 4] = ["pickup-chess", "exoplanet-chess", "chess", "soccer-chess"];

/// All but one, each in turn; and none at all.
fn sets() -> impl Iterator<Item = (&'static str, Shapes)> {
    let without = |shape: &Shape| (shape.name(), Shapes::default().without(*shape));
    Shape::ALL.iter().map(without).chain([("all of them", Shapes::NONE)])
}

#[test]
fn games_agree_without_each_shape() {
    for (number, (name, shapes)) in (0u64..).zip(sets()) {
        let of = |ruleset: &&str| {
            let rules = load(&TestFiles::default(), ruleset);
            games(shapes, &rules, 500 + 2 * number..502 + 2 * number, 60)
        };
        let decisions: usize = GAMES.iter().map(of).sum();
        assert!(decisions > 100, "without {name}: {decisions}");
    }
}

#[test]
fn drawn_rulesets_agree_without_each_shape() {
    for (number, (name, shapes)) in (0u64..).zip(sets()) {
        let mut tally = Tally::default();
        (0..8).for_each(|seed| drawn(shapes, 3_000 + number * 8 + seed, &mut tally));
        assert!(tally.decisions > 20, "without {name}: {tally:?}");
    }
}

#[test]
fn what_is_judged_later_comes_to_the_same() {
    let mut decisions = 0;
    for ruleset in GAMES {
        decisions += totals(Shapes::default(), &load(&TestFiles::default(), ruleset), 20..32, 400);
    }
    assert!(decisions > 2_000, "{decisions}");
}

/// Plugins that count how often they are asked.
struct Counting(Arc<dyn HostCall>, AtomicUsize);

impl HostCall for Counting {
    fn call(&self, id: HostFnId, args: &[HostValue]) -> Result<HostValue, HostFault> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.call(id, args)
    }
}

#[test]
fn answers_are_remembered_unless_they_are_not_to_be() {
    let asked = |shapes| {
        let mut rules = load(&TestFiles::default(), "pickup-chess");
        let counting = Arc::new(Counting(rules.host.clone(), AtomicUsize::new(0)));
        rules.host = counting.clone();
        let game = rules.game_with(&[], &Setup { seed: 5, ..Setup::default() }, shapes);
        game.playout(&mut Rng::new(5), &|number| number < 400).unwrap();
        counting.1.load(Ordering::Relaxed)
    };
    let (with, without) = (asked(Shapes::default()), asked(Shapes::default().without(Shape::RememberedAnswers)));
    assert!(with > 0 && with < without, "{with} of {without}");
}

/// A hundred games of each ruleset without each shape, and four hundred drawn rulesets:
/// `cargo test --release -p fullcourt-tests --test shapes -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn hundred_games_without_each_shape() {
    let mut all = 0;
    for (name, shapes) in sets() {
        let mut line = format!("without {name}:");
        for ruleset in GAMES {
            let decisions = games(shapes, &load(&TestFiles::default(), ruleset), 7_000..7_100, 2_000);
            line += &format!(" {ruleset} {decisions}");
            all += decisions;
        }
        let mut tally = Tally::default();
        (40_000..40_400).for_each(|seed| drawn(shapes, seed, &mut tally));
        all += tally.decisions;
        println!("{line} drawn {}", tally.decisions);
    }
    println!("{all} decisions agree");
}

/// Whether a shape changes the program of a ruleset.
fn changes(rules: &Loaded, shape: Shape) -> bool {
    let options = &rules.compiled.defaults;
    rules.program(options) != rules.program_with(options, Shapes::default().without(shape))
}

#[test]
fn each_shape_is_used() {
    let mut rulesets: Vec<Loaded> = GAMES.iter().map(|name| load(&TestFiles::default(), name)).collect();
    for seed in 0..40 {
        let text = fullcourt_tests::drawn::ruleset(seed);
        if let Ok(compiled) = compile(&TestFiles::with("drawn", &text), "drawn") {
            let host = host(&compiled).unwrap();
            rulesets.push(Loaded { compiled, host });
        }
    }
    for &shape in Shape::ALL {
        let used = rulesets.iter().filter(|rules| changes(rules, shape)).count();
        println!("{}: in {used} of {} rulesets", shape.name(), rulesets.len());
        assert!(used > 0, "{} is never used", shape.name());
    }
}

#[test]
fn a_name_finds_its_shape() {
    for &shape in Shape::ALL {
        assert_eq!(Shape::by_name(shape.name()), Some(shape));
        assert!(Shapes::default().has(shape) && !Shapes::default().without(shape).has(shape));
    }
    assert_eq!(Shape::by_name("by_kind"), None);
}
