//! `channel-deadlock`: a wait for a reply that may never come. Its sender stays stored, and the only code that takes it out has ended.

use super::{Certainty, Hit, Rule, ShownBy};
use crate::facts::Facts;
use crate::facts::termination::{Unanswered, unanswered};
use crate::program::Program;
use crate::program::code_ref::{call_or_await, call_ref};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "channel-deadlock",
    property: "channel-deadlock",
    doc: "A task waits on a channel, and only that task could end the wait.",
    shown_by: ShownBy::Run("a task waits on the channel, and nothing else can end the wait"),
    check,
};

/// Finds such waits.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    unanswered(facts).iter().map(|it| hit(facts.program, it)).collect()
}

fn hit(program: &Program, it: &Unanswered) -> Hit {
    let how = if it.is_by_message { "which ends when told to" } else { "which can end" };
    Hit {
        certainty: if it.is_by_message { Certainty::Doubt } else { Certainty::Usually },
        message: "once the responder has ended, this waits forever: the sender of the reply stays stored \
                  and is never dropped"
            .to_owned(),
        primary: (call_or_await(program, it.wait.function, it.wait.block), "waits forever".to_owned()),
        related: vec![
            (call_ref(program, it.put.function, it.put.block), "the sender is stored here".to_owned()),
            (
                call_or_await(program, it.take.function, it.take.block),
                format!("only taken out by this responder, {how}"),
            ),
        ],
        advice: "drop all stored senders after the loop: the drop tells the waiter that no reply will come"
            .to_owned(),
    }
}
