//! The sink of HTML: text of others that becomes a part of a page.

use std::fmt::{self, Display, Write};

/// Text between tags or in a quoted attribute, in which a browser sees nothing but text. Characters that turn the direction of writing, or
/// that no page may have, are replaced by ones that are seen.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a>(pub &'a str);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|letter| match letter {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\'' => f.write_str("&#39;"),
            _ => f.write_char(substitute(letter).unwrap_or(letter)),
        })
    }
}

/// What stands for a character that is no part of a text: one that a terminal obeys, that turns the direction of writing, that
/// ends a line for some readers, or that XML does not have.
pub fn substitute(letter: char) -> Option<char> {
    match letter {
        '\n' | '\t' => None,
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(letter)),
        '\u{7f}' => Some('␡'),
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{fffe}'
        | '\u{ffff}'
        | '\u{e0000}'..='\u{e007f}' => Some('\u{fffd}'),
        _ => None,
    }
}

/// The same, with what stands in pairs of backticks as code.
#[derive(Clone, Copy, Debug)]
pub struct Prose<'a>(pub &'a str);

impl Display for Prose<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some((before, after)) = rest.split_once('`') {
            let Some((code, after)) = after.split_once('`') else { break };
            write!(f, "{}<code>", Text(before))?;
            // A line may end after what joins words.
            for (at, part) in code.split_inclusive(['_', '/']).enumerate() {
                let gap = if at > 0 { "<wbr>" } else { "" };
                write!(f, "{gap}{}", Text(part))?;
            }
            f.write_str("</code>")?;
            rest = after;
        }
        write!(f, "{}", Text(rest))
    }
}

/// What stands in backticks, without them: labels in pictures have no code.
pub(crate) fn plain(text: &str) -> String {
    text.replace('`', "")
}

/// At most so many characters, with an ellipsis where something is missing.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// Adds formatted text. That cannot fail: it goes to memory.
macro_rules! put {
    ($out:expr, $($arguments:tt)*) => {{
        let _ = std::fmt::Write::write_fmt($out, format_args!($($arguments)*));
    }};
}
pub(crate) use put;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_opens_and_ends_nothing() {
        let cases = [
            ("<script>alert('x')</script>", "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"),
            ("\" onload=\"x", "&quot; onload=&quot;x"),
            ("a & b\u{1b}\u{202e}", "a &amp; b␛\u{fffd}"),
        ];
        for (text, expected) in cases {
            assert_eq!(Text(text).to_string(), expected);
        }
    }

    #[test]
    fn pairs_of_backticks_are_code_and_others_stay() {
        assert_eq!(Prose("a `b<` c").to_string(), "a <code>b&lt;</code> c");
        assert_eq!(Prose("`b_c`").to_string(), "<code>b_<wbr>c</code>");
        assert_eq!(Prose("a `b").to_string(), "a `b");
    }

    #[test]
    fn what_is_too_long_ends_in_an_ellipsis() {
        assert_eq!(shortened("größe", 5), "größe");
        assert_eq!(shortened("größer", 5), "größ…");
    }
}
