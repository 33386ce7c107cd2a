//! Why a module cannot serve a ruleset. Data only: the compiler turns it into a diagnostic.

/// The bytes are no valid module of the features that plugins may use.
pub(crate) const INVALID: &str = "plugin-invalid";
/// The module is larger than [`crate::MODULE_BYTES`].
pub(crate) const TOO_LARGE: &str = "plugin-too-large";
/// The module wants something from outside.
pub(crate) const IMPORTS: &str = "plugin-imports";
/// A declared function is not exported.
pub(crate) const MISSING_FUNCTION: &str = "plugin-missing-function";
/// An exported function has other types than the declared one.
pub(crate) const SIGNATURE: &str = "plugin-signature";
/// A memory or table is too large. At load and in calls.
pub(crate) const MEMORY: &str = "plugin-memory";
/// The module stopped itself. At load (start function, data) and in calls.
pub(crate) const TRAP: &str = "plugin-trap";
/// The module ran for too long. At load (start function) and in calls.
pub(crate) const FUEL: &str = "plugin-fuel";
/// A value outside its declared type. In calls.
pub(crate) const VALUE: &str = "plugin-value";
/// The engine passed other values than the declared ones. In calls.
pub(crate) const ARGUMENTS: &str = "plugin-arguments";
/// The engine asked for a function that is not loaded. In calls.
pub(crate) const MISSING: &str = "plugin-missing";
/// The sandbox itself does not work on this machine.
pub(crate) const SANDBOX: &str = "plugin-sandbox";

/// One reason why a plugin cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct LoadError {
    /// A stable code: `plugin-invalid`, `plugin-too-large`, `plugin-imports`, `plugin-missing-function`,
    /// `plugin-signature`, `plugin-memory`, `plugin-trap`, `plugin-fuel` or `plugin-sandbox`.
    pub code: &'static str,
    /// The name of the plugin.
    pub plugin: String,
    /// The declared function, when the reason lies in one.
    pub function: Option<String>,
    /// What was found and what was expected.
    pub text: String,
    /// What to do about it, when that is known.
    pub help: Option<String>,
}

impl LoadError {
    /// A reason that concerns the whole plugin.
    pub(crate) fn new(code: &'static str, plugin: &str, text: String) -> Self {
        LoadError { code, plugin: plugin.to_owned(), function: None, text, help: None }
    }

    /// The same reason, about one function.
    pub(crate) fn in_function(mut self, function: &str) -> Self {
        self.function = Some(function.to_owned());
        self
    }

    /// The same reason, with advice.
    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
