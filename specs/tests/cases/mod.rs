//! What happens to the library's properties: a script for each way to break one, and for what does not.

use rvcheck_event::id::{ObjectId, TaskId};
use rvcheck_event::kind::{EventKind, Mode, ObjectKind, Outcome, TaskKind, What};

use crate::support::Script;

/// The property that a script is for, what happens in it, and how it breaks it: the state of the automaton, or `false` for a
/// formula; none where it does not.
pub(crate) type Case = (&'static str, &'static str, Option<&'static str>, fn(&mut Script));

pub(crate) const CASES: &[Case] = &[
    ("affinity", "a value is used by another task", Some("false"), |it| {
        binds(it, |it, _, other| it.say("affine_use", other, "window"));
    }),
    ("affinity", "a value is used by the one who handed it over", Some("false"), |it| {
        binds(it, |it, owner, other| {
            it.say("affine_use", owner, "window");
            it.say("affine", other, "window");
            it.say("affine_use", owner, "window");
        });
    }),
    ("affinity", "a value is used by its owner", None, |it| {
        binds(it, |it, owner, _| it.say("affine_use", owner, "window"));
    }),
    ("affinity", "a value is handed over and used", None, |it| {
        binds(it, |it, _, other| {
            it.say("affine", other, "window");
            it.say("affine_use", other, "window");
        });
    }),
    ("affinity", "another value is bound", None, |it| {
        binds(it, |it, _, other| it.say("affine_use", other, "door"));
    }),
    ("lost-error", "a detached task returns an error", Some("error_lost"), |it| {
        let task = it.spawn(TaskKind::Async);
        it.about(EventKind::Detach, task);
        it.poll(task);
        it.finish(task, Outcome::Err);
    }),
    ("lost-error", "the handle of a task that failed is dropped", Some("error_lost"), |it| {
        let task = it.spawn(TaskKind::Async);
        it.poll(task);
        it.finish(task, Outcome::Err);
        it.about(EventKind::Detach, task);
    }),
    ("lost-error", "a detached task panics", Some("panic_lost"), |it| {
        let task = it.spawn(TaskKind::Async);
        it.about(EventKind::Detach, task);
        it.poll(task);
        it.panic(task, false);
    }),
    ("lost-error", "a detached task panics when its runtime drops it", Some("drop_panicked"), |it| {
        let task = it.spawn(TaskKind::Async);
        it.about(EventKind::Detach, task);
        it.poll(task);
        it.panic_in_drop(task);
    }),
    ("lost-error", "a task panics when it is dropped, and its handle goes then", None, |it| {
        let task = it.spawn(TaskKind::Async);
        it.poll(task);
        it.panic_in_drop(task);
        it.about(EventKind::Detach, task);
    }),
    ("lost-error", "a detached thread returns an error", Some("error_lost"), |it| {
        let thread = it.spawn(TaskKind::Thread);
        it.about(EventKind::Detach, thread);
        it.poll(thread);
        it.finish(thread, Outcome::Err);
    }),
    ("lost-error", "a detached thread panics", Some("panic_lost"), |it| {
        let thread = it.spawn(TaskKind::Thread);
        it.about(EventKind::Detach, thread);
        it.poll(thread);
        it.panic(thread, false);
    }),
    ("lost-error", "the handle of a thread that panicked is dropped", Some("panic_lost"), |it| {
        let thread = it.spawn(TaskKind::Thread);
        it.poll(thread);
        it.panic(thread, false);
        it.about(EventKind::Detach, thread);
    }),
    ("lost-error", "a scoped thread returns an error", Some("error_lost"), |it| {
        let thread = it.spawn(TaskKind::Thread);
        it.detach_by_owner(thread);
        it.poll(thread);
        it.finish(thread, Outcome::Err);
    }),
    ("lost-error", "a thread panics into its scope", None, |it| {
        let thread = it.spawn(TaskKind::Thread);
        it.detach_by_owner(thread);
        it.poll(thread);
        it.panic(thread, false);
    }),
    ("lost-error", "a detached task returns ok", None, |it| {
        let task = it.spawn(TaskKind::Async);
        it.about(EventKind::Detach, task);
        it.poll(task);
        it.finish(task, Outcome::Ok);
    }),
    ("lost-error", "the error is read", None, |it| {
        let task = it.spawn(TaskKind::Async);
        it.poll(task);
        it.finish(task, Outcome::Err);
        it.about(EventKind::Join, task);
    }),
    ("lost-error", "the task is aborted on purpose", None, |it| {
        let task = it.spawn(TaskKind::Async);
        it.poll(task);
        it.finish(task, Outcome::Err);
        it.about(EventKind::Abort, task);
        it.about(EventKind::Detach, task);
    }),
    ("lost-error", "a detached task is cancelled with its runtime", None, |it| {
        let task = it.spawn(TaskKind::Async);
        it.about(EventKind::Detach, task);
        it.poll(task);
        it.suspend(task);
        it.cancel(task);
    }),
    ("lost-error", "a detached task catches its own panic", None, |it| {
        let task = it.spawn(TaskKind::Async);
        it.about(EventKind::Detach, task);
        it.poll(task);
        it.panic(task, true);
        it.finish(task, Outcome::Ok);
    }),
    ("task-leak", "a detached task works on after its spawner", Some("leaked"), |it| {
        let spawner = it.spawn(TaskKind::Async);
        it.poll(spawner);
        let task = it.spawn(TaskKind::Async);
        it.about(EventKind::Detach, task);
        it.finish(spawner, Outcome::Ok);
        it.poll(task);
        it.suspend(task);
    }),
    ("task-leak", "the handle is dropped after the spawner ended", Some("leaked"), |it| {
        let spawner = it.spawn(TaskKind::Async);
        it.poll(spawner);
        let task = it.spawn(TaskKind::Local);
        it.finish(spawner, Outcome::Ok);
        it.about(EventKind::Detach, task);
        it.poll(task);
        it.suspend(task);
        it.poll(task);
        it.suspend(task);
    }),
    ("task-leak", "it ends by itself after its spawner", None, |it| {
        let spawner = it.spawn(TaskKind::Async);
        it.poll(spawner);
        let task = it.spawn(TaskKind::Async);
        it.about(EventKind::Detach, task);
        it.finish(spawner, Outcome::Ok);
        it.poll(task);
        it.suspend(task);
        it.poll(task);
        it.finish(task, Outcome::Ok);
    }),
    ("task-leak", "it is cancelled with its runtime", None, |it| {
        let spawner = it.spawn(TaskKind::Async);
        it.poll(spawner);
        let task = it.spawn(TaskKind::Async);
        it.about(EventKind::Detach, task);
        it.finish(spawner, Outcome::Ok);
        it.poll(task);
        it.suspend(task);
        it.cancel(task);
    }),
    ("task-leak", "its spawner lives on", None, |it| {
        let task = it.spawn(TaskKind::Async);
        it.about(EventKind::Detach, task);
        it.poll(task);
        it.suspend(task);
    }),
    ("task-leak", "the handle is still held", None, |it| {
        let spawner = it.spawn(TaskKind::Async);
        it.poll(spawner);
        let task = it.spawn(TaskKind::Async);
        it.finish(spawner, Outcome::Ok);
        it.poll(task);
        it.suspend(task);
    }),
    ("panic-as-result", "a task goes on after a panic", Some("false"), |it| {
        let task = it.spawn(TaskKind::Async);
        it.poll(task);
        it.panic(task, true);
        it.finish(task, Outcome::Ok);
    }),
    ("panic-as-result", "the test itself goes on after a panic", Some("false"), |it| {
        let test = it.test();
        it.panic(test, true);
    }),
    ("panic-as-result", "the panic is thrown again", None, |it| {
        let task = it.spawn(TaskKind::Async);
        it.poll(task);
        it.panic(task, true);
        it.panic(task, false);
    }),
    ("panic-as-result", "a blocking task supervises", None, |it| {
        let task = it.spawn(TaskKind::Blocking);
        it.poll(task);
        it.panic(task, true);
        it.finish(task, Outcome::Ok);
    }),
    ("panic-as-result", "a task just panics", None, |it| {
        let task = it.spawn(TaskKind::Async);
        it.poll(task);
        it.panic(task, false);
    }),
    ("blocking-in-async", "a task sleeps", Some("slept"), |it| blocks(it, TaskKind::Async, What::Sleep, 1)),
    ("blocking-in-async", "a local task sleeps", Some("slept"), |it| {
        blocks(it, TaskKind::Local, What::Sleep, 1);
    }),
    ("blocking-in-async", "a task waits for a process", Some("waited_process"), |it| {
        blocks(it, TaskKind::Async, What::Process, 1);
    }),
    ("blocking-in-async", "a task waits for a message", Some("waited_message"), |it| {
        blocks(it, TaskKind::Async, What::Recv, 1);
    }),
    ("blocking-in-async", "a task joins a thread", Some("waited_thread"), |it| {
        blocks(it, TaskKind::Async, What::Join, 1);
    }),
    ("blocking-in-async", "a task drives a future", Some("waited_future"), |it| {
        blocks(it, TaskKind::Async, What::BlockOn, 1);
    }),
    ("blocking-in-async", "a task waits long for a lock", Some("waited_lock"), |it| {
        blocks(it, TaskKind::Async, What::Lock, 1001);
    }),
    ("blocking-in-async", "a task waits some time for a lock", Some("queued"), |it| {
        blocks(it, TaskKind::Async, What::Lock, 101);
    }),
    ("blocking-in-async", "a task reads a file", Some("used_files"), |it| {
        blocks(it, TaskKind::Async, What::Fs, 1);
    }),
    ("blocking-in-async", "a task uses a socket", Some("used_sockets"), |it| {
        blocks(it, TaskKind::Async, What::Net, 1);
    }),
    ("blocking-in-async", "a task reads a file and then sleeps", Some("slept"), |it| {
        let task = it.spawn(TaskKind::Async);
        it.poll(task);
        it.block(What::Fs, 1);
        it.block(What::Sleep, 1);
        it.finish(task, Outcome::Ok);
    }),
    ("blocking-in-async", "a task computes", Some("computed"), |it| {
        let task = it.spawn(TaskKind::Async);
        it.poll(task);
        it.pass(150);
        it.suspend_after(task, 149);
    }),
    ("blocking-in-async", "a poll is long because a panic that is caught there is printed", None, |it| {
        let task = it.spawn(TaskKind::Async);
        it.poll(task);
        it.panic(task, true);
        it.pass(150);
        it.suspend_after(task, 149);
    }),
    ("blocking-in-async", "a task computes after it has caught a panic", Some("computed"), |it| {
        let task = it.spawn(TaskKind::Async);
        it.poll(task);
        it.panic(task, true);
        it.suspend(task);
        it.poll(task);
        it.pass(150);
        it.suspend_after(task, 149);
    }),
    ("blocking-in-async", "a task sleeps after it has caught a panic", Some("slept"), |it| {
        let task = it.spawn(TaskKind::Async);
        it.poll(task);
        it.panic(task, true);
        it.block(What::Sleep, 1);
        it.finish(task, Outcome::Ok);
    }),
    ("blocking-in-async", "a poll is long because the machine is busy", None, |it| {
        let task = it.spawn(TaskKind::Async);
        it.poll(task);
        it.pass(150);
        it.suspend_after(task, 60);
    }),
    ("blocking-in-async", "a task waits shortly for a lock", None, |it| {
        blocks(it, TaskKind::Async, What::Lock, 99);
    }),
    ("blocking-in-async", "a blocking task sleeps", None, |it| {
        blocks(it, TaskKind::Blocking, What::Sleep, 1);
    }),
    ("blocking-in-async", "a thread sleeps", None, |it| blocks(it, TaskKind::Thread, What::Sleep, 1)),
    ("blocking-in-async", "the body of a test sleeps", None, |it| blocks(it, TaskKind::Test, What::Sleep, 1)),
    ("blocking-in-async", "the test's thread sleeps", None, |it| it.block(What::Sleep, 1)),
    ("cancel-unresponsive", "a task computes on after it was aborted", Some("busy"), |it| {
        let task = it.spawn(TaskKind::Async);
        it.poll(task);
        it.abort_from_outside(task);
        it.pass(120);
        it.suspend_after(task, 120);
        it.cancel(task);
    }),
    ("cancel-unresponsive", "a task finishes long after it was aborted", Some("slow"), |it| {
        let task = it.spawn(TaskKind::Async);
        it.poll(task);
        it.abort_from_outside(task);
        it.pass(120);
        it.finish(task, Outcome::Ok);
    }),
    ("cancel-unresponsive", "a task stops soon after it was aborted", None, |it| {
        let task = it.spawn(TaskKind::Async);
        it.poll(task);
        it.pass(500);
        it.abort_from_outside(task);
        it.pass(99);
        it.suspend_after(task, 99);
        it.cancel(task);
    }),
    ("cancel-unresponsive", "a task is aborted while it waits", None, |it| {
        let task = it.spawn(TaskKind::Async);
        it.poll(task);
        it.suspend(task);
        it.abort_from_outside(task);
        it.pass(500);
        it.cancel(task);
    }),
    ("cancel-unresponsive", "a blocking task cannot be aborted", None, |it| {
        let task = it.spawn(TaskKind::Blocking);
        it.poll(task);
        it.abort_from_outside(task);
        it.pass(500);
        it.finish(task, Outcome::Ok);
    }),
    ("guard-across-await", "a guard is dropped after an await", Some("kept"), |it| {
        holds(it, ObjectKind::StdMutex, |it, task, lock| {
            it.suspend(task);
            it.poll(task);
            it.awaits(EventKind::Resume);
            it.locks(EventKind::Release, lock, Mode::Write);
        });
    }),
    ("guard-across-await", "a guard that may be sent is dropped after an await", Some("kept"), |it| {
        holds(it, ObjectKind::LockApiSendMutex, |it, task, lock| {
            it.suspend(task);
            it.poll(task);
            it.locks(EventKind::Release, lock, Mode::Write);
        });
    }),
    ("guard-across-await", "a future is dropped together with its guard", Some("kept"), |it| {
        holds(it, ObjectKind::WatchRef, |it, task, lock| {
            it.suspend(task);
            it.poll(task);
            it.awaits(EventKind::AwaitCancel);
            it.locks(EventKind::Release, lock, Mode::Write);
            it.cancel(task);
        });
    }),
    ("guard-across-await", "somebody waits while the task is suspended", Some("in_the_way"), |it| {
        holds(it, ObjectKind::StdMutex, |it, task, lock| {
            it.suspend(task);
            it.locks(EventKind::Request, lock, Mode::Write);
        });
    }),
    ("guard-across-await", "somebody waits already when the task suspends", Some("in_the_way"), |it| {
        let (task, other) = (it.spawn(TaskKind::Async), it.spawn(TaskKind::Async));
        let lock = it.lock(ObjectKind::LockApiRwLock);
        it.poll(task);
        it.locks(EventKind::Acquire, lock, Mode::Read);
        it.poll(other);
        it.locks(EventKind::Request, lock, Mode::Write);
        it.suspend(other);
        it.suspend(task);
    }),
    ("guard-across-await", "somebody waits for a lock of sendable guards", Some("in_the_way"), |it| {
        holds(it, ObjectKind::LockApiSendRwLock, |it, task, lock| {
            it.suspend(task);
            it.locks(EventKind::Request, lock, Mode::Write);
            it.poll(task);
            it.locks(EventKind::Release, lock, Mode::Write);
        });
    }),
    ("guard-across-await", "a guard is dropped before the await", None, |it| {
        let task = it.spawn(TaskKind::Async);
        let lock = it.lock(ObjectKind::StdMutex);
        it.poll(task);
        it.locks(EventKind::Acquire, lock, Mode::Write);
        it.locks(EventKind::Release, lock, Mode::Write);
        it.awaits(EventKind::Await);
        it.suspend(task);
        it.locks(EventKind::Request, lock, Mode::Write);
    }),
    ("guard-across-await", "an await that was ready after all", None, |it| {
        holds(it, ObjectKind::StdMutex, |it, task, lock| {
            it.awaits(EventKind::AwaitCancel);
            it.locks(EventKind::Release, lock, Mode::Write);
            it.suspend(task);
        });
    }),
    ("guard-across-await", "a guard of an async lock", None, |it| {
        holds(it, ObjectKind::TokioMutex, |it, task, lock| {
            it.suspend(task);
            it.locks(EventKind::Request, lock, Mode::Write);
            it.poll(task);
            it.locks(EventKind::Release, lock, Mode::Write);
        });
    }),
    ("guard-across-await", "a lock of which nothing is known", None, |it| {
        holds(it, ObjectKind::OtherLock, |it, task, lock| {
            it.suspend(task);
            it.poll(task);
            it.locks(EventKind::Release, lock, Mode::Write);
        });
    }),
    ("guard-across-await", "a guard is handed to somebody else", None, |it| {
        holds(it, ObjectKind::LockApiSendMutex, |it, task, lock| {
            it.suspend(task);
            it.locks(EventKind::Request, lock, Mode::Write);
            let other = it.spawn(TaskKind::Blocking);
            it.poll(other);
            it.locks(EventKind::Release, lock, Mode::Write);
            it.finish(other, Outcome::Ok);
            it.poll(task);
            it.locks(EventKind::Acquire, lock, Mode::Write);
            it.locks(EventKind::Release, lock, Mode::Write);
        });
    }),
    ("guard-across-await", "who waited has given up before the task suspends", None, |it| {
        let (task, other) = (it.spawn(TaskKind::Async), it.spawn(TaskKind::Async));
        let lock = it.lock(ObjectKind::StdMutex);
        it.poll(task);
        it.locks(EventKind::Acquire, lock, Mode::Write);
        it.poll(other);
        it.locks(EventKind::Request, lock, Mode::Write);
        it.locks(EventKind::Withdraw, lock, Mode::Write);
        it.suspend(other);
        it.locks(EventKind::Release, lock, Mode::Write);
        it.suspend(task);
    }),
    ("guard-across-await", "a plain thread drives other futures under a lock", None, |it| {
        let lock = it.lock(ObjectKind::StdMutex);
        it.locks(EventKind::Acquire, lock, Mode::Write);
        it.awaits(EventKind::Await);
        it.awaits(EventKind::Resume);
        it.locks(EventKind::Release, lock, Mode::Write);
    }),
    ("semaphore", "a task wants more than there are", Some("short"), |it| {
        let semaphore = it.semaphore(4);
        it.wait(semaphore, 5);
    }),
    ("semaphore", "a task gives up to want more than there are", None, |it| {
        let semaphore = it.semaphore(4);
        it.wait(semaphore, 5);
        it.permits(EventKind::PermitCancel, semaphore, 0, false);
    }),
    ("semaphore", "all permits are forgotten", Some("exhausted"), |it| {
        let semaphore = it.semaphore(1);
        it.permits(EventKind::Permit, semaphore, 1, false);
        it.permits(EventKind::PermitForget, semaphore, 1, false);
    }),
    ("semaphore", "some permits are forgotten", Some("reduced"), |it| {
        let semaphore = it.semaphore(3);
        it.permits(EventKind::Permit, semaphore, 1, false);
        it.permits(EventKind::PermitForget, semaphore, 1, false);
    }),
    ("semaphore", "the last permits are forgotten one by one", Some("exhausted"), |it| {
        let semaphore = it.semaphore(2);
        for _ in 0..2 {
            it.permits(EventKind::Permit, semaphore, 1, false);
            it.permits(EventKind::PermitForget, semaphore, 1, false);
        }
    }),
    ("semaphore", "forgotten permits are given back", None, |it| {
        let semaphore = it.semaphore(2);
        for _ in 0..2 {
            it.permits(EventKind::Permit, semaphore, 1, false);
            it.permits(EventKind::PermitForget, semaphore, 1, false);
        }
        it.permits(EventKind::PermitRelease, semaphore, 1, true);
        it.permits(EventKind::PermitRelease, semaphore, 1, true);
    }),
    ("semaphore", "a semaphore counts events", None, |it| {
        let semaphore = it.semaphore(0);
        it.wait(semaphore, 1);
        it.permits(EventKind::PermitRelease, semaphore, 1, true);
        it.permits(EventKind::Permit, semaphore, 1, false);
        it.permits(EventKind::PermitForget, semaphore, 1, false);
    }),
    ("semaphore", "a task waits for its turn", None, |it| {
        let semaphore = it.semaphore(2);
        it.permits(EventKind::Permit, semaphore, 2, false);
        it.wait(semaphore, 2);
    }),
    ("semaphore", "a wait is met after permits were added", None, |it| {
        let semaphore = it.semaphore(2);
        it.wait(semaphore, 3);
        it.permits(EventKind::PermitRelease, semaphore, 1, true);
        it.permits(EventKind::Permit, semaphore, 3, false);
        it.permits(EventKind::PermitRelease, semaphore, 3, false);
    }),
];

/// A task takes a lock and comes to an await.
fn holds(it: &mut Script, kind: ObjectKind, then: fn(&mut Script, TaskId, ObjectId)) {
    let task = it.spawn(TaskKind::Async);
    let lock = it.lock(kind);
    it.poll(task);
    it.locks(EventKind::Acquire, lock, Mode::Write);
    it.awaits(EventKind::Await);
    then(it, task, lock);
}

fn binds(it: &mut Script, uses: fn(&mut Script, TaskId, TaskId)) {
    let (owner, other) = (it.spawn(TaskKind::Local), it.spawn(TaskKind::Thread));
    it.say("affine", owner, "window");
    uses(it, owner, other);
}

fn blocks(it: &mut Script, kind: TaskKind, what: What, ms: u64) {
    let task = it.spawn(kind);
    it.poll(task);
    it.block(what, ms);
    it.finish(task, Outcome::Ok);
}
