//! Only one tool is at work in a target folder, and whoever has to wait sees for whom.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

use rvcheck_tests::Fixture;

/// A crate without dependencies, so that it is built in a moment.
fn small() -> Fixture {
    let fixture = Fixture::sample(&[("src/lib.rs", ""), ("tests/it.rs", "#[test] fn fine() {}")]);
    let manifest = "[package]\nname = \"sample\"\nedition = \"2021\"\n[workspace]\n";
    fs::write(fixture.path().join("Cargo.toml"), manifest).expect("the file can be written");
    fs::remove_file(fixture.path().join("Cargo.lock")).expect("it is there");
    fixture.with_own_target()
}

/// Acts as another tool, with this number, at work in this folder.
fn occupy(target: &Path, process: u32) -> File {
    let folder = target.join("rvcheck");
    fs::create_dir_all(&folder).expect("the folder can be made");
    fs::write(folder.join("lock"), format!("{process}\n")).expect("the lock can be written");
    let lock = File::open(folder.join("lock")).expect("the lock can be opened");
    lock.lock().expect("nobody else holds it");
    lock
}

#[test]
fn a_second_tool_says_that_it_waits_and_then_goes_on() {
    let fixture = small();
    let other = occupy(fixture.target(), 999_999_999);
    let mut command = fixture.command(&["test", "--allow-empty"]);
    let mut child = command.stderr(Stdio::piped()).spawn().expect("the tool starts");
    let mut lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
    let waits = lines.by_ref().map(|it| it.expect("it is text")).find(|it| it.contains("Blocking"));
    assert!(waits.is_some_and(|it| it.contains("another rvcheck (process 999999999)")));
    drop(other);
    assert_eq!(lines.map_while(Result::ok).filter(|it| it.contains("no findings")).count(), 1);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_tool_that_would_wait_for_the_one_that_started_it_ends_with_2() {
    let fixture = small();
    let _other = occupy(fixture.target(), std::process::id());
    let output = fixture.command(&["test"]).output().expect("the tool starts");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("--target-dir"), "{said}");
}

#[test]
fn the_first_build_is_announced() {
    let fixture = small();
    let output = |arguments: &[&str]| {
        let output = fixture.command(arguments).output().expect("the tool starts");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let first = output(&["test", "--allow-empty"]);
    assert!(first.contains("Building 1 package instrumented for the first time: about"), "{first}");
    let second = output(&["test", "--allow-empty"]);
    assert!(!second.contains("for the first time"), "{second}");
}
