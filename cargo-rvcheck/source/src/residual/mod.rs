//! What is left to monitor: which sites can never take part in a violation of a property, in the very build that was looked at.
//!
//! A proof is a verdict of one site for one property, with the reason. It holds for the build whose bodies were looked at, and under the
//! [preconditions](Preconditions) that are given with it. Whatever is in doubt stays monitored, and the doubt is named.
//!
//! The reasons are those of residual analysis of typestate properties (Bodden, Lam and Hendren, "Partially evaluating finite-state
//! runtime monitors ahead of time", 2012): nothing that a violation needs occurs at all, or this object can take no part in one. That
//! lock dependencies without a cycle cannot deadlock is Havender's (1968).

mod anytime;
mod block_effect;
mod class;
mod effect;
mod erased;
mod guards;
mod known;
mod locks;
mod members;
mod occurs;
mod permits;
mod preconditions;
mod returned;
mod shown;
pub(crate) mod values;

use crate::marker::Number;
use crate::program::Program;
use anytime::Anytime;
use effect::Effects;
use erased::Erased;
use members::Members;
pub use preconditions::Preconditions;
use std::collections::{BTreeMap, BTreeSet};

/// Why a site cannot take part in a violation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// Something that every violation needs occurs nowhere in the build.
    NeverOccurs,
    /// What the site makes cannot take part in one: the guard is gone before its task can suspend, or nothing else is requested
    /// and nothing is waited for while the lock is held, wherever it is taken.
    Orphan,
    /// The locks of this class are in no cycle of lock dependencies.
    Ordered,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Reason; 3] = [Reason::NeverOccurs, Reason::Orphan, Reason::Ordered];

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::NeverOccurs => "never-occurs",
            Reason::Orphan => "orphan",
            Reason::Ordered => "ordered",
        }
    }
}

/// What is known of a site and a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It need not be monitored.
    Proved(Reason),
    /// It has to be monitored, because of this: a clause without a capital or a full stop.
    Monitored(String),
}

/// What is left of the properties in a build.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Residual {
    /// By property and site.
    pub verdicts: BTreeMap<(&'static str, Number), Verdict>,
    /// The properties that no run of the build can violate: each of their sites is proved, and there is nothing else that could take
    /// part in a violation.
    pub proved: BTreeSet<&'static str>,
    /// Why the other properties that are looked at are not: a clause each, without a capital or a full stop.
    pub doubts: BTreeMap<&'static str, String>,
    /// What the proofs rest on.
    pub preconditions: Preconditions,
}

impl Residual {
    /// Looks at all targets of a build that are linked with each other.
    pub fn of(programs: &[&Program]) -> Residual {
        Residual::of_members(programs, &BTreeSet::new())
    }

    /// The same where the crates of the workspace have these names, as paths begin with them.
    pub fn of_members(programs: &[&Program], members: &BTreeSet<String>) -> Residual {
        let mut preconditions = Preconditions::of(programs);
        let erased = Erased::of(programs);
        let effects: Vec<Effects> = programs.iter().map(|it| Effects::of(it, erased)).collect();
        let members = Members { programs, names: members };
        let anytime = Anytime::of(members, &effects, erased);
        preconditions.callbacks.clone_from(&anytime.functions);
        let mut residual = Residual { preconditions, ..Residual::default() };
        if residual.preconditions.unknown.is_empty() {
            let guards = guards::verdicts(programs);
            residual.conclude([guards::PROPERTY], guards::doubt(programs, &guards).as_deref());
            residual.add(guards);
            let (locks, doubt) = locks::verdicts(programs, &effects, &residual.preconditions, &anytime);
            residual.conclude(locks::PROPERTIES, doubt.as_deref());
            residual.add(locks);
            if residual.preconditions.lost.is_empty() {
                for absent in occurs::absent(members, &effects) {
                    residual.conclude([absent.property], absent.doubt.as_deref());
                    let never = Verdict::Proved(Reason::NeverOccurs);
                    let proofs = absent.sites.into_iter().map(|it| ((absent.property, it), never.clone()));
                    residual.verdicts.extend(proofs);
                }
            }
        }
        residual
    }

    /// Takes in of properties that they are proved as a whole, or why they are not.
    fn conclude<const N: usize>(&mut self, properties: [&'static str; N], doubt: Option<&str>) {
        for property in properties {
            if let Some(doubt) = doubt {
                self.doubts.insert(property, doubt.to_owned());
            } else {
                self.doubts.remove(property);
                self.proved.insert(property);
            }
        }
    }

    /// Takes in verdicts. A site that stands in several bodies or targets is proved only if it is in each.
    fn add(&mut self, verdicts: Vec<(&'static str, Number, Verdict)>) {
        for (property, site, verdict) in verdicts {
            let known = self.verdicts.entry((property, site)).or_insert_with(|| verdict.clone());
            if matches!(known, Verdict::Proved(_)) {
                *known = verdict;
            }
        }
    }

    /// How many sites of a property are proved for each reason, and how many there are.
    pub fn counts(&self, property: &str) -> (BTreeMap<Reason, usize>, usize) {
        let mut reasons = BTreeMap::new();
        let mut total = 0;
        for ((of, _), verdict) in &self.verdicts {
            if *of == property {
                total += 1;
                if let Verdict::Proved(reason) = verdict {
                    *reasons.entry(*reason).or_insert(0) += 1;
                }
            }
        }
        (reasons, total)
    }

    /// What is known of a site, by property.
    pub fn of_site(&self, site: Number) -> impl Iterator<Item = (&'static str, &Verdict)> {
        self.verdicts
            .iter()
            .filter(move |((_, at), _)| *at == site)
            .map(|((property, _), verdict)| (*property, verdict))
    }
}
