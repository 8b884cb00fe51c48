//! Closures that are called once, where they are made, become a part of the body that makes them: `(|| …)()` and `for_each(|it| …)` are
//! what their author would have written without the closure.
//!
//! So whoever looks at paths, locks and values of one body sees them alike. Nothing else is inlined: a closure that is kept, given away or
//! called twice stays a body of its own.

mod moved;

use self::moved::Inlining;
use super::{
    Block, BlockId, Body, BodyKind, Call, Local, Operand, Place, Projection, Rvalue, Statement, Terminator,
    Unwind,
};
use crate::callee::Callee;
use crate::ty::{Ty, TyKind, closures_in};
use std::collections::{BTreeMap, BTreeSet};

/// How deep closures are in each other.
const DEEPEST: usize = 6;

/// The most blocks of a body that something is put into.
const MOST: usize = 2000;

/// The bodies with such closures inside those that call them.
pub(crate) fn inlined(mut bodies: Vec<Body>) -> Vec<Body> {
    for _ in 0..DEEPEST {
        let candidates = candidates(&bodies);
        let outer: BTreeSet<usize> = candidates.iter().map(|it| it.outer).collect();
        let mut gone = BTreeSet::new();
        // What is in a closure comes first.
        for it in candidates.iter().filter(|it| !outer.contains(&it.inner)) {
            let (inner, mut body) = (bodies[it.inner].clone(), bodies[it.outer].clone());
            if put_in(&mut body, &inner, it).is_some() {
                bodies[it.outer] = body;
                gone.insert(it.inner);
            }
        }
        if gone.is_empty() {
            break;
        }
        let mut number = 0..;
        bodies.retain(|_| !gone.contains(&number.next().unwrap_or_default()));
    }
    bodies
}

/// A closure that is called once.
struct Candidate {
    /// The number of its body.
    inner: usize,
    /// The number of the body that makes and calls it.
    outer: usize,
    /// The block that calls it.
    at: usize,
    /// What it captures.
    captured: Vec<Operand>,
    way: Way,
}

/// How it is called.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// By itself.
    Directly,
    /// For each item of an iterator.
    ForEach,
}

fn candidates(bodies: &[Body]) -> Vec<Candidate> {
    // By closure: its bodies, the places that make it, and the calls that are given it.
    let mut own: BTreeMap<Ty, Vec<usize>> = BTreeMap::new();
    let mut made: BTreeMap<Ty, Vec<(usize, &[Operand])>> = BTreeMap::new();
    let mut called: BTreeMap<Ty, Vec<(usize, usize)>> = BTreeMap::new();
    for (number, body) in bodies.iter().enumerate() {
        let of = body.type_of(Local(1)).pointee();
        if of.kind() == TyKind::Closure && body.name.rsplit("::").next().is_some_and(|it| it.starts_with('{'))
        {
            own.entry(of).or_default().push(number);
        }
        for (at, block) in body.blocks.iter().enumerate() {
            for statement in &block.statements {
                if let Statement::Assign(_, value) = statement
                    && let Some((closure, parts)) = value.body()
                    && closure.kind() == TyKind::Closure
                {
                    made.entry(closure).or_default().push((number, parts));
                }
            }
            if let Terminator::Call(call) = &block.terminator {
                for closure in closures_in(call.callee.text()) {
                    called.entry(closure).or_default().push((number, at));
                }
            }
        }
    }
    let found = called.into_iter().filter_map(|(closure, calls)| {
        let (&[(outer, at)], [inner]) = (calls.as_slice(), own.get(&closure)?.as_slice()) else {
            return None;
        };
        let captured = match made.get(&closure).map(Vec::as_slice) {
            Some([(maker, parts)]) => (*maker == outer || parts.is_empty()).then(|| parts.to_vec())?,
            Some(_) => return None,
            None => Vec::new(),
        };
        let (caller, body) = (&bodies[outer], &bodies[*inner]);
        let Terminator::Call(call) = &caller.blocks[at].terminator else { return None };
        let way = way(call.callee.text(), closure)?;
        let is_known = |it: &Body| it.unknown.is_none() && it.kind == BodyKind::Function;
        let fits = outer != *inner
            && is_known(caller)
            && is_known(body)
            && !caller.blocks[at].cleanup
            && call.target.is_some()
            && caller.blocks.len() + body.blocks.len() < MOST
            && captured.iter().all(|it| matches!(it, Operand::Place(_)))
            && stays(caller, closure);
        fits.then_some(Candidate { inner: *inner, outer, at, captured, way })
    });
    found.collect()
}

/// How a call calls the closure that stands in its callee.
fn way(callee: &str, closure: Ty) -> Option<Way> {
    let rest = callee.strip_prefix('<')?;
    if let Some(rest) = rest.strip_prefix(closure.text()) {
        let is_call = rest.starts_with(" as Fn") && rest.contains(">::call");
        return is_call.then_some(Way::Directly);
    }
    let is_last = callee.strip_suffix(&format!(" as Iterator>::for_each::<{closure}>"))?;
    (!is_last.contains(closure.text())).then_some(Way::ForEach)
}

/// Whether a body does nothing with a closure but to make it, to refer to it and to call it.
fn stays(body: &Body, closure: Ty) -> bool {
    let is_it = |it: Local| body.type_of(it).pointee() == closure;
    let elsewhere =
        |place: &Place| body.type_of(place.local).text().contains(closure.text()) && !is_it(place.local);
    body.blocks.iter().all(|block| {
        let stated = block.statements.iter().all(|it| match it {
            Statement::Assign(into, value) => {
                !elsewhere(into)
                    && (!value.places().any(|it| is_it(it.local))
                        || matches!(value, Rvalue::Reference(..)) && is_it(into.local)
                        || matches!(value, Rvalue::Use(_))
                            && is_it(into.local)
                            && into.projections.is_empty())
            }
            _ => true,
        });
        let given = |call: &Call| {
            let places = call.arguments.iter().filter_map(Operand::place);
            places.into_iter().any(|it| is_it(it.local))
                && !closures_in(call.callee.text()).any(|it| it == closure)
        };
        stated && !matches!(&block.terminator, Terminator::Call(call) if given(call))
    })
}

/// Puts the body of a closure in the place of its call; `None` where it uses itself as a whole.
fn put_in(body: &mut Body, inner: &Body, it: &Candidate) -> Option<()> {
    let Terminator::Call(call) = body.blocks.get(it.at)?.terminator.clone() else { return None };
    let mut inlining = Inlining {
        // Its result and itself have places already.
        locals: body.locals.len() as u32,
        blocks: body.blocks.len() as u32,
        captured: &it.captured,
        by_reference: inner.type_of(Local(1)).is_reference(),
        into: call.into.clone(),
        target: call.target?,
        unwind: call.unwind,
    };
    body.locals.extend(&inner.locals);
    let mut given = Vec::new();
    match it.way {
        Way::Directly => {
            let tuple = call.arguments.get(1)?;
            for number in 2..=inner.arguments as u32 {
                let part = Projection::Field(number - 2, inner.type_of(Local(number)));
                let value = match tuple {
                    Operand::Place(tuple) => part_of(body, it.at, tuple, number - 2).unwrap_or_else(|| {
                        let mut place = tuple.clone();
                        place.projections.push(part);
                        Operand::Place(place)
                    }),
                    Operand::Constant(_) => return None,
                };
                given.push(Statement::Assign(Place::of(inlining.local(Local(number))), Rvalue::Use(value)));
            }
            let begin = BlockId(inlining.blocks);
            let block = &mut body.blocks[it.at];
            block.statements.append(&mut given);
            block.terminator = Terminator::Goto(begin);
        }
        Way::ForEach => {
            let item = Place::of(inlining.local(Local(2)));
            let items = call.arguments.first()?.clone();
            let begin = BlockId(inlining.blocks + LOOP_BLOCKS);
            let next = IteratorLoop::of(body, &call, inner.type_of(Local(2)))?.write(
                body,
                it.at,
                (items, item),
                begin,
            );
            inlining.blocks += LOOP_BLOCKS;
            inlining.target = next;
            // What it gives is nothing.
            inlining.into = Place::of(inlining.local(Local(0)));
        }
    }
    let closure = inner.type_of(Local(1)).pointee();
    let is_closure = |body: &Body, it: &Place| body.type_of(it.local) == closure && it.projections.is_empty();
    let is_dropped = body.blocks.iter().any(|block| {
        !block.cleanup
            && matches!(&block.terminator, Terminator::Drop { place, .. } if is_closure(body, place))
    });
    // What it captures stays where it is, unless it goes with the closure.
    if !is_dropped {
        for at in 0..body.blocks.len() {
            for number in 0..body.blocks[at].statements.len() {
                if matches!(&body.blocks[at].statements[number],
                    Statement::Assign(into, _) if is_closure(body, into))
                {
                    body.blocks[at].statements[number] = Statement::Nothing;
                }
            }
        }
    }
    let blocks: Option<Vec<Block>> = inner.blocks.iter().map(|it| inlining.block(it)).collect();
    body.blocks.extend(blocks?);
    let own = inner.variables.iter().filter(|(_, place)| place.local != Local(1));
    let named: Vec<_> =
        own.filter_map(|(name, place)| Some((name.clone(), inlining.place(place)?))).collect();
    body.variables.extend(named);
    Some(())
}

/// The value that a part of a tuple is made of in a block.
fn part_of(body: &Body, at: usize, tuple: &Place, number: u32) -> Option<Operand> {
    body.blocks[at].statements.iter().rev().find_map(|it| match it {
        Statement::Assign(into, value) if into == tuple => value.elements()?.get(number as usize).cloned(),
        _ => None,
    })
}

/// The blocks that a loop over an iterator has besides its body: one that asks for an item, one that looks whether there is one, one that
/// takes it, and one that ends the loop.
const LOOP_BLOCKS: u32 = 4;

/// A loop over an iterator.
struct IteratorLoop {
    /// The type of the iterator.
    ty: Ty,
    iterator: Local,
    reference: Local,
    found: Local,
    is_there: Local,
    target: BlockId,
    unwind: Unwind,
}

impl IteratorLoop {
    fn of(body: &mut Body, call: &Call, item: Ty) -> Option<IteratorLoop> {
        let at = call.callee.text().rfind(" as Iterator>::for_each::<")?;
        let ty = Ty::read(call.callee.text().get(1..at)?);
        let mut add = |ty: Ty| {
            body.locals.push(ty);
            Local(body.locals.len() as u32 - 1)
        };
        Some(IteratorLoop {
            iterator: add(ty),
            reference: add(Ty::read(&format!("&mut {ty}"))),
            found: add(Ty::read(&format!("std::option::Option<{item}>"))),
            is_there: add(Ty::read("isize")),
            ty,
            target: call.target?,
            unwind: call.unwind,
        })
    }

    /// Writes the loop, which takes each item to a place and goes on to a block; gives the block that comes after that.
    fn write(self, body: &mut Body, at: usize, (items, item): (Operand, Place), begin: BlockId) -> BlockId {
        let first = body.blocks.len() as u32;
        let [ask, look, take, end] = [0, 1, 2, 3].map(|it| BlockId(first + it));
        let block = |statements: Vec<Statement>, terminator| Block { cleanup: false, statements, terminator };
        let assign = |into: Local, value| Statement::Assign(Place::of(into), value);
        let before = &mut body.blocks[at];
        before.statements.push(assign(self.iterator, Rvalue::Use(items)));
        before.terminator = Terminator::Goto(ask);
        let inside = Place {
            local: self.found,
            projections: vec![
                Projection::Variant("Some".to_owned()),
                Projection::Field(0, body.type_of(item.local)),
            ],
        };
        body.blocks.extend([
            block(
                vec![assign(self.reference, Rvalue::Reference(Place::of(self.iterator), true))],
                Terminator::Call(Call {
                    into: Place::of(self.found),
                    callee: Callee::read(&format!("<{} as Iterator>::next", self.ty)),
                    arguments: vec![Operand::Place(Place::of(self.reference))],
                    target: Some(look),
                    unwind: self.unwind,
                }),
            ),
            block(
                vec![assign(self.is_there, Rvalue::Discriminant(Place::of(self.found)))],
                Terminator::Switch {
                    on: Operand::Place(Place::of(self.is_there)),
                    cases: vec![(0, end), (1, take)],
                    otherwise: None,
                },
            ),
            block(
                vec![Statement::Assign(item, Rvalue::Use(Operand::Place(inside)))],
                Terminator::Goto(begin),
            ),
            block(
                Vec::new(),
                Terminator::Drop {
                    place: Place::of(self.iterator),
                    target: Some(self.target),
                    unwind: self.unwind,
                },
            ),
        ]);
        ask
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mir::read;

    const CALLED: &str = "fn f(_1: &S) -> usize {
    debug s => _1;
    let mut _0: usize;
    let mut _2: &{closure@a.rs:1:2: 1:3};
    let _3: {closure@a.rs:1:2: 1:3};

    bb0: {
        _3 = {closure@a.rs:1:2: 1:3} { s: copy _1 };
        _2 = &_3;
        _0 = <{closure@a.rs:1:2: 1:3} as Fn<()>>::call(move _2, const ()) -> [return: bb1, unwind continue];
    }

    bb1: {
        return;
    }
}

fn f::{closure#0}(_1: &{closure@a.rs:1:2: 1:3}) -> usize {
    debug s => (*((*_1).0: &S));
    let mut _0: usize;
    let mut _2: &S;

    bb0: {
        _2 = copy ((*_1).0: &S);
        _0 = S::len(move _2) -> [return: bb1, unwind continue];
    }

    bb1: {
        return;
    }
}
";

    #[test]
    fn a_closure_that_is_called_once_is_a_part_of_its_maker() {
        let bodies = inlined(read(CALLED).bodies);
        let [body] = bodies.as_slice() else { panic!("{bodies:?}") };
        let entered = body.blocks[0].terminator.clone();
        assert_eq!(entered, Terminator::Goto(BlockId(2)));
        let taken = Rvalue::Use(Operand::Place(Place::of(Local(1))));
        assert_eq!(body.blocks[2].statements, [Statement::Assign(Place::of(Local(6)), taken)]);
        let Terminator::Call(call) = &body.blocks[2].terminator else { panic!("{:?}", body.blocks[2]) };
        assert_eq!((call.into.clone(), call.target), (Place::of(Local(0)), Some(BlockId(3))));
        assert_eq!(body.blocks[3].terminator, Terminator::Goto(BlockId(1)));
    }

    #[test]
    fn a_closure_that_is_called_twice_or_given_away_stays() {
        let twice = CALLED.replace(
            "    bb1: {\n        return;\n    }\n}\n\nfn f::{closure#0}",
            "    bb1: {\n        _0 = <{closure@a.rs:1:2: 1:3} as Fn<()>>::call(copy _2, const ()) -> [return: bb2, unwind continue];\n    }\n\n    bb2: {\n        return;\n    }\n}\n\nfn f::{closure#0}",
        );
        assert_ne!(twice, CALLED);
        assert_eq!(inlined(read(&twice).bodies).len(), 2);
        let given = CALLED.replace("_2 = &_3;", "_4 = keep(copy _3);\n        _2 = &_3;");
        let given = given.replace(
            "        _4 = keep(copy _3);\n",
            "        _4 = std::boxed::Box::<{closure@a.rs:1:2: 1:3}>(copy _3);\n",
        );
        assert_eq!(inlined(read(&given).bodies).len(), 2);
    }

    #[test]
    fn for_each_is_a_loop() {
        let text = CALLED
            .replace("fn f(_1: &S) -> usize", "fn f(_1: I) -> ()")
            .replace("        _2 = &_3;\n", "")
            .replace(
                "_0 = <{closure@a.rs:1:2: 1:3} as Fn<()>>::call(move _2, const ())",
                "_0 = <I as Iterator>::for_each::<{closure@a.rs:1:2: 1:3}>(copy _1, copy _3)",
            )
            .replace("(_1: &{closure@a.rs:1:2: 1:3})", "(_1: &mut {closure@a.rs:1:2: 1:3}, _2: u8)")
            .replace("let mut _2: &S;", "let mut _3: &S;")
            .replace("_2 = copy ((*_1)", "_3 = copy ((*_1)")
            .replace("S::len(move _2)", "S::len(move _3)");
        let bodies = inlined(read(&text).bodies);
        let [body] = bodies.as_slice() else { panic!("{bodies:?}") };
        let asks = body.blocks.iter().position(
            |it| matches!(&it.terminator, Terminator::Call(call) if call.callee.text() == "<I as Iterator>::next"),
        );
        let ends = body.blocks.last().map(|it| it.terminator.clone());
        assert_eq!(ends, asks.map(|it| Terminator::Goto(BlockId(it as u32))));
    }
}
