//! The future that a value refers to, pins or adapts.

use crate::body::{Callee, Definition, Function, Selector, Slot};
use crate::mir::{BlockId, Made, Operand, Rvalue};
use crate::ty::Ty;
use rvcheck_primitives::{Does, Holds, adapter};

/// A future before it was pinned, borrowed or adapted.
#[derive(Clone, Debug)]
pub(crate) struct Unpinned {
    /// Where it is.
    pub(crate) slot: Slot,
    /// How the body comes by it.
    pub(crate) origin: Origin,
    /// Where it was after that, the last place first.
    pub(crate) through: Vec<Slot>,
}

/// How a body comes by a future.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin {
    /// It is made there.
    Made(Definition),
    /// It is the captured value of that number.
    Captured(u32),
}

impl Unpinned {
    /// The block that makes it, if the body does.
    pub(crate) fn made(&self) -> Option<BlockId> {
        match self.origin {
            Origin::Made(Definition::Called(made) | Definition::Assigned(made, _)) => Some(made),
            Origin::Captured(_) => None,
        }
    }
}

/// How many places a future is followed through.
const MOST: usize = 32;

/// The future that a value is, refers to, pins, or adapts so that it can be polled again.
pub(crate) fn future_in(function: &Function, slot: &Slot) -> Option<Unpinned> {
    let mut slot = slot.clone();
    let mut through = Vec::new();
    for _ in 0..MOST {
        if let Some((number, _)) = function.captured(&slot) {
            return Some(Unpinned { slot, origin: Origin::Captured(number), through });
        }
        let part = slot.steps.get(function.root(&slot)).copied();
        slot = function.whole(&slot);
        let definition = function.definition(&slot)?;
        let from = match definition {
            Definition::Called(made) => {
                let (call, callee) = function.call(made)?;
                keeps_future(callee).then(|| call.place(0)).flatten()
            }
            Definition::Assigned(..) => match function.assigned(definition)? {
                Rvalue::Use(Operand::Place(from))
                | Rvalue::Cast(Operand::Place(from), _)
                | Rvalue::Reference(from, _) => Some(from),
                Rvalue::Made(Made::Value(by), parts)
                    if Ty::read(by.text()).holds() == Some(Holds::Pinned) =>
                {
                    parts.first()?.place()
                }
                // `select!` puts the futures together first.
                Rvalue::Made(Made::Parts, parts) => match part {
                    Some(Selector::Field(at)) => Some(parts.get(at as usize)?.place()?),
                    _ => return None,
                },
                _ => None,
            },
        };
        let Some(from) = from else {
            return Some(Unpinned { slot, origin: Origin::Made(definition), through });
        };
        through.push(slot);
        slot = Slot::at(from);
    }
    None
}

/// Whether the result of a function is the future that it is given first, points to it, or polls it and gives what it gives.
fn keeps_future(callee: Callee) -> bool {
    let of = callee.of_trait().unwrap_or_else(|| callee.owner());
    callee.hands_on()
        || adapter(of, callee.name()).is_some_and(|it| match it.does {
            Does::Passes | Does::Wraps | Does::Views => true,
            Does::Polls => it.calls.is_none() && callee.of_trait().is_some(),
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pins_borrows_or_boxes_a_future_keeps_it() {
        let cases = [
            ("rvstd::boxed::Box::<A>::pin", true),
            ("rvstd::pin::Pin::<&mut A>::new_unchecked", true),
            ("rvstd::pin::Pin::<&mut A>::as_mut", true),
            ("<A as rvfutures::FutureExt>::boxed", true),
            ("<A as rvfutures::FutureExt>::fuse", true),
            ("<A as rvstd::future::IntoFuture>::into_future", true),
            ("<T as __rv::RvSite>::__rv_site::<22>", true),
            ("<A as rvfutures::FutureExt>::then::<B, C>", false),
            ("rvtokio::time::timeout::<A>", false),
            ("rvtokio::sync::Mutex::<u8>::lock", false),
            ("Worker::new", false),
        ];
        for (callee, keeps) in cases {
            assert_eq!(keeps_future(Callee::read(callee)), keeps, "{callee}");
        }
    }
}
