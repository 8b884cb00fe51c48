//! The folders of the runs of one workspace. Workspaces that share a target folder share the numbers, but none sees
//! the runs of another.

use super::create_folder;
use crate::error::{Expected, Result, writing};
use camino::{Utf8Path, Utf8PathBuf};
use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::time::Duration;

/// The file of a run with its report.
pub const REPORT: &str = "report.json";

/// The file of a run that has the root of its workspace.
const WORKSPACE: &str = "workspace";

/// The file of a run that has the command line by which it was made.
const COMMAND: &str = "command";

/// A run that came to a report.
#[derive(Clone, Debug)]
pub struct LastRun {
    /// Its folder.
    pub folder: Utf8PathBuf,
    /// The command line that made it, as far as it is known.
    command: String,
}

impl fmt::Display for LastRun {
    /// Which run it is, for people: its number, and what made it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "run {}", self.folder.file_name().unwrap_or_default())?;
        if self.command.is_empty() { Ok(()) } else { write!(f, ", `{}`", self.command) }
    }
}

impl LastRun {
    /// The same, and how long ago that was.
    pub fn with_age(&self) -> String {
        let made = self.folder.join(REPORT).metadata().and_then(|it| it.modified()).ok();
        let age = made.and_then(|it| it.elapsed().ok());
        age.map_or_else(|| self.to_string(), |it| format!("{self}, {} ago", rounded(it)))
    }
}

/// A time span in its largest unit.
fn rounded(span: Duration) -> String {
    let seconds = span.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..86_400 => format!("{} h", seconds / 3600),
        86_400.. if seconds < 2 * 86_400 => "1 day".to_owned(),
        _ => format!("{} days", seconds / 86_400),
    }
}

/// The runs of one workspace.
#[derive(Clone, Debug)]
pub struct Runs {
    /// The root of the workspace.
    workspace: Utf8PathBuf,
    /// Where the runs of all workspaces are, a folder each that is called by its number.
    folder: Utf8PathBuf,
}

impl Runs {
    /// Those in this folder that are of the workspace with this root. Nothing is created.
    pub(super) fn of(workspace: &Utf8Path, folder: Utf8PathBuf) -> Runs {
        Runs { workspace: workspace.to_owned(), folder }
    }

    /// A folder for a new run, which this command line makes. Of the older runs the last ones are kept, so that there are at most `kept` with it.
    pub fn begin(&self, kept: u32, made_by: &str) -> Result<Utf8PathBuf> {
        create_folder(&self.folder)?;
        let mut next = self.numbers().last().map_or(1, |last| last + 1);
        let run = loop {
            let run = self.folder.join(next.to_string());
            match fs::create_dir(&run) {
                Ok(()) => break run,
                Err(error) if error.kind() == ErrorKind::AlreadyExists => next += 1,
                Err(error) => return Err(writing(&run)(error)),
            }
        };
        let workspace = run.join(WORKSPACE);
        fs::write(&workspace, self.workspace.as_str()).map_err(writing(&workspace))?;
        let command = run.join(COMMAND);
        fs::write(&command, made_by).map_err(writing(&command))?;
        self.keep(kept.max(1) as usize);
        Ok(run)
    }

    /// The last run that came to a report, whatever command made it.
    pub fn last(&self) -> Result<LastRun> {
        let mut stored = self
            .latest_first()
            .filter(|it| it.join(REPORT).exists() && self.workspace_of(it) == self.workspace);
        let folder = stored.next().ok_or_else(|| Expected::NoRun(self.folder.clone()))?;
        let command = fs::read_to_string(folder.join(COMMAND)).unwrap_or_default();
        Ok(LastRun { folder, command })
    }

    /// Removes all runs but the last ones, of which there are so many, and those of workspaces that are gone.
    fn keep(&self, kept: usize) {
        let (own, others): (Vec<_>, Vec<_>) =
            self.latest_first().partition(|it| self.workspace_of(it) == self.workspace);
        let gone = others.into_iter().filter(|it| !self.workspace_of(it).exists());
        for old in own.into_iter().skip(kept).chain(gone) {
            // A run that is still being looked at may stay a little longer.
            let _ = fs::remove_dir_all(old);
        }
    }

    /// The root of the workspace of a run. A run that does not say it was made by a former version of the tool; it
    /// counts as one of this workspace.
    fn workspace_of(&self, run: &Utf8Path) -> Utf8PathBuf {
        fs::read_to_string(run.join(WORKSPACE)).map_or_else(|_| self.workspace.clone(), Utf8PathBuf::from)
    }

    /// The folders of the runs of all workspaces, the latest first.
    fn latest_first(&self) -> impl Iterator<Item = Utf8PathBuf> {
        self.numbers().into_iter().rev().map(|it| self.folder.join(it.to_string()))
    }

    /// The numbers of the runs of all workspaces, in order.
    fn numbers(&self) -> Vec<u64> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut numbers: Vec<u64> = entries.filter_map(|it| it.file_name().to_str()?.parse().ok()).collect();
        numbers.sort_unstable();
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A target folder's runs, and two workspaces that share it.
    fn scratch() -> (tempfile::TempDir, Runs, Runs) {
        let guard = tempfile::tempdir().expect("there is room for a temporary folder");
        let path = Utf8PathBuf::from_path_buf(guard.path().to_owned()).expect("its name is Unicode");
        let of = |name: &str| {
            fs::create_dir(path.join(name)).expect("the folder can be written");
            Runs::of(&path.join(name), path.join("runs"))
        };
        let (one, other) = (of("one"), of("other"));
        (guard, one, other)
    }

    fn begin(runs: &Runs, kept: u32) -> Utf8PathBuf {
        runs.begin(kept, "cargo rvcheck test").expect("the folder can be written")
    }

    fn report(run: &Utf8Path) {
        fs::write(run.join(REPORT), "{}").expect("the folder can be written");
    }

    #[test]
    fn the_last_run_is_the_last_one_with_a_report() {
        let (_guard, runs, _) = scratch();
        assert!(matches!(runs.last(), Err(Expected::NoRun(_))));
        let first = begin(&runs, 10);
        begin(&runs, 10);
        assert!(matches!(runs.last(), Err(Expected::NoRun(_))));
        report(&first);
        assert_eq!(runs.last().expect("there is one").folder, first);
    }

    #[test]
    fn a_run_says_what_made_it_and_when() {
        let (_guard, runs, _) = scratch();
        let run = begin(&runs, 10);
        report(&run);
        fs::write(run.join(COMMAND), "cargo rvcheck check --lib").expect("the folder can be written");
        let last = runs.last().expect("there is one").with_age();
        assert!(
            last.starts_with("run 1, `cargo rvcheck check --lib`, ") && last.ends_with(" s ago"),
            "{last}"
        );
        let spans = [(59, "59 s"), (119, "1 min"), (7200, "2 h"), (90_000, "1 day"), (200_000, "2 days")];
        for (seconds, expected) in spans {
            assert_eq!(rounded(Duration::from_secs(seconds)), expected);
        }
    }

    #[test]
    fn the_runs_of_another_workspace_are_neither_shown_nor_removed() {
        let (_guard, one, other) = scratch();
        let first = begin(&one, 1);
        report(&first);
        assert!(matches!(other.last(), Err(Expected::NoRun(_))));
        let second = begin(&other, 1);
        report(&second);
        assert_eq!(one.last().expect("there is one").folder, first);
        assert_eq!(other.last().expect("there is one").folder, second);
    }

    #[test]
    fn the_runs_of_a_workspace_that_is_gone_are_removed() {
        let (_guard, one, other) = scratch();
        let first = begin(&one, 10);
        fs::remove_dir(&one.workspace).expect("it is empty");
        begin(&other, 10);
        assert!(!first.exists());
    }

    #[test]
    fn a_run_that_does_not_say_its_workspace_is_one_of_this() {
        let (_guard, runs, _) = scratch();
        let first = begin(&runs, 10);
        report(&first);
        fs::remove_file(first.join(WORKSPACE)).expect("it was written");
        assert_eq!(runs.last().expect("there is one").folder, first);
    }

    #[test]
    fn of_the_runs_only_as_many_are_kept_as_the_user_wants_and_never_none() {
        let (_guard, runs, _) = scratch();
        let folders: Vec<_> = [3, 3, 3, 3, 2, 0].map(|kept| begin(&runs, kept)).into();
        let kept: Vec<_> = folders.iter().filter(|it| it.exists()).collect();
        assert_eq!(kept, [&folders[5]]);
        let next = begin(&runs, 2);
        assert!(folders[5].exists() && next.exists());
    }
}
