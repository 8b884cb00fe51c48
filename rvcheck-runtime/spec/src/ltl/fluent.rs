//! Fluents: predicates that hold from one event to another.

use rvcheck_event::declared::Declared;
use rvcheck_event::kind::{EventKind, Sort};

use crate::automaton::Source;
use crate::ltl::compile::Scope;
use crate::ltl::node::{Pattern, Variable, Wanted};
use crate::ltl::parser::parse_event;
use crate::problem::{Part, Problem, Span};
use crate::vocabulary::{Named, Vocabulary};

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

/// A `[fluent.NAME]` table as it stands in a specification file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FluentSource {
    /// The name.
    pub name: String,
    /// `params`.
    pub params: Vec<String>,
    /// `from`.
    pub from: Option<String>,
    /// `to`.
    pub to: Option<String>,
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
    pub(crate) fn extend(&mut self, fluent: Option<Fluent>) {
        self.0.extend(fluent);
    }

    /// Adds a fluent that holds from one declared event to another, with the same parameters.
    pub(crate) fn add_proposition(
        &mut self,
        name: &str,
        params: Vec<Variable>,
        set: &Declared,
        clear: &Declared,
    ) {
        let pattern = |declared| declared_pattern(Named::Declared(declared));
        let (from, to) = (vec![pattern(set)], vec![pattern(clear)]);
        self.0.push(Fluent { name: name.to_owned(), params, from, to, only: Only::Anywhere });
    }
}

/// Any event of this kind, with its first arguments as the parameters.
fn positional(kind: EventKind, count: usize) -> Pattern {
    let sorts = kind.signature().params.iter().take(count).enumerate();
    let arguments =
        sorts.map(|(at, (_, sort))| (Source::of_argument(at, *sort), Wanted::Variable(at))).collect();
    Pattern { kind, arguments, condition: None }
}

/// Any event of this name, with its arguments as the parameters.
fn declared_pattern(named: Named<'_>) -> Pattern {
    let mark = named.mark().map(|(source, name)| (source, Wanted::Constant(name)));
    let values =
        (0..named.count()).filter_map(|at| named.param(at).map(|(source, _)| (source, Wanted::Variable(at))));
    Pattern { kind: named.kind(), arguments: mark.into_iter().chain(values).collect(), condition: None }
}

/// The fluent with these parameters; `None` where something is wrong with it.
pub(crate) fn resolved(
    source: &FluentSource,
    params: Vec<Variable>,
    vocabulary: &Vocabulary,
    problems: &mut Vec<Problem>,
) -> Option<Fluent> {
    for (key, text) in [("from", &source.from), ("to", &source.to)] {
        if text.is_none() {
            let message = format!("the key `{key}` is missing");
            problems.push(Problem::new(Part::FluentName, Span::default(), message));
        }
    }
    let mut event = |text: &Option<String>, part: Part| {
        let (parsed, mut found) = parse_event(text.as_deref()?, part);
        problems.append(&mut found);
        let (pattern, condition) = parsed?;
        Scope::of_params(part, &params, vocabulary).event(&pattern, condition.as_ref(), problems)
    };
    let from = event(&source.from, Part::FluentFrom);
    let to = event(&source.to, Part::FluentTo);
    if let (Some(from), Some(text)) = (&from, &source.from) {
        for (index, param) in params.iter().enumerate() {
            if from.arguments.iter().all(|(_, wanted)| *wanted != Wanted::Variable(index)) {
                let message = format!("this event does not give `{}` a value", param.name);
                problems.push(Problem::new(Part::FluentFrom, Span::all(text), message));
            }
        }
    }
    let (from, to) = (vec![from?], vec![to?]);
    Some(Fluent { name: source.name.clone(), params, from, to, only: Only::Anywhere })
}
