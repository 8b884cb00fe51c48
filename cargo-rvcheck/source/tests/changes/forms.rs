//! Another form of an expression.

use super::{Group, around, range};
use ra_ap_syntax::SyntaxNode;
use ra_ap_syntax::ast::{self, AstNode, HasLoopBody};

/// `a.await` becomes `Box::pin(a).await`.
pub(super) fn boxed(_: &str, root: &SyntaxNode) -> Vec<Group> {
    let awaits = root.descendants().filter_map(ast::AwaitExpr::cast).filter_map(|it| it.expr());
    awaits.map(|it| around(it.syntax(), "::std::boxed::Box::pin(", ")")).collect()
}

/// `a?` becomes a `match` with a `return`.
pub(super) fn matched(_: &str, root: &SyntaxNode) -> Vec<Group> {
    let tries = root.descendants().filter_map(ast::TryExpr::cast);
    tries
        .filter_map(|it| {
            let (inner, of) = (range(it.expr()?.syntax()), range(it.syntax()));
            let edits = vec![
                (of.start..of.start, "(match ".to_owned()),
                (inner.end..of.end, " { Ok(it) => it, Err(it) => return Err(it.into()) })".to_owned()),
            ];
            Some(Group { of, edits })
        })
        .collect()
}

/// `while let P = a { … }` becomes `loop { let P = a else { break }; … }`.
pub(super) fn looped(text: &str, root: &SyntaxNode) -> Vec<Group> {
    let loops = root.descendants().filter_map(ast::WhileExpr::cast);
    loops
        .filter_map(|it| {
            let Some(ast::Expr::LetExpr(condition)) = it.condition() else { return None };
            let (pattern, value) = (condition.pat()?, condition.expr()?);
            let open = it.loop_body()?.stmt_list()?.l_curly_token()?.text_range();
            let begin = usize::from(it.while_token()?.text_range().start());
            let of = |node: &SyntaxNode| text[range(node)].to_owned();
            let new =
                format!("loop {{ let {} = {} else {{ break }};", of(pattern.syntax()), of(value.syntax()));
            let replaced = begin..usize::from(open.end());
            // A comment in it says what is expected of its line.
            let same_lines = text[replaced.clone()].matches('\n').count() == new.matches('\n').count();
            let edits = vec![(replaced, new)];
            same_lines.then(|| Group { of: range(it.syntax()), edits })
        })
        .collect()
}

/// `for P in A { … }` becomes `A.into_iter().for_each(|P| { … });`.
pub(super) fn chained(text: &str, root: &SyntaxNode) -> Vec<Group> {
    let loops = root.descendants().filter_map(ast::ForExpr::cast);
    loops
        .filter_map(|it| {
            let (pattern, values, body) = (it.pat()?, it.iterable()?, it.loop_body()?);
            let leaves = body.syntax().descendants().any(|it| {
                let kind = it.kind();
                ast::ReturnExpr::can_cast(kind)
                    || ast::TryExpr::can_cast(kind)
                    || ast::BreakExpr::can_cast(kind)
                    || ast::ContinueExpr::can_cast(kind)
                    || ast::AwaitExpr::can_cast(kind)
            });
            if leaves || it.label().is_some() {
                return None;
            }
            let of = range(it.syntax());
            let text = |node: &SyntaxNode| text[range(node)].to_owned();
            let (pattern, values) = (text(pattern.syntax()), text(values.syntax()));
            let new = format!("::std::iter::IntoIterator::into_iter({values}).for_each(|{pattern}| ");
            let replaced = of.start..range(body.syntax()).start;
            // The temporaries of its values live as long as the loop, and as the statement.
            let same_lines = !pattern.contains('\n') && !new.contains("//");
            let edits = vec![(replaced, new), (of.end..of.end, ");".to_owned())];
            same_lines.then_some(Group { of, edits })
        })
        .collect()
}
