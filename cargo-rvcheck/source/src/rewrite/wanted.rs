//! What is to be inserted into a file, wherever that is done: marks, what observes functions, and the messages of assertions.

use super::Options;
use crate::allocator::beginnings;
use crate::atomics::{Operation, operations};
use crate::crate_root::facts;
use crate::edit::Edit;
use crate::edition::Edition;
use crate::hoist::{Placing, SEEN};
use crate::includes::inclusions;
use crate::macros::{Hidden, Restored};
use crate::marker::{Marker, MarkerKind, Number};
use crate::observe::{self, Observed, insertion};
use crate::role::{Role, Roles};
use crate::sites::{SiteTokens, marked_calls};
use crate::token::{Kind, Tokens};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// What is to be inserted, wherever that is done.
pub(super) struct Wanted {
    /// In order.
    pub(super) edits: Vec<Edit>,
    /// What is left as it is: where it begins, and why.
    pub(super) skipped: Vec<(usize, String)>,
    /// The observed functions, in order.
    pub(super) observed: Vec<Observed>,
}

impl Wanted {
    /// Leaves out what cannot be inserted without moving something that can be seen.
    pub(super) fn leave_out(&mut self, hidden: &Hidden, placing: &Placing<'_>) {
        let mut seen: BTreeSet<usize> =
            self.edits.iter().filter(|it| placing.is_seen(it)).map(|it| it.stands_for).collect();
        // An assertion has its marks and its message, or neither.
        for assertion in &hidden.restored {
            if seen.contains(&assertion.close) {
                seen.extend(self.edits.iter().filter(|it| assertion.has(it)).map(|it| it.stands_for));
            }
        }
        let is_mark = |it: &&Edit| seen.contains(&it.stands_for) && is_await(it);
        self.skipped.extend(self.edits.iter().filter(is_mark).map(|it| (it.stands_for, SEEN.to_owned())));
        for observed in self.observed.iter_mut().filter(|it| seen.contains(&it.name.start)) {
            observed.unmonitored.get_or_insert_with(|| SEEN.to_owned());
        }
        self.edits.retain(|it| !seen.contains(&it.stands_for));
        for assertion in &hidden.restored {
            if !self.edits.iter().any(|it| assertion.has(it) && it.stands_for != assertion.close) {
                self.edits.retain(|it| it.stands_for != assertion.close);
            }
        }
    }
}

fn is_await(edit: &Edit) -> bool {
    Marker::of_text(&edit.insert).is_some_and(|it| it.kind == MarkerKind::Await)
}

/// What is to be inserted into a file of these tokens.
pub(super) fn wanted(
    text: &str,
    (tokens, roles, hidden): (&Tokens<'_>, &Roles, &Hidden),
    edition: Edition,
    options: &Options<'_>,
) -> Wanted {
    let mut edits = options.folder.map_or_else(Vec::new, |folder| inclusions(tokens, roles, folder));
    let mut skipped = Vec::new();
    let against = against_awaits(tokens, options);
    for mark in awaits(tokens, roles, edition).filter(|_| options.foreign.is_none()) {
        let undone = options.skip.get(&mark.stands_for);
        let seen = || hidden.reason(tokens.index_at(mark.stands_for));
        let reason = match (against.or(mark.against).or_else(seen), undone) {
            (Some(reason), _) => Some(reason.to_owned()),
            (None, said) => {
                edits.extend(mark.edit(MarkerKind::Await, options.file, undone.is_some()));
                said.map(|said| format!("the marker does not compile here: {said}"))
            }
        };
        skipped.extend(reason.map(|it| (mark.stands_for, it)));
    }
    if against.is_none() {
        let is_hidden = |offset: usize| hidden.reason(tokens.index_at(offset)).is_some();
        for mark in calls(tokens, roles).into_iter().filter(|it| !is_hidden(it.stands_for)) {
            let undone = options.skip.contains_key(&mark.stands_for);
            edits.extend(mark.edit(MarkerKind::Site, options.file, undone));
        }
        for Operation { dot, name, decides } in operations(tokens, roles, hidden) {
            let undone = options.skip.contains_key(&name);
            let kind = if decides { MarkerKind::Asked } else { MarkerKind::Atomic };
            edits.extend(Markable { offset: dot, stands_for: name, against: None }.edit(
                kind,
                options.file,
                undone,
            ));
        }
        let beginnings = beginnings(tokens, roles, options.skip).into_iter();
        edits.extend(beginnings.filter(|it| !is_hidden(it.stands_for)));
    }
    let against = against.filter(|_| options.foreign.is_none());
    let in_the_way =
        |offset: usize| against.or_else(|| hidden.reason(tokens.index_at(offset))).map(str::to_owned);
    let insertions = insertion::Options {
        skip: options.skip,
        against: &in_the_way,
        foreign: options.foreign,
        libraries: options.libraries,
    };
    let observed = observe::insertions(text, edition, &options.module, options.observations, &insertions);
    edits.extend(observed.edits);
    let messages: Vec<Edit> = hidden.restored.iter().filter_map(|it| message(it, &edits)).collect();
    edits.extend(messages);
    // Behind a call that is awaited at once, both markers go to one place, and that of the call comes first.
    edits.sort_by_key(|it| (it.offset, insertion::rank(&it.insert), it.stands_for));
    Wanted { edits, skipped, observed: observed.observed }
}

/// The message of an assertion with markers; a comment of the same length where all of them are undone, and nothing without any.
fn message(assertion: &Restored, edits: &[Edit]) -> Option<Edit> {
    let kinds =
        || edits.iter().filter(|it| assertion.has(it)).map(|it| Marker::of_text(&it.insert).is_some());
    let insert = if kinds().any(|is_marker| is_marker) {
        assertion.insert.clone()
    } else {
        kinds().next()?;
        format!("/*{:_<width$}*/", "", width = assertion.insert.len() - 4)
    };
    Some(Edit { offset: assertion.close, insert: Cow::Owned(insert), stands_for: assertion.close })
}

/// Why no await of the file can be marked, if none can.
fn against_awaits(tokens: &Tokens<'_>, options: &Options<'_>) -> Option<&'static str> {
    let mut facts = facts(tokens);
    // Only in a root is this attribute about more than a warning.
    facts.no_std &= options.root;
    facts
        .reason_against_awaits()
        .or_else(|| (!options.awaits).then_some("awaits of this crate cannot be marked"))
}

/// What can be marked, and where.
struct Markable {
    offset: usize,
    stands_for: usize,
    against: Option<&'static str>,
}

impl Markable {
    fn edit(&self, kind: MarkerKind, file: u32, undone: bool) -> Option<Edit> {
        let marker = Marker { kind, number: Number::new(file, self.stands_for)? };
        let insert = Cow::Owned(if undone { marker.undone() } else { marker.text() });
        Some(Edit { offset: self.offset, insert, stands_for: self.stands_for })
    }
}

fn awaits<'a>(tokens: &'a Tokens<'_>, roles: &'a Roles, edition: Edition) -> impl Iterator<Item = Markable> {
    let end = if edition.has_await() { tokens.len() } else { 0 };
    (1..end).filter(|&index| tokens.is_await(index)).filter_map(move |index| {
        let against = match roles.get(index) {
            Role::Code | Role::Body => {
                (!ends_expression(tokens, index - 1)).then_some("no expression stands before the `.await`")
            }
            Role::Quoted => Some("the surrounding macro does not run its input here"),
            Role::Matcher | Role::Attribute => return None,
        };
        let offset = tokens.get(index - 1)?.start;
        let stands_for = tokens.get(index)?.start;
        Some(Markable { offset, stands_for, against })
    })
}

/// The calls that are marked.
fn calls(tokens: &Tokens<'_>, roles: &Roles) -> Vec<Markable> {
    let places = marked_calls(tokens, roles).into_iter();
    let mark = |it: SiteTokens<'_>| {
        Some(Markable { offset: tokens.get(it.last)?.end, stands_for: it.found.start, against: None })
    };
    places.filter_map(mark).collect()
}

/// Whether an expression can end before the dot at this index.
fn ends_expression(tokens: &Tokens<'_>, dot: usize) -> bool {
    dot > 0
        && tokens.get(dot - 1).is_some_and(|token| match token.kind {
            Kind::Word | Kind::OtherWord | Kind::Literal | Kind::Close => true,
            Kind::Open => false,
            Kind::Mark(mark) => mark == b'?',
        })
}
