//! What the attributes of an item say about tests.

use super::Test;
use crate::conditions::Conditions;
use ra_ap_syntax::ast::{self, AstNode, HasAttrs};
use ra_ap_syntax::{SourceFile, TextRange};

/// What matters of an item's attributes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Marks {
    /// It is a test.
    pub(super) test: Option<Test>,
    /// It is compiled for tests only.
    pub(super) test_only: bool,
}

/// The last words of the paths of attributes that make a function a test.
const TESTS: [&str; 3] = ["test", "rstest", "test_case"];

impl Marks {
    /// Reads the attributes of an item; for a file its inner ones.
    pub(super) fn of(item: &impl HasAttrs) -> Marks {
        let mut test = None;
        let mut flags = Test::default();
        let mut test_only = false;
        for attribute in item.attrs() {
            let text = plain(&attribute);
            let (path, rest) = text.split_at(text.find(['(', '=']).unwrap_or(text.len()));
            let name = path.rsplit("::").next().unwrap_or(path);
            match name {
                "should_panic" => flags.should_panic = true,
                "ignore" => flags.ignored = true,
                "cfg" => test_only |= is_for_tests_only(rest),
                "bench" => test_only = true,
                _ if TESTS.contains(&name) => test = Some(()),
                _ => {}
            }
        }
        Marks { test: test.map(|()| flags), test_only }
    }
}

/// Whether `(condition)` can hold in tests only.
fn is_for_tests_only(condition: &str) -> bool {
    let inner = condition.strip_prefix('(').and_then(|it| it.strip_suffix(')')).unwrap_or(condition);
    Conditions::without_tests().hold(inner.trim_end_matches(',')) == Some(false)
}

/// The statements and expressions that are compiled for tests only.
pub(super) fn test_only_statements(root: &SourceFile) -> Vec<TextRange> {
    let attributes = root.syntax().descendants().filter_map(ast::Attr::cast);
    let of_tests = attributes.filter(|it| plain(it).strip_prefix("cfg").is_some_and(is_for_tests_only));
    let around = of_tests.filter_map(|it| it.syntax().parent());
    // The attribute of an expression that is a statement belongs to the expression.
    around
        .filter(|it| ast::Stmt::can_cast(it.kind()) || ast::Expr::can_cast(it.kind()))
        .map(|it| it.text_range())
        .collect()
}

/// What these conditions leave out of a file, as far as is known.
pub(super) fn left_out(root: &SourceFile, conditions: &Conditions) -> Vec<TextRange> {
    let attributes = root.syntax().descendants().filter_map(ast::Attr::cast);
    let of_nothing = attributes.filter(|it| {
        let text = plain(it);
        let condition = text.strip_prefix("cfg(").and_then(|it| it.strip_suffix(')'));
        condition.is_some_and(|it| conditions.hold(it.trim_end_matches(',')) == Some(false))
    });
    of_nothing.filter_map(|it| Some(it.syntax().parent()?.text_range())).collect()
}

/// The text between the brackets, without whitespace.
fn plain(attribute: &ast::Attr) -> String {
    let text: String = attribute.syntax().text().to_string().split_whitespace().collect();
    let inner = text.trim_start_matches(['#', '!']).trim_start_matches('[');
    inner.strip_suffix(']').unwrap_or(inner).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ra_ap_syntax::Edition;

    fn marks(attributes: &str) -> Marks {
        let file = SourceFile::parse(&format!("{attributes} fn a() {{}}"), Edition::Edition2021).tree();
        let item = file.syntax().children().find_map(ast::Fn::cast);
        item.map(|item| Marks::of(&item)).unwrap_or_default()
    }

    #[test]
    fn a_condition_on_tests_is_understood() {
        let cases = [
            ("#[cfg(test)]", true),
            ("#[cfg(all(unix, test))]", true),
            ("#[cfg(all(unix, all(not(loom), test),))]", true),
            ("#[cfg(not(test))]", false),
            ("#[cfg(any(test, unix))]", false),
            ("#[cfg(feature = \"test\")]", false),
            ("#[cfg_attr(test, inline)]", false),
        ];
        for (text, expected) in cases {
            assert_eq!(marks(text).test_only, expected, "{text}");
        }
    }

    #[test]
    fn a_test_is_known_by_the_last_word_of_an_attribute() {
        let flags = |should_panic, ignored| Some(Test { should_panic, ignored });
        let cases = [
            ("#[test]", flags(false, false)),
            ("#[tokio::test(flavor = \"multi_thread\")]", flags(false, false)),
            ("#[ignore = \"slow\"] #[test] #[should_panic(expected = \"a\")]", flags(true, true)),
            ("#[should_panic]", None),
            ("#[tests]", None),
            ("/// #[test]\n", None),
        ];
        for (text, expected) in cases {
            assert_eq!(marks(text).test, expected, "{text}");
        }
    }

    #[test]
    fn what_does_not_hold_leaves_out_what_it_stands_before() {
        let text = "\
            #[cfg(loom)] fn a() { here_0 }\n\
            fn b() {\n\
                #[cfg(loom)]\n { here_1 }\n\
                #[cfg(not(loom))]\n { stays_0 }\n\
                #[cfg(loom)]\n let here_2 = 1;\n\
                #[cfg(loom)]\n c.d(here_3);\n\
                match stays_1 { #[cfg(loom)] A => here_4, B => stays_2 }\n\
            }\n\
            struct C { #[cfg(loom)] here_5: u8, stays_3: u8 }\n\
            #[cfg(unix)] fn stays_4() {}\n\
            #[cfg_attr(loom, must_use)] fn stays_5() {}\n\
            mod d { #![cfg(loom)] fn here_6() {} }\n";
        let root = SourceFile::parse(text, Edition::Edition2021).tree();
        let ranges = left_out(&root, &Conditions::of([], false));
        let is_out = |at: usize| ranges.iter().any(|it| it.contains((at as u32).into()));
        for (at, word) in text.match_indices("here_").chain(text.match_indices("stays_")) {
            assert_eq!(is_out(at), word == "here_", "{}", &text[at..at + 7]);
        }
    }
}
