//! A property in the form that the engine runs: a guarded parametric automaton.

use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::value::Value;

use crate::language::syntax::tree::Operator;
use crate::model::grammar::Grammar;

/// How many parameters a property can have. Slicing keeps an index per subset of them.
pub const MAX_PARAMS: usize = 5;

/// How many variables of its own a transition can have.
pub const MAX_LOCALS: usize = 8;

/// How bad it is when the property is violated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// In doubt, or harmless for now.
    Note,
    /// Usually wrong.
    Warning,
    /// Wrong.
    Error,
}

impl Level {
    /// All levels with their names in specifications.
    pub const ALL: [(Level, &'static str); 3] =
        [(Level::Error, "error"), (Level::Warning, "warning"), (Level::Note, "note")];

    /// The name in specifications.
    pub fn name(self) -> &'static str {
        Level::ALL.iter().find(|(it, _)| *it == self).map_or("error", |(_, name)| name)
    }
}

/// What one verdict covers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scope {
    /// The events of one test, and of what it spawned.
    Test,
    /// All events of the process.
    Process,
}

/// What it means to be in a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// Nothing is decided.
    Neutral,
    /// The property holds for this binding, whatever comes.
    Good,
    /// The property is violated for this binding, for good.
    Bad,
    /// The property is violated if this is the state at the end.
    EndBad,
}

/// A state. States are numbered; the number is its place in [`Automaton::states`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The name.
    pub name: String,
    /// What it means to be there.
    pub role: Role,
    /// The level of a violation in this state.
    pub level: Level,
    /// The message of a violation in this state, with parameters in braces.
    pub message: String,
}

/// A parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// The name.
    pub name: String,
    /// The sort.
    pub sort: Sort,
}

/// A register.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Register {
    /// The name.
    pub name: String,
    /// What it holds: in an automaton [`Sort::Int`] or [`Sort::Bool`], in a grammar anything.
    pub sort: Sort,
    /// The first value.
    pub initial: Value,
}

/// Where a value of an event comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Source {
    /// The first argument, where it is the acting task.
    Actor,
    /// The one argument of this sort that is not the acting task.
    Object(Sort),
    /// The number, where it is the positional argument of this place, from 0.
    Number(usize),
    /// An attribute.
    Attribute(&'static str),
    /// The name of an event of the program's own.
    UserName,
    /// The positional argument of this place, from 0, of an event of the program's own.
    UserArgument(usize),
    /// What a message was sent to.
    Callee,
    /// The group that the event belongs to, where it is an instance of the one of this name: a text such as `workers:1`.
    GroupOf(&'static str),
}

impl Source {
    /// Whether it is the time of the event.
    pub fn is_time(self) -> bool {
        self == Source::Attribute("time")
    }

    /// The source of a positional argument, as [`rvcheck_event::event::Event::argument`] has it; worked out beforehand, because the
    /// engine reads arguments all the time.
    pub const fn of_argument(index: usize, sort: Sort) -> Source {
        match (index, sort) {
            (0, Sort::Task) => Source::Actor,
            (_, Sort::Int) => Source::Number(index),
            (_, sort) => Source::Object(sort),
        }
    }
}

/// A value that a specification writes down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Constant {
    /// An integer.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A string or the name of a variant.
    Text(Box<str>),
}

/// A demand of a pattern on an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Check {
    /// The value is this constant.
    Literal(Source, Constant),
    /// Both values are the same.
    Same(Source, Source),
    /// The value is what the register holds. This one depends on the instance.
    Register(Source, usize),
    /// The value is known, because a variable takes it.
    Known(Source),
}

/// A condition or value with all names resolved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// A constant.
    Constant(Constant),
    /// A parameter.
    Param(usize),
    /// A register.
    Register(usize),
    /// A variable of the transition.
    Local(usize),
    /// What the event has there; in grammars only.
    Read(Source),
    /// A text; where a register takes it.
    Symbol(&'static str),
    /// How long the text is that this is. Where it is no text, it is what the source says; without one, it is not known.
    Size(Box<Expr>, Option<Source>),
    /// Negation.
    Not(Box<Expr>),
    /// Two terms and an operator.
    Binary(Operator, Box<Expr>, Box<Expr>),
}

/// A set of parameters, one bit each.
pub type Mask = u8;

/// Which parameters a pattern binds, and from what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The parameters.
    pub mask: Mask,
    /// Parameters and where their values come from, in the order of the parameters.
    pub sources: Vec<(usize, Source)>,
    /// The transitions whose patterns bind in this way.
    pub transitions: Vec<usize>,
    /// Some pattern of this shape demands nothing of the event but its parameters.
    pub unconditional: bool,
}

/// What a transition does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A register becomes this; it stays as it is where that is not known.
    Assign(usize, Expr),
    /// A register becomes this, or [`Value::Absent`] where it is not known.
    Set(usize, Expr),
    /// A register becomes [`Value::Absent`].
    Clear(usize),
    /// An event is emitted.
    Emit(Emission),
}

/// An event that a transition emits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Emission {
    /// The name.
    pub event: String,
    /// The arguments.
    pub arguments: Vec<Argument>,
}

/// What an emitted event has as an argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// A text.
    Text(&'static str),
    /// Anything else.
    Term(Expr),
}

/// A condition that has to hold where a transition is taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assertion {
    /// The condition. What it says is not known where it speaks of something that is not known.
    pub condition: Expr,
    /// The state that is entered instead where it is known not to hold. Then nothing else is done.
    pub otherwise: usize,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The state it leaves.
    pub from: usize,
    /// The kind of event it takes.
    pub kind: EventKind,
    /// The place of its plan in [`Automaton::plans`].
    pub plan: usize,
    /// The place of its shape in [`Plan::shapes`].
    pub shape: usize,
    /// What its pattern demands.
    pub checks: Vec<Check>,
    /// Where the values of its own variables come from.
    pub locals: Vec<Source>,
    /// The condition.
    pub guard: Option<Expr>,
    /// What has to hold when it is taken.
    pub assertion: Option<Assertion>,
    /// What it does, in order.
    pub actions: Vec<Action>,
    /// The state it enters.
    pub to: usize,
}

impl Transition {
    /// Whether it emits an event.
    pub fn emits(&self) -> bool {
        self.actions.iter().any(|it| matches!(it, Action::Emit(_)))
    }

    /// The states that it can lead to.
    pub fn targets(&self) -> impl Iterator<Item = usize> {
        [self.to].into_iter().chain(self.assertion.as_ref().map(|it| it.otherwise))
    }
}

/// What the automaton does with one kind of event, or with those events of the program's own that have one name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The kind.
    pub kind: EventKind,
    /// The name, where the kind is [`EventKind::User`].
    pub name: Option<Box<str>>,
    /// The ways in which patterns of this kind bind parameters.
    pub shapes: Vec<Shape>,
    /// By state: the transitions that take events of this kind there.
    pub by_state: Vec<Vec<usize>>,
}

/// How violations are shown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Presentation {
    /// The names of the events whose place is the finding's, the first choice first.
    pub primary: Vec<String>,
    /// The names of those whose places the finding mentions besides.
    pub related: Vec<String>,
    /// By the name of an event: what to write at its place.
    pub labels: Vec<(String, String)>,
    /// What the user does now.
    pub next: Option<String>,
}

impl Presentation {
    /// What to write at the place of an event of this name.
    pub fn label(&self, event: &str) -> Option<&str> {
        self.labels.iter().find(|(it, _)| it == event).map(|(_, label)| label.as_str())
    }
}

/// A compiled property. Everything in it is consistent: [`crate::compile()`] makes them and nothing else does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// The id of the property.
    pub id: String,
    /// Automata of one family, which is that of one file, take what others of it emit.
    pub family: u32,
    /// The title.
    pub title: String,
    /// The level.
    pub level: Level,
    /// What one verdict covers.
    pub scope: Scope,
    /// The parameters.
    pub params: Vec<Param>,
    /// The registers.
    pub registers: Vec<Register>,
    /// The states.
    pub states: Vec<State>,
    /// The first state.
    pub initial: usize,
    /// The transitions in the order of the file.
    pub transitions: Vec<Transition>,
    /// What to do with each kind of event that a pattern names, in the order of their numbers, and then of their names.
    pub plans: Vec<Plan>,
    /// What a grammar says of itself, if it is one.
    pub grammar: Option<Box<Grammar>>,
    /// How violations are shown.
    pub presentation: Presentation,
}

impl Automaton {
    /// The kinds of events that matter to it.
    pub fn alphabet(&self) -> impl Iterator<Item = EventKind> {
        let new = |place: usize, kind: EventKind| self.plans[..place].iter().all(|it| it.kind != kind);
        self.plans.iter().enumerate().filter(move |(place, it)| new(*place, it.kind)).map(|(_, it)| it.kind)
    }

    /// Whether a pattern asks for the time of its event.
    pub fn speaks_of_time(&self) -> bool {
        let checked = |check: &Check| match check {
            Check::Literal(source, _) | Check::Register(source, _) | Check::Known(source) => source.is_time(),
            Check::Same(left, right) => left.is_time() || right.is_time(),
        };
        let bound = self.plans.iter().flat_map(|it| &it.shapes).flat_map(|it| &it.sources);
        self.transitions
            .iter()
            .any(|it| it.checks.iter().any(checked) || it.locals.iter().any(|it| it.is_time()))
            || bound.into_iter().any(|(_, source)| source.is_time())
    }

    /// The names of the program's own events that it takes.
    pub(crate) fn own_events(&self) -> impl Iterator<Item = &str> {
        self.plans.iter().filter_map(|it| it.name.as_deref())
    }

    /// The names of the events that it emits.
    pub(crate) fn emitted(&self) -> impl Iterator<Item = &str> {
        self.transitions.iter().flat_map(|it| &it.actions).filter_map(|it| match it {
            Action::Emit(emission) => Some(&*emission.event),
            Action::Assign(..) | Action::Set(..) | Action::Clear(_) => None,
        })
    }

    /// Whether some transition emits an event.
    pub fn emits(&self) -> bool {
        self.transitions.iter().any(Transition::emits)
    }

    /// The set of all parameters.
    pub fn all_params(&self) -> Mask {
        ((1_u16 << self.params.len()) - 1) as Mask
    }

    /// The shape of a transition.
    pub fn shape(&self, transition: &Transition) -> Option<&Shape> {
        self.plans.get(transition.plan)?.shapes.get(transition.shape)
    }

    /// The state of that name.
    pub fn state(&self, name: &str) -> Option<&State> {
        self.states.iter().find(|state| state.name == name)
    }
}
