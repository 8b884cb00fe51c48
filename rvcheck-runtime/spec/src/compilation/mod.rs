//! Strings to properties: names are resolved, sorts are checked, and what can never work is said at once.

pub(crate) mod argument;
mod built_in;
mod check;
mod cycle;
mod declaration;
mod emission;
mod formula;
mod grammar;
mod lifestate;
pub(crate) use check::reachable;
pub use cycle::cycles;
pub(crate) use grammar::attributes_in;
pub use grammar::source_of;
pub(crate) mod heading;
pub mod machine;
pub(crate) mod overlap;
mod presentation;
mod scope;
mod sort;
pub(crate) mod term;
mod transition;

use rvcheck_event::kind::Sort;
use rvcheck_event::value::Value;

use crate::compilation::heading::Heading;
use crate::compilation::sort::sort_of;
use crate::language::problem::{Part, Problem, Span, did_you_mean};
use crate::language::source::PropertySource;
use crate::language::syntax::tree::{self, Literal};
use crate::language::syntax::{is_variable, parse_literal, parse_param, parse_transition};
use crate::model::automaton::{Automaton, Level, MAX_PARAMS, Param, Register, Role, State};
use crate::model::property::Property;
use crate::model::vocabulary::Vocabulary;
pub(crate) use presentation::placeholders;

/// The logics that properties can be written in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Logic {
    /// Guarded parametric automata, section 7 of the language.
    Automaton,
    /// Quantified linear temporal logic, section 4.
    Ltl,
    /// Attribute grammars over messages, section 6.
    Grammar,
    /// Rules that permit and prohibit messages, section 5.
    Lifestate,
    /// The tool checks it by itself; for the library only.
    BuiltIn,
}

/// The name of the logic of properties that the tool checks by itself.
pub const BUILT_IN: &str = "built-in";

impl Logic {
    /// All logics with their names in specifications.
    pub const ALL: [(Logic, &'static str); 5] = [
        (Logic::Automaton, "automaton"),
        (Logic::Ltl, "ltl"),
        (Logic::Grammar, "grammar"),
        (Logic::Lifestate, "lifestate"),
        (Logic::BuiltIn, BUILT_IN),
    ];
}

/// Compiles a property. There is one exactly where there are no problems.
pub fn compile(source: &PropertySource, vocabulary: &Vocabulary) -> (Option<Property>, Vec<Problem>) {
    let mut problems = Vec::new();
    let logic = named(&Logic::ALL, &source.logic, "logic", Part::Logic, &mut problems);
    if logic == Some(Logic::Grammar) {
        foreign(source, &[AUTOMATON, LTL, LIFESTATE], &mut problems);
        let automaton = grammar::compile(source, vocabulary, &mut problems);
        return (automaton.map(Property::Automaton), problems);
    }
    if logic == Some(Logic::Lifestate) {
        foreign(source, &[AUTOMATON, LTL, GRAMMAR], &mut problems);
        let lifestate = lifestate::compile(source, vocabulary, &mut problems);
        return (lifestate.map(Property::Lifestate), problems);
    }
    if logic == Some(Logic::Ltl) {
        foreign(source, &[AUTOMATON, GRAMMAR, LIFESTATE], &mut problems);
        let heading = heading::heading(source, vocabulary, &mut problems);
        let ltl = formula::compile(source, heading, vocabulary, &mut problems);
        return (ltl.map(Property::Ltl), problems);
    }
    if logic == Some(Logic::BuiltIn) {
        foreign(source, &[AUTOMATON, GRAMMAR, LIFESTATE], &mut problems);
        let built_in = built_in::compile(source, vocabulary, &mut problems);
        return (built_in.map(Property::BuiltIn), problems);
    }
    if logic.is_none() {
        return (None, problems);
    }
    let (automaton, problems) = automaton_of(source, vocabulary);
    (automaton.map(Property::Automaton), problems)
}

const AUTOMATON: &str = "automaton";
const LTL: &str = "ltl";
const GRAMMAR: &str = "grammar";
const LIFESTATE: &str = "lifestate";

/// Complains of keys that only these logics have.
fn foreign(source: &PropertySource, logics: &[&str], problems: &mut Vec<Problem>) {
    let keys = [
        ("params", AUTOMATON, !source.params.is_empty(), Part::Param(0)),
        ("vars", AUTOMATON, !source.vars.is_empty(), Part::VarName(0)),
        ("initial", AUTOMATON, source.initial.is_some(), Part::Initial),
        ("bad", AUTOMATON, !source.bad.is_empty(), Part::Bad(0)),
        ("good", AUTOMATON, !source.good.is_empty(), Part::Good(0)),
        ("end_bad", AUTOMATON, !source.end_bad.is_empty(), Part::EndBad(0)),
        ("transitions", AUTOMATON, !source.transitions.is_empty(), Part::Transition(0)),
        ("levels", AUTOMATON, !source.levels.is_empty(), Part::LevelState(0)),
        ("messages", AUTOMATON, !source.messages.is_empty(), Part::MessageState(0)),
        ("formula", LTL, source.formula.is_some(), Part::Formula),
        ("steps", LTL, source.steps.is_some(), Part::Steps),
        ("group", GRAMMAR, source.group.is_some(), Part::Group),
        ("per", GRAMMAR, !source.per.is_empty(), Part::Per(0)),
        ("view", GRAMMAR, !source.view.is_empty(), Part::ViewTerminal(0)),
        ("grammar", GRAMMAR, !source.grammar.is_empty(), Part::RuleName(0)),
        ("rules", LIFESTATE, !source.rules.is_empty(), Part::LifestateRule(0)),
    ];
    for (key, logic, present, part) in keys {
        if present && logics.contains(&logic) {
            let span = source.text(part).map_or(Span::default(), Span::all);
            problems.push(Problem::new(part, span, format!("`{key}` belongs to the logic `{logic}`")));
        }
    }
}

/// Compiles a property of the logic `automaton` that uses only what is built in. There is an automaton exactly where there
/// are no problems.
pub fn compile_automaton(source: &PropertySource) -> (Option<Automaton>, Vec<Problem>) {
    automaton_of(source, &Vocabulary::default())
}

fn automaton_of(source: &PropertySource, vocabulary: &Vocabulary) -> (Option<Automaton>, Vec<Problem>) {
    let mut problems = Vec::new();
    let heading = heading::heading(source, vocabulary, &mut problems);
    foreign(source, &[LTL, GRAMMAR, LIFESTATE], &mut problems);
    let params = params(source, &mut problems);
    let registers = registers(source, &params, &mut problems);
    let trees: Vec<Option<tree::Transition>> = source
        .transitions
        .iter()
        .enumerate()
        .map(|(index, text)| {
            let (tree, mut found) = parse_transition(text, Part::Transition(index));
            problems.append(&mut found);
            tree
        })
        .collect();
    let Heading { id, title, level, scope, message, presentation } = heading;
    let Some((states, initial)) = states(source, &trees, level, &message, &mut problems) else {
        return (None, problems);
    };
    let mut automaton = Automaton {
        id,
        family: vocabulary.family(),
        title,
        level,
        scope,
        params,
        registers,
        states,
        initial,
        transitions: Vec::new(),
        plans: Vec::new(),
        grammar: None,
        presentation,
    };
    presentation::per_state(source, &mut automaton, &mut problems);
    if source.transitions.is_empty() {
        problems.push(Problem::new(Part::Property, Span::default(), "there are no `transitions`"));
    }
    transition::add(&mut automaton, &trees, vocabulary, &mut problems);
    if problems.is_empty() {
        check::reachability(&automaton, &trees, &mut problems);
        overlap::overlaps(&automaton, &trees, &mut problems);
    }
    if problems.is_empty() { (Some(automaton), problems) } else { (None, problems) }
}

/// The value of that name in a table; a problem where there is none.
pub(crate) fn named<T: Copy>(
    known: &[(T, &'static str)],
    name: &str,
    what: &str,
    part: Part,
    problems: &mut Vec<Problem>,
) -> Option<T> {
    let found = known.iter().find(|(_, it)| *it == name).map(|(value, _)| *value);
    if found.is_none() {
        let names: Vec<_> = known.iter().map(|(_, it)| *it).collect();
        let help = did_you_mean(name, names.iter().copied()).unwrap_or_else(|| match names.as_slice() {
            [only] => format!("the only {what} is `{only}`"),
            all => format!(
                "it is one of {}",
                all.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")
            ),
        });
        problems.push(Problem::new(part, Span::all(name), format!("unknown {what} `{name}`")).help(help));
    }
    found
}

fn params(source: &PropertySource, problems: &mut Vec<Problem>) -> Vec<Param> {
    let mut params: Vec<Param> = Vec::new();
    for (index, text) in source.params.iter().enumerate() {
        let part = Part::Param(index);
        let (parsed, mut found) = parse_param(text, part);
        problems.append(&mut found);
        let Some(tree::Param { name, sort }) = parsed else { continue };
        let known = sort.as_ref().map_or(Some(Sort::Any), |it| sort_of(it, part, problems));
        if !is_variable(&name.text) {
            problems.push(variable_name(part, name.span, &name.text));
        } else if params.iter().any(|it| it.name == name.text) {
            problems.push(Problem::new(part, name.span, format!("`{}` is declared twice", name.text)));
        }
        params.push(Param { name: name.text, sort: known.unwrap_or(Sort::Any) });
    }
    if params.len() > MAX_PARAMS {
        let message = format!("a property can have {MAX_PARAMS} parameters, not {}", params.len());
        problems.push(Problem::new(Part::Param(MAX_PARAMS), Span::all(&source.params[MAX_PARAMS]), message));
        params.truncate(MAX_PARAMS);
    }
    params
}

fn registers(source: &PropertySource, params: &[Param], problems: &mut Vec<Problem>) -> Vec<Register> {
    let mut registers: Vec<Register> = Vec::new();
    for (index, (name, text)) in source.vars.iter().enumerate() {
        let at_name = Part::VarName(index);
        if !is_variable(name) {
            problems.push(variable_name(at_name, Span::all(name), name));
        } else if registers.iter().any(|it| it.name == *name) || params.iter().any(|it| it.name == *name) {
            problems.push(Problem::new(at_name, Span::all(name), format!("`{name}` is declared twice")));
        }
        let part = Part::VarValue(index);
        let (literal, mut found) = parse_literal(text, part);
        problems.append(&mut found);
        let (sort, initial) = match literal {
            Some(Literal::Int(number)) => (Sort::Int, Value::Int(number)),
            Some(Literal::Bool(truth)) => (Sort::Bool, Value::Bool(truth)),
            Some(Literal::Text(_) | Literal::Variant(_)) => {
                let message = "a register holds an integer or a truth value";
                problems.push(Problem::new(part, Span::all(text), message));
                (Sort::Int, Value::Int(0))
            }
            None => (Sort::Int, Value::Int(0)),
        };
        registers.push(Register { name: name.clone(), sort, initial });
    }
    registers
}

fn variable_name(part: Part, span: Span, name: &str) -> Problem {
    Problem::new(part, span, format!("`{name}` cannot be the name of a variable"))
        .help("begin with a small letter; go on with letters, digits and `_`")
}

/// The states in the order in which the property names them, and the first one.
fn states(
    source: &PropertySource,
    trees: &[Option<tree::Transition>],
    level: Level,
    message: &str,
    problems: &mut Vec<Problem>,
) -> Option<(Vec<State>, usize)> {
    let Some(initial) = &source.initial else {
        let problem = Problem::new(Part::Property, Span::default(), "the key `initial` is missing");
        problems.push(problem.help("name the state that every binding begins in"));
        return None;
    };
    let mut names: Vec<&str> = vec![initial];
    for tree in trees.iter().flatten() {
        for name in [tree.from.text.as_str(), tree.to.text.as_str()] {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let mut roles: Vec<(&str, Role)> = Vec::new();
    let whole_file_read = trees.iter().all(Option::is_some);
    let lists = [
        (&source.bad, Role::Bad, Part::Bad as fn(usize) -> Part),
        (&source.good, Role::Good, Part::Good),
        (&source.end_bad, Role::EndBad, Part::EndBad),
    ];
    for (list, role, part) in lists {
        for (index, name) in list.iter().enumerate() {
            let span = Span::all(name);
            if roles.iter().any(|(it, _)| it == name) {
                problems.push(Problem::new(part(index), span, format!("state `{name}` is listed twice")));
            } else if name == initial && role != Role::EndBad {
                let message = format!("the initial state `{name}` cannot be final");
                problems.push(Problem::new(part(index), span, message));
            } else if whole_file_read && !names.contains(&name.as_str()) {
                let help = did_you_mean(name, names.iter().copied());
                let message = format!("no transition enters state `{name}`");
                problems.push(Problem::new(part(index), span, message).help_maybe(help));
            }
            roles.push((name, role));
        }
    }
    let emits = |it: &tree::Transition| it.actions.iter().any(|it| matches!(it, tree::Action::Emit(..)));
    // One that emits can be there for others alone.
    if source.bad.is_empty() && source.end_bad.is_empty() && !trees.iter().flatten().any(emits) {
        let problem = Problem::new(Part::Property, Span::default(), "nothing can violate this property");
        problems.push(problem.help("list states in `bad` or `end_bad`"));
    }
    let states = names
        .iter()
        .map(|name| State {
            name: (*name).to_owned(),
            role: roles.iter().find(|(it, _)| it == name).map_or(Role::Neutral, |(_, role)| *role),
            level,
            message: message.to_owned(),
        })
        .collect();
    Some((states, 0))
}
