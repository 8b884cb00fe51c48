//! The sites of a file: the places where something of interest happens.
//!
//! They are found as tokens, so that those in the input of macros are found too. The position of a site is the one that
//! the compiler gives a run-time `Location` of the call: the method's name for a method call, the beginning of the path
//! for a function call, the word `await` for an await, and the beginning of the outermost invocation for what the body of
//! a macro does. The column counts characters, as everywhere.

mod awaiting;
mod binding;
mod macros;
mod marked;
mod rule;

use crate::call::{Call, Shape};
use crate::edition::Edition;
use crate::imports::Imports;
use crate::lines::Lines;
use crate::outline::{Outline, outline};
use crate::role::{Role, Roles};
use crate::token::Tokens;
use macros::Macros;
use rvcheck_event::site::{Site, SiteKind};

pub(crate) use binding::receiver_start;
pub(crate) use marked::marked_calls;
pub use marked::sites_by_number;

/// The sites of a file, in the order of their positions. The name of the file is the one that the compiler knows.
pub fn sites(text: &str, file: &str, edition: Edition) -> Vec<Site> {
    let tokens = Tokens::of(text);
    let found = found(&tokens, &Roles::of(&tokens));
    let outline = outline(text, &tokens, edition);
    let lines = Lines::of(text);
    let mut sites: Vec<Site> = found.into_iter().map(|found| found.site(file, &outline, &lines)).collect();
    sites.sort();
    sites.dedup();
    sites
}

/// A site where it stands in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SiteTokens<'a> {
    /// The index of the token that names it.
    pub(crate) index: usize,
    /// The index of the last token of the call; for an await, of the dot before it.
    pub(crate) last: usize,
    pub(crate) found: UnplacedSite<'a>,
}

/// A site before it is placed in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct UnplacedSite<'a> {
    pub(crate) kind: SiteKind,
    pub(crate) call: &'a str,
    /// The byte offset of its position.
    pub(crate) start: usize,
    /// The byte offset of its end.
    end: usize,
    binding: Option<String>,
}

impl UnplacedSite<'_> {
    fn site(self, file: &str, outline: &Outline, lines: &Lines<'_>) -> Site {
        Site {
            file: file.to_owned(),
            start: lines.source_position(self.start),
            end: lines.source_position(self.end),
            kind: self.kind,
            call: self.call.to_owned(),
            item: outline.path_at(self.start).to_owned(),
            binding: self.binding,
            in_test: outline.is_test(self.start),
        }
    }
}

/// The sites as the compiler places them: what stands in the body of a macro, at the invocations of the macro.
fn found<'a>(tokens: &Tokens<'a>, roles: &Roles) -> Vec<UnplacedSite<'a>> {
    let mut macros = Macros::of(tokens, roles);
    let mut sites = Vec::new();
    let mut invocations = Vec::new();
    for index in (0..tokens.len()).filter(|&index| tokens.is_any_word(index)) {
        if let Some(name) = macros.invoked(tokens, index) {
            match roles.get(index) {
                Role::Body => macros.add_invocation(index, name),
                Role::Code => invocations.push((index, name)),
                _ => {}
            }
        }
    }
    for place in places(tokens, roles) {
        match roles.get(place.index) {
            Role::Body => macros.add_site(place.index, place.found),
            _ => sites.push(place.found),
        }
    }
    sites.extend(invocations.into_iter().flat_map(|(index, name)| macros.sites_of(tokens, index, name)));
    sites
}

/// The sites where they stand in the text, in the order of the tokens that name them.
pub(crate) fn places<'a>(tokens: &Tokens<'a>, roles: &Roles) -> Vec<SiteTokens<'a>> {
    let imports = Imports::of(tokens);
    let runs = |index: &usize| matches!(roles.get(*index), Role::Code | Role::Body);
    let words = (0..tokens.len()).filter(|&index| tokens.is_any_word(index)).filter(runs);
    let place = |index: usize| match awaiting::found(tokens, index) {
        Some(found) => Some(SiteTokens { index, last: index - 1, found }),
        None => called(tokens, index, &imports),
    };
    words.filter_map(place).collect()
}

/// The site of the call whose name is at this index, if it is one.
fn called<'a>(tokens: &Tokens<'a>, index: usize, imports: &Imports<'a>) -> Option<SiteTokens<'a>> {
    // What is imported under another name, such as `sleep as pause`, is known only under its own.
    let written = tokens.text(index);
    if !rule::may_be_site(written) && !imports.renames(written) {
        return None;
    }
    let call = Call::at(tokens, index)?;
    let (position, path) = match &call.shape {
        Shape::Method { .. } => (index, vec![written]),
        Shape::Function { start, path } => (*start, imports.resolve(path)),
    };
    let name = *path.last()?;
    let kind = rule::kind_of(&call, &path)?;
    let binding = match (&call.shape, kind) {
        (Shape::Method { dot }, _) => binding::receiver(tokens, *dot),
        (Shape::Function { start, .. }, SiteKind::Spawn | SiteKind::Creation) => {
            binding::target(tokens, *start)
        }
        (Shape::Function { .. }, SiteKind::Blocking) => None,
        (Shape::Function { .. }, _) => binding::first_argument(tokens, call.open),
    };
    if kind == SiteKind::Lock && is_console(binding.as_deref()) {
        return None;
    }
    let close = tokens.closing(call.open)?;
    let last = if call.has_arguments { index } else { close };
    let (start, end) = (tokens.get(position)?.start, tokens.get(last)?.end);
    Some(SiteTokens { index, last: close, found: UnplacedSite { kind, call: name, start, end, binding } })
}

/// Whether what is locked is a standard stream of the process, which is not a lock of the program's own.
fn is_console(binding: Option<&str>) -> bool {
    binding.is_some_and(|it| ["stdin()", "stdout()", "stderr()"].iter().any(|end| it.ends_with(end)))
}

#[cfg(test)]
mod tests;
