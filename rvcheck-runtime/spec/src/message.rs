//! Messages of properties: text with the names of a violation's objects filled in.

/// The message with every `{name}` for which `name_of` knows something replaced. A brace that encloses nothing known is
/// text.
pub fn filled(message: &str, mut name_of: impl FnMut(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(open) = rest.find('{') {
        let (before, from) = rest.split_at(open);
        out.push_str(before);
        let name = from[1..].split_once('}').and_then(|(name, after)| Some((name_of(name)?, after)));
        match name {
            Some((name, after)) => {
                out.push_str(&name);
                rest = after;
            }
            None => {
                out.push('{');
                rest = &from[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_filled_in_and_other_braces_stay() {
        let name = |name: &str| (name == "u").then(|| "the task".to_owned());
        let cases = [
            ("", ""),
            ("{u} is lost", "the task is lost"),
            ("from {t} to {u}{u}", "from {t} to the taskthe task"),
            ("{ {u} and {}", "{ the task and {}"),
            ("open {u", "open {u"),
        ];
        for (message, expected) in cases {
            assert_eq!(filled(message, name), expected);
        }
    }
}
