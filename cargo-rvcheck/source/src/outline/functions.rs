//! The functions and closures of a file: their paths, their parameters, and the places at which they begin and return.

use super::{DEEPEST_MACRO, closures, is_readable, items_in, named, syntax_edition, type_name};
use crate::edition::Edition;
use crate::token::Tokens;
use ra_ap_syntax::ast::{self, AstNode, HasAttrs, HasName};
use ra_ap_syntax::{NodeOrToken, SourceFile, SyntaxKind, SyntaxNode, TextSize, WalkEvent};
use std::ops::Range;

/// How a function is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// `fn`.
    Function,
    /// A closure with a body in braces.
    Closure,
    /// A closure whose body is any other expression.
    BareClosure,
}

/// A function that has a body.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent facts")]
pub(crate) struct Function {
    /// How it is written.
    pub(crate) form: Form,
    /// Its path inside the file, such as `pool::Worker::accept`.
    pub(crate) path: String,
    /// The same with the trait in place of the type, where it is a method of an `impl` of a trait.
    pub(crate) by_trait: Option<String>,
    /// The bytes of its name; of a closure, those of its parameters.
    pub(crate) name: Range<usize>,
    /// The bytes that it spans, its attributes and documentation included.
    pub(crate) range: Range<usize>,
    /// The compiler may evaluate it.
    pub(crate) is_const: bool,
    /// Its body is a future.
    pub(crate) is_async: bool,
    /// It is a method of `self`.
    pub(crate) has_receiver: bool,
    /// The other parameters, in order; `None` for one that is a pattern.
    pub(crate) parameters: Vec<Option<String>>,
    /// It says that it returns something.
    pub(crate) has_result: bool,
    /// The type of that on one line, where an expression in the body can be said to be of it.
    pub(crate) result: Option<String>,
    /// Behind the brace that opens its body, and behind the attributes there; or before the expression that is its body.
    pub(crate) begin: usize,
    /// Before the brace that closes it, or behind that expression.
    pub(crate) end: usize,
    /// The expression that its body ends in, if it does, and can have something around it.
    pub(crate) tail: Option<Range<usize>>,
    /// Its body ends in an expression.
    pub(crate) ends_in_expression: bool,
    /// What its `return`s return, and behind the keyword where that is nothing.
    pub(crate) returns: Vec<Range<usize>>,
    /// The expressions before each `?` by which it may return.
    pub(crate) questions: Vec<Range<usize>>,
    /// Its attributes and those of the block that it is a method in, as they are written between the brackets, and where each begins.
    pub(crate) attributes: Vec<(usize, String)>,
}

/// The functions of this text in the order of their places. Those in the input of macros that consist of items are among them.
pub(crate) fn functions(text: &str, tokens: &Tokens<'_>, edition: Edition) -> Vec<Function> {
    let mut found = Vec::new();
    if is_readable(tokens) {
        read(text, 0, "", edition, 0, &mut found);
        found.sort_by_key(|it: &Function| it.name.start);
    }
    found
}

fn read(text: &str, base: usize, outer: &str, edition: Edition, depth: usize, found: &mut Vec<Function>) {
    let root = SourceFile::parse(text, syntax_edition(edition)).tree();
    for node in root.syntax().descendants() {
        if let Some(function) = ast::Fn::cast(node.clone()) {
            found.extend(function_of(&function, base, outer));
        } else if let Some(closure) = ast::ClosureExpr::cast(node.clone()) {
            found.extend(closures::function_of(&closure, base, outer));
        } else if let Some(call) = ast::MacroCall::cast(node)
            && depth < DEEPEST_MACRO
            && let Some((inner, at)) = items_in(&call)
        {
            let path = path_of(call.syntax(), outer, &|it| name_of(it, false));
            read(&inner, base + usize::from(at), &path, edition, depth + 1, found);
        }
    }
}

/// What an item around a place adds to its path; for an `impl` of a trait the trait, where that is wanted.
pub(super) fn name_of(node: &SyntaxNode, by_trait: bool) -> Option<String> {
    let of_trait = || {
        let of = ast::Impl::cast(node.clone()).filter(|_| by_trait)?.trait_()?;
        Some(type_name(&of))
    };
    of_trait().or_else(|| Some(named(node)?.name)).filter(|it| !it.is_empty())
}

/// The path of what encloses a node, the node included.
pub(super) fn path_of(
    node: &SyntaxNode,
    outer: &str,
    name: &dyn Fn(&SyntaxNode) -> Option<String>,
) -> String {
    let mut names: Vec<String> = node.ancestors().filter_map(|it| name(&it)).collect();
    names.extend((!outer.is_empty()).then(|| outer.to_owned()));
    names.reverse();
    names.join("::")
}

fn function_of(function: &ast::Fn, base: usize, outer: &str) -> Option<Function> {
    let name = function.name()?;
    let body = function.body()?;
    let list = body.stmt_list()?;
    let open = list.l_curly_token()?.text_range().end();
    let begin = list.attrs().map(|it| it.syntax().text_range().end()).chain([open]).max()?;
    let end = list.r_curly_token()?.text_range().start();
    let node = function.syntax();
    let own_impl = node.parent().and_then(|it| it.parent()).and_then(ast::Impl::cast);
    let by_trait = own_impl
        .and_then(|it| it.trait_())
        .map(|_| path_of(node, outer, &|it| name_of(it, is_nearest_impl(it, node))));
    let at = |it: TextSize| base + usize::from(it);
    let range = |it: &SyntaxNode| at(it.text_range().start())..at(it.text_range().end());
    let parameters = function.param_list();
    let receiver = parameters.as_ref().and_then(ast::ParamList::self_param);
    let params = parameters.iter().flat_map(ast::ParamList::params);
    let block = node.parent().and_then(|it| it.parent()).and_then(ast::AnyHasAttrs::cast);
    let attributes = function.attrs().chain(block.iter().flat_map(HasAttrs::attrs));
    let mut exits = Exits::default();
    exits.of(list.syntax());
    Some(Function {
        form: Form::Function,
        path: path_of(node, outer, &|it| name_of(it, false)),
        by_trait,
        name: range(name.syntax()),
        range: range(node),
        is_const: function.const_token().is_some(),
        is_async: function.async_token().is_some(),
        has_receiver: receiver.is_some(),
        parameters: params.map(|it| plain_name(&it.pat()?)).collect(),
        has_result: function.ret_type().and_then(|it| it.ty()).is_some_and(|it| says_result(&it)),
        result: function.ret_type().and_then(|it| it.ty()).as_ref().and_then(spoken),
        begin: at(begin),
        end: at(end),
        tail: list.tail_expr().filter(can_be_wrapped).map(|it| range(it.syntax())),
        ends_in_expression: list.tail_expr().is_some(),
        returns: exits.returns.into_iter().map(|it| at(it.start)..at(it.end)).collect(),
        questions: exits.questions.into_iter().map(|it| at(it.start)..at(it.end)).collect(),
        attributes: attributes.map(|it| (at(it.syntax().text_range().start()), between(&it))).collect(),
    })
}

/// Whether this is the `impl` that the function is a method of.
fn is_nearest_impl(candidate: &SyntaxNode, function: &SyntaxNode) -> bool {
    function.parent().and_then(|it| it.parent()).is_some_and(|it| it == *candidate)
}

/// An expression that has an attribute, or leaves the function itself, cannot.
pub(super) fn can_be_wrapped(tail: &ast::Expr) -> bool {
    !matches!(tail, ast::Expr::ReturnExpr(_)) && tail.syntax().first_token().is_none_or(|it| it.text() != "#")
}

/// Whether what is said to be returned is something.
pub(super) fn says_result(ty: &ast::Type) -> bool {
    !is_unit(ty)
}

fn is_unit(ty: &ast::Type) -> bool {
    matches!(ty, ast::Type::TupleType(it) if it.fields().next().is_none())
}

/// A type on one line, without comments. Some types can stand in a signature and nowhere else.
pub(super) fn spoken(ty: &ast::Type) -> Option<String> {
    let is_bound_to_signature = |it: SyntaxNode| {
        matches!(ast::Type::cast(it), Some(ast::Type::ImplTraitType(_) | ast::Type::NeverType(_)))
    };
    if is_unit(ty) || ty.syntax().descendants().any(is_bound_to_signature) {
        return None;
    }
    let tokens = ty.syntax().descendants_with_tokens().filter_map(NodeOrToken::into_token);
    let words = tokens.filter(|it| it.kind() != SyntaxKind::COMMENT);
    let words = words
        .map(|it| if it.kind() == SyntaxKind::WHITESPACE { " ".to_owned() } else { it.text().to_owned() });
    Some(words.collect())
}

/// The name of a parameter that is not taken apart.
pub(super) fn plain_name(pattern: &ast::Pat) -> Option<String> {
    match pattern {
        ast::Pat::IdentPat(it) if it.pat().is_none() => Some(it.name()?.text().to_string()),
        _ => None,
    }
}

/// The text between the brackets of an attribute.
fn between(attribute: &ast::Attr) -> String {
    let text = attribute.syntax().text().to_string();
    let inner = text.trim_start_matches(['#', '!']).trim().trim_start_matches('[');
    inner.strip_suffix(']').unwrap_or(inner).trim().to_owned()
}

/// Where a body is left before its end.
#[derive(Default)]
pub(super) struct Exits {
    pub(super) returns: Vec<Range<TextSize>>,
    pub(super) questions: Vec<Range<TextSize>>,
}

impl Exits {
    pub(super) fn of(&mut self, body: &SyntaxNode) {
        let mut walk = body.preorder();
        while let Some(event) = walk.next() {
            let WalkEvent::Enter(node) = event else { continue };
            if has_exits_of_its_own(&node) {
                walk.skip_subtree();
            } else if let Some(it) = ast::ReturnExpr::cast(node.clone()) {
                let keyword = it.return_token().map(|it| it.text_range().end());
                let value = it.expr().map(|it| it.syntax().text_range());
                let range = value.map(|it| it.start()..it.end()).or_else(|| keyword.map(|it| it..it));
                self.returns.extend(range);
            } else if let Some(it) = ast::TryExpr::cast(node) {
                let tried = it.expr().map(|it| it.syntax().text_range());
                self.questions.extend(tried.map(|it| it.start()..it.end()));
            }
        }
    }
}

/// Whether `return` and `?` in it leave it and not what is around it.
fn has_exits_of_its_own(node: &SyntaxNode) -> bool {
    ast::Item::can_cast(node.kind())
        || ast::ClosureExpr::can_cast(node.kind())
        || ast::BlockExpr::cast(node.clone()).is_some_and(|it| {
            it.async_token().is_some() || it.try_block_modifier().is_some() || it.const_token().is_some()
        })
}
