//! How the files of a package are rewritten: the one place that decides it, for building as well as for showing.

use crate::project::{Package, Role, TargetKind};
use crate::rollback::undone::Undone;
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_source::edition::Edition;
use rvcheck_source::facts::crate_facts;
use rvcheck_source::rewrite::{Options, REWRITE_VERSION, Rewritten, Skipped, rewrite};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;

/// What every instrumented crate asserts to be replaced by its stand-in. Only for `std` does this need to be asserted: that
/// `--extern` says which file another crate is, is what it is for.
const ASSERTED: &str = "std";

/// How the files of one package are rewritten.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackageRules {
    /// The package's name.
    pub name: String,
    /// Its edition, such as `2021`.
    pub edition: String,
    /// Root files, and whether the awaits of the crate can be marked.
    pub roots: BTreeMap<Utf8PathBuf, bool>,
    /// Whether awaits in the other files can be marked.
    pub awaits: bool,
}

impl PackageRules {
    /// The rules for this package.
    pub fn of(package: &Package) -> PackageRules {
        let can = |root: &Utf8Path| {
            let text = fs::read_to_string(root).unwrap_or_default();
            crate_facts(&text).reason_against_awaits().is_none()
        };
        let roots: BTreeMap<_, _> =
            package.targets.iter().map(|it| (it.root.clone(), can(&it.root))).collect();
        // The files of a package are shared out among its crates; only the library has enough of them to matter.
        let library = package.targets.iter().find(|it| it.kind == TargetKind::Lib);
        let awaits = library.is_none_or(|it| roots.get(&it.root) == Some(&true));
        PackageRules { name: package.name.clone(), edition: package.edition.clone(), roots, awaits }
    }

    /// Rewrites the text of this file, but for the awaits that were undone.
    pub fn rewrite(&self, path: &Utf8Path, text: &str, undone: &Undone) -> Rewritten {
        // Without a usual prelude there may be no path by which to name std.
        let asserted = self.roots.get(path) == Some(&true);
        self.rewrite_asserting(path, text, undone, if asserted { &[ASSERTED] } else { &[] })
    }

    /// The awaits in this file that are not marked, and why.
    pub fn unmarked(&self, path: &Utf8Path, text: &str, undone: &Undone) -> Vec<Skipped> {
        self.rewrite_asserting(path, text, undone, &[]).skipped
    }

    /// The edition of the package.
    pub fn edition(&self) -> Edition {
        // A manifest with an edition that is not known would not be built.
        Edition::of_name(&self.edition).unwrap_or(Edition::Rust2021)
    }

    fn rewrite_asserting(&self, path: &Utf8Path, text: &str, undone: &Undone, asserts: &[&str]) -> Rewritten {
        let asserts: Vec<String> = asserts.iter().map(|it| (*it).to_owned()).collect();
        let root = self.roots.get(path).copied();
        // The root's own attributes are read again where there are any, for the reason that they give.
        let awaits = root.is_some() || self.awaits;
        let skip = undone.of(path, text);
        let folder = path.parent().map(Utf8Path::as_str);
        let options = Options { root: root.is_some(), asserts: &asserts, awaits, skip, folder };
        rewrite(text, self.edition(), &options)
    }

    /// Whether awaits in this file are marked.
    pub fn marks_awaits(&self, path: &Utf8Path) -> bool {
        self.roots.get(path).copied().unwrap_or(self.awaits)
    }
}

/// The rules for the members, by folder.
pub fn rules<'a>(
    packages: impl IntoIterator<Item = (&'a Utf8PathBuf, &'a Package)>,
) -> BTreeMap<Utf8PathBuf, PackageRules> {
    let members = packages.into_iter().filter(|(_, it)| it.role == Role::Member);
    members.map(|(folder, package)| (folder.clone(), PackageRules::of(package))).collect()
}

/// The version of what rewriting does.
pub const VERSION: u32 = REWRITE_VERSION;
