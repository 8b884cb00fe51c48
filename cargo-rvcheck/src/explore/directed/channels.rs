//! Full channels: whoever receives comes late, so that those who send have to wait.

use rvcheck_event::exploration::Point;
use rvcheck_event::exploration::name::Name;
use rvcheck_event::exploration::outcome::{Choice, Outcome};
use rvcheck_event::exploration::plan::Hold;
use rvcheck_event::exploration::word::Operation;
use rvcheck_event::position::ProgramPoint;
use std::collections::{BTreeMap, BTreeSet};

/// For each two places that send to and receive from one channel: the first receiver waits until all was sent that one sender sends. Where the
/// channel has no room for that, it goes on when nobody else can.
pub(super) fn late_receivers(outcome: &Outcome) -> Vec<Hold> {
    let mut channels: BTreeMap<u64, Vec<&Choice>> = BTreeMap::new();
    for it in outcome.choices.iter().filter(|it| it.object != 0) {
        if matches!(it.operation, Operation::Send | Operation::Receive) {
            channels.entry(it.object).or_default().push(it);
        }
    }
    let mut known: BTreeSet<(&ProgramPoint, &ProgramPoint)> = BTreeSet::new();
    let mut holds = Vec::new();
    for uses in channels.values() {
        let Some(receive) = uses.iter().find(|it| it.operation == Operation::Receive) else { continue };
        let mut last: BTreeMap<&Name, (&Choice, usize)> = BTreeMap::new();
        for it in uses.iter().filter(|it| it.operation == Operation::Send && it.from.of != receive.from.of) {
            let count = last.get(&it.from.of).map_or(0, |it| it.1);
            last.insert(&it.from.of, (it, count + 1));
        }
        // A single message is a conflict like any other.
        for (send, _) in last.into_values().filter(|it| it.1 > 1) {
            if known.insert((&receive.at, &send.at)) {
                let until = Point { number: send.from.number + 1, ..send.from.clone() };
                holds.push(Hold { from: receive.from.clone(), until });
            }
        }
    }
    holds
}

#[cfg(test)]
mod tests {
    use super::super::choices;
    use super::*;

    #[test]
    fn who_receives_waits_until_all_was_sent() {
        let outcome = choices(
            "t0.1 2 a.rs:1:1 receive 5 :
             t0.2 3 a.rs:2:1 send 5 :
             t0.1 4 a.rs:1:1 receive 5 :
             t0.2 6 a.rs:2:1 send 5 :
             t0.3 2 a.rs:3:1 send 6 :
             t0.1 7 a.rs:4:1 receive 6 :",
        );
        let holds: Vec<String> = late_receivers(&outcome).iter().map(ToString::to_string).collect();
        assert_eq!(holds, ["hold t0.1 2 until t0.2 7"]);
    }
}
