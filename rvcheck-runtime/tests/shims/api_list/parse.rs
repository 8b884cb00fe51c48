//! The parts of an item's text. See `tools/api-list` for its form.

/// An item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Item<'a> {
    /// `fn`, `async fn`, `type`…
    pub(super) kind: &'a str,
    /// The path or the type that it is about.
    pub(super) subject: &'a str,
    /// Its parameters, without the brackets.
    pub(super) parameters: &'a str,
    /// What is claimed of the subject.
    pub(super) claim: &'a str,
    /// What follows `where`.
    pub(super) conditions: &'a str,
}

const KINDS: [&str; 8] = ["type", "same", "const", "field", "impl", "not", "name", "unclear"];

impl<'a> Item<'a> {
    pub(crate) fn parse(text: &'a str) -> Option<Item<'a>> {
        let (kind, rest) = match text.find("fn ").filter(|at| *at <= "const async unsafe ".len()) {
            Some(at) if !KINDS[3..].iter().any(|it| text.starts_with(it)) => text.split_at(at + 3),
            _ => text.split_once(' ')?,
        };
        let kind = kind.trim_end();
        if !kind.ends_with("fn") && !KINDS.contains(&kind) {
            return None;
        }
        let whole = Item { kind, subject: rest, parameters: "", claim: "", conditions: "" };
        if matches!(kind, "name" | "unclear") {
            return Some(whole);
        }
        let at = rest.find(": <")?;
        let (subject, rest) = (&rest[..at], &rest[at + 2..]);
        let end = closing(rest)?;
        let (parameters, claim) = (&rest[1..end], &rest[end + 1..]);
        let (claim, conditions) = claim.split_once(" where ").unwrap_or((claim, ""));
        Some(Item { kind, subject, parameters, claim: claim.trim_start(), conditions })
    }

    /// The types of a function's arguments, and of what it gives.
    pub(super) fn signature(&self) -> Option<(Vec<&'a str>, &'a str)> {
        let end = closing(self.claim)?;
        let output = self.claim[end + 1..].strip_prefix(" -> ").unwrap_or("()");
        Some((split(&self.claim[1..end]), output))
    }

    /// The names of its parameters.
    pub(super) fn names(&self) -> Vec<&'a str> {
        split(self.parameters).into_iter().map(name_of).collect()
    }

    /// The names of its parameters that are types.
    pub(super) fn types(&self) -> Vec<&'a str> {
        let types = split(self.parameters)
            .into_iter()
            .filter(|it| !it.starts_with(['\'']) && !it.starts_with("const "));
        types.map(name_of).collect()
    }

    /// Its path without any arguments: `x::Sender::send` for `<x::Sender<T>>::send::<F>`.
    pub(crate) fn whole_path(&self) -> String {
        let without = |text: &'a str| text.split('<').next().unwrap_or(text).trim_end_matches("::");
        let inside = self.subject.strip_prefix('<').zip(closing(self.subject));
        let Some((inside, end)) = inside else { return without(self.subject).to_owned() };
        // Of `Type as Trait` the trait is what has the method.
        let owner = inside[..end - 1].rsplit(" as ").next().unwrap_or(inside);
        format!("{}{}", without(owner), without(&self.subject[end + 1..]))
    }

    /// The path of the trait that it says a type has.
    pub(super) fn of_trait(&self) -> Option<&'a str> {
        (self.kind == "impl").then(|| self.claim.split('<').next().unwrap_or(self.claim))
    }

    /// The path by which it is found in a module; `None` if it belongs to a type or a trait.
    pub(crate) fn path(&self) -> Option<&'a str> {
        let named = self.kind.ends_with("fn") || matches!(self.kind, "type" | "const" | "name");
        if !named || self.subject.starts_with('<') {
            return None;
        }
        let end = self.subject.find("::<").or_else(|| self.subject.find('<'));
        Some(&self.subject[..end.unwrap_or(self.subject.len())])
    }
}

/// Where the bracket closes that the text begins with.
pub(super) fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut before = ' ';
    for (at, letter) in text.char_indices() {
        match letter {
            '<' | '(' | '[' => depth += 1,
            // Not that of an arrow.
            '>' if before == '-' => {}
            '>' | ')' | ']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
        before = letter;
    }
    None
}

/// The parts between the commas that are in no brackets.
pub(super) fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start, mut before) = (0_i32, 0, ' ');
    for (at, letter) in text.char_indices() {
        match letter {
            '<' | '(' | '[' => depth += 1,
            '>' if before == '-' => {}
            '>' | ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        before = letter;
    }
    parts.push(text[start..].trim());
    parts.retain(|it| !it.is_empty());
    parts
}

/// The name of a parameter, without its bounds.
fn name_of(parameter: &str) -> &str {
    let parameter = parameter.strip_prefix("const ").unwrap_or(parameter);
    parameter.split(':').next().unwrap_or(parameter).trim()
}

/// Whether the text names this path, and not only a longer one.
pub(super) fn mentions(text: &str, path: &str) -> bool {
    let part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ':' | '#');
    text.match_indices(path).any(|(at, _)| {
        let after = text[at + path.len()..].strip_prefix("::<").map_or(&text[at + path.len()..], |_| "");
        !text[..at].ends_with(part) && !after.starts_with(part)
    })
}
