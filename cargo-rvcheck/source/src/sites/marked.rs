//! Which calls are marked, and the sites by the numbers of their markers.

use super::rule::makes_channel;
use super::{SiteTokens, places};
use crate::constant::Constants;
use crate::edition::Edition;
use crate::lines::Lines;
use crate::marker::{Number, file_number};
use crate::outline::outline;
use crate::role::Roles;
use crate::token::Tokens;
use rvcheck_event::site::{Site, SiteKind};
use std::collections::BTreeMap;

/// The calls that are marked, as they stand in the text.
///
/// A value that is created may get its type from what is expected of the whole expression, which a marker would hide, so only
/// channels are marked where they are created. Nothing is marked that the compiler evaluates.
pub(crate) fn marked_calls<'a>(tokens: &Tokens<'a>, roles: &Roles) -> Vec<SiteTokens<'a>> {
    let constants = Constants::of(tokens);
    let mut found = places(tokens, roles);
    found.retain(|it| {
        let whole = it.found.kind != SiteKind::Creation || makes_channel(it.found.call);
        it.found.kind != SiteKind::Await && whole && !constants.contains(it.index)
    });
    found
}

/// The sites of a file by the numbers of their markers: awaits, and the calls that [`rewrite`](crate::rewrite::rewrite) marks.
/// What stands in the body of a macro has its own place here, and not that of an invocation. `path` is the one that the number
/// of the file is made from, and `file` the one that the sites name.
pub fn sites_by_number(text: &str, path: &str, file: &str, edition: Edition) -> BTreeMap<Number, Site> {
    let tokens = Tokens::of(text);
    let roles = Roles::of(&tokens);
    let outline = outline(text, &tokens, edition);
    let lines = Lines::of(text);
    let awaits = places(&tokens, &roles).into_iter().filter(|it| it.found.kind == SiteKind::Await);
    let places = awaits.chain(marked_calls(&tokens, &roles));
    let number = file_number(path);
    let numbered = |mut it: SiteTokens<'_>| {
        // What a variable of a macro stands for is not known in the macro.
        it.found.binding = it.found.binding.filter(|it| !it.contains('$'));
        Some((Number::new(number, it.found.start)?, it.found.site(file, &outline, &lines)))
    };
    places.filter_map(numbered).collect()
}
