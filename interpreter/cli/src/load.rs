//! From a name on the command line to a ruleset with its plugins, ready to be started.
//!
//! A file wins over what is shipped inside the program. A ruleset may be somebody else's: what it extends or uses is
//! looked for only beside it, in the folders `stdlib` and `plugins` there, and among what is shipped.

use std::cell::{Cell, RefCell};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use fullcourt_compiler::diagnostics::{Level, Problem, Span, nearest};
use fullcourt_compiler::lower::{Shapes, program_of_with};
use fullcourt_compiler::{Compiled, Failure, Files, compile, span_of};
use fullcourt_engine::hostcall::{HostCall, HostLimits, Signature};
use fullcourt_engine::program::Program;
use fullcourt_engine::session::{Session, Setup, StartError, start};
use fullcourt_plugin_host::{PluginHost, PluginSource};

use crate::embed;
use crate::error::CliError;

/// The largest text of a ruleset or library, in bytes.
pub const COURT_BYTES: u64 = 256 << 10;
/// The largest plugin module, in bytes.
pub const WASM_BYTES: u64 = 1 << 20;

/// Where a ruleset was found, and what it may reach from there.
#[derive(Debug)]
pub struct CourtFiles {
    /// The name by which records call it: no path, no extension.
    pub name: String,
    /// The name by which messages call it.
    shown: String,
    text: String,
    /// The folder of the file; `None` for a shipped one.
    home: Option<PathBuf>,
    /// Whether the ruleset read last came from that folder.
    at_home: Cell<bool>,
    read: RefCell<Vec<String>>,
    /// Why files that are there were not taken.
    notes: RefCell<Vec<String>>,
}

impl CourtFiles {
    /// Finds a ruleset by its name or path.
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    pub fn find(name: &str) -> Result<CourtFiles, CliError> {
        let is_path =
            name.contains(std::path::is_separator) || Path::new(name).extension().is_some_and(|e| e == "court");
        let with_extension = format!("{name}.court");
        let file = [name, &with_extension].into_iter().find(|path| Path::new(path).is_file());
        match file {
            Some(path) => CourtFiles::file(Path::new(path)),
            None if is_path => Err(CliError::Misuse(format!("there is no file `{name}`"))),
            None => CourtFiles::shipped(name),
        }
    }

    /// The ruleset of a file.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn file(path: &Path) -> Result<CourtFiles, CliError> {
        let shown = path.display().to_string();
        let text = read_text(path).map_err(|why| CliError::Finding(format!("`{shown}` {why}")))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let name = path.file_stem().map_or_else(|| shown.clone(), |stem| stem.to_string_lossy().into_owned());
        Ok(CourtFiles::new(name, shown, text, Some(folder.to_owned())))
    }

    /// A ruleset that is shipped inside the program.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn shipped(name: &str) -> Result<CourtFiles, CliError> {
        let Some(text) = embed::ruleset(name) else {
            let names: Vec<_> = embed::ruleset_names().collect();
            let near = nearest(name, names.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
            let text = format!("there is no ruleset `{name}`, neither a file nor a shipped one ({})", names.join(", "));
            return Err(CliError::Misuse(text + &near.unwrap_or_default()));
        };
        Ok(CourtFiles::new(name.to_owned(), format!("{name}.court"), text.to_owned(), None))
    }

    /// A ruleset whose text is given; it reaches only what is shipped.
    #[must_use]
    pub fn text(name: &str, text: &str) -> CourtFiles {
        CourtFiles::new(name.to_owned(), format!("{name}.court"), text.to_owned(), None)
    }

    fn new(name: String, shown: String, text: String, home: Option<PathBuf>) -> CourtFiles {
        let at_home = Cell::new(home.is_some());
        CourtFiles { name, shown, text, home, at_home, read: RefCell::default(), notes: RefCell::default() }
    }

    /// The content of a file below the ruleset's folder, unless it lies elsewhere in truth.
    fn beside(&self, path: &str, limit: u64) -> Option<Vec<u8>> {
        let home = self.home.as_ref()?.canonicalize().ok()?;
        let path = home.join(path);
        if !path.exists() {
            return None;
        }
        let content = match path.canonicalize() {
            Ok(real) if real.starts_with(&home) => read_file(&real, limit),
            _ => Err("lies outside of the ruleset's folder".to_owned()),
        };
        let shown = path.strip_prefix(&home).unwrap_or(&path).display().to_string();
        content.map_err(|why| self.notes.borrow_mut().push(format!("`{shown}` {why}"))).ok()
    }

    fn text_beside(&self, path: &str) -> Option<(String, String)> {
        let text = String::from_utf8(self.beside(path, COURT_BYTES)?);
        let note = |_| self.notes.borrow_mut().push(format!("`{path}` is no text in UTF-8"));
        let shown = self.home.as_ref().map_or_else(|| path.into(), |home| home.join(path));
        let shown = shown.strip_prefix(".").unwrap_or(&shown).display().to_string();
        text.map_err(note).ok().map(|text| (shown, text))
    }

    fn shipped_text(name: &str, text: &str) -> (String, String) {
        (format!("{name}.court"), text.to_owned())
    }
}

impl Files for CourtFiles {
    fn ruleset(&self, path: &str) -> Option<(String, String)> {
        if self.read.borrow().is_empty() {
            self.read.borrow_mut().push(self.name.clone());
            return Some((self.shown.clone(), self.text.clone()));
        }
        let name = path.strip_suffix(".court").unwrap_or(path);
        if !name.split('/').all(is_plain) {
            self.notes.borrow_mut().push(format!("`{path}` may lead elsewhere: what a ruleset extends lies beside it"));
            return None;
        }
        // A file that extends the shipped ruleset of its own name means the shipped one.
        let again = self.read.borrow().iter().any(|read| read == name) && embed::ruleset(name).is_some();
        self.read.borrow_mut().push(name.to_owned());
        if self.at_home.get()
            && !again
            && let Some(found) = self.text_beside(&format!("{name}.court"))
        {
            return Some(found);
        }
        self.at_home.set(false);
        embed::ruleset(name).map(|text| CourtFiles::shipped_text(name, text))
    }

    fn library(&self, name: &str) -> Option<(String, String)> {
        if !name.split('/').all(is_plain) {
            self.notes.borrow_mut().push(format!("`{name}` may lead elsewhere: what a ruleset uses lies beside it"));
            return None;
        }
        let file = format!("{name}.court");
        let beside = self.text_beside(&file).or_else(|| self.text_beside(&format!("stdlib/{file}")));
        beside.or_else(|| embed::library(name).map(|text| CourtFiles::shipped_text(name, text)))
    }

    fn plugin(&self, name: &str) -> Option<Vec<u8>> {
        if !is_plain(name) {
            return None;
        }
        let file = format!("{name}.wasm");
        let beside = self.beside(&file, WASM_BYTES).or_else(|| {
            let folders = [format!("plugins/{name}/{file}"), format!("plugins/{file}")];
            folders.iter().find_map(|path| self.beside(path, WASM_BYTES))
        });
        beside.or_else(|| embed::plugin(name).map(<[u8]>::to_vec))
    }

    fn ruleset_names(&self) -> Vec<String> {
        embed::ruleset_names().map(str::to_owned).collect()
    }

    fn library_names(&self) -> Vec<String> {
        embed::library_names().map(str::to_owned).collect()
    }
}

/// A name that cannot lead out of a folder.
#[must_use]
pub fn is_plain(name: &str) -> bool {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ');
    !name.is_empty() && name.len() <= 100 && !name.starts_with('.') && name.chars().all(allowed)
}

fn read_text(path: &Path) -> Result<String, String> {
    String::from_utf8(read_file(path, COURT_BYTES)?).map_err(|_| "is no text in UTF-8".to_owned())
}

/// The content of an ordinary file that is not too large.
pub(crate) fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, String> {
    let cannot = |error: std::io::Error| format!("cannot be read: {error}");
    if !fs::metadata(path).map_err(cannot)?.is_file() {
        return Err("is no file".to_owned());
    }
    let mut content = Vec::new();
    File::open(path).map_err(cannot)?.take(limit + 1).read_to_end(&mut content).map_err(cannot)?;
    if content.len() as u64 > limit {
        return Err(format!("is larger than {} KiB", limit >> 10));
    }
    Ok(content)
}

/// A ruleset with its plugins, ready to be started.
pub struct Loaded {
    /// The name by which records call it.
    pub name: String,
    /// The ruleset.
    pub compiled: Compiled,
    /// Its plugins.
    pub host: Arc<dyn HostCall>,
    /// The program that was asked for last, with its options.
    lowered: Mutex<Option<(Vec<i32>, Arc<Program>)>>,
}

impl Loaded {
    /// Loads the ruleset of that name or path.
    ///
    /// # Errors
    /// There is none, or it has errors.
    pub fn find(name: &str) -> Result<Loaded, CliError> {
        Ok(Loaded::load(&CourtFiles::find(name)?)?)
    }

    /// Compiles a ruleset and loads its plugins.
    ///
    /// # Errors
    /// All problems.
    pub fn load(files: &CourtFiles) -> Result<Loaded, Box<Failure>> {
        files.read.borrow_mut().clear();
        files.at_home.set(files.home.is_some());
        let result = compile(files, &files.name).and_then(|compiled| match plugins(&compiled) {
            Ok(host) => {
                let lowered = Mutex::default();
                Ok(Loaded { name: files.name.clone(), compiled, host: Arc::new(host), lowered })
            }
            Err(problems) => Err(Box::new(Failure { sources: compiled.sources, problems })),
        });
        result.map_err(|mut failure| {
            let notes = files.notes.take().join("; ");
            let missing = failure.problems.iter_mut().find(|problem| problem.code == "no-file");
            if let Some(problem) = missing.filter(|_| !notes.is_empty()) {
                let help = problem.help.take().map_or(String::new(), |help| format!("; {help}"));
                problem.help = Some(notes + &help);
            }
            failure
        })
    }

    /// The program of the rules with these options; `None` when the walker must do.
    #[must_use]
    pub fn program(&self, options: &[i32]) -> Option<Arc<Program>> {
        let mut lowered = self.lowered.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((_, program)) = lowered.as_ref().filter(|(known, _)| known == options) {
            return Some(program.clone());
        }
        let program = fullcourt_compiler::lower::program_of(&self.compiled.rules, options, &self.host)?;
        *lowered = Some((options.to_vec(), program.clone()));
        Some(program)
    }

    /// The program with these shapes, which is not kept.
    #[must_use]
    pub fn program_with(&self, options: &[i32], shapes: Shapes) -> Option<Arc<Program>> {
        program_of_with(&self.compiled.rules, options, &self.host, shapes)
    }

    /// Starts a game.
    ///
    /// # Errors
    /// A wrong setup, or a fault of the rules.
    pub fn start(&self, options: &[i32], setup: &Setup) -> Result<Box<dyn Session>, StartError> {
        start(&self.compiled.rules, options, &self.host, setup, self.program(options).as_ref())
    }
}

/// Loads the plugins of a ruleset.
fn plugins(compiled: &Compiled) -> Result<PluginHost, Vec<Problem>> {
    let rules = &compiled.rules;
    let functions = |plugin: &str| -> Vec<(String, Signature)> {
        let own = rules.plugin_fns.iter().filter(|def| def.plugin == plugin);
        own.map(|def| (def.name.clone(), def.signature.clone())).collect()
    };
    let declared: Vec<_> = compiled.modules.iter().map(|module| functions(&module.name)).collect();
    let sources: Vec<_> = compiled
        .modules
        .iter()
        .zip(&declared)
        .map(|(module, functions)| PluginSource { name: &module.name, bytes: &module.bytes, functions })
        .collect();
    let limits = HostLimits {
        places: u16::try_from(rules.board.places()).unwrap_or(u16::MAX),
        sides: u8::try_from(rules.sides.len()).unwrap_or(u8::MAX),
        kinds: u8::try_from(rules.kinds.len()).unwrap_or(u8::MAX),
    };
    PluginHost::load(&sources, limits).map_err(|errors| {
        let problem = |error: &fullcourt_plugin_host::LoadError| Problem {
            span: place_of(compiled, &error.plugin, error.function.as_deref()),
            code: error.code,
            level: Level::Error,
            message: error.text.clone(),
            labels: Vec::new(),
            help: error.help.clone(),
            fix: None,
        };
        let warnings = compiled.warnings.iter().cloned();
        errors.iter().map(problem).chain(warnings).collect()
    })
}

/// Where a plugin, or one of its functions, is declared.
fn place_of(compiled: &Compiled, plugin: &str, function: Option<&str>) -> Span {
    let own = || compiled.rules.plugin_fns.iter().filter(|def| def.plugin == plugin);
    let def = own().find(|def| Some(def.name.as_str()) == function).or_else(|| own().next());
    def.map_or_else(Span::default, |def| span_of(def.origin))
}
