//! Which tests the runner runs, beyond what the arguments of the executables say.

use super::filterset::{Filtersets, Suite};
use crate::error::{Result, reading, writing};
use crate::request::Part;
use camino::Utf8Path;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::ErrorKind;

/// Which tests the runner runs, and how often.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selection {
    /// The expressions that select tests, if there are any.
    pub filtersets: Option<Filtersets>,
    /// Which part of the tests of each executable to run, if not all.
    pub part: Option<Part>,
    /// How often a test that fails is run again and checked, where the user says so.
    pub retries: Option<u32>,
}

/// The file with the number of tests that were selected so far.
const COUNTED: &str = "selected";

impl Selection {
    /// Everything is run that the arguments select.
    pub const fn is_everything(&self) -> bool {
        self.filtersets.is_none() && self.part.is_none()
    }

    /// Those of the tests of an executable that are run, in their order. Executables are asked for one after another, with the same
    /// folder.
    pub fn of(&self, suite: Suite<'_>, names: Vec<String>, folder: &Utf8Path) -> Result<Vec<String>> {
        let names = self.filtered(suite, names)?;
        match self.part {
            Some(part) => {
                let before = count(folder, names.len())?;
                Ok(part.of(names, before))
            }
            None => Ok(names),
        }
    }

    /// Those of the tests that the expressions select.
    pub fn filtered(&self, suite: Suite<'_>, names: Vec<String>) -> Result<Vec<String>> {
        match &self.filtersets {
            Some(filtersets) => filtersets.select(suite, names),
            None => Ok(names),
        }
    }

    /// Whether what has this name, and cannot be divided, belongs to the part that was asked for.
    pub fn has(&self, name: &str) -> bool {
        self.part.is_none_or(|it| it.has(name))
    }
}

/// Forgets how many tests were selected before.
pub fn begin(folder: &Utf8Path) -> Result<()> {
    let file = folder.join(COUNTED);
    match fs::remove_file(&file) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(writing(&file)(error)),
        _ => Ok(()),
    }
}

/// How many tests were selected before these.
fn count(folder: &Utf8Path, more: usize) -> Result<u64> {
    let file = folder.join(COUNTED);
    let before = match fs::read_to_string(&file) {
        Ok(text) => text.trim().parse().unwrap_or(0),
        Err(error) if error.kind() == ErrorKind::NotFound => 0,
        Err(error) => return Err(reading(&file)(error)),
    };
    fs::write(&file, (before + more as u64).to_string()).map_err(writing(&file))?;
    Ok(before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::TargetKind;
    use crate::project::built::Executable;
    use camino::Utf8PathBuf;

    #[test]
    fn slices_count_over_the_executables_of_a_run() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).expect("its name is Unicode");
        let executable = Executable { package: "/shop".into(), kind: TargetKind::Test, target: "it".into() };
        let suite = Suite::Executable(&executable);
        let selection = Selection { part: "slice:2/2".parse().ok(), ..Selection::default() };
        let names = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let of = |all: &[&str]| selection.of(suite, names(all), &path).expect("there is room");
        assert_eq!(of(&["a"]), names(&[]));
        assert_eq!(of(&["b", "c"]), names(&["b"]));
        begin(&path).expect("it can be removed");
        assert_eq!(of(&["b", "c"]), names(&["c"]));
    }
}
