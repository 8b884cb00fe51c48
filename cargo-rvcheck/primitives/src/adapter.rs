//! What std and futures do with ordinary values.

/// The functions that some types, traits or modules have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    /// The last segments of the types, traits or modules.
    of: &'static [&'static str],
    /// What each of them has.
    functions: &'static [Adapter],
}

impl Rows {
    /// One row a type and function.
    pub(crate) fn each(&self) -> impl Iterator<Item = Adapter> {
        let Rows { of, functions } = *self;
        of.iter().flat_map(|of| functions.iter().map(|it| Adapter { of, ..*it }))
    }
}

/// These functions, of each of those.
pub(crate) const fn of(of: &'static [&'static str], functions: &'static [Adapter]) -> Rows {
    Rows { of, functions }
}

/// A function that does something with the value that it is given first: its receiver, or its first argument.
///
/// It is known by the last segments of its type, trait or module and of itself, since the compiler writes them alone where they are
/// unique.
#[expect(clippy::struct_excessive_bools, reason = "they are independent facts")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Adapter {
    /// The last segment of its type, trait or module.
    pub of: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What becomes of the value.
    pub does: Does,
    /// The argument that it calls, by its number from 0, and when.
    pub calls: Option<(u8, When)>,
    /// The argument that it puts into the value, by its number from 0.
    pub stores: Option<u8>,
    /// It takes an iterator to its end.
    pub drains: bool,
    /// What is in the value is in the result at the end of the same steps, whichever part of it that is.
    pub as_is: bool,
    /// Where something is there already, that stays.
    pub keeps_first: bool,
    /// It runs no code of the values: it neither compares, hashes, copies, shows nor drops any, whatever becomes of the call.
    pub only_moves: bool,
}

/// What becomes of the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Does {
    /// The result is the value, refers to it or contains it.
    Passes,
    /// The result is made of the value and has it: a pointer, a cell, or what it is converted to.
    Wraps,
    /// The result is a view of the value: a reference to it, or to what it points to.
    Views,
    /// The result is a view of a part of it: of an element, or of the place of one.
    Reaches,
    /// The result is a view of one of its elements, in `Some`, if there is one.
    Finds,
    /// The result goes over its elements, or over views of them.
    Iterates,
    /// The result is another handle to the same thing.
    Shares,
    /// The result has a part of it, and the rest is gone.
    Keeps(Part),
    /// The result has a part of it, which the value has no more.
    Takes(Part),
    /// The result has a part of it that says nothing of the rest, which stays.
    Looks,
    /// The value is gone into what it is given to, or stays as it was.
    Nothing,
    /// Some of its elements are gone, or all.
    Empties,
    /// The value is gone.
    Drops,
    /// It is gone without being dropped.
    Forgets,
    /// The result is what the function made of it that it calls.
    Maps,
    /// It is a future or several, and the result is a future that polls it.
    Polls,
}

/// A part of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// What is in `Ok`.
    Ok,
    /// What is in `Err`.
    Err,
    /// What is in `Some`.
    Some,
    /// What is in `Ok` or `Some`, or something in its place.
    OkOr,
    /// Which variant it is.
    Variant,
    /// An element of a collection, or several.
    Element,
    /// All elements, as an iterator.
    Elements,
    /// What is in a pointer or cell.
    Inside,
}

/// When a function calls what it is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// Before it comes back.
    AtOnce,
    /// When its result is asked for more, or polled.
    Lazily,
    /// On another thread or task.
    Elsewhere,
}

/// Whatever has it: [`Rows`] say what does.
const fn adapter(name: &'static str, does: Does) -> Adapter {
    Adapter {
        of: "",
        name,
        does,
        calls: None,
        stores: None,
        drains: false,
        as_is: false,
        keeps_first: false,
        only_moves: false,
    }
}

pub(crate) const fn passes(name: &'static str) -> Adapter {
    adapter(name, Does::Passes)
}

pub(crate) const fn wraps(name: &'static str) -> Adapter {
    adapter(name, Does::Wraps)
}

pub(crate) const fn views(name: &'static str) -> Adapter {
    adapter(name, Does::Views).as_is()
}

pub(crate) const fn reaches(name: &'static str) -> Adapter {
    adapter(name, Does::Reaches)
}

pub(crate) const fn finds(name: &'static str) -> Adapter {
    adapter(name, Does::Finds)
}

pub(crate) const fn iterates(name: &'static str) -> Adapter {
    adapter(name, Does::Iterates)
}

pub(crate) const fn empties(name: &'static str) -> Adapter {
    adapter(name, Does::Empties)
}

pub(crate) const fn shares(name: &'static str) -> Adapter {
    adapter(name, Does::Shares)
}

pub(crate) const fn keeps(name: &'static str, part: Part) -> Adapter {
    adapter(name, Does::Keeps(part))
}

pub(crate) const fn takes(name: &'static str, part: Part) -> Adapter {
    adapter(name, Does::Takes(part))
}

pub(crate) const fn looks(name: &'static str) -> Adapter {
    adapter(name, Does::Looks)
}

pub(crate) const fn drops(name: &'static str) -> Adapter {
    adapter(name, Does::Drops)
}

pub(crate) const fn forgets(name: &'static str) -> Adapter {
    adapter(name, Does::Forgets)
}

pub(crate) const fn maps(name: &'static str) -> Adapter {
    adapter(name, Does::Maps).calling(1)
}

pub(crate) const fn polls(name: &'static str) -> Adapter {
    adapter(name, Does::Polls)
}

pub(crate) const fn stores(name: &'static str, argument: u8) -> Adapter {
    let mut it = adapter(name, Does::Nothing);
    it.stores = Some(argument);
    it
}

impl Adapter {
    /// It calls that argument before it comes back.
    pub(crate) const fn calling(mut self, argument: u8) -> Adapter {
        self.calls = Some((argument, When::AtOnce));
        self
    }

    /// It calls that argument when its result is asked.
    pub(crate) const fn lazily(mut self, argument: u8) -> Adapter {
        self.calls = Some((argument, When::Lazily));
        self
    }

    /// It takes an iterator to its end.
    pub(crate) const fn draining(mut self) -> Adapter {
        self.drains = true;
        self
    }

    /// What is in the value is in the result at the end of the same steps.
    pub(crate) const fn as_is(mut self) -> Adapter {
        self.as_is = true;
        self
    }

    /// It puts that argument into the value.
    pub(crate) const fn storing(mut self, argument: u8) -> Adapter {
        self.stores = Some(argument);
        self
    }

    /// What is there already stays.
    pub(crate) const fn keeping_first(mut self) -> Adapter {
        self.keeps_first = true;
        self
    }

    /// It runs no code of the values.
    pub(crate) const fn moving(mut self) -> Adapter {
        self.only_moves = true;
        self
    }

    /// Whether the result holds the whole value, or is another handle to the same thing.
    pub const fn is_transparent(&self) -> bool {
        matches!(
            self.does,
            Does::Passes
                | Does::Wraps
                | Does::Views
                | Does::Reaches
                | Does::Finds
                | Does::Iterates
                | Does::Shares
        )
    }

    /// Whether it calls a function that it is given before it comes back.
    pub const fn calls_at_once(&self) -> bool {
        matches!(self.calls, Some((_, When::AtOnce)))
    }
}
