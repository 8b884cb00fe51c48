//! What a body does where each value of an enum that it looks at is presumed to be of one variant: whether it takes that out of a table.

use super::effect::Effect;
use crate::body::paths::Paths;
use crate::body::{Function, FunctionId, Selector, Slot};
use crate::mir::{BlockId, Call, Local, Made, Operand, Operator, Place, Rvalue, Terminator};
use crate::program::Program;
use crate::ty::{canonical, last};
use std::collections::{BTreeMap, BTreeSet};

/// How deep calls are followed, and how many blocks are looked at.
const DEEPEST: usize = 4;
const MOST: usize = 600;

/// Whether a removal leaves in the table what an effect has put in: it goes by the variant, and that is none of those to remove.
pub(super) fn spares(program: &Program, removal: &Effect, put: &Effect) -> bool {
    let Some((of, variant)) = put.value.as_deref().and_then(|it| it.split_once("::")) else { return false };
    if !program.variants(of).is_some_and(|all| all.iter().any(|it| it == variant)) {
        return false;
    }
    let presumed = Presumed { program, of, variant };
    let (id, block) = removal.at;
    let function = program.function(id);
    let ways = presumed.walk(id, DEEPEST);
    if ways.as_ref().is_some_and(|it| !it.passed.contains(&block)) {
        return true;
    }
    let Some((call, callee)) = function.call(block) else { return false };
    let predicate = || {
        let last = call.arguments.last()?;
        presumed.gives(program.closure_of(function, last).or_else(|| program.function_in(last))?, DEEPEST)
    };
    match predicate() {
        Some(Known::Flag(holds)) if callee.name() == "retain" => holds,
        Some(Known::Flag(holds)) => !holds && !callee.empties(),
        _ => false,
    }
}

/// A value as far as it is known.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Known {
    Flag(bool),
    Variant(String),
    Number(i128),
}

type Values = BTreeMap<Slot, Known>;

/// The ways through a body.
#[derive(Debug, Default)]
struct Ways {
    passed: BTreeSet<BlockId>,
    /// What it gives, on each way.
    given: BTreeSet<Option<Known>>,
}

/// A variant, and the enum that each value is presumed to be it of.
struct Presumed<'a> {
    program: &'a Program,
    of: &'a str,
    variant: &'a str,
}

impl Presumed<'_> {
    /// What a body gives, if that is the same on all ways.
    fn gives(&self, id: FunctionId, depth: usize) -> Option<Known> {
        let mut given = self.walk(id, depth)?.given.into_iter();
        given.next().flatten().filter(|_| given.next().is_none())
    }

    /// The ways through a body; `None` where there are too many.
    fn walk(&self, id: FunctionId, depth: usize) -> Option<Ways> {
        let function = self.program.function(id);
        let paths = Paths::of(function);
        let mut ways = Ways::default();
        let mut open = vec![(BlockId(0), Values::new())];
        let mut seen = BTreeSet::new();
        while let Some((at, mut values)) = open.pop() {
            if !seen.insert((at, values.clone())) {
                continue;
            }
            if seen.len() > MOST {
                return None;
            }
            ways.passed.insert(at);
            let block = function.body.block(at)?;
            for (into, value) in block.assignments() {
                let value = self.made(function, &values, value);
                set(&mut values, into, value);
            }
            if function.returns_at(at) {
                ways.given.insert(values.get(&Slot::of(Local(0))).cloned());
            }
            let next: Vec<BlockId> = match &block.terminator {
                Terminator::Switch { on, cases, otherwise } => {
                    let number = match self.value(function, &values, on) {
                        Some(Known::Flag(it)) => Some(i128::from(it)),
                        Some(Known::Number(it)) => Some(it),
                        _ => None,
                    };
                    let to = |number| cases.iter().find(|(it, _)| *it == number).map(|(_, to)| *to);
                    let to = number.and_then(|it| to(it).or(*otherwise));
                    to.map_or_else(|| paths.next(at).to_vec(), |it| vec![it])
                }
                Terminator::Call(call) => {
                    let value = self.called(function, &values, (at, call), depth);
                    set(&mut values, &call.into, value);
                    paths.next(at).to_vec()
                }
                _ => paths.next(at).to_vec(),
            };
            open.extend(next.into_iter().map(|it| (it, values.clone())));
        }
        Some(ways)
    }

    fn value(&self, function: &Function, values: &Values, operand: &Operand) -> Option<Known> {
        match operand {
            Operand::Constant(text) => match text.parse() {
                Ok(flag) => Some(Known::Flag(flag)),
                Err(_) if text.contains("::") => Some(Known::Variant(last(&canonical(text)).to_owned())),
                Err(_) => None,
            },
            Operand::Place(place) => self.at(function, values, place),
        }
    }

    fn at(&self, function: &Function, values: &Values, place: &Place) -> Option<Known> {
        let presumed = || {
            let ty = function.type_of(place)?;
            let is_it = ty.bare().name() == self.of;
            is_it.then(|| Known::Variant(self.variant.to_owned()))
        };
        values.get(&without_pointers(place)).cloned().or_else(presumed)
    }

    fn made(&self, function: &Function, values: &Values, value: &Rvalue) -> Option<Known> {
        match value {
            Rvalue::Use(it) | Rvalue::Cast(it, _) => self.value(function, values, it),
            Rvalue::Reference(of, _) => self.at(function, values, of),
            Rvalue::Discriminant(of) => {
                let Known::Variant(variant) = self.at(function, values, of)? else { return None };
                let number = match function.type_of(of)?.bare().name() {
                    "Option" => ["None", "Some"].iter().position(|it| *it == variant),
                    "Result" => ["Ok", "Err"].iter().position(|it| *it == variant),
                    name => self.program.variants(name)?.iter().position(|it| *it == variant),
                };
                Some(Known::Number(i128::try_from(number?).ok()?))
            }
            Rvalue::Made(Made::By(Operator::Not), parts) => {
                match self.value(function, values, parts.first()?)? {
                    Known::Flag(it) => Some(Known::Flag(!it)),
                    _ => None,
                }
            }
            Rvalue::Made(Made::Value(by), _) if by.text().contains("::") => {
                Some(Known::Variant(by.name().to_owned()))
            }
            Rvalue::Made(..) => None,
        }
    }

    /// What a call gives.
    fn called(
        &self,
        function: &Function,
        values: &Values,
        (at, call): (BlockId, &Call),
        depth: usize,
    ) -> Option<Known> {
        if let Some(inner) = self.program.one_called(function, at) {
            return self.gives(inner, depth.checked_sub(1)?);
        }
        let (_, callee) = function.call(at)?;
        let of = self.value(function, values, call.arguments.first()?)?;
        let is = |variant: &str| Some(Known::Flag(of == Known::Variant(variant.to_owned())));
        match callee.name() {
            "is_some" => is("Some"),
            "is_none" => is("None"),
            "is_ok" => is("Ok"),
            "is_err" => is("Err"),
            _ if callee.views() || callee.shares() || callee.hands_on() => Some(of),
            "map" | "cloned" | "copied" => Some(of),
            _ => None,
        }
    }
}

fn set(values: &mut Values, into: &Place, value: Option<Known>) {
    let slot = without_pointers(into);
    values.retain(|it, _| it.within(&slot).is_none());
    values.extend(value.map(|it| (slot, it)));
}

/// A place, where a pointer is taken for what it points to.
fn without_pointers(place: &Place) -> Slot {
    let mut slot = Slot::at(place);
    slot.steps.retain(|it| *it != Selector::Deref);
    slot
}
