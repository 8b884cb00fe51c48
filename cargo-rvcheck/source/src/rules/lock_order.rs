//! `lock-order`: lock-order inversions, locks that are acquired in one order here and in the other there.
//!
//! Both ends of each lock dependency have to be reached from one and the same object of one type, both have to be statics, or [one body
//! makes](made) both, so that it is the same pair of locks whenever it is the same object. [Twins](twins) are locks of one class.
//!
//! Not reported: dependencies of two tasks that hold one more lock in common, requests that do not wait, and locks in what nothing else
//! can reach meanwhile. If one of the tasks runs only within a time limit, so that it gives up in the end, or is over before the other
//! one begins, it is a note.

mod looked_up;
mod made;
mod twins;

use self::made::Standing;
use super::{Certainty, CodeRef, Hit, Rule, ShownBy};
use crate::body::{Function, FunctionId, Kind, Slot};
use crate::facts::Facts;
use crate::facts::agents::order::{Order, Point};
use crate::mir::BlockId;
use crate::program::Program;
use crate::program::access::{AccessPath, AccessPaths, Hop, Root};
use crate::program::code_ref::call_or_await;
use crate::program::limited::limited;
use crate::program::locks::{Acquired, BodyDependency, Mode, Request, Waits, kept_at};
use crate::program::runs::{Run, may_run};
use crate::program::summaries::{Domain, FactSet, calls, solve};
use crate::ty::{Ty, last};
use rvcheck_event::lock_dependency::{Lock, LockDependency, cycles};
use std::collections::{BTreeMap, BTreeSet};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "lock-order",
    property: "lock-order",
    doc: "Locks are acquired in inconsistent orders that can deadlock.",
    shown_by: ShownBy::Run("two tasks each wait for the lock that the other one holds"),
    check,
};

/// A lock, by what it belongs to and the access path from there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Class {
    /// A value of the type that has all locks of the dependency.
    Of(String, Vec<Hop>),
    /// A static.
    Static(String, Vec<Hop>),
    /// A value that a body makes.
    Made(FunctionId, Slot, Vec<Hop>),
}

/// A lock of that class, how it is held or requested, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ClassedLock {
    class: Class,
    mode: Mode,
    place: CodeRef,
}

impl Lock for ClassedLock {
    type Class = Class;

    fn class(&self) -> &Class {
        &self.class
    }

    fn waits_for(&self, held: &ClassedLock) -> bool {
        let modes = (self.mode, held.mode);
        self.mode == Mode::Write || held.mode == Mode::Write || modes == (Mode::Upgradable, Mode::Upgradable)
    }
}

/// A lock dependency that some body has.
#[derive(Clone, PartialEq, Eq, Debug)]
struct StaticDependency {
    dependency: LockDependency<ClassedLock>,
    /// Where the lock is requested while the other one is held.
    at: Point,
    /// Where that is in the terms of the body that makes the locks, if one does.
    standing: Option<Standing>,
    /// The calls by which the lock is acquired or requested in another function.
    through: [Option<CodeRef>; 2],
    /// Why it may never stand in the way of another one: whoever requests it gives up after some time, or another implementation
    /// of a method that is called on the way does not.
    doubtful: bool,
    /// Both locks are in a value of which one thread alone has all references, and block that thread.
    is_confined: bool,
}

/// The longest cycle that is looked for. Longer ones are rare and hard to believe.
const LONGEST: usize = 4;
/// How many steps are searched.
const MOST: u64 = 1 << 20;

/// Finds cycles of lock dependencies.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let of_bodies: Vec<(FunctionId, BodyDependency)> = program
        .functions()
        .flat_map(|(id, _)| program.locks().dependencies(program, id).into_iter().map(move |it| (id, it)))
        .filter(|(_, it)| it.certain && it.held.lock != it.request.lock)
        .collect();
    let lifted = lifted(program, &of_bodies);
    let limited = limited(program);
    let mut found: Vec<StaticDependency> = of_bodies
        .iter()
        .chain(&lifted)
        .filter_map(|(id, it)| {
            let limited = it.request.waits == Waits::Task && limited.contains(id);
            dependency(program, *id, it, limited || it.one_of_several && !is_given_its_type(program, it))
        })
        .collect();
    found.extend(made::dependencies(facts, &of_bodies));
    // A cycle begins with its least class. Of several cycles of the same locks, the worst is found first.
    found.sort_by(|a, b| (&a.dependency.held.class, a.doubtful).cmp(&(&b.dependency.held.class, b.doubtful)));
    let dependencies: Vec<_> = found.iter().map(|it| &it.dependency).collect();
    let mut all: Vec<Vec<&StaticDependency>> = Vec::new();
    let order = facts.order();
    cycles(&dependencies, LONGEST, MOST, |cycle| {
        let cycle: Vec<&StaticDependency> = cycle.iter().map(|it| &found[*it as usize]).collect();
        if cycle.iter().all(|it| it.is_confined) {
            return;
        }
        let standings: Vec<&Standing> = cycle.iter().filter_map(|it| it.standing.as_ref()).collect();
        if standings.is_empty() || made::meet(program, &order, &standings) {
            all.push(cycle);
        }
    });
    let mut all: Vec<(bool, Vec<&StaticDependency>)> =
        all.into_iter().map(|it| (is_doubtful(&order, &it), it)).collect();
    all.sort_by_key(|it| it.0);
    let (mut known, mut reported, mut places) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let makers = makers(program);
    let mut hits = twins::check(program, &makers, &of_bodies);
    hits.extend(looked_up::check(program, &makers));
    for (doubtful, cycle) in all {
        let classes: BTreeSet<&Class> = cycle.iter().map(|it| &it.dependency.held.class).collect();
        // The same calls request other locks in each of the implementations that they may run: one note tells it.
        let calls: BTreeSet<&CodeRef> = cycle.iter().filter_map(|it| it.through[0].as_ref()).collect();
        // Locks have other names in each of the bodies that make them.
        let ends = |it: &&'_ StaticDependency| {
            [&it.dependency.held, &it.dependency.wanted].map(|it| it.place.clone())
        };
        let at: BTreeSet<[CodeRef; 2]> = cycle.iter().map(ends).collect();
        let is_new = places.insert(at) || cycle.iter().all(|it| it.standing.is_none());
        if known.insert(classes) && is_new && (!doubtful || calls.is_empty() || reported.insert(calls)) {
            hits.push(hit(program, &cycle, doubtful));
        }
    }
    hits
}

/// By state machine of an `async fn`: that.
fn makers(program: &Program) -> BTreeMap<FunctionId, FunctionId> {
    program.functions().filter_map(|(id, _)| Some((program.machine_made_by(id)?.0, id))).collect()
}

/// Whether the call through which a lock is requested gives the very value that has the lock, by its own type: this chooses which of several
/// implementations runs.
fn is_given_its_type(program: &Program, found: &BodyDependency) -> bool {
    let Some((id, block)) = found.requested_through.or(found.held_through) else { return false };
    let function = program.function(id);
    let lock = &found.request.lock;
    let owner = lock.hops.iter().rev().find_map(|it| match it {
        Hop::Field(of, _) => Some(last(of)),
        _ => None,
    });
    let access_paths = AccessPaths::of(program, function);
    function.call(block).into_iter().flat_map(|(call, _)| call.places()).any(|place| {
        let ty = function.type_of(place).unwrap_or_default().pointee();
        let leads = |it: AccessPath| it.root == lock.root && lock.hops.starts_with(&it.then(Hop::Deref).hops);
        !program.is_open_type(ty) && Some(ty.name()) == owner && access_paths.place(place).is_some_and(leads)
    })
}

/// Whether the tasks of a cycle may never meet: one gives up, or is over before another one begins.
fn is_doubtful(order: &Order<'_>, cycle: &[&StaticDependency]) -> bool {
    let mut pairs = cycle.iter().enumerate().flat_map(|(number, it)| {
        let others = cycle.iter().skip(number + 1);
        others.map(|other| (it.at, other.at))
    });
    cycle.iter().any(|it| it.doubtful) || pairs.any(|(one, other)| order.excludes(one, other))
}

/// The dependencies of locks that a body is given, in the terms of those that give them: of `from` and `to` in the call
/// `transfer(&self.first, &self.second)`.
fn lifted(
    program: &Program,
    of_bodies: &[(FunctionId, BodyDependency)],
) -> Vec<(FunctionId, BodyDependency)> {
    let mut given: BTreeMap<FunctionId, Vec<BodyDependency>> = BTreeMap::new();
    for (id, it) in of_bodies.iter().filter(|(_, it)| is_given(it)) {
        given.entry(*id).or_default().push(it.clone());
    }
    if given.is_empty() {
        return Vec::new();
    }
    let all = solve(&Lifted { program, given: &given }, program.functions().count());
    let of_body = |(id, FactSet(all)): (FunctionId, FactSet<BodyDependency>)| {
        let own = given.get(&id).map_or(0, Vec::len);
        all.into_iter().skip(own).map(move |it| (id, it))
    };
    (0..).map(FunctionId).zip(all).flat_map(of_body).collect()
}

/// Whether the locks of a dependency come from different things, so that callers may have both from one.
fn is_given(it: &BodyDependency) -> bool {
    it.held.lock.root != it.request.lock.root
}

/// The dependencies of locks that bodies are given, and of those that they give.
struct Lifted<'a> {
    program: &'a Program,
    given: &'a BTreeMap<FunctionId, Vec<BodyDependency>>,
}

impl Domain for Lifted<'_> {
    type Summary = FactSet<BodyDependency>;
    type Call = (BlockId, Run);

    fn own(&self, body: FunctionId) -> FactSet<BodyDependency> {
        FactSet(self.given.get(&body).cloned().unwrap_or_default())
    }

    fn calls(&self, body: FunctionId) -> Vec<(FunctionId, Self::Call)> {
        let mut found = calls(self.program, self.program.function(body), may_run);
        found.retain(|it| it.0 != body);
        found
    }

    fn at_call(&self, body: FunctionId, (block, run): &Self::Call, callee: &Self::Summary) -> Self::Summary {
        let given = callee.0.iter().filter(|it| is_given(it));
        given.filter_map(|it| lift(self.program, body, *block, run, it)).collect()
    }
}

/// Whether a body has compared the two objects whose locks it takes, so that whoever gives it the same two gets the same order.
fn is_decided(program: &Program, body: FunctionId, found: &BodyDependency) -> bool {
    let roots = [&found.held.lock.root, &found.request.lock.root];
    roots[0] != roots[1] && twins::decides(program, program.function(body), found.block, Some(roots))
}

/// A dependency inside what a call runs, in the terms of the caller.
fn lift(
    program: &Program,
    caller: FunctionId,
    block: BlockId,
    run: &Run,
    inner: &BodyDependency,
) -> Option<BodyDependency> {
    if is_decided(program, run.body, inner) {
        return None;
    }
    let access_paths = AccessPaths::of(program, program.function(caller));
    let seen = |it: &AccessPath| access_paths.seen(it, &run.arguments, &run.captured);
    let held = Acquired { lock: seen(&inner.held.lock)?, ..inner.held.clone() };
    let request = Request { lock: seen(&inner.request.lock)?, ..inner.request.clone() };
    let kept = kept_at(program, caller, block).into_iter().map(|it| it.lock);
    let besides = inner.besides.iter().filter_map(seen).chain(kept);
    (held.lock != request.lock).then(|| BodyDependency {
        block,
        held,
        request,
        certain: inner.certain,
        one_of_several: inner.one_of_several || run.one_of_several,
        besides: besides.collect(),
        held_through: Some((caller, block)),
        requested_through: None,
    })
}

fn dependency(
    program: &Program,
    id: FunctionId,
    found: &BodyDependency,
    doubtful: bool,
) -> Option<StaticDependency> {
    let BodyDependency { held, request: requested, besides, .. } = found;
    let function = program.function(id);
    let (first, length) = class(function, &held.lock, &requested.lock)?;
    let (second, _) = class(function, &requested.lock, &held.lock)?;
    let gates: BTreeSet<Class> = besides
        .iter()
        .filter_map(|it| match (&it.root, &held.lock.root) {
            (Root::Static(name), _) => Some(class_of_static(name, it)),
            (root, of) if root == of => {
                let path = it.hops.strip_prefix(held.lock.hops.get(..length)?)?;
                let Class::Of(of, _) = &first else { return None };
                Some(Class::Of(of.clone(), path.to_vec()))
            }
            _ => None,
        })
        .collect();
    let is_confined =
        requested.waits == Waits::Thread && [&first, &second].iter().all(|it| is_confined(program, it));
    let lifting = Lifting { at: (id, found.block), standing: None, doubtful };
    let found = classed(program, found, first, second, gates, lifting)?;
    Some(StaticDependency { is_confined, ..found })
}

/// Whether a lock is a part of a value of which one thread alone has all references. A pointer may lead to what others have, too.
fn is_confined(program: &Program, class: &Class) -> bool {
    let Class::Of(of, path) = class else { return false };
    !path.contains(&Hop::Deref) && program.is_confined(last(of))
}

/// Where a dependency is, and whether it may never stand in the way of another one.
struct Lifting {
    at: Point,
    standing: Option<Standing>,
    doubtful: bool,
}

fn classed(
    program: &Program,
    found: &BodyDependency,
    first: Class,
    second: Class,
    gates: BTreeSet<Class>,
    Lifting { at, standing, doubtful }: Lifting,
) -> Option<StaticDependency> {
    let (place, asked) = (found.held.place.clone()?, found.request.place.clone()?);
    let through = [found.held_through, found.requested_through]
        .map(|it| it.map(|(id, block)| call_or_await(program, id, block)));
    let held = ClassedLock { class: first, mode: found.held.mode, place };
    let wanted = ClassedLock { class: second, mode: found.request.mode, place: asked };
    Some(StaticDependency {
        dependency: LockDependency { held, wanted, gates },
        at,
        standing,
        through,
        doubtful,
        is_confined: false,
    })
}

fn class_of_static(name: &str, lock: &AccessPath) -> Class {
    Class::Static(name.to_owned(), lock.hops.clone())
}

/// What a lock is in a dependency with another one, and the length of the path that both share.
fn class(function: &Function, lock: &AccessPath, other: &AccessPath) -> Option<(Class, usize)> {
    match (&lock.root, &other.root) {
        (Root::Static(name), Root::Static(others)) if name != others => {
            Some((class_of_static(name, lock), 0))
        }
        (root, others) if root == others && !root.is_made() => {
            let length = lock.hops.iter().zip(&other.hops).take_while(|(it, other)| it == other).count();
            let (Hop::Field(..), Hop::Field(..)) = (lock.hops.get(length)?, other.hops.get(length)?) else {
                return None;
            };
            // Tuples of one type are made anywhere: such a pair is known by the field that has it.
            let is_named = |it: &Hop| matches!(it, Hop::Field(of, _) if !of.starts_with('('));
            let length = lock.hops[..=length].iter().rposition(is_named)?;
            let rest = &lock.hops[length..];
            let Hop::Field(of, _) = rest.first()? else { return None };
            if of.is_empty() || is_alone(function, lock) || is_alone(function, other) {
                return None;
            }
            Some((Class::Of(of.clone(), rest.to_vec()), length))
        }
        _ => None,
    }
}

/// Whether nobody else can reach a lock while the body runs: it is a part of what the body has an exclusive reference to.
fn is_alone(function: &Function, lock: &AccessPath) -> bool {
    let pointers = lock.hops.iter().filter(|it| **it == Hop::Deref).count();
    let exclusive = match (&lock.root, function.kind) {
        (Root::Argument(number), _) => function.body.type_of(crate::mir::Local(*number)).is_exclusive(),
        (Root::Captured(number), Kind::Coroutine | Kind::Closure) => {
            function.captured_type(*number).is_some_and(Ty::is_exclusive)
        }
        _ => false,
    };
    exclusive && pointers <= 1
}

/// What a person calls the lock that is requested somewhere.
fn name_of(program: &Program, place: &CodeRef) -> String {
    match place {
        CodeRef::Site(number) => {
            let binding = program.site(*number).and_then(|it| it.binding.clone());
            binding.map_or_else(|| "a lock".to_owned(), |it| format!("`{it}`"))
        }
        _ => "a map shard".to_owned(),
    }
}

fn hit(program: &Program, cycle: &[&StaticDependency], doubtful: bool) -> Hit {
    let name = |place: &CodeRef| name_of(program, place);
    let step = |it: &&StaticDependency| {
        let LockDependency { held, wanted, .. } = &it.dependency;
        match (name(&wanted.place), name(&held.place)) {
            (requested, held) if requested == held => {
                format!("one {} is locked while another one is held", held.trim_start_matches("a "))
            }
            (requested, held) => format!("{requested} is locked while {held} is held"),
        }
    };
    let mut steps: Vec<String> = cycle.iter().map(step).collect();
    steps.dedup();
    let mut related = Vec::new();
    let last = cycle.len() - 1;
    for (at, it) in cycle.iter().enumerate() {
        let LockDependency { held, wanted, .. } = &it.dependency;
        let (held_place, requested_place) = (held.place.clone(), wanted.place.clone());
        let (held, requested) = (name(&held_place), name(&requested_place));
        let [through, asks] = it.through.clone();
        related.extend(through.map(|it| (it, format!("this call acquires {held} and keeps it held"))));
        related.push((held_place, format!("{held} is held from here")));
        related.extend(asks.map(|it| (it, format!("this call requests {requested}"))));
        if at != last {
            related.push((requested_place, format!("{requested} is requested here")));
        }
    }
    let mut seen = BTreeSet::new();
    related.retain(|it| seen.insert(it.clone()));
    let closing = &cycle[last].dependency.wanted.place;
    Hit {
        certainty: if doubtful { Certainty::Doubt } else { Certainty::Usually },
        message: format!(
            "locks{} {} acquired in conflicting orders: {}",
            if cycle.iter().any(|it| it.standing.is_some()) { "" } else { " of one object" },
            if doubtful { "may be" } else { "are" },
            if steps.len() == 1 {
                format!("{}, and vice versa", steps[0])
            } else {
                steps.join(", but ")
            }
        ),
        primary: (closing.clone(), format!("{} is requested here", name(closing))),
        related,
        advice:
            "acquire the locks in the same order everywhere, or drop the first guard before the second request"
                .to_owned(),
    }
}
