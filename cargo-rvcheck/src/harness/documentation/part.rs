//! Several tests in one executable, each in a process of its own.

use super::{Documentation, Instrumented, for_variable, of_variable};
use crate::error::Result;
use crate::harness::process::{Output, Start};
use crate::harness::run_file::read_orders;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The variable by which the runner knows that it is called for one test of an executable.
const VARIABLE: &str = "RVCHECK_DOCUMENTATION_PART";
/// The variable by which such an executable knows what to start for each test.
const STARTED: &str = "RUSTDOC_DOCTEST_BIN_PATH";
/// The variable that then says which test it is, by its number.
const NUMBER: &str = "RUSTDOC_DOCTEST_RUN_NB_TEST";

/// An executable whose tests run one by one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Part {
    /// The run's folder.
    pub(super) folder: Utf8PathBuf,
    /// The executable.
    pub(super) executable: Utf8PathBuf,
    /// What it belongs to.
    pub(super) documentation: Documentation,
}

/// The source of such an executable's `main`, which lies beside it. Its name ends in the edition.
fn source(executable: &Utf8Path) -> Option<Utf8PathBuf> {
    let entries = executable.parent()?.read_dir_utf8().ok()?.flatten();
    entries.map(camino::Utf8DirEntry::into_path).find(|it| {
        it.extension() == Some("rs") && it.file_name().is_some_and(|it| it.starts_with("doctest_runner_"))
    })
}

/// Whether this executable holds several tests.
pub(super) fn is_merged(executable: &Utf8Path) -> bool {
    source(executable).is_some()
}

impl Part {
    /// What the variable says; `None` without it.
    pub fn of_environment() -> Result<Option<Part>> {
        of_variable(VARIABLE)
    }

    /// Has the executable call the runner for each of its tests.
    pub(super) fn announce(&self, start: &mut Start, runner: &Utf8Path) -> Result<()> {
        start.environment.insert(STARTED.to_owned(), runner.to_string());
        start.environment.insert(VARIABLE.to_owned(), for_variable(VARIABLE, self)?);
        Ok(())
    }

    /// Runs the one test that the executable asks for.
    pub fn run(&self) -> Result<u8> {
        let orders = read_orders(&self.folder)?;
        let number = std::env::var(NUMBER).ok().and_then(|it| it.parse().ok());
        let text = source(&self.executable).and_then(|it| std::fs::read_to_string(it).ok());
        let name = number.and_then(|number| named(&text.unwrap_or_default(), number));
        let start = Start {
            words: orders.inner_runner.iter().cloned().chain([self.executable.to_string()]).collect(),
            recorder: None,
            output: Output::Inherited,
            environment: BTreeMap::new(),
            without: vec![VARIABLE.to_owned()],
            launch: None,
            limit: None,
        };
        Instrumented { folder: &self.folder, orders: &orders, documentation: &self.documentation }
            .run(start, name, None)
    }
}

/// The name of the test with this number in the source of `main`.
fn named(source: &str, number: usize) -> Option<String> {
    let (_, module) = source.split_once(&format!("mod __doctest_{number} {{"))?;
    let (_, literal) = module.split_once("new_doctest(")?;
    let (_, rest) = literal.split_once('"')?;
    rest.split_once('"').map(|(name, _)| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_named_by_its_number() {
        let source = "mod __doctest_1 {\npub const TEST: T = T::new_doctest(\n\"src/lib.rs - a (line 3)\", false,\n));\n}\n\
            mod __doctest_12 {\npub const TEST: T = T::new_doctest(\n\"src/lib.rs - b (line 9)\", true,\n));\n}\n";
        assert_eq!(named(source, 1).as_deref(), Some("src/lib.rs - a (line 3)"));
        assert_eq!(named(source, 12).as_deref(), Some("src/lib.rs - b (line 9)"));
        assert_eq!(named(source, 2), None);
    }
}
