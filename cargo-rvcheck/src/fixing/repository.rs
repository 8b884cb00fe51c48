//! Whether the repository can bring back what is changed.

use crate::cli::RepositoryArgs;
use crate::error::{Expected, Result};
use camino::Utf8Path;
use std::process::Command;

/// How many files are named.
const NAMED: usize = 10;
/// The folders by which other repositories than git's are known.
const OTHERS: [&str; 4] = [".hg", ".jj", ".pijul", ".fslckout"];

/// What speaks against changing sources.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct State {
    /// The files that have changes which are not staged, or that git does not know.
    pub dirty: Vec<String>,
    /// The files whose changes are all staged.
    pub staged: Vec<String>,
}

impl State {
    /// What `git status --porcelain=v1 -z` says.
    pub fn of_status(status: &str) -> State {
        let mut state = State::default();
        let mut entries = status.split('\0').filter(|it| !it.is_empty());
        while let Some(entry) = entries.next() {
            let (Some(index), Some(tree), Some(path)) =
                (entry.chars().next(), entry.chars().nth(1), entry.get(3..))
            else {
                continue;
            };
            if matches!(index, 'R' | 'C') {
                // What it was called before.
                entries.next();
            }
            if tree == ' ' { &mut state.staged } else { &mut state.dirty }.push(path.to_owned());
        }
        state
    }

    /// An error unless the options allow it.
    fn check(&self, args: RepositoryArgs) -> Result<()> {
        let dirty = self.dirty.iter().filter(|_| !args.allow_dirty).map(|it| (it, "dirty"));
        let staged = self.staged.iter().filter(|_| !args.allow_staged).map(|it| (it, "staged"));
        let files: Vec<String> = dirty.chain(staged).map(|(it, how)| format!("  {it} ({how})")).collect();
        if files.is_empty() {
            return Ok(());
        }
        let more = files.len().saturating_sub(NAMED);
        let mut lines: Vec<String> = files.into_iter().take(NAMED).collect();
        if more > 0 {
            lines.push(format!("  and {more} more"));
        }
        let message = format!(
            "the repository has changes that are not committed, and `cargo rvcheck fix` could mix its own with them\n\
             commit them, or pass --allow-dirty or --allow-staged\n{}",
            lines.join("\n")
        );
        Err(Expected::Configuration(message))
    }
}

/// An error if the sources below this folder cannot be brought back, unless the options allow that.
pub fn check(root: &Utf8Path, args: RepositoryArgs) -> Result<()> {
    let status = git(root, &["status", "--porcelain=v1", "-z", "--untracked-files=normal"]);
    if let Some(status) = status {
        return State::of_status(&status).check(args);
    }
    let is_other = root.ancestors().any(|it| OTHERS.iter().any(|name| it.join(name).exists()));
    let message = match is_other {
        true if args.allow_dirty => return Ok(()),
        false if args.allow_no_vcs => return Ok(()),
        true => {
            "only of a git repository it is known whether it has changes that are not committed\n\
             pass --allow-dirty if it has none"
        }
        false => {
            "there is no repository that could bring back what `cargo rvcheck fix` changes\n\
             make one with `git init`, or pass --allow-no-vcs"
        }
    };
    Err(Expected::Configuration(message.to_owned()))
}

/// What a command of git's prints; `None` where there is no git repository, or no git.
fn git(root: &Utf8Path, args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).current_dir(root).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
