//! What the rules of a lifestate say, before their names are resolved.

use crate::language::problem::Span;
use crate::language::syntax::tree::{Literal, Name};

/// The kinds of messages between a program and a library.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// `cb`: the library calls the program.
    Callback,
    /// `cbret`: the program returns from that.
    CallbackReturn,
    /// `ci`: the program calls the library.
    Callin,
    /// `ciret`: the library returns from that.
    CallinReturn,
}

impl Kind {
    /// All of them with their names in specifications and traces.
    pub const ALL: [(Kind, &'static str); 4] = [
        (Kind::Callback, "cb"),
        (Kind::CallbackReturn, "cbret"),
        (Kind::Callin, "ci"),
        (Kind::CallinReturn, "ciret"),
    ];

    /// What stands in a trace before the path of a call that the library refuses.
    pub const REFUSED: &'static str = "dis ci";

    /// What stands in a trace before the path where a call returns that the library has refused, and that the trace already has.
    pub const REFUSED_RETURN: &'static str = "dis ciret";

    /// The name in specifications and traces.
    pub fn name(self) -> &'static str {
        Kind::ALL.iter().find(|(it, _)| *it == self).map_or("", |(_, name)| name)
    }

    /// Whether the library sends it to the program. Rules permit these, and the others they prohibit.
    pub const fn is_back(self) -> bool {
        matches!(self, Kind::Callback | Kind::CallinReturn)
    }

    /// Whether it has a returned value, in front of the arguments.
    pub const fn is_return(self) -> bool {
        matches!(self, Kind::CallbackReturn | Kind::CallinReturn)
    }

    /// The kind, the path and whether the library refused it, of events with this name; `None` where they are no messages.
    pub fn of_event(name: &str) -> Option<(Kind, &str, bool)> {
        let (word, path) = name.split_once(' ')?;
        if let Some(path) = name.strip_prefix(Kind::REFUSED).and_then(|it| it.strip_prefix(' ')) {
            return is_path(path).then_some((Kind::Callin, path, true));
        }
        let kind = Kind::ALL.iter().find(|(_, it)| *it == word)?.0;
        is_path(path).then_some((kind, path, false))
    }

    /// The path of a function whose call the library has refused, of the return by which that is known; `None` where an event is none.
    pub fn of_refusal(name: &str) -> Option<&str> {
        let path = name.strip_prefix(Kind::REFUSED_RETURN)?.strip_prefix(' ')?;
        is_path(path).then_some(path)
    }
}

fn is_path(text: &str) -> bool {
    !text.is_empty() && !text.contains(' ')
}

/// Whether a rule permits or prohibits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sign {
    /// `|+`
    Permits,
    /// `|-`
    Prohibits,
}

impl Sign {
    /// How it is written.
    pub const fn text(self) -> &'static str {
        match self {
            Sign::Permits => "|+",
            Sign::Prohibits => "|-",
        }
    }
}

/// A parameter of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// `_`
    Any,
    /// A variable.
    Variable(String),
    /// A value.
    Literal(Literal),
}

/// `cb path::of::function(a, _)`, or `ciret value = path::of::function(a, _)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// What it is.
    pub kind: Kind,
    /// The path of what is called, or the name of an observed function.
    pub path: Name,
    /// What returns have in front of the parameters; there is none where the value does not matter.
    pub result: Option<(Argument, Span)>,
    /// The parameters, with their bytes.
    pub arguments: Vec<(Argument, Span)>,
    /// The bytes of the parameters with their parentheses.
    pub list: Span,
    /// All its bytes.
    pub span: Span,
}

/// A set of histories, and its bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Regex {
    /// What it is made of.
    pub form: RegexForm,
    /// Its bytes.
    pub span: Span,
}

/// See [`Regex`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RegexForm {
    /// `true`: nothing happened.
    Empty,
    /// `_`: any one message.
    Any,
    /// This message.
    Message(Message),
    /// `a; b`
    Sequence(Box<Regex>, Box<Regex>),
    /// `a | b`
    Or(Box<Regex>, Box<Regex>),
    /// `a & b`
    And(Box<Regex>, Box<Regex>),
    /// `!a`
    Not(Box<Regex>),
    /// `a*`
    Star(Box<Regex>),
    /// `a+`
    Plus(Box<Regex>),
    /// `a?`
    Optional(Box<Regex>),
}

impl Regex {
    /// Visits its messages from left to right.
    pub fn each_message<'a>(&'a self, visit: &mut impl FnMut(&'a Message)) {
        match &self.form {
            RegexForm::Empty | RegexForm::Any => {}
            RegexForm::Message(message) => visit(message),
            RegexForm::Sequence(left, right) | RegexForm::Or(left, right) | RegexForm::And(left, right) => {
                left.each_message(visit);
                right.each_message(visit);
            }
            RegexForm::Not(inner)
            | RegexForm::Star(inner)
            | RegexForm::Plus(inner)
            | RegexForm::Optional(inner) => inner.each_message(visit),
        }
    }
}

/// `regex |+ message`, or the same with `|-`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// The histories to which it applies.
    pub regex: Regex,
    /// What it does then.
    pub sign: Sign,
    /// The message that it permits or prohibits.
    pub message: Message,
}

impl Rule {
    /// All its messages, that which it permits or prohibits last.
    pub fn messages(&self) -> Vec<&Message> {
        let mut found = Vec::new();
        self.regex.each_message(&mut |it| found.push(it));
        found.push(&self.message);
        found
    }
}
