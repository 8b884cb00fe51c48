//! Who waits for a reply puts the sender of it into a shared map, and a loop that answers takes it out again. The loop can end, and then
//! nobody clears the map: who still waits for a reply waits for ever.
//!
//! Nothing is reported where the wait has a time limit, where anything else takes senders out of the map, and where the loop receives from a
//! channel that the program itself makes: that may end only when nobody is left who could wait.

use super::super::cancel_unsafe::droppable;
use super::super::{Certainty, Hit};
use crate::body::paths::Paths;
use crate::body::provenance::source;
use crate::body::{FunctionId, owner};
use crate::mir::{BlockId, Place, Projection, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::program::abstract_object::{AbstractObject, AbstractObjects, before_field};
use crate::program::channels::{Channel, ChannelId, end};
use crate::program::code_ref::{await_ref, call_or_await, call_ref};
use std::collections::{BTreeMap, BTreeSet};

/// The types of maps.
const MAPS: [&str; 4] = ["HashMap", "BTreeMap", "DashMap", "IndexMap"];

/// What is done with the senders in a map.
#[derive(Clone, Debug, Default)]
struct Uses {
    /// Calls that put one in.
    puts: BTreeSet<(FunctionId, BlockId)>,
    /// Calls that take the one of a key out.
    takes: BTreeSet<(FunctionId, BlockId)>,
    /// Whether there is anything else that may take some out.
    is_cleared: bool,
}

/// The wait for a reply.
struct Wait {
    function: FunctionId,
    poll: BlockId,
    put: BlockId,
}

/// Finds such waits.
pub(super) fn check(
    program: &Program,
    objects: &AbstractObjects<'_>,
    channels: &BTreeMap<ChannelId, Channel>,
) -> Vec<Hit> {
    let own: BTreeSet<FunctionId> =
        channels.values().flat_map(|it| &it.receives).map(|it| it.function).collect();
    let mut hits = Vec::new();
    for (object, uses) in uses(program, objects).into_iter().filter(|(_, it)| !it.is_cleared) {
        // Who asks may take back what it has put in, if it could not ask.
        let asks = |it: FunctionId| uses.puts.iter().any(|put| put.0 == it);
        let takes: Vec<_> = uses.takes.iter().filter(|it| !asks(it.0)).collect();
        let Some(&&(answers, take)) = takes.first() else { continue };
        let is_own = matches!(&object, AbstractObject::Value(of, _) if *of == answers);
        let is_one = takes.iter().all(|it| it.0 == answers);
        if !is_one || is_own || own.contains(&answers) || !takes.iter().all(|it| ends(program, answers, it.1))
        {
            continue;
        }
        for wait in uses.puts.iter().filter_map(|(function, put)| wait(program, *function, *put)) {
            hits.push(hit(program, answers, take, &wait));
        }
    }
    hits
}

fn hit(program: &Program, answers: FunctionId, take: BlockId, wait: &Wait) -> Hit {
    let take = call_or_await(program, answers, take);
    Hit {
        certainty: Certainty::Usually,
        message: "this waits for a reply whose sender stays in a map when the loop that answers has ended".to_owned(),
        primary: (await_ref(program, wait.function, wait.poll), "waits for ever".to_owned()),
        related: vec![
            (call_ref(program, wait.function, wait.put), "the sender is put into the map here".to_owned()),
            (take, "and taken out only here, in a loop that can end".to_owned()),
        ],
        advice: "clear the map behind the loop: who waits learns from the drop of the sender that no reply will come".to_owned(),
    }
}

/// What is done with each map of senders of replies.
fn uses(program: &Program, objects: &AbstractObjects<'_>) -> BTreeMap<AbstractObject, Uses> {
    let mut found: BTreeMap<AbstractObject, Uses> = BTreeMap::new();
    let mut elsewhere = BTreeSet::new();
    for (id, function) in program.functions() {
        for (block, body) in function.blocks().filter(|(_, it)| !it.cleanup) {
            for statement in &body.statements {
                let Statement::Assign(into, value) = statement else { continue };
                // A new map where one was: the senders in that are gone.
                let new = into.projections.contains(&Projection::Deref)
                    && function.type_of(into).is_some_and(has_senders)
                    && !matches!(value, Rvalue::Reference(..));
                elsewhere.extend(new.then(|| object(program, objects, id, into)).flatten());
            }
            let Terminator::Call(call) = &body.terminator else { continue };
            let Some((_, callee)) = function.call(block) else { continue };
            let of_map = MAPS.contains(&owner(program.callee_path(function, block)));
            for (at, place) in
                call.arguments.iter().enumerate().filter_map(|(at, it)| Some((at, it.place()?)))
            {
                let ty = function.type_of(place).unwrap_or_default();
                if !has_senders(ty) {
                    continue;
                }
                let Some(object) = object(program, objects, id, place) else { continue };
                match callee.name() {
                    "insert" if of_map && at == 0 => {
                        found.entry(object).or_default().puts.insert((id, block));
                    }
                    "remove" | "remove_entry" if of_map && at == 0 => {
                        found.entry(object).or_default().takes.insert((id, block));
                    }
                    "len" | "is_empty" | "contains_key" | "get" | "reserve" if of_map => {}
                    _ if is_way(callee.name()) || callee.hands_on() => {}
                    _ => {
                        elsewhere.insert(object);
                    }
                }
            }
        }
    }
    for object in elsewhere {
        found.entry(object).or_default().is_cleared = true;
    }
    found
}

/// Whether a function only leads to a map: through locks, pointers and copies of pointers.
fn is_way(name: &str) -> bool {
    matches!(
        name,
        "new"
            | "clone"
            | "deref"
            | "deref_mut"
            | "lock"
            | "read"
            | "write"
            | "unwrap"
            | "expect"
            | "unwrap_or_else"
            | "into_future"
            | "poll"
            | "new_unchecked"
            | "get_context"
            | "drop"
            | "as_ref"
            | "into_inner"
    )
}

/// Whether a type is, leads to or guards a map of senders of replies.
fn has_senders(ty: &str) -> bool {
    ty.contains("oneshot::Sender<") && MAPS.iter().any(|it| ty.contains(it))
}

/// The abstract object of a map, before it was put into a field.
fn object(
    program: &Program,
    objects: &AbstractObjects<'_>,
    id: FunctionId,
    place: &Place,
) -> Option<AbstractObject> {
    Some(before_field(program, objects, objects.object(id, place)?))
}

/// Whether a block is in a loop of the body, and the body comes to an end after it.
fn ends(program: &Program, id: FunctionId, block: BlockId) -> bool {
    let function = program.function(id);
    let paths = Paths::of(function);
    paths.repeats(block) && paths.after(block).into_iter().any(|it| function.returns_at(it))
}

/// The wait for the reply whose sender is put into a map there, if it is the same body's and has no time limit that is seen.
fn wait(program: &Program, id: FunctionId, put: BlockId) -> Option<Wait> {
    let function = program.function(id);
    let paths = Paths::of(function);
    let poll = function.suspensions.iter().find_map(|it| {
        let poll = it.poll.filter(|it| paths.leads(put, *it))?;
        let made = source(function, it.awaited.as_ref()?)?;
        let is_reply = program.callee_path(function, made).ends_with("oneshot::channel");
        (is_reply && end(function, made, 0).gone.contains(&put)).then_some(poll)
    })?;
    let is_limited = program.functions().any(|(caller, function)| {
        droppable(program, caller, function).into_iter().any(|(block, ..)| {
            let called = program.called(function, block).and_then(|it| program.machine_made_by(it));
            called.is_some_and(|(it, _)| it == id)
        })
    });
    (!is_limited).then_some(Wait { function: id, poll, put })
}
