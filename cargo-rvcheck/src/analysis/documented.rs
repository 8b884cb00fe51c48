//! Whether doctests may take locks. They are compiled one by one, and nobody looks at them.

/// Words of tests that may do with the workspace's locks and semaphores what no other code does.
const WORDS: [&str; 6] = ["Mutex", "RwLock", ".lock(", ".read(", ".write(", "Semaphore"];

/// The most columns by which a line of prose is indented.
const INDENT: usize = 4;

/// Whether a test in the documentation of a file may take locks. What is no code says nothing. In doubt something is code.
pub(super) fn documents_locks(text: &str) -> bool {
    let mut block: Option<Vec<&str>> = None;
    let mut is_comment = false;
    for raw in text.lines() {
        let line = raw.trim_start();
        // An attribute may go on over several lines.
        if line.contains("doc") && (line.contains("include_str") || line.contains('"') && says_locks(line)) {
            return true;
        }
        let begins = ["/**", "/*!"].iter().find_map(|it| line.strip_prefix(it));
        let said = if is_comment || begins.is_some() {
            is_comment = !line.contains("*/");
            let inside = line.strip_prefix('*').unwrap_or(raw);
            Some(begins.unwrap_or(inside))
        } else {
            line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))
        };
        match said {
            Some(it) => block.get_or_insert_default().push(it),
            None if block.take().is_some_and(|it| has_test_that_locks(&it)) => return true,
            None => {}
        }
    }
    block.is_some_and(|it| has_test_that_locks(&it))
}

fn says_locks(line: &str) -> bool {
    WORDS.iter().any(|it| line.contains(it))
}

/// The beginning of a block of code, or its end.
struct Fence<'a> {
    mark: char,
    length: usize,
    /// What it says of its code.
    of: &'a str,
}

impl<'a> Fence<'a> {
    fn of(line: &'a str) -> Option<Fence<'a>> {
        // It may stand in a list or a quotation.
        let line = line
            .trim_start_matches(|it: char| it.is_whitespace() || "->*+.)".contains(it) || it.is_numeric());
        let mark = line.chars().next().filter(|it| matches!(it, '`' | '~'))?;
        let of = line.trim_start_matches(mark);
        let length = line.len() - of.len();
        (length >= 3).then_some(Fence { mark, length, of: of.trim() })
    }

    fn closes(&self, open: &Fence<'_>) -> bool {
        self.mark == open.mark && self.length >= open.length && self.of.is_empty()
    }

    /// Its code is not run.
    fn is_shown_only(&self) -> bool {
        let mut words = self.of.split(|it: char| it == ',' || it.is_whitespace());
        matches!(self.of, "text" | "toml" | "sh" | "console" | "json")
            || words.any(|it| matches!(it, "no_run" | "compile_fail"))
    }
}

/// Whether some of these lines of one documentation are code that speaks of locks.
fn has_test_that_locks(lines: &[&str]) -> bool {
    let mut open: Option<Fence<'_>> = None;
    for line in lines {
        match (Fence::of(line), &open) {
            (Some(fence), Some(of)) if fence.closes(of) => open = None,
            (Some(fence), None) => open = Some(fence),
            _ => {
                let is_run = match &open {
                    Some(fence) => !fence.is_shown_only(),
                    None => line.starts_with('\t') || line.len() - line.trim_start().len() >= INDENT,
                };
                if is_run && says_locks(line) {
                    return true;
                }
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_in_documentation_that_takes_locks_counts() {
        for (text, expected) in [
            ("/// Takes a lock.\nfn f(a: &Mutex<u32>) { a.lock(); }", false),
            ("/// A `Mutex` that one may `.lock()`.\nfn f() {}", false),
            ("/// ```\n/// let guard = account.lock();\n/// ```\nfn f() {}", true),
            ("//! ```\n//! f();\n//! ```\n//! Not `.lock()`", false),
            ("/// ```text\n/// Mutex\n/// ```", false),
            ("/// ```no_run\n/// account.lock();\n/// ```", false),
            ("/// ```rust,ignore\n/// account.lock();\n/// ```", true),
            ("/// ````\n/// ```\n/// ````\n/// Mutex\n/// ~~~\n/// ```\n/// Mutex", true),
            ("/// ```\n/// ```rust\n/// account.lock();", true),
            ("/// - ```\n///   account.lock();\n///   ```", true),
            ("//! In short:\n//!\n//!     use std::sync::Mutex;", true),
            ("//! In short:\n//!\n//!\tuse std::sync::Mutex;", true),
            ("#![doc = include_str!(\"../README.md\")]", true),
            ("#![cfg_attr(\n    doctest,\n    doc = include_str!(\"../README.md\")\n)]", true),
            ("#[doc = \"```\\n account.lock();\\n```\"]", true),
            ("#[doc(alias = \"box\")]\nfn f(a: &Mutex<u32>) {}", false),
            ("/**\n```\nlock.lock();\n```\n*/", true),
            ("/**\nIn short:\n\n    lock.lock();\n*/", true),
            ("/** Takes a `Mutex`. */\nfn f(a: &Mutex<u32>) {}", false),
            ("// Mutex", false),
        ] {
            assert_eq!(documents_locks(text), expected, "{text}");
        }
    }
}
