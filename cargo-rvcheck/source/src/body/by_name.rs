//! What functions of a name do, by the rows of all types that have one: for where the type is not known, or does not matter.

use crate::body::callee::is_mark;
use crate::body::{Callee, owner};
use crate::ty::{Ty, last};
use rvcheck_primitives::{
    Action, Adapter, Does, Holds, Inert, Is, Operation, Part, adapter, adapters_named, holds, is_inert, named,
};

fn adapts(name: &str, is_so: impl Fn(&Adapter) -> bool) -> bool {
    adapters_named(name).iter().any(|it| is_so(it))
}

/// Whether an operation of that name does that, of whatever it is.
pub(crate) fn any_named(name: &str, does: impl Fn(&Operation) -> bool) -> bool {
    named(name).iter().any(|it| does(it.operation))
}

/// Whether the result is a view of what it is called on: `deref`, `as_ref`.
pub(crate) fn views(name: &str) -> bool {
    adapts(name, |it| it.does == Does::Views)
}

/// Whether the result is another handle to the same thing: `clone`, `downgrade`.
pub(crate) fn shares(name: &str) -> bool {
    adapts(name, |it| it.does == Does::Shares)
}

/// Whether the result is made of what it is given and has it: `new`, `pin`, `from`.
pub(crate) fn wraps(name: &str) -> bool {
    adapts(name, |it| it.does == Does::Wraps)
}

/// Whether the result has the whole value or a copy of it, or what is in it: `to_vec`, `clone`, `unwrap`.
pub(crate) fn carries(callee: &Callee) -> bool {
    let name = callee.name();
    let named = adapters_named(name);
    let is_so = || !named.is_empty() && named.iter().all(|it| it.is_transparent());
    opens(name) || adapter(owner(&callee.path), name).map_or_else(is_so, Adapter::is_transparent)
}

/// Whether the result has what is in an `Ok` or `Some`, or something in its place: `unwrap`, `ok_or`, and the `branch` of a `?`.
pub(crate) fn opens(name: &str) -> bool {
    let is_value = |it: Does| matches!(it, Does::Keeps(Part::Ok | Part::Some | Part::OkOr));
    adapts(name, |it| is_value(it.does)) || name == "branch"
}

/// Whether the result is a view of a part of what it is called on, for sure: `entry`, `index`.
pub(crate) fn reaches(name: &str) -> bool {
    adapts(name, |it| it.does == Does::Reaches)
}

/// Whether the result is a view of an element, if there is one: `get`, `first`.
pub(crate) fn finds(name: &str) -> bool {
    adapts(name, |it| it.does == Does::Finds)
}

/// Whether the result goes over the elements: `iter`, `values`.
pub(crate) fn iterates(name: &str) -> bool {
    adapts(name, |it| it.does == Does::Iterates)
}

/// Whether the result is an element that what it is called on has no more: `pop`, `remove`, `next`.
pub(crate) fn takes_element(name: &str) -> bool {
    adapts(name, |it| it.does == Does::Takes(Part::Element) && it.stores.is_none())
        && !adapts(name, |it| it.does == Does::Takes(Part::Some))
}

/// Whether something is taken out of what it is called on: as [`takes_element`], or `take`, `drain`, `replace`.
pub(crate) fn takes(name: &str) -> bool {
    adapts(name, |it| matches!(it.does, Does::Takes(_)))
}

/// Whether the result is what an option or a cell had in it: `take`, `replace`.
pub(crate) fn takes_out(name: &str) -> bool {
    adapts(name, |it| matches!(it.does, Does::Takes(Part::Some | Part::Inside)))
}

/// Whether something is put in only where nothing is there yet: `get_or_insert`.
pub(crate) fn keeps_first(name: &str) -> bool {
    adapts(name, |it| it.keeps_first)
}

/// Whether it runs a closure that it is given, and gives what that does, or something in its place: `map`, `is_some_and`.
pub(crate) fn runs_given(name: &str) -> bool {
    adapts(name, |it| it.calls.is_some())
}

/// Whether an argument is put into what it is called on: `push`, `insert`.
pub(crate) fn stores(name: &str) -> bool {
    adapts(name, |it| it.stores.is_some())
}

/// Whether elements go that nobody is given: `clear`, `retain`.
pub(crate) fn empties(name: &str) -> bool {
    adapts(name, |it| it.does == Does::Empties)
}

/// Whether it puts an argument into a collection.
pub(crate) fn grows(name: &str) -> bool {
    adapts(name, |it| it.stores.is_some() && is_collection(it))
}

/// Whether a collection has less in it afterwards: what `takes` or `empties` one.
pub(crate) fn shrinks(name: &str) -> bool {
    let takes = |it: &Adapter| matches!(it.does, Does::Takes(_)) && it.stores.is_none();
    empties(name) || adapts(name, |it| takes(it) && is_collection(it))
}

fn is_collection(adapter: &Adapter) -> bool {
    holds(adapter.of).is_some_and(Holds::is_collection)
}

/// Whether it says which variant something is, or how many there are: `is_some`, `len`.
pub(crate) fn tells(name: &str) -> bool {
    adapts(name, |it| it.does == Does::Keeps(Part::Variant))
}

/// Whether it does nothing to what it is given but to let go of it.
pub(crate) fn drops(name: &str) -> bool {
    adapts(name, |it| matches!(it.does, Does::Drops | Does::Forgets))
}

/// Whether what is in a value is in the result at the end of the same steps: `as_ref`, `boxed`, `context`, and the marks of sites.
pub(crate) fn keeps_parts(name: &str) -> bool {
    is_mark(name) || adapts(name, |it| it.as_is)
}

/// Whether it says nothing of what is in a value, nor keeps that: `len`, `clear`, `forget`.
pub(crate) fn says_nothing(name: &str) -> bool {
    adapts(name, |it| match it.does {
        Does::Looks | Does::Empties | Does::Drops | Does::Forgets => it.calls.is_none(),
        Does::Keeps(Part::Variant) => it.calls.is_none() && (is_collection(it) || it.of == "Iterator"),
        _ => false,
    })
}

/// Whether it gives an iterator that is made of the one that it is called on: `map`, `rev`.
pub(crate) fn adapts_iterator(name: &str) -> bool {
    let is_lazy = |it: &Adapter| !it.drains && !it.calls_at_once();
    let gives_one = |it: Does| matches!(it, Does::Passes | Does::Maps | Does::Shares | Does::Views);
    adapts(name, |it| it.of == "Iterator" && is_lazy(it) && gives_one(it.does))
}

/// Whether it waits for a lock: `lock`, `read`, `write`.
pub(crate) fn locks(name: &str) -> bool {
    named(name).iter().any(|it| {
        matches!(it.operation.action, Action::Request(_))
            && matches!(it.owner.is, Is::Lock(_))
            && it.operation.may_wait()
    })
}

/// Whether it requests a lock, be it without waiting.
pub(crate) fn requests(name: &str) -> bool {
    let is_lock = |it: Is| matches!(it, Is::Lock(_));
    named(name).iter().any(|it| matches!(it.operation.action, Action::Request(_)) && is_lock(it.owner.is))
}

/// Whether it tells those who watch a value that it is another one.
pub(crate) fn publishes(name: &str) -> bool {
    let is_watched = |it: Is| matches!(it, Is::End(end) if !end.queues);
    named(name).iter().any(|it| it.operation.action == Action::Send && is_watched(it.owner.is))
}

/// Whether it asks how things are, and changes nothing: `load`, `is_closed`. Not what collections have, too.
pub(crate) fn asks(name: &str) -> bool {
    let asks = any_named(name, |it| it.action == Action::Load) || is_inert(name, Inert::Asks);
    asks && !finds(name) && !tells(name)
}

/// Whether it writes a flag or a number, whatever it gives: `store`, `fetch_add`.
pub(crate) fn writes_flag(name: &str) -> bool {
    let of_flag = named(name).iter().filter(|it| matches!(it.owner.is, Is::Flag(_)));
    of_flag.into_iter().any(|it| matches!(it.operation.action, Action::Store | Action::Swap))
}

/// Whether it puts a limit of time on what it is given.
pub(crate) fn limits(name: &str) -> bool {
    any_named(name, |it| it.action == Action::Limit && it.is_limited)
}

/// Whether it closes something, so that nothing more comes in.
pub(crate) fn closes(name: &str) -> bool {
    any_named(name, |it| it.action == Action::Close)
}

/// Whether it gives another receiving end of the channel that it is asked of.
pub(crate) fn subscribes(name: &str) -> bool {
    any_named(name, |it| it.action == Action::Subscribe)
}

/// Whether it ends a task or process from outside.
pub(crate) fn aborts(name: &str) -> bool {
    named(name).iter().any(|it| it.operation.action == Action::Abort && it.owner.is != Is::Token)
}

/// Whether the function of that path does nothing but drop what it is given, and is no method.
pub(crate) fn is_drop(path: &str) -> bool {
    let of = path.rsplit("::").nth(1).unwrap_or_default();
    last(path) == "drop" && (of.is_empty() || of == "mem")
}

/// How a type holds what it is made with, whatever its path is.
pub(crate) fn holds_by(ty: Ty) -> Option<Holds> {
    holds(ty.name())
}

/// Whether a type is one of several pointers to the same thing.
pub(crate) fn is_counted(ty: Ty) -> bool {
    holds_by(ty) == Some(Holds::Counted)
}
