//! What the runner is given, and what it leaves behind: the files in a run's folder.

use super::progress::Shown;
use super::selection::Selection;
use super::steered::Trials;
use crate::error::{Expected, Result};
use crate::interruption::check_interrupted;
use crate::layout::{read_value, write_value};
use crate::project::built::Executable;
use crate::recorded::{End, Origin, TestResult};
use camino::{Utf8Path, Utf8PathBuf};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// What the runner is to do with the executables that cargo hands to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Orders {
    /// How.
    pub mode: Mode,
    /// Which tests to run, beyond what the arguments of the executables say.
    pub selection: Selection,
    /// How it is shown how far the tests are.
    pub shown: Shown,
    /// What tests print for people is shown in colours.
    pub colored: bool,
    /// The greatest size of a trace, in bytes.
    pub trace_cap: u64,
    /// Atomics are followed, because deadlocks are predicted.
    pub atomics: bool,
    /// What can stop the executables, if anything.
    pub enforcement: Option<Enforcement>,
    /// The file with the properties that are followed while an executable runs, if they are.
    pub online: Option<Utf8PathBuf>,
    /// How long nothing may happen in a test that waits, before it is ended.
    pub stall_timeout: Option<Duration>,
    /// How long what a test leaves behind may go on, before it is looked at.
    pub leak_grace: Duration,
    /// How many times that something outside may take, and a timer.
    pub timeout_factors: (u32, u32),
    /// Where tasks are delayed in all tests, if anywhere.
    pub schedule: Option<Utf8PathBuf>,
    /// How the paths of the user's own files begin, where they are not relative.
    pub own: Vec<String>,
    /// Where named groups of tasks are spawned, as the recorder reads it.
    #[serde(default)]
    pub groups: Vec<String>,
    /// Where the code of libraries is, as the recorder reads it.
    #[serde(default)]
    pub libraries: Vec<String>,
    /// The user's own runner, which is called inside.
    pub inner_runner: Vec<String>,
    /// What the user has in place of rustdoc, or rustdoc itself.
    pub rustdoc: String,
    /// Variables of the environment that the tool took away from cargo, to be given back.
    pub environment: BTreeMap<String, String>,
}

/// What can stop a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enforcement {
    /// The library with the monitors.
    pub library: Utf8PathBuf,
    /// The file with what they monitor.
    pub enforced: Utf8PathBuf,
    /// The same without what is enforced, for runs under control; `None` if that is nothing.
    pub stops: Option<Utf8PathBuf>,
    /// The file with what was learnt of places, if remedies are applied.
    pub learnt: Option<Utf8PathBuf>,
}

impl Enforcement {
    /// What can stop a program in which no remedies are applied.
    pub fn without_remedies(&self) -> Option<Enforcement> {
        let enforced = self.stops.clone()?;
        Some(Enforcement { enforced, learnt: None, ..self.clone() })
    }
}

/// How executables are run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// Instrumented tests.
    Tests,
    /// Instrumented tests, each in a process of its own that nextest starts and whose output it reads.
    SingleTests,
    /// Nothing: the executables only say which tests they have.
    Listing,
    /// Nothing: it is only noted which tests the executables have.
    Naming,
    /// One instrumented program.
    Program,
    /// Only these tests, alone and without instrumentation, to see whether they fail plainly too.
    Plainly(Vec<FailedTests>),
    /// Nothing: it is only noted how each executable is started.
    Launching,
    /// Only these tests, alone and by schedules.
    Steered(Trials),
}

/// An executable that cargo has built.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// What it was made from.
    pub executable: Executable,
    /// The name of its package.
    pub package: String,
    /// It speaks libtest's protocol.
    pub libtest: bool,
}

/// Tests of one executable that failed when instrumented. Without names, the executable as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedTests {
    /// The executable.
    pub executable: Executable,
    /// The names of the tests.
    pub tests: Vec<String>,
}

/// A process that the runner has run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ran {
    /// The executable.
    pub executable: Executable,
    /// Whether it speaks libtest's protocol.
    pub libtest: bool,
    /// The command.
    pub command: Vec<String>,
    /// How it ended.
    pub end: End,
    /// Its tests.
    pub tests: Vec<TestResult>,
    /// How many tests it ran without naming them.
    pub unnamed: u64,
    /// Who started it.
    pub origin: Origin,
    /// The one test that it ran, where it was started for one only.
    pub only: Option<String>,
    /// What rustdoc has called the function with the test, where it is one in documentation.
    pub function: Option<String>,
    /// Doctests that are only compiled.
    pub compiled: BTreeSet<String>,
    /// Tests that could only be run without instrumentation, and why.
    pub unmonitored: BTreeMap<String, String>,
    /// Its trace, if it has written one.
    pub trace: Option<Utf8PathBuf>,
    /// Where its tasks were delayed, where that was tried to make a prediction happen.
    #[serde(default)]
    pub schedule: Option<Utf8PathBuf>,
    /// Wall time in seconds.
    pub seconds: f64,
}

/// The file with the orders.
const ORDERS: &str = "orders.json";

/// Puts orders into a run's folder.
pub fn write_orders(folder: &Utf8Path, orders: &Orders) -> Result<()> {
    write_value(&folder.join(ORDERS), orders)
}

/// Reads the orders.
pub fn read_orders(folder: &Utf8Path) -> Result<Orders> {
    read_value(&folder.join(ORDERS))
}

/// The file with the list of executables.
const EXECUTABLES: &str = "executables.json";

/// Puts the executables that cargo has built, by path, into a run's folder. Cargo says what it has built only just before it
/// runs the first of them.
pub fn write_executables(folder: &Utf8Path, list: &BTreeMap<Utf8PathBuf, Listed>) -> Result<()> {
    write_value(&folder.join(EXECUTABLES), list)
}

/// How long the runner waits for the list of executables: the tool writes it while cargo starts the runner.
const TIMEOUT: Duration = Duration::from_secs(20);

/// What is known about the executable with this path, as soon as that is known.
pub fn await_executable(folder: &Utf8Path, path: &Utf8Path) -> Result<Listed> {
    let file = folder.join(EXECUTABLES);
    let begun = Instant::now();
    while !file.exists() && begun.elapsed() < TIMEOUT {
        check_interrupted()?;
        std::thread::sleep(Duration::from_millis(1));
    }
    let mut list: BTreeMap<Utf8PathBuf, Listed> = read_value(&file)?;
    list.remove(path).ok_or_else(|| {
        Expected::Configuration(format!("cargo runs {path}, which it did not say that it has built"))
    })
}

/// Puts the `number`-th result into a run's folder.
pub fn write_result<T: Serialize>(folder: &Utf8Path, number: u32, result: &T) -> Result<()> {
    write_value(&folder.join(format!("p{number}.json")), result)
}

/// All results, in order. Processes that were stopped before they wrote one leave gaps.
pub fn read_results<T: DeserializeOwned>(folder: &Utf8Path, count: u32) -> Result<Vec<T>> {
    let paths = (1..=count).map(|number| folder.join(format!("p{number}.json")));
    paths.filter(|it| it.exists()).map(|it| read_value(&it)).collect()
}

/// The name of the trace of the `number`-th process.
pub fn trace(folder: &Utf8Path, number: u32) -> Utf8PathBuf {
    folder.join(format!("p{number}.rvt"))
}

/// Takes the next free number in a run's folder.
pub fn next_number(folder: &Utf8Path) -> Result<u32> {
    let mut number = count(folder) + 1;
    loop {
        let path = begun(folder, number);
        match std::fs::File::create_new(&path) {
            Ok(_) => return Ok(number),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(crate::error::writing(&path)(error)),
        }
    }
}

/// How many numbers were taken.
pub fn count(folder: &Utf8Path) -> u32 {
    let taken = |number: u32| begun(folder, number).exists();
    // The numbers are taken one after another, so their end can be found by halves.
    let (mut free, mut last) = (1, 0);
    while taken(free) {
        (last, free) = (free, free.saturating_mul(2));
    }
    while free - last > 1 {
        let middle = last + (free - last) / 2;
        if taken(middle) { last = middle } else { free = middle }
    }
    last
}

/// The file that says that a number is taken.
fn begun(folder: &Utf8Path, number: u32) -> Utf8PathBuf {
    folder.join(format!("p{number}.begun"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_taken_one_after_another() {
        let folder = tempfile::tempdir().expect("there is room for a temporary folder");
        let folder = Utf8Path::from_path(folder.path()).expect("its name is Unicode");
        assert_eq!(count(folder), 0);
        for number in 1..=20 {
            assert_eq!(next_number(folder).expect("the folder can be written"), number);
            assert_eq!(count(folder), number);
        }
    }
}
