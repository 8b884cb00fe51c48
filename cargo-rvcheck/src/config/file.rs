//! The configuration as a file: TOML with a table for each profile.

use super::options::{Kind, Options};
use crate::error::{Expected, Result};
use crate::levels::Choice;
use crate::specs::{SpecProblem, position};
use rvcheck_spec::language::problem::did_you_mean;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The profile that every other one inherits from, and that is taken where none is named.
pub(super) const DEFAULT: &str = "default";

/// What the user has configured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The profiles, by name.
    pub profiles: BTreeMap<String, Profile>,
}

/// The settings of a profile, without those that it inherits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The profile that has the settings which this one has not.
    pub inherits: Option<String>,
    /// The values of options, by their name.
    pub settings: BTreeMap<String, Setting>,
    /// The levels of properties, by their id, with `file:line:column`.
    pub levels: BTreeMap<String, (Choice, String)>,
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// As the option takes it; several for an option that may be repeated.
    pub values: Vec<String>,
    /// `file:line:column`.
    pub place: String,
}

impl Config {
    /// What this text configures, and what is wrong with it.
    pub fn read(file: &str, text: &str, options: &Options) -> (Config, Vec<SpecProblem>) {
        let (root, errors) = DeTable::parse_recoverable(text);
        let mut reader = Reader { file, text, options, problems: Vec::new() };
        for error in errors {
            reader.problem(error.span().unwrap_or_default(), error.message().to_owned(), None);
        }
        let mut config = Config::default();
        for (key, value) in root.get_ref() {
            if key.get_ref() != "profile" {
                reader.unknown(key, ["profile"].into_iter(), "key");
                continue;
            }
            for (name, table) in reader.table(value).into_iter().flatten() {
                if let Some(table) = reader.table(table) {
                    let profile = reader.profile(table);
                    config.profiles.insert(name.get_ref().to_string(), profile);
                }
            }
        }
        reader.check_inheritance(&config, root.get_ref());
        (config, reader.problems)
    }

    /// A profile and those that it inherits from, the nearest first.
    pub fn chain(&self, name: &str) -> Result<Vec<(&str, &Profile)>> {
        if name != DEFAULT && !self.profiles.contains_key(name) {
            let names: Vec<&str> = self.profiles.keys().map(String::as_str).chain([DEFAULT]).collect();
            let names: BTreeSet<&str> = names.into_iter().collect();
            let known = format!("there are {}", names.iter().copied().collect::<Vec<_>>().join(", "));
            let known = did_you_mean(name, names).map_or(known.clone(), |guess| format!("{known}\n{guess}"));
            return Err(Expected::Unknown { what: "profile", name: name.to_owned(), known });
        }
        let mut chain: Vec<(&str, &Profile)> = Vec::new();
        let mut next = Some(name);
        while let Some((name, profile)) = next.and_then(|it| self.profiles.get_key_value(it)) {
            if chain.iter().any(|it| it.0 == name) {
                break;
            }
            chain.push((name, profile));
            next = Some(profile.inherits.as_deref().unwrap_or(DEFAULT));
        }
        Ok(chain)
    }
}

struct Reader<'a> {
    file: &'a str,
    text: &'a str,
    options: &'a Options,
    problems: Vec<SpecProblem>,
}

impl Reader<'_> {
    fn problem(&mut self, span: Range<usize>, message: String, help: Option<String>) {
        self.problems.push(SpecProblem { file: self.file.to_owned(), span, message, help });
    }

    fn unknown<'k>(
        &mut self,
        key: &Spanned<impl AsRef<str>>,
        known: impl Iterator<Item = &'k str> + Clone,
        what: &str,
    ) {
        let name = key.get_ref().as_ref();
        let list = format!("there are {}", known.clone().collect::<Vec<_>>().join(", "));
        let help = did_you_mean(name, known).unwrap_or(list);
        self.problem(key.span(), format!("unknown {what} `{name}`"), Some(help));
    }

    fn table<'t>(&mut self, value: &'t Spanned<DeValue<'t>>) -> Option<&'t DeTable<'t>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            let found = value.get_ref().type_str();
            self.problem(value.span(), format!("this must be a table, not {found}"), None);
        }
        table
    }

    fn place(&self, span: &Range<usize>) -> String {
        let (line, column) = position(self.text, span.start);
        format!("{}:{line}:{column}", self.file)
    }

    fn profile(&mut self, table: &DeTable<'_>) -> Profile {
        let mut profile = Profile::default();
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            match name {
                "inherits" => match value.get_ref().as_str() {
                    Some(parent) => profile.inherits = Some(parent.to_owned()),
                    None => self.problem(value.span(), "`inherits` must be a string".to_owned(), None),
                },
                "levels" => {
                    for (id, level) in self.table(value).into_iter().flatten() {
                        if let Some(choice) = level.get_ref().as_str().and_then(Choice::of_name) {
                            let place = self.place(&id.span());
                            profile.levels.insert(id.get_ref().to_string(), (choice, place));
                        } else {
                            let message = "a level is \"allow\", \"warn\" or \"deny\"".to_owned();
                            self.problem(level.span(), message, None);
                        }
                    }
                }
                _ => match self.options.kind(name) {
                    None => {
                        let known: Vec<&str> =
                            ["inherits", "levels"].into_iter().chain(self.options.names()).collect();
                        self.unknown(key, known.into_iter(), "key");
                    }
                    Some(kind) => {
                        if let Some(values) = self.values(name, kind, value) {
                            let place = self.place(&key.span());
                            profile.settings.insert(name.to_owned(), Setting { values, place });
                        }
                    }
                },
            }
        }
        profile
    }

    /// The value of an option as text, if the option takes it.
    fn values(&mut self, name: &str, kind: Kind, value: &Spanned<DeValue<'_>>) -> Option<Vec<String>> {
        let one = |value: &DeValue<'_>| match value {
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Integer(number) => Some(number.as_str().to_owned()),
            _ => None,
        };
        let (values, wanted) = match (kind, value.get_ref()) {
            (Kind::Flag, DeValue::Boolean(on)) => (Some(vec![on.to_string()]), ""),
            (Kind::Flag, _) => (None, "true or false"),
            (Kind::List, DeValue::Array(items)) => {
                (items.iter().map(|it| one(it.get_ref())).collect(), "a list of strings")
            }
            (Kind::List, _) => (None, "a list of strings"),
            (Kind::One, value) => (one(value).map(|it| vec![it]), "a string or a whole number"),
        };
        let Some(values) = values else {
            self.problem(value.span(), format!("`{name}` must be {wanted}"), None);
            return None;
        };
        if let Some(problem) = values.iter().find_map(|it| self.options.refusal(name, kind, it)) {
            self.problem(value.span(), problem, None);
            return None;
        }
        Some(values)
    }

    fn check_inheritance(&mut self, config: &Config, root: &DeTable<'_>) {
        let profiles = root.get("profile").and_then(|it| it.get_ref().as_table()).into_iter().flatten();
        for (name, table) in profiles {
            let Some(value) = table.get_ref().as_table().and_then(|it| it.get("inherits")) else { continue };
            let Some(parent) = value.get_ref().as_str() else { continue };
            if parent != DEFAULT && !config.profiles.contains_key(parent) {
                let known: Vec<&str> = config.profiles.keys().map(String::as_str).collect();
                let parent = Spanned::new(value.span(), parent);
                self.unknown(&parent, known.into_iter(), "profile");
            } else if config.comes_back(name.get_ref()) {
                self.problem(
                    value.span(),
                    format!("the profile `{}` inherits from itself", name.get_ref()),
                    None,
                );
            }
        }
    }
}

impl Config {
    /// Whether who follows `inherits` from this profile comes to it again.
    fn comes_back(&self, name: &str) -> bool {
        let parent = |it: &str| self.profiles.get(it).and_then(|it| it.inherits.as_deref());
        let mut at = parent(name);
        for _ in 0..=self.profiles.len() {
            match at {
                None => return false,
                Some(here) if here == name => return true,
                Some(here) => at = parent(here),
            }
        }
        false
    }
}
