//! Which types of std it is that rules ask for again and again.

use super::Ty;
use rvcheck_primitives::{Holds, Is, is_path_of};

impl Ty {
    /// Whether it is `bool`.
    pub fn is_bool(self) -> bool {
        self.head() == "bool"
    }

    /// Whether it is `()`.
    pub fn is_unit(self) -> bool {
        self.head() == "()"
    }

    /// Whether it is an `Option`.
    pub fn is_option(self) -> bool {
        self.name() == "Option"
    }

    /// Whether it is a `Result`.
    pub fn is_result(self) -> bool {
        self.name() == "Result"
    }

    /// Whether it is an integer.
    pub fn is_integer(self) -> bool {
        let width = self.head().strip_prefix(['u', 'i']);
        width.is_some_and(|it| matches!(it, "8" | "16" | "32" | "64" | "128" | "size"))
    }

    /// Whether it is a `Poll`.
    pub fn is_poll(self) -> bool {
        self.name() == "Poll"
    }

    /// Whether it is an `Option`, `Result`, `Poll` or `ControlFlow`.
    pub fn is_outcome(self) -> bool {
        self.holds() == Some(Holds::Variant)
    }

    /// Whether it is the `Context` that a poll is given.
    pub fn is_context(self) -> bool {
        self.name() == "Context"
    }

    /// What is in it, where it is a `Poll`.
    pub fn polled(self) -> Ty {
        if self.is_poll() { self.argument(0).unwrap_or_default() } else { self }
    }

    /// What is in it, where it is a `Pin`.
    pub fn unpinned(self) -> Ty {
        self.made_by("Pin").unwrap_or(self)
    }

    /// What is in it, where it is an `Option`.
    pub fn if_some(self) -> Ty {
        self.made_by("Option").unwrap_or(self)
    }

    /// What it is made with, where it is made by that.
    pub fn made_by(self, by: &str) -> Option<Ty> {
        self.argument(0).filter(|_| self.name() == by)
    }

    /// Whether it is a guard, as far as its name says.
    pub(crate) fn is_guard(self) -> bool {
        self.name().ends_with("Guard")
    }

    /// How it holds what it is made with, whatever its path is.
    pub(crate) fn holds(self) -> Option<Holds> {
        rvcheck_primitives::holds(self.name())
    }

    /// Whether it is one of several pointers to the same thing.
    pub(crate) fn is_counted(self) -> bool {
        self.holds() == Some(Holds::Counted)
    }

    /// Whether it is of a library and so, of whatever library where its path does not say of which.
    pub(crate) fn is_of(self, is_so: impl Fn(Is) -> bool) -> bool {
        is_path_of(self.head(), is_so)
    }
}
