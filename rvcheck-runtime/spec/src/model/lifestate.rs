//! A compiled lifestate: rules by which a history of messages between a program and a library permits what comes back from the library,
//! and prohibits what goes into it (Meier, Mover and Chang, ECOOP 2019).

use crate::language::lifestate::{Kind, Sign};
use crate::language::problem::Span;
use crate::model::automaton::{Constant, Level, Presentation, Scope};

/// A lifestate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lifestate {
    /// The id.
    pub id: String,
    /// The title.
    pub title: String,
    /// How bad a violation is.
    pub level: Level,
    /// What one verdict covers.
    pub scope: Scope,
    /// What a violation is called.
    pub message: String,
    /// How violations are shown.
    pub presentation: Presentation,
    /// The messages that rules speak of.
    pub heads: Vec<Head>,
    /// The values that rules speak of.
    pub constants: Vec<Constant>,
    /// The rules, in the order of the file.
    pub rules: Vec<Rule>,
    /// Pairs of rules that some history makes contradict each other.
    pub conflicts: Vec<Conflict>,
    /// The variables of prohibited messages, which `message` can name.
    pub parameters: Vec<String>,
}

/// A message without its values.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Head {
    /// What it is.
    pub kind: Kind,
    /// The path of the function, or the name of an observed one.
    pub path: String,
    /// How many values it has, that of the result included.
    pub values: usize,
    /// The name of its events.
    pub event: String,
    /// Where a rule names it first: the place of the rule, and the bytes of the path.
    pub named: (usize, Span),
    /// The path is the name of an event that the file declares.
    pub is_declared: bool,
    /// Its events are built in: see [`crate::model::crossing`].
    pub is_built_in: bool,
}

/// What has to be recorded of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// The event, and which values it has.
    pub head: Head,
    /// Calls are recorded only where the library refuses them, once that is known.
    pub is_refusal: bool,
    /// Whether a rule looks at the result.
    pub asks_result: bool,
    /// Whether rules look at each of the parameters.
    pub asks: Vec<bool>,
}

/// What a value of a message has to be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wanted {
    /// Anything.
    Any,
    /// What this variable is bound to.
    Variable(usize),
    /// The constant at this place.
    Constant(usize),
}

/// Messages of one head.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pattern {
    /// The place of the head.
    pub head: usize,
    /// What each value has to be.
    pub values: Vec<Wanted>,
}

impl Pattern {
    /// The variables in it, each once.
    pub fn variables(&self) -> Vec<usize> {
        let mut found = Vec::new();
        for value in &self.values {
            if let Wanted::Variable(variable) = value
                && !found.contains(variable)
            {
                found.push(*variable);
            }
        }
        found
    }
}

/// A rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// How it is written.
    pub text: String,
    /// Whether it permits or prohibits.
    pub sign: Sign,
    /// What it permits or prohibits.
    pub message: Pattern,
    /// The names of the variables: first those of the histories, then those of the message alone.
    pub variables: Vec<String>,
    /// The histories in which it does.
    pub histories: Histories,
}

/// Two rules that contradict each other in these histories, for some values of the variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// The place of the rule that permits.
    pub permits: usize,
    /// The place of the rule that prohibits.
    pub prohibits: usize,
    /// The histories.
    pub histories: Histories,
}

/// A set of histories for each binding of some variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Histories {
    /// How many variables there are.
    pub variables: usize,
    /// The patterns of messages that matter.
    pub atoms: Vec<Pattern>,
    /// What accepts them.
    pub machine: Machine,
}

/// A letter of a machine: which of the atoms a message matches, a bit for each.
pub type Mask = u64;

/// A deterministic automaton that says of each message whether the history that ends with it is accepted. States that say the same of all
/// that comes are one. It has one state where only the last message matters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Machine {
    /// The letters that messages can be, in ascending order; the first one matches no atom.
    pub letters: Vec<Mask>,
    /// By state and letter.
    pub moves: Vec<Move>,
    /// The history without messages is accepted.
    pub accepts_empty: bool,
}

/// Where a message leads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// The state.
    pub to: u32,
    /// The history is accepted now.
    pub accepts: bool,
}

impl Machine {
    /// The state in which nothing has happened.
    pub const INITIAL: u32 = 0;

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.moves.len() / self.letters.len().max(1)
    }

    /// The place of a letter; that of a letter which no message can be is that of matching no atom.
    #[inline]
    pub fn letter(&self, mask: Mask) -> usize {
        if mask == 0 { 0 } else { self.letters.binary_search(&mask).unwrap_or(0) }
    }

    /// Where a letter leads.
    #[inline]
    pub fn next(&self, state: u32, letter: usize) -> Move {
        self.moves[state as usize * self.letters.len() + letter]
    }

    /// Whether it accepts some history.
    pub fn accepts_any(&self) -> bool {
        self.accepts_any_by(|_| true)
    }

    /// Whether it accepts some history of these letters.
    pub fn accepts_any_by(&self, allowed: impl Fn(Mask) -> bool) -> bool {
        if self.accepts_empty {
            return true;
        }
        let mut seen = vec![false; self.states()];
        let mut open = vec![Machine::INITIAL];
        while let Some(state) = open.pop() {
            if std::mem::replace(&mut seen[state as usize], true) {
                continue;
            }
            for letter in (0..self.letters.len()).filter(|it| allowed(self.letters[*it])) {
                let found = self.next(state, letter);
                if found.accepts {
                    return true;
                }
                open.push(found.to);
            }
        }
        false
    }
}

impl Lifestate {
    /// What has to be recorded of a run: the messages that rules name, both ends of callbacks, and that calls into the library are
    /// refused.
    pub fn recorded(&self) -> Vec<Recorded> {
        let mut found: Vec<Recorded> = Vec::new();
        for head in self.heads.iter().filter(|it| !it.is_built_in) {
            found.push(self.asked(head.clone(), false));
            let (kind, values) = match head.kind {
                Kind::Callback => (Kind::CallbackReturn, head.values + 1),
                Kind::CallbackReturn => (Kind::Callback, head.values - 1),
                Kind::Callin | Kind::CallinReturn => {
                    found.extend(self.refusal(head));
                    continue;
                }
            };
            if self.head(kind, &head.path).is_none() {
                let event = format!("{} {}", kind.name(), head.path);
                found.push(self.asked(Head { kind, values, event, ..head.clone() }, false));
            }
        }
        found
    }

    /// How it is recorded that a call of this function is refused.
    fn refusal(&self, head: &Head) -> Option<Recorded> {
        if head.kind == Kind::CallinReturn && self.head(Kind::Callin, &head.path).is_some() {
            return None;
        }
        let values = head.values + usize::from(!head.kind.is_return());
        let event = format!("{} {}", Kind::REFUSED_RETURN, head.path);
        Some(self.asked(Head { kind: Kind::CallinReturn, values, event, ..head.clone() }, true))
    }

    /// The event, with what rules look at: of its parameters in any message of the function, and of its result in this one.
    fn asked(&self, head: Head, is_refusal: bool) -> Recorded {
        let patterns = || self.rules.iter().flat_map(|it| it.histories.atoms.iter().chain([&it.message]));
        let looks =
            |pattern: &Pattern, place: usize| pattern.values.get(place).is_some_and(|it| *it != Wanted::Any);
        let results = usize::from(head.kind.is_return());
        let asks = |place: usize| {
            patterns().any(|it| {
                let of = &self.heads[it.head];
                of.path == head.path && looks(it, place + usize::from(of.kind.is_return()))
            })
        };
        let asks = (0..head.values - results).map(asks).collect();
        let own = self.head(head.kind, &head.path).filter(|_| results > 0 && !is_refusal);
        let asks_result = patterns().any(|it| Some(it.head) == own && looks(it, 0));
        Recorded { head, is_refusal, asks_result, asks }
    }

    /// The place of the head of a message.
    pub fn head(&self, kind: Kind, path: &str) -> Option<usize> {
        self.heads.iter().position(|it| it.kind == kind && it.path == path)
    }

    /// What [`crate::Violation::state`] is where no rule prohibits a call and the library refuses it.
    pub fn refused(&self) -> usize {
        self.rules.len()
    }

    /// What it is where rules contradict each other, so that everything is prohibited.
    pub fn inconsistent(&self) -> usize {
        self.rules.len() + 1
    }
}
