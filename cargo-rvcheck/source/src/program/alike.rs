//! What several crates call alike, and how it is spelled in each so that it is distinguished.
//!
//! Types, traits, statics and functions are known by their names. Where crates that are linked have a name in common, its last letter is
//! another one in each of them, which no program has. So a name keeps its length, and places stay where they are. Whoever speaks of such
//! a name says it as the user does ([`Letters::said`]).

use super::Unit;
use crate::mir::link::{Spellings, is_type};
use crate::outline::impls::{Declarations, declarations};
use crate::outline::respelled::respelled;
use rvcheck_primitives::owners_named;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The first letter that is given: a rare ideograph.
const FIRST: u32 = 0x2_A000;

/// By the letters that names were given: those that they had.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Letters(BTreeMap<char, char>);

/// What crates call alike.
#[derive(Debug)]
pub(super) struct Alike<'a> {
    units: &'a [Unit<'a>],
    /// By crate and file: what it declares.
    declared: Vec<Vec<Declarations>>,
    /// By crate.
    pub(super) spellings: Vec<Spellings>,
    /// The names that must not be taken for one another: those of traits, and of types that may have primitives in them.
    pub(super) matters: BTreeSet<String>,
    pub(super) letters: Letters,
}

impl<'a> Alike<'a> {
    /// What these crates call alike; or a name of several that cannot be distinguished.
    pub(super) fn of(units: &'a [Unit<'a>]) -> Result<Alike<'a>, String> {
        let of_file = |unit: &Unit<'_>| {
            let all = unit.sources.iter();
            all.map(|it| declarations(it.text, it.edition, unit.conditions)).collect::<Vec<_>>()
        };
        let declared: Vec<Vec<Declarations>> = units.iter().map(of_file).collect();
        let types: Vec<BTreeSet<&str>> = declared.iter().map(|it| types(it)).collect();
        let paths: Vec<BTreeSet<&str>> = units.iter().map(|it| paths(it.mir)).collect();
        let matters = declared.iter().flatten().flat_map(matter).collect();
        let mut found = Alike {
            units,
            declared: Vec::new(),
            spellings: Vec::new(),
            matters,
            letters: Letters::default(),
        };
        for ((declared, types_of), paths_of) in declared.iter().zip(&types).zip(&paths) {
            let mut of = Spellings::default();
            of.modules.extend(declared.iter().flat_map(|it| it.meanings.modules.iter().cloned()));
            for name in types_of.iter().filter(|it| is_of_several(it, &types)) {
                match found.letters.spelled(name) {
                    Some(it) if is_type(name) => {
                        of.types.insert((*name).to_owned(), it);
                    }
                    _ if found.matters.contains(*name) => return Err((*name).to_owned()),
                    _ => {}
                }
            }
            for path in paths_of.iter().filter(|it| is_of_several(it, &paths)) {
                let name = path.rsplit("::").next().unwrap_or(path);
                match found.letters.spelled(name) {
                    Some(it) => {
                        of.paths.insert((*path).to_owned(), it);
                    }
                    None => return Err(name.to_owned()),
                }
            }
            found.spellings.push(of);
        }
        found.declared = declared;
        Ok(found)
    }

    /// The text of a file of a crate, with names as they are spelled there.
    pub(super) fn respelled(&self, number: usize, file: usize) -> String {
        let source = &self.units[number].sources[file];
        if self.spellings.iter().all(|it| it.types.is_empty()) {
            return source.text.to_owned();
        }
        respelled(source.text, source.edition, &|before, name| self.spelling(number, file, before, name))
    }

    /// How a name in a file is spelled behind that path, if in another way.
    fn spelling(&self, number: usize, file: usize, before: &[String], name: &str) -> Option<&str> {
        if !self.spellings.iter().any(|it| it.types.contains_key(name)) || before.iter().any(|it| is_type(it))
        {
            return None;
        }
        let of = match before.first() {
            Some(first) => self.crate_of(number, file, first),
            None => self.crate_of_bare(number, file, name),
        };
        self.spellings[of?].types.get(name).map(String::as_str)
    }

    /// The crate that a path begins in; `None` where it is none of these.
    fn crate_of(&self, number: usize, file: usize, first: &str) -> Option<usize> {
        if let Some(it) = self.units.iter().position(|it| it.name == first) {
            return Some(it);
        }
        if matches!(first, "crate" | "self" | "super") {
            return Some(number);
        }
        let imports = &self.declared[number].get(file)?.meanings.imports;
        match imports.iter().find(|(name, _)| name == first).and_then(|(_, path)| path.first()) {
            Some(it) if it != first => self.crate_of(number, file, it),
            _ => self.spellings[number].modules.contains(first).then_some(number),
        }
    }

    /// The crate whose type a name alone stands for in a file.
    fn crate_of_bare(&self, number: usize, file: usize, name: &str) -> Option<usize> {
        let of_file = self.declared[number].get(file)?;
        let declares =
            of_file.types.iter().any(|it| it.name == name) || of_file.traits.iter().any(|it| it == name);
        if declares {
            return Some(number);
        }
        let mut imports = of_file.meanings.imports.iter();
        if let Some((_, path)) = imports.find(|(it, path)| it == name && path.last() == Some(it)) {
            return self.crate_of(number, file, path.first()?);
        }
        if self.spellings[number].types.contains_key(name) {
            return Some(number);
        }
        let firsts = of_file.meanings.globs.iter().filter_map(|it| it.first());
        firsts
            .filter_map(|it| self.crate_of(number, file, it))
            .find(|it| self.spellings[*it].types.contains_key(name))
    }
}

impl Letters {
    /// A new spelling of a name; `None` where it is too short for one.
    fn spelled(&mut self, name: &str) -> Option<String> {
        let (at, last) = name.char_indices().next_back().filter(|(at, _)| *at > 0)?;
        let letter = char::from_u32(FIRST + u32::try_from(self.0.len()).ok()?)?;
        self.0.insert(letter, last);
        Some(format!("{}{letter}", &name[..at]))
    }

    /// A text with names as the user spells them.
    pub(super) fn said<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.0.is_empty() || text.is_ascii() {
            return Cow::Borrowed(text);
        }
        Cow::Owned(text.chars().map(|it| self.0.get(&it).copied().unwrap_or(it)).collect())
    }
}

fn is_of_several(name: &str, all: &[BTreeSet<&str>]) -> bool {
    all.iter().filter(|it| it.contains(name)).count() > 1
}

/// The types and traits that files declare.
fn types(declared: &[Declarations]) -> BTreeSet<&str> {
    declared
        .iter()
        .flat_map(|it| it.traits.iter().map(String::as_str).chain(it.types.iter().map(|it| it.name.as_str())))
        .collect()
}

/// The names in a file that must not be taken for those of others.
fn matter(of_file: &Declarations) -> Vec<String> {
    let has_primitives = |it: &BTreeSet<String>| it.iter().any(|it| !owners_named(it).is_empty());
    let types = of_file.types.iter().filter(|it| has_primitives(&it.mentions)).map(|it| it.name.clone());
    of_file.traits.iter().cloned().chain(types).collect()
}

/// The paths of the statics of a crate, and of those of its functions that are in no `impl`.
fn paths(mir: &str) -> BTreeSet<&str> {
    let of_line = |line: &'_ str| -> Option<(usize, usize)> {
        if let Some(it) = line.strip_prefix("static ") {
            let it = it.strip_prefix("mut ").unwrap_or(it);
            let length = it.find(": ")?;
            let begin = line.len() - it.len();
            return Some((begin, begin + length));
        }
        let it = line.strip_prefix("fn ")?;
        let length = it.find('(')?;
        Some((3, 3 + length))
    };
    let all = mir.lines().filter_map(|line| of_line(line).map(|(begin, end)| &line[begin..end]));
    let is_plain = |it: &&str| {
        let before = it.rsplit_once("::").map_or("", |(before, _)| before);
        !it.contains(['<', '{', ' ']) && !before.split("::").any(is_type)
    };
    all.filter(is_plain).collect()
}
