//! Shims say what they record. What they only pass on is declared with `forwards!`.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

#[test]
fn nothing_is_passed_on_by_hand_that_can_be_declared() {
    let shims = Path::new(env!("CARGO_MANIFEST_DIR")).join("shims");
    let mut found = Vec::new();
    for file in sources(&shims) {
        let text = fs::read_to_string(&file).unwrap();
        let names = passed_on(text.parse().unwrap());
        let file = file.strip_prefix(&shims).unwrap().display();
        found.extend(names.iter().map(|it| format!("{file}: fn {it}")));
    }
    assert!(found.is_empty(), "declare these with `forwards!`:\n{}", found.join("\n"));
}

#[test]
fn functions_that_pass_on_are_known_from_others() {
    for passes_on in [
        "impl A { pub fn len(&self) -> usize { self.real.len() } }",
        "impl A { fn close(&mut self) { self.real.close(); } }",
        "impl A { fn set(self, at: Vec<(u8, u8)>, to: &str) { self.inner.set(at, to) } }",
        "impl A { fn same(&self, other: &Self) -> bool { self.real.same(&other.real) } }",
        "impl Debug for A { fn fmt(&self, f: &mut Formatter<'_>) -> Result { self.real.fmt(f) } }",
        "impl Deref for A { type Target = B; fn deref(&self) -> &B { &self.real } }",
        "impl Default for A { fn default() -> A { A::new(B::default()) } }",
        "macro_rules! a { ($name:ident) => { impl $name { fn len(&self) -> usize { self.real.len() } } } }",
    ] {
        assert_eq!(passed_on(passes_on.parse().unwrap()).len(), 1, "{passes_on}");
    }
    for does_more in [
        "impl A { fn len(&self) -> usize { self.count() } }",
        "impl A { fn len(&self) -> usize { self.real.size() } }",
        "impl A { fn close(&self) { record(); self.real.close(); } }",
        "impl A { fn set(&self, at: u8, to: u8) { self.real.set(to, at) } }",
        "impl A { fn get(&self) -> B { B::of(self.real.get()) } }",
        "impl A { const fn len(&self) -> usize { self.real.len() } }",
        "impl A { fn hash<H: Hasher>(&self, to: &mut H) { self.real.hash(to) } }",
        "impl A { fn same(&self, other: &B) -> bool { self.real.same(&other.real) } }",
    ] {
        assert_eq!(passed_on(does_more.parse().unwrap()), [""; 0], "{does_more}");
    }
}

/// The sources below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|it| it == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The names of the functions that `forwards!` can make.
fn passed_on(tokens: TokenStream) -> Vec<String> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut names = Vec::new();
    for (at, tree) in trees.iter().enumerate() {
        if let TokenTree::Group(group) = tree {
            names.extend(passed_on(group.stream()));
        }
        let qualified = at > 0 && ["const", "unsafe", "async"].contains(&&*trees[at - 1].to_string());
        if tree.to_string() == "fn" && !qualified {
            names.extend(Function::at(&trees[at + 1..]).filter(Function::passes_on).map(|it| it.name));
        }
    }
    names
}

/// A function without parameters of its own.
struct Function {
    name: String,
    arguments: Vec<Vec<String>>,
    body: Vec<String>,
}

impl Function {
    /// The function whose name comes first in these trees.
    fn at(trees: &[TokenTree]) -> Option<Function> {
        let [TokenTree::Ident(name), TokenTree::Group(arguments), rest @ ..] = trees else { return None };
        let end = rest.iter().position(|it| [";", "where"].contains(&&*it.to_string()) || is_block(it))?;
        let TokenTree::Group(body) = &rest[end] else { return None };
        Some(Function { name: name.to_string(), arguments: split(arguments), body: words(body) })
    }

    fn passes_on(&self) -> bool {
        let body = self.body.strip_suffix(&[";".to_owned()]).unwrap_or(&self.body);
        let body: Vec<&str> = body.iter().map(String::as_str).collect();
        match (&*self.name, &*body) {
            ("deref", ["&", "self", ".", "real"])
            | ("deref_mut", ["&", "mut", "self", ".", "real"])
            | ("eq", ["self", ".", "real", "=", "=", "other", ".", "real"])
            | ("default", [_, ":", ":", "new", _]) => true,
            (name, ["self", ".", field, ".", called, given]) => {
                let given = given.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
                name == *called && given == self.given(field).as_deref()
            }
            _ => false,
        }
    }

    /// What it would give to the method of a field. `None` if it is no method that can be declared.
    fn given(&self, field: &str) -> Option<String> {
        let (of, arguments) = self.arguments.split_first()?;
        if !["self", "&self", "&mutself"].contains(&&*of.concat()) {
            return None;
        }
        let name = |it: &Vec<String>| it.first().cloned().unwrap_or_default();
        match arguments {
            [other] if other[1..].concat() == ":&Self" => Some(format!("&{}.{field}", name(other))),
            _ => Some(arguments.iter().map(name).collect::<Vec<_>>().join(",")),
        }
    }
}

fn is_block(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// What is in a group, each tree as a text without spaces.
fn words(group: &Group) -> Vec<String> {
    group.stream().into_iter().map(|it| it.to_string().replace(' ', "")).collect()
}

/// What is between the commas of a list of arguments, but for those in angle brackets.
fn split(arguments: &Group) -> Vec<Vec<String>> {
    let mut parts = vec![Vec::new()];
    let mut depth = 0;
    for word in words(arguments) {
        match &*word {
            "<" => depth += 1,
            ">" => depth -= 1,
            _ => {}
        }
        if word == "," && depth == 0 {
            parts.push(Vec::new());
        } else {
            parts.last_mut().unwrap().push(word);
        }
    }
    parts.retain(|it: &Vec<String>| !it.is_empty());
    parts
}
