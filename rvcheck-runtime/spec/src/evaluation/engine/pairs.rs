//! Whether what is received was sent: the messages of paths that are observed on both sides, counted by unit and callee.
//!
//! A message that is received has to have been sent, to the same callee where both say what that is. So no callee is sent fewer messages
//! than it receives, but for those of which it is not known to what they were sent; and not more are received than sent.

use std::collections::HashMap;

use rvcheck_event::id::UnitId;
use rvcheck_event::value::Value;

use crate::language::grammar::Side;

/// The messages of one path in one unit.
#[derive(Clone, Debug, Default)]
struct Balance {
    sent: u64,
    received: u64,
    /// How many were sent to what is not known.
    sent_anywhere: u64,
    /// How many of those have to be what known callees received.
    borrowed: u64,
    /// By callee: how many were sent to it that it did not receive yet.
    open: HashMap<Value, u64>,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    balances: HashMap<(usize, UnitId), Balance>,
}

impl Pairs {
    /// Takes a message of the path of this place. False if it is received and cannot have been sent.
    pub(super) fn take(&mut self, path: usize, unit: UnitId, side: Side, callee: Value) -> bool {
        let it = self.balances.entry((path, unit)).or_default();
        match (side, callee) {
            (Side::Send, Value::Absent) => {
                it.sent += 1;
                it.sent_anywhere += 1;
            }
            (Side::Send, callee) => {
                it.sent += 1;
                *it.open.entry(callee).or_default() += 1;
            }
            (Side::Receive, Value::Absent) => it.received += 1,
            (Side::Receive, callee) => {
                it.received += 1;
                match it.open.get_mut(&callee) {
                    Some(open) if *open > 1 => *open -= 1,
                    Some(_) => _ = it.open.remove(&callee),
                    None => it.borrowed += 1,
                }
            }
        }
        it.received <= it.sent && it.borrowed <= it.sent_anywhere
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_received_was_sent_to_the_same_callee_where_that_is_known() {
        // `s1` is sent to callee 1, `r` is received by nobody knows whom.
        let cases = [
            ("s1 r1", ""),
            ("r1", "r1"),
            ("s1 r2", "r2"),
            ("s r1", ""),
            ("s1 r", ""),
            ("s r1 r2", "r2"),
            ("s1 r1 r1", "r1"),
            ("s1 s r1 r1", ""),
            // What is sent later was not received before.
            ("s r1 s1 r2", "r2"),
            ("s1 r r1", "r1"),
        ];
        for (script, wrong) in cases {
            let mut pairs = Pairs::default();
            let mut refused = Vec::new();
            for word in script.split(' ') {
                let side = if word.starts_with('s') { Side::Send } else { Side::Receive };
                let callee = word[1..].parse().map_or(Value::Absent, Value::Int);
                if !pairs.take(0, UnitId(1), side, callee) {
                    refused.push(word);
                }
            }
            assert_eq!(refused.join(" "), wrong, "{script}");
        }
    }
}
