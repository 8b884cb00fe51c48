//! A guard is dropped before the await.
//!
//! The guard is a variable of the block that has the await, directly or further inside. From the await on, the block does not name it any
//! more, nor does anything that may be read as a format string. Before, it is only looked through, so that it is still there. And it is
//! looked through at least once: a guard that is never used protects something else, perhaps beyond the await.

use super::Change;
use super::tree::{Tree, is_async, range, tokens};
use ra_ap_syntax::ast::{self, AstNode, HasArgList, HasName};
use ra_ap_syntax::{SyntaxKind, SyntaxNode, SyntaxToken};

/// What gives a guard.
const LOCKS: [&str; 6] = ["borrow", "borrow_mut", "lock", "read", "upgradable_read", "write"];
/// What only takes a guard out of a result.
const UNWRAPS: [&str; 3] = ["expect", "unwrap", "unwrap_or_else"];
/// Macros that take what they are given by reference, and do not suspend.
const PRINTERS: [&str; 18] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "debug",
    "error",
    "info",
    "trace",
    "warn",
    "eprint",
    "eprintln",
    "format",
    "print",
    "println",
    "write",
    "writeln",
];
/// Methods whose result borrows nothing of what they are called on.
const OWNED: [&str; 17] = [
    "capacity",
    "clone",
    "cloned",
    "contains",
    "contains_key",
    "copied",
    "count",
    "is_empty",
    "is_none",
    "is_some",
    "len",
    "pop",
    "pop_front",
    "take",
    "to_owned",
    "to_string",
    "to_vec",
];

/// The change for the guard that the method at this offset gives, held at the awaits at these offsets. `is_free` says that nothing from
/// there on needs that others are kept out.
pub(super) fn change(tree: &Tree<'_>, at: usize, awaits: &[usize], is_free: bool) -> Option<Change> {
    let binding = Binding::of(tree, at)?;
    let list = ast::StmtList::cast(binding.statement.syntax().parent()?)?;
    if awaits.is_empty() || !is_async(binding.statement.syntax()) || tree.redefines_drop() {
        return None;
    }
    let behind = behind(&list, &binding.statement);
    let suspends = |it: &SyntaxNode| tokens(it).any(|it| it.text() == "await") || has_unknown_macro(it);
    let first = behind.iter().position(suspends)?;
    let (between, from) = behind.split_at(first);
    let place = range(from.first()?).start;
    let end = range(list.syntax()).end;
    if !awaits.iter().all(|it| (place..end).contains(it)) {
        return None;
    }
    let name = binding.name.text();
    let names = |node: &SyntaxNode| tokens(node).filter(|it| it.text() == name).collect::<Vec<_>>();
    let hides = |node: &SyntaxNode| {
        tokens(node).any(|it| it.kind() == SyntaxKind::STRING && has_word(it.text(), name))
    };
    if from.iter().any(|it| !names(it).is_empty() || hides(it)) {
        return None;
    }
    let uses: Vec<SyntaxToken> = between.iter().flat_map(names).collect();
    if uses.is_empty() || !uses.iter().all(|it| looks_through(it, &list)) {
        return None;
    }
    // What was bound meanwhile may borrow from the guard; whether it does, only types show.
    let is_independent =
        between.iter().filter(|it| !names(it).is_empty()).all(|it| borrows_nothing(it, name, from));
    let dropped = format!("drop({name});");
    let text = match tree.indent(place) {
        Some(indent) => format!("{dropped}{}{indent}", tree.line_break()),
        None => format!("{dropped} "),
    };
    let unless = if is_free { "" } else { ", unless later code relies on the lock being held" };
    Some(Change {
        message: format!("drop `{name}` before the task is suspended{unless}"),
        is_sure: is_free && is_independent,
        edits: vec![(place..place, text)],
    })
}

/// A variable that is a guard from the beginning.
struct Binding {
    statement: ast::LetStmt,
    name: SyntaxToken,
}

impl Binding {
    /// The one whose initializer ends with the method at this offset, but for what unwraps its result.
    fn of(tree: &Tree<'_>, at: usize) -> Option<Binding> {
        let word = tree.word(at).filter(|it| LOCKS.contains(&it.text()))?;
        let call = word.parent_ancestors().find_map(ast::MethodCallExpr::cast)?;
        let is_called = call.name_ref().is_some_and(|it| it.syntax().text_range() == word.text_range());
        if !is_called || call.arg_list()?.args().next().is_some() {
            return None;
        }
        let mut value = call.syntax().clone();
        let statement = loop {
            let around = value.parent()?;
            if let Some(statement) = ast::LetStmt::cast(around.clone()) {
                break statement;
            }
            let unwraps = ast::MethodCallExpr::cast(around.clone()).is_some_and(|it| {
                let named = it.name_ref().is_some_and(|it| UNWRAPS.contains(&it.text()));
                named && it.receiver().is_some_and(|it| *it.syntax() == value)
            });
            if !unwraps && around.kind() != SyntaxKind::TRY_EXPR {
                return None;
            }
            value = around;
        };
        let is_whole = statement.initializer().is_some_and(|it| *it.syntax() == value);
        if !is_whole || statement.let_else().is_some() || statement.semicolon_token().is_none() {
            return None;
        }
        let ast::Pat::IdentPat(pattern) = statement.pat()? else { return None };
        if pattern.pat().is_some() || pattern.ref_token().is_some() {
            return None;
        }
        let name = pattern.name()?.ident_token()?;
        // Such a name says that the guard is kept for its own sake.
        (!name.text().starts_with('_')).then_some(Binding { statement, name })
    }
}

/// The statements behind this one in its block, and the expression at the end.
fn behind(list: &ast::StmtList, statement: &ast::LetStmt) -> Vec<SyntaxNode> {
    let end = statement.syntax().text_range().end();
    let statements = list.statements().map(|it| it.syntax().clone());
    let all = statements.chain(list.tail_expr().map(|it| it.syntax().clone()));
    all.filter(|it| it.text_range().start() >= end).collect()
}

/// Whether what is used there is only what the guard leads to, so that the guard stays where it is.
fn looks_through(name: &SyntaxToken, list: &ast::StmtList) -> bool {
    let inside = || name.parent_ancestors().take_while(|it| it != list.syntax());
    // What runs later may find it gone.
    let is_captured = inside().any(|it| {
        it.kind() == SyntaxKind::CLOSURE_EXPR
            || ast::Item::can_cast(it.kind()) && it.kind() != SyntaxKind::MACRO_CALL
            || ast::BlockExpr::cast(it).is_some_and(|it| it.async_token().is_some())
    });
    if is_captured {
        return false;
    }
    if let Some(call) = inside().find_map(ast::MacroCall::cast) {
        return is_printer(&call);
    }
    let Some(path) = name.parent_ancestors().find_map(ast::PathExpr::cast) else { return false };
    if path.syntax().text_range() != name.text_range() {
        return false;
    }
    let Some(around) = path.syntax().parent() else { return false };
    let is_base = |it: Option<ast::Expr>| it.is_some_and(|it| it.syntax() == path.syntax());
    match around.kind() {
        SyntaxKind::FIELD_EXPR => true,
        SyntaxKind::METHOD_CALL_EXPR => {
            ast::MethodCallExpr::cast(around).is_some_and(|it| is_base(it.receiver()))
        }
        SyntaxKind::INDEX_EXPR => ast::IndexExpr::cast(around).is_some_and(|it| is_base(it.base())),
        SyntaxKind::PREFIX_EXPR => {
            ast::PrefixExpr::cast(around).is_some_and(|it| it.op_kind() == Some(ast::UnaryOp::Deref))
        }
        _ => false,
    }
}

fn is_printer(call: &ast::MacroCall) -> bool {
    let called = call.path().and_then(|it| it.segment()).and_then(|it| it.name_ref());
    called.is_some_and(|it| PRINTERS.contains(&it.text()))
}

/// Whether there is a macro of which it is not known whether it suspends the task.
fn has_unknown_macro(node: &SyntaxNode) -> bool {
    node.descendants().filter_map(ast::MacroCall::cast).any(|it| !is_printer(&it))
}

/// Whether nothing that a statement binds is named from the await on, unless it is a value of its own.
fn borrows_nothing(statement: &SyntaxNode, guard: &str, from: &[SyntaxNode]) -> bool {
    let bound = statement.descendants().filter_map(ast::IdentPat::cast).filter_map(|it| it.name());
    let is_used = |it: &ast::Name| {
        let name = it.text();
        from.iter().any(|node| tokens(node).any(|it| has_word(it.text(), name)))
    };
    if !bound.into_iter().any(|it| is_used(&it)) {
        // An assignment may keep a borrow, too, but then what it is assigned to is older than the guard.
        return true;
    }
    let value = ast::LetStmt::cast(statement.clone()).and_then(|it| it.initializer());
    match value {
        Some(ast::Expr::MethodCallExpr(call)) => call.name_ref().is_some_and(|it| OWNED.contains(&it.text())),
        Some(ast::Expr::PrefixExpr(it)) => {
            it.op_kind() == Some(ast::UnaryOp::Deref)
                && it.expr().is_some_and(|it| it.syntax().text() == guard)
        }
        Some(ast::Expr::CallExpr(call)) => {
            let called = call.expr().map(|it| it.syntax().text().to_string());
            called.is_some_and(|it| it.ends_with("mem::take"))
        }
        _ => false,
    }
}

/// Whether a text has this word.
fn has_word(text: &str, word: &str) -> bool {
    let of_word = |it: char| it.is_alphanumeric() || it == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(of_word) && !text[at + word.len()..].starts_with(of_word))
}
