//! What a transition says, before its names are resolved.

use crate::language::problem::Span;

/// A name and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Its bytes.
    pub span: Span,
}

/// A literal value. A variant `::read` is the string of its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Literal {
    /// A 64-bit integer.
    Int(i64),
    /// `true` or `false`.
    Bool(bool),
    /// A string.
    Text(String),
    /// A variant of an enumeration.
    Variant(String),
}

/// What an argument or attribute has to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Matcher {
    /// `_`: anything.
    Any,
    /// A parameter, a register, or a new variable.
    Variable(String),
    /// This value.
    Literal(Literal),
}

/// One argument of a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Argument {
    /// The attribute's name; positional where there is none.
    pub attribute: Option<Name>,
    /// What it has to be.
    pub matcher: Matcher,
    /// The bytes of the matcher.
    pub span: Span,
}

/// `event(arg, …, attr = value)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// The event.
    pub event: Name,
    /// The arguments in their order.
    pub arguments: Vec<Argument>,
}

/// An operator between two terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
}

impl Operator {
    /// All operators with their signs and how tightly they bind.
    pub const ALL: [(Operator, &'static str, u8); 11] = [
        (Operator::Or, "||", 1),
        (Operator::And, "&&", 2),
        (Operator::Equal, "==", 3),
        (Operator::Unequal, "!=", 3),
        (Operator::Less, "<", 3),
        (Operator::LessOrEqual, "<=", 3),
        (Operator::Greater, ">", 3),
        (Operator::GreaterOrEqual, ">=", 3),
        (Operator::Plus, "+", 4),
        (Operator::Minus, "-", 4),
        (Operator::Times, "*", 5),
    ];

    /// How it is written.
    pub fn sign(self) -> &'static str {
        Operator::ALL.iter().find(|(it, ..)| *it == self).map_or("?", |(_, sign, _)| sign)
    }
}

/// A condition or a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Term {
    /// What it is.
    pub form: Form,
    /// Its bytes.
    pub span: Span,
}

/// The forms of terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// A literal.
    Literal(Literal),
    /// A parameter, a register, or a variable of the pattern.
    Variable(String),
    /// `terminal.param` or `Nonterminal.attribute`; in grammars only.
    Attribute(Name, Name),
    /// `size(term)`; in grammars only.
    Size(Box<Term>),
    /// `!term`.
    Not(Box<Term>),
    /// Two terms and an operator.
    Binary(Operator, Box<Term>, Box<Term>),
}

/// What a transition does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// `register = term`.
    Assign(Name, Term),
    /// `emit event(term, …)`.
    Emit(Name, Vec<Term>),
}

/// `from -- pattern [guard] / action; action --> to`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The state it leaves.
    pub from: Name,
    /// The event it takes.
    pub pattern: Pattern,
    /// The condition.
    pub guard: Option<Term>,
    /// The actions in their order.
    pub actions: Vec<Action>,
    /// The state it enters.
    pub to: Name,
}

/// `name: sort`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// The name.
    pub name: Name,
    /// The sort; `any` where there is none.
    pub sort: Option<Name>,
}
