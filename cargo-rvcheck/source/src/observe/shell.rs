//! What is around the body of a function of which it matters who calls it.
//!
//! A function of somebody else's is observed where others call it, and not where its own package does. One that the rules of a lifestate
//! name is a message where a library calls the program, or the program a library. `#[track_caller]` tells the place of the
//! caller. It would also change the places of what the body does, such as panics, were the body not a closure.

use super::text::{CALLER, HERE, ROOT};
use super::{Direction, Observation};
use crate::lines::Lines;
use crate::outline::functions::{Form, Function};

/// What is around a body.
#[derive(Debug)]
pub(super) struct Shell {
    /// The folder of the package, where it is somebody else's.
    folder: Option<String>,
    /// The lines on which the function begins. Who calls it through a pointer or a `dyn` has its own place, and so is not known.
    lines: (u32, u32),
    /// The function itself asks for its caller.
    pub(super) is_tracked: bool,
}

/// What only the compiler calls: it tells no place.
const BY_COMPILER: &str = "Drop::drop";

/// Whether the function is a destructor, in which nothing may stop the program.
pub(super) fn is_destructor(function: &Function) -> bool {
    let by_trait = function.by_trait.as_deref().unwrap_or_default();
    by_trait == BY_COMPILER || by_trait.ends_with("::Drop::drop")
}

impl Shell {
    /// What is around the body of this function, whose package is in that folder if it is somebody else's; `None` where its caller cannot
    /// be known, since it is a closure, the body is a future, the type of what it returns can only be said in the signature, or
    /// it is called by the compiler or by another language.
    pub(super) fn of(function: &Function, folder: Option<&str>, text: &str) -> Option<Shell> {
        let head = text.get(function.range.start..function.begin).unwrap_or_default();
        if function.form != Form::Function
            || function.is_async
            || (function.has_result && function.result.is_none())
            || is_destructor(function)
            || head.contains("extern \"")
        {
            return None;
        }
        let lines = Lines::of(text);
        let line = |offset: usize| lines.source_position(offset).line;
        Some(Shell {
            folder: folder.map(|it| format!("{it}/")),
            lines: (line(function.range.start), line(function.begin)),
            is_tracked: function.attributes.iter().any(|it| it.1 == "track_caller"),
        })
    }

    /// The place of a call: that of the caller. Where that is none of the program's own files, it is the function's.
    pub(super) fn place(&self) -> &'static str {
        // A function that asks for its caller itself has no place of its own.
        if self.folder.is_some() || self.is_tracked { HERE } else { CALLER }
    }

    /// The condition under which a call is recorded.
    pub(super) fn condition(&self, observation: &Observation) -> String {
        let (first, last) = self.lines;
        let asked = |function: &str, more: &str| {
            format!(
                " && {ROOT}::{function}(::std::panic::Location::caller(), {more}::std::file!(), {first}..={last})"
            )
        };
        let outside = self.folder.iter().map(|it| asked("is_from_outside", &format!("{it:?}, ")));
        let crossing = observation.crossing.iter().map(|it| match it.direction {
            Direction::Callin => asked("may_be_from_program", ""),
            Direction::Callback => asked("may_be_from_library", ""),
        });
        outside.chain(crossing).collect()
    }
}
