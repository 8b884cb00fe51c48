//! One machine under one binding, and the messages that it has not been told of.

use std::cmp::Reverse;

use crate::evaluation::lifestate::binding::Binding;
use crate::model::lifestate::Machine;

/// A history that was accepted: its length, and what is known of the message that led there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Accepted<M> {
    /// The length.
    pub(crate) at: u64,
    /// What was noted of the last message that concerned the binding, and how long the history was with it; `None` where there was none.
    pub(crate) mark: Option<(u64, M)>,
}

impl<M: Copy> Accepted<M> {
    /// By which of several it is decided: the last one, and of those the one that has been so for longest.
    pub(crate) fn rank(&self) -> (u64, Reverse<Option<u64>>) {
        (self.at, Reverse(self.mark.map(|it| it.0)))
    }
}

/// A machine under one binding.
#[derive(Clone, Debug)]
pub(crate) struct Instance<M> {
    pub(crate) binding: Binding,
    pub(crate) state: u32,
    /// The length of the history up to which it is known.
    pub(crate) known: u64,
    /// How many of the common messages it has taken, since these were last dropped.
    pub(crate) taken: usize,
    /// The last history that it has accepted.
    pub(crate) accepted: Option<Accepted<M>>,
    /// The last one that a binding has accepted which has rejoined this one.
    pub(crate) rejoined: Option<Accepted<M>>,
    /// What [`Accepted::mark`] will be of the next history that it accepts.
    pub(crate) mark: Option<(u64, M)>,
}

impl<M: Copy> Instance<M> {
    /// The last history that was accepted, by itself or by what has rejoined it.
    #[inline]
    pub(crate) fn latest(&self) -> Option<Accepted<M>> {
        let rank = |it: Option<Accepted<M>>| it.map(|it| it.rank());
        if rank(self.rejoined) > rank(self.accepted) { self.rejoined } else { self.accepted }
    }

    /// Takes a letter as the message that makes the history so long.
    #[inline]
    pub(crate) fn take(&mut self, machine: &Machine, letter: usize, length: u64, mark: M) {
        let next = machine.next(self.state, letter);
        // What goes on as it was began earlier.
        let goes_on = next.to == self.state
            && next.accepts
            && self
                .accepted
                .is_some_and(|it| it.at + 1 == length && it.mark.is_some() == self.mark.is_some());
        if !goes_on {
            self.mark = Some((length, mark));
        }
        self.state = next.to;
        self.known = length;
        if next.accepts {
            self.accepted = Some(Accepted { at: length, mark: self.mark });
        }
    }
}

/// Lets an instance take messages that match no atom, up to a history of this length.
#[inline]
pub(crate) fn idle<M: Copy>(machine: &Machine, instance: &mut Instance<M>, length: u64) {
    let missing = length - instance.known;
    if missing == 0 {
        return;
    }
    instance.known = length;
    let next = machine.next(instance.state, 0);
    if next.to == instance.state {
        if next.accepts {
            instance.accepted = Some(Accepted { at: length, mark: instance.mark });
        }
        return;
    }
    let begin = length - missing;
    // Behind as many messages as there are states, it goes round in a cycle, of which each time is like the one before.
    let states = machine.states() as u64;
    let mut state = instance.state;
    let mut last = None;
    let mut walk = |from: u64, to: u64, state: &mut u32| {
        for at in from + 1..=to {
            let next = machine.next(*state, 0);
            *state = next.to;
            if next.accepts {
                last = Some(at);
            }
        }
    };
    if missing <= 3 * states {
        walk(0, missing, &mut state);
    } else {
        walk(0, states, &mut state);
        let mut cycle = 1;
        let mut at = machine.next(state, 0).to;
        while at != state {
            at = machine.next(at, 0).to;
            cycle += 1;
        }
        let rest = missing - states;
        let skipped = (rest / cycle - 1) * cycle;
        walk(states + skipped, missing, &mut state);
    }
    instance.state = state;
    if let Some(at) = last {
        instance.accepted = Some(Accepted { at: begin + at, mark: instance.mark });
    }
}
