//! Calls by which code may go on that tell what others have done: whoever counts the pointers to a value, looks at a file or tries a lock
//! may have waited for somebody, though no event says so.

use crate::atomics::is_condition;
use crate::call::{Call, Shape};
use crate::sites::receiver_start;
use crate::token::Tokens;
use rvcheck_primitives::{Tells, is_recorded_wait, tells};
use std::collections::BTreeSet;

/// Such a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Telling {
    /// What is called: `is_closed`, `Arc::get_mut`.
    pub name: String,
    /// The byte offset of its name.
    pub at: usize,
}

/// What some code calls.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Called {
    /// What may tell of others, in the order of the text.
    pub telling: Vec<Telling>,
    /// The names of the other functions.
    pub others: BTreeSet<String>,
}

/// What the text of an item calls.
pub fn called(text: &str) -> Called {
    let tokens = Tokens::of(text);
    let mut found = Called::default();
    for index in (0..tokens.len()).filter(|it| tokens.is_any_word(*it)) {
        let Some(call) = Call::at(&tokens, index) else { continue };
        let name = tokens.text(index);
        let start = match &call.shape {
            Shape::Method { dot } => receiver_start(&tokens, *dot),
            Shape::Function { start, .. } => Some(*start),
        };
        let decides = || {
            let close = tokens.closing(call.open);
            start.zip(close).is_some_and(|(start, close)| is_condition(&tokens, start, close))
        };
        let is_recorded = !call.has_arguments && is_recorded_wait(name);
        let is_telling = match tells(name) {
            Some(Tells::Done) => !is_recorded,
            Some(Tells::Asked) => decides(),
            None => false,
        };
        if is_telling {
            let name = match &call.shape {
                Shape::Function { path, .. } => path.join("::"),
                Shape::Method { .. } => name.to_owned(),
            };
            found.telling.extend(tokens.get(index).map(|it| Telling { name, at: it.start }));
        } else if !is_recorded {
            // What is recorded is not followed by its name: a type of the workspace may have a method of that name, too.
            found.others.insert(name.to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::called;

    #[test]
    fn what_may_tell_of_others_is_named() {
        let cases = [
            ("while Arc::strong_count(&a) > 1 {}", "Arc::strong_count"),
            ("while !sender.is_closed() { yield_now().await }", "is_closed"),
            ("let n = queue.len(); f(n)", ""),
            ("if let Ok(it) = gate.try_lock() {}", "try_lock"),
            (
                "socket.read_exact(&mut buffer)?; lock.read().unwrap(); file.read(&mut buffer)?",
                "read_exact read",
            ),
            ("child.wait()?; path.exists()", "wait exists"),
            ("loop { match Arc::try_unwrap(a) { Ok(a) => break a, Err(b) => a = b } }", "Arc::try_unwrap"),
            ("while !ready.load(Ordering::Acquire) {}", "load"),
            ("let a = b.lock().unwrap(); c.send(1).unwrap(); d.recv().unwrap(); e.recv(&mut f)?", "recv"),
        ];
        for (text, expected) in cases {
            let found: Vec<String> = called(text).telling.into_iter().map(|it| it.name).collect();
            assert_eq!(found.join(" "), expected, "{text}");
        }
    }

    #[test]
    fn what_else_is_called_is_named_for_whoever_looks_on() {
        let found = called("until(&ready); a.b(c()); d!(e())");
        assert_eq!(found.others.iter().map(String::as_str).collect::<Vec<_>>(), ["b", "c", "e", "until"]);
    }
}
