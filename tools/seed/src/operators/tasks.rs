//! Operators on tasks, channels and permits: what nobody ends, gives back or drops.

use super::syntax::{blocks, dropped, left_out, range, text};
use super::{Edits, Source};
use ra_ap_syntax::ast::{self, AstNode, HasLoopBody};

fn sends(name: &str) -> bool {
    name.contains("tx") || name.contains("sender") || name.contains("send")
}

/// A sender is not dropped before the end of its block.
pub(super) fn keep_sender(source: &Source<'_>) -> Vec<Edits> {
    left_out(source.root, |it| dropped(it).is_some_and(sends))
}

/// A permit is forgotten where it is dropped.
pub(super) fn forget_permit(source: &Source<'_>) -> Vec<Edits> {
    let statements = blocks(source.root).flatten();
    statements
        .filter_map(|it| {
            let whole = text(it.syntax());
            let permit = dropped(&whole).filter(|it| it.contains("permit"))?;
            Some(vec![(range(it.syntax()), format!("{permit}.forget();"))])
        })
        .collect()
}

/// A permit that was forgotten is not given back.
pub(super) fn keep_permits(source: &Source<'_>) -> Vec<Edits> {
    left_out(source.root, |it| it.contains(".add_permits(") && !it.contains('{') && !it.starts_with("let "))
}

/// A task is not aborted, or not told to stop.
pub(super) fn leave_out_abort(source: &Source<'_>) -> Vec<Edits> {
    left_out(source.root, |it| {
        let ends_token = it.ends_with(".cancel();") && it.contains("token");
        ends_token || it.ends_with(".abort();") || it.ends_with(".abort_all();")
    })
}

/// A loop that ended with its channel goes on.
pub(super) fn ignore_close(source: &Source<'_>) -> Vec<Edits> {
    let loops = source.root.descendants().filter_map(ast::WhileExpr::cast);
    loops
        .filter_map(|it| {
            let ast::Expr::LetExpr(condition) = it.condition()? else { return None };
            let value = text(condition.expr()?.syntax());
            let receives = [".recv().await", ".recv()", ".next().await", ".recv_async().await"]
                .iter()
                .any(|end| value.ends_with(end));
            let in_task = it.syntax().ancestors().any(|it| {
                ast::CallExpr::cast(it)
                    .and_then(|it| it.expr())
                    .is_some_and(|it| text(it.syntax()).contains("spawn"))
            });
            (receives && in_task).then_some(())?;
            let body = text(it.loop_body()?.syntax());
            let new = format!("loop {{ if {} {body} }}", text(condition.syntax()));
            Some(vec![(range(it.syntax()), new)])
        })
        .collect()
}

/// A loop loses its `yield_now`.
pub(super) fn leave_out_yield(source: &Source<'_>) -> Vec<Edits> {
    left_out(source.root, |it| it.ends_with("yield_now().await;"))
}

/// A wait with a time limit loses it.
pub(super) fn wait_without_limit(source: &Source<'_>) -> Vec<Edits> {
    use ra_ap_syntax::ast::HasArgList;
    let calls = source.root.descendants().filter_map(ast::MethodCallExpr::cast);
    calls
        .filter_map(|it| {
            let name = it.name_ref()?;
            (name.text() == "recv_timeout").then_some(())?;
            let arguments = range(it.arg_list()?.syntax());
            let new = "recv().map_err(|_| ::std::sync::mpsc::RecvTimeoutError::Disconnected)";
            Some(vec![(range(name.syntax()).start..arguments.end, new.to_owned())])
        })
        .collect()
}
