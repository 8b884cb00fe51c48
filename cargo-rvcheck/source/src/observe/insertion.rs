//! What is inserted into the bodies of observed functions.

use super::attribute;
use super::messages::{self, Meant, Refusals};
use super::shell::{Shell, is_destructor};
use super::text::{self, CLOSE, OPEN, of_parameters};
use super::{Insertions, Module, Moment, Observation, Observed, RESULT};
use crate::edit::Edit;
use crate::edition::Edition;
use crate::outline::functions::{Form, Function, functions};
use crate::token::Tokens;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{self, Debug};

/// How a file is changed.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// What is left out because it did not compile, by the [`Edit::stands_for`] of its insertions, each with what the compiler reported.
    pub skip: &'a BTreeMap<usize, String>,
    /// Why nothing can be inserted at a byte of the file, if that is so.
    pub against: &'a dyn Fn(usize) -> Option<String>,
    /// The folder of the package, where it is somebody else's and only calls from outside count.
    pub foreign: Option<&'a str>,
    /// It is known which code of the workspace is a library, so that it matters who calls.
    pub libraries: bool,
}

impl Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options").field("skip", &self.skip).finish_non_exhaustive()
    }
}

/// Whether this was inserted so that a function is observed.
pub fn is_insertion(insert: &str) -> bool {
    insert.starts_with(OPEN) || insert.starts_with(CLOSE)
}

/// Where an insertion goes among others at the same place: what stands behind an expression comes behind the marks of that, and what
/// stands before one comes last.
pub(crate) fn rank(insert: &str) -> u8 {
    match insert {
        it if it.starts_with(CLOSE) => 1,
        it if it.starts_with(OPEN) => 2,
        _ => 0,
    }
}

/// What is inserted into the bodies of a file's functions.
pub(super) fn of_bodies(
    text: &str,
    edition: Edition,
    module: &Module<'_>,
    observations: &[Observation],
    options: &Options<'_>,
) -> Insertions {
    let mut all = Insertions::default();
    for function in functions(text, &Tokens::of(text), edition) {
        let paths = paths(&function, module);
        // Somebody else's functions are meant by the name of their crate, and what their attributes say is not for us.
        let own = if options.foreign.is_some() { Vec::new() } else { attribute::observations(&function) };
        let is_named = |it: &&(usize, &Observation)| {
            let is_meant = options.foreign.is_none() || it.1.path.names_crate(module.krate);
            is_meant && !it.1.is_of_event() && paths.iter().any(|path| it.1.path.matches(path))
        };
        let named = observations.iter().enumerate().filter(|it| is_named(&it));
        let named = named.map(|(number, it)| Meant { number: Some(number), observation: Cow::Borrowed(it) });
        let own = own.into_iter().map(|it| Meant { number: None, observation: Cow::Owned(it) });
        let mut found: Vec<Meant<'_>> = named.chain(own).collect();
        found.extend(messages::of_events(&found, observations));
        if found.is_empty() {
            continue;
        }
        let reason = against(&function, options);
        for Meant { number, observation } in &found {
            let unmonitored = reason.clone().or_else(|| unknown_name(&function, observation));
            all.observed.push(Observed {
                observation: *number,
                event: observation.event.clone(),
                function: paths.first().map_or_else(String::new, |it| it.join("::")),
                parameters: function.parameters.len(),
                name: function.name.clone(),
                is_message: false,
                unmonitored,
            });
        }
        if reason.is_none() || options.skip.contains_key(&function.name.start) {
            let refusals = Refusals::of(&found);
            found.retain(|it| unknown_name(&function, &it.observation).is_none());
            let monitored = messages::in_order(messages::once(found));
            let monitored: Vec<(usize, &Observation)> =
                monitored.iter().map(|it| &*it.observation).enumerate().collect();
            let asks = options.foreign.is_some()
                || options.libraries && monitored.iter().any(|it| it.1.crossing.is_some());
            let shell = Shell::of(&function, options.foreign, text).filter(|_| asks);
            edits(&function, &monitored, (&refusals, shell.as_ref()), options, &mut all.edits);
        }
    }
    all
}

/// The paths of a function from its crate: by its type, and by the trait that its `impl` is of.
pub(super) fn paths<'a>(function: &'a Function, module: &Module<'a>) -> Vec<Vec<&'a str>> {
    let outer = || std::iter::once(module.krate).chain(module.path.iter().map(String::as_str));
    let inner = std::iter::once(&function.path).chain(&function.by_trait);
    inner.map(|it| outer().chain(it.split("::")).collect()).collect()
}

/// Why nothing can be inserted into this function.
fn against(function: &Function, options: &Options<'_>) -> Option<String> {
    if function.is_const {
        return Some("the compiler may evaluate a `const fn`".to_owned());
    }
    let undone = options.skip.get(&function.name.start);
    let undone = undone.map(|said| format!("what records it does not compile here: {said}"));
    undone.or_else(|| (options.against)(function.begin))
}

/// Which argument asks for a parameter that the function does not have, or that has no name. An expression is left to the compiler.
fn unknown_name(function: &Function, observation: &Observation) -> Option<String> {
    let known = |name: &str| {
        name == RESULT
            || (name == "self" && function.has_receiver)
            || function.parameters.iter().flatten().any(|it| it == name)
    };
    observation.arguments.iter().find_map(|it| {
        match of_parameters(&text::counted(&it.expression, function), function) {
            Err(number) if number <= function.parameters.len() => {
                it.is_asked.then(|| format!("parameter {number} is a pattern and has no name"))
            }
            Err(number) => Some(format!("it has no parameter {number}")),
            Ok(expression) => {
                let is_name = expression.chars().all(|it| it == '_' || it.is_alphanumeric())
                    && !expression.starts_with(|it: char| it.is_numeric());
                (is_name && !known(&expression)).then(|| format!("it has no parameter `{expression}`"))
            }
        }
    })
}

fn edits(
    function: &Function,
    found: &[(usize, &Observation)],
    (refusals, shell): (&Refusals, Option<&Shell>),
    options: &Options<'_>,
    edits: &mut Vec<Edit>,
) {
    let stands_for = function.name.start;
    let is_undone = options.skip.contains_key(&stands_for);
    let mut insert = |offset: usize, insert: String| {
        let insert = Cow::Owned(if is_undone { text::undone(&insert) } else { insert });
        edits.push(Edit { offset, insert, stands_for });
    };
    // What asks for its caller already, goes on to do so.
    let around = shell.filter(|it| !it.is_tracked);
    if around.is_some() {
        insert(function.range.start, text::tracked());
    }
    let is_bare = function.form == Form::BareClosure;
    if is_bare {
        insert(function.begin, text::braced());
    }
    if is_destructor(function) {
        insert(function.begin, text::dropping());
    }
    let mut returning = Vec::new();
    for (number, observation) in found {
        let condition = shell.map_or_else(String::new, |it| it.condition(observation));
        let place = shell.map_or(text::HERE, Shell::place);
        let begin = if observation.moment.is_end() {
            // Where only a panic is a refusal, it does not matter how else the call ends.
            if observation.moment != Moment::Refusal || !refusals.conditions.is_empty() {
                returning.push((*number, *observation));
            }
            text::remembered(*number, observation, refusals, function, (&condition, place))
        } else {
            text::entry(observation, function, (&condition, place))
        };
        insert(function.begin, begin);
    }
    // What is empty has no places.
    let is_inside = around.is_some() && function.begin < function.end;
    if is_inside {
        insert(function.begin, text::inside());
    }
    if !returning.is_empty() {
        results(function, (&returning, refusals), is_inside, &mut insert);
    }
    if is_inside {
        insert(function.end, text::outside());
    }
    if is_bare {
        insert(function.end, text::unbraced());
    }
}

/// Records what is returned, perhaps inside a closure that is around the body.
fn results(
    function: &Function,
    (returning, refusals): (&[(usize, &Observation)], &Refusals),
    is_inside: bool,
    insert: &mut impl FnMut(usize, String),
) {
    let (before, behind) = text::returned(returning, refusals, function);
    let (before_question, behind_question) = text::tried(returning);
    // Where several go to one place, the outer one of what stands before is the first, and of what stands behind the last.
    if let Some(tail) = &function.tail {
        insert(tail.start, before.clone());
    }
    for value in function.returns.iter().filter(|it| !it.is_empty()) {
        insert(value.start, before.clone());
    }
    for tried in &function.questions {
        insert(tried.start, before_question.clone());
        insert(tried.end, behind_question.clone());
    }
    for value in &function.returns {
        let text = if value.is_empty() { text::returned_nothing(returning) } else { behind.clone() };
        insert(value.end, text);
    }
    if let Some(tail) = &function.tail {
        insert(tail.end, behind.clone());
    }
    if !function.ends_in_expression && !function.has_result {
        let ended = if is_inside { text::ended_with_nothing } else { text::returned_nothing };
        insert(function.end, ended(returning));
    }
}

#[cfg(test)]
mod tests;
