//! Whose code a place is: that of a library or that of the program. Calls from one to the other are the messages of lifestates.

use core::ops::RangeInclusive;

use crate::{Loc, settings, site};

/// Whose code it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// A library's, as the property files say.
    Library,
    /// The program's own.
    Program,
    /// Some other crate's, or that of std.
    Unknown,
}

/// Whose code is at this line of this file.
pub(crate) fn side(file: &str, line: u32) -> Side {
    if settings::is_library(file, line) {
        Side::Library
    } else if site::is_own_file(file) {
        Side::Program
    } else {
        Side::Unknown
    }
}

/// Whether the program may have made this call, so that it is one into a library. `caller` is what
/// [`Location::caller`](core::panic::Location::caller) says in the function, which begins on these lines of this file. A call through a
/// pointer or a `dyn` has the function's own place: nobody knows who that is, and it counts.
pub fn may_be_from_program(caller: Loc, file: &str, lines: RangeInclusive<u32>) -> bool {
    is_unknown(caller, file, &lines) || side(caller.file(), caller.line()) != Side::Library
}

/// Whether a library may have made this call, so that it is a callback; as above.
pub fn may_be_from_library(caller: Loc, file: &str, lines: RangeInclusive<u32>) -> bool {
    is_unknown(caller, file, &lines) || side(caller.file(), caller.line()) != Side::Program
}

/// The place of a call: the caller's, or the function's own one where the caller is none of the program's files.
pub fn place(caller: Loc, function: Loc) -> Loc {
    site::own_or(caller, function)
}

/// Whether the caller has the function's own place.
pub(crate) fn is_unknown(caller: Loc, file: &str, lines: &RangeInclusive<u32>) -> bool {
    caller.file() == file && lines.contains(&caller.line())
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::panic::Location;

    #[test]
    fn without_libraries_a_relative_path_is_the_programs() {
        let here = Location::caller();
        assert_eq!(side("src/lib.rs", 1), Side::Program);
        assert_eq!(side("/elsewhere/src/lib.rs", 1), Side::Unknown);
        let elsewhere = 0..=0;
        assert!(may_be_from_program(here, here.file(), elsewhere.clone()));
        let is_callback = side(here.file(), here.line()) != Side::Program;
        assert_eq!(may_be_from_library(here, here.file(), elsewhere), is_callback);
        assert!(may_be_from_library(here, here.file(), here.line()..=here.line()));
    }
}
