//! What the terminator of one block can do by itself, and which bodies it runs.

use super::class::class_of;
use super::effect::Effect;
use super::erased::{Behind, Erased};
use super::known::{manner_of, own_types_in, types_in};
use super::shown::{is_erased, shown};
use super::values::{Use, Values};
use crate::body::by_name::holds_by;
use crate::body::text::{head, is_of_std, last};
use crate::body::{Callee, Definition, Function, FunctionId};
use crate::mir::{BlockId, Call, Operand, Terminator};
use crate::program::Program;
use crate::program::blocking::wait_of;
use crate::program::locks::{Waits, request_of};
use rvcheck_primitives::Holds;
use rvcheck_primitives::code::functions::{Manner, is_harmless, is_spawn, may_wait, wakes};
use std::collections::BTreeSet;

/// What one call or drop does by itself, and which bodies it runs.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockEffect {
    pub(super) own: Effect,
    pub(super) runs: Vec<FunctionId>,
    /// It may run what the workspace implements for these traits.
    pub(super) traits: Traits,
}

/// Which methods of traits some other code may call.
#[derive(Clone, Debug, Default)]
pub(super) struct Traits {
    /// Those of these types of the workspace.
    pub(super) types: BTreeSet<String>,
    /// Those that show a value, too.
    pub(super) to_show: bool,
    /// Those of all types to which something may be written that is shown or hashed.
    pub(super) to_write: bool,
}

impl BlockEffect {
    fn opened(by: impl Into<String>) -> BlockEffect {
        BlockEffect { own: Effect::opened(by), ..BlockEffect::default() }
    }

    /// What comes of values, for which `why` stands where they have something in them that is not known.
    fn with(values: Values, to_show: bool, why: impl FnOnce(&str) -> String) -> BlockEffect {
        if let Some(unknown) = &values.unknown {
            return BlockEffect::opened(why(unknown));
        }
        let traits = Traits { types: values.types, to_show, to_write: to_show };
        BlockEffect { own: Effect::default(), runs: values.runs.into_iter().collect(), traits }
    }

    /// Takes in what is done besides.
    fn and(mut self, other: BlockEffect) -> BlockEffect {
        self.own.join(&other.own);
        self.runs.extend(other.runs);
        self.traits.types.extend(other.traits.types);
        self.traits.to_show |= other.traits.to_show;
        self.traits.to_write |= other.traits.to_write;
        self
    }
}

/// What the terminator of a block does.
pub(super) fn step(program: &Program, erased: Erased, function: &Function, block: BlockId) -> BlockEffect {
    let harmless = BlockEffect::default();
    let Some(of) = function.body.block(block) else { return harmless };
    match &of.terminator {
        Terminator::Drop { place, .. } => dropping(program, erased, function.type_of(place)),
        Terminator::Call(call) => function
            .call(block)
            .map_or(harmless, |(_, callee)| calling(program, erased, function, block, call, callee)),
        _ => harmless,
    }
}

fn dropping(program: &Program, erased: Erased, ty: Option<&str>) -> BlockEffect {
    let Some(ty) = ty else { return BlockEffect::opened("a drop of something") };
    let values = Values::of(program, erased, Use::Drop, [ty]);
    BlockEffect::with(values, false, |unknown| format!("the drop of a `{ty}`, with {unknown}"))
}

fn calling(
    program: &Program,
    erased: Erased,
    function: &Function,
    block: BlockId,
    call: &Call,
    callee: &Callee,
) -> BlockEffect {
    if callee.is_trait("Future", "poll") {
        return polling(program, function, block);
    }
    let path = program.callee_path(function, block);
    match request_of(path) {
        Some((_, Waits::Thread)) => {
            let requests = class_of(program, function, call).into_iter().collect();
            return BlockEffect { own: Effect { requests, ..Effect::default() }, ..BlockEffect::default() };
        }
        // It is requested when it is polled.
        Some((_, Waits::Task)) => return BlockEffect::default(),
        None => {}
    }
    if path.is_empty() {
        return BlockEffect::opened("a function pointer");
    }
    let is_lazy = callee.of_trait.as_deref() == Some("Deref")
        && callee.self_type.as_deref().is_some_and(|it| holds_by(it) == Some(Holds::Lazy));
    if wait_of(path).is_some() || may_wait(path) || is_lazy {
        return BlockEffect { own: Effect::waiting(path), ..BlockEffect::default() };
    }
    if let Some(id) = program.called(function, block) {
        return BlockEffect { runs: vec![id], ..BlockEffect::default() };
    }
    if callee.hands_on() {
        return handing_on(program, erased, callee);
    }
    let types = types_in(&call.callee);
    if is_spawn(path) {
        // It is dropped at once where nothing can be started.
        let values = Values::of(program, erased, Use::Drop, types);
        return BlockEffect::with(values, false, |it| format!("`{path}`, with {it},"));
    }
    let manner = if is_harmless(path) && !(erased.has(Behind::Wakers) && wakes(path)) {
        Some(Manner::Uses)
    } else {
        manner_of(program, callee, path)
    };
    let Some(manner) = manner else { return BlockEffect::opened(format!("`{path}`")) };
    let given = call.arguments.iter().filter_map(Operand::place).map(|it| function.type_of(it));
    let Some(given) = given.collect::<Option<Vec<&str>>>() else {
        return BlockEffect::opened(format!("`{path}`, with what is not known,"));
    };
    if erased.has(Behind::Streams) && matches!(last(path), "_print" | "_eprint") {
        return BlockEffect { own: Effect::waiting(path), ..BlockEffect::default() };
    }
    let (behind, given): (Vec<&str>, Vec<&str>) = given.into_iter().partition(|it| is_erased(it));
    let (how, of_callee) = match manner {
        Manner::Moves => (Use::Any, own_types_in(&call.callee)),
        Manner::Drops => (Use::Drop, types),
        Manner::Uses if callee.is_trait("Hash", "hash") => (Use::Any, callee_self(&call.callee)),
        Manner::Uses => (Use::Any, types),
        Manner::Shows => (Use::Show, shown_by(path, &types)),
        Manner::Writes => (Use::Show, Vec::new()),
    };
    let to_show = matches!(manner, Manner::Shows | Manner::Writes);
    let hashes = callee.is_trait("Hash", "hash");
    let all_given = if manner == Manner::Uses && !hashes { given } else { Vec::new() };
    let of_callee = of_callee.into_iter().filter(|it| !is_erased(it));
    let values = Values::of(program, erased, how, of_callee.chain(all_given));
    let mut step = BlockEffect::with(values, to_show, |it| format!("`{path}`, with {it},"));
    step.traits.to_write |= manner == Manner::Writes || hashes;
    if manner == Manner::Moves {
        return step;
    }
    for ty in behind {
        let Some(types) = shown(function, ty) else {
            return step
                .and(BlockEffect::opened(format!("`{path}`, with what is to be shown from elsewhere,")));
        };
        let values = Values::of(program, erased, Use::Show, types);
        step = step.and(BlockEffect::with(values, true, |it| format!("`{path}`, with {it},")));
    }
    step
}

/// What `into_future` does, which the compiler puts before each await. Only a type of the workspace can have one of its own.
fn handing_on(program: &Program, erased: Erased, callee: &Callee) -> BlockEffect {
    let Some(ty) = callee.self_type.as_deref().filter(|_| callee.name() == "into_future") else {
        return BlockEffect::default();
    };
    let is_future = ty.starts_with('{') || ty.starts_with("impl ") || holds_by(ty) == Some(Holds::Pinned);
    if is_future || !program.knows_type(last(&head(ty))) && program.head(ty).contains("::") {
        return BlockEffect::default();
    }
    let values = Values::of(program, erased, Use::Any, [ty]);
    BlockEffect::with(values, false, |it| format!("`IntoFuture::into_future`, with {it},"))
}

/// The type whose method a callee is.
fn callee_self(callee: &str) -> Vec<&str> {
    types_in(callee).into_iter().take(1).collect()
}

/// The types of what a function shows or uses, among those that it is made with.
fn shown_by<'a>(path: &str, types: &[&'a str]) -> Vec<&'a str> {
    let (of, name) = path.rsplit_once("::").unwrap_or_default();
    let is_result = of == "Result" || is_of_std(of) && last(of) == "Result";
    let of_result = is_result && matches!(name, "unwrap" | "expect");
    match types {
        // What it gives back is only moved.
        [_, error] if of_result => vec![error],
        _ => types.to_vec(),
    }
}

/// What the `poll` at the end of a block does.
fn polling(program: &Program, function: &Function, block: BlockId) -> BlockEffect {
    let Some(slot) = function.polled(block) else {
        return BlockEffect { own: Effect::waiting("a future that is not known"), ..BlockEffect::default() };
    };
    if let Some(Definition::Called(made)) = function.producer(&slot)
        && let Some((call, _)) = function.call(made)
        && request_of(program.callee_path(function, made)).is_some_and(|(_, it)| it == Waits::Task)
    {
        let requests = class_of(program, function, call).into_iter().collect();
        return BlockEffect { own: Effect { requests, ..Effect::default() }, ..BlockEffect::default() };
    }
    match program.machine_in(function, &slot) {
        Some(id) => BlockEffect { runs: vec![id], ..BlockEffect::default() },
        None => BlockEffect { own: Effect::waiting("a future of another crate"), ..BlockEffect::default() },
    }
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
