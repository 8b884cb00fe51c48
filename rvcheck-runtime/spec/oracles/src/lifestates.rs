//! The meaning of lifestates, line by line: after each message the sets of permitted and prohibited messages are made anew, from all
//! histories, all bindings and all messages that there can be.

use std::collections::{BTreeMap, BTreeSet};

use rvcheck_spec::Part;
use rvcheck_spec::language::lifestate::{Argument, Kind, Message, Regex, RegexForm, Rule, Sign, parse_rule};
use rvcheck_spec::language::syntax::tree::Literal;

/// A value; it is an integer in the rules, or the result of a poll. Those that are not in any message or rule are below zero.
pub type Known = i64;

/// Results of polls as values: those of these names have the numbers behind [`RESULTS`].
pub const POLL_RESULTS: [&str; 2] = ["suspend", "finish"];

/// See [`POLL_RESULTS`].
pub const RESULTS: Known = 200;

/// The value that a rule writes.
fn known(literal: &Literal) -> Option<Known> {
    match literal {
        Literal::Int(value) => Some(*value),
        // Names of variants are texts in rules.
        Literal::Variant(name) | Literal::Text(name) => {
            let place = POLL_RESULTS.iter().position(|it| it == name)?;
            Some(RESULTS + 1 + place as Known)
        }
        Literal::Bool(_) => None,
    }
}

/// A message of a trace.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Sent {
    /// What it is.
    pub kind: Kind,
    /// The function.
    pub path: String,
    /// The library refused it.
    pub refused: bool,
    /// Its values, that of the result first.
    pub values: Vec<Known>,
}

impl Sent {
    /// The same as a call that is not refused.
    fn plain(&self) -> Sent {
        Sent { refused: false, ..self.clone() }
    }
}

/// The rules of a file.
pub struct Written {
    rules: Vec<Rule>,
}

type Bindings = BTreeMap<String, Known>;

/// How the messages of a history stand.
#[derive(Clone, Debug)]
pub struct State {
    history: Vec<Sent>,
    permitted: BTreeSet<Sent>,
    prohibited: BTreeSet<Sent>,
}

impl State {
    /// Whether a message that comes back is permitted now, or one that goes in is not prohibited.
    pub fn allows(&self, message: &Sent) -> bool {
        let plain = message.plain();
        if message.kind.is_back() {
            self.permitted.contains(&plain)
        } else {
            !self.prohibited.contains(&plain)
        }
    }

    /// Whether a message is a violation now.
    pub fn is_violated_by(&self, message: &Sent) -> bool {
        !message.kind.is_back() && (message.refused || !self.allows(message))
    }
}

impl Written {
    /// The rules; `None` if one of them is none.
    pub fn of(rules: &[String]) -> Option<Written> {
        let rules = rules.iter().enumerate().map(|(at, it)| parse_rule(it, Part::LifestateRule(at)).0);
        Some(Written { rules: rules.collect::<Option<_>>()? })
    }

    /// All values that there are, and as many others as a rule has variables.
    fn domain(&self, trace: &[Sent]) -> Vec<Known> {
        let mut found: BTreeSet<Known> = trace.iter().flat_map(|it| it.values.iter().copied()).collect();
        for message in self.rules.iter().flat_map(Rule::messages) {
            for (argument, _) in message.result.iter().chain(&message.arguments) {
                if let Argument::Literal(literal) = argument {
                    found.extend(known(literal));
                }
            }
        }
        found.extend(-2..0);
        found.into_iter().collect()
    }

    /// All messages that there can be: those of the trace, and those of the rules with all values.
    pub fn universe(&self, trace: &[Sent]) -> Vec<Sent> {
        let domain = self.domain(trace);
        let mut found: BTreeSet<Sent> = trace.iter().map(Sent::plain).collect();
        for message in self.rules.iter().flat_map(Rule::messages) {
            let count = message.arguments.len() + usize::from(message.kind.is_return());
            let mut all: Vec<Vec<Known>> = vec![Vec::new()];
            for _ in 0..count {
                let longer =
                    all.iter().flat_map(|it| domain.iter().map(|value| [&it[..], &[*value]].concat()));
                all = longer.collect();
            }
            let sent =
                |values| Sent { kind: message.kind, path: message.path.text.clone(), refused: false, values };
            found.extend(all.into_iter().map(sent));
        }
        found.into_iter().collect()
    }

    /// The state before any message.
    pub fn start(&self, universe: &[Sent]) -> State {
        let all = universe.iter().filter(|it| it.kind.is_back()).cloned().collect();
        let state = State { history: Vec::new(), permitted: all, prohibited: BTreeSet::new() };
        self.updated(state, universe)
    }

    /// The state after one more message.
    pub fn step(&self, state: &State, message: &Sent, universe: &[Sent]) -> State {
        let mut state = state.clone();
        state.history.push(message.clone());
        self.updated(state, universe)
    }

    fn updated(&self, state: State, universe: &[Sent]) -> State {
        let State { history, permitted, prohibited } = state;
        let by = |sign: Sign| -> BTreeSet<&Sent> {
            let rules: Vec<&Rule> = self.rules.iter().filter(|it| it.sign == sign).collect();
            universe
                .iter()
                .filter(|message| rules.iter().any(|it| applies(it, &history, message, universe)))
                .collect()
        };
        let (permit, prohibit) = (by(Sign::Permits), by(Sign::Prohibits));
        let consistent = permit.is_disjoint(&prohibit);
        let is_permitted = |it: &&Sent| {
            it.kind.is_back()
                && consistent
                && !prohibit.contains(it)
                && (permit.contains(it) || permitted.contains(it))
        };
        let is_prohibited = |it: &&Sent| {
            let stays = !permit.contains(it) && (prohibit.contains(it) || prohibited.contains(*it));
            !it.kind.is_back() && (!consistent || stays)
        };
        State {
            permitted: universe.iter().filter(is_permitted).cloned().collect(),
            prohibited: universe.iter().filter(is_prohibited).cloned().collect(),
            history,
        }
    }

    /// Which messages of a trace are violations.
    pub fn violations(&self, trace: &[Sent]) -> Vec<usize> {
        let universe = self.universe(trace);
        let mut state = self.start(&universe);
        let mut found = Vec::new();
        for (at, message) in trace.iter().enumerate() {
            if state.is_violated_by(message) {
                found.push(at);
            }
            state = self.step(&state, message, &universe);
        }
        found
    }

    /// How many messages a trace has before the first one that refutes the model; `None` where none does.
    pub fn valid_prefix(&self, trace: &[Sent]) -> Option<usize> {
        let universe = self.universe(trace);
        let mut state = self.start(&universe);
        for (at, message) in trace.iter().enumerate() {
            if message.kind.is_back() && !state.allows(message) {
                return Some(at);
            }
            state = self.step(&state, message, &universe);
        }
        None
    }

    /// How many of the callbacks the shortest word of them has that the model allows and that contains a violation, if that is at most
    /// `longest`. The polls of one task come once each, and in their order.
    pub fn predicted(&self, callbacks: &[Callback], longest: usize) -> Option<usize> {
        self.explored(callbacks, longest).0
    }

    /// The same, with the messages to which words come that the model allows, as the places of a callback and of a message in it: all of
    /// them where no word has a violation.
    pub fn explored(
        &self,
        callbacks: &[Callback],
        longest: usize,
    ) -> (Option<usize>, BTreeSet<(usize, usize)>) {
        let (mut violated, mut reached) = (None, BTreeSet::new());
        self.words(callbacks, longest, |word, at, is_violated| {
            if is_violated {
                violated = Some(word.len());
            }
            reached.extend(word.last().map(|it| (*it, at)));
            !is_violated
        });
        (violated, reached)
    }

    /// The messages that some rule could prohibit, as the places of a callback and of a message in it. Callbacks that are the same are one,
    /// but for polls.
    pub fn prohibited(&self, callbacks: &[Callback]) -> BTreeSet<(usize, usize)> {
        let prohibits = |it: &&Rule| it.sign == Sign::Prohibits;
        let of_head = |it: &Rule, message: &Sent| {
            it.message.kind == message.kind && it.message.path.text == message.path
        };
        let is_target = |message: &Sent| {
            let is_named = || self.rules.iter().filter(prohibits).any(|it| of_head(it, message));
            let matches = |it: &Message| could_match(it, message, &Bindings::new());
            let is_mentioned = || self.rules.iter().flat_map(Rule::messages).any(matches);
            !message.kind.is_back() && (message.refused || is_named() && is_mentioned())
        };
        let mut found = BTreeSet::new();
        for (place, callback) in callbacks.iter().enumerate() {
            if callback.task.is_some() || !callbacks[..place].contains(callback) {
                let targets = callback.messages.iter().enumerate().filter(|(_, it)| is_target(it));
                found.extend(targets.map(|(at, _)| (place, at)));
            }
        }
        found
    }

    /// Goes through all words that the model allows, the shorter ones first. `come` is asked at each message whether to go on: by the word up
    /// to its callback, its place in that, and whether it is a violation.
    fn words(
        &self,
        callbacks: &[Callback],
        longest: usize,
        mut come: impl FnMut(&[usize], usize, bool) -> bool,
    ) {
        let all: Vec<Sent> = callbacks.iter().flat_map(|it| it.messages.iter().cloned()).collect();
        let universe = self.universe(&all);
        // What has come so far: the state, and the callbacks that lead there.
        let mut words = vec![(self.start(&universe), Vec::new())];
        for _ in 0..longest {
            let mut next = Vec::new();
            for (state, word) in &words {
                for place in (0..callbacks.len()).filter(|it| can_come(callbacks, word, *it)) {
                    let (mut state, word) = (state.clone(), [&word[..], &[place]].concat());
                    let mut allowed = true;
                    for (at, message) in callbacks[place].messages.iter().enumerate() {
                        if message.kind.is_back() && !state.allows(message) {
                            allowed = false;
                            break;
                        }
                        if !come(&word, at, state.is_violated_by(message)) {
                            return;
                        }
                        state = self.step(&state, message, &universe);
                    }
                    if allowed {
                        next.push((state, word));
                    }
                }
            }
            words = next;
        }
    }
}

/// Messages that come together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Callback {
    /// The task whose poll it is, or a part of one.
    pub task: Option<Known>,
    /// What comes.
    pub messages: Vec<Sent>,
}

impl Callback {
    /// A whole callback.
    pub fn whole(messages: &[Sent]) -> Callback {
        let first = messages.first().filter(|it| it.kind == Kind::Callback && it.path == "poll");
        Callback { task: first.and_then(|it| it.values.first().copied()), messages: messages.to_vec() }
    }
}

/// Whether a callback can come behind these: a poll does so where all earlier ones of its task have been, and itself has not.
fn can_come(callbacks: &[Callback], word: &[usize], place: usize) -> bool {
    let task = callbacks[place].task;
    let is_earlier = |it: &usize| callbacks[*it].task == task;
    task.is_none() || !word.contains(&place) && (0..place).filter(is_earlier).all(|it| word.contains(&it))
}

/// Whether some binding makes the regex match the history and the rule's message this one.
fn applies(rule: &Rule, history: &[Sent], message: &Sent, universe: &[Sent]) -> bool {
    // Most messages are none of the rule's, whatever the variables are.
    if !could_match(&rule.message, message, &Bindings::new()) {
        return false;
    }
    let mut names: BTreeSet<&String> = BTreeSet::new();
    for it in rule.messages() {
        for (argument, _) in it.result.iter().chain(&it.arguments) {
            if let Argument::Variable(name) = argument {
                names.insert(name);
            }
        }
    }
    let values: BTreeSet<Known> = universe.iter().flat_map(|it| it.values.iter().copied()).collect();
    let mut all: Vec<Bindings> = vec![Bindings::new()];
    // The message says what some variables are.
    for name in names {
        let longer = all.iter().flat_map(|it| {
            values.iter().map(|value| {
                let mut it = it.clone();
                it.insert(name.clone(), *value);
                it
            })
        });
        all = longer.collect();
        let occurs = |it: &Message| {
            it.result
                .iter()
                .chain(&it.arguments)
                .any(|(it, _)| matches!(it, Argument::Variable(it) if it == name))
        };
        if occurs(&rule.message) {
            all.retain(|binding| could_match(&rule.message, message, binding));
        }
    }
    all.iter()
        .any(|binding| could_match(&rule.message, message, binding) && matches(&rule.regex, history, binding))
}

/// Whether a message matches, as far as the variables are bound.
fn could_match(pattern: &Message, message: &Sent, binding: &Bindings) -> bool {
    if pattern.kind != message.kind || pattern.path.text != message.path {
        return false;
    }
    let any = Argument::Any;
    let result = pattern.kind.is_return().then(|| pattern.result.as_ref().map_or(&any, |it| &it.0));
    let wanted: Vec<&Argument> = result.into_iter().chain(pattern.arguments.iter().map(|it| &it.0)).collect();
    let mut binding = binding.clone();
    wanted.len() == message.values.len()
        && wanted.iter().zip(&message.values).all(|(wanted, value)| match wanted {
            Argument::Any => true,
            Argument::Literal(literal) => known(literal) == Some(*value),
            // A variable that comes twice has one value.
            Argument::Variable(name) => binding.entry(name.clone()).or_insert(*value) == value,
        })
}

/// Whether the whole history matches.
fn matches(regex: &Regex, history: &[Sent], binding: &Bindings) -> bool {
    let splits = |from: usize| (from..=history.len()).map(|at| history.split_at(at));
    match &regex.form {
        RegexForm::Empty => history.is_empty(),
        RegexForm::Any => history.len() == 1,
        RegexForm::Message(message) => history.len() == 1 && could_match(message, &history[0], binding),
        RegexForm::Sequence(left, right) => {
            splits(0).any(|(before, after)| matches(left, before, binding) && matches(right, after, binding))
        }
        RegexForm::Or(left, right) => matches(left, history, binding) || matches(right, history, binding),
        RegexForm::And(left, right) => matches(left, history, binding) && matches(right, history, binding),
        RegexForm::Not(inner) => !matches(inner, history, binding),
        RegexForm::Star(inner) => history.is_empty() || repeated(inner, regex, history, binding),
        RegexForm::Plus(inner) => {
            let star = Regex { form: RegexForm::Star(inner.clone()), span: regex.span };
            splits(0).any(|(before, after)| matches(inner, before, binding) && matches(&star, after, binding))
        }
        RegexForm::Optional(inner) => history.is_empty() || matches(inner, history, binding),
    }
}

/// Whether the history is one that `inner` matches, and then one that `star` matches.
fn repeated(inner: &Regex, star: &Regex, history: &[Sent], binding: &Bindings) -> bool {
    (1..=history.len()).any(|at| {
        let (before, after) = history.split_at(at);
        matches(inner, before, binding) && matches(star, after, binding)
    })
}
