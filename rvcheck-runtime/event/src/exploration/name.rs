//! Names of participants: their place in the tree of spawns, which stays the same when others are reordered.

use std::fmt;

/// Who goes on: `t0` is the test, `t0.1` the first that it spawns, `t0.1.2` the second that this one spawns. The clock has a name, too.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name(Vec<u32>);

impl Name {
    /// Time itself.
    pub const CLOCK: Name = Name(Vec::new());

    /// One that nobody spawned whom the recorder knows; the test has number 0.
    pub fn root(number: u32) -> Name {
        Name(vec![number])
    }

    /// The test.
    pub fn test() -> Name {
        Name::root(0)
    }

    /// The one that this one spawns as its `ordinal`-th, from 1.
    #[must_use]
    pub fn child(&self, ordinal: u32) -> Name {
        let mut path = Vec::with_capacity(self.0.len() + 1);
        path.extend_from_slice(&self.0);
        path.push(ordinal);
        Name(path)
    }

    /// Who spawned it, as far as that is known.
    pub fn parent(&self) -> Option<Name> {
        let (_, path) = self.0.split_last()?;
        (!path.is_empty()).then(|| Name(path.to_vec()))
    }

    /// Whether it is the clock.
    pub fn is_clock(&self) -> bool {
        self.0.is_empty()
    }

    /// The numbers on the way to it; none for the clock.
    pub fn path(&self) -> &[u32] {
        &self.0
    }

    /// Reads `t0.1.2` or `clock`.
    pub fn read(text: &str) -> Option<Name> {
        if text == "clock" {
            return Some(Name::CLOCK);
        }
        let path: Option<Vec<u32>> = text.strip_prefix('t')?.split('.').map(number).collect();
        path.map(Name)
    }
}

/// Only what is written in one way: no sign, no leading zeros.
fn number(text: &str) -> Option<u32> {
    let is_plain = text == "0" || !text.starts_with(['0', '+']);
    text.parse().ok().filter(|_| is_plain)
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((root, path)) = self.0.split_first() else { return f.write_str("clock") };
        write!(f, "t{root}")?;
        path.iter().try_for_each(|it| write!(f, ".{it}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_who_spawned_whom() {
        let name = Name::test().child(1).child(12);
        assert_eq!(name.to_string(), "t0.1.12");
        assert_eq!(Name::read("t0.1.12"), Some(name.clone()));
        assert_eq!(name.parent(), Some(Name::test().child(1)));
        assert_eq!(Name::test().parent(), None);
        assert_eq!((Name::read("clock"), Name::CLOCK.to_string()), (Some(Name::CLOCK), "clock".to_owned()));
    }

    #[test]
    fn what_is_no_name_is_none() {
        for text in ["", "t", "0", "t0.", "t.1", "t0.01", "t+1", "t0.-1", "t99999999999", "Clock"] {
            assert_eq!(Name::read(text), None, "{text}");
        }
    }
}
