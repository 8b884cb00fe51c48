//! A result that is thrown away is passed on with `?`.

use super::Change;
use super::tree::{Tree, range, tokens};
use ra_ap_syntax::SyntaxKind;
use ra_ap_syntax::ast::{self, AstNode};

/// The change of the statement `let _ = …;` around this offset, whose value is taken out of so many other results.
pub(super) fn change(tree: &Tree<'_>, at: usize, unwrapped: usize) -> Option<Change> {
    let word = tree.taken(at)?;
    let statement = word.parent_ancestors().find_map(ast::LetStmt::cast)?;
    if !matches!(statement.pat()?, ast::Pat::WildcardPat(_)) || statement.ty().is_some() {
        return None;
    }
    let value = statement.initializer()?;
    // Another body inside, or a choice, has results of its own.
    let is_plain = value.syntax().descendants().all(|it| {
        !matches!(
            it.kind(),
            SyntaxKind::CLOSURE_EXPR
                | SyntaxKind::BLOCK_EXPR
                | SyntaxKind::MATCH_EXPR
                | SyntaxKind::IF_EXPR
                | SyntaxKind::MACRO_CALL
        )
    });
    if !is_plain || taken_out(&value, &word)? != unwrapped || statement.semicolon_token().is_none() {
        return None;
    }
    let list = ast::StmtList::cast(statement.syntax().parent()?)?;
    let value_range = range(value.syntax());
    let begin = range(statement.syntax()).start;
    let let_token = range(statement.syntax()).start..value_range.start;
    // An attribute stands before `let`.
    if !tree.text[begin..].starts_with("let") {
        return None;
    }
    Some(Change {
        message: "pass the error on".to_owned(),
        is_sure: skips_nothing(&list, &statement),
        edits: vec![(let_token, String::new()), (value_range.end..value_range.end, "?".to_owned())],
    })
}

/// Out of how many results a value is taken behind the word that gives the first one. `None` where something else is done to it.
fn taken_out(value: &ast::Expr, word: &ra_ap_syntax::SyntaxToken) -> Option<usize> {
    let mut count = 0;
    let mut value = value.clone();
    loop {
        value = match value {
            ast::Expr::TryExpr(it) => {
                count += 1;
                it.expr()?
            }
            ast::Expr::MethodCallExpr(it) => {
                let name = it.name_ref()?;
                if name.syntax().text_range() == word.text_range() {
                    return Some(count);
                }
                if !matches!(name.text(), "unwrap" | "expect") {
                    return None;
                }
                count += 1;
                it.receiver()?
            }
            ast::Expr::AwaitExpr(it) => {
                let is_it = it.await_token().is_some_and(|it| it == *word);
                // What is awaited may be the call that the finding is about.
                let is_call =
                    it.expr().is_some_and(|it| it.syntax().text_range().contains_range(word.text_range()));
                return (is_it || is_call).then_some(count);
            }
            _ => return None,
        };
    }
}

/// Whether nothing but a value without effects follows in the body of a function, so that who returns early leaves nothing out.
fn skips_nothing(list: &ast::StmtList, statement: &ast::LetStmt) -> bool {
    let is_body =
        list.syntax().parent().and_then(|it| it.parent()).is_some_and(|it| it.kind() == SyntaxKind::FN);
    let is_last = list.statements().last().is_some_and(|it| it.syntax() == statement.syntax());
    let is_value = list.tail_expr().is_none_or(|it| {
        let mut words = tokens(it.syntax());
        words.all(|it| matches!(it.text(), "Ok" | "(" | ")") || it.kind().is_literal())
    });
    is_body && is_last && is_value
}
