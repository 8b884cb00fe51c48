//! Closures: what they are called with, and where what they return goes.

use super::adapters::{Given, LEAVES_OUT, Loss, Move, Telling, moves, output_of_closure, spawned, telling};
use super::end::{At, End};
use super::follow::{Following, Item, Mode, OUTSIDE};
use super::path::{Path, Step};
use super::store::{captured, root};
use crate::body::{Callee, Function, FunctionId, Kind, Slot};
use crate::mir::{BlockId, Call, Local, Operand, Place, Rvalue};
use crate::ty::{Ty, closure_in};

impl Following<'_> {
    /// A closure or function that is given to a call is called with the part.
    pub(super) fn give(
        &mut self,
        item: &Item,
        at: At,
        (call, given): (&Call, &Given<'_>),
        operand: &Operand,
        parameter: u32,
        steps: &[Step],
    ) {
        let mode = item.2;
        for body in self.closures(at.0, operand, 0) {
            let is_closure = self.function(body).kind == Kind::Closure;
            let local = Local(if is_closure { parameter } else { parameter - 1 });
            self.add((body, Path { local, steps: steps.to_vec() }, mode, OUTSIDE));
        }
        if !self.closures(at.0, operand, 0).is_empty() {
            return;
        }
        let Operand::Constant(text) = operand else { return self.end(mode, End::Open(at)) };
        let callee = Callee::read(text);
        if mode == Mode::Flag && steps.is_empty() {
            return match telling(callee) {
                Telling::Nowhere => {}
                Telling::Replaced => {
                    self.disposition.losses.insert((at, Loss::Replaced));
                }
                _ => self.end(mode, End::Read(at)),
            };
        }
        let inner = Given {
            owner: callee.owner(),
            callee,
            argument: 0,
            arguments: 1,
            rest: steps,
            ty: Ty::default(),
            into: Ty::default(),
        };
        let Some(found) = moves(&inner) else { return self.end(mode, End::Read(at)) };
        for it in found {
            match it {
                Move::Into(steps) => match output_of_closure(given.owner, given.callee.name(), 1, &steps) {
                    Some(steps) => self.put(at.0, at.1, &call.into, &steps, mode, at.1),
                    None => self.end(mode, End::Open(at)),
                },
                Move::Joined(steps) => {
                    self.disposition.joined.insert(at);
                    match output_of_closure(given.owner, given.callee.name(), 1, &steps) {
                        Some(steps) => self.put(at.0, at.1, &call.into, &steps, mode, at.1),
                        None => self.end(mode, End::Open(at)),
                    }
                }
                Move::Tells(steps) => match given.callee.name() {
                    // What is `None` is left out.
                    "filter_map" | "flat_map" | "find_map" | "for_each" => {
                        self.disposition.losses.insert((at, Loss::LeftOut));
                    }
                    "filter" | "take_while" | "skip_while" | "retain" | "any" | "all" | "position"
                    | "partition" => {
                        self.end(Mode::Flag, End::Read(at));
                    }
                    _ => match output_of_closure(given.owner, given.callee.name(), 1, &steps) {
                        Some(steps) => self.put(at.0, at.1, &call.into, &steps, Mode::Flag, at.1),
                        None => self.end(Mode::Flag, End::Open(at)),
                    },
                },
                Move::Lost(loss) => {
                    self.disposition.losses.insert((at, loss));
                }
                Move::Aborted => self.end(mode, End::Aborted(at)),
                Move::Give(..) | Move::Store(..) => self.end(mode, End::Open(at)),
            }
        }
    }

    /// The bodies that an operand is as something to call: also those that the callers of this body give it.
    fn closures(&self, id: FunctionId, operand: &Operand, depth: usize) -> Vec<FunctionId> {
        match operand {
            Operand::Constant(text) => {
                let closure = closure_in(text).and_then(|it| self.program.body_of(it));
                closure.or_else(|| self.program.function_named(text)).into_iter().collect()
            }
            Operand::Place(place) => self.closures_at(id, place, depth),
        }
    }

    fn closures_at(&self, id: FunctionId, place: &Place, depth: usize) -> Vec<FunctionId> {
        let function = self.function(id);
        let ty = function.type_of(place).unwrap_or_default();
        if let Some(body) = ty.closure().and_then(|it| self.program.body_of(it)) {
            return vec![body];
        }
        let path = Path::to(function, place);
        let (root, rest) = root(function, &path);
        if depth > 12 {
            return Vec::new();
        }
        if let (Some((number, [])), [Step::Field(_)]) = (captured(function, &path), path.steps.as_slice()) {
            let made = self.index.makers(id).iter();
            let operands = made.filter_map(|(maker, _, all)| Some((*maker, all.get(number as usize)?)));
            return operands.flat_map(|(maker, it)| self.closures(maker, it, depth + 1)).collect();
        }
        if !rest.is_empty() {
            return Vec::new();
        }
        if function.is_argument(&root) {
            if function.kind != Kind::Function {
                return Vec::new();
            }
            let calls = self.index.callers(id).iter().filter_map(|(caller, block)| {
                let (call, _) = self.function(*caller).call(*block)?;
                Some((*caller, call.arguments.get(root.local.0 as usize - 1)?))
            });
            return calls.flat_map(|(caller, it)| self.closures(caller, it, depth + 1)).collect();
        }
        let assigned = function.definition(&root).and_then(|it| function.assigned(it));
        match assigned {
            Some(Rvalue::Use(from)) => self.closures(id, from, depth + 1),
            Some(Rvalue::Reference(from, _)) => self.closures_at(id, from, depth + 1),
            _ => Vec::new(),
        }
    }

    /// The part is in the arguments of a call of a closure.
    pub(super) fn called_through(&mut self, item: &Item, at: At, call: &Call, rest: &[Step]) {
        let mode = item.2;
        let [Step::Field(number), rest @ ..] = rest else { return };
        let bodies = call.arguments.first().map(|it| self.closures(at.0, it, 0)).unwrap_or_default();
        if bodies.is_empty() {
            return self.end(mode, End::Open(at));
        }
        for body in bodies {
            let is_closure = self.function(body).kind == Kind::Closure;
            let local = Local(number + if is_closure { 2 } else { 1 });
            self.add((body, Path { local, steps: rest.to_vec() }, mode, OUTSIDE));
        }
    }

    pub(super) fn returned_by_closure(&mut self, id: FunctionId, steps: &[Step], mode: Mode) {
        let at = (id, BlockId(0));
        let given = self.index.given_to(id).to_vec();
        if given.is_empty() {
            // It may be called where it is made.
            return self.end(mode, End::Open(at));
        }
        for (user, block, number) in given {
            let function = self.function(user);
            let Some((call, callee)) = function.call(block) else { continue };
            let into = function.type_of(&call.into).unwrap_or_default();
            let bodies = self.index.callees(user, block).to_vec();
            if callee.invokes() {
                self.put(user, block, &call.into.clone(), steps, mode, block);
            } else if !bodies.is_empty() {
                for body in bodies {
                    self.returned_in_generic(body, Local(number as u32 + 1), steps, mode);
                }
            } else if let Some(first) = spawned(callee.name(), into) {
                let steps = [first.as_slice(), steps].concat();
                self.put(user, block, &call.into.clone(), &steps, mode, block);
            } else {
                let of = function.callee(block).owner();
                if mode == Mode::Flag && steps.is_empty() && LEAVES_OUT.contains(&callee.name()) {
                    self.disposition.losses.insert(((user, block), Loss::LeftOut));
                    continue;
                }
                match output_of_closure(of, callee.name(), number, steps) {
                    Some(steps) => self.put(user, block, &call.into.clone(), &steps, mode, block),
                    None if LISTENS_NOT.contains(&callee.name()) => {}
                    None => self.end(mode, End::Open((user, block))),
                }
            }
        }
    }

    /// A function calls what it is given as that local: the part is in what comes back.
    fn returned_in_generic(&mut self, body: FunctionId, local: Local, steps: &[Step], mode: Mode) {
        let function = self.function(body);
        let mut any = false;
        let calls: Vec<(BlockId, Place, Vec<Operand>, Callee)> = function
            .calls()
            .map(|(block, call, callee)| (block, call.into.clone(), call.arguments.clone(), callee))
            .collect();
        for (block, into, arguments, callee) in calls {
            let position = arguments.iter().position(|it| {
                it.place()
                    .is_some_and(|it| it.local == local || moved_from(function, it.local) == Some(local))
            });
            let Some(position) = position else { continue };
            any = true;
            let ty = function.type_of(&into).unwrap_or_default();
            if callee.invokes() {
                self.put(body, block, &into, steps, mode, block);
            } else if let Some(first) = spawned(callee.name(), ty) {
                self.put(body, block, &into, &[first.as_slice(), steps].concat(), mode, block);
            } else if let Some(steps) =
                output_of_closure(function.callee(block).owner(), callee.name(), position, steps)
            {
                self.put(body, block, &into, &steps, mode, block);
            } else {
                self.end(mode, End::Open((body, block)));
            }
        }
        if !any {
            self.end(mode, End::Open((body, BlockId(0))));
        }
    }
}

/// Functions that do not use what the closures that they are given return.
const LISTENS_NOT: &[&str] = &["for_each", "inspect", "inspect_err", "for_each_concurrent"];

/// The local that a local is moved or borrowed from.
fn moved_from(function: &Function, local: Local) -> Option<Local> {
    match function.assigned(function.definition(&Slot::of(local))?)? {
        Rvalue::Use(Operand::Place(from)) | Rvalue::Reference(from, _) => Some(from.local),
        _ => None,
    }
}
