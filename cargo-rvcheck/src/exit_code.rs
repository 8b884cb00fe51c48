//! How the tool ends, and which of its endings a report decides.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The exit codes of the tool. `docs/exit-codes.md` says what each means for a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum ExitCode {
    /// Nothing to complain about.
    Clean = 0,
    /// A bug in the tool, or the machine refused: a full disk, a folder that cannot be written.
    Internal = 1,
    /// A wrong option, manifest or compiler.
    Usage = 2,
    /// No test ran, or there is no site in any target.
    NothingChecked = 3,
    /// The build or the tests fail without the tool too.
    FailsPlainly = 4,
    /// The build or the tests fail only under the tool.
    FailsUnderTool = 5,
    /// A unit ended abnormally, or events were lost.
    Inconclusive = 6,
    /// There are findings at or above the gate.
    Findings = 10,
    /// The report is not as its snapshot has it.
    Differs = 11,
    /// Suppressions or entries of the baseline are stale, where that is to fail.
    Stale = 12,
    /// The user stopped it.
    Interrupted = 130,
}

/// How a report stands before a gate. `docs/exit-codes.md` has the whole table; here are those that a report decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Nothing to complain about.
    Clean,
    /// No test ran, or there is no site in any target that could be monitored.
    NothingChecked,
    /// The build or the tests fail without the tool too.
    FailsPlainly,
    /// The build or the tests fail only under the tool.
    FailsUnderTool,
    /// A unit ended abnormally, or events were lost.
    Inconclusive,
    /// There are findings at or above the gate.
    Findings,
    /// The report is not as its snapshot has it.
    Differs,
    /// Suppressions or entries of the baseline are not needed, or make no sense.
    Stale,
}

impl From<Standing> for ExitCode {
    fn from(standing: Standing) -> ExitCode {
        match standing {
            Standing::Clean => ExitCode::Clean,
            Standing::NothingChecked => ExitCode::NothingChecked,
            Standing::FailsPlainly => ExitCode::FailsPlainly,
            Standing::FailsUnderTool => ExitCode::FailsUnderTool,
            Standing::Inconclusive => ExitCode::Inconclusive,
            Standing::Findings => ExitCode::Findings,
            Standing::Differs => ExitCode::Differs,
            Standing::Stale => ExitCode::Stale,
        }
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> std::process::ExitCode {
        std::process::ExitCode::from(code as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_a_line_for_each_exit_code() {
        let page = include_str!("../../docs/exit-codes.md");
        let listed: Vec<u8> = page
            .lines()
            .filter_map(|line| line.strip_prefix("| ")?.split(' ').next()?.parse().ok())
            .collect();
        let all = [
            ExitCode::Clean,
            ExitCode::Internal,
            ExitCode::Usage,
            ExitCode::NothingChecked,
            ExitCode::FailsPlainly,
            ExitCode::FailsUnderTool,
            ExitCode::Inconclusive,
            ExitCode::Findings,
            ExitCode::Differs,
            ExitCode::Stale,
            ExitCode::Interrupted,
        ];
        assert_eq!(listed, all.map(|it| it as u8));
    }
}
