//! What the tests share: modules in text, signatures, and sets.
#![allow(dead_code, reason = "each test file uses its own part")]

use fullcourt_engine::hostcall::{HostCall, HostFault, HostFnId, HostLimits, HostType, HostValue, Signature};
use fullcourt_plugin_host::{LoadError, PluginHost, PluginSource};

pub const NARROW: HostLimits = HostLimits { places: 64, sides: 2, kinds: 6 };
pub const WIDE: HostLimits = HostLimits { places: 80, sides: 2, kinds: 6 };

pub fn declare(name: &str, params: &[HostType], result: HostType) -> (String, Signature) {
    (name.to_owned(), Signature { params: params.to_vec(), result })
}

/// Loads one plugin `bad` from its text.
pub fn load(text: &str, functions: &[(String, Signature)], limits: HostLimits) -> Result<PluginHost, Vec<LoadError>> {
    load_bytes(&wat::parse_str(text).expect("the module is well written"), functions, limits)
}

pub fn load_bytes(
    bytes: &[u8],
    functions: &[(String, Signature)],
    limits: HostLimits,
) -> Result<PluginHost, Vec<LoadError>> {
    PluginHost::load(&[PluginSource { name: "bad", bytes, functions }], limits)
}

/// The only reason why a plugin is refused.
pub fn refused(text: &str, functions: &[(String, Signature)], limits: HostLimits) -> LoadError {
    only(load(text, functions, limits))
}

pub fn only(loaded: Result<PluginHost, Vec<LoadError>>) -> LoadError {
    let mut errors = loaded.expect_err("the plugin is refused");
    assert_eq!(errors.len(), 1, "{errors:?}");
    let error = errors.remove(0);
    assert_eq!(error.plugin, "bad");
    error
}

/// Loads one plugin whose function is called `f`.
pub fn host(text: &str, params: &[HostType], result: HostType, limits: HostLimits) -> PluginHost {
    load(text, &[declare("f", params, result)], limits).expect("the plugin is accepted")
}

pub fn call(host: &PluginHost, args: &[HostValue]) -> Result<HostValue, HostFault> {
    host.call(HostFnId(0), args)
}

/// The fault of a call, which names plugin and function.
pub fn fault(host: &PluginHost, args: &[HostValue]) -> HostFault {
    let fault = call(host, args).expect_err("the call faults");
    assert!(fault.text.starts_with("function `f` of plugin `bad` "), "{}", fault.text);
    fault
}

pub fn set(places: impl IntoIterator<Item = usize>) -> [u64; 8] {
    let mut words = [0; 8];
    for place in places {
        words[place / 64] |= 1 << (place % 64);
    }
    words
}

/// A plain generator of numbers that look random.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// Each place with about this many chances in 8.
    pub fn set(&mut self, places: usize, eighths: u64) -> [u64; 8] {
        set((0..places).filter(|_| self.next() % 8 < eighths))
    }
}
