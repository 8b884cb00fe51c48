//! From rows to events.

use crate::declared::Declared;
use crate::json::Json;
use crate::kind::Sort;
use crate::log::Log;
use crate::log::collect::{Collector, Details, Named};

/// Reads a trace; `declared` are the events that it may have besides the built-in ones. Empty lines are skipped; rows that make no
/// sense are left out and reported in [`Log::problems`].
pub fn read(text: &[u8], declared: &[Declared]) -> Log {
    let mut collector = Collector::new(declared);
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let (text, rest) = match str::from_utf8(text) {
        Ok(text) => (text, None),
        // The rows before the byte that is wrong are read, so that what is wrong with them is reported too.
        Err(error) => {
            let valid = str::from_utf8(&text[..error.valid_up_to()]).unwrap_or("");
            (valid.rfind('\n').map_or("", |end| &valid[..end]), Some(valid))
        }
    };
    let mut rows = Rows { text, at: 0, line: 1, column: 1 };
    while let Some(row) = rows.next_row() {
        collector.without_time(row.line);
        match row.fields {
            Ok(fields) => {
                if let Err((at, message)) = take(&mut collector, &fields, row.line) {
                    let (line, column) = fields.get(at).map_or((row.line, 1), |it| it.place);
                    collector.problem(line, column, message);
                }
            }
            Err((line, column, message)) => collector.problem(line, column, message.to_owned()),
        }
    }
    if let Some(valid) = rest {
        let line = valid.matches('\n').count() + 1;
        let column = valid.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        collector.problem(line, column, "this byte is not UTF-8".to_owned());
    }
    collector.finish()
}

/// Takes the event of a row; else which field is wrong, and why.
fn take(collector: &mut Collector<'_>, fields: &[Field], line: usize) -> Result<(), (usize, String)> {
    let Some((name, given)) = fields.split_first() else { return Ok(()) };
    if name.text.is_empty() {
        return Err((0, "the name of the event is missing".to_owned()));
    }
    let named = collector.named(&name.text);
    let mut event = collector.begin(named, &name.text, line);
    let params: Vec<(&str, Sort)> = match named {
        Named::BuiltIn(kind) => kind.signature().params.to_vec(),
        Named::Declared(declared) => {
            declared.params.iter().map(|(name, sort)| (name.as_str(), *sort)).collect()
        }
        Named::Unknown => Vec::new(),
    };
    let (mut details, mut arguments) = (Details::default(), Vec::new());
    if !matches!(named, Named::Unknown) {
        if given.len() > params.len() {
            let count = if params.is_empty() { "no".to_owned() } else { format!("only {}", params.len()) };
            return Err((params.len() + 1, format!("`{}` has {count} arguments", name.text)));
        }
        for (index, (field, (param, sort))) in given.iter().zip(&params).enumerate() {
            let wrong = |message| (index + 1, message);
            let value = converted(&field.text, *sort);
            if let Named::BuiltIn(_) = named {
                collector.argument(&mut event, &mut details, param, &value).map_err(wrong)?;
            } else if *sort == Sort::Any && value.as_text().is_some() {
                arguments.push(collector.text_value(&field.text));
            } else {
                arguments.push(collector.value(param, *sort, &value).map_err(wrong)?);
            }
        }
    }
    collector.learn(&event, details);
    collector.push(named, &name.text, event, &arguments);
    Ok(())
}

/// What a field is for a parameter of that sort; a text where it cannot be that.
fn converted(text: &str, sort: Sort) -> Json {
    let whole = || {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let number = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
        let bound = if text.starts_with('-') { i64::MIN } else { i64::MAX };
        number.then(|| Json::Int(text.parse().unwrap_or(bound)))
    };
    let truth = || text.parse().ok().map(Json::Bool);
    let found = match sort {
        Sort::Int => whole(),
        Sort::Bool => truth(),
        Sort::Any => whole().or_else(truth),
        _ => None,
    };
    found.unwrap_or_else(|| Json::Text(text.to_owned()))
}

/// A value of a row.
struct Field {
    text: String,
    /// Line and column of its first character, from 1.
    place: (usize, usize),
}

/// A row: the line that it begins at, and its fields, or where it breaks off and why.
struct Row {
    line: usize,
    fields: Result<Vec<Field>, (usize, usize, &'static str)>,
}

/// The rows of a text that are still to come.
struct Rows<'t> {
    text: &'t str,
    at: usize,
    line: usize,
    column: usize,
}

impl Rows<'_> {
    /// The next character; a line break is one, however it is written.
    fn peek(&self) -> Option<char> {
        let rest = &self.text[self.at..];
        if rest.starts_with("\r\n") { Some('\n') } else { rest.chars().next() }
    }

    fn advance(&mut self) {
        let Some(next) = self.peek() else { return };
        self.at += if self.text[self.at..].starts_with("\r\n") { 2 } else { next.len_utf8() };
        (self.line, self.column) =
            if next == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
    }

    fn skip_line(&mut self) {
        while self.peek().is_some_and(|it| it != '\n') {
            self.advance();
        }
        self.advance();
    }

    /// The next row that is no comment.
    fn next_row(&mut self) -> Option<Row> {
        while matches!(self.peek()?, '#' | '\n') {
            self.skip_line();
        }
        let line = self.line;
        let fields = self.fields();
        if fields.is_err() {
            self.skip_line();
        }
        Some(Row { line, fields })
    }

    fn fields(&mut self) -> Result<Vec<Field>, (usize, usize, &'static str)> {
        let mut fields = Vec::new();
        loop {
            let place = (self.line, self.column);
            let text = if self.peek() == Some('"') { self.quoted()? } else { self.plain()? };
            fields.push(Field { text, place });
            match self.peek() {
                Some(',') => self.advance(),
                Some('\n') => {
                    self.advance();
                    return Ok(fields);
                }
                None => return Ok(fields),
                Some(_) => {
                    return Err((self.line, self.column, "expected `,` or the end of the line after `\"`"));
                }
            }
        }
    }

    fn plain(&mut self) -> Result<String, (usize, usize, &'static str)> {
        let mut text = String::new();
        while let Some(next) = self.peek().filter(|it| !matches!(it, ',' | '\n')) {
            if next == '"' {
                return Err((
                    self.line,
                    self.column,
                    "a value with `\"` in it stands in quotes, with each `\"` doubled",
                ));
            }
            text.push(next);
            self.advance();
        }
        Ok(text)
    }

    fn quoted(&mut self) -> Result<String, (usize, usize, &'static str)> {
        let begin = (self.line, self.column);
        let mut text = String::new();
        self.advance();
        while let Some(next) = self.peek() {
            let from = self.at;
            self.advance();
            if next != '"' {
                text.push_str(&self.text[from..self.at]);
            } else if self.peek() == Some('"') {
                text.push('"');
                self.advance();
            } else {
                return Ok(text);
            }
        }
        Err((begin.0, begin.1, "this `\"` is not closed"))
    }
}
