//! How the tool ends.

use crate::report::Standing;

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
    fn a_standing_and_its_exit_code_have_the_same_number() {
        for standing in [
            Standing::Clean,
            Standing::NothingChecked,
            Standing::FailsPlainly,
            Standing::FailsUnderTool,
            Standing::Inconclusive,
            Standing::Findings,
            Standing::Differs,
            Standing::Stale,
        ] {
            assert_eq!(ExitCode::from(standing) as u8, standing.code());
        }
    }

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
