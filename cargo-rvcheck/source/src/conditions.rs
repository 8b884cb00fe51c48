//! Conditions of compilation: whether what `#[cfg(…)]` asks for holds.

use std::collections::BTreeSet;

/// What is known of the conditions under which a crate is compiled.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Conditions {
    /// Whether `test` holds, where that is known.
    test: Option<bool>,
    /// The values of `--cfg`, without whitespace, where they are known.
    given: Option<BTreeSet<String>>,
}

/// The names that the compiler sets by itself, and those that others may set. The other ones hold only where they are given.
const BUILT_IN: &[&str] = &[
    "clippy",
    "contract_checks",
    "debug_assertions",
    "doc",
    "doctest",
    "emscripten_wasm_eh",
    "fmt_debug",
    "miri",
    "overflow_checks",
    "panic",
    "proc_macro",
    "relocation_model",
    "sanitize",
    "sanitizer_cfi_generalize_pointers",
    "sanitizer_cfi_normalize_integers",
    "ub_checks",
    "unix",
    "windows",
];

impl Conditions {
    /// Those of a crate that is compiled with these values of `--cfg`, such as `feature="full"`, for tests or not.
    pub fn of<'a>(cfgs: impl IntoIterator<Item = &'a str>, for_tests: bool) -> Conditions {
        let without_space = |it: &str| it.split_whitespace().collect();
        Conditions { test: Some(for_tests), given: Some(cfgs.into_iter().map(without_space).collect()) }
    }

    /// It is only known that nothing is compiled for tests.
    pub(crate) fn without_tests() -> Conditions {
        Conditions { test: Some(false), given: None }
    }

    /// Whether a condition such as `all(test,feature="full")`, which has no whitespace, holds, where that is known.
    pub(crate) fn hold(&self, condition: &str) -> Option<bool> {
        let Some((name, list)) = condition.strip_suffix(')').and_then(|it| it.split_once('(')) else {
            return self.is_set(condition);
        };
        let mut parts = parts(list).into_iter().filter(|it| !it.is_empty()).map(|it| self.hold(it));
        let decided = |parts: &mut dyn Iterator<Item = Option<bool>>, by: bool| {
            let all: Vec<_> = parts.collect();
            if all.contains(&Some(by)) { Some(by) } else { all.iter().all(Option::is_some).then_some(!by) }
        };
        match name {
            "not" => parts.next()?.map(|it| !it),
            "all" => decided(&mut parts, false),
            "any" => decided(&mut parts, true),
            _ => None,
        }
    }

    /// Whether `name` or `name="value"` is set.
    fn is_set(&self, option: &str) -> Option<bool> {
        let name = option.split('=').next().unwrap_or(option);
        match (name, &self.given) {
            ("true", _) => Some(true),
            ("false", _) => Some(false),
            ("test", _) => self.test,
            (_, Some(given)) if given.contains(option) => Some(true),
            (_, None) => None,
            _ => (!BUILT_IN.contains(&name) && !name.starts_with("target_")).then_some(false),
        }
    }
}

/// The parts of `a,b(c,d)` between the outermost commas.
fn parts(list: &str) -> Vec<&str> {
    let mut depth = 0usize;
    list.split(|character| {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ',' && depth == 0
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_holds_or_not_or_that_is_not_known() {
        let here = Conditions::of(["feature = \"full\"", "tokio_unstable"], false);
        let cases = [
            ("feature=\"full\"", Some(true)),
            ("feature=\"other\"", Some(false)),
            ("not(feature=\"other\")", Some(true)),
            ("tokio_unstable", Some(true)),
            ("loom", Some(false)),
            ("unix", None),
            ("target_os=\"linux\"", None),
            ("panic=\"unwind\"", None),
            ("test", Some(false)),
            ("all(unix,test)", Some(false)),
            ("all(unix,tokio_unstable)", None),
            ("any(unix,tokio_unstable)", Some(true)),
            ("any(test,loom)", Some(false)),
            ("all()", Some(true)),
            ("any()", Some(false)),
            ("all(not(any(loom,test)),feature=\"full\",)", Some(true)),
            ("version(\"1.80\")", None),
            ("true", Some(true)),
        ];
        for (condition, expected) in cases {
            assert_eq!(here.hold(condition), expected, "{condition}");
        }
        assert_eq!(Conditions::of([], true).hold("test"), Some(true));
        assert_eq!(Conditions::without_tests().hold("feature=\"full\""), None);
        assert_eq!(Conditions::default().hold("test"), None);
    }
}
