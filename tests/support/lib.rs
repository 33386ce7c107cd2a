//! Support of the tests.
