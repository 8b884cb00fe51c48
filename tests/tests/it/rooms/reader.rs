//! Which rooms of a crate use which. A room is a module that the root of the crate declares and that has a file of its own.
//!
//! The tokens are read, and not the syntax, so that uses inside of macros count. What is only compiled for tests does not, and neither
//! does `$crate`, which stands in the definition of a macro for wherever it is expanded.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};

/// Each room with those that it uses.
pub(crate) type Rooms = BTreeMap<String, BTreeSet<String>>;

/// Reads the rooms of the crate whose root has this text. `file` gives the text of a file below the folder of the root.
///
/// Fails with the uses of names that the root does not have.
pub(crate) fn read(root: &str, file: &dyn Fn(&str) -> Option<String>) -> Result<Rooms, Vec<String>> {
    let tokens = without_tests(parse("the root", root));
    let mut reader = Reader { file, root: Root::of(&tokens), used: Vec::new() };
    let rooms: Vec<String> = reader.root.rooms.iter().cloned().collect();
    for room in &rooms {
        reader.module_file(std::slice::from_ref(room));
    }
    let mut found: Rooms = rooms.into_iter().map(|it| (it, BTreeSet::new())).collect();
    let mut unknown = Vec::new();
    for (room, path) in std::mem::take(&mut reader.used) {
        match reader.root.rooms_of(&path[0]) {
            Some(others) => {
                let others = others.into_iter().filter(|it| *it != room);
                found.entry(room.clone()).or_default().extend(others);
            }
            None => unknown.push(format!("{room}: crate::{} is nothing that the root has", path.join("::"))),
        }
    }
    if unknown.is_empty() { Ok(found) } else { Err(unknown) }
}

/// What the root of a crate has.
#[derive(Default)]
struct Root {
    rooms: BTreeSet<String>,
    /// The names that it takes from rooms, each with its room.
    taken: BTreeMap<String, String>,
    /// Everything else: its own items, and what it takes from other crates.
    others: BTreeSet<String>,
}

impl Root {
    fn of(tokens: &[TokenTree]) -> Root {
        let mut root = Root::default();
        let mut uses = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let next = || tokens.get(at + 1).and_then(ident);
            match ident(token).as_deref() {
                Some("mod") if tokens.get(at + 2).is_some_and(|it| is_punct(it, ';')) => {
                    root.rooms.extend(next());
                }
                Some("mod" | "fn" | "struct" | "enum" | "const" | "static" | "type" | "trait") => {
                    root.others.extend(next());
                }
                Some("macro_rules") => root.others.extend(tokens.get(at + 2).and_then(ident)),
                Some("use") => leaves(&tokens[at + 1..], Vec::new(), &mut uses),
                _ => {}
            }
        }
        for (path, name) in uses {
            let path: Vec<&String> =
                path.iter().filter(|it| !["crate", "self"].contains(&it.as_str())).collect();
            match path.first() {
                Some(first) if root.rooms.contains(*first) => _ = root.taken.insert(name, (*first).clone()),
                _ => _ = root.others.insert(name),
            }
        }
        root
    }

    /// The rooms behind a name of the root; `None` if it has no such name.
    fn rooms_of(&self, name: &str) -> Option<Vec<String>> {
        if self.rooms.contains(name) {
            Some(vec![name.to_owned()])
        } else if let Some(room) = self.taken.get(name) {
            Some(vec![room.clone()])
        } else {
            self.others.contains(name).then(Vec::new)
        }
    }
}

struct Reader<'a> {
    file: &'a dyn Fn(&str) -> Option<String>,
    root: Root,
    /// What is used by which room, as paths from the root.
    used: Vec<(String, Vec<String>)>,
}

impl Reader<'_> {
    /// Reads the file of this module, and those below it.
    fn module_file(&mut self, module: &[String]) {
        let path = module.join("/");
        let text = (self.file)(&format!("{path}.rs")).or_else(|| (self.file)(&format!("{path}/mod.rs")));
        let text = text.unwrap_or_else(|| panic!("the module {path} has no file"));
        self.tokens(parse(&path, &text), module);
    }

    fn tokens(&mut self, stream: TokenStream, module: &[String]) {
        let tokens = without_tests(stream);
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            match (token, ident(token).as_deref()) {
                (_, Some("mod")) => {
                    let inner = tokens.get(at + 1).and_then(ident).unwrap_or_default();
                    let inner: Vec<String> = module.iter().cloned().chain([inner]).collect();
                    match tokens.get(at + 2) {
                        Some(TokenTree::Group(body)) => self.tokens(body.stream(), &inner),
                        _ => self.module_file(&inner),
                    }
                    at += 2;
                }
                (_, Some(head @ ("crate" | "self" | "super"))) if is_path_head(&tokens, at) => {
                    let mut base = module.to_vec();
                    match head {
                        "crate" => base.clear(),
                        "super" => _ = base.pop(),
                        _ => {}
                    }
                    let mut found = Vec::new();
                    leaves(&tokens[at + 1..], base, &mut found);
                    let room = &module[0];
                    self.used.extend(
                        found.into_iter().map(|it| (room.clone(), it.0)).filter(|it| !it.1.is_empty()),
                    );
                }
                (TokenTree::Group(group), _) => self.tokens(group.stream(), module),
                _ => {}
            }
            at += 1;
        }
    }
}

/// Whether a path begins here, and goes on.
fn is_path_head(tokens: &[TokenTree], at: usize) -> bool {
    let is_colon = |at: Option<usize>| at.and_then(|it| tokens.get(it)).is_some_and(|it| is_punct(it, ':'));
    let of_macro = at.checked_sub(1).is_some_and(|it| is_punct(&tokens[it], '$'));
    let goes_on = is_colon(Some(at + 1)) && is_colon(Some(at + 2));
    goes_on && !of_macro && !(is_colon(at.checked_sub(1)) && is_colon(at.checked_sub(2)))
}

/// The paths that a path, or the tree of a `use`, stands for, each with the name that it gives to what it leads to. `base` is what came
/// before these tokens.
fn leaves(tokens: &[TokenTree], base: Vec<String>, found: &mut Vec<(Vec<String>, String)>) {
    let mut path = base;
    let mut at = 0;
    loop {
        while tokens.get(at).is_some_and(|it| is_punct(it, ':')) {
            at += 1;
        }
        match tokens.get(at) {
            Some(TokenTree::Group(list)) if list.delimiter() == Delimiter::Brace => {
                let inner: Vec<TokenTree> = list.stream().into_iter().collect();
                for part in inner.split(|it| is_punct(it, ',')).filter(|it| !it.is_empty()) {
                    leaves(part, path.clone(), found);
                }
                return;
            }
            Some(token) => match ident(token).as_deref() {
                Some("super") => _ = path.pop(),
                Some("self") if !path.is_empty() => {}
                Some(name) => path.push(name.to_owned()),
                None if is_punct(token, '*') => {
                    found.push((path, "*".to_owned()));
                    return;
                }
                None => break,
            },
            None => break,
        }
        at += 1;
        let goes_on = |at: usize| tokens.get(at).is_some_and(|it| is_punct(it, ':'));
        if !(goes_on(at) && goes_on(at + 1)) {
            break;
        }
    }
    let renamed = tokens.get(at).and_then(ident).filter(|it| it == "as");
    let name = renamed.and_then(|_| tokens.get(at + 1).and_then(ident)).or_else(|| path.last().cloned());
    found.push((path, name.unwrap_or_default()));
}

/// The tokens of one level without what is only compiled for tests.
fn without_tests(stream: TokenStream) -> Vec<TokenTree> {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let mut kept = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match tokens.get(at + 1) {
            Some(TokenTree::Group(attribute))
                if is_punct(token, '#') && is_for_tests(&attribute.stream()) =>
            {
                let ends = |it: &TokenTree| {
                    is_punct(it, ';')
                        || is_punct(it, ',')
                        || matches!(it, TokenTree::Group(it) if it.delimiter() == Delimiter::Brace)
                };
                at += 2;
                while tokens.get(at).is_some_and(|it| !ends(it)) {
                    at += 1;
                }
            }
            _ => kept.push(token.clone()),
        }
        at += 1;
    }
    kept
}

/// Whether an attribute is `cfg(test)` or `cfg(all(test, …))`.
fn is_for_tests(attribute: &TokenStream) -> bool {
    let text: String = attribute.to_string().split_whitespace().collect();
    text == "cfg(test)" || text.starts_with("cfg(all(test,")
}

fn parse(name: &str, text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn ident(token: &TokenTree) -> Option<String> {
    match token {
        TokenTree::Ident(it) => Some(it.to_string()),
        _ => None,
    }
}

fn is_punct(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(it) if it.as_char() == sign)
}

#[test]
fn uses_are_seen_in_lists_in_macros_behind_super_and_behind_names_of_the_root() {
    let files = [
        ("ground.rs", "pub struct Ground;"),
        ("list.rs", "use crate::{ground::{self, Ground}, other};"),
        ("in_macro.rs", "fn f() { assert!(matches!(x, crate::ground::Ground)); }"),
        ("above/mod.rs", "mod inner; use super::list;"),
        (
            "above/inner.rs",
            "use super::super::other::Other; use super::Own; mod deep { use super::super::super::ground; }",
        ),
        ("other.rs", "use crate::Renamed; pub(crate) fn f() {}"),
        (
            "tested.rs",
            "#[cfg(test)] mod tests { use crate::other; }\n#[cfg(test)] use crate::list;\nfn f() { $crate::list::f() }",
        ),
    ];
    let file = |path: &str| files.iter().find(|it| it.0 == path).map(|it| it.1.to_owned());
    let root = "pub mod ground; mod list; mod in_macro; mod above; mod other; mod tested; pub use ground::Ground as Renamed;";
    let drawn = |rooms: &Rooms| -> Vec<String> {
        let line = |(room, used): (&String, &BTreeSet<String>)| {
            format!("{room}: {}", used.iter().cloned().collect::<Vec<_>>().join(" "))
        };
        rooms.iter().map(line).collect()
    };
    let expected = [
        "above: ground list other",
        "ground: ",
        "in_macro: ground",
        "list: ground other",
        "other: ground",
        "tested: ",
    ];
    assert_eq!(read(root, &file).as_ref().map(drawn), Ok(expected.map(str::to_owned).to_vec()));
    let unknown = read("mod other;", &file).expect_err("the root has no such name");
    assert_eq!(unknown, ["other: crate::Renamed is nothing that the root has"]);
}
