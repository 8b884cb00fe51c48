//! What is remembered is what would be found, and what is too large or takes too long is not looked at.

use super::kept::{Kept, begin, keep};
use super::remembered::Memory;
use super::{Analysed, Limits, analyse_with};
use crate::inject::member_file::MemberFiles;
use crate::inject::observed::ObservedFunctions;
use crate::inject::overlay::Overlay;
use crate::inject::probe::StdReplacement;
use crate::inject::rewriting::PackageRules;
use crate::layout::OwnLayout;
use crate::project::built::Artifact;
use crate::project::{Package, Project, Role, TargetKind, Workspace};
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_source::macros::OwnMacros;
use rvcheck_source::observe::pattern::PathPattern;
use rvcheck_source::observe::{Moment, Observation};
use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

const KNOWN: &str = "fn known() -> () {\n    bb0: {\n        return;\n    }\n}\n";
const UNKNOWN: &str = "fn unknown() -> () {\n    bb0: {\n        what is this;\n        return;\n    }\n}\n";

/// A workspace of one package, of which two crates were built.
struct Scene {
    _guard: tempfile::TempDir,
    project: Project,
    own: OwnLayout,
    overlay: Overlay,
    artifacts: Vec<Artifact>,
}

impl Scene {
    fn new() -> Scene {
        let guard = tempfile::tempdir().expect("there is room for a temporary folder");
        let root = Utf8PathBuf::from_path_buf(guard.path().to_owned()).expect("its name is Unicode");
        let package = Package {
            name: "shop".to_owned(),
            version: "0.1.0".to_owned(),
            edition: "2021".to_owned(),
            role: Role::Member,
            shim: None,
            build_script: false,
            targets: Vec::new(),
        };
        let rules = BTreeMap::from([(
            root.clone(),
            PackageRules::of(&package, StdReplacement::Flag, OwnMacros::NONE, &ObservedFunctions::default()),
        )]);
        let project = Project {
            root: root.clone(),
            target_directory: root.join("target"),
            targets: Vec::new(),
            packages: BTreeMap::from([(root.clone(), package)]),
            unsupported: Vec::new(),
            called: BTreeMap::new(),
            selected: vec!["shop".to_owned()],
            skipped: Vec::new(),
            needed: 1,
            workspace: Workspace::default(),
        };
        let artifact = |name: &str, kind| Artifact {
            package: root.clone(),
            target: name.to_owned(),
            kind,
            for_tests: true,
            executable: None,
            files: vec![root.join("deps").join(format!("{name}-1"))],
        };
        let scene = Scene {
            own: OwnLayout::at(&root.join("rv")),
            overlay: Overlay::new(&root, &root.join("overlay"), rules, Vec::new()),
            artifacts: vec![artifact("shop", TargetKind::Lib), artifact("it", TargetKind::Test)],
            project,
            _guard: guard,
        };
        scene.source("fn known() {}\n");
        scene.mir("shop", KNOWN);
        scene.mir("it", KNOWN);
        scene
    }

    fn source_file(&self) -> Utf8PathBuf {
        self.project.root.join("lib.rs")
    }

    fn source(&self, text: &str) {
        fs::write(self.source_file(), text).expect("it can be written");
    }

    /// Keeps this MIR, as the wrapper does.
    fn mir(&self, name: &str, text: &str) {
        self.linked_mir(name, text, &[]);
    }

    /// The same of a crate that is linked with these.
    fn linked_mir(&self, name: &str, text: &str, libraries: &[&str]) {
        let stem = format!("{name}-1");
        let path = begin(&self.own, &stem).expect("the folder can be made");
        fs::write(path, text).expect("it can be written");
        let out = self.project.root.join("deps");
        keep(
            &self.own,
            &Kept {
                stem,
                out,
                sources: vec![self.source_file()],
                cfgs: Vec::new(),
                for_tests: false,
                libraries: libraries.iter().map(|it| format!("{it}-1")).collect(),
            },
        )
        .expect("it can be written");
    }

    fn with(&self, memory: &Memory<'_>, limits: Limits) -> Analysed {
        analyse_with(
            memory,
            &self.project,
            &self.own,
            &MemberFiles::new(&self.overlay),
            &self.artifacts,
            limits,
        )
    }

    /// What is found where the same may have been found before.
    fn remembering(&self) -> Analysed {
        self.with(&Memory::of(&self.project, &self.own), Limits::default())
    }

    /// What is found anew.
    fn anew(&self) -> Analysed {
        self.with(&Memory::none(&self.own), Limits::default())
    }

    fn entries(&self) -> Vec<Utf8PathBuf> {
        let folder = self.own.root().join("found");
        let entries = folder.read_dir_utf8().into_iter().flatten().flatten();
        entries.map(camino::Utf8DirEntry::into_path).collect()
    }

    fn replace(path: &Utf8Path, from: &str, to: &str) {
        let text = fs::read_to_string(path).expect("it is there");
        assert!(text.contains(from), "{path}: {text}");
        fs::write(path, text.replace(from, to)).expect("it can be written");
    }
}

#[test]
fn a_dependency_with_the_name_of_a_member_is_not_looked_at() {
    let mut scene = Scene::new();
    let alone = scene.anew();
    let folder = scene.project.root.join("elsewhere");
    let member = scene.project.packages.values().next().expect("there is one").clone();
    let other = Package { version: "0.2.0".to_owned(), role: Role::Instrumented, ..member };
    scene.project.packages.insert(folder.clone(), other);
    let files = vec![scene.project.root.join("deps/libshop-2.rlib")];
    let artifact = scene.artifacts[0].clone();
    scene.artifacts.push(Artifact { package: folder, for_tests: false, files, ..artifact });
    assert_eq!(scene.anew(), alone);
    assert_eq!(alone.proofs.against, None);
}

#[test]
fn what_is_remembered_is_what_is_found_anew_also_after_a_change() {
    let scene = Scene::new();
    scene.mir("shop", UNKNOWN);
    let first = scene.remembering();
    assert_eq!(first.notes, ["1 function of `shop` with its tests could not be read in the compiler's MIR"]);
    assert_eq!((&first, first.targets), (&scene.anew(), 2));
    assert_eq!(scene.remembering(), first);
    let changes: [&dyn Fn(); 4] = [
        &|| scene.mir("it", &format!("{KNOWN}{UNKNOWN}")),
        &|| scene.mir("shop", KNOWN),
        &|| scene.source("//! ```\n//! lock.lock();\n//! ```\nfn known() {}\n"),
        &|| fs::write(&scene.overlay.undone, "{}").expect("it can be written"),
    ];
    fs::create_dir_all(scene.project.root.join("overlay")).expect("it can be made");
    for change in changes {
        change();
        assert_eq!(scene.remembering(), scene.anew());
        assert_eq!(scene.remembering(), scene.anew());
    }
}

#[test]
fn what_is_remembered_is_not_looked_for_again_and_damaged_entries_are() {
    let scene = Scene::new();
    scene.mir("shop", UNKNOWN);
    let fresh = scene.remembering();
    assert_eq!(scene.entries().len(), 3, "one for each crate, and one for the proofs");
    for entry in scene.entries().iter().filter(|it| it.as_str().contains("shop-1")) {
        Scene::replace(entry, "1 function of", "7 functions of");
    }
    assert!(scene.remembering().notes[0].starts_with("7 functions"), "the entry was not taken");
    for damage in ["", "{", "[]", "{\"stamp\": \"0\", \"found\": 1}"] {
        for entry in scene.entries() {
            fs::write(entry, damage).expect("it can be written");
        }
        assert_eq!(scene.remembering(), fresh, "{damage:?}");
    }
}

#[test]
fn a_property_file_that_changes_nothing_in_a_crate_does_not_have_it_looked_at_again() {
    let mut scene = Scene::new();
    scene.mir("shop", UNKNOWN);
    scene.remembering();
    for entry in scene.entries().iter().filter(|it| it.as_str().contains("shop-1")) {
        Scene::replace(entry, "1 function of", "7 functions of");
    }
    for (function, is_remembered) in [("elsewhere", true), ("known", false)] {
        let path = PathPattern::parse(function).expect("it is a path");
        let observation = Observation::plain("called".to_owned(), path, Moment::Entry, Vec::new());
        for rules in scene.overlay.packages.values_mut() {
            rules.observed.observations = vec![observation.clone()];
        }
        let notes = scene.remembering().notes;
        assert_eq!(notes[0].starts_with("7 functions"), is_remembered, "{function}: {notes:?}");
    }
}

#[test]
fn what_exceeds_a_limit_is_not_looked_at_and_that_is_said_and_not_remembered() {
    let scene = Scene::new();
    scene.mir("it", &KNOWN.repeat(100));
    let bytes = Limits { bytes: KNOWN.len() as u64, ..Limits::default() };
    let time = Limits { time: Duration::ZERO, ..Limits::default() };
    let cases = [
        (time, "`shop`", "it takes too long", 0),
        (bytes, "`it`", "the compiler's MIR of it is too long", 1),
    ];
    for (limits, name, why, targets) in cases {
        let found = scene.with(&Memory::of(&scene.project, &scene.own), limits);
        let note = found.notes.iter().find(|it| it.starts_with(name)).expect("it is said");
        assert!(note.ends_with(&format!("was not analysed without running it: {why}")), "{note}");
        assert_eq!(found.targets, targets);
        let against = found.proofs.against.expect("nothing is proved");
        assert!(against.contains("analysed"), "{against}");
        assert_eq!(scene.entries().len() as u64, targets, "only what was looked at is remembered");
    }
    assert_eq!(scene.remembering().notes, [""; 0]);
}

/// A library that calls what it is given, and what a test gives it.
const CALLS: &str = "fn visit(_1: F) -> () {\n    bb0: {\n        return;\n    }\n}\n";
const GIVES: &str = "fn gives() -> () {\n    bb0: {\n        _0 = shop::visit::<{closure@it.rs:1:1: 1:3}>(const ZeroSized: {closure@it.rs:1:1: 1:3}) -> [return: bb1, unwind continue];\n    }\n\n    bb1: {\n        return;\n    }\n}\n";

#[test]
fn a_test_is_linked_with_the_library_that_it_gives_code_and_that_is_remembered_for_as_long_as_both_stay() {
    let mut scene = Scene::new();
    scene.artifacts[0].for_tests = false;
    scene.mir("shop", CALLS);
    scene.linked_mir("it", GIVES, &["shop"]);
    let linked = |scene: &Scene| scene.entries().iter().any(|it| it.as_str().contains("linked-it-1"));
    assert_eq!(scene.remembering(), scene.anew());
    assert!(linked(&scene), "it is remembered");
    let changes: [&dyn Fn(); 3] = [
        &|| scene.mir("shop", &format!("{CALLS}{KNOWN}")),
        &|| scene.linked_mir("it", &format!("{GIVES}{KNOWN}"), &["shop"]),
        &|| scene.source("fn known() {}\nfn visit() {}\n"),
    ];
    for change in changes {
        change();
        assert_eq!(scene.remembering(), scene.anew());
        assert_eq!(scene.remembering(), scene.anew());
    }
}

#[test]
fn what_is_not_linked_is_said_once_for_all_that_have_the_same_reason() {
    let mut scene = Scene::new();
    scene.artifacts[0].for_tests = false;
    scene.mir("shop", CALLS);
    for name in ["it", "others", "rest", "more"] {
        let files = vec![scene.project.root.join("deps").join(format!("{name}-1"))];
        let artifact = Artifact { target: name.to_owned(), files, ..scene.artifacts[1].clone() };
        scene.artifacts.push(artifact);
        scene.linked_mir(name, GIVES, &["shop"]);
    }
    let bytes = Limits { bytes: GIVES.len() as u64, ..Limits::default() };
    let notes = scene.with(&Memory::none(&scene.own), bytes).notes;
    let expected = "`it`, `more`, `others` and 1 more were not analysed together with their libraries: \
                    the compiler's MIR of them is too long";
    assert_eq!(notes, [expected]);
}
