//! Closures as functions: what they are called by, and where their bodies begin and return.
//!
//! A closure has no name. In paths it is called by where it stands, in braces: by what it is bound to, as in `let on_order = |order| …`, or
//! else by what it is given to, as in `bus.subscribe(|order| …)`.

use super::functions::{
    Exits, Form, Function, can_be_wrapped, name_of, path_of, plain_name, says_result, spoken,
};
use ra_ap_syntax::ast::{self, AstNode, HasArgList, HasAttrs};
use ra_ap_syntax::{SyntaxNode, TextSize};
use std::ops::Range;

/// What is called to wrap a value, and so does not name it.
const WRAPPERS: [&str; 6] = ["new", "pin", "from", "into", "Some", "Ok"];

/// The closure, in a text that begins at byte `base` of the file, inside of what has the path `outer`.
pub(super) fn function_of(closure: &ast::ClosureExpr, base: usize, outer: &str) -> Option<Function> {
    let node = closure.syntax();
    let params = closure.param_list()?;
    let body = closure.body()?;
    let future = match &body {
        // What it has taken is in there.
        ast::Expr::BlockExpr(it) if it.async_token().is_some() && it.move_token().is_some() => it.stmt_list(),
        _ => None,
    };
    let block = future.clone().or_else(|| match &body {
        ast::Expr::BlockExpr(it) if is_plain(it) => it.stmt_list(),
        _ => None,
    });
    let at = |it: TextSize| base + usize::from(it);
    let range = |it: &SyntaxNode| at(it.text_range().start())..at(it.text_range().end());
    let (inside, tail, ends_in_expression) = match &block {
        Some(list) => {
            let open = list.l_curly_token()?.text_range().end();
            let begin = list.attrs().map(|it| it.syntax().text_range().end()).chain([open]).max()?;
            let end = list.r_curly_token()?.text_range().start();
            (at(begin)..at(end), list.tail_expr(), list.tail_expr().is_some())
        }
        None => (range(body.syntax()), Some(body.clone()), true),
    };
    let mut exits = Exits::default();
    exits.of(block.as_ref().map_or(body.syntax(), AstNode::syntax));
    let name = format!("{{{}}}", name(node));
    let path = |by_trait: bool| {
        let around = path_of(node, outer, &|it| name_of(it, by_trait && is_outermost_impl(it)));
        if around.is_empty() { name.clone() } else { format!("{around}::{name}") }
    };
    let (own, by_trait) = (path(false), path(true));
    let offsets =
        |found: Vec<Range<TextSize>>| found.into_iter().map(|it| at(it.start)..at(it.end)).collect();
    let result = closure.ret_type().and_then(|it| it.ty());
    Some(Function {
        form: if block.is_some() { Form::Closure } else { Form::BareClosure },
        by_trait: (own != by_trait).then_some(by_trait),
        path: own,
        name: range(params.syntax()),
        range: range(node),
        is_const: closure.const_token().is_some(),
        is_async: closure.async_token().is_some() || future.is_some(),
        has_receiver: false,
        parameters: params.params().map(|it| plain_name(&it.pat()?)).collect(),
        has_result: result.as_ref().map_or(ends_in_expression, says_result),
        // That of a future is not what comes of it.
        result: result.as_ref().filter(|_| future.is_none()).and_then(spoken),
        begin: inside.start,
        end: inside.end,
        tail: tail.filter(can_be_wrapped).map(|it| range(it.syntax())),
        ends_in_expression,
        returns: offsets(exits.returns),
        questions: offsets(exits.questions),
        attributes: Vec::new(),
    })
}

/// Whether what stands in its braces is what the closure does.
fn is_plain(block: &ast::BlockExpr) -> bool {
    block.syntax().first_token().is_some_and(|it| it.text() == "{")
}

/// The `impl` of a trait, which is not in another function.
fn is_outermost_impl(node: &SyntaxNode) -> bool {
    !node.ancestors().skip(1).any(|it| ast::Fn::can_cast(it.kind()))
}

/// What the closure is bound or given to; `closure` where that has no name.
fn name(closure: &SyntaxNode) -> String {
    for node in closure.ancestors().skip(1) {
        match naming(&node, closure) {
            Naming::Named(name) => return name,
            Naming::GoesOn => {}
            Naming::Nothing => break,
        }
    }
    "closure".to_owned()
}

/// What a node around a closure says of its name.
enum Naming {
    Named(String),
    /// It is around it, and what is around that may name it.
    GoesOn,
    Nothing,
}

impl Naming {
    fn of(name: Option<impl ToString>) -> Naming {
        name.map_or(Naming::Nothing, |it| Naming::Named(it.to_string()))
    }
}

fn naming(node: &SyntaxNode, closure: &SyntaxNode) -> Naming {
    if let Some(it) = ast::LetStmt::cast(node.clone()) {
        return Naming::of(it.pat().as_ref().and_then(plain_name));
    }
    if let Some(it) = ast::RecordExprField::cast(node.clone()) {
        return Naming::of(it.field_name().map(|it| it.text().to_string()));
    }
    if let Some(it) = ast::MethodCallExpr::cast(node.clone()) {
        // What a method is called of is no argument.
        let arguments = it.arg_list().map(|it| it.syntax().text_range());
        let is_argument = arguments.is_some_and(|it| it.contains_range(closure.text_range()));
        return Naming::of(it.name_ref().filter(|_| is_argument).map(|it| it.text().to_string()));
    }
    if let Some(it) = ast::CallExpr::cast(node.clone()) {
        let segment = match it.expr() {
            Some(ast::Expr::PathExpr(it)) => it.path().and_then(|it| it.segment()?.name_ref()),
            _ => None,
        };
        let name = segment.map(|it| it.text().to_string());
        let is_wrapper = name.as_ref().is_some_and(|it| WRAPPERS.contains(&it.as_str()));
        return if is_wrapper { Naming::GoesOn } else { Naming::of(name) };
    }
    let goes_on = ast::ArgList::can_cast(node.kind())
        || ast::ParenExpr::can_cast(node.kind())
        || ast::RefExpr::can_cast(node.kind())
        || ast::CastExpr::can_cast(node.kind());
    if goes_on { Naming::GoesOn } else { Naming::Nothing }
}

#[cfg(test)]
mod tests {
    use crate::edition::Edition;
    use crate::outline::functions::{Form, functions};
    use crate::token::Tokens;

    #[test]
    fn a_closure_is_called_by_what_it_is_bound_or_given_to() {
        let cases = [
            ("fn f() { let go = |a| a; }", "f::{go}"),
            ("fn f() { bus.subscribe(\"x\", move |a| { a }); }", "f::{subscribe}"),
            ("fn f() { on::<u8>(Box::new(|a| a)); }", "f::{on}"),
            ("fn f() { a::spawn(Some(Arc::new(|| ())), 1) }", "f::{spawn}"),
            ("fn f() { H { on_go: Box::new(|a| a) as Box<dyn Go>, b } }", "f::{on_go}"),
            ("impl A for B { fn f() { (|a| a)(1); } }", "B::f::{closure}"),
            ("static GO: fn() = || (); ", "GO::{closure}"),
            ("mod a { const GO: fn() = &(|| ()); }", "a::GO::{closure}"),
            ("fn f() { (|a| a).call(1) }", "f::{closure}"),
            ("fn f() { let (a, b) = (|a| a, 1); }", "f::{closure}"),
            ("fn f() -> impl Fn() { || () }", "f::{closure}"),
        ];
        for (text, expected) in cases {
            let found = functions(text, &Tokens::of(text), Edition::Rust2021);
            let closures = found.iter().filter(|it| it.form != Form::Function);
            let paths: Vec<&str> = closures.map(|it| it.path.as_str()).collect();
            assert_eq!(paths, [expected], "{text}");
        }
    }

    #[test]
    fn a_closure_in_a_method_of_a_trait_is_found_by_that_too() {
        let text = "impl A for B { fn f() { go(|a| a); } }";
        let found = functions(text, &Tokens::of(text), Edition::Rust2021);
        assert_eq!(found[1].by_trait.as_deref(), Some("A::f::{go}"));
    }

    #[test]
    fn the_body_of_a_closure_is_in_braces_or_an_expression() {
        let cases = [
            ("|a| { b; c }", Form::Closure, false, " b; c "),
            ("|a| b + c", Form::BareClosure, false, "b + c"),
            ("|a| unsafe { b }", Form::BareClosure, false, "unsafe { b }"),
            ("|a| async { b }", Form::BareClosure, false, "async { b }"),
            ("|a| async move { b }", Form::Closure, true, " b "),
            ("async |a| b", Form::BareClosure, true, "b"),
            ("|a| -> u8 { b }", Form::Closure, false, " b "),
        ];
        for (closure, form, is_async, body) in cases {
            let text = format!("fn f() {{ go({closure}); }}");
            let found = functions(&text, &Tokens::of(&text), Edition::Rust2021);
            let it = &found[1];
            assert_eq!((it.form, it.is_async, &text[it.begin..it.end]), (form, is_async, body), "{closure}");
        }
    }
}
