//! plugin-host
