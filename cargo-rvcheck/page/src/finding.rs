//! The page of a finding.

use crate::chart::{Titled, chart};
use crate::document::document;
use crate::graph::{self, wait_graph};
use crate::html::{Prose, Text, put, shortened};
use crate::joined::joined;
use crate::legend::LEGEND;
use crate::picture::{Picture, Place};
use crate::steps::table;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What the page of a finding shows. Texts are those of the human report.
#[derive(Clone, Copy, Debug)]
pub struct FindingPage<'a> {
    /// Which version of the tool.
    pub tool: &'a str,
    /// The id of the property.
    pub property: &'a str,
    /// What the property demands; empty where that is not known.
    pub title: &'a str,
    /// `error`, `warning` or `note`.
    pub level: &'a str,
    /// How it was found, such as `observed in …`.
    pub seen: &'a str,
    /// What is wrong.
    pub message: &'a str,
    /// The place to change, and all others that the message speaks of, the first one first.
    pub places: &'a [Source],
    /// More that is to be said.
    pub notes: &'a [String],
    /// What to do about it; may be empty.
    pub advice: &'a str,
    /// What shows it again; may be empty.
    pub command: &'a str,
    /// What the command is for, such as `to see it again`.
    pub command_is: &'a str,
    /// The command that explains the property; may be empty.
    pub explain: &'a str,
    /// The address of the page of the property; may be empty.
    pub address: &'a str,
    /// The comment that would suppress it, with the file and the line before which it is inserted.
    pub suppression: Option<(&'a str, u32, &'a str)>,
    /// The pictures.
    pub pictures: Pictures<'a>,
    /// The lines around the places of the pictures.
    pub sources: &'a [Source],
}

/// Pictures of a finding.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pictures<'a> {
    /// What happened in the run; `None` where that is not known.
    pub happened: Option<&'a Picture>,
    /// Another order of it.
    pub second: Option<(Second, &'a Picture)>,
}

/// What another order of events is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Second {
    /// It was predicted.
    Predicted,
    /// It happened when that was tried.
    Confirmed,
}

/// A place with the lines around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The place.
    pub place: Place,
    /// What it has to do with the finding; may be empty.
    pub label: String,
    /// Lines with their numbers; empty where they are not at hand.
    pub lines: Vec<(u32, String)>,
}

impl FindingPage<'_> {
    /// The page as a document. `back` leads to the index.
    pub fn document(&self, back: Option<&str>) -> String {
        let mut body = String::new();
        self.body("f", 1, &mut body);
        let title = format!("{}: {}", self.property, shortened(self.message, 80));
        document(&title, self.tool, back, &body)
    }

    /// The page as part of another one, where `id` is unique and headings begin at this level.
    pub(crate) fn body(&self, id: &str, heading: u8, out: &mut String) {
        let sub = heading + 1;
        put!(
            out,
            "<article class=\"finding\">\n<p class=\"tags\"><span class=\"level {level}\">{level}</span> \
             <span class=\"property\">{}</span> <span class=\"title\">{}</span></p>\n<h{heading}>{}</h{heading}>\n\
             <p class=\"seen\">{}</p>\n",
            Text(self.property),
            Prose(self.title),
            Prose(self.message),
            Prose(self.seen),
            level = Text(self.level)
        );
        self.pictured(id, sub, out);
        put!(out, "<section>\n<h{sub}>Where</h{sub}>\n<div class=\"sources\">\n");
        for place in self.places {
            source(place, out);
        }
        out.push_str("</div>\n</section>\n");
        self.what_to_do(sub, out);
        put!(out, "</article>\n");
    }

    fn what_to_do(&self, sub: u8, out: &mut String) {
        put!(out, "<section>\n<h{sub}>What to do</h{sub}>\n");
        if !self.advice.is_empty() {
            put!(out, "<p>{}</p>\n", Prose(self.advice));
        }
        if !self.command.is_empty() {
            copied(&capital(self.command_is), self.command, out);
        }
        if !self.explain.is_empty() {
            copied("What it means", self.explain, out);
        }
        // Whoever wrote a report decides what stands there.
        if self.address.starts_with("https://") {
            put!(out, "<p><a href=\"{}\">The page of {}</a></p>\n", Text(self.address), Text(self.property));
        }
        if let Some((file, line, text)) = self.suppression {
            copied(&format!("To suppress it, insert before {file}:{line}"), text, out);
        }
        if !self.notes.is_empty() {
            put!(out, "<h{sub}>How it is known</h{sub}>\n<ul class=\"notes\">\n");
            for note in self.notes {
                put!(out, "<li>{}</li>\n", Prose(note));
            }
            out.push_str("</ul>\n");
        }
        out.push_str("</section>\n");
    }

    fn pictured(&self, id: &str, sub: u8, out: &mut String) {
        let Pictures { happened, second } = self.pictures;
        let happened = happened.filter(|it| !it.steps.is_empty());
        let second = second.filter(|it| !it.1.steps.is_empty());
        let titled =
            second.map(|(what, picture)| Titled { title: what.title(), label: what.label(), picture });
        let (first, below) = match (happened, titled) {
            (Some(picture), below) => {
                (Titled { title: "What happened", label: "What happened", picture }, below)
            }
            (None, Some(only)) => (only, None),
            (None, None) => {
                put!(
                    out,
                    "<section>\n<h{sub}>What happened</h{sub}>\n<p class=\"unknown\">No events are kept of this finding, so \
                     there is no picture: it was found in the source, or by several tests together.</p>\n</section>\n"
                );
                return;
            }
        };
        let heading = match &below {
            Some(below) => format!("{}, and {}", first.title, lowercase(below.title)),
            None => first.title.to_owned(),
        };
        let driven = below.unwrap_or(first);
        let (count, now) = (driven.picture.steps.len(), driven.picture.decisive() + 1);
        put!(out, "<section class=\"pictured\" data-id=\"{id}\">\n<h{sub}>{}</h{sub}>\n", Text(&heading));
        Self::left_out(first, below, out);
        put!(
            out,
            "<div class=\"player\" hidden>\n<button type=\"button\" class=\"back\" aria-label=\"One step back\">◀</button>\
             <input type=\"range\" min=\"1\" max=\"{count}\" value=\"{now}\" id=\"{id}-step\" aria-label=\"Step of: {}\">\
             <button type=\"button\" class=\"forth\" aria-label=\"One step forth\">▶</button>\
             <output for=\"{id}-step\" class=\"count\">{now} / {count}</output>\n</div>\n",
            Text(driven.title)
        );
        chart(&format!("{id}-chart"), first, below, out);
        out.push_str(LEGEND);
        self.details(id, sub, first, below, out);
        out.push_str("</section>\n");
    }

    fn left_out(first: Titled<'_>, below: Option<Titled<'_>>, out: &mut String) {
        let omitted = first.picture.omitted.max(below.map_or(0, |it| it.picture.omitted));
        if omitted > 0 {
            put!(
                out,
                "<p class=\"omitted\">{omitted} more events of these tasks and objects are left out; the last {} are shown.</p>\n",
                first.picture.steps.len()
            );
        }
    }

    /// Beside and below the chart: the current step with its source, the wait-for graph, and the tables.
    fn details(&self, id: &str, sub: u8, first: Titled<'_>, below: Option<Titled<'_>>, out: &mut String) {
        let driven = below.unwrap_or(first);
        let graph = wait_graph(driven.picture);
        let deeper = sub + 1;
        put!(
            out,
            "<div class=\"beside\">\n<div class=\"panel current\" hidden>\n<h{deeper}>The current step</h{deeper}>\n\
             <p class=\"said\" aria-live=\"polite\"></p>\n<div class=\"here\"></div>\n</div>\n"
        );
        if !graph.nodes.is_empty() {
            put!(out, "<div class=\"panel\">\n<h{deeper}>Who waits for whom</h{deeper}>\n");
            if graph.cycle > 0 {
                out.push_str(
                    "<p>The last step closes the cycle: each waits for what the next one has.</p>\n",
                );
            } else if driven.picture.stuck {
                out.push_str("<p>There is no cycle: nothing is left to provide what is waited for at the end of the arrows.</p>\n");
            }
            graph::draw(&format!("{id}-graph"), &graph, driven.picture, out);
            out.push_str("</div>\n");
        }
        out.push_str("</div>\n");
        let line = |place: &Place| self.line(place);
        let pairs = below.map(|it| joined(first.picture, it.picture));
        if let (Some(below), Some(pairs)) = (below, &pairs) {
            put!(
                out,
                "<details open>\n<summary><h{deeper}>Steps: {}</h{deeper}></summary>\n",
                Text(&lowercase(below.title))
            );
            table(below.picture, Some((first.title, pairs)), &line, true, out);
            put!(out, "</details>\n");
        }
        let open = if below.is_none() { " open" } else { "" };
        put!(
            out,
            "<details{open}>\n<summary><h{deeper}>Steps: {}</h{deeper}></summary>\n",
            Text(&lowercase(first.title))
        );
        table(first.picture, None, &line, below.is_none(), out);
        out.push_str("</details>\n");
        self.excerpts(deeper, [Some(first), below], out);
    }

    /// The lines around each place of the steps, each place once.
    fn excerpts(&self, heading: u8, pictures: [Option<Titled<'_>>; 2], out: &mut String) {
        let pictures = pictures.into_iter().flatten();
        let places: BTreeSet<&Place> =
            pictures.flat_map(|it| &it.picture.steps).filter_map(|it| it.place.as_ref()).collect();
        let known = |place: &&&Source| places.contains(&place.place) && !place.lines.is_empty();
        let mut shown = self.sources.iter().filter(|it| known(&it)).peekable();
        if shown.peek().is_none() {
            return;
        }
        put!(
            out,
            "<details class=\"excerpts\">\n<summary><h{heading}>Source of the steps</h{heading}></summary>\n<div class=\"sources\">\n"
        );
        for place in shown {
            source(place, out);
        }
        out.push_str("</div>\n</details>\n");
    }

    fn line(&self, place: &Place) -> Option<String> {
        let source = self.sources.iter().find(|it| it.place == *place)?;
        source.lines.iter().find(|it| it.0 == place.line).map(|it| it.1.clone())
    }
}

impl Second {
    const fn title(self) -> &'static str {
        match self {
            Second::Predicted => "What another schedule would do",
            Second::Confirmed => "What happened when that was tried",
        }
    }

    const fn label(self) -> &'static str {
        match self {
            Second::Predicted => "Predicted schedule",
            Second::Confirmed => "Confirmed by a run",
        }
    }
}

/// A line that can be copied, and what it is for.
fn copied(what: &str, line: &str, out: &mut String) {
    put!(
        out,
        "<p>{}:</p>\n<div class=\"command\"><pre tabindex=\"0\"><code>{}</code></pre>\
         <button type=\"button\" class=\"copy\" hidden>Copy</button></div>\n",
        Text(what),
        Text(line)
    );
}

/// The beginning of a sentence.
fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A title inside a sentence.
fn lowercase(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// A place with the lines around it, the line of the place marked.
fn source(source: &Source, out: &mut String) {
    let key = source.place.key();
    put!(out, "<figure class=\"source\" data-place=\"{}\">\n<figcaption>{}", Text(&key), Text(&key));
    if !source.label.is_empty() {
        put!(out, " <span class=\"label\">{}</span>", Prose(&source.label));
    }
    out.push_str("</figcaption>\n");
    if source.lines.is_empty() {
        out.push_str("<p class=\"unknown\">The lines are not at hand.</p>\n");
    } else {
        out.push_str("<pre tabindex=\"0\"><code>");
        for (number, text) in &source.lines {
            let (open, close) = if *number == source.place.line { ("<mark>", "</mark>") } else { ("", "") };
            put!(
                out,
                "<span class=\"row\"><span class=\"no\">{number}</span>{open}{}{close}</span>\n",
                Text(text)
            );
        }
        out.push_str("</code></pre>\n");
    }
    out.push_str("</figure>\n");
}
