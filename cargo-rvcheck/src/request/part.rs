//! A part of the tests, where several machines share them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// One of several parts of about the same size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// Which one, from 1.
    pub index: u32,
    /// How many there are.
    pub count: u32,
    /// How the tests are dealt out.
    #[serde(default, skip_serializing_if = "Deal::is_count")]
    pub deal: Deal,
}

/// How tests are dealt out to the parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Deal {
    /// In turn, from the first part for each executable.
    #[default]
    Count,
    /// In turn, over all executables.
    Slice,
    /// By the name of each test, so that a new one moves no other.
    Hash,
}

impl Deal {
    const ALL: [Deal; 3] = [Deal::Count, Deal::Slice, Deal::Hash];

    /// The word before the colon.
    const fn name(self) -> &'static str {
        match self {
            Deal::Count => "count",
            Deal::Slice => "slice",
            Deal::Hash => "hash",
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_count(&self) -> bool {
        *self == Deal::Count
    }
}

impl Part {
    /// Those of the tests of an executable that belong to this part. `before` is how many the executables before it have.
    pub fn of(self, names: Vec<String>, before: u64) -> Vec<String> {
        let (index, count) = (u64::from(self.index.saturating_sub(1)), u64::from(self.count.max(1)));
        let first = match self.deal {
            Deal::Hash => return names.into_iter().filter(|it| self.has(it)).collect(),
            Deal::Count => 0,
            Deal::Slice => before,
        };
        let numbered = (first..).zip(names);
        numbered.filter(|(number, _)| number % count == index).map(|it| it.1).collect()
    }

    /// Whether what has this name, and cannot be divided, belongs to this part.
    pub fn has(self, name: &str) -> bool {
        // FNV-1a: every machine has to come to the same answer.
        let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        let hash = name.bytes().fold(0x811c_9dc5, step);
        hash % self.count.max(1) + 1 == self.index
    }

    /// The part of the schedules of each test that is written so.
    pub fn of_schedules(text: &str) -> Result<Part, String> {
        match text.parse::<Part>()? {
            part @ Part { deal: Deal::Count, .. } => Ok(part),
            part => {
                Err(format!("schedules are dealt out by count; write count:{}/{}", part.index, part.count))
            }
        }
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let refused = || {
            format!("`{text}` is no part; write count:1/3 for the first of three, or slice:1/3, or hash:1/3")
        };
        let (deal, numbers) = text.split_once(':').ok_or_else(refused)?;
        let deal = Deal::ALL.into_iter().find(|it| it.name() == deal).ok_or_else(refused)?;
        let (index, count) = numbers.split_once('/').ok_or_else(refused)?;
        let part = Part {
            index: index.parse().map_err(|_| refused())?,
            count: count.parse().map_err(|_| refused())?,
            deal,
        };
        if (1..=part.count).contains(&part.index) { Ok(part) } else { Err(refused()) }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}/{}", self.deal.name(), self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(text: &str) -> Part {
        text.parse().expect("it is one")
    }

    fn names(count: u32) -> Vec<String> {
        (0..count).map(|it| format!("module::test_{it}")).collect()
    }

    #[test]
    fn a_part_is_written_as_nextest_has_it() {
        for text in ["count:2/3", "slice:1/1", "hash:3/3"] {
            assert_eq!(part(text).to_string(), text);
        }
        for text in ["2/3", "count:0/3", "count:4/3", "count:1/0", "half:1/2", "hash:a/b", "slice"] {
            assert!(text.parse::<Part>().is_err(), "{text}");
        }
        assert!(Part::of_schedules("count:1/2").is_ok());
        assert!(Part::of_schedules("hash:1/2").is_err_and(|it| it.ends_with("write count:1/2")));
    }

    #[test]
    fn each_test_is_in_one_part() {
        for deal in Deal::ALL {
            let parts = (1..=3).flat_map(|index| Part { index, count: 3, deal }.of(names(10), 4));
            let mut all: Vec<String> = parts.collect();
            all.sort_unstable();
            assert_eq!(all, names(10), "{deal:?}");
        }
    }

    #[test]
    fn parts_by_count_begin_anew_with_each_executable_and_slices_go_on() {
        let of_two = |text: &str| [0, 1].map(|before| part(text).of(names(1), before).len());
        assert_eq!(of_two("count:1/2"), [1, 1]);
        assert_eq!(of_two("slice:1/2"), [1, 0]);
        assert_eq!(of_two("slice:2/2"), [0, 1]);
    }

    #[test]
    fn a_new_test_moves_no_other_one_to_another_part_by_hash() {
        let before = part("hash:1/2").of(names(20), 0);
        let mut more = names(20);
        more.insert(3, "module::new".to_owned());
        let after = part("hash:1/2").of(more, 0);
        assert!(after.iter().filter(|it| *it != "module::new").eq(&before));
    }

    #[test]
    fn what_cannot_be_divided_is_in_one_part_and_not_all_of_it_in_the_same() {
        let parts = [1, 2, 3].map(|index| Part { index, count: 3, deal: Deal::Count });
        let names: Vec<String> = (0..60).map(|it| format!("package::target_{it}")).collect();
        for name in &names {
            assert_eq!(parts.iter().filter(|it| it.has(name)).count(), 1, "{name}");
        }
        for part in parts {
            assert!(names.iter().filter(|it| part.has(it)).count() > 10, "{part}");
        }
    }
}
