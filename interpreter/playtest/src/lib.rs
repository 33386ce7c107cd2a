//! playtest
