//! Following a part of a value forward, over all paths and into all bodies that it goes to.
//!
//! The order of statements does not matter: what is done with a part on any path is found. So an error counts as lost only if
//! nothing is done with it on any path. What is not understood ends in [`End::Open`].

use super::adapters::{Given, Loss, Move, Telling, moves, spawned, telling};
use super::end::{At, Disposition, End};
use super::idle::{Branch, passes_over};
use super::index::{Index, Use, last_field};
use super::open_drop::open_drop;
use super::path::{Path, Relation, Step, variant};
use super::reported::{is_asserted_zero, is_ruled_out, reports, says_so, sides};
use crate::body::paths::Paths;
use crate::body::{Function, FunctionId, Kind, Slot};
use crate::mir::{BlockId, Call, Local, Operand, Place, Projection, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::program::library::is_task_set;
use crate::ty::Ty;
use std::collections::BTreeSet;

/// What is followed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Mode {
    /// The error.
    Error,
    /// What tells that there was one: an `Option`, a `Result` with another error, a flag.
    Flag,
}

/// A part, where it is, and the block that gave it.
pub(super) type Item = (FunctionId, Path, Mode, BlockId);

/// No block: the part comes from outside of the body.
pub(super) const OUTSIDE: BlockId = BlockId(u32::MAX);

/// How many places a part is followed through.
const MOST: usize = 3000;

/// Where a part is at first.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Start<'a> {
    /// In what a call gives, at the end of these steps.
    In(&'a Place, &'a [Step]),
    /// In what a place is or points to, which others have, too.
    Behind(&'a Place, &'a [Step]),
}

/// What becomes of the error that a call gives.
pub(crate) fn follow(program: &Program, index: &Index, at: At, start: Start<'_>) -> Disposition {
    let mut following = Following {
        program,
        index,
        disposition: Disposition::default(),
        open: Vec::new(),
        seen: BTreeSet::new(),
    };
    match start {
        Start::In(place, rest) => following.put(at.0, at.1, place, rest, Mode::Error, at.1),
        Start::Behind(place, rest) => following.store_at(at.0, at.1, place, rest, Mode::Error, 0),
    }
    while let Some(item) = following.open.pop() {
        if following.seen.len() > MOST {
            following.disposition.ends.insert(End::Open(at));
            break;
        }
        following.visit(&item);
    }
    following.disposition
}

pub(super) struct Following<'a> {
    pub(super) program: &'a Program,
    pub(super) index: &'a Index,
    pub(super) disposition: Disposition,
    open: Vec<Item>,
    pub(super) seen: BTreeSet<(FunctionId, Path, Mode)>,
}

impl<'a> Following<'a> {
    pub(super) fn function(&self, id: FunctionId) -> &'a Function {
        self.program.function(id)
    }

    pub(super) fn end(&mut self, mode: Mode, end: End) {
        self.disposition.ends.insert(match (mode, end) {
            (Mode::Flag, End::Read(at) | End::Open(at)) => End::Checked(at),
            (_, end) => end,
        });
    }

    pub(super) fn add(&mut self, item: Item) {
        let (id, path, mode, _) = &item;
        // Paths of a value that has itself in it have no end.
        if path.steps.len() > 12 {
            return self.end(*mode, End::Open((*id, BlockId(0))));
        }
        if self.seen.insert((*id, path.clone(), *mode)) {
            if path.local == Local(0) {
                self.returned(*id, &path.steps.clone(), *mode);
            }
            self.open.push(item);
        }
    }

    /// Puts the part where an assignment or a call puts what it gives.
    pub(super) fn put(
        &mut self,
        id: FunctionId,
        block: BlockId,
        into: &Place,
        rest: &[Step],
        mode: Mode,
        made: BlockId,
    ) {
        let function = self.function(id);
        let path = Path::to(function, into).with(rest);
        if let Some((of, number, steps)) = last_field(self.program, id, into) {
            return self.put_into_field(&of, number, &[steps.as_slice(), rest].concat(), mode);
        }
        // The first one leads from a state machine's pointer to itself to that.
        let own = usize::from(function.is_machine(&Slot::of(into.local)));
        let points = into.projections.iter().filter(|it| **it == Projection::Deref).count() > own;
        if points {
            self.store(id, block, &path, mode, 0);
        }
        self.add((id, path, mode, made));
    }

    pub(super) fn put_into_field(&mut self, of: &str, number: u32, rest: &[Step], mode: Mode) {
        self.disposition.is_stored = true;
        let found: Vec<(FunctionId, Path)> = self.index.field(of, number).cloned().collect();
        for (id, path) in found {
            self.add((id, path.with(rest), mode, OUTSIDE));
        }
    }

    fn visit(&mut self, item: &Item) {
        let (id, path, mode, _) = item;
        for it in self.index.uses(self.program, *id, path.local).to_vec() {
            match it {
                Use::Statement(block, number) => {
                    let statement = self.function(*id).body.block(block).map(|it| &it.statements[number]);
                    if let Some(Statement::Assign(into, value)) = statement {
                        self.assigned(item, block, into, value);
                    }
                }
                Use::Terminator(block) => match self.function(*id).body.block(block).map(|it| &it.terminator)
                {
                    Some(Terminator::Call(call)) => self.called(item, block, call),
                    Some(Terminator::Switch { on: Operand::Place(on), .. }) => {
                        let on = Path::to(self.function(*id), on);
                        match path.relation(&on) {
                            Relation::Has([]) if *mode == Mode::Flag => self.decided(*id, block),
                            Relation::Has([]) | Relation::Inside => self.end(*mode, End::Read((*id, block))),
                            _ => {}
                        }
                    }
                    _ => {}
                },
            }
        }
    }

    fn assigned(&mut self, item: &Item, block: BlockId, into: &Place, value: &Rvalue) {
        let (id, path, mode, made) = item;
        let function = self.function(*id);
        match value {
            Rvalue::Use(Operand::Place(from))
            | Rvalue::Cast(Operand::Place(from), _)
            | Rvalue::Reference(from, _) => match path.relation(&Path::to(function, from)) {
                Relation::Has(rest) => self.put(*id, block, into, rest, *mode, *made),
                Relation::Inside if *mode == Mode::Error => self.end(*mode, End::Read((*id, block))),
                Relation::Unknown => self.end(*mode, End::Open((*id, block))),
                _ => {}
            },
            Rvalue::Discriminant(_) if open_drop(function, block).is_some() => {}
            Rvalue::Discriminant(of) => match (path.relation(&Path::to(function, of)), mode) {
                (Relation::Has([Step::Err | Step::Some]), Mode::Error) => self.asked(item, block, (1, 0)),
                (Relation::Has([]), Mode::Flag) => match function.type_of(of).map(Ty::bare_name) {
                    Some("Option") => self.asked(item, block, (0, 1)),
                    Some("Result") => self.asked(item, block, (1, 0)),
                    _ => self.end(*mode, End::Read((*id, block))),
                },
                (Relation::Has([]) | Relation::Inside, Mode::Error) => {
                    self.end(*mode, End::Read((*id, block)));
                }
                (Relation::Unknown, _) => self.end(*mode, End::Open((*id, block))),
                _ => {}
            },
            Rvalue::Made(_, operands) => {
                for (number, operand) in (0..).zip(operands) {
                    let Some(from) = operand.place() else { continue };
                    match path.relation(&Path::to(function, from)) {
                        Relation::Has(rest) => {
                            let rest = rest.to_vec();
                            self.made(item, block, (into, value, number), &rest);
                        }
                        Relation::Inside if *mode == Mode::Error => self.end(*mode, End::Read((*id, block))),
                        Relation::Unknown => self.end(*mode, End::Open((*id, block))),
                        _ => {}
                    }
                }
            }
            Rvalue::Use(_) | Rvalue::Cast(..) => {}
        }
    }

    /// A struct, variant, closure or operator has the part in the operand of that number.
    fn made(&mut self, item: &Item, block: BlockId, made: (&Place, &Rvalue, u32), rest: &[Step]) {
        let (id, _, mode, from) = item;
        let (into, value, number) = made;
        let function = self.function(*id);
        let ty = function.type_of(into).unwrap_or_default();
        if value.body().is_some() {
            let body = self.program.body_made(function, into, value);
            let Some((body, _)) = body else { return self.end(*mode, End::Open((*id, block))) };
            let local = environment(self.function(body));
            let path = Path { local, steps: [&[Step::Field(number)], rest].concat() };
            return self.add((body, path, *mode, OUTSIDE));
        }
        if value.elements().is_some() {
            let step = if ty.is_sequence() { Step::Element } else { Step::Field(number) };
            return self.put(*id, block, into, &[&[step], rest].concat(), *mode, *from);
        }
        let Some((constructor, _)) = value.constructed() else {
            return match mode {
                Mode::Flag => self.put(*id, block, into, rest, *mode, *from),
                Mode::Error => self.end(*mode, End::Read((*id, block))),
            };
        };
        let last = constructor.name();
        let of_std = ty.bare().is_outcome();
        if let Some(step) = variant(last).filter(|_| of_std) {
            return self.put(*id, block, into, &[&[step], rest].concat(), *mode, *from);
        }
        if matches!(last, "AssertUnwindSafe" | "Pin" | "Wrapping" | "Reverse") {
            return self.put(*id, block, into, rest, *mode, *from);
        }
        if last == ty.bare_name() {
            if self.program.knows_type(last) {
                return self.put_into_field(last, number, rest, *mode);
            }
            return self.put(*id, block, into, &[&[Step::Field(number)], rest].concat(), *mode, *from);
        }
        // A variant of another enum says what is in it, as far as it goes anywhere.
        let steps = [&[Step::Variant(last.into()), Step::Field(number)], rest].concat();
        self.put(*id, block, into, &steps, *mode, *from);
    }

    /// A branch asks whether there was an error: what it does then.
    fn asked(&mut self, item: &Item, block: BlockId, variants: (i128, i128)) {
        let (id, _, _, made) = item;
        let function = self.function(*id);
        let Some((fails, works)) = sides(function, block, variants) else { return };
        if fails == works {
            self.disposition.losses.insert(((*id, block), Loss::EmptyArm));
            return;
        }
        let paths = Paths::of(function);
        let branch = Branch { made: *made, at: block };
        if passes_over(function, paths, branch, variants.0, variants.1) {
            self.disposition.losses.insert(((*id, block), Loss::EmptyArm));
        } else if fails.is_some_and(|it| reports(self.program, function, paths, block, it, works)) {
            self.disposition.ends.insert(End::Read((*id, block)));
        } else {
            self.disposition.ends.insert(End::Checked((*id, block)));
        }
    }

    /// A flag that tells whether there was an error decides where it goes on.
    fn decided(&mut self, id: FunctionId, block: BlockId) {
        let function = self.function(id);
        let paths = Paths::of(function);
        let reported = sides(function, block, (1, 0)).is_some_and(|(one, other)| {
            let reports = |it: Option<BlockId>, or| {
                it.is_some_and(|it| reports(self.program, function, paths, block, it, or))
            };
            reports(one, other) || reports(other, one)
        });
        let at = (id, block);
        self.disposition.ends.insert(if reported { End::Read(at) } else { End::Checked(at) });
    }

    fn called(&mut self, item: &Item, block: BlockId, call: &Call) {
        let (id, path, mode, _) = item;
        let function = self.function(*id);
        for (number, argument) in call.arguments.iter().enumerate() {
            let Some(place) = argument.place() else { continue };
            match path.relation(&Path::to(function, place)) {
                Relation::Has(rest) => {
                    let rest = rest.to_vec();
                    self.given(item, block, (call, number), &rest);
                }
                Relation::Inside if *mode == Mode::Error => self.end(*mode, End::Read((*id, block))),
                Relation::Unknown => self.end(*mode, End::Open((*id, block))),
                _ => {}
            }
        }
    }

    /// The part is given to a call, at the end of these steps of the argument of that number.
    fn given(&mut self, item: &Item, block: BlockId, (call, number): (&Call, usize), rest: &[Step]) {
        let (id, _, mode, _) = item;
        let function = self.function(*id);
        let Some((_, callee)) = function.call(block) else { return };
        let at = (*id, block);
        if callee.hands_on() {
            return self.put(*id, block, &call.into, rest, *mode, block);
        }
        if callee.invokes() {
            return self.called_through(item, at, call, rest);
        }
        let bodies = self.index.callees(*id, block).to_vec();
        if !bodies.is_empty() {
            for body in bodies {
                let path = Path { local: Local(number as u32 + 1), steps: rest.to_vec() };
                self.add((body, path, *mode, OUTSIDE));
            }
            return;
        }
        let ty = |number: usize| {
            let place = call.place(number);
            place.and_then(|it| function.type_of(it)).unwrap_or_default()
        };
        let into = function.type_of(&call.into).unwrap_or_default();
        let name = callee.name();
        // A task is started that gives it.
        if let [Step::Output, inner @ ..] = rest
            && name.starts_with("spawn")
        {
            let set = ty(0);
            if let Some(steps) = spawned(name, into) {
                return self.put(*id, block, &call.into, &[&steps, inner].concat(), *mode, block);
            }
            if is_task_set(set.bare_name())
                && let Some(place) = call.arguments[0].place()
            {
                let steps = [&[Step::Element, Step::Ok], inner].concat();
                return self.store_at(*id, block, place, &steps, *mode, 0);
            }
            return self.end(*mode, End::Open(at));
        }
        if *mode == Mode::Flag && rest.is_empty() {
            return match telling(callee) {
                Telling::On => self.put(*id, block, &call.into, &[], Mode::Flag, block),
                Telling::Replaced if says_so(self.program, function, call) => self.end(*mode, End::Read(at)),
                Telling::Replaced => {
                    self.disposition.losses.insert((at, Loss::Replaced));
                }
                Telling::LeftOut => {
                    self.disposition.losses.insert((at, Loss::LeftOut));
                }
                Telling::Nowhere => {}
                Telling::Reported => {
                    self.disposition.ends.insert(End::Read(at));
                }
                Telling::Used => self.end(*mode, End::Read(at)),
            };
        }
        let is_asserted = match (rest, name) {
            ([Step::Ok | Step::Err, ..], "unwrap_err" | "expect_err") => true,
            ([Step::Element, ..], "len") => is_asserted_zero(self.program, function, block),
            ([Step::Element, ..], "is_empty")
            | ([Step::Ok, ..], "is_err")
            | ([Step::Some, ..], "is_none") => is_ruled_out(function, call, false),
            ([Step::Ok, ..], "is_ok") | ([Step::Some, ..], "is_some") => is_ruled_out(function, call, true),
            _ => false,
        };
        if is_asserted {
            return self.end(*mode, End::Read(at));
        }
        let given = Given {
            owner: function.callee(block).owner(),
            callee,
            argument: number,
            arguments: call.arguments.len(),
            rest,
            ty: ty(number),
            into,
        };
        match moves(&given) {
            None => self.end(*mode, End::Read(at)),
            Some(found) => found.into_iter().for_each(|it| self.moved(item, at, call, &given, it)),
        }
    }

    fn moved(&mut self, item: &Item, at: At, call: &Call, given: &Given<'_>, it: Move) {
        let (id, _, mode, _) = item;
        match it {
            Move::Into(steps) => self.put(*id, at.1, &call.into, &steps, *mode, at.1),
            Move::Tells(steps) => self.put(*id, at.1, &call.into, &steps, Mode::Flag, at.1),
            Move::Joined(steps) => {
                self.disposition.joined.insert(at);
                self.put(*id, at.1, &call.into, &steps, *mode, at.1);
            }
            Move::Store(into, steps) => match call.place(into) {
                Some(place) => self.store_at(*id, at.1, place, &steps, *mode, 0),
                None => self.end(*mode, End::Open(at)),
            },
            Move::Lost(Loss::Replaced) if says_so(self.program, self.function(*id), call) => {
                self.end(*mode, End::Read(at));
            }
            Move::Lost(loss) => {
                self.disposition.losses.insert((at, loss));
            }
            Move::Aborted => self.end(*mode, End::Aborted(at)),
            Move::Give(closure, parameter, steps) => match call.arguments.get(closure) {
                Some(operand) => self.give(item, at, (call, given), operand, parameter, &steps),
                None => self.end(*mode, End::Open(at)),
            },
        }
    }

    /// A body returns the part at the end of these steps.
    fn returned(&mut self, id: FunctionId, steps: &[Step], mode: Mode) {
        let function = self.function(id);
        let at = (id, BlockId(0));
        let is_error = |steps: &[Step]| matches!(steps, [Step::Err] | [Step::Ready, Step::Err]);
        if is_error(steps) && mode == Mode::Error {
            self.disposition.ends.insert(End::Returned(at));
        }
        match function.kind {
            Kind::Function => {
                let callers = self.index.callers(id).to_vec();
                let name = self.program.name_of(id);
                let is_open = callers.is_empty()
                    || self.index.is_value(id)
                    || self.program.is_public(name)
                    || self.program.implements_foreign(id) && !self.is_of_own_trait(id);
                if is_open {
                    self.end(mode, End::Open(at));
                }
                for (caller, block) in callers {
                    if let Some((call, _)) = self.function(caller).call(block) {
                        self.put(caller, block, &call.into.clone(), steps, mode, block);
                    }
                }
            }
            Kind::Coroutine => {
                let [Step::Ready, rest @ ..] = steps else { return };
                let makers = self.index.makers(id).to_vec();
                if makers.is_empty() {
                    self.end(mode, End::Open(at));
                }
                for (maker, path, _) in makers {
                    let path = path.with(&[&[Step::Output], rest].concat());
                    self.add((maker, path, mode, OUTSIDE));
                }
            }
            Kind::Closure => self.returned_by_closure(id, steps, mode),
            Kind::Constant => self.end(mode, End::Open(at)),
        }
    }

    fn is_of_own_trait(&self, id: FunctionId) -> bool {
        self.program.trait_of(id).is_some_and(|it| self.program.knows_trait(it))
    }
}

/// The local that has what a closure or state machine has captured.
fn environment(function: &Function) -> Local {
    let locals = (0..function.body.locals.len() as u32).map(Local);
    let mut machine = locals.filter(|it| function.is_machine(&Slot::of(*it)));
    machine.next().unwrap_or(Local(1))
}
