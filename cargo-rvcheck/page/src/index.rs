//! The index: everything that a run has shown, with a way to the page of each finding.

use crate::dependency::{self, LockEdge};
use crate::document::document;
use crate::finding::FindingPage;
use crate::html::{Prose, Text, put};
use crate::wording::duration;
use serde::{Deserialize, Serialize};

/// What the index shows.
#[derive(Clone, Debug, Default)]
pub struct IndexPage<'a> {
    /// Which version of the tool.
    pub tool: &'a str,
    /// What came out, in a few words.
    pub summary: String,
    /// What else is to be said in short: tests, sites, cost.
    pub facts: Vec<(&'static str, String)>,
    /// The findings, the worst first.
    pub findings: Vec<FindingRow>,
    /// How many more the user has allowed.
    pub allowed: usize,
    /// The properties.
    pub properties: Vec<PropertyRow>,
    /// Which locks are requested while which others are held.
    pub locks: Vec<LockEdge>,
    /// The polls that took longest.
    pub polls: Vec<SlowRow>,
    /// The waits that took longest.
    pub waits: Vec<SlowRow>,
    /// How many places there are, and how many of them are monitored.
    pub sites: (u64, u64, u64),
    /// Why places are unmonitored, and how many.
    pub unmonitored: Vec<(String, u64)>,
    /// What a reader should know.
    pub notes: &'a [String],
}

/// A finding in the index.
#[derive(Clone, Debug)]
pub struct FindingRow {
    /// Its page, or its place in this one.
    pub href: String,
    /// `error`, `warning` or `note`.
    pub level: &'static str,
    /// The property.
    pub property: String,
    /// What is wrong.
    pub message: String,
    /// `file:line:column`.
    pub place: String,
    /// The test.
    pub test: String,
    /// Its page has a picture.
    pub pictured: bool,
}

/// A property in the index.
#[derive(Clone, Debug)]
pub struct PropertyRow {
    /// Its id.
    pub id: String,
    /// What it demands.
    pub title: String,
    /// The verdict, in words.
    pub verdict: String,
    /// Its verdict speaks of something bad.
    pub bad: bool,
    /// How it went in the tests, in words.
    pub tests: String,
    /// How many events it was stepped with.
    pub events: u64,
}

/// Something that took long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlowRow {
    /// How long, in ns.
    pub nanos: u64,
    /// Who.
    pub who: String,
    /// For what, or at what.
    pub what: String,
    /// Where; empty where that is not known.
    pub place: String,
    /// The test.
    pub test: String,
}

impl IndexPage<'_> {
    /// The index as a document, with the pages of these findings below where they are to be in the same document.
    pub fn document(&self, below: &[FindingPage<'_>]) -> String {
        let mut body = String::new();
        self.body(&mut body);
        for (at, page) in below.iter().enumerate() {
            put!(&mut body, "<div class=\"below\" id=\"finding-{}\">\n", at + 1);
            page.body(&format!("f{}", at + 1), 2, &mut body);
            body.push_str("</div>\n");
        }
        document("rvcheck report", self.tool, None, &body)
    }

    fn body(&self, out: &mut String) {
        put!(out, "<h1>{}</h1>\n<dl class=\"facts\">\n", Text(&self.summary));
        for (name, value) in &self.facts {
            put!(out, "<div><dt>{}</dt><dd>{}</dd></div>\n", Text(name), Prose(value));
        }
        out.push_str("</dl>\n");
        self.findings(out);
        self.properties(out);
        self.locks(out);
        slow("Slowest polls", "A poll that is long keeps its thread from other tasks.", &self.polls, out);
        slow(
            "Longest waits",
            "How long tasks waited for locks, messages, permits, signals and ends.",
            &self.waits,
            out,
        );
        self.monitored(out);
        if !self.notes.is_empty() {
            out.push_str("<section>\n<h2>Notes</h2>\n<ul class=\"notes\">\n");
            self.notes.iter().for_each(|it| put!(out, "<li>{}</li>\n", Prose(it)));
            out.push_str("</ul>\n</section>\n");
        }
    }

    fn findings(&self, out: &mut String) {
        out.push_str("<section>\n<h2>Findings</h2>\n");
        if self.findings.is_empty() {
            out.push_str("<p>There are none.</p>\n");
        }
        for level in ["error", "warning", "note"] {
            let mut rows = self.findings.iter().filter(|it| it.level == level).peekable();
            if rows.peek().is_none() {
                continue;
            }
            put!(
                out,
                "<h3 class=\"group\"><span class=\"level {level}\">{level}</span></h3>\n<ol class=\"findings\">\n"
            );
            for row in rows {
                let pictured =
                    if row.pictured { "<span class=\"pictured-too\">with a picture</span>" } else { "" };
                put!(
                    out,
                    "<li class=\"{level}\"><a href=\"{}\"><span class=\"property\">{}</span> {}</a>\
                     <p><span class=\"place\">{}</span> <span class=\"test\">{}</span> {pictured}</p></li>\n",
                    Text(&row.href),
                    Text(&row.property),
                    Prose(&row.message),
                    Text(&row.place),
                    Text(&row.test)
                );
            }
            out.push_str("</ol>\n");
        }
        if self.allowed > 0 {
            put!(out, "<p>{} more are allowed by the user, and not shown.</p>\n", self.allowed);
        }
        out.push_str("</section>\n");
    }

    fn properties(&self, out: &mut String) {
        if self.properties.is_empty() {
            return;
        }
        out.push_str(
            "<section>\n<h2>Properties</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Properties\">\n<table>\n\
             <thead><tr><th scope=\"col\">property</th><th scope=\"col\">verdict</th><th scope=\"col\">tests</th>\
             <th scope=\"col\">events</th><th scope=\"col\">what it demands</th></tr></thead>\n<tbody>\n",
        );
        for row in &self.properties {
            let class = if row.bad { "verdict bad" } else { "verdict" };
            put!(
                out,
                "<tr><th scope=\"row\">{}</th><td><span class=\"{class}\">{}</span></td><td>{}</td><td class=\"count\">{}</td><td>{}</td></tr>\n",
                Text(&row.id),
                Text(&row.verdict),
                Text(&row.tests),
                row.events,
                Prose(&row.title)
            );
        }
        out.push_str("</tbody>\n</table>\n</div>\n</section>\n");
    }

    fn locks(&self, out: &mut String) {
        out.push_str("<section>\n<h2>Locks that are requested while others are held</h2>\n");
        if self.locks.is_empty() {
            out.push_str("<p>No test of this run has requested a lock while it held another one.</p>\n");
        } else {
            out.push_str("<p>An arrow goes from a lock that is held to one that is requested meanwhile. Thick red ones belong to findings.</p>\n");
            dependency::draw(&self.locks, out);
        }
        out.push_str("</section>\n");
    }

    fn monitored(&self, out: &mut String) {
        let (total, monitored, unmonitored) = self.sites;
        let share = if total == 0 { 0.0 } else { monitored as f64 * 100.0 / total as f64 };
        put!(
            out,
            "<section>\n<h2>How much is monitored</h2>\n<p>{monitored} of {total} sites are monitored, {unmonitored} are not.</p>\n\
             <svg class=\"share\" width=\"100%\" height=\"14\" role=\"img\" aria-label=\"{share:.0}% of the sites are monitored\">\
             <rect class=\"all\" width=\"100%\" height=\"14\" rx=\"7\"/><rect class=\"part\" width=\"{share:.1}%\" height=\"14\" rx=\"7\"/></svg>\n"
        );
        if !self.unmonitored.is_empty() {
            out.push_str("<ul>\n");
            for (reason, count) in &self.unmonitored {
                put!(out, "<li>{count}: {}</li>\n", Prose(reason));
            }
            out.push_str("</ul>\n");
        }
        out.push_str("</section>\n");
    }
}

fn slow(title: &str, what: &str, rows: &[SlowRow], out: &mut String) {
    put!(out, "<section>\n<h2>{title}</h2>\n<p>{what}</p>\n");
    let Some(longest) = rows.iter().map(|it| it.nanos).max() else {
        out.push_str("<p class=\"unknown\">None were recorded, or their trace is gone.</p>\n</section>\n");
        return;
    };
    put!(
        out,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\">\n<table class=\"slow\">\n<thead><tr>\
         <th scope=\"col\">took</th><th scope=\"col\">who</th><th scope=\"col\">what</th><th scope=\"col\">where</th>\
         <th scope=\"col\">test</th></tr></thead>\n<tbody>\n"
    );
    for row in rows {
        let share = row.nanos as f64 * 100.0 / longest.max(1) as f64;
        put!(
            out,
            "<tr><td class=\"took\"><svg width=\"90\" height=\"8\" aria-hidden=\"true\"><rect class=\"part\" width=\"{share:.1}%\" height=\"8\" rx=\"4\"/></svg> {}</td>\
             <td>{}</td><td>{}</td><td class=\"place\">{}</td><td>{}</td></tr>\n",
            duration(row.nanos),
            Prose(&row.who),
            Prose(&row.what),
            Text(&row.place),
            Text(&row.test)
        );
    }
    out.push_str("</tbody>\n</table>\n</div>\n</section>\n");
}
