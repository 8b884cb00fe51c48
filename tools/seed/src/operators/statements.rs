//! Operators that swap, repeat or leave out statements.

use super::Edits;
use ra_ap_syntax::SyntaxNode;
use ra_ap_syntax::ast::{self, AstNode};
use std::ops::Range;

fn range(node: &SyntaxNode) -> Range<usize> {
    node.text_range().into()
}

/// The statements of each block, in their order.
fn blocks(root: &SyntaxNode) -> impl Iterator<Item = Vec<ast::Stmt>> {
    root.descendants().filter_map(ast::StmtList::cast).map(|it| it.statements().collect())
}

fn text_of(statement: &ast::Stmt) -> String {
    statement.syntax().text().to_string()
}

fn acquires(text: &str) -> bool {
    let ends =
        [".lock()", ".lock().await", ".lock().unwrap()", ".write()", ".write().await", ".write().unwrap()"];
    text.starts_with("let ") && ends.iter().any(|it| text.trim_end_matches(';').ends_with(it))
}

fn swapped(text: &str, a: &ast::Stmt, b: &ast::Stmt) -> Edits {
    let (a, b) = (range(a.syntax()), range(b.syntax()));
    vec![(a.clone(), text[b.clone()].to_owned()), (b, text[a].to_owned())]
}

/// Two acquisitions that follow each other change places.
pub(super) fn swap_acquisitions(text: &str, root: &SyntaxNode) -> Vec<Edits> {
    let mut found = Vec::new();
    for statements in blocks(root) {
        for pair in statements.windows(2) {
            if pair.iter().all(|it| acquires(&text_of(it))) {
                found.push(swapped(text, &pair[0], &pair[1]));
            }
        }
    }
    found
}

/// An acquisition comes twice.
pub(super) fn lock_again(_: &str, root: &SyntaxNode) -> Vec<Edits> {
    let statements = blocks(root).flatten().filter(|it| acquires(&text_of(it)));
    statements
        .filter_map(|it| {
            let (_, value) = text_of(&it).split_once('=').map(|(a, b)| (a.to_owned(), b.to_owned()))?;
            let end = range(it.syntax()).end;
            Some(vec![(end..end, format!(" let _again ={value}"))])
        })
        .collect()
}

/// Leaves out the statements of which this is true.
fn left_out(root: &SyntaxNode, is_it: impl Fn(&str) -> bool) -> Vec<Edits> {
    let statements = blocks(root).flatten().filter(|it| is_it(&text_of(it)));
    statements.map(|it| vec![(range(it.syntax()), String::new())]).collect()
}

fn dropped(text: &str) -> Option<&str> {
    text.strip_prefix("drop(").or_else(|| text.strip_prefix("std::mem::drop("))?.strip_suffix(");")
}

fn sends(name: &str) -> bool {
    name.contains("tx") || name.contains("sender") || name.contains("send")
}

/// A guard is not dropped before the end of its block.
pub(super) fn keep_guard(_: &str, root: &SyntaxNode) -> Vec<Edits> {
    left_out(root, |it| {
        dropped(it).is_some_and(|it| !sends(it) && !it.contains("rx") && !it.contains("permit"))
    })
}

/// A sender is not dropped before the end of its block.
pub(super) fn keep_sender(_: &str, root: &SyntaxNode) -> Vec<Edits> {
    left_out(root, |it| dropped(it).is_some_and(sends))
}

/// A permit is forgotten where it is dropped.
pub(super) fn forget_permit(_: &str, root: &SyntaxNode) -> Vec<Edits> {
    let statements =
        blocks(root).flatten().filter(|it| dropped(&text_of(it)).is_some_and(|it| it.contains("permit")));
    statements
        .filter_map(|it| {
            let text = text_of(&it);
            Some(vec![(range(it.syntax()), format!("{}.forget();", dropped(&text)?))])
        })
        .collect()
}

/// A task is not aborted.
pub(super) fn leave_out_abort(_: &str, root: &SyntaxNode) -> Vec<Edits> {
    left_out(root, |it| {
        it.ends_with(".abort();") || it.ends_with(".abort_all();") || it.ends_with(".cancel();")
    })
}

fn notifies(text: &str) -> bool {
    let text = text.trim_end_matches(';').trim_end_matches(')');
    [".notify_one(", ".notify_all(", ".notify_waiters(", ".wake(", ".notify(1", ".notify(usize::MAX"]
        .iter()
        .any(|it| text.ends_with(it))
}

/// A notification is left out.
pub(super) fn leave_out_notification(_: &str, root: &SyntaxNode) -> Vec<Edits> {
    left_out(root, notifies)
}

/// A notification comes before the statement that it tells of.
pub(super) fn notify_before_change(text: &str, root: &SyntaxNode) -> Vec<Edits> {
    let mut found = Vec::new();
    for statements in blocks(root) {
        for pair in statements.windows(2) {
            let changes = |it: &str| {
                !it.starts_with("let ")
                    && (it.contains(" = ") || it.contains(".store(") || it.contains(".push"))
            };
            if notifies(&text_of(&pair[1])) && changes(&text_of(&pair[0])) {
                found.push(swapped(text, &pair[0], &pair[1]));
            }
        }
    }
    found
}

/// A wait for a condition variable loses its loop.
pub(super) fn wait_without_loop(_: &str, root: &SyntaxNode) -> Vec<Edits> {
    let loops = root.descendants().filter_map(ast::WhileExpr::cast);
    loops
        .filter_map(|it| {
            let text = it.syntax().text().to_string();
            let waits = text.contains(".wait(") || text.contains(".notified()");
            let token = it.while_token()?.text_range();
            waits.then(|| vec![(token.into(), "if".to_owned())])
        })
        .collect()
}

/// A loop loses its `yield_now`.
pub(super) fn leave_out_yield(_: &str, root: &SyntaxNode) -> Vec<Edits> {
    left_out(root, |it| it.ends_with("yield_now().await;"))
}
