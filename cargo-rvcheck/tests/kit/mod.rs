//! A workspace with a stored run, and the tool in it. Nothing is built.

#![allow(dead_code, reason = "not every test needs all of it")]

use camino::{Utf8Path, Utf8PathBuf};
use cargo_rvcheck::finding::Anchor;
use cargo_rvcheck::finding::{
    CodeLocation, Draft, Finding, Level, Location, NextStep, Proof, Witness, finding,
};
use cargo_rvcheck::report::{PropertyReport, Report, SiteCount, UnitVerdict, Verdict, stored};
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

/// Variables that change what the tool prints.
const SET_BY_OTHERS: [&str; 5] = ["CI", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CARGO_TERM_COLOR"];

/// A workspace of one package.
pub(crate) struct Workspace {
    _guard: tempfile::TempDir,
    pub(crate) root: Utf8PathBuf,
}

/// What the tool gave.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Run {
        assert_eq!(self.code, code, "{}{}", self.stdout, self.stderr);
        self
    }

    /// What was printed has each of these words.
    #[track_caller]
    pub(crate) fn says(self, words: &[&str]) -> Run {
        for word in words {
            let both = format!("{}{}", self.stdout, self.stderr);
            assert!(both.contains(word), "nothing is said of {word:?}:\n{both}");
        }
        self
    }
}

impl Workspace {
    /// In a folder with a name that is hard to handle.
    pub(crate) fn new() -> Workspace {
        let guard = tempfile::tempdir().expect("there is room for a folder");
        let root = Utf8Path::from_path(guard.path()).expect("its name is Unicode").join("größe und mehr");
        let workspace = Workspace { _guard: guard, root };
        workspace
            .write("Cargo.toml", "[package]\nname = \"sample\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
        workspace.write("src/lib.rs", "");
        workspace
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("there is room");
        fs::write(path, text).expect("there is room");
    }

    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.root.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.root.join(name).exists()
    }

    /// Makes this the last run.
    pub(crate) fn store(&self, report: &Report) {
        let run = self.root.join("target/rvcheck/runs/1");
        fs::create_dir_all(&run).expect("there is room");
        stored::write(report, &run).expect("there is room");
    }

    /// The tool with these arguments.
    pub(crate) fn run(&self, words: &str) -> Run {
        self.with(words, &[])
    }

    /// The same with variables.
    pub(crate) fn with(&self, words: &str, variables: &[(&str, &str)]) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-rvcheck"));
        for (name, _) in std::env::vars() {
            if name.starts_with("RVCHECK_") || name.starts_with("GITHUB_") || SET_BY_OTHERS.contains(&&*name)
            {
                command.env_remove(name);
            }
        }
        let output = command
            .current_dir(&self.root)
            .env_remove("CARGO_TARGET_DIR")
            .envs(variables.iter().copied())
            .arg("rvcheck")
            .args(words.split_whitespace())
            .output()
            .expect("the tool runs");
        Run {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// A lost error in this function, at this line.
pub(crate) fn lost_error(item: &str, line: u32) -> Finding {
    let draft = Draft {
        property: "lost-error".into(),
        level: Level::Error,
        proof: Proof::Observed,
        message: format!("the task spawned in `{item}` returned an error that nothing can read"),
        test: "it::records".into(),
        witness: Witness { state: "lost".into(), ..Witness::default() },
        next: NextStep {
            advice: "keep the handle".into(),
            command: "cargo rvcheck test --test it -- --exact records".into(),
        },
    };
    let location = Location {
        file: "src/lib.rs".into(),
        line,
        column: 5,
        end_line: line,
        end_column: 10,
        label: "handle dropped here".into(),
    };
    let place = CodeLocation { location, own: true, in_test: false };
    let found = finding(draft, &[place], &[]).expect("it has a place");
    Finding { anchor: Anchor { item: item.into(), code: "spawn(flush());".into() }, ..found }
}

/// The report of a run of one test with these findings.
pub(crate) fn report(findings: Vec<Finding>) -> Report {
    let mut report = Report::empty("b");
    report.run.units = 1;
    report.run.tests.passed = 1;
    report.run.sites = SiteCount::of(20, 1);
    let verdict = if findings.is_empty() { Verdict::Held } else { Verdict::Violated };
    let unit =
        UnitVerdict { test: "it::records".into(), verdict, bindings: 1, exercised: 1, witness: Vec::new() };
    let property = |id: &str, verdict, units| PropertyReport {
        id: id.into(),
        title: String::new(),
        level: Level::Error,
        verdict,
        units,
        sites: SiteCount::of(4, 0),
        events: 7,
        reasons: BTreeMap::new(),
        elsewhere: 0,
        notes: 0,
        live: None,
    };
    report.properties = vec![
        property("lost-error", verdict, vec![unit]),
        property("semaphore", Verdict::NotExercised, Vec::new()),
    ];
    report.findings = findings;
    report
}
