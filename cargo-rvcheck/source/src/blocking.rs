//! Calls of the standard library that block the thread, directly in async code: what can be known of a file without types, also
//! where it does not compile.

use crate::call::called_path;
use crate::edition::Edition;
use crate::imports::Imports;
use crate::lines::Lines;
use crate::outline::outline;
use crate::outline::surroundings::Surroundings;
use crate::role::{Role, Roles};
use crate::token::Tokens;
use rvcheck_event::position::SourcePosition;
use rvcheck_primitives::{Action, Is, Row, Waits, row};

/// A call that blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockingCall {
    /// Where the function's path begins.
    pub start: SourcePosition,
    /// Behind its last character.
    pub end: SourcePosition,
    /// The full path of the function, such as `std::thread::sleep`.
    pub path: String,
    /// What could be called in its place.
    pub instead: &'static str,
    /// It stands in a test.
    pub in_test: bool,
}

/// The calls of this text. A call in the input of a macro is passed over, since nothing says that it runs there.
pub fn blocking_calls(text: &str, edition: Edition) -> Vec<BlockingCall> {
    let tokens = Tokens::of(text);
    let roles = Roles::of(&tokens);
    let imports = Imports::of(&tokens);
    let mut found = Vec::new();
    for index in (0..tokens.len()).filter(|&index| tokens.is_any_word(index)) {
        if roles.get(index) != Role::Code {
            continue;
        }
        let Some((start, path)) = called_path(&tokens, index) else { continue };
        let path = imports.resolve(&path);
        if let (Some(instead), Some(from), Some(to)) =
            (instead_of(&path), tokens.get(start), tokens.get(index))
        {
            found.push((from.start, to.end, path.join("::"), instead));
        }
    }
    if found.is_empty() {
        return Vec::new();
    }
    let surroundings = Surroundings::of(text, &tokens, edition);
    let outline = outline(text, &tokens, edition);
    let lines = Lines::of(text);
    let call = |(start, end, path, instead): (usize, usize, String, &'static str)| {
        let in_test = outline.is_test(start);
        let (start, end) = (lines.source_position(start), lines.source_position(end));
        BlockingCall { start, end, path, instead, in_test }
    };
    found.into_iter().filter(|it| surroundings.is_async(it.0)).map(call).collect()
}

/// What could be called in place of this function; `None` if it does not block.
fn instead_of(path: &[&str]) -> Option<&'static str> {
    let Row { owner, operation } = row(&path.join("::")).filter(|it| it.operation.waits == Waits::Thread)?;
    match (operation.action, owner.is) {
        (Action::Sleep, _) => Some("the timer of the runtime, such as `tokio::time::sleep`"),
        (Action::Transfer, Is::Module(_)) => {
            Some("the counterpart of the runtime, such as those of `tokio::fs`")
        }
        (Action::Transfer, Is::File) => Some("the counterpart of the runtime, such as `tokio::fs::File`"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paths of the calls that are found, with their lines.
    fn found(text: &str) -> Vec<(u32, String)> {
        blocking_calls(text, Edition::Rust2021).into_iter().map(|it| (it.start.line, it.path)).collect()
    }

    #[test]
    fn direct_calls_in_async_code_are_found_by_what_is_imported() {
        let text = "use std::{thread, time::Duration, fs as files};\nuse std::thread::sleep as pause;\n\
            async fn a() { thread::sleep(D); }\n\
            fn b() { spawn(async move { pause(D); }); }\n\
            fn c() { let d = async || { files::read(\"x\") }; }\n\
            impl E { async fn f(&self) { if g { ::std::fs::File::open(\"y\"); } } }\n";
        let expected = [
            (3, "std::thread::sleep"),
            (4, "std::thread::sleep"),
            (5, "std::fs::read"),
            (6, "std::fs::File::open"),
        ];
        assert_eq!(found(text), expected.map(|(line, path)| (line, path.to_owned())));
    }

    #[test]
    fn what_does_not_run_on_the_task_is_passed_over() {
        let text = "use std::thread; use tokio::fs;\n\
            fn a() { thread::sleep(D); }\n\
            async fn b() { spawn_blocking(|| thread::sleep(D)); thread::spawn(move || { thread::sleep(D); }); }\n\
            async fn c() { fn d() { thread::sleep(D); } struct E; impl E { fn f() { thread::sleep(D); } } }\n\
            async fn g() { fs::read(\"x\").await; m!(thread::sleep(D)); other::sleep(D); }\n";
        assert_eq!(found(text), []);
    }

    #[test]
    fn code_that_does_not_compile_is_read_as_far_as_it_goes() {
        let text = "async fn a() { let = ; std::thread::sleep(d) }\nasync fn b( { std::thread::sleep(d) }";
        assert_eq!(found(text).first(), Some(&(1, "std::thread::sleep".to_owned())));
        assert_eq!(found(&format!("async fn a() {{ {} std::thread::sleep(d) }}", "(".repeat(100_000))), []);
    }

    #[test]
    fn tests_are_recognised() {
        let text = "#[test_case] fn x() {}\n#[tokio::test]\nasync fn a() { std::thread::sleep(d) }";
        assert!(blocking_calls(text, Edition::Rust2021).iter().all(|it| it.in_test));
    }
}
