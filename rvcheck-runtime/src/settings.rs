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
    /// Where the code of libraries is.
    pub(crate) libraries: Vec<LibraryPlace>,
}

/// Code of a library.
#[derive(Debug)]
pub(crate) enum LibraryPlace {
    /// All files in a folder.
    Folder(String),
    /// Lines of a file.
    Lines(String, RangeInclusive<u32>),
}

impl LibraryPlace {
    /// Reads a folder with a slash at the end, or a file with the first and the last line, separated by tabs.
    pub(crate) fn read(text: &str) -> Option<LibraryPlace> {
        let Some((file, lines)) = text.split_once('\t') else {
            return text.ends_with('/').then(|| LibraryPlace::Folder(text.to_owned()));
        };
        let (first, last) = lines.split_once('\t')?;
        Some(LibraryPlace::Lines(file.to_owned(), first.parse().ok()?..=last.parse().ok()?))
    }

    fn has(&self, file: &str, line: u32) -> bool {
        match self {
            LibraryPlace::Folder(folder) => file.starts_with(folder),
            LibraryPlace::Lines(of, lines) => of == file && lines.contains(&line),
        }
    }
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

/// Whether this is code of a library.
pub(crate) fn is_library(file: &str, line: u32) -> bool {
    get().is_some_and(|it| it.libraries.iter().any(|it| it.has(file, line)))
}

/// The settings; `None` in a process that is not recorded.
pub(crate) fn get() -> Option<&'static Settings> {
    SETTINGS.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_is_in_folders_and_in_lines_of_files() {
        let cases = [
            ("/a/tower-0.5.0/", "/a/tower-0.5.0/src/lib.rs", 1, true),
            ("/a/tower-0.5.0/", "/a/tower-0.5.00/src/lib.rs", 1, false),
            ("src/toolkit.rs\t3\t9", "src/toolkit.rs", 9, true),
            ("src/toolkit.rs\t3\t9", "src/toolkit.rs", 10, false),
            ("src/toolkit.rs\t3\t9", "src/lib.rs", 3, false),
        ];
        for (text, file, line, expected) in cases {
            let place = LibraryPlace::read(text).expect("it is one");
            assert_eq!(place.has(file, line), expected, "{text} {file} {line}");
        }
        for broken in ["", "/a/tower", "src/lib.rs\t1", "src/lib.rs\t1\tx"] {
            assert!(LibraryPlace::read(broken).is_none(), "{broken}");
        }
    }
}
