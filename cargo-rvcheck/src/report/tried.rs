//! What the report says of the attempts to confirm a prediction, and of what would make a suspicion certain.

use super::Report;
use crate::explore::belief::PLAIN;
use crate::finding::{Finding, Level, Proof, Tried};
use rvcheck_source::rules::RULES;

impl Report {
    /// Says of each prediction that was not tried, and does not say why, that this is the reason.
    pub fn note_untried(&mut self, reason: &str) {
        for finding in self.findings.iter_mut().filter(|it| it.is_open_prediction()) {
            finding.tried.get_or_insert_with(|| Tried::not(reason));
        }
    }
}

/// What came of trying to make a prediction happen, or why it was not tried; of what the source alone shows, what would make it certain.
pub(super) fn tried(finding: &Finding) -> Option<String> {
    if finding.proof == Proof::Static {
        return shown_by(finding);
    }
    let Some(tried) = finding.tried.as_ref().filter(|it| it.untried.is_empty()) else {
        let reason = finding.tried.as_ref().map_or_else(String::new, |it| format!(": {}", it.untried));
        return finding.is_open_prediction().then(|| format!("no attempt was made to confirm it{reason}"));
    };
    if finding.proof != Proof::Confirmed {
        let times = if tried.times == 1 { "once".to_owned() } else { format!("{} times", tried.times) };
        return Some(format!(
            "its test was run again {times} with the tasks delayed, and it did not happen: something unseen may order them"
        ));
    }
    if tried.repeated > 0 {
        return Some(explored(tried));
    }
    if tried.happened == finding.message {
        return Some("confirmed: it happened when the tasks were delayed".to_owned());
    }
    let happened = &tried.happened;
    Some(format!("confirmed: it happened when the tasks were delayed where they wait: {happened}"))
}

/// By which schedule it was found.
fn explored(tried: &Tried) -> String {
    let (repeated, times) = (tried.repeated, tried.times);
    let by = if tried.turns.is_empty() {
        "it depends on random numbers alone".to_owned()
    } else {
        format!("tasks run in the default order, except:\n{}", tried.turns.join("\n"))
    };
    let plainly = match tried.plainly {
        0 => String::new(),
        it => format!(", and the test fails in {it} of {PLAIN} runs without control"),
    };
    format!("confirmed: it happened in {repeated} of {times} runs by its schedule{plainly}; {by}")
}

/// What makes a suspicion of a rule certain.
fn shown_by(finding: &Finding) -> Option<String> {
    let rule = RULES.iter().find(|it| it.id == finding.rule && finding.level < Level::Error)?;
    Some(rule.shown_by.sentence())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_also_fails_without_control_says_how_often() {
        let tried = |plainly| Tried { times: 3, repeated: 2, plainly, ..Tried::default() };
        let random = "it depends on random numbers alone";
        assert_eq!(
            explored(&tried(0)),
            format!("confirmed: it happened in 2 of 3 runs by its schedule; {random}")
        );
        assert_eq!(
            explored(&tried(4)),
            format!(
                "confirmed: it happened in 2 of 3 runs by its schedule, and the test fails in 4 of 10 runs without control; {random}"
            )
        );
    }
}
