//! Other names, and another place.

use super::{Group, range};
use ra_ap_syntax::ast::{self, AstNode, HasName};
use ra_ap_syntax::{NodeOrToken, SyntaxKind, SyntaxNode, SyntaxToken};
use std::collections::BTreeSet;

fn identifiers(root: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> {
    root.descendants_with_tokens()
        .filter_map(NodeOrToken::into_token)
        .filter(|it| it.kind() == SyntaxKind::IDENT)
}

/// Each local, field and type of the file gets another name.
pub(super) fn rename(text: &str, root: &SyntaxNode) -> Vec<Group> {
    let mut declared = BTreeSet::new();
    for node in root.descendants() {
        let name = match node.kind() {
            SyntaxKind::IDENT_PAT => ast::IdentPat::cast(node).and_then(|it| it.name()),
            SyntaxKind::RECORD_FIELD => ast::RecordField::cast(node).and_then(|it| it.name()),
            SyntaxKind::STRUCT => ast::Struct::cast(node).and_then(|it| it.name()),
            SyntaxKind::ENUM => ast::Enum::cast(node).and_then(|it| it.name()),
            _ => None,
        };
        declared.extend(name.map(|it| it.text().to_string()));
    }
    // A name that also stands for something of a library stays; so does one in a string, as of a format.
    let called = root.descendants().filter_map(ast::MethodCallExpr::cast).filter_map(|it| it.name_ref());
    let taken: BTreeSet<String> = called
        .map(|it| it.text().to_string())
        .chain(root.descendants().filter_map(ast::PathSegment::cast).filter_map(|it| {
            let inner = it.syntax().ancestors().filter_map(ast::Path::cast).count() > 1;
            inner.then(|| it.name_ref().map(|it| it.text().to_string()))?
        }))
        .chain(
            root.descendants()
                .filter_map(ast::Use::cast)
                .flat_map(|it| identifiers(it.syntax()).map(|it| it.text().to_owned()).collect::<Vec<_>>()),
        )
        .collect();
    let in_strings = |it: &str| text.contains(&format!("{{{it}"));
    let is_local = |it: &str| declared.contains(it) && !taken.contains(it) && !in_strings(it);
    let tokens = identifiers(root).filter(|it| is_local(it.text()));
    let edits = tokens.map(|it| {
        let end = usize::from(it.text_range().end());
        (end..end, if it.text().starts_with(char::is_uppercase) { "Q".to_owned() } else { "_q".to_owned() })
    });
    vec![Group { of: 0..0, edits: edits.collect() }]
}

/// Each imported type gets another name.
pub(super) fn alias(_: &str, root: &SyntaxNode) -> Vec<Group> {
    let leaves = root
        .descendants()
        .filter_map(ast::UseTree::cast)
        .filter(|it| it.use_tree_list().is_none() && it.rename().is_none() && it.star_token().is_none());
    let mut found = Vec::new();
    for leaf in leaves {
        let Some(name) = leaf.path().and_then(|it| it.segment()).and_then(|it| it.name_ref()) else {
            continue;
        };
        let name = name.text().to_string();
        // Traits are used without their names; modules begin paths.
        let is_type = name.starts_with(char::is_uppercase) && !name.ends_with("Ext") && name != "Future";
        if !is_type {
            continue;
        }
        let end = range(leaf.syntax()).end;
        let mut edits = vec![(end..end, format!(" as {name}Known"))];
        for token in identifiers(root).filter(|it| it.text() == name) {
            let in_use = token.parent_ancestors().any(|it| it.kind() == SyntaxKind::USE);
            let behind = token.prev_token().is_some_and(|it| matches!(it.kind(), SyntaxKind::COLON2));
            if !in_use && !behind {
                let end = usize::from(token.text_range().end());
                edits.push((end..end, "Known".to_owned()));
            }
        }
        found.push(Group { of: 0..0, edits });
    }
    found
}

/// All of it stands in a module.
pub(super) fn module(text: &str, root: &SyntaxNode) -> Vec<Group> {
    let first = root.children().find(|it| ast::Item::can_cast(it.kind()));
    let Some(first) = first.filter(|_| !text.contains("crate::") && !text.contains("#![")) else {
        return Vec::new();
    };
    let (begin, end) = (range(&first).start, text.len());
    let edits = vec![
        (begin..begin, "pub mod within { ".to_owned()),
        (end..end, "\n} pub use within::*;\n".to_owned()),
    ];
    vec![Group { of: 0..0, edits }]
}
