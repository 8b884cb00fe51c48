//! Dynamic event automata with channels: definition 3, and how they move: definition 4 and figure 2.

use std::collections::{BTreeMap, BTreeSet};

use crate::deac::Reached;

/// The channel on which the automaton of one quantifier for one object tells its verdict. It also names that automaton's events
/// and the variable that remembers the verdict.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Channel {
    /// The number of the quantifier.
    pub quantifier: usize,
    /// The number of the object.
    pub object: usize,
}

/// A channel event on its channel: the formula is true or false for this object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Message {
    /// The verdict.
    pub verdict: bool,
    /// The channel.
    pub channel: Channel,
}

/// The program events of a step: for each automaton of a quantifier, the atoms that are true, one bit each.
pub type Letter = BTreeMap<Channel, u32>;

/// When a transition can be taken: a predicate over program events, messages and variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Guard {
    /// There is a program event, and exactly these atoms of the object are true.
    Atoms(Channel, u32),
    /// The message has arrived.
    Arrived(Message),
    /// The variable is true.
    Known(Channel),
    /// All of these; true if there are none.
    All(Vec<Guard>),
    /// Some of these; false if there are none.
    Any(Vec<Guard>),
    /// Not this.
    Not(Box<Guard>),
}

impl Guard {
    fn holds(
        &self,
        letter: Option<&Letter>,
        messages: &BTreeSet<Message>,
        known: &BTreeSet<Channel>,
    ) -> bool {
        let holds = |guard: &Guard| guard.holds(letter, messages, known);
        match self {
            Guard::Atoms(channel, atoms) => {
                letter.is_some_and(|letter| letter.get(channel).copied().unwrap_or_default() == *atoms)
            }
            Guard::Arrived(message) => messages.contains(message),
            Guard::Known(channel) => known.contains(channel),
            Guard::All(guards) => guards.iter().all(holds),
            Guard::Any(guards) => guards.iter().any(holds),
            Guard::Not(guard) => !holds(guard),
        }
    }
}

/// What becomes of the variables: each whose channel brought a verdict `true` becomes true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action(pub Vec<Channel>);

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// When it can be taken.
    pub guard: Guard,
    /// What it sends.
    pub out: Vec<Message>,
    /// What it does to the variables.
    pub action: Action,
    /// The state it enters.
    pub to: usize,
}

/// An automaton. At most one transition of a state is enabled at a time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deac {
    /// The channels it listens to.
    pub receives: BTreeSet<Channel>,
    /// The first state.
    pub initial: usize,
    /// By state: whether it is accepting, bad, or neither.
    pub states: Vec<Reached>,
    /// By state: the transitions that leave it.
    pub transitions: Vec<Vec<Transition>>,
}

impl Deac {
    /// The transition that a state can take.
    pub fn enabled(
        &self,
        state: usize,
        letter: Option<&Letter>,
        messages: &BTreeSet<Message>,
        known: &BTreeSet<Channel>,
    ) -> Option<&Transition> {
        self.transitions[state].iter().find(|it| it.guard.holds(letter, messages, known))
    }

    /// ¬D: accepting and bad states change places.
    #[must_use]
    pub fn negated(mut self) -> Deac {
        for state in &mut self.states {
            *state = swapped(*state);
        }
        self
    }
}

pub(super) fn swapped(reached: Reached) -> Reached {
    match reached {
        Reached::Accepting => Reached::Bad,
        Reached::Bad => Reached::Accepting,
        Reached::Neither => Reached::Neither,
    }
}

/// A state, the variables that are true, and the messages that are on their way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Configuration {
    /// The state.
    pub state: usize,
    /// The variables that are true.
    pub known: BTreeSet<Channel>,
    /// The messages.
    pub messages: BTreeSet<Message>,
}

impl Configuration {
    /// Where an automaton begins.
    pub fn of(deac: &Deac) -> Configuration {
        Configuration { state: deac.initial, known: BTreeSet::new(), messages: BTreeSet::new() }
    }

    /// Figure 2: one step, with the program events of that step if there are any.
    pub fn step(&mut self, deac: &Deac, letter: Option<&Letter>) {
        if deac.states[self.state] != Reached::Neither {
            return;
        }
        let Some(taken) = deac.enabled(self.state, letter, &self.messages, &self.known) else { return };
        let arrived = std::mem::take(&mut self.messages);
        act(&taken.action, &arrived, &mut self.known);
        self.state = taken.to;
        self.messages = arrived.into_iter().filter(|it| !deac.receives.contains(&it.channel)).collect();
        self.messages.extend(&taken.out);
    }
}

pub(super) fn act(action: &Action, arrived: &BTreeSet<Message>, known: &mut BTreeSet<Channel>) {
    let received = |channel: &&Channel| arrived.contains(&Message { verdict: true, channel: **channel });
    known.extend(action.0.iter().filter(received));
}
