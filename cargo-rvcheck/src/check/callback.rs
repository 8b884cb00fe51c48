//! Callbacks that run while a lock is held, told by where the lock was taken and where its holder asks for another one.

use super::predictions::offset_of;
use super::sources::Sources;
use crate::finding::{CodeLocation, Location};
use std::ops::Range;

/// What to do about one.
pub(super) const ADVICE: &str =
    "a callback runs while the lock is held: clone its arguments, release the lock, then call it";

/// Whether who took a lock at the one place was called back with it at the other: the function of the first calls something that it
/// was given, and the second is another function, or a test.
pub(super) fn runs_between(held: &CodeLocation, asked: &CodeLocation, sources: &Sources) -> bool {
    let (Some(one), other) = (item(&held.location, sources), item(&asked.location, sources)) else {
        return false;
    };
    let elsewhere = held.location.file != asked.location.file || other.is_none_or(|it| it.1 != one.1);
    held.own && !held.in_test && elsewhere && calls_what_it_was_given(one.0)
}

/// The text of the item around a place, and where it is in its file.
fn item<'s>(at: &Location, sources: &'s Sources) -> Option<(&'s str, Range<usize>)> {
    let (text, items) = sources.items(&at.file)?;
    let range = items.around(offset_of(text, at.line, at.column)?)?;
    Some((text.get(range.clone())?, range))
}

/// Whether a function calls the value of a variable, field or expression, by the text of it.
fn calls_what_it_was_given(item: &str) -> bool {
    let calls = |(at, _): (usize, &str)| {
        let before = &item[..at];
        if before.ends_with(')') && !before.ends_with("()") {
            return true;
        }
        let rest = before.trim_end_matches(|it: char| it.is_alphanumeric() || it == '_');
        let name = &before[rest.len()..];
        let is_path = rest.ends_with(['.', ':', '!']) || rest.ends_with("fn ");
        !is_path && !name.is_empty() && is_bound(name, item)
    };
    item.match_indices('(').any(calls)
}

/// Whether a function has a variable of that name.
fn is_bound(name: &str, item: &str) -> bool {
    let ways = [
        format!("for {name} in "),
        format!("let {name} "),
        format!("let mut {name} "),
        format!("({name}: "),
        format!(" {name}: "),
        format!("Some({name})"),
        format!(", {name})"),
        format!("|{name}|"),
    ];
    ways.iter().any(|it| item.contains(it.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_of_a_value_differs_from_a_call_of_a_function() {
        let given = [
            "fn tell(&self, hook: impl Fn(u32)) { let state = self.state.lock(); hook(*state); }",
            "fn tell(&self) { let state = self.state.lock(); (self.hook)(*state); }",
            "fn tell(&self) { for hook in self.hooks.lock().iter() { hook(); } }",
            "fn tell(&self) { if let Some(hook) = &*self.hook.lock() { hook(1) } }",
        ];
        let named = [
            "fn guard(&self) -> Guard<'_> { self.state.lock() }",
            "fn tell(&self) { let state = self.state.lock(); publish(*state); }",
            "fn tell(&self) { let state = self.state.lock().unwrap(); self.publish(*state); }",
            "fn tell(&self) { let state = State::new((1, 2)); assert!(state.ok()); }",
        ];
        assert_eq!(given.map(calls_what_it_was_given), [true; 4]);
        assert_eq!(named.map(calls_what_it_was_given), [false; 4]);
    }
}
