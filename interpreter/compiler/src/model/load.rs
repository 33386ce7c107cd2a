//! The files of a ruleset, read and merged into one list of items.
//!
//! In: the name of a ruleset and a way to read files. Out: items in order, each with the file it came from, after
//! `replace`, `add`, `without` and `set` of the rulesets that extend others. Nothing here knows what an item means.

use crate::Files;
use crate::diagnostics::{FileId, Problem, Problems, Sources, Span, nearest};
use crate::syntax::ast::{Ast, Item, ItemKind, Name};
use crate::syntax::parse;

/// The version of the language that this compiler reads.
pub const LANGUAGE: i64 = 1;
const MAX_FILES: usize = 64;
const MAX_EXTENDS: usize = 16;

/// The merged items.
#[derive(Debug, Default)]
pub struct Merged {
    /// Items in order; of extending rulesets those that were added come last.
    pub items: Vec<Item>,
    /// `set option = value` of extending rulesets, in order.
    pub sets: Vec<(Name, Name)>,
    /// The title of the outermost ruleset.
    pub title: Option<String>,
    /// What was taken away, with the place where: for advice at its uses.
    pub removed: Vec<(String, Span)>,
    /// How late each file comes: libraries 0, then the ruleset that extends none, then those that extend it.
    pub rank: Vec<(FileId, usize)>,
}

impl Merged {
    /// How late a file comes.
    #[must_use]
    pub fn rank_of(&self, file: FileId) -> usize {
        self.rank.iter().find(|(known, _)| *known == file).map_or(0, |(_, rank)| *rank)
    }
}

/// What kind of item it is and its name; the kind alone for items of which there is only one.
#[must_use]
pub fn key(item: &ItemKind) -> Option<(&'static str, &str, Span)> {
    Some(match item {
        ItemKind::Side { name, .. } => ("side", &name.text, name.span),
        ItemKind::Board { .. } => ("board", "", Span::default()),
        ItemKind::Zone { name, .. } => ("zone", &name.text, name.span),
        ItemKind::Option { name, .. } => ("option", &name.text, name.span),
        ItemKind::Setup { name, .. } => ("setup", &name.text, name.span),
        ItemKind::Reserve { name } => ("reserve", &name.text, name.span),
        ItemKind::Plugin { name, .. } => ("plugin", &name.text, name.span),
        ItemKind::Geometry { name, .. } => ("geometry", &name.text, name.span),
        ItemKind::Trait { name } => ("trait", &name.text, name.span),
        ItemKind::Piece { name, .. } => ("piece", &name.text, name.span),
        ItemKind::Span { name, .. } => ("span", &name.text, name.span),
        ItemKind::Mark { name, .. } => ("mark", &name.text, name.span),
        ItemKind::Counter { name, .. } => ("counter", &name.text, name.span),
        ItemKind::Clock { name, .. } => ("clock", &name.text, name.span),
        ItemKind::Latch { name, .. } => ("latch", &name.text, name.span),
        ItemKind::Count { name, .. } => ("count", &name.text, name.span),
        ItemKind::Var { name, .. } => ("var", &name.text, name.span),
        ItemKind::Event { name, .. } => ("event", &name.text, name.span),
        ItemKind::Phase { name, .. } => ("phase", &name.text, name.span),
        ItemKind::Define { name, .. } => ("define", &name.text, name.span),
        ItemKind::DefineAction { name, .. } => ("define action", &name.text, name.span),
        ItemKind::DefineRule { name, .. } => ("define rule", &name.text, name.span),
        ItemKind::Action { name, .. } => ("action", &name.text, name.span),
        ItemKind::Rule { name, .. } => ("rule", &name.text, name.span),
        ItemKind::Law { name, .. } => ("law", &name.text, name.span),
        ItemKind::History { name, .. } => ("history", &name.text, name.span),
        ItemKind::Position { name, .. } => ("position", &name.text, name.span),
        ItemKind::Start { name, .. } => ("start", &name.text, name.span),
        ItemKind::Notation { name, .. } => ("notation", &name.text, name.span),
        ItemKind::Record { name, .. } => ("record", &name.text, name.span),
        ItemKind::Recall { name } => ("recall", &name.text, name.span),
        ItemKind::Tally { name, .. } => ("tally", &name.text, name.span),
        ItemKind::Show { name, .. } => ("show", &name.text, name.span),
        ItemKind::Invariant { name, .. } => ("invariant", &name.text, name.span),
        _ => return None,
    })
}

/// The action of a notation: the same notation may be given for several.
fn action_of(item: &ItemKind) -> Option<&str> {
    match item {
        ItemKind::Notation { action, .. } => Some(&action.text),
        _ => None,
    }
}

/// Reads a ruleset and all it needs.
pub fn load(files: &dyn Files, entry: &str, sources: &mut Sources, problems: &mut Problems) -> Option<Merged> {
    let mut loader = Loader { files, sources, problems, used: Vec::new() };
    let Some((name, text)) = files.ruleset(entry) else {
        let names = files.ruleset_names();
        let near = nearest(entry, names.iter().map(String::as_str)).map(|near| format!("did you mean `{near}`?"));
        let id = loader.sources.add(entry, "");
        let message = format!("there is no ruleset `{entry}`");
        loader.problems.push(Problem::error("no-file", Span::new(id, 0, 0), message).help_maybe(near));
        return None;
    };
    let (file, ast) = loader.parse(name, text);
    loader.ruleset(file, ast, 0)
}

struct Loader<'a> {
    files: &'a dyn Files,
    sources: &'a mut Sources,
    problems: &'a mut Problems,
    used: Vec<String>,
}

impl Loader<'_> {
    fn parse(&mut self, name: String, text: String) -> (FileId, Ast) {
        let file = self.sources.add(name, text);
        let (ast, problems) = parse(self.sources.text(file), file);
        self.problems.extend(problems);
        (file, ast)
    }

    /// A ruleset's own items merged over those of the one it extends.
    fn ruleset(&mut self, file: FileId, ast: Ast, depth: usize) -> Option<Merged> {
        self.check_language(file, &ast);
        let mut merged = Merged::default();
        let base = ast.items.iter().find_map(|item| match &item.kind {
            ItemKind::Extends { path } => Some(path.clone()),
            _ => None,
        });
        if let Some(path) = &base {
            merged = self.base(path, depth)?;
        }
        merged.rank.push((file, MAX_EXTENDS + 1 - depth));
        for item in ast.items {
            self.item(item, base.is_some(), &mut merged);
        }
        Some(merged)
    }

    fn base(&mut self, path: &Name, depth: usize) -> Option<Merged> {
        if depth >= MAX_EXTENDS {
            let message = format!("rulesets extend each other more than {MAX_EXTENDS} deep, or in a circle");
            self.problems.push(Problem::error("circular", path.span, message));
            return None;
        }
        let Some((name, text)) = self.files.ruleset(&path.text) else {
            let names = self.files.ruleset_names();
            let near = nearest(&path.text, names.iter().map(String::as_str)).map(|n| format!("did you mean `{n}`?"));
            let message = format!("there is no ruleset `{}` to extend", path.text);
            let is_library = self.files.library_names().contains(&path.text);
            let uses = is_library.then(|| format!("it is a library: write `use {}`", path.text));
            self.problems.push(Problem::error("no-file", path.span, message).help_maybe(uses.or(near)));
            return None;
        };
        let (file, ast) = self.parse(name, text);
        self.ruleset(file, ast, depth + 1)
    }

    fn check_language(&mut self, file: FileId, ast: &Ast) {
        let language = ast.items.iter().find_map(|item| match &item.kind {
            ItemKind::Language { version, span } => Some((*version, *span)),
            _ => None,
        });
        match language {
            Some((LANGUAGE, _)) => {}
            Some((version, span)) => {
                let message = format!("this file is written in language {version}, and this program reads {LANGUAGE}");
                let help = "use a newer Fullcourt, or write the file in the language that this one reads";
                self.problems.push(Problem::error("language-version", span, message).help(help));
            }
            None if ast.items.is_empty() => {}
            None => {
                let span = Span::new(file, 0, 0);
                let message = "the file does not say in which language it is written";
                let problem = Problem::warning("language-version", span, message);
                self.problems.push(problem.help(format!("begin the file with `language {LANGUAGE}`")));
            }
        }
    }

    fn item(&mut self, item: Item, extending: bool, merged: &mut Merged) {
        match item.kind {
            ItemKind::Language { .. } | ItemKind::Extends { .. } => {}
            ItemKind::Ruleset { title } => merged.title = Some(title),
            ItemKind::Use { path } => self.library(&path, merged),
            ItemKind::SetOption { name, value } => merged.sets.push((name, value)),
            ItemKind::Replace { item: inner } => {
                if extending {
                    self.replace(*inner, merged);
                } else {
                    self.misplaced("replace", item.span);
                    self.item(*inner, extending, merged);
                }
            }
            ItemKind::Add { item: inner } => {
                if !extending {
                    self.misplaced("add", item.span);
                }
                match inner.kind {
                    ItemKind::Replace { .. } | ItemKind::Add { .. } | ItemKind::Without { .. } => {
                        let message = "`add` is followed by the item that is added";
                        self.problems.push(Problem::error("wrong-place", inner.span, message));
                    }
                    _ => self.item(*inner, extending, merged),
                }
            }
            ItemKind::Without { what, name } => {
                if extending {
                    self.without(what.as_ref(), &name, merged);
                } else {
                    self.misplaced("without", item.span);
                }
            }
            _ => merged.items.push(item),
        }
    }

    fn misplaced(&mut self, word: &str, span: Span) {
        let message = format!("`{word}` changes another ruleset, and this one extends none");
        let help = "begin the file with `extends NAME`, or leave the word out";
        self.problems.push(Problem::error("wrong-place", span, message).help(help));
    }

    fn library(&mut self, path: &Name, merged: &mut Merged) {
        if self.used.contains(&path.text) {
            return;
        }
        self.used.push(path.text.clone());
        if self.used.len() > MAX_FILES {
            let message = format!("a ruleset may use {MAX_FILES} libraries at the most");
            self.problems.push(Problem::error("too-large", path.span, message));
            return;
        }
        let Some((name, text)) = self.files.library(&path.text) else {
            let names = self.files.library_names();
            let near = nearest(&path.text, names.iter().map(String::as_str)).map(|n| format!("did you mean `{n}`?"));
            let message = format!("there is no library `{}`", path.text);
            let is_ruleset = self.files.ruleset_names().contains(&path.text);
            let extends = is_ruleset.then(|| format!("it is a ruleset: write `extends {}`", path.text));
            self.problems.push(Problem::error("no-file", path.span, message).help_maybe(extends.or(near)));
            return;
        };
        let (file, ast) = self.parse(name, text);
        self.check_language(file, &ast);
        for item in ast.items {
            if let ItemKind::Ruleset { .. } | ItemKind::Extends { .. } = item.kind {
                let message = "a library is no ruleset: it has neither title nor `extends`";
                self.problems.push(Problem::error("wrong-place", item.span, message));
            } else {
                self.item(item, false, merged);
            }
        }
    }

    fn replace(&mut self, inner: Item, merged: &mut Merged) {
        let Some((kind, name, span)) = key(&inner.kind) else {
            let message = "an item of this kind has no name, so it cannot be replaced";
            self.problems.push(Problem::error("wrong-place", inner.span, message));
            return;
        };
        // A ruleset begins in one way only, whichever template says it.
        let same = |(k, n, _): (&str, &str, Span)| k == kind && (n == name || kind == "start");
        let action = action_of(&inner.kind);
        let fits = |old: &Item| key(&old.kind).is_some_and(same) && action_of(&old.kind) == action;
        let found = merged.items.iter().position(fits);
        if let Some(index) = found {
            merged.items[index] = inner;
            return;
        }
        if let ItemKind::Notation { action, .. } = &inner.kind
            && merged.items.iter().filter_map(|old| key(&old.kind)).any(|(k, n, _)| k == kind && n == name)
        {
            let message = format!("there is no notation `{name}` of `{}` to replace", action.text);
            let known = merged.items.iter().filter(|old| key(&old.kind).is_some_and(same));
            let near = nearest(&action.text, known.filter_map(|old| action_of(&old.kind)));
            let help =
                near.map_or("to make something new write `add`".to_owned(), |near| format!("did you mean `{near}`?"));
            self.problems.push(Problem::error("nothing-to-replace", action.span, message).help(help));
            return;
        }
        let span = if name.is_empty() { inner.span } else { span };
        let candidates = merged.items.iter().filter_map(|old| key(&old.kind)).filter(|(k, ..)| *k == kind);
        let near = nearest(name, candidates.map(|(_, n, _)| n));
        let other = merged.items.iter().filter_map(|old| key(&old.kind)).find(|(_, n, _)| !n.is_empty() && *n == name);
        let other_kind = other.map(|(kind, ..)| kind);
        let help = match (other, near) {
            (Some((kind, ..)), _) => format!("`{name}` is a {kind} there: write `replace {kind} {name}`"),
            (None, Some(near)) => format!("did you mean `{near}`? To make something new write `add`"),
            (None, None) => "to make something new write `add`".to_owned(),
        };
        let message = format!("there is no {kind} `{name}` to replace");
        self.problems.push(Problem::error("nothing-to-replace", span, message).help(help));
        // Its name is there all the same, so that its uses are no further errors.
        if other_kind.is_none() {
            merged.items.push(inner);
        }
    }

    fn without(&mut self, what: Option<&Name>, name: &Name, merged: &mut Merged) {
        let fits = |item: &Item| {
            key(&item.kind).is_some_and(|(kind, n, _)| n == name.text && what.is_none_or(|what| what.text == kind))
        };
        let found: Vec<&'static str> =
            merged.items.iter().filter(|item| fits(item)).filter_map(|item| key(&item.kind)).map(|(k, ..)| k).collect();
        match found.as_slice() {
            // A notation is one thing, however many actions it is given for.
            [first, rest @ ..] if rest.is_empty() || found.iter().all(|kind| kind == first && *kind == "notation") => {
                merged.items.retain(|item| !fits(item));
                merged.removed.push((name.text.clone(), name.span));
            }
            [] => {
                let near =
                    nearest(&name.text, merged.items.iter().filter_map(|item| key(&item.kind)).map(|(_, n, _)| n));
                let message = format!("there is no `{}` to take away", name.text);
                let help = near.map(|near| format!("did you mean `{near}`?"));
                self.problems.push(Problem::error("nothing-to-replace", name.span, message).help_maybe(help));
            }
            kinds => {
                let message = format!("`{}` is the name of {} things", name.text, kinds.len());
                let help = format!("say which: `without {} {}`", kinds[0], name.text);
                self.problems.push(Problem::error("ambiguous", name.span, message).help(help));
            }
        }
    }
}
