//! The edition of Rust that a crate is written in.

/// An edition. What reads source needs it because words such as `await` are keywords only from some edition on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Edition {
    /// Rust 2015, where `await` is an ordinary word.
    Rust2015,
    /// Rust 2018.
    Rust2018,
    /// Rust 2021.
    Rust2021,
    /// Rust 2024.
    Rust2024,
}

impl Edition {
    /// Every edition.
    pub const ALL: [Edition; 4] =
        [Edition::Rust2015, Edition::Rust2018, Edition::Rust2021, Edition::Rust2024];

    /// The name in manifests and after `--edition`.
    pub const fn name(self) -> &'static str {
        match self {
            Edition::Rust2015 => "2015",
            Edition::Rust2018 => "2018",
            Edition::Rust2021 => "2021",
            Edition::Rust2024 => "2024",
        }
    }

    /// The edition of that name, such as `2021`.
    pub fn of_name(name: &str) -> Option<Edition> {
        Edition::ALL.into_iter().find(|edition| edition.name() == name)
    }

    /// Whether `.await` is an expression of the language.
    pub const fn has_await(self) -> bool {
        !matches!(self, Edition::Rust2015)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edition_is_found_by_its_name() {
        for edition in Edition::ALL {
            assert_eq!(Edition::of_name(edition.name()), Some(edition));
        }
        assert_eq!(Edition::of_name("2022"), None);
    }
}
