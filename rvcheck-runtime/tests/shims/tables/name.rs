//! The name of an item in a table.

use std::fmt;

/// The end of a path: `sync::Mutex`, `Semaphore::split`, `select`.
pub(crate) struct Name(Vec<String>);

impl Name {
    /// What this says: `runtime::{Runtime, Handle}::block_on` are two names, and `select!` is one of a macro. Parts that are not
    /// named in full, as in `try_…_for` or `try_`, say nothing.
    pub(crate) fn all(written: &str) -> Vec<Name> {
        if written.contains('…') || written.ends_with('_') {
            return Vec::new();
        }
        if let (Some((before, rest)), Some((_, after))) = (written.split_once('{'), written.split_once('}')) {
            let among = rest.split('}').next().unwrap_or_default().split(',');
            return among.flat_map(|it| Name::all(&format!("{before}{}{after}", it.trim()))).collect();
        }
        let written = written.trim_start_matches("#[").trim_end_matches([']', '!']);
        let written = written.split(['(', '<']).next().unwrap_or_default();
        let parts: Vec<String> = written.split("::").map(str::to_owned).collect();
        let named =
            parts.iter().all(|it| !it.is_empty() && it.chars().all(|it| it.is_alphanumeric() || it == '_'));
        if named { vec![Name(parts)] } else { Vec::new() }
    }

    /// Whether it means what is found by this path, or the module that it is in, or something that belongs to it.
    pub(crate) fn covers(&self, path: &str) -> bool {
        let path: Vec<&str> = path.split("::").map(|it| it.trim_start_matches("r#")).skip(1).collect();
        self.begins_in(path.join("::").as_str()) || path.windows(self.0.len()).any(|it| it == self.parts())
    }

    /// Whether an item with this path has this name, lies in a module of this name, or belongs to a type of this name.
    pub(crate) fn is_in(&self, path: &str) -> bool {
        let path: Vec<&str> = path.split("::").map(|it| it.trim_start_matches("r#")).collect();
        path.windows(self.0.len()).any(|it| it == self.parts())
    }

    /// Whether this path ends where the name begins, as that of a type of which the name is a method.
    pub(crate) fn begins_in(&self, path: &str) -> bool {
        let path: Vec<&str> = path.split("::").collect();
        (1..=self.0.len()).any(|end| path.ends_with(&self.parts()[..end]))
    }

    fn parts(&self) -> Vec<&str> {
        self.0.iter().map(String::as_str).collect()
    }
}

/// Whether the text has this path in it, and not only a longer one.
pub(crate) fn mentions(text: &str, path: &str) -> bool {
    let part = |it: char| it.is_alphanumeric() || it == '_';
    text.match_indices(path).any(|(at, _)| {
        let longer =
            text[..at].ends_with(|it| part(it) || it == ':') || text[at + path.len()..].starts_with(part);
        !longer
    })
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("::"))
    }
}
