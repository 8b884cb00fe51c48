//! The sorts of values.

/// The sorts of values that an event can speak about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// An async task, a blocking task or a thread.
    Task,
    /// The operating system thread that polls.
    Thread,
    /// A mutual exclusion or reader-writer lock.
    Lock,
    /// A channel of any kind.
    Chan,
    /// A semaphore.
    Sem,
    /// A condition variable, `Notify`, barrier or watch.
    Signal,
    /// A test.
    Test,
    /// An instance of a named group of tasks.
    Group,
    /// A 64-bit integer.
    Int,
    /// A truth value.
    Bool,
    /// A string, or the variant name of an enumeration.
    Str,
    /// Any sort.
    Any,
}

impl Sort {
    /// All sorts with their names in specs.
    pub const ALL: [(Sort, &'static str); 12] = [
        (Sort::Task, "task"),
        (Sort::Thread, "thread"),
        (Sort::Lock, "lock"),
        (Sort::Chan, "chan"),
        (Sort::Sem, "sem"),
        (Sort::Signal, "signal"),
        (Sort::Test, "test"),
        (Sort::Group, "group"),
        (Sort::Int, "int"),
        (Sort::Bool, "bool"),
        (Sort::Str, "str"),
        (Sort::Any, "any"),
    ];

    /// The sort's name in specs and in JSON lines.
    pub fn name(self) -> &'static str {
        Sort::ALL.iter().find(|(sort, _)| *sort == self).map_or("any", |(_, name)| name)
    }

    /// The sort of that name.
    pub fn of_name(name: &str) -> Option<Sort> {
        Sort::ALL.iter().find(|(_, it)| *it == name).map(|(sort, _)| *sort)
    }
}
