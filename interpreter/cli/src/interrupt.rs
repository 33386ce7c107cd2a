//! Ctrl-C: the first asks for an orderly end, a later one ends at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static ASKED: AtomicBool = AtomicBool::new(false);

/// What comes sooner after the first is the same wish: some programs send the signal twice.
const SOON: Duration = Duration::from_secs(1);

/// From now on Ctrl-C asks. Where the system cannot do that, it ends the program as ever.
pub(crate) fn watch() {
    let mut first: Option<Instant> = None;
    let _ = ctrlc::set_handler(move || {
        ASKED.store(true, Ordering::SeqCst);
        if first.get_or_insert_with(Instant::now).elapsed() > SOON {
            std::process::exit(130);
        }
    });
}

/// Whether an end was asked for.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}
