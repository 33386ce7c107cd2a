//! compiler

pub mod diagnostics;
