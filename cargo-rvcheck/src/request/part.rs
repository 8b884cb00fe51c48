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
}

impl Part {
    /// Those of the items that belong to this part: every n-th one.
    pub fn of<T>(self, items: impl IntoIterator<Item = T>) -> Vec<T> {
        let (index, count) = (self.index.saturating_sub(1) as usize, self.count.max(1) as usize);
        items.into_iter().skip(index).step_by(count).collect()
    }

    /// Whether what has this name, and cannot be divided, belongs to this part.
    pub fn has(self, name: &str) -> bool {
        // FNV-1a: every machine has to come to the same answer.
        let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        let hash = name.bytes().fold(0x811c_9dc5, step);
        hash % self.count.max(1) + 1 == self.index
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let refused = || format!("`{text}` is no part; write count:1/3 for the first of three");
        let (index, count) =
            text.strip_prefix("count:").and_then(|it| it.split_once('/')).ok_or_else(refused)?;
        let part = Part {
            index: index.parse().map_err(|_| refused())?,
            count: count.parse().map_err(|_| refused())?,
        };
        if (1..=part.count).contains(&part.index) { Ok(part) } else { Err(refused()) }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "count:{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_written_as_nextest_has_it() {
        let part: Part = "count:2/3".parse().expect("it is one");
        assert_eq!((part, part.to_string().as_str()), (Part { index: 2, count: 3 }, "count:2/3"));
        for text in ["2/3", "count:0/3", "count:4/3", "count:1/0", "hash:1/2", "count:a/b"] {
            assert!(text.parse::<Part>().is_err(), "{text}");
        }
    }

    #[test]
    fn each_item_is_in_one_part() {
        let mut all: Vec<u32> = (1..=3).flat_map(|index| Part { index, count: 3 }.of(0..10)).collect();
        all.sort_unstable();
        assert_eq!(all, (0..10).collect::<Vec<_>>());
    }

    #[test]
    fn what_cannot_be_divided_is_in_one_part_and_not_all_of_it_in_the_same() {
        let parts = [1, 2, 3].map(|index| Part { index, count: 3 });
        let names: Vec<String> = (0..60).map(|it| format!("package::target_{it}")).collect();
        for name in &names {
            assert_eq!(parts.iter().filter(|it| it.has(name)).count(), 1, "{name}");
        }
        for part in parts {
            assert!(names.iter().filter(|it| part.has(it)).count() > 10, "{part}");
        }
    }
}
