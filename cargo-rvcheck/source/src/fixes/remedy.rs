//! Which change mends a finding, as far as the compiler's view of the code decides that.

use super::polled::Polled;
use super::relied_on::relied_on;
use crate::body::{Function, FunctionId, Kind};
use crate::facts::Facts;
use crate::facts::disposition::{Disposition, Inner, Step, Whose};
use crate::mir::{BlockId, Local};
use crate::program::code_ref::call_ref;
use crate::program::{GuardKind, Program};
use crate::rules::{CodeRef, Found};
use crate::ty::Ty;
use std::cell::OnceCell;

/// A change that mends a finding where the text allows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Remedy {
    /// The blocking sleep is replaced by an await of the timer of tokio.
    AwaitTimer {
        /// Nobody but tokio polls the future.
        is_sure: bool,
    },
    /// The guard is dropped before the await.
    DropGuard {
        /// Nothing from the await on may need that others are kept out.
        is_sure: bool,
    },
    /// The result that is thrown away is passed on.
    Propagate {
        /// Out of how many other results the value is taken first.
        unwrapped: usize,
    },
}

/// The remedies in a program.
#[derive(Debug)]
pub struct Remedies<'p> {
    program: &'p Program,
    facts: Facts<'p>,
    polled: OnceCell<Polled>,
    /// A blocking guard is kept at some await. What suspends its task there for longer makes that worse.
    keeps_guards: bool,
}

impl<'p> Remedies<'p> {
    /// Those of a program in which the rules have found this.
    pub fn of(program: &'p Program, found: &[Found]) -> Remedies<'p> {
        let keeps_guards = found.iter().any(|it| it.rule.id == GUARD);
        Remedies { program, facts: Facts::of(program), polled: OnceCell::new(), keeps_guards }
    }

    /// What mends this.
    pub fn remedy(&self, found: &Found) -> Option<Remedy> {
        let at = &found.hit.primary.0;
        match found.rule.id {
            GUARD => Some(Remedy::DropGuard { is_sure: !relied_on(self.program, at) }),
            "blocking-in-async" => self.awaiting(at).map(|is_sure| Remedy::AwaitTimer { is_sure }),
            "lost-error" => self.propagates(at).map(|unwrapped| Remedy::Propagate { unwrapped }),
            _ => None,
        }
    }

    /// Whether tokio alone polls what sleeps there, if the call there is a sleep of a task that keeps no guard.
    fn awaiting(&self, at: &CodeRef) -> Option<bool> {
        let program = self.program;
        let sleeps = |(id, _): &(FunctionId, &Function)| {
            program.blocking().calls(*id).iter().any(|(_, it)| {
                it.path == "std::thread::sleep"
                    && it.body == *id
                    && !it.is_inner()
                    && !it.is_dropping
                    && call_ref(program, *id, it.block) == *at
                    && !self.keeps_at(*id, it.block)
            })
        };
        let here: Vec<(FunctionId, Kind)> =
            program.functions().filter(sleeps).map(|(id, it)| (id, it.kind)).collect();
        let is_of_task = !here.is_empty() && here.iter().all(|it| it.1 == Kind::Coroutine);
        let polled = || self.polled.get_or_init(|| Polled::of(program));
        (!self.keeps_guards && is_of_task && self.has_timer())
            .then(|| here.iter().all(|it| polled().by_tokio(it.0)))
    }

    /// Whether a body keeps what blocks others, or borrows what makes others panic, at the end of a block.
    fn keeps_at(&self, id: FunctionId, block: BlockId) -> bool {
        let holding = self.program.holding(id);
        if holding.ids().next().is_none() {
            return false;
        }
        let Some(held) = holding.at(block) else { return true };
        let blocks = [GuardKind::Blocking, GuardKind::Cell, GuardKind::Watch];
        held.guards().keys().any(|it| {
            holding.guard(*it).is_none_or(|it| blocks.into_iter().any(|kind| it.kinds.contains(kind)))
        })
    }

    /// Whether nothing but runtimes of tokio runs futures, with their timers on, as far as the program shows.
    fn has_timer(&self) -> bool {
        let program = self.program;
        let calls = program.functions().flat_map(|(_, function)| function.calls());
        let (mut builds, mut enables) = (false, false);
        for (.., callee) in calls {
            let is_timed = || callee.row().is_some_and(|it| it.owner.has_timer);
            match callee.name() {
                "block_on" | "block_on_stream" | "run_until" if !is_timed() => return false,
                "build" | "build_local" if callee.path().contains("runtime::Builder") => builds = true,
                "enable_all" | "enable_time" => enables = true,
                _ => {}
            }
        }
        !builds || enables
    }

    /// Out of how many results the one that is thrown away there is taken, if its error is what the function returns.
    fn propagates(&self, at: &CodeRef) -> Option<usize> {
        let program = self.program;
        let taken = self.facts.dispositions.taken(program);
        let mut here = taken.iter().filter(|it| it.place(program) == *at);
        let one = here.next().filter(|_| here.next().is_none())?;
        let lost =
            |(inner, disposition): &&(Inner, Disposition)| inner.whose == Whose::Own && disposition.is_lost();
        let mut lost = one.errors.iter().filter(lost);
        let (inner, _) = lost.next().filter(|_| lost.next().is_none())?;
        if !inner.steps.iter().all(|it| matches!(it, Step::Ready | Step::Ok | Step::Err)) {
            return None;
        }
        let function = program.function(one.at.0);
        let returned = returned(function)?;
        (error_of(inner.result)? == error_of(returned)?)
            .then(|| inner.steps.iter().filter(|it| **it == Step::Ok).count())
    }
}

/// The rule about guards.
const GUARD: &str = "guard-across-await";

/// The type of what a function or state machine gives its caller.
fn returned(function: &Function) -> Option<Ty> {
    let own = function.body.type_of(Local(0));
    match function.kind {
        Kind::Coroutine => (own.bare().is_poll()).then(|| own.argument(0)).flatten(),
        Kind::Function => Some(own),
        _ => None,
    }
}

/// The type of the error of a result. What is given as a trait or a parameter may be another type each time.
fn error_of(ty: Ty) -> Option<Ty> {
    if !ty.bare().is_result() {
        return None;
    }
    let error = ty.argument(1)?;
    (!error.text().contains("impl ") && error.text().len() > 1).then_some(error)
}
