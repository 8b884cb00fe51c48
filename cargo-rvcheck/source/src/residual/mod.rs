//! What is left to watch: which sites can never take part in a violation of a property, in the very build that was looked at.
//!
//! A proof is a verdict of one site for one property, with the reason. It holds for the build whose bodies were looked at, and under the
//! [preconditions](Preconditions) that are given with it. Whatever is in doubt stays watched, and the doubt is named.
//!
//! The reasons are those of residual analysis of typestate properties (Bodden, Lam and Hendren, "Partially evaluating finite-state
//! runtime monitors ahead of time", 2012): nothing that a violation needs occurs at all, or this object can take no part in one. That
//! orders of locks without a circle cannot deadlock is Havender's (1968).

mod effect;
mod guards;
mod locks;
mod occurs;

use crate::flow::Program;
use crate::marker::Number;
use effect::Effects;
use std::collections::{BTreeMap, BTreeSet};

/// Why a site cannot take part in a violation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// Something that every violation needs occurs nowhere in the build.
    NeverOccurs,
    /// What the site makes cannot take part in one: the guard is gone before its task can suspend, or nothing else is requested
    /// and nothing is waited for while the lock is held, wherever it is taken.
    Orphan,
    /// The locks of this class are in no circle of the orders in which locks are taken.
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
    /// It need not be watched.
    Proved(Reason),
    /// It has to be watched, because of this: a clause without a capital or a full stop.
    Watched(String),
}

/// What the proofs rest on, as it was found. A proof is given only where each of them holds for its site.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Preconditions {
    /// How many requests for locks have a mark, and how many there are. What is not marked is not told from others, so its class
    /// has no proof.
    pub marked: (usize, usize),
    /// The bodies that were not understood. With any of them there is no proof.
    pub unknown: Vec<String>,
    /// The functions that hold or free locks without a guard, or keep guards from being dropped, and are called. Their classes have
    /// no proof.
    pub tricks: Vec<String>,
    /// What the workspace gives others to call back, such as an allocator or a logger. With any of them no order is proved.
    pub callbacks: Vec<String>,
}

impl Preconditions {
    /// What they are, in words, for the report that goes with a proof.
    pub fn said(&self) -> Vec<String> {
        let list = |what: &[String]| if what.is_empty() { "none".to_owned() } else { what.join(", ") };
        vec![
            "the proof is of this build: its targets, features and conditions of compilation".to_owned(),
            format!("requests for locks that are marked: {} of {}", self.marked.0, self.marked.1),
            format!("bodies that were not understood: {}", list(&self.unknown)),
            format!("guards that are forgotten, locks that are freed without one: {}", list(&self.tricks)),
            format!("what others call back at any time: {}", list(&self.callbacks)),
            "no lock is poisoned: what is done with the guard of one after a panic is not followed".to_owned(),
            "locks inside other crates are held by nobody while code of the workspace runs, but for closures and traits that they are \
             given, which are taken to do the worst that any of them does; comparing, copying, hashing and converting values of other \
             crates' types waits for nothing"
                .to_owned(),
        ]
    }
}

/// What is left of the properties in a build.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Residual {
    /// By property and site.
    pub verdicts: BTreeMap<(&'static str, Number), Verdict>,
    /// The properties that no run of the build can violate: each of their sites is proved, and there is nothing else that could take
    /// part in a violation.
    pub proved: BTreeSet<&'static str>,
    /// What the proofs rest on.
    pub preconditions: Preconditions,
}

impl Residual {
    /// Looks at all targets of a build that are linked with each other.
    pub fn of(programs: &[&Program]) -> Residual {
        let preconditions = preconditions(programs);
        let effects: Vec<Effects> = programs.iter().map(|it| Effects::of(it)).collect();
        let mut residual = Residual { preconditions, ..Residual::default() };
        if residual.preconditions.unknown.is_empty() {
            let guards = guards::verdicts(programs);
            if guards::is_whole(programs, &guards) {
                residual.proved.insert(guards::PROPERTY);
            }
            residual.add(guards);
            let (locks, is_whole) = locks::verdicts(programs, &effects, &residual.preconditions);
            residual.proved.extend(locks::PROPERTIES.into_iter().filter(|_| is_whole));
            residual.add(locks);
            for (property, sites) in occurs::proofs(programs) {
                residual.proved.insert(property);
                let proofs =
                    sites.into_iter().map(|it| ((property, it), Verdict::Proved(Reason::NeverOccurs)));
                residual.verdicts.extend(proofs);
            }
        }
        residual
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

fn preconditions(programs: &[&Program]) -> Preconditions {
    let mut found = Preconditions::default();
    for program in programs {
        for (id, function) in program.functions() {
            if let Some(unknown) = &function.body.unknown {
                found.unknown.push(format!("{} ({})", program.item(id), unknown.text));
            }
            for (block, _, callee) in function.calls() {
                let path = program.callee_path(function, block);
                if crate::flow::locks::request_of(&path).is_some() {
                    found.marked.1 += 1;
                    found.marked.0 += usize::from(function.site(block).is_some());
                }
                if effect::is_trick(&path) {
                    found.tricks.push(format!("{} in {}", path, program.item(id)));
                }
                if matches!(
                    callee.name(),
                    "set_hook" | "set_logger" | "set_boxed_logger" | "set_global_default"
                ) {
                    found.callbacks.push(callee.name().to_owned());
                }
            }
            if let Some(of_trait) = program.trait_of(id).filter(|it| effect::is_called_back(it)) {
                found.callbacks.push(of_trait.to_owned());
            }
        }
    }
    for list in [&mut found.unknown, &mut found.tricks, &mut found.callbacks] {
        list.sort();
        list.dedup();
    }
    found
}
