//! The attributes `#[rvcheck::observe(…)]` and `#[rvcheck::group("…")]`, which mean the same as entries of a property file.
//!
//! Their macros have checked the words, so what makes no sense here belongs to somebody else and is passed over.

use super::pattern::PathPattern;
use super::{Argument, Moment, Observation};
use crate::edition::Edition;
use crate::lines::Lines;
use crate::outline::functions::{Function, functions};
use crate::token::Tokens;
use std::ops::RangeInclusive;

/// An event that an attribute declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredEvent {
    /// The name.
    pub name: String,
    /// The parameters, with their sorts where they are given.
    pub params: Vec<String>,
}

/// Whether a file may have attributes of ours.
pub(super) fn may_have(text: &str) -> bool {
    text.contains("observe") && text.contains("#[")
}

/// What the attributes of a function, and those of the block that it is in, say of it.
pub(super) fn observations(function: &Function) -> Vec<Observation> {
    let found = function.attributes.iter().filter_map(|(_, text)| observe(text, function));
    found.map(|(observation, _)| observation).collect()
}

/// The events that the attributes of a file declare.
pub fn declared_events(text: &str, edition: Edition) -> Vec<DeclaredEvent> {
    if !may_have(text) {
        return Vec::new();
    }
    let mut events: Vec<DeclaredEvent> = Vec::new();
    for function in functions(text, &Tokens::of(text), edition) {
        let declared = function.attributes.iter().filter_map(|(_, it)| Some(observe(it, &function)?.1));
        for event in declared {
            if !events.contains(&event) {
                events.push(event);
            }
        }
    }
    events
}

/// The names of the groups that the attributes of a file declare, with the lines, from 1, of the functions that spawn them.
pub fn declared_groups(text: &str, edition: Edition) -> Vec<(String, RangeInclusive<u32>)> {
    if !text.contains("group") {
        return Vec::new();
    }
    let lines = Lines::of(text);
    let mut groups = Vec::new();
    for function in functions(text, &Tokens::of(text), edition) {
        let line = |offset: usize| lines.source_position(offset).line;
        let named = function.attributes.iter().filter_map(|(_, text)| group(text));
        groups.extend(named.map(|name| (name, line(function.range.start)..=line(function.range.end))));
    }
    groups
}

/// The words of an attribute of ours of this name, such as `side = "receive"`.
fn words(text: &str, name: &str) -> Option<Vec<String>> {
    let tokens = Tokens::of(text);
    let open = (0..tokens.len()).find(|&it| tokens.is(it, b'('))?;
    let is_path = (0..open).all(|it| tokens.is_any_word(it) || tokens.is(it, b':'));
    let is_named = tokens.is_word(open.checked_sub(1)?, name);
    let is_whole = tokens.closing(open)? + 1 == tokens.len();
    (is_path && is_named && is_whole).then(|| parts(text, &tokens, open))
}

/// What stands between the commas of the group that opens at this token.
fn parts(text: &str, tokens: &Tokens<'_>, open: usize) -> Vec<String> {
    let Some(close) = tokens.closing(open) else { return Vec::new() };
    let (mut found, mut at) = (Vec::new(), open + 1);
    let mut begin = at;
    while at <= close {
        if at == close || tokens.is(at, b',') {
            let bytes = tokens.get(begin).zip(tokens.get(at)).map(|(from, to)| from.start..to.start);
            let part = bytes.and_then(|it| text.get(it)).unwrap_or_default().trim();
            found.extend((!part.is_empty()).then(|| part.to_owned()));
            begin = at + 1;
        }
        at = tokens.closing(at).unwrap_or(at) + 1;
    }
    found
}

fn group(text: &str) -> Option<String> {
    match &*words(text, "group")? {
        [name] => Some(name.strip_prefix('"')?.strip_suffix('"')?.to_owned()),
        _ => None,
    }
}

fn observe(text: &str, function: &Function) -> Option<(Observation, DeclaredEvent)> {
    let (mut side, mut name, mut refusal, mut args) = (None, None, None, Vec::new());
    for word in words(text, "observe")? {
        if let Some(list) = word.strip_prefix("args") {
            let list = list.trim_start();
            args = parts(list, &Tokens::of(list), 0);
            continue;
        }
        let (key, value) = word.split_once('=')?;
        let value = value.trim().strip_prefix('"')?.strip_suffix('"')?.to_owned();
        match key.trim() {
            "side" => side = Some(value),
            "as" => name = Some(value),
            "refusal" => refusal = Some(value),
            _ => return None,
        }
    }
    let own = function.path.rsplit("::").next().unwrap_or_default();
    let name = name.unwrap_or_else(|| own.to_owned());
    let call = if side.as_deref() == Some("send") { Moment::Call } else { Moment::Entry };
    let arguments = args.iter().filter_map(|it| Argument::read(it)).collect();
    let path = PathPattern::parse(own).ok()?;
    let (observation, params) = Observation::new(name.clone(), path, call, arguments, refusal);
    Some((observation, DeclaredEvent { name, params }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str) -> Vec<String> {
        let found = declared_events(text, Edition::Rust2021).into_iter();
        found.map(|it| format!("{}({})", it.name, it.params.join(", "))).collect()
    }

    #[test]
    fn an_attribute_declares_the_event_of_its_function_or_of_all_in_its_block() {
        let cases = [
            ("#[rvcheck::observe()] fn f() {}", &["f()"][..]),
            (
                "#[rvcheck::observe(as = \"e\", args(self, len: int = items.len(), x = f(1, 2)))] fn f(&self) {}",
                &["e(self, len: int, x)"],
            ),
            ("#[rvcheck::observe(refusal = \"Err(_)\")] fn f() {}", &["f(refused: bool)"]),
            ("#[observe(args(self))] impl A { fn f(&self) {} fn g(&self) {} }", &["f(self)", "g(self)"]),
            ("#[observe(args(self))] trait A { fn f(&self) {} fn g(&self); }", &["f(self)"]),
            ("#[other::watch(observe)] fn f() {} #[observe(colour = \"red\")] fn g() {}", &[]),
            ("#[observe] fn f() {} /// #[observe()]\nfn g() {}", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(events(text), expected, "{text}");
        }
    }

    #[test]
    fn a_group_has_the_lines_of_its_function() {
        let text = "\n#[rvcheck::group(\"workers\")]\nfn f() {\n}\nfn g() {}";
        assert_eq!(declared_groups(text, Edition::Rust2021), [("workers".to_owned(), 2..=4)]);
        assert_eq!(declared_groups("#[group(a, b)] fn f() {}", Edition::Rust2021), []);
    }
}
