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
use crate::body::walk;
use crate::body::{Definition, Function, FunctionId, Slot};
use crate::facts::signals::{How, Operation, Signals, Sort, Waiter, Write};
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
        for waiter in waiters.iter().filter(|it| it.id != id) {
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
                if let Some(hit) = change.too_early().or_else(|| change.never()).or_else(|| change.unlocked())
                {
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
        let is_it = |it: &&Operation| {
            let known = it.object.as_ref() == Some(&self.waiter.object);
            // Which waker it is may be hard to tell.
            it.notifies() && (known || it.sort == self.waiter.operation.sort && self.is_loose(it))
        };
        self.signals.operations(id).iter().filter(is_it).map(|it| it.block).collect()
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

    /// Whether somebody who calls the body notifies after that.
    fn is_told_by_callers(&self) -> bool {
        let mut left = 24;
        let told = walk::search([self.id], |id| {
            if left == 0 {
                return Continue(Vec::new());
            }
            left -= 1;
            let callers = self.signals.callers(id);
            let tells = callers.iter().any(|(caller, block)| {
                let notifies = self.notifies(*caller);
                let paths = Paths::of(self.signals.program.function(*caller));
                notifies.iter().any(|it| paths.leads_in_round(*block, *it)) || *caller == self.waiter.id
            });
            if tells { Break(()) } else { Continue(callers.into_iter().map(|(it, _)| it).collect()) }
        });
        told.is_some()
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
        if notifies.contains(&at) || notifies.iter().any(|it| self.paths.leads(*it, at)) {
            return None;
        }
        let after = self.paths.after(at);
        let message = "this ends the wait of somebody who is not notified here, and waits for ever";
        let advice = "notify on this path, too";
        if after.iter().any(|it| notifies.contains(it)) {
            let (branch, notified) =
                self.left_by_error(&notifies).or_else(|| self.left_otherwise(&notifies))?;
            return (!self.is_told_by_callers()).then(|| {
                self.hit(
                    self.unless_others(),
                    message,
                    vec![
                        (
                            call_ref(self.signals.program, self.id, notified),
                            "notified here on the other path".to_owned(),
                        ),
                        (call_or_await(self.signals.program, self.id, branch), "left here".to_owned()),
                    ],
                    advice,
                )
            });
        }
        // Whoever waits was asked for first, and told if there was one. A thread that does not look again waits for its own turn.
        if self.is_decided(&notifies) || !self.is_seen_when_woken() || self.ends_with_the_last() {
            return None;
        }
        let Some(told) = self.told_of_it().or_else(|| self.told_elsewhere().filter(|_| self.is_end())) else {
            return self.by_nobody();
        };
        (!self.is_told_by_callers()).then(|| {
            self.hit(
                self.unless_others(),
                message,
                vec![(
                    call_ref(self.signals.program, told.0, told.1),
                    "notified here, where it is changed elsewhere".to_owned(),
                )],
                advice,
            )
        })
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
    fn unless_others(&self) -> Certainty {
        let unknown = self.paths.after(self.write.block).into_iter().any(|at| {
            let Some((_, callee)) = self.function.call(at) else { return false };
            let ty = callee.self_type.as_deref().unwrap_or_default();
            let calls = matches!(callee.of_trait.as_deref(), Some("Fn" | "FnMut" | "FnOnce"));
            let is_open = calls || self.signals.program.is_open_type(ty.trim_start_matches('&'));
            is_open && self.signals.bodies_at(self.id, at).is_empty() && !callee.is_trait("Future", "poll")
        });
        let behind: Vec<BlockId> =
            self.paths.after(self.write.block).into_iter().chain([self.write.block]).collect();
        let unknown = unknown || self.signals.may_notify_deeper(self.id, &behind, self.waiter.operation.sort);
        if unknown { Certainty::Doubt } else { Certainty::Usually }
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
        let silent = self.paths.from(self.paths.next(self.write.block), &|it| notifies.contains(&it));
        silent.iter().find_map(|at| {
            let block = self.function.body.block(*at)?;
            let Terminator::Switch { on: Operand::Place(on), cases, .. } = &block.terminator else {
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
            let to = |number: i128| cases.iter().find(|(it, _)| *it == number).map(|(_, to)| *to);
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
        let silent = self.paths.from(self.paths.next(self.write.block), &|it| notifies.contains(&it));
        silent.into_iter().find_map(|at| {
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
        self.told_after(&|it| it.state == self.write.state && it.value == self.write.value)
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
                notified
                    .iter()
                    .find(|it| **it != write.block && paths.leads(write.block, **it))
                    .map(|it| (id, *it))
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
