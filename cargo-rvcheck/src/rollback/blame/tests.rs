use super::*;
use crate::rollback::marks::marks;
use rvcheck_source::edition::Edition;
use rvcheck_source::macros::{OwnMacros, definitions};
use rvcheck_source::rewrite::{Options, rewrite};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The letters stand for awaits, in the order of the text.
const TEXT: &str = "\
macro_rules! exact { ($x:expr) => { $x.await } }
async fn mac() { exact!(a.await) }
async fn closure() {
    let f = |fut| async move {
        fut.await
    };
    f(ok()).await; ok().await
}
async fn other() { ok().await }
";

/// The text as the compiler sees it, and its marks.
fn files() -> (String, BTreeMap<String, Vec<Mark>>) {
    let skip = BTreeMap::new();
    let macros = OwnMacros::new(BTreeSet::new(), definitions(TEXT));
    let options = Options { skip: &skip, macros: &macros, ..Options::PLAIN };
    let rewritten = rewrite(TEXT, Edition::Rust2021, &options);
    let marks = marks(TEXT, &rewritten, Edition::Rust2021);
    assert_eq!(marks.len(), 6);
    (rewritten.text, BTreeMap::from([("src/lib.rs".to_owned(), marks)]))
}

/// A span of the `number`-th place where this stands in the rewritten text.
fn span(part: &str, number: usize, primary: bool) -> Value {
    let (text, _) = files();
    let (start, _) = text.match_indices(part).nth(number).expect("it is in the text");
    let line = 1 + text[..start].matches('\n').count();
    json!({
        "file_name": "src/lib.rs", "byte_start": start, "byte_end": start + part.len(),
        "line_start": line, "line_end": line + part.matches('\n').count(), "column_start": 1, "column_end": 2,
        "is_primary": primary, "text": [], "label": null, "suggested_replacement": null,
        "suggestion_applicability": null, "expansion": null,
    })
}

fn error(message: &str, code: Option<&str>, spans: &[Value], children: &[Value]) -> Diagnostic {
    let value = json!({
        "message": message, "code": code.map(|it| json!({ "code": it, "explanation": null })), "level": "error",
        "spans": spans, "children": children, "rendered": null,
    });
    serde_json::from_value(value).expect("it has the form of the compiler's messages")
}

fn note(message: &str, spans: &[Value]) -> Value {
    json!({ "message": message, "code": null, "level": "note", "spans": spans, "children": [], "rendered": null })
}

/// Which of the six awaits are undone, by their number.
fn undone(error: &Diagnostic, extent: Extent) -> Vec<usize> {
    let (_, files) = files();
    let undo = blamed(std::slice::from_ref(error), &files, extent);
    let marks = files["src/lib.rs"].iter().enumerate();
    marks
        .filter(|(_, it)| undo.get("src/lib.rs").is_some_and(|awaits| awaits.contains_key(&it.offset)))
        .map(|(number, _)| number)
        .collect()
}

#[test]
fn an_error_undoes_the_nearest_mark() {
    let unknown_type = || {
        error("type annotations needed", Some("E0282"), &[span("fut", 1, false), span("fut", 0, true)], &[])
    };
    let matcher = || {
        let called = span("macro_rules", 0, false);
        error("no rules expected `__rv_await`", None, &[span("__rv_await", 1, true), called], &[])
    };
    let not_send = || {
        let children = [note("used across an await", &[span("await", 9, true)])];
        error("future cannot be sent", None, &[span("async fn closure() {\n", 0, true)], &children)
    };
    let body = || {
        let mut primary = span("exact!", 0, true);
        primary["expansion"] = json!({ "span": span("exact!", 0, false), "macro_decl_name": "exact!", "def_site_span": span("$x", 1, false) });
        error("in a macro", None, &[primary], &[])
    };
    let cases = [
        (unknown_type(), vec![2]),
        (matcher(), vec![1]),
        (not_send(), vec![4]),
        (body(), vec![0]),
        // On the line of the call, where two awaits are.
        (error("on a line", None, &[span("f(", 0, true)], &[]), vec![3, 4]),
        (error("queries overflow `{async block@src/lib.rs:9:1: 9:4}`", None, &[], &[]), vec![5]),
        (error("elsewhere", None, &[span("macro_rules", 0, true)], &[]), vec![0]),
        (error("nowhere", None, &[], &[]), vec![]),
    ];
    for (error, expected) in cases {
        assert_eq!(undone(&error, Extent::Site), expected, "{}", error.message);
    }
}

#[test]
fn an_error_undoes_its_item_and_then_its_file() {
    let error = error("somewhere", None, &[span("let f", 0, true)], &[]);
    assert_eq!(undone(&error, Extent::Site), [0; 0]);
    assert_eq!(undone(&error, Extent::Item), [2, 3, 4]);
    assert_eq!(undone(&error, Extent::File), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn an_error_without_a_place_undoes_nothing() {
    let mut nowhere = span("macro_rules", 0, true);
    nowhere["byte_end"] = json!(0);
    let error = error("queries overflow the depth limit!", None, &[nowhere], &[]);
    for extent in [Extent::Site, Extent::Item, Extent::File] {
        assert_eq!(undone(&error, extent), [0; 0]);
    }
}

#[test]
fn the_reason_is_the_first_line_with_the_code() {
    let with = error("type annotations needed\nreally", Some("E0282"), &[], &[]);
    assert_eq!(in_short(&with), "type annotations needed (E0282)");
    let without = error("no rules expected `__rv_await`", None, &[], &[]);
    assert_eq!(in_short(&without), "no rules expected `__rv_await`");
    assert!(is_error(&with) && !is_error(&error("aborting due to 2 previous errors", None, &[], &[])));
}
