//! Where in a file nothing can be inserted because a macro would see it.

use super::asserted::printed;
use super::known::{Input, known};
use super::own::OwnMacros;
use crate::call::path;
use crate::edit::Edit;
use crate::imports::Imports;
use crate::role::{Role, Roles};
use crate::token::{Kind, Tokens};
use std::cmp::Reverse;
use std::ops::{Range, RangeInclusive};

/// The input of macros, as far as they do more with it than to pass it on as code.
#[derive(Default, Debug)]
pub(crate) struct Hidden {
    /// The tokens, one range behind the other, with the reason.
    ranges: Vec<(RangeInclusive<usize>, String)>,
    /// Assertions whose text is put back, in order.
    pub(crate) restored: Vec<Restored>,
}

/// An assertion in which something can be inserted, if the text that it shows is put back behind its condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Restored {
    /// The byte offsets of the delimiters around its input.
    pub(crate) open: usize,
    pub(crate) close: usize,
    /// What is inserted before the closing one.
    pub(crate) insert: String,
}

/// What a macro that is invoked makes of its input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Use<'a> {
    Known(Input),
    /// One that the workspace defines.
    Own(&'a str),
    Unknown,
}

impl Restored {
    /// Whether this is inserted into it.
    pub(crate) fn has(&self, edit: &Edit) -> bool {
        self.open < edit.offset && edit.offset <= self.close
    }
}

impl Hidden {
    /// The input of the macros that are invoked in this file of a workspace with these macros of its own.
    pub(crate) fn of(tokens: &Tokens<'_>, roles: &Roles, own: &OwnMacros) -> Hidden {
        let imports = Imports::of(tokens);
        let mut hidden = Hidden::default();
        for here in 0..tokens.len() {
            let Some((open, close)) = invocation(tokens, here) else { continue };
            if !matches!(roles.get(here), Role::Code | Role::Body) || roles.get(open) == Role::Quoted {
                continue;
            }
            let name = tokens.text(here);
            let input = match of_name(tokens, here, &imports, own) {
                Use::Known(input) => Ok(input),
                Use::Own(name) if own.passes_on(name) => Ok(Input::Code),
                Use::Own(_) => {
                    Err(format!("the surrounding `{name}!` does more with its input than to run it"))
                }
                Use::Unknown => {
                    Err(format!("it is not known what the surrounding `{name}!` makes of its input"))
                }
            };
            let whole = open + 1..close;
            let (shown, reason) = match input {
                Err(reason) => (whole, reason),
                Ok(Input::Asserted) if argument_end(tokens, &whole) + 1 >= close => {
                    if let Some(restored) = restored(tokens, &whole).filter(|_| has_await(tokens, &whole)) {
                        hidden.restored.push(restored);
                        continue;
                    }
                    (whole, shows(name))
                }
                Ok(input) => (shown_part(tokens, &whole, input), shows(name)),
            };
            if !shown.is_empty() {
                hidden.ranges.push((shown.start..=shown.end - 1, reason));
            }
        }
        // What lies in another one comes behind it, and is hidden by that.
        hidden.ranges.sort_by_key(|it| (*it.0.start(), Reverse(*it.0.end())));
        let mut end = None;
        hidden.ranges.retain(|(range, _)| {
            let is_outer = end.is_none_or(|end| *range.start() > end);
            if is_outer {
                end = Some(*range.end());
            }
            is_outer
        });
        let is_hidden = |it: &Restored| hidden.reason(tokens.index_at(it.open)).is_some();
        let shown: Vec<Restored> = hidden.restored.iter().filter(|it| !is_hidden(it)).cloned().collect();
        Hidden { restored: shown, ..hidden }
    }

    /// Why nothing can be inserted at the token of this index, if that is so.
    pub(crate) fn reason(&self, index: usize) -> Option<&str> {
        let begun = self.ranges.partition_point(|it| *it.0.start() <= index);
        let (range, reason) = self.ranges[..begun].last()?;
        range.contains(&index).then_some(reason)
    }
}

fn shows(name: &str) -> String {
    format!("the surrounding `{name}!` shows the text of its input")
}

/// Words behind which `!` negates a group.
const BEFORE_NOT: [&str; 8] = ["break", "else", "if", "in", "match", "return", "while", "yield"];

/// The delimiters around the input of the macro that is invoked by the word at this index, if one is.
pub(super) fn invocation(tokens: &Tokens<'_>, index: usize) -> Option<(usize, usize)> {
    let is_it =
        tokens.is_any_word(index) && tokens.is(index + 1, b'!') && !BEFORE_NOT.contains(&tokens.text(index));
    let close = tokens.closing(index + 2).filter(|_| is_it)?;
    Some((index + 2, close))
}

/// Which macro it is whose path ends at this index.
pub(super) fn of_name<'a>(
    tokens: &Tokens<'a>,
    index: usize,
    imports: &Imports<'a>,
    own: &OwnMacros,
) -> Use<'a> {
    let written = path(tokens, index).1;
    let resolved = imports.resolve(&written);
    let (Some((&name, before)), true) = (resolved.split_last(), !written.is_empty()) else {
        return Use::Unknown;
    };
    match before.first() {
        Some(&krate) if own.is_own_crate(krate) => {
            if own.has(name) {
                Use::Own(name)
            } else {
                Use::Unknown
            }
        }
        Some(&krate) => known(Some(krate), name).map_or(Use::Unknown, Use::Known),
        None if own.has(name) => Use::Own(name),
        None => known(None, name).map_or(Use::Unknown, Use::Known),
    }
}

/// The part of the input of which text is made.
pub(super) fn shown_part(tokens: &Tokens<'_>, whole: &Range<usize>, input: Input) -> Range<usize> {
    let nothing = whole.end..whole.end;
    let first = argument_end(tokens, whole);
    match input {
        Input::Code => nothing,
        Input::Asserted | Input::Shown if first + 1 < whole.end => nothing,
        Input::Asserted | Input::Shown | Input::Text => whole.clone(),
        Input::First => first..whole.end,
        Input::Message => whole.start..message_end(tokens, whole).unwrap_or(whole.end),
    }
}

/// The index of the comma behind the first argument, or of the end.
fn argument_end(tokens: &Tokens<'_>, range: &Range<usize>) -> usize {
    let mut at = range.start;
    let mut generics = false;
    while at < range.end && (generics || !tokens.is(at, b',')) {
        // Commas between the generic arguments of a path separate nothing.
        if tokens.is_pair(at, *b"::") && tokens.is(at + 2, b'<') {
            generics = true;
        } else if tokens.is(at, b'>') {
            generics = false;
        }
        at = tokens.closing(at).unwrap_or(at) + 1;
    }
    at.min(range.end)
}

/// The index behind the first argument that is a literal and nothing else, if there is one.
fn message_end(tokens: &Tokens<'_>, range: &Range<usize>) -> Option<usize> {
    let mut start = range.start;
    while start < range.end {
        let is_literal = tokens.get(start).is_some_and(|it| it.kind == Kind::Literal);
        let ends = start + 1 == range.end || tokens.is(start + 1, b',');
        if is_literal && ends {
            return Some(start + 1);
        }
        let mut at = start;
        while at < range.end && !tokens.is(at, b',') && !tokens.is(at, b';') {
            at = tokens.closing(at).unwrap_or(at) + 1;
        }
        start = at + 1;
    }
    None
}

fn has_await(tokens: &Tokens<'_>, range: &Range<usize>) -> bool {
    range.clone().any(|it| tokens.is_await(it))
}

/// How an assertion without a message is given the one that the compiler would give it.
fn restored(tokens: &Tokens<'_>, range: &Range<usize>) -> Option<Restored> {
    let has_comma = range.end > range.start && tokens.is(range.end - 1, b',');
    let condition = if has_comma { range.start..range.end - 1 } else { range.clone() };
    let text = printed(tokens, condition)?.replace('\\', "\\\\").replace('"', "\\\"");
    let separator = if has_comma { " " } else { ", " };
    // A literal that is formatted becomes a part of the message while it is compiled, in all editions alike.
    let insert = format!("{separator}\"assertion failed: {{}}\", \"{text}\"");
    let offset = |index: usize| tokens.get(index).map(|it| it.start);
    Some(Restored { open: offset(range.start.checked_sub(1)?)?, close: offset(range.end)?, insert })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::macros::definitions;
    use std::collections::BTreeSet;

    /// Checks that the words `no` are hidden, and the words `yes` are not.
    fn check(text: &str) {
        let tokens = Tokens::of(text);
        let own = OwnMacros::new(BTreeSet::from(["ledger".to_owned()]), definitions(text));
        let hidden = Hidden::of(&tokens, &Roles::of(&tokens), &own);
        for index in 0..tokens.len() {
            match tokens.text(index) {
                "yes" => assert_eq!(hidden.reason(index), None, "{text}"),
                "no" => assert!(hidden.reason(index).is_some(), "{text}"),
                _ => {}
            }
        }
    }

    #[test]
    fn what_a_macro_sees_as_text_or_tokens_is_hidden() {
        for text in [
            "vec![yes]; std::vec![yes]; f(yes); other!(no, vec![no]); yes",
            "tokio::select! { a = yes => vec![yes], _ = b => other!{ no } } yes",
            "use tokio::select; select! { a = yes => {} }",
            "use mine::select; select! { a = no => {} }",
            "use mine::*; select! { a = yes => {} }",
            "std::select!(no); crate::vec![no]; ledger::vec![no]",
            "assert!(yes, \"why\"); assert!(no.a()); debug_assert!(no); assert_eq!(yes, yes); dbg!(no); yes",
            "assert!(yes.await); assert!({ no.await }); assert!(f::<A, B>(yes).await,)",
            "assert!(other!(no).await && yes.await)",
            "info!(a = no, \"b {} {}\", yes, yes); error!(no); tracing::debug!(target: \"a\", no)",
            "log::info!(\"a\" = no); info_span!(\"a\", no)",
            "assert_matches!(other!(no, yes_not).await, no)",
            "assert_matches!(yes.await, Ok(no))",
            "anyhow::ensure!(no); anyhow::ensure!(yes, \"why\"); bail!(\"a {}\", yes)",
            "macro_rules! own { ($a:expr) => { vec![$a] } } own!(yes); crate::own!(yes); ledger::own!(yes); b::own!(no)",
            "macro_rules! own { ($a:expr) => { (stringify!($a), other!(no), yes) } } own!(no); other!(own!(no))",
            "a != (yes); if !(yes) {} while ![yes] {} return !(yes); other! yes",
        ] {
            check(text);
        }
    }

    #[test]
    fn an_assertion_gets_back_the_text_that_it_shows() {
        let cases = [
            ("assert!(f().await)", ", \"assertion failed: {}\", \"f().await\""),
            (
                "debug_assert!(\n  f(\"a\\n\")\n  .await,\n)",
                " \"assertion failed: {}\", \"f(\\\"a\\\\n\\\").await\"",
            ),
        ];
        for (text, insert) in cases {
            let tokens = Tokens::of(text);
            let hidden = Hidden::of(&tokens, &Roles::of(&tokens), &OwnMacros::default());
            let found: Vec<_> = hidden.restored.iter().map(|it| (it.close, it.insert.as_str())).collect();
            assert_eq!(found, [(text.len() - 1, insert)], "{text}");
        }
        for text in
            ["assert!(a)", "assert!(a.await, \"why\")", "other!(assert!(a.await))", "assert!($a.await)"]
        {
            let tokens = Tokens::of(text);
            let hidden = Hidden::of(&tokens, &Roles::of(&tokens), &OwnMacros::default());
            assert_eq!(hidden.restored, [], "{text}");
        }
    }
}
