//! What the search is about, in plain terms, so that others can decide it: a transition system with one step for each callback.

use crate::evaluation::lifestate::cone::Grounding;
use crate::evaluation::lifestate::program::{Ask as Asked, Callback as Written, Place, Program};
use crate::language::lifestate::Sign;
use crate::model::lifestate::Machine;

/// Whether one message could be prohibited, or be reached: all that decides that. The message that could be prohibited is number 0.
///
/// Messages are allowed at first; then come the instances that accept the empty history. A callback takes its steps one after another.
/// Each step asks, and then it moves instances. Those that accept say of their messages whether they are allowed, in the order of the
/// moves and behind these that of the instances; where one of them is a conflict, no message is allowed any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem<'a> {
    /// Machines under their bindings.
    pub instances: Vec<Instance<'a>>,
    /// How many messages there are.
    pub messages: usize,
    /// What can come.
    pub callbacks: Vec<Callback>,
}

/// A machine under one binding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// What it says where it accepts: which messages are allowed from then on, and which are not.
    pub says: Vec<(usize, bool)>,
    /// Where it accepts, two rules contradict each other.
    pub is_conflict: bool,
    /// Every step moves it, by letter 0 where that names no other.
    pub is_busy: bool,
}

/// A callback.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Callback {
    /// What it does.
    pub steps: Vec<Step>,
    /// The task of which it is a poll, and its place among the polls of that. It comes once, behind all earlier ones.
    pub poll: Option<(usize, u32)>,
    /// How many recorded callbacks it stands for.
    pub count: u32,
}

/// What a message of a callback does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What has to be so.
    pub asks: Option<Ask>,
    /// The instances that it moves, and by which letters.
    pub moves: Vec<(usize, u16)>,
}

/// What is asked before a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask {
    /// The callback comes only where this message is allowed.
    Allowed(usize),
    /// It is what is searched for where message 0 is not allowed.
    Target,
    /// It is what is searched for.
    Goal,
}

/// What is found out about a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Solution {
    /// The last one of these callbacks has what is searched for.
    Word {
        /// The places of the callbacks.
        callbacks: Vec<usize>,
        /// No word of fewer callbacks has it, each counted once.
        is_shortest: bool,
    },
    /// No word has it.
    Absence,
    /// It was too much work.
    Unknown,
}

/// Decides problems.
pub trait Solver {
    /// Decides one.
    fn solve(&self, problem: &Problem<'_>) -> Solution;
}

impl<'a> Problem<'a> {
    /// The problem of a program without classes.
    pub(crate) fn new(grounding: &Grounding<'a>, program: &Program) -> Problem<'a> {
        let shared = |place: &Place| match place {
            Place::Shared(at) | Place::Own(_, at) => *at,
        };
        let instances = program.instances.iter().map(|it| Instance {
            machine: grounding.machine(it.machine),
            says: it.applies_to.iter().map(|(to, sign)| (shared(to), *sign == Sign::Permits)).collect(),
            is_conflict: grounding.is_conflict(it.machine),
            is_busy: !grounding.is_inert(it.machine),
        });
        let asks = |it: &Asked| match it {
            Asked::Permitted(place) => Ask::Allowed(shared(place)),
            Asked::Target => Ask::Target,
            Asked::Goal => Ask::Goal,
        };
        let callback = |it: &Written| {
            let steps = it.steps.iter().map(|step| Step {
                asks: step.asks.as_ref().map(asks),
                moves: step.moves.iter().map(|(place, letter)| (shared(place), *letter)).collect(),
            });
            Callback { steps: steps.collect(), poll: it.poll, count: it.count }
        };
        Problem {
            instances: instances.collect(),
            messages: program.messages,
            callbacks: program.blocks.iter().map(callback).collect(),
        }
    }
}
