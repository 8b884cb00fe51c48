//! Names of events, arguments and groups, as properties write them.

use syn::{Error, LitStr, Result};

/// Checks a name in quotes; `what` it is the name of.
///
/// # Errors
///
/// If no property could write it.
pub(crate) fn check(name: &LitStr, what: &str) -> Result<()> {
    if is_name(&name.value()) {
        return Ok(());
    }
    Err(Error::new(
        name.span(),
        format!("the name of {what} has letters from a to z, digits and `_`, and begins with no digit"),
    ))
}

/// Whether a property can write it.
pub(crate) fn is_name(text: &str) -> bool {
    !text.starts_with(|it: char| it.is_ascii_digit())
        && !text.is_empty()
        && text.bytes().all(|it| it == b'_' || it.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_language() {
        for name in ["items", "Items", "_x", "a1", "_"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "1a", "a b", "a::b", "größe", "a-b", "::Ready"] {
            assert!(!is_name(name), "{name}");
        }
    }
}
