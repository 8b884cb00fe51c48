//! What the workspace puts behind types of std and of other crates that do not name it.

use super::known::own_types_in;
use super::occurs::occurs;
use crate::flow::text::last;
use crate::flow::{Function, Program};
use crate::mir::{BlockId, Operand};

/// What a build may have where the type does not say so.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Erased {
    /// Values of its own in `std::io::Error`.
    pub(super) errors: bool,
    /// Values of its own in what is left of a panic.
    pub(super) panics: bool,
    /// Wakers of its own.
    pub(super) wakers: bool,
    /// Memory of its own in `bytes::Bytes`.
    pub(super) bytes: bool,
    /// Locks of the standard streams that are held.
    pub(super) streams: bool,
}

impl Erased {
    /// What all targets of a build put there.
    pub(super) fn of(programs: &[&Program]) -> Erased {
        let mut found = Erased::default();
        for program in programs {
            found.wakers |= occurs(program, &["RawWaker"]);
            found.streams |= occurs(program, &["StdoutLock", "StderrLock", "StdinLock"]);
            for (id, function) in program.functions() {
                let of_trait = program.trait_of(id).unwrap_or_default();
                found.wakers |= matches!(of_trait, "Wake" | "ArcWake");
                for (block, ..) in function.calls() {
                    found.calls(program, function, block);
                }
            }
        }
        found
    }

    fn calls(&mut self, program: &Program, function: &Function, block: BlockId) {
        let Some((call, callee)) = function.call(block) else { return };
        let path = program.callee_path(function, block);
        let plain = || {
            let mut types = call.arguments.iter().filter_map(Operand::place).map(|it| function.type_of(it));
            types.all(|it| it.is_some_and(is_plain))
                && own_types_in(&call.callee).into_iter().all(is_plain)
        };
        let of_error = |it: &str| matches!(it, "std::io::Error" | "std::io::error::Error");
        match callee.name() {
            "new" | "other" if path.contains("Error::") && !plain() => {
                let owner = path.rsplit_once("::").map_or("", |it| it.0);
                self.errors |= of_error(owner) || !owner.contains("::");
            }
            "from" | "into" if function.type_of(&call.into).is_some_and(|it| of_error(&program.head(it))) => {
                self.errors |= !plain();
            }
            "panic_any" | "begin_panic" | "resume_unwind" => self.panics |= !plain(),
            "waker_fn" | "from_raw" if path.contains("aker") => self.wakers = true,
            "from_owner" => self.bytes |= last(path.rsplit_once("::").map_or("", |it| it.0)) == "Bytes",
            _ => {}
        }
    }
}

/// Whether nothing of the workspace is in values of a type.
fn is_plain(ty: &str) -> bool {
    let names = ["&str", "&'static str", "String", "std::string::String", "ErrorKind", "std::io::ErrorKind"];
    names.contains(&ty) || ty.starts_with("std::ffi::NulError")
}
