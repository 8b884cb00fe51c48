//! Writes what rustdoc knows as text that compiles anywhere: with full paths, and with names for all lifetimes.

mod generics;
mod lifetimes;
mod names;
mod types;

pub(crate) use generics::Parameters;
pub(crate) use lifetimes::Lifetimes;
pub(crate) use names::Names;

/// Why something cannot be written.
#[derive(Debug)]
pub(crate) struct Unclear(pub(crate) String);

/// Writes the types of one item.
pub(crate) struct Writer<'a> {
    pub(crate) names: &'a Names<'a>,
    /// What `Self` is there.
    pub(crate) this: String,
    /// What becomes of lifetimes that have no name, just now.
    pub(crate) lifetimes: Lifetimes,
}

impl Writer<'_> {
    /// Does this where lifetimes are treated otherwise. Gives what became of them too.
    pub(crate) fn with<T>(
        &mut self,
        lifetimes: Lifetimes,
        act: impl FnOnce(&mut Self) -> Result<T, Unclear>,
    ) -> Result<(T, Lifetimes), Unclear> {
        let before = std::mem::replace(&mut self.lifetimes, lifetimes);
        let done = act(self);
        let after = std::mem::replace(&mut self.lifetimes, before);
        Ok((done?, after))
    }
}
