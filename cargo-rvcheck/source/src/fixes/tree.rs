//! The syntax tree of a file as fixes ask it.

use crate::edition::Edition;
use crate::outline::syntax_edition;
use ra_ap_syntax::ast::{self, AstNode, HasName};
use ra_ap_syntax::{NodeOrToken, SourceFile, SyntaxKind, SyntaxNode, SyntaxToken, TextSize};

/// The tree, and the text that it is of.
pub(super) struct Tree<'a> {
    pub(super) text: &'a str,
    root: SourceFile,
}

impl<'a> Tree<'a> {
    /// The tree of a text; `None` where it is not read without errors.
    pub(super) fn of(text: &'a str, edition: Edition) -> Option<Tree<'a>> {
        let parsed = SourceFile::parse(text, syntax_edition(edition));
        parsed.errors().is_empty().then(|| Tree { text, root: parsed.tree() })
    }

    /// The word that begins at this offset or around it.
    pub(super) fn word(&self, at: usize) -> Option<SyntaxToken> {
        let at = TextSize::try_from(at).ok()?;
        let mut found = self.root.syntax().token_at_offset(at);
        found.find(|it| {
            it.kind() == SyntaxKind::IDENT && it.text_range().start() <= at && at < it.text_range().end()
        })
    }

    /// The word, or the `await`, that begins at this offset or around it.
    pub(super) fn taken(&self, at: usize) -> Option<SyntaxToken> {
        let offset = TextSize::try_from(at).ok()?;
        let mut found = self.root.syntax().token_at_offset(offset);
        let is_await = |it: &SyntaxToken| it.text() == "await" && offset < it.text_range().end();
        found.find(is_await).or_else(|| self.word(at))
    }

    /// Whether `drop` can be something else than the function of the prelude.
    pub(super) fn redefines_drop(&self) -> bool {
        self.root.syntax().descendants().any(|it| {
            let is_function = ast::Fn::cast(it.clone()).is_some_and(|it| {
                is_named(&it, "drop")
                    && it.syntax().parent().is_none_or(|it| it.kind() != SyntaxKind::ASSOC_ITEM_LIST)
            });
            let is_import = ast::UseTree::cast(it).is_some_and(|it| {
                let last = it.path().and_then(|it| it.segment()).and_then(|it| it.name_ref());
                let renamed = it.rename().and_then(|it| it.name());
                last.is_some_and(|it| it.text() == "drop") || renamed.is_some_and(|it| it.text() == "drop")
            });
            is_function || is_import
        })
    }

    /// What stands before an offset in its line, if that is nothing but blanks.
    pub(super) fn indent(&self, at: usize) -> Option<&'a str> {
        let begin = self.text[..at].rfind('\n').map_or(0, |it| it + 1);
        let before = &self.text[begin..at];
        before.trim().is_empty().then_some(before)
    }

    /// How its lines end.
    pub(super) fn line_break(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }
}

fn is_named(function: &ast::Fn, name: &str) -> bool {
    function.name().is_some_and(|it| it.text() == name)
}

/// Where a node begins and ends.
pub(super) fn range(node: &SyntaxNode) -> std::ops::Range<usize> {
    node.text_range().start().into()..node.text_range().end().into()
}

/// The tokens of a node but comments and blanks.
pub(super) fn tokens(node: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> + use<> {
    let all = node.descendants_with_tokens().filter_map(NodeOrToken::into_token);
    all.filter(|it| !it.kind().is_trivia())
}

/// Whether `.await` can stand there: the innermost function, block or closure around it is asynchronous.
pub(super) fn is_async(node: &SyntaxNode) -> bool {
    for around in node.ancestors().skip(1) {
        if let Some(function) = ast::Fn::cast(around.clone()) {
            return function.async_token().is_some() && function.const_token().is_none();
        }
        if let Some(block) = ast::BlockExpr::cast(around.clone()) {
            if block.async_token().is_some() {
                return true;
            }
            if block.const_token().is_some()
                || block.try_block_modifier().is_some()
                || block.gen_token().is_some()
            {
                return false;
            }
        }
        // Of a closure it is not known what runs it.
        if matches!(
            around.kind(),
            SyntaxKind::CLOSURE_EXPR
                | SyntaxKind::CONST
                | SyntaxKind::STATIC
                | SyntaxKind::CONST_ARG
                | SyntaxKind::MACRO_CALL
        ) {
            return false;
        }
    }
    false
}
