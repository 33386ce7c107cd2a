//! What the tests share: rulesets from the project's folders, with changes, and games of them.

pub mod agree;
pub mod drawn;
pub mod hostile;
pub mod lines;
pub mod pitch;
pub mod play;
pub mod scene;

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use fullcourt_compiler::lower::{Shapes, program_of_with};
use fullcourt_compiler::{Compiled, Failure, Files, compile};
use fullcourt_engine::hostcall::{HostCall, HostLimits};
use fullcourt_engine::program::Program;
use fullcourt_engine::session::{Session, Setup, start};
use fullcourt_plugin_host::{LoadError, PluginHost, PluginSource};

/// The project's folder.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The shipped files, and some that are not on any disk.
#[derive(Clone, Debug, Default)]
pub struct TestFiles {
    /// Texts by name; they win over shipped ones.
    pub extra: Vec<(String, String)>,
    /// Plugin modules by name; they win over shipped ones.
    pub modules: Vec<(String, Vec<u8>)>,
}

impl TestFiles {
    /// The shipped files and one more text.
    #[must_use]
    pub fn with(name: &str, text: &str) -> TestFiles {
        TestFiles { extra: vec![(name.to_owned(), text.to_owned())], modules: Vec::new() }
    }

    fn find(&self, folder: &str, name: &str) -> Option<(String, String)> {
        let shown = format!("{name}.court");
        if let Some((_, text)) = self.extra.iter().find(|(known, _)| known == name) {
            return Some((shown, text.clone()));
        }
        std::fs::read_to_string(root().join(folder).join(&shown)).ok().map(|text| (shown, text))
    }
}

impl Files for TestFiles {
    fn ruleset(&self, path: &str) -> Option<(String, String)> {
        self.find("rulesets", path)
    }

    fn library(&self, name: &str) -> Option<(String, String)> {
        self.find("stdlib", name)
    }

    fn plugin(&self, name: &str) -> Option<Vec<u8>> {
        if let Some((_, bytes)) = self.modules.iter().find(|(known, _)| known == name) {
            return Some(bytes.clone());
        }
        std::fs::read(root().join("plugins").join(name).join(format!("{name}.wasm"))).ok()
    }

    fn ruleset_names(&self) -> Vec<String> {
        vec!["pickup-chess".to_owned()]
    }

    fn library_names(&self) -> Vec<String> {
        vec!["ball".to_owned()]
    }
}

/// A ruleset with its plugins loaded.
pub struct Loaded {
    /// The ruleset.
    pub compiled: Compiled,
    /// Its plugins.
    pub host: Arc<dyn HostCall>,
}

/// The problems of a failure, as text.
#[must_use]
pub fn show(failure: &Failure) -> String {
    let line = |p: &fullcourt_compiler::diagnostics::Problem| {
        let help = p.help.as_deref().unwrap_or("");
        format!(
            "{}: {} [{}] `{}` {help}\n",
            failure.sources.place(p.span),
            p.message,
            p.code,
            failure.sources.slice(p.span)
        )
    };
    failure.problems.iter().map(line).collect()
}

/// Compiles a ruleset and loads its plugins.
///
/// # Panics
/// When it does not compile.
#[must_use]
#[allow(clippy::panic)]
pub fn load(files: &dyn Files, name: &str) -> Loaded {
    let compiled = compile(files, name).unwrap_or_else(|failure| panic!("{name}:\n{}", show(&failure)));
    let host = host(&compiled).unwrap_or_else(|text| panic!("{name}: {text}"));
    Loaded { compiled, host }
}

/// Pickup Chess, loaded once.
///
/// # Panics
/// When it does not compile.
#[must_use]
pub fn pickup() -> &'static Loaded {
    static PICKUP: LazyLock<Loaded> = LazyLock::new(|| load(&TestFiles::default(), "pickup-chess"));
    &PICKUP
}

/// A ruleset of these lines that extends Pickup Chess.
#[must_use]
pub fn edited(lines: &str) -> TestFiles {
    TestFiles::with("edited", &format!("language 1\nruleset \"Edited\"\nextends pickup-chess\n{lines}\n"))
}

/// Loads the plugins of a compiled ruleset.
///
/// # Errors
/// What is wrong with them.
pub fn host(compiled: &Compiled) -> Result<Arc<dyn HostCall>, String> {
    load_plugins(compiled).map_err(|errors| errors.iter().map(|error| format!("{error}\n")).collect())
}

/// Loads the plugins of a compiled ruleset.
///
/// # Errors
/// Each thing that is wrong with them.
pub fn load_plugins(compiled: &Compiled) -> Result<Arc<dyn HostCall>, Vec<LoadError>> {
    let rules = &compiled.rules;
    let functions: Vec<Vec<_>> = compiled
        .modules
        .iter()
        .map(|module| {
            let own = rules.plugin_fns.iter().filter(|function| function.plugin == module.name);
            own.map(|function| (function.name.clone(), function.signature.clone())).collect()
        })
        .collect();
    let sources: Vec<_> = compiled
        .modules
        .iter()
        .zip(&functions)
        .map(|(module, functions)| PluginSource { name: &module.name, bytes: &module.bytes, functions })
        .collect();
    let limits = HostLimits {
        places: u16::try_from(rules.board.places()).unwrap_or(512),
        sides: u8::try_from(rules.sides.len()).unwrap_or(8),
        kinds: u8::try_from(rules.kinds.len()).unwrap_or(64),
    };
    PluginHost::load(&sources, limits).map(|host| -> Arc<dyn HostCall> { Arc::new(host) })
}

impl Loaded {
    /// The program of the rules with these options; `None` when the walker must do.
    #[must_use]
    pub fn program(&self, options: &[i32]) -> Option<Arc<Program>> {
        self.program_with(options, Shapes::default())
    }

    /// The program with these shapes.
    #[must_use]
    pub fn program_with(&self, options: &[i32], shapes: Shapes) -> Option<Arc<Program>> {
        program_of_with(&self.compiled.rules, options, &self.host, shapes)
    }

    /// A game with these option values (`name`, `value`), others by default.
    ///
    /// # Panics
    /// When an option is unknown or the game cannot start.
    #[must_use]
    pub fn game(&self, options: &[(&str, &str)], setup: &Setup) -> Box<dyn Session> {
        self.game_with(options, setup, Shapes::default())
    }

    /// The same by a program with these shapes.
    ///
    /// # Panics
    /// When an option is unknown or the game cannot start.
    #[must_use]
    #[allow(clippy::panic)]
    pub fn game_with(&self, options: &[(&str, &str)], setup: &Setup, shapes: Shapes) -> Box<dyn Session> {
        let rules = &self.compiled.rules;
        let mut values = self.compiled.defaults.clone();
        for (name, value) in options {
            let index = rules.options.iter().position(|option| option.name == *name);
            let Some(index) = index else { panic!("there is no option {name}") };
            values[index] = rules.options[index].parse(value).unwrap_or_else(|e| panic!("{name} must be {e}"));
        }
        start(rules, &values, &self.host, setup, self.program_with(&values, shapes).as_ref())
            .unwrap_or_else(|error| panic!("{error}"))
    }
}
