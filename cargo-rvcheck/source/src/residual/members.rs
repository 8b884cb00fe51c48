//! The crates of the workspace: which calls that are not followed go to one of them, and which to code that is not looked at.

use crate::body::Function;
use crate::mir::BlockId;
use crate::program::Program;
use rvcheck_primitives::{Adapter, Is, adapters_named, libraries, named};
use std::collections::BTreeSet;

/// The targets of a build, and the names of their crates as paths begin with them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Members<'a> {
    pub(super) programs: &'a [&'a Program],
    pub(super) names: &'a BTreeSet<String>,
}

/// Whose a function is that is called and not followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Whose {
    /// Of another crate of the workspace, which is looked at, too.
    Member,
    /// Of std or of a library with rows.
    Library,
    /// Of a crate of which nothing is known, of another language, or what is behind a pointer.
    Nobody,
}

impl Members<'_> {
    /// Whose the function is that is called at the end of a block of a program.
    pub(super) fn whose(&self, program: &Program, function: &Function, block: BlockId) -> Whose {
        let Some((_, callee)) = function.call(block) else { return Whose::Nobody };
        let path = callee.trait_path().unwrap_or_else(|| function.callee(block).path());
        let root = path.split_once("::").map_or("", |it| it.0);
        if self.names.contains(root) {
            return Whose::Member;
        }
        let is_library = |name: &str| libraries().iter().any(|it| it.name == name) || name == "futures";
        if is_library(root) {
            return Whose::Library;
        }
        // The compiler leaves out the path of what no other crate has by that name.
        if !path.contains("::") && is_of_library(path) {
            return Whose::Library;
        }
        let is_bare = !path.contains("::") || root.starts_with(char::is_uppercase);
        let is_theirs = |it: &&Program| !std::ptr::eq(*it, program) && it.has_item(path);
        if is_bare && self.programs.iter().copied().any(|it| is_theirs(&it)) {
            Whose::Member
        } else {
            Whose::Nobody
        }
    }
}

/// Whether a function that is written without a path is one of std, of a library with rows, or of the harness of tests.
fn is_of_library(name: &str) -> bool {
    let of_module = |it: &&Adapter| it.of.starts_with(char::is_lowercase);
    named(name).iter().any(|it| matches!(it.owner.is, Is::Module(_)))
        || adapters_named(name).iter().copied().any(|it| of_module(&it))
        || matches!(name, "assert_test_result" | "test_main_static")
}
