//! The list of files that rustc has read, by which cargo sees what to compile again: it has to name the originals.

use camino::{Utf8Path, Utf8PathBuf};

/// The list with every path replaced for which `original` knows another one. Paths are words in which a space is written
/// `\ `; comments, such as those about the environment, stay as they are.
pub fn mapped(text: &str, original: impl Fn(&Utf8Path) -> Option<Utf8PathBuf>) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.starts_with('#') {
            out.push_str(line);
            continue;
        }
        for word in words(line) {
            let path = word.trim_end_matches(['\n', '\r', ' ']);
            let (path, colon) = path.strip_suffix(':').map_or((path, ""), |it| (it, ":"));
            let end = &word[path.len() + colon.len()..];
            match original(Utf8Path::new(&path.replace("\\ ", " "))) {
                Some(other) => out.push_str(&other.as_str().replace(' ', "\\ ")),
                None => out.push_str(path),
            }
            out.push_str(colon);
            out.push_str(end);
        }
    }
    out
}

/// The line by which cargo compiles again when this environment variable gets another value; `None` stands for none.
pub fn environment(name: &str, value: Option<&str>) -> String {
    let value = value.map_or_else(String::new, |it| format!("={it}"));
    format!("# env-dep:{name}{value}\n")
}

/// The list with one more file, of which cargo looks at the first line alone.
pub fn with_file(text: &str, path: &Utf8Path) -> String {
    let is_rule = |line: &&str| !line.starts_with('#') && line.contains(": ");
    let Some(rule) = text.lines().find(is_rule) else { return text.to_owned() };
    text.replacen(rule, &format!("{rule} {}", path.as_str().replace(' ', "\\ ")), 1)
}

/// The files that this list says were read.
pub fn files(text: &str) -> Vec<Utf8PathBuf> {
    let rules = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(": "));
    let mut found: Vec<Utf8PathBuf> = Vec::new();
    for word in rules.flat_map(|(_, files)| words(files)) {
        found.push(word.trim_end().replace("\\ ", " ").into());
    }
    found.sort();
    found.dedup();
    found
}

/// The words of a line, each with the space behind it. A space behind a backslash belongs to the word.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let bytes = rest.as_bytes();
        let end = (0..bytes.len()).find(|&it| bytes[it] == b' ' && (it == 0 || bytes[it - 1] != b'\\'));
        let (word, after) = rest.split_at(end.map_or(rest.len(), |it| it + 1));
        rest = after;
        (!word.is_empty()).then_some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "/t/deps/it-1.d: /o/tests/it.rs /o/a\\ b/größe.rs /reg/x.rs\n\n\
        /o/tests/it.rs:\n/o/a\\ b/größe.rs:\n# env-dep:PATH=/o/x y\n";

    fn original(path: &Utf8Path) -> Option<Utf8PathBuf> {
        Some(Utf8Path::new("/my work").join(path.strip_prefix("/o").ok()?))
    }

    #[test]
    fn paths_are_mapped_and_the_rest_stays() {
        let expected = "/t/deps/it-1.d: /my\\ work/tests/it.rs /my\\ work/a\\ b/größe.rs /reg/x.rs\n\n\
            /my\\ work/tests/it.rs:\n/my\\ work/a\\ b/größe.rs:\n# env-dep:PATH=/o/x y\n";
        assert_eq!(mapped(LIST, original), expected);
        assert_eq!(mapped(LIST, |_| None), LIST);
    }

    #[test]
    fn one_more_file_is_read_back() {
        let list = with_file(LIST, Utf8Path::new("/s h/apes"));
        let mut expected = files(LIST);
        expected.push("/s h/apes".into());
        expected.sort();
        assert_eq!(files(&list), expected);
        assert_eq!(list.lines().count(), LIST.lines().count());
    }

    #[test]
    fn the_files_that_were_read_are_listed_once() {
        let expected = ["/my work/a b/größe.rs", "/my work/tests/it.rs", "/reg/x.rs"];
        assert_eq!(files(&mapped(LIST, original)), expected.map(Utf8PathBuf::from));
    }
}
