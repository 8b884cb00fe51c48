//! What comes at the end of a block.

use super::{BlockId, Operand, Place};
use crate::callee::Callee;
use crate::ty::scan::{find_outside, parts, split_last_bracket};

/// Where a panic goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unwind {
    /// Out of the function.
    Out,
    /// To a block that cleans up.
    To(BlockId),
    /// Nowhere: there is none, or the process ends.
    No,
}

/// What comes at the end of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Terminator {
    /// Another block.
    Goto(BlockId),
    /// One of several blocks, by a value; the last one for all values that are not named.
    Switch {
        /// The value.
        on: Operand,
        /// The values that are named, and where each leads.
        cases: Vec<(i128, BlockId)>,
        /// Where the others lead.
        otherwise: Option<BlockId>,
    },
    /// The function returns, or its state machine suspends.
    Return,
    /// A panic goes on to the caller.
    Resume,
    /// It cannot be reached, or the process ends.
    Nowhere,
    /// What is in the place is dropped.
    Drop {
        /// The place.
        place: Place,
        /// What comes then.
        target: Option<BlockId>,
        /// Where a panic goes.
        unwind: Unwind,
    },
    /// A function is called.
    Call(Call),
    /// A condition is checked that a panic follows from.
    Assert {
        /// What comes if it holds.
        target: BlockId,
        /// Where the panic goes.
        unwind: Unwind,
    },
}

/// A call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// Where the result goes.
    pub into: Place,
    /// The function, as it is written; `move _3` and its like for a pointer to one.
    pub callee: Callee,
    /// The arguments.
    pub arguments: Vec<Operand>,
    /// What comes then, if it returns.
    pub target: Option<BlockId>,
    /// Where a panic goes.
    pub unwind: Unwind,
}

impl Call {
    /// The place that is the argument of that number.
    pub fn place(&self, number: usize) -> Option<&Place> {
        self.arguments.get(number)?.place()
    }

    /// The places among the arguments.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.arguments.iter().filter_map(Operand::place)
    }
}

impl Terminator {
    /// The terminator that a line without its semicolon is; `None` for a statement, and for what is not understood.
    pub(super) fn read(line: &str) -> Option<Terminator> {
        match line {
            "return" => return Some(Terminator::Return),
            "resume" => return Some(Terminator::Resume),
            "unreachable" => return Some(Terminator::Nowhere),
            _ if line.starts_with("terminate(") || line == "abort" => return Some(Terminator::Nowhere),
            _ => {}
        }
        let at = line.rfind(" -> ")?;
        let (what, exits) = (&line[..at], Exits::read(&line[at + 4..]));
        if what == "goto" {
            return block(&line[at + 4..]).map(Terminator::Goto);
        }
        if let Some(on) = what.strip_prefix("switchInt(").and_then(|it| it.strip_suffix(')')) {
            return switch(on, &line[at + 4..]);
        }
        let exits = exits?;
        if let Some(place) = what.strip_prefix("drop(").and_then(|it| it.strip_suffix(')')) {
            let place = Place::read(place)?;
            return Some(Terminator::Drop { place, target: exits.target, unwind: exits.unwind });
        }
        if what.starts_with("assert(") {
            return Some(Terminator::Assert { target: exits.target?, unwind: exits.unwind });
        }
        let equals = find_outside(what, |it| it.starts_with(" = "))?;
        let (callee, arguments) = split_last_bracket(&what[equals + 3..])?;
        Some(Terminator::Call(Call {
            into: Place::read(&what[..equals])?,
            callee: Callee::read(callee),
            arguments: Operand::list(arguments)?,
            target: exits.target,
            unwind: exits.unwind,
        }))
    }

    /// The blocks that can come next, those of a panic included.
    pub fn successors(&self) -> Vec<BlockId> {
        let with = |target: Option<BlockId>, unwind: Unwind| {
            let cleanup = if let Unwind::To(block) = unwind { Some(block) } else { None };
            target.into_iter().chain(cleanup).collect()
        };
        match self {
            Terminator::Goto(target) => vec![*target],
            Terminator::Switch { cases, otherwise, .. } => {
                cases.iter().map(|(_, target)| *target).chain(*otherwise).collect()
            }
            Terminator::Return | Terminator::Resume | Terminator::Nowhere => Vec::new(),
            Terminator::Drop { target, unwind, .. } => with(*target, *unwind),
            Terminator::Call(call) => with(call.target, call.unwind),
            Terminator::Assert { target, unwind } => with(Some(*target), *unwind),
        }
    }
}

/// Where a terminator leads.
struct Exits {
    target: Option<BlockId>,
    unwind: Unwind,
}

impl Exits {
    /// `[return: bb1, unwind: bb2]`, `bb1`, `unwind continue` and their like.
    fn read(text: &str) -> Option<Exits> {
        let list = text.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        let mut exits = Exits { target: None, unwind: Unwind::No };
        for part in list.map_or_else(|| vec![text], parts) {
            match part.split_once([':', ' ']) {
                Some(("return" | "success", target)) => exits.target = Some(block(target)?),
                Some(("unwind", to)) => {
                    exits.unwind = match to.trim() {
                        "continue" => Unwind::Out,
                        "unreachable" => Unwind::No,
                        it if it.starts_with("terminate") => Unwind::No,
                        it => Unwind::To(block(it)?),
                    }
                }
                Some(_) => return None,
                None => exits.target = Some(block(part)?),
            }
        }
        Some(exits)
    }
}

fn switch(on: &str, targets: &str) -> Option<Terminator> {
    let on = Operand::read(on)?;
    let (mut cases, mut otherwise) = (Vec::new(), None);
    for part in parts(targets.strip_prefix('[')?.strip_suffix(']')?) {
        let (value, target) = part.split_once(": ")?;
        match value {
            "otherwise" => otherwise = Some(block(target)?),
            // Values beyond the greatest signed one are none of a state or variant.
            value => cases.push((value.parse().unwrap_or(i128::MAX), block(target)?)),
        }
    }
    Some(Terminator::Switch { on, cases, otherwise })
}

/// `bb7`.
fn block(text: &str) -> Option<BlockId> {
    text.trim().strip_prefix("bb")?.parse().ok().map(BlockId)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mir::Local;

    #[test]
    fn each_form_of_a_terminator_is_read() {
        let to = |block| Some(BlockId(block));
        let place = |number| Place::of(Local(number));
        let call = |callee: &str, arguments, target, unwind| {
            Terminator::Call(Call { into: place(3), callee: Callee::read(callee), arguments, target, unwind })
        };
        let moved = |number| vec![Operand::Place(place(number))];
        let cases = [
            ("goto -> bb9", Terminator::Goto(BlockId(9))),
            ("return", Terminator::Return),
            ("terminate(cleanup)", Terminator::Nowhere),
            (
                "drop(_6) -> [return: bb6, unwind continue]",
                Terminator::Drop { place: place(6), target: to(6), unwind: Unwind::Out },
            ),
            (
                "drop(_6) -> [return: bb8, unwind terminate(cleanup)]",
                Terminator::Drop { place: place(6), target: to(8), unwind: Unwind::No },
            ),
            (
                "switchInt(move _2) -> [0: bb1, 3: bb2, otherwise: bb11]",
                Terminator::Switch {
                    on: Operand::Place(place(2)),
                    cases: vec![(0, BlockId(1)), (3, BlockId(2))],
                    otherwise: to(11),
                },
            ),
            (
                "assert(const false, \"`async fn` resumed -> late\") -> [success: bb33, unwind continue]",
                Terminator::Assert { target: BlockId(33), unwind: Unwind::Out },
            ),
            (
                "_3 = std::sync::Mutex::<fn(A) -> B>::lock(move _4) -> [return: bb2, unwind: bb31]",
                call("std::sync::Mutex::<fn(A) -> B>::lock", moved(4), to(2), Unwind::To(BlockId(31))),
            ),
            ("_3 = panic(move _4) -> unwind continue", call("panic", moved(4), None, Unwind::Out)),
            (
                "_3 = move _5(move _4) -> [return: bb2, unwind unreachable]",
                call("move _5", moved(4), to(2), Unwind::No),
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(Terminator::read(text), Some(expected), "{text}");
        }
        for text in
            ["_3 = copy _4", "goto -> 9", "drop(x) -> [return: bb1]", "_3 = f(3) -> [return: bb1]", "yield"]
        {
            assert_eq!(Terminator::read(text), None, "{text}");
        }
    }
}
