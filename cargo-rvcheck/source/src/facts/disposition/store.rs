//! What is put into something that a pointer points to: whoever has that has the part, too.

use super::end::End;
use super::follow::{Following, Mode, OUTSIDE};
use super::index::last_field;
use super::path::{Path, Step};
use crate::body::{Definition, Function, FunctionId, Kind, Selector, Slot};
use crate::mir::{BlockId, Local, Operand, Place, Rvalue};
use crate::program::library::mentions_guard;
use crate::ty::Ty;

/// Functions whose result points into their first argument.
const POINTS: &[&str] = &[
    "__rv_site",
    "as_mut",
    "borrow_mut",
    "by_ref",
    "deref",
    "deref_mut",
    "expect",
    "get_mut",
    "iter_mut",
    "new",
    "new_unchecked",
    "unwrap",
];

impl Following<'_> {
    /// Puts the part into what a pointer points to, whoever has that.
    pub(super) fn store(&mut self, id: FunctionId, block: BlockId, path: &Path, mode: Mode, depth: usize) {
        let function = self.function(id);
        if depth > 12 {
            return self.end(mode, End::Open((id, block)));
        }
        if let Some((at, rest)) = captured(function, path) {
            for (maker, _, operands) in self.index.makers(id).to_vec() {
                if let Some(place) = operands.get(at as usize).and_then(Operand::place) {
                    self.store_at(maker, block, place, rest, mode, depth);
                }
            }
            return;
        }
        if function.is_argument(&Slot::of(path.local)) && function.kind == Kind::Function {
            let callers = self.index.callers(id).to_vec();
            if callers.is_empty() || self.program.is_public(self.program.name_of(id)) {
                self.end(mode, End::Open((id, block)));
            }
            for (caller, at) in callers {
                let call = self.function(caller).call(at);
                let argument = call.and_then(|(it, _)| it.arguments.get(path.local.0 as usize - 1)?.place());
                if let Some(place) = argument {
                    self.store_at(caller, at, place, &path.steps, mode, depth);
                }
            }
            return;
        }
        if function.is_argument(&Slot::of(path.local)) {
            return self.end(mode, End::Open((id, block)));
        }
        let (root, rest) = root(function, path);
        let ty = type_of(function, &root);
        if mentions_guard(ty) || ty.is_unknown() {
            // What is behind a lock is shared: others read it.
            return self.end(mode, End::Open((id, block)));
        }
        if !ty.is_pointer() && !ty.is_of_reference("Pin") {
            return;
        }
        for definition in function.definitions(&root).to_vec() {
            let from = match definition {
                Definition::Called(at) => {
                    let call = function.call(at).filter(|(_, callee)| POINTS.contains(&callee.name()));
                    call.and_then(|(call, _)| call.place(0))
                }
                Definition::Assigned(..) => function.assigned(definition).and_then(Rvalue::alias_of),
            };
            match from {
                Some(place) => self.store_at(id, block, place, rest, mode, depth),
                None => self.end(mode, End::Open((id, block))),
            }
        }
    }

    pub(super) fn store_at(
        &mut self,
        id: FunctionId,
        block: BlockId,
        place: &Place,
        rest: &[Step],
        mode: Mode,
        depth: usize,
    ) {
        let path = Path::to(self.function(id), place).with(rest);
        if let Some((of, number, steps)) = last_field(self.program, id, place) {
            return self.put_into_field(&of, number, &[steps.as_slice(), rest].concat(), mode);
        }
        if !self.seen.contains(&(id, path.clone(), mode)) {
            self.add((id, path.clone(), mode, OUTSIDE));
            self.store(id, block, &path, mode, depth + 1);
        }
    }
}

/// The number of the captured value that a path leads through, and the steps behind it.
pub(super) fn captured<'a>(function: &Function, path: &'a Path) -> Option<(u32, &'a [Step])> {
    let (Step::Field(at), rest) = path.steps.split_first()? else { return None };
    let is_environment = match function.kind {
        Kind::Closure => path.local == Local(1),
        Kind::Coroutine => function.is_machine(&Slot::of(path.local)),
        Kind::Function | Kind::Constant => false,
    };
    is_environment.then_some((*at, rest))
}

/// The value of its own that a path begins in, and the steps behind it.
pub(super) fn root<'a>(function: &Function, path: &'a Path) -> (Slot, &'a [Step]) {
    let is_machine = function.is_machine(&Slot::of(path.local));
    match path.steps.as_slice() {
        [Step::State(state), Step::Field(field), rest @ ..] if is_machine => {
            let steps = vec![Selector::Deref, Selector::State(*state), Selector::Field(*field)];
            (Slot { local: path.local, steps }, rest)
        }
        rest => (Slot::of(path.local), rest),
    }
}

/// The type of a value of its own.
pub(crate) fn type_of(function: &Function, root: &Slot) -> Ty {
    if root.steps.is_empty() {
        return function.body.type_of(root.local);
    }
    let places = function
        .blocks()
        .flat_map(|(_, it)| it.assignments())
        .map(|(into, value)| value.places().chain([into]));
    let called = function.calls().map(|(_, call, _)| &call.into);
    let mut places = places.flatten().chain(called).filter(|it| Slot::at(it) == *root);
    places.next().and_then(|it| function.type_of(it)).unwrap_or_default()
}
