//! The loops of a body, by what each of their exits goes, where an iteration asks whether to stop, and where it lets time pass.
//!
//! An agent hears that it is to stop where each iteration of its loops comes by a place that asks. A loop that counts ends by itself.

mod deaf;
mod exits;
mod heard;
mod looks;
mod obeyed;
mod pauses;
mod stops;

pub(crate) use self::deaf::{deaf, deaf_within};
pub(crate) use self::exits::{By, Loop, loops, uncounted_loops};
pub(crate) use self::heard::{Heard, heard};
pub(crate) use self::looks::{Look, asks_others, asks_to_stop, looks, may_look};
pub(crate) use self::obeyed::obeyed;
pub(crate) use self::pauses::{Pause, pauses};
pub(crate) use self::stops::{Stop, Way, stops};

use crate::facts::Facts;
use crate::program::code_ref::{CodeRef, await_ref, call_ref};
use std::collections::BTreeSet;

/// A place in a loop where a body lets time pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rest {
    /// The call or await.
    pub at: CodeRef,
    /// What the iterations do that come by it.
    pub iterations: Hears,
}

/// What the iterations of a loop do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hears {
    /// They are counted.
    Counts,
    /// Each asks whether to stop, or may.
    Looks,
    /// Some go round without that.
    Deaf,
}

/// The places in loops where bodies let time pass.
pub fn rests(facts: &Facts<'_>) -> Vec<Rest> {
    let mut found = Vec::new();
    for (id, function) in facts.program.functions() {
        let asked: BTreeSet<_> = looks(facts, id).into_iter().map(|it| it.call).collect();
        let all = loops(function, &BTreeSet::new());
        let uncounted = uncounted_loops(function, &BTreeSet::new());
        let deaf = uncounted_loops(function, &asked);
        for pause in pauses(facts.program, id) {
            let is_in = |of: &[Loop]| of.iter().any(|it| it.blocks.contains(&pause.block));
            let is_deaf = |it: &&Loop| it.blocks.contains(&pause.block) && !may_look(facts, id, &it.blocks);
            if !is_in(&all) {
                continue;
            }
            let iterations = if deaf.iter().any(|it| is_deaf(&it)) {
                Hears::Deaf
            } else if is_in(&uncounted) {
                Hears::Looks
            } else {
                Hears::Counts
            };
            let at = match pause.awaited {
                Some(_) => await_ref(facts.program, id, pause.block),
                None => call_ref(facts.program, id, pause.block),
            };
            found.push(Rest { at, iterations });
        }
    }
    found
}
