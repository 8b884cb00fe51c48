//! The meaning of grammars, line by line: the trace of each instance is kept, and parsed as a whole after each of its messages.

use std::collections::{BTreeMap, BTreeSet};

use rvcheck_spec::Part;
use rvcheck_spec::language::grammar::{Alternative, Message, parse_message, parse_rule};
use rvcheck_spec::language::source::PropertySource;
use rvcheck_spec::language::syntax::tree::{Form, Literal, Operator, Term};

/// A value that is known.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Known {
    /// A number.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A text.
    Text(String),
    /// An object, by its name.
    Object(String),
}

/// A message of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sent {
    /// The unit.
    pub unit: String,
    /// The name of the event, such as `send A::f`.
    pub event: String,
    /// The arguments that are known, by the names of parameters.
    pub arguments: BTreeMap<String, Known>,
    /// The group, if there is one.
    pub group: Option<String>,
    /// What it was sent to, if that is known.
    pub callee: Option<Known>,
}

/// What is said of one unit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Said {
    /// How many instances there are.
    pub instances: u64,
    /// How many of them are violated.
    pub violated: u64,
    /// Something is not known that the verdict depends on.
    pub in_doubt: bool,
}

/// A grammar as it stands in a file.
pub struct Written {
    group: Option<String>,
    per: Vec<String>,
    start: String,
    view: BTreeMap<String, Message>,
    rules: BTreeMap<String, Vec<Alternative>>,
}

/// How a word is derived.
enum Parsed {
    /// A message has no alternative, or its assertion is false.
    Violated,
    /// The word may go on, and may end here or not. Some assertion may have been false.
    Open { may_end: bool, in_doubt: bool },
}

type Attributes = BTreeMap<String, Option<Known>>;

impl Written {
    /// The grammar; it has to be one of which nothing is wrong.
    pub fn of(source: &PropertySource) -> Option<Written> {
        let mut written = Written {
            group: source.group.clone(),
            per: source.per.clone(),
            start: String::new(),
            view: BTreeMap::new(),
            rules: BTreeMap::new(),
        };
        for (name, text) in &source.view {
            written.view.insert(name.clone(), parse_message(text, Part::Property).0?);
        }
        for (name, text) in &source.grammar {
            if name == "start" {
                written.start.clone_from(text);
            } else {
                written.rules.insert(name.clone(), parse_rule(text, Part::Property).0?);
            }
        }
        Some(written)
    }

    /// The terminal that a message is, if it is one.
    fn terminal(&self, message: &Sent) -> Option<&str> {
        self.view.iter().find(|(_, it)| it.event() == message.event).map(|(name, _)| name.as_str())
    }

    /// The instance that a message belongs to. `Err` if it belongs to one, and does not tell which; `Ok(None)` if it belongs to none.
    fn instance(&self, message: &Sent) -> Result<Option<Vec<Known>>, ()> {
        if let Some(name) = &self.group {
            let group = message.group.clone().filter(|it| {
                it.split_once(':').is_some_and(|(group, number)| {
                    group == name && !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit())
                })
            });
            return Ok(group.map(|it| vec![Known::Text(it)]));
        }
        let value = |param: &String| message.arguments.get(param).cloned();
        self.per.iter().map(value).collect::<Option<Vec<Known>>>().map(Some).ok_or(())
    }

    /// What is said of each unit in which something happened. `complete` are those that came to their end. `declared` are all messages that
    /// the views of the file have.
    pub fn verdicts(
        &self,
        trace: &[Sent],
        complete: &BTreeSet<String>,
        declared: &BTreeSet<String>,
    ) -> BTreeMap<String, Said> {
        let units: BTreeSet<&String> = trace.iter().map(|it| &it.unit).collect();
        let of_unit = |unit: &String| {
            let messages: Vec<&Sent> = trace.iter().filter(|it| it.unit == *unit).collect();
            (unit.clone(), self.verdict(&messages, complete.contains(unit), declared))
        };
        units.into_iter().map(of_unit).collect()
    }

    fn verdict(&self, messages: &[&Sent], complete: bool, declared: &BTreeSet<String>) -> Said {
        let mut words: BTreeMap<Vec<Known>, Vec<&Sent>> = BTreeMap::new();
        let mut violated: BTreeSet<Vec<Known>> = BTreeSet::new();
        let (mut in_doubt, mut lost) = (false, false);
        for (at, message) in messages.iter().enumerate() {
            if !self.can_be(&messages[..=at], declared) {
                (in_doubt, lost) = (true, true);
            }
            if self.terminal(message).is_none() {
                continue;
            }
            match self.instance(message) {
                Err(()) => (in_doubt, lost) = (true, true),
                Ok(None) => {}
                Ok(Some(instance)) => {
                    let word = words.entry(instance.clone()).or_default();
                    // What comes after a violation is not looked at.
                    if violated.contains(&instance) {
                        continue;
                    }
                    word.push(message);
                    match self.parse(&self.start, &Attributes::new(), word) {
                        Parsed::Violated if lost => {}
                        Parsed::Violated => _ = violated.insert(instance),
                        Parsed::Open { in_doubt: doubt, .. } => in_doubt |= doubt,
                    }
                }
            }
        }
        if complete && !lost {
            for (instance, word) in &words {
                let end = self.parse(&self.start, &Attributes::new(), word);
                if !violated.contains(instance) && matches!(end, Parsed::Open { may_end: false, .. }) {
                    violated.insert(instance.clone());
                }
            }
        }
        Said { instances: words.len() as u64, violated: violated.len() as u64, in_doubt }
    }

    /// Whether the last of these messages was sent, if it is received and all sends of its path are seen.
    fn can_be(&self, messages: &[&Sent], declared: &BTreeSet<String>) -> bool {
        let Some(path) = messages.last().and_then(|it| it.event.strip_prefix("receive ")) else {
            return true;
        };
        let concerns = self.view.values().any(|it| it.path.text == path);
        let (send, receive) = (format!("send {path}"), format!("receive {path}"));
        if !concerns || !declared.contains(&send) || !declared.contains(&receive) {
            return true;
        }
        // Each callee receives what was sent to it, or else something that was sent nobody knows where.
        let (mut sent, mut received, mut anywhere, mut borrowed) = (0, 0, 0, 0);
        let mut open: BTreeMap<&Known, u64> = BTreeMap::new();
        for message in messages {
            match (message.event == send, message.event == receive, &message.callee) {
                (true, _, callee) => {
                    sent += 1;
                    match callee {
                        Some(callee) => *open.entry(callee).or_default() += 1,
                        None => anywhere += 1,
                    }
                }
                (_, true, callee) => {
                    received += 1;
                    match callee.as_ref().map(|it| open.get_mut(it)) {
                        Some(Some(count)) if *count > 0 => *count -= 1,
                        Some(_) => borrowed += 1,
                        None => {}
                    }
                }
                _ => {}
            }
        }
        received <= sent && borrowed <= anywhere
    }

    /// Derives a word from a nonterminal.
    fn parse(&self, nonterminal: &str, attributes: &Attributes, word: &[&Sent]) -> Parsed {
        let none = Vec::new();
        let rule = self.rules.get(nonterminal).unwrap_or(&none);
        let Some((message, rest)) = word.split_first() else {
            return Parsed::Open { may_end: rule.iter().any(|it| it.terminal.is_none()), in_doubt: false };
        };
        let terminal = self.terminal(message);
        let found = rule.iter().find(|it| it.terminal.as_ref().map(|it| it.text.as_str()) == terminal);
        let Some(alternative) = found else { return Parsed::Violated };
        let given = Given { message, terminal: terminal.unwrap_or(""), nonterminal, attributes };
        let truth = alternative.assertion.as_ref().map(|it| given.value(it));
        let mut unsure = false;
        match truth {
            None | Some(Some(Known::Bool(true))) => {}
            Some(Some(Known::Bool(false))) => return Parsed::Violated,
            Some(_) => unsure = true,
        }
        let parsed = match &alternative.nonterminal {
            // Nothing may come after the end of a word.
            None if rest.is_empty() => Parsed::Open { may_end: true, in_doubt: false },
            None => return Parsed::Violated,
            Some(next) => {
                let settings = alternative.settings.iter();
                let attributes =
                    settings.map(|it| (it.attribute.text.clone(), given.value(&it.term))).collect();
                self.parse(&next.text, &attributes, rest)
            }
        };
        match parsed {
            Parsed::Open { may_end, in_doubt } => Parsed::Open { may_end, in_doubt: in_doubt || unsure },
            Parsed::Violated => Parsed::Violated,
        }
    }
}

/// What names stand for in an alternative.
struct Given<'a> {
    message: &'a Sent,
    terminal: &'a str,
    nonterminal: &'a str,
    attributes: &'a Attributes,
}

impl Given<'_> {
    /// What a term comes to, as far as it is known.
    fn value(&self, term: &Term) -> Option<Known> {
        match &term.form {
            Form::Literal(Literal::Int(number)) => Some(Known::Int(*number)),
            Form::Literal(Literal::Bool(truth)) => Some(Known::Bool(*truth)),
            Form::Literal(Literal::Text(text) | Literal::Variant(text)) => Some(Known::Text(text.clone())),
            Form::Variable(_) => None,
            Form::Attribute(owner, name) if owner.text == self.nonterminal => {
                self.attributes.get(&name.text).cloned().flatten()
            }
            Form::Attribute(owner, name) if owner.text == self.terminal && name.text == "callee" => {
                self.message.callee.clone()
            }
            Form::Attribute(_, name) => self.message.arguments.get(&name.text).cloned(),
            Form::Size(inner) => match (self.value(inner), &inner.form) {
                (Some(Known::Text(text)), _) => Some(Known::Int(text.len() as i64)),
                (_, Form::Attribute(owner, name)) if owner.text == self.terminal => {
                    let recorded = self.message.arguments.get(&format!("{}.len", name.text));
                    recorded.filter(|it| matches!(it, Known::Int(_))).cloned()
                }
                _ => None,
            },
            Form::Not(inner) => match self.value(inner)? {
                Known::Bool(truth) => Some(Known::Bool(!truth)),
                _ => None,
            },
            Form::Binary(operator, left, right) => self.combined(*operator, left, right),
        }
    }

    fn combined(&self, operator: Operator, left: &Term, right: &Term) -> Option<Known> {
        use Known::{Bool, Int, Text};
        use Operator as O;
        let (left, right) = (self.value(left), self.value(right));
        match operator {
            // What is known of one side can be enough.
            O::And if [&left, &right].contains(&&Some(Bool(false))) => return Some(Bool(false)),
            O::Or if [&left, &right].contains(&&Some(Bool(true))) => return Some(Bool(true)),
            _ => {}
        }
        Some(match (operator, left?, right?) {
            (O::And | O::Or, Bool(_), Bool(right)) => Bool(right),
            (O::Equal, left, right) => Bool(left == right),
            (O::Unequal, left, right) => Bool(left != right),
            (O::Less, Int(left), Int(right)) => Bool(left < right),
            (O::LessOrEqual, Int(left), Int(right)) => Bool(left <= right),
            (O::Greater, Int(left), Int(right)) => Bool(left > right),
            (O::GreaterOrEqual, Int(left), Int(right)) => Bool(left >= right),
            (O::Less, Text(left), Text(right)) => Bool(left < right),
            (O::LessOrEqual, Text(left), Text(right)) => Bool(left <= right),
            (O::Greater, Text(left), Text(right)) => Bool(left > right),
            (O::GreaterOrEqual, Text(left), Text(right)) => Bool(left >= right),
            (O::Plus, Int(left), Int(right)) => Int(left.saturating_add(right)),
            (O::Minus, Int(left), Int(right)) => Int(left.saturating_sub(right)),
            (O::Times, Int(left), Int(right)) => Int(left.saturating_mul(right)),
            _ => return None,
        })
    }
}
