//! Errors of libraries that do not say that something failed, but that somebody ended it.

use crate::ty::{Ty, segments};
use rvcheck_primitives::{Failure, Holds, Is, holds, libraries, owners_named};

/// What an error of a type says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// Its owner ended it: an abort, the only one who could answer gave up, a limit of time was over.
    Ended,
    /// A task was cancelled, or it panicked; only the value tells.
    CancelledOrPanicked,
    /// The other end of a channel is gone, whoever dropped it.
    Gone,
}

/// Whether types of a crate are known, also by the names that their parts are compiled under.
fn is_known(of_crate: &str) -> bool {
    matches!(of_crate, "futures" | "real") || libraries().iter().any(|it| it.name == of_crate)
}

/// What the error of a `Result` of this type, as the compiler writes it, says of how things ended; `None` if nothing.
pub fn said_by_result(text: &str) -> Option<Said> {
    let ty = Ty::read(text);
    if ty.name() != "Result" {
        return None;
    }
    said_by(ty.argument(1)?)
}

/// The same of an error of this type, also one that is boxed or shared.
pub fn said_by(error: Ty) -> Option<Said> {
    let known = segments(error.head()).first().is_some_and(|it| is_known(it));
    let is = |is: Is| owners_named(error.name()).iter().any(|it| it.is == is);
    match error.name() {
        name if matches!(holds(name), Some(Holds::Alone | Holds::Counted)) => said_by(error.argument(0)?),
        _ if !known => None,
        "Canceled" | "Elapsed" => Some(Said::Ended),
        _ if is(Is::Error(Failure::Cancelled)) => Some(Said::Ended),
        _ if is(Is::Error(Failure::Panicked)) => Some(Said::CancelledOrPanicked),
        "SendError" | "RecvError" => Some(Said::Gone),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_libraries_say_that_somebody_ended_it_and_types_of_the_same_name_do_not() {
        let cases = [
            ("core::result::Result<(), futures_util::abortable::Aborted>", Some(Said::Ended)),
            ("std::result::Result<u8, futures::channel::oneshot::Canceled>", Some(Said::Ended)),
            ("core::result::Result<(), alloc::boxed::Box<tokio::time::error::Elapsed>>", Some(Said::Ended)),
            (
                "core::result::Result<(u8, u8), tokio::runtime::task::error::JoinError>",
                Some(Said::CancelledOrPanicked),
            ),
            ("core::result::Result<(), tokio::sync::mpsc::error::SendError<shop::Order>>", Some(Said::Gone)),
            ("core::result::Result<(), std::sync::mpsc::RecvError>", Some(Said::Gone)),
            ("core::result::Result<(), shop::Aborted>", None),
            ("core::result::Result<tokio::time::error::Elapsed, shop::Error>", None),
            ("tokio::time::error::Elapsed", None),
        ];
        for (ty, expected) in cases {
            assert_eq!(said_by_result(ty), expected, "{ty}");
        }
    }
}
