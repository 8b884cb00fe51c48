//! The JSON Schema of the messages. `docs/schema/messages.json` is what [`render_schema`] writes.

use super::Message;
use std::io::{self, Write};

/// Writes the JSON Schema of one line of `rvcheck.messages/1`, made from the types.
pub fn render_schema(out: &mut dyn Write) -> io::Result<()> {
    let mut schema = schemars::schema_for!(Message);
    schema.insert("title".to_owned(), super::SCHEMA.into());
    serde_json::to_writer_pretty(&mut *out, &schema).map_err(io::Error::from)?;
    writeln!(out)
}
