//! JSON Schemas of what people and other programs write for the tool: property files, for editors, and traces as JSON lines.

mod properties;
mod trace;

use serde_json::Value;
use std::io::{self, Write};

/// Writes the JSON Schema of property files.
///
/// # Errors
///
/// When it cannot be written.
pub fn render_properties(out: &mut dyn Write) -> io::Result<()> {
    write(&properties::schema(), out)
}

/// Writes the JSON Schema of a line of a trace.
///
/// # Errors
///
/// When it cannot be written.
pub fn render_trace(out: &mut dyn Write) -> io::Result<()> {
    write(&trace::schema(), out)
}

fn write(schema: &Value, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, schema).map_err(io::Error::from)?;
    writeln!(out)
}

#[cfg(test)]
mod tests;
