//! Fluents: predicates that hold from one event to another.

use rvcheck_event::kind::{EventKind, Sort};

use crate::automaton::Source;
use crate::compile::is_variable;
use crate::ltl::compile::Scope;
use crate::ltl::node::{Pattern, Variable, Wanted};
use crate::ltl::parser::parse_event;
use crate::problem::{Part, Problem, Span, did_you_mean};
use crate::syntax::parse_param;

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
    pub from: String,
    /// `to`.
    pub to: String,
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

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|it| it.name.as_str())
    }

    /// Adds a fluent that a file declares. One of which something is wrong is not added.
    pub fn declare(&mut self, source: &FluentSource) -> Vec<Problem> {
        let mut problems = Vec::new();
        let name = source.name.as_str();
        if !is_variable(name) {
            let problem =
                Problem::new(Part::FluentName, Span::all(name), format!("`{name}` cannot name a fluent"));
            problems.push(problem.help("begin with a small letter; go on with letters, digits and `_`"));
        } else if self.find(name).is_some() || EventKind::of_name(name).is_some() {
            let message = format!("`{name}` is a fluent or an event already");
            problems
                .push(Problem::new(Part::FluentName, Span::all(name), message).help("give it another name"));
        }
        let params = params(source, &mut problems);
        let from = event(&source.from, Part::FluentFrom, &params, &mut problems);
        let to = event(&source.to, Part::FluentTo, &params, &mut problems);
        if let Some(from) = &from {
            for (index, param) in params.iter().enumerate() {
                if from.arguments.iter().all(|(_, wanted)| *wanted != Wanted::Variable(index)) {
                    let message = format!("this event does not give `{}` a value", param.name);
                    problems.push(Problem::new(Part::FluentFrom, Span::all(&source.from), message));
                }
            }
        }
        if let (Some(from), Some(to), true) = (from, to, problems.is_empty()) {
            let only = Only::Anywhere;
            self.0.push(Fluent { name: source.name.clone(), params, from: vec![from], to: vec![to], only });
        }
        problems
    }
}

/// Any event of this kind, with its first arguments as the parameters.
fn positional(kind: EventKind, count: usize) -> Pattern {
    let sorts = kind.signature().params.iter().take(count).enumerate();
    let arguments =
        sorts.map(|(at, (_, sort))| (Source::of_argument(at, *sort), Wanted::Variable(at))).collect();
    Pattern { kind, arguments, condition: None }
}

fn params(source: &FluentSource, problems: &mut Vec<Problem>) -> Vec<Variable> {
    let mut params: Vec<Variable> = Vec::new();
    for (index, text) in source.params.iter().enumerate() {
        let part = Part::FluentParam(index);
        let (parsed, mut found) = parse_param(text, part);
        problems.append(&mut found);
        let Some(param) = parsed else { continue };
        let sort = param.sort.as_ref().map_or(Some(Sort::Any), |it| Sort::of_name(&it.text));
        if let (None, Some(sort)) = (sort, &param.sort) {
            let help = did_you_mean(&sort.text, Sort::ALL.iter().map(|(_, name)| *name));
            let message = format!("unknown sort `{}`", sort.text);
            problems.push(Problem::new(part, sort.span, message).help_maybe(help));
        }
        let name = param.name;
        if !is_variable(&name.text) || params.iter().any(|it| it.name == name.text) {
            let message = format!("`{}` cannot be the name of a parameter here", name.text);
            let problem = Problem::new(part, name.span, message);
            problems.push(problem.help("each begins with a small letter and is different from the others"));
        }
        params.push(Variable { name: name.text, sort: sort.unwrap_or(Sort::Any) });
    }
    params
}

fn event(text: &str, part: Part, params: &[Variable], problems: &mut Vec<Problem>) -> Option<Pattern> {
    let (parsed, mut found) = parse_event(text, part);
    problems.append(&mut found);
    let (pattern, condition) = parsed?;
    Scope::of_params(part, params).event(&pattern, condition.as_ref(), problems)
}
