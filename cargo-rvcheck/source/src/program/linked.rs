//! Several crates of a workspace as one program: a program and the libraries that it is linked with.
//!
//! Names mean the same in all of them then. So crates are linked only where no static, trait or type with a lock or channel in it shares
//! its name with one of another crate: else two things could be taken for one.

use super::{Program, Source};
use crate::conditions::Conditions;
use crate::marker::Number;
use crate::mir::link::as_own;
use crate::mir::{Mir, read};
use crate::outline::impls::declarations;
use rvcheck_event::site::Site;
use rvcheck_primitives::{libraries, owners_named};
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

impl Program {
    /// The program that these crates make together; `None` where names would mean several things. `sites` are those of all of them.
    pub fn linked(units: &[Unit<'_>], sites: BTreeMap<Number, Site>) -> Option<Program> {
        let names: Vec<&str> = units.iter().map(|it| it.name).collect();
        let is_known = |it: &&str| *it == "std" || libraries().iter().any(|library| library.name == *it);
        if names.iter().any(is_known) {
            return None;
        }
        let (mut all, mut taken) = (Mir::default(), BTreeSet::new());
        for (number, unit) in units.iter().enumerate() {
            let mir = read(&as_own(unit.mir, number, &names));
            let declared = declared(unit);
            if !taken.is_disjoint(&declared) {
                return None;
            }
            taken.extend(declared);
            all.bodies.extend(mir.bodies);
            all.statics.extend(mir.statics);
        }
        let sources: Vec<(Source<'_>, &Conditions)> = units
            .iter()
            .flat_map(|it| it.sources.iter().map(move |source| (*source, it.conditions)))
            .collect();
        Some(Program::of(all, &sources, sites))
    }
}

/// What a crate declares that must mean one thing: statics, traits, and types that may have primitives in them.
fn declared(unit: &Unit<'_>) -> BTreeSet<String> {
    let lines = unit.mir.lines().filter_map(|it| it.strip_prefix("static "));
    let statics = lines.filter_map(|it| it.strip_prefix("mut ").unwrap_or(it).split_once(": "));
    let mut found: BTreeSet<String> = statics.map(|(name, _)| name.to_owned()).collect();
    for source in unit.sources {
        let declared = declarations(source.text, source.edition, unit.conditions);
        found.extend(declared.traits);
        let has_primitives = |it: &BTreeSet<String>| it.iter().any(|it| !owners_named(it).is_empty());
        found.extend(declared.types.into_iter().filter(|it| has_primitives(&it.mentions)).map(|it| it.name));
    }
    found
}
