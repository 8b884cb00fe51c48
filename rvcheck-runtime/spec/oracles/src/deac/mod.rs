//! Monitors for coroutines as networks of automata: the construction of Furian, Azzopardi, Falcone and Schneider, *Runtime
//! Verification of Kotlin Coroutines* (RV 2022), definitions 3 to 5 and figures 2 to 4, step by step. It is slow; it is a second
//! oracle, which shares with the rest of this crate nothing but what an atom means at a position.
//!
//! [`specification`] takes a formula apart if it belongs to the paper's fragment, [`Network::of`] builds its monitor for the
//! objects of a trace, and [`run`] does both and takes the monitor over the trace.
//!
//! The paper speaks of infinite traces over a fixed set of coroutines. Where the language of this project says something
//! else, or the paper leaves something open:
//!
//! - *The end of a trace.* The paper has no word for it: a monitor has accepted, or is in a bad state, or neither. The
//!   language decides then. For formulas without the strong `X` its verdict is that of [`Network::at_end`]: a `forall` is false
//!   exactly if one of its automata was refuted.
//! - *`X`* is the weak one, because there always is a next position. The strong `X` of the language makes a formula false at
//!   the end of a trace which the monitor is content with ([`Specification::has_strong_next`]).
//! - *The empty trace.* No automaton has moved, so that only the language gives a verdict: `!p()` is true there and `p()` false.
//! - *What cannot be mended.* The paper takes its automata from Kupferman and Vardi, who know two: [`Detection`]. The one that
//!   is as early as possible calls `WX false` bad at the first event, since an infinite trace goes on; a finite one may end.
//! - *The objects* are those of the trace, known from the start.
//! - *Late by a step.* Messages are consumed one step after they were sent, so that a network accepts up to two steps after its
//!   automata did. [`Network::settle`] lets messages arrive without an event.
//! - *Several variables* of one quantifier are one variable over tuples, those that its `where` admits. A formula without a
//!   quantifier is one over the empty tuple.
//! - The loop of the collecting automaton is printed with the guard of its bad transition. The text says what is meant: it is
//!   taken when a message says that the formula is true. And one automaton of a network moves alone if the other one can
//!   take *none* of its transitions, not one of them.

mod aut;
mod automaton;
mod network;
mod safety;

pub use aut::{Detection, STATES};
pub use automaton::{Action, Channel, Configuration, Deac, Guard, Letter, Message, Transition};
pub use network::Network;
pub use safety::{Safe, Specification, Top, specification};

use rvcheck_spec::evaluation::tables::view::View;
use rvcheck_spec::model::ltl::Ltl;

/// Where an automaton or a network has come to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reached {
    /// An accepting state: whatever comes, the formula is true.
    Accepting,
    /// A bad state: whatever comes, the formula is false.
    Bad,
    /// Neither.
    Neither,
}

/// What a monitor says of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Where the network is right after the last event.
    pub reached: Reached,
    /// Where it is when all messages have arrived.
    pub settled: Reached,
    /// The verdict if the trace ends here.
    pub at_end: bool,
}

/// What the monitor of a formula says of a trace. `None` where the formula is outside the fragment, or its automaton is too
/// large.
pub fn run(ltl: &Ltl, view: &View<'_>, detection: Detection) -> Option<Outcome> {
    let specification = specification(ltl)?;
    let mut network = Network::of(&specification, ltl, view, detection)?;
    for at in 0..view.len() {
        let letter = network.letter(view, at);
        network.step(Some(&letter));
    }
    let reached = network.reached();
    let at_end = network.at_end();
    network.settle();
    Some(Outcome { reached, settled: network.reached(), at_end })
}
