//! The events of traces as a table in a Parquet file, where rvcheck was built to write one.

use crate::check::Traces;
use crate::error::{Expected, Result};
use rvcheck_event::declared::Declared;
use std::io::{self, Write};

/// Refuses to write one where that cannot be done.
pub(super) fn check() -> Result<()> {
    let message = "this rvcheck was built without the feature `parquet`, which writes this format\n\
        `cargo install --path cargo-rvcheck --locked --features parquet` builds one with it";
    Err(Expected::Configuration(message.to_owned()))
}

pub(super) fn write(
    _: &Traces,
    _: &[Declared],
    _: Option<u64>,
    _: &mut (dyn Write + Send),
) -> Result<io::Result<()>> {
    check().map(|()| Ok(()))
}
