//! A Rust file of a member: its text, and what rewriting makes of it. It is read and rewritten once a run, whoever needs it.

use super::overlay::Overlay;
use super::rewriting::PackageRules;
use super::test_modules::TestModules;
use crate::relative::relative;
use crate::rollback::undone::Undone;
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_event::position::SourcePosition;
use rvcheck_event::site::Site;
use rvcheck_source::edition::Edition;
use rvcheck_source::items::Items;
use rvcheck_source::marker::Number;
use rvcheck_source::observe::observed_sites;
use rvcheck_source::position::PositionMap;
use rvcheck_source::rewrite::{Rewritten, Skipped};
use rvcheck_source::sites::{sites, sites_by_number};
use rvcheck_source::tests::{LineSet, inevitable_panics, test_lines};
use std::collections::{BTreeMap, BTreeSet};
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
    modules: Arc<TestModules>,
    positions: OnceLock<PositionMap>,
    test_lines: OnceLock<LineSet>,
    inevitable_panics: OnceLock<BTreeSet<SourcePosition>>,
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
            modules: Arc::default(),
            positions: OnceLock::new(),
            test_lines: OnceLock::new(),
            inevitable_panics: OnceLock::new(),
            items: OnceLock::new(),
        })
    }

    /// The same file among these modules.
    #[must_use]
    pub fn among(self, modules: &Arc<TestModules>) -> MemberFile {
        MemberFile { modules: Arc::clone(modules), ..self }
    }

    /// Whether it is a module that is compiled for tests only.
    pub fn is_of_tests(&self) -> bool {
        self.modules.contains(&self.path)
    }

    /// From positions in what the compiler sees to those in the file.
    pub fn positions(&self) -> &PositionMap {
        self.positions.get_or_init(|| PositionMap::new(&self.text, &self.rewritten.edits))
    }

    /// The lines that are test code.
    pub fn test_lines(&self) -> &LineSet {
        self.test_lines.get_or_init(|| {
            if self.is_of_tests() { LineSet::all() } else { test_lines(&self.text, self.edition) }
        })
    }

    /// Where it panics whenever what is around that runs.
    pub fn inevitable_panics(&self) -> &BTreeSet<SourcePosition> {
        self.inevitable_panics.get_or_init(|| inevitable_panics(&self.text, self.edition))
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
        self.mark_tests(found.iter_mut());
        found.sort();
        found
    }

    /// The sites in it, as reports name it, by their numbers in what is compiled.
    pub fn sites_by_number(&self) -> BTreeMap<Number, Site> {
        let mut found = sites_by_number(&self.text, self.path.as_str(), &self.shown, self.edition);
        self.mark_tests(found.values_mut());
        found
    }

    /// What a file shows of its own sites, the module that declares it may change.
    fn mark_tests<'a>(&self, sites: impl Iterator<Item = &'a mut Site>) {
        if self.is_of_tests() {
            sites.for_each(|it| it.in_test = true);
        }
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
    modules: Arc<TestModules>,
    known: Mutex<BTreeMap<Utf8PathBuf, Slot>>,
}

impl<'a> MemberFiles<'a> {
    /// Those of the workspace with these second trees, as they are now. None is read yet.
    pub fn new(overlay: &'a Overlay) -> MemberFiles<'a> {
        let modules = Arc::new(TestModules::of(overlay.packages.values()));
        MemberFiles { overlay, undone: overlay.undone(), modules, known: Mutex::default() }
    }

    /// The file at this path, if it is one of a member and can be read.
    pub fn file(&self, path: &Utf8Path) -> Option<Arc<MemberFile>> {
        let place = {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(known.entry(path.to_owned()).or_default())
        };
        let read = || {
            let rules = self.overlay.package_of(path)?;
            let file = MemberFile::read(path, self.overlay.root(), rules, &self.undone).ok()?;
            Some(Arc::new(file.among(&self.modules)))
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

    /// Those of a package with this library.
    fn rules(library: &Utf8Path) -> PackageRules {
        PackageRules {
            name: "shop".into(),
            edition: "2021".into(),
            roots: BTreeMap::from([(library.to_owned(), true)]),
            programs: BTreeSet::new(),
            awaits: true,
            core: BTreeMap::new(),
            std_replacement: StdReplacement::Flag,
            macros: OwnMacros::NONE.clone(),
            observed: ObservedFunctions::default(),
            foreign: None,
        }
    }

    #[test]
    fn an_assertion_that_cannot_be_made_is_no_await_that_is_not_marked() {
        let guard = tempfile::tempdir().expect("there is room for a temporary folder");
        let root = Utf8PathBuf::from_path_buf(guard.path().to_owned()).expect("its name is Unicode");
        let path = root.join("lib.rs");
        let rules = rules(&path);
        fs::write(&path, "const fn f() {}\nfn g() { odd! { a.await } }\n// größe")
            .expect("it can be written");
        let file = MemberFile::read(&path, &root, &rules, &Undone::default()).expect("it was written");
        let lines = |it: Vec<&Skipped>| it.iter().map(|it| it.position.line).collect::<Vec<_>>();
        assert!(lines(file.rewritten.skipped.iter().collect()).contains(&3));
        assert!(!lines(file.unmarked().collect()).contains(&3));
        assert_eq!(file.shown, "lib.rs");
    }

    #[test]
    fn a_module_for_tests_is_test_code_in_a_file_of_its_own() {
        let guard = tempfile::tempdir().expect("there is room for a temporary folder");
        let root = Utf8PathBuf::from_path_buf(guard.path().to_owned()).expect("its name is Unicode");
        let path = root.join("lib.rs");
        let rules = PackageRules { programs: BTreeSet::from([path.clone()]), ..rules(&path) };
        fs::write(&path, "#[cfg(test)]\nmod tests;\nfn f() { tokio::spawn(g()); }")
            .expect("it can be written");
        fs::write(root.join("tests.rs"), "fn f() { tokio::spawn(g()); }").expect("it can be written");
        let modules = Arc::new(TestModules::of(std::iter::once(&rules)));
        let in_test = |name: &str, line: u32| {
            let file = MemberFile::read(&root.join(name), &root, &rules, &Undone::default());
            let file = file.expect("it was written").among(&modules);
            let sites: Vec<bool> = file.sites().iter().map(|it| it.in_test).collect();
            assert_eq!(file.sites_by_number().values().map(|it| it.in_test).collect::<Vec<_>>(), sites);
            (file.test_lines().contains(line), sites)
        };
        assert_eq!(in_test("lib.rs", 3), (false, vec![false]));
        assert_eq!(in_test("tests.rs", 1), (true, vec![true]));
    }
}
