//! By which paths the items of a crate can be reached.

use rustdoc_types::{Crate, Id, ItemEnum, ItemKind, Use};
use std::collections::{BTreeMap, BTreeSet};

/// The public paths of a crate.
#[derive(Default)]
pub(crate) struct Reach {
    /// What is found by each path. An item may have several, and several items may have one, as a function and a module.
    pub(crate) paths: BTreeSet<(String, Id)>,
    /// The shortest path of each item of the crate itself.
    pub(crate) shortest: BTreeMap<Id, String>,
}

impl Reach {
    /// Follows modules and re-exports from the root.
    pub(crate) fn of(krate: &Crate, name: &str) -> Reach {
        let mut reach = Reach::default();
        reach.module(krate, krate.root, name, &mut Vec::new());
        for (path, id) in &reach.paths {
            let shortest = reach.shortest.entry(*id).or_insert_with(|| path.clone());
            if depth(path) < depth(shortest) {
                path.clone_into(shortest);
            }
        }
        reach
    }

    /// `above` are the modules that this one is seen through, in which it cannot lie once more.
    fn module(&mut self, krate: &Crate, id: Id, path: &str, above: &mut Vec<Id>) {
        let children = match krate.index.get(&id).map(|it| &it.inner) {
            Some(ItemEnum::Module(module)) => &module.items,
            Some(ItemEnum::Enum(of)) => &of.variants,
            _ => return,
        };
        if above.contains(&id) {
            return;
        }
        above.push(id);
        for child in children {
            let Some(item) = krate.index.get(child) else { continue };
            if let ItemEnum::Use(import) = &item.inner {
                self.import(krate, import, path, above);
            } else if let Some(name) = &item.name {
                self.item(krate, *child, &below(path, name), above);
            }
        }
        above.pop();
    }

    fn import(&mut self, krate: &Crate, import: &Use, path: &str, above: &mut Vec<Id>) {
        let Some(id) = import.id else { return };
        if import.is_glob {
            self.module(krate, id, path, above);
        } else {
            self.item(krate, id, &below(path, &import.name), above);
        }
    }

    fn item(&mut self, krate: &Crate, id: Id, path: &str, above: &mut Vec<Id>) {
        match krate.index.get(&id).map(|it| &it.inner) {
            Some(ItemEnum::Module(_)) => self.module(krate, id, path, above),
            Some(_) => {
                self.paths.insert((path.to_owned(), id));
            }
            // Another crate's, of which rustdoc says no more than its kind.
            None if krate.paths.get(&id).is_some_and(|it| it.kind != ItemKind::Primitive) => {
                self.paths.insert((path.to_owned(), id));
            }
            None => {}
        }
    }
}

/// The path of what is in a module.
fn below(path: &str, name: &str) -> String {
    // The only words that are used as names and need it.
    let raw = if matches!(name, "async" | "await" | "dyn" | "try" | "gen") { "r#" } else { "" };
    format!("{path}::{raw}{name}")
}

fn depth(path: &str) -> usize {
    path.matches("::").count()
}
