//! The prose of a page of Markdown: what is no code and no address of a link.

/// A paragraph, an item of a list, a heading, or a cell of a table.
#[derive(Debug)]
pub struct Paragraph {
    /// The line of the page on which it begins.
    pub line: usize,
    /// It is a cell of a table.
    pub is_cell: bool,
    /// Its words. A `…` stands for each span of code.
    pub text: String,
}

/// The paragraphs of a page, in order.
pub fn paragraphs(page: &str) -> Vec<Paragraph> {
    let mut found: Vec<Paragraph> = Vec::new();
    let (mut is_open, mut is_code) = (false, false);
    for (line, raw) in (1..).zip(page.lines()) {
        let text = raw.trim();
        if text.starts_with("```") {
            is_code = !is_code;
            is_open = false;
        } else if is_code || text.is_empty() || text.starts_with("<!--") {
            is_open = false;
        } else if let Some(row) = text.strip_prefix('|') {
            is_open = false;
            let cells = row.split('|').filter(|it| it.chars().any(char::is_alphanumeric));
            found.extend(cells.map(|it| Paragraph { line, is_cell: true, text: it.to_owned() }));
        } else if let (true, None, Some(last)) = (is_open, marked(text), found.last_mut()) {
            last.text.push(' ');
            last.text.push_str(text);
        } else {
            let text = marked(text).unwrap_or(text).to_owned();
            found.push(Paragraph { line, is_cell: false, text });
            is_open = !raw.starts_with('#');
        }
    }
    for paragraph in &mut found {
        paragraph.text = without_addresses(&without_code(&paragraph.text));
    }
    found
}

/// The addresses of the links of a page, with their lines.
pub fn links(page: &str) -> Vec<(usize, &str)> {
    let mut is_code = false;
    let mut found = Vec::new();
    for (line, text) in (1..).zip(page.lines()) {
        is_code ^= text.trim_start().starts_with("```");
        let links = text.split("](").skip(1).filter_map(|it| it.split(')').next());
        found.extend(links.filter(|_| !is_code).map(|it| (line, it)));
    }
    found
}

/// What links to the headings of a page end with, behind `#`.
pub fn anchors(page: &str) -> impl Iterator<Item = String> {
    page.lines().filter(|it| it.starts_with('#')).map(|it| {
        let kept = it.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        kept.chars().filter(|it| it.is_alphanumeric() || matches!(it, '-' | '_')).collect()
    })
}

/// The sentences of a paragraph.
pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive([' '])
        .scan((0, 0), |(start, end), word| {
            *end += word.len();
            let is_last = word.trim_end().trim_end_matches(['*', ')', '"']).ends_with(['.', '?', '!']);
            let sentence =
                (is_last || *end == text.len()).then(|| &text[std::mem::replace(start, *end)..*end]);
            Some(sentence)
        })
        .flatten()
}

/// What follows the mark of a heading, a quotation, or an item of a list.
fn marked(line: &str) -> Option<&str> {
    let (mark, rest) = line.split_once(' ')?;
    let is_number = mark.strip_suffix('.').is_some_and(|it| it.parse::<u32>().is_ok());
    let is_mark = matches!(mark, "-" | "*" | ">" | "→") || mark.trim_matches('#').is_empty();
    (is_number || is_mark).then_some(rest)
}

/// The text with `…` in the place of each span of code.
fn without_code(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').step_by(2).collect();
    parts.join("…")
}

/// The text with links that have lost their addresses.
fn without_addresses(text: &str) -> String {
    let mut parts = text.split("](");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push_str(part.split_once(')').map_or(part, |it| it.1));
    }
    kept.replace('[', "").replace("![", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# A head\n\nOne `code`. Two\ngo [on](a.md#b) (with 1.5).\n- an item\n  goes on\n- next?\n\n```text\nno\n```\n| cell | `x` |\n|---|---|\n";

    #[test]
    fn prose_is_without_code_and_addresses() {
        let texts: Vec<(usize, bool, String)> =
            paragraphs(PAGE).into_iter().map(|it| (it.line, it.is_cell, it.text)).collect();
        let expected = [
            (1, false, "A head"),
            (3, false, "One …. Two go on (with 1.5)."),
            (5, false, "an item goes on"),
            (7, false, "next?"),
            (12, true, " cell "),
            (12, true, " … "),
        ];
        assert_eq!(texts, expected.map(|it| (it.0, it.1, it.2.to_owned())));
    }

    #[test]
    fn sentences_end_with_their_mark() {
        let found: Vec<&str> = sentences("One …. Two go on (with 1.5). **Three?** and").collect();
        assert_eq!(found, ["One …. ", "Two go on (with 1.5). ", "**Three?** ", "and"]);
    }
}
