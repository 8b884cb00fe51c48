//! What the terminator of one block can do by itself, and which bodies it runs.

use super::class::{Class, class_of};
use super::effect::Effect;
use super::erased::{Behind, Erased};
use super::known::{call_effect_at, manner_of};
use super::shown::{is_erased, shown};
use super::values::{Use, Values, is_nothing};
use crate::body::walk::Lattice;
use crate::body::{Callee, Definition, Function, FunctionId};
use crate::mir::{BlockId, Call, Operand, Terminator};
use crate::program::Program;
use crate::program::locks::{Waits, request_of};
use crate::ty::{Ty, TyKind, is_of_std, last};
use rvcheck_primitives::Holds;
use rvcheck_primitives::code::functions::{Manner, stream_of};
use rvcheck_primitives::code::{CallEffect, has_lock_inside, wakes};
use std::collections::BTreeSet;

/// What one call or drop does by itself, and which bodies it runs.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockEffect {
    pub(super) own: Effect,
    pub(super) runs: Vec<FunctionId>,
    /// It may run what the workspace implements for these traits.
    pub(super) traits: Traits,
    /// What of that it runs under a lock of others that has no guard here, and which one.
    pub(super) inside: Option<Box<(Class, BlockEffect)>>,
    /// It calls something of which nothing is known, which may keep what it is given.
    pub(super) keeps: bool,
    /// The classes of locks that are held while all of that is done.
    pub(super) held: BTreeSet<Class>,
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
        let held = values.held;
        if let Some(unknown) = &values.unknown {
            let mut opened = BlockEffect { held, ..BlockEffect::opened(why(unknown)) };
            opened.own.is_indirect = values.is_indirect;
            return opened;
        }
        let traits = Traits { types: values.types, to_show, to_write: to_show };
        let own = Effect { requests: values.requested, ..Effect::default() };
        BlockEffect { own, runs: values.runs.into_iter().collect(), traits, held, ..BlockEffect::default() }
    }

    /// Takes in what is done besides.
    fn and(mut self, other: BlockEffect) -> BlockEffect {
        self.own.join(&other.own);
        self.runs.extend(other.runs);
        self.traits.types.extend(other.traits.types);
        self.traits.to_show |= other.traits.to_show;
        self.traits.to_write |= other.traits.to_write;
        self.inside = self.inside.take().or(other.inside);
        self.keeps |= other.keeps;
        self.held.extend(other.held);
        self
    }

    /// What calls something of which nothing is known.
    fn unknown(path: &str) -> BlockEffect {
        let mut unknown = BlockEffect { keeps: true, ..BlockEffect::opened(format!("`{path}`")) };
        unknown.own.is_indirect = false;
        unknown
    }

    fn requesting(class: Option<Class>) -> BlockEffect {
        let own = Effect { requests: class.into_iter().collect(), ..Effect::default() };
        BlockEffect { own, ..BlockEffect::default() }
    }

    fn waiting(on: &str) -> BlockEffect {
        BlockEffect { own: Effect::waiting(on), ..BlockEffect::default() }
    }

    /// All of that is done under a lock of that class, which is requested for it.
    fn under(mut self, class: Option<Class>) -> BlockEffect {
        let Some(class) = class else { return BlockEffect::opened("what takes a lock of no known class") };
        let inner = self.clone();
        self.own.requests.insert(class.clone());
        self.inside = Some(Box::new((class, inner)));
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

fn dropping(program: &Program, erased: Erased, ty: Option<Ty>) -> BlockEffect {
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
    callee: Callee,
) -> BlockEffect {
    if callee.is_poll() {
        return polling(program, erased, function, block);
    }
    let path = callee.path();
    match request_of(callee) {
        Some((_, Waits::Thread)) => return BlockEffect::requesting(class_of(program, function, call)),
        // It is requested when it is polled.
        Some((_, Waits::Task)) => return BlockEffect::default(),
        None => {}
    }
    if path.is_empty() {
        return BlockEffect { keeps: true, ..BlockEffect::opened("a function pointer") };
    }
    let is_lazy = callee.of_trait() == Some("Deref")
        && callee.self_type().is_some_and(|it| it.holds() == Some(Holds::Lazy));
    if is_lazy {
        return BlockEffect::waiting(path);
    }
    if let Some(id) = program.called(function, block) {
        return BlockEffect { runs: vec![id], ..BlockEffect::default() };
    }
    if callee.hands_on() {
        return handing_on(program, erased, callee);
    }
    let types = callee.types().iter().copied();
    let mut is_inside = false;
    let call_effect = call_effect_at(program, path);
    let manner = match call_effect {
        Some(CallEffect::Waits) => return BlockEffect::waiting(path),
        Some(CallEffect::Starts) => {
            // It is dropped at once where nothing can be started.
            let values = Values::of(program, erased, Use::Drop, types);
            return BlockEffect::with(values, false, |it| format!("`{path}`, with {it},"));
        }
        Some(CallEffect::Unknown | CallEffect::Registers) => None,
        Some(_) if erased.has(Behind::Wakers) && wakes(path) => None,
        Some(CallEffect::AtOnce(Manner::Moves)) => return BlockEffect::default(),
        Some(CallEffect::Inside(manner)) => {
            is_inside = true;
            Some(manner)
        }
        Some(CallEffect::AtOnce(manner)) => Some(manner),
        None if stream_of(path).is_some() => Some(Manner::Shows),
        None => manner_of(program, callee, path),
    };
    let Some(manner) = manner else {
        let keeps = call_effect == Some(CallEffect::Registers)
            || call_effect.is_none() && is_elsewhere(program, callee, path);
        let mut unknown = BlockEffect { keeps, ..BlockEffect::unknown(path) };
        // What implements a trait of the workspace, or of another crate for a type that is not known, may be its own.
        unknown.own.is_indirect = !keeps || callee.of_trait().is_some();
        return unknown;
    };
    let done = done_with(program, erased, function, call, callee, path, manner);
    if is_inside {
        return done.under(class_of(program, function, call));
    }
    match stream_of(path) {
        Some(stream) => done.under(Some(stream.to_owned())),
        None => done,
    }
}

/// Whether a function of which nothing is known is of another crate than std, or of another language, so that it may keep what it is given
/// and call it at any time. What std keeps is known.
fn is_elsewhere(program: &Program, callee: Callee, path: &str) -> bool {
    let of = callee.trait_path().unwrap_or(path);
    !is_of_std(of) && !of.starts_with("test::") && !program.knows_trait(of)
}

/// What a function does with what it is given, of which it is known how.
fn done_with(
    program: &Program,
    erased: Erased,
    function: &Function,
    call: &Call,
    callee: Callee,
    path: &str,
    manner: Manner,
) -> BlockEffect {
    let types = callee.types();
    let given = call.places().map(|it| function.type_of(it));
    let Some(given) = given.collect::<Option<Vec<Ty>>>() else {
        return BlockEffect::opened(format!("`{path}`, with what is not known,"));
    };
    if erased.has(Behind::Streams) && stream_of(path).is_some() {
        return BlockEffect::waiting(path);
    }
    if makes_of_nothing(callee, call, &given) {
        return BlockEffect::default();
    }
    let (behind, given): (Vec<Ty>, Vec<Ty>) = given.into_iter().partition(|it| is_erased(*it));
    let (how, of_callee) = match manner {
        Manner::Moves => (Use::Any, callee.generics()),
        Manner::Drops => (Use::Drop, types),
        Manner::Uses if callee.is_trait("Hash", "hash") => (Use::Any, &types[..types.len().min(1)]),
        Manner::Uses => (Use::Any, types),
        Manner::Shows => (Use::Show, shown_by(callee)),
        Manner::Writes => (Use::Show, &[][..]),
    };
    let to_show = matches!(manner, Manner::Shows | Manner::Writes);
    let hashes = callee.is_trait("Hash", "hash");
    let all_given = if manner == Manner::Uses && !hashes { given } else { Vec::new() };
    let of_callee = of_callee.iter().copied().filter(|it| !is_erased(*it));
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
fn handing_on(program: &Program, erased: Erased, callee: Callee) -> BlockEffect {
    let Some(ty) = callee.self_type().filter(|_| callee.name() == "into_future") else {
        return BlockEffect::default();
    };
    let is_future = ty.is_body() || ty.kind() == TyKind::Impl || ty.holds() == Some(Holds::Pinned);
    if is_future || !program.knows_type(ty.name()) && program.head(ty).contains("::") {
        return BlockEffect::default();
    }
    let values = Values::of(program, erased, Use::Any, [ty]);
    BlockEffect::with(values, false, |it| format!("`IntoFuture::into_future`, with {it},"))
}

/// The types of what a function shows or uses, among those that it is made with.
fn shown_by(callee: Callee) -> &'static [Ty] {
    let of = callee.path().rsplit_once("::").map_or("", |it| it.0);
    let is_result = of == "Result" || is_of_std(of) && last(of) == "Result";
    match callee.types() {
        // What it gives back is only moved.
        [_, error @ ..] if error.len() == 1 && is_result && callee.unwraps() => error,
        types => types,
    }
}

/// Whether a function makes a value of its type out of nothing that has code: `Vec::new`, `HashMap::with_capacity`.
fn makes_of_nothing(callee: Callee, call: &Call, given: &[Ty]) -> bool {
    let is_value = |it: &Operand| match it {
        Operand::Place(_) => true,
        Operand::Constant(text) => {
            let text = text.trim_start_matches("ZeroSized: ");
            !text.starts_with('{') && !is_function(text)
        }
    };
    callee.of_trait().is_none()
        && callee.generics().is_empty()
        && given.iter().all(|it| is_nothing(*it))
        && call.arguments.iter().all(is_value)
}

/// What the `poll` at the end of a block does.
fn polling(program: &Program, erased: Erased, function: &Function, block: BlockId) -> BlockEffect {
    let Some(slot) = function.polled(block) else {
        return BlockEffect::waiting("a future that is not known");
    };
    let made = match function.producer(&slot) {
        Some(Definition::Called(made)) => function.call(made),
        _ => None,
    };
    if let Some((call, callee)) = made {
        let path = callee.path();
        if request_of(callee).is_some_and(|(_, it)| it == Waits::Task) {
            return BlockEffect::requesting(class_of(program, function, call));
        }
        if callee.row().is_some_and(|it| has_lock_inside(it.owner)) {
            // Messages are copied and dropped, and conditions asked, under that lock.
            let given = call.places().filter_map(|it| function.type_of(it));
            let types = callee.types().iter().copied().chain(given);
            let values = Values::of(program, erased, Use::Any, types);
            let used = BlockEffect::with(values, false, |it| format!("`{path}`, with {it},"));
            let inside = used.under(class_of(program, function, call)).inside;
            return BlockEffect { inside, ..BlockEffect::waiting(path) };
        }
    }
    match program.machine_in(function, &slot) {
        Some(id) => BlockEffect { runs: vec![id], ..BlockEffect::default() },
        None => BlockEffect::waiting("a future of another crate"),
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
