//! Several crates of a workspace as one program: a program and the libraries that it is linked with.
//!
//! Names mean the same in all of them then. What several of them call alike is [spelled](super::alike) in another way in each before.

use super::alike::Alike;
use super::{Program, Source};
use crate::conditions::Conditions;
use crate::marker::Number;
use crate::mir::link::{Unclear, as_own};
use crate::mir::{Mir, read};
use crate::outline::impls::declarations;
use crate::ty::last;
use rvcheck_event::site::Site;
use rvcheck_primitives::libraries;
use std::collections::{BTreeMap, BTreeSet};

/// A crate that is linked with others.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'a> {
    /// Its name, as paths begin with it.
    pub name: &'a str,
    /// The text of its MIR.
    pub mir: &'a str,
    /// Its files as they were compiled.
    pub sources: &'a [Source<'a>],
    /// The conditions that they were compiled under.
    pub conditions: &'a Conditions,
}

/// Whether the last one of these crates gives the others code to call: a closure, or what implements one of their traits.
pub fn gives_code(units: &[Unit<'_>]) -> bool {
    let Some((root, libraries)) = units.split_last() else { return false };
    let of = |unit: &Unit<'_>| {
        let all = unit.sources.iter();
        all.map(|it| declarations(it.text, it.edition, unit.conditions)).collect::<Vec<_>>()
    };
    let traits: BTreeSet<String> = libraries.iter().flat_map(of).flat_map(|it| it.traits).collect();
    let implements = of(root)
        .iter()
        .flat_map(|it| &it.impls)
        .any(|it| it.of_trait.as_ref().is_some_and(|it| traits.contains(it)));
    implements || {
        let lines = libraries.iter().flat_map(|it| it.mir.lines());
        let functions: BTreeSet<&str> =
            lines.filter_map(|it| Some(last(it.strip_prefix("fn ")?.split_once("(_1")?.0))).collect();
        let calls = root.mir.lines().filter(|it| it.contains("{closure@"));
        calls.filter_map(|it| it.split_once("::<")).any(|(path, _)| functions.contains(last(path)))
    }
}

impl Program {
    /// The program that these crates make together; or why names would mean several things, in words. `sites` are those of all of them.
    pub fn linked(units: &[Unit<'_>], sites: BTreeMap<Number, Site>) -> Result<Program, String> {
        let names: Vec<&str> = units.iter().map(|it| it.name).collect();
        let is_known = |it: &&&str| **it == "std" || libraries().iter().any(|library| library.name == **it);
        if let Some(name) = names.iter().find(is_known) {
            return Err(format!("`{name}` is the name of a library that rules know"));
        }
        let unclear = |name: String| format!("what several of them call `{name}` cannot be told apart");
        let alike = Alike::of(units).map_err(unclear)?;
        let mut all = Mir::default();
        let mut texts: Vec<(Source<'_>, String, &Conditions)> = Vec::new();
        for (number, unit) in units.iter().enumerate() {
            let own = as_own(unit.mir, number, &names, &alike.spellings, &alike.matters);
            let mir = read(&own.map_err(|Unclear(name)| unclear(name))?);
            all.bodies.extend(mir.bodies);
            all.statics.extend(mir.statics);
            let files = unit.sources.iter().enumerate();
            texts.extend(files.map(|(at, it)| (*it, alike.respelled(number, at), unit.conditions)));
        }
        let sources: Vec<(Source<'_>, &Conditions)> =
            texts.iter().map(|(it, text, conditions)| (Source { text, ..*it }, *conditions)).collect();
        Ok(Program::of(all, &sources, sites, alike.letters))
    }
}
