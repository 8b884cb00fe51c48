//! Types that other crates cannot name or get hold of, although they say `pub`: their module is private, nothing re-exports them, and nothing that
//! others can see has them in its signature.

use crate::outline::exposed::Exposed;
use crate::outline::impls::Declarations;
use std::collections::{BTreeMap, BTreeSet};

/// The hidden types among those that these files, by their names, declare.
pub(super) fn hidden(files: &[(&str, Declarations)]) -> BTreeSet<String> {
    let mut modules: BTreeMap<&str, bool> = BTreeMap::new();
    for (name, is_pub) in files.iter().flat_map(|it| &it.1.exposed.modules) {
        *modules.entry(name).or_default() |= is_pub;
    }
    let reexported: BTreeSet<&str> =
        files.iter().flat_map(|it| &it.1.exposed.reexported).map(String::as_str).collect();
    let is_private = |file: &str| {
        let module = module_of(file);
        modules.get(module) == Some(&false) && !reexported.contains(module)
    };
    let mut found: BTreeSet<&str> = BTreeSet::new();
    let mut open: BTreeSet<&str> = reexported.clone();
    for (file, declared) in files {
        let types = declared.types.iter().map(|it| it.name.as_str());
        if is_private(file) { found.extend(types) } else { open.extend(types) }
    }
    // Where two have the name, one of them may be open.
    found.retain(|it| !open.contains(it));
    let exposed: Vec<&Exposed> = files.iter().map(|it| &it.1.exposed).collect();
    loop {
        let seen = exposed.iter().flat_map(|it| &it.signatures);
        let seen = seen.filter(|(of, _)| of.as_deref().is_none_or(|it| !found.contains(it)));
        let named: BTreeSet<&str> = seen.flat_map(|it| &it.1).map(String::as_str).collect();
        let before = found.len();
        found.retain(|it| !named.contains(it));
        if found.len() == before {
            return found.into_iter().map(str::to_owned).collect();
        }
    }
}

/// The name of the module that a file is.
fn module_of(file: &str) -> &str {
    let path = file.strip_suffix(".rs").unwrap_or(file);
    let path = path.strip_suffix("/mod").unwrap_or(path);
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conditions::Conditions;
    use crate::edition::Edition;
    use crate::outline::impls::declarations;

    #[test]
    fn a_type_of_a_private_module_is_hidden_unless_something_exposes_it() {
        let files = [
            (
                "src/lib.rs",
                "mod a; mod b; pub mod c; pub use a::Told; pub struct Root { inner: Kept } impl Root { pub fn d(&self) -> Given {} }",
            ),
            (
                "src/a.rs",
                "pub struct Told; pub struct Kept; pub struct Given; impl Given { pub fn e() -> Next {} } pub struct Next;",
            ),
            ("src/b/mod.rs", "pub struct Deep; impl Deep { pub fn f() -> Deeper {} } pub struct Deeper;"),
            ("src/c.rs", "pub struct Open;"),
        ];
        let files =
            files.map(|(file, text)| (file, declarations(text, Edition::Rust2021, &Conditions::default())));
        assert_eq!(hidden(&files).into_iter().collect::<Vec<_>>(), ["Deep", "Deeper", "Kept"]);
    }
}
