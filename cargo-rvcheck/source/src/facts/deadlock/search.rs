//! The search for a state in which waits are closed: what ends each of them is only done by agents that are at such a wait, too.

use super::own_answer::{is_own, keeps_its_question, waits_for_own_answer};
use super::problem::{Problem, reaches, site};
use super::{Deadlock, Move, What};
use crate::body::FunctionId;
use crate::body::paths::Paths;
use crate::facts::agents::Agent;
use crate::facts::agents::operation::{Op, WaitLimit, only};
use crate::facts::agents::steps::{Step, StepId, Steps};
use crate::facts::objects::CallSite;
use crate::facts::termination::{is_given_alone, receiver_at};
use crate::mir::BlockId;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How many states are looked at.
const MOST: usize = 150_000;
/// How many messages an unbounded channel is known to have.
const MANY: u8 = 3;

/// Where an agent is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum At {
    Begin,
    Step(StepId),
    Over,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct State {
    pub(super) agents: Vec<At>,
    counts: Vec<u8>,
}

/// A state, and the step of which agent leads to it.
pub(super) type Reached = (State, Option<(usize, StepId)>);

/// A deadlock of a problem, with the fewest moves before it.
pub(super) fn search(problem: &Problem<'_>) -> Option<Deadlock> {
    let sites: Vec<CallSite> = problem.channels.keys().copied().collect();
    let search = Search { problem, sites };
    if !search.has_candidates() {
        return None;
    }
    let begin = State { agents: vec![At::Begin; problem.agents.len()], counts: vec![0; search.sites.len()] };
    let mut from: BTreeMap<State, Option<Reached>> = BTreeMap::from([(begin.clone(), None)]);
    let mut open = VecDeque::from([begin]);
    while let Some(state) = open.pop_front() {
        let stuck = search.closed(&state);
        if !stuck.is_empty() && !search.is_at_rest(&state, &stuck, &from) {
            let stuck = search.fewest(&state, stuck);
            return Some(search.deadlock(&state, &stuck, &from));
        }
        if from.len() > MOST {
            return None;
        }
        for (next, by) in search.next(&state) {
            if !from.contains_key(&next) {
                from.insert(next.clone(), Some((state.clone(), by)));
                open.push_back(next);
            }
        }
    }
    None
}

/// The steps that lead to a state, and which agent does each of them, the last one first.
pub(super) fn steps_to<'a>(
    state: &State,
    from: &'a BTreeMap<State, Option<Reached>>,
) -> impl Iterator<Item = (usize, StepId)> + use<'a> {
    let reached = from.get(state).and_then(Option::as_ref);
    std::iter::successors(reached, |it| from.get(&it.0)?.as_ref()).filter_map(|it| it.1)
}

pub(super) struct Search<'a> {
    pub(super) problem: &'a Problem<'a>,
    sites: Vec<CallSite>,
}

impl Search<'_> {
    fn step(&self, agent: usize, it: StepId) -> &Step {
        &self.problem.agents[agent].1.steps[it]
    }

    fn number(&self, it: CallSite) -> Option<usize> {
        self.sites.binary_search(&it).ok()
    }

    /// The channel of a step, if it is one for sure.
    fn channel(&self, step: &Step) -> Option<usize> {
        only(&step.things).filter(|_| step.op != Op::Join).and_then(|it| self.number(it))
    }

    /// Whether anything can wait that others of the problem end.
    fn has_candidates(&self) -> bool {
        self.problem.agents.iter().any(|(_, steps)| {
            steps.steps.iter().any(|it| {
                let channel = only(&it.things).and_then(|it| self.problem.channels.get(&it));
                it.wait_limit == WaitLimit::Unlimited
                    && channel.is_some_and(|channel| match it.op {
                        Op::Send => channel.room.is_some(),
                        Op::Receive => !channel.is_fed,
                        _ => false,
                    })
            })
        })
    }

    /// The steps that an agent can go on by: the branches of a `select!`, or the one where it is.
    pub(super) fn branches(&self, agent: usize, at: StepId) -> Vec<StepId> {
        let steps = &self.problem.agents[agent].1.steps;
        let here = &steps[at];
        match here.select {
            None => vec![at],
            Some((poll, _)) => (0..steps.len())
                .filter(|it| {
                    steps[*it].frame == here.frame && steps[*it].select.is_some_and(|(it, _)| it == poll)
                })
                .collect(),
        }
    }

    fn next(&self, state: &State) -> Vec<Reached> {
        let mut found = Vec::new();
        for (agent, at) in state.agents.iter().enumerate() {
            match at {
                At::Over => {}
                At::Begin => {
                    let (steps, ends) = &self.problem.agents[agent].1.first;
                    self.go_on(state, agent, steps, *ends, None, &mut found);
                }
                At::Step(at) => {
                    for branch in self.branches(agent, *at) {
                        self.done(state, agent, branch, &mut found);
                    }
                }
            }
        }
        for (number, site) in self.sites.iter().enumerate() {
            let counter = self.problem.channels[site];
            if counter.is_fed && state.counts[number] < counter.room.unwrap_or(MANY) {
                let mut next = state.clone();
                next.counts[number] += 1;
                found.push((next, None));
            }
        }
        found
    }

    #[expect(clippy::unused_self, reason = "the search asks it of itself")]
    fn go_on(
        &self,
        state: &State,
        agent: usize,
        steps: &BTreeSet<StepId>,
        ends: bool,
        by: Option<StepId>,
        found: &mut Vec<Reached>,
    ) {
        let ats = steps.iter().map(|it| At::Step(*it)).chain(ends.then_some(At::Over));
        for at in ats {
            let mut next = state.clone();
            next.agents[agent] = at;
            found.push((next, by.map(|it| (agent, it))));
        }
    }

    /// The states after a step that can be done now.
    fn done(&self, state: &State, agent: usize, at: StepId, found: &mut Vec<Reached>) {
        let step = self.step(agent, at);
        let unlimited = step.wait_limit == WaitLimit::Unlimited;
        let after_in = |state: &State, message: bool, found: &mut Vec<Reached>| {
            let (steps, ends) = if message { &step.next } else { &step.closed };
            self.go_on(state, agent, steps, *ends, Some(at), found);
        };
        let mut after = |state: &State, message: bool| after_in(state, message, found);
        let Some(number) = self.channel(step) else {
            match step.op {
                Op::Join if self.waits_for_agent(state, step) => {}
                _ => {
                    let state = &self.perhaps_sent(state, step);
                    after(state, true);
                    after(state, false);
                }
            }
            return;
        };
        let counter = self.problem.channels[&self.sites[number]];
        let count = state.counts[number];
        match step.op {
            Op::Send if counter.room == Some(0) => {
                let mut handed = Vec::new();
                after_in(state, true, &mut handed);
                for (state, _) in handed {
                    self.taken(&state, agent, at, number, found);
                }
            }
            Op::Send => match counter.room {
                Some(room) if count >= room => {
                    if !unlimited {
                        after(state, true);
                    }
                }
                _ => {
                    let mut next = state.clone();
                    next.counts[number] = (count + 1).min(MANY);
                    after(&next, true);
                }
            },
            // The answer is still to come: what there is on the channel are answers to others.
            Op::Receive if unlimited && waits_for_own_answer(self.problem, agent, at) => {}
            Op::Receive | Op::Drain => {
                if count > 0 {
                    let mut next = state.clone();
                    next.counts[number] -= 1;
                    if step.op == Op::Drain {
                        next.agents[agent] = At::Step(at);
                        found.push((next, Some((agent, at))));
                        return;
                    }
                    after(&next, true);
                    // There may have been more.
                    if counter.room.is_none() && count == MANY {
                        after(state, true);
                    }
                } else if !unlimited {
                    after(state, true);
                    after(state, false);
                } else if counter.room == Some(0) && counter.is_fed {
                    after(state, true);
                } else if !counter.is_fed && !self.may_be_sent(state, number, agent) {
                    after(state, false);
                }
            }
            Op::Join => {}
        }
    }

    /// The state after a send on one of several channels: on each of them there may be a message more.
    fn perhaps_sent(&self, state: &State, step: &Step) -> State {
        let mut next = state.clone();
        if step.op == Op::Send {
            for number in step.things.iter().filter_map(site).filter_map(|it| self.number(it)) {
                next.counts[number] = (next.counts[number] + 1).min(MANY);
            }
        }
        next
    }

    /// What follows where a message is handed over without room in between: somebody has to be there who takes it.
    fn taken(&self, state: &State, from: usize, by: StepId, channel: usize, found: &mut Vec<Reached>) {
        for other in (0..state.agents.len()).filter(|it| *it != from) {
            let At::Step(at) = state.agents[other] else { continue };
            for branch in self.branches(other, at) {
                let step = self.step(other, branch);
                let takes = matches!(step.op, Op::Receive | Op::Drain) && self.channel(step) == Some(channel);
                if takes && step.op == Op::Drain {
                    found.push((state.clone(), Some((from, by))));
                } else if takes {
                    let mut both = Vec::new();
                    self.go_on(state, other, &step.next.0, step.next.1, None, &mut both);
                    found.extend(both.into_iter().map(|(state, _)| (state, Some((from, by)))));
                }
            }
        }
    }

    fn may_be_sent(&self, state: &State, channel: usize, but: usize) -> bool {
        (0..state.agents.len())
            .filter(|it| *it != but)
            .any(|agent| self.may_do(state, agent, channel, &[Op::Send]))
    }

    /// Whether an agent may still do something to a channel, as far as it is from where it is.
    fn may_do(&self, state: &State, agent: usize, channel: usize, ops: &[Op]) -> bool {
        let steps = &self.problem.agents[agent].1;
        let is_it = |it: StepId| {
            let step = &steps.steps[it];
            ops.contains(&step.op)
                && step.things.iter().filter_map(site).any(|it| self.number(it) == Some(channel))
        };
        let all = (0..steps.steps.len()).filter(|it| is_it(*it));
        match state.agents[agent] {
            At::Over => false,
            At::Begin => all.into_iter().next().is_some(),
            At::Step(at) => all.into_iter().any(|it| {
                self.branches(agent, at).into_iter().any(|at| {
                    at == it
                        || reaches(steps, at, it, &|_| false) && !self.is_another_then(steps, at, it, channel)
                })
            }),
        }
    }

    /// Whether between two steps of an agent the channel is made anew, so that the later one is on another channel.
    fn is_another_then(&self, steps: &Steps, from: StepId, to: StepId, channel: usize) -> bool {
        let made = self.sites[channel];
        let in_maker = |step: &Step| {
            let (mut frame, mut block) = (step.frame, step.block);
            while steps.frames[frame].function != made.function {
                (frame, block) = steps.frames[frame].from?;
            }
            Some((frame, block))
        };
        let (Some(from), Some(to)) = (in_maker(&steps.steps[from]), in_maker(&steps.steps[to])) else {
            return false;
        };
        let function = self.problem.program.function(made.function);
        let paths = Paths::of(function);
        let next = paths.from(paths.next(from.1), &|it| it == made.block);
        from.0 == to.0 && !next.contains(&to.1)
    }

    /// Whether an agent that a step waits for is not over.
    fn waits_for_agent(&self, state: &State, step: &Step) -> bool {
        let Some(task) = only(&step.things) else { return false };
        let mut of_task = self
            .problem
            .agents
            .iter()
            .zip(&state.agents)
            .filter(|((agent, _), _)| matches!(agent, Agent::Spawned(it, _) if *it == task));
        // Which of several it is, is not known.
        of_task.next().is_some_and(|(_, at)| *at != At::Over) && of_task.next().is_none()
    }

    /// Whether a step cannot be done now.
    fn is_stuck(&self, state: &State, agent: usize, at: StepId) -> bool {
        let mut found = Vec::new();
        for branch in self.branches(agent, at) {
            if self.step(agent, branch).select.is_some_and(|(_, others)| others) {
                return false;
            }
            self.done(state, agent, branch, &mut found);
        }
        found.is_empty()
    }

    /// The agents whose waits nobody but they can end.
    fn closed(&self, state: &State) -> BTreeSet<usize> {
        let mut stuck: BTreeSet<usize> = (0..state.agents.len())
            .filter(|it| matches!(state.agents[*it], At::Step(at) if self.is_stuck(state, *it, at)))
            .collect();
        loop {
            let open: Vec<usize> =
                stuck.iter().copied().filter(|it| !self.is_closed(state, *it, &stuck)).collect();
            if open.is_empty() {
                break;
            }
            for it in open {
                stuck.remove(&it);
            }
        }
        let counts = stuck.iter().any(|it| {
            let At::Step(at) = state.agents[*it] else { return false };
            matches!(self.step(*it, at).op, Op::Send | Op::Receive)
        });
        if counts { stuck } else { BTreeSet::new() }
    }

    /// Without those whose waits the others do not need to be closed.
    fn fewest(&self, state: &State, mut stuck: BTreeSet<usize>) -> BTreeSet<usize> {
        for agent in stuck.clone() {
            let mut fewer = stuck.clone();
            fewer.remove(&agent);
            if !fewer.is_empty() && fewer.iter().all(|it| self.is_closed(state, *it, &fewer)) {
                stuck = fewer;
            }
        }
        stuck
    }

    fn is_closed(&self, state: &State, agent: usize, stuck: &BTreeSet<usize>) -> bool {
        let At::Step(at) = state.agents[agent] else { return false };
        self.branches(agent, at).into_iter().all(|at| {
            let step = self.step(agent, at);
            if step.wait_limit != WaitLimit::Unlimited {
                return false;
            }
            if step.op == Op::Join {
                let Some(task) = only(&step.things) else { return false };
                let mut of_task = (0..self.problem.agents.len())
                    .filter(|it| matches!(self.problem.agents[*it].0, Agent::Spawned(it, _) if it == task));
                return of_task.any(|it| stuck.contains(&it));
            }
            let Some(number) = self.channel(step) else { return false };
            let counter = self.problem.channels[&self.sites[number]];
            if !self.is_known(number, step.op == Op::Receive) {
                return false;
            }
            let others = (0..state.agents.len()).filter(|it| !stuck.contains(it));
            match step.op {
                Op::Send => {
                    let ends = [Op::Receive, Op::Drain];
                    let inside: Vec<usize> =
                        stuck.iter().copied().filter(|it| self.may_do(state, *it, number, &ends)).collect();
                    let asks_another = inside == [agent] && !is_own(self.problem, agent, self.sites[number]);
                    let is_kept =
                        || stuck.iter().any(|it| *it != agent && self.keeps_receiver(state, *it, number));
                    (!inside.is_empty() || is_kept())
                        && !asks_another
                        && !others.into_iter().any(|it| self.may_do(state, it, number, &ends))
                }
                _ => {
                    let ends = [Op::Send];
                    let inside = stuck.iter().any(|it| self.may_do(state, *it, number, &ends));
                    let asks_itself = waits_for_own_answer(self.problem, agent, at);
                    let before = step.op == Op::Receive && (stuck.len() > 1 || asks_itself);
                    before
                        && (inside || asks_itself && keeps_its_question(self.problem, agent, at))
                        && !counter.is_fed
                        && !others.into_iter().any(|it| self.may_do(state, it, number, &ends))
                }
            }
        })
    }

    /// Whether an agent has the receiver of a channel where it waits, though it may take nothing more.
    fn keeps_receiver(&self, state: &State, agent: usize, channel: usize) -> bool {
        let At::Step(at) = state.agents[agent] else { return false };
        let (program, objects, channel) = (self.problem.program, self.problem.objects, self.sites[channel]);
        let (who, steps) = &self.problem.agents[agent];
        let step = &steps.steps[at];
        let is_given =
            || matches!(who, Agent::Caller(root) if is_given_alone(program, objects, *root, channel));
        let mut outward = steps.outward(step.frame, step.block);
        outward.any(|(_, id, block)| receiver_at(program, objects, id, block, channel).is_some())
            || is_given()
    }

    /// Whether each operation that may be on a channel is on no other: else what it does is not counted. A send on one of several is
    /// counted for each of them, so that `receives` do not wait for what may be there.
    fn is_known(&self, channel: usize, receives: bool) -> bool {
        let site_of = Some(self.sites[channel]);
        let mut steps = self.problem.agents.iter().flat_map(|(_, it)| &it.steps);
        steps.all(|it| {
            it.op == Op::Join
                || it.things.len() == 1
                || receives && it.op == Op::Send
                || !it.things.iter().any(|it| site(it) == site_of)
        })
    }

    fn to_move(&self, agent: usize, at: StepId) -> Move {
        let (who, steps) = &self.problem.agents[agent];
        let step = &steps.steps[at];
        let what = match (step.op, only(&step.things)) {
            (Op::Send, Some(it)) => What::Sends(it),
            (Op::Receive | Op::Drain, Some(it)) => What::Receives(it),
            (Op::Join, Some(it)) => What::Joins(it),
            _ => What::Other,
        };
        let frame = &steps.frames[step.frame];
        let from = self.served_in(agent, step);
        Move { agent: *who, function: frame.function, block: step.block, what, from }
    }

    /// The call of a step's function in the body that takes messages again and again, or else in one that takes any, itself or by what it
    /// calls, where that is another one.
    fn served_in(&self, agent: usize, step: &Step) -> Option<(FunctionId, BlockId)> {
        let steps = &self.problem.agents[agent].1;
        let takes = |it: &Step| matches!(it.op, Op::Receive | Op::Drain);
        let is_within =
            |it: &Step, frame: usize| steps.outward(it.frame, it.block).any(|(within, ..)| within == frame);
        let calls = |serves: &dyn Fn(usize) -> bool| {
            let (mut frame, mut at) = (step.frame, None);
            while !serves(frame) {
                let (outer, block) = steps.frames[frame].from?;
                at = Some((steps.frames[outer].function, block));
                frame = outer;
            }
            Some(at)
        };
        let again = |frame: usize| steps.steps.iter().any(|it| it.repeats && takes(it) && it.frame == frame);
        let ever = |frame: usize| steps.steps.iter().any(|it| takes(it) && is_within(it, frame));
        calls(&again).or_else(|| calls(&ever)).flatten()
    }

    fn deadlock(
        &self,
        state: &State,
        stuck: &BTreeSet<usize>,
        from: &BTreeMap<State, Option<Reached>>,
    ) -> Deadlock {
        let waits = stuck.iter().filter_map(|it| match state.agents[*it] {
            At::Step(at) => Some(self.to_move(*it, at)),
            _ => None,
        });
        let waits = waits.collect();
        let mut before: Vec<Move> =
            steps_to(state, from).map(|(agent, step)| self.to_move(agent, step)).collect();
        before.reverse();
        Deadlock { waits, before }
    }
}
