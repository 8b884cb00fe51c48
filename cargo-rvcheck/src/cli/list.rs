//! The arguments of `list`.

use crate::request::{BuildArgs, Part, RunIgnored, SelectionArgs, TargetArgs};
use clap::{Args, ValueEnum};

/// Arguments of `list`.
#[derive(Clone, Debug, Args)]
pub struct ListArgs {
    /// What to list
    #[arg(value_enum, default_value_t = Listing::Properties)]
    pub what: Listing,
    /// Cargo's own options.
    #[command(flatten)]
    pub build: BuildArgs,
    /// Which targets' tests to list.
    #[command(flatten)]
    pub targets: TargetArgs,
    /// Which tests to list.
    #[command(flatten)]
    pub selection: ListSelectionArgs,
    /// Print the list in this format
    #[arg(long, value_enum, default_value_t = ListFormat::Human, value_name = "FORMAT")]
    pub message_format: ListFormat,
}

/// Which tests are listed.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Test Selection")]
pub struct ListSelectionArgs {
    /// List only tests for which this expression holds, such as 'package(shop) & !test(slow)'; of several, one has to hold
    #[arg(short = 'E', long = "filterset", value_name = "EXPR")]
    pub filtersets: Vec<String>,
    /// List these of the tests that are marked `#[ignore]`; without it, they are listed and marked
    #[arg(long, value_enum, value_name = "WHICH")]
    pub run_ignored: Option<RunIgnored>,
    /// List only a part of the tests, such as count:1/3 for the first of three
    #[arg(long, value_name = "count|slice|hash:I/N")]
    pub partition: Option<Part>,
    /// List only tests whose name contains one of these
    #[arg(value_name = "TESTNAME")]
    pub filters: Vec<String>,
    /// Arguments for the test executables
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<String>,
}

impl ListSelectionArgs {
    /// As tests are selected that are run.
    pub fn as_selection(&self) -> SelectionArgs {
        SelectionArgs { filtersets: self.filtersets.clone(), run_ignored: self.run_ignored, retries: None }
    }

    /// What was asked for, for people; `None` if all tests were.
    pub fn in_words(&self) -> Option<String> {
        self.as_selection().in_words(&self.filters, &self.args, self.partition)
    }
}

/// What can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Listing {
    /// The places in the source that are monitored
    Sites,
    /// The properties that are checked
    Properties,
    /// The rules by which the source alone shows a violation
    Rules,
    /// The tests that would be run
    Tests,
}

/// How a list is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// One line each.
    Human,
    /// One JSON object a line.
    Json,
}
