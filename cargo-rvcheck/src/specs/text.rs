//! From a byte in the value of a TOML string to the byte of the file that it was written with.

/// The offset in the file of byte `offset` of a string's value, where `raw` is the string as it stands in the file, quotes
/// included, and begins at `start`.
pub(super) fn offset_in_file(raw: &str, start: usize, offset: usize) -> usize {
    let quotes = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|it| raw.starts_with(it)).unwrap_or("");
    let mut at = quotes.len();
    // A newline right after the opening quotes of a multi-line string does not belong to the value.
    if quotes.len() == 3 {
        let rest = &raw[at..];
        at += if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with('\n')) };
    }
    let escapes = quotes.starts_with('"');
    let mut value = 0;
    while value < offset && at < raw.len() {
        let (taken, given) = if escapes { step(&raw[at..]) } else { plain(&raw[at..]) };
        at += taken;
        value += given;
    }
    start + at
}

/// How many bytes the next character takes in the file, and how many in the value.
fn plain(rest: &str) -> (usize, usize) {
    let size = rest.chars().next().map_or(1, char::len_utf8);
    (size, size)
}

/// The same in a string with escapes.
fn step(rest: &str) -> (usize, usize) {
    let Some(escaped) = rest.strip_prefix('\\') else { return plain(rest) };
    let digits = match escaped.chars().next() {
        Some('x') => 2,
        Some('u') => 4,
        Some('U') => 8,
        // A backslash at the end of a line swallows the white space that follows.
        Some(white) if white.is_whitespace() => {
            return (1 + escaped.len() - escaped.trim_start().len(), 0);
        }
        _ => return (2, 1),
    };
    let code =
        escaped.get(1..=digits).and_then(|hex| u32::from_str_radix(hex, 16).ok()).and_then(char::from_u32);
    (2 + digits, code.map_or(1, char::len_utf8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_byte_of_the_file_is_found_behind_quotes_and_escapes() {
        // The string as it stands in the file, an offset in its value, and the byte in the file.
        let cases = [
            (r#""abc""#, 0, 1),
            (r#""abc""#, 2, 3),
            ("'abc'", 1, 2),
            (r#""a\"b""#, 2, 4),
            (r#""\u00e4b""#, 2, 7),
            ("\"\"\"\nab\"\"\"", 1, 5),
            ("'''ab'''", 1, 4),
            ("\"\"\"a\\\n   b\"\"\"", 1, 4),
        ];
        for (raw, offset, expected) in cases {
            assert_eq!(offset_in_file(raw, 0, offset), expected, "{raw} at {offset}");
        }
        assert_eq!(offset_in_file("\"a\"", 10, 99), 13, "it never goes beyond the string");
    }
}
