//! Operators that keep the thread of a task.

use super::syntax::{front, functions};
use super::{Edits, Source};
use ra_ap_syntax::SyntaxNode;
use ra_ap_syntax::ast;

const SLEEP: &str = "::std::thread::sleep(::std::time::Duration::from_millis(20));";

fn async_functions(root: &SyntaxNode) -> impl Iterator<Item = ast::Fn> {
    functions(root).filter(|it| it.async_token().is_some())
}

/// An async function sleeps, and its thread with it.
pub(super) fn block_in_async(source: &Source<'_>) -> Vec<Edits> {
    let all = async_functions(source.root).filter_map(|it| front(&it));
    all.map(|at| vec![(at..at, format!(" {SLEEP}"))]).collect()
}

/// An async function waits for a message of a thread, in a function that it calls.
pub(super) fn block_in_helper(source: &Source<'_>) -> Vec<Edits> {
    let helper = " fn settled() -> u32 { let (give, take) = ::std::sync::mpsc::channel(); \
                  ::std::thread::spawn(move || give.send(1_u32)); take.recv().unwrap_or_default() } \
                  let _ = settled();";
    let all = async_functions(source.root).filter_map(|it| front(&it));
    all.map(|at| vec![(at..at, helper.to_owned())]).collect()
}
