//! Foreign code runs while a lock is held that it requests, or may request: a closure or callback, a method of a trait object, a waker,
//! the `Drop` of what is replaced or removed.
//!
//! It is a warning if the program has both halves: what runs leads back to the same lock, or to one of the same field through a handle of
//! its own while it is kept beside the lock; or what runs is passed the very object whose methods take the lock. If only code outside the
//! workspace could do it, it is a note.

use super::super::{Certainty, CodeRef, Hit, Rule, ShownBy};
use super::conflict;
use super::kept::{fields, may_lead_back, names_in, names_within};
use super::stored::{WayBack, is_put_beside, way_back};
use crate::body::provenance::source;
use crate::body::{Definition, FunctionId, Kind, Slot};
use crate::facts::Facts;
use crate::facts::calls::{ForeignKind, HeldOver, LockClass, Reach, Uses, lifted};
use crate::mir::Terminator;
use crate::program::Program;
use crate::program::access::{AccessPath, AccessPaths, Root};
use crate::program::code_ref::call_ref;
use crate::program::library::{is_waker, is_waker_type};
use crate::ty::{Ty, last};
use rvcheck_primitives::names_of;
use std::collections::BTreeSet;

/// The rule.
pub(in super::super) const RULE: Rule = Rule {
    id: "foreign-code-under-lock",
    property: "double-lock",
    doc: "Foreign code runs under a lock that it may request.",
    shown_by: ShownBy::Run("the code that runs there requests the lock that is held"),
    check,
};

/// Finds such code.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let uses = Uses::of(program, facts.foreign());
    let mut hits = Vec::new();
    let mut held_over = Vec::new();
    for (id, _) in program.functions() {
        let mut open = None;
        for held in uses.held_over(program, id) {
            let known = within_workspace(facts, id, &held);
            if known.is_empty() {
                let found = outside(facts, id, &held);
                if open
                    .as_ref()
                    .is_none_or(|it: &Hit| found.as_ref().is_some_and(|new| new.certainty > it.certainty))
                {
                    open = found.or(open);
                }
            }
            hits.extend(known);
            held_over.push((id, held));
        }
        hits.extend(open);
    }
    // What callers know of the lock and of what they give.
    for (id, held) in lifted(program, &held_over) {
        let found = within_workspace(facts, id, &held);
        let found = if found.is_empty() { outside(facts, id, &held).into_iter().collect() } else { found };
        hits.extend(found.into_iter().filter(|it| it.certainty > Certainty::Doubt));
    }
    merged(facts, hits)
}

/// One hit for each place, with all places where the lock is held, but for what is known to be the same lock without all this.
fn merged(facts: &Facts<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    if hits.is_empty() {
        return hits;
    }
    let known: BTreeSet<CodeRef> = super::check(facts).into_iter().map(|it| it.primary.0).collect();
    let mut found: Vec<Hit> = Vec::new();
    for hit in hits.into_iter().filter(|it| !known.contains(&it.primary.0)) {
        match found.iter_mut().find(|it| it.primary == hit.primary && it.message == hit.message) {
            Some(it) => {
                it.certainty = it.certainty.max(hit.certainty);
                it.related.extend(hit.related);
                it.related.sort();
                it.related.dedup();
            }
            None => found.push(hit),
        }
    }
    found
}

/// How sure it is that a request is for the lock that is held.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Identity {
    /// It is for another one, or not known at all.
    Other,
    /// It is for one of the same field.
    Maybe,
    /// It is for the same one, or one that is reached through a handle by what is kept beside the lock.
    Same,
}

/// The requests of the lock by bodies of the workspace that run while it is held.
fn within_workspace(facts: &Facts<'_>, id: FunctionId, held: &HeldOver<'_>) -> Vec<Hit> {
    let program = facts.program;
    let class = held.class(program);
    if is_recursion(program, id, &held.of.foreign.kind) {
        return Vec::new();
    }
    let is_of_caller = is_put_into_what_callers_gave(program, held);
    let mut hits = Vec::new();
    for target in &held.of.foreign.targets {
        // A waker that tells those that it keeps is not among them.
        let own = program.type_of(*target);
        let is_own = |it: &LockClass| matches!(it, LockClass::Field(of, _) if own == Some(last(of)));
        let is_waker = held.of.foreign.kind == ForeignKind::Waker;
        let found = facts.reached().of_body(*target).filter_map(|it| {
            let by_mode = conflict(held.mode, it.mode)?;
            let identity = if class.as_ref() == Some(&it.class) {
                identity(facts, held, *target, it)
            } else {
                by_content(program, held, *target, it)
            };
            let tells_others = is_waker && is_own(&it.class);
            let identity = if tells_others { identity.min(Identity::Maybe) } else { identity };
            let certainty = match identity {
                Identity::Other => return None,
                Identity::Same if held.certain && !is_of_caller => Certainty::Usually,
                Identity::Same | Identity::Maybe => Certainty::Doubt,
            };
            Some((certainty.min(by_mode), it))
        });
        if let Some((certainty, it)) = found.max_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(a.1))) {
            hits.push(requested(program, held, it, certainty));
        }
    }
    hits
}

/// Whether what is dropped was in a value that the caller has lent and that is no part of what is in the lock: it takes on what is to be dropped
/// when the lock is free, and may well have been empty.
fn is_put_into_what_callers_gave(program: &Program, held: &HeldOver<'_>) -> bool {
    let foreign = held.of.foreign;
    let function = program.function(foreign.body);
    let terminator = function.body.block(foreign.block).map(|it| &it.terminator);
    let Some(Terminator::Drop { place, .. }) = terminator.filter(|_| foreign.kind == ForeignKind::Drop)
    else {
        return false;
    };
    let Some(path) = AccessPaths::of(program, function).place(place) else { return false };
    let kept = names_in(program, std::iter::once(held.content));
    matches!(path.root, Root::Argument(_))
        && fields(&path).first().is_some_and(|(of, _)| !of.is_empty() && !kept.contains(*of))
        && !held.content.is_unknown()
}

/// Whether what is in the lock keeps what runs, and that requests a lock with the same in it which is not its own: one of many, as in shards,
/// or one that both share.
fn by_content(program: &Program, held: &HeldOver<'_>, target: FunctionId, request: &Reach) -> Identity {
    let own = program.type_of(target).unwrap_or_default();
    let is_own = matches!(&request.class, LockClass::Field(of, _) if last(of) == own);
    let is_waker = held.of.foreign.kind == ForeignKind::Waker;
    if held.content.is_unknown()
        || is_own && !is_waker
        || program.plain(held.content.text()) != program.plain(request.content.text())
    {
        return Identity::Other;
    }
    let kept = names_in(program, std::iter::once(held.content));
    let keeps = |it: &str| kept.contains(it);
    match held.of.foreign.kind {
        ForeignKind::Drop if keeps(own) => Identity::Same,
        ForeignKind::Waker | ForeignKind::Drop
            if kept.iter().any(|it| is_waker_type(Ty::read(it)))
                && kept.iter().any(|it| program.knows_type(it)) =>
        {
            Identity::Same
        }
        _ => Identity::Other,
    }
}

/// Whether a body is itself the method that it calls on what it has, as down a tree: each has a lock of its own.
fn is_recursion(program: &Program, id: FunctionId, kind: &ForeignKind) -> bool {
    let ForeignKind::Method(method) = kind else { return false };
    let item = program.item(id);
    program.trait_of(id).is_some_and(|it| *method == format!("{it}::{}", last(&item)))
}

fn identity(facts: &Facts<'_>, held: &HeldOver<'_>, target: FunctionId, request: &Reach) -> Identity {
    let program = facts.program;
    let Some(lock) = &request.lock else {
        // A waker is kept where the future that it belongs to has put it.
        // A method of what is kept beside the lock may have a handle that leads back.
        let same = held.of.foreign.kind == ForeignKind::Waker
            || leads(facts, target, &request.class) == WayBack::Same;
        let kept = if same { Identity::Same } else { Identity::Maybe };
        return if is_kept(program, held, target) { kept } else { Identity::Other };
    };
    if let Some(seen) = lock.seen_from(&held.of.given, &held.of.captured) {
        if held.lock.as_ref().is_some_and(|it| is_same(&seen, it)) {
            return Identity::Same;
        }
        // By a handle of its own, what runs may lead anywhere; by what it is given, only there.
        if lock.root != Root::Argument(1) {
            return Identity::Other;
        }
    }
    let is_handle = match &lock.root {
        Root::Captured(_) => true,
        Root::Argument(1) => fields(lock).len() > 1,
        // All that a waker has is what it was made with, be it by a raw pointer.
        Root::Made(_) if held.of.foreign.kind == ForeignKind::Waker => true,
        Root::Made(slot) => is_from_handle(program, target, slot, &request.class),
        Root::Argument(_) | Root::Static(_) => false,
    };
    match (is_handle, is_kept(program, held, target)) {
        (false, _) => Identity::Other,
        // Of a closure that is handed over at once, it is known what it has captured.
        (true, false) if held.of.foreign.kind == ForeignKind::Callback => Identity::Other,
        (true, false) => Identity::Maybe,
        // Many may have a lock of that class, each with functions of others in it.
        (true, true) if matches!(lock.root, Root::Captured(_)) && !is_put_beside(facts, target, lock) => {
            Identity::Maybe
        }
        (true, true) if leads(facts, target, &request.class) == WayBack::Elsewhere => Identity::Maybe,
        (true, true) => Identity::Same,
    }
}

/// Where the handle leads that the type which a body belongs to has of what owns a lock.
fn leads(facts: &Facts<'_>, target: FunctionId, class: &LockClass) -> WayBack {
    match (facts.program.type_of(target), class) {
        (Some(own), LockClass::Field(owner, _)) => way_back(facts, own, last(owner)),
        _ => WayBack::Unknown,
    }
}

/// Whether a value comes from a handle that what runs has, by a method of that, as a weak one is upgraded.
fn is_from_handle(program: &Program, target: FunctionId, slot: &Slot, class: &LockClass) -> bool {
    let function = program.function(target);
    let asked = match function.definition(slot) {
        Some(Definition::Called(block)) => function.call(block),
        _ => None,
    };
    let (Some((call, _)), LockClass::Field(owner, _)) = (asked, class) else { return false };
    let Some(given) = call.arguments.first() else { return false };
    let path = AccessPaths::of(program, function).operand(given);
    let is_own = path.is_some_and(|it| it.root == Root::Argument(1) && !fields(&it).is_empty());
    let ty = given.place().and_then(|it| function.type_of(it)).unwrap_or_default();
    let names = names_in(program, std::iter::once(ty));
    is_own && names.contains("Weak") && names.contains(last(owner))
}

fn is_same(one: &AccessPath, other: &AccessPath) -> bool {
    one.root == other.root && one.is_one() && other.is_one() && fields(one) == fields(other)
}

/// Whether what runs is kept in what has the lock: it is named by the type, or by what that is made of.
fn is_kept(program: &Program, held: &HeldOver<'_>, target: FunctionId) -> bool {
    let Some(LockClass::Field(of, _)) = held.class(program) else {
        return matches!(held.lock.as_ref().map(|it| &it.root), Some(Root::Static(_)));
    };
    let foreign = held.of.foreign;
    let names: Vec<String> = match &foreign.kind {
        ForeignKind::Callback if foreign.ty.is_object() => {
            ["Fn", "FnMut", "FnOnce"].map(str::to_owned).to_vec()
        }
        ForeignKind::Method(method) if foreign.ty.is_object() => {
            method.split("::").next().map(str::to_owned).into_iter().collect()
        }
        ForeignKind::Callback | ForeignKind::Method(_) => vec![foreign.ty.text().to_owned()],
        ForeignKind::Drop => {
            let own = program.type_of(target).map(str::to_owned);
            // What goes may own what runs by a closure, of which no type tells that.
            let all = names_in(program, std::iter::once(foreign.ty));
            let has_closures = ["Fn", "FnMut", "FnOnce"].iter().any(|it| all.contains(*it));
            let words = foreign.ty.words().filter(|it| {
                is_waker_type(Ty::read(it))
                    || program.is_parameter(it)
                    || program.knows_trait(it)
                    || has_closures && program.knows_type(it)
            });
            own.into_iter().chain(words.map(str::to_owned)).collect()
        }
        ForeignKind::Waker => names_of(is_waker).into_iter().map(str::to_owned).collect(),
        ForeignKind::Elsewhere => Vec::new(),
    };
    // What is in a generic owner, whoever has that says.
    let above = held.lock.as_ref().and_then(|it| field_above(program, it));
    let within = names_within(program, last(&of)).into_iter().chain(names_in(program, above.into_iter()));
    within.into_iter().any(|it| names.contains(&it))
}

/// The type of the field in which the owner of a lock is, as it is written, if it is made of another one.
fn field_above(program: &Program, lock: &AccessPath) -> Option<Ty> {
    let fields = fields(lock);
    let (outer, number) = *fields.get(fields.len().checked_sub(2)?)?;
    let ty = program.fields(outer).nth(number as usize)?.ty;
    ty.text().contains('<').then_some(ty)
}

/// What code outside of the workspace may do while the lock is held.
fn outside(facts: &Facts<'_>, id: FunctionId, held: &HeldOver<'_>) -> Option<Hit> {
    let program = facts.program;
    let foreign = held.of.foreign;
    let own = last(&program.item(id)).to_owned();
    let is_elsewhere = foreign.kind == ForeignKind::Elsewhere;
    if !foreign.is_open || is_recursion(program, id, &foreign.kind) || is_elsewhere && !held.is_once {
        return None;
    }
    if foreign.kind == ForeignKind::Waker {
        return woken(facts, held);
    }
    let lock = held.lock.as_ref()?;
    // The object itself is handed to what runs: what else would that do than to use it?
    let of_lock = fields(lock);
    for handed in held.of.handed.iter().filter(|it| it.root == lock.root) {
        let before = fields(handed);
        let Some(rest) = of_lock.strip_prefix(before.as_slice()).filter(|it| !it.is_empty()) else {
            continue;
        };
        if let Some((method, it)) = taken_by(facts, rest, held).next() {
            let certainty = if held.certain { Certainty::Usually } else { Certainty::Doubt };
            return Some(handed_over(program, held, (method, it), certainty));
        }
    }
    if is_elsewhere || held.is_lent || !may_lead_back(program, held) {
        return None;
    }
    let rest = of_lock.last().map(std::slice::from_ref)?;
    let (method, it) = taken_by(facts, rest, held).find(|(it, _)| last(&program.item(*it)) != own)?;
    Some(handed_over(program, held, (method, it), Certainty::Doubt))
}

/// A waker that is called under a lock. Few executors poll at once, so that one lock alone tells nothing, but where it spins or where the
/// program has wakers that run what others give them: that may take the lock.
fn woken(facts: &Facts<'_>, held: &HeldOver<'_>) -> Option<Hit> {
    let program = facts.program;
    let is_taken = || {
        let class = held.class(program);
        let takes = |id: FunctionId| {
            let mut reached = facts.reached().of_body(id).filter(|it| !it.is_foreign);
            reached.any(|it| {
                Some(&it.class) == class.as_ref() && conflict(held.mode, it.mode) == Some(Certainty::Definite)
            })
        };
        let is_reachable = |id| program.is_open(id);
        class.is_some() && program.functions().any(|(id, _)| is_reachable(id) && takes(id))
    };
    // The program has wakers that run what others give them.
    let runs_given = || {
        let targets = held.of.foreign.targets.iter();
        targets.flat_map(|it| facts.foreign().in_body(*it)).any(|it| it.is_open)
    };
    let is_alone = || runs_given() && !is_own_waker(program, held) && is_taken();
    if !(held.spins && held.certain || held.locks > 1 || is_alone()) {
        return None;
    }
    let lock = binding(program, held);
    let mut related = vec![(held.acquired.clone(), "held from here".to_owned())];
    let at = run_at(program, held);
    let primary = at.unwrap_or_else(|| related.remove(0).0);
    Some(Hit {
        certainty: Certainty::Doubt,
        message: format!(
            "tasks are woken while {lock} is held: a task that is polled at once and requests it waits \
             forever"
        ),
        primary: (primary, "woken here, under the lock".to_owned()),
        related,
        advice: "take the wakers out under the lock, and wake them after releasing it".to_owned(),
    })
}

/// Whether it is the waker of the task that is polled just now: nobody polls that again before it comes back.
fn is_own_waker(program: &Program, held: &HeldOver<'_>) -> bool {
    let function = program.function(held.of.foreign.body);
    let woken = function.call(held.of.foreign.block).and_then(|(call, _)| call.place(0));
    let from = woken.and_then(|it| source(function, &Slot::at(it))).and_then(|it| function.call(it));
    from.is_some_and(|(_, callee)| callee.name() == "waker" && callee.path().contains("Context"))
}

/// The methods that others can call and that take a lock which is reached from their own object by these fields.
fn taken_by<'a>(
    facts: &'a Facts<'_>,
    rest: &'a [(&str, u32)],
    held: &'a HeldOver<'_>,
) -> impl Iterator<Item = (FunctionId, &'a Reach)> {
    let program = facts.program;
    let class = held.class(program);
    let methods = program.functions().filter(|(_, it)| it.kind == Kind::Function);
    methods.filter_map(move |(id, _)| {
        let found = facts.reached().of_body(id).find(|it| {
            !it.is_foreign
                && Some(&it.class) == class.as_ref()
                && conflict(held.mode, it.mode) == Some(Certainty::Definite)
                && it.lock.as_ref().is_some_and(|it| it.root == Root::Argument(1) && fields(it) == rest)
        })?;
        let is_reachable = program.is_open(id);
        let is_own_drop = program.is_drop(id);
        (is_reachable && !is_own_drop).then_some((id, found))
    })
}

/// What a person calls what runs.
fn name(held: &HeldOver<'_>) -> String {
    match &held.of.foreign.kind {
        ForeignKind::Callback => "a callback".to_owned(),
        ForeignKind::Method(method) => format!("`{method}`"),
        ForeignKind::Drop => "the `Drop` of a value".to_owned(),
        ForeignKind::Waker => "a waker".to_owned(),
        ForeignKind::Elsewhere => "code from another crate".to_owned(),
    }
}

fn binding(program: &Program, held: &HeldOver<'_>) -> String {
    let named = match held.acquired {
        CodeRef::Site(number) => program.site(number).and_then(|it| it.binding.clone()),
        _ => None,
    };
    named.map_or_else(|| "a lock".to_owned(), |it| format!("`{it}`"))
}

/// Where the foreign code is run, if that can be shown.
fn run_at(program: &Program, held: &HeldOver<'_>) -> Option<CodeRef> {
    let foreign = held.of.foreign;
    let function = program.function(foreign.body);
    // What is dropped has a place where it came from.
    let block = match function.body.block(foreign.block).map(|it| &it.terminator) {
        Some(Terminator::Drop { place, .. }) => source(function, &Slot::at(place))?,
        _ => foreign.block,
    };
    Some(call_ref(program, foreign.body, block)).filter(|it| !matches!(it, CodeRef::Item(_)))
}

const ADVICE: &str = "release the lock first: take out what is needed, such as clones of the callbacks or the replaced value, and run or \
                      drop it once the guard is gone";

fn requested(program: &Program, held: &HeldOver<'_>, request: &Reach, certainty: Certainty) -> Hit {
    let (lock, name) = (binding(program, held), name(held));
    let mut related = vec![(held.acquired.clone(), "held from here".to_owned())];
    related.extend(
        held.through.clone().map(|it| (it, "this call takes the lock and returns its guard".to_owned())),
    );
    let runs = if held.of.foreign.kind == ForeignKind::Drop {
        "the value dropped under the lock comes from here".to_owned()
    } else {
        format!("{name} runs here while it is held")
    };
    related.extend(run_at(program, held).map(|it| (it, runs)));
    let message = if held.is_part {
        format!(
            "{name} runs while a map entry is held, and accesses the map: this waits forever if both keys \
             are in the same shard"
        )
    } else if certainty == Certainty::Doubt {
        format!("{name} runs while {lock} is held, and may lock it again: this then waits forever")
    } else {
        format!("{name} runs while {lock} is held, and locks it again: this waits forever")
    };
    Hit {
        certainty,
        message,
        primary: (request.place.clone(), "requested again here".to_owned()),
        related,
        advice: ADVICE.to_owned(),
    }
}

fn handed_over(
    program: &Program,
    held: &HeldOver<'_>,
    (method, request): (FunctionId, &Reach),
    certainty: Certainty,
) -> Hit {
    let (lock, name) = (binding(program, held), name(held));
    let method = program.item(method);
    let message = if certainty == Certainty::Doubt {
        format!("{name} runs while {lock} is held: if it calls `{method}`, this waits forever")
    } else {
        format!("{name} is passed the owner of {lock} while it is held: `{method}` then waits forever")
    };
    let mut related = vec![(request.place.clone(), format!("`{method}` requests it here"))];
    let primary = match run_at(program, held) {
        Some(at) => {
            related.insert(0, (held.acquired.clone(), "held from here".to_owned()));
            (at, format!("{name} runs here"))
        }
        None => (held.acquired.clone(), format!("held from here, while {name} runs")),
    };
    Hit { certainty, message, primary, related, advice: ADVICE.to_owned() }
}
