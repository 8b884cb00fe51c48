//! No other list of names of libraries: what the rest of the tool says of them in texts of its own is counted, file by file.
//!
//! `lists.txt` has what is left, and may only become shorter: a list, a path or a type that comes to it belongs into the rows.

use rvcheck_primitives::{libraries, named, owners_named};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What a file says of libraries.
#[derive(Clone, Default)]
struct Said {
    /// Three names or more side by side, most of which are of operations or types.
    lists: Vec<String>,
    /// Paths of items.
    paths: Vec<String>,
    /// Other texts with the name of a type.
    types: Vec<String>,
}

impl Said {
    fn of(text: &str) -> Said {
        let mut said = Said::default();
        let mut run: Vec<&str> = Vec::new();
        for (literal, follows) in literals(text) {
            if !follows || !is_name(literal) {
                said.lists.extend(list(&run));
                run.clear();
            }
            if is_name(literal) {
                run.push(literal);
            }
            if literal.contains(' ') {
                continue;
            }
            if is_path(literal) {
                said.paths.push(literal.to_owned());
            } else if has_type(literal) {
                said.types.push(literal.to_owned());
            }
        }
        said.lists.extend(list(&run));
        said
    }

    fn numbers(&self) -> [usize; 3] {
        [self.lists.len(), self.paths.len(), self.types.len()]
    }
}

fn is_name(literal: &str) -> bool {
    !literal.is_empty() && literal.chars().all(|it| it.is_alphanumeric() || "_:<".contains(it))
}

/// What stands side by side, if it is a list of names of libraries.
fn list(names: &[&str]) -> Option<String> {
    let is_known = |it: &&&str| it.contains("::") || !named(it).is_empty() || !owners_named(it).is_empty();
    let known = names.iter().filter(is_known).count();
    (known >= 3 && known * 2 >= names.len()).then(|| names.join(" "))
}

fn is_path(literal: &str) -> bool {
    let is_library = |it: &str| it == "std" || libraries().iter().any(|library| library.name == it);
    let is_known = |it: &str| is_library(it) || !owners_named(it).is_empty();
    is_name(literal) && literal.rsplit_once("::").is_some_and(|(of, _)| of.split("::").any(is_known))
}

fn has_type(literal: &str) -> bool {
    let mut words = literal.split(|it: char| !it.is_alphanumeric() && it != '_');
    words.any(|it| it.starts_with(char::is_uppercase) && !owners_named(it).is_empty())
}

/// The string literals of a source, each with whether nothing but commas and bars is between it and the one before.
fn literals(text: &str) -> Vec<(&str, bool)> {
    let mut found = Vec::new();
    let (mut rest, mut follows) = (text, false);
    while let Some(at) = rest.find('"') {
        let before = &rest[..at];
        follows &= before.chars().all(|it| it.is_whitespace() || ",|".contains(it));
        if before.ends_with('\'') && rest[at + 1..].starts_with('\'') {
            (rest, follows) = (&rest[at + 2..], false);
            continue;
        }
        let mut is_escaped = false;
        let end = rest[at + 1..].find(|it| {
            let ends = it == '"' && !is_escaped;
            is_escaped = it == '\\' && !is_escaped;
            ends
        });
        let Some(end) = end.map(|it| at + 1 + it) else { break };
        found.push((&rest[at + 1..end], follows));
        (rest, follows) = (&rest[end + 1..], true);
    }
    found
}

/// A source without comments and tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let is_code = |it: &&str| !it.trim_start().starts_with("//");
    text.lines().filter(is_code).collect::<Vec<_>>().join("\n")
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" {
            sources(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") && name != "tests.rs" {
            found.push(path);
        }
    }
}

#[test]
fn nothing_but_the_rows_lists_names_of_libraries() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let known: BTreeMap<&str, [usize; 3]> = include_str!("lists.txt")
        .lines()
        .map(|line| {
            let (file, numbers) = line.split_once(' ').unwrap();
            let numbers: Vec<usize> = numbers.split(' ').map(|it| it.parse().unwrap()).collect();
            (file, numbers.try_into().unwrap())
        })
        .collect();
    let mut files = Vec::new();
    for of in ["predict/src", "source/src", "src"] {
        sources(&root.join(of), &mut files);
    }
    files.sort();
    let mut wrong = Vec::new();
    for file in files {
        let name = file.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
        let said = Said::of(&code(&fs::read_to_string(&file).unwrap()));
        let numbers = said.numbers();
        let most = known.get(name.as_str()).copied().unwrap_or_default();
        if numbers.iter().zip(most).any(|(it, most)| *it > most) {
            let [lists, paths, types] = numbers;
            let Said { lists: named, paths: written, types: words } = said;
            wrong.push(format!(
                "{name} {lists} {paths} {types}\n  lists {named:?}\n  paths {written:?}\n  types {words:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "more names than before; ask the rows instead:\n{}", wrong.join("\n"));
}

#[test]
fn a_list_is_found() {
    let numbers = |it: &str| Said::of(&code(it)).numbers();
    assert_eq!(numbers(r#"const A: [&str; 3] = ["recv", "try_recv", "recv_timeout"];"#), [1, 0, 0]);
    assert_eq!(numbers(r#"matches!(name, "lock" | "read" | "write") && path.contains("Mutex<")"#), [1, 0, 1]);
    assert_eq!(numbers(r#"path.starts_with("tokio::") || path == "std::sync::Mutex::lock""#), [0, 2, 0]);
    assert_eq!(numbers(r#"f("lock"); g("read"); h("write"); i('"', "once upon a Mutex")"#), [0; 3]);
    assert_eq!(numbers("// [\"recv\", \"try_recv\", \"recv_timeout\"]"), [0; 3]);
}
