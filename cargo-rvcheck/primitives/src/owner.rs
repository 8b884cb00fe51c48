//! What a type or module is, and the operations that it has.

use crate::operation::Operation;

/// A type, trait or module of a library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Owner {
    /// Its path in the one form.
    pub path: &'static str,
    /// Other paths that it is seen by.
    pub aliases: &'static [&'static str],
    /// What a value of it is, or what the functions of a module are about.
    pub is: Is,
    /// What is done with it.
    pub operations: &'static [Operation],
    /// What it is given to run is polled where the timer of tokio is.
    pub has_timer: bool,
    /// Functions that wait for nothing and change nothing that others wait for, each group with a reason.
    pub inert: &'static [(Inert, &'static [&'static str])],
}

/// Why a function needs no row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inert {
    /// It says how things are.
    Asks,
    /// Whoever calls it is the only one who has the object.
    Alone,
    /// It gives a part.
    GivesPart,
    /// It sets how calls to come behave.
    Sets,
    /// It collects operations, or wraps an end that does them later.
    Collects,
    /// It holds what was held before.
    Holds,
    /// It is about nothing that somebody waits for.
    Unrelated,
    /// It keeps a function that others call at any time.
    Registers,
}

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Is {
    /// Nothing: it is a module.
    Module(Object),
    /// A lock, and who waits for it.
    Lock(By),
    /// What holds a lock until it is dropped.
    Guard(GuardOf),
    /// What holds permits until it is dropped.
    Permits,
    /// A semaphore.
    Semaphore(By),
    /// One end of a channel.
    End(End),
    /// A place in a channel that is kept.
    Place,
    /// An iterator or stream over the messages of a channel, which waits for each.
    Messages,
    /// A handle to a task or thread.
    Handle(Ending),
    /// Several tasks, joined together.
    Tasks(Ending),
    /// What runs tasks.
    Runtime,
    /// A pool of threads, of which one that waits for the work that it gave away runs other work meanwhile.
    Pool,
    /// A scope whose threads end before it.
    Scope,
    /// A condition variable.
    Condvar,
    /// A signal.
    Signal,
    /// A place among those that a signal is for, and the future that waits.
    Listener,
    /// Where all meet.
    Barrier,
    /// A cell that is filled once.
    Once(By),
    /// A word that several threads read and write.
    Flag(Word),
    /// A cell whose value one thread exchanges.
    Slot,
    /// A token that tells tasks to stop.
    Token,
    /// What cancels when it is dropped.
    Canceller,
    /// A timer, or a future with one.
    Timer,
    /// A process, or what starts one.
    Process,
    /// A file.
    File,
    /// A connection.
    Connection,
    /// The console.
    Console,
    /// A collection of locks, each of a part.
    Map,
    /// A cell that is borrowed.
    Cell,
    /// A value that each thread has of its own.
    PerThread,
    /// What marks its thread until it is dropped.
    Mark,
    /// Where wakers are kept.
    WakerCell,
    /// What makes one of these, piece by piece.
    Builder,
    /// A future that waits for one of these.
    Waiting,
    /// A future that is done with the first of several, and gives the others back.
    Race,
    /// An error, and what it says.
    Error(crate::operation::Failure),
}

/// Sorts of objects.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Object {
    /// A lock.
    Lock,
    /// A channel.
    Channel,
    /// The permits of a semaphore.
    Permits,
    /// A signal: a condition variable, notify, event or barrier.
    Signal,
    /// A cell that is filled once, or borrowed.
    Cell,
    /// A flag.
    Flag,
    /// A task, thread or process.
    Task,
    /// A scope.
    Scope,
    /// A pool of threads whose workers run other work while they wait.
    Pool,
    /// A timer.
    Timer,
    /// A file, connection or console.
    Stream,
}

/// What a word is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// A `bool`.
    Bool,
    /// A number.
    Number,
    /// A pointer.
    Pointer,
    /// What the type is made with.
    Any,
}

/// Who waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// Threads.
    Thread,
    /// Tasks.
    Task,
}

/// What a guard is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GuardOf {
    /// A lock that threads wait for.
    Thread,
    /// A lock that tasks wait for.
    Task,
    /// A cell: another borrow panics.
    Cell,
    /// The value of a watch channel: its sender's thread waits.
    Watch,
}

/// An end of a channel.
#[expect(clippy::struct_excessive_bools, reason = "each may be so without the others")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct End {
    /// It sends.
    pub sends: bool,
    /// It can be cloned, and each clone is of the same channel.
    pub is_shared: bool,
    /// The channel has a limit of messages, for sure or perhaps.
    pub may_be_bounded: bool,
    /// It keeps the channel open.
    pub is_weak: bool,
    /// Messages wait in it, and none takes the place of another.
    pub queues: bool,
    /// One message goes through the channel.
    pub is_once: bool,
}

/// What dropping a handle does to its task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Nothing: the task goes on by itself.
    Detaches,
    /// It is cancelled.
    Aborts,
    /// It is waited for.
    Joins,
    /// Nothing, since it owns no task.
    Nothing,
}

impl End {
    /// The one receiver of a channel without a limit.
    pub(crate) const QUEUE: End = End {
        sends: false,
        is_shared: false,
        may_be_bounded: false,
        is_weak: false,
        queues: true,
        is_once: false,
    };

    /// A receiver that can be cloned, of a channel with or without a limit.
    pub(crate) const RECEIVER: End = End { is_shared: true, may_be_bounded: true, ..End::QUEUE };

    /// A sender of such a channel.
    pub(crate) const SENDER: End = End { sends: true, ..End::RECEIVER };
}

impl Owner {
    /// A type.
    pub(crate) const fn of(path: &'static str, is: Is) -> Owner {
        Owner { path, aliases: &[], is, operations: &[], has_timer: false, inert: &[] }
    }

    /// A module, whose functions are about that.
    pub(crate) const fn module(path: &'static str, object: Object) -> Owner {
        Owner::of(path, Is::Module(object))
    }

    /// Other paths that it is seen by.
    pub(crate) const fn also(mut self, aliases: &'static [&'static str]) -> Owner {
        self.aliases = aliases;
        self
    }

    /// What is done with it.
    pub(crate) const fn does(mut self, operations: &'static [Operation]) -> Owner {
        self.operations = operations;
        self
    }

    /// It has a timer for what it runs.
    pub(crate) const fn with_timer(mut self) -> Owner {
        self.has_timer = true;
        self
    }

    /// What is inert, each group with a reason.
    pub(crate) const fn inert(mut self, inert: &'static [(Inert, &'static [&'static str])]) -> Owner {
        self.inert = inert;
        self
    }

    /// Its last segment.
    pub fn name(&self) -> &'static str {
        self.path.rsplit("::").next().unwrap_or(self.path)
    }

    /// The operation of that name.
    pub fn operation(&self, name: &str) -> Option<&'static Operation> {
        self.operations.iter().find(|it| it.name == name)
    }

    /// What its operations are about; `None` of what has none.
    pub const fn object(&self) -> Option<Object> {
        Some(match self.is {
            Is::Module(object) => object,
            Is::Lock(_) | Is::Guard(_) | Is::Map => Object::Lock,
            Is::Permits | Is::Semaphore(_) => Object::Permits,
            Is::End(_) | Is::Place | Is::Messages => Object::Channel,
            Is::Handle(_) | Is::Tasks(_) | Is::Runtime | Is::Process => Object::Task,
            Is::Scope => Object::Scope,
            Is::Pool => Object::Pool,
            Is::Condvar | Is::Signal | Is::Listener | Is::Barrier | Is::WakerCell => Object::Signal,
            Is::Once(_) | Is::Cell => Object::Cell,
            Is::Flag(_) | Is::Slot | Is::Token | Is::Canceller => Object::Flag,
            Is::Timer => Object::Timer,
            Is::File | Is::Connection | Is::Console => Object::Stream,
            Is::Builder | Is::PerThread | Is::Mark | Is::Waiting | Is::Race | Is::Error(_) => return None,
        })
    }
}
