//! The steps of an agent: its operations in the order of its code, with the functions that it calls in their places.

use super::Agent;
use super::operation::{Op, Operation, WaitLimit, operation};
use super::outcome::outcome;
use crate::body::paths::Paths;
use crate::body::select::selects;
use crate::body::walk;
use crate::body::{Definition, Function, FunctionId, Kind};
use crate::facts::objects::{CallSite, Objects, Thing};
use crate::mir::BlockId;
use crate::program::Program;
use crate::program::library::mentions_semaphore;
use crate::program::limited::limited;
use rvcheck_primitives::{Action, Holds};
use std::collections::{BTreeMap, BTreeSet};

/// How deep calls are followed, and how large an agent may be.
pub(super) const DEEPEST: usize = 10;
const MOST: usize = 6000;
/// How many calls of one function are distinguished.
const CONTEXTS: usize = 6;
/// From this number on, frames are those of who spawns the agent.
pub(super) const OUTSIDE: usize = 1 << 20;
/// Where points behind a call are numbered that have no block of their own.
const BEHIND: u32 = 1 << 24;

/// The number of a step of an agent.
pub(crate) type StepId = usize;

/// A body in its place: with who calls it.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// The body.
    pub(crate) function: FunctionId,
    /// The frame and the block from which it is called.
    pub(crate) from: Option<(usize, BlockId)>,
    /// Others are polled together with it: what they do comes neither before nor after what it does.
    pub(crate) is_beside_others: bool,
}

/// An operation of an agent.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// What is done.
    pub(crate) op: Op,
    /// How it waits.
    pub(crate) wait_limit: WaitLimit,
    /// What it may be done to.
    pub(crate) things: BTreeSet<Thing>,
    /// The frame in which it stands.
    pub(crate) frame: usize,
    /// The block of the call.
    pub(crate) block: BlockId,
    /// Its body comes back to it.
    pub(crate) repeats: bool,
    /// The steps that may come next, after a message; and whether it may be over then.
    pub(crate) next: (BTreeSet<StepId>, bool),
    /// Those that may come when there were no senders any more.
    pub(crate) closed: (BTreeSet<StepId>, bool),
    /// The number of the `select!` that it is a branch of, with those of the same; and whether that has branches of another kind.
    pub(crate) select: Option<(BlockId, bool)>,
}

/// The steps of an agent.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_field_names, reason = "steps are what it has")]
pub(crate) struct Steps {
    /// The bodies.
    pub(crate) frames: Vec<Frame>,
    /// Who spawns it, in which body that one is called, and so on, if it is spawned in a function that several call.
    pub(crate) context: Vec<CallSite>,
    /// The operations.
    pub(crate) steps: Vec<Step>,
    /// Those that may come first, and whether it may be over without any.
    pub(crate) first: (BTreeSet<StepId>, bool),
    /// It waits for something that is not understood: permits, or more than is looked at.
    pub(crate) is_unknown: bool,
}

impl Steps {
    /// A block of a frame, and the calls through which the agent came there, from the inside out: the frame, its body and the block.
    pub(crate) fn outward(
        &self,
        frame: usize,
        block: BlockId,
    ) -> impl Iterator<Item = (usize, FunctionId, BlockId)> {
        let from = |&(frame, _): &(usize, BlockId)| self.frames[frame].from;
        std::iter::successors(Some((frame, block)), from)
            .map(|(frame, block)| (frame, self.frames[frame].function, block))
    }
}

/// What is needed to find steps.
pub(crate) struct Finder<'a> {
    pub(super) program: &'a Program,
    pub(super) objects: &'a Objects,
    /// The bodies that do something, or call such.
    pub(super) relevant: BTreeSet<FunctionId>,
    pub(super) limited: BTreeSet<FunctionId>,
    /// By body: the calls that run it.
    pub(super) callers: BTreeMap<FunctionId, BTreeSet<CallSite>>,
}

type Point = (usize, BlockId);

impl<'a> Finder<'a> {
    pub(crate) fn of(program: &'a Program, objects: &'a Objects) -> Finder<'a> {
        let mut callers: BTreeMap<FunctionId, BTreeSet<CallSite>> = BTreeMap::new();
        let mut open: Vec<FunctionId> = Vec::new();
        for (id, function) in program.functions() {
            for (block, ..) in function.calls() {
                for inner in bodies(program, objects, id, function, block) {
                    callers.entry(inner).or_default().insert(CallSite { function: id, block });
                }
                if operation(program, function, block).is_some() || waits_for_permits(function, block) {
                    open.push(id);
                }
            }
        }
        let relevant = walk::reached(open, |id| callers.get(&id).into_iter().flatten().map(|it| it.function));
        Finder { program, objects, relevant, limited: limited(program), callers }
    }

    /// The steps of an agent, for each of the calls through which it may be spawned.
    pub(crate) fn all_steps(&self, agent: Agent) -> Vec<Steps> {
        match agent {
            Agent::Caller(root) => vec![self.steps(root, Vec::new())],
            Agent::Spawned(site, root) => {
                // Calls that make no difference are one.
                let mut found: Vec<Steps> = Vec::new();
                for steps in self.contexts(site).into_iter().map(|it| self.steps(root, it)) {
                    let alike = |other: &Steps| {
                        let things =
                            |it: &Steps| it.steps.iter().map(|it| it.things.clone()).collect::<Vec<_>>();
                        things(other) == things(&steps)
                    };
                    if !found.iter().any(alike) {
                        found.push(steps);
                    }
                }
                found
            }
        }
    }

    /// The chains of calls that lead to a spawn, as far as functions are called in one place, and one further.
    fn contexts(&self, spawn: CallSite) -> Vec<Vec<CallSite>> {
        let mut chain = vec![spawn];
        for _ in 0..DEEPEST {
            let Some(last) = chain.last() else { break };
            let callers: Vec<CallSite> =
                self.callers.get(&last.function).into_iter().flatten().copied().collect();
            match callers.as_slice() {
                [] => break,
                [one] => chain.push(*one),
                several if several.len() > CONTEXTS => break,
                several => {
                    return several.iter().map(|it| chain.iter().copied().chain([*it]).collect()).collect();
                }
            }
        }
        vec![chain]
    }

    /// The steps of an agent that begins with that body.
    fn steps(&self, root: FunctionId, context: Vec<CallSite>) -> Steps {
        let mut found = Steps { context, ..Steps::default() };
        if !self.relevant.contains(&root) && !self.machine(root).is_some_and(|it| self.relevant.contains(&it))
        {
            found.first.1 = true;
            return found;
        }
        let root = self.machine(root).unwrap_or(root);
        let mut graph = Graph::default();
        let begin = self.enter(&mut found, &mut graph, root, None, DEEPEST, None);
        // Each operation with where it goes on.
        let points: Vec<(Point, StepId)> = graph.steps.iter().map(|(it, step)| (*it, *step)).collect();
        let mut numbered = Numbered::of(&graph);
        let begin = numbered.number(begin);
        found.first = self.reached(&found, &mut numbered, &[begin], None);
        for (point, step) in points {
            let block = found.steps[step].block;
            let starts: Vec<usize> = match graph.arms.get(&step) {
                Some(arm) => vec![numbered.number((point.0, *arm))],
                None => {
                    let at = numbered.number(point);
                    numbered.next[at].clone()
                }
            };
            let one_way = |outcome| Some((point.0, block, outcome));
            found.steps[step].next = self.reached(&found, &mut numbered, &starts, one_way(true));
            found.steps[step].closed = self.reached(&found, &mut numbered, &starts, one_way(false));
        }
        found
    }

    fn machine(&self, id: FunctionId) -> Option<FunctionId> {
        let function = self.program.function(id);
        let made = (function.kind != Kind::Coroutine).then(|| self.program.machine_made_by(id)).flatten();
        made.map(|(it, _)| it)
    }

    /// Puts a body in its place. What comes back at its end goes on at `after`.
    fn enter(
        &self,
        found: &mut Steps,
        graph: &mut Graph,
        id: FunctionId,
        from: Option<(usize, BlockId)>,
        depth: usize,
        after: Option<Point>,
    ) -> Point {
        let frame = found.frames.len();
        found.frames.push(Frame { function: id, from, is_beside_others: false });
        let function = self.program.function(id);
        let suspended: BTreeSet<BlockId> = function.suspensions.iter().map(|it| it.block).collect();
        let is_limited =
            self.limited.contains(&id) || from.is_some_and(|(it, _)| graph.limited.contains(&it));
        if is_limited {
            graph.limited.insert(frame);
        }
        let mut at: BTreeMap<BlockId, Vec<Operation<'_>>> = BTreeMap::new();
        let selects = selects(function);
        let paths = Paths::of(function);
        for (block, ..) in function.calls() {
            if waits_for_permits(function, block) {
                found.is_unknown = true;
            }
            let Some(it) = operation(self.program, function, block) else { continue };
            let place =
                selects.iter().find(|select| select.branches.iter().any(|branch| branch.call == Some(block)));
            at.entry(place.map_or(it.waits_at, |it| it.poll)).or_default().push(it);
            graph.calls.insert((frame, place.map_or(block, |it| it.poll), block));
        }
        for (block, _) in function.blocks().filter(|(_, it)| !it.cleanup) {
            if found.steps.len() + graph.next.len() > MOST {
                found.is_unknown = true;
                break;
            }
            let point = (frame, block);
            let mut next: Vec<Point> = if suspended.contains(&block) {
                Vec::new()
            } else {
                function.successors(block).into_iter().map(|it| (frame, it)).collect()
            };
            if function.returns_at(block) {
                match after {
                    Some(it) => next.push(it),
                    None => {
                        graph.ends.insert(point);
                    }
                }
            }
            let inner: Vec<FunctionId> = if function.call(block).is_some() {
                bodies(self.program, self.objects, id, function, block)
                    .into_iter()
                    .filter(|it| self.relevant.contains(it))
                    .collect()
            } else {
                Vec::new()
            };
            if let Some(operations) = at.get(&block) {
                let select = selects.iter().find(|it| it.poll == block);
                for operation in operations {
                    let call = operation_block(function, operation, block);
                    let arm = select
                        .and_then(|it| it.branches.iter().find(|it| it.call == Some(call)))
                        .and_then(|it| it.arm);
                    let others = select.is_some_and(|it| it.branches.len() > operations.len());
                    let wait_limit = if is_limited {
                        WaitLimit::Limited
                    } else if select.is_some() && arm.is_some() {
                        WaitLimit::Unlimited
                    } else {
                        operation.wait_limit
                    };
                    let step = found.steps.len();
                    let things = self.things(found, frame, operation);
                    found.steps.push(Step {
                        op: operation.op,
                        wait_limit,
                        things,
                        frame,
                        block: call,
                        repeats: paths
                            .from(paths.next(block), &|it| suspended.contains(&it))
                            .contains(&block),
                        next: (BTreeSet::new(), false),
                        closed: (BTreeSet::new(), false),
                        select: select.map(|_| (block, others)),
                    });
                    if let Some(arm) = arm {
                        graph.arms.insert(step, arm);
                    }
                    graph.steps.push((point, step));
                    graph.at.entry(point).or_default().push(step);
                }
                if select.is_some_and(|it| it.branches.len() > operations.len()) {
                    graph.passes.insert(point);
                }
            }
            // A scope waits for its threads when its closure is over.
            let tasks = if function.callee(block).may(|it| it.action == Action::Scope) {
                self.scoped(id)
            } else {
                BTreeSet::new()
            };
            if !tasks.is_empty() && !inner.is_empty() {
                let end = (frame, BlockId(block.0 + BEHIND));
                let step = found.steps.len();
                found.steps.push(Step {
                    op: Op::Join,
                    wait_limit: WaitLimit::Unlimited,
                    things: tasks,
                    frame,
                    block,
                    repeats: paths.repeats(block),
                    next: (BTreeSet::new(), false),
                    closed: (BTreeSet::new(), false),
                    select: None,
                });
                graph.steps.push((end, step));
                graph.at.entry(end).or_default().push(step);
                graph.next.insert(end, std::mem::replace(&mut next, vec![end]));
            }
            if !inner.is_empty() && depth > 0 {
                let chain = chain(found, frame);
                let are_together = inner.len() > 1 && polls_together(self.program, function, block);
                found.is_unknown |= are_together;
                let mut entered = Vec::new();
                for body in inner {
                    if chain.contains(&body) {
                        continue;
                    }
                    let back = next.first().copied();
                    let begin = match back {
                        Some(back) => self.enter(found, graph, body, Some(point), depth - 1, Some(back)),
                        None => self.enter(found, graph, body, Some(point), depth - 1, None),
                    };
                    found.frames[begin.0].is_beside_others = are_together;
                    entered.push(begin);
                }
                // What may be called need not be.
                if !entered.is_empty() {
                    let must = entered.len() == 1 && is_certain(self.program, function, block);
                    if must { next = entered } else { next.extend(entered) }
                }
            }
            graph.next.insert(point, next);
        }
        (frame, BlockId(0))
    }

    /// The steps that are reached without another one in between, and whether the end is.
    fn reached(
        &self,
        found: &Steps,
        graph: &mut Numbered,
        starts: &[usize],
        came_from: Option<(usize, BlockId, bool)>,
    ) -> (BTreeSet<StepId>, bool) {
        let (mut steps, mut ends) = (BTreeSet::new(), false);
        let mut open = starts.to_vec();
        graph.search += 1;
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut graph.seen[at], graph.search) == graph.search {
                continue;
            }
            if !graph.at[at].is_empty() {
                steps.extend(&graph.at[at]);
                // A limited operation may be passed over, and a select may go on by another branch.
                if !graph.passes[at] {
                    continue;
                }
            }
            ends |= graph.ends[at];
            let (frame, block) = graph.points[at];
            let one_way = came_from.filter(|(of, ..)| *of == frame).and_then(|(_, call, message)| {
                outcome(self.program.function(found.frames[frame].function), block, call, message)
            });
            match one_way {
                Some(to) => open.push(graph.number((frame, to))),
                None => open.extend(&graph.next[at]),
            }
        }
        (steps, ends)
    }
}

/// A graph whose points have numbers, since one is searched from each of its steps.
#[derive(Debug, Default)]
struct Numbered {
    numbers: BTreeMap<Point, usize>,
    points: Vec<Point>,
    next: Vec<Vec<usize>>,
    at: Vec<Vec<StepId>>,
    passes: Vec<bool>,
    ends: Vec<bool>,
    /// By point: the last search that came there.
    seen: Vec<usize>,
    search: usize,
}

impl Numbered {
    fn of(graph: &Graph) -> Numbered {
        let mut found = Numbered::default();
        for (point, next) in &graph.next {
            let at = found.number(*point);
            found.next[at] = next.iter().map(|it| found.number(*it)).collect();
        }
        for (point, steps) in &graph.at {
            let at = found.number(*point);
            found.at[at].clone_from(steps);
        }
        for point in &graph.passes {
            let at = found.number(*point);
            found.passes[at] = true;
        }
        for point in &graph.ends {
            let at = found.number(*point);
            found.ends[at] = true;
        }
        found
    }

    /// The number of a point, which may be one where nothing goes on.
    fn number(&mut self, point: Point) -> usize {
        if let Some(known) = self.numbers.get(&point) {
            return *known;
        }
        let number = self.points.len();
        self.numbers.insert(point, number);
        self.points.push(point);
        self.next.push(Vec::new());
        self.at.push(Vec::new());
        self.passes.push(false);
        self.ends.push(false);
        self.seen.push(0);
        number
    }
}

#[derive(Debug, Default)]
struct Graph {
    next: BTreeMap<Point, Vec<Point>>,
    at: BTreeMap<Point, Vec<StepId>>,
    steps: Vec<(Point, StepId)>,
    arms: BTreeMap<StepId, BlockId>,
    ends: BTreeSet<Point>,
    /// Points where something else than the steps may go on.
    passes: BTreeSet<Point>,
    limited: BTreeSet<usize>,
    calls: BTreeSet<(usize, BlockId, BlockId)>,
}

/// The block of the call that an operation is.
fn operation_block(function: &Function, it: &Operation<'_>, at: BlockId) -> BlockId {
    let is_it = |block: &BlockId| {
        function
            .call(*block)
            .is_some_and(|(call, _)| call.place(0).is_some_and(|place| std::ptr::eq(place, it.on)))
    };
    function.blocks().map(|(id, _)| id).find(is_it).unwrap_or(at)
}

fn chain(found: &Steps, frame: usize) -> BTreeSet<FunctionId> {
    found.outward(frame, BlockId(0)).map(|(_, id, _)| id).collect()
}

/// The bodies that the call at the end of a block runs before it comes back.
pub(crate) fn bodies(
    program: &Program,
    objects: &Objects,
    id: FunctionId,
    function: &Function,
    block: BlockId,
) -> BTreeSet<FunctionId> {
    let mut found: BTreeSet<FunctionId> =
        objects.calls.get(&CallSite { function: id, block }).into_iter().flatten().copied().collect();
    found.extend(program.one_called(function, block));
    found
}

/// Whether the call at the end of a block polls all futures that a function of another crate was given in a collection.
fn polls_together(program: &Program, function: &Function, block: BlockId) -> bool {
    let made = function.polled(block).and_then(|it| function.producer(&it));
    let Some(Definition::Called(made)) = made.filter(|_| program.called(function, block).is_none()) else {
        return false;
    };
    let Some((call, _)) = function.call(made).filter(|_| program.called(function, made).is_none()) else {
        return false;
    };
    let types = call.arguments.iter().filter_map(|it| function.type_of(it.place()?));
    types.into_iter().any(|it| it.is_sequence() || it.holds().is_some_and(Holds::is_collection))
}

/// Whether a call that may run one body runs it.
fn is_certain(program: &Program, function: &Function, block: BlockId) -> bool {
    let Some((_, callee)) = function.call(block) else { return false };
    program.called(function, block).is_some()
        || callee.is_poll()
        || callee.invokes()
        || callee.name().contains("block_on")
}

fn waits_for_permits(function: &Function, block: BlockId) -> bool {
    function.call(block).is_some_and(|(call, callee)| {
        let on = function.type_given(call, 0);
        callee.name().contains("acquire") && on.is_some_and(mentions_semaphore)
    })
}
