//! `double-lock`: a lock is requested while the same task or thread holds it.
//!
//! It is the same lock if its access path is the same: the same field of the same argument, captured value, static or local. An element
//! of a collection is never known to be the same.
//!
//! Maps that lock one shard for each entry they return are [distinguished](sharded). A future may [return](handed_out) the guard of a
//! lock that its `Drop` requests. A worker of a pool may run [other work](stolen) while it waits.

mod foreign;
mod handed_out;
mod kept;
mod sharded;
mod stolen;
mod stored;

pub(super) use self::foreign::RULE as FOREIGN;
use self::kept::leads_back;
use super::{Certainty, CodeRef, Hit, Rule, ShownBy};
use crate::body::{Function, FunctionId};
use crate::facts::Facts;
use crate::facts::calls::LockClass;
use crate::marker::Number;
use crate::program::Program;
use crate::program::code_ref::call_or_await;
use crate::program::locks::{BodyDependency, Mode, passes_a_choice};
use std::collections::BTreeSet;

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "double-lock",
    property: "double-lock",
    doc: "A lock is requested while the same task or thread holds it.",
    shown_by: ShownBy::Run("a task or thread waits for a lock that it holds"),
    check,
};

/// Finds such requests.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let written = written(program);
    let mut hits: Vec<Hit> =
        program.functions().flat_map(|(id, function)| of_function(program, &written, id, function)).collect();
    hits.extend(sharded::check(program));
    hits.extend(handed_out::check(program));
    hits.extend(stolen::check(program));
    hits
}

/// The locks that some code takes for writing: a reader that comes between two reads waits behind it.
fn written(program: &Program) -> BTreeSet<LockClass> {
    let requests = program.functions().filter(|(id, _)| !program.is_test(*id));
    let requests = requests.flat_map(|(id, _)| program.locks().requests(id));
    let written = requests.filter(|(_, it)| it.mode == Mode::Write && !it.is_inner);
    written.filter_map(|(_, it)| LockClass::of(program, &it.lock)).collect()
}

fn of_function(
    program: &Program,
    written: &BTreeSet<LockClass>,
    id: FunctionId,
    function: &Function,
) -> Vec<Hit> {
    let dependencies = program.locks().dependencies(program, id).into_iter();
    let hits = dependencies.filter_map(
        |BodyDependency { block, held, certain, request, held_through, requested_through, .. }| {
            let is_part = held.is_part || request.is_part;
            if is_part || held.lock != request.lock && !leads_back(program, &held.lock, &request.lock) {
                return None;
            }
            let by_mode = match conflict(held.mode, request.mode)? {
                Certainty::Doubt
                    if LockClass::of(program, &held.lock).is_some_and(|it| written.contains(&it)) =>
                {
                    Certainty::Usually
                }
                known => known,
            };
            let by_way = match (certain, request.is_inner) {
                (false, _) => Certainty::Doubt,
                (true, false) => Certainty::Definite,
                (true, true) if !request.always && passes_a_choice(function, block) => Certainty::Doubt,
                (true, true) => Certainty::Usually,
            };
            let (first, second) = (site(held.place.as_ref())?, site(request.place.as_ref())?);
            let mut found = hit(program, (first, held.mode), (second, request.mode), by_mode.min(by_way));
            if first != second {
                // The places in helpers tell nothing of who calls them.
                let calls = [
                    (held_through, "this call takes the lock and returns its guard"),
                    (requested_through, "this call requests it again"),
                ];
                for (call, label) in calls {
                    let at = call.map(|(id, block)| call_or_await(program, id, block));
                    let at = at.filter(|it| !matches!(it, CodeRef::Item(_)));
                    found.related.extend(at.map(|it| (it, label.to_owned())));
                }
                return Some(found);
            }
            // One place that is come to again: by a call, as of the body itself. In a loop it may be another guard.
            let (id, block) = requested_through.filter(|_| certain)?;
            let primary = (call_or_await(program, id, block), "this call requests it again".to_owned());
            Some(Hit { primary, ..found })
        },
    );
    hits.collect()
}

/// The site that a place is.
fn site(place: Option<&CodeRef>) -> Option<Number> {
    match place? {
        CodeRef::Site(number) => Some(*number),
        _ => None,
    }
}

/// How bad it is to request a lock in the second mode while it is held in the first one.
pub(super) const fn conflict(held: Mode, requested: Mode) -> Option<Certainty> {
    match (held, requested) {
        (Mode::Write, _) | (_, Mode::Write) | (Mode::Upgradable, Mode::Upgradable) => {
            Some(Certainty::Definite)
        }
        // It waits only if a writer came in between.
        (Mode::Read | Mode::ReadRecursive, Mode::Read) => Some(Certainty::Doubt),
        _ => None,
    }
}

fn hit(program: &Program, first: (Number, Mode), second: (Number, Mode), certainty: Certainty) -> Hit {
    let name = program.site(second.0).and_then(|it| it.binding.clone());
    let name = name.map_or_else(|| "the lock".to_owned(), |it| format!("`{it}`"));
    let reading = second.1 == Mode::Read && first.1 != Mode::Write;
    let message = if reading {
        format!(
            "{name} is locked for reading again while it is held: this waits forever if a writer waits in between"
        )
    } else if certainty == Certainty::Doubt {
        format!("{name} may be locked again while it is held: this then waits forever")
    } else {
        format!("{name} is locked again while it is held: this waits forever")
    };
    Hit {
        certainty,
        message,
        primary: (CodeRef::Site(second.0), "requested again here".to_owned()),
        related: vec![(CodeRef::Site(first.0), "still held from here".to_owned())],
        advice: "drop the first guard before the second request: bind what is needed to a variable in a \
                 separate statement, or pass the guard on"
            .to_owned(),
    }
}
