//! How far a build is, for logs. On a terminal cargo shows its own bar, and a second one would only fight with it.

use crate::console::{Console, Verbosity};
use cargo_metadata::PackageId;
use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// How often a line is written.
const PERIOD: Duration = Duration::from_secs(10);

/// Counts the packages that were built.
#[derive(Debug)]
pub struct Progress {
    console: Console,
    built: BTreeSet<PackageId>,
    begun: Instant,
    /// When the next line is due; never on a terminal.
    due: Option<Instant>,
}

impl Progress {
    /// Nothing is built yet.
    pub fn new(console: Console) -> Progress {
        let begun = Instant::now();
        let shown = console.shows(Verbosity::Normal) && !std::io::stderr().is_terminal();
        Progress { console, built: BTreeSet::new(), begun, due: shown.then(|| begun + PERIOD) }
    }

    /// A part of this package was built, or was up to date.
    pub fn built(&mut self, package: &PackageId) {
        self.built.insert(package.clone());
        let now = Instant::now();
        if self.due.is_some_and(|it| now >= it) {
            self.due = Some(now + PERIOD);
            self.console.status("Building", self.line(now - self.begun));
        }
    }

    fn line(&self, passed: Duration) -> String {
        let count = self.built.len();
        format!("{count} package{} done after {} s", if count == 1 { "" } else { "s" }, passed.as_secs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::console::Color;

    #[test]
    fn packages_are_counted_once() {
        let mut progress = Progress::new(Console::new(Verbosity::Quiet, Color::Never));
        for name in ["a", "b", "a"] {
            progress.built(&PackageId { repr: name.to_owned() });
        }
        assert_eq!(progress.line(Duration::from_secs(20)), "2 packages done after 20 s");
    }
}
