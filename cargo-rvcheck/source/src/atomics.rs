//! Operations on atomics. They are no sites, since no property speaks of them; but what a task finds there can order it.
//!
//! One is recognised by its name and by an argument that names an order of memory, such as `Ordering::Acquire`. Nothing else that is common
//! looks like that.

use crate::call::{Call, Shape};
use crate::constant::Constants;
use crate::macros::{Hidden, OwnMacros};
use crate::role::{Role, Roles};
use crate::sites::receiver_start;
use crate::token::{Kind, Tokens};
use rvcheck_primitives::{Action, Is, Leaves, Operation as Primitive, Word, named};

/// An operation on an atomic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Operation {
    /// The byte offset of the dot before its name.
    pub(crate) dot: usize,
    /// The byte offset of its name.
    pub(crate) name: usize,
    /// Something is decided by its result.
    pub(crate) decides: bool,
}

/// The orders of memory.
const ORDERS: [&str; 5] = ["AcqRel", "Acquire", "Relaxed", "Release", "SeqCst"];

/// Whether an operation of that name on an atomic has a result that is often a mere number: it decides where it stands in a condition.
fn is_number(name: &str) -> bool {
    of_atomic(name, |it| match it.leaves {
        Some(leaves) => {
            it.action == Action::Store || matches!(leaves, Leaves::More | Leaves::Less | Leaves::Extreme)
        }
        None => it.action == Action::Load,
    })
}

/// Whether somebody who has no use for the result of an operation would not choose it: it decides where that is used at all.
fn is_choice(name: &str) -> bool {
    !is_number(name) && of_atomic(name, |it| it.action == Action::Swap)
}

fn of_atomic(name: &str, is_so: impl Fn(&Primitive) -> bool) -> bool {
    let rows = named(name).iter().filter(|it| it.owner.is == Is::Flag(Word::Number));
    rows.into_iter().any(|it| is_so(it.operation))
}

/// The operations that are marked.
pub(crate) fn operations(tokens: &Tokens<'_>, roles: &Roles, hidden: &Hidden) -> Vec<Operation> {
    let is_operation = |index: &usize| {
        let name = tokens.text(*index);
        tokens.is_any_word(*index) && (is_number(name) || is_choice(name))
    };
    let mut names = (0..tokens.len()).filter(is_operation).peekable();
    if names.peek().is_none() {
        return Vec::new();
    }
    let constants = Constants::of(tokens);
    let is_code = |index: &usize| {
        let runs = matches!(roles.get(*index), Role::Code | Role::Body);
        runs && !constants.contains(*index) && hidden.reason(*index).is_none()
    };
    names.filter(is_code).filter_map(|index| operation(tokens, index)).collect()
}

/// The byte offsets of the names of the operations on atomics that [`rewrite`](crate::rewrite::rewrite) marks, in order, where the
/// workspace has no macros.
pub fn marked_atomics(text: &str) -> Vec<usize> {
    let tokens = Tokens::of(text);
    let roles = Roles::of(&tokens);
    let hidden = Hidden::of(&tokens, &roles, OwnMacros::NONE);
    operations(&tokens, &roles, &hidden).into_iter().map(|it| it.name).collect()
}

fn operation(tokens: &Tokens<'_>, name: usize) -> Option<Operation> {
    let call = Call::at(tokens, name)?;
    let Shape::Method { dot } = call.shape else { return None };
    let close = tokens.closing(call.open)?;
    let mut at = call.open + 1;
    while at < close && !ORDERS.contains(&tokens.text(at)) {
        at = tokens.closing(at).unwrap_or(at) + 1;
    }
    let start = receiver_start(tokens, dot)?;
    let decides = if is_choice(tokens.text(name)) {
        !is_dropped(tokens, start, close)
    } else {
        is_condition(tokens, start, close)
    };
    let offset = |index| tokens.get(index).map(|it| it.start);
    (at < close).then_some(Operation { dot: offset(dot)?, name: offset(name)?, decides })
}

/// Whether the value of the expression between these indices is dropped at once.
fn is_dropped(tokens: &Tokens<'_>, start: usize, end: usize) -> bool {
    let Some(before) = start.checked_sub(1) else { return tokens.is(end + 1, b';') };
    let begins = [b';', b'{', b'}'].iter().any(|it| tokens.is(before, *it));
    let unnamed = tokens.is(before, b'=') && before > 1 && tokens.is_word(before - 1, "_");
    tokens.is(end + 1, b';') && (begins || unnamed)
}

/// Whether the expression between these indices is a part of a condition.
pub(crate) fn is_condition(tokens: &Tokens<'_>, start: usize, end: usize) -> bool {
    const COMPARISONS: [[u8; 2]; 6] = [*b"==", *b"!=", *b"<=", *b">=", *b"&&", *b"||"];
    let compares = |at: usize| COMPARISONS.iter().any(|it| tokens.is_pair(at, *it));
    let behind = end + 1;
    if compares(behind) || tokens.is(behind, b'<') || tokens.is(behind, b'>') {
        return true;
    }
    let mut at = start;
    while let Some(before) = at.checked_sub(1) {
        let is_macro = before > 0 && tokens.is_any_word(before - 1) && tokens.closing(at).is_some();
        let negates = tokens.is(before, b'!') && !is_macro;
        if negates || before.checked_sub(1).is_some_and(compares) {
            return true;
        }
        if ["if", "match", "while"].iter().any(|it| tokens.is_word(before, it)) {
            return true;
        }
        if [b';', b'{', b'}'].iter().any(|it| tokens.is(before, *it)) || is_arrow(tokens, before) {
            return false;
        }
        at = match tokens.get(before).map(|it| it.kind) {
            Some(Kind::Close) => tokens.opening(before).unwrap_or(before),
            _ => before,
        };
    }
    false
}

/// Whether the token is the end of a `=>`.
fn is_arrow(tokens: &Tokens<'_>, index: usize) -> bool {
    index > 0 && tokens.is_pair(index - 1, *b"=>")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the operations, with `?` where they decide.
    fn found(text: &str) -> String {
        let tokens = Tokens::of(text);
        let shown = |it: Operation| {
            let name: String =
                text[it.name..].chars().take_while(|it| it.is_alphabetic() || *it == '_').collect();
            if it.decides { name + "?" } else { name }
        };
        let roles = Roles::of(&tokens);
        let hidden = Hidden::of(&tokens, &roles, OwnMacros::NONE);
        operations(&tokens, &roles, &hidden).into_iter().map(shown).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn an_atomic_operation_is_recognised_by_its_ordering() {
        let cases = [
            ("a.store(true, Ordering::Release)", "store"),
            ("self.a.b[0].load(SeqCst); f().load(std::sync::atomic::Ordering::Relaxed)", "load load"),
            ("config.load(path); a.load(); b.store(c); xs.swap(0, 1)", ""),
            ("a.load(order)", ""),
            ("a.fetch_update(Release, Relaxed, |it| Some(it + 1))", "fetch_update?"),
            ("static A: B = c.load(Relaxed); const fn d() { c.load(Relaxed) }", ""),
            ("assert!(a.load(Relaxed)); stringify!(a.load(Relaxed)); vec![a.load(Relaxed)]", "load"),
        ];
        for (text, expected) in cases {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn a_result_decides_where_it_is_a_condition_or_nobody_would_ask_without_need() {
        let cases = [
            ("while !a.load(Acquire) {}", "load?"),
            ("loop { if a.load(Acquire) == 1 { break } }", "load?"),
            ("let done = a.load(Acquire) >= 3;", "load?"),
            ("let n = a.load(Acquire); f(n)", "load"),
            ("while f(a.load(Acquire)) {}", "load?"),
            ("if x { a.load(Acquire) } else { 0 }", "load"),
            ("match a.load(Acquire) { 1 => b.load(Acquire), _ => 0 }", "load? load"),
            ("a.fetch_add(1, Relaxed); let id = b.fetch_add(1, Relaxed);", "fetch_add fetch_add"),
            ("if a.fetch_sub(1, AcqRel) == 1 {}", "fetch_sub?"),
            (
                "{ a.swap(true, AcqRel); let _ = b.swap(true, AcqRel); let was = c.swap(true, AcqRel); }",
                "swap swap swap?",
            ),
            ("a.compare_exchange(0, 1, AcqRel, Relaxed).is_ok()", "compare_exchange?"),
        ];
        for (text, expected) in cases {
            assert_eq!(found(text), expected, "{text}");
        }
    }
}
