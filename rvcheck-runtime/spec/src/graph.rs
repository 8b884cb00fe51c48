//! The automaton of a property, to be looked at: as DOT and as a table.

use std::fmt::Write as _;

use crate::compilation::machine::Edge as MachineEdge;
use crate::language::problem::Part;
use crate::language::source::PropertySource;
use crate::language::syntax::parse_transition;
use crate::model::automaton::{Automaton, Role};
use crate::model::grammar::Grammar;
use crate::model::ltl::Ltl;
use crate::model::machine::Machine;

/// States and the ways between them. The first state is where every binding begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    /// The id of the property.
    pub id: String,
    /// The variables of which each binding has its own state, such as `forall t: task`.
    pub variables: Vec<String>,
    /// The states.
    pub states: Vec<State>,
    /// The edges, by the state that they leave.
    pub edges: Vec<Edge>,
}

/// A state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// Its name.
    pub name: String,
    /// What it means to be there, by the conditions on the binding under which that is so. One entry without a condition where it
    /// does not depend on the binding.
    pub roles: Vec<(String, Role)>,
}

/// A way from one state to another, or to itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The place of the state that it leaves.
    pub from: usize,
    /// The events that take it, as specifications write them.
    pub label: String,
    /// The place of the state that it enters.
    pub to: usize,
    /// It is taken by the events that no other edge of its state takes.
    pub rest: bool,
}

impl Graph {
    /// The graph of an automaton that was compiled from this source.
    pub fn of_automaton(source: &PropertySource, automaton: &Automaton) -> Graph {
        if let Some(grammar) = &automaton.grammar {
            return Graph::of_grammar(source, automaton, grammar);
        }
        let states = automaton.states.iter();
        let mut edges = Vec::new();
        for (index, transition) in automaton.transitions.iter().enumerate() {
            let text = source.transitions.get(index).map_or("", String::as_str);
            let Some(tree) = parse_transition(text, Part::Transition(index)).0 else { continue };
            let mut label = tree.pattern.to_string();
            if let Some(guard) = &tree.guard {
                let _ = write!(label, " [{guard}]");
            }
            for (at, action) in tree.actions.iter().enumerate() {
                let _ = write!(label, "{} {action}", if at == 0 { " /" } else { ";" });
            }
            edges.push(Edge { from: transition.from, label, to: transition.to, rest: false });
        }
        edges.sort_by_key(|it| it.from);
        let mut graph = Graph {
            id: automaton.id.clone(),
            variables: source.params.iter().map(|it| format!("forall {it}")).collect(),
            states: states
                .map(|it| State { name: it.name.clone(), roles: vec![(String::new(), it.role)] })
                .collect(),
            edges,
        };
        graph.begin_with(automaton.initial);
        graph
    }

    /// The graph of a grammar.
    fn of_grammar(source: &PropertySource, automaton: &Automaton, grammar: &Grammar) -> Graph {
        let variables = match &grammar.group {
            Some(group) => vec![format!("forall group: {group}")],
            None => source.per.iter().map(|it| format!("forall {it}")).collect(),
        };
        let states = automaton.states.iter();
        let mut edges = Vec::new();
        for (from, nonterminal) in grammar.nonterminals.iter().enumerate() {
            for alternative in &nonterminal.alternatives {
                edges.push(Edge { from, label: alternative.text.clone(), to: alternative.to, rest: false });
            }
        }
        // What is not allowed is not told message by message.
        let regular = grammar.regular_states();
        for from in 0..regular {
            let alternatives = grammar.nonterminals.get(from).map_or(&[][..], |it| &it.alternatives);
            let other =
                (alternatives.len() < grammar.terminals.len()).then_some("any other message of the view");
            let asserts = alternatives.iter().any(|it| it.assertion.is_some());
            let broken = asserts.then_some("a message whose assertion is false");
            for label in other.into_iter().chain(broken) {
                edges.push(Edge { from, label: label.to_owned(), to: regular + from, rest: false });
            }
        }
        edges.sort_by_key(|it| it.from);
        let states = states.map(|it| State { name: it.name.clone(), roles: vec![(String::new(), it.role)] });
        Graph { id: automaton.id.clone(), variables, states: states.collect(), edges }
    }

    /// The graph of the machine of a formula.
    pub fn of_machine(ltl: &Ltl, machine: &Machine) -> Graph {
        let ltl = &with_distinct_names(ltl);
        let mut variables = Vec::new();
        for quantified in &machine.prefix {
            for (variable, sort) in &quantified.variables {
                let name = ltl.variables.get(*variable).map_or("_", |it| it.name.as_str());
                variables.push(format!("{} {name}: {}", quantified.quantifier.word(), sort.name()));
            }
        }
        let states = machine.states.iter().enumerate().map(|(state, it)| State {
            name: state.to_string(),
            roles: it
                .roles
                .iter()
                .enumerate()
                .map(|(valuation, role)| (conditions(ltl, machine, valuation), *role))
                .collect::<Vec<_>>(),
        });
        // Nothing leaves a state in which all is decided.
        let is_open = |state: &usize| {
            machine.states[*state].roles.iter().any(|it| matches!(it, Role::Neutral | Role::EndBad))
        };
        let edges = (0..machine.states.len()).filter(is_open).flat_map(|from| {
            machine.edges(from).into_iter().map(move |edge| Edge {
                from,
                label: label(ltl, machine, &edge),
                to: edge.to,
                rest: edge.kind.is_none(),
            })
        });
        Graph { id: ltl.id.clone(), variables, states: states.map(simple).collect(), edges: edges.collect() }
    }

    /// Makes this state the first one.
    fn begin_with(&mut self, initial: usize) {
        self.states.swap(0, initial);
        let moved = |state: usize| match state {
            0 => initial,
            it if it == initial => 0,
            it => it,
        };
        for edge in &mut self.edges {
            (edge.from, edge.to) = (moved(edge.from), moved(edge.to));
        }
        self.edges.sort_by_key(|it| it.from);
    }

    /// The graph in the language of Graphviz. That all other events leave a state as it is goes without saying.
    pub fn dot(&self) -> String {
        let mut out = format!(
            "digraph {} {{\n  rankdir = LR;\n  node [shape = box, style = rounded];\n",
            quoted(&self.id)
        );
        if !self.variables.is_empty() {
            let _ = writeln!(out, "  label = {};", quoted(&self.variables.join(", ")));
        }
        out.push_str("  begin [shape = point];\n  begin -> 0;\n");
        for (index, state) in self.states.iter().enumerate() {
            let violated = state.roles.iter().any(|(_, role)| *role == Role::Bad);
            let shape = if violated { ", peripheries = 2" } else { "" };
            let label = quoted(&format!("{}\n{}", state.name, state.meaning()));
            let _ = writeln!(out, "  {index} [label = {label}{shape}];");
        }
        for edge in self.edges.iter().filter(|it| !it.rest || it.from != it.to) {
            let _ = writeln!(out, "  {} -> {} [label = {}];", edge.from, edge.to, quoted(&edge.label));
        }
        out.push_str("}\n");
        out
    }

    /// The graph as a table of its edges: a state, what it means to be there, an event, and the next state.
    pub fn table(&self) -> String {
        let mut out = self.id.clone();
        if !self.variables.is_empty() {
            let _ = write!(out, ", for each binding of {}", self.variables.join(", "));
        }
        out.push_str("\n\n");
        let mut rows = vec![["state", "means", "event", "next"].map(str::to_owned)];
        for (index, state) in self.states.iter().enumerate() {
            let mut head = [state.name.clone(), state.meaning()];
            let mut edges = self.edges.iter().filter(|it| it.from == index).peekable();
            if edges.peek().is_none() {
                let [name, meaning] = std::mem::take(&mut head);
                rows.push([name, meaning, "-".to_owned(), "-".to_owned()]);
            }
            for edge in edges {
                let [name, meaning] = std::mem::take(&mut head);
                rows.push([name, meaning, edge.label.clone(), self.states[edge.to].name.clone()]);
            }
        }
        let width = |column: usize| rows.iter().map(|it| it[column].chars().count()).max().unwrap_or(0);
        let widths = [width(0), width(1), width(2)];
        for row in &rows {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(widths) {
                let _ = write!(line, "{cell:width$}  ");
            }
            line.push_str(&row[3]);
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }
}

impl State {
    /// What it means to be there, in words.
    fn meaning(&self) -> String {
        let word = |role: &Role| match role {
            Role::Good => "satisfied for good",
            Role::Bad => "violated for good",
            Role::Neutral => "satisfied if it ends here",
            Role::EndBad => "violated if it ends here",
        };
        let each = self.roles.iter().map(|(condition, role)| {
            if condition.is_empty() {
                word(role).to_owned()
            } else {
                format!("{} where {condition}", word(role))
            }
        });
        each.collect::<Vec<_>>().join("; ")
    }
}

/// The formula with another name for a variable that has the name of one before it: in front of the formula, where quantifiers are
/// moved, nobody could tell them apart.
pub(crate) fn with_distinct_names(ltl: &Ltl) -> Ltl {
    let mut ltl = ltl.clone();
    for index in 1..ltl.variables.len() {
        let taken = |name: &str| ltl.variables[..index].iter().any(|it| it.name == name);
        let name = &ltl.variables[index].name;
        let names = std::iter::once(name.clone()).chain((2..).map(|number| format!("{name}{number}")));
        if let Some(free) = names.into_iter().find(|it| !taken(it)) {
            ltl.variables[index].name = free;
        }
    }
    ltl
}

/// One role without a condition where all are the same.
fn simple(mut state: State) -> State {
    if state.roles.iter().all(|(_, role)| *role == state.roles[0].1) {
        state.roles.truncate(1);
        state.roles[0].0.clear();
    }
    state
}

/// The conditions of which those in `valuation` hold.
fn conditions(ltl: &Ltl, machine: &Machine, valuation: usize) -> String {
    let each = (0..machine.conditions.len()).map(|it| {
        let not = if valuation >> it & 1 == 0 { "!" } else { "" };
        format!("{not}{}", machine.condition_text(it, ltl))
    });
    each.collect::<Vec<_>>().join(" && ")
}

fn label(ltl: &Ltl, machine: &Machine, edge: &MachineEdge) -> String {
    let mut parts = Vec::new();
    for (atom, truth) in &edge.atoms {
        let text = machine.atom_text(*atom, ltl);
        parts.push(match truth {
            true => text,
            // Such as an event with a condition.
            false if text.ends_with(')') && !text.contains(" if ") => format!("!{text}"),
            false => format!("!({text})"),
        });
    }
    match (edge.kind, parts.is_empty()) {
        (Some(kind), true) => format!("any `{}`", kind.signature().name),
        (Some(_), false) => parts.join(" && "),
        (None, true) => "any other event".to_owned(),
        (None, false) => format!("any other event while {}", parts.join(" && ")),
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
