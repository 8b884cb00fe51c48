//! What the terminator of one block can do by itself, and which bodies it runs.

use super::class::{class_of, is_opaque};
use super::effect::Effect;
use super::known::{is_harmless, is_of_std, is_spawn, waits_besides};
use crate::flow::blocking::wait_of;
use crate::flow::locks::{Waits, request_of};
use crate::flow::text::{head, last};
use crate::flow::{Callee, Definition, Function, FunctionId, Program};
use crate::mir::{BlockId, Call, Operand, Terminator};
use std::collections::BTreeSet;

/// What one call or drop does by itself, and which bodies it runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    pub(super) own: Effect,
    pub(super) runs: Vec<FunctionId>,
    /// It may run what the workspace implements for these traits.
    pub(super) traits: Traits,
}

/// Which methods of traits some other code may call.
#[derive(Clone, Debug, Default)]
pub(super) enum Traits {
    /// None.
    #[default]
    None,
    /// Those of these types of the workspace; those that show a value only where that is `true`.
    Of(BTreeSet<String>, bool),
    /// All.
    All,
}

/// What the terminator of a block does.
pub(super) fn step(program: &Program, function: &Function, block: BlockId) -> Step {
    let harmless = Step::default();
    let Some(of) = function.body.block(block) else { return harmless };
    match &of.terminator {
        Terminator::Drop { place, .. } => dropping(program, function.type_of(place)),
        Terminator::Call(call) => function
            .call(block)
            .map_or(harmless, |(_, callee)| calling(program, function, block, call, callee)),
        _ => harmless,
    }
}

fn dropping(program: &Program, ty: Option<&str>) -> Step {
    let Some(ty) = ty else {
        return Step { own: Effect::opened("a drop of something"), ..Step::default() };
    };
    if crate::flow::kind_of(&program.head(ty)).is_some() {
        return Step::default();
    }
    let opened = || Step { own: Effect::opened(format!("the drop of a `{ty}`")), ..Step::default() };
    if is_opaque(program, ty) {
        return opened();
    }
    // What a closure or state machine has captured or kept is dropped with it.
    let mut kept = vec![ty];
    for inner in closures_in(ty) {
        match program.body_of(inner) {
            Some(id) => {
                let body = &program.function(id).body;
                kept.extend(body.variables.iter().filter_map(|(_, place)| place.stated_type()));
                kept.extend(body.locals.iter().map(String::as_str));
            }
            None if is_of_others(program, inner) => {}
            None => return opened(),
        }
    }
    let traits = program.types_within(kept).map_or(Traits::All, |it| Traits::Of(it, false));
    Step { traits, ..Step::default() }
}

fn calling(program: &Program, function: &Function, block: BlockId, call: &Call, callee: &Callee) -> Step {
    let opened = |by: &str| Step { own: Effect::opened(by), ..Step::default() };
    if callee.hands_on() {
        return Step::default();
    }
    if callee.is_trait("Future", "poll") {
        return polling(program, function, block);
    }
    let path = program.callee_path(function, block);
    match request_of(path) {
        Some((_, Waits::Thread)) => {
            let requests = class_of(program, function, call).into_iter().collect();
            return Step { own: Effect { requests, ..Effect::default() }, ..Step::default() };
        }
        // It is requested when it is polled.
        Some((_, Waits::Task)) => return Step::default(),
        None => {}
    }
    if path.is_empty() {
        return opened("a function pointer");
    }
    let is_lazy = callee.of_trait.as_deref() == Some("Deref")
        && callee.self_type.as_deref().is_some_and(|it| last(&head(it)).starts_with("Lazy"));
    if wait_of(path).is_some() || waits_besides(path) || is_lazy {
        return Step { own: Effect::waiting(path), ..Step::default() };
    }
    if let Some(id) = program.called(function, block) {
        return Step { runs: vec![id], ..Step::default() };
    }
    if is_spawn(path) {
        return Step::default();
    }
    if !is_of_std(program, callee, path) && !is_harmless(path) {
        return opened(&format!("`{path}`"));
    }
    // What it is given to call, it may call.
    let mut texts = vec![call.callee.as_str()];
    for argument in &call.arguments {
        match argument {
            Operand::Place(place) => match function.type_of(place) {
                Some(ty) => texts.push(ty),
                None => return opened(&format!("`{path}`, with what is not known")),
            },
            Operand::Constant(text) if is_function(text) => {
                return opened(&format!("`{text}`, which `{path}` is given"));
            }
            Operand::Constant(text) => texts.push(text),
        }
    }
    let mut runs = Vec::new();
    for text in &texts[1..] {
        if ["fn(", "dyn ", "impl "].iter().any(|it| text.contains(it)) {
            return opened(&format!("`{path}`, with a `{text}`"));
        }
    }
    for ty in texts.iter().flat_map(|it| closures_in(it)) {
        match program.body_of(ty) {
            Some(id) => runs.push(id),
            None => return opened(&format!("a closure that `{path}` is given")),
        }
    }
    let types = call
        .arguments
        .iter()
        .filter_map(Operand::place)
        .chain([&call.into])
        .filter_map(|it| function.type_of(it));
    // An inherent method of a type of another crate, such as a slice.
    let callee_text = call.callee.replace("<impl ", "<");
    // What a closure has captured is dropped with it.
    let captured = runs.iter().flat_map(|it| {
        program.function(*it).body.variables.iter().filter_map(|(_, place)| place.stated_type())
    });
    let types = program.types_within(types.chain(captured).chain([callee_text.as_str()]));
    let traits = types.map_or(Traits::All, |it| Traits::Of(it, shows(call, path)));
    Step { own: Effect::default(), runs, traits }
}

/// What the `poll` at the end of a block does.
fn polling(program: &Program, function: &Function, block: BlockId) -> Step {
    let Some(slot) = function.polled(block) else {
        return Step { own: Effect::waiting("a future that is not known"), ..Step::default() };
    };
    if let Some(Definition::Called(made)) = function.producer(&slot)
        && let Some((call, _)) = function.call(made)
        && request_of(program.callee_path(function, made)).is_some_and(|(_, it)| it == Waits::Task)
    {
        let requests = class_of(program, function, call).into_iter().collect();
        return Step { own: Effect { requests, ..Effect::default() }, ..Step::default() };
    }
    match program.machine_in(function, &slot) {
        Some(id) => Step { runs: vec![id], ..Step::default() },
        None => Step { own: Effect::waiting("a future of another crate"), ..Step::default() },
    }
}

/// Whether this is a closure of another crate, which is named by its path and not by its place, or the state machine of an `async fn`
/// of one.
fn is_of_others(program: &Program, ty: &str) -> bool {
    if ty.strip_prefix("{closure@").is_some_and(|it| it.contains("::{closure#")) {
        return !ty.contains(".rs:");
    }
    let path = ty.strip_prefix("{async fn body of ").and_then(|it| it.strip_suffix("()}"));
    path.is_some_and(|it| !program.knows_function(Callee::read(it).name()))
}

/// The types of closures and state machines that a text names.
fn closures_in(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('{').map(|it| at + it) {
        let mut depth = 0;
        let mut end = text.len();
        for (offset, char) in text[open..].char_indices() {
            depth += i32::from(char == '{') - i32::from(char == '}');
            if depth == 0 {
                end = open + offset + 1;
                break;
            }
        }
        let ty = &text[open..end];
        if ["{closure@", "{async", "{coroutine", "{gen"].iter().any(|it| ty.starts_with(it)) {
            found.push(ty);
        }
        at = end.max(open + 1);
    }
    found
}

/// Whether a function of std may show what it is given, in a message or elsewhere. That of a poisoned lock does not show the value.
fn shows(call: &Call, path: &str) -> bool {
    let unwraps = matches!(last(path), "unwrap" | "expect" | "unwrap_err" | "expect_err");
    unwraps && !call.callee.contains("PoisonError<")
        || ["fmt", "format", "print", "panic", "Formatter", "Argument", "to_string"]
            .iter()
            .any(|it| path.contains(it))
}

/// Whether a constant is the name of a function.
pub(super) fn is_function(text: &str) -> bool {
    let is_value =
        text.starts_with(|it: char| it.is_ascii_digit() || matches!(it, '"' | '\'' | '-' | '(' | '{' | '['));
    !is_value
        && !matches!(text, "true" | "false")
        && !text.contains(": ")
        && text.contains("::")
        && !text.contains("::{constant")
        && text.rsplit("::").next().is_some_and(|it| it.starts_with(char::is_lowercase))
}
