//! The forms in which it is shown what is known of property files.

use super::{Examined, ExaminedProperty, SpecFinding};
use crate::escape::{legible, one_line, write_pretty};
use crate::finding::Level;
use crate::report::{Style, counted};
use crate::specs::quoted;
use std::io::{self, Write};

/// Writes the findings with the lines that they are about, and a line for each property.
pub fn render_human(examined: &Examined, out: &mut dyn Write, style: Style) -> io::Result<()> {
    for finding in &examined.findings {
        writeln!(out, "{}\n", shown(finding, examined.text(&finding.file), style))?;
    }
    if !examined.properties.is_empty() {
        writeln!(out, "properties")?;
        for row in table(&examined.properties) {
            writeln!(out, "  {}", one_line(&row))?;
        }
        writeln!(out)?;
    }
    writeln!(out, "{}", summary(examined))
}

fn shown(finding: &SpecFinding, text: &str, style: Style) -> String {
    let title = match &finding.property {
        Some(property) => format!("{property}: {}", finding.message),
        None => finding.message.clone(),
    };
    let (title, file) = (legible(&title), legible(&finding.file));
    let help = finding.help.as_deref().map(legible);
    let place = (&*file, &finding.span);
    let id = (finding.kind != super::INVALID).then_some(finding.kind.as_str());
    quoted((finding.level, id, &title), place, text, help.as_deref(), style.color)
}

/// One line a property, in columns.
fn table(properties: &[ExaminedProperty]) -> Vec<String> {
    let rows: Vec<[String; 5]> = properties
        .iter()
        .map(|it| {
            let decided = match &it.reason {
                Some(reason) => format!("decided when the test is over: {reason}"),
                None => "stepped".to_owned(),
            };
            let states = it.states.map_or_else(String::new, |count| counted(count as u64, "state"));
            let class = it.class.unwrap_or_default().to_owned();
            [it.id.clone(), it.logic.clone(), class, states, decided]
        })
        .collect();
    let width = |column: usize| rows.iter().map(|it| it[column].chars().count()).max().unwrap_or(0);
    let widths = [0, 1, 2, 3].map(width);
    let line = |row: &[String; 5]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}  "));
        format!("{}{}", cells.collect::<String>(), row[4])
    };
    rows.iter().map(line).collect()
}

/// One line that counts the findings.
fn summary(examined: &Examined) -> String {
    let counts = Level::ALL.into_iter().rev().map(|level| {
        let count = examined.findings.iter().filter(|it| it.level == level).count();
        (count, level)
    });
    let parts: Vec<String> = counts
        .filter(|(count, _)| *count > 0)
        .map(|(count, level)| counted(count as u64, level.name()))
        .collect();
    match (parts.is_empty(), examined.properties.is_empty()) {
        (false, _) => parts.join(", "),
        (true, false) => "no findings".to_owned(),
        (true, true) => "there are no properties".to_owned(),
    }
}

/// Writes `file:line:column: level[kind] message` for every finding.
pub fn render_short(examined: &Examined, out: &mut dyn Write) -> io::Result<()> {
    for it in &examined.findings {
        let line = format!("{}:{}:{}: {}[{}] {}", it.file, it.line, it.column, it.level, it.kind, it.message);
        writeln!(out, "{}", one_line(&line))?;
    }
    Ok(())
}

/// Writes all of it as indented JSON with a final newline: the schema `rvcheck.spec/1`.
pub fn render_json(examined: &Examined, out: &mut dyn Write) -> io::Result<()> {
    write_pretty(examined, out)
}
