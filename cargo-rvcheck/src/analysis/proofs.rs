//! What need not be monitored: places that can take part in no violation, in the very build that was looked at.
//!
//! The proofs are made anew from the MIR of each build, and go nowhere but into the report of its run. There are none where some crate
//! of the workspace was not looked at, because what is not seen could take part in anything.

use rvcheck_event::position::SourcePosition;
use rvcheck_source::marker::Number;
use rvcheck_source::program::Program;
use rvcheck_source::residual::{Residual, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What was proved of a build.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proofs {
    /// What is known of each place, for each property that it is looked at for.
    pub places: Vec<ProofSite>,
    /// The properties that no run of this build can violate.
    pub properties: BTreeSet<String>,
    /// Why the others that are looked at are not proved as a whole, as a clause each.
    #[serde(default)]
    pub doubts: BTreeMap<String, String>,
    /// What the proofs rest on, in sentences without a stop.
    pub assumptions: Vec<String>,
    /// Why nothing is proved, if that is so.
    pub against: Option<String>,
}

/// What is known of a place and a property.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ProofSite {
    /// The id of the property.
    pub property: String,
    /// The file, as reports name it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// Why it can take part in no violation, or why it has to be monitored.
    pub known: Known,
}

/// A proof, or what stands against one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Known {
    /// The reason of the proof.
    Proved(String),
    /// What stands against one, as a clause.
    Monitored(String),
}

impl Proofs {
    /// There are none, for this reason.
    pub(super) fn none(against: impl Into<String>) -> Proofs {
        Proofs { against: Some(against.into()), ..Proofs::default() }
    }

    /// What is proved of these crates, which are all of the workspace that were built. Paths begin with `members` where they lead into one
    /// of its libraries. `documented` is a file whose documentation
    /// may have tests that take locks.
    pub(super) fn of(programs: &[Program], members: &BTreeSet<String>, documented: Option<&str>) -> Proofs {
        let programs: Vec<&Program> = programs.iter().collect();
        let residual = Residual::of_members(&programs, members);
        let places: BTreeMap<Number, (&str, SourcePosition)> = programs
            .iter()
            .flat_map(|it| it.sites())
            .map(|(number, site)| (*number, (site.file.as_str(), site.start)))
            .collect();
        let in_documentation =
            |file: &str| format!("the doctests of {file} may take locks, and are not analysed");
        let mut found = BTreeSet::new();
        for ((property, number), verdict) in &residual.verdicts {
            let Some(&(file, SourcePosition { line, column })) = places.get(number) else { continue };
            let known = match (verdict, documented) {
                (Verdict::Proved(_), Some(file)) if *property != "guard-across-await" => {
                    Known::Monitored(in_documentation(file))
                }
                (Verdict::Proved(reason), _) => Known::Proved(reason.name().to_owned()),
                (Verdict::Monitored(why), _) => Known::Monitored(why.clone()),
            };
            found.insert(ProofSite {
                property: (*property).to_owned(),
                file: file.to_owned(),
                line,
                column,
                known,
            });
        }
        let mut doubts: BTreeMap<String, String> =
            residual.doubts.iter().map(|(property, why)| ((*property).to_owned(), why.clone())).collect();
        if let Some(file) = documented {
            doubts.extend(residual.proved.iter().map(|it| ((*it).to_owned(), in_documentation(file))));
        }
        let properties = residual.proved.iter().filter(|_| documented.is_none());
        Proofs {
            places: found.into_iter().collect(),
            properties: properties.map(|it| (*it).to_owned()).collect(),
            doubts,
            assumptions: residual.preconditions.sentences(),
            against: None,
        }
    }

    /// The places that are proved for a property.
    pub fn proved<'a>(&'a self, property: &'a str) -> impl Iterator<Item = (&'a ProofSite, &'a str)> {
        self.places.iter().filter(move |it| it.property == property).filter_map(|it| match &it.known {
            Known::Proved(reason) => Some((it, reason.as_str())),
            Known::Monitored(_) => None,
        })
    }

    /// What is known of the places at `FILE:LINE` or `FILE:LINE:COLUMN`, for a person; `None` where there is no such place.
    pub fn explained(&self, site: &str) -> Option<String> {
        let names = |it: &&ProofSite| {
            let line = format!("{}:{}", it.file, it.line);
            site == line || site == format!("{line}:{}", it.column)
        };
        if let Some(against) = &self.against {
            return Some(format!("nothing is proved: {against}\n"));
        }
        let mut text = String::new();
        let mut is_proved = false;
        for place in self.places.iter().filter(names) {
            let ProofSite { property, file, line, column, known } = place;
            let said = match known {
                Known::Proved(reason) => {
                    is_proved = true;
                    format!("proved ({reason}): {}", meaning(reason))
                }
                Known::Monitored(why) => format!("monitored: {why}"),
            };
            let _ = writeln!(text, "{file}:{line}:{column}: {property}: {said}");
            if let (Known::Proved(_), Some(doubt)) = (known, self.doubts.get(property)) {
                let _ = writeln!(text, "  the property as a whole is monitored: {doubt}");
            }
        }
        if is_proved {
            text += "\nwhat the proofs rest on\n";
            for it in &self.assumptions {
                let _ = writeln!(text, "  {it}");
            }
        }
        (!text.is_empty()).then_some(text)
    }
}

/// What a reason means.
fn meaning(reason: &str) -> &str {
    match reason {
        "never-occurs" => "something that every violation needs occurs nowhere in this build",
        "orphan" => "what is made here can take no part in a violation",
        "ordered" => "the locks of this class are in no cycle of lock dependencies",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(property: &str, line: u32, known: Known) -> ProofSite {
        ProofSite { property: property.into(), file: "src/lib.rs".into(), line, column: 5, known }
    }

    #[test]
    fn a_place_is_explained_by_its_line_or_its_column() {
        let proofs = Proofs {
            places: vec![
                place("lock-order", 3, Known::Proved("ordered".into())),
                place("double-lock", 3, Known::Monitored("it is given to `f`".into())),
                place("lock-order", 4, Known::Monitored("`recv` may be waited for while it is held".into())),
            ],
            doubts: BTreeMap::from([("lock-order".into(), "`f` may keep a guard".into())]),
            assumptions: vec!["no lock is poisoned".into()],
            ..Proofs::default()
        };
        let explained = proofs.explained("src/lib.rs:3").expect("there are places");
        assert!(
            explained.contains("lock-order: proved (ordered)")
                && explained.contains("double-lock: monitored")
        );
        assert!(explained.contains("no lock is poisoned"));
        assert!(
            explained.contains("\n  the property as a whole is monitored: `f` may keep a guard\n"),
            "{explained}"
        );
        let explained = proofs.explained("src/lib.rs:4:5").expect("there is a place");
        assert!(!explained.contains("poisoned"), "{explained}");
        assert_eq!(proofs.explained("src/lib.rs:5"), None);
        assert_eq!(proofs.proved("lock-order").count(), 1);
    }
}
