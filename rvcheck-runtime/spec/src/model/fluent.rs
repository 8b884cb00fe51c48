//! Fluents: predicates that hold from one event to another.

use rvcheck_event::kind::{EventKind, Sort};

use crate::model::automaton::Source;
use crate::model::pattern::{Pattern, Variable, Wanted};

/// A fluent with its names resolved. In its patterns, variables are places in `params`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fluent {
    /// The name.
    pub name: String,
    /// The parameters.
    pub params: Vec<Variable>,
    /// The events that make it hold. Each gives every parameter a value.
    pub from: Vec<Pattern>,
    /// The events that end it.
    pub to: Vec<Pattern>,
    /// Which of the events that make it hold count.
    pub only: Only,
}

/// What patterns cannot say of an event that makes a fluent hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Only {
    /// Nothing.
    Anywhere,
    /// The acting task is of kind `async` or `local`.
    AsyncTasks,
    /// It is on a thread that entered a runtime by `block_on`.
    EnteredThreads,
}

/// The fluents that a formula can use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fluents(Vec<Fluent>);

impl Default for Fluents {
    fn default() -> Fluents {
        Fluents::built_in()
    }
}

impl Fluents {
    /// Those of the language.
    pub fn built_in() -> Fluents {
        use EventKind as K;
        let task: &[(&str, Sort)] = &[("t", Sort::Task)];
        let lock: &[(&str, Sort)] = &[("t", Sort::Task), ("l", Sort::Lock)];
        let any: &[(&str, Sort)] = &[("t", Sort::Task), ("o", Sort::Any)];
        let over = [K::Finish, K::Panic, K::Cancel];
        let stops = [K::Suspend, K::Finish, K::Panic, K::Cancel];
        let waits = [K::Request, K::SendWait, K::RecvWait, K::PermitWait, K::SignalWait];
        let served = [
            K::Acquire,
            K::Withdraw,
            K::Send,
            K::Recv,
            K::Closed,
            K::Lagged,
            K::Permit,
            K::Signalled,
            K::SendCancel,
            K::RecvCancel,
            K::PermitCancel,
            K::SignalCancel,
            K::Finish,
            K::Panic,
            K::Cancel,
        ];
        let make = |name: &str, params: &[(&str, Sort)], from: &[K], to: &[K], only: Only| Fluent {
            name: name.to_owned(),
            params: params
                .iter()
                .map(|(it, sort)| Variable { name: (*it).to_owned(), sort: *sort })
                .collect(),
            from: from.iter().map(|kind| positional(*kind, params.len())).collect(),
            to: to.iter().map(|kind| positional(*kind, params.len())).collect(),
            only,
        };
        Fluents(vec![
            make("active", task, &[K::Start], &over, Only::Anywhere),
            make("running", task, &[K::Poll], &stops, Only::Anywhere),
            make("suspended", task, &[K::Await], &[K::Resume, K::AwaitCancel], Only::Anywhere),
            make("blocked", task, &[K::Block], &[K::Unblock], Only::Anywhere),
            make("holds", lock, &[K::Acquire], &[K::Release], Only::Anywhere),
            // A task that is over waits for nothing.
            make("waits", any, &waits, &served, Only::Anywhere),
            make("in_async", task, &[K::Poll], &stops, Only::AsyncTasks),
            make("on_main", task, &[K::Poll], &stops, Only::EnteredThreads),
        ])
    }

    /// The fluent of that name.
    pub fn find(&self, name: &str) -> Option<&Fluent> {
        self.0.iter().find(|it| it.name == name)
    }

    /// All of them, in the order of their declarations.
    pub fn all(&self) -> &[Fluent] {
        &self.0
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|it| it.name.as_str())
    }

    /// Adds a fluent.
    pub(crate) fn add(&mut self, fluent: Fluent) {
        self.0.push(fluent);
    }
}

/// Any event of this kind, with its first arguments as the parameters.
fn positional(kind: EventKind, count: usize) -> Pattern {
    let sorts = kind.signature().params.iter().take(count).enumerate();
    let arguments =
        sorts.map(|(at, (_, sort))| (Source::of_argument(at, *sort), Wanted::Variable(at))).collect();
    Pattern { kind, arguments, condition: None }
}
