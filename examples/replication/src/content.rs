//! What is replicated, and by which schedules.

use std::collections::BTreeMap;

use rvcheck_runtime::{Observe, Value};

/// What a name in a file system stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A file of so many bytes.
    File(u64),
    Directory(Directory),
}

pub type Directory = BTreeMap<String, Content>;

/// The path of a directory.
pub type Item = String;

/// Items that are replicated together.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    pub name: String,
    pub items: Vec<Item>,
}

/// What a job wants of its worker.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    ListSchedules,
    /// Replicate by the schedule of this name.
    Replicate(String),
}

/// In a trace, a command is the name of its schedule, or that of the variant without one.
impl Observe for Command {
    fn value(&self) -> Value<'_> {
        match self {
            Command::ListSchedules => Value::Text("ListSchedules"),
            Command::Replicate(name) => Value::Text(name),
        }
    }
}

/// What the server has.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The transaction that made it.
    pub version: i64,
    pub schedules: Vec<Schedule>,
    pub directories: BTreeMap<Item, Directory>,
}
