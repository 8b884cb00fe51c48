//! Operators on signals: notifications, and waits for them.

use super::syntax::{Acquisition, blocks, function_of, functions, left_out, range, text};
use super::{Edits, Source};
use ra_ap_syntax::ast::{self, AstNode, HasLoopBody};

fn notifies(text: &str) -> bool {
    let text = text.trim_end_matches(';').trim_end_matches(')');
    // A method of its own may be anything.
    let is_own = text.starts_with("self.wake(");
    !is_own
        && [".notify_one(", ".notify_all(", ".notify_waiters(", ".wake(", ".notify(1", ".notify(usize::MAX"]
            .iter()
            .any(|it| text.ends_with(it))
}

/// Whether somebody waits without a limit for the signal that a statement notifies, by its last name.
fn is_waited_for(source: &Source<'_>, notification: &str) -> bool {
    let Some((signal, _)) = notification.rsplit_once(".notify") else { return true };
    let compact: String = signal.split_whitespace().collect();
    let name = compact.rsplit('.').next().unwrap_or_default();
    let waits = ["wait(", "wait_while(", "notified(", "notified_owned(", "listen("];
    let all: String = source.crate_text.split_whitespace().collect();
    waits.iter().any(|it| all.contains(&format!("{name}.{it}")))
}

/// A notification is left out that is the only one of its function.
pub(super) fn leave_out_notification(source: &Source<'_>) -> Vec<Edits> {
    let of_function = functions(source.root)
        .map(|it| left_out(it.syntax(), |it| notifies(it) && is_waited_for(source, it)));
    of_function.filter(|it| it.len() == 1).flatten().collect()
}

/// A notification comes before the change that it tells of: before the lock is requested under which that is made.
pub(super) fn notify_before_change(source: &Source<'_>) -> Vec<Edits> {
    let mut found = Vec::new();
    for statements in blocks(source.root) {
        let Some(at) = statements.iter().position(|it| notifies(&text(it.syntax()))) else { continue };
        let signal = text(statements[at].syntax());
        if !is_waited_for(source, &signal) {
            continue;
        }
        let before = &statements[..at];
        let changes = |it: &ast::Stmt| {
            let it = text(it.syntax());
            !it.starts_with("let ")
                && [" = ", " += ", " -= ", ".store(", ".push", ".insert(", ".take()", ".fetch_"]
                    .iter()
                    .any(|change| it.contains(change))
        };
        let locked = before.iter().position(|it| Acquisition::of(it).is_some());
        // Where the notification needs what the statements make, it does not compile: that is left out then.
        let first = match locked {
            Some(locked) => {
                let own = Acquisition::of(&before[locked]).map(|it| it.guard).unwrap_or_default();
                let is_of_guard = signal.starts_with(&format!("{own}."));
                (!is_of_guard && before[locked + 1..].iter().any(changes)).then_some(locked)
            }
            None => before.last().filter(|it| changes(it)).map(|_| at - 1),
        };
        if let Some(first) = first {
            let front = range(statements[first].syntax()).start;
            found.push(vec![
                (front..front, format!("{signal} ")),
                (range(statements[at].syntax()), String::new()),
            ]);
        }
    }
    found
}

/// A wait for a condition variable loses its loop.
pub(super) fn wait_without_loop(source: &Source<'_>) -> Vec<Edits> {
    let loops = source.root.descendants().filter_map(ast::WhileExpr::cast);
    loops
        .filter_map(|it| {
            let body = text(it.loop_body()?.syntax());
            let waits = [".wait(", ".wait_timeout(", ".wait_for("].iter().any(|it| body.contains(it));
            let leaves = body.contains("break") || body.contains("continue");
            let token = it.while_token()?.text_range();
            (waits && !leaves).then(|| vec![(token.into(), "if".to_owned())])
        })
        .collect()
}

/// A future keeps the waker that it was polled with first.
pub(super) fn keep_waker(source: &Source<'_>) -> Vec<Edits> {
    let assignments = source.root.descendants().filter_map(ast::BinExpr::cast);
    assignments
        .filter_map(|it| {
            let value = text(it.rhs()?.syntax());
            let is_waker = value.starts_with("Some(") && value.contains("waker") && value.contains("clone()");
            let place = text(it.lhs()?.syntax());
            // Where there is none there is none to keep.
            let is_empty = it.syntax().ancestors().any(|it| {
                ast::MatchArm::cast(it).and_then(|it| it.pat()).is_some_and(|it| text(it.syntax()) == "None")
            }) || function_of(it.syntax())
                .is_some_and(|it| text(it.syntax()).contains(".take()"));
            (is_waker && !is_empty).then(|| {
                let whole = text(it.syntax());
                vec![(range(it.syntax()), format!("if {place}.is_none() {{ {whole}; }}"))]
            })
        })
        .collect()
}

/// A future does not say whom to wake.
pub(super) fn leave_out_registration(source: &Source<'_>) -> Vec<Edits> {
    left_out(source.root, |it| {
        let it: String = it.split_whitespace().collect();
        it.ends_with(".register(cx.waker());") || it.ends_with(".register_by_ref(cx.waker());")
    })
}

/// Nobody looks again behind the place where a waiter has been put into the list.
pub(super) fn leave_out_second_look(source: &Source<'_>) -> Vec<Edits> {
    let mut found = Vec::new();
    for statements in blocks(source.root) {
        for (at, it) in statements.iter().enumerate() {
            let listens = text(it.syntax());
            let listens = listens.contains(".listen()") || listens.contains(".notified()");
            let Some(look) = statements.get(at + 1).filter(|_| listens && at > 0) else { continue };
            let looks = text(look.syntax());
            let leaves = looks.contains("return") || looks.contains("break");
            let is_branch = looks.starts_with("if ") || looks.starts_with("match ");
            let rest: String = statements[at + 2..].iter().map(|it| text(it.syntax())).collect();
            if is_branch && leaves && (rest.contains(".await") || rest.contains(".wait(")) {
                found.push(vec![(range(look.syntax()), String::new())]);
            }
        }
    }
    found
}
