//! Calls that block their thread, and which bodies make them, themselves or through what they call.

use crate::body::paths::Paths;
use crate::body::{Function, FunctionId, Kind, Slot, owner};
use crate::mir::{BlockId, Local, Operand, Rvalue};
use crate::program::Program;
use crate::program::drops::drops;
use crate::program::library::mentions;
use crate::program::runs::runs;
use crate::ty::{is_of_std, last};
use rvcheck_primitives::{Action, By, Holds, Is, Object, Row, Waits, named, row};
use std::collections::BTreeSet;

/// What a thread waits for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wait {
    /// Time.
    Sleep,
    /// A thread that ends.
    Join,
    /// A message.
    Receive,
    /// Room for a message, for sure only in functions that say so.
    Send,
    /// A signal: a condition variable, barrier, or being unparked.
    Signal,
    /// A process that ends.
    Process,
    /// A future, in a runtime of its own.
    Future,
    /// A lock that tasks wait for.
    TaskLock,
    /// Permits of a semaphore.
    Permits,
    /// Input from a person.
    Console,
    /// A file.
    File,
    /// The network.
    Network,
}

/// A call that blocks.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Blocking {
    /// What for.
    pub wait: Wait,
    /// The function, such as `std::thread::sleep`.
    pub path: String,
    /// The body in which it stands.
    pub body: FunctionId,
    /// The block of that body that it ends.
    pub block: BlockId,
    /// The calls that lead to it, each in the body that the one before it runs: those of the body first. None where it makes the call itself.
    pub through: Vec<(FunctionId, BlockId)>,
    /// It is made where a value is dropped.
    pub is_dropping: bool,
    /// It is made on some paths only of what is called with `None` or `false`: that may be how it is left out.
    pub depends: bool,
}

impl Blocking {
    /// Whether it is made by something that the body calls.
    pub fn is_inner(&self) -> bool {
        !self.through.is_empty()
    }

    /// The same as a body has it that comes to it by this call.
    fn within(&self, call: (FunctionId, BlockId)) -> Blocking {
        let through = std::iter::once(call).chain(self.through.iter().copied()).collect();
        Blocking { through, ..self.clone() }
    }
}

/// The calls that block, by the numbers of their bodies.
#[derive(Clone, Debug, Default)]
pub struct BlockingCalls {
    calls: Vec<Vec<(BlockId, Blocking)>>,
    /// Whether the program makes sockets that do not block.
    is_nonblocking: bool,
}

/// What the function of that path waits for, if it blocks its thread for a time that nobody knows.
pub fn wait_of(path: &str) -> Option<Wait> {
    let Row { owner, operation } = row(path).filter(|it| it.operation.waits == Waits::Thread)?;
    Some(match (operation.action, owner.is) {
        (Action::Sleep, _) => Wait::Sleep,
        (Action::Join, Is::Process) => Wait::Process,
        (Action::Join | Action::Scope, _) => Wait::Join,
        (Action::Receive, _) => Wait::Receive,
        (Action::Send, _) if operation.name.contains("blocking") => Wait::Send,
        (Action::Wait | Action::WaitReleasing, _) => Wait::Signal,
        (Action::Run, _) => Wait::Future,
        (Action::Request(_), Is::Lock(By::Task)) => Wait::TaskLock,
        (Action::Acquire(_), Is::Semaphore(_)) => Wait::Permits,
        (Action::Transfer, Is::Console) => Wait::Console,
        (Action::Transfer, Is::Connection) => Wait::Network,
        (Action::Transfer, _) => Wait::File,
        _ => return None,
    })
}

/// The path of a function that the compiler wrote without one because no other function has its name. It must not be one of the
/// workspace. A `scope` is [of std](is_scope) only by what it is given.
pub(crate) fn in_full(path: &str) -> Option<String> {
    let blocks = |it: &&Row| {
        let of_threads = it.owner.is == Is::Module(Object::Task) && it.operation.action != Action::Scope;
        of_threads && it.operation.waits == Waits::Thread
    };
    let of = |module: &str| named(path).iter().filter(blocks).find(|it| it.owner.path.starts_with(module));
    of("std").or_else(|| of("futures")).map(Row::path)
}

/// The most calls that are kept for a body.
const MOST: usize = 32;

impl BlockingCalls {
    /// The blocking calls in a body, each with the block that makes it or calls what makes it.
    pub fn calls(&self, id: FunctionId) -> &[(BlockId, Blocking)] {
        self.calls.get(id.0 as usize).map_or(&[], Vec::as_slice)
    }

    pub(super) fn of(program: &Program) -> BlockingCalls {
        let is_nonblocking =
            program.functions().any(|(_, it)| it.calls().any(|(.., it)| it.name() == "set_nonblocking"));
        let mut blocking =
            BlockingCalls { calls: vec![Vec::new(); program.functions().count()], is_nonblocking };
        let mut done = BTreeSet::new();
        for (id, _) in program.functions() {
            blocking.find(program, id, &mut done, 0);
        }
        blocking
    }

    fn find(&mut self, program: &Program, id: FunctionId, done: &mut BTreeSet<FunctionId>, depth: usize) {
        if depth > 100 || !done.insert(id) {
            return;
        }
        let function = program.function(id);
        let mut found = Vec::new();
        for (block, _, callee) in function.calls() {
            let path = callee.path();
            let known = program.called(function, block).is_none();
            let of_threads = |it: &&Row| it.owner.is == Is::Module(Object::Task) && is_of_std(it.owner.path);
            let scope = || callee.rows().iter().find(of_threads).map(Row::path);
            let scope = is_scope(program, function, block).then(scope).flatten();
            let full = in_full(path).or(scope).filter(|_| known);
            let full = full.as_deref().unwrap_or(path);
            if let Some(wait) = wait_of(full).filter(|_| known) {
                found.push((
                    block,
                    Blocking {
                        wait,
                        path: full.to_owned(),
                        body: id,
                        block,
                        through: Vec::new(),
                        is_dropping: false,
                        depends: false,
                    },
                ));
                continue;
            }
            if let Some((wait, path)) = by_type(program, function, block) {
                // Of one connection it is reported once, and of one that does not block, not at all.
                let known = found.iter().any(|(_, it): &(_, Blocking)| it.wait == Wait::Network);
                if wait != Wait::Network || !known && !self.is_nonblocking {
                    let is = Blocking {
                        wait,
                        path,
                        body: id,
                        block,
                        through: Vec::new(),
                        is_dropping: false,
                        depends: false,
                    };
                    found.push((block, is));
                }
                continue;
            }
            // What is polled is looked at as a body of its own.
            if callee.is_poll() {
                continue;
            }
            for run in runs(program, function, block) {
                if program.function(run.body).kind == Kind::Coroutine {
                    continue;
                }
                self.find(program, run.body, done, depth + 1);
                let leaves_out = leaves_out(function, block);
                for (at, inner) in self.calls(run.body) {
                    let depends =
                        inner.depends || leaves_out && is_avoidable(program.function(run.body), *at);
                    found.push((block, Blocking { depends, ..inner.within((id, block)) }));
                }
            }
        }
        for (block, run) in drops(program, function) {
            // Who asks where it is may not block there.
            let asks = program.function(run.body).calls().any(|(.., callee)| callee.name() == "try_current");
            self.find(program, run.body, done, depth + 1);
            for (_, inner) in self.calls(run.body).iter().filter(|_| !asks) {
                found.push((block, Blocking { is_dropping: true, ..inner.within((id, block)) }));
            }
        }
        found.truncate(MOST);
        self.calls[id.0 as usize] = found;
    }
}

/// Whether the call at the end of a block gives `None` or `false`.
fn leaves_out(function: &Function, block: BlockId) -> bool {
    let Some((call, _)) = function.call(block) else { return false };
    call.arguments.iter().any(|it| match it {
        Operand::Constant(text) => text == "false",
        Operand::Place(place) => {
            let made = function.definition(&Slot::at(place)).and_then(|it| function.assigned(it));
            match made {
                Some(Rvalue::Use(Operand::Constant(text))) => text == "false",
                value => value.and_then(|it| it.variant("None")).is_some_and(<[_]>::is_empty),
            }
        }
    })
}

/// Whether a body comes to its end also without a block.
fn is_avoidable(function: &Function, block: BlockId) -> bool {
    let without = Paths::of(function).from(&[BlockId(0)], &|it| it == block);
    without.into_iter().any(|it| function.returns_at(it))
}

/// Whether the call at the end of a block is of `std::thread::scope`, also where the compiler wrote its name alone: no other crate has
/// a `Scope` with two lifetimes.
fn is_scope(program: &Program, function: &Function, block: BlockId) -> bool {
    let Some((call, callee)) =
        function.call(block).filter(|(_, callee)| callee.may(|it| it.action == Action::Scope))
    else {
        return false;
    };
    let closure = call.arguments.first().and_then(|it| program.closure_of(function, it));
    let given = closure.map(|it| program.function(it).body.type_of(Local(2)));
    callee.path() == "scope" && given.is_some_and(|it| it.bare_name() == "Scope")
}

/// Traits whose methods read and write.
const STREAMS: [&str; 3] = ["Read", "Write", "BufRead"];
/// Those of their methods that wait for nothing.
const LAZY: [&str; 7] = ["by_ref", "bytes", "chain", "take", "lines", "split", "consume"];

/// What the call at the end of a block waits for, and its path, where that shows by types alone: an iterator over messages, or a method
/// of a trait that reads from the network or writes to it.
fn by_type(program: &Program, function: &Function, block: BlockId) -> Option<(Wait, String)> {
    let (call, callee) = function.call(block)?;
    if matches!(callee.name(), "iter" | "into_iter") {
        let ty = function.type_of(&call.into)?;
        let messages = rvcheck_primitives::owner(ty.head()).filter(|it| it.is == Is::Messages)?;
        let of_crate = |path: &'static str| path.split("::").next();
        let receives = |it: &&Row| it.operation.action == Action::Receiving && it.operation.may_wait();
        let mut rows = named("iter").iter().filter(receives);
        let of_its_own = rows.clone().find(|it| of_crate(it.owner.path) == of_crate(messages.path));
        return Some((
            Wait::Receive,
            of_its_own.or_else(|| rows.find(|it| is_of_std(it.owner.path)))?.path(),
        ));
    }
    // Listeners of all versions, also where the method is one of a trait.
    let of_listener = callee.of_trait() == Some("Listener") && callee.may(|it| it.action == Action::Wait);
    let on = function.type_given(call, 0);
    if of_listener && on.is_some_and(|it| mentions(it, |it| it == Is::Listener)) {
        let waits = |it: &&Row| it.owner.is == Is::Listener;
        return Some((Wait::Signal, callee.rows().iter().find(waits)?.path()));
    }
    let of_stream = callee.of_trait().is_some_and(|it| STREAMS.contains(&it));
    let self_type = callee.self_type().filter(|_| of_stream && !LAZY.contains(&callee.name()))?;
    let mut ty = self_type.pointee();
    if ty.holds() == Some(Holds::Buffered) {
        ty = ty.argument(0)?.pointee();
    }
    let owner = rvcheck_primitives::owner(program.head(ty)).filter(|it| it.is == Is::Connection)?;
    Some((Wait::Network, format!("{}::{}", owner.path, callee.name())))
}

/// What a person calls the function of that path: `thread::sleep`, `Receiver::recv`.
pub fn shown(path: &str) -> String {
    match owner(path) {
        "" => path.to_owned(),
        owner => format!("{owner}::{}", last(path)),
    }
}
