//! The thresholds in the properties of the library.
//!
//! The files of the library have those that hold where nobody says otherwise, so that they can be read, and copied, as they are. Others
//! take their places in the text before it is compiled.

use crate::request::{Limit, ThresholdArgs};
use std::borrow::Cow;

/// The text of the property of that id with these thresholds.
pub(super) fn with<'a>(id: &str, text: &'a str, thresholds: &ThresholdArgs) -> Cow<'a, str> {
    if *thresholds == ThresholdArgs::DEFAULT {
        return Cow::Borrowed(text);
    }
    let mut text = Cow::Borrowed(text);
    for (from, to) in places(id, thresholds) {
        if from != to {
            text = Cow::Owned(text.replace(&from, &to));
        }
    }
    text
}

/// What stands in the file of a property where it has a threshold, and what stands there with these.
fn places(id: &str, thresholds: &ThresholdArgs) -> Vec<(String, String)> {
    let usual = both(id, &ThresholdArgs::DEFAULT);
    let wanted = both(id, thresholds);
    usual.into_iter().zip(wanted).collect()
}

/// Where a property has thresholds: the stretches of its file. None is a part of what another one makes.
fn both(id: &str, it: &ThresholdArgs) -> Vec<String> {
    let share = it.busy_share.number();
    match id {
        "blocking-in-async" => {
            let (poll, lock, long) = (it.long_poll, it.lock_wait, it.long_lock_wait);
            vec![
                format!("[d > {} && d <= {}]", lock.nanos(), long.nanos()),
                format!("[d > {}]", long.nanos()),
                format!("[d > {} && c * 100 >= d * {share}]", poll.nanos()),
                format!("for more than {} on a lock", spelled(lock)),
                format!("thread for more than {} on a lock", spelled(long)),
                format!("computed for more than {}", spelled(poll)),
            ]
        }
        "cancel-unresponsive" => {
            let delay = it.abort_delay;
            vec![
                format!("[now - since <= {}]", delay.nanos()),
                format!("[now - since > {} && c * 100 >= d * {share}]", delay.nanos()),
                format!("[now - since > {} && c * 100 < d * {share}]", delay.nanos()),
                format!("for more than {} before", spelled(delay)),
            ]
        }
        _ => Vec::new(),
    }
}

/// A time in a sentence.
fn spelled(limit: Limit) -> String {
    if limit.nanos() == 1_000_000_000 { "a second".to_owned() } else { limit.shown() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specs::{files, read};

    /// Thresholds of which no two are the same, nor one of the usual ones.
    fn others() -> ThresholdArgs {
        ThresholdArgs {
            long_poll: Limit::of_millis(7),
            lock_wait: Limit::of_millis(11),
            long_lock_wait: Limit::of_millis(13_007),
            abort_delay: Limit::of_millis(17),
            busy_share: "61%".parse().expect("it is one"),
            ..ThresholdArgs::DEFAULT
        }
    }

    #[test]
    fn each_threshold_stands_in_the_file_of_its_property_and_nothing_else_does() {
        let mut changed = Vec::new();
        for (name, text) in files() {
            let id = name.strip_suffix(".toml").expect("it is one");
            for (from, _) in places(id, &others()) {
                assert!(text.contains(&from), "{name} has no {from:?}");
            }
            let new = with(id, &text, &others());
            if new == text {
                continue;
            }
            changed.push(id.to_owned());
            // No number of the usual thresholds is left.
            for number in ["00000000", "* 80", "100 ms", "a second"] {
                assert!(!new.contains(number), "{name} still has {number}");
            }
            let specs = read(&[(name.clone(), new.into_owned())]);
            assert_eq!((specs.problems.len(), specs.properties.len()), (0, 1), "{name}");
        }
        assert_eq!(changed, ["blocking-in-async", "cancel-unresponsive"]);
    }

    #[test]
    fn the_usual_thresholds_change_nothing() {
        for (name, text) in files() {
            let id = name.strip_suffix(".toml").expect("it is one");
            let again: String = places(id, &ThresholdArgs::DEFAULT)
                .iter()
                .fold(text.clone(), |text, (from, to)| text.replace(from, to));
            assert_eq!(again, text);
        }
    }
}
