//! What a test executable says about its tests, read from the lines that it prints for people.

use crate::recorded::{TestOutcome, TestResult};
use anstream::adapter::strip_str;
use std::collections::{BTreeMap, BTreeSet};

/// The output of a test executable, taken in line by line.
///
/// With several threads a test's line is printed when the test has ended. With one thread its beginning is printed
/// first, and what the test itself prints may come in between; then the lists at the end of the output tell.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    tests: Vec<Seen>,
    index: BTreeMap<String, usize>,
    /// Names in the list of failures, which is printed at the end.
    failures: BTreeSet<String>,
    in_failures: bool,
    /// How many tests it was about to run; none when it is asked for a list.
    announced: Option<u64>,
    /// How often it came to an end.
    summaries: u64,
    summary: Option<Summary>,
}

/// What a line has told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// So many tests are about to run.
    Announced(u64),
    /// This test has begun.
    Begun(String),
    /// A test has ended.
    Ended(TestResult),
}

/// A test of which at least the beginning of its line was seen.
#[derive(Clone, Debug)]
struct Seen {
    name: String,
    should_panic: bool,
    outcome: Option<TestOutcome>,
}

impl Seen {
    /// That it has ended, if it has.
    fn ended(&self) -> Option<Heard> {
        let Seen { name, should_panic, outcome } = self;
        let result = TestResult { name: name.clone(), outcome: (*outcome)?, should_panic: *should_panic };
        Some(Heard::Ended(result))
    }
}

/// The last line: `test result: ok. 3 passed; 0 failed; …`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many tests passed.
    pub passed: u64,
    /// How many tests failed.
    pub failed: u64,
    /// How many tests were not run.
    pub ignored: u64,
}

impl Transcript {
    /// Takes in one line, without its end; what it has told.
    pub fn line(&mut self, line: &str) -> Option<Heard> {
        let plain = strip_str(line.trim_end_matches('\r')).to_string();
        let line = plain.as_str();
        if let Some(count) = announced(line) {
            self.announced = Some(self.announced.unwrap_or(0) + count);
            return Some(Heard::Announced(count));
        }
        if let Some(rest) = line.strip_prefix("test result: ") {
            self.summary = summary(rest).or(self.summary);
            self.summaries += 1;
            self.in_failures = false;
        } else if line == "failures:" {
            self.in_failures = true;
            self.failures.clear();
        } else if let Some(name) = line.strip_prefix("    ").filter(|_| self.in_failures) {
            self.failures.insert(bare(name).0.to_owned());
        } else if let Some((name, rest)) = line.strip_prefix("test ").and_then(|it| it.split_once(" ... ")) {
            return self.test(name, rest);
        } else if let Some(open) = self.tests.last_mut().filter(|it| it.outcome.is_none()) {
            open.outcome = outcome(line);
            return open.ended();
        }
        None
    }

    /// Looks at the beginning of a line whose end is still to come: with one thread, it tells which test has begun.
    pub fn beginning(&mut self, line: &str) -> Option<Heard> {
        let name = line.strip_prefix("test ")?.strip_suffix(" ... ")?;
        if self.index.contains_key(bare(name).0) { None } else { self.test(name, "") }
    }

    fn test(&mut self, name: &str, rest: &str) -> Option<Heard> {
        let (name, should_panic) = bare(name);
        let seen = Seen { name: name.to_owned(), should_panic, outcome: outcome(rest) };
        let ended = seen.ended();
        match self.index.get(name) {
            Some(&at) => {
                self.tests[at] = seen;
                ended
            }
            None => {
                self.index.insert(name.to_owned(), self.tests.len());
                self.tests.push(seen);
                ended.or_else(|| Some(Heard::Begun(name.to_owned())))
            }
        }
    }

    /// The last line, once it was printed: then every test that was begun has ended.
    pub const fn summary(&self) -> Option<Summary> {
        self.summary
    }

    /// Every test that was to run has ended: the last line was printed, or there was nothing to run.
    pub const fn complete(&self) -> bool {
        self.summary.is_some() || self.announced.is_none()
    }

    /// Everything in it is as libtest prints it, once and with all tests named. So a program with a `main` of its own
    /// is taken for one that does as libtest does.
    pub fn is_whole(&self) -> bool {
        let counted = self.summary.map(|it| it.passed + it.failed + it.ignored);
        let named = self.tests.iter().filter(|it| it.outcome.is_some()).count() as u64;
        self.summaries == 1 && named > 0 && counted == Some(named) && self.announced == counted
    }

    /// The tests in the order in which they were seen. One whose end was not seen failed if the list of failures says so,
    /// passed if the executable came to its end, and is unfinished otherwise.
    pub fn results(&self) -> Vec<TestResult> {
        let result = |seen: &Seen| {
            let ended = if self.summary.is_some() { TestOutcome::Passed } else { TestOutcome::Unfinished };
            let outcome = if self.summary.is_some() && self.failures.contains(&seen.name) {
                TestOutcome::Failed
            } else {
                seen.outcome.unwrap_or(ended)
            };
            TestResult { name: seen.name.clone(), outcome, should_panic: seen.should_panic }
        };
        let mut results: Vec<TestResult> = self.tests.iter().map(result).collect();
        // The quiet form names only the tests that failed.
        let unseen =
            self.failures.iter().filter(|it| self.summary.is_some() && !self.index.contains_key(*it));
        results.extend(unseen.map(|name| TestResult {
            name: name.clone(),
            outcome: TestOutcome::Failed,
            should_panic: false,
        }));
        results
    }

    /// How many tests the summary counts that no line has named, because the user asked for a shorter form.
    pub fn unnamed(&self) -> u64 {
        let counted = self.summary.map_or(0, |it| it.passed + it.failed + it.ignored);
        counted.saturating_sub(self.results().len() as u64)
    }
}

/// The name without the mark of a test that is to panic, and whether that was there.
fn bare(name: &str) -> (&str, bool) {
    // Others than libtest fill the names up with spaces.
    let name = name.trim_end();
    match name.strip_suffix(" - should panic") {
        Some(name) => (name, true),
        None => (name, false),
    }
}

/// How many tests this line announces.
fn announced(line: &str) -> Option<u64> {
    let (count, word) = line.strip_prefix("running ")?.split_once(' ')?;
    count.parse().ok().filter(|_| matches!(word, "test" | "tests"))
}

/// What stands at the end of a test's line. The word may follow directly upon what the test has printed.
fn outcome(text: &str) -> Option<TestOutcome> {
    let text = text.split(" <").next().unwrap_or(text).trim_end();
    if text == "ignored" || text.starts_with("ignored, ") {
        Some(TestOutcome::Ignored)
    } else if text.starts_with("bench:") || text.ends_with("ok") {
        Some(TestOutcome::Passed)
    } else if text.ends_with("FAILED") {
        Some(TestOutcome::Failed)
    } else {
        None
    }
}

fn summary(text: &str) -> Option<Summary> {
    let count = |what: &str| {
        let before = text.split(';').find_map(|part| part.trim().strip_suffix(what))?;
        before.rsplit(' ').find(|it| !it.is_empty())?.parse().ok()
    };
    Some(Summary { passed: count(" passed")?, failed: count(" failed")?, ignored: count(" ignored")? })
}

/// The names that `--list --format terse` prints, without benchmarks.
pub fn listed(output: &str) -> Vec<String> {
    output.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Transcript {
        let mut transcript = Transcript::default();
        text.lines().for_each(|line| drop(transcript.line(line)));
        transcript
    }

    fn outcomes(text: &str) -> Vec<(String, TestOutcome)> {
        read(text).results().into_iter().map(|it| (it.name, it.outcome)).collect()
    }

    fn expected(list: &[(&str, TestOutcome)]) -> Vec<(String, TestOutcome)> {
        list.iter().map(|(name, outcome)| ((*name).to_owned(), *outcome)).collect()
    }

    use TestOutcome::{Failed, Ignored, Passed, Unfinished};

    #[test]
    fn whole_lines_tell_how_each_test_ended() {
        let text = "\nrunning 5 tests\ntest a::b ... ok\ntest c ... FAILED\ntest d ... ignored, slow\ntest e - should panic ... ok\n\
            test f ... ok <0.1s>\n\nfailures:\n\n---- c stdout ----\nboom\n\n\nfailures:\n    c\n\n\
            test result: FAILED. 3 passed; 1 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.00s\n";
        let list = [("a::b", Passed), ("c", Failed), ("d", Ignored), ("e", Passed), ("f", Passed)];
        assert_eq!(outcomes(text), expected(&list));
        assert_eq!(read(text).summary(), Some(Summary { passed: 3, failed: 1, ignored: 1 }));
        assert!(read(text).results()[3].should_panic);
    }

    #[test]
    fn what_a_test_prints_in_between_does_not_hide_its_end() {
        let text = "running 4 tests\ntest a ... hello\nok\ntest b ... hellook\ntest c ... test of something\nmore\nFAILED\n\
            test d ... one\ntwo, no end of line\n\nfailures:\n    c\n\n\
            test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n";
        assert_eq!(outcomes(text), expected(&[("a", Passed), ("b", Passed), ("c", Failed), ("d", Passed)]));
    }

    #[test]
    fn the_list_of_failures_wins_over_what_a_test_printed() {
        let text = "test a ... that is ok\nFAILED\n\nfailures:\n    a\n\n\
            test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured\n";
        assert_eq!(outcomes(text), expected(&[("a", Failed)]));
    }

    #[test]
    fn without_a_last_line_a_test_that_began_is_unfinished() {
        assert_eq!(
            outcomes("running 2 tests\ntest a ... ok\ntest b ... "),
            expected(&[("a", Passed), ("b", Unfinished)])
        );
    }

    #[test]
    fn lines_tell_what_begins_and_what_ends_and_nothing_twice() {
        let mut transcript = Transcript::default();
        let mut told = Vec::new();
        told.extend(transcript.line("running 2 tests"));
        told.extend(transcript.beginning("test a"));
        told.extend(transcript.beginning("test a ... "));
        told.extend(transcript.beginning("test a ... "));
        told.extend(transcript.line("test a ... what it prints"));
        told.extend(transcript.line("ok"));
        told.extend(transcript.line("test b ... FAILED"));
        told.extend(transcript.line("test result: FAILED. 1 passed; 1 failed; 0 ignored"));
        let ended = |name: &str, outcome| {
            Heard::Ended(TestResult { name: name.to_owned(), outcome, should_panic: false })
        };
        let begun = Heard::Begun("a".to_owned());
        assert_eq!(told, [Heard::Announced(2), begun, ended("a", Passed), ended("b", Failed)]);
    }

    #[test]
    fn the_quiet_form_names_only_failures() {
        let text = "running 3 tests\n.F.\nfailures:\n\n---- x stdout ----\n\nfailures:\n    x\n\n\
            test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n";
        assert_eq!(outcomes(text), expected(&[("x", Failed)]));
        assert_eq!(read(text).unnamed(), 2);
    }

    #[test]
    fn a_program_that_prints_as_libtest_does_is_told_from_one_that_does_not() {
        let whole = "running 3 tests\ntest a     ... ok\ntest bb    ... FAILED\ntest c ... ignored\n\n\
            failures:\n    bb\n\ntest result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0s\n";
        assert!(read(whole).is_whole());
        assert_eq!(outcomes(whole), expected(&[("a", Passed), ("bb", Failed), ("c", Ignored)]));
        let others = [
            "",
            "running 1 test",
            "running 2 tests\ntest a ... ok\ntest result: ok. 1 passed; 0 failed; 0 ignored",
            "running 0 tests\ntest result: ok. 0 passed; 0 failed; 0 ignored",
            &whole.repeat(2),
            "test a ... ok\ntest result: ok. 1 passed; 0 failed; 0 ignored",
        ];
        for other in others {
            assert!(!read(other).is_whole(), "{other}");
        }
    }

    #[test]
    fn colours_do_not_hide_how_a_test_ended() {
        let text = "running 3 tests\ntest a ... \x1b[32mok\x1b[m\ntest b ... \x1b[31mFAILED\x1b[0m\r\n\
            test c ... \x1b[33mignored, slow\x1b[m\n\nfailures:\n    b\n\n\
            test result: \x1b[31mFAILED\x1b[m. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out\n";
        assert_eq!(outcomes(text), expected(&[("a", Passed), ("b", Failed), ("c", Ignored)]));
        assert!(read(text).is_whole());
    }

    #[test]
    fn a_list_of_tests_leaves_out_benchmarks() {
        assert_eq!(listed("a::b: test\nc: benchmark\nd: test\n"), ["a::b", "d"]);
    }
}
