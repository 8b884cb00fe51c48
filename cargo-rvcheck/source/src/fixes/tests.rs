//! Each case is a text, where the places of its finding are marked, and what becomes of it.

use super::{Remedy, Suggestion, suggestion};
use crate::edition::Edition;
use crate::lines::Lines;

/// The text without its marks, and where they were: `⟨` is the primary place, each `⟩` a related one.
fn marked(text: &str) -> (String, usize, Vec<usize>) {
    let (mut plain, mut primary, mut related) = (String::new(), 0, Vec::new());
    for letter in text.chars() {
        match letter {
            '⟨' => primary = plain.len(),
            '⟩' => related.push(plain.len()),
            _ => plain.push(letter),
        }
    }
    (plain, primary, related)
}

/// The text with a change made.
fn changed(text: &str, suggestion: &Suggestion) -> String {
    let lines = Lines::of(text);
    let mut changed = text.to_owned();
    for it in suggestion.replacements.iter().rev() {
        let offset = |at| lines.offset(at).expect("it lies in the text");
        changed.replace_range(offset(it.start)..offset(it.end), &it.text);
    }
    changed
}

/// What the remedy makes of a marked text; `None` where it makes nothing of it.
fn after(remedy: Remedy, text: &str) -> Option<(String, bool)> {
    let (plain, primary, related) = marked(text);
    let lines = Lines::of(&plain);
    let related: Vec<_> = related.into_iter().map(|it| lines.source_position(it)).collect();
    let found = suggestion(remedy, &plain, Edition::Rust2021, lines.source_position(primary), &related)?;
    Some((changed(&plain, &found), found.is_sure))
}

#[track_caller]
fn sure(remedy: Remedy, text: &str, expected: &str) {
    assert_eq!(after(remedy, text), Some((expected.to_owned(), true)), "{text}");
}

#[track_caller]
fn nothing(remedy: Remedy, texts: &[&str]) {
    for text in texts {
        assert_eq!(after(remedy, text), None, "{text}");
    }
}

#[test]
fn a_sleep_is_awaited() {
    let it = Remedy::AwaitTimer { is_sure: true };
    sure(
        it,
        "async fn f() {\n    std::thread::⟨sleep(D);\n}",
        "async fn f() {\n    tokio::time::sleep(D).await;\n}",
    );
    sure(
        it,
        "fn f() { spawn(async move { if a { ⟨thread::sleep(g(1)) } }); }",
        "fn f() { spawn(async move { if a { tokio::time::sleep(g(1)).await } }); }",
    );
}

#[test]
fn a_sleep_that_is_not_in_async_code_or_not_seen_in_the_tree_stays() {
    nothing(
        Remedy::AwaitTimer { is_sure: true },
        &[
            "fn f() { thread::⟨sleep(D); }",
            "async fn f() { g(|| thread::⟨sleep(D)); }",
            "async fn f() { fn g() { thread::⟨sleep(D); } }",
            "async fn f() { m!(thread::⟨sleep(D)); }",
            "async fn f() { mine::⟨sleep(D); }",
            "async fn f() { g(thread::⟨sleep); }",
            "async fn f() { const A: () = thread::⟨sleep(D); }",
            "async fn f() { thread::⟨sleep(D); ",
        ],
    );
}

#[test]
fn a_guard_is_dropped_right_before_the_first_await() {
    let it = Remedy::DropGuard { is_sure: true };
    sure(
        it,
        "async fn f() {\n    let mut g = a.⟨lock().unwrap();\n    g.push(1);\n    b(2);\n    c().⟩await;\n}",
        "async fn f() {\n    let mut g = a.lock().unwrap();\n    g.push(1);\n    b(2);\n    drop(g);\n    c().await;\n}",
    );
    sure(
        it,
        "async fn f() {\r\n    let g = a.⟨borrow();\r\n    println!(\"{g:?} {}\", g.b);\r\n    for i in 0..3 {\r\n        c(i).⟩await;\r\n    }\r\n}",
        "async fn f() {\r\n    let g = a.borrow();\r\n    println!(\"{g:?} {}\", g.b);\r\n    drop(g);\r\n    for i in 0..3 {\r\n        c(i).await;\r\n    }\r\n}",
    );
    sure(
        it,
        "async fn f() -> u8 { let g = a.⟨lock().expect(\"x\"); let n = g.len(); c(n).⟩await; n }",
        "async fn f() -> u8 { let g = a.lock().expect(\"x\"); let n = g.len(); drop(g); c(n).await; n }",
    );
}

#[test]
fn before_a_macro_that_may_suspend_the_guard_is_dropped_as_well() {
    sure(
        Remedy::DropGuard { is_sure: true },
        "async fn f() { let g = a.⟨lock().unwrap(); g.a(); join!(x, y); c().⟩await; }",
        "async fn f() { let g = a.lock().unwrap(); g.a(); drop(g); join!(x, y); c().await; }",
    );
}

#[test]
fn what_may_borrow_from_the_guard_makes_it_doubtful() {
    let text = "async fn f() { let g = a.⟨lock().unwrap(); let n = g.first(); c(n).⟩await; }";
    assert_eq!(after(Remedy::DropGuard { is_sure: true }, text).map(|it| it.1), Some(false));
}

#[test]
fn what_the_compiler_leaves_open_is_doubtful_and_named() {
    let guard = "async fn f() { let g = a.⟨lock().unwrap(); g.push(1); c().⟩await; }";
    assert_eq!(after(Remedy::DropGuard { is_sure: false }, guard).map(|it| it.1), Some(false));
    let sleep = "async fn f() { thread::⟨sleep(D); }";
    assert_eq!(after(Remedy::AwaitTimer { is_sure: false }, sleep).map(|it| it.1), Some(false));
}

#[test]
fn a_guard_stays_that_is_used_later_or_may_be_gone_or_is_held_for_its_own_sake() {
    nothing(
        Remedy::DropGuard { is_sure: true },
        &[
            // Used later, also in a format string.
            "async fn f() { let g = a.⟨lock().unwrap(); g.push(1); c().⟩await; g.push(2); }",
            "async fn f() { let g = a.⟨lock().unwrap(); g.push(1); c(*g).⟩await; }",
            "async fn f() { let g = a.⟨lock().unwrap(); g.push(1); c().⟩await; println!(\"{g}\"); }",
            // Moved, captured, or bound again.
            "async fn f() { let g = a.⟨lock().unwrap(); g.a(); h(g); c().⟩await; }",
            "async fn f() { let g = a.⟨lock().unwrap(); g.a(); if b { drop(g) } c().⟩await; }",
            "async fn f() { let g = a.⟨lock().unwrap(); let h = || g.a(); h(); c().⟩await; }",
            "async fn f() { let g = a.⟨lock().unwrap(); g.a(); let g = 1; c().⟩await; }",
            "async fn f() { let g = a.⟨lock().unwrap(); let h = &g; c().⟩await; }",
            "async fn f() { let g = a.⟨lock().unwrap(); m!(g); c().⟩await; }",
            // Held for its own sake.
            "async fn f() { let g = a.⟨lock().unwrap(); c().⟩await; }",
            "async fn f() { let _g = a.⟨lock().unwrap(); _g.a(); c().⟩await; }",
            // Not a guard in a variable of its own.
            "async fn f() { let (g, h) = (a.⟨lock().unwrap(), 1); g.a(); c().⟩await; }",
            "async fn f() { let g = W(a.⟨lock().unwrap()); g.a(); c().⟩await; }",
            "async fn f() { let g = a.⟨lock().unwrap().b(); g.a(); c().⟩await; }",
            "async fn f() { let Ok(g) = a.⟨lock() else { return }; g.a(); c().⟩await; }",
            "async fn f() { if let Ok(g) = a.⟨lock() { g.a(); c().⟩await; } }",
            // The await is elsewhere, or not known.
            "async fn f() { { let g = a.⟨lock().unwrap(); g.a(); } c().⟩await; }",
            "async fn f() { let g = a.⟨lock().unwrap(); g.a(); c().await; }",
            "fn f() { let g = a.⟨lock().unwrap(); g.a(); spawn(async { c().⟩await; }); }",
            // `drop` is something else.
            "async fn f() { let g = a.⟨lock().unwrap(); g.a(); c().⟩await; } fn drop() {}",
            "use x::drop; async fn f() { let g = a.⟨lock().unwrap(); g.a(); c().⟩await; }",
        ],
    );
}

#[test]
fn a_result_that_is_thrown_away_is_passed_on() {
    let it = Remedy::Propagate { unwrapped: 0 };
    sure(
        it,
        "async fn f() -> R {\n    let _ = g(1).⟨await;\n    Ok(())\n}",
        "async fn f() -> R {\n    g(1).await?;\n    Ok(())\n}",
    );
    sure(
        Remedy::Propagate { unwrapped: 1 },
        "async fn f() -> R { let _ = h.⟨await?; Ok(()) }",
        "async fn f() -> R { h.await??; Ok(()) }",
    );
}

#[test]
fn what_would_leave_something_out_is_doubtful() {
    for text in [
        "async fn f() -> R { let _ = g().⟨await; h(); Ok(()) }",
        "async fn f() -> R { let _ = g().⟨await; Ok(h()) }",
        "async fn f() -> R { if a { let _ = g().⟨await; } Ok(()) }",
    ] {
        assert_eq!(after(Remedy::Propagate { unwrapped: 0 }, text).map(|it| it.1), Some(false), "{text}");
    }
}

#[test]
fn another_value_is_not_passed_on() {
    nothing(
        Remedy::Propagate { unwrapped: 0 },
        &[
            "async fn f() -> R { let _ = g().⟨await?; Ok(()) }",
            "async fn f() -> R { let _ = g().⟨await.is_ok(); Ok(()) }",
            "async fn f() -> R { let _a = g().⟨await; Ok(()) }",
            "async fn f() -> R { let _: Q = g().⟨await; Ok(()) }",
            "async fn f() -> R { g().⟨await.ok(); Ok(()) }",
            "async fn f() -> R { let _ = match x { _ => g().⟨await }; Ok(()) }",
            "async fn f() -> R { #[a] let _ = g().⟨await; Ok(()) }",
        ],
    );
}
