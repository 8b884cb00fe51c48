//! What lies around a place: whether it runs on a task, and whether a panic there is the only way out.

use super::{nesting, syntax_edition};
use crate::edition::Edition;
use crate::token::Tokens;
use ra_ap_syntax::ast::{self, AstNode};
use ra_ap_syntax::{SourceFile, SyntaxKind, SyntaxNode, TextSize};

/// The syntax of a text, to be asked about places in it.
pub(crate) struct Surroundings {
    /// `None` where the text is nested too deeply to be parsed.
    root: Option<SyntaxNode>,
}

impl Surroundings {
    /// Parses the text.
    pub(crate) fn of(text: &str, tokens: &Tokens<'_>, edition: Edition) -> Surroundings {
        let parsed = || SourceFile::parse(text, syntax_edition(edition)).tree().syntax().clone();
        Surroundings { root: nesting::is_readable(tokens).then(parsed) }
    }

    /// Where the `panic!`s begin to which the innermost function, closure or block with a body of its own around them always comes: no branch
    /// and no `return` in there is another way out. In the input of a macro nothing is known.
    pub(crate) fn inevitable_panics(&self) -> Vec<usize> {
        let calls = self.root.iter().flat_map(SyntaxNode::descendants).filter_map(ast::MacroCall::cast);
        let is_panic = |it: &ast::MacroCall| {
            let name = it.path().and_then(|it| it.segment()).and_then(|it| it.name_ref());
            name.is_some_and(|it| it.text() == "panic") && is_inevitable(it)
        };
        calls.filter(is_panic).map(|it| it.syntax().text_range().start().into()).collect()
    }

    /// Whether the innermost function, closure or block with a body of its own around this byte offset is async. In the input of
    /// a macro nothing is.
    pub(crate) fn is_async(&self, offset: usize) -> bool {
        let (Some(root), Ok(offset)) = (&self.root, TextSize::try_from(offset)) else { return false };
        if !root.text_range().contains(offset) {
            return false;
        }
        let Some(token) = root.token_at_offset(offset).right_biased() else { return false };
        for node in token.parent_ancestors() {
            if ast::TokenTree::can_cast(node.kind()) {
                return false;
            }
            if let Some(closure) = ast::ClosureExpr::cast(node.clone()) {
                return closure.async_token().is_some();
            }
            if let Some(function) = ast::Fn::cast(node.clone()) {
                return function.async_token().is_some();
            }
            if ast::BlockExpr::cast(node).is_some_and(|it| it.async_token().is_some()) {
                return true;
            }
        }
        false
    }
}

/// Whether the body around a statement or expression always comes to it.
fn is_inevitable(call: &ast::MacroCall) -> bool {
    let mut inside = call.syntax().clone();
    for around in call.syntax().ancestors().skip(1) {
        if has_own_body(&around) {
            return !returns(&inside);
        }
        let is_plain = matches!(
            around.kind(),
            SyntaxKind::BLOCK_EXPR | SyntaxKind::STMT_LIST | SyntaxKind::EXPR_STMT | SyntaxKind::MACRO_EXPR
        );
        if !is_plain {
            return false;
        }
        inside = around;
    }
    false
}

/// Whether a node is a function, a closure, or an async block.
fn has_own_body(node: &SyntaxNode) -> bool {
    ast::Fn::can_cast(node.kind())
        || ast::ClosureExpr::can_cast(node.kind())
        || ast::BlockExpr::cast(node.clone()).is_some_and(|it| it.async_token().is_some())
}

/// Whether something in there leaves the body around it, and not only one of its own.
fn returns(node: &SyntaxNode) -> bool {
    let is_own = |it: &SyntaxNode| !it.ancestors().take_while(|it| it != node).any(|it| has_own_body(&it));
    node.descendants().any(|it| ast::ReturnExpr::can_cast(it.kind()) && is_own(&it))
}
