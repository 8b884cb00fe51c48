//! A file with other spellings of some names. Each is as long as it was, so that all places stay where they are.

use super::{is_readable, syntax_edition};
use crate::edition::Edition;
use crate::token::Tokens;
use ra_ap_syntax::ast::{self, AstNode};
use ra_ap_syntax::{NodeOrToken, SourceFile, SyntaxKind, SyntaxToken};

/// The file with the spellings that `spelling` gives for the names in it, each with the path before it, but those of variants.
pub(crate) fn respelled<'s>(
    text: &str,
    edition: Edition,
    spelling: &dyn Fn(&[String], &str) -> Option<&'s str>,
) -> String {
    if !is_readable(&Tokens::of(text)) {
        return text.to_owned();
    }
    let root = SourceFile::parse(text, syntax_edition(edition)).tree();
    let mut out = String::with_capacity(text.len());
    for token in root.syntax().descendants_with_tokens().filter_map(NodeOrToken::into_token) {
        let is_name = token.kind() == SyntaxKind::IDENT && !is_variant(&token);
        let other = if is_name { before(&token).and_then(|it| spelling(&it, token.text())) } else { None };
        out.push_str(other.unwrap_or(token.text()));
    }
    out
}

fn is_variant(token: &SyntaxToken) -> bool {
    token.parent().and_then(|it| it.parent()).is_some_and(|it| ast::Variant::can_cast(it.kind()))
}

/// The path before a name, with that of the `use` around it; `None` where it stands behind something else.
fn before(token: &SyntaxToken) -> Option<Vec<String>> {
    let mut path: Vec<String> = Vec::new();
    let mut at = token.clone();
    while let Some(colons) = before_it(&at).filter(|it| it.kind() == SyntaxKind::COLON2 || is_colons(it)) {
        let first = if colons.kind() == SyntaxKind::COLON2 { colons } else { colons.prev_token()? };
        match before_it(&first) {
            Some(it)
                if it.kind() == SyntaxKind::IDENT || it.kind().is_keyword(ra_ap_syntax::Edition::CURRENT) =>
            {
                path.push(it.text().to_owned());
                at = it;
            }
            // `::krate::name` begins with a crate.
            Some(it) if it.kind() == SyntaxKind::R_ANGLE => return None,
            _ => break,
        }
    }
    path.reverse();
    for tree in token.parent_ancestors().filter_map(ast::UseTree::cast) {
        let Some(of) = tree.path().filter(|_| tree.use_tree_list().is_some()) else { continue };
        if of.syntax().text_range().contains_range(token.text_range()) {
            continue;
        }
        let names = of.syntax().descendants_with_tokens().filter_map(NodeOrToken::into_token);
        let names = names.filter(|it| !it.kind().is_trivia() && it.text() != "::");
        path.splice(0..0, names.map(|it| it.text().to_owned()).collect::<Vec<_>>());
    }
    Some(path)
}

fn before_it(token: &SyntaxToken) -> Option<SyntaxToken> {
    let mut at = token.prev_token()?;
    while at.kind().is_trivia() {
        at = at.prev_token()?;
    }
    Some(at)
}

/// In the input of macros they are two.
fn is_colons(second: &SyntaxToken) -> bool {
    second.kind() == SyntaxKind::COLON && second.prev_token().is_some_and(|it| it.kind() == SyntaxKind::COLON)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_spelled_as_their_paths_say() {
        let text = "use shop::{m::Cart as C, Cart}; enum E { Cart(Cart) }\nimpl shop::Cart for m::Cart { fn f() { E::Cart(x!(shop::Cart)); <A>::Cart; } }";
        let spelling = |path: &[String], name: &str| {
            (name == "Cart").then(|| match path.first().map(String::as_str) {
                Some("shop") => "Car0",
                Some("E") => "Cart",
                _ => "Car1",
            })
        };
        let expected = "use shop::{m::Car0 as C, Car0}; enum E { Cart(Car1) }\nimpl shop::Car0 for m::Car1 { fn f() { E::Cart(x!(shop::Car0)); <A>::Cart; } }";
        assert_eq!(respelled(text, Edition::Rust2021, &spelling), expected);
    }
}
