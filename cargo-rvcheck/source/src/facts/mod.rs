//! Facts: what is true of the values, calls and waits of a program, each computed once.
//!
//! A rule asks facts and decides by them. [`Facts`] owns all that is computed, so that two rules that ask the same pay once.

pub(crate) mod agents;
pub(crate) mod calls;
pub(crate) mod deadlock;
pub mod disposition;
pub mod keeping;
pub mod loops;
pub(crate) mod objects;
pub(crate) mod partial_updates;
mod room;
pub(crate) mod signals;
pub mod started;
pub(crate) mod termination;

use self::agents::Agent;
use self::agents::order::Order;
use self::agents::steps::{Finder, Steps, bodies};
use self::calls::{ForeignCalls, Reached};
use self::disposition::Dispositions;
use self::objects::{CallSite, Capacity, Objects};
use self::partial_updates::Effects;
use self::signals::Signals;
use self::termination::Uses;
use crate::body::FunctionId;
use crate::program::Program;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// The facts of a program.
#[derive(Debug)]
pub struct Facts<'p> {
    /// The program that they are of.
    pub program: &'p Program,
    /// What becomes of errors.
    pub(crate) dispositions: Dispositions,
    effects: Effects<'p>,
    foreign: OnceCell<ForeignCalls>,
    reached: OnceCell<Reached>,
    objects: OnceCell<Objects>,
    roomy: OnceCell<BTreeSet<CallSite>>,
    agents: OnceCell<Vec<(Agent, Steps)>>,
    orders: OnceCell<BTreeMap<CallSite, Uses>>,
    callers: OnceCell<BTreeMap<FunctionId, BTreeSet<FunctionId>>>,
    signals: OnceCell<Signals<'p>>,
}

impl<'p> Facts<'p> {
    /// The facts of that program. Each is computed when it is first asked for.
    pub fn of(program: &'p Program) -> Facts<'p> {
        Facts {
            program,
            dispositions: Dispositions::default(),
            effects: Effects::of(program),
            foreign: OnceCell::new(),
            reached: OnceCell::new(),
            objects: OnceCell::new(),
            roomy: OnceCell::new(),
            agents: OnceCell::new(),
            orders: OnceCell::new(),
            callers: OnceCell::new(),
            signals: OnceCell::new(),
        }
    }

    /// What its bodies do to state that outlives them.
    pub(crate) const fn effects(&self) -> &Effects<'p> {
        &self.effects
    }

    /// The foreign code that its bodies call.
    pub(crate) fn foreign(&self) -> &ForeignCalls {
        self.foreign.get_or_init(|| ForeignCalls::of(self.program))
    }

    /// The locks that its bodies request, by what they belong to.
    pub(crate) fn reached(&self) -> &Reached {
        self.reached.get_or_init(|| Reached::of(self.program, self.foreign()))
    }

    /// The agent that a call spawns, as far as it is one; where the call is made in several ways, the one through these bodies.
    pub(crate) fn spawned_at(&self, site: CallSite, through: &Steps) -> Option<&Steps> {
        let all =
            self.agents().iter().filter(|(agent, _)| matches!(agent, Agent::Spawned(it, _) if *it == site));
        let all: Vec<&Steps> = all.map(|(_, it)| it).collect();
        if let [one] = all.as_slice() {
            return Some(one);
        }
        let own: BTreeSet<FunctionId> = through.frames.iter().map(|it| it.function).collect();
        let mut of_own =
            all.iter().filter(|it| it.context.last().is_some_and(|it| own.contains(&it.function)));
        of_own.next().filter(|_| of_own.next().is_none()).copied()
    }

    /// The signals, and who gives them and waits for them.
    pub(crate) fn signals(&self) -> &Signals<'p> {
        self.signals.get_or_init(|| Signals::of(self.program))
    }

    /// What each place can have.
    pub(crate) fn objects(&self) -> &Objects {
        self.objects.get_or_init(|| Objects::of(self.program))
    }

    /// Whether a send may wait for room in a channel: it has a limit, and not all that is sent into one such channel fits in.
    pub(crate) fn may_be_full(&self, channel: CallSite) -> bool {
        let objects = self.objects();
        let is_limited = !matches!(objects.channels.get(&channel), None | Some(Capacity::Unbounded));
        is_limited && !self.roomy.get_or_init(|| room::roomy(self.program, objects)).contains(&channel)
    }

    /// The agents with their steps; those that do nothing with channels, tasks and permits are left out.
    pub(crate) fn agents(&self) -> &[(Agent, Steps)] {
        self.agents.get_or_init(|| {
            let finder = Finder::of(self.program, self.objects());
            let all = agents::agents(self.program, self.objects()).into_iter();
            let with_steps =
                all.flat_map(|agent| finder.all_steps(agent).into_iter().map(move |it| (agent, it)));
            with_steps.filter(|(_, it)| !it.steps.is_empty()).collect()
        })
    }

    /// The order in which the agents run.
    pub(crate) fn order(&self) -> Order<'_> {
        Order::of(self.program, self.objects())
    }

    /// The flags and tokens by which somebody can be told to stop.
    pub(crate) fn orders(&self) -> &BTreeMap<CallSite, Uses> {
        self.orders.get_or_init(|| termination::orders(self.program, self.objects()))
    }

    /// By body: those that call it, or make it where it is a closure or state machine.
    pub(crate) fn callers(&self) -> &BTreeMap<FunctionId, BTreeSet<FunctionId>> {
        self.callers.get_or_init(|| {
            let program = self.program;
            let mut found: BTreeMap<FunctionId, BTreeSet<FunctionId>> = BTreeMap::new();
            for (id, function) in program.functions() {
                let called = function
                    .calls()
                    .flat_map(|(block, ..)| bodies(program, self.objects(), id, function, block));
                let made = function
                    .blocks()
                    .flat_map(|(_, it)| it.assignments())
                    .filter_map(|(into, value)| Some(program.body_made(function, into, value)?.0));
                for inner in called.chain(made).filter(|it| *it != id) {
                    found.entry(inner).or_default().insert(id);
                }
            }
            found
        })
    }
}
