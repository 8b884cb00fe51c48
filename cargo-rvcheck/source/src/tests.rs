//! The tests of a file, which of its lines are for tests only, and which panics there are meant.

use crate::edition::Edition;
use crate::lines::Lines;
use crate::outline::outline;
use crate::outline::surroundings::Surroundings;
use crate::token::Tokens;
use rvcheck_event::position::SourcePosition;
use std::collections::BTreeSet;

/// A test function.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TestFn {
    /// Its path inside the file, such as `tests::moves`.
    pub path: String,
    /// The file, as given.
    pub file: String,
    /// The line of its name, from 1.
    pub line: u32,
    /// It has the attribute `should_panic`.
    pub should_panic: bool,
    /// It has the attribute `ignore`.
    pub ignored: bool,
}

/// The test functions of a file, in their order. An attribute whose path ends in `test`, `rstest` or `test_case` makes
/// a test.
pub fn tests_in(text: &str, file: &str, edition: Edition) -> Vec<TestFn> {
    let lines = Lines::of(text);
    outline(text, &Tokens::of(text), edition)
        .items
        .into_iter()
        .filter_map(|item| {
            let test = item.test?;
            Some(TestFn {
                path: item.path,
                file: file.to_owned(),
                line: lines.line(item.name_at),
                should_panic: test.should_panic,
                ignored: test.ignored,
            })
        })
        .collect()
}

/// A set of lines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LineSet {
    /// First and last lines, ordered by the first.
    ranges: Vec<(u32, u32)>,
}

impl LineSet {
    /// All lines.
    pub fn all() -> LineSet {
        LineSet { ranges: vec![(0, u32::MAX)] }
    }

    /// Whether a line, from 1, is in the set.
    pub fn contains(&self, line: u32) -> bool {
        self.ranges.iter().take_while(|range| range.0 <= line).any(|range| line <= range.1)
    }
}

/// The lines of test functions, and of what is compiled under `#[cfg(test)]` only.
pub fn test_lines(text: &str, edition: Edition) -> LineSet {
    let lines = Lines::of(text);
    let ranges = outline(text, &Tokens::of(text), edition).test_ranges;
    let last = |end: usize| end.saturating_sub(1);
    LineSet {
        ranges: ranges.into_iter().map(|it| (lines.line(it.start), lines.line(last(it.end)))).collect(),
    }
}

/// Where the `panic!`s of a file are by which the function, closure or task around them always ends.
pub fn inevitable_panics(text: &str, edition: Edition) -> BTreeSet<SourcePosition> {
    let found = Surroundings::of(text, &Tokens::of(text), edition).inevitable_panics();
    let lines = Lines::of(text);
    found.into_iter().map(|it| lines.source_position(it)).collect()
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn what_always_panics_has_no_other_way_out() {
        let cases = [
            ("spawn(async move { f().await?; ^panic!() })", true),
            ("spawn(move || { let _kept = lock.lock(); { ^panic!(\"{}\", 1); } })", true),
            ("fn f() -> u8 { ^std::panic!() }", true),
            ("fn f() { let g = || return; g(); ^panic!() }", true),
            ("spawn(|| ^panic!())", true),
            ("spawn(|| if bad { ^panic!() })", false),
            ("spawn(|| match it { Ok(()) => {} Err(it) => ^panic!(\"{it}\") })", false),
            ("spawn(|| for it in 0..2 { ^panic!() })", false),
            ("spawn(|| { if good { return; } ^panic!() })", false),
            ("spawn(|| { let Some(it) = it else { ^panic!() }; })", false),
            ("spawn(|| good || ^panic!())", false),
            ("spawn(|| { ^assert!(false) })", false),
            ("spawn(|| { ^it.unwrap() })", false),
            ("spawn(|| { m!(^panic!()) })", false),
        ];
        for (case, expected) in cases {
            let marked =
                if case.starts_with("fn") { case.to_owned() } else { format!("fn f() {{ {case}; }}") };
            let column = marked.find('^').expect("it is marked") as u32 + 1;
            let text = marked.replace('^', "");
            let found = inevitable_panics(&text, Edition::Rust2024);
            assert_eq!(found.contains(&SourcePosition::new(1, column)), expected, "{case}");
        }
    }

    const TEXT: &str = "\
fn a() {}
/// Does.
#[test]
fn b() {
}
#[cfg(test)]
mod tests {
    fn c() {}
    mod inner {
        #[tokio::test]
        #[should_panic]
        async fn d() {}
        #[test] #[ignore]
        fn e() {}
    }
}
fn f() {}
proptest! {
    #[test]
    fn g(x in 0..9) { assert!(x < 9); }
}
fn h() {
    #[cfg(test)]
    if true {
        f();
    }
    #[cfg(test)]
    let _a = 1;
    f();
}
";

    #[test]
    fn tests_are_found_with_their_paths_and_flags() {
        let found: Vec<_> = tests_in(TEXT, "src/a.rs", Edition::Rust2021)
            .into_iter()
            .map(|it| (it.path, it.line, it.should_panic, it.ignored))
            .collect();
        let expected = [
            ("b", 4, false, false),
            ("tests::inner::d", 12, true, false),
            ("tests::inner::e", 14, false, true),
            ("g", 20, false, false),
        ];
        assert_eq!(
            found,
            expected.map(|(path, line, panics, ignored)| (path.to_owned(), line, panics, ignored))
        );
    }

    #[test]
    fn the_lines_of_tests_are_known() {
        let set = test_lines(TEXT, Edition::Rust2021);
        let lines: Vec<u32> = (0..=40).filter(|&line| set.contains(line)).collect();
        assert_eq!(lines, (2..=16).chain(19..=20).chain(23..=28).collect::<Vec<_>>());
    }

    #[test]
    fn a_file_for_tests_only_has_only_such_lines() {
        let set = test_lines("#![cfg(test)]\nfn a() {}\n\nfn b() {}\n", Edition::Rust2021);
        assert!((1..=4).all(|line| set.contains(line)));
    }
}
