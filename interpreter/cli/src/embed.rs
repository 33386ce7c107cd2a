//! What is shipped inside the program: rulesets, libraries, plugins, by name.

mod tables {
    include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
}

fn find<T: ?Sized>(table: &'static [(&str, &T)], name: &str) -> Option<&'static T> {
    table.iter().find(|(known, _)| *known == name).map(|(_, content)| *content)
}

/// The text of a ruleset.
pub(crate) fn ruleset(name: &str) -> Option<&'static str> {
    find(tables::RULESETS, name)
}

/// The text of a library.
pub(crate) fn library(name: &str) -> Option<&'static str> {
    find(tables::LIBRARIES, name)
}

/// The module of a plugin.
pub(crate) fn plugin(name: &str) -> Option<&'static [u8]> {
    find(tables::PLUGINS, name)
}

/// The names of all rulesets.
pub(crate) fn ruleset_names() -> impl Iterator<Item = &'static str> {
    tables::RULESETS.iter().map(|(name, _)| *name)
}

/// The names of all libraries.
pub(crate) fn library_names() -> impl Iterator<Item = &'static str> {
    tables::LIBRARIES.iter().map(|(name, _)| *name)
}
