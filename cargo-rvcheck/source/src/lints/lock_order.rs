//! `lock-order`: two locks of one object are taken in one order here and in the other one there.
//!
//! Both ends of each order have to be reached from one and the same object of one type, or both have to be statics, so that it is the
//! same pair of locks whenever it is the same object. Orders that are only taken while one more lock is held that all of them share
//! are no danger, nor are requests that do not wait, nor locks in what nobody else can reach meanwhile. Where one of the tasks only runs
//! within a time limit, so that it gives up in the end, it is a note.

use super::{Certainty, CodeRef, Hit};
use crate::flow::access::{AccessPath, AccessPaths, Hop, Root};
use crate::flow::code_ref::call_or_await;
use crate::flow::limited::limited;
use crate::flow::locks::{Acquired, BodyDependency, Mode, Request, Waits};
use crate::flow::runs::{Run, runs};
use crate::flow::text::is_exclusive;
use crate::flow::{Function, FunctionId, Kind, Program};
use crate::marker::Number;
use crate::mir::BlockId;
use std::collections::{BTreeMap, BTreeSet};

/// The id of the property.
pub(super) const PROPERTY: &str = "lock-order";

/// A lock, by what it belongs to and the way from there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Class {
    /// The type that has all locks of the order; empty for statics.
    of: String,
    way: Vec<Hop>,
    /// The static.
    name: String,
}

/// A lock is requested while another one is held.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Order {
    held: (Class, Mode, Number),
    requested: (Class, Mode, Number),
    /// The calls by which either is done in another function.
    through: [Option<CodeRef>; 2],
    /// The other locks that are held then, by their ways from the same object.
    besides: BTreeSet<Class>,
    /// Whoever requests it gives up after some time.
    limited: bool,
}

/// The longest circle that is looked for. Longer ones are rare and hard to believe.
const LONGEST: usize = 4;

/// Finds circles of orders.
pub(super) fn check(program: &Program) -> Vec<Hit> {
    let nested: Vec<(FunctionId, BodyDependency)> = program
        .functions()
        .flat_map(|(id, _)| program.locks().nested(program, id).into_iter().map(move |it| (id, it)))
        .filter(|(_, it)| it.certain && it.held.lock != it.request.lock)
        .collect();
    let lifted = lifted(program, &nested);
    let limited = limited(program);
    let mut orders: Vec<Order> = nested
        .iter()
        .chain(&lifted)
        .filter_map(|(id, it)| {
            let limited = it.request.waits == Waits::Task && limited.contains(id);
            order(program, program.function(*id), it, limited)
        })
        .collect();
    // Of several circles of the same locks, the worst is found first.
    orders.sort_by_key(|it| it.limited);
    let mut by_class: BTreeMap<&Class, Vec<&Order>> = BTreeMap::new();
    for order in &orders {
        by_class.entry(&order.held.0).or_default().push(order);
    }
    let mut known = BTreeSet::new();
    let mut hits = Vec::new();
    for first in &orders {
        let mut way = vec![first];
        circles(&by_class, &mut way, &mut |circle| {
            let key: BTreeSet<&Class> = circle.iter().map(|it| &it.held.0).collect();
            if known.insert(key.into_iter().cloned().collect::<Vec<_>>()) {
                hits.push(hit(program, circle));
            }
        });
    }
    hits
}

/// Calls `found` with each circle that goes on from a way. It begins with its least class, so that it is found once.
fn circles<'a>(
    by_class: &BTreeMap<&Class, Vec<&'a Order>>,
    way: &mut Vec<&'a Order>,
    found: &mut impl FnMut(&[&Order]),
) {
    let (Some(first), Some(last)) = (way.first().copied(), way.last().copied()) else { return };
    if last.requested.0 == first.held.0 {
        if is_dangerous(way) {
            found(way);
        }
        return;
    }
    if way.len() == LONGEST {
        return;
    }
    for next in by_class.get(&last.requested.0).into_iter().flatten() {
        let goes_back =
            next.requested.0 != first.held.0 && way.iter().any(|it| it.held.0 == next.requested.0);
        if next.held.0 > first.held.0 && !goes_back {
            way.push(next);
            circles(by_class, way, found);
            way.pop();
        }
    }
}

/// Whether a circle can close: each request waits for the one who holds, and no other lock keeps all of them apart.
fn is_dangerous(circle: &[&Order]) -> bool {
    let waits = circle.iter().zip(circle.iter().cycle().skip(1)).all(|(order, next)| {
        let (requested, held) = (order.requested.1, next.held.1);
        requested == Mode::Write
            || held == Mode::Write
            || (requested, held) == (Mode::Upgradable, Mode::Upgradable)
    });
    let mut shared = circle.iter().map(|it| it.besides.clone());
    let gate = shared.next().map(|first| shared.fold(first, |all, it| &all & &it));
    waits && gate.is_none_or(|it| it.is_empty())
}

/// How deep calls are followed.
const DEEPEST: usize = 4;

/// The orders of locks that a body is given, in the terms of those that give them: of `from` and `to` in the call
/// `transfer(&self.first, &self.second)`.
fn lifted(program: &Program, nested: &[(FunctionId, BodyDependency)]) -> Vec<(FunctionId, BodyDependency)> {
    let given = |it: &BodyDependency| it.held.lock.root != it.request.lock.root;
    let mut open: BTreeMap<FunctionId, Vec<BodyDependency>> = BTreeMap::new();
    for (id, it) in nested.iter().filter(|(_, it)| given(it)) {
        open.entry(*id).or_default().push(it.clone());
    }
    let mut found = Vec::new();
    for _ in 0..DEEPEST {
        let mut next: BTreeMap<FunctionId, Vec<BodyDependency>> = BTreeMap::new();
        for (id, function) in program.functions().filter(|_| !open.is_empty()) {
            for (block, ..) in function.calls() {
                for run in runs(program, function, block) {
                    let inner = open.get(&run.body).into_iter().flatten().filter(|_| run.body != id);
                    for it in
                        inner.filter_map(|it| lift(&AccessPaths::of(program, function), id, block, &run, it))
                    {
                        if given(&it) {
                            next.entry(id).or_default().push(it.clone());
                        }
                        found.push((id, it));
                    }
                }
            }
        }
        open = next;
    }
    found
}

/// An order inside what a call runs, in the terms of the caller.
fn lift(
    access_paths: &AccessPaths<'_>,
    caller: FunctionId,
    block: BlockId,
    run: &Run,
    inner: &BodyDependency,
) -> Option<BodyDependency> {
    let seen = |it: &AccessPath| access_paths.seen(it, &run.arguments, &run.captured);
    let held = Acquired { lock: seen(&inner.held.lock)?, ..inner.held.clone() };
    let request = Request { lock: seen(&inner.request.lock)?, ..inner.request.clone() };
    (held.lock != request.lock).then(|| BodyDependency {
        block,
        held,
        request,
        certain: inner.certain,
        besides: inner.besides.iter().filter_map(seen).collect(),
        held_through: Some((caller, block)),
        requested_through: None,
    })
}

fn order(program: &Program, function: &Function, nested: &BodyDependency, limited: bool) -> Option<Order> {
    let BodyDependency { held, request: requested, besides, .. } = nested;
    let (site, asked) = (held.site?, requested.site?);
    let (first, length) = class(function, &held.lock, &requested.lock)?;
    let (second, _) = class(function, &requested.lock, &held.lock)?;
    let besides: BTreeSet<Class> = besides
        .iter()
        .filter_map(|it| match (&it.root, &held.lock.root) {
            (Root::Static(name), _) => Some(of_static(name, it)),
            (root, of) if root == of => {
                let way = it.hops.strip_prefix(held.lock.hops.get(..length)?)?;
                Some(Class { way: way.to_vec(), ..first.clone() })
            }
            _ => None,
        })
        .collect();
    let through = [nested.held_through, nested.requested_through]
        .map(|it| it.map(|(id, block)| call_or_await(program, id, block)));
    Some(Order {
        held: (first, held.mode, site),
        requested: (second, requested.mode, asked),
        through,
        besides,
        limited,
    })
}

fn of_static(name: &str, lock: &AccessPath) -> Class {
    Class { of: String::new(), way: lock.hops.clone(), name: name.to_owned() }
}

/// What a lock is in an order with another one, and the length of the way that both share.
fn class(function: &Function, lock: &AccessPath, other: &AccessPath) -> Option<(Class, usize)> {
    match (&lock.root, &other.root) {
        (Root::Static(name), Root::Static(others)) if name != others => Some((of_static(name, lock), 0)),
        (root, others) if root == others && !root.is_made() => {
            let length = lock.hops.iter().zip(&other.hops).take_while(|(it, other)| it == other).count();
            let rest = &lock.hops[length..];
            let (Hop::Field(of, _), Hop::Field(..)) = (rest.first()?, other.hops.get(length)?) else {
                return None;
            };
            if of.is_empty() || is_alone(function, lock) || is_alone(function, other) {
                return None;
            }
            Some((Class { of: of.clone(), way: rest.to_vec(), name: String::new() }, length))
        }
        _ => None,
    }
}

/// Whether nobody else can reach a lock while the body runs: it is a part of what the body has an exclusive reference to.
fn is_alone(function: &Function, lock: &AccessPath) -> bool {
    let pointers = lock.hops.iter().filter(|it| **it == Hop::Deref).count();
    let exclusive = match (&lock.root, function.kind) {
        (Root::Argument(number), _) => is_exclusive(function.body.type_of(crate::mir::Local(*number))),
        (Root::Captured(number), Kind::Coroutine | Kind::Closure) => {
            function.captured_type(*number).is_some_and(is_exclusive)
        }
        _ => false,
    };
    exclusive && pointers <= 1
}

fn hit(program: &Program, circle: &[&Order]) -> Hit {
    let name = |site: Number| {
        program.site(site).and_then(|it| it.binding.clone()).unwrap_or_else(|| "a lock".to_owned())
    };
    let step = |order: &&Order| match (name(order.requested.2), name(order.held.2)) {
        (requested, held) if requested == held => format!("one `{held}` is locked while another one is held"),
        (requested, held) => format!("`{requested}` is locked while `{held}` is held"),
    };
    let mut steps: Vec<String> = circle.iter().map(step).collect();
    steps.dedup();
    let mut related = Vec::new();
    let last = circle.len() - 1;
    for (at, order) in circle.iter().enumerate() {
        let (held, requested) = (name(order.held.2), name(order.requested.2));
        let [through, asks] = order.through.clone();
        related.extend(through.map(|it| (it, format!("this call takes `{held}`, and holds it"))));
        related.push((CodeRef::Site(order.held.2), format!("`{held}` is held from here")));
        related.extend(asks.map(|it| (it, format!("this call requests `{requested}`"))));
        if at != last {
            related.push((CodeRef::Site(order.requested.2), format!("`{requested}` is requested here")));
        }
    }
    let mut seen = BTreeSet::new();
    related.retain(|it| seen.insert(it.clone()));
    let closing = circle[last].requested.2;
    Hit {
        property: PROPERTY,
        certainty: if circle.iter().any(|it| it.limited) { Certainty::Doubt } else { Certainty::Usually },
        message: format!(
            "locks of one object are taken in orders that exclude each other: {}",
            if steps.len() == 1 {
                format!("{}, and the other way round", steps[0])
            } else {
                steps.join(", but ")
            }
        ),
        primary: (CodeRef::Site(closing), format!("`{}` is requested here", name(closing))),
        related,
        advice:
            "take the locks in the same order everywhere, or end the first guard before the second request"
                .to_owned(),
    }
}
