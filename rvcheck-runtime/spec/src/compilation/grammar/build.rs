//! The automaton of a grammar.

use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::value::Value;

use crate::compilation::emission::kept;
use crate::compilation::grammar::attributes::Attributes;
use crate::compilation::grammar::instances::Instances;
use crate::compilation::grammar::read::{Production, Read, Rule};
use crate::compilation::grammar::scope::Scope;
use crate::compilation::heading::Heading;
use crate::compilation::overlap::can_never_hold;
use crate::compilation::placeholders;
use crate::compilation::term::resolve;
use crate::compilation::transition::{insert, sort};
use crate::language::problem::{Part, Problem};
use crate::language::source::PropertySource;
use crate::model::automaton::{
    Action, Assertion, Automaton, Constant, Expr, Register, Role, State, Transition,
};
use crate::model::grammar::{Alternative, Grammar, Message, Nonterminal, Terminal};
use crate::model::vocabulary::Vocabulary;

/// What the end of a word is called.
const END: &str = "end";

/// The automaton. What is wrong with assertions is among the problems.
pub(super) fn automaton(
    source: &PropertySource,
    heading: Heading,
    instances: &Instances<'_>,
    (read, rules, attributes): (&Read<'_>, &[Rule<'_>], &Attributes),
    vocabulary: &Vocabulary,
    problems: &mut Vec<Problem>,
) -> Automaton {
    let Heading { id, title, level, scope, message, presentation } = heading;
    let params = instances.params();
    if let Some(text) = &source.message {
        let names: Vec<&str> = params.iter().map(|it| it.name.as_str()).collect();
        placeholders(text, &names, "what instances are told apart by", Part::Message, problems);
    }
    let states = States::of(rules);
    let most = attributes.of.iter().map(Vec::len).max().unwrap_or(0);
    let state = |name: String, role: Role| State { name, role, level, message: message.clone() };
    let mut automaton = Automaton {
        id,
        family: vocabulary.family(),
        title,
        level,
        scope,
        params,
        registers: Vec::new(),
        states: states.all(rules).map(|(name, role)| state(name, role)).collect(),
        initial: 0,
        transitions: Vec::new(),
        plans: Vec::new(),
        grammar: Some(Box::new(grammar(source, instances, (read, rules, attributes), &states, vocabulary))),
        presentation,
    };
    let builder = Builder { source, instances, read, rules, attributes, vocabulary, states, most };
    builder.add(&mut automaton, problems);
    sort(&mut automaton);
    let written = |it: &Action| if let Action::Set(register, _) = it { register + 1 } else { 0 };
    let count = automaton.transitions.iter().flat_map(|it| &it.actions).map(written).max().unwrap_or(0);
    let register = |at: usize| Register { name: at.to_string(), sort: Sort::Any, initial: Value::Absent };
    automaton.registers = (0..count.max(most)).map(register).collect();
    automaton
}

/// Which state is which.
struct States {
    /// How many nonterminals there are.
    nonterminals: usize,
    /// Some word ends with a terminal.
    ends: bool,
}

impl States {
    fn of(rules: &[Rule<'_>]) -> States {
        let ends = rules.iter().flat_map(|it| &it.productions).any(|it| it.nonterminal.is_none());
        States { nonterminals: rules.len(), ends }
    }

    /// The state after an alternative.
    fn after(&self, production: &Production<'_>) -> usize {
        production.nonterminal.unwrap_or(self.nonterminals)
    }

    /// How many states are not bad for good.
    fn regular(&self) -> usize {
        self.nonterminals + usize::from(self.ends)
    }

    /// The state that a violation leads to from this one.
    fn bad(&self, from: usize) -> usize {
        self.regular() + from
    }

    /// The names and the roles.
    fn all<'a>(&self, rules: &'a [Rule<'a>]) -> impl Iterator<Item = (String, Role)> {
        let role = |rule: &Rule<'_>| if rule.may_end { Role::Neutral } else { Role::EndBad };
        let nonterminals = rules.iter().map(move |it| (it.name.to_owned(), role(it)));
        let taken = |name: &str| rules.iter().any(|it| it.name == name);
        let end = if taken(END) { "the end".to_owned() } else { END.to_owned() };
        let regular: Vec<(String, Role)> =
            nonterminals.chain(self.ends.then_some((end, Role::Neutral))).collect();
        let bad: Vec<(String, Role)> =
            regular.iter().map(|(name, _)| (format!("violated in {name}"), Role::Bad)).collect();
        regular.into_iter().chain(bad)
    }
}

/// What is known of the grammar afterwards.
fn grammar(
    source: &PropertySource,
    instances: &Instances<'_>,
    (read, rules, attributes): (&Read<'_>, &[Rule<'_>], &Attributes),
    states: &States,
    vocabulary: &Vocabulary,
) -> Grammar {
    let declared = |event: &str| vocabulary.declared().iter().find(|it| it.name == event);
    let terminals: Vec<Terminal> = read
        .view
        .iter()
        .map(|entry| {
            let params = declared(&entry.message.event()).map_or(&[][..], |it| &it.params);
            let params = params.iter().map(|(name, _)| name.clone()).collect();
            let (side, path) = (entry.message.side, entry.message.path.text.clone());
            Terminal { name: entry.name.to_owned(), message: Message { side, path, params } }
        })
        .collect();
    let text = |rule: &Rule<'_>, production: &Production<'_>| {
        let text = source.grammar.get(rule.place).map_or("", |(_, it)| it.as_str());
        text.get(production.span.start..production.span.end).unwrap_or("").to_owned()
    };
    let nonterminals = rules.iter().zip(&attributes.of).map(|(rule, attributes)| Nonterminal {
        name: rule.name.to_owned(),
        attributes: attributes.iter().map(|(name, _)| name.clone()).collect(),
        may_end: rule.may_end,
        alternatives: rule
            .productions
            .iter()
            .map(|it| Alternative {
                terminal: it.terminal,
                assertion: it.assertion.map(ToString::to_string),
                to: states.after(it),
                text: text(rule, it),
            })
            .collect(),
    });
    let mut paired: Vec<String> = Vec::new();
    for Terminal { message, .. } in &terminals {
        let other = Message { side: message.side.other(), ..message.clone() };
        if declared(&other.event()).is_some() && !paired.contains(&message.path) {
            paired.push(message.path.clone());
        }
    }
    let group = instances.group().map(str::to_owned);
    Grammar { group, nonterminals: nonterminals.collect(), terminals, paired }
}

struct Builder<'a> {
    source: &'a PropertySource,
    instances: &'a Instances<'a>,
    read: &'a Read<'a>,
    rules: &'a [Rule<'a>],
    attributes: &'a Attributes,
    vocabulary: &'a Vocabulary,
    states: States,
    /// The greatest number of attributes.
    most: usize,
}

impl Builder<'_> {
    fn add(&self, automaton: &mut Automaton, problems: &mut Vec<Problem>) {
        for from in 0..self.states.regular() {
            for terminal in 0..self.read.view.len() {
                let rule = self.rules.get(from);
                let production = rule.and_then(|it| it.productions.iter().find(|it| it.terminal == terminal));
                let mut transition = Transition {
                    from,
                    kind: EventKind::User,
                    plan: 0,
                    shape: 0,
                    checks: Vec::new(),
                    locals: Vec::new(),
                    guard: None,
                    assertion: None,
                    actions: Vec::new(),
                    to: self.states.bad(from),
                };
                if let (Some(rule), Some(production)) = (rule, production) {
                    transition.to = self.states.after(production);
                    transition.assertion = self.assertion(from, rule, production, problems);
                    transition.actions = self.actions(rule, production);
                }
                let message = &self.read.view[terminal].message;
                let place = |name: &str| {
                    message
                        .params
                        .iter()
                        .position(|it| it.as_ref().is_some_and(|it| it.text == name))
                        .unwrap_or(0)
                };
                insert(automaton, transition, Some(&message.event()), self.instances.sources(place));
            }
        }
    }

    fn scope<'s>(&'s self, rule: &'s Rule<'s>, production: &'s Production<'s>) -> Scope<'s> {
        let Builder { rules, read, attributes, vocabulary, .. } = self;
        Scope { rule, production, rules, read, attributes, vocabulary }
    }

    fn assertion(
        &self,
        from: usize,
        rule: &Rule<'_>,
        production: &Production<'_>,
        problems: &mut Vec<Problem>,
    ) -> Option<Assertion> {
        let term = production.assertion?;
        let (condition, _) = resolve(&self.scope(rule, production), term, &mut Vec::new())?;
        if can_never_hold(&condition) {
            let text = &self.source.grammar[rule.place].1;
            let shown = text.get(term.span.start..term.span.end).unwrap_or("");
            let message = format!("`{shown}` can never hold");
            let help = "leave the alternative out if its message is not allowed here";
            problems.push(Problem::new(Part::Rule(rule.place), term.span, message).help(help));
        }
        Some(Assertion { condition, otherwise: self.states.bad(from) })
    }

    /// What sets the registers as the attributes of the nonterminal that follows, all at once.
    fn actions(&self, rule: &Rule<'_>, production: &Production<'_>) -> Vec<Action> {
        let Some(next) = production.nonterminal else { return (0..self.most).map(Action::Clear).collect() };
        let scope = self.scope(rule, production);
        let names = &self.attributes.of[next];
        let value = |name: &String| {
            let (_, term) = production.settings.iter().find(|(it, _)| it.text == *name)?;
            let (expr, _) = resolve(&scope, term, &mut Vec::new())?;
            Some(match expr {
                Expr::Constant(Constant::Text(text)) => Expr::Symbol(kept(&text)),
                other => other,
            })
        };
        let values: Vec<Option<Expr>> = names.iter().map(|(name, _)| value(name)).collect();
        let set = values.iter().enumerate().map(|(register, value)| match value {
            Some(value) => Action::Set(register, value.clone()),
            None => Action::Clear(register),
        });
        let rest = (names.len()..self.most).map(Action::Clear);
        let reads = |at: usize, value: &Option<Expr>| {
            value.as_ref().is_some_and(|it| (0..at).any(|register| mentions(it, register)))
        };
        if !values.iter().enumerate().any(|(at, it)| reads(at, it)) {
            return set.chain(rest).collect();
        }
        let aside = values.iter().enumerate().filter_map(|(register, value)| {
            value.as_ref().map(|it| Action::Set(self.most + register, it.clone()))
        });
        let back = values.iter().enumerate().map(|(register, value)| match value {
            Some(_) => Action::Set(register, Expr::Register(self.most + register)),
            None => Action::Clear(register),
        });
        // Where attributes are set crosswise, each has a second register.
        let gone = (0..names.len()).map(|it| Action::Clear(self.most + it));
        aside.chain(back).chain(rest).chain(gone).collect()
    }
}

/// Whether a term reads a register.
fn mentions(expr: &Expr, register: usize) -> bool {
    match expr {
        Expr::Register(it) => *it == register,
        Expr::Constant(_) | Expr::Param(_) | Expr::Local(_) | Expr::Read(_) | Expr::Symbol(_) => false,
        Expr::Not(inner) | Expr::Size(inner, _) => mentions(inner, register),
        Expr::Binary(_, left, right) => mentions(left, register) || mentions(right, register),
    }
}
