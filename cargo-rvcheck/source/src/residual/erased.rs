//! What the workspace puts behind types of std and of other crates that do not name it.

use super::occurs::occurs;
use crate::body::Function;
use crate::mir::{BlockId, Operand};
use crate::program::Program;
use crate::ty::{Ty, is_of_std, last};
use rvcheck_primitives::code::types::{Hidden, hidden};

/// Behind which types a build may have values of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Erased(u8);

/// A type that hides values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Behind {
    /// `std::io::Error`.
    Errors,
    /// What is left of a panic.
    Panics,
    /// `std::task::Waker`.
    Wakers,
    /// `bytes::Bytes`.
    Bytes,
    /// The standard streams, of which it holds the locks, or writes to them by other means than macros.
    Streams,
}

impl Erased {
    /// Whether it has some behind that.
    pub(super) const fn has(self, behind: Behind) -> bool {
        self.0 & (1 << behind as u8) != 0
    }

    const fn add(&mut self, behind: Behind, there: bool) {
        self.0 |= (there as u8) << behind as u8;
    }

    /// What all targets of a build put there.
    pub(super) fn of(programs: &[&Program]) -> Erased {
        let mut found = Erased::default();
        for program in programs {
            found.add(Behind::Wakers, occurs(program, &["RawWaker"]));
            found.add(Behind::Streams, occurs(program, &["Stdout", "Stderr", "StdinLock"]));
            for (id, function) in program.functions() {
                let of_trait = program.trait_of(id).unwrap_or_default();
                found.add(Behind::Wakers, matches!(of_trait, "Wake" | "ArcWake"));
                for (block, ..) in function.calls() {
                    found.calls(program, function, block);
                }
            }
        }
        found
    }

    fn calls(&mut self, program: &Program, function: &Function, block: BlockId) {
        let Some((call, callee)) = function.call(block) else { return };
        let path = callee.path();
        let plain = || {
            let mut types = call.places().map(|it| function.type_of(it));
            types.all(|it| it.is_some_and(is_plain)) && callee.generics().iter().copied().all(is_plain)
        };
        // They may be given to what calls them.
        let values = call.arguments.iter().filter_map(|it| match it {
            Operand::Constant(text) => Some(text.as_str()),
            Operand::Place(_) => None,
        });
        let own = callee.generics();
        for text in values.chain(own.iter().map(|it| it.text())) {
            let gives = |names: &[&str]| names.iter().any(|it| text.contains(it));
            self.add(Behind::Errors, gives(&["Error::other", "Error::new"]));
            self.add(Behind::Panics, gives(&["panic_any", "resume_unwind"]));
            self.add(Behind::Wakers, gives(&["waker_fn", "RawWaker"]));
            self.add(Behind::Bytes, gives(&["Bytes::from_owner"]));
        }
        let of_error = |it: &str| hidden(it) == Some(Hidden::Error) && last(it) != "Result";
        match callee.name() {
            "new" | "other" if path.contains("Error::") && !plain() => {
                let owner = path.rsplit_once("::").map_or("", |it| it.0);
                self.add(Behind::Errors, of_error(owner) || !owner.contains("::"));
            }
            "from" | "into" if function.type_of(&call.into).is_some_and(|it| of_error(program.head(it))) => {
                self.add(Behind::Errors, !plain());
            }
            "panic_any" | "begin_panic" | "resume_unwind" => self.add(Behind::Panics, !plain()),
            "waker_fn" | "from_raw" if path.contains("aker") => self.add(Behind::Wakers, true),
            "from_owner" => {
                self.add(Behind::Bytes, last(path.rsplit_once("::").map_or("", |it| it.0)) == "Bytes");
            }
            _ => {}
        }
    }
}

/// Whether nothing of the workspace is in values of a type.
fn is_plain(ty: Ty) -> bool {
    if let Some(of) = ty.referent() {
        return of.is("str");
    }
    let of_std = ["string", "io", "ffi"].iter().find_map(|it| {
        let (_, inside) = ty.text().split_once("::").filter(|_| is_of_std(ty.text()))?;
        let rest = inside.strip_prefix(it)?.strip_prefix("::")?;
        Some((*it, rest))
    });
    match of_std {
        Some(("ffi", rest)) => rest.starts_with("NulError"),
        Some((_, rest)) => matches!(rest, "String" | "ErrorKind"),
        None => matches!(ty.text(), "String" | "ErrorKind"),
    }
}
