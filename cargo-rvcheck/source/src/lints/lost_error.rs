//! `lost-error`: the result of a task is a `Result` that nobody can read.
//!
//! Two ways to lose it are told: the handle is dropped on every path before anything was done with it, or the task is joined and
//! only the outer `Result` is looked at, which says whether the task panicked. A handle or result that is stored, passed on,
//! returned or borrowed counts as read. So does the result of a task that was aborted in the same body, and of one that looks at
//! its own result before it returns it.

use super::{Certainty, Hit};
use crate::flow::Slot;
use crate::flow::fate::{Fate, fates};
use crate::flow::mark::{await_mark, call_mark};
use crate::flow::paths::Paths;
use crate::flow::reading::is_read;
use crate::flow::text::{arguments, head, last};
use crate::flow::{Definition, Function, FunctionId, Kind, Program};
use crate::mir::{BlockId, Local, Operand, Place, Rvalue, Statement};

/// The id of the property.
pub(super) const PROPERTY: &str = "lost-error";

/// Finds such results.
pub(super) fn check(program: &Program) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (id, function) in program.functions().filter(|(_, it)| it.kind != Kind::Constant) {
        let paths = Paths::of(function);
        for (block, call, callee) in function.calls() {
            let ty = function.type_of(&call.into).unwrap_or_default();
            if let Some(error) = handle_of_result(ty).filter(|_| callee.name().starts_with("spawn")) {
                hits.extend(dropped(program, id, &paths, block, error));
            } else if callee.is_trait("Future", "poll") || is_thread_join(&callee.path, ty) {
                hits.extend(half_read(program, id, block, &call.into, ty));
            }
        }
    }
    hits
}

/// The error type of a task whose handle this is.
fn handle_of_result(ty: &str) -> Option<&str> {
    let handle = ["tokio::task::JoinHandle", "std::thread::JoinHandle"].contains(&head(ty).as_str());
    error_of(arguments(ty).first().filter(|_| handle)?)
}

/// The error type of a `Result` that can be an error.
fn error_of(ty: &str) -> Option<&str> {
    let error = *arguments(ty).get(1).filter(|_| last(&head(ty)) == "Result")?;
    (!matches!(last(&head(error)), "Infallible" | "!")).then_some(error)
}

fn is_thread_join(path: &str, ty: &str) -> bool {
    last(path) == "join" && ty.contains("dyn std::any::Any") && path.contains("JoinHandle")
}

/// The handle that the call returns, if it is dropped on every path and the task can fail.
fn dropped(program: &Program, id: FunctionId, paths: &Paths, block: BlockId, error: &str) -> Option<Hit> {
    let function = program.function(id);
    let fates = fates(function, paths, block);
    if fates.is_empty() || !fates.iter().all(|it| matches!(it, Fate::Dropped(_))) {
        return None;
    }
    let (call, _) = function.call(block)?;
    let task = call.arguments.iter().find_map(|it| program.body_of(function.type_of(it.place()?)?));
    if task.map(|it| program.function(it)).is_some_and(|it| cannot_fail(it) || looks_at_its_result(it)) {
        return None;
    }
    Some(Hit {
        property: PROPERTY,
        certainty: Certainty::Usually,
        message: format!(
            "if this task fails, nobody notices: its handle is dropped, and with it the `{}`",
            last(&head(error))
        ),
        primary: (call_mark(program, id, block), "spawned here".to_owned()),
        related: Vec::new(),
        advice: "Keep the handle and await it, or handle the error inside the task.".to_owned(),
    })
}

/// The places that hold what a state machine or closure returns.
fn returned(task: &Function) -> Vec<Slot> {
    let mut found = Vec::new();
    for (_, block) in task.blocks().filter(|(_, it)| !it.cleanup) {
        for statement in &block.statements {
            let Statement::Assign(into, Rvalue::Made(name, operands)) = statement else { continue };
            if into.local.0 == 0 && name.ends_with("::Ready") {
                found.extend(operands.first().and_then(Operand::place).map(Slot::at));
            }
        }
    }
    if task.kind == Kind::Closure {
        found.push(Slot::of(Local(0)));
    }
    // What is moved there from elsewhere.
    let mut at = 0;
    while at < found.len() && at < 64 {
        let slot = found[at].clone();
        for &definition in task.definitions(&slot) {
            if let Some(Rvalue::Use(Operand::Place(from))) = task.assigned(definition) {
                let from = Slot::at(from);
                if from.steps.len() == task.root(&from) && !found.contains(&from) {
                    found.push(from);
                }
            }
        }
        at += 1;
    }
    found
}

/// Whether all that the task returns is made as `Ok`.
fn cannot_fail(task: &Function) -> bool {
    let slots = returned(task);
    let known = |definition: Definition| match task.assigned(definition) {
        Some(Rvalue::Made(name, _)) => name.ends_with("::Ok"),
        Some(Rvalue::Use(Operand::Place(from))) => slots.contains(&Slot::at(from)),
        _ => false,
    };
    let mut definitions = slots.iter().flat_map(|it| task.definitions(it)).peekable();
    definitions.peek().is_some() && definitions.all(|&it| known(it))
}

/// Whether the task looks at what it returns, as one that writes its error to a log does.
fn looks_at_its_result(task: &Function) -> bool {
    let slots = returned(task);
    let is_it = |place: &Place| slots.contains(&Slot::at(place));
    task.blocks().filter(|(_, it)| !it.cleanup).flat_map(|(_, it)| &it.statements).any(|it| match it {
        Statement::Assign(_, Rvalue::Reference(of, _) | Rvalue::Discriminant(of)) => is_it(of),
        _ => false,
    })
}

/// The type of the `Result` that a task returned, in what joining it gave: `Result<T, E>` in a type in which
/// `Result<…Result<T, E>…, JoinError>` occurs.
fn inner_result(ty: &str) -> Option<String> {
    if last(&head(ty)) == "Result" {
        let both = arguments(ty);
        let (ok, error) = (both.first()?, both.get(1)?);
        let outer = last(&head(error)) == "JoinError" || error.contains("dyn std::any::Any");
        if outer {
            return first_result(ok);
        }
    }
    arguments(ty).into_iter().find_map(inner_result)
}

/// The first `Result` in a tuple or by itself.
fn first_result(ty: &str) -> Option<String> {
    if error_of(ty).is_some() {
        return Some(ty.to_owned());
    }
    ty.starts_with('(').then(|| arguments(ty).into_iter().find_map(first_result)).flatten()
}

/// What joining a task gave, if only whether it panicked is looked at.
fn half_read(program: &Program, id: FunctionId, block: BlockId, into: &Place, ty: &str) -> Option<Hit> {
    let function = program.function(id);
    let inner = inner_result(ty)?;
    let aborts = function.calls().any(|(_, _, callee)| callee.name().starts_with("abort"));
    if aborts || is_read(function, Slot::at(into), &inner) {
        return None;
    }
    Some(Hit {
        property: PROPERTY,
        certainty: Certainty::Usually,
        message:
            "whether the task panicked is looked at, but not the `Result` that it returned: its error is lost"
                .to_owned(),
        primary: (await_mark(program, id, block), "the result is taken here".to_owned()),
        related: Vec::new(),
        advice: "Look at the inner `Result` too, as in `handle.await??`.".to_owned(),
    })
}
