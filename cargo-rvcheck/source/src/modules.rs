//! Where the modules of a file are that are written in files of their own, and which of them are for tests only.

use crate::edition::Edition;
use crate::outline::outline;
use crate::token::Tokens;

/// A file, as the compiler looks for the modules that it declares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Declaring<'a> {
    /// Its folder.
    pub folder: &'a str,
    /// Its name without its ending.
    pub stem: &'a str,
    /// Its modules are beside it and not in a folder of its name: it is the root of a crate, or named by a `path` attribute.
    pub is_root: bool,
}

/// A module in a file of its own.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Declared {
    /// The paths at which its file may be, one of them. They may have `..` in them.
    pub files: Vec<String>,
    /// An attribute names its file.
    pub is_named: bool,
    /// It is compiled for tests only.
    pub for_tests: bool,
}

/// The modules that a file with this text declares in files of their own.
pub fn declared_modules(text: &str, declaring: Declaring<'_>, edition: Edition) -> Vec<Declared> {
    if !text.contains("mod") {
        return Vec::new();
    }
    let Declaring { folder, stem, is_root } = declaring;
    let outline = outline(text, &Tokens::of(text), edition);
    let has_own_folder = !is_root && stem != "mod";
    let own = if has_own_folder { format!("{folder}/{stem}") } else { folder.to_owned() };
    let found = outline.modules.iter().map(|module| {
        let (around, name) = module.path.rsplit_once("::").unwrap_or(("", &module.path));
        let inside: String =
            around.split("::").filter(|it| !it.is_empty()).flat_map(|it| ["/", it]).collect();
        let files = match &module.file {
            Some(file) if inside.is_empty() => vec![format!("{folder}/{file}")],
            Some(file) => vec![format!("{own}{inside}/{file}")],
            None => vec![format!("{own}{inside}/{name}.rs"), format!("{own}{inside}/{name}/mod.rs")],
        };
        Declared { files, is_named: module.file.is_some(), for_tests: outline.is_test(module.at) }
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(declaring: Declaring<'_>, text: &str, expected: &[(&[&str], bool)]) {
        let found = declared_modules(text, declaring, Edition::Rust2021);
        let found: Vec<(Vec<&str>, bool)> =
            found.iter().map(|it| (it.files.iter().map(String::as_str).collect(), it.for_tests)).collect();
        let expected: Vec<(Vec<&str>, bool)> = expected.iter().map(|it| (it.0.to_vec(), it.1)).collect();
        assert_eq!(found, expected, "{text}");
    }

    const ROOT: Declaring<'_> = Declaring { folder: "src", stem: "lib", is_root: true };
    const LEAF: Declaring<'_> = Declaring { folder: "src", stem: "net", is_root: false };

    #[test]
    fn a_module_is_beside_a_root_and_in_a_folder_of_another_file() {
        check(ROOT, "mod a;", &[(&["src/a.rs", "src/a/mod.rs"], false)]);
        check(LEAF, "pub(crate) mod a;", &[(&["src/net/a.rs", "src/net/a/mod.rs"], false)]);
        let folder = Declaring { stem: "mod", ..LEAF };
        check(folder, "mod a { mod b; }", &[(&["src/a/b.rs", "src/a/b/mod.rs"], false)]);
    }

    #[test]
    fn an_attribute_names_its_file() {
        check(LEAF, "#[path = \"x/y.rs\"] mod a;", &[(&["src/x/y.rs"], false)]);
        check(LEAF, "mod b { #[path = \"y.rs\"] mod a; }", &[(&["src/net/b/y.rs"], false)]);
    }

    #[test]
    fn what_is_declared_for_tests_is_for_tests() {
        check(ROOT, "#[cfg(test)] mod tests;", &[(&["src/tests.rs", "src/tests/mod.rs"], true)]);
        check(ROOT, "#[cfg(all(test, unix))] mod a { mod b; }", &[(&["src/a/b.rs", "src/a/b/mod.rs"], true)]);
        check(ROOT, "#![cfg(test)] mod a;", &[(&["src/a.rs", "src/a/mod.rs"], true)]);
        check(ROOT, "cfg_net! { #[cfg(test)] mod a; }", &[(&["src/a.rs", "src/a/mod.rs"], true)]);
        check(ROOT, "#[cfg(not(test))] mod a;", &[(&["src/a.rs", "src/a/mod.rs"], false)]);
        check(ROOT, "#[cfg(test)] mod a { fn b() {} }", &[]);
    }
}
