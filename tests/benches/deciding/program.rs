//! The program that is measured, in its builds.

use rvcheck_tests::Fixture;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// See the module.
pub(crate) struct Program {
    fixture: Fixture,
    plain: PathBuf,
    instrumented: PathBuf,
}

/// How a test of it is run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Plain,
    /// In the order of tickets, as what is controlled.
    Recorded,
    /// Under control, chosen in this way.
    By(&'static str),
}

/// What a run came to.
#[derive(Clone, Copy, Default)]
pub(crate) struct Figures {
    /// How many ns each step took.
    pub(crate) step: f64,
    /// How many points there were.
    pub(crate) points: f64,
    /// How often somebody else went on although the one that came to a point could.
    pub(crate) switches: f64,
}

impl Program {
    /// Builds it.
    pub(crate) fn build() -> Program {
        let fixture = Fixture::tree("deciding");
        fixture.run(&["test", "--release", "--no-run"]).expect(0);
        let (plain, instrumented) = (plain(&fixture), instrumented(&fixture));
        Program { fixture, plain, instrumented }
    }

    /// Runs a test with so many steps.
    pub(crate) fn run(&self, test: &str, steps: u64, mode: Mode) -> Figures {
        let at = |name: &str| self.fixture.path().join(name);
        let (trace, plan, outcome) = (at("trace.rvt"), at("plan.txt"), at("outcome.txt"));
        for old in [&trace, &outcome] {
            // Beside an old one it would write another.
            let _ = std::fs::remove_file(old);
        }
        let mut command = Command::new(if mode == Mode::Plain { &self.plain } else { &self.instrumented });
        command
            .args([test, "--exact", "--nocapture"])
            .env("STEPS", steps.to_string())
            .env_remove("RVCHECK_RUN");
        let record = format!("trace={}\nlibtest=1\natomics=1\ntickets=1\n", trace.display());
        match mode {
            Mode::Plain => {}
            Mode::Recorded => {
                command.env("RVCHECK_RUN", record);
            }
            Mode::By(way) => {
                let text = format!("rvcheck-schedule 2\nseed 1\nby {way}\nlimit 1000000000\n");
                std::fs::write(&plan, text).expect("the plan can be written");
                let control = format!("explore={}\nexplored={}\n", plan.display(), outcome.display());
                command.env("RVCHECK_RUN", record + &control);
            }
        }
        let output = command.output().expect("the test starts");
        let text = String::from_utf8_lossy(&output.stdout);
        let step = text.split_once("took ").and_then(|it| it.1.split_once(" ns")?.0.parse().ok());
        let step = step.unwrap_or_else(|| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)));
        let outcome = std::fs::read_to_string(&outcome).unwrap_or_default();
        let points = outcome.lines().find_map(|it| it.strip_prefix("points ")?.parse().ok());
        let switches = outcome.lines().filter(|it| it.starts_with("switch ")).count() as f64;
        Figures { step, points: points.unwrap_or(0.0), switches }
    }
}

fn plain(fixture: &Fixture) -> PathBuf {
    let words = ["test", "--release", "--no-run", "--quiet", "--message-format", "json-render-diagnostics"];
    let output = fixture.cargo(&words).output().expect("cargo runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|it| serde_json::from_str::<Value>(it).ok());
    let mut its = messages.filter(|it| it["target"]["name"] == "points");
    let executable = its.find_map(|it| it["executable"].as_str().map(PathBuf::from));
    executable.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// The newest one in a build of the tool's.
fn instrumented(fixture: &Fixture) -> PathBuf {
    let entries = |folder: &Path| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|it| it.path()).collect::<Vec<PathBuf>>()
    };
    let builds = entries(&fixture.target().join("rvcheck"));
    let files = builds.iter().flat_map(|it| entries(&it.join("release/deps")));
    let is_it = |it: &PathBuf| {
        let name = it.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("points-") && it.extension().is_none()
    };
    let newest = files.filter(is_it).max_by_key(|it| it.metadata().and_then(|it| it.modified()).ok());
    newest.expect("the tool has built it")
}
