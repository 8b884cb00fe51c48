//! Doctests. Cargo has rustdoc test each library; rustdoc compiles them, and has the runner start what
//! came out.
//!
//! The tool stands in rustdoc's place, so that the tests are compiled against the shims, and tells the runner by
//! a variable for which library it works. From edition 2024 on rustdoc makes one executable of most of them. Each
//! test still has a process of its own: the executable starts itself again, unless there is a runner; then the runner
//! has to see to it.

mod name;
mod part;
mod plain;
mod rustdoc;

use super::process::{Output, Recorder, Start, become_process, end_like, run};
use super::run_file::{Mode, Orders, Ran, next_number, trace, write_result};
use crate::error::{Expected, Result};
use crate::project::built::Executable;
use crate::recorded::{End, Origin};
use crate::wrapper::plan::RUNNER;
use camino::{Utf8Path, Utf8PathBuf};
pub use name::name_tests;
pub use part::Part;
pub use plain::decide;
pub use rustdoc::main;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The variable that tells the runner what rustdoc tests.
const VARIABLE: &str = "RVCHECK_DOCUMENTATION";

/// What rustdoc tests.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Documentation {
    /// The library.
    executable: Executable,
    /// It only tries again, and what is recorded is of no interest.
    again: bool,
}

impl Documentation {
    /// What the variable says; `None` without it.
    pub fn of_environment() -> Result<Option<Documentation>> {
        of_variable(VARIABLE)
    }

    /// Runs an executable that rustdoc has made.
    pub fn run(&self, folder: &Utf8Path, path: Utf8PathBuf, orders: &Orders, args: &[String]) -> Result<u8> {
        let words = orders.inner_runner.iter().cloned().chain([path.to_string()]).chain(args.iter().cloned());
        let mut start = Start {
            words: words.collect(),
            recorder: None,
            output: Output::Inherited,
            environment: orders.environment.clone(),
            without: vec![VARIABLE.to_owned()],
            launch: None,
            limit: None,
        };
        if orders.mode == Mode::Listing {
            return Err(become_process(&start));
        }
        let process = Instrumented { folder, orders, documentation: self };
        if part::is_merged(&path) {
            let part = Part { folder: folder.to_owned(), executable: path, documentation: self.clone() };
            let runner = std::env::current_exe().ok().and_then(|it| Utf8PathBuf::from_path_buf(it).ok());
            // The executable is found by its name, whatever the system calls it.
            let runner = std::env::args().next().map(Utf8PathBuf::from).or(runner);
            part.announce(&mut start, &runner.unwrap_or_else(|| RUNNER.into()))?;
            return Ok(end_like(&run(&start)?.end));
        }
        let function = name::function(&path);
        process.run(start, None, function)
    }
}

/// A process for one test.
struct Instrumented<'a> {
    folder: &'a Utf8Path,
    orders: &'a Orders,
    documentation: &'a Documentation,
}

impl Instrumented<'_> {
    /// Runs it. It belongs to rustdoc what its end means.
    fn run(&self, mut start: Start, only: Option<String>, function: Option<String>) -> Result<u8> {
        let number = next_number(self.folder)?;
        let file = trace(self.folder, number);
        start.recorder = Some(Recorder {
            trace: file.clone(),
            cap: self.orders.trace_cap,
            grace: self.orders.leak_grace,
            libtest: false,
            // Rustdoc tells nobody why a test failed, so nothing stops them.
            enforcement: None,
            atomics: self.orders.atomics,
            tickets: false,
            schedule: self.orders.schedule.clone(),
            controlled: None,
            own: self.orders.own.clone(),
            groups: self.orders.groups.clone(),
            libraries: self.orders.libraries.clone(),
        });
        let ended = run(&start)?;
        if self.documentation.again {
            super::children::remove(&file);
            return Ok(end_like(&ended.end));
        }
        let ran = Ran {
            executable: self.documentation.executable.clone(),
            libtest: false,
            command: start.words,
            end: if ended.succeeded() { End::Orderly } else { ended.end.clone() },
            tests: Vec::new(),
            unnamed: 0,
            origin: Origin::Process,
            only,
            function,
            compiled: BTreeSet::new(),
            unmonitored: BTreeMap::new(),
            trace: file.exists().then_some(file),
            schedule: None,
            seconds: ended.seconds,
        };
        write_result(self.folder, number, &ran)?;
        Ok(end_like(&ended.end))
    }
}

/// What a variable holds that the tool has set for itself.
fn of_variable<T: serde::de::DeserializeOwned>(name: &str) -> Result<Option<T>> {
    let Ok(text) = std::env::var(name) else { return Ok(None) };
    serde_json::from_str(&text).map(Some).map_err(|error| {
        Expected::Configuration(format!("{name} is not what rvcheck has set it to: {error}"))
    })
}

/// The text for such a variable.
fn for_variable<T: Serialize>(name: &str, value: &T) -> Result<String> {
    serde_json::to_string(value)
        .map_err(|error| Expected::Configuration(format!("{name} cannot be set: {error}")))
}
