//! Noting which tests an executable has, for whoever lists them.

use super::ExecutableRun;
use super::together::WHOLE;
use crate::error::Result;
use crate::harness::run_file::{Listed, next_number, write_result};
use serde::{Deserialize, Serialize};

/// The tests that would be run of one executable, or of the documentation of one library.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Named {
    /// The executable.
    pub listed: Listed,
    /// They are in the documentation.
    pub documentation: bool,
    /// The tests.
    pub tests: Vec<NamedTest>,
}

/// A test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedTest {
    /// Its name, as the harness has it.
    pub name: String,
    /// It is marked to be ignored, and was not asked for.
    pub ignored: bool,
}

impl ExecutableRun<'_> {
    /// Leaves behind which tests would be run, and runs none.
    pub(super) fn note_names(&self) -> Result<u8> {
        let tests = if self.listed.libtest {
            let ignored = self.skipped()?;
            let selected = match &self.chosen {
                Some(chosen) => chosen.clone(),
                None => self.all_selected()?,
            };
            let named = |name: String| NamedTest { ignored: ignored.contains(&name), name };
            selected.into_iter().map(named).collect()
        } else if self.is_chosen(WHOLE)? {
            vec![NamedTest { name: WHOLE.to_owned(), ignored: false }]
        } else {
            Vec::new()
        };
        let named = Named { listed: self.listed.clone(), documentation: false, tests };
        write_result(self.folder, next_number(self.folder)?, &named)?;
        Ok(0)
    }
}
