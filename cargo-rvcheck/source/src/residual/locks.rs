//! `lock-order` and `double-lock`: classes of locks that are in no cycle of lock dependencies.
//!
//! There is an edge from one class to another where the second may be requested while the first may be held. A class with no edge out
//! of it can deadlock with nothing (`orphan`); one that cannot be reached from itself is in no cycle (`ordered`). While a lock of it is
//! held nothing may be waited for, and nothing may be run that is not known, there and in everything that can be reached from it.

use super::anytime::Anytime;
use super::class::{Class, class_of, classes_in, is_hidden};
use super::effect::{Effect, Effects};
use super::guards::{LOST, escape};
use super::permits::may_be_locks;
use super::{Preconditions, Reason, Verdict};
use crate::body::paths::Paths;
use crate::body::walk::{self, Lattice};
use crate::body::{Callee, Definition, Function, FunctionId};
use crate::marker::Number;
use crate::mir::{BlockId, Call, Terminator, Unwind};
use crate::program::locks::{Waits, is_lock_call, request_of, returned};
use crate::program::{GuardId, GuardKind, Origin, Program};
use crate::ty::last;
use rvcheck_primitives::{Is, What};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow::{Break, Continue};

pub(super) const PROPERTIES: [&str; 2] = ["double-lock", "lock-order"];

/// The orders of a build.
#[derive(Default)]
struct Orders {
    edges: BTreeMap<Class, BTreeSet<Class>>,
    /// The classes of which not all is known, and why.
    open: BTreeMap<Class, String>,
    /// Why nothing is known of any class.
    all_open: Option<String>,
    /// The requests; without a number where they are no lock's, and no site.
    sites: Vec<(Option<Number>, Class)>,
}

/// The verdicts of the sites that request locks, and why they are no proof of the properties. They are one where there is no lock
/// besides of which something is not known.
pub(super) fn verdicts(
    programs: &[&Program],
    effects: &[Effects],
    preconditions: &Preconditions,
    anytime: &Anytime,
) -> (Vec<(&'static str, Number, Verdict)>, Option<String>) {
    let mut orders = Orders::default();
    if let Some(trick) = preconditions.tricks.first() {
        orders.all_open = Some(format!("guards may be forgotten or locks freed without one, by {trick}"));
    }
    if let Some(own) = preconditions.own_locks.first() {
        orders.all_open = Some(format!("the workspace says what a lock is, as a `{own}`"));
    }
    if let Some(why) = anytime.effect.open.as_ref().or(anytime.effect.waits.as_ref()) {
        let what = anytime.names();
        orders.all_open = Some(format!("{what} may be called at any time, where {why} is run"));
    }
    if let Some(lost) = preconditions.lost_requests.first() {
        orders.all_open =
            Some(format!("the compiler's MIR does not show each request for a lock in `{lost}`"));
    }
    for (program, effects) in programs.iter().zip(effects) {
        for (id, function) in program.functions() {
            orders.requests(program, id, function);
            orders.gives_away(program, id, function, effects);
            orders.holds(programs, program, id, effects);
        }
    }
    orders.interrupted(anytime);
    orders.merge_parametric();
    let lost =
        preconditions.lost.first().map(|it| format!("the compiler's MIR does not show all places of `{it}`"));
    let of_some_lock = || {
        let mut open = orders.open.iter().filter(|(class, _)| !is_hidden(class));
        open.next().map(|(class, why)| format!("of a `{class}`, {why}"))
    };
    let doubt = lost.or_else(|| orders.all_open.clone()).or_else(of_some_lock);
    let of_class: BTreeMap<Class, Verdict> =
        orders.sites.iter().map(|(_, class)| (class.clone(), orders.verdict(class))).collect();
    let sites = orders.sites.iter();
    let verdicts = sites.filter_map(|(site, class)| Some(((*site)?, of_class.get(class)?.clone())));
    let verdicts: Vec<_> = verdicts
        .flat_map(|(site, verdict)| PROPERTIES.map(|property| (property, site, verdict.clone())))
        .collect();
    let monitored = || {
        of_class
            .values()
            .find_map(|it| if let Verdict::Monitored(why) = it { Some(why.clone()) } else { None })
    };
    let permits = || {
        may_be_locks(programs)
            .then(|| "a semaphore of one permit is a lock, and its orders are not followed".to_owned())
    };
    let doubt = doubt.or_else(monitored).or_else(permits);
    (verdicts, doubt)
}

impl Orders {
    /// Takes in the requests of a body and the sites that they are.
    fn requests(&mut self, program: &Program, id: FunctionId, function: &Function) {
        let is_lost = program.lost().contains_key(&id);
        for (block, call, callee) in function.calls() {
            if gives_latest(callee)
                && let Some(class) = class_of(program, function, call)
            {
                self.sites.push((function.site(block), class));
            }
            if !is_lock_call(callee) {
                continue;
            }
            let class = class_of(program, function, call);
            if let Some(class) = class.as_ref().filter(|_| is_lost) {
                self.open.entry(class.clone()).or_insert_with(|| LOST.to_owned());
            }
            match (class, function.site(block)) {
                (Some(class), Some(site)) => self.sites.push((Some(site), class)),
                (Some(class), None) => {
                    self.open.entry(class).or_insert_with(|| "one of its requests is not marked".to_owned());
                }
                (None, _) => self.all_open = Some("a lock is requested that is of no known class".to_owned()),
            }
        }
    }

    /// Takes in the locks that a body gives to code that is not known, which may take them in any order.
    fn gives_away(&mut self, program: &Program, id: FunctionId, function: &Function, effects: &Effects) {
        for (_, call, callee) in function.calls().filter(|(block, ..)| effects.is_foreign(id, *block)) {
            let types = call.places().filter_map(|it| function.type_of(it));
            for class in types.flat_map(|it| classes_in(program, it)) {
                let callee = callee.path();
                self.open.entry(class).or_insert_with(|| format!("it is given to `{callee}`"));
            }
        }
    }

    /// Takes in what a body does while it holds locks.
    fn holds(&mut self, programs: &[&Program], program: &Program, id: FunctionId, effects: &Effects) {
        let function = program.function(id);
        let holding = program.holding(id);
        let mut classes: BTreeMap<GuardId, Option<BTreeSet<Class>>> = BTreeMap::new();
        for guard in holding.ids() {
            let Some(of) = holding.guard(guard) else { continue };
            if [GuardKind::Blocking, GuardKind::Task, GuardKind::Watch]
                .iter()
                .any(|it| of.kinds.contains(*it))
            {
                let found = classes_of(program, id, guard, 8);
                if let Some(found) = &found
                    && let Some(how) =
                        escape(programs, program, id, guard).filter(|it| !it.contains("at an await"))
                {
                    for class in found {
                        self.open.entry(class.clone()).or_insert_with(|| how.clone());
                    }
                }
                if let Some(found) = found.as_ref().filter(|_| program.lost().contains_key(&id)) {
                    for class in found {
                        self.open.entry(class.clone()).or_insert_with(|| LOST.to_owned());
                    }
                }
                classes.insert(guard, found);
            }
        }
        for (block, ..) in function.calls() {
            let asks = is_lock_call(function.callee(block));
            let followed =
                holding.ids().any(|it| holding.guard(it).is_some_and(|it| it.origin == Origin::Call(block)));
            // What tasks wait for gives its guard when it is polled.
            let later = request_of(function.callee(block)).is_some_and(|(_, it)| it == Waits::Task);
            if asks && !followed && !later {
                self.all_open.get_or_insert_with(|| {
                    format!("a guard in `{}` could not be followed", program.item(id))
                });
            }
        }
        for (block, of) in function.blocks() {
            if let Some((class, effect)) = effects.inside(id, block) {
                self.held(class, &effect);
            }
            for class in effects.held(id, block) {
                self.held(class, &effects.at(id, block));
            }
            let Some(held) = holding.at(block).filter(|_| !of.cleanup) else { continue };
            let mut held: Vec<GuardId> =
                held.guards().into_keys().filter(|it| classes.contains_key(it)).collect();
            held.retain(|it| !is_let_go(program, function, id, block, *it));
            if held.is_empty() {
                continue;
            }
            let mut effect = effects.at(id, block);
            effect.join(&on_panic(function, id, block, effects));
            for guard in held {
                match &classes[&guard] {
                    Some(found) => found.iter().for_each(|class| self.held(class, &effect)),
                    None if effect == Effect::default() => {}
                    None => {
                        let item = program.item(id);
                        self.all_open.get_or_insert_with(|| {
                            format!("`{item}` holds a guard that is of no known lock")
                        });
                    }
                }
            }
        }
    }

    /// Takes in what is called at any time, whatever is held then.
    fn interrupted(&mut self, anytime: &Anytime) {
        if !anytime.effect.requests.is_empty() {
            let all: BTreeSet<Class> = self.sites.iter().map(|(_, class)| class.clone()).collect();
            for class in all {
                self.held(&class, &Effect { requests: anytime.effect.requests.clone(), ..Effect::default() });
            }
        }
    }

    fn held(&mut self, class: &Class, effect: &Effect) {
        self.edges.entry(class.clone()).or_default().extend(effect.requests.iter().cloned());
        if let Some(waits) = &effect.waits {
            self.open
                .entry(class.clone())
                .or_insert_with(|| format!("`{waits}` may be waited for while it is held"));
        }
        if let Some(open) = &effect.open {
            self.open.entry(class.clone()).or_insert_with(|| format!("{open} is run while it is held"));
        }
    }

    /// A lock whose type depends on a parameter is of each class that begins like it, so all of them are one.
    fn merge_parametric(&mut self) {
        let all: BTreeSet<Class> = self
            .edges
            .iter()
            .flat_map(|(from, to)| std::iter::once(from).chain(to))
            .chain(self.open.keys())
            .chain(self.sites.iter().map(|(_, class)| class))
            .cloned()
            .collect();
        let is_any =
            |it: &Class| !it.contains('<') || !it.split('<').next().is_some_and(|it| it.contains("::"));
        let parametric: BTreeSet<Class> = all
            .into_iter()
            .filter(is_any)
            .map(|it| it.split('<').next().unwrap_or_default().to_owned())
            .collect();
        let merged = |class: &Class| {
            let head = class.split('<').next().unwrap_or_default();
            // One whose path is not known may be of any crate.
            let name = last(head);
            [name, head]
                .into_iter()
                .find(|it| parametric.contains(*it))
                .map_or_else(|| class.clone(), str::to_owned)
        };
        let mut edges: BTreeMap<Class, BTreeSet<Class>> = BTreeMap::new();
        for (from, to) in &self.edges {
            edges.entry(merged(from)).or_default().extend(to.iter().map(merged));
        }
        self.edges = edges;
        self.open = self.open.iter().map(|(class, why)| (merged(class), why.clone())).collect();
        for (_, class) in &mut self.sites {
            *class = merged(class);
        }
    }

    fn verdict(&self, class: &Class) -> Verdict {
        if let Some(why) = &self.all_open {
            return Verdict::Monitored(why.clone());
        }
        let mut is_first = true;
        let against = walk::search([class], |at| {
            if let Some(why) = self.open.get(at) {
                let through = if is_first {
                    String::new()
                } else {
                    format!("`{at}` may be requested while it is held, and ")
                };
                return Break(format!("{through}{why}"));
            }
            is_first = false;
            let next = self.edges.get(at).into_iter().flatten();
            if next.clone().any(|it| it == class) {
                return Break(format!("a `{class}` may be requested while one is held"));
            }
            Continue(next)
        });
        if let Some(why) = against {
            return Verdict::Monitored(why);
        }
        let alone = self.edges.get(class).is_none_or(|it| it.iter().all(is_hidden));
        Verdict::Proved(if alone { Reason::Orphan } else { Reason::Ordered })
    }
}

/// Whether a function gives a guard of the value of a channel, which keeps senders from replacing it.
fn gives_latest(callee: Callee) -> bool {
    callee.row().is_some_and(|it| {
        matches!(it.owner.is, Is::End(_)) && it.operation.gives.is_some_and(|it| it.what == What::Guard)
    })
}

/// What can be done where a panic at the end of a block leads to, with all that was held there.
fn on_panic(function: &Function, id: FunctionId, block: BlockId, effects: &Effects) -> Effect {
    let Some(of) = function.body.block(block) else { return Effect::default() };
    let (Terminator::Call(Call { unwind, .. })
    | Terminator::Drop { unwind, .. }
    | Terminator::Assert { unwind, .. }) = &of.terminator
    else {
        return Effect::default();
    };
    let Unwind::To(first) = unwind else { return Effect::default() };
    let mut effect = Effect::default();
    walk::reached([*first], |at| {
        effect.join(&effects.at(id, at));
        Paths::of(function).next(at).iter().copied()
    });
    effect
}

/// Whether the terminator of a block drops a guard, or only hands it to what drops it or gives it back.
fn is_let_go(program: &Program, function: &Function, id: FunctionId, block: BlockId, guard: GuardId) -> bool {
    let holding = program.holding(id);
    let Some(of) = function.body.block(block) else { return false };
    let Terminator::Drop { place, .. } = &of.terminator else { return false };
    let slot = crate::body::Slot::at(place);
    // Only what is a guard itself: a struct may drop something else while it still has the guard.
    let ty = function.type_of(place).unwrap_or_default();
    holding.at(block).is_some_and(|it| it.within(&slot).contains(&guard))
        && crate::program::kind_of(program.head(ty)).is_some()
}

/// The classes of the lock that a guard may hold; `None` where that is not known.
fn classes_of(program: &Program, id: FunctionId, guard: GuardId, depth: usize) -> Option<BTreeSet<Class>> {
    let Origin::Call(block) = program.holding(id).guard(guard)?.origin else { return None };
    let function = program.function(id);
    let (call, callee) = function.call(block)?;
    let polled = callee.is_poll().then(|| function.polled(block)).flatten();
    let (call, callee) = match polled.as_ref().and_then(|it| function.producer(it)) {
        Some(Definition::Called(made)) => function.call(made)?,
        _ => (call, callee),
    };
    if is_lock_call(callee) || gives_latest(callee) {
        return Some(BTreeSet::from([class_of(program, function, call)?]));
    }
    let inner = match &polled {
        Some(slot) => program.machine_in(function, slot)?,
        None => program.called(function, block)?,
    };
    let mut found = BTreeSet::new();
    for guard in returned(program, inner) {
        found.extend(classes_of(program, inner, guard, depth.checked_sub(1)?)?);
    }
    (!found.is_empty()).then_some(found)
}
