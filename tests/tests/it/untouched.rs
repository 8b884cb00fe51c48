//! Neither the user's files nor what the program sees of itself change.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use rvcheck_tests::Fixture;

/// The hash of each file below a folder, but for the tool's own.
fn hashes(folder: &Path, into: &mut BTreeMap<PathBuf, u64>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the entry can be read").path();
        if path.ends_with("target/rvcheck") || path.ends_with("target/fixture") {
            continue;
        }
        if path.is_dir() {
            hashes(&path, into);
        } else {
            let mut hasher = DefaultHasher::new();
            std::fs::read(&path).expect("the file can be read").hash(&mut hasher);
            path.metadata().and_then(|it| it.modified()).expect("the file has a time").hash(&mut hasher);
            into.insert(path, hasher.finish());
        }
    }
}

fn tree(folder: &Path) -> BTreeMap<PathBuf, u64> {
    let mut files = BTreeMap::new();
    hashes(folder, &mut files);
    files
}

/// A plain `cargo test` of a fixture, in its own target folder.
fn plainly(fixture: &Fixture) -> String {
    let tool = fixture.command(&[]);
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["test", "--", "--no-capture"]).current_dir(fixture.path());
    for (name, value) in tool.get_envs() {
        match value {
            Some(value) => cargo.env(name, value),
            None => cargo.env_remove(name),
        };
    }
    let output = cargo.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The facts among other output, with the folder for builds made the same.
fn facts(output: &str, fixture: &Fixture) -> String {
    let target = fixture.target().display().to_string();
    let own = format!("{target}/rvcheck/build-");
    let mut lines: Vec<String> = Vec::new();
    for line in output.lines().filter(|line| line.contains(" = ")) {
        let mut line = line.to_owned();
        while let Some(at) = line.find(&own) {
            let hash = line[at + own.len()..].find(['/', '"', ':']).expect("a path goes on") + at + own.len();
            line.replace_range(at..hash, &target);
        }
        // The name of the folder for what a build script writes goes with the compiler that cargo calls.
        if let Some((before, folder)) = line.split_once("/build/mirror-") {
            line = format!(
                "{before}/build/mirror{}",
                folder.trim_start_matches(|it: char| it.is_ascii_hexdigit())
            );
        }
        lines.push(line);
    }
    lines.join("\n")
}

#[test]
fn the_users_tree_and_build_stay_as_they_are() {
    let fixture = Fixture::tree("mirror").with_own_target();
    plainly(&fixture);
    fixture.run(&["list", "sites"]).expect(0);
    let before = tree(fixture.path());
    assert!(before.len() > 20, "the plain build left its files: {before:?}");
    fixture.run(&["test"]).expect(0);
    let after = tree(fixture.path());
    let changed: Vec<_> =
        before.keys().chain(after.keys()).filter(|path| before.get(*path) != after.get(*path)).collect();
    assert!(changed.is_empty(), "{changed:#?}");
}

#[test]
fn a_missing_lock_file_is_made_as_cargo_makes_it() {
    let fixture = Fixture::tree("mirror").with_own_target();
    let lock = fixture.path().join("Cargo.lock");
    let usual = std::fs::read_to_string(&lock).expect("there is a lock file");
    std::fs::remove_file(&lock).expect("it can be removed");
    fixture.run(&["test"]).expect(0);
    assert_eq!(std::fs::read_to_string(&lock).expect("it is there again"), usual);
}

#[test]
fn the_program_sees_of_itself_what_it_sees_plainly() {
    let fixture = Fixture::tree("mirror").with_own_target();
    let plain = facts(&plainly(&fixture), &fixture);
    assert!(plain.contains("panic = \"panicked at src/lib.rs:"), "{plain}");
    assert!(plain.lines().count() > 30, "{plain}");
    let instrumented = fixture.run(&["test", "--", "--no-capture"]).expect(0);
    // The tool shows what tests print on standard error.
    let (output, _) = instrumented.stderr.split_once(" Checking ").expect("the report follows");
    // The one variable that gives the recorder its orders, which programs started by the tests inherit.
    let recorder = "variable RVCHECK_RUN = ";
    let instrumented = facts(output, &fixture);
    assert!(instrumented.lines().any(|it| it.starts_with(recorder)), "{instrumented}");
    let instrumented: Vec<&str> = instrumented.lines().filter(|it| !it.starts_with(recorder)).collect();
    for line in &instrumented {
        assert!(!line.contains("RVCHECK") && !line.contains("WRAPPER"), "{line}");
    }
    let differing: Vec<_> = plain
        .lines()
        .zip(instrumented.iter().copied())
        .filter(|(plain, instrumented)| plain != instrumented)
        .collect();
    assert!(differing.is_empty(), "plain and instrumented: {differing:#?}");
    assert_eq!(plain.lines().count(), instrumented.len());
}
