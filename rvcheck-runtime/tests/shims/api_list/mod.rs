//! The lists of what crates have: `shims/<crate>/api/<version>.txt`.

mod check;
mod declared;
mod derived;
mod examine;
mod line;
mod list;
mod newer;
mod parse;

pub(crate) use declared::{Method, condition};
pub(crate) use examine::{Examined, Pair, examine};
pub(crate) use line::{Line, State};
pub(crate) use list::{List, lists, rewritten};
pub(crate) use newer::{Newer, newest};
pub(crate) use parse::Item;
