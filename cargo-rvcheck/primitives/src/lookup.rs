//! Finding rows by paths and names. Each index is made once.

use crate::adapter::{Adapter, Rows};
use crate::operation::Operation;
use crate::owner::{Inert, Is, Owner};
use crate::{adapters as rows, libraries};
use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

/// An operation with what it is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The type or module.
    pub owner: &'static Owner,
    /// The operation.
    pub operation: &'static Operation,
}

impl Row {
    /// Its path in the one form.
    pub fn path(&self) -> String {
        format!("{}::{}", self.owner.path, self.operation.name)
    }

    /// Where its documentation says what it does, as a path below that of its crate's version:
    /// `tokio/sync/mpsc/struct.Receiver.html#method.recv`.
    pub fn documentation(&self) -> String {
        let folder = |path: &str| path.replace("::", "/");
        let name = self.operation.name;
        match (self.owner.is, self.owner.path.rsplit_once("::")) {
            (Is::Module(_), _) | (_, None) => format!("{}/fn.{name}.html", folder(self.owner.path)),
            (_, Some((module, ty))) => format!("{}/struct.{ty}.html#method.{name}", folder(module)),
        }
    }
}

/// What a type or module is, by its path in the one form.
pub fn owner(path: &str) -> Option<&'static Owner> {
    static INDEX: OnceLock<HashMap<&'static str, &'static Owner>> = OnceLock::new();
    let index = INDEX.get_or_init(|| {
        let owners = libraries::all().iter().flat_map(|it| it.owners);
        owners
            .flat_map(|it| std::iter::once(&it.path).chain(it.aliases).map(move |path| (*path, it)))
            .collect()
    });
    index.get(path).copied()
}

/// The row of a function, by its path in the one form, such as `std::sync::Mutex::lock`.
pub fn row(path: &str) -> Option<Row> {
    let (of, name) = path.rsplit_once("::")?;
    let owner = owner(of)?;
    Some(Row { owner, operation: owner.operation(name)? })
}

/// What the function of that path does to a primitive.
pub fn operation(path: &str) -> Option<&'static Operation> {
    row(path).map(|it| it.operation)
}

/// All rows of a name, where nothing but the name is known.
pub fn named(name: &str) -> &'static [Row] {
    static INDEX: OnceLock<HashMap<&'static str, Vec<Row>>> = OnceLock::new();
    let index = INDEX.get_or_init(|| {
        let mut index: HashMap<&'static str, Vec<Row>> = HashMap::new();
        for owner in libraries::all().iter().flat_map(|it| it.owners) {
            for operation in owner.operations {
                index.entry(operation.name).or_default().push(Row { owner, operation });
            }
        }
        index
    });
    index.get(name).map_or(&[], Vec::as_slice)
}

/// What the function does with the values that it is given, by the last segments of its type or trait and of itself: what the
/// compiler writes of std has no path where the name is unique.
pub fn adapter(of: &str, name: &str) -> Option<&'static Adapter> {
    static INDEX: OnceLock<HashMap<(&'static str, &'static str), &'static Adapter>> = OnceLock::new();
    let index = INDEX.get_or_init(|| adapters().map(|it| ((it.of, it.name), it)).collect());
    index.get(&(of, name)).copied()
}

/// All adapters of a name, where nothing but the name is known.
pub fn adapters_named(name: &str) -> &'static [&'static Adapter] {
    static INDEX: OnceLock<HashMap<&'static str, Vec<&'static Adapter>>> = OnceLock::new();
    let index = INDEX.get_or_init(|| {
        let mut index: HashMap<&'static str, Vec<&'static Adapter>> = HashMap::new();
        for adapter in adapters() {
            index.entry(adapter.name).or_default().push(adapter);
        }
        index
    });
    index.get(name).map_or(&[], Vec::as_slice)
}

/// Whether some function of that name needs no row for that reason.
pub fn is_inert(name: &str, reason: Inert) -> bool {
    static INDEX: OnceLock<HashMap<&'static str, Vec<Inert>>> = OnceLock::new();
    let index = INDEX.get_or_init(|| {
        let mut index: HashMap<&'static str, Vec<Inert>> = HashMap::new();
        for (reason, names) in libraries::all().iter().flat_map(|it| it.owners).flat_map(|it| it.inert) {
            for name in *names {
                index.entry(name).or_default().push(*reason);
            }
        }
        index
    });
    index.get(name).is_some_and(|it| it.contains(&reason))
}

/// The types, traits and modules whose paths end in that segment.
pub fn owners_named(last: &str) -> &'static [&'static Owner] {
    static INDEX: OnceLock<HashMap<&'static str, Vec<&'static Owner>>> = OnceLock::new();
    let index = INDEX.get_or_init(|| {
        let mut index: HashMap<&'static str, Vec<&'static Owner>> = HashMap::new();
        for owner in libraries::all().iter().flat_map(|it| it.owners) {
            let names = std::iter::once(&owner.path).chain(owner.aliases);
            let lasts: BTreeSet<&str> = names.filter_map(|it| it.rsplit("::").next()).collect();
            for last in lasts {
                index.entry(last).or_default().push(owner);
            }
        }
        index
    });
    index.get(last).map_or(&[], Vec::as_slice)
}

/// What types of libraries a path names: the one of that path, or all with its last segment where the library is not known.
pub fn owners_of(path: &str) -> &'static [&'static Owner] {
    let all = owners_named(path.rsplit("::").next().unwrap_or(path));
    match all.iter().position(|it| it.path == path || it.aliases.contains(&path)) {
        Some(at) => &all[at..=at],
        None => all,
    }
}

/// What a function of a library is, by its path, of whatever library where that is not known.
pub fn row_of(path: &str) -> Option<Row> {
    let (of, name) = path.rsplit_once("::")?;
    owners_of(of).iter().find_map(|owner| Some(Row { owner, operation: owner.operation(name)? }))
}

/// Whether a path names a type that is so, of whatever library.
pub fn is_path_of(path: &str, is_so: impl Fn(Is) -> bool) -> bool {
    owners_of(path).iter().any(|it| is_so(it.is))
}

/// The last segments of the types, traits and modules that are so.
pub fn names_of(is_so: impl Fn(&Owner) -> bool) -> BTreeSet<&'static str> {
    let owners = libraries::all().iter().flat_map(|it| it.owners).filter(|it| is_so(it));
    owners.map(Owner::name).collect()
}

/// All adapters.
pub fn adapters() -> impl Iterator<Item = &'static Adapter> {
    static ALL: OnceLock<Vec<Adapter>> = OnceLock::new();
    ALL.get_or_init(|| rows::ALL.iter().copied().flatten().flat_map(Rows::each).collect()).iter()
}
