//! Freedoms: another use of what documentation leaves open.

use rvcheck_event::exploration::Point;
use rvcheck_event::exploration::freedom::{Freedom, FreedomKind};
use rvcheck_event::exploration::outcome::Outcome;
use rvcheck_event::exploration::plan::{Hold, Plan, Signal, Spurious};
use rvcheck_event::exploration::word::SpuriousKind;

/// At how many points of a task it is cancelled, where that could come later.
const LATER: u32 = 12;

/// The other uses of the freedoms of a run, each alone: a signal goes to another waiter, something happens without a reason, a task is cancelled
/// when it has come further. Tasks that nobody has woken come last: most of them do not mind being polled, and there are many.
pub(super) fn other_uses(outcome: &Outcome, seed: u64) -> Vec<Plan> {
    let is_poll = |it: &&Freedom| it.kind == FreedomKind::Spurious(SpuriousKind::Poll);
    let (polls, others): (Vec<&Freedom>, Vec<&Freedom>) = outcome.freedoms.iter().partition(is_poll);
    others.into_iter().chain(polls).flat_map(|it| of(it, seed)).collect()
}

fn of(it: &Freedom, seed: u64) -> Vec<Plan> {
    let (from, at) = (it.from.clone(), Some(it.at.clone()));
    let plan = || Plan::new(seed);
    match it.kind {
        FreedomKind::Signal => {
            let signal = |to| Signal { from: from.clone(), to, at: at.clone() };
            it.others.iter().map(|to| Plan { signals: vec![signal(to.clone())], ..plan() }).collect()
        }
        FreedomKind::Spurious(kind) => {
            vec![Plan { spurious: vec![Spurious { kind, from, at }], ..plan() }]
        }
        // How far it would come is not known: it was cancelled. Whoever cancels it goes on at the latest when nobody else can.
        FreedomKind::Abort => {
            let points = it.others.iter().flat_map(|of| (2..=LATER).map(|number| (of.clone(), number)));
            let hold = |(of, number)| Hold { from: from.clone(), until: Point { of, number } };
            points.map(|until| Plan { holds: vec![hold(until)], ..plan() }).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rvcheck_event::exploration::name::Name;
    use rvcheck_event::exploration::word::End;
    use rvcheck_event::position::{CompiledPosition, ProgramPoint};

    #[test]
    fn each_freedom_is_used_in_the_other_ways() {
        let (one, other) = (Name::test().child(1), Name::test().child(2));
        let at = ProgramPoint { file: "a.rs".to_owned(), position: CompiledPosition::new(3, 1) };
        let free = |number, kind, others: &[&Name]| Freedom {
            from: Point { of: Name::test(), number },
            at: at.clone(),
            kind,
            others: others.iter().map(|it| (*it).clone()).collect(),
        };
        let freedoms = vec![
            free(1, FreedomKind::Signal, &[&one, &other]),
            free(4, FreedomKind::Spurious(SpuriousKind::Poll), &[]),
            free(2, FreedomKind::Spurious(SpuriousKind::Wakeup), &[]),
            free(3, FreedomKind::Abort, &[&one]),
        ];
        let outcome = Outcome { freedoms, ..Outcome::new(End::Done) };
        let plans: Vec<String> = other_uses(&outcome, 7).iter().map(ToString::to_string).collect();
        let line = |number: usize| plans[number].lines().last().expect("it has lines");
        assert_eq!(line(0), "signal t0 1 to t0.1 at a.rs:3:1");
        assert_eq!(line(1), "signal t0 1 to t0.2 at a.rs:3:1");
        assert_eq!(line(2), "spurious wakeup t0 2 at a.rs:3:1");
        assert_eq!(line(3), "hold t0 3 until t0.1 2");
        assert_eq!(line(plans.len() - 2), "hold t0 3 until t0.1 12");
        assert_eq!(line(plans.len() - 1), "spurious poll t0 4 at a.rs:3:1");
    }
}
