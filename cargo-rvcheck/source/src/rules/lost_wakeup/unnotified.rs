//! State that a waiter looks at, and that changes after the last notification, or without one.
//!
//! - The notification comes [before the change](too_early): the waiter looks, finds nothing new, and waits on.
//! - The change [is not followed](never) by a notification, where other changes that end the same wait are: on an error path, or in
//!   another function.
//! - The change is followed by a notification [nowhere](nobody).

mod nobody;

use super::super::{Certainty, CodeRef, Hit};
use super::late::place;
use crate::body::paths::Paths;
use crate::body::provenance::{is_given, source};
use crate::body::text::{head, last};
use crate::body::{Definition, Function, FunctionId, Slot, feasible, walk};
use crate::facts::signals::{Given, How, Operation, Signals, Sort, Value, Waiter, Write, is_fresh};
use crate::mir::{BlockId, Local, Operand, Place, Rvalue, Statement, Terminator};
use crate::program::abstract_object::AbstractObject;
use crate::program::code_ref::{await_ref, call_or_await, call_ref};
use std::collections::BTreeSet;
use std::ops::ControlFlow::{Break, Continue};

/// Finds such changes.
pub(super) fn check(signals: &Signals<'_>, waiters: &[Waiter]) -> Vec<Hit> {
    let mut hits = Vec::new();
    let waiters: Vec<&Waiter> =
        waiters.iter().filter(|it| !it.is_ended_otherwise && !it.leaves.is_empty()).collect();
    if waiters.is_empty() {
        return hits;
    }
    for (id, function) in signals.program.functions() {
        let writes = signals.writes(id);
        let mut told = BTreeSet::new();
        for waiter in &waiters {
            let ends = |it: &&Write| {
                let values = waiter.leaves.get(&it.state);
                it.how != How::Bare
                    && values.is_some_and(|values| values.contains(&it.value))
                    && signals.is_one(&it.state, Some(&waiter.object))
            };
            for write in writes.iter().filter(ends) {
                // What a caller sees is told in the body that does it.
                if told.contains(&write.block) {
                    continue;
                }
                let change = Change { signals, id, function, paths: Paths::of(function), write, waiter };
                if change.is_told_inside() {
                    continue;
                }
                // Another thread may wait in the body that makes the change.
                let by_others = || change.too_early().or_else(|| change.never());
                let found = if waiter.id == id { change.left() } else { by_others() };
                if let Some(hit) = found.or_else(|| change.unlocked().filter(|_| waiter.id != id)) {
                    told.insert(write.block);
                    hits.push(hit);
                }
            }
        }
    }
    hits.sort();
    hits.dedup();
    hits
}

const UNTOLD: &str = "this ends the wait of somebody who is not notified here, and waits for ever";

/// Whether those who call a body that makes a change notify the waiter after it.
enum Told {
    /// None of them does.
    Never,
    /// All of them do, or it is not known.
    Always,
    /// Others do, and this call is followed by none.
    Not(FunctionId, BlockId),
}

/// A change that ends the wait of a waiter, in a body.
struct Change<'a> {
    signals: &'a Signals<'a>,
    id: FunctionId,
    function: &'a Function,
    paths: &'a Paths,
    write: &'a Write,
    waiter: &'a Waiter,
}

impl Change<'_> {
    /// The blocks of a body that notify the waiter.
    fn notifies(&self, id: FunctionId) -> BTreeSet<BlockId> {
        // Which waker it is may be hard to tell.
        let is_it = |it: &&Operation| {
            let alike = || it.sort == self.waiter.operation.sort && self.is_loose(it);
            it.notifies() && (self.is_exact(it) || alike())
        };
        self.signals.operations(id).iter().filter(is_it).map(|it| it.block).collect()
    }

    /// Whether an operation is about what the waiter waits for, and not only about something of that sort.
    fn is_exact(&self, it: &Operation) -> bool {
        it.object.as_ref() == Some(&self.waiter.object)
    }

    /// Whether a block notifies this waiter for sure.
    fn is_sure(&self, (id, block): (FunctionId, BlockId)) -> bool {
        let operations = self.signals.operations(id);
        operations.iter().any(|it| it.block == block && it.notifies() && self.is_exact(it))
    }

    fn is_loose(&self, it: &Operation) -> bool {
        matches!(self.waiter.operation.sort, Sort::Waker | Sort::Thread | Sort::Listed)
            || !matches!(it.object, Some(AbstractObject::Field(..)))
    }

    /// Whether the function that makes the change for the body notifies after it.
    fn is_told_inside(&self) -> bool {
        let (made, at) = self.write.made;
        if made == self.id {
            return false;
        }
        let paths = Paths::of(self.signals.program.function(made));
        let told = self.notifies(made);
        told.iter().any(|it| *it == at || paths.leads(at, *it))
    }

    /// Whether somebody who calls the body notifies after that, or is the waiter and looks again.
    fn is_told_by_callers(&self) -> bool {
        !matches!(self.told_by_callers(true), Told::Never)
    }

    /// Whether those who call the body notify after that.
    fn told_by_callers(&self, by_waiter: bool) -> Told {
        let mut left = 24;
        let mut is_told = false;
        let mut untold = BTreeSet::new();
        let _ =
            walk::search([(self.id, None)], |(id, first): (FunctionId, Option<(FunctionId, BlockId)>)| {
                if left == 0 {
                    return Break(());
                }
                left -= 1;
                let callers = self.signals.callers(id);
                // Others call it.
                if callers.is_empty() {
                    untold.extend(first);
                }
                let mut next = Vec::new();
                for (caller, block) in callers {
                    let notifies = self.notifies(caller);
                    let paths = Paths::of(self.signals.program.function(caller));
                    if notifies.iter().any(|it| paths.leads_in_round(block, *it))
                        || by_waiter && caller == self.waiter.id
                    {
                        is_told = true;
                    } else if !self.is_fresh_at(caller, block)
                        && !notifies.iter().any(|it| paths.leads(*it, block))
                    {
                        next.push((caller, first.or(Some((caller, block)))));
                    }
                }
                Continue(next)
            });
        match untold.pop_first() {
            _ if left == 0 => Told::Always,
            Some((caller, block)) if is_told => Told::Not(caller, block),
            _ if is_told => Told::Always,
            _ => Told::Never,
        }
    }

    /// Whether a block makes what it changes first: nobody waits for that.
    fn is_fresh_at(&self, caller: FunctionId, block: BlockId) -> bool {
        let function = self.signals.program.function(caller);
        let given = function.call(block).and_then(|(call, _)| call.arguments.first()?.place());
        given.is_some_and(|it| is_fresh(function, it))
    }

    fn hit(
        &self,
        certainty: Certainty,
        message: &str,
        mut related: Vec<(CodeRef, String)>,
        advice: &str,
    ) -> Hit {
        let waiter = (
            if self.waiter.operation.sort == Sort::Waker {
                call_ref(self.signals.program, self.waiter.id, self.waiter.wait)
            } else {
                await_ref(self.signals.program, self.waiter.id, self.waiter.wait)
            },
            "waits here until it changes".to_owned(),
        );
        related.insert(0, waiter);
        Hit {
            certainty,
            message: message.to_owned(),
            primary: (self.place(), "changed here".to_owned()),
            related,
            advice: advice.to_owned(),
        }
    }

    /// Where the change is made, or the lock for it is taken.
    fn place(&self) -> CodeRef {
        place_of(self.signals, self.id, self.paths, self.write.block)
    }

    /// The last notification comes before the change.
    fn too_early(&self) -> Option<Hit> {
        let at = self.write.block;
        let notifies = self.notifies(self.id);
        let after = self.paths.after(at);
        if notifies.contains(&at) || after.iter().any(|it| notifies.contains(it)) {
            return None;
        }
        let early = notifies.iter().find(|it| self.paths.leads(**it, at))?;
        if self.signals.in_one_section(self.id, *early, at) || self.is_told_by_callers() {
            return None;
        }
        // Behind a call it may be of another instance.
        let own = self.write.made.0 == self.id;
        Some(self.hit(
            if own { Certainty::Usually } else { Certainty::Doubt },
            "this changes after the last notification: a waiter that looked in between waits for ever",
            vec![(call_ref(self.signals.program, self.id, *early), "notified here, before".to_owned())],
            "notify after the change, or do both under the lock under which the waiter looks",
        ))
    }

    /// No notification follows on some path, where one does on another, or elsewhere.
    fn never(&self) -> Option<Hit> {
        let at = self.write.block;
        if self.write.made.0 != self.id && self.is_in_workspace_of(self.write.made.0) {
            return None;
        }
        let notifies = self.notifies(self.id);
        let after = self.paths.after(at);
        if after.iter().any(|it| notifies.contains(it)) {
            return self.left();
        }
        if notifies.contains(&at) || notifies.iter().any(|it| self.paths.leads(*it, at)) {
            return None;
        }
        // Whoever waits was asked for first, and told if there was one. A thread that does not look again waits for its own turn.
        if self.is_decided(&notifies) || !self.is_seen_when_woken() || self.ends_with_the_last() {
            return None;
        }
        let told = self.told_of_it().or_else(|| self.told_elsewhere().filter(|_| self.is_end()));
        let Some(told) = told else { return self.by_nobody() };
        let called = match self.told_by_callers(true) {
            Told::Never => None,
            Told::Not(caller, block) if self.is_sure(told) => Some((caller, block)),
            Told::Always | Told::Not(..) => return None,
        };
        let program = self.signals.program;
        let mut related = vec![(
            call_ref(program, told.0, told.1),
            "notified here, where it is changed elsewhere".to_owned(),
        )];
        let Some((caller, block)) = called else {
            // A body that is given no waker may keep something else in that collection.
            let waiter = self.signals.program.function(self.waiter.id);
            let is_by_hand = self.waiter.operation.sort != Sort::Waker || Given::of(waiter).is_some();
            let is_it = is_by_hand || self.is_sure(told);
            let certainty = if is_it { self.unless_others(None) } else { Certainty::Doubt };
            return Some(self.hit(certainty, UNTOLD, related, "notify on this path, too"));
        };
        // Others who make the change by the same function tell of it.
        related.push((self.place(), "changed here".to_owned()));
        related.retain(|(it, _)| !matches!(it, CodeRef::Item(_)));
        let hit = self.hit(self.unless_others(called), UNTOLD, related, "notify behind this call, too");
        let called = call_or_await(program, caller, block);
        Some(Hit { primary: (called, "changed by this call, and no notification follows".to_owned()), ..hit })
    }

    /// A notification follows on one path, and none on another.
    fn left(&self) -> Option<Hit> {
        let at = self.write.block;
        let notifies = self.notifies(self.id);
        let is_told_before =
            |it: &BlockId| self.paths.leads(*it, at) && self.signals.in_one_section(self.id, *it, at);
        let is_made_here = self.write.made.0 == self.id || !self.is_in_workspace_of(self.write.made.0);
        // A future that is polled wakes itself.
        let is_by_hand = self.waiter.id == self.id && self.waiter.operation.sort == Sort::Waker;
        if is_by_hand || !is_made_here || notifies.contains(&at) || notifies.iter().any(is_told_before) {
            return None;
        }
        let (branch, notified) = self.left_by_error(&notifies).or_else(|| self.left_otherwise(&notifies))?;
        let Told::Never = self.told_by_callers(false) else { return None };
        let program = self.signals.program;
        let related = vec![
            (call_ref(program, self.id, notified), "notified here on the other path".to_owned()),
            (call_or_await(program, self.id, branch), "left here".to_owned()),
        ];
        Some(self.hit(self.unless_others(None), UNTOLD, related, "notify on this path, too"))
    }

    /// Whether what waits is of the type whose `Drop` makes the change: when the last one is dropped, none of them waits.
    fn ends_with_the_last(&self) -> bool {
        let program = self.signals.program;
        let dropped = program.type_of(self.id).filter(|_| program.trait_of(self.id) == Some("Drop"));
        dropped.is_some() && program.type_of(self.waiter.id) == dropped
    }

    /// Whether a branch that goes by shared state leads to a notification on one side, and to the change on the other.
    fn is_decided(&self, notifies: &BTreeSet<BlockId>) -> bool {
        let shared = self.signals.decisions(self.id).into_iter();
        let shared = shared.filter(|it| it.reads.iter().any(|it| it.how != How::Bare));
        shared.map(|it| it.block).any(|branch| {
            let sides = self.paths.next(branch).iter();
            let sides: Vec<_> = sides.map(|it| self.paths.from(&[*it], &|it| it == branch)).collect();
            let changes = |it: &BTreeSet<BlockId>| it.contains(&self.write.block);
            sides.iter().any(changes) && sides.iter().any(|it| !changes(it) && !it.is_disjoint(notifies))
        })
    }

    /// Whether the waiter looks at the state again when it is woken, as far as it matters: any handle may unpark a thread.
    fn is_seen_when_woken(&self) -> bool {
        if self.waiter.operation.sort != Sort::Thread {
            return true;
        }
        let paths = Paths::of(self.signals.program.function(self.waiter.id));
        let around = paths.loop_around(self.waiter.wait);
        self.signals
            .decisions(self.waiter.id)
            .iter()
            .any(|it| around.contains(&it.block) && it.reads.iter().any(|it| it.state == self.write.state))
    }

    /// A warning, unless code that is not known runs behind the change: that may notify.
    fn unless_others(&self, called: Option<(FunctionId, BlockId)>) -> Certainty {
        let unknown = [(self.id, self.write.block)].into_iter().chain(called).any(|it| self.is_open(it));
        if unknown { Certainty::Doubt } else { Certainty::Usually }
    }

    /// Whether code that is not known, and may notify, runs behind a block of a body.
    fn is_open(&self, (id, block): (FunctionId, BlockId)) -> bool {
        let function = self.signals.program.function(id);
        let after = Paths::of(function).after(block);
        let unknown = after.iter().any(|at| {
            let Some((_, callee)) = function.call(*at) else { return false };
            let ty = callee.self_type.as_deref().unwrap_or_default();
            let calls = matches!(callee.of_trait.as_deref(), Some("Fn" | "FnMut" | "FnOnce"));
            let is_open = calls || self.signals.program.is_open_type(ty.trim_start_matches('&'));
            is_open && self.signals.bodies_at(id, *at).is_empty() && !callee.is_trait("Future", "poll")
        });
        let behind: Vec<BlockId> = after.into_iter().chain([block]).collect();
        unknown || self.signals.may_notify_deeper(id, &behind, self.waiter.operation.sort)
    }

    /// It is made without the lock under which the waiter looks and begins to wait, and so is the notification.
    fn unlocked(&self) -> Option<Hit> {
        let at = self.write.block;
        if self.waiter.operation.sort != Sort::Condvar || self.write.how != How::Atomic {
            return None;
        }
        let program = self.signals.program;
        let notifies = self.notifies(self.id);
        let after: Vec<BlockId> =
            notifies.iter().copied().filter(|it| *it == at || self.paths.leads(at, *it)).collect();
        let notified = *after.first()?;
        let locked = |it: BlockId| self.signals.is_locked(self.id, it);
        let between = |it: BlockId| {
            (it == at || self.paths.leads(at, it))
                && after.iter().any(|to| it == *to || self.paths.leads(it, *to))
        };
        let requested = program.locks().requests(self.id).iter().any(|(it, _)| between(*it));
        let by_callers = self
            .signals
            .callers(self.id)
            .iter()
            .any(|(caller, block)| self.signals.is_locked(*caller, *block));
        if locked(at) || after.iter().any(|it| locked(*it)) || requested || by_callers {
            return None;
        }
        let related = [
            (self.place(), "changed here without the lock"),
            (call_ref(program, self.id, notified), "notified without the lock"),
        ];
        Some(Hit {
            certainty: Certainty::Usually,
            message: "the condition of this wait changes without the lock: a notification between the look at it and the wait is lost".to_owned(),
            primary: (call_ref(program, self.waiter.id, self.waiter.wait), "waits here".to_owned()),
            related: related.into_iter().map(|(at, label)| (at, label.to_owned())).collect(),
            advice: "change the condition, or notify, while the lock is held; better, put the condition behind the lock".to_owned(),
        })
    }

    /// Whether the body that makes the change is found by itself.
    fn is_in_workspace_of(&self, made: FunctionId) -> bool {
        self.signals.writes(made).iter().any(|it| it.made == self.write.made && it.how != How::Bare)
    }

    /// The error by which a path leaves the body after the change without a notification that the other path comes to.
    fn left_by_error(&self, notifies: &BTreeSet<BlockId>) -> Option<(BlockId, BlockId)> {
        // What the change itself answers tells whether there was one.
        let answers = |on: &Place| source(self.function, &Slot::at(on)) == Some(self.write.block);
        let silent =
            feasible::from(self.function, self.paths.next(self.write.block), &|it| notifies.contains(&it));
        silent.iter().chain([&self.write.block]).find_map(|at| {
            let block = self.function.body.block(*at)?;
            let Terminator::Switch { on: Operand::Place(on), cases, otherwise } = &block.terminator else {
                return None;
            };
            if answers(on) {
                return None;
            }
            let of = block.statements.iter().rev().find_map(|it| match it {
                Statement::Assign(into, Rvalue::Discriminant(of)) if into == on => Some(of),
                _ => None,
            })?;
            if !matches!(last(&head(self.function.type_of(of)?)), "Result" | "ControlFlow") {
                return None;
            }
            let to =
                |number: i128| cases.iter().find(|(it, _)| *it == number).map(|(_, to)| *to).or(*otherwise);
            let good = self.paths.from(&[to(0)?], &|_| false);
            let notified = good.iter().find(|it| notifies.contains(it))?;
            let bad = self.paths.from(&[to(1)?], &|_| false);
            let leaves = bad.iter().any(|it| self.function.returns_at(*it));
            (leaves && !bad.iter().any(|it| notifies.contains(it))).then_some((*at, *notified))
        })
    }

    /// A branch behind the change that goes by nothing that is shared, and of which one side leaves without a notification.
    fn left_otherwise(&self, notifies: &BTreeSet<BlockId>) -> Option<(BlockId, BlockId)> {
        let shared: BTreeSet<BlockId> = self
            .signals
            .decisions(self.id)
            .into_iter()
            .filter(|it| it.reads.iter().any(|it| it.how != How::Bare))
            .map(|it| it.block)
            .collect();
        let silent =
            feasible::from(self.function, self.paths.next(self.write.block), &|it| notifies.contains(&it));
        silent.into_iter().chain([self.write.block]).find_map(|at| {
            let Terminator::Switch { on, .. } = &self.function.body.block(at)?.terminator else {
                return None;
            };
            let answers = source(self.function, &Slot::at(on.place()?)) == Some(self.write.block);
            let given = is_given(self.function, on) && !is_of_self(self.function, on.place()?);
            if answers || shared.contains(&at) || given {
                return None;
            }
            // A flag that says what is still there to drop tells nothing about the program.
            let definitions = self.function.definitions(&Slot::at(on.place()?));
            let is_constant = |it: &Definition| {
                matches!(self.function.assigned(*it), Some(Rvalue::Use(Operand::Constant(_))))
            };
            let by_constants = !definitions.is_empty() && definitions.iter().all(is_constant);
            let told = |it: &BlockId| {
                let reached = self.paths.from(&[*it], &|_| false);
                reached.into_iter().find(|it| notifies.contains(it))
            };
            let leaves = |it: &BlockId| {
                self.paths.from(&[*it], &|_| false).iter().any(|it| self.function.returns_at(*it))
            };
            let next = self.paths.next(at);
            let notified = next.iter().find_map(told)?;
            (!by_constants && next.iter().any(|it| told(it).is_none() && leaves(it)))
                .then_some((at, notified))
        })
    }

    /// A notification of the waiter after the same change elsewhere.
    fn told_of_it(&self) -> Option<(FunctionId, BlockId)> {
        let same = |it: &Write| it.state == self.write.state && it.value == self.write.value;
        // What a helper is given may be the same.
        let unknown = |it: &Write| it.state == self.write.state && it.value == Value::Unknown;
        self.told_after(&same).or_else(|| self.told_after(&unknown).filter(|it| self.is_sure(*it)))
    }

    /// A notification of the waiter after another change that ends its wait.
    fn told_elsewhere(&self) -> Option<(FunctionId, BlockId)> {
        self.told_after(&|it| self.waiter.leaves.get(&it.state).is_some_and(|all| all.contains(&it.value)))
    }

    /// A notification of the waiter after one of those changes.
    fn told_after(&self, is_it: &dyn Fn(&Write) -> bool) -> Option<(FunctionId, BlockId)> {
        self.signals.program.functions().find_map(|(id, function)| {
            if id == self.waiter.id {
                return None;
            }
            let notified = self.notifies(id);
            if notified.is_empty() {
                return None;
            }
            let paths = Paths::of(function);
            let writes = self.signals.writes(id);
            writes.iter().filter(|it| it.how != How::Bare && is_it(it)).find_map(|write| {
                // What a block writes by itself comes before what it calls.
                let is_by_statement = |it: BlockId| {
                    it == write.block && write.made == (id, it) && {
                        let operations = self.signals.operations(id);
                        operations.iter().any(|operation| operation.made == (id, it))
                    }
                };
                let is_after = |it: BlockId| it != write.block && paths.leads(write.block, it);
                notified.iter().find(|it| is_after(**it) || is_by_statement(**it)).map(|it| (id, *it))
            })
        })
    }
}

/// Where a block of a body changes something, or the lock for it is taken.
fn place_of(signals: &Signals<'_>, id: FunctionId, paths: &Paths, block: BlockId) -> CodeRef {
    let program = signals.program;
    let at = call_or_await(program, id, block);
    if !matches!(at, CodeRef::Item(_)) {
        return at;
    }
    let before = place(signals, id, paths, block);
    if !matches!(before, CodeRef::Item(_)) {
        return before;
    }
    // The lock under which it is made.
    let holding = program.holding(id);
    let guards = holding.at(block).map(crate::program::Held::guards).unwrap_or_default();
    let mut sites = guards.keys().filter_map(|it| {
        let origin = &holding.guard(*it)?.origin;
        program.acquisition(id, origin)
    });
    sites.next().map_or(at, CodeRef::Site)
}

/// Whether a value is a field of `self`, or made of that alone.
fn is_of_self(function: &Function, place: &Place) -> bool {
    let mut slot = Slot::at(place);
    for _ in 0..8 {
        if slot.local == Local(1) {
            return function.body.variables.iter().any(|(name, it)| name == "self" && it.local == Local(1));
        }
        slot.steps.truncate(function.root(&slot));
        let from = match function.definition(&slot).and_then(|it| function.assigned(it)) {
            Some(Rvalue::Use(Operand::Place(from)) | Rvalue::Reference(from, _)) => from,
            Some(Rvalue::Made(name, parts)) if name == "Not" => {
                match parts.first().and_then(Operand::place) {
                    Some(from) => from,
                    None => return false,
                }
            }
            _ => return false,
        };
        slot = Slot::at(from);
    }
    false
}
