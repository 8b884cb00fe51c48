//! What functions are of which the name alone is known, and no row: those of std and of the compiler's macros.

use super::Callee;
use rvcheck_primitives::{Action, Is};

impl Callee {
    /// Whether it asks an iterator or stream for an item.
    pub(crate) fn is_next(self) -> bool {
        self.name() == "next"
    }

    /// Whether it starts a task, thread or process.
    pub(crate) fn spawns(self) -> bool {
        self.name().starts_with("spawn")
    }

    /// Whether it drops what it is given, as a function or as the method of `Drop`.
    pub(crate) fn is_named_drop(self) -> bool {
        self.name() == "drop"
    }

    /// Whether it is `Clone::clone`.
    pub(crate) fn clones(self) -> bool {
        self.is_trait("Clone", "clone")
    }

    /// Whether it gives the reference that a pointer or guard dereferences to.
    pub(crate) fn dereferences(self) -> bool {
        matches!(self.name(), "deref" | "deref_mut")
    }

    /// Whether it gives such a reference through which the value can be changed.
    pub(crate) fn dereferences_mutably(self) -> bool {
        self.name() == "deref_mut"
    }

    /// Whether it makes a pointer that owns or shares what it is given.
    pub(crate) fn points(self) -> bool {
        self.name() == "new" && matches!(self.owner(), "Arc" | "Rc" | "Box")
    }

    /// Whether it says what time it is.
    pub(crate) fn reads_clock(self) -> bool {
        matches!(self.name(), "elapsed" | "now")
    }

    /// Whether it takes permits out for ever.
    pub(crate) fn forgets_permits(self) -> bool {
        let of_permits = self.rows().iter().filter(|it| it.owner.is == Is::Permits);
        of_permits.into_iter().any(|it| it.operation.action == Action::Forget)
    }

    /// Whether it asserts that there is a value, or panics.
    pub(crate) fn unwraps(self) -> bool {
        matches!(self.name(), "unwrap" | "expect")
    }

    /// Whether it makes an iterator of a value, as a `for` does.
    pub(crate) fn is_into_iter(self) -> bool {
        self.is_trait("IntoIterator", "into_iter")
    }

    /// Whether it is the `branch` of a `?`.
    pub(crate) fn is_branch(self) -> bool {
        self.name() == "branch"
    }

    /// Whether it makes another error or value of the one of a `?`.
    pub(crate) fn is_residual(self) -> bool {
        self.name() == "from_residual"
    }

    /// Whether it catches panics.
    pub(crate) fn catches_panics(self) -> bool {
        self.name() == "catch_unwind"
    }

    /// Whether it makes a future of what is awaited.
    pub(crate) fn is_awaiting(self) -> bool {
        self.is_trait("IntoFuture", "into_future")
    }

    /// Whether others may be run on its thread meanwhile.
    pub(crate) fn blocks_in_place(self) -> bool {
        self.name() == "block_in_place"
    }

    /// Whether it is a method of parallel iterators.
    pub(crate) fn is_parallel(self) -> bool {
        matches!(self.of_trait(), Some("ParallelIterator" | "IndexedParallelIterator"))
    }

    /// Whether it is a method of iterators.
    pub(crate) fn is_of_iterator(self) -> bool {
        self.of_trait() == Some("Iterator")
    }
}
