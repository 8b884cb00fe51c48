//! What shapes an instrumented package beside its own files: property files, the macros of other packages, and its other crates.
//!
//! Cargo compiles a crate again when a file is gone that it was made from. So the wrapper adds an empty file to the list of what each crate
//! depends on. Its name is a digest of all that shapes the package, and another digest takes its place. A changed `[[observe]]` compiles the
//! crates again whose functions it names, with those that depend on them, and no others. A variable would do the same, but build scripts see
//! those.

use super::member_file::MemberFile;
use super::overlay::Overlay;
use super::rewriting::PackageRules;
use crate::dep_info;
use crate::digest::digest;
use crate::error::{Result, writing};
use crate::layout::{create_folder, read_value, write_value, write_whole};
use crate::project::rust_files::rust_files;
use crate::relative::relative;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// The folder with a folder for each package, which has the file that stands for what shapes it.
const SHAPES: &str = "shapes";

/// The name of the file where nothing shapes a package beside its own files.
const NOTHING: &str = "nothing";

/// The file beside the second trees with what shaped the packages when they were last built.
const KEPT: &str = "shaping.json";

/// What shapes each package, by its folder: a digest. What nothing shapes but its own files is not among them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shaping(BTreeMap<Utf8PathBuf, String>);

impl Shaping {
    /// What shapes the packages with these second trees. `files` are their files, if functions of them are observed.
    pub fn of<F: Borrow<MemberFile>>(overlay: &Overlay, files: &[F]) -> Shaping {
        let mut observed: BTreeMap<&Utf8Path, Vec<String>> = BTreeMap::new();
        for file in files.iter().map(Borrow::borrow) {
            let Some((folder, rules)) = overlay.package_at(&file.path) else { continue };
            observed.entry(folder).or_default().extend(observed_in(file, folder, rules));
        }
        let shaping = overlay.packages.iter().filter_map(|(folder, rules)| {
            let mut texts = observed.remove(folder.as_path()).unwrap_or_default();
            texts.sort_unstable();
            texts.extend(macros_used(folder, rules));
            texts.extend(other_crates(rules));
            (!texts.is_empty()).then(|| (folder.clone(), digest(texts)))
        });
        Shaping(shaping.collect())
    }

    /// The digest of what shapes the package in this folder.
    fn of_package(&self, folder: &Utf8Path) -> Option<&str> {
        self.0.get(folder).map(String::as_str)
    }

    /// The packages that something else shapes than before.
    fn changed<'a>(&'a self, before: &'a Shaping) -> BTreeSet<&'a Utf8Path> {
        let all = self.0.keys().chain(before.0.keys()).map(Utf8PathBuf::as_path);
        all.filter(|it| self.of_package(it) != before.of_package(it)).collect()
    }

    /// The file that stands for what shapes the package in this folder. All workspaces that are built into a target folder share it.
    pub fn shape_file(&self, overlay: &Overlay, folder: &Utf8Path) -> Utf8PathBuf {
        let package = overlay.shared().join(SHAPES).join(digest([folder.as_str()]));
        package.join(self.of_package(folder).unwrap_or(NOTHING))
    }

    /// Keeps what shapes these packages, whose second trees are in this folder. Where that is something else than before, what did not compile
    /// there is tried again. Among the packages are those that nothing shapes yet.
    pub fn take_effect<'a>(
        &self,
        packages: impl Iterator<Item = &'a Utf8PathBuf>,
        overlay: &Overlay,
        folder: &Utf8Path,
    ) -> Result<()> {
        for file in packages.map(|it| self.shape_file(overlay, it)).filter(|it| !it.exists()) {
            let package = file.parent().unwrap_or(&file);
            if package.exists() {
                fs::remove_dir_all(package).map_err(writing(package))?;
            }
            create_folder(package)?;
            write_whole(&file, &[])?;
        }
        let path = folder.join(KEPT);
        let before: Shaping = read_value(&path).unwrap_or_default();
        if *self == before {
            return Ok(());
        }
        overlay.mark_again(&self.changed(&before))?;
        write_value(&path, self)
    }

    /// Whether a crate of the package in this folder, of which the compiler has left this list of what it depends on, was shaped by
    /// something else.
    pub fn has_passed_by(&self, folder: &Utf8Path, list: &str) -> bool {
        let package = Utf8Path::new(SHAPES).join(digest([folder.as_str()]));
        let now = self.of_package(folder).unwrap_or(NOTHING);
        let is_shape = |it: &&Utf8PathBuf| it.parent().is_some_and(|it| it.ends_with(&package));
        dep_info::files(list).iter().find(is_shape).is_some_and(|it| it.file_name() != Some(now))
    }
}

/// What is recorded of the functions in this file that property files name. Where they stand follows from the file.
fn observed_in(file: &MemberFile, folder: &Utf8Path, rules: &PackageRules) -> impl Iterator<Item = String> {
    let declared = &rules.observed;
    let path = relative(&file.path, folder);
    file.rewritten.observed.iter().filter_map(move |it| {
        let observation = declared.observations.get(it.observation?)?;
        let recorded = serde_json::to_string(observation).ok()?;
        Some(format!("{path} {} {} {recorded}", it.function, declared.libraries))
    })
}

/// The macros of the workspace whose names a package uses, and whether they pass their input on as code. Macros are known by their names
/// alone, so that one of a package counts that cargo does not know to be needed.
fn macros_used(folder: &Utf8Path, rules: &PackageRules) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    if rules.foreign.is_none() && !rules.macros.is_empty() {
        // What cannot be read cannot be compiled, and the compiler says so.
        let _ = rust_files(folder, &mut |path| {
            let text = fs::read_to_string(&path).unwrap_or_default();
            used.extend(rules.macros.used_in(&text).map(|(name, passes)| format!("{name}! {passes}")));
        });
    }
    used
}

/// What the other crates of a package, of which not all have the usual prelude, mean for each.
fn other_crates(rules: &PackageRules) -> Option<String> {
    let is_usual = rules.awaits && rules.core.is_empty() && rules.roots.values().all(|it| *it);
    (!is_usual).then(|| format!("{:?} {:?} {}", rules.roots, rules.core, rules.awaits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inject::member_file::MemberFiles;
    use crate::inject::observed::ObservedFunctions;
    use crate::inject::probe::StdReplacement;
    use rvcheck_source::macros::{OwnMacros, definitions};
    use rvcheck_source::observe::pattern::PathPattern;
    use rvcheck_source::observe::{Argument, Moment, Observation};
    use std::sync::Arc;

    /// A workspace of the packages `shop` and `till`, whose libraries have these texts, where this function is observed with this
    /// argument: which of the packages is shaped, and all digests.
    fn shaped(texts: [&str; 2], function: &str, argument: Option<&str>) -> (Vec<&'static str>, Shaping) {
        let guard = tempfile::tempdir().expect("there is room for a temporary folder");
        let root = Utf8Path::from_path(guard.path()).expect("its name is Unicode");
        let folders = ["shop", "till"].map(|it| root.join(it));
        let library = |folder: &Utf8Path| folder.join("lib.rs");
        for (folder, text) in folders.iter().zip(texts) {
            fs::create_dir(folder)
                .and_then(|()| fs::write(library(folder), text))
                .expect("it can be written");
        }
        let path = PathPattern::parse(function).expect("it is a path");
        let arguments = argument.map(|it| Argument::new("n", it)).into_iter().collect();
        let observed = ObservedFunctions {
            observations: vec![Observation::plain("called".into(), path, Moment::Entry, arguments)],
            crates: folders.iter().map(|it| (library(it), it.file_name().unwrap_or("").to_owned())).collect(),
            libraries: false,
        };
        let macros = OwnMacros::new(BTreeSet::new(), texts.iter().flat_map(|it| definitions(it)));
        let rules = |folder: &Utf8PathBuf| PackageRules {
            name: folder.file_name().unwrap_or("").to_owned(),
            edition: "2021".into(),
            roots: BTreeMap::from([(library(folder), true)]),
            programs: BTreeSet::new(),
            awaits: true,
            core: BTreeMap::new(),
            std_replacement: StdReplacement::Flag,
            macros: macros.clone(),
            observed: observed.clone(),
            foreign: None,
        };
        let packages = folders.iter().map(|it| (it.clone(), rules(it))).collect();
        let overlay = Overlay::new(root, &root.join("overlay"), packages, Vec::new());
        let members = MemberFiles::new(&overlay);
        let files: Vec<Arc<MemberFile>> =
            folders.iter().filter_map(|it| members.file(&library(it))).collect();
        let shaping = Shaping::of(&overlay, &files);
        let names = ["shop", "till"].into_iter().zip(&folders);
        let names = names.filter(|(_, it)| shaping.of_package(it).is_some()).map(|it| it.0).collect();
        let relative =
            |folder: &Utf8PathBuf| folder.strip_prefix(root).map_or(folder.clone(), Utf8Path::to_owned);
        let digests = shaping.0.iter().map(|(folder, it)| (relative(folder), it.clone())).collect();
        (names, Shaping(digests))
    }

    #[test]
    fn a_package_is_shaped_by_what_is_observed_in_it_and_by_the_macros_that_it_uses() {
        let cases: [([&str; 2], &str, &[&str]); 6] = [
            (["pub fn open() {}", "fn day() {}"], "nowhere", &[]),
            (["pub fn open() {}", "fn day() {}"], "open", &["shop"]),
            (["pub fn open() {}", "fn open() {}"], "open", &["shop", "till"]),
            (["pub fn open() {}", "fn open() {}"], "till::open", &["till"]),
            (["macro_rules! m { ($a:expr) => { $a } }", "fn day() { m!(1) }"], "nowhere", &["till"]),
            (["macro_rules! m { ($a:expr) => { $a } }", "fn m() { n!(m) }"], "nowhere", &[]),
        ];
        for (texts, function, expected) in cases {
            assert_eq!(shaped(texts, function, None).0, expected, "{texts:?} {function}");
        }
    }

    #[test]
    fn a_list_of_what_a_crate_depends_on_tells_whether_something_else_shaped_it() {
        let folder = Utf8Path::new("/shop");
        let shaping = |value: Option<&str>| {
            Shaping(value.map(|it| (folder.to_owned(), it.to_owned())).into_iter().collect())
        };
        let overlay = Overlay::new(folder, Utf8Path::new("/t/overlay/own"), BTreeMap::new(), Vec::new());
        let list = |value: Option<&str>| {
            dep_info::with_file("/t/shop: /shop/lib.rs\n", &shaping(value).shape_file(&overlay, folder))
        };
        for (now, then, expected) in [
            (None, None, false),
            (Some("1"), Some("1"), false),
            (Some("1"), None, true),
            (None, Some("1"), true),
        ] {
            assert_eq!(shaping(now).has_passed_by(folder, &list(then)), expected, "{now:?} {then:?}");
        }
        // Nothing is known of what cargo itself has written.
        assert!(!shaping(Some("1")).has_passed_by(folder, "/t/shop: /shop/lib.rs\n"));
    }

    #[test]
    fn what_shapes_a_package_is_the_same_wherever_it_is_shape_a_file_and_another_with_another_argument() {
        let of = |text: &str, argument| shaped([text, ""], "open", Some(argument)).1;
        let text = "fn open(a: u8, b: u8) {}";
        assert_eq!(of(text, "a"), of(&format!("// moved\n\n{text}\nfn close() {{}}"), "a"));
        assert_ne!(of(text, "a"), of(text, "b"));
    }
}
