//! The engine.
pub mod hostcall;
