//! Operators that change a call or what becomes of its result.

use super::Edits;
use ra_ap_syntax::SyntaxNode;
use ra_ap_syntax::ast::{self, AstNode, HasArgList, HasName, HasVisibility};
use std::ops::Range;

fn range(node: &SyntaxNode) -> Range<usize> {
    node.text_range().into()
}

/// The statements `EXPR?;`, with `EXPR`.
fn tried(root: &SyntaxNode) -> impl Iterator<Item = (Range<usize>, ast::Expr)> {
    root.descendants().filter_map(ast::ExprStmt::cast).filter_map(|it| match it.expr()? {
        ast::Expr::TryExpr(tried) => Some((range(it.syntax()), tried.expr()?)),
        _ => None,
    })
}

/// `EXPR.await?;` becomes `let _ = EXPR.await;`.
pub(super) fn discard_awaited(_: &str, root: &SyntaxNode) -> Vec<Edits> {
    let awaited = tried(root).filter(|(_, it)| matches!(it, ast::Expr::AwaitExpr(_)));
    awaited.map(|(of, it)| vec![(of, format!("let _ = {};", it.syntax().text()))]).collect()
}

/// `EXPR?;` becomes `EXPR.ok();`.
pub(super) fn discard_error(_: &str, root: &SyntaxNode) -> Vec<Edits> {
    let others =
        tried(root).filter(|(_, it)| matches!(it, ast::Expr::MethodCallExpr(_) | ast::Expr::CallExpr(_)));
    others.map(|(of, it)| vec![(of, format!("{}.ok();", it.syntax().text()))]).collect()
}

/// The panic of a task becomes a default.
pub(super) fn panic_to_default(_: &str, root: &SyntaxNode) -> Vec<Edits> {
    let calls = root.descendants().filter_map(ast::MethodCallExpr::cast);
    calls
        .filter_map(|it| {
            let name = it.name_ref()?.text().to_string();
            let receiver = it.receiver()?.syntax().text().to_string();
            let joins = receiver.ends_with(".join()")
                || receiver.contains("handle") && receiver.strip_suffix(".await").is_some();
            let from = range(it.receiver()?.syntax()).end;
            (joins && matches!(name.as_str(), "unwrap" | "expect"))
                .then(|| vec![(from..range(it.syntax()).end, ".unwrap_or_default()".to_owned())])
        })
        .collect()
}

/// A private async function sleeps, and its thread with it.
pub(super) fn block_in_async(_: &str, root: &SyntaxNode) -> Vec<Edits> {
    let functions = root.descendants().filter_map(ast::Fn::cast);
    functions
        .filter_map(|it| {
            let private = it.visibility().is_none() && it.name().is_some();
            it.async_token().filter(|_| private)?;
            let open: Range<usize> = it.body()?.stmt_list()?.l_curly_token()?.text_range().into();
            let call = " ::std::thread::sleep(::std::time::Duration::from_millis(20));";
            Some(vec![(open.end..open.end, call.to_owned())])
        })
        .collect()
}

/// A write or read of a whole frame in a loop gets a time limit.
pub(super) fn drop_half_way(_: &str, root: &SyntaxNode) -> Vec<Edits> {
    let names = ["write_all", "read_exact", "read_line", "read_until", "write_all_buf"];
    let repeated = |it: &SyntaxNode| {
        it.ancestors().any(|it| {
            ast::LoopExpr::can_cast(it.kind())
                || ast::WhileExpr::can_cast(it.kind())
                || ast::ForExpr::can_cast(it.kind())
        })
    };
    let awaited = tried(root).filter_map(|(of, it)| match it {
        ast::Expr::AwaitExpr(it) if repeated(it.syntax()) => Some((of, it.expr()?)),
        _ => None,
    });
    awaited
        .filter(|(_, it)| {
            names.iter().any(|name| it.syntax().text().to_string().contains(&format!(".{name}(")))
        })
        .map(|(of, it)| {
            let limit = "::std::time::Duration::from_millis(5)";
            vec![(of, format!("let _ = ::tokio::time::timeout({limit}, {}).await;", it.syntax().text()))]
        })
        .collect()
}

/// A wait with a time limit loses it.
pub(super) fn wait_without_limit(_: &str, root: &SyntaxNode) -> Vec<Edits> {
    let calls = root.descendants().filter_map(ast::MethodCallExpr::cast);
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
