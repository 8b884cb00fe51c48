//! Operators on locks: requested again, in another order, or held for longer.

use super::syntax::{
    Acquisition, acquisitions, blocks, dropped, functions, is_shared_method, name, range, text, type_of,
};
use super::{Edits, Source};
use ra_ap_syntax::ast::{self, AstNode, HasGenericParams};

/// An acquisition comes twice.
pub(super) fn lock_again(source: &Source<'_>) -> Vec<Edits> {
    let all = functions(source.root).flat_map(|it| acquisitions(&it));
    all.filter(|it| it.method != "read")
        .map(|it| vec![it.then(&format!("let _again = {};", it.request()))])
        .collect()
}

/// A lock is requested for writing while it is held for reading.
pub(super) fn write_under_read(source: &Source<'_>) -> Vec<Edits> {
    let all = functions(source.root).flat_map(|it| acquisitions(&it));
    all.filter(|it| it.method == "read")
        .map(|it| vec![it.then(&format!("let _again = {};", it.requested_by("write")))])
        .collect()
}

/// Under a lock, a method of the same value is called that requests it.
pub(super) fn lock_in_callee(source: &Source<'_>) -> Vec<Edits> {
    let methods: Vec<(ast::Fn, Vec<Acquisition>)> =
        functions(source.root).filter(is_shared_method).map(|it| (it.clone(), acquisitions(&it))).collect();
    let mut found = Vec::new();
    for (caller, held) in &methods {
        let callee = |own: &Acquisition| {
            methods.iter().find(|(it, all)| {
                let has_no_arguments = it.param_list().is_some_and(|it| it.params().next().is_none());
                name(it) != name(caller)
                    && type_of(it).is_some()
                    && type_of(it) == type_of(caller)
                    && has_no_arguments
                    && it.async_token().is_none()
                    && it.generic_param_list().is_none()
                    && all.iter().any(|it| it.lock == own.lock && (it.method, own.method) != ("read", "read"))
            })
        };
        for own in held.iter().filter(|it| it.lock.starts_with("self.")) {
            if let Some((it, _)) = callee(own) {
                found.push(vec![own.then(&format!("let _ = self.{}();", name(it)))]);
            }
        }
    }
    found
}

/// Two acquisitions that follow each other change places.
pub(super) fn swap_acquisitions(source: &Source<'_>) -> Vec<Edits> {
    let mut found = Vec::new();
    for statements in blocks(source.root) {
        for pair in statements.windows(2) {
            let [a, b] = [&pair[0], &pair[1]].map(Acquisition::of);
            if let (Some(a), Some(b)) = (a, b)
                && a.lock != b.lock
                && !b.lock.starts_with(&format!("{}.", a.guard))
            {
                let [a, b] = [a.statement, b.statement];
                found.push(vec![
                    (a.clone(), source.text[b.clone()].to_owned()),
                    (b, source.text[a].to_owned()),
                ]);
            }
        }
    }
    found
}

/// Two methods of a value request a second lock under their first, in orders that differ.
pub(super) fn cross_acquisitions(source: &Source<'_>) -> Vec<Edits> {
    let all: Vec<(ast::Fn, Acquisition)> = functions(source.root)
        .filter(is_shared_method)
        .filter_map(|it| Some((it.clone(), acquisitions(&it).into_iter().next()?)))
        .filter(|(_, it)| it.lock.starts_with("self.") && it.method != "read")
        .collect();
    let mut found: Vec<Edits> = Vec::new();
    let mut pairs = Vec::new();
    for (one, a) in &all {
        for (other, b) in &all {
            let is_alike = type_of(one) == type_of(other)
                && type_of(one).is_some()
                && one.async_token().is_some() == other.async_token().is_some();
            let pair = (a.lock.clone(), b.lock.clone());
            if is_alike && a.lock < b.lock && !pairs.contains(&pair) {
                pairs.push(pair);
                found.push(vec![
                    a.then(&format!("let _other = {};", b.request())),
                    b.then(&format!("let _other = {};", a.request())),
                ]);
            }
        }
    }
    found
}

/// The guard of a blocking lock stays alive where the function suspends: it is not dropped, or the function suspends earlier.
pub(super) fn keep_guard(source: &Source<'_>) -> Vec<Edits> {
    let mut found = Vec::new();
    let is_blocking = |it: &Acquisition| !it.rest.contains("await");
    for function in functions(source.root).filter(|it| it.async_token().is_some()) {
        for own in acquisitions(&function).into_iter().filter(is_blocking) {
            let end = range(function.syntax()).end;
            let drops = left_out(&function, &own.guard);
            match drops {
                Some(statement) if source.text[statement.end..end].contains(".await") => {
                    found.push(vec![(statement, String::new())]);
                }
                _ => found.push(vec![own.then("::tokio::task::yield_now().await;")]),
            }
        }
    }
    found
}

/// The statement that drops a guard.
fn left_out(function: &ast::Fn, guard: &str) -> Option<std::ops::Range<usize>> {
    let mut all = blocks(function.syntax()).flatten().map(|it| it.syntax().clone());
    all.find(|it| dropped(&text(it)) == Some(guard)).map(|it| range(&it))
}

/// A guard is not dropped before the same lock is requested again, in the same block.
pub(super) fn keep_guard_until_next(source: &Source<'_>) -> Vec<Edits> {
    let mut found = Vec::new();
    for statements in blocks(source.root) {
        for (at, drops) in statements.iter().enumerate() {
            let drop_text = text(drops.syntax());
            let Some(guard) = dropped(&drop_text) else { continue };
            let made = statements[..at].iter().filter_map(Acquisition::of).find(|it| it.guard == guard);
            let again = made.is_some_and(|own| {
                let after = statements[at + 1..].iter();
                after.filter_map(Acquisition::of).any(|it| it.lock == own.lock)
            });
            if again {
                found.push(vec![(range(drops.syntax()), String::new())]);
            }
        }
    }
    found
}
