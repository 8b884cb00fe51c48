//! JSON: a value, read from text and written to it. Just enough for JSON lines.

use std::fmt::{self, Write as _};

/// How deep lists and maps may be nested.
const DEPTH: usize = 100;

/// A JSON value.
#[derive(Clone, PartialEq, Debug)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number without fraction and exponent that fits into 64 bits.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object, in the order of the text. Keys may occur twice; the first one counts.
    Map(Vec<(String, Json)>),
}

/// What is wrong with a text, and at which byte.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonError {
    /// The byte, from 0.
    pub at: usize,
    /// What was expected there.
    pub expected: &'static str,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no JSON: expected {} at column {}", self.expected, self.at + 1)
    }
}

impl std::error::Error for JsonError {}

impl Json {
    /// Reads one value; nothing but white space may follow.
    ///
    /// # Errors
    ///
    /// If the text is no JSON, or nested deeper than a hundred levels.
    pub fn parse(text: &str) -> Result<Json, JsonError> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(DEPTH)?;
        reader.skip_space();
        if reader.at == text.len() { Ok(value) } else { Err(reader.error("the end")) }
    }

    /// The value of a key of a map.
    pub fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Map(entries) => entries.iter().find(|(it, _)| it == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text of a string.
    pub fn as_text(&self) -> Option<&str> {
        if let Json::Text(text) = self { Some(text) } else { None }
    }

    /// The number of an integer.
    pub fn as_int(&self) -> Option<i64> {
        if let Json::Int(number) = self { Some(*number) } else { None }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Bool(it) => write!(f, "{it}"),
            Json::Int(it) => write!(f, "{it}"),
            // A fraction or exponent tells it from an integer when it is read again.
            Json::Float(it) if it.is_finite() => write!(f, "{it:?}"),
            Json::Null | Json::Float(_) => f.write_str("null"),
            Json::Text(it) => write_text(f, it),
            Json::List(items) => {
                f.write_char('[')?;
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        f.write_char(',')?;
                    }
                    write!(f, "{item}")?;
                }
                f.write_char(']')
            }
            Json::Map(entries) => {
                f.write_char('{')?;
                for (index, (key, value)) in entries.iter().enumerate() {
                    if index > 0 {
                        f.write_char(',')?;
                    }
                    write_text(f, key)?;
                    write!(f, ":{value}")?;
                }
                f.write_char('}')
            }
        }
    }
}

fn write_text(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for it in text.chars() {
        match it {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            // Some readers end a line at these two.
            '\0'..' ' | '\u{2028}' | '\u{2029}' => write!(f, "\\u{:04x}", u32::from(it))?,
            _ => f.write_char(it)?,
        }
    }
    f.write_char('"')
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn error(&self, expected: &'static str) -> JsonError {
        JsonError { at: self.at, expected }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn value(&mut self, depth: usize) -> Result<Json, JsonError> {
        self.skip_space();
        match self.peek() {
            Some(b'"') => self.string().map(Json::Text),
            Some(b'[' | b'{') if depth == 0 => Err(self.error("less nesting")),
            Some(b'[') => self.list(depth),
            Some(b'{') => self.map(depth),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => {
                for (word, value) in
                    [("null", Json::Null), ("true", Json::Bool(true)), ("false", Json::Bool(false))]
                {
                    if self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
                        self.at += word.len();
                        return Ok(value);
                    }
                }
                Err(self.error("a value"))
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Json, JsonError> {
        self.at += 1;
        let mut items = Vec::new();
        self.skip_space();
        if self.eat(b']') {
            return Ok(Json::List(items));
        }
        loop {
            items.push(self.value(depth - 1)?);
            self.skip_space();
            if self.eat(b']') {
                return Ok(Json::List(items));
            }
            if !self.eat(b',') {
                return Err(self.error("`,` or `]`"));
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<Json, JsonError> {
        self.at += 1;
        let mut entries = Vec::new();
        self.skip_space();
        if self.eat(b'}') {
            return Ok(Json::Map(entries));
        }
        loop {
            self.skip_space();
            let key = self.string()?;
            self.skip_space();
            if !self.eat(b':') {
                return Err(self.error("`:`"));
            }
            entries.push((key, self.value(depth - 1)?));
            self.skip_space();
            if self.eat(b'}') {
                return Ok(Json::Map(entries));
            }
            if !self.eat(b',') {
                return Err(self.error("`,` or `}`"));
            }
        }
    }

    fn number(&mut self) -> Result<Json, JsonError> {
        let start = self.at;
        self.eat(b'-');
        if !self.eat(b'0') {
            self.digits()?;
        }
        let mut whole = true;
        if self.eat(b'.') {
            whole = false;
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            whole = false;
            if !self.eat(b'+') {
                self.eat(b'-');
            }
            self.digits()?;
        }
        let text = &self.text[start..self.at];
        if whole && let Ok(number) = text.parse() {
            return Ok(Json::Int(number));
        }
        text.parse().map(Json::Float).map_err(|_| JsonError { at: start, expected: "a number" })
    }

    fn digits(&mut self) -> Result<(), JsonError> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at > start { Ok(()) } else { Err(self.error("a digit")) }
    }

    fn string(&mut self) -> Result<String, JsonError> {
        if !self.eat(b'"') {
            return Err(self.error("`\"`"));
        }
        let mut text = String::new();
        loop {
            let rest = &self.text[self.at..];
            let plain = rest.find(|it| it == '"' || it == '\\' || it < ' ').unwrap_or(rest.len());
            text.push_str(&rest[..plain]);
            self.at += plain;
            if self.eat(b'"') {
                return Ok(text);
            }
            if !self.eat(b'\\') {
                return Err(self.error("`\"`"));
            }
            text.push(self.escape()?);
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        let escaped = match self.peek() {
            Some(it @ (b'"' | b'\\' | b'/')) => char::from(it),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode();
            }
            _ => return Err(self.error("an escape")),
        };
        self.at += 1;
        Ok(escaped)
    }

    /// Four hexadecimal digits, or a pair of surrogates.
    fn unicode(&mut self) -> Result<char, JsonError> {
        let first = self.hex()?;
        if !(0xD800..0xDC00).contains(&first) {
            return char::from_u32(first).ok_or(self.error("a character before this"));
        }
        if !(self.eat(b'\\') && self.eat(b'u')) {
            return Err(self.error("the other half of the character"));
        }
        let second = self.hex()?;
        let low = second.checked_sub(0xDC00).filter(|it| *it < 0x400);
        low.and_then(|low| char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + low))
            .ok_or(self.error("the other half of the character before this"))
    }

    fn hex(&mut self) -> Result<u32, JsonError> {
        let digits = self.text.as_bytes().get(self.at..self.at + 4).and_then(|it| str::from_utf8(it).ok());
        let number = digits
            .filter(|it| it.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .and_then(|it| u32::from_str_radix(it, 16).ok())
            .ok_or(self.error("four hexadecimal digits"))?;
        self.at += 4;
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_their_text() {
        for text in [
            "null",
            "true",
            "[]",
            "{}",
            "-9223372036854775808",
            "1.5",
            "1e300",
            r#"{"a":[1,{"b":false}],"":"x"}"#,
            r#""\"\\\n\t\u0001 ü 😀""#,
        ] {
            let value = Json::parse(text).unwrap();
            assert_eq!(Json::parse(&value.to_string()).unwrap(), value, "{text}");
        }
    }

    #[test]
    fn escapes_are_understood() {
        let value = Json::parse(r#" "\u00e4\/\ud83d\ude00\b" "#).unwrap();
        assert_eq!(value, Json::Text("ä/😀\u{8}".into()));
    }

    #[test]
    fn what_is_no_json_is_refused_with_its_place() {
        for (text, at) in [
            ("", 0),
            ("[1,]", 3),
            ("{\"a\" 1}", 5),
            ("01", 1),
            ("-", 1),
            ("1.", 2),
            ("nul", 0),
            ("1 2", 2),
            ("\"a", 2),
            ("\"\n\"", 1),
            (r#""\x""#, 2),
            (r#""\u12g4""#, 3),
            (r#""\u12é""#, 3),
            (r#""\ud800""#, 7),
            (r#""\ud800\u0041""#, 13),
            ("[1}", 2),
        ] {
            assert_eq!(Json::parse(text).map_err(|it| it.at), Err(at), "{text}");
        }
        assert!(Json::parse(&"[".repeat(100_000)).is_err());
    }

    #[test]
    fn numbers_are_integers_as_far_as_they_fit() {
        assert_eq!(Json::parse("9223372036854775807"), Ok(Json::Int(i64::MAX)));
        assert!(matches!(Json::parse("9223372036854775808"), Ok(Json::Float(_))));
        assert!(matches!(Json::parse("1.0"), Ok(Json::Float(_))));
    }
}
