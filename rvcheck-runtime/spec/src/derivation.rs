//! Why a trace is not a word of a grammar, for people: how its messages were derived so far, the message, and what the grammar allows.
//!
//! No trace is kept. What is told comes from the nonterminal that the grammar is in, the attributes that it has, and the last messages
//! that led there.

use rvcheck_event::event::Event;
use rvcheck_event::value::Value;

use crate::model::grammar::{Alternative, Grammar, Nonterminal, Terminal};
use crate::verdict::Violation;

/// How many of the last alternatives are shown.
const SHOWN: usize = 8;

/// What is known when a violation is told.
pub struct Telling<'a> {
    /// What people call a value.
    pub name: &'a dyn Fn(Value) -> String,
    /// The name of an event.
    pub event: &'a dyn Fn(&Event) -> String,
    /// The arguments of the last event.
    pub arguments: &'a [Value],
    /// What the last message was sent to.
    pub callee: Value,
}

/// Lines about a violation that was just found, or about one at the end of its unit.
pub fn derivation(grammar: &Grammar, violation: &Violation, telling: &Telling<'_>) -> Vec<String> {
    let regular = grammar.regular_states();
    let state = if violation.state >= regular { violation.state - regular } else { violation.state };
    let at = grammar.nonterminals.get(state);
    let moves: Vec<&Event> = violation.witness.iter().collect();
    let (last, before) = match moves.split_last() {
        Some((last, before)) if !violation.at_end => (Some(*last), before),
        _ => (None, &moves[..]),
    };
    let mut lines = vec![so_far(grammar, state, before, violation, telling)];
    let terminal = last.and_then(|it| grammar.terminal_of(&(telling.event)(it)));
    if let Some(place) = terminal {
        let terminal = &grammar.terminals[place];
        lines.push(format!("then comes `{}`: {}", terminal.name, message(terminal, telling)));
        let alternatives = at.map_or(&[][..], |it| &it.alternatives);
        if let Some(Alternative { assertion: Some(assertion), .. }) =
            alternatives.iter().find(|it| it.terminal == place)
        {
            lines.push(format!("this is false of it: {assertion}"));
            return lines;
        }
    } else {
        lines.push("then the trace ends".to_owned());
    }
    lines.push(allowed(at));
    lines
}

/// What may come.
fn allowed(at: Option<&Nonterminal>) -> String {
    let Some(at) = at else { return "nothing may come any more".to_owned() };
    let alternatives: Vec<String> = at.alternatives.iter().map(|it| format!("`{}`", it.text)).collect();
    let messages = (!alternatives.is_empty()).then(|| alternatives.join(" | "));
    let end = at.may_end.then(|| "the end".to_owned());
    let all: Vec<String> = messages.into_iter().chain(end).collect();
    format!("`{}` allows {}", at.name, all.join(", or "))
}

/// The nonterminal with its attributes, and the last alternatives that led there.
fn so_far(
    grammar: &Grammar,
    state: usize,
    before: &[&Event],
    violation: &Violation,
    telling: &Telling<'_>,
) -> String {
    let name = |state: usize| grammar.nonterminals.get(state).map_or("the end", |it| it.name.as_str());
    let at = grammar.nonterminals.get(state);
    let attributes = at.into_iter().flat_map(|it| &it.attributes).zip(&violation.registers);
    let attributes: Vec<String> =
        attributes.map(|(attribute, value)| format!("{attribute} = {}", (telling.name)(*value))).collect();
    let with = if attributes.is_empty() { String::new() } else { format!(" with {}", attributes.join(", ")) };
    let terminals: Vec<Option<usize>> =
        before.iter().map(|it| grammar.terminal_of(&(telling.event)(it))).collect();
    let shown = &terminals[terminals.len().saturating_sub(SHOWN)..];
    let is_whole = violation.witness.skipped == 0 && shown.len() == terminals.len();
    if shown.is_empty() {
        return format!("the trace begins in `{}`{with}", name(state));
    }
    // The way there is known from its beginning, or where only one way leads to this nonterminal.
    let starts = if is_whole { 0..1 } else { 0..grammar.nonterminals.len() };
    let mut ways: Vec<Vec<usize>> = starts.filter_map(|start| way(grammar, start, shown)).collect();
    ways.retain(|it| it.last() == Some(&state));
    // What comes before the first of them is not shown.
    for way in &mut ways {
        way.remove(0);
    }
    ways.dedup();
    let steps: Vec<String> = match &ways[..] {
        [way] => {
            let step = |(terminal, to): (&Option<usize>, &usize)| match grammar.nonterminals.get(*to) {
                Some(it) => format!("{} {}", terminal_name(grammar, *terminal), it.name),
                None => terminal_name(grammar, *terminal).to_owned(),
            };
            shown.iter().zip(way).map(step).collect()
        }
        _ => shown.iter().map(|it| terminal_name(grammar, *it).to_owned()).collect(),
    };
    let first = if is_whole { name(0) } else { "…" };
    format!("so far {first} → {}, now in `{}`{with}", steps.join(" → "), name(state))
}

fn terminal_name(grammar: &Grammar, terminal: Option<usize>) -> &str {
    terminal.and_then(|it| grammar.terminals.get(it)).map_or("?", |it| it.name.as_str())
}

/// The states that these terminals lead through.
fn way(grammar: &Grammar, start: usize, terminals: &[Option<usize>]) -> Option<Vec<usize>> {
    let mut way = vec![start];
    for terminal in terminals {
        let at = grammar.nonterminals.get(*way.last()?)?;
        way.push(at.alternatives.iter().find(|it| Some(it.terminal) == *terminal)?.to);
    }
    Some(way)
}

/// The last message with its arguments.
fn message(terminal: &Terminal, telling: &Telling<'_>) -> String {
    let known = terminal.message.params.iter().zip(telling.arguments);
    let known = known.filter(|(_, value)| **value != Value::Absent);
    let mut arguments: Vec<String> =
        known.map(|(param, value)| format!("{param} = {}", (telling.name)(*value))).collect();
    if telling.callee != Value::Absent {
        arguments.push(format!("callee = {}", (telling.name)(telling.callee)));
    }
    format!("{}({})", terminal.message.event(), arguments.join(", "))
}
