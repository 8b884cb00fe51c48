//! A blocking sleep becomes an await of the runtime's timer.

use super::Change;
use super::tree::{Tree, is_async, range};
use ra_ap_syntax::ast::{self, AstNode, HasArgList};

/// How the function is called in programs.
const SPELLINGS: [&str; 4] = ["std::thread::sleep", "::std::thread::sleep", "thread::sleep", "sleep"];

/// The change at the call at this offset, whose task is one of tokio's, for sure or not.
pub(super) fn change(tree: &Tree<'_>, at: usize, is_sure: bool) -> Option<Change> {
    let word = tree.word(at)?;
    let path = word.parent_ancestors().find_map(ast::PathExpr::cast)?;
    let call = ast::CallExpr::cast(path.syntax().parent()?)?;
    let is_callee = call.expr().is_some_and(|it| it.syntax() == path.syntax());
    let spelled: String = path.syntax().text().to_string().split_whitespace().collect();
    if !is_callee || !SPELLINGS.contains(&spelled.as_str()) || call.arg_list()?.args().count() != 1 {
        return None;
    }
    if !is_async(call.syntax()) {
        return None;
    }
    let end = range(call.syntax()).end;
    Some(Change {
        message: "use the timer of the runtime".to_owned(),
        is_sure,
        edits: vec![(range(path.syntax()), "tokio::time::sleep".to_owned()), (end..end, ".await".to_owned())],
    })
}
