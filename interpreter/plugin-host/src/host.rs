//! The host of a ruleset's plugins: the public face.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use fullcourt_engine::hostcall::{Direct, HostCall, HostFault, HostFnId, HostLimits, HostValue, Signature};

use crate::abi::Width;
use crate::check::{self, Function, Plugin};
use crate::error::{self, LoadError};
use crate::meter;
use crate::run::{Lane, Scope};
use crate::sandbox::{self, Stop};

/// How many threads can be inside plugins at once; more wait.
const LANES: usize = 8;

/// A module and what the ruleset declares of it.
#[derive(Clone, Copy, Debug)]
pub struct PluginSource<'a> {
    /// The name of the plugin in the ruleset.
    pub name: &'a str,
    /// The module in the binary format.
    pub bytes: &'a [u8],
    /// The declared functions with their types.
    pub functions: &'a [(String, Signature)],
}

/// The loaded plugins of a ruleset, ready to be called from any thread.
pub struct PluginHost {
    plugins: Vec<Plugin>,
    /// All functions in the order of declaration, each with the place of its plugin.
    functions: Vec<(usize, Function)>,
    scope: Scope,
    lanes: [Mutex<Lane>; LANES],
}

impl PluginHost {
    /// Checks and compiles the plugins of a ruleset. Functions are numbered from 0 in the order of the
    /// plugins and of the declarations within each.
    ///
    /// # Errors
    /// Every reason why a plugin does not fit its declarations, in the order of the plugins.
    pub fn load(plugins: &[PluginSource<'_>], limits: HostLimits) -> Result<PluginHost, Vec<LoadError>> {
        let scope = Scope { limits, width: Width::of(limits) };
        let mut host = PluginHost {
            plugins: Vec::with_capacity(plugins.len()),
            functions: Vec::new(),
            scope,
            lanes: Default::default(),
        };
        let mut errors = Vec::new();
        for source in plugins {
            let loaded = sandbox::engine().map_err(|reason| {
                let text = format!("plugin `{}` cannot run on this machine: {reason}", source.name);
                vec![LoadError::new(error::SANDBOX, source.name, text)]
            });
            match loaded.and_then(|engine| check::plugin(engine, source, scope.width)) {
                Ok((plugin, functions)) => {
                    let at = host.plugins.len();
                    host.functions.extend(functions.into_iter().map(|function| (at, function)));
                    host.plugins.push(plugin);
                }
                Err(reasons) => errors.extend(reasons),
            }
        }
        if errors.is_empty() { Ok(host) } else { Err(errors) }
    }

    /// The names of the plugin and the function behind a number.
    #[must_use]
    pub fn names(&self, id: HostFnId) -> Option<(&str, &str)> {
        let (at, function) = self.functions.get(usize::from(id.0))?;
        Some((&self.plugins.get(*at)?.name, &function.name))
    }

    /// How many functions are loaded.
    #[must_use]
    pub fn functions(&self) -> usize {
        self.functions.len()
    }

    /// A free lane, or the first one when it gets free. Which one does not show in any answer.
    fn lane(&self) -> MutexGuard<'_, Lane> {
        let [first, rest @ ..] = &self.lanes;
        for lane in std::iter::once(first).chain(rest) {
            match lane.try_lock() {
                Ok(lane) => return lane,
                Err(TryLockError::Poisoned(poisoned)) => return renewed(poisoned),
                Err(TryLockError::WouldBlock) => {}
            }
        }
        first.lock().unwrap_or_else(renewed)
    }
}

/// A lane whose user panicked starts anew.
fn renewed(poisoned: PoisonError<MutexGuard<'_, Lane>>) -> MutexGuard<'_, Lane> {
    let mut lane = poisoned.into_inner();
    *lane = Lane::default();
    lane
}

impl HostCall for PluginHost {
    fn call(&self, id: HostFnId, args: &[HostValue]) -> Result<HostValue, HostFault> {
        let found = self.functions.get(usize::from(id.0));
        let Some((at, function, plugin)) = found.and_then(|(at, f)| Some((*at, f, self.plugins.get(*at)?))) else {
            return Err(HostFault { code: error::MISSING, text: format!("plugin function {} is not loaded", id.0) });
        };
        let answer = self.lane().answer((at, plugin), (id.0, function), args, self.scope);
        answer.map_err(|Stop { code, text }| HostFault {
            code,
            text: format!("function `{}` of plugin `{}` {text}", function.name, plugin.name),
        })
    }

    fn direct(&self, id: HostFnId) -> Option<Direct> {
        let (at, function) = self.functions.get(usize::from(id.0))?;
        let plugin = self.plugins.get(*at)?;
        let export = plugin.module.export(function.slot)?;
        if !function.quiet || self.scope.width != Width::Narrow {
            return None;
        }
        let module = meter::metered(plugin.module.bytes(), export)?;
        Some(Direct { module, export: export.to_owned() })
    }
}

impl fmt::Debug for PluginHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |plugin: &Plugin| plugin.name.clone();
        f.debug_struct("PluginHost")
            .field("plugins", &self.plugins.iter().map(name).collect::<Vec<_>>())
            .field("functions", &self.functions.len())
            .field("limits", &self.scope.limits)
            .finish()
    }
}
