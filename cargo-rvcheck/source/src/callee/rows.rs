//! What functions of a name do, by the rows of all types that have one: for where the type is not known, or does not matter.

use super::Callee;
use rvcheck_primitives::{Action, Adapter, Does, Holds, Inert, Is, Operation, Part, Waits, holds, is_inert};

impl Callee {
    fn adapts(self, is_so: impl Fn(&Adapter) -> bool) -> bool {
        self.0.adapters.iter().any(|it| is_so(it))
    }

    /// Whether an operation of that name does that, of whatever it is.
    pub(crate) fn may(self, does: impl Fn(&Operation) -> bool) -> bool {
        self.rows().iter().any(|it| does(it.operation))
    }

    /// Whether the result is a view of what it is called on: `deref`, `as_ref`.
    pub(crate) fn views(self) -> bool {
        self.adapts(|it| it.does == Does::Views)
    }

    /// Whether the result is another handle to the same thing: `clone`, `downgrade`.
    pub(crate) fn shares(self) -> bool {
        self.adapts(|it| it.does == Does::Shares)
    }

    /// Whether the result leads to what it is called on, or to what is in that: as [`views`](Callee::views) and
    /// [`shares`](Callee::shares) do, or by opening or locking it.
    pub(crate) fn leads_on(self) -> bool {
        self.views() || self.shares() || self.opens() || self.locks()
    }

    /// Whether the result is made of what it is given and has it: `new`, `pin`, `from`.
    pub(crate) fn wraps(self) -> bool {
        self.adapts(|it| it.does == Does::Wraps)
    }

    /// Whether the result has the whole value or a copy of it, or what is in it: `to_vec`, `clone`, `unwrap`.
    pub(crate) fn carries(self) -> bool {
        let named = self.0.adapters;
        let all = || !named.is_empty() && named.iter().all(|it| it.is_transparent());
        self.opens() || self.adapter().map_or_else(all, Adapter::is_transparent)
    }

    /// Whether the result has what is in an `Ok` or `Some`, or something in its place: `unwrap`, `ok_or`, and the `branch` of a `?`.
    pub(crate) fn opens(self) -> bool {
        let is_value = |it: Does| matches!(it, Does::Keeps(Part::Ok | Part::Some | Part::OkOr));
        self.adapts(|it| is_value(it.does)) || self.is_branch()
    }

    /// Whether the result is a view of a part of what it is called on, for sure: `entry`, `index`.
    pub(crate) fn reaches(self) -> bool {
        self.adapts(|it| it.does == Does::Reaches)
    }

    /// Whether the result is a view of an element, if there is one: `get`, `first`.
    pub(crate) fn finds(self) -> bool {
        self.adapts(|it| it.does == Does::Finds)
    }

    /// Whether the result goes over the elements: `iter`, `values`.
    pub(crate) fn iterates(self) -> bool {
        self.adapts(|it| it.does == Does::Iterates)
    }

    /// Whether the result is an element that what it is called on has no more: `pop`, `remove`, `next`.
    pub(crate) fn takes_element(self) -> bool {
        self.adapts(|it| it.does == Does::Takes(Part::Element) && it.stores.is_none())
            && !self.adapts(|it| it.does == Does::Takes(Part::Some))
    }

    /// Whether something is taken out of what it is called on: as [`takes_element`](Callee::takes_element), or `take`, `drain`, `replace`.
    pub(crate) fn takes(self) -> bool {
        self.adapts(|it| matches!(it.does, Does::Takes(_)))
    }

    /// Whether the result is what an option or a cell had in it: `take`, `replace`.
    pub(crate) fn takes_out(self) -> bool {
        self.adapts(|it| matches!(it.does, Does::Takes(Part::Some | Part::Inside)))
    }

    /// Whether something is put in only where nothing is there yet: `get_or_insert`.
    pub(crate) fn keeps_first(self) -> bool {
        self.adapts(|it| it.keeps_first)
    }

    /// Whether it runs a closure that it is given, and gives what that does, or something in its place: `map`, `is_some_and`.
    pub(crate) fn runs_given(self) -> bool {
        self.adapts(|it| it.calls.is_some())
    }

    /// Whether an argument is put into what it is called on: `push`, `insert`.
    pub(crate) fn stores(self) -> bool {
        self.adapts(|it| it.stores.is_some())
    }

    /// Whether elements go that nobody is given: `clear`, `retain`.
    pub(crate) fn empties(self) -> bool {
        self.adapts(|it| it.does == Does::Empties)
    }

    /// Whether it puts an argument into a collection.
    pub(crate) fn grows(self) -> bool {
        self.adapts(|it| it.stores.is_some() && is_collection(it))
    }

    /// Whether a collection has less in it afterwards: what `takes` or `empties` one.
    pub(crate) fn shrinks(self) -> bool {
        let takes = |it: &Adapter| matches!(it.does, Does::Takes(_)) && it.stores.is_none();
        self.empties() || self.adapts(|it| takes(it) && is_collection(it))
    }

    /// Whether it says which variant something is, or how many there are: `is_some`, `len`.
    pub(crate) fn tells(self) -> bool {
        self.adapts(|it| it.does == Does::Keeps(Part::Variant))
    }

    /// Whether it does nothing to what it is given but to let go of it.
    pub(crate) fn drops(self) -> bool {
        self.adapts(|it| matches!(it.does, Does::Drops | Does::Forgets))
    }

    /// Whether what is in a value is in the result at the end of the same steps: `as_ref`, `boxed`, `context`, and the marks of sites.
    pub(crate) fn keeps_parts(self) -> bool {
        self.is_mark() || self.adapts(|it| it.as_is)
    }

    /// Whether it says nothing of what is in a value, nor keeps that: `len`, `clear`, `forget`.
    pub(crate) fn says_nothing(self) -> bool {
        self.adapts(|it| match it.does {
            Does::Looks | Does::Empties | Does::Drops | Does::Forgets => it.calls.is_none(),
            Does::Keeps(Part::Variant) => it.calls.is_none() && (is_collection(it) || it.of == "Iterator"),
            _ => false,
        })
    }

    /// Whether it gives an iterator that is made of the one that it is called on: `map`, `rev`.
    pub(crate) fn adapts_iterator(self) -> bool {
        let is_lazy = |it: &Adapter| !it.drains && !it.calls_at_once();
        let gives_one = |it: Does| matches!(it, Does::Passes | Does::Maps | Does::Shares | Does::Views);
        self.adapts(|it| it.of == "Iterator" && is_lazy(it) && gives_one(it.does))
    }

    /// Whether it waits for a lock: `lock`, `read`, `write`.
    pub(crate) fn locks(self) -> bool {
        self.rows().iter().any(|it| {
            matches!(it.operation.action, Action::Request(_))
                && matches!(it.owner.is, Is::Lock(_))
                && it.operation.may_wait()
        })
    }

    /// Whether it requests a lock, be it without waiting.
    pub(crate) fn requests(self) -> bool {
        let is_lock = |it: Is| matches!(it, Is::Lock(_));
        self.rows().iter().any(|it| matches!(it.operation.action, Action::Request(_)) && is_lock(it.owner.is))
    }

    /// Whether it tells those who watch a value that it is another one.
    pub(crate) fn publishes(self) -> bool {
        let is_watched = |it: Is| matches!(it, Is::End(end) if !end.queues);
        self.rows().iter().any(|it| it.operation.action == Action::Send && is_watched(it.owner.is))
    }

    /// Whether it asks how things are, and changes nothing: `load`, `is_closed`. Not what collections have, too.
    pub(crate) fn asks(self) -> bool {
        let asks = self.may(|it| it.action == Action::Load) || is_inert(self.name(), Inert::Asks);
        asks && !self.finds() && !self.tells()
    }

    /// Whether it writes a flag or a number, whatever it gives: `store`, `fetch_add`.
    pub(crate) fn writes_flag(self) -> bool {
        let of_flag = self.rows().iter().filter(|it| matches!(it.owner.is, Is::Flag(_)));
        of_flag.into_iter().any(|it| matches!(it.operation.action, Action::Store | Action::Swap))
    }

    /// Whether it puts a limit of time on what it is given.
    pub(crate) fn limits(self) -> bool {
        self.may(|it| it.action == Action::Limit && it.is_limited)
    }

    /// Whether it closes something, so that nothing more comes in.
    pub(crate) fn closes(self) -> bool {
        self.may(|it| it.action == Action::Close)
    }

    /// Whether it gives another receiving end of the channel that it is asked of.
    pub(crate) fn subscribes(self) -> bool {
        self.may(|it| it.action == Action::Subscribe)
    }

    /// Whether it ends a task or process from outside.
    pub(crate) fn aborts(self) -> bool {
        self.rows().iter().any(|it| it.operation.action == Action::Abort && it.owner.is != Is::Token)
    }

    /// Whether it does nothing but drop what it is given, and is no method.
    pub(crate) fn is_drop(self) -> bool {
        self.name() == "drop" && matches!(self.owner(), "" | "mem")
    }

    /// Whether it waits for a message.
    pub(crate) fn receives(self) -> bool {
        self.may(|it| it.action == Action::Receive && waits(it))
    }

    /// Whether it takes messages that are there, or waits for one for a limited time.
    pub(crate) fn tries_to_receive(self) -> bool {
        let tries = |it: &Operation| matches!(it.action, Action::Receive | Action::Receiving) && !waits(it);
        !self.receives() && self.may(tries)
    }

    /// Whether it sends a message, or waits for the room for one.
    pub(crate) fn sends(self) -> bool {
        self.may(|it| matches!(it.action, Action::Send | Action::Reserve) && waits(it))
    }

    /// Whether it sends a message if there is room, or waits for a limited time.
    pub(crate) fn tries_to_send(self) -> bool {
        !self.sends() && self.may(|it| it.action == Action::Send && !waits(it))
    }

    /// Whether it takes an iterator to its end.
    pub(crate) fn drains(self) -> bool {
        self.adapts(|it| it.of == "Iterator" && it.drains)
    }
}

fn is_collection(adapter: &Adapter) -> bool {
    holds(adapter.of).is_some_and(Holds::is_collection)
}

/// Whether somebody waits in a call for as long as nothing happens, or in the future that it gives.
fn waits(operation: &Operation) -> bool {
    operation.may_wait_for_ever() && operation.waits != Waits::Poll
}
