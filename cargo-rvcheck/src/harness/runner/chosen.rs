//! The tests of an executable that are run where more than the arguments select them.

use super::ExecutableRun;
use crate::error::Result;
use crate::harness::libtest::listed;
use crate::harness::process::{Output, run};
use crate::harness::run_file::Listed;

/// The options of libtest that are followed by a value.
const WITH_VALUE: [&str; 7] =
    ["--skip", "--test-threads", "--logfile", "--color", "--format", "--shuffle-seed", "-Z"];

impl ExecutableRun<'_> {
    /// The tests that are run, where more than the arguments select them.
    pub(super) fn choose(&self) -> Result<Option<Vec<String>>> {
        let selection = &self.orders.selection;
        if selection.is_everything() || !self.listed.libtest {
            return Ok(None);
        }
        selection.of(self.listed.suite(), self.all_selected()?, self.folder).map(Some)
    }

    /// Whether this executable, which cannot be divided, is to run; its one test has this name.
    pub(super) fn is_chosen(&self, test: &str) -> Result<bool> {
        let Listed { package, executable, .. } = &self.listed;
        let selection = &self.orders.selection;
        let selected = selection.filtered(self.listed.suite(), vec![test.to_owned()])?;
        Ok(!selected.is_empty() && selection.has(&format!("{package}::{}", executable.target)))
    }

    /// The arguments by which the executable runs its tests, or those that were chosen; `None` if there are none.
    pub(super) fn of_chosen(&self) -> Option<Vec<String>> {
        let Some(names) = &self.chosen else { return Some(self.args.to_vec()) };
        if names.is_empty() {
            return None;
        }
        let rest = filters_removed(self.args);
        Some(names.iter().cloned().chain(rest).chain(["--exact".to_owned()]).collect())
    }

    /// The tests that the user's arguments select, ignored ones included.
    pub(super) fn all_selected(&self) -> Result<Vec<String>> {
        let mut args: Vec<String> = quiet_forms_removed(self.args);
        args.extend(["--list", "--format", "terse"].map(str::to_owned));
        Ok(listed(&run(&self.start(&args, Output::Hidden, None))?.text))
    }
}

/// The user's arguments without those that select tests by their names.
fn filters_removed(args: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if WITH_VALUE.contains(&arg.as_str()) {
            let value = args.next();
            if arg != "--skip" {
                kept.push(arg.clone());
                kept.extend(value.cloned());
            }
        } else if arg.starts_with('-') && arg != "--exact" && !arg.starts_with("--skip=") {
            kept.push(arg.clone());
        }
    }
    kept
}

/// The user's arguments without those that say how to print, which `--list` does not go with.
pub(super) fn quiet_forms_removed(args: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "-q" | "--quiet" => {}
            "--format" => drop(args.next()),
            other if other.starts_with("--format=") => {}
            _ => kept.push(arg.clone()),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_tests_are_named_instead_of_filtered() {
        let line = "books --exact --skip slow --skip=big --test-threads 1 --nocapture --color=never sells";
        let args: Vec<String> = line.split(' ').map(str::to_owned).collect();
        assert_eq!(filters_removed(&args), ["--test-threads", "1", "--nocapture", "--color=never"]);
    }

    #[test]
    fn a_list_is_asked_for_without_the_forms_of_output() {
        let args = ["books", "-q", "--format", "json", "--format=terse", "--exact"].map(str::to_owned);
        assert_eq!(quiet_forms_removed(&args), ["books", "--exact"]);
    }
}
