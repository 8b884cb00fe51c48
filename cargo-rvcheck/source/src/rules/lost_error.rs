//! `lost-error`: the result of a task is a `Result` that nobody can read.
//!
//! Three ways to lose it are reported. The handle is dropped on every path before anything was done with it. The task is joined and
//! nothing is looked at, or only the outer `Result`, which says whether the task panicked. Or a pattern asks for the `Ok` of the inner
//! one, and nothing is done where it is an `Err`: both ways go on in the same place at once. A handle or result that is stored, passed
//! on, returned or borrowed counts as read. So does the result of a task that was aborted in the same body, and of one that looks at
//! its own result before it returns it.

use super::{Certainty, Hit, Rule};
use crate::ended::{Said, said_by, said_by_result};
use crate::facts::Facts;
use crate::flow::Slot;
use crate::flow::code_ref::{await_ref, call_ref};
use crate::flow::fate::{Fate, fates};
use crate::flow::idle::{Branch, passes_over};
use crate::flow::paths::Paths;
use crate::flow::provenance::source;
use crate::flow::reading::{Looked, looked_at};
use crate::flow::text::{arguments, head, last, referent};
use crate::flow::{Definition, Function, FunctionId, Kind, Program};
use crate::mir::{BlockId, Local, Operand, Place, Rvalue, Statement};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "lost-error",
    property: "lost-error",
    doc: "An error is discarded that nobody can read any more.",
    check,
};

/// Finds such results.
fn check(facts: &Facts<'_>) -> Vec<Hit> {
    let program = facts.program;
    let mut hits = Vec::new();
    for (id, function) in program.functions().filter(|(_, it)| it.kind != Kind::Constant) {
        let paths = Paths::of(function);
        for (block, call, callee) in function.calls() {
            let ty = function.type_of(&call.into).unwrap_or_default();
            if callee.name().starts_with("spawn") && is_handle_of_result(ty) {
                hits.extend(dropped(program, id, &paths, block));
            } else if callee.is_trait("Future", "poll") || is_thread_join(&callee.path, ty) {
                hits.extend(half_read(program, id, &paths, block, ty));
            }
        }
    }
    hits
}

/// Whether this is the handle of a task that can fail.
fn is_handle_of_result(ty: &str) -> bool {
    let handles = ["tokio::task::JoinHandle", "std::thread::JoinHandle", "std::thread::ScopedJoinHandle"];
    let is_handle = handles.contains(&head(ty).as_str());
    is_handle && arguments(ty).first().is_some_and(|it| error_of(it).is_some())
}

/// How sure it is that something is lost with the error of such a `Result`: it may only say that somebody ended the task.
fn certainty(result: &str) -> Certainty {
    if said_by_result(result).is_some() { Certainty::Doubt } else { Certainty::Usually }
}

/// The error type of a `Result` that can be an error.
fn error_of(ty: &str) -> Option<&str> {
    let error = *arguments(ty).get(1).filter(|_| last(&head(ty)) == "Result")?;
    if said_by(error) == Some(Said::Ended) {
        return error_of(arguments(ty).first()?);
    }
    (!matches!(last(&head(error)), "Infallible" | "!")).then_some(error)
}

/// The type of what a thread panicked with, `dyn std::any::Any`, as it is written with and without a shim for `std`.
const PAYLOAD: &str = "std::any::Any";

fn is_thread_join(path: &str, ty: &str) -> bool {
    last(path) == "join" && ty.contains(PAYLOAD) && path.contains("JoinHandle")
}

/// The handle that the call returns, if it is dropped on every path and the task can fail.
fn dropped(program: &Program, id: FunctionId, paths: &Paths, block: BlockId) -> Option<Hit> {
    let function = program.function(id);
    let fates = fates(function, paths, block);
    if fates.is_empty() || !fates.iter().all(|it| matches!(it, Fate::Dropped(_))) {
        return None;
    }
    let (call, _) = function.call(block)?;
    let result = *arguments(function.type_of(&call.into)?).first()?;
    let task = call.arguments.iter().find_map(|it| program.body_of(function.type_of(it.place()?)?));
    if task.is_some_and(|it| speaks_for_itself(program.function(it))) {
        return None;
    }
    // What is not known may report its error itself.
    let certainty = if task.is_some() { certainty(result) } else { Certainty::Doubt };
    Some(Hit {
        certainty,
        message: "if this task fails, nobody notices: its handle is dropped, and its error with it"
            .to_owned(),
        primary: (call_ref(program, id, block), "spawned here".to_owned()),
        related: Vec::new(),
        advice: "keep the handle and await it, or handle the error inside the task".to_owned(),
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

/// Whether nobody has to look at what the task returns.
fn speaks_for_itself(task: &Function) -> bool {
    cannot_fail(task) || looks_at_its_result(task)
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
    let inspected = slots.iter().flat_map(|it| task.definitions(it)).any(|it| match it {
        Definition::Called(block) => task.call(*block).is_some_and(|(_, it)| it.name() == "inspect_err"),
        Definition::Assigned(..) => false,
    });
    inspected
        || task.blocks().filter(|(_, it)| !it.cleanup).flat_map(|(_, it)| &it.statements).any(|it| match it {
            Statement::Assign(_, Rvalue::Reference(of, _) | Rvalue::Discriminant(of)) => is_it(of),
            _ => false,
        })
}

/// What joining a task gave, and the `Result` that the task returned in it, as types: `Result<…Result<T, E>…, JoinError>` and
/// `Result<T, E>`.
fn joined_result(ty: &str) -> Option<(String, String)> {
    if last(&head(ty)) == "Result" {
        let both = arguments(ty);
        let (ok, error) = (both.first()?, both.get(1)?);
        let outer = last(&head(error)) == "JoinError" || error.contains(PAYLOAD);
        if outer {
            return Some((ty.to_owned(), first_result(ok)?));
        }
    }
    arguments(ty).into_iter().find_map(joined_result)
}

/// What `JoinSet::join_all` gave, and the `Result` of a task in it, as types.
fn all_of_set(program: &Program, function: &Function, poll: BlockId, ty: &str) -> Option<(String, String)> {
    let all = *arguments(ty).first().filter(|it| last(&head(it)) == "Vec")?;
    let one = *arguments(all).first().filter(|it| error_of(it).is_some())?;
    let made = source(function, &function.polled(poll)?)?;
    let of_set = program.callee_path(function, made).ends_with("JoinSet::join_all");
    of_set.then(|| (all.to_owned(), one.to_owned()))
}

/// The first `Result` in a tuple or by itself.
fn first_result(ty: &str) -> Option<String> {
    if error_of(ty).is_some() {
        return Some(ty.to_owned());
    }
    ty.starts_with('(').then(|| arguments(ty).into_iter().find_map(first_result)).flatten()
}

/// Whether all tasks of the program that return a `Result` of that type speak for themselves, if there are some.
fn all_speak(program: &Program, result: &str) -> bool {
    let mut tasks = Vec::new();
    for (_, function) in program.functions() {
        for (_, call, _) in function.calls().filter(|(.., callee)| callee.name().starts_with("spawn")) {
            let places = || call.arguments.iter().filter_map(Operand::place).chain([&call.into]);
            let types = || places().filter_map(|it| function.type_of(it));
            let of_result = |it: &str| {
                let ty = referent(it).unwrap_or(it);
                matches!(last(&head(ty)), "JoinHandle" | "JoinSet") && arguments(ty).first() == Some(&result)
            };
            if types().any(of_result) {
                tasks.push(types().find_map(|it| program.body_of(it)));
            }
        }
    }
    let speaks = |it: &Option<FunctionId>| it.is_some_and(|it| speaks_for_itself(program.function(it)));
    !tasks.is_empty() && tasks.iter().all(speaks)
}

/// What joining a task gave, if nothing is done with the error that the task returned.
fn half_read(program: &Program, id: FunctionId, paths: &Paths, block: BlockId, ty: &str) -> Option<Hit> {
    let function = program.function(id);
    let (outer, inner) = joined_result(ty).or_else(|| all_of_set(program, function, block, ty))?;
    let (call, _) = function.call(block)?;
    let Looked::AtVariant(branches) = looked_at(function, Slot::at(&call.into), &inner) else { return None };
    let aborts = function.calls().any(|(_, _, callee)| callee.name().starts_with("abort"));
    if aborts || all_speak(program, &inner) {
        return None;
    }
    let by_pattern = !branches.is_empty();
    // Of a `()` nothing is lost that the pattern does not tell.
    let is_empty = error_of(&inner) == Some("()");
    let passed_over = |at: &BlockId| passes_over(function, paths, Branch { made: block, at: *at }, 1, 0);
    if by_pattern && (is_empty || !branches.iter().all(passed_over)) {
        return None;
    }
    let is_ignored =
        matches!(looked_at(function, Slot::at(&call.into), &outer), Looked::AtVariant(it) if it.is_empty());
    let (message, advice) = if by_pattern {
        (
            "where this task returned an `Err`, nothing is done: its error is lost",
            "handle the `Err`, too: return it, or say it in a log",
        )
    } else if is_ignored {
        (
            "nothing is done with what this task returned, nor is it asked whether it panicked: its error is lost",
            "look at the outer and the inner `Result`, as in `handle.await??`",
        )
    } else {
        (
            "whether the task panicked is looked at, but not the `Result` that it returned: its error is lost",
            "look at the inner `Result` too, as in `handle.await??`",
        )
    };
    Some(Hit {
        certainty: certainty(&inner),
        message: message.to_owned(),
        primary: (await_ref(program, id, block), "the result is taken here".to_owned()),
        related: Vec::new(),
        advice: advice.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_joined_thread_gave_is_known_with_and_without_a_shim() {
        for std in ["std", "rvstd"] {
            let inner = format!("{std}::result::Result<u64, {std}::io::Error>");
            let joined = format!(
                "{std}::result::Result<{inner}, {std}::boxed::Box<dyn {std}::any::Any + {std}::marker::Send>>"
            );
            assert!(is_thread_join("std::thread::JoinHandle::join", &joined));
            assert_eq!(joined_result(&joined), Some((joined.clone(), inner)));
        }
    }
}
