//! A Rust file of a member: its text, and what rewriting makes of it. It is read and rewritten once a run, whoever needs it.

use super::overlay::Overlay;
use super::rewriting::PackageRules;
use crate::relative::relative;
use crate::rollback::undone::Undone;
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_event::site::Site;
use rvcheck_source::edition::Edition;
use rvcheck_source::items::Items;
use rvcheck_source::observe::observed_sites;
use rvcheck_source::position::PositionMap;
use rvcheck_source::rewrite::{Rewritten, Skipped};
use rvcheck_source::sites::sites;
use rvcheck_source::tests::{LineSet, test_lines};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A Rust file of a member.
#[derive(Debug)]
pub struct MemberFile {
    /// Where it is.
    pub path: Utf8PathBuf,
    /// How reports name it.
    pub shown: String,
    /// How the compiler names it, and so traces and panics do.
    pub compiled_as: String,
    /// The name of its package.
    pub package: String,
    /// The edition of its package.
    pub edition: Edition,
    /// It is somebody else's, and nothing in it matters but observed functions.
    pub is_foreign: bool,
    /// Its text.
    pub text: String,
    /// What the compiler sees of it where it is instrumented.
    pub rewritten: Rewritten,
    positions: OnceLock<PositionMap>,
    test_lines: OnceLock<LineSet>,
    items: OnceLock<Items>,
}

impl MemberFile {
    /// The file at this path, of a package with these rules, in a workspace at `root`.
    pub fn read(
        path: &Utf8Path,
        root: &Utf8Path,
        rules: &PackageRules,
        undone: &Undone,
    ) -> io::Result<MemberFile> {
        let text = fs::read_to_string(path)?;
        Ok(MemberFile {
            path: path.to_owned(),
            shown: relative(path, root),
            compiled_as: path.strip_prefix(root).unwrap_or(path).to_string(),
            package: rules.name.clone(),
            edition: rules.edition(),
            is_foreign: rules.foreign.is_some(),
            rewritten: rules.rewrite(path, &text, undone),
            text,
            positions: OnceLock::new(),
            test_lines: OnceLock::new(),
            items: OnceLock::new(),
        })
    }

    /// From positions in what the compiler sees to those in the file.
    pub fn positions(&self) -> &PositionMap {
        self.positions.get_or_init(|| PositionMap::new(&self.text, &self.rewritten.edits))
    }

    /// The lines that are test code.
    pub fn test_lines(&self) -> &LineSet {
        self.test_lines.get_or_init(|| test_lines(&self.text, self.edition))
    }

    /// The items in it.
    pub fn items(&self) -> &Items {
        self.items.get_or_init(|| Items::of(&self.text, self.edition))
    }

    /// The sites in it, as reports name it. The observed functions are among them.
    pub fn sites(&self) -> Vec<Site> {
        self.sites_as(&self.shown)
    }

    /// The same, in a file of this name.
    pub fn sites_as(&self, file: &str) -> Vec<Site> {
        let mut found = if self.is_foreign { Vec::new() } else { sites(&self.text, file, self.edition) };
        let observed = observed_sites(&self.text, file, self.edition, &self.rewritten.observed);
        found.extend(observed);
        found.sort();
        found
    }

    /// The awaits that are not marked, and why.
    pub fn unmarked(&self) -> impl Iterator<Item = &Skipped> {
        // What stands at the end is an assertion that could not be made.
        let last = self.text.rsplit('\n').next().unwrap_or_default();
        let end = (self.text.matches('\n').count() + 1, last.chars().count() + 1);
        let position = |it: &Skipped| (it.position.line as usize, it.position.column as usize);
        self.rewritten.skipped.iter().filter(move |it| position(it) != end)
    }
}

/// A file, once it was asked for; `None` if it cannot be read.
type Slot = Arc<OnceLock<Option<Arc<MemberFile>>>>;

/// The files of the members in one run.
#[derive(Debug)]
pub struct MemberFiles<'a> {
    /// Where they are rewritten.
    pub overlay: &'a Overlay,
    undone: Undone,
    known: Mutex<BTreeMap<Utf8PathBuf, Slot>>,
}

impl<'a> MemberFiles<'a> {
    /// Those of the workspace with these second trees, as they are now. None is read yet.
    pub fn new(overlay: &'a Overlay) -> MemberFiles<'a> {
        MemberFiles { overlay, undone: overlay.undone(), known: Mutex::default() }
    }

    /// The file at this path, if it is one of a member and can be read.
    pub fn file(&self, path: &Utf8Path) -> Option<Arc<MemberFile>> {
        let place = {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(known.entry(path.to_owned()).or_default())
        };
        let read = || {
            let rules = self.overlay.package_of(path)?;
            MemberFile::read(path, self.overlay.root(), rules, &self.undone).ok().map(Arc::new)
        };
        place.get_or_init(read).clone()
    }

    /// The marks of this file that were undone, by their offsets.
    pub fn undone(&self, file: &MemberFile) -> impl Iterator<Item = usize> {
        self.undone.of(&file.path, &file.text).keys().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inject::observed::ObservedFunctions;
    use crate::inject::probe::StdReplacement;
    use rvcheck_source::macros::OwnMacros;

    #[test]
    fn an_assertion_that_cannot_be_made_is_no_await_that_is_not_marked() {
        let guard = tempfile::tempdir().expect("there is room for a temporary folder");
        let root = Utf8PathBuf::from_path_buf(guard.path().to_owned()).expect("its name is Unicode");
        let path = root.join("lib.rs");
        let rules = PackageRules {
            name: "shop".into(),
            edition: "2021".into(),
            roots: BTreeMap::from([(path.clone(), true)]),
            awaits: true,
            core: BTreeMap::new(),
            std_replacement: StdReplacement::Flag,
            macros: OwnMacros::NONE.clone(),
            observed: ObservedFunctions::default(),
            foreign: None,
        };
        fs::write(&path, "const fn f() {}\nfn g() { odd! { a.await } }\n// größe")
            .expect("it can be written");
        let file = MemberFile::read(&path, &root, &rules, &Undone::default()).expect("it was written");
        let lines = |it: Vec<&Skipped>| it.iter().map(|it| it.position.line).collect::<Vec<_>>();
        assert!(lines(file.rewritten.skipped.iter().collect()).contains(&3));
        assert!(!lines(file.unmarked().collect()).contains(&3));
        assert_eq!(file.shown, "lib.rs");
    }
}
