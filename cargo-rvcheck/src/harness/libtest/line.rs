//! The lines that libtest prints for people, exactly as it prints them. What only looks like one is a program's own output.

use super::Summary;
use crate::recorded::TestOutcome;

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// So many tests are about to run.
    Announced(u64),
    /// A test; with its outcome where that follows at once and nothing else does.
    Test { name: &'a str, should_panic: bool, outcome: Option<TestOutcome> },
    /// What failed, or what passed tests have printed, comes next: first the output of each, then their names.
    Details { failures: bool },
    /// A name in a list of these, or a line of output that is indented like one.
    Item(&'a str),
    /// The end of a run.
    Ended(Summary),
    /// An outcome stands at its end, as it does where a test has printed something before.
    EndsInOutcome,
    /// Anything else.
    Other,
}

/// Reads a line without its end and without colours.
pub(super) fn read(line: &str) -> Line<'_> {
    if let Some(count) = announced(line) {
        Line::Announced(count)
    } else if let Some(summary) = line.strip_prefix("test result: ").and_then(summary) {
        Line::Ended(summary)
    } else if line == "failures:" || line == "successes:" {
        Line::Details { failures: line == "failures:" }
    } else if let Some((name, rest)) = line.strip_prefix("test ").and_then(|it| it.split_once(" ... ")) {
        let (name, should_panic) = bare(name);
        Line::Test { name, should_panic, outcome: outcome(rest) }
    } else if let Some(name) = line.strip_prefix("    ") {
        Line::Item(bare(name).0)
    } else if ["ok", "FAILED", "ignored"].iter().any(|it| line.ends_with(it)) {
        Line::EndsInOutcome
    } else {
        Line::Other
    }
}

/// The name without the mark of a test that is to panic, and whether that was there.
pub(super) fn bare(name: &str) -> (&str, bool) {
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

/// The outcome, if this is one and nothing else. The time that a test took may follow.
fn outcome(text: &str) -> Option<TestOutcome> {
    let word = match text.split_once(" <") {
        Some((word, time)) if time.ends_with("s>") => word,
        _ => text,
    };
    match word {
        "ok" => Some(TestOutcome::Passed),
        "FAILED" | "FAILED (time limit exceeded)" => Some(TestOutcome::Failed),
        "ignored" => Some(TestOutcome::Ignored),
        _ if text.starts_with("ignored, ") => Some(TestOutcome::Ignored),
        _ if text.starts_with("bench: ") && text.contains("/iter (+/- ") => Some(TestOutcome::Passed),
        _ => None,
    }
}

/// `ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s`.
fn summary(text: &str) -> Option<Summary> {
    let (word, counts) = text.split_once(". ")?;
    let mut counts = counts.split("; ");
    let mut count = |what: &str| counts.next()?.strip_suffix(what)?.parse().ok();
    let (passed, failed, ignored) = (count(" passed")?, count(" failed")?, count(" ignored")?);
    let measured = count(" measured").unwrap_or(0);
    let summary = Summary { passed, failed, ignored, measured };
    (word == if failed == 0 { "ok" } else { "FAILED" }).then_some(summary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_outcome_that_stands_alone_is_one() {
        let cases = [
            ("ok", Some(TestOutcome::Passed)),
            ("ok <0.1s>", Some(TestOutcome::Passed)),
            ("FAILED", Some(TestOutcome::Failed)),
            ("ignored", Some(TestOutcome::Ignored)),
            ("ignored, takes long", Some(TestOutcome::Ignored)),
            ("bench:       1,024 ns/iter (+/- 7)", Some(TestOutcome::Passed)),
            ("", None),
            ("connection ok", None),
            ("1 of 3 FAILED", None),
            ("okay", None),
            ("ok, so far", None),
        ];
        for (text, expected) in cases {
            assert_eq!(outcome(text), expected, "{text}");
        }
    }

    #[test]
    fn a_last_line_that_contradicts_itself_is_none() {
        let ended = |passed, failed| Line::Ended(Summary { passed, failed, ..Summary::default() });
        let cases = [
            ("test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out", ended(3, 0)),
            ("test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out", ended(3, 1)),
            ("test result: ok. 1 passed; 0 failed; 0 ignored", ended(1, 0)),
            ("test result: ok. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out", Line::Other),
            ("test result: all is well", Line::Other),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
