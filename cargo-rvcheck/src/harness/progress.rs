//! How far a build or a suite is. While cargo builds on a terminal it shows its own bar, and a second one would only fight with it.

use super::libtest::Heard;
use crate::console::{Console, Verbosity};
use crate::escape::one_line;
use crate::recorded::TestOutcome;
use cargo_metadata::PackageId;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often a line is written.
const PERIOD: Duration = Duration::from_secs(10);

/// How it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shown {
    /// Not at all.
    Nothing,
    /// By a line now and then, for logs.
    Lines,
    /// By a bar on the terminal.
    Bar,
}

impl Shown {
    /// What suits whoever reads standard error.
    pub fn here(console: Console) -> Shown {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|it| !it.is_empty() && it != "false");
        let is_dumb = std::env::var_os("TERM").is_none_or(|it| it == "dumb");
        if !console.shows(Verbosity::Normal) {
            Shown::Nothing
        } else if std::io::stderr().is_terminal() && !is_dumb && !is_set("CI") {
            Shown::Bar
        } else {
            Shown::Lines
        }
    }
}

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
        let lines = Shown::here(console) == Shown::Lines;
        Progress { console, built: BTreeSet::new(), begun, due: lines.then(|| begun + PERIOD) }
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

/// Counts the tests of a suite.
#[derive(Debug)]
pub struct SuiteProgress {
    target: String,
    begun: Instant,
    total: u64,
    done: u64,
    failed: u64,
    /// When the next line is due, where lines are written.
    due: Option<Instant>,
    bar: Option<ProgressBar>,
    /// With a bar: the beginning of a line that the suite has not ended yet.
    held: Vec<u8>,
}

impl SuiteProgress {
    /// The suite of this target is about to begin.
    pub fn new(target: &str, shown: Shown) -> SuiteProgress {
        let begun = Instant::now();
        SuiteProgress {
            target: one_line(target).into_owned(),
            begun,
            total: 0,
            done: 0,
            failed: 0,
            due: (shown == Shown::Lines).then(|| begun + PERIOD),
            bar: (shown == Shown::Bar).then(|| bar(ProgressDrawTarget::stderr())),
            held: Vec::new(),
        }
    }

    /// Shows what the suite has printed, above the bar if there is one.
    pub fn show(&mut self, part: &[u8], out: &mut dyn Write) {
        let Some(bar) = &self.bar else {
            // Whoever closed standard error does not want to see it.
            let _ = out.write_all(part);
            return;
        };
        self.held.extend_from_slice(part);
        if let Some(end) = self.held.iter().rposition(|it| *it == b'\n') {
            let whole: Vec<u8> = self.held.drain(..=end).collect();
            // As above.
            bar.suspend(|| drop(out.write_all(&whole)));
        }
    }

    /// The suite has said this of its tests.
    pub fn hear(&mut self, heard: &Heard) {
        match heard {
            Heard::Announced(count) => self.total += count,
            Heard::Begun(test) => self.tell_running(test),
            Heard::Ended(result) => {
                self.done += 1;
                self.failed += u64::from(result.outcome == TestOutcome::Failed);
                self.tell_running("");
            }
        }
        self.tell();
    }

    fn tell_running(&self, test: &str) {
        if let Some(bar) = &self.bar {
            let failed = if self.failed == 0 { String::new() } else { format!(", {} failed", self.failed) };
            let running = if test.is_empty() { String::new() } else { format!(": {}", one_line(test)) };
            bar.set_message(format!("{failed}{running}"));
        }
    }

    /// Brings what is shown up to date.
    pub fn tell(&mut self) {
        if let Some(bar) = self.bar.as_ref().filter(|_| self.total > 0) {
            bar.set_length(self.total.max(self.done));
            bar.set_position(self.done);
        }
        let now = Instant::now();
        if self.due.is_some_and(|it| now >= it) {
            self.due = Some(now + PERIOD);
            // Whoever closed standard error does not want to see it.
            let _ = writeln!(std::io::stderr(), "{:>12} {}", "Testing", self.line(now - self.begun));
        }
    }

    fn line(&self, passed: Duration) -> String {
        let SuiteProgress { target, total, done, failed, .. } = self;
        let failed = if *failed == 0 { String::new() } else { format!(", {failed} failed") };
        format!("{target}: {done} of {total} tests done{failed} after {} s", passed.as_secs())
    }

    /// The suite has ended: the bar goes, and what it covered is shown.
    pub fn finish(&mut self, out: &mut dyn Write) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        // As above.
        let _ = out.write_all(&std::mem::take(&mut self.held));
    }
}

/// A bar in cargo's manner.
fn bar(target: ProgressDrawTarget) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, target);
    let style = ProgressStyle::with_template("     Testing [{bar:24}] {pos}/{len}{wide_msg}");
    // The template is right; without it there is another form of the bar.
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::console::Color;
    use crate::recorded::TestResult;

    #[test]
    fn packages_are_counted_once() {
        let mut progress = Progress::new(Console::new(Verbosity::Quiet, Color::Never));
        for name in ["a", "b", "a"] {
            progress.built(&PackageId { repr: name.to_owned() });
        }
        assert_eq!(progress.line(Duration::from_secs(20)), "2 packages done after 20 s");
    }

    fn ended(name: &str, outcome: TestOutcome) -> Heard {
        Heard::Ended(TestResult { name: name.to_owned(), outcome, should_panic: false })
    }

    #[test]
    fn a_line_counts_tests_and_failures() {
        let mut progress = SuiteProgress::new("it", Shown::Lines);
        progress.hear(&Heard::Announced(3));
        progress.hear(&ended("a", TestOutcome::Passed));
        assert_eq!(progress.line(Duration::from_secs(10)), "it: 1 of 3 tests done after 10 s");
        progress.hear(&ended("b", TestOutcome::Failed));
        assert_eq!(progress.line(Duration::from_secs(20)), "it: 2 of 3 tests done, 1 failed after 20 s");
    }

    #[test]
    fn with_a_bar_lines_are_shown_whole_and_nothing_is_lost() {
        for shown in [Shown::Nothing, Shown::Bar] {
            let mut progress = SuiteProgress::new("it", shown);
            let mut out = Vec::new();
            progress.show(b"running 1 test\ntest a ... ", &mut out);
            let whole: &[u8] = b"running 1 test\n";
            assert_eq!(out.starts_with(whole) && out.len() == whole.len(), shown == Shown::Bar);
            progress.show(b"ok\n\nleft", &mut out);
            progress.finish(&mut out);
            assert_eq!(String::from_utf8_lossy(&out), "running 1 test\ntest a ... ok\n\nleft");
        }
    }

    #[test]
    fn a_bar_shows_how_many_tests_are_done_and_which_one_runs() {
        let terminal = indicatif::InMemoryTerm::new(5, 80);
        let mut progress = SuiteProgress::new("it", Shown::Nothing);
        progress.bar = Some(bar(ProgressDrawTarget::term_like(Box::new(terminal.clone()))));
        progress.hear(&Heard::Announced(4));
        progress.hear(&ended("a", TestOutcome::Failed));
        progress.hear(&Heard::Begun("books::balance".to_owned()));
        let expected = "     Testing [======>                 ] 1/4, 1 failed: books::balance";
        assert_eq!(terminal.contents(), expected);
        progress.finish(&mut Vec::new());
        assert_eq!(terminal.contents(), "");
    }
}
