//! What closures and state machines capture, where the compiler does not write all of it.
//!
//! It writes one operand for each variable that a closure mentions. A closure that captures two fields of one variable captures more than
//! that, and the last ones are left out. Its own body says how many there are, what each is called, and whether it is a reference:
//! `self__rows` is the field `rows` of `self`. References are made just before the closure, and nobody else reads them.

use super::{Body, Local, Operand, Place, Projection, Rvalue, Statement, Terminator};
use crate::ty::Ty;
use std::collections::BTreeMap;

/// By the name of a struct: the names of its fields in their order; `None` where that is not known, or two have the name.
pub(crate) type Fields = BTreeMap<String, Option<Vec<String>>>;

/// Adds what the compiler has left out, as far as it can be told. What comes after something that cannot stays out, too.
pub(crate) fn complete(bodies: &mut [Body], fields: &Fields) {
    let captures = captures(bodies);
    for body in bodies.iter_mut().filter(|it| it.unknown.is_none()) {
        let mut added = Vec::new();
        for (block, statements) in body.blocks.iter().map(|it| &it.statements).enumerate() {
            for (at, statement) in statements.iter().enumerate() {
                let Statement::Assign(_, value) = statement else { continue };
                let Some((closure, written)) = value.body() else { continue };
                let Some(Some(all)) = place_of(closure.text()).and_then(|it| captures.get(it)) else {
                    continue;
                };
                if all.len() > written.len() {
                    added.push((block, at, rest(body, &statements[..at], written.len(), all, fields)));
                }
            }
        }
        for (block, at, rest) in added {
            if let Statement::Assign(_, Rvalue::Made(_, operands)) = &mut body.blocks[block].statements[at] {
                operands.extend(rest);
            }
        }
    }
}

/// Something that a closure captures.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Capture {
    /// The variable, and the fields that lead from it to what is captured.
    name: String,
    /// The type of what the closure has.
    ty: Ty,
    /// It has a reference to that.
    by_reference: bool,
}

/// Where a closure or an async block stands, as its type says.
fn place_of(ty: &str) -> Option<&str> {
    let inner = ty.strip_prefix('{')?.strip_suffix('}')?;
    let (_, at) = inner.split_once('@')?;
    Some(at.split(" (#").next().unwrap_or(at))
}

/// By the place of a closure: what it captures. `None` where several bodies stand there and differ, or something has no name.
fn captures(bodies: &[Body]) -> BTreeMap<String, Option<Vec<Capture>>> {
    let mut found: BTreeMap<String, Option<Vec<Capture>>> = BTreeMap::new();
    for body in bodies {
        let is_inner = body.name.rsplit("::").next().is_some_and(|it| it.starts_with("{closure#"));
        let own = body.type_of(Local(1));
        let own = own.unpinned().pointee();
        let Some(at) = place_of(own.text()).filter(|_| is_inner) else { continue };
        let captured = captured(body);
        found
            .entry(at.to_owned())
            .and_modify(|it| {
                if *it != captured {
                    *it = None;
                }
            })
            .or_insert(captured);
    }
    found
}

/// What the body of a closure has captured, in its order.
fn captured(body: &Body) -> Option<Vec<Capture>> {
    let mut found = BTreeMap::new();
    let itself = machine(body);
    for (name, place) in &body.variables {
        let steps = match place.projections.split_first() {
            _ if place.local != Local(1) && Some(place.local) != itself => continue,
            Some((Projection::Deref, rest)) => rest,
            _ => &place.projections[..],
        };
        let (number, ty, by_reference) = match steps {
            [Projection::Field(number, ty)] => (*number, *ty, false),
            [Projection::Field(number, ty), Projection::Deref] => (*number, *ty, true),
            _ => continue,
        };
        found.insert(number, Capture { name: name.clone(), ty, by_reference });
    }
    let is_complete = found.keys().copied().eq(0..found.len() as u32);
    is_complete.then(|| found.into_values().collect())
}

/// The local that points to a state machine itself.
fn machine(body: &Body) -> Option<Local> {
    body.blocks.first()?.statements.iter().find_map(|it| match it {
        Statement::Assign(into, Rvalue::Use(Operand::Place(from)))
            if into.projections.is_empty() && from.local == Local(1) =>
        {
            Some(into.local)
        }
        _ => None,
    })
}

/// What a closure captures from a number on. `before` are the statements before the one that makes it.
fn rest(body: &Body, before: &[Statement], from: usize, all: &[Capture], fields: &Fields) -> Vec<Operand> {
    let unread = unread(body, before);
    let mut unread = unread.iter();
    let mut found = Vec::new();
    for it in &all[from..] {
        let place = if it.by_reference {
            unread.find(|local| body.type_of(**local) == it.ty).map(|it| Place::of(*it))
        } else {
            named(body, it, fields)
        };
        let Some(place) = place else { break };
        found.push(Operand::Place(place));
    }
    found
}

/// The references that are made in these statements and that nobody reads, in their order.
fn unread(body: &Body, before: &[Statement]) -> Vec<Local> {
    let made = before.iter().filter_map(|it| match it {
        Statement::Assign(into, Rvalue::Reference(..)) if into.projections.is_empty() => Some(into.local),
        _ => None,
    });
    made.filter(|local| !reads(body, *local)).collect()
}

/// Whether something is done with a local besides giving it a value.
fn reads(body: &Body, local: Local) -> bool {
    let is_it = |it: &Place| it.local == local;
    let is_read = |it: &Operand| it.place().is_some_and(is_it);
    body.blocks.iter().any(|block| {
        block.statements.iter().any(|it| match it {
            Statement::Assign(into, value) => {
                is_it(into) && !into.projections.is_empty() || value.places().any(is_it)
            }
            Statement::State(place, _) => is_it(place),
            Statement::Nothing => false,
        }) || match &block.terminator {
            Terminator::Switch { on, .. } => is_read(on),
            Terminator::Drop { place, .. } => is_it(place),
            Terminator::Call(call) => call.arguments.iter().any(is_read),
            _ => false,
        }
    })
}

/// The field of a variable that is captured by value: `variable__field`. `None` where that is not known, or there are several.
fn named(body: &Body, it: &Capture, fields: &Fields) -> Option<Place> {
    let places = body.variables.iter().filter_map(|(name, place)| {
        let field = it.name.strip_prefix(name.as_str())?.strip_prefix("__")?;
        let is_known = place.stated_type().is_some() || place.projections.is_empty();
        let ty = place.stated_type().unwrap_or_else(|| body.type_of(place.local));
        let number = field.parse().ok().or_else(|| number_of(ty, field, fields)).filter(|_| is_known)?;
        Some((place, number))
    });
    let mut found: Vec<(&Place, u32)> = places.collect();
    found.dedup();
    // A state machine moves what it was given to where it keeps it.
    let of: Vec<&Place> = found.iter().map(|it| it.0).collect();
    found.retain(|it| !is_moved(body, it.0, &of));
    let [(place, number)] = found[..] else { return None };
    let mut place = place.clone();
    place.projections.push(Projection::Field(number, it.ty));
    Some(place)
}

/// Whether a place is moved as a whole to one of these.
fn is_moved(body: &Body, from: &Place, to: &[&Place]) -> bool {
    body.blocks.iter().flat_map(|it| &it.statements).any(|it| match it {
        Statement::Assign(into, Rvalue::Use(Operand::Place(it))) => {
            it == from && into != from && to.contains(&into)
        }
        _ => false,
    })
}

/// The number of the field of that name in a struct.
fn number_of(ty: Ty, field: &str, fields: &Fields) -> Option<u32> {
    let names = fields.get(ty.name())?.as_ref()?;
    u32::try_from(names.iter().position(|it| it == field)?).ok()
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    const TEXT: &str = "fn f(_1: S) -> () {
    debug s => _1;
    let mut _0: ();
    let mut _2: &u8;
    let mut _3: &mut u16;
    let mut _4: {closure@a.rs:1:2: 1:3};
    let mut _5: {closure@a.rs:2:2: 2:3};

    bb0: {
        _2 = &(_1.0: u8);
        _3 = &mut (_1.1: u16);
        _4 = {closure@a.rs:1:2: 1:3} { s: copy _2 };
        _5 = {closure@a.rs:2:2: 2:3} { s: copy (_1.0: u8) };
        return;
    }
}

fn f::{closure#0}(_1: &mut {closure@a.rs:1:2: 1:3}) -> () {
    debug s__small => (*((*_1).0: &u8));
    debug s__large => (*((*_1).1: &mut u16));
    let mut _0: ();

    bb0: {
        return;
    }
}

fn f::{closure#1}(_1: {closure@a.rs:2:2: 2:3}) -> () {
    debug s__small => (_1.0: u8);
    debug s__large => (_1.1: u16);
    let mut _0: ();

    bb0: {
        return;
    }
}
";

    fn completed(text: &str, fields: &Fields) -> Vec<Vec<Operand>> {
        let mut bodies = read(text).bodies;
        complete(&mut bodies, fields);
        let statements = bodies[0].blocks[0].statements.iter();
        let made = statements.filter_map(|it| match it {
            Statement::Assign(_, Rvalue::Made(_, parts)) => Some(parts.clone()),
            _ => None,
        });
        made.collect()
    }

    #[test]
    fn fields_that_the_compiler_leaves_out_are_captured() {
        let fields = BTreeMap::from([("S".to_owned(), Some(vec!["small".to_owned(), "large".to_owned()]))]);
        let field = |number, ty: &str| {
            let projections = vec![Projection::Field(number, Ty::read(ty))];
            Operand::Place(Place { local: Local(1), projections })
        };
        let local = |it| Operand::Place(Place::of(Local(it)));
        assert_eq!(
            completed(TEXT, &fields),
            [vec![local(2), local(3)], vec![field(0, "u8"), field(1, "u16")]]
        );
    }

    #[test]
    fn what_cannot_be_resolved_is_left_out() {
        // Which field that is, is not known; and the reference may be for somebody else.
        let text = TEXT.replace(
            "        return;\n    }\n}\n\nfn f::{closure#0}",
            "        _6 = copy _3;\n        return;\n    }\n}\n\nfn f::{closure#0}",
        );
        assert_ne!(text, TEXT);
        assert_eq!(completed(&text, &Fields::new()).iter().map(Vec::len).collect::<Vec<_>>(), [1, 1]);
    }
}
