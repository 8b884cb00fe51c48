//! `lock-order`: two locks of one object are taken in one order here and in the other one there.
//!
//! Both ends of each order have to be reached from one and the same object of one type, or both have to be statics, so that it is the
//! same pair of locks whenever it is the same object. Orders that are only taken while one more lock is held that all of them share
//! are no danger, nor are requests that do not wait, nor locks in what nobody else can reach meanwhile.

use super::{Certainty, Hit, Mark};
use crate::flow::access::{Access, Hop, Root};
use crate::flow::locks::{Acquired, Mode, Request};
use crate::flow::text::is_exclusive;
use crate::flow::{Function, FunctionId, Kind, Program};
use crate::marker::Number;
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
    /// The other locks that are held then, by their ways from the same object.
    besides: BTreeSet<Class>,
}

/// The longest circle that is looked for. Longer ones are rare and hard to believe.
const LONGEST: usize = 4;

/// Finds circles of orders.
pub(super) fn check(program: &Program) -> Vec<Hit> {
    let mut orders: Vec<Order> = Vec::new();
    for (id, function) in program.functions() {
        orders.extend(orders_of(program, id, function));
    }
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

/// The orders in which a body takes locks, itself or through what it calls.
fn orders_of(program: &Program, id: FunctionId, function: &Function) -> Vec<Order> {
    let nested = program.locks().nested(program, id).into_iter();
    let others = nested.filter(|it| it.certain && it.held.lock != it.request.lock);
    others.filter_map(|it| order(function, &it.held, &it.request, &it.besides)).collect()
}

fn order(function: &Function, held: &Acquired, requested: &Request, besides: &[Access]) -> Option<Order> {
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
    Some(Order { held: (first, held.mode, site), requested: (second, requested.mode, asked), besides })
}

fn of_static(name: &str, lock: &Access) -> Class {
    Class { of: String::new(), way: lock.hops.clone(), name: name.to_owned() }
}

/// What a lock is in an order with another one, and the length of the way that both share.
fn class(function: &Function, lock: &Access, other: &Access) -> Option<(Class, usize)> {
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
fn is_alone(function: &Function, lock: &Access) -> bool {
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
    let steps: Vec<String> = circle
        .iter()
        .map(|it| format!("`{}` is locked while `{}` is held", name(it.requested.2), name(it.held.2)))
        .collect();
    let mut related = Vec::new();
    let last = circle.len() - 1;
    for (at, order) in circle.iter().enumerate() {
        related.push((Mark::Site(order.held.2), format!("`{}` is held from here", name(order.held.2))));
        if at != last {
            related.push((
                Mark::Site(order.requested.2),
                format!("`{}` is requested here", name(order.requested.2)),
            ));
        }
    }
    related.dedup();
    let closing = circle[last].requested.2;
    Hit {
        property: PROPERTY,
        certainty: Certainty::Usually,
        message: format!(
            "locks of one object are taken in orders that exclude each other: {}",
            steps.join(", but ")
        ),
        primary: (Mark::Site(closing), format!("`{}` is requested here", name(closing))),
        related,
        advice:
            "Take the locks in the same order everywhere, or end the first guard before the second request."
                .to_owned(),
    }
}
