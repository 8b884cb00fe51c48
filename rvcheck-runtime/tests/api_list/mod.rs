//! The lists of what crates have: `shims/<crate>/api/<version>.txt`.

mod check;
mod derived;
mod examine;
mod line;
mod list;
mod newer;
mod parse;

pub(crate) use examine::{Examined, Pair, examine};
pub(crate) use line::{Line, State};
pub(crate) use list::{List, lists, rewritten};
pub(crate) use newer::{Newer, newest};
