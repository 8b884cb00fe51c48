//! What is around the body of a function of somebody else's, so that it is known who calls it.
//!
//! Such a function is observed where others call it, and not where its own package does. `#[track_caller]` tells the place of the
//! caller. It would also change the places of what the body does, such as panics, were the body not a closure.

use super::text::ROOT;
use crate::lines::Lines;
use crate::outline::functions::{Form, Function};

/// What is around a body.
#[derive(Debug)]
pub(super) struct Shell {
    /// The folder of the package.
    folder: String,
    /// The lines on which the function begins. Who calls it through a pointer or a `dyn` has its own place, and so is not known.
    lines: (u32, u32),
}

impl Shell {
    /// What is around the body of this function, whose package is in that folder; `None` where its caller cannot be known, since it is
    /// a closure, the body is a future, or the type of what it returns can only be said in the signature.
    pub(super) fn of(function: &Function, folder: &str, text: &str) -> Option<Shell> {
        if function.form != Form::Function
            || function.is_async
            || (function.has_result && function.result.is_none())
        {
            return None;
        }
        let lines = Lines::of(text);
        let line = |offset: usize| lines.source_position(offset).line;
        Some(Shell {
            folder: format!("{folder}/"),
            lines: (line(function.range.start), line(function.begin)),
        })
    }

    /// The condition under which a call is recorded.
    pub(super) fn condition(&self) -> String {
        let (first, last) = self.lines;
        format!(
            " && {ROOT}::is_from_outside(::std::panic::Location::caller(), {:?}, ::std::file!(), {first}..={last})",
            self.folder
        )
    }
}
