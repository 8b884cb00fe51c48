//! How the files of a package are rewritten: the one place that decides it, for building as well as for showing.

use super::macros::own_macros;
use super::observed::{ObservedFunctions, is_foreign};
use super::probe::StdReplacement;
use crate::project::{Package, Role, Target, TargetKind};
use crate::rollback::undone::Undone;
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_source::crate_root::{CrateFacts, crate_facts};
use rvcheck_source::delivery::with_items;
use rvcheck_source::edition::Edition;
use rvcheck_source::macros::OwnMacros;
use rvcheck_source::marker::file_number;
use rvcheck_source::observe::{Module, Observation};
use rvcheck_source::rewrite::{Options, REWRITE_VERSION, Rewritten, rewrite};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// What a crate asserts to be replaced by its shim: where its prelude comes from. Only for these does it need to be
/// asserted: that `--extern` says which file another crate is, is what it is for.
const STD: &str = "std";
/// The same for a crate with `#![no_std]`.
const CORE: &str = "core";

/// How the files of one package are rewritten.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackageRules {
    /// The package's name.
    pub name: String,
    /// Its edition, such as `2021`.
    pub edition: String,
    /// Root files, and whether the awaits of the crate can be marked.
    pub roots: BTreeMap<Utf8PathBuf, bool>,
    /// Root files of its library and its binaries.
    #[serde(default)]
    pub programs: BTreeSet<Utf8PathBuf>,
    /// Whether awaits in the other files can be marked.
    pub awaits: bool,
    /// Root files of crates whose prelude is or may be that of `core`. The wrapper gives them its shim.
    pub core: BTreeMap<Utf8PathBuf, CorePrelude>,
    /// How the shim for std gets into the crates.
    pub std_replacement: StdReplacement,
    /// The macros of the workspace.
    pub macros: OwnMacros,
    /// The functions that are events.
    pub observed: ObservedFunctions,
    /// The folder of the package, where it is somebody else's: nothing is done there but that functions are observed.
    #[serde(default)]
    pub foreign: Option<Utf8PathBuf>,
}

/// Whether a crate's prelude is that of `core`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CorePrelude {
    /// Always.
    Always,
    /// Under some condition.
    Conditional,
}

impl PackageRules {
    /// The rules for this package.
    pub fn of(
        package: &Package,
        std_replacement: StdReplacement,
        macros: &OwnMacros,
        observed: &ObservedFunctions,
    ) -> PackageRules {
        let facts = |root: &Utf8Path| crate_facts(&fs::read_to_string(root).unwrap_or_default());
        let facts: BTreeMap<_, _> =
            package.targets.iter().map(|it| (it.root.clone(), facts(&it.root))).collect();
        // Where a program has no std at all, neither may what it is linked with.
        let linked = facts.values().all(|it| it.can_be_linked_with_std());
        let can = |it: &CrateFacts| it.reason_against_awaits().is_none() && (linked || !it.no_std);
        let roots: BTreeMap<_, _> = facts.iter().map(|(root, it)| (root.clone(), can(it))).collect();
        let core = facts.iter().filter(|(_, it)| linked && it.may_have_core_prelude()).map(|(root, it)| {
            (root.clone(), if it.no_std { CorePrelude::Always } else { CorePrelude::Conditional })
        });
        let core = core.collect();
        let is_program = |it: &&Target| matches!(it.kind, TargetKind::Lib | TargetKind::Bin);
        let programs = package.targets.iter().filter(is_program).map(|it| it.root.clone()).collect();
        // The files of a package are shared out among its crates; only the library has enough of them to matter.
        let library = package.targets.iter().find(|it| it.kind == TargetKind::Lib);
        let awaits = library.is_none_or(|it| roots.get(&it.root) == Some(&true));
        PackageRules {
            name: package.name.clone(),
            edition: package.edition.clone(),
            roots,
            programs,
            awaits,
            core,
            std_replacement,
            macros: macros.clone(),
            observed: observed.clone(),
            foreign: None,
        }
    }

    /// The rules for somebody else's package in this folder, of which functions are observed.
    fn of_foreign(folder: &Utf8Path, package: &Package, own: &PackageRules) -> PackageRules {
        PackageRules {
            name: package.name.clone(),
            edition: package.edition.clone(),
            roots: BTreeMap::new(),
            programs: BTreeSet::new(),
            awaits: false,
            core: BTreeMap::new(),
            foreign: Some(folder.to_owned()),
            ..own.clone()
        }
    }

    /// Rewrites the text of this file, but for the places that were undone.
    pub fn rewrite(&self, path: &Utf8Path, text: &str, undone: &Undone) -> Rewritten {
        // Without a usual prelude there may be no path by which to name std.
        let asserted: &[&str] = match (self.roots.get(path), self.core.get(path)) {
            (Some(true), Some(CorePrelude::Always)) if self.std_replacement == StdReplacement::Flag => {
                &[CORE]
            }
            (Some(true), Some(CorePrelude::Always)) => &[],
            (Some(true), _) => &[STD],
            _ => &[],
        };
        let asserts: Vec<String> = asserted.iter().map(|it| (*it).to_owned()).collect();
        let root = self.roots.get(path).copied();
        let awaits = root.unwrap_or(self.awaits);
        let skip = undone.of(path, text);
        let folder = path.parent().map(Utf8Path::as_str);
        let file = file_number(path.as_str());
        let macros = &self.macros;
        let (krate, modules) = self.observed.module_of(path);
        let options = Options {
            root: root.is_some(),
            asserts: &asserts,
            awaits,
            file,
            skip,
            macros,
            folder,
            observations: &self.observed.observations,
            module: Module { krate, path: &modules },
            foreign: self.foreign.as_deref().map(Utf8Path::as_str),
            libraries: self.observed.libraries,
        };
        let rewritten = rewrite(text, self.edition(), &options);
        match self.std_replacement {
            StdReplacement::Flag => rewritten,
            StdReplacement::Item => with_items(text, rewritten, !asserts.is_empty()),
        }
    }

    /// The edition of the package.
    pub fn edition(&self) -> Edition {
        // A manifest with an edition that is not known would not be built.
        Edition::of_name(&self.edition).unwrap_or(Edition::Rust2021)
    }

    /// Whether awaits in this file are marked.
    pub fn marks_awaits(&self, path: &Utf8Path) -> bool {
        self.roots.get(path).copied().unwrap_or(self.awaits)
    }
}

/// The rules for the members, and for other packages of which functions are observed, by folder. `libraries`: it is known which code of the
/// workspace is a library.
pub fn rules<'a>(
    packages: impl IntoIterator<Item = (&'a Utf8PathBuf, &'a Package)> + Clone,
    std_replacement: StdReplacement,
    observations: &[Observation],
    libraries: bool,
) -> BTreeMap<Utf8PathBuf, PackageRules> {
    let macros = own_macros(packages.clone());
    let observed =
        ObservedFunctions::of(packages.clone().into_iter().map(|it| it.1), observations, libraries);
    let members = packages.clone().into_iter().filter(|(_, it)| it.role == Role::Member);
    let mut rules: BTreeMap<_, _> = members
        .map(|(folder, package)| {
            (folder.clone(), PackageRules::of(package, std_replacement, &macros, &observed))
        })
        .collect();
    if let Some(own) = rules.values().next().cloned() {
        let foreign = packages.into_iter().filter(|(_, it)| is_foreign(it, observations));
        rules
            .extend(foreign.map(|(folder, it)| (folder.clone(), PackageRules::of_foreign(folder, it, &own))));
    }
    rules
}

/// The version of what rewriting does.
pub const VERSION: u32 = REWRITE_VERSION;
