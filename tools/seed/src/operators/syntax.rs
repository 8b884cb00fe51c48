//! What operators ask of a source: its functions, their statements, and which of them request locks.

use super::Edits;
use ra_ap_syntax::SyntaxNode;
use ra_ap_syntax::ast::{self, AstNode, HasAttrs, HasName};
use std::ops::Range;

/// The offsets of a node.
pub(super) fn range(node: &SyntaxNode) -> Range<usize> {
    node.text_range().into()
}

/// The text of a node.
pub(super) fn text(node: &SyntaxNode) -> String {
    node.text().to_string()
}

/// The statements of each block, in their order.
pub(super) fn blocks(root: &SyntaxNode) -> impl Iterator<Item = Vec<ast::Stmt>> {
    root.descendants().filter_map(ast::StmtList::cast).map(|it| it.statements().collect())
}

/// The functions that are no tests, with a body.
pub(super) fn functions(root: &SyntaxNode) -> impl Iterator<Item = ast::Fn> {
    let is_test = |it: &ast::Fn| it.attrs().any(|it| text(it.syntax()).contains("test"));
    root.descendants().filter_map(ast::Fn::cast).filter(move |it| it.body().is_some() && !is_test(it))
}

/// The function that a node is in, if no closure or async block is in between.
pub(super) fn function_of(node: &SyntaxNode) -> Option<ast::Fn> {
    for ancestor in node.ancestors() {
        let is_other = ast::ClosureExpr::can_cast(ancestor.kind())
            || ast::BlockExpr::cast(ancestor.clone()).is_some_and(|it| it.async_token().is_some());
        if is_other {
            return None;
        }
        if let Some(function) = ast::Fn::cast(ancestor) {
            return Some(function);
        }
    }
    None
}

/// The name of the type whose methods an `impl` block has.
pub(super) fn type_of(function: &ast::Fn) -> Option<String> {
    let block = function.syntax().ancestors().find_map(ast::Impl::cast)?;
    let ty = text(block.self_ty()?.syntax());
    Some(ty.split('<').next().unwrap_or(&ty).trim().to_owned())
}

/// Whether a function borrows `self` without changing it.
pub(super) fn is_shared_method(function: &ast::Fn) -> bool {
    let own = function.param_list().and_then(|it| it.self_param());
    own.is_some_and(|it| it.amp_token().is_some() && it.mut_token().is_none())
}

/// The name of a function.
pub(super) fn name(function: &ast::Fn) -> String {
    function.name().map(|it| it.text().to_string()).unwrap_or_default()
}

/// A `let` that keeps the guard of a lock.
#[derive(Clone, Debug)]
pub(super) struct Acquisition {
    /// The lock, as it is written.
    pub(super) lock: String,
    /// `lock`, `read` or `write`.
    pub(super) method: &'static str,
    /// What follows the request, as `.unwrap()`.
    pub(super) rest: String,
    /// The statement.
    pub(super) statement: Range<usize>,
    /// What the guard is called.
    pub(super) guard: String,
}

impl Acquisition {
    /// Reads one.
    pub(super) fn of(statement: &ast::Stmt) -> Option<Acquisition> {
        const ENDS: [&str; 5] = ["", ".unwrap()", ".await", ".expect(", ".unwrap_or_else("];
        let ast::Stmt::LetStmt(binding) = statement else { return None };
        let value = text(binding.initializer()?.syntax());
        let guard = text(binding.pat()?.syntax()).trim_start_matches("mut ").to_owned();
        let requests = [("lock", ".lock()"), ("read", ".read()"), ("write", ".write()")];
        let (method, at) = requests.iter().find_map(|(it, call)| Some((*it, value.find(call)?)))?;
        let (lock, rest) = (&value[..at], &value[at + method.len() + 3..]);
        let is_guard = ENDS.iter().any(|it| {
            if it.ends_with('(') {
                rest.strip_prefix(it).is_some_and(|it| it.ends_with(')') && !it.contains(")."))
            } else {
                rest == *it
            }
        });
        let is_place = lock.chars().all(|it| it.is_alphanumeric() || "._&*() \n".contains(it));
        (is_guard && is_place && guard.chars().all(|it| it.is_alphanumeric() || it == '_') && guard != "_")
            .then(|| Acquisition {
                lock: lock.split_whitespace().collect(),
                method,
                rest: rest.to_owned(),
                statement: range(statement.syntax()),
                guard,
            })
    }

    /// The expression that requests the lock, by another method.
    pub(super) fn requested_by(&self, method: &str) -> String {
        format!("{}.{method}(){}", self.lock, self.rest)
    }

    /// The expression that requests the lock.
    pub(super) fn request(&self) -> String {
        self.requested_by(self.method)
    }

    /// The edit that puts a statement behind.
    pub(super) fn then(&self, statement: &str) -> (Range<usize>, String) {
        (self.statement.end..self.statement.end, format!(" {statement}"))
    }
}

/// The acquisitions in a function that its own body makes.
pub(super) fn acquisitions(function: &ast::Fn) -> Vec<Acquisition> {
    let Some(body) = function.body() else { return Vec::new() };
    let own = |it: &ast::Stmt| function_of(it.syntax()).is_some_and(|it| it == *function);
    blocks(body.syntax()).flatten().filter(own).filter_map(|it| Acquisition::of(&it)).collect()
}

/// Leaves out the statements of which this is true.
pub(super) fn left_out(root: &SyntaxNode, is_it: impl Fn(&str) -> bool) -> Vec<Edits> {
    let statements = blocks(root).flatten().filter(|it| is_it(&text(it.syntax())));
    statements.map(|it| vec![(range(it.syntax()), String::new())]).collect()
}

/// What a statement drops by its name.
pub(super) fn dropped(text: &str) -> Option<&str> {
    let of = ["drop(", "mem::drop(", "std::mem::drop("].iter().find_map(|it| text.strip_prefix(it))?;
    of.strip_suffix(");")
}

/// Where a body begins.
pub(super) fn front(function: &ast::Fn) -> Option<usize> {
    let open: Range<usize> = function.body()?.stmt_list()?.l_curly_token()?.text_range().into();
    Some(open.end)
}
