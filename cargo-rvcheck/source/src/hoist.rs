//! Insertions that move nothing.
//!
//! What is inserted into a line moves what stands behind it there, and a program can look at its columns: by `column!()`, by a
//! `Location`, in a panic message, in a span. So an insertion stays where it belongs only if nothing behind it can be seen. Others are
//! *hoisted*: an attribute makes them that stands before the item, at the end of an earlier line. It is the macro of the crate
//! `rvcheck_insert`, which finds the tokens by their places.

use crate::edit::Edit;
use crate::edition::Edition;
use crate::lines::Lines;
use crate::outline::hosts::{Host, hosts};
use crate::role::{Role, Roles};
use crate::token::{Kind, Tokens};
use rvcheck_event::position::SourcePosition;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Why a mark is left out.
pub(crate) const SEEN: &str =
    "what stands behind it on its line can see its own column, which a mark would move";

/// A file whose insertions are to be placed.
pub(crate) struct Placing<'a> {
    text: &'a str,
    tokens: &'a Tokens<'a>,
    roles: &'a Roles,
    edition: Edition,
    /// The items that can have the attribute, an outer one before what is in it, each with where the attribute goes, if it can. Few files need them.
    places: OnceCell<Vec<(Option<usize>, Host)>>,
}

/// Insertions, by how they are made.
#[derive(Default)]
pub(crate) struct Placed {
    /// What is written into the text: insertions, and the attributes that make the others.
    pub(crate) edits: Vec<Edit>,
    /// What the attributes insert.
    pub(crate) hoisted: Vec<Edit>,
}

impl<'a> Placing<'a> {
    /// Finds the places of this file.
    pub(crate) fn of(
        text: &'a str,
        tokens: &'a Tokens<'a>,
        roles: &'a Roles,
        edition: Edition,
    ) -> Placing<'a> {
        Placing { text, tokens, roles, edition, places: OnceCell::new() }
    }

    fn places(&self) -> &[(Option<usize>, Host)] {
        self.places.get_or_init(|| {
            let all = hosts(self.text, self.tokens, self.edition).into_iter();
            let with_place = |it: Host| (place(self.text, self.tokens, &it), it);
            all.map(with_place).collect()
        })
    }

    /// Whether this insertion cannot be made without moving something that can be seen.
    pub(crate) fn is_seen(&self, edit: &Edit) -> bool {
        self.moves_something(edit) && self.host(edit).is_none()
    }

    /// Places insertions, which are in order. None of them [is seen](Placing::is_seen).
    pub(crate) fn placed(&self, mut edits: Vec<Edit>) -> Placed {
        let moving = edits.iter().filter(|it| self.moves_something(it));
        let moving: BTreeSet<usize> = moving.filter_map(|it| self.host(it)).collect();
        let mut by_host: BTreeMap<usize, Vec<Edit>> = BTreeMap::new();
        if !moving.is_empty() {
            for edit in std::mem::take(&mut edits) {
                match self.host(&edit).filter(|it| moving.contains(it)) {
                    Some(host) => by_host.entry(host).or_default().push(edit),
                    None => edits.push(edit),
                }
            }
        }
        let columns = Columns::of(self.text, &edits);
        for (host, insertions) in &by_host {
            let Some(offset) = self.places()[*host].0 else { continue };
            let insertions: String = insertions.iter().filter_map(|it| self.argument(it, &columns)).collect();
            if !insertions.is_empty() {
                // At one place the attribute comes last, immediately before its item.
                let behind = edits.partition_point(|it| it.offset <= offset);
                let insert = Cow::Owned(format!(" #[::std::__rv_shim::insert({insertions})] "));
                edits.insert(behind, Edit { offset, insert, stands_for: offset });
            }
        }
        let mut hoisted: Vec<Edit> = by_host.into_values().flatten().collect();
        hoisted.sort_by_key(|it| it.offset);
        Placed { edits, hoisted }
    }

    /// Whether something behind it on its line can see its own column.
    fn moves_something(&self, edit: &Edit) -> bool {
        let end = self.text[edit.offset..].find('\n').map_or(self.text.len(), |it| edit.offset + it);
        let first = self.tokens.index_at(edit.offset);
        let mut on_line = (first..).take_while(|it| self.tokens.get(*it).is_some_and(|it| it.start < end));
        on_line.any(|it| self.can_see(it))
    }

    /// Whether what begins at this token, or ends with it, can see its column: a call, a macro, an operator, an attribute. In the body of a
    /// macro nothing can, since the columns are those of the invocation.
    fn can_see(&self, index: usize) -> bool {
        let Some(token) = self.tokens.get(index) else { return false };
        let is_arrow = |at: usize| self.tokens.is_pair(at, *b"=>") || self.tokens.is_pair(at, *b"->");
        let is_operator = |at: usize| self.tokens.get(at).is_some_and(|it| matches!(it.kind, Kind::Mark(_)));
        let is_alone = || {
            let before = index.checked_sub(1).is_some_and(|it| is_operator(it) && self.tokens.touches(it));
            let behind = is_operator(index + 1) && self.tokens.touches(index);
            !(before || behind)
        };
        !matches!(self.roles.get(index), Role::Matcher | Role::Body)
            && match token.kind {
                Kind::Word => self.tokens.is_word(index, "for"),
                Kind::OtherWord | Kind::Literal | Kind::Close | Kind::Mark(b';' | b',' | b'.' | b':') => {
                    false
                }
                Kind::Open if self.tokens.is(index, b'{') => false,
                Kind::Open => index == 0 || !self.tokens.is_word(index - 1, "pub"),
                Kind::Mark(b'=') if is_alone() => false,
                Kind::Mark(_) => !is_arrow(index) && !index.checked_sub(1).is_some_and(is_arrow),
            }
    }

    /// The item whose attribute can make this insertion: the outermost one that a macro sees, or else the innermost one; and where
    /// that has no place for an attribute, one around it.
    fn host(&self, edit: &Edit) -> Option<usize> {
        let (at, of) = (self.anchor(edit)?, edit.stands_for);
        self.tokens.get(self.tokens.index_at(of)).filter(|it| it.start == of)?;
        let has = |it: &Host| it.range.contains(&at) && it.range.contains(&of);
        let around: Vec<_> = self.places().iter().enumerate().filter(|(_, (_, it))| has(it)).collect();
        let seen = around.iter().position(|(_, (_, it))| it.is_seen_by_macro);
        let wanted = seen.unwrap_or(around.len().checked_sub(1)?);
        // What is on the line of the attribute has moved.
        let is_behind = |place: usize| self.text[place..at.min(of)].contains('\n');
        around[..=wanted].iter().rev().find(|(_, (place, _))| place.is_some_and(is_behind)).map(|it| it.0)
    }

    /// The beginning of the token that this goes before, or into.
    fn anchor(&self, edit: &Edit) -> Option<usize> {
        let next = self.tokens.index_at(edit.offset);
        let before = next.checked_sub(1).and_then(|it| self.tokens.get(it));
        let split = before.filter(|it| edit.offset < it.end);
        split.or_else(|| self.tokens.get(next)).map(|it| it.start)
    }

    /// The insertion as an argument of the macro; `None` if it inserts nothing but a comment.
    fn argument(&self, edit: &Edit, columns: &Columns<'_>) -> Option<String> {
        let anchor = self.anchor(edit)?;
        let (at, of) = (columns.position(anchor), columns.position(edit.stands_for));
        let tokens = if anchor < edit.offset {
            let (split, token) = (edit.offset - anchor, self.tokens.text(self.tokens.index_at(anchor)));
            format!("= {}{}{}", &token[..split], edit.insert, &token[split..])
        } else if Tokens::of(&edit.insert).len() > 0 {
            format!("{{{}}}", matched(&edit.insert))
        } else {
            return None;
        };
        Some(format!("{} {} {} {} {tokens}", at.line, at.column, of.line, of.column))
    }
}

/// Where the attribute of an item goes: behind everything before the item, if that is on an earlier line, or if nothing can see its column
/// in what the item has on its first line.
fn place(text: &str, tokens: &Tokens<'_>, host: &Host) -> Option<usize> {
    let first = tokens.index_at(host.range.start);
    let begin = tokens.get(first)?.start;
    let before = first.checked_sub(1).and_then(|it| tokens.get(it)).map(|it| it.end);
    let header = tokens.headers.iter().copied().rfind(|it| *it <= begin);
    let at = before.max(header)?;
    let is_earlier = text.get(at..begin)?.contains('\n');
    (is_earlier || begins_with_signature(text, tokens, first)).then_some(at)
}

/// Whether the line of this token, which begins an item, has nothing behind it but attributes and a signature.
fn begins_with_signature(text: &str, tokens: &Tokens<'_>, first: usize) -> bool {
    let begin = tokens.get(first).map_or(text.len(), |it| it.start);
    let end = text[begin..].find('\n').map_or(text.len(), |it| begin + it);
    let is_on_line = |at: usize| tokens.get(at).is_some_and(|it| it.start < end);
    let mut at = first;
    while is_on_line(at) {
        match tokens.closing(at) {
            Some(_) if tokens.is(at, b'{') => return !is_on_line(at + 1),
            // Code in the arguments of an attribute may be run.
            Some(close) if at > first && tokens.is(at - 1, b'#') && !tokens.is_word(at + 1, "cfg") => {
                let calls = (at..close).filter(|it| tokens.is(*it, b'(') || tokens.is(*it, b'!')).count();
                if calls > 1 {
                    return false;
                }
                at = close;
            }
            Some(close) => at = close,
            None if tokens.is(at, b'=') || tokens.is(at, b'!') => return false,
            None => {}
        }
        at += 1;
    }
    true
}

/// The text with a word in place of each delimiter that has no counterpart in it.
fn matched(insert: &str) -> String {
    let tokens = Tokens::of(insert);
    let (mut text, mut done) = (String::with_capacity(insert.len()), 0);
    for index in (0..tokens.len()).filter(|it| tokens.partner(*it).is_none()) {
        let Some(token) = tokens.get(index) else { continue };
        let word = match (token.kind, tokens.text(index)) {
            (Kind::Open, "(") => "parenthesis",
            (Kind::Open, "[") => "bracket",
            (Kind::Open, _) => "brace",
            (Kind::Close, _) => "close",
            _ => continue,
        };
        _ = write!(text, "{} __rv_unmatched_{word} ", &insert[done..token.start]);
        done = token.end;
    }
    text + &insert[done..]
}

/// Positions in a text into whose lines something is inserted.
struct Columns<'a> {
    lines: Lines<'a>,
    /// By the offsets, how many characters.
    inserted: Vec<(usize, usize)>,
}

impl<'a> Columns<'a> {
    fn of(text: &'a str, edits: &[Edit]) -> Columns<'a> {
        let inserted = edits.iter().map(|it| (it.offset, it.insert.chars().count())).collect();
        Columns { lines: Lines::of(text), inserted }
    }

    /// Where the character at this offset of the original is then.
    fn position(&self, offset: usize) -> SourcePosition {
        let original = self.lines.source_position(offset);
        let from = self.lines.offset(SourcePosition::new(original.line, 1)).unwrap_or_default();
        let begin = self.inserted.partition_point(|it| it.0 < from);
        let before = self.inserted[begin..].iter().take_while(|it| it.0 <= offset).map(|it| it.1);
        SourcePosition::new(original.line, original.column + before.sum::<usize>() as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::apply;
    use crate::rewrite::{Options, rewrite};

    /// The rewritten text, with `#` for each attribute, and how much is hoisted and left out.
    fn check(text: &str, expected: &str, hoisted: usize, left_out: usize) {
        let rewritten = rewrite(text, Edition::Rust2021, &Options::PLAIN);
        let mut edits = rewritten.edits.clone();
        for edit in &mut edits {
            let sign = if edit.insert.contains("#[") { "#" } else { "~" };
            edit.insert = sign.into();
        }
        assert_eq!(apply(text, &edits), expected);
        assert_eq!((rewritten.hoisted.len(), rewritten.skipped.len()), (hoisted, left_out), "{text}");
    }

    #[test]
    fn what_moves_nothing_that_is_seen_stays_where_it_is() {
        for text in ["fn a() { b~.await; }", "\nfn a() {\n if b~.await { // c\n d(e~.await, )\n }; }"] {
            check(&text.replace('~', ""), text, 0, 0);
        }
        let body = "macro_rules! a { () => { b~.await; c!() } } use a as d;";
        check(&body.replace('~', ""), body, 0, 0);
        let words = "fn a() { let b = match c~.await { D => E, _ => f.g }; let h: I = 1; }";
        check(&words.replace('~', ""), words, 0, 0);
        for seen in ["a()", "a[0]", "a + b", "a == b", "a!{}", "a?", "|b| c", "for a in b {}"] {
            check(&format!("fn f() {{ g.await; {seen} }}"), &format!("fn f() {{ g.await; {seen} }}"), 0, 1);
        }
    }

    #[test]
    fn what_moves_something_is_hoisted_to_the_end_of_an_earlier_line() {
        let cases = [
            (
                "use a::b; // c\nfn d() { e.await?; f.await }",
                "use a::b;# // c\nfn d() { e.await?; f.await }",
                2,
            ),
            ("//! a\n\n/// b\nfn c() { d.await? }", "//! a\n#\n/// b\nfn c() { d.await? }", 1),
            ("#!/bin/a\nfn b() {}\nfn c() { d.await? }", "#!/bin/a\nfn b() {}#\nfn c() { d.await? }", 1),
            ("// a\nfn b() { c.await? }", "#// a\nfn b() { c.await? }", 1),
            (
                "impl A {\n #[b]\n fn c() { d.await? }\n fn e() { f.await } }",
                "impl A {#\n #[b]\n fn c() { d.await? }\n fn e() { f~.await } }",
                1,
            ),
            // A macro that sees the methods of a block is not to see the attribute.
            ("\n#[a]\nimpl B {\n fn c() { d.await? } }", "#\n#[a]\nimpl B {\n fn c() { d.await? } }", 1),
            // The item begins in the middle of a line, and the one around it does not.
            ("\nmod a { fn b() { c.await? } }", "#\nmod a { fn b() { c.await? } }", 1),
        ];
        for (text, expected, hoisted) in cases {
            check(text, expected, hoisted, 0);
        }
    }

    #[test]
    fn an_attribute_may_move_a_signature() {
        check("async fn a() {\n b.await? }", "#async fn a() {\n b.await? }", 1, 0);
        check("mod a; #[b] async fn c() {\n d.await? }", "mod a;# #[b] async fn c() {\n d.await? }", 1, 0);
        for text in ["#[a(b(c!()))] async fn d() {\n e.await? }", "#[a]\nimpl B { fn c() {\n d.await? } }"] {
            let moved = text.starts_with("#[a]\n");
            check(
                text,
                &if moved { format!("#{text}") } else { text.to_owned() },
                usize::from(moved),
                usize::from(!moved),
            );
        }
    }

    #[test]
    fn what_has_no_place_for_an_attribute_is_left_out() {
        check("async fn a() { b.await?; c.await }", "async fn a() { b.await?; c~.await }", 0, 1);
        check("mod a; async fn b() { c.await; d!() }", "mod a; async fn b() { c.await; d!() }", 0, 1);
    }

    #[test]
    fn the_attribute_names_the_places_in_the_text_that_the_compiler_sees() {
        let text = "\nfn a() { ö(b.await, c()) }";
        let rewritten = rewrite(text, Edition::Rust2021, &Options::PLAIN);
        let mark = &rewritten.hoisted[0].insert;
        assert_eq!(rewritten.edits[0].insert, format!(" #[::std::__rv_shim::insert(2 13 2 14 {{{mark}}})] "));
    }

    #[test]
    fn delimiters_without_a_counterpart_become_words() {
        let cases = [
            ("a(b) { c", "a(b)  __rv_unmatched_brace  c"),
            (") { d }", " __rv_unmatched_close  { d }"),
            ("e((|| {", "e __rv_unmatched_parenthesis  __rv_unmatched_parenthesis ||  __rv_unmatched_brace "),
        ];
        for (insert, expected) in cases {
            assert_eq!(matched(insert), expected);
        }
    }
}
