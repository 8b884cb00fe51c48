//! The macros of `rvcheck-runtime`, which re-exports them: what the values of a type are in a trace, and which functions, spawns and
//! types of a program are observed.
//!
//! The attributes only check their words: each leaves its item exactly as it is, in every build. `cargo rvcheck` reads them from the source.

mod attribute;
mod derive;
mod guess;
mod name;

use proc_macro::TokenStream;

/// Says what a value of the type is in events, propositions and observed calls.
///
/// - Of an enum it is the name of the variant, a text; a property writes it as `::Variant`.
/// - Of a struct with one field it is that of the field.
/// - Of a struct with several it is that of the one that is marked:
///   - `#[observe(id)]`: the value of the field, by which one is told from another;
///   - `#[observe(len)]`: what its method `len` says;
///   - `#[observe(with = path)]`: what the function says, which takes a reference to the field and gives a `Value` or what can become
///     one: an `i64`, a `bool`, a `char` or a `&str`.
///
/// The crate is found in the manifest, also where it has another name there. Where there is no manifest, `#[observe(crate = path)]` on
/// the type names it.
#[proc_macro_derive(Observe, attributes(observe))]
pub fn derive_observe(item: TokenStream) -> TokenStream {
    derive::expand(item.into()).into()
}

/// Says that calls of a function are events: `#[rvcheck::observe(side = "receive", as = "items", args(self, len = items.len()))]`.
///
/// It stands on functions, methods, impl blocks and traits; on the latter two it is about all their functions. Each word may be left out:
///
/// - `side`: `"receive"`, which it is unless said otherwise, is the function's own side, where its body begins and ends. `"send"` is
///   that of who calls it.
/// - `as`: the name of the event; without it, that of the function.
/// - `args`: what is recorded: parameters by their names, `self`, `result`, and `name = expression`, each with its sort if
///   need be, as `len: int = items.len()`. At most 16.
/// - `refusal`: a path or pattern. A result that matches it is a call that was refused.
#[proc_macro_attribute]
pub fn observe(words: TokenStream, item: TokenStream) -> TokenStream {
    attribute::applied(words, item, attribute::observe)
}

/// Says that what a function spawns belongs to a group: `#[rvcheck::group("workers")]`. It stands on functions and methods.
#[proc_macro_attribute]
pub fn group(words: TokenStream, item: TokenStream) -> TokenStream {
    attribute::applied(words, item, attribute::group)
}
