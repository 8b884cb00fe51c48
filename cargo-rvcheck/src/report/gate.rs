//! The gate: what a report means for the caller of the tool.

use super::{BuildOutcome, Report};
use crate::exit_code::{ExitCode, Standing};
use crate::finding::{BASELINE, Level, SUPPRESSION};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where the caller draws the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gate {
    /// Findings of this level and above fail.
    pub fail_on: Level,
    /// That nothing was checked is no failure.
    pub allow_empty: bool,
    /// Suppressions and entries of the baseline that are not needed, or make no sense, fail.
    pub strict: bool,
}

/// How a report was found to stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// In a word.
    pub standing: Standing,
    /// As the exit code of the tool.
    pub exit_code: u8,
}

impl Report {
    /// There is no place that could be monitored, and the program has said nothing of itself that a property speaks of.
    fn has_nothing_to_watch(&self) -> bool {
        let exercised = self.properties.iter().flat_map(|it| &it.units).any(|it| it.exercised > 0);
        // What no run can show, such as a map with locks of its own, the source does.
        let only_in_source = self.run.sites.total == 0 && self.run.concurrent > 0;
        self.run.sites.total == self.run.sites.unmonitored && !exercised && !only_in_source
    }

    /// Nothing ran, or what ran could not be monitored; where only the source was looked at, there was none.
    fn checked_nothing(&self) -> bool {
        let run = &self.run;
        if run.only_source { run.looked_at == 0 } else { run.units == 0 || self.has_nothing_to_watch() }
    }

    /// There are findings about suppressions or the baseline.
    fn has_stale(&self) -> bool {
        self.open().any(|it| it.property == SUPPRESSION || it.property == BASELINE)
    }

    /// How the report stands before this gate. When several apply, 5 goes before 4, 10, 11, 6, 12 and 3, in this
    /// order.
    pub fn standing(&self, gate: Gate) -> Standing {
        let run = &self.run;
        if run.build == BuildOutcome::FailedUnderTool || run.tests.failed_under_tool > 0 {
            Standing::FailsUnderTool
        } else if run.build == BuildOutcome::FailedPlainly || run.tests.failed_plainly > 0 {
            Standing::FailsPlainly
        } else if self.open().any(|finding| finding.level >= gate.fail_on) {
            Standing::Findings
        } else if self.snapshot.as_ref().is_some_and(|it| it.differs) {
            Standing::Differs
        } else if self.is_undecided() {
            Standing::Inconclusive
        } else if gate.strict && self.has_stale() {
            Standing::Stale
        } else if self.checked_nothing() && !gate.allow_empty {
            Standing::NothingChecked
        } else {
            Standing::Clean
        }
    }

    /// Something keeps the verdicts from being conclusive.
    pub fn is_undecided(&self) -> bool {
        self.run.inconclusive
            || self.run.truncated
            || self.run.dropped > 0
            || self.run.build != BuildOutcome::Ok
    }

    /// Says how the report stands before this gate.
    pub fn decide(&mut self, gate: Gate) {
        let standing = self.standing(gate);
        self.outcome = Some(Outcome { standing, exit_code: ExitCode::from(standing) as u8 });
    }

    /// The exit code of the tool for this report at this gate.
    pub fn exit_code(&self, gate: Gate) -> u8 {
        ExitCode::from(self.standing(gate)) as u8
    }
}
