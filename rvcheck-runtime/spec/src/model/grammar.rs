//! What a grammar says of itself, beside the automaton that it has become: what violations are explained by.

use crate::language::grammar::Side;

/// A grammar. The nonterminal of a place is the state of that place; the states behind them are the end of a word, if there is a way
/// to it, and then for each of these states the one that is entered from there by a violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grammar {
    /// The name of the groups of which each has its own instance.
    pub group: Option<String>,
    /// The terminals.
    pub terminals: Vec<Terminal>,
    /// The nonterminals, the first one in front.
    pub nonterminals: Vec<Nonterminal>,
    /// Paths whose messages are observed on both sides by the grammars of the file.
    pub paired: Vec<String>,
}

/// A message that has to be recorded.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Message {
    /// Where it is observed.
    pub side: Side,
    /// The path of what is called.
    pub path: String,
    /// What its events have as arguments, in this order. `items.len` stands for the size of `items`, and a name that begins with `_` for
    /// a parameter that nobody asks for.
    pub params: Vec<String>,
}

impl Message {
    /// The name of its events.
    pub fn event(&self) -> String {
        format!("{} {}", self.side.name(), self.path)
    }
}

/// A terminal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terminal {
    /// The name.
    pub name: String,
    /// What it stands for.
    pub message: Message,
}

/// A nonterminal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nonterminal {
    /// The name.
    pub name: String,
    /// The attributes, in the order of the registers that hold them.
    pub attributes: Vec<String>,
    /// A word may end here.
    pub may_end: bool,
    /// The alternatives that begin with a terminal.
    pub alternatives: Vec<Alternative>,
}

/// An alternative that begins with a terminal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alternative {
    /// The place of the terminal.
    pub terminal: usize,
    /// The assertion as it is written, if there is one.
    pub assertion: Option<String>,
    /// The state that it leads to.
    pub to: usize,
    /// How it is written.
    pub text: String,
}

impl Grammar {
    /// The messages that have to be recorded for it.
    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        self.terminals.iter().map(|it| &it.message)
    }

    /// The place of the terminal whose events have this name.
    pub fn terminal_of(&self, event: &str) -> Option<usize> {
        self.terminals.iter().position(|it| it.message.event() == event)
    }

    /// How many states there are that are not bad: the nonterminals, and the end of a word.
    pub fn regular_states(&self) -> usize {
        let ends = self.nonterminals.iter().flat_map(|it| &it.alternatives).map(|it| it.to + 1);
        ends.max().unwrap_or(0).max(self.nonterminals.len())
    }
}
