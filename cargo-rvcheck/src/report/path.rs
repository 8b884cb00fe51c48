//! How services outside name the files of a report: from the root of the repository.

/// The path from the root of the repository of a file that a report names; `workspace` is where the workspace lies in it.
pub(crate) fn in_repository(workspace: &str, file: &str) -> String {
    let file = file.replace('\\', "/");
    if file.starts_with('/') {
        return file;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in workspace.split('/').chain(file.split('/')) {
        match (part, parts.last()) {
            ("" | ".", _) => {}
            ("..", Some(last)) if *last != ".." => _ = parts.pop(),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// The path as a relative reference of RFC 3986: whatever is not an unreserved character or a slash is escaped.
pub(super) fn as_uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let digit = |it: u8| char::from_digit(u32::from(it), 16).unwrap_or('0').to_ascii_uppercase();
            uri.extend(['%', digit(byte >> 4), digit(byte & 0xF)]);
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_from_the_root_of_the_repository() {
        let cases = [
            ("", "src/lib.rs", "src/lib.rs"),
            ("services/bank/", "src/lib.rs", "services/bank/src/lib.rs"),
            ("services/bank/", "../shop/src/lib.rs", "services/shop/src/lib.rs"),
            ("bank/", "../../other/lib.rs", "../other/lib.rs"),
            ("bank/", r"src\lib.rs", "bank/src/lib.rs"),
            ("bank/", "/usr/lib.rs", "/usr/lib.rs"),
        ];
        for (workspace, file, expected) in cases {
            assert_eq!(in_repository(workspace, file), expected);
        }
    }

    #[test]
    fn a_uri_has_no_blanks_and_no_umlauts() {
        assert_eq!(as_uri("a b/größe%.rs"), "a%20b/gr%C3%B6%C3%9Fe%25.rs");
    }
}
