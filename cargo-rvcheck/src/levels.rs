//! The levels that a user gives to properties.

use crate::error::{Expected, Result};
use crate::finding::{Level, RESERVED};
use rvcheck_spec::language::problem::did_you_mean;
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

/// The words that stand for several properties.
pub const GROUPS: [&str; 2] = [ALL, WARNINGS];

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
        let known: BTreeSet<&str> =
            known.into_iter().chain(RESERVED.iter().map(|it| it.id)).chain([ALL, WARNINGS]).collect();
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

    /// The choice for a finding of this property and level.
    pub fn choice(&self, id: &str, level: Level) -> Option<Choice> {
        let warning = || (level == Level::Warning).then(|| self.choices.get(WARNINGS)).flatten();
        self.choices.get(id).or_else(warning).or_else(|| self.choices.get(ALL)).copied()
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
