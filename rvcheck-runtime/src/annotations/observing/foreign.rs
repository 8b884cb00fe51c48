//! Functions of libraries: observed where others call them, and not where their own package does.

use core::ops::RangeInclusive;

use crate::Loc;
use crate::boundary::is_unknown;

/// Whether a call comes from another package. `caller` is what [`Location::caller`](core::panic::Location::caller) says in the function,
/// `folder` the folder of its package with a slash at the end, and `file` and `lines` are where the function begins. A call through a
/// pointer or a `dyn` has the function's own place: nobody knows who that is, and it counts.
pub fn is_from_outside(caller: Loc, folder: &str, file: &str, lines: RangeInclusive<u32>) -> bool {
    !caller.file().starts_with(folder) || is_unknown(caller, file, &lines)
}

/// Calls the body of a function. It is taken by value, so that what the body returns may be part of what it has taken.
#[inline(always)]
pub fn once<T>(body: impl FnOnce() -> T) -> T {
    body()
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::panic::Location;

    #[test]
    fn calls_within_a_package_are_distinguished_from_others() {
        let here = Location::caller();
        let line = here.line();
        let folder = here.file().rsplit_once('/').expect("it is in a folder").0.to_owned() + "/";
        let cases = [
            ("/elsewhere/", "/elsewhere/src/lib.rs", 1..=9, true),
            (folder.as_str(), "another.rs", line..=line, false),
            (folder.as_str(), here.file(), 0..=line - 1, false),
            (folder.as_str(), here.file(), line..=line + 1, true),
        ];
        for (folder, file, lines, expected) in cases {
            assert_eq!(is_from_outside(here, folder, file, lines), expected, "{folder} {file}");
        }
    }

    #[test]
    fn a_body_that_returns_a_part_of_what_it_has_taken_is_run_once() {
        fn last(of: &mut [u32]) -> Option<&mut u32> {
            once(move || of.last_mut())
        }
        let mut all = [1, 2];
        *last(&mut all).expect("there is one") += 5;
        assert_eq!(all, [1, 7]);
    }
}
