//! The levels that a user gives to properties.

use super::OWN;
use crate::error::{Expected, Result};
use crate::finding::{Allowance, Finding, Level, Suppressed};
use crate::project::Settings;
use crate::report::PropertyReport;
use rvcheck_spec::problem::did_you_mean;
use std::collections::{BTreeMap, BTreeSet};

/// What a user wants of the findings of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// They do not count.
    Allow,
    /// They are at most warnings.
    Warn,
    /// They are errors.
    Deny,
}

impl Choice {
    /// Every choice.
    pub const ALL: [Choice; 3] = [Choice::Allow, Choice::Warn, Choice::Deny];

    /// The name in options and configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Choice::Allow => "allow",
            Choice::Warn => "warn",
            Choice::Deny => "deny",
        }
    }

    /// The choice of that name.
    pub fn of_name(name: &str) -> Option<Choice> {
        Choice::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// The word for every property.
const ALL: &str = "all";
/// The word for whatever is a warning.
const WARNINGS: &str = "warnings";

/// The choice for each property that has one. One for a property goes before one for `warnings`, and that before one for `all`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    choices: BTreeMap<String, Choice>,
    /// Where those stand that are configured, as `file:line:column`.
    places: BTreeMap<String, String>,
}

impl Levels {
    /// The levels that these choices make. An id with two of them is an error.
    pub fn of<'a>(choices: impl IntoIterator<Item = (&'a str, Choice)>) -> Result<Levels> {
        let mut levels = Levels::default();
        for (id, choice) in choices {
            let before = levels.choices.insert(id.to_owned(), choice);
            if let Some(before) = before.filter(|it| *it != choice) {
                let (a, b) = (before.name(), choice.name());
                return Err(Expected::Configuration(format!("`{id}` cannot be both `{a}` and `{b}`")));
            }
        }
        Ok(levels)
    }

    /// The levels of a configuration, each with its place.
    pub fn placed<'a>(choices: impl IntoIterator<Item = (&'a str, Choice, &'a str)>) -> Result<Levels> {
        let all: Vec<_> = choices.into_iter().collect();
        let levels = Levels::of(all.iter().map(|it| (it.0, it.1)))?;
        Ok(Levels { places: all.iter().map(|it| (it.0.to_owned(), it.2.to_owned())).collect(), ..levels })
    }

    /// These levels, and those of `under` for what has none here.
    pub fn over(mut self, under: Levels) -> Levels {
        for (id, choice) in under.choices {
            if let Some(place) = under.places.get(&id).filter(|_| !self.choices.contains_key(&id)) {
                self.places.insert(id.clone(), place.clone());
            }
            self.choices.entry(id).or_insert(choice);
        }
        self
    }

    /// An error if one of the ids is neither among these nor one of the tool's own.
    pub fn check<'a>(&self, known: impl IntoIterator<Item = &'a str>) -> Result<()> {
        let known: BTreeSet<&str> = known.into_iter().chain(OWN).chain([ALL, WARNINGS]).collect();
        match self.choices.keys().find(|it| !known.contains(it.as_str())) {
            None => Ok(()),
            Some(wrong) => {
                let names = known.iter().copied().collect::<Vec<_>>().join(", ");
                let guess = did_you_mean(wrong, known).map_or_else(String::new, |it| format!("\n{it}"));
                let place = self.places.get(wrong).map_or_else(String::new, |it| format!("at {it}\n"));
                let known = format!("{place}there are {names}{guess}");
                Err(Expected::Unknown { what: "property", name: wrong.clone(), known })
            }
        }
    }

    fn choice(&self, id: &str, level: Level) -> Option<Choice> {
        let warning = || (level == Level::Warning).then(|| self.choices.get(WARNINGS)).flatten();
        self.choices.get(id).or_else(warning).or_else(|| self.choices.get(ALL)).copied()
    }

    /// Gives the findings their levels. A note of a property that is more than a note by itself is in doubt or in test code, and
    /// stays one.
    /// What a package says of itself counts where nothing else does, but for one that is skipped.
    pub fn apply(&self, properties: &[PropertyReport], packages: &[Settings], findings: &mut [Finding]) {
        for finding in findings.iter_mut().filter(|it| !it.suppressed) {
            let own = properties.iter().find(|it| it.id == finding.property).map(|it| it.level);
            let doubtful = finding.level == Level::Note && own.is_some_and(|it| it > Level::Note);
            let file = &finding.primary.file;
            let inside = packages.iter().filter(|it| file.starts_with(&it.folder));
            let package = inside.max_by_key(|it| it.folder.len());
            let given = self.choice(&finding.property, finding.level);
            let choice = match package {
                Some(package) if package.skip => Some(Choice::Allow),
                Some(package) => given.or_else(|| package.levels.choice(&finding.property, finding.level)),
                None => given,
            };
            match choice {
                Some(Choice::Allow) => {
                    finding.suppressed = true;
                    finding.suppression = Some(Suppressed { by: Allowance::Level, reason: String::new() });
                }
                Some(Choice::Warn) if !doubtful => finding.level = Level::Warning,
                Some(Choice::Deny) if !doubtful => finding.level = Level::Error,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_nothing_has_is_an_error_with_a_guess() {
        let levels = Levels::of([("lost-eror", Choice::Deny)]).expect("it is one choice");
        let error = levels.check(["lost-error", "semaphore"]).expect_err("there is no such property");
        assert!(error.to_string().contains("did you mean `lost-error`?"), "{error}");
        let levels = Levels::of([("all", Choice::Warn), ("suppression", Choice::Allow)]);
        levels.expect("they are two").check([]).expect("both are known");
    }

    #[test]
    fn a_property_cannot_have_two_levels() {
        assert!(Levels::of([("a", Choice::Deny), ("a", Choice::Allow)]).is_err());
        assert!(Levels::of([("a", Choice::Deny), ("a", Choice::Deny)]).is_ok());
    }

    #[test]
    fn the_nearest_choice_counts() {
        let all = [("all", Choice::Allow), ("warnings", Choice::Deny), ("a", Choice::Warn)];
        let levels = Levels::of(all).expect("each is one choice");
        assert_eq!(levels.choice("a", Level::Warning), Some(Choice::Warn));
        assert_eq!(levels.choice("b", Level::Warning), Some(Choice::Deny));
        assert_eq!(levels.choice("b", Level::Error), Some(Choice::Allow));
        let over = Levels::of([("b", Choice::Warn)]).expect("it is one").over(levels);
        assert_eq!(over.choice("b", Level::Error), Some(Choice::Warn));
    }
}
