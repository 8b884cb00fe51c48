//! What a call calls, taken from the text of the callee.
//!
//! A [`Callee`] is a handle, as a [`Ty`] is: it is copied, and compared by identity. What its text says, and what the tables of primitives
//! have for it and for its name, is found once.

mod names;
mod read;
mod rows;

use crate::marker::Number;
use crate::ty::Ty;
use rvcheck_primitives::{Adapter, Is, Row, is_path_of};
use std::collections::HashMap;
use std::fmt;
use std::sync::{LazyLock, OnceLock, PoisonError, RwLock};

/// A callee. There is one of each text and path, for as long as the process lives.
#[derive(Clone, Copy)]
pub struct Callee(&'static Node);

/// What is known of a callee.
struct Node {
    text: &'static str,
    path: &'static str,
    name: &'static str,
    owner: &'static str,
    of_trait: Option<&'static str>,
    trait_path: Option<&'static str>,
    is_generic_trait: bool,
    self_type: Option<Ty>,
    generics: Vec<Ty>,
    row: Option<Row>,
    likely_row: Option<Row>,
    types: OnceLock<Vec<Ty>>,
    adapter: Option<&'static Adapter>,
    /// All of that name.
    adapters: &'static [&'static Adapter],
    /// All of that name.
    rows: &'static [Row],
}

/// By the text, and the path that was found for it, if any.
static CALLEES: LazyLock<RwLock<HashMap<(&'static str, &'static str), Callee>>> =
    LazyLock::new(RwLock::default);

impl Callee {
    /// The callee that a text says.
    pub fn read(text: &str) -> Callee {
        let text = text.trim();
        interned((text, ""), || {
            let text = String::leak(text.to_owned());
            ((text, ""), Node::read(text))
        })
    }

    /// The same with its full path, where the compiler wrote only a part of that.
    pub(crate) fn at(self, path: &str) -> Callee {
        if path == self.path() {
            return self;
        }
        interned((self.text(), path), || {
            let Node { text, of_trait, trait_path, is_generic_trait, self_type, .. } = *self.0;
            let generics = self.generics().to_vec();
            let found = Node::of(text, path.to_owned());
            (
                (text, found.path),
                Node { of_trait, trait_path, is_generic_trait, self_type, generics, ..found },
            )
        })
    }

    /// The text, as the compiler wrote it; `move _3` and its like for a pointer to a function.
    pub const fn text(self) -> &'static str {
        self.0.text
    }

    /// The path in the one form, such as `std::sync::Mutex::lock`; for a method of a trait `Trait::method`. Empty for a call
    /// through a pointer.
    pub const fn path(self) -> &'static str {
        self.0.path
    }

    /// The name of the function.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// The segment of the path before the name: that of the type, trait or module.
    pub const fn owner(self) -> &'static str {
        self.0.owner
    }

    /// The last segment of the trait whose method it is; `_` where the compiler says no name.
    pub const fn of_trait(self) -> Option<&'static str> {
        self.0.of_trait
    }

    /// That trait by its path in the one form, without arguments.
    pub const fn trait_path(self) -> Option<&'static str> {
        self.0.trait_path
    }

    /// Whether that trait has type arguments, as `From<T>` has.
    pub const fn is_generic_trait(self) -> bool {
        self.0.is_generic_trait
    }

    /// The type whose method it is, where the callee has the form `<T as Trait>::f`.
    pub const fn self_type(self) -> Option<Ty> {
        self.0.self_type
    }

    /// The generic arguments of the function itself.
    pub fn generics(self) -> &'static [Ty] {
        &self.0.generics
    }

    /// The types that it names: its own, those that its trait has, and what it is made with.
    pub(crate) fn types(self) -> &'static [Ty] {
        self.0.types.get_or_init(|| read::types_in(self.text()))
    }

    /// What it does to a primitive, by its path.
    pub fn row(self) -> Option<Row> {
        self.0.row
    }

    /// The same, of whatever library where its path does not say of which.
    pub(crate) fn likely_row(self) -> Option<Row> {
        self.0.likely_row
    }

    /// Whether it is a method of a type that is so, of whatever library where its path does not say of which.
    pub(crate) fn is_of(self, is_so: impl Fn(Is) -> bool) -> bool {
        self.path().rsplit_once("::").is_some_and(|(of, _)| is_path_of(of, is_so))
    }

    /// What it does with the values that it is given, by its owner and name.
    pub const fn adapter(self) -> Option<&'static Adapter> {
        self.0.adapter
    }

    /// The rows of its name, of whatever type.
    pub(crate) const fn rows(self) -> &'static [Row] {
        self.0.rows
    }

    /// Whether it is that method of that trait.
    pub fn is_trait(self, of_trait: &str, name: &str) -> bool {
        self.of_trait() == Some(of_trait) && self.name() == name
    }

    /// Whether it polls a future.
    pub fn is_poll(self) -> bool {
        self.is_trait("Future", "poll")
    }

    /// The number of the site that is marked by this call, if it is a mark.
    pub fn mark(self) -> Option<Number> {
        let known = matches!(self.name(), "__rv_site" | "__rv_await");
        self.generics().first().filter(|_| known)?.text().trim_end_matches("_u64").parse().ok().map(Number)
    }

    /// Whether it marks a place, and gives what it is given.
    pub(crate) fn is_mark(self) -> bool {
        matches!(self.name(), "__rv_site" | "__rv_await" | "__rv_atomic" | "__rv_asked")
    }

    /// Whether it calls a function that is a value: a closure, or what is behind a pointer to one.
    pub fn invokes(self) -> bool {
        matches!(self.of_trait(), Some("Fn" | "FnMut" | "FnOnce"))
    }

    /// Whether it only hands on the value that it is given: a mark, or what stands around an awaited future.
    pub fn hands_on(self) -> bool {
        self.is_mark() || self.is_trait("IntoFuture", "into_future")
    }
}

type Key<'t> = (&'t str, &'t str);

fn interned(key: Key<'_>, new: impl FnOnce() -> (Key<'static>, Node)) -> Callee {
    let known = CALLEES.read().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
    known.unwrap_or_else(|| {
        let (key, node) = new();
        let mut all = CALLEES.write().unwrap_or_else(PoisonError::into_inner);
        // Somebody else may have added it meanwhile.
        *all.entry(key).or_insert_with(|| Callee(Box::leak(Box::new(node))))
    })
}

impl Default for Callee {
    fn default() -> Callee {
        Callee::read("")
    }
}

impl PartialEq for Callee {
    fn eq(&self, other: &Callee) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Callee {}

impl fmt::Debug for Callee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_of_a_callee_is_read() {
        let read = |text| {
            let it = Callee::read(text);
            (it.path(), it.self_type().unwrap_or_default().text(), it.mark().map(|it| it.0))
        };
        let cases = [
            ("rvstd::sync::Mutex::<u32>::lock", ("std::sync::Mutex::lock", "", None)),
            (
                "<A<fn() -> B> as rvstd::future::IntoFuture>::into_future",
                ("IntoFuture::into_future", "A<fn() -> B>", None),
            ),
            ("<T as __rv::RvSite>::__rv_site::<22>", ("RvSite::__rv_site", "T", Some(22))),
            ("<T as _>::__rv_await::<7>", ("_::__rv_await", "T", Some(7))),
            ("<[u8]>::len", ("[u8]::len", "[u8]", None)),
            ("r#async::<impl rvflume::Sender<u64>>::send_async", ("flume::Sender::send_async", "", None)),
            (
                "rvparking_lot::rvlock_api::RwLock::<rvparking_lot::RawRwLock<true>, u8>::read",
                ("lock_api::RwLock::read_recursive", "", None),
            ),
            (
                "rvlock_api::RwLock::<rvparking_lot::RawRwLock, u8>::read",
                ("lock_api::RwLock::read", "", None),
            ),
            (
                "<impl Future<Output = u8> + '_ as IntoFuture>::into_future",
                ("IntoFuture::into_future", "impl Future<Output = u8> + '_", None),
            ),
            ("<impl Fn() as Fn<()>>::call", ("Fn::call", "impl Fn()", None)),
            ("move _3", ("", "", None)),
        ];
        for (text, (path, self_type, mark)) in cases {
            assert_eq!(read(text), (path, self_type, mark), "{text}");
        }
        assert_eq!(Callee::read("a::f::<A<B>, C>").generics(), ["A<B>", "C"].map(Ty::read));
    }

    #[test]
    fn one_text_is_one_callee_and_has_another_path_once_that_is_known() {
        let callee = Callee::read("Mutex::<u32>::lock");
        assert_eq!(callee, Callee::read(" Mutex::<u32>::lock"));
        let linked = callee.at("std::sync::Mutex::lock");
        assert_ne!(linked, callee);
        assert_eq!(linked, callee.at("std::sync::Mutex::lock"));
        assert_eq!((linked.text(), linked.name()), (callee.text(), "lock"));
        assert!(linked.row().is_some() && callee.row().is_none() && callee.likely_row().is_some());
    }
}
