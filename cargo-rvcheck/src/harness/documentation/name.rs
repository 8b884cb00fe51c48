//! Which doctest a process was for.
//!
//! Rustdoc does not tell the runner. But it wraps a test without a `main` of its own in a function that is named
//! after its place.

use crate::harness::run_file::Ran;
use crate::recorded::{End, Origin, TestOutcome, TestResult, documented_at};
use camino::Utf8Path;
use std::collections::BTreeSet;
use std::fs;

/// How the names of these functions begin.
const FUNCTION: &str = "_doctest_main_";

/// The name of the function with the test in this executable, with whatever the compiler has put behind it.
pub(super) fn function(executable: &Utf8Path) -> Option<String> {
    let bytes = fs::read(executable).ok()?;
    let at = bytes.windows(FUNCTION.len()).position(|it| it == FUNCTION.as_bytes())?;
    let name = bytes[at..].iter().take_while(|it| it.is_ascii_alphanumeric() || **it == b'_');
    String::from_utf8(name.copied().collect()).ok()
}

/// The test that stands for whatever has no name.
pub(super) const UNNAMED: &str = "documentation";

/// Gives the processes that rustdoc had started the names of their tests.
pub fn name_tests(processes: &mut [Ran]) {
    let libraries: Vec<Ran> = processes.iter().filter(|it| it.origin == Origin::Cargo).cloned().collect();
    for library in &libraries {
        let mut mine: Vec<&mut Ran> = processes
            .iter_mut()
            .filter(|it| it.origin == Origin::Process && it.executable == library.executable)
            .collect();
        for process in &mut mine {
            let function = process.function.as_deref();
            let by_function = function.and_then(|it| of_function(&library.tests, it)).map(str::to_owned);
            process.only = process.only.take().or(by_function);
        }
        // What is left over on one side can only be what is left over on the other, if that is one.
        let named: BTreeSet<String> = mine.iter().filter_map(|it| it.only.clone()).collect();
        let ran =
            |it: &&TestResult| it.outcome != TestOutcome::Ignored && !library.compiled.contains(&it.name);
        let mut rest = library.tests.iter().filter(ran).filter(|it| !named.contains(&it.name));
        let mut nameless = mine.iter_mut().filter(|it| it.only.is_none());
        if let (Some(test), None, Some(process), None) =
            (rest.next(), rest.next(), nameless.next(), nameless.next())
        {
            process.only = Some(test.name.clone());
        }
        for process in mine {
            let name = process.only.get_or_insert_with(|| UNNAMED.to_owned());
            let result = library.tests.iter().find(|it| it.name == *name);
            // A test that is to panic passes by an end that looks like none.
            if result.is_some_and(|it| it.outcome == TestOutcome::Passed) {
                process.end = End::Orderly;
            }
        }
    }
}

/// The test whose function has a name that begins like this one.
fn of_function<'a>(tests: &'a [TestResult], function: &str) -> Option<&'a str> {
    let place = function.strip_prefix(FUNCTION)?;
    let is_it = |name: &str| {
        documented_at(name).is_some_and(|(file, line)| {
            let file: String =
                file.chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '_' }).collect();
            place.starts_with(&format!("{file}_{line}_"))
        })
    };
    tests.iter().map(|it| it.name.as_str()).find(|it| is_it(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_named_after_the_file_and_the_line() {
        let names = ["src/a-b.rs - (line 1)", "src/a-b.rs - A::b (line 12)", "src/lib.rs - c (line 2)"];
        let result = |name: &str| TestResult {
            name: name.to_owned(),
            outcome: TestOutcome::Passed,
            should_panic: false,
        };
        let tests = names.map(result);
        let cases = [
            ("_doctest_main_src_a_b_rs_1_017h9d409dee06eb48c6E", Some(names[0])),
            ("_doctest_main_src_a_b_rs_12_0", Some(names[1])),
            ("_doctest_main_src_lib_rs_3_0", None),
        ];
        for (function, name) in cases {
            assert_eq!(of_function(&tests, function), name, "{function}");
        }
    }
}
