//! The same code in other functions.

use super::{Group, range};
use ra_ap_syntax::SyntaxNode;
use ra_ap_syntax::ast::{self, AstNode, HasAttrs, HasName};

/// A function whose header can be written again.
pub(super) struct Header {
    pub(super) function: ast::Fn,
    /// `async fn name(a: A) -> R`, on one line, with the name replaced by `{}`.
    pub(super) text: String,
    /// The names of its parameters but `self`.
    pub(super) arguments: Vec<String>,
    pub(super) has_self: bool,
    pub(super) is_async: bool,
    /// Where its body begins and ends.
    pub(super) body: std::ops::Range<usize>,
}

/// What the header of a function says; `None` where it cannot be written again.
pub(super) fn header(text: &str, function: ast::Fn) -> Option<Header> {
    let keyword = [function.async_token(), function.fn_token()].into_iter().flatten().next()?;
    let odd = function.const_token().is_some() || function.unsafe_token().is_some();
    if odd || function.attrs().any(|it| it.syntax().text().to_string().contains("test")) {
        return None;
    }
    let body = range(function.body()?.syntax());
    let begin = usize::from(keyword.text_range().start());
    let (name, written) = (range(function.name()?.syntax()), &text[begin..body.start]);
    if written.contains("//") {
        return None;
    }
    let renamed = format!("{}\0{}", &text[begin..name.start], &text[name.end..body.start]);
    let parameters = function.param_list()?;
    let arguments = parameters.params().map(|it| match it.pat()? {
        ast::Pat::IdentPat(name) => Some(name.name()?.text().to_string()),
        _ => None,
    });
    Some(Header {
        text: renamed.replace('\n', " "),
        arguments: arguments.collect::<Option<_>>()?,
        has_self: parameters.self_param().is_some(),
        is_async: function.async_token().is_some(),
        body,
        function,
    })
}

/// The functions that are no methods of traits.
pub(super) fn headers(text: &str, root: &SyntaxNode) -> Vec<Header> {
    let functions = root.descendants().filter_map(ast::Fn::cast);
    let own = functions.filter(|it| {
        let of_trait =
            it.syntax().ancestors().find_map(ast::Impl::cast).is_some_and(|it| it.trait_().is_some());
        !of_trait && it.syntax().ancestors().find_map(ast::Trait::cast).is_none()
    });
    own.filter_map(|it| header(text, it)).collect()
}

/// Each body moves to a function of its own, which the function calls.
pub(super) fn delegate(text: &str, root: &SyntaxNode) -> Vec<Group> {
    let moved = headers(text, root).into_iter().filter_map(|it| {
        let name = it.function.name()?.text().to_string();
        let of_type = it.function.syntax().parent().is_some_and(|it| ast::AssocItemList::can_cast(it.kind()));
        let receiver = match (it.has_self, of_type) {
            (true, _) => "self.",
            (false, true) => "Self::",
            (false, false) => "",
        };
        let inner = format!("{name}_as_ever");
        let awaited = if it.is_async { ".await" } else { "" };
        let call = format!("{{ {receiver}{inner}({}){awaited} }} ", it.arguments.join(", "));
        let new = call + &it.text.replace('\0', &inner);
        let at = it.body.start;
        Some(Group { of: range(it.function.syntax()), edits: vec![(at..at, new)] })
    });
    moved.collect()
}

/// Each body becomes a closure, or an async block, that runs at once.
pub(super) fn closure(text: &str, root: &SyntaxNode) -> Vec<Group> {
    let wrapped = headers(text, root).into_iter().map(|it| {
        let (before, after) = if it.is_async { ("{ (async ", ").await }") } else { ("{ (|| ", ")() }") };
        let (begin, end) = (it.body.start, it.body.end);
        let edits = vec![(begin..begin, before.to_owned()), (end..end, after.to_owned())];
        Group { of: range(it.function.syntax()), edits }
    });
    wrapped.collect()
}

/// `async fn f() -> R { … }` becomes `fn f() -> impl Future<Output = R> { async move { … } }`.
pub(super) fn future(text: &str, root: &SyntaxNode) -> Vec<Group> {
    let changed = headers(text, root).into_iter().filter(|it| it.is_async).filter_map(|it| {
        let keyword = it.function.async_token()?.text_range();
        let of = |ty: Option<ast::Type>| ty.map_or("()".to_owned(), |it| text[range(it.syntax())].to_owned());
        let returned = it.function.ret_type();
        let at = returned.as_ref().map_or_else(
            || range(it.function.param_list().expect("it has parameters").syntax()).end,
            |it| range(it.syntax()).start,
        );
        let replaced = returned.as_ref().map_or(at..at, |it| range(it.syntax()));
        let output = of(returned.and_then(|it| it.ty()));
        let edits = vec![
            (usize::from(keyword.start())..usize::from(keyword.end()), String::new()),
            (replaced, format!(" -> impl ::std::future::Future<Output = {output}>")),
            (it.body.start..it.body.start, "{ async move ".to_owned()),
            (it.body.end..it.body.end, " }".to_owned()),
        ];
        Some(Group { of: range(it.function.syntax()), edits })
    });
    changed.collect()
}
