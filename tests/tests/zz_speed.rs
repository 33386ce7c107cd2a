//! How fast the walker plays at random.
use fullcourt_engine::rng::Rng;
use fullcourt_engine::session::Setup;
use fullcourt_tests::{TestFiles, load};
#[test]
#[ignore]
fn speed() {
    let t0 = std::time::Instant::now();
    let loaded = load(&TestFiles::default(), "pickup-chess");
    println!("load {:?}", t0.elapsed());
    let t0 = std::time::Instant::now();
    let mut n = 0u64; let mut games=0;
    while t0.elapsed().as_secs() < 4 {
        let mut g = loaded.game(&[], &Setup{values:vec![], seed: games});
        let mut rng = Rng::new(games);
        while !g.is_over() { let l = g.legal().unwrap(); let a = l[rng.below(l.len())]; g.play(a).unwrap(); n+=1; }
        games += 1;
    }
    println!("{} decisions/s, {games} games {n}", n as f64/t0.elapsed().as_secs_f64());
}
