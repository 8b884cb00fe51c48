//! Whether a place runs on a task: what lies directly around it is async.

use super::{nesting, syntax_edition};
use crate::edition::Edition;
use crate::token::Tokens;
use ra_ap_syntax::ast::{self, AstNode};
use ra_ap_syntax::{SourceFile, SyntaxNode, TextSize};

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
