//! Remedies: what is done at a place of the program from the second time on, after a property was violated there.

/// What is done. The numbers are part of the trace format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Remedy {
    /// The tasks that are spawned there run on the threads for blocking work.
    Offload = 0,
    /// The tasks that are spawned there have a handler for the panics and errors that nobody reads.
    Handle = 1,
    /// A gate lock is taken before the lock that is taken there.
    Gate = 2,
    /// The call that would violate the property panics there.
    Refuse = 3,
}

impl Remedy {
    /// All remedies, in the order of their numbers.
    pub const ALL: [Remedy; 4] = [Remedy::Offload, Remedy::Handle, Remedy::Gate, Remedy::Refuse];

    /// The name in property files.
    pub const fn name(self) -> &'static str {
        match self {
            Remedy::Offload => "offload",
            Remedy::Handle => "handle",
            Remedy::Gate => "gate",
            Remedy::Refuse => "refuse",
        }
    }

    /// The remedy of that name.
    pub fn of_name(name: &str) -> Option<Remedy> {
        Remedy::ALL.into_iter().find(|it| it.name() == name)
    }

    /// The remedy of that number.
    pub fn of_number(number: u32) -> Option<Remedy> {
        Remedy::ALL.get(usize::try_from(number).ok()?).copied()
    }
}

/// What a remedy has done at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Applied {
    /// How often.
    pub times: u64,
    /// How long that delayed tasks in all, in ns. What delays several at once counts for each.
    pub nanos: u64,
    /// How often it was given up, because it kept somebody too long.
    pub given_up: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_lead_back_to_their_remedies() {
        for remedy in Remedy::ALL {
            assert_eq!(Remedy::of_name(remedy.name()), Some(remedy));
            assert_eq!(Remedy::of_number(remedy as u32), Some(remedy));
        }
        assert_eq!(Remedy::of_name("mend"), None);
        assert_eq!(Remedy::of_number(4), None);
    }
}
