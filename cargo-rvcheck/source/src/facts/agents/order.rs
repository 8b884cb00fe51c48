//! Which agents never run at the same time: one is joined before the other is spawned, or sends a message when it is done for which the other
//! waits first, or stores what the other one looks for until it sees it.

use super::operation::{Op, WaitLimit, operation, sites};
use super::shown::{Shown, Way};
use super::steps::bodies;
use super::{Agent, agents};
use crate::body::FunctionId;
use crate::body::paths::Paths;
use crate::body::walk;
use crate::facts::objects::{CallSite, Objects, Thing};
use crate::mir::BlockId;
use crate::program::Program;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// A point of a body: the block that ends in what is asked for.
pub(crate) type Point = (FunctionId, BlockId);

/// The order in which the agents of a program run.
#[derive(Debug)]
pub(crate) struct Order<'a> {
    program: &'a Program,
    objects: &'a Objects,
    /// By agent: the bodies that it runs, itself or in what it calls.
    runs: OnceCell<Vec<(Agent, BTreeSet<FunctionId>)>>,
}

impl<'a> Order<'a> {
    /// Of this program.
    pub(crate) const fn of(program: &'a Program, objects: &'a Objects) -> Order<'a> {
        Order { program, objects, runs: OnceCell::new() }
    }

    fn runs(&self) -> &[(Agent, BTreeSet<FunctionId>)] {
        let (program, objects) = (self.program, self.objects);
        self.runs.get_or_init(|| {
            let mut inner: BTreeMap<FunctionId, BTreeSet<FunctionId>> = BTreeMap::new();
            for (id, function) in program.functions() {
                let called =
                    function.calls().flat_map(|(block, ..)| bodies(program, objects, id, function, block));
                inner.insert(id, called.collect());
            }
            agents(program, objects).into_iter().map(|it| (it, reached(&inner, it.root()))).collect()
        })
    }

    /// Whether two points are never come to at the same time, as far as agents are known that come to them at all.
    pub(crate) fn excludes(&self, one: Point, other: Point) -> bool {
        let of =
            |point: Point| self.runs().iter().filter(move |(_, it)| it.contains(&point.0)).map(|it| it.0);
        let pairs: Vec<(Agent, Agent)> =
            of(one).flat_map(|it| of(other).map(move |other| (it, other))).collect();
        let apart = |(a, b): &(Agent, Agent)| {
            self.ends_before((*a, one), (*b, other)) || self.ends_before((*b, other), (*a, one))
        };
        !pairs.is_empty() && pairs.iter().all(apart)
    }

    /// Whether the first agent is past its point before the second one comes to its own.
    fn ends_before(&self, first: (Agent, Point), second: (Agent, Point)) -> bool {
        if self.is_shown(first, second) {
            return true;
        }
        let (Agent::Spawned(one, _), Agent::Spawned(other, _)) = (first.0, second.0) else { return false };
        if one == other {
            return false;
        }
        one.function == other.function && self.is_joined(one.function, one, one.block, &[other.block])
            || self.is_ordered_by_message(first, second)
    }

    /// Whether what is spawned there, by a block of a body, is joined before that comes to any of some other blocks.
    pub(crate) fn is_joined(
        &self,
        id: FunctionId,
        spawned: CallSite,
        begun: BlockId,
        before: &[BlockId],
    ) -> bool {
        let paths = Paths::of(self.program.function(id));
        before.iter().all(|it| !paths.leads(*it, begun)) && self.is_over(id, spawned, begun, before)
    }

    /// Whether what is spawned there, by a block of a body, is joined on each way from that to any of some other blocks: one of them, or all
    /// in a loop or by an adapter of an iterator.
    pub(crate) fn is_over(
        &self,
        id: FunctionId,
        spawned: CallSite,
        begun: BlockId,
        before: &[BlockId],
    ) -> bool {
        let function = self.program.function(id);
        let paths = Paths::of(function);
        let joins_it = |body: FunctionId| -> Vec<BlockId> {
            let all = self.ops(body, &[Op::Join]).into_iter();
            all.filter(|(_, things)| things.contains(&Thing::Task(spawned))).map(|(at, _)| at).collect()
        };
        let by_closures = function.calls().map(|(block, ..)| block).filter(|block| {
            let run = bodies(self.program, self.objects, id, function, *block);
            run.into_iter().any(|it| it != id && !joins_it(it).is_empty())
        });
        let mut joins = BTreeSet::new();
        for at in joins_it(id).into_iter().chain(by_closures) {
            let around = paths.loop_around(at);
            // A loop over handles comes to its end when all are joined.
            if !around.contains(&begun) {
                joins.extend(around);
            }
            joins.insert(at);
        }
        let free = paths.from(paths.next(begun), &|it| joins.contains(&it));
        !joins.is_empty() && before.iter().all(|it| !free.contains(it))
    }

    /// Whether a body waits once for a message on each way from one block to another one.
    pub(crate) fn waits_between(&self, id: FunctionId, begun: BlockId, before: BlockId) -> bool {
        let paths = Paths::of(self.program.function(id));
        let received = self.ops(id, &[Op::Receive, Op::Drain]).into_iter().map(|(at, _)| at);
        let received: BTreeSet<BlockId> = received.filter(|it| !paths.repeats(*it)).collect();
        let free = paths.from(paths.next(begun), &|it| received.contains(&it));
        !received.is_empty() && !free.contains(&before)
    }

    /// Whether one agent sends a message once it is past its point, and the other waits for that before its own.
    fn is_ordered_by_message(&self, (first, one): (Agent, Point), (second, other): (Agent, Point)) -> bool {
        let (sender, receiver) = (first.root(), second.root());
        let (past, wanted) = (self.ways_to(sender, one), self.ways_to(receiver, other));
        let sends = Paths::of(self.program.function(sender));
        let waits = Paths::of(self.program.function(receiver));
        let sent = self.ops(sender, &[Op::Send]).into_iter().filter(|(at, _)| {
            past.iter().any(|it| sends.leads(*it, *at)) && !past.iter().any(|it| sends.leads(*at, *it))
        });
        let sent: Vec<Thing> = sent.flat_map(|it| it.1).collect();
        let received = self.ops(receiver, &[Op::Receive, Op::Drain]);
        let awaited: BTreeSet<BlockId> = received
            .into_iter()
            .filter(|(at, things)| {
                let of_sent = |it: &Thing| match it {
                    Thing::Receiver(channel) => sent.contains(&Thing::Sender(*channel)),
                    _ => false,
                };
                !waits.repeats(*at) && !things.is_empty() && things.iter().all(of_sent)
            })
            .map(|(at, _)| at)
            .collect();
        let free = waits.from(&[BlockId(0)], &|it| awaited.contains(&it));
        !awaited.is_empty() && !wanted.is_empty() && wanted.iter().all(|it| !free.contains(it))
    }

    /// Whether one agent stores in an atomic once it is past its point what the other one has to see before its own.
    fn is_shown(&self, (first, one): (Agent, Point), (second, other): (Agent, Point)) -> bool {
        let of_both: Vec<_> = self.runs().iter().filter(|it| it.0 == first || it.0 == second).collect();
        let run = |id: FunctionId| of_both.iter().any(|it| it.1.contains(&id));
        let [to_one, to_other] = [one, other].map(|point| move |id: FunctionId| self.ways_to(id, point));
        let stores = Way { root: first.root(), point: one, blocks: &to_one };
        let sees = Way { root: second.root(), point: other, blocks: &to_other };
        let shown = Shown { program: self.program, objects: self.objects };
        first != second && shown.is_shown(stores, sees, &run)
    }

    /// The blocks of a body that end in what a point is about, or call what comes to it.
    fn ways_to(&self, root: FunctionId, point: Point) -> Vec<BlockId> {
        if root == point.0 {
            return vec![point.1];
        }
        let function = self.program.function(root);
        let leads = |block: BlockId| {
            let called = bodies(self.program, self.objects, root, function, block);
            called.iter().any(|it| self.runs_within(*it, point.0))
        };
        function.calls().map(|(block, ..)| block).filter(|it| leads(*it)).collect()
    }

    fn runs_within(&self, root: FunctionId, wanted: FunctionId) -> bool {
        let called = |id| {
            let function = self.program.function(id);
            function
                .calls()
                .flat_map(move |(block, ..)| bodies(self.program, self.objects, id, function, block))
        };
        walk::reaches([root], called, |it| *it == wanted)
    }

    /// Where a body does something of these sorts and waits until it is done, and to which things.
    fn ops(&self, id: FunctionId, wanted: &[Op]) -> Vec<(BlockId, Vec<Thing>)> {
        let function = self.program.function(id);
        let all = function.calls().filter_map(|(block, ..)| operation(self.program, function, block));
        all.filter(|it| wanted.contains(&it.op))
            .filter(|it| it.op == Op::Send || it.wait_limit == WaitLimit::Unlimited)
            .map(|it| (it.waits_at, sites(self.objects, self.program, id, &it)))
            .collect()
    }
}

fn reached(inner: &BTreeMap<FunctionId, BTreeSet<FunctionId>>, root: FunctionId) -> BTreeSet<FunctionId> {
    walk::reached([root], |id| inner.get(&id).into_iter().flatten().copied())
}
