//! What a test that fails prints: where it panics, and what with.

use crate::explore::seen::Panic;
use rvcheck_event::position::ProgramPoint;

/// What stands between a thread and the place of its panic.
const PANICKED: &str = " panicked at ";
/// The longest message that is kept, in characters.
const LONGEST: usize = 200;

/// The panics in what was printed, in their order.
pub(super) fn panics(text: &str) -> Vec<Panic> {
    let mut lines = text.lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        let Some((thread, place)) = line.strip_prefix("thread '").and_then(|it| it.split_once(PANICKED))
        else {
            continue;
        };
        // Behind the name, there may be the number.
        let thread = thread.rsplit_once('\'').map_or(thread, |it| it.0).to_owned();
        // The message follows on the next line.
        let Some(at) = place.strip_suffix(':').and_then(ProgramPoint::read) else { continue };
        let mut message = lines.next().unwrap_or_default().trim().to_owned();
        // What an assertion compares stands below what it says.
        let mut below = lines.clone().map(str::trim);
        if let (Some(left), Some(right)) = (below.next(), below.next())
            && left.starts_with("left: ")
            && right.starts_with("right: ")
        {
            message = format!("{message}: {left}, {right}");
        }
        found.push(Panic { thread, at, message: message.chars().take(LONGEST).collect() });
    }
    found
}

/// What is the same of a message whatever the numbers in it.
pub(super) fn without_numbers(message: &str) -> String {
    let mut shown = String::new();
    for it in message.chars() {
        match it {
            '0'..='9' if shown.ends_with('#') => {}
            '0'..='9' => shown.push('#'),
            it => shown.push(it),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_are_read_from_what_a_harness_prints() {
        let text = "running 1 test\ntest a ... FAILED\n\nfailures:\n\n---- a stdout ----\n\n\
            thread 'tokio-rt-worker' (123) panicked at src/lib.rs:3:5:\nindex out of bounds: the len is 3\nnote: run with\n\n\
            thread 'a' panicked at tests/it.rs:9:10:\ncalled `Result::unwrap()` on an `Err` value\n\n\
            thread 'a' panicked at tests/it.rs:10:5:\nassertion `left == right` failed\n  left: 2\n right: 1\n";
        let found: Vec<String> =
            panics(text).iter().map(|it| format!("{}: {} {}", it.thread, it.at, it.message)).collect();
        assert_eq!(
            found,
            [
                "tokio-rt-worker: src/lib.rs:3:5 index out of bounds: the len is 3",
                "a: tests/it.rs:9:10 called `Result::unwrap()` on an `Err` value",
                "a: tests/it.rs:10:5 assertion `left == right` failed: left: 2, right: 1"
            ]
        );
        assert_eq!(panics("nothing panicked at all\nthread a panicked at noon"), []);
    }

    #[test]
    fn numbers_do_not_make_another_message() {
        assert_eq!(without_numbers("left: 12, right: 7"), "left: #, right: #");
    }
}
