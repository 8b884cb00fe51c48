//! Running tests again and again without the tool, alone or while all cores are busy.

use crate::load::Load;
use crate::settings::Settings;
use crate::subjects::Subject;
use crate::tally::Tried;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long a run may take. What takes longer hangs.
const LIMIT: Duration = Duration::from_secs(5);

/// What comes of these tests, for each seed once.
pub(crate) fn repeat(
    subject: &Subject,
    tests: &BTreeSet<String>,
    is_busy: bool,
    settings: &Settings,
) -> Vec<(String, Tried)> {
    let executables = build(subject);
    let _load = is_busy.then(Load::of_all_cores);
    let mut all = Vec::new();
    for test in tests {
        let (target, name) = test.split_once("::").expect("a test has a target");
        let Some(executable) = executables.get(target) else { continue };
        for _ in 0..settings.seeds {
            let mut tried = Tried::default();
            for _ in 0..settings.schedules {
                tried.note(passes(executable, name, subject.fixture.path()));
            }
            all.push((test.clone(), tried));
        }
    }
    all
}

/// The executables of a crate's tests, by target.
fn build(subject: &Subject) -> BTreeMap<String, PathBuf> {
    let words = ["test", "--no-run", "--quiet", "--message-format", "json-render-diagnostics"];
    let output = subject.fixture.cargo(&words).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let tests = messages.filter(|it| it["profile"]["test"] == true);
    tests
        .filter_map(|it| {
            let name = it["target"]["name"].as_str()?.to_owned();
            Some((name, it["executable"].as_str()?.into()))
        })
        .collect()
}

/// Whether the test passes in time.
fn passes(executable: &Path, test: &str, folder: &Path) -> bool {
    let mut command = Command::new(executable);
    command.args([test, "--exact"]).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the test starts");
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            return status.success();
        }
        if begun.elapsed() > LIMIT {
            child.kill().and_then(|()| child.wait()).expect("it can be ended");
            return false;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}
