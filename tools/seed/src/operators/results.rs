//! Operators on results: errors that nobody reads any more.

use super::syntax::{function_of, functions, range, text};
use super::{Edits, Source};
use ra_ap_syntax::ast::{self, AstNode, HasArgList, HasName};
use std::collections::BTreeSet;

/// What is called last in an expression: the name of the function or method.
fn callee(call: &ast::Expr) -> Option<String> {
    match call {
        ast::Expr::MethodCallExpr(it) => Some(it.name_ref()?.text().to_string()),
        ast::Expr::CallExpr(it) => {
            let path = text(it.expr()?.syntax());
            path.rsplit("::").next().map(str::to_owned)
        }
        _ => None,
    }
}

/// `CALL.await?;` becomes `let _ = CALL.await;`, while the error of another call of the same function of the crate is told beside it.
pub(super) fn discard_sibling(source: &Source<'_>) -> Vec<Edits> {
    let own: BTreeSet<String> = functions(source.root)
        .filter(|it| it.async_token().is_some())
        .filter_map(|it| Some(it.name()?.text().to_string()))
        .collect();
    let tried: Vec<(ast::TryExpr, String)> = source
        .root
        .descendants()
        .filter_map(ast::TryExpr::cast)
        .filter_map(|it| match it.expr()? {
            ast::Expr::AwaitExpr(awaited) => Some((it, callee(&awaited.expr()?)?)),
            _ => None,
        })
        .collect();
    let mut found = Vec::new();
    for (one, name) in tried.iter().filter(|(_, it)| own.contains(it)) {
        let Some(statement) = one.syntax().parent().and_then(ast::ExprStmt::cast) else { continue };
        let function = function_of(one.syntax());
        let has_sibling = tried.iter().any(|(other, it)| {
            it == name && other != one && function.is_some() && function_of(other.syntax()) == function
        });
        if let Some(inner) = one.expr().filter(|_| has_sibling) {
            found.push(vec![(range(statement.syntax()), format!("let _ = {};", text(inner.syntax())))]);
        }
    }
    found
}

/// A task that reported its error gives it back instead, where its handle is dropped.
pub(super) fn leave_out_report(source: &Source<'_>) -> Vec<Edits> {
    let mut found = Vec::new();
    for statement in source.root.descendants().filter_map(ast::ExprStmt::cast) {
        let Some(ast::Expr::CallExpr(call)) = statement.expr() else { continue };
        if callee(&ast::Expr::CallExpr(call.clone())).as_deref() != Some("spawn") {
            continue;
        }
        let argument = call.arg_list().and_then(|it| it.args().next());
        let body = match argument {
            Some(ast::Expr::BlockExpr(it)) if it.async_token().is_some() => it,
            Some(ast::Expr::ClosureExpr(it)) => match it.body() {
                Some(ast::Expr::BlockExpr(it)) => it,
                _ => continue,
            },
            _ => continue,
        };
        let Some(list) = body.stmt_list() else { continue };
        let last = list.tail_expr().or_else(|| match list.statements().last()? {
            ast::Stmt::ExprStmt(it) => it.expr(),
            _ => None,
        });
        let Some(ast::Expr::IfExpr(report)) = last else { continue };
        let Some(ast::Expr::LetExpr(condition)) = report.condition() else { continue };
        let is_report = condition.pat().is_some_and(|it| text(it.syntax()).starts_with("Err("))
            && report.else_branch().is_none();
        let whole = list.r_curly_token().map(|it| usize::from(it.text_range().start()));
        if let (Some(value), Some(end), true) = (condition.expr(), whole, is_report) {
            found.push(vec![(range(report.syntax()).start..end, format!("{} ", text(value.syntax())))]);
        }
    }
    found
}

/// An operation that must not be given up half way gets a time limit, and is begun again when that is over.
pub(super) fn retry_half_way(source: &Source<'_>) -> Vec<Edits> {
    const NAMES: [&str; 8] = [
        "write_all",
        "read_exact",
        "read_line",
        "read_until",
        "write_u32",
        "write_u64",
        "read_u64",
        "read_u32",
    ];
    let statements = source.root.descendants().filter_map(ast::ExprStmt::cast);
    statements
        .filter_map(|it| {
            let ast::Expr::TryExpr(tried) = it.expr()? else { return None };
            let ast::Expr::AwaitExpr(awaited) = tried.expr()? else { return None };
            let call = awaited.expr()?;
            NAMES.contains(&callee(&call)?.as_str()).then_some(())?;
            let new = format!(
                "loop {{ let limit = ::std::time::Duration::from_millis(5); \
                 if let Ok(done) = ::tokio::time::timeout(limit, {}).await {{ done?; break; }} }}",
                text(call.syntax())
            );
            Some(vec![(range(it.syntax()), new)])
        })
        .collect()
}
