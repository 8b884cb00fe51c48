//! The messages.

use crate::finding::Finding;
use crate::project::TargetKind;
use crate::recorded::TestOutcome;
use crate::report::Report;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something that has happened. The list only ever grows: readers skip messages and fields that they do not know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum Message {
    /// The run has a folder; the first message.
    RunStarted {
        /// Always `rvcheck.messages/1`.
        schema: String,
        /// The tool and its version.
        tool: String,
        /// The folder of the run.
        folder: String,
    },
    /// Cargo begins to build. It does so again with less instrumented where that does not compile, and without the tool to compare.
    BuildStarted {
        /// It is the instrumented build.
        watched: bool,
    },
    /// The compiler has something to say about a crate.
    CompilerMessage {
        /// The name of the crate's target.
        target: String,
        /// `error`, `warning` and so on, as rustc has it.
        level: String,
        /// The message in one line.
        message: String,
        /// As rustc would show it on a terminal without colours.
        rendered: String,
    },
    /// A target was built, or was up to date.
    Artifact {
        /// The name of the target.
        target: String,
        /// It was up to date.
        fresh: bool,
    },
    /// Cargo has built everything, or given up.
    BuildFinished {
        /// It has built everything.
        success: bool,
    },
    /// A test executable was started, or the tests in the documentation of a library. Tests that an abort has left over are run in
    /// another process, and so in another suite of the same name.
    SuiteStarted {
        /// Which one.
        #[serde(flatten)]
        suite: Suite,
        /// How many tests it is about to run, if it says so.
        #[serde(skip_serializing_if = "Option::is_none")]
        tests: Option<u64>,
    },
    /// A test has begun. With tests that run at the same time in one process it is known only when the test has ended.
    TestStarted {
        /// Its suite.
        #[serde(flatten)]
        suite: Suite,
        /// Its path inside the target.
        test: String,
    },
    /// A test has ended.
    TestFinished {
        /// Its suite.
        #[serde(flatten)]
        suite: Suite,
        /// Its path inside the target.
        test: String,
        /// How it ended, before anything was tried again.
        outcome: Ended,
    },
    /// A suite has ended.
    SuiteFinished {
        /// Which one.
        #[serde(flatten)]
        suite: Suite,
        /// Its process ended with success.
        success: bool,
        /// Wall time in seconds.
        seconds: f64,
    },
    /// What became of a test that had failed or had not ended: it was run again, instrumented and without the tool.
    TestDecided {
        /// Its suite.
        #[serde(flatten)]
        suite: Suite,
        /// Its path inside the target.
        test: String,
        /// The result that counts.
        outcome: Ended,
    },
    /// A finding of the report.
    Finding {
        /// The finding, as it stands in the report.
        finding: Finding,
    },
    /// The report; the last message. Beside `reason`, the fields are those of `rvcheck.report/1`.
    Report(Report),
}

/// The tests of one target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Suite {
    /// The name of its package.
    pub package: String,
    /// The name of the target.
    pub target: String,
    /// What the target is.
    pub kind: SuiteKind,
}

/// What the target of a suite is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SuiteKind {
    /// A library.
    Lib,
    /// A binary.
    Bin,
    /// An integration test.
    Test,
    /// An example.
    Example,
    /// A benchmark.
    Bench,
    /// The documentation of a library.
    Doc,
}

impl From<TargetKind> for SuiteKind {
    fn from(kind: TargetKind) -> SuiteKind {
        match kind {
            TargetKind::Lib => SuiteKind::Lib,
            TargetKind::Bin => SuiteKind::Bin,
            TargetKind::Test => SuiteKind::Test,
            TargetKind::Example => SuiteKind::Example,
            TargetKind::Bench => SuiteKind::Bench,
        }
    }
}

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// It passed.
    Passed,
    /// It was not run.
    Ignored,
    /// It failed.
    Failed,
    /// It fails without the tool too.
    FailedPlainly,
    /// It fails under the tool every time and never without it.
    FailedUnderTool,
    /// It failed and then passed, or the other way round.
    Flaky,
    /// A property stopped it.
    Stopped,
    /// Nothing went on in it, and the tool ended its process.
    Stalled,
    /// The process ended before it did.
    Unfinished,
}

impl From<TestOutcome> for Ended {
    fn from(outcome: TestOutcome) -> Ended {
        match outcome {
            TestOutcome::Passed => Ended::Passed,
            TestOutcome::Ignored => Ended::Ignored,
            TestOutcome::Failed => Ended::Failed,
            TestOutcome::FailedPlainly => Ended::FailedPlainly,
            TestOutcome::FailedUnderTool => Ended::FailedUnderTool,
            TestOutcome::Flaky => Ended::Flaky,
            TestOutcome::Stopped => Ended::Stopped,
            TestOutcome::Stalled => Ended::Stalled,
            TestOutcome::Unfinished => Ended::Unfinished,
        }
    }
}
