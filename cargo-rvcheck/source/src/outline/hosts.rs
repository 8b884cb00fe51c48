//! The items on which an attribute can stand that changes what is in them.

use super::{bytes, is_readable, syntax_edition};
use crate::edition::Edition;
use crate::token::Tokens;
use ra_ap_syntax::ast::{self, AstNode, HasAttrs};
use ra_ap_syntax::{SourceFile, SyntaxKind, SyntaxNode};
use std::ops::Range;

/// An item with code in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Host {
    /// The bytes that it spans, its attributes and documentation included.
    pub(crate) range: Range<usize>,
    /// It has an attribute that may be a macro, and so sees the attributes of what is in it.
    pub(crate) is_seen_by_macro: bool,
}

/// The items of a file that can have such an attribute, in the order of their beginnings, and an outer one before what is in it. What
/// stands in the input of a macro is not among them, but the invocation is, where it is an item.
pub(crate) fn hosts(text: &str, tokens: &Tokens<'_>, edition: Edition) -> Vec<Host> {
    if !is_readable(tokens) {
        return Vec::new();
    }
    let root = SourceFile::parse(text, syntax_edition(edition)).tree();
    let nodes = root.syntax().descendants().filter(can_have_attribute);
    let host = |it: SyntaxNode| Host { range: bytes(&it, 0), is_seen_by_macro: has_macro(&it) };
    nodes.map(host).collect()
}

fn can_have_attribute(node: &SyntaxNode) -> bool {
    match node.kind() {
        SyntaxKind::FN | SyntaxKind::STATIC | SyntaxKind::CONST | SyntaxKind::IMPL | SyntaxKind::TRAIT => {
            true
        }
        SyntaxKind::MACRO_CALL => {
            let around = node.parent().map(|it| it.kind());
            matches!(around, Some(SyntaxKind::SOURCE_FILE | SyntaxKind::ITEM_LIST))
        }
        SyntaxKind::MODULE => is_self_contained(node),
        _ => false,
    }
}

/// Whether a module has its text between braces, all of it, and exports no macro: what a macro makes cannot do that.
fn is_self_contained(module: &SyntaxNode) -> bool {
    let is_inline = |it: ast::Module| it.item_list().is_some();
    module.descendants().filter_map(ast::Module::cast).all(is_inline)
        && !module
            .descendants()
            .filter_map(ast::MacroRules::cast)
            .any(|it| it.attrs().any(|it| it.syntax().text().to_string().contains("macro_export")))
}

/// The first words of attributes of tools, which change nothing in an item.
const TOOLS: [&str; 4] = ["clippy", "diagnostic", "miri", "rustfmt"];

/// Attributes of the compiler's that say something of an item and change nothing in it.
const NO_MACROS: [&str; 21] = [
    "allow",
    "cfg",
    "cold",
    "deny",
    "deprecated",
    "derive",
    "doc",
    "expect",
    "forbid",
    "ignore",
    "inline",
    "link_section",
    "macro_use",
    "must_use",
    "no_mangle",
    "path",
    "should_panic",
    "target_feature",
    "track_caller",
    "unsafe",
    "warn",
];

fn has_macro(node: &SyntaxNode) -> bool {
    let attributes = node.children().filter_map(ast::Attr::cast);
    attributes.filter_map(|it| Some(it.path()?.syntax().text().to_string())).any(|path| {
        let is_of_tool = path.split_once("::").is_some_and(|(it, _)| TOOLS.contains(&it));
        !is_of_tool && !NO_MACROS.contains(&path.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_with_code_can_have_an_attribute() {
        let text = "/// a\nfn a() { b! { c } fn d() {} }\n#[e] impl F { #[inline] fn g() {} }\nh! { fn i() {} }\n\
                    mod j;\nmod k { mod l; }\nmod m { fn n() {} }\nuse o::p;\nstatic Q: u8 = 1;";
        let found = hosts(text, &Tokens::of(text), Edition::Rust2021);
        let shown: Vec<(&str, bool)> =
            found.iter().map(|it| (&text[it.range.clone()], it.is_seen_by_macro)).collect();
        let expected = [
            ("/// a\nfn a() { b! { c } fn d() {} }", false),
            ("fn d() {}", false),
            ("#[e] impl F { #[inline] fn g() {} }", true),
            ("#[inline] fn g() {}", false),
            ("h! { fn i() {} }", false),
            ("mod m { fn n() {} }", false),
            ("fn n() {}", false),
            ("static Q: u8 = 1;", false),
        ];
        assert_eq!(shown, expected);
    }
}
