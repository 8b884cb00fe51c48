//! What becomes of lifetimes that have no name.

/// Where a lifetime without a name stands.
#[derive(Default)]
pub(crate) enum Lifetimes {
    /// Where it may stay so: in the arguments of `Fn` and of pointers to functions.
    #[default]
    Kept,
    /// In what a function takes, or in the head of an implementation: each gets a name of its own.
    Named {
        /// What the names begin with.
        prefix: char,
        /// Those that were given.
        names: Vec<String>,
    },
    /// In what a function gives: it is this one.
    Known(String),
}

impl Lifetimes {
    /// Each gets a name that begins with this.
    pub(crate) fn named(prefix: char) -> Lifetimes {
        Lifetimes::Named { prefix, names: Vec::new() }
    }

    /// The name of the next one; `None` where it has none.
    pub(super) fn next(&mut self) -> Option<String> {
        match self {
            Lifetimes::Kept => None,
            Lifetimes::Known(name) => Some(name.clone()),
            Lifetimes::Named { prefix, names } => {
                let name = format!("'{prefix}{}", names.len());
                names.push(name.clone());
                Some(name)
            }
        }
    }

    /// The names that were given.
    pub(crate) fn into_names(self) -> Vec<String> {
        match self {
            Lifetimes::Named { names, .. } => names,
            Lifetimes::Kept | Lifetimes::Known(_) => Vec::new(),
        }
    }
}
