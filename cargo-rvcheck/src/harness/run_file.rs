//! What the runner is told, and what it leaves behind: the files in a run's folder.

use crate::error::Result;
use crate::layout::{read_value, write_value};
use crate::recorded::{End, TestResult};
use camino::{Utf8Path, Utf8PathBuf};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the runner is to do with the executables that cargo hands to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Orders {
    /// How.
    pub mode: Mode,
    /// The greatest size of a trace, in bytes.
    pub trace_cap: u64,
    /// How the paths of the user's own files begin, where they are not relative.
    pub own: Vec<String>,
    /// Executables that do not speak libtest's protocol.
    pub unharnessed: Vec<Executable>,
    /// The user's own runner, which is called inside.
    pub inner_runner: Vec<String>,
    /// A variable of the environment that the tool took away from cargo, to be given back.
    pub environment: BTreeMap<String, String>,
}

/// How executables are run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// Tests under watch.
    Tests,
    /// One program under watch.
    Program,
    /// Only these tests, alone and without watch, to see whether they fail plainly too.
    Plainly(Vec<Suspects>),
}

/// An executable as the runner knows it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Executable {
    /// The folder of its package's manifest.
    pub package: Utf8PathBuf,
    /// Its name without the hash that cargo may have added.
    pub stem: String,
}

/// Tests of one executable that failed under watch. Without names, the executable as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suspects {
    /// The executable.
    pub executable: Executable,
    /// The names of the tests.
    pub tests: Vec<String>,
}

/// A process that the runner has run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ran {
    /// The executable as cargo built it.
    pub path: Utf8PathBuf,
    /// The executable as the orders name it.
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
    /// Its trace, if it has written one.
    pub trace: Option<Utf8PathBuf>,
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
    let mut number = 1;
    loop {
        let path = folder.join(format!("p{number}.begun"));
        match std::fs::File::create_new(&path) {
            Ok(_) => return Ok(number),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(crate::error::writing(&path)(error)),
        }
    }
}

/// How many numbers were taken.
pub fn count(folder: &Utf8Path) -> u32 {
    (1..=u32::MAX).take_while(|number| folder.join(format!("p{number}.begun")).exists()).last().unwrap_or(0)
}
