//! Sites in the bodies of macros that the file defines itself.
//!
//! Code in the body of a `macro_rules!` runs where the macro is invoked, and the compiler reports the outermost
//! invocation as the place. So the sites of a body are sites of each invocation in the same file.

use super::UnplacedSite;
use crate::call::path;
use crate::role::Roles;
use crate::token::Tokens;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// What the bodies of each macro contain.
#[derive(Default)]
pub(super) struct Macros<'a> {
    /// The indices of the delimiters of each body, in order, with the macro's name.
    bodies: Vec<(usize, usize, &'a str)>,
    contents: BTreeMap<&'a str, Contents<'a>>,
}

#[derive(Default)]
struct Contents<'a> {
    sites: Vec<UnplacedSite<'a>>,
    invoked: BTreeSet<&'a str>,
}

impl<'a> Macros<'a> {
    /// The macros of a file, without contents as yet.
    pub(super) fn of(tokens: &Tokens<'a>, roles: &Roles) -> Macros<'a> {
        let mut macros = Macros::default();
        for definition in &roles.definitions {
            let name = tokens.text(definition.name);
            macros.contents.entry(name).or_default();
            macros.bodies.extend(definition.bodies.iter().map(|&(open, close)| (open, close, name)));
        }
        macros.bodies.sort_unstable();
        macros
    }

    /// The macro of this file that is invoked by the word at this index, if it is one.
    pub(super) fn invoked(&self, tokens: &Tokens<'a>, index: usize) -> Option<&'a str> {
        let name = tokens.text(index);
        let is_invocation = tokens.is(index + 1, b'!')
            && tokens.closing(index + 2).is_some()
            && self.contents.contains_key(name);
        is_invocation.then_some(name)
    }

    /// Notes that a body contains this site.
    pub(super) fn add_site(&mut self, index: usize, site: UnplacedSite<'a>) {
        if let Some(contents) = self.around(index) {
            contents.sites.push(site);
        }
    }

    /// Notes that a body invokes this macro.
    pub(super) fn add_invocation(&mut self, index: usize, name: &'a str) {
        if let Some(contents) = self.around(index) {
            contents.invoked.insert(name);
        }
    }

    fn around(&mut self, index: usize) -> Option<&mut Contents<'a>> {
        let before = self.bodies.partition_point(|&(open, ..)| open < index);
        let &(_, _, name) = self.bodies[..before].iter().rfind(|&&(_, close, _)| index < close)?;
        self.contents.get_mut(name)
    }

    /// The sites of an invocation of this macro by the word at this index. Each sort of call counts once, and has a
    /// binding only where all of its calls have the same.
    pub(super) fn sites_of(&self, tokens: &Tokens<'a>, index: usize, name: &'a str) -> Vec<UnplacedSite<'a>> {
        let (Some(first), Some(last)) = (tokens.get(path(tokens, index).0), tokens.get(index + 1)) else {
            return Vec::new();
        };
        let mut found = BTreeMap::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![name];
        while let Some(name) = open.pop() {
            if let Some(contents) = self.contents.get(name).filter(|_| seen.insert(name)) {
                open.extend(&contents.invoked);
                for site in &contents.sites {
                    let binding = site.binding.clone().filter(|it| !it.contains('$'));
                    let site = UnplacedSite { start: first.start, end: last.end, binding, ..*site };
                    match found.entry((site.kind, site.call)) {
                        Entry::Vacant(entry) => {
                            entry.insert(site);
                        }
                        Entry::Occupied(mut entry) if entry.get().binding != site.binding => {
                            entry.get_mut().binding = None;
                        }
                        Entry::Occupied(_) => {}
                    }
                }
            }
        }
        found.into_values().collect()
    }
}
