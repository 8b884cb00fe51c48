//! Functions of many kinds, which `specs/own.toml` observes. Each test is called after the property that it violates, or says that it
//! holds.

pub mod bus;
pub mod ledger;
pub mod press;

#[cfg(test)]
mod tests;
