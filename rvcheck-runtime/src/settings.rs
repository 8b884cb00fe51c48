//! What the tool asked for, beside the trace itself.

use core::ops::RangeInclusive;
use std::sync::OnceLock;

static SETTINGS: OnceLock<Settings> = OnceLock::new();

/// The settings of a process that is recorded.
pub(crate) struct Settings {
    /// The program is a test executable of libtest.
    pub(crate) libtest: bool,
    /// Path prefixes of the program's own files.
    pub(crate) own: Vec<String>,
    /// Where named groups of tasks are spawned.
    pub(crate) groups: Vec<GroupPlace>,
}

/// The lines of a function that spawns the tasks of a named group.
pub(crate) struct GroupPlace {
    name: String,
    file: String,
    lines: RangeInclusive<u32>,
}

impl GroupPlace {
    /// Reads `name`, `file`, and the first and the last line, separated by tabs.
    pub(crate) fn read(text: &str) -> Option<GroupPlace> {
        let mut parts = text.split('\t');
        let (name, file) = (parts.next()?.to_owned(), parts.next()?.to_owned());
        let (first, last) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        Some(GroupPlace { name, file, lines: first..=last })
    }
}

impl Settings {
    /// Makes them the settings of this process. To be called once.
    pub(crate) fn install(self) {
        let _ = SETTINGS.set(self);
    }
}

/// The group that what is spawned there begins.
pub(crate) fn group_at(file: &str, line: u32) -> Option<&'static str> {
    let mut groups = get()?.groups.iter();
    groups.find(|it| it.file == file && it.lines.contains(&line)).map(|it| it.name.as_str())
}

/// The settings; `None` in a process that is not recorded.
pub(crate) fn get() -> Option<&'static Settings> {
    SETTINGS.get()
}
