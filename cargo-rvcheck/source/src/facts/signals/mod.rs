//! Signals: condition variables, notifiers, wakers, parked threads and late subscriptions; who waits for each, who notifies, and the
//! state that a waiter looks at.
//!
//! What a function does to what it was given is seen in its callers: [`Signals::operations`] and [`Signals::writes`] have it at the call.

mod amounts;
mod condition;
mod decision;
mod embedded;
mod gates;
mod given;
mod given_changes;
mod operation;
mod outcome;
mod places;
mod sameness;
mod spawned;
mod state;
mod summaries;
mod waiter;

use crate::ty::Ty;
use summaries::Summaries;

use crate::body::paths::Paths;

use crate::body::walk;
pub(crate) use amounts::{is_of_several, is_part};
pub(crate) use decision::Decision;
pub(crate) use gates::Gate;
pub(crate) use given::Given;
use operation::base;
pub(crate) use operation::{Act, Operation, Sort};
pub(crate) use sameness::sameness;
pub(crate) use state::{How, Value, Write, is_fresh, takes_next};
pub(crate) use waiter::Waiter;

use crate::body::{Definition, FunctionId, Kind, Slot};
use crate::mir::{BlockId, Operand, Place, Rvalue};
use crate::program::Program;
use crate::program::abstract_object::{AbstractObject, AbstractObjects};
use crate::program::callers::maker;
use crate::program::drops::drops;
use crate::program::fills::{fills, variant_fills};
use crate::program::runs::runs;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How many calls there may be between a body and what is done by those that it calls.
const DEEPEST: u8 = 5;

/// The signals of a program.
pub(crate) struct Signals<'p> {
    pub(crate) program: &'p Program,
    pub(crate) objects: AbstractObjects<'p>,
    /// By field: the one object that is put into it wherever its struct is made.
    aliases: BTreeMap<AbstractObject, AbstractObject>,
    /// The types of the workspace that are behind more than one lock: what is in one of them may be in the other.
    shared: BTreeSet<String>,
    /// By type: the fields that have one of their own.
    owners: embedded::Owners,
    /// Whether any body does anything to a signal.
    pub(crate) are_any: bool,
    done: Summaries<Operation>,
    written: Summaries<Write>,
    changed_by_given: Summaries<Write>,
    read: RefCell<BTreeMap<(FunctionId, usize), BTreeSet<decision::Read>>>,
    within: RefCell<BTreeMap<FunctionId, Rc<Within>>>,
    waiters: OnceCell<Vec<waiter::Waiter>>,
    callers: OnceCell<Callers>,
}

/// By body: the calls that run it.
type Callers = BTreeMap<FunctionId, Vec<(FunctionId, BlockId)>>;

/// What a body notifies by itself, and what it may run.
#[derive(Debug, Default)]
struct Within {
    notifies: Vec<(BlockId, Sort)>,
    runs: BTreeSet<FunctionId>,
}

impl std::fmt::Debug for Signals<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Signals").field("are_any", &self.are_any).finish_non_exhaustive()
    }
}

impl<'p> Signals<'p> {
    /// The signals of that program.
    pub(crate) fn of(program: &'p Program) -> Signals<'p> {
        let objects = AbstractObjects::of(program).by_variant();
        let mut signals = Signals {
            program,
            objects,
            aliases: BTreeMap::new(),
            shared: BTreeSet::new(),
            owners: embedded::Owners::new(),
            are_any: false,
            done: Summaries::default(),
            written: Summaries::default(),
            changed_by_given: Summaries::default(),
            read: RefCell::default(),
            within: RefCell::default(),
            waiters: OnceCell::new(),
            callers: OnceCell::new(),
        };
        signals.are_any = program.functions().any(|(id, function)| {
            function.blocks().filter(|(_, it)| !it.cleanup).any(|(block, _)| {
                operation::direct(program, &signals.objects, id, block).is_some()
                    || operation::keeps_waker(program, &signals.objects, id, block).is_some()
            })
        });
        signals.aliases = aliases(program, &signals.objects);
        if signals.are_any {
            signals.shared = signals.behind_several_locks();
            signals.owners = embedded::owners(program);
        }
        signals
    }

    /// An object by the name that all its aliases have.
    pub(crate) fn same(&self, object: AbstractObject) -> AbstractObject {
        let mut object = object;
        for _ in 0..8 {
            match self.aliases.get(&object) {
                Some(it) => object = it.clone(),
                None => break,
            }
        }
        object
    }

    /// Whether an object is one and the same wherever it is seen: a field, or what one field is filled with.
    pub(crate) fn is_known(&self, object: &AbstractObject) -> bool {
        matches!(object, AbstractObject::Field(..)) || self.aliases.values().any(|it| it == object)
    }

    /// What a place is, or is an element of, by the name that all its aliases have.
    pub(crate) fn based(&self, id: FunctionId, place: &Place) -> Option<AbstractObject> {
        base(self.program, &self.objects, id, place).map(|it| self.same(it))
    }

    /// What a place is, or is an element of; what a body is given, as each of those that call it sees it.
    pub(crate) fn seen_in_callers(&self, id: FunctionId, place: &Place) -> BTreeSet<AbstractObject> {
        let first = self.based(id, place).map(|it| (it, DEEPEST));
        let all = walk::reached(first, |(object, depth)| {
            let AbstractObject::Value(of, slot) = &object else { return Vec::new() };
            if depth == 0 || !self.program.function(*of).is_argument(slot) {
                return Vec::new();
            }
            let callers = self.callers(*of).into_iter();
            let seen = callers.filter_map(|(caller, at)| self.seen_from(object.clone(), *of, caller, at));
            seen.map(|it| (self.same(it), depth - 1)).collect()
        });
        all.into_iter().map(|(it, _)| it).collect()
    }

    fn behind_several_locks(&self) -> BTreeSet<String> {
        let mut locks: BTreeMap<String, BTreeSet<AbstractObject>> = BTreeMap::new();
        for (id, function) in self.program.functions() {
            for (_, call, callee) in function.calls() {
                let Some(on) = call.place(0) else { continue };
                if !callee.locks() {
                    continue;
                }
                let inner = function.type_of(on).map(super::super::ty::Ty::pointed);
                let inner = inner.and_then(|it| it.arguments().last().copied());
                let name = inner.map(Ty::name).unwrap_or_default();
                if self.program.knows_type(name)
                    && let Some(lock) = base(self.program, &self.objects, id, on)
                    && matches!(lock, AbstractObject::Field(..))
                {
                    locks.entry(name.to_owned()).or_default().insert(self.same(lock));
                }
            }
        }
        locks.into_iter().filter(|(_, it)| it.len() > 1).map(|(name, _)| name).collect()
    }

    /// What a body does to signals, itself or by what it calls.
    pub(crate) fn operations(&self, id: FunctionId) -> Rc<Vec<Operation>> {
        self.done.of(id, &|it| self.operations_of(it))
    }

    fn operations_of(&self, id: FunctionId) -> Vec<Operation> {
        let function = self.program.function(id);
        let mut found = BTreeSet::new();
        for (block, _) in function.blocks().filter(|(_, it)| !it.cleanup) {
            let own = operation::direct(self.program, &self.objects, id, block);
            let kept = || operation::keeps_waker(self.program, &self.objects, id, block);
            if let Some((act, sort, object)) = own.or_else(kept) {
                let object = object.map(|it| self.same(it));
                found.insert(Operation { block, act, sort, object, made: (id, block), hops: 0 });
                continue;
            }
            let seen = |it: &Operation, body: FunctionId| {
                let object = it.object.clone().and_then(|it| self.seen_from(it, body, id, block));
                let object = object.map(|it| self.same(it));
                Operation { block, object, hops: it.hops + 1, ..it.clone() }
            };
            let bodies = self.bodies_at(id, block);
            // Of several of which one runs, each may notify.
            let others = if bodies.is_empty() { self.program.implementations(function, block) } else { &[] };
            for body in bodies {
                let operations = self.operations(body);
                found.extend(operations.iter().filter(|it| it.hops < DEEPEST).map(|it| seen(it, body)));
            }
            for &body in others {
                let operations = self.operations(body);
                let notifies = operations.iter().filter(|it| it.hops < DEEPEST && it.notifies());
                found.extend(notifies.map(|it| seen(it, body)));
            }
        }
        for (block, run) in drops(self.program, function) {
            for it in self.operations(run.body).iter().filter(|it| it.hops < DEEPEST && it.notifies()) {
                found.insert(Operation { block, hops: it.hops + 1, ..it.clone() });
            }
        }
        found.into_iter().collect()
    }

    /// What the call at the end of a block does to signals, be it when the future that it gives is polled.
    pub(crate) fn begun_at(&self, id: FunctionId, block: BlockId) -> Vec<Operation> {
        let mut found: Vec<Operation> =
            self.operations(id).iter().filter(|it| it.block == block).cloned().collect();
        let called = self.program.called(self.program.function(id), block);
        let machine = called.and_then(|it| self.program.machine_made_by(it));
        for it in machine.iter().flat_map(|(it, _)| self.operations(*it).to_vec()) {
            let machine = machine.map_or(id, |(it, _)| it);
            let object = it.object.clone().and_then(|it| self.seen_from(it, machine, id, block));
            found.push(Operation { block, object: object.map(|it| self.same(it)), ..it });
        }
        found
    }

    /// Whether what a body does by a call is done in a loop of what it calls.
    pub(crate) fn is_repeated_within(&self, id: FunctionId, write: &Write) -> bool {
        self.bodies_at(id, write.block).into_iter().filter(|it| *it != id).any(|body| {
            let paths = Paths::of(self.program.function(body));
            let writes = self.writes(body);
            let inner = writes.iter().filter(|it| it.made == write.made);
            inner
                .into_iter()
                .any(|it| paths.repeats(it.block) || it.made.0 != body && self.is_repeated_within(body, it))
        })
    }

    /// Whether what blocks of a body run may notify signals of a sort deeper than [`Signals::operations`] looks.
    pub(crate) fn may_notify_deeper(&self, id: FunctionId, blocks: &[BlockId], sort: Sort) -> bool {
        let known: BTreeSet<(FunctionId, BlockId)> = self.operations(id).iter().map(|it| it.made).collect();
        let starts = blocks.iter().flat_map(|it| self.may_run_at(id, *it)).filter(|it| *it != id);
        let notifies = |body: &FunctionId| {
            let within = self.within(*body);
            within.notifies.iter().any(|(at, of)| *of == sort && !known.contains(&(*body, *at)))
        };
        walk::reaches(starts, |body| self.within(body).runs.clone(), notifies)
    }

    /// What a body notifies by itself, and all that it may run.
    fn within(&self, id: FunctionId) -> Rc<Within> {
        if let Some(known) = self.within.borrow().get(&id) {
            return Rc::clone(known);
        }
        let function = self.program.function(id);
        let mut found = Within::default();
        for (at, _) in function.blocks().filter(|(_, it)| !it.cleanup) {
            if let Some((Act::Notify { .. }, of, _)) = operation::direct(self.program, &self.objects, id, at)
            {
                found.notifies.push((at, of));
            }
            found.runs.extend(self.may_run_at(id, at));
        }
        // Whoever gets a closure may call it. One that captures nothing is a constant.
        let assignments = function.blocks().flat_map(|(_, it)| it.assignments());
        let made = assignments.filter_map(|(_, value)| Some(value.body()?.0.text()));
        let given = function.calls().flat_map(|(_, call, _)| &call.arguments).filter_map(|it| match it {
            Operand::Constant(text) => text.strip_prefix("ZeroSized: "),
            Operand::Place(_) => None,
        });
        found.runs.extend(made.chain(given).filter_map(|it| self.program.body_written(it)));
        found.runs.extend(drops(self.program, function).into_iter().map(|(_, it)| it.body));
        let found = Rc::new(found);
        self.within.borrow_mut().insert(id, Rc::clone(&found));
        found
    }

    /// The bodies that a block runs, or may run where a method has several.
    fn may_run_at(&self, id: FunctionId, block: BlockId) -> Vec<FunctionId> {
        let found = self.bodies_at(id, block);
        if found.is_empty() {
            self.program.implementations(self.program.function(id), block).to_vec()
        } else {
            found
        }
    }

    /// The state that a body writes, itself or by what it calls.
    pub(crate) fn writes(&self, id: FunctionId) -> Rc<Vec<Write>> {
        self.written.of(id, &|it| self.writes_of(it))
    }

    fn writes_of(&self, id: FunctionId) -> Vec<Write> {
        let function = self.program.function(id);
        let mut found = BTreeSet::new();
        for (block, _) in function.blocks().filter(|(_, it)| !it.cleanup) {
            for mut write in state::written(self.program, &self.objects, id, block) {
                write.state = self.same(write.state);
                found.insert(write);
            }
            for body in self.bodies_at(id, block) {
                for it in self.writes(body).iter().filter(|it| it.hops < DEEPEST) {
                    let Some(state) = self.seen_from(it.state.clone(), body, id, block) else { continue };
                    found.insert(Write {
                        block,
                        state: self.same(state),
                        how: self.how_in(id, block, body, it.how),
                        hops: it.hops + 1,
                        ..it.clone()
                    });
                }
            }
        }
        found.into_iter().collect()
    }

    /// The bodies that a block runs. Of a future that is wrapped in one of another crate, too: those that its type names. So it is with those
    /// that are given to a state machine that polls what it is given.
    pub(crate) fn bodies_at(&self, id: FunctionId, block: BlockId) -> Vec<FunctionId> {
        let function = self.program.function(id);
        let mut found: Vec<FunctionId> =
            runs(self.program, function, block).into_iter().map(|it| it.body).collect();
        let named = || {
            let (_, callee) = function.call(block)?;
            let ty = callee.self_type().filter(|_| callee.is_poll())?;
            Some(ty.machines().filter_map(|it| self.program.body_of(it)).collect::<Vec<_>>())
        };
        match found.as_slice() {
            [] => found = named().unwrap_or_default(),
            [one] if !self.polls_of_given(*one).is_empty() => {
                let given = named().unwrap_or_default();
                found.extend(given.into_iter().filter(|it| !found.contains(it)).collect::<Vec<_>>());
            }
            _ => {}
        }
        if found.is_empty() { self.only_machine(id, block).into_iter().collect() } else { found }
    }

    /// The blocks by which a state machine polls a future of a type that its caller says, be it within another one.
    pub(crate) fn polls_of_given(&self, id: FunctionId) -> BTreeSet<BlockId> {
        let function = self.program.function(id);
        let is_given = |ty: Ty| ty.words().any(|it| it == "impl" || self.program.is_parameter(it));
        let polls = function
            .calls()
            .filter(|(_, _, callee)| callee.is_poll() && callee.self_type().is_some_and(is_given));
        if function.kind == Kind::Coroutine { polls.map(|(at, ..)| at).collect() } else { BTreeSet::new() }
    }

    /// The state machine that a block polls, where a method of a trait gave it that one type of the workspace alone has.
    fn only_machine(&self, id: FunctionId, block: BlockId) -> Option<FunctionId> {
        let function = self.program.function(id);
        let awaited = function.suspensions.iter().find(|it| it.poll == Some(block))?.awaited.as_ref()?;
        let Definition::Called(made) = function.producer(awaited)? else { return None };
        let method = self.program.only_implementation(function, made)?;
        self.program.machine_made_by(method).map(|(it, _)| it)
    }

    /// Whether a body has a guard of a lock when a block calls something.
    pub(crate) fn is_locked(&self, id: FunctionId, block: BlockId) -> bool {
        self.program.holding(id).at(block).is_some_and(|it| !it.guards().is_empty())
    }

    /// How a block reaches what a function that it calls reaches in that way: what the caller has a guard of is behind that.
    fn how_at(&self, id: FunctionId, block: BlockId, inside: How) -> How {
        if inside == How::Bare && self.is_locked(id, block) { How::Locked } else { inside }
    }

    /// How a block reaches what a body that it runs reaches in that way: a closure may be called by what is under a guard itself.
    fn how_in(&self, id: FunctionId, block: BlockId, body: FunctionId, inside: How) -> How {
        let function = self.program.function(id);
        let called = || self.program.one_called(function, block).filter(|it| *it != body);
        let is_given = || self.program.function(body).kind == Kind::Closure;
        let is_locked =
            |called: FunctionId| self.program.calls_of_given(called).any(|at| self.is_locked(called, at));
        if inside == How::Bare && is_given() && called().is_some_and(is_locked) {
            return How::Locked;
        }
        self.how_at(id, block, inside)
    }

    /// Whether one and the same guard is held at both blocks.
    pub(crate) fn in_one_section(&self, id: FunctionId, one: BlockId, other: BlockId) -> bool {
        let holding = self.program.holding(id);
        let guards = |it: BlockId| holding.at(it).map(crate::program::Held::guards).unwrap_or_default();
        let others = guards(other);
        guards(one).keys().any(|it| others.contains_key(it))
    }

    /// What something inside a body that a block runs is to the body that runs it: an argument is what is given for it.
    fn seen_from(
        &self,
        object: AbstractObject,
        inner: FunctionId,
        outer: FunctionId,
        block: BlockId,
    ) -> Option<AbstractObject> {
        let AbstractObject::Value(of, slot) = &object else { return Some(object) };
        if !self.program.function(*of).is_argument(slot) {
            return Some(object);
        }
        let function = self.program.function(outer);
        let at = if *of == inner {
            Some(block)
        } else if self.program.machine_made_by(*of).is_some_and(|(it, _)| it == inner) {
            // The arguments of an `async fn` are given where its state machine is made.
            let mut calls = function
                .calls()
                .map(|(at, ..)| at)
                .filter(|it| self.program.one_called(function, *it) == Some(*of));
            calls.next().filter(|_| calls.next().is_none())
        } else {
            return Some(object);
        };
        let at = at?;
        let (call, callee) = function.call(at)?;
        if self.program.one_called(function, at) != Some(*of) {
            let called = self.program.one_called(function, at).filter(|it| *it != outer);
            let given = called.and_then(|it| Some((it, self.handed_to_closure(it, slot.local.0)?)));
            if let Some((called, given)) = given {
                return self.seen_from(given, called, outer, at);
            }
            // The elements of what an adapter goes over.
            let goes_over = self.program.function(*of).kind == Kind::Closure && !callee.invokes();
            let over = call.arguments.first().filter(|_| goes_over)?.place()?;
            return base(self.program, &self.objects, outer, over);
        }
        let given = call.arguments.get((slot.local.0 as usize).checked_sub(1)?)?;
        base(self.program, &self.objects, outer, Operand::place(given)?)
    }

    /// What a body gives to the only closure that it is given and calls, for an argument of that.
    fn handed_to_closure(&self, id: FunctionId, argument: u32) -> Option<AbstractObject> {
        let function = self.program.function(id);
        let mut calls = self.program.calls_of_given(id);
        let call = calls.next().filter(|_| calls.next().is_none())?;
        let (call, _) = function.call(call)?;
        let tuple = Slot::at(call.place(1)?);
        let Some(Rvalue::Made(_, parts)) = function.assigned(function.definition(&tuple)?) else {
            return None;
        };
        // The first argument of its body is the closure itself.
        let given = parts.get(argument.checked_sub(2)? as usize)?.place()?;
        self.based(id, given)
    }

    /// The bodies that run a body by a call, with the blocks that do; of a closure the body that makes it.
    pub(crate) fn callers(&self, id: FunctionId) -> Vec<(FunctionId, BlockId)> {
        let all = self.callers.get_or_init(|| callers(self.program));
        let mut found = all.get(&id).cloned().unwrap_or_default();
        if self.program.function(id).kind == Kind::Closure {
            found.extend(maker(self.program, id));
        }
        found
    }
}

/// By body, also that of an `async fn`: the calls that run it.
fn callers(program: &Program) -> Callers {
    let mut found = Callers::new();
    for (caller, function) in program.functions() {
        for (block, ..) in function.calls() {
            let Some(called) = program.one_called(function, block) else { continue };
            let machine = program.machine_made_by(called).map(|(machine, _)| machine);
            for id in std::iter::once(called).chain(machine.filter(|it| *it != called)) {
                found.entry(id).or_default().push((caller, block));
            }
        }
    }
    found
}

/// By field: what is put into it, where that is one thing.
fn aliases(program: &Program, objects: &AbstractObjects<'_>) -> BTreeMap<AbstractObject, AbstractObject> {
    let mut filled: BTreeMap<AbstractObject, BTreeSet<AbstractObject>> = BTreeMap::new();
    for fill in fills(program).chain(variant_fills(program)) {
        let field = AbstractObject::Field(fill.of.clone(), fill.field);
        let shared = program
            .function(fill.function)
            .type_of(fill.from)
            .is_some_and(|it| it.referent().is_some() || it.is_counted());
        // What is no handle is a thing of its own in each field.
        let Some(from) = objects.object(fill.function, fill.from).filter(|_| shared) else { continue };
        if from != field {
            filled.entry(field).or_default().insert(from);
        }
    }
    let one = |it: BTreeSet<AbstractObject>| {
        let mut it = it.into_iter();
        it.next().filter(|_| it.next().is_none())
    };
    let mut found: BTreeMap<AbstractObject, AbstractObject> = BTreeMap::new();
    // What comes back to a field by way of another one is the same.
    walk::fixpoint(|| {
        let before = found.len();
        for (field, from) in &filled {
            let name = |it: &AbstractObject| {
                let mut it = it;
                for _ in 0..8 {
                    it = found.get(it).unwrap_or(it);
                }
                it.clone()
            };
            let own = name(field);
            let others = from.iter().map(name).filter(|it| *it != own).collect();
            if let Some(only) = one(others).filter(|_| !found.contains_key(field)) {
                found.insert(field.clone(), only);
            }
        }
        found.len() != before
    });
    found
}
