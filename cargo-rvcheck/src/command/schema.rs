//! `cargo rvcheck schema`.

use super::show::print_documents;
use crate::cli::{Schema, SchemaArgs};
use crate::config;
use crate::error::{Expected, Result};
use crate::exit_code::ExitCode;
use crate::messages;
use crate::report::schema::render_schema;
use crate::specs;

/// Prints a JSON Schema.
pub(super) fn schema(args: &SchemaArgs) -> Result<ExitCode> {
    let mut text = Vec::new();
    match args.what {
        Schema::Report => render_schema(&mut text).map_err(Expected::Print)?,
        Schema::Messages => messages::schema::render_schema(&mut text).map_err(Expected::Print)?,
        Schema::Properties => specs::schema::render_properties(&mut text).map_err(Expected::Print)?,
        Schema::Trace => specs::schema::render_trace(&mut text).map_err(Expected::Print)?,
        Schema::Config => config::render_schema(&mut text).map_err(Expected::Print)?,
    }
    print_documents(String::from_utf8_lossy(&text).lines().map(str::to_owned))?;
    Ok(ExitCode::Clean)
}
