//! The keys of one TOML table: typed access that notes whatever is wrong, and which keys nobody asked for.

use super::problem::SpecProblem;
use rvcheck_spec::language::problem::did_you_mean;
use std::collections::BTreeSet;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A string and where it stands in the file, quotes included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// Its value.
    pub value: String,
    /// Where it stands.
    pub span: Range<usize>,
}

/// The keys of one table. Every getter notes that its key is known; [`Fields::finish`] complains of the others.
pub(super) struct Fields<'a, 'p> {
    file: &'a str,
    table: &'a DeTable<'a>,
    span: Range<usize>,
    known: BTreeSet<&'static str>,
    problems: &'p mut Vec<SpecProblem>,
}

impl<'a, 'p> Fields<'a, 'p> {
    pub(super) fn new(
        file: &'a str,
        table: &'a DeTable<'a>,
        span: Range<usize>,
        problems: &'p mut Vec<SpecProblem>,
    ) -> Fields<'a, 'p> {
        Fields { file, table, span, known: BTreeSet::new(), problems }
    }

    pub(super) fn problem(&mut self, span: Range<usize>, message: impl Into<String>, help: Option<String>) {
        self.problems.push(SpecProblem { file: self.file.to_owned(), span, message: message.into(), help });
    }

    fn value(&mut self, key: &'static str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.known.insert(key);
        self.table.get(key)
    }

    fn wrong(&mut self, value: &Spanned<DeValue<'_>>, key: &str, wanted: &str) {
        let found = value.get_ref().type_str();
        self.problem(value.span(), format!("`{key}` must be {wanted}, not {found}"), None);
    }

    /// The string under this key.
    pub(super) fn text(&mut self, key: &'static str) -> Option<Text> {
        let value = self.value(key)?;
        let text = text_of(value);
        if text.is_none() {
            self.wrong(value, key, "a string");
        }
        text
    }

    /// The string under this key, which must be there.
    pub(super) fn required(&mut self, key: &'static str) -> Option<Text> {
        if !self.table.contains_key(key) {
            self.known.insert(key);
            self.problem(self.span.clone(), format!("the key `{key}` is missing"), None);
        }
        self.text(key)
    }

    /// The list of strings under this key; empty if there is none.
    pub(super) fn texts(&mut self, key: &'static str) -> Vec<Text> {
        let Some(value) = self.value(key) else { return Vec::new() };
        let Some(array) = value.get_ref().as_array() else {
            self.wrong(value, key, "a list of strings");
            return Vec::new();
        };
        let mut texts = Vec::new();
        for item in array {
            match text_of(item) {
                Some(text) => texts.push(text),
                None => self.wrong(item, key, "a list of strings"),
            }
        }
        texts
    }

    /// The table of lists of strings under this key, with its keys, in the order of the file; empty if there is none.
    pub(super) fn lists(&mut self, key: &'static str) -> Vec<(Text, Vec<Text>)> {
        self.pairs(key, "a table of lists of strings", |value| {
            value.get_ref().as_array()?.iter().map(text_of).collect()
        })
    }

    /// The table of strings under this key, with its keys, in the order of the file; empty if there is none.
    pub(super) fn named_texts(&mut self, key: &'static str) -> Vec<(Text, Text)> {
        self.pairs(key, "a table of strings", text_of)
    }

    /// The table of integers and truth values under this key, with its keys, as they are written, in the order of the
    /// file; empty if there is none.
    pub(super) fn constants(&mut self, key: &'static str) -> Vec<(Text, Text)> {
        self.pairs(key, "a table of integers and truth values", constant_of)
    }

    fn pairs<T>(
        &mut self,
        key: &'static str,
        wanted: &str,
        read: fn(&Spanned<DeValue<'_>>) -> Option<T>,
    ) -> Vec<(Text, T)> {
        let Some(value) = self.value(key) else { return Vec::new() };
        let Some(table) = value.get_ref().as_table() else {
            self.wrong(value, key, wanted);
            return Vec::new();
        };
        let mut pairs = Vec::new();
        for (name, item) in table {
            match read(item) {
                Some(found) => {
                    pairs.push((Text { value: name.get_ref().to_string(), span: name.span() }, found));
                }
                None => self.wrong(item, key, wanted),
            }
        }
        pairs
    }

    /// The integer under this key, with its place.
    pub(super) fn integer(&mut self, key: &'static str) -> Option<Spanned<i64>> {
        let value = self.value(key)?;
        let number = integer_of(value.get_ref());
        if number.is_none() {
            self.wrong(value, key, "an integer");
        }
        number.map(|number| Spanned::new(value.span(), number))
    }

    /// The tables under this key, which is written as `[[key]]`.
    pub(super) fn tables(&mut self, key: &'static str) -> Vec<(&'a DeTable<'a>, Range<usize>)> {
        let Some(value) = self.value(key) else { return Vec::new() };
        let Some(array) = value.get_ref().as_array() else {
            self.wrong(value, key, "a list of tables");
            return Vec::new();
        };
        let mut tables = Vec::new();
        for item in array {
            match item.get_ref().as_table() {
                Some(table) => tables.push((table, item.span())),
                None => self.wrong(item, key, "a list of tables"),
            }
        }
        tables
    }

    /// The tables under this key, which are written as `[key.name]`, with their names.
    pub(super) fn named_tables(&mut self, key: &'static str) -> Vec<(Text, &'a DeTable<'a>, Range<usize>)> {
        let Some(value) = self.value(key) else { return Vec::new() };
        let Some(table) = value.get_ref().as_table() else {
            self.wrong(value, key, "a table of tables");
            return Vec::new();
        };
        let mut tables = Vec::new();
        for (name, item) in table {
            match item.get_ref().as_table() {
                Some(table) => {
                    let name = Text { value: name.get_ref().to_string(), span: name.span() };
                    tables.push((name, table, item.span()));
                }
                None => self.wrong(item, key, "a table of tables"),
            }
        }
        tables
    }

    /// The keys that a getter has asked for.
    #[cfg(test)]
    pub(super) fn known(&self) -> BTreeSet<&'static str> {
        self.known.clone()
    }

    /// Complains of every key that no getter asked for.
    pub(super) fn finish(mut self) {
        for (key, _) in self.table {
            let name: &str = key.get_ref();
            if self.known.contains(name) {
                continue;
            }
            let help = did_you_mean(name, self.known.iter().copied());
            let message = format!("unknown key `{name}`");
            self.problem(key.span(), message, help);
        }
    }
}

fn text_of(value: &Spanned<DeValue<'_>>) -> Option<Text> {
    Some(Text { value: value.get_ref().as_str()?.to_owned(), span: value.span() })
}

fn constant_of(value: &Spanned<DeValue<'_>>) -> Option<Text> {
    let number = integer_of(value.get_ref()).map(|it| it.to_string());
    let text = number.or_else(|| value.get_ref().as_bool().map(|it| it.to_string()))?;
    Some(Text { value: text, span: value.span() })
}

fn integer_of(value: &DeValue<'_>) -> Option<i64> {
    let integer = value.as_integer()?;
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}
