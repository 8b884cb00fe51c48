//! How often a block runs at most, where the loops around it go by constants: ranges, arrays, `take`, counters.

use crate::body::paths::Paths;
use crate::body::provenance::number;
use crate::body::{Definition, Function, Slot};
use crate::mir::{BlockId, Made, Operand, Operator, Place, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::ty::{Ty, TyKind};
use rvcheck_primitives::Holds;
use std::collections::BTreeSet;

/// How deep loops are in each other, and how far values are followed.
const DEEPEST: usize = 4;
const FARTHEST: usize = 32;

/// How often these blocks run together, at most, in one run of the body that goes through none of `without`. `None` if that is
/// not known.
pub(crate) fn runs(
    program: &Program,
    function: &Function,
    blocks: impl IntoIterator<Item = BlockId>,
    without: &BTreeSet<BlockId>,
) -> Option<u64> {
    let paths = Paths::of(function);
    let counting = Counting { program, function, paths };
    blocks.into_iter().try_fold(0_u64, |sum, block| {
        sum.checked_add(counting.of_block(block, &mut without.iter().copied().collect(), DEEPEST)?)
    })
}

/// How many items an iterator of a body has at most, if that is known.
pub(crate) fn items(program: &Program, function: &Function, of: &Place) -> Option<u64> {
    Counting { program, function, paths: Paths::of(function) }.items(of, FARTHEST)
}

struct Counting<'a> {
    program: &'a Program,
    function: &'a Function,
    paths: &'a Paths,
}

impl Counting<'_> {
    fn of_block(&self, block: BlockId, without: &mut BTreeSet<BlockId>, depth: usize) -> Option<u64> {
        let avoid = |it: BlockId| without.contains(&it);
        let after = self.paths.from(self.paths.next(block), &avoid);
        if !after.contains(&block) {
            return Some(1);
        }
        let depth = depth.checked_sub(1)?;
        let around = &after & &self.paths.to(&[block], &avoid);
        let exits = self.paths.exits(&around);
        let limits = exits.iter().filter_map(|(from, _)| self.limit(*from, &around));
        limits.collect::<Vec<_>>().into_iter().find_map(|(through, trips)| {
            let is_new = without.insert(through);
            let inside = is_new.then(|| self.of_block(block, without, depth)).flatten();
            if is_new {
                without.remove(&through);
            }
            inside?.checked_mul(trips)
        })
    }

    /// The block that each iteration of the loop goes through which is left here, and how often it does.
    fn limit(&self, exit: BlockId, around: &BTreeSet<BlockId>) -> Option<(BlockId, u64)> {
        let Terminator::Switch { on: Operand::Place(on), .. } = &self.function.body.block(exit)?.terminator
        else {
            return None;
        };
        let mut place = on;
        for _ in 0..FARTHEST {
            match self.function.definition(&Slot::at(place))? {
                Definition::Called(block) => {
                    let (call, callee) = self.function.call(block)?;
                    let iterator = call.place(0)?;
                    if callee.hands_on() {
                        place = iterator;
                        continue;
                    }
                    let is_next = callee.is_next() && around.contains(&block);
                    return is_next.then(|| Some((block, self.items(iterator, FARTHEST)?)))?;
                }
                definition @ Definition::Assigned(..) => match self.function.assigned(definition)? {
                    Rvalue::Discriminant(from)
                    | Rvalue::Use(Operand::Place(from))
                    | Rvalue::Cast(Operand::Place(from), _) => place = from,
                    Rvalue::Made(Made::By(operator), parts) => {
                        return Some((exit, self.counted(*operator, parts)?));
                    }
                    _ => return None,
                },
            }
        }
        None
    }

    /// Up to what a variable counts that is compared with a constant.
    fn counted(&self, comparison: Operator, parts: &[Operand]) -> Option<u64> {
        let [counter, limit] = parts else { return None };
        let limit = self.number(limit)?;
        let limit = match comparison {
            Operator::Lt => limit,
            Operator::Le => limit.checked_add(1)?,
            _ => return None,
        };
        // What is given a value in one place only is no counter.
        let mut slot = Slot::at(counter.place()?);
        for _ in 0..FARTHEST {
            let Some(definition) = self.function.definition(&slot) else { return Some(limit) };
            match self.function.assigned(definition)? {
                Rvalue::Use(Operand::Place(from)) => slot = Slot::at(from),
                _ => return None,
            }
        }
        None
    }

    /// How many items an iterator, or what it is made of, has at most.
    fn items(&self, of: &Place, far: usize) -> Option<u64> {
        let far = far.checked_sub(1)?;
        if let Some(length) = self.function.type_of(of).and_then(length) {
            return Some(length);
        }
        if self.function.type_of(of).is_some_and(|it| it.name() == "Vec") && self.is_changed(of) {
            return None;
        }
        let given = |it: &Operand| self.items(it.place()?, far);
        match self.function.definition(&Slot::at(of))? {
            Definition::Called(block) => {
                let (call, callee) = self.function.call(block)?;
                let argument = |at: usize| call.arguments.get(at);
                match callee.name() {
                    "take" => {
                        let most = argument(1).and_then(|it| self.number(it));
                        least(most, argument(0).and_then(given))
                    }
                    "zip" => least(argument(0).and_then(given), argument(1).and_then(given)),
                    "chain" => given(argument(0)?)?.checked_add(given(argument(1)?)?),
                    "repeat_n" => self.number(argument(1)?),
                    "new" if callee.path().contains("RangeInclusive") => {
                        let (from, to) = (self.number(argument(0)?)?, self.number(argument(1)?)?);
                        Some((to + 1).saturating_sub(from))
                    }
                    name if callee.hands_on() || MADE_OF_ONE.contains(&name) => given(argument(0)?),
                    _ => None,
                }
            }
            definition @ Definition::Assigned(..) => match self.function.assigned(definition)? {
                Rvalue::Use(Operand::Place(from))
                | Rvalue::Cast(Operand::Place(from), _)
                | Rvalue::Reference(from, _) => self.items(from, far),
                Rvalue::Made(Made::Value(by), parts) if by.text().contains("::Range::") => {
                    let (from, to) = (self.number(parts.first()?)?, self.number(parts.get(1)?)?);
                    Some(to.saturating_sub(from))
                }
                _ => None,
            },
        }
    }

    /// Whether something can change the value after it was made.
    fn is_changed(&self, place: &Place) -> bool {
        let slot = Slot::at(place);
        let statements = self.function.blocks().flat_map(|(_, it)| &it.statements);
        statements
            .into_iter()
            .any(|it| matches!(it, Statement::Assign(_, Rvalue::Reference(of, true)) if Slot::at(of) == slot))
    }

    fn number(&self, operand: &Operand) -> Option<u64> {
        number(self.function, operand).or_else(|| self.program.constant_number(operand))
    }
}

fn least(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    one.into_iter().chain(other).min()
}

/// What gives no more items than what it is called on has.
const MADE_OF_ONE: [&str; 23] = [
    "into_iter",
    "iter",
    "iter_mut",
    "into_vec",
    "box_assume_init_into_vec_unsafe",
    "enumerate",
    "map",
    "map_while",
    "filter",
    "filter_map",
    "inspect",
    "rev",
    "copied",
    "cloned",
    "skip",
    "skip_while",
    "take_while",
    "step_by",
    "peekable",
    "fuse",
    "by_ref",
    "deref",
    "as_slice",
];

/// The length of an array, also behind a reference or in a box, and of the iterator over one.
fn length(ty: Ty) -> Option<u64> {
    let of_array = |ty: Ty| {
        let (_, length) = ty.text().strip_prefix('[')?.strip_suffix(']')?.rsplit_once("; ")?;
        length.trim_end_matches("_usize").parse().ok()
    };
    if let Some(inner) = ty.referent().filter(|_| ty.is_reference()) {
        return length(inner);
    }
    if let Some(inside) = ty.argument(0).filter(|_| ty.kind() == TyKind::Path) {
        return match ty.holds()? {
            // Only that of an array has a number.
            Holds::Items => ty.argument(1)?.text().parse().ok(),
            Holds::Alone if inside.holds() == Some(Holds::Undropped) => of_array(inside.argument(0)?),
            Holds::Alone => of_array(inside),
            _ => None,
        };
    }
    of_array(ty)
}

#[cfg(test)]
mod tests {
    use super::length;
    use crate::ty::Ty;

    #[test]
    fn the_length_of_an_array_is_read_off_its_type() {
        for (ty, expected) in [
            ("[u32; 3]", Some(3)),
            ("&[&str; 12]", Some(12)),
            ("&'{erased} mut [(u8, [u8; 4]); 2]", Some(2)),
            ("std::array::IntoIter<&str, 5>", Some(5)),
            ("std::boxed::Box<[u32; 7]>", Some(7)),
            ("std::boxed::Box<std::mem::MaybeUninit<[&str; 3]>>", Some(3)),
            ("&[u32]", None),
            ("std::vec::Vec<[u32; 7]>", None),
            ("[u32; N]", None),
        ] {
            assert_eq!(length(Ty::read(ty)), expected, "{ty}");
        }
    }
}
