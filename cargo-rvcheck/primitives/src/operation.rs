//! One row: an operation of a primitive.

use crate::action::{Action, Amount, Capacity, Mode, SpawnKind};

/// An operation. Its path is that of its [`Owner`](crate::Owner), and its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operation {
    /// The last segment of its path.
    pub name: &'static str,
    /// What it does.
    pub action: Action,
    /// Who waits until it is done.
    pub waits: Waits,
    /// It waits no longer than a limit that it is given.
    pub is_limited: bool,
    /// What its result holds; `None` if nothing that matters.
    pub gives: Option<Gives>,
    /// What is lost where its future is dropped before it is done.
    pub cancel: Cancel,
    /// What a flag or cell has in it afterwards; `None` if what it had.
    pub leaves: Option<Leaves>,
    /// The operation that it is on a lock whose readers pass writers that wait.
    pub recursive: Option<&'static str>,
    /// What an `Err` or `None` may mean.
    pub failures: &'static [Failure],
    /// How many arguments it has besides its receiver.
    pub arguments: u8,
    /// The argument that it calls, polls or runs, by its number among all arguments from 0; by itself, or in what it starts.
    pub runs: Option<u8>,
    /// A call of that name is a site of its own, even where no type is known.
    pub is_site: bool,
}

/// Who waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waits {
    /// Nobody: it is done at once, or says that it is not.
    No,
    /// Its thread.
    Thread,
    /// Its task, where what it gives is awaited.
    Task,
    /// Its task: it is given a `Context`, and may say that it is pending.
    Poll,
}

/// What is lost where a future is dropped before it is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cancel {
    /// There is no future, or its documentation does not say.
    Unsaid,
    /// Nothing.
    Safe,
    /// Its place among those who wait.
    LosesPlace,
    /// What it was given, or has taken already.
    LosesValue,
}

/// What an operation leaves in a flag or cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaves {
    /// The argument of that number, of all from 0.
    Argument(u8),
    /// What was there, and the argument more.
    More,
    /// What was there, and the argument less.
    Less,
    /// `true`, if it was or the argument is.
    Either,
    /// `true`, if it was and the argument is.
    Both,
    /// The greater or the smaller of what was there and the argument.
    Extreme,
    /// What a function makes of what was there.
    Made,
    /// Something else.
    Other,
}

/// Whose failure an `Err` or `None` is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// Of what it ran or awaited: only the value tells.
    Own,
    /// It would have had to wait.
    Busy,
    /// The other end, or the object, is closed.
    Closed,
    /// The time was over.
    Time,
    /// Somebody panicked.
    Panicked,
    /// Somebody cancelled it.
    Cancelled,
    /// Messages were passed over.
    Lagged,
    /// It was done before.
    Already,
    /// The operating system refused.
    System,
}

/// What a result holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gives {
    /// What.
    pub what: What,
    /// Where in the result.
    pub inside: Inside,
}

/// What an operation gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// A guard.
    Guard,
    /// Permits.
    Permits,
    /// A message, or the value of a cell.
    Message,
    /// A place for a message.
    Place,
    /// Both ends of a channel.
    Ends,
    /// One end of a channel, or another handle to it.
    End,
    /// A handle to a task or thread.
    Handle,
    /// What a task, thread, closure or future gave.
    Output,
    /// The object that it makes.
    Object,
}

/// Where in a result something is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inside {
    /// It is the result.
    Whole,
    /// In `Ok`.
    Ok,
    /// In `Some`.
    Some,
    /// In `Ok` in `Some`.
    OkInSome,
}

impl Operation {
    const fn new(name: &'static str, action: Action) -> Operation {
        let (arguments, gives, runs, is_site) = match action {
            Action::Make(Capacity::None) => (0, Some(What::Object), None, false),
            Action::Make(_) => (0, Some(What::Ends), None, true),
            Action::Request(_) | Action::Change(_) => (0, Some(What::Guard), None, true),
            Action::ReleaseMeanwhile => (1, None, Some(1), false),
            Action::Project => (1, Some(What::Guard), Some(1), false),
            Action::Send | Action::Add(_) | Action::Sleep => (1, None, None, true),
            Action::Receive => (0, Some(What::Message), None, true),
            Action::Reserve => (0, Some(What::Place), None, true),
            Action::WaitClosed | Action::Wait | Action::Notify { .. } => (0, None, None, true),
            Action::Subscribe => (0, Some(What::End), None, true),
            Action::Acquire(Amount::One) => (0, Some(What::Permits), None, true),
            Action::Acquire(Amount::Argument(_)) => (1, Some(What::Permits), None, true),
            Action::WaitReleasing => (1, Some(What::Guard), None, true),
            Action::Initialise => (1, Some(What::Message), Some(1), true),
            Action::Spawn(_) => (1, Some(What::Handle), Some(0), true),
            Action::Run => (1, Some(What::Output), Some(1), true),
            Action::Join => (0, Some(What::Output), None, true),
            Action::Receiving | Action::Load | Action::Swap => (0, Some(What::Message), None, false),
            Action::Handle => (0, Some(What::End), None, false),
            Action::Scope => (1, Some(What::Output), Some(0), true),
            Action::RunInPool => (1, Some(What::Output), Some(0), false),
            Action::Limit => (2, Some(What::Output), Some(1), false),
            _ => (0, None, None, false),
        };
        let leaves = match action {
            Action::Store => Some(Leaves::Argument(1)),
            Action::Swap => Some(Leaves::Other),
            _ => None,
        };
        let gives = match gives {
            Some(what) => Some(Gives { what, inside: Inside::Whole }),
            None => None,
        };
        Operation {
            name,
            action,
            waits: Waits::No,
            is_limited: false,
            gives,
            cancel: Cancel::Unsaid,
            leaves,
            recursive: None,
            failures: &[],
            arguments,
            runs,
            is_site,
        }
    }

    /// Its thread waits.
    pub(crate) const fn thread(mut self) -> Operation {
        self.waits = Waits::Thread;
        self
    }

    /// Its task waits.
    pub(crate) const fn task(mut self) -> Operation {
        self.waits = Waits::Task;
        self
    }

    /// Its task waits by polling.
    pub(crate) const fn poll(mut self) -> Operation {
        self.waits = Waits::Poll;
        self
    }

    /// It waits for a limited time.
    pub(crate) const fn limited(mut self) -> Operation {
        self.is_limited = true;
        self
    }

    /// How many arguments it has besides its receiver.
    pub(crate) const fn arguments(mut self, number: u8) -> Operation {
        self.arguments = number;
        self
    }

    /// The argument that it runs, of all.
    pub(crate) const fn runs(mut self, number: u8) -> Operation {
        self.runs = Some(number);
        self
    }

    /// It runs none of its arguments.
    pub(crate) const fn runs_nothing(mut self) -> Operation {
        self.runs = None;
        self
    }

    /// What it gives is in `Ok`.
    pub(crate) const fn ok(self) -> Operation {
        self.inside(Inside::Ok)
    }

    /// What it gives is in `Some`.
    pub(crate) const fn some(self) -> Operation {
        self.inside(Inside::Some)
    }

    /// What it gives is in `Ok` in `Some`.
    pub(crate) const fn ok_in_some(self) -> Operation {
        self.inside(Inside::OkInSome)
    }

    const fn inside(mut self, inside: Inside) -> Operation {
        if let Some(Gives { what, .. }) = self.gives {
            self.gives = Some(Gives { what, inside });
        }
        self
    }

    /// What it gives.
    pub(crate) const fn gives(mut self, what: What) -> Operation {
        let inside = match self.gives {
            Some(Gives { inside, .. }) => inside,
            None => Inside::Whole,
        };
        self.gives = Some(Gives { what, inside });
        self
    }

    /// It gives nothing that matters.
    pub(crate) const fn gives_nothing(mut self) -> Operation {
        self.gives = None;
        self
    }

    /// What dropping its future loses.
    pub(crate) const fn cancel(mut self, cancel: Cancel) -> Operation {
        self.cancel = cancel;
        self
    }

    /// What it leaves in a flag or cell.
    pub(crate) const fn leaves(mut self, leaves: Leaves) -> Operation {
        self.leaves = Some(leaves);
        self
    }

    /// What it is on a lock whose readers pass writers that wait.
    pub(crate) const fn recursively(mut self, name: &'static str) -> Operation {
        self.recursive = Some(name);
        self
    }

    /// What an `Err` or `None` of it may mean.
    pub(crate) const fn fails(mut self, failures: &'static [Failure]) -> Operation {
        self.failures = failures;
        self
    }

    /// A call of it is a site.
    pub(crate) const fn site(mut self) -> Operation {
        self.is_site = true;
        self
    }

    /// Its name says too little: other types have methods that are called so.
    pub(crate) const fn no_site(mut self) -> Operation {
        self.is_site = false;
        self
    }

    /// Whether a thread or task may wait in it, or in the future that it gives.
    pub const fn may_wait(&self) -> bool {
        !matches!(self.waits, Waits::No)
    }

    /// Whether somebody can wait in it for as long as nothing happens.
    pub const fn may_wait_for_ever(&self) -> bool {
        self.may_wait() && !self.is_limited
    }
}

pub(crate) const fn make(name: &'static str) -> Operation {
    Operation::new(name, Action::Make(Capacity::None))
}

pub(crate) const fn channel(name: &'static str, capacity: Capacity) -> Operation {
    let arguments = if let Capacity::Argument(_) = capacity { 1 } else { 0 };
    Operation::new(name, Action::Make(capacity)).arguments(arguments)
}

pub(crate) const fn request(name: &'static str, mode: Mode) -> Operation {
    Operation::new(name, Action::Request(mode))
}

pub(crate) const fn change(name: &'static str, mode: Mode) -> Operation {
    Operation::new(name, Action::Change(mode)).no_site()
}

pub(crate) const fn acquire(name: &'static str) -> Operation {
    Operation::new(name, Action::Acquire(Amount::One))
}

pub(crate) const fn acquire_many(name: &'static str) -> Operation {
    Operation::new(name, Action::Acquire(Amount::Argument(0)))
}

pub(crate) const fn notify(name: &'static str, all: bool, stored: bool) -> Operation {
    Operation::new(name, Action::Notify { all, stored })
}

pub(crate) const fn spawn(name: &'static str, kind: SpawnKind) -> Operation {
    Operation::new(name, Action::Spawn(kind))
}

/// An operation of which the action says all.
pub(crate) const fn to(action: Action, name: &'static str) -> Operation {
    Operation::new(name, action)
}

/// A thread waits for a message for a limited time.
pub(crate) const fn receive_in_time(name: &'static str) -> Operation {
    to(Action::Receive, name).thread().limited().ok().fails(&[Failure::Time, Failure::Closed]).arguments(1)
}

/// A thread waits for room for a message for a limited time.
pub(crate) const fn send_in_time(name: &'static str) -> Operation {
    to(Action::Send, name).thread().limited().fails(&[Failure::Time, Failure::Closed]).arguments(2)
}

/// A thread waits for one of several ends for a limited time.
pub(crate) const fn select_in_time(name: &'static str) -> Operation {
    to(Action::Receive, name).no_site().thread().limited().ok().fails(&[Failure::Time]).arguments(1)
}
