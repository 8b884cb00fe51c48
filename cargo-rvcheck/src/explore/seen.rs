//! What one run of a test came to.

use rvcheck_event::exploration::outcome::Outcome;
use rvcheck_event::exploration::plan::{Plan, Strategy};
use rvcheck_event::exploration::word::SpuriousKind;
use rvcheck_event::position::ProgramPoint;

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// How the test ended.
    pub result: RunResult,
    /// What its process says of itself, if it came to that.
    pub outcome: Option<Outcome>,
}

/// What a run needs beside an order of steps. What needs less says more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Leaning {
    /// The clock went on while others could.
    pub on_timer: bool,
    /// A task was polled that nobody had woken.
    pub on_poll: bool,
}

/// How a test ended in one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunResult {
    /// It passed.
    Passed,
    /// Something went wrong.
    Failed(Failure),
    /// It took longer than a run may, and was ended.
    NotEnded,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What it is.
    pub kind: FailureKind,
    /// What is the same whenever the same thing goes wrong, whatever the schedule.
    pub signature: String,
    /// The panics that were printed, in their order.
    pub panics: Vec<Panic>,
    /// What it says of itself; empty if nothing.
    pub message: String,
}

/// A panic, as it is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panic {
    /// The name of the thread; `<unnamed>` if it has none.
    pub thread: String,
    /// Where it arose.
    pub at: ProgramPoint,
    /// What it says, on one line.
    pub message: String,
}

/// What can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FailureKind {
    /// Nobody can go on.
    Hang,
    /// All go round without end.
    Livelock,
    /// The test failed.
    Test,
    /// The process died: by a signal, or by an `exit` of its own.
    Died,
    /// The test passed, and left somebody behind who waits forever.
    Left,
    /// The test passed, and violated a property.
    Property,
}

impl FailureKind {
    /// Whether somebody waits forever.
    pub const fn is_stall(self) -> bool {
        matches!(self, FailureKind::Hang | FailureKind::Left)
    }
}

impl Failure {
    /// The panics up to the one with which this test itself fails in its own code, of which `in_test` tells it. What comes after that may be its
    /// consequence: a lock that it poisons, or a channel that it closes, makes others panic.
    pub fn causes(&self, test: &str, in_test: impl Fn(&Panic) -> bool) -> &[Panic] {
        let fails = self.panics.iter().position(|it| it.thread == test && in_test(it));
        fails.map_or(&self.panics, |at| &self.panics[..=at])
    }
}

impl RunResult {
    /// Whether the test passed, whatever else went wrong.
    pub const fn passes(&self) -> bool {
        match self {
            RunResult::Passed => true,
            RunResult::Failed(failure) => matches!(failure.kind, FailureKind::Left | FailureKind::Property),
            RunResult::NotEnded => false,
        }
    }
}

impl Seen {
    /// What went wrong, if anything did.
    pub const fn failure(&self) -> Option<&Failure> {
        match &self.result {
            RunResult::Failed(failure) => Some(failure),
            RunResult::Passed | RunResult::NotEnded => None,
        }
    }

    /// Whether the same went wrong as in this failure. That nobody can go on may be all that is known of a hang.
    pub fn shows(&self, failure: &Failure) -> bool {
        self.failure().is_some_and(|it| {
            let is_unknown = |it: &Failure| it.kind == FailureKind::Hang && it.signature.is_empty();
            let is_same = it.signature == failure.signature || is_unknown(it) || is_unknown(failure);
            it.kind == failure.kind && is_same
        })
    }

    /// What it needs.
    pub fn leans(&self) -> Leaning {
        let spurious = self.outcome.iter().flat_map(|it| &it.spurious);
        let on_poll = spurious.into_iter().any(|it| it.kind == SpuriousKind::Poll);
        Leaning { on_timer: self.is_timed(), on_poll }
    }

    /// Whether the clock went on in it while others could.
    pub fn is_timed(&self) -> bool {
        self.outcome.as_ref().is_some_and(|it| it.switches.iter().any(|it| it.to.is_clock()))
    }

    /// The plan that makes the same run again: its seed, the deviations that it really made, and what the given plan says of anything but who
    /// goes on. Where the process could not say which deviations these were, the plan that it was given.
    pub fn again(&self, given: &Plan) -> Plan {
        match &self.outcome {
            Some(outcome) => made(given, outcome),
            None => Plan { lists_choices: false, ..given.clone() },
        }
    }
}

/// The plan that makes the run again that came to this by the given one: what chance has decided in it is said by lines of the plan.
pub fn made(given: &Plan, outcome: &Outcome) -> Plan {
    Plan {
        switches: outcome.switches.clone(),
        signals: outcome.signals.clone(),
        spurious: outcome.spurious.clone(),
        is_free: false,
        by: Strategy::Default,
        from: None,
        weights: Vec::new(),
        focus: Vec::new(),
        lists_choices: false,
        remarks: Vec::new(),
        ..given.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rvcheck_event::exploration::Point;
    use rvcheck_event::exploration::name::Name;
    use rvcheck_event::exploration::plan::{Spurious, Switch};
    use rvcheck_event::exploration::word::End;
    use rvcheck_event::position::CompiledPosition;

    #[test]
    fn what_panics_after_the_test_has_failed_is_no_cause() {
        let panic = |thread: &str, file: &str| Panic {
            thread: thread.to_owned(),
            at: ProgramPoint { file: file.to_owned(), position: CompiledPosition::new(1, 1) },
            message: String::new(),
        };
        let in_test = |it: &Panic| it.at.file == "it.rs";
        let causes = |panics: &[Panic]| {
            let (kind, signature, message) = (FailureKind::Test, String::new(), String::new());
            Failure { kind, signature, panics: panics.to_vec(), message }.causes("a", in_test).len()
        };
        let [own, injected, fails] = [("b", "lib.rs"), ("b", "it.rs"), ("a", "it.rs")];
        let [own, injected, fails] = [own, injected, fails].map(|(thread, file)| panic(thread, file));
        assert_eq!(causes(&[fails.clone(), own.clone()]), 1);
        assert_eq!(causes(&[injected.clone(), own.clone(), fails.clone()]), 3);
        assert_eq!(causes(&[panic("a", "lib.rs"), own.clone()]), 2);
        assert_eq!(causes(&[injected, own]), 2);
    }

    #[test]
    fn what_needs_no_timer_and_no_poll_out_of_nothing_comes_first() {
        let from = || Point { of: Name::test(), number: 1 };
        let seen = |outcome: Outcome| Seen { result: RunResult::Passed, outcome: Some(outcome) }.leans();
        let plain = Outcome::new(End::Hang);
        let spurious =
            |kind| Outcome { spurious: vec![Spurious { kind, from: from(), at: None }], ..plain.clone() };
        let timed =
            Outcome { switches: vec![Switch { from: from(), to: Name::CLOCK, at: None }], ..plain.clone() };
        let all = [plain.clone(), spurious(SpuriousKind::Wakeup), spurious(SpuriousKind::Poll), timed];
        let [plain, woken, polled, timed] = all.map(seen);
        assert_eq!(woken, plain);
        assert!(plain < polled && polled < timed);
    }
}
