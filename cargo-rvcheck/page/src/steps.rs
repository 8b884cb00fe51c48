//! The steps of a picture as a table, which says all that the picture shows.

use crate::html::{Prose, Text, put};
use crate::picture::{Picture, Place};
use crate::wording;

/// The table. Rows are numbered as the columns of the chart; `joined` says which step of another picture each is.
pub(crate) fn table(
    picture: &Picture,
    joined: Option<(&str, &[Option<usize>])>,
    line: &dyn Fn(&Place) -> Option<String>,
    driven: bool,
    out: &mut String,
) {
    let class = if driven { " driven" } else { "" };
    put!(
        out,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table of the steps\">\n<table class=\"steps{class}\">\n\
         <thead><tr><th scope=\"col\">step</th><th scope=\"col\">time</th><th scope=\"col\">who</th><th scope=\"col\">what</th>\
         <th scope=\"col\">where</th>"
    );
    if let Some((title, _)) = joined {
        put!(out, "<th scope=\"col\">{}</th>", Text(title));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for (at, step) in picture.steps.iter().enumerate() {
        let place = step.place.as_ref();
        let key = place.map(|it| format!(" data-place=\"{}\"", Text(&it.key()))).unwrap_or_default();
        put!(
            out,
            "<tr data-step=\"{at}\"{key}><th scope=\"row\">{}</th><td class=\"time\">{}</td><td>{}</td><td>{}</td><td>",
            at + 1,
            wording::time(step.time),
            Prose(&picture.track_name(step.track)),
            Prose(&wording::act(&step.act, picture))
        );
        match place {
            Some(place) => {
                put!(out, "<span class=\"place\">{}</span>", Text(&place.key()));
                if let Some(line) = line(place) {
                    put!(out, "<code class=\"line\">{}</code>", Text(line.trim()));
                }
            }
            None => out.push_str("<span class=\"unknown\">not known</span>"),
        }
        out.push_str("</td>");
        if let Some((_, joined)) = joined {
            match joined.get(at).copied().flatten() {
                Some(other) => {
                    put!(out, "<td class=\"other\" data-other=\"{other}\">step {}</td>", other + 1);
                }
                None => out.push_str("<td class=\"other\">only here</td>"),
            }
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
}

impl Place {
    /// `file:line:column`.
    pub(crate) fn key(&self) -> String {
        format!("{}:{}:{}", self.file, self.line, self.column)
    }
}
