//! Makes tables of the shipped rulesets, libraries and plugins, so that the program carries them.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?).join("../..");
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    let mut code = String::new();
    table(&mut code, "RULESETS", "include_str!", "str", &files(&root.join("rulesets"), "court")?)?;
    table(&mut code, "LIBRARIES", "include_str!", "str", &files(&root.join("stdlib"), "court")?)?;
    let plugins = root.join("plugins");
    let mut modules = Vec::new();
    for entry in entries(&plugins)? {
        if entry.is_dir() {
            modules.extend(files(&entry, "wasm")?);
        }
    }
    table(&mut code, "PLUGINS", "include_bytes!", "[u8]", &modules)?;
    fs::write(out.join("embedded.rs"), code)
}

/// What lies in a folder, sorted.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    Ok(entries)
}

/// The files of a folder with this extension, each with its name without it.
fn files(folder: &Path, extension: &str) -> io::Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
    for path in entries(folder)? {
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        if let Some(stem) = stem.filter(|_| path.extension().is_some_and(|e| e == extension)) {
            found.push((stem.to_owned(), path.canonicalize()?));
        }
    }
    Ok(found)
}

fn table(code: &mut String, name: &str, include: &str, ty: &str, files: &[(String, PathBuf)]) -> io::Result<()> {
    let mut line = |text: String| writeln!(code, "{text}").map_err(io::Error::other);
    line(format!("pub(super) static {name}: &[(&str, &{ty})] = &["))?;
    for (stem, path) in files {
        line(format!("    ({stem:?}, {include}({:?})),", path.display().to_string()))?;
    }
    line("];".to_owned())
}
