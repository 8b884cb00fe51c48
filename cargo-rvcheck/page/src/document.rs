//! The document around a page: head, style, script.

use crate::html::{Text, put};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");
/// The hash of the script. It is the only one that a browser runs in a page, whatever the texts of the page are.
const SCRIPT_HASH: &str = include_str!("script.sha256");

/// A whole document. `back` leads to the index, where the page is not that.
pub(crate) fn document(title: &str, tool: &str, back: Option<&str>, body: &str) -> String {
    let mut out = String::with_capacity(body.len() + STYLE.len() + SCRIPT.len() + 2048);
    put!(
        &mut out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'sha256-{}'; img-src data:; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n\
         <header class=\"top\"><span class=\"brand\">rvcheck</span>",
        SCRIPT_HASH.trim(),
        Text(title)
    );
    if let Some(back) = back {
        put!(&mut out, "<nav aria-label=\"Pages\"><a href=\"{}\">All findings</a></nav>", Text(back));
    }
    put!(&mut out, "</header>\n<main id=\"main\">\n{body}</main>\n<footer>{}</footer>\n", Text(tool));
    put!(&mut out, "<script>{SCRIPT}</script>\n</body>\n</html>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    fn base64(bytes: &[u8]) -> String {
        const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let letters = bytes.chunks(3).flat_map(|chunk| {
            let bits =
                (0..3).fold(0_u32, |bits, at| bits << 8 | u32::from(chunk.get(at).copied().unwrap_or(0)));
            let letter = move |at: u32| LETTERS[(bits >> (18 - 6 * at) & 63) as usize] as char;
            (0..4).map(move |at| if at as usize <= chunk.len() { letter(at) } else { '=' })
        });
        letters.collect()
    }

    #[test]
    fn a_browser_runs_the_script_and_no_other() {
        let hash = base64(&Sha256::digest(SCRIPT));
        if std::env::var_os("UPDATE_DOCS").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/script.sha256");
            std::fs::write(path, format!("{hash}\n")).expect("it can be written");
        } else {
            assert_eq!(SCRIPT_HASH.trim(), hash, "`UPDATE_DOCS=1 cargo test -p rvcheck-page` writes it");
        }
    }

    #[test]
    fn nothing_ends_style_and_script_early() {
        assert!(!STYLE.contains("</") && !SCRIPT.contains("</") && !SCRIPT.contains("<!--"));
    }

    #[test]
    fn a_page_asks_no_network() {
        let page = document("a", "b", None, "");
        assert!(!page.contains("http://") && !page.contains("https://"));
    }
}
