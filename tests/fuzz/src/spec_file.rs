//! Property files.

use cargo_rvcheck::specs::{Specs, read};

use crate::text;

/// Reading a file gives properties, or problems at places of the file that can be shown.
pub fn spec_file(input: &[u8]) {
    let text = text(input);
    let file = |specs: &Specs| -> Vec<_> { specs.properties.iter().map(|it| it.compiled.clone()).collect() };
    let read = || read(&[("fuzzed.toml".to_owned(), text.clone())]);
    let (specs, again) = (read(), read());
    assert_eq!(file(&specs), file(&again));
    assert_eq!(specs.problems, again.problems);
    for problem in &specs.problems {
        assert!(text.get(problem.span.clone()).is_some(), "{problem:?} is no place of {text:?}");
        assert!(problem.line(&text).starts_with("fuzzed.toml:"), "{problem:?}");
        assert!(problem.rendered(&text, false).contains("fuzzed.toml"), "{problem:?}");
    }
    let ids: Vec<_> = specs.properties.iter().map(|it| it.compiled.id()).collect();
    assert!((1..ids.len()).all(|at| !ids[..at].contains(&ids[at])), "{ids:?}");
}
