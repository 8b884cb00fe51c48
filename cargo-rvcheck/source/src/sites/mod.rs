//! The sites of a file: the places where something of interest happens.
//!
//! They are found as tokens, so that those in the input of macros are found too. The position of a site is the one that
//! the compiler gives a run-time `Location` of the call: the method's name for a method call, the beginning of the path
//! for a function call, the word `await` for an await, and the beginning of the outermost invocation for what the body of
//! a macro does. The column counts characters, as everywhere.

mod awaiting;
mod binding;
mod blocking;
mod call;
mod channel;
mod creation;
mod lock;
mod macros;
mod rule;
mod semaphore;
mod signal;
mod spawn;

use crate::edition::Edition;
use crate::imports::Imports;
use crate::lines::Lines;
use crate::outline::{Outline, outline};
use crate::role::{Role, Roles};
use crate::token::Tokens;
use call::{Call, Shape};
use macros::Macros;
use rule::Rule;
use rvcheck_event::site::{Site, SiteKind};
use std::collections::BTreeMap;

/// The sites of a file, in the order of their positions. The name of the file is the one that the compiler knows.
pub fn sites(text: &str, file: &str, edition: Edition) -> Vec<Site> {
    let tokens = Tokens::of(text);
    let found = found(&tokens);
    let outline = outline(text, &tokens, edition);
    let lines = Lines::of(text);
    let mut sites: Vec<Site> = found.into_iter().map(|found| found.site(file, &outline, &lines)).collect();
    sites.sort();
    sites.dedup();
    sites
}

/// A site before it is placed in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Found<'a> {
    kind: SiteKind,
    call: &'a str,
    /// The byte offset of its position.
    start: usize,
    /// The byte offset of its end.
    end: usize,
    binding: Option<String>,
}

impl Found<'_> {
    fn site(self, file: &str, outline: &Outline, lines: &Lines<'_>) -> Site {
        let (line, column) = lines.position(self.start);
        let (end_line, end_column) = lines.position(self.end);
        Site {
            file: file.to_owned(),
            line,
            column,
            end_line,
            end_column,
            kind: self.kind,
            call: self.call.to_owned(),
            item: outline.path_at(self.start).to_owned(),
            binding: self.binding,
            in_test: outline.is_test(self.start),
        }
    }
}

/// The kinds that are told by rules. The order decides where a call fits two.
const RULES: [(SiteKind, &[Rule]); 7] = [
    (SiteKind::Spawn, spawn::RULES),
    (SiteKind::Lock, lock::RULES),
    (SiteKind::Channel, channel::RULES),
    (SiteKind::Semaphore, semaphore::RULES),
    (SiteKind::Signal, signal::RULES),
    (SiteKind::Blocking, blocking::RULES),
    (SiteKind::Creation, creation::RULES),
];

/// The rules by the name of the call.
type RulesByName = BTreeMap<&'static str, Vec<(SiteKind, &'static Rule)>>;

fn rules_by_name() -> RulesByName {
    let mut rules = RulesByName::new();
    for (kind, rule) in RULES.iter().flat_map(|(kind, rules)| rules.iter().map(|rule| (*kind, rule))) {
        for name in rule.names {
            rules.entry(name).or_default().push((kind, rule));
        }
    }
    rules
}

fn found<'a>(tokens: &Tokens<'a>) -> Vec<Found<'a>> {
    let roles = Roles::of(tokens);
    let imports = Imports::of(tokens);
    let rules = rules_by_name();
    let mut macros = Macros::of(tokens, &roles);
    let mut sites = Vec::new();
    let mut invocations = Vec::new();
    for index in (0..tokens.len()).filter(|&index| tokens.is_any_word(index)) {
        let role = roles.get(index);
        if !matches!(role, Role::Code | Role::Body) {
            continue;
        }
        if let Some(name) = macros.invoked(tokens, index) {
            match role {
                Role::Body => macros.add_invocation(index, name),
                _ => invocations.push((index, name)),
            }
        } else if let Some(site) =
            awaiting::found(tokens, index).or_else(|| called(tokens, index, &rules, &imports))
        {
            match role {
                Role::Body => macros.add_site(index, site),
                _ => sites.push(site),
            }
        }
    }
    sites.extend(invocations.into_iter().flat_map(|(index, name)| macros.sites_of(tokens, index, name)));
    sites
}

/// The site of the call whose name is at this index, if a rule tells it.
fn called<'a>(
    tokens: &Tokens<'a>,
    index: usize,
    rules: &RulesByName,
    imports: &Imports<'a>,
) -> Option<Found<'a>> {
    // What is imported under another name, such as `sleep as pause`, has a rule only under its own.
    let written = tokens.text(index);
    if !rules.contains_key(written) && !imports.renames(written) {
        return None;
    }
    let call = Call::at(tokens, index)?;
    let (position, path) = match &call.shape {
        Shape::Method { .. } => (index, vec![written]),
        Shape::Function { start, path } => (*start, imports.resolve(path)),
    };
    let name = *path.last()?;
    let &(kind, _) = rules.get(name)?.iter().find(|(_, rule)| rule.accepts(&call, &path))?;
    let binding = match (&call.shape, kind) {
        (Shape::Method { dot }, _) => binding::receiver(tokens, *dot),
        (Shape::Function { start, .. }, SiteKind::Spawn | SiteKind::Creation) => {
            binding::target(tokens, *start)
        }
        (Shape::Function { .. }, SiteKind::Blocking) => None,
        (Shape::Function { .. }, _) => binding::first_argument(tokens, call.open),
    };
    if kind == SiteKind::Lock && lock::is_console(binding.as_deref()) {
        return None;
    }
    let last = if call.has_arguments { index } else { tokens.closing(call.open)? };
    Some(Found { kind, call: name, start: tokens.get(position)?.start, end: tokens.get(last)?.end, binding })
}

#[cfg(test)]
mod tests;
