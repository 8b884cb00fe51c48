//! Which tests are run, beyond what the arguments of the test executables say.

use super::Part;
use clap::{Args, ValueEnum};

/// Which tests are run.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Test Selection")]
pub struct SelectionArgs {
    /// Run only tests for which this expression holds, such as 'package(shop) & !test(slow)'; of several, one has to hold
    #[arg(short = 'E', long = "filterset", value_name = "EXPR")]
    pub filtersets: Vec<String>,
    /// Run these of the tests that are marked `#[ignore]`; default is none of them
    #[arg(long, value_enum, value_name = "WHICH")]
    pub run_ignored: Option<RunIgnored>,
    /// Run a test that fails again up to this many times, and check each attempt
    #[arg(long, value_name = "COUNT", help_heading = "Monitoring")]
    pub retries: Option<u32>,
}

/// Which of the tests that are marked `#[ignore]`, and of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RunIgnored {
    /// Only the others
    Default,
    /// Only those that are marked
    Only,
    /// Both
    All,
}

impl RunIgnored {
    /// The option of libtest.
    const fn option(self) -> Option<&'static str> {
        match self {
            RunIgnored::Default => None,
            RunIgnored::Only => Some("--ignored"),
            RunIgnored::All => Some("--include-ignored"),
        }
    }

    /// The word on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            RunIgnored::Default => "default",
            RunIgnored::Only => "only",
            RunIgnored::All => "all",
        }
    }
}

impl SelectionArgs {
    /// The arguments for a test executable: those names, these that the user gives, and what else says which tests are run.
    pub fn for_executables(&self, names: &[String], given: &[String]) -> Vec<String> {
        let ignored = self.run_ignored.and_then(RunIgnored::option).map(str::to_owned);
        let ignored = ignored.filter(|it| !given.contains(it));
        names.iter().chain(given).cloned().chain(ignored).collect()
    }

    /// What was asked for, for people; nothing if all tests were. `given` are the user's arguments for the test executables.
    pub fn in_words(&self, names: &[String], given: &[String], part: Option<Part>) -> Option<String> {
        let quoted = names.iter().map(|it| format!("`{it}`"));
        let filtersets = self.filtersets.iter().map(|it| format!("`-E '{it}'`"));
        let ignored = self.run_ignored.filter(|it| *it != RunIgnored::Default);
        let ignored = ignored.map(|it| format!("`--run-ignored {}`", it.name()));
        let part = part.map(|it| format!("`--partition {it}`"));
        let given = (!given.is_empty()).then(|| format!("`-- {}`", given.join(" ")));
        let all: Vec<String> = quoted.chain(filtersets).chain(ignored).chain(part).chain(given).collect();
        (!all.is_empty()).then(|| all.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn ignored_tests_are_asked_for_as_libtest_has_it_and_once() {
        let cases = [
            (None, "", ""),
            (Some(RunIgnored::Default), "", ""),
            (Some(RunIgnored::Only), "", "--ignored"),
            (Some(RunIgnored::All), "--exact", "--exact --include-ignored"),
            (Some(RunIgnored::Only), "--ignored", "--ignored"),
        ];
        for (run_ignored, given, expected) in cases {
            let selection = SelectionArgs { run_ignored, ..SelectionArgs::default() };
            let expected = words(&format!("books {expected}"));
            assert_eq!(selection.for_executables(&words("books"), &words(given)), expected);
        }
    }

    #[test]
    fn what_was_asked_for_is_said_as_it_was_written() {
        let filtersets = vec!["test(a)".to_owned()];
        let selection = SelectionArgs { filtersets, run_ignored: Some(RunIgnored::All), retries: None };
        let part = "hash:1/2".parse().ok();
        let description = selection.in_words(&words("books"), &words("--exact"), part);
        let expected = "`books`, `-E 'test(a)'`, `--run-ignored all`, `--partition hash:1/2`, `-- --exact`";
        assert_eq!(description.as_deref(), Some(expected));
        assert_eq!(SelectionArgs::default().in_words(&[], &[], None), None);
    }
}
