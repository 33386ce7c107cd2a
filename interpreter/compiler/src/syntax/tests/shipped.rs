//! The shipped files.

use super::{good, said};
use std::fs;
use std::path::Path;

/// All shipped texts with their names.
pub(super) fn shipped() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut texts = Vec::new();
    for folder in ["rulesets", "stdlib"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ext| ext == "court") {
                texts.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    texts.sort();
    assert!(texts.len() >= 2);
    texts
}

#[test]
fn shipped_files_are_well_formed() {
    for (name, text) in shipped() {
        assert_eq!(said(&text), Vec::<String>::new(), "{name}");
        assert!(!good(&text).items.is_empty(), "{name}");
    }
}
