//! Room: channels with a limit of which no send ever waits, since all that is sent into one of them fits.
//!
//! A sender is a value that has one owner, unless it is cloned. Whoever owns it where it sends, and lets it go after that, is the last one
//! to send: so the sends of one owner count, and not those of all. A channel that is made anew for each question is another one each time.

use super::agents::operation::{Op, operation};
use super::agents::steps::bodies;
use super::deadlock::escaping_senders;
use super::objects::{CallSite, Capacity, Objects, Thing};
use crate::body::paths::Paths;
use crate::body::{Definition, FunctionId, Kind};
use crate::mir::{BlockId, Local, Operand, Rvalue, Statement};
use crate::program::Program;
use crate::program::access::{AccessPath, AccessPaths, Hop, Root};
use crate::program::trip_count::runs;
use crate::ty::Ty;
use rvcheck_primitives::Holds;
use std::collections::{BTreeMap, BTreeSet};

/// Through how many calls a sender is followed to its owner.
const DEEPEST: usize = 8;

/// The channels that are never full, of those with a limit.
pub(super) fn roomy(program: &Program, objects: &Objects) -> BTreeSet<CallSite> {
    let limited = objects.channels.iter().filter(|(_, it)| **it != Capacity::Unbounded);
    let limited: Vec<(CallSite, Capacity)> = limited.map(|(it, of)| (*it, *of)).collect();
    if limited.is_empty() {
        return BTreeSet::new();
    }
    let [sends, clones] = uses(program, objects);
    let escaping = escaping_senders(program, objects);
    let givers = givers(program, objects);
    let is_roomy = |(channel, capacity): &(CallSite, Capacity)| {
        let of_it = |all: &BTreeMap<CallSite, BTreeSet<Thing>>| -> BTreeSet<CallSite> {
            let all = all.iter().filter(|(_, it)| it.contains(&Thing::Sender(*channel)));
            all.map(|(it, _)| *it).collect()
        };
        let of = Counting { program, objects, givers: &givers, channel: *channel, clones: of_it(&clones) };
        let sent = of.sent(of_it(&sends));
        !escaping.contains(channel)
            && sent.is_some_and(|sent| match capacity {
                Capacity::Constant(room) => sent <= *room,
                // Whoever says how much fits in knows how much is sent.
                _ => true,
            })
    };
    limited.into_iter().filter(is_roomy).map(|(it, _)| it).collect()
}

/// The calls that send, and those that make another sender of one, each with what they may be done to.
fn uses(program: &Program, objects: &Objects) -> [BTreeMap<CallSite, BTreeSet<Thing>>; 2] {
    let [mut sends, mut clones] = [BTreeMap::new(), BTreeMap::new()];
    for (id, function) in program.functions() {
        for (block, call, callee) in function.calls() {
            let at = CallSite { function: id, block };
            let on = call.place(0);
            if let Some(it) = operation(program, function, block).filter(|it| it.op == Op::Send) {
                sends.insert(at, objects.at(program, id, it.on));
            } else if let Some(on) = on.filter(|_| callee.shares() || callee.name() == "cloned") {
                // Who shares what has a sender makes no other one.
                let given = objects.at(program, id, &call.into);
                let both = objects.at(program, id, on).into_iter().filter(|it| given.contains(it));
                if !is_shared(program, function.type_of(&call.into).unwrap_or_default()) {
                    clones.insert(at, both.collect());
                }
            }
        }
    }
    [sends, clones]
}

fn is_shared(_program: &Program, ty: Ty) -> bool {
    let is_counted = matches!(ty.holds(), Some(Holds::Counted | Holds::Weakly));
    is_counted || ty.referent().is_some()
}

/// By body: what it is given. A function gets the arguments of its calls, a closure or state machine what it captures where it is made.
type Givers<'a> = BTreeMap<FunctionId, Vec<(CallSite, &'a [Operand])>>;

fn givers<'a>(program: &'a Program, objects: &Objects) -> Givers<'a> {
    let mut found = Givers::new();
    for (id, function) in program.functions() {
        for (block, it) in function.blocks().filter(|(_, it)| !it.cleanup) {
            let at = CallSite { function: id, block };
            for (into, value) in it.assignments() {
                if let Some((body, parts)) = program.body_made(function, into, value) {
                    found.entry(body).or_default().push((at, parts));
                }
            }
            let Some((call, _)) = function.call(block) else { continue };
            let called = bodies(program, objects, id, function, block).into_iter();
            for body in called.filter(|it| program.function(*it).kind == Kind::Function) {
                found.entry(body).or_default().push((at, &call.arguments));
            }
        }
    }
    found
}

/// Whose a sender is in a body: what the body makes, owns as an argument or has captured, or what one of these refers to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Holder {
    function: FunctionId,
    path: AccessPath,
}

impl Holder {
    fn is_owned(&self) -> bool {
        !self.path.hops.contains(&Hop::Deref)
    }
}

/// By holder: the blocks that send, and how many messages each of them.
type Sends = BTreeMap<Holder, BTreeMap<BlockId, u64>>;

struct Counting<'a> {
    program: &'a Program,
    objects: &'a Objects,
    givers: &'a Givers<'a>,
    channel: CallSite,
    clones: BTreeSet<CallSite>,
}

impl Counting<'_> {
    /// How many messages go into one such channel at most; `None` if that is not known.
    fn sent(&self, sends: BTreeSet<CallSite>) -> Option<u64> {
        let mut direct = Sends::new();
        for it in sends {
            let function = self.program.function(it.function);
            let on = operation(self.program, function, it.block)?.on;
            direct
                .entry(self.holder(it.function, &Operand::Place(on.clone()))?)
                .or_default()
                .insert(it.block, 1);
        }
        // Until all sends in functions and closures that borrow a sender are those of its owners.
        let mut all = direct.clone();
        for _ in 0..DEEPEST {
            let mut next = direct.clone();
            for (holder, sends) in all.iter().filter(|(it, _)| !it.is_owned()) {
                let count = self.of_holder(holder, sends)?;
                for (owner, block) in self.lenders(holder)? {
                    next.entry(owner).or_default().insert(block, count);
                }
            }
            if next == all {
                let owned = all.iter().filter(|(it, _)| it.is_owned());
                let of_owner =
                    |(it, sends)| self.of_holder(it, sends)?.checked_mul(self.holders(it, DEEPEST)?);
                let counts: Vec<u64> = owned.map(of_owner).collect::<Option<_>>()?;
                let most = counts.iter().max().copied().unwrap_or(0);
                return Some(if self.clones.is_empty() { most } else { counts.iter().sum() });
            }
            all = next;
        }
        None
    }

    /// What holds the sender that an operand is, or refers to.
    fn holder(&self, id: FunctionId, operand: &Operand) -> Option<Holder> {
        let function = self.program.function(id);
        let mut path = AccessPaths::of(self.program, function).operand(operand)?;
        let ty = operand.place().and_then(|it| function.type_of(it))?;
        if ty.referent().is_some() {
            path = path.then(Hop::Deref);
        }
        holder(id, path)
    }

    /// How many messages are sent through what holds one sender, from where the body has it on.
    fn of_holder(&self, holder: &Holder, sends: &BTreeMap<BlockId, u64>) -> Option<u64> {
        let function = self.program.function(holder.function);
        // An await goes round only while it is pending, and is no iteration.
        let mut avoided: BTreeSet<BlockId> = function.suspensions.iter().map(|it| it.block).collect();
        let anew = self.made_at(holder);
        avoided.extend(anew.iter().filter(|it| !sends.contains_key(it)));
        let paths = Paths::of(function);
        let leads =
            |from: BlockId, to: BlockId| paths.from(paths.next(from), &|it| anew.contains(&it)).contains(&to);
        let count = |at: &BlockId| -> Option<u64> {
            let together = sends.iter().filter(|(it, _)| *it == at || leads(**it, *at) || leads(*at, **it));
            together.into_iter().try_fold(0_u64, |sum, (it, count)| {
                sum.checked_add(runs(self.program, function, [*it], &avoided)?.checked_mul(*count)?)
            })
        };
        if holder.is_owned() && sends.keys().any(|it| self.goes_on(holder, *it, &anew)) {
            return None;
        }
        sends.keys().map(count).collect::<Option<Vec<u64>>>()?.into_iter().max()
    }

    /// Where the body makes what holds the sender, or is given it by a call.
    fn made_at(&self, holder: &Holder) -> BTreeSet<BlockId> {
        let Root::Made(slot) = &holder.path.root else { return BTreeSet::new() };
        let definitions = self.program.function(holder.function).definitions(slot).iter();
        let block = |it: &Definition| match *it {
            Definition::Assigned(block, _) | Definition::Called(block) => block,
        };
        definitions.map(block).collect()
    }

    /// Whether a body gives away after a send what it owns: somebody else may send as well.
    fn goes_on(&self, holder: &Holder, send: BlockId, anew: &BTreeSet<BlockId>) -> bool {
        let function = self.program.function(holder.function);
        let access_paths = AccessPaths::of(self.program, function);
        let gives = |it: &Operand| {
            access_paths
                .operand(it)
                .is_some_and(|it| it.root == holder.path.root && holder.path.hops.starts_with(&it.hops))
        };
        let paths = Paths::of(function);
        let after = paths.from(paths.next(send), &|it| anew.contains(&it));
        after.into_iter().filter(|it| !anew.contains(it)).any(|it| {
            let block = function.body.block(it);
            let mut statements = block.filter(|it| !it.cleanup).into_iter().flat_map(|it| &it.statements);
            let is_moved = statements.any(|it| match it {
                Statement::Assign(_, Rvalue::Use(it) | Rvalue::Cast(it, _)) => gives(it),
                Statement::Assign(_, Rvalue::Made(_, parts)) => parts.iter().any(gives),
                _ => false,
            });
            let is_given = function.call(it).is_some_and(|(call, callee)| {
                !callee.is_named_drop() && it != send && call.arguments.iter().any(gives)
            });
            is_moved || is_given
        })
    }

    /// What holds, in the callers and where a closure is made, the sender that a body borrows; and the call or the block that lends it.
    fn lenders(&self, holder: &Holder) -> Option<Vec<(Holder, BlockId)>> {
        let given = self.given(holder)?;
        let lender = |(at, operand): (CallSite, &Operand)| {
            let function = self.program.function(at.function);
            let path = AccessPaths::of(self.program, function).operand(operand)?;
            let path = holder.path.hops.iter().cloned().fold(path, AccessPath::then);
            Some((self::holder(at.function, path)?, at.block))
        };
        given.into_iter().map(lender).collect()
    }

    /// The operands that a body is given as the argument or captured value that a sender is reached from. `None` where who gives them is
    /// not known, or gives them for more than one run.
    fn given(&self, holder: &Holder) -> Option<Vec<(CallSite, &Operand)>> {
        let program = self.program;
        let function = program.function(holder.function);
        let all = self.givers.get(&holder.function)?.iter();
        match holder.path.root {
            Root::Argument(number)
                if function.kind == Kind::Function && !program.is_open(holder.function) =>
            {
                // What has a sender in a field says nothing of it.
                let is_bare = !holder.path.hops.iter().any(|it| matches!(it, Hop::Field(..)));
                let has_another = |at: &CallSite, it: &Operand| {
                    let place = it.place().filter(|_| is_bare);
                    place.is_some_and(|it| {
                        !self.objects.at(program, at.function, it).contains(&Thing::Sender(self.channel))
                    })
                };
                let given = all.map(|(at, parts)| Some((*at, parts.get(number as usize - 1)?)));
                let given: Vec<(CallSite, &Operand)> = given.collect::<Option<_>>()?;
                Some(given.into_iter().filter(|(at, it)| !has_another(at, it)).collect())
            }
            // What borrows what it has captured may run again and again.
            Root::Captured(number)
                if function.kind == Kind::Coroutine
                    || function.body.type_of(Local(1)).referent().is_none() =>
            {
                all.map(|(at, parts)| Some((*at, parts.get(number as usize)?))).collect()
            }
            _ => None,
        }
    }

    /// How many senders of one channel come to be owned there.
    fn holders(&self, holder: &Holder, depth: usize) -> Option<u64> {
        if self.clones.is_empty() {
            // A closure that is called again and again owns the same one each time.
            let is_captured = matches!(holder.path.root, Root::Captured(_));
            return if is_captured { self.given(holder).map(|_| 1) } else { Some(1) };
        }
        let maker = self.program.function(self.channel.function);
        let made = |blocks: &BTreeSet<BlockId>| {
            runs(self.program, maker, blocks.iter().copied(), &BTreeSet::from([self.channel.block]))
        };
        if let Root::Made(slot) = &holder.path.root {
            let is_put = |it: &Definition| match it {
                // Each time that it is put into a tuple or struct there, it is one.
                Definition::Assigned(..) => true,
                Definition::Called(block) => {
                    self.clones.contains(&CallSite { function: holder.function, block: *block })
                }
            };
            let at = self.made_at(holder);
            let is_by_maker = holder.function == self.channel.function && !at.is_empty();
            if is_by_maker && at.contains(&self.channel.block) {
                return (at.len() == 1).then_some(1);
            }
            if is_by_maker && self.program.function(holder.function).definitions(slot).iter().all(is_put) {
                return made(&at);
            }
        } else if let Some(given) = self.given(holder).filter(|_| depth > 0) {
            let from = given.into_iter().map(|(at, operand)| {
                let origin = self.holder(at.function, operand).filter(Holder::is_owned)?;
                self.holders(&origin, depth - 1)
            });
            if let Some(all) = from.collect::<Option<Vec<u64>>>() {
                return all.into_iter().try_fold(0_u64, u64::checked_add);
            }
        }
        let is_by_maker = self.clones.iter().all(|it| it.function == self.channel.function);
        let clones: BTreeSet<BlockId> = self.clones.iter().map(|it| it.block).collect();
        made(&clones).filter(|_| is_by_maker)?.checked_add(1)
    }
}

/// What holds a sender that an access path leads to. `None` where it is behind a pointer that others may have, or in a collection.
fn holder(function: FunctionId, mut path: AccessPath) -> Option<Holder> {
    if path.hops.last() == Some(&Hop::Address) {
        path.hops.pop();
    }
    let fields = path.hops.strip_prefix(&[Hop::Deref]).filter(|_| !path.root.is_made()).unwrap_or(&path.hops);
    let is_held = fields.iter().all(|it| matches!(it, Hop::Field(..)));
    (is_held && !matches!(path.root, Root::Static(_))).then_some(Holder { function, path })
}
