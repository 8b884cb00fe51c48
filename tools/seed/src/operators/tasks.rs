//! Operators on tasks, channels and permits: what nobody ends, gives back or drops.

use super::syntax::{blocks, dropped, left_out, range, text};
use super::{Edits, Source};
use ra_ap_syntax::ast::{self, AstNode, HasLoopBody};

fn sends(name: &str) -> bool {
    name.contains("tx") || name.contains("sender") || name.contains("send")
}

/// A sender is not dropped before its receiver is asked in the same function.
pub(super) fn keep_sender(source: &Source<'_>) -> Vec<Edits> {
    let is_waited_for = |statement: &ast::Stmt, sender: &str| {
        let receiver = sender.replace("tx", "rx").replace("sender", "receiver");
        let end = range(statement.syntax()).end;
        let function = statement.syntax().ancestors().find_map(ast::Fn::cast);
        function.is_some_and(|it| source.text[end..range(it.syntax()).end].contains(&receiver))
    };
    let statements = blocks(source.root).flatten();
    statements
        .filter(|it| dropped(&text(it.syntax())).is_some_and(|name| sends(name) && is_waited_for(it, name)))
        .map(|it| vec![(range(it.syntax()), String::new())])
        .collect()
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
    left_out(source.root, |it| it.ends_with(".add_permits(1);") && !it.contains('{'))
}

/// A task is not aborted, or not told to stop, and nobody waits for it in the same function.
pub(super) fn leave_out_abort(source: &Source<'_>) -> Vec<Edits> {
    let stops = |it: &ast::Stmt| {
        let it = text(it.syntax());
        (it.ends_with(".cancel();") && it.contains("token"))
            || it.ends_with(".abort();")
            || it.ends_with(".abort_all();")
    };
    let is_waited_for = |it: &ast::Stmt| {
        let stop = text(it.syntax());
        let handle = stop.rsplit_once('.').map(|(it, _)| it.trim().to_owned()).unwrap_or_default();
        let function = it.syntax().ancestors().find_map(ast::Fn::cast);
        let end = range(it.syntax()).end;
        function.is_some_and(|it| {
            let rest = &source.text[end..range(it.syntax()).end];
            rest.contains("join_next") || rest.contains(&format!("{handle}.await"))
        })
    };
    let statements = blocks(source.root).flatten().filter(|it| stops(it) && !is_waited_for(it));
    statements.map(|it| vec![(range(it.syntax()), String::new())]).collect()
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

/// A loop loses its `yield_now`, where it suspends nowhere else.
pub(super) fn leave_out_yield(source: &Source<'_>) -> Vec<Edits> {
    let yields = |it: &ast::Stmt| text(it.syntax()).ends_with("yield_now().await;");
    let is_only = |it: &ast::Stmt| {
        let mut around = it.syntax().ancestors().skip(1);
        let around = around.find(|it| {
            ast::LoopExpr::can_cast(it.kind())
                || ast::WhileExpr::can_cast(it.kind())
                || ast::ForExpr::can_cast(it.kind())
        });
        around.is_some_and(|it| text(&it).matches(".await").count() == 1)
    };
    let statements = blocks(source.root).flatten().filter(|it| yields(it) && is_only(it));
    statements.map(|it| vec![(range(it.syntax()), String::new())]).collect()
}
