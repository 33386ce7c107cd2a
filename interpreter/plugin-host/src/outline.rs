//! What a module says of itself, read without compiling it.
//!
//! In: the bytes of a valid module. Out: what it imports, exports and reserves, and whether making an
//! instance of it is certain to work. Reading takes microseconds where compiling takes milliseconds.

use wasmtime::wasmparser::{
    BinaryReaderError, ConstExpr, DataKind, ElementItems, ElementKind, ExternalKind, FuncType, Operator, Parser,
    Payload, TypeRef,
};

/// The bytes of a page of memory: modules with pages of other sizes are not valid here.
const PAGE_BYTES: u64 = 64 * 1024;

/// What is exported under a name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Export {
    Function(FuncType),
    Memory,
    Other,
}

/// The outside of a module.
#[derive(Debug, Default)]
pub(crate) struct Outline<'a> {
    /// Module and name of each import.
    pub(crate) imports: Vec<(&'a str, &'a str)>,
    /// Name and kind of each export.
    pub(crate) exports: Vec<(&'a str, Export)>,
    /// The bytes of memory an instance starts with.
    pub(crate) memory: u64,
    /// The tables of an instance.
    pub(crate) tables: usize,
    /// The elements that the largest table starts with.
    pub(crate) elements: u64,
    /// Whether an instance is made without running code of the module, and all its data fits: then making
    /// one cannot fail for a reason that lies in the module.
    pub(crate) plain: bool,
}

impl<'a> Outline<'a> {
    /// Reads a module.
    ///
    /// # Errors
    /// When the bytes are no module.
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, BinaryReaderError> {
        let mut types: Vec<FuncType> = Vec::new();
        // The type of each function, imported ones first.
        let mut functions: Vec<u32> = Vec::new();
        let mut exports = Vec::new();
        let mut outline = Outline { plain: true, ..Outline::default() };
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::TypeSection(section) => {
                    types = section.into_iter_err_on_gc_types().collect::<Result<_, _>>()?;
                }
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        let import = import?;
                        outline.imports.push((import.module, import.name));
                        if let TypeRef::Func(of) | TypeRef::FuncExact(of) = import.ty {
                            functions.push(of);
                        }
                    }
                }
                Payload::FunctionSection(section) => {
                    for of in section {
                        functions.push(of?);
                    }
                }
                Payload::TableSection(section) => {
                    for table in section {
                        outline.tables += 1;
                        outline.elements = outline.elements.max(table?.ty.initial);
                    }
                }
                Payload::MemorySection(section) => {
                    for memory in section {
                        outline.memory = outline.memory.max(memory?.initial.saturating_mul(PAGE_BYTES));
                    }
                }
                Payload::ExportSection(section) => {
                    for export in section {
                        let export = export?;
                        exports.push((export.name, export.kind, export.index as usize));
                    }
                }
                Payload::StartSection { .. } => outline.plain = false,
                Payload::ElementSection(section) => {
                    for element in section {
                        let element = element?;
                        let count = match &element.items {
                            ElementItems::Functions(items) => items.count(),
                            ElementItems::Expressions(_, items) => items.count(),
                        };
                        if let ElementKind::Active { offset_expr, .. } = &element.kind {
                            outline.plain &= fits(offset_expr, u64::from(count), outline.elements);
                        }
                    }
                }
                Payload::DataSection(section) => {
                    for data in section {
                        let data = data?;
                        if let DataKind::Active { offset_expr, .. } = &data.kind {
                            outline.plain &= fits(offset_expr, data.data.len() as u64, outline.memory);
                        }
                    }
                }
                _ => {}
            }
        }
        let kind = |kind, index: usize| match kind {
            ExternalKind::Memory => Export::Memory,
            ExternalKind::Func | ExternalKind::FuncExact => {
                let of = functions.get(index).and_then(|&of| types.get(of as usize));
                of.map_or(Export::Other, |of| Export::Function(of.clone()))
            }
            _ => Export::Other,
        };
        outline.exports = exports.into_iter().map(|(name, of, index)| (name, kind(of, index))).collect();
        Ok(outline)
    }

    /// What is exported under a name.
    pub(crate) fn export(&self, name: &str) -> Option<&Export> {
        self.exports.iter().find(|(known, _)| *known == name).map(|(_, export)| export)
    }
}

/// Whether so much from a place on lies within a size, as far as is seen without running anything.
fn fits(offset: &ConstExpr<'_>, count: u64, size: u64) -> bool {
    let mut operators = offset.get_operators_reader();
    let (Ok(Operator::I32Const { value }), Ok(Operator::End)) = (operators.read(), operators.read()) else {
        return false;
    };
    // The module means its addresses without a sign.
    u64::from(value as u32).checked_add(count).is_some_and(|end| end <= size)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test ends where something is wrong")]
mod tests {
    use super::{Export, Outline};
    use wasmtime::wasmparser::ValType;
    use wasmtime::{ExternType, Module};

    fn plain(fields: &str) -> bool {
        Outline::read(&wat::parse_str(format!("(module {fields})")).unwrap()).unwrap().plain
    }

    #[test]
    fn exports_have_their_types() {
        let text = r#"(module (import "a" "b" (func (param i64))) (type (func)) (memory (export "m") 3)
            (table 7 funcref) (global (export "g") i32 (i32.const 0)) (export "i" (func 0))
            (func (export "f") (param i32 i64) (result f32) f32.const 0))"#;
        let bytes = wat::parse_str(text).unwrap();
        let outline = Outline::read(&bytes).unwrap();
        assert_eq!(outline.imports, [("a", "b")]);
        assert_eq!((outline.memory, outline.tables, outline.elements), (3 << 16, 1, 7));
        assert_eq!(outline.export("m"), Some(&Export::Memory));
        assert_eq!(outline.export("g"), Some(&Export::Other));
        assert_eq!(outline.export("x"), None);
        let shown = |name| match outline.export(name) {
            Some(Export::Function(of)) => format!("{:?} {:?}", of.params(), of.results()),
            other => format!("{other:?}"),
        };
        assert_eq!(shown("f"), "[I32, I64] [F32]");
        assert_eq!(shown("i"), "[I64] []");
    }

    #[test]
    fn what_is_certain_to_start() {
        assert!(plain(""));
        assert!(plain(r#"(memory 1) (data (i32.const 65534) "ab") (data "passive")"#));
        assert!(plain("(table 2 funcref) (elem (i32.const 0) $f $f) (func $f)"));
        assert!(plain("(table 0 funcref) (elem declare func $f) (func $f)"));
    }

    #[test]
    fn what_must_be_tried() {
        assert!(!plain("(start $f) (func $f)"));
        assert!(!plain(r#"(memory 1) (data (i32.const 65535) "ab")"#));
        assert!(!plain(r#"(memory 1) (data (i32.const -1) "")"#));
        assert!(!plain(r#"(memory 0) (data (i32.const 1) "")"#));
        assert!(!plain(r#"(memory 1) (data (offset (i32.add (i32.const 1) (i32.const 2))) "ab")"#));
        assert!(!plain(r#"(memory 1) (global $g i32 (i32.const 1)) (data (global.get $g) "ab")"#));
        assert!(!plain("(table 1 funcref) (elem (i32.const 0) $f $f) (func $f)"));
    }

    /// The machine that compiles modules sees the same outside in them.
    #[test]
    fn it_agrees_with_the_compiler() {
        let text = r#"(module (type (func (param i64))) (type (func (result f64 i32))) (memory (export "m") 3 5)
            (table (export "t") 7 funcref) (global (export "g") i32 (i32.const 0)) (func (type 0))
            (func (export "two") (type 1) f64.const 0 i32.const 0) (func (export "one") (type 0)))"#;
        let folders = std::fs::read_dir(format!("{}/../../plugins", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let folders = folders.map(|folder| folder.unwrap().path()).filter(|folder| folder.is_dir());
        let files = folders.flat_map(|folder| std::fs::read_dir(folder).unwrap()).map(|file| file.unwrap().path());
        let shipped: Vec<Vec<u8>> = files
            .filter(|file| file.extension().is_some_and(|end| end == "wasm"))
            .map(|file| std::fs::read(file).unwrap())
            .collect();
        assert!(shipped.len() >= 2);
        let engine = crate::sandbox::engine().unwrap();
        for bytes in [wat::parse_str(text).unwrap()].iter().chain(&shipped) {
            let outline = Outline::read(bytes).unwrap();
            let module = Module::new(engine, bytes).unwrap();
            let kind = |of: ExternType| match of {
                ExternType::Func(of) => {
                    let texts = |types: Vec<String>| types.join(" ");
                    let params = texts(of.params().map(|of| of.to_string()).collect());
                    format!("{params}: {}", texts(of.results().map(|of| of.to_string()).collect()))
                }
                ExternType::Memory(_) => "memory".to_owned(),
                _ => "other".to_owned(),
            };
            let seen = |export: &Export| match export {
                Export::Function(of) => {
                    let texts = |types: &[ValType]| types.iter().map(ValType::to_string).collect::<Vec<_>>().join(" ");
                    format!("{}: {}", texts(of.params()), texts(of.results()))
                }
                Export::Memory => "memory".to_owned(),
                Export::Other => "other".to_owned(),
            };
            let theirs: Vec<_> = module.exports().map(|export| (export.name().to_owned(), kind(export.ty()))).collect();
            let ours: Vec<_> = outline.exports.iter().map(|(name, of)| ((*name).to_owned(), seen(of))).collect();
            assert_eq!(ours, theirs);
            let needs = module.resources_required();
            assert_eq!(outline.memory, needs.max_initial_memory_size.unwrap_or(0) * 65536);
            assert_eq!(outline.tables, needs.num_tables as usize);
            assert_eq!(outline.elements, needs.max_initial_table_size.unwrap_or(0));
        }
    }
}
