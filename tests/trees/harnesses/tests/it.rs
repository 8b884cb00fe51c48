//! Tests that start processes, and others.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

fn helper(what: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_helper"));
    command.arg(what).stdout(Stdio::piped());
    command
}

#[tokio::test]
async fn keeps_its_errors() {
    assert_eq!(harnesses::fail().await, Err(1));
}

#[test]
fn starts_a_program_that_loses() {
    let output = helper("").output().unwrap();
    assert!(output.status.success());
    assert_eq!(output.stdout, b"ready\n");
}

#[tokio::test]
async fn starts_a_program_that_is_killed() {
    let mut child = helper("wait").spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(harnesses::fail().await, Err(1));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn programs_end_as_they_do_without_watch() {
    assert_eq!(helper("exit").status().unwrap().code(), Some(7));
    assert_eq!(helper("abort").status().unwrap().code(), None);
    // This binary is built to abort.
    assert_eq!(helper("panic").stderr(Stdio::null()).status().unwrap().code(), None);
}

#[test]
#[ignore = "takes long"]
fn is_ignored() {
    std::thread::sleep(std::time::Duration::from_secs(600));
}
