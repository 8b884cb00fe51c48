//! Where something without a mark stands: awaits that macros wrote, and calls that are no sites, counted off in their item.

use crate::body::{Function, FunctionId};
use crate::mir::BlockId;
use crate::program::Program;
use crate::program::invocations::{Extent, Invocation};
use rvcheck_event::position::CompiledPosition;
use rvcheck_primitives::{Inert, Is, owner};

/// Whether a function is one of what finds out which of several operations is ready.
fn is_of_select(path: &str) -> bool {
    let of = path.rsplit_once("::").map_or("", |it| it.0);
    owner(of).is_some_and(|it| {
        matches!(it.is, Is::End(end) if !end.sends) && it.inert.iter().any(|(it, _)| *it == Inert::Collects)
    })
}

impl Program {
    /// The first and the last line of a closure or async block. Rewriting moves none.
    pub(crate) fn lines_of(&self, id: FunctionId) -> Option<(u32, u32)> {
        Some(self.extents.get(&self.function(id).identity()?)?.lines())
    }

    /// The position of the macro that has the await without a mark which suspends the body at that number of its
    /// [suspensions](Function::suspensions), with the file. Known where the macros of the item can be counted off.
    pub fn macro_at(&self, id: FunctionId, suspension: usize) -> Option<(&str, CompiledPosition)> {
        self.invocation_at(id, suspension).map(|it| (it.file.as_str(), it.position))
    }

    /// The position where the future of a branch of that `select!` begins, with the file; `of` is the number of branches that
    /// the compiler made of it, and `branch` one of them.
    pub fn branch_at(
        &self,
        id: FunctionId,
        suspension: usize,
        branch: usize,
        of: usize,
    ) -> Option<(&str, CompiledPosition)> {
        let found = self.invocation_at(id, suspension).filter(|it| it.futures.len() == of)?;
        found.futures.get(branch).map(|it| (found.file.as_str(), *it))
    }

    fn invocation_at(&self, id: FunctionId, suspension: usize) -> Option<&Invocation> {
        let unmarked = |it: &Function| it.suspensions.iter().filter(|it| it.mark.is_none()).count();
        let found = self.counted(id, &|it| it.ends_with('!'), &unmarked)?;
        let function = self.function(id);
        let nth = function.suspensions[..suspension].iter().filter(|it| it.mark.is_none()).count();
        found.get(nth).copied()
    }

    /// The position of the call at the end of a block that is no site, with the file. Known for some names, where the calls of
    /// that name in the body can be counted off.
    pub fn call_at(&self, id: FunctionId, block: BlockId) -> Option<(&str, CompiledPosition)> {
        let function = self.function(id);
        let (name, path) = (function.call(block)?.1.name(), function.callee(block).path());
        let calls = |it: &Function| it.calls().filter(|(.., callee)| callee.name() == name).count();
        let is_it = |it: &str| match it {
            // What a loop goes over, it asks for an iterator.
            "for" => name == "into_iter",
            "select!" => is_of_select(path),
            it => it == name,
        };
        let found = self.counted(id, &is_it, &calls)?;
        let nth =
            function.calls().filter(|(.., callee)| callee.name() == name).position(|(at, ..)| at == block)?;
        found.get(nth).map(|it| (it.file.as_str(), it.position))
    }

    /// The invocations of some name in a body, if there are as many as the compiler's view of it has.
    fn counted(
        &self,
        id: FunctionId,
        is_it: &dyn Fn(&str) -> bool,
        count: &dyn Fn(&Function) -> usize,
    ) -> Option<Vec<&Invocation>> {
        let item = &self.names[id.0 as usize];
        let ends = |it: &Invocation| *item == it.item || item.ends_with(&format!("::{}", it.item));
        let of_item = self.functions().filter(|(other, _)| self.names[other.0 as usize] == *item);
        let extent = |it: &Function| self.extents.get(&it.identity()?);
        let bodies: Vec<(FunctionId, Option<&Extent>)> =
            of_item.map(|(other, it)| (other, extent(it))).collect();
        let own = bodies.iter().find(|(other, _)| *other == id)?.1;
        let innermost = |it: &Invocation| {
            let around = bodies.iter().filter_map(|(_, extent)| *extent).filter(|extent| extent.contains(it));
            around.max_by_key(|extent| extent.begin)
        };
        let wanted = |it: &&Invocation| is_it(&it.name) && !it.item.is_empty() && ends(it);
        let found: Vec<&Invocation> =
            self.invocations.iter().filter(wanted).filter(|it| innermost(it) == own).collect();
        let others = bodies
            .iter()
            .any(|(other, extent)| *other != id && *extent == own && count(self.function(*other)) > 0);
        let one_file = found.iter().all(|it| it.file == found[0].file);
        (one_file && !others && found.len() == count(self.function(id))).then_some(found)
    }
}
