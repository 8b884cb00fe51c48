//! The body of a function where it was called.

use super::functions::{Header, headers};
use super::{Group, range};
use ra_ap_syntax::SyntaxNode;
use ra_ap_syntax::ast::{self, AstNode, HasArgList, HasGenericParams, HasName};
use std::fmt::Write as _;

/// Whether the body means the same elsewhere, on one line.
fn movable(text: &str, it: &Header) -> bool {
    let body = &text[it.body.clone()];
    let leaves = it.function.body().is_some_and(|it| {
        it.syntax().descendants().any(|it| {
            ast::ReturnExpr::can_cast(it.kind())
                || ast::TryExpr::can_cast(it.kind())
                || ast::MacroCall::can_cast(it.kind())
        })
    });
    // Where a comment says what is expected of a line, its code stays there.
    !it.is_async && !leaves && !body.contains("//") && it.function.generic_param_list().is_none()
}

/// The name of the type whose `impl` holds a node.
fn own_type(node: &SyntaxNode) -> Option<String> {
    let block = node.ancestors().find_map(ast::Impl::cast)?;
    Some(block.self_ty()?.syntax().text().to_string())
}

/// `f(a)` becomes `match (a,) { (x,) => { let x: T = x; … } }`: the temporaries in its arguments live as long as they did.
fn inlined(text: &str, it: &Header, arguments: &ast::ArgList) -> Option<String> {
    let given: Vec<&str> = arguments.args().map(|it| &text[range(it.syntax())]).collect();
    let types = it.function.param_list()?.params().map(|it| Some(text[range(it.ty()?.syntax())].to_owned()));
    let types: Vec<String> = types.collect::<Option<_>>()?;
    if given.len() != it.arguments.len() || types.iter().any(|it| it.contains("impl ")) {
        return None;
    }
    let mut bound = String::new();
    for (pattern, ty) in it.function.param_list()?.params().zip(&types) {
        let pattern = pattern.pat()?.syntax().text().to_string();
        let name = pattern.trim_start_matches("mut ");
        let _ = write!(bound, "let {pattern}: {ty} = {name}; ");
    }
    // A tuple of one has a comma, too.
    let (names, values) = (it.arguments.join(", "), given.join(", "));
    let comma = if given.is_empty() { "" } else { "," };
    let body = text[it.body.clone()].replace('\n', " ");
    Some(format!("(match ({values}{comma}) {{ ({names}{comma}) => {{ {bound}{body} }} }})"))
}

/// Each call of a function of the file, or of a method of `self`, that its body can stand for.
pub(super) fn calls(text: &str, root: &SyntaxNode) -> Vec<Group> {
    // Before edition 2024 the temporaries of a last expression outlive its block.
    if text.contains("//@ edition: 2021") {
        return Vec::new();
    }
    let headers: Vec<Header> = headers(text, root).into_iter().filter(|it| movable(text, it)).collect();
    let named = |name: &str, of: Option<&String>| {
        headers.iter().find(|it| {
            let own = own_type(it.function.syntax());
            it.has_self == of.is_some()
                && own.as_ref() == of
                && it.function.name().is_some_and(|it| it.text() == name)
        })
    };
    let mut found = Vec::new();
    for call in root.descendants().filter_map(ast::Expr::cast) {
        let (name, of, arguments) = match &call {
            ast::Expr::CallExpr(it) => {
                let Some(callee) = it.expr() else { continue };
                (callee.syntax().text().to_string(), None, it.arg_list())
            }
            ast::Expr::MethodCallExpr(it) => {
                let own = it.receiver().is_some_and(|it| it.syntax().text() == "self");
                let Some(name) = it.name_ref().filter(|_| own) else { continue };
                (name.text().to_string(), own_type(it.syntax()), it.arg_list())
            }
            _ => continue,
        };
        let is_method = matches!(call, ast::Expr::MethodCallExpr(_));
        if is_method && of.is_none() {
            continue;
        }
        let (Some(it), Some(arguments)) = (named(&name, of.as_ref()), arguments) else { continue };
        let inside = it.function.syntax().text_range().contains_range(call.syntax().text_range());
        let of = range(call.syntax());
        if inside || text[of.clone()].contains("//") {
            continue;
        }
        let Some(new) = inlined(text, it, &arguments) else { continue };
        let lines = text[of.clone()].matches('\n').count();
        found.push(Group { edits: vec![(of.clone(), new + &"\n".repeat(lines))], of });
    }
    found
}
