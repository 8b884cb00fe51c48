//! The same fields elsewhere.

use super::{Group, around, range};
use ra_ap_syntax::ast::{self, AstNode, HasAttrs, HasGenericParams, HasName, HasVisibility};
use ra_ap_syntax::{NodeOrToken, SyntaxKind, SyntaxNode};

/// A struct with named fields and without parameters.
struct Named {
    node: ast::Struct,
    name: String,
    list: ast::RecordFieldList,
    fields: Vec<(String, ast::Type)>,
}

fn named(root: &SyntaxNode) -> Vec<Named> {
    let structs = root.descendants().filter_map(ast::Struct::cast);
    let plain = structs.filter(|it| it.generic_param_list().is_none());
    plain
        .filter_map(|node| {
            let Some(ast::FieldList::RecordFieldList(list)) = node.field_list() else { return None };
            let fields = list.fields().filter_map(|it| Some((it.name()?.text().to_string(), it.ty()?)));
            Some(Named { name: node.name()?.text().to_string(), fields: fields.collect(), list, node })
        })
        .collect()
}

/// The expressions that make a struct, by its name or by `Self`.
fn literals(root: &SyntaxNode, name: &str) -> Vec<ast::RecordExpr> {
    let of_impl = |it: &ast::RecordExpr| {
        let block = it.syntax().ancestors().find_map(ast::Impl::cast)?;
        Some(block.self_ty()?.syntax().text().to_string())
    };
    let all = root.descendants().filter_map(ast::RecordExpr::cast);
    let own = all.filter(|it| {
        let path = it.path().map(|it| it.syntax().text().to_string()).unwrap_or_default();
        path == name || path == "Self" && of_impl(it).as_deref() == Some(name)
    });
    own.collect()
}

/// The fields of a struct move to a struct that it holds.
pub(super) fn nested(_: &str, root: &SyntaxNode) -> Vec<Group> {
    let structs = named(root);
    let mut found = Vec::new();
    for it in &structs {
        let others = structs.iter().filter(|other| other.name != it.name).flat_map(|it| &it.fields);
        let shared = others.map(|(name, _)| name).any(|name| it.fields.iter().any(|(own, _)| own == name));
        let taken_apart = root.descendants().filter_map(ast::RecordPat::cast).any(|pattern| {
            pattern
                .path()
                .is_some_and(|path| ["Self", &it.name].contains(&path.syntax().text().to_string().as_str()))
        });
        let literals = literals(root, &it.name);
        let updates = literals
            .iter()
            .filter_map(ast::RecordExpr::record_expr_field_list)
            .any(|it| it.spread().is_some());
        if shared || taken_apart || updates || it.fields.is_empty() {
            continue;
        }
        let inner = format!("{}Fields", it.name);
        let public = it.node.visibility().map(|it| format!("{} ", it.syntax().text())).unwrap_or_default();
        let derives =
            it.node.attrs().map(|it| it.syntax().text().to_string()).filter(|it| it.starts_with("#[derive"));
        let derives: String = derives.collect();
        let open = range(it.list.syntax()).start;
        let header = format!("{{ {public}within: {inner} }} {derives} {public}struct {inner} ");
        let mut edits = vec![(open..open, header)];
        for literal in &literals {
            let Some(list) = literal.record_expr_field_list() else { continue };
            edits.extend(around(list.syntax(), &format!("{{ within: {inner} "), " }").edits);
        }
        let tokens = root.descendants_with_tokens().filter_map(NodeOrToken::into_token);
        for token in tokens.filter(|token| token.kind() == SyntaxKind::IDENT) {
            let behind_a_dot = token.prev_token().is_some_and(|it| it.kind() == SyntaxKind::DOT);
            let called = token
                .next_token()
                .is_some_and(|it| matches!(it.kind(), SyntaxKind::L_PAREN | SyntaxKind::COLON2));
            if behind_a_dot && !called && it.fields.iter().any(|(name, _)| name == token.text()) {
                let at = usize::from(token.text_range().start());
                edits.push((at..at, "within.".to_owned()));
            }
        }
        found.push(Group { of: range(it.node.syntax()), edits });
    }
    found
}

/// What is shared between agents by reference, and used by nothing but methods.
const SHARED: [&str; 5] = ["Mutex", "RwLock", "Condvar", "Notify", "Semaphore"];

/// The locks and signals of a struct move into an `Arc`.
pub(super) fn counted(_: &str, root: &SyntaxNode) -> Vec<Group> {
    let mut found = Vec::new();
    for it in named(root) {
        let literals = literals(root, &it.name);
        let derives = it.node.attrs().any(|it| it.syntax().text().to_string().contains("Default"));
        if derives || literals.is_empty() {
            continue;
        }
        for (name, ty) in &it.fields {
            let ast::Type::PathType(path) = ty else { continue };
            let last = path.path().and_then(|it| it.segment()).and_then(|it| it.name_ref());
            if !last.is_some_and(|it| SHARED.iter().any(|one| it.text() == *one)) {
                continue;
            }
            let mut edits = around(ty.syntax(), "::std::sync::Arc<", ">").edits;
            let made = literals
                .iter()
                .filter_map(ast::RecordExpr::record_expr_field_list)
                .flat_map(|it| it.fields());
            for field in made.filter(|it| it.field_name().is_some_and(|it| it.text() == name.as_str())) {
                let Some(value) = field.expr() else { continue };
                let label = if field.colon_token().is_some() { String::new() } else { format!("{name}: ") };
                edits.extend(around(value.syntax(), &format!("{label}::std::sync::Arc::new("), ")").edits);
            }
            found.push(Group { of: range(ty.syntax()), edits });
        }
    }
    found
}
