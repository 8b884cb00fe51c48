//! Where something without a mark stands: awaits that macros wrote, and calls that are no sites, counted off in their item.

use super::{FunctionId, Program};
use crate::flow::Function;
use crate::flow::invocations::Invocation;
use crate::mir::BlockId;

impl Program {
    /// The line and column of the macro that has the await without a mark which suspends the body at that number of its
    /// [suspensions](Function::suspensions), with the file. Known where the macros of the item can be counted off.
    pub fn macro_at(&self, id: FunctionId, suspension: usize) -> Option<(&str, u32, u32)> {
        self.invocation_at(id, suspension).map(|it| (it.file.as_str(), it.line, it.column))
    }

    /// The line and column where the future of a branch of that `select!` begins, with the file; `of` is the number of branches that
    /// the compiler made of it, and `branch` one of them.
    pub fn branch_at(
        &self,
        id: FunctionId,
        suspension: usize,
        branch: usize,
        of: usize,
    ) -> Option<(&str, u32, u32)> {
        let found = self.invocation_at(id, suspension).filter(|it| it.futures.len() == of)?;
        found.futures.get(branch).map(|(line, column)| (found.file.as_str(), *line, *column))
    }

    fn invocation_at(&self, id: FunctionId, suspension: usize) -> Option<&Invocation> {
        let item = &self.names[id.0 as usize];
        let unmarked = |it: &Function| it.suspensions.iter().filter(|it| it.mark.is_none()).count();
        let others = self
            .functions()
            .any(|(other, it)| other != id && self.names[other.0 as usize] == *item && unmarked(it) > 0);
        let function = self.function(id);
        let found = self.invocations_in(item, |it| it.ends_with('!'));
        if others || found.len() != unmarked(function) {
            return None;
        }
        let nth = function.suspensions[..suspension].iter().filter(|it| it.mark.is_none()).count();
        found.get(nth).copied()
    }

    /// The line and column of the call at the end of a block that is no site, with the file. Known for some names, where the calls of
    /// that name in the item can be counted off.
    pub fn call_at(&self, id: FunctionId, block: BlockId) -> Option<(&str, u32, u32)> {
        let item = &self.names[id.0 as usize];
        let name = self.function(id).call(block)?.1.name();
        let calls = |it: &Function| it.calls().filter(|(.., callee)| callee.name() == name).count();
        let others = self
            .functions()
            .any(|(other, it)| other != id && self.names[other.0 as usize] == *item && calls(it) > 0);
        let function = self.function(id);
        let found = self.invocations_in(item, |it| it == name);
        if others || found.len() != calls(function) {
            return None;
        }
        let nth =
            function.calls().filter(|(.., callee)| callee.name() == name).position(|(at, ..)| at == block)?;
        found.get(nth).map(|it| (it.file.as_str(), it.line, it.column))
    }

    /// The invocations of some name in an item, if they are all in one file.
    fn invocations_in(&self, item: &str, is_it: impl Fn(&str) -> bool) -> Vec<&Invocation> {
        let ends = |it: &Invocation| item == it.item || item.ends_with(&format!("::{}", it.item));
        let found: Vec<&Invocation> =
            self.invocations.iter().filter(|it| is_it(&it.name) && !it.item.is_empty() && ends(it)).collect();
        if found.iter().all(|it| it.file == found[0].file) { found } else { Vec::new() }
    }
}
