//! What an operation does to its object.

/// What an operation does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Makes the object; of a channel, both ends.
    Make(Capacity),
    /// Requests a lock, or a borrow of a cell, and takes a guard.
    Request(Mode),
    /// Turns the guard that it is given into one of another mode.
    Change(Mode),
    /// Gives back what its receiver holds: a guard, a permit, a place in a channel.
    Release,
    /// Gives back what its receiver holds, and requests it again before it comes back.
    ReleaseMeanwhile,
    /// The same guard, of a part of what it guards.
    Project,
    /// Sends a message.
    Send,
    /// Receives a message, or one and more.
    Receive,
    /// An iterator or stream over messages, which receives whenever it is asked for one.
    Receiving,
    /// Takes room for a message.
    Reserve,
    /// Closes the channel, semaphore or set: nothing more comes in.
    Close,
    /// Waits until the other end is closed.
    WaitClosed,
    /// Makes another receiver.
    Subscribe,
    /// Takes permits.
    Acquire(Amount),
    /// Adds permits.
    Add(Amount),
    /// Takes permits out for ever.
    Forget,
    /// Waits for a signal, the value of a cell or flag, or an end that is no task's.
    Wait,
    /// Waits for a signal as a condition variable does: gives its lock back meanwhile.
    WaitReleasing,
    /// Takes a place among those that a signal is for.
    Enlist,
    /// Signals.
    Notify {
        /// To all who wait, not to one.
        all: bool,
        /// Who comes later gets it, too.
        stored: bool,
    },
    /// Makes the value of a cell by the function that it is given, unless there is one. Others wait meanwhile.
    Initialise,
    /// Starts a task or a thread.
    Spawn(SpawnKind),
    /// Runs a future to its end before it comes back, or is done.
    Run,
    /// Waits until a task, thread or process has ended.
    Join,
    /// Cancels a task, or orders its tasks to stop.
    Abort,
    /// Lets go of tasks: nobody joins them any more.
    Detach,
    /// Waits for the end of all that was started within.
    Scope,
    /// Runs what it is given in a pool of threads, and comes back when that is done, with all that it gave to the pool.
    RunInPool,
    /// Reads a flag or a cell.
    Load,
    /// Writes a flag or a cell.
    Store,
    /// Reads and writes a flag or a cell in one step.
    Swap,
    /// Lets time pass.
    Sleep,
    /// Lets others go first.
    Yield,
    /// Puts a limit of time on a future.
    Limit,
    /// Reads or writes a file, a connection or the console.
    Transfer,
    /// Another handle to the same object.
    Handle,
}

/// How much a channel has room for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capacity {
    /// It is no channel.
    None,
    /// None: a send waits for its receive.
    Rendezvous,
    /// That many messages.
    Constant(u32),
    /// As many as the argument of that number says, from 0.
    Argument(u8),
    /// No limit.
    Unbounded,
    /// The last message alone, which a later one replaces.
    Latest,
}

/// How a lock is requested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Together with other readers, unless a writer waits.
    Shared,
    /// Together with other readers, even if a writer waits.
    SharedRecursive,
    /// Together with readers, and the only one that may become a writer.
    Upgradable,
    /// Alone.
    Exclusive,
    /// Alone, but for the thread that has it already.
    Reentrant,
}

/// How many permits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Amount {
    /// One.
    One,
    /// As many as the argument of that number says, from 0 without the receiver.
    Argument(u8),
}

/// What is started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpawnKind {
    /// A task, on any thread of a runtime.
    Task,
    /// A task that stays on its thread.
    Local,
    /// A function, on a thread that may be blocked.
    Blocking,
    /// A thread.
    Thread,
    /// A thread that ends before its scope.
    Scoped,
}
