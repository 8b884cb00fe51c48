//! Events and fluents that a file declares.

use rvcheck_event::declared::Declared;
use rvcheck_event::kind::Sort;
use rvcheck_event::world::MAX_ARGUMENTS;

use crate::compilation::formula::Scope;
use crate::compilation::sort::sort_of;
use crate::language::formula::parser::parse_event;
use crate::language::problem::{Part, Problem, Span};
use crate::language::source::{EventSource, FluentSource};
use crate::language::syntax::{is_variable, parse_param};
use crate::model::fluent::{Fluent, Only};
use crate::model::pattern::{Pattern, Variable, Wanted};
use crate::model::vocabulary::{Named, Vocabulary};

/// Words of formulas that cannot name anything.
const RESERVED: [&str; 5] = ["forall", "exists", "where", "event", "if"];

impl Vocabulary {
    /// Adds an event. One of which something is wrong is not added.
    pub fn declare_event(&mut self, source: &EventSource) -> Vec<Problem> {
        let mut problems = Vec::new();
        check_name(self, &source.name, "an event", Part::EventName, &mut problems);
        let params = params(&source.params, Part::EventParam, &mut problems);
        check_count(&source.params, Part::EventParam, &mut problems);
        if problems.is_empty() {
            self.add_event(Declared { name: source.name.clone(), params: pairs(params) });
        }
        problems
    }

    /// Adds a fluent; a proposition, which the program itself sets and clears, where there is neither `from` nor `to`. One of which
    /// something is wrong is not added. It can use the events that were declared before.
    pub fn declare_fluent(&mut self, source: &FluentSource) -> Vec<Problem> {
        let mut problems = Vec::new();
        check_name(self, &source.name, "a fluent", Part::FluentName, &mut problems);
        let params = params(&source.params, Part::FluentParam, &mut problems);
        if source.from.is_none() && source.to.is_none() {
            check_count(&source.params, Part::FluentParam, &mut problems);
            if problems.is_empty() {
                let (set, clear) = (
                    Declared::set(&source.name, pairs(params.clone())),
                    Declared::clear(&source.name, pairs(params.clone())),
                );
                self.add_fluent(proposition(&source.name, params, &set, &clear));
                self.add_event(set);
                self.add_event(clear);
            }
            return problems;
        }
        let fluent = resolved(source, params, self, &mut problems);
        if let Some(fluent) = fluent.filter(|_| problems.is_empty()) {
            self.add_fluent(fluent);
        }
        problems
    }
}

/// Complains of a name that `what` cannot have.
fn check_name(vocabulary: &Vocabulary, name: &str, what: &str, part: Part, problems: &mut Vec<Problem>) {
    if !is_variable(name) {
        let message = format!("`{name}` cannot name {what}");
        let help = "begin with a small letter; go on with letters, digits and `_`";
        problems.push(Problem::new(part, Span::all(name), message).help(help));
    } else if RESERVED.contains(&name) {
        let message = format!("`{name}` is a word of the language");
        problems.push(Problem::new(part, Span::all(name), message).help("give it another name"));
    } else if vocabulary.fluents().find(name).is_some() || vocabulary.event(name).is_some() {
        let message = format!("`{name}` is a fluent or an event already");
        problems.push(Problem::new(part, Span::all(name), message).help("give it another name"));
    }
}

fn check_count(params: &[String], part: fn(usize) -> Part, problems: &mut Vec<Problem>) {
    if let Some(extra) = params.get(MAX_ARGUMENTS) {
        let message = format!("there can be {MAX_ARGUMENTS} parameters, not {}", params.len());
        problems.push(Problem::new(part(MAX_ARGUMENTS), Span::all(extra), message));
    }
}

fn pairs(params: Vec<Variable>) -> Vec<(String, Sort)> {
    params.into_iter().map(|it| (it.name, it.sort)).collect()
}

/// The parameters that these texts declare.
fn params(texts: &[String], part: fn(usize) -> Part, problems: &mut Vec<Problem>) -> Vec<Variable> {
    let mut params: Vec<Variable> = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let part = part(index);
        let (parsed, mut found) = parse_param(text, part);
        problems.append(&mut found);
        let Some(param) = parsed else { continue };
        let sort = param.sort.as_ref().map_or(Some(Sort::Any), |it| sort_of(it, part, problems));
        let name = param.name;
        if !is_variable(&name.text) || params.iter().any(|it| it.name == name.text) {
            let message = format!("`{}` cannot be the name of a parameter here", name.text);
            let problem = Problem::new(part, name.span, message);
            problems.push(problem.help("each begins with a small letter and is different from the others"));
        }
        params.push(Variable { name: name.text, sort: sort.unwrap_or(Sort::Any) });
    }
    params
}

/// The fluent that holds from one declared event to another, with the same parameters.
fn proposition(name: &str, params: Vec<Variable>, set: &Declared, clear: &Declared) -> Fluent {
    let pattern = |declared| declared_pattern(Named::Declared(declared));
    let (from, to) = (vec![pattern(set)], vec![pattern(clear)]);
    Fluent { name: name.to_owned(), params, from, to, only: Only::Anywhere }
}

/// Any event of this name, with its arguments as the parameters.
fn declared_pattern(named: Named<'_>) -> Pattern {
    let mark = named.demand().map(|(source, name)| (source, Wanted::Constant(name)));
    let values =
        (0..named.count()).filter_map(|at| named.param(at).map(|(source, _)| (source, Wanted::Variable(at))));
    Pattern { kind: named.kind(), arguments: mark.into_iter().chain(values).collect(), condition: None }
}

/// The fluent with these parameters; `None` where something is wrong with it.
fn resolved(
    source: &FluentSource,
    params: Vec<Variable>,
    vocabulary: &Vocabulary,
    problems: &mut Vec<Problem>,
) -> Option<Fluent> {
    for (key, text) in [("from", &source.from), ("to", &source.to)] {
        if text.is_none() {
            let message = format!("the key `{key}` is missing");
            problems.push(Problem::new(Part::FluentName, Span::default(), message));
        }
    }
    let mut event = |text: &Option<String>, part: Part| {
        let (parsed, mut found) = parse_event(text.as_deref()?, part);
        problems.append(&mut found);
        let (pattern, condition) = parsed?;
        Scope::of_params(part, &params, vocabulary).event(&pattern, condition.as_ref(), problems)
    };
    let from = event(&source.from, Part::FluentFrom);
    let to = event(&source.to, Part::FluentTo);
    if let (Some(from), Some(text)) = (&from, &source.from) {
        for (index, param) in params.iter().enumerate() {
            if from.arguments.iter().all(|(_, wanted)| *wanted != Wanted::Variable(index)) {
                let message = format!("this event does not give `{}` a value", param.name);
                problems.push(Problem::new(Part::FluentFrom, Span::all(text), message));
            }
        }
    }
    let (from, to) = (vec![from?], vec![to?]);
    Some(Fluent { name: source.name.clone(), params, from, to, only: Only::Anywhere })
}
