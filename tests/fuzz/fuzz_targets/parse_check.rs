//! Any text: it is read, checked, printed and complained about without a panic.

#![no_main]

use fullcourt_tests::hostile::check_text;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    check_text(text);
});
