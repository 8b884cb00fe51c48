//! Paths as the compiler writes them in MIR.
//!
//! The compiler names an item by some path under which it is visible, and in statements by its last segment alone where that is
//! unique. So a path is brought to one form first: the crate whose shim it is of, no generic arguments, `std` for `core` and
//! `alloc`.

use super::scan::{closing, split};
use rvcheck_primitives::SEEN_THROUGH;
use std::borrow::Cow;

/// The crates that have a shim, which is called the same with `rv` before it.
const SHIMMED: [&str; 16] = [
    "async_channel",
    "async_lock",
    "core",
    "crossbeam",
    "crossbeam_channel",
    "event_listener",
    "flume",
    "futures_channel",
    "futures_executor",
    "futures_util",
    "lock_api",
    "once_cell",
    "parking_lot",
    "std",
    "tokio",
    "tokio_util",
];

/// The parts of a path between `::` outside all brackets.
pub fn segments(path: &str) -> Vec<&str> {
    split(path, "::")
}

/// A path in the one form: `rvparking_lot::rvlock_api::Mutex::<R, T>::lock` is `lock_api::Mutex::lock`. Most are a part of what is
/// written.
pub fn canonical(path: &str) -> Cow<'_, str> {
    let path = path.trim();
    match plain(path) {
        Some(names) => in_one_form(names),
        None => Cow::Owned(in_one_form(&without_arguments(path)).into_owned()),
    }
}

/// The names of a path that has generic arguments at its end alone, or none.
fn plain(path: &str) -> Option<&str> {
    let is_name = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b':');
    let Some(end) = path.bytes().position(|it| !is_name(it)) else { return Some(path) };
    let at_end = || closing(&path[end..]).is_some_and(|(_, after)| end + after == path.len());
    (end > 0 && path.as_bytes()[end] == b'<' && !path[..end].ends_with("::") && at_end())
        .then(|| &path[..end])
}

/// The names of a path, without all generic arguments.
fn without_arguments(path: &str) -> String {
    let mut names: Vec<String> = Vec::new();
    let all = segments(path);
    for (at, segment) in all.iter().enumerate() {
        // At the end it is an argument of a generic function.
        let of = segment.strip_prefix("<impl ").and_then(|it| it.strip_suffix('>'));
        if let Some(of) = of.filter(|_| at + 1 < all.len()) {
            // An inherent impl in another module than its type.
            if !of.starts_with("at ") {
                names = segments(&canonical(of)).into_iter().map(str::to_owned).collect();
            }
            continue;
        }
        if segment.starts_with('<') {
            continue;
        }
        let end = if segment.starts_with(['{', '(', '[', '&']) {
            segment.len()
        } else {
            segment.find('<').unwrap_or(segment.len())
        };
        let name = segment[..end].trim();
        names.push(name.strip_prefix("r#").unwrap_or(name).to_owned());
    }
    names.join("::")
}

/// The path of these names from the crate on that has the item itself.
fn in_one_form(names: &str) -> Cow<'_, str> {
    let mut path = names;
    let mut end = names.len();
    // The last crate that has a shim, if any.
    while end > 0 {
        let begin = names[..end].rfind("::").map_or(0, |it| it + 2);
        if let Some(name) = crate_shimmed_by(&names[begin..end]) {
            path = &names[end - name.len()..];
            break;
        }
        end = begin.saturating_sub(2);
    }
    let of_std = ["core::", "alloc::"].iter().find_map(|it| path.strip_prefix(it));
    let path = match of_std {
        Some(rest) => Cow::Owned(format!("std::{rest}")),
        None => Cow::Borrowed(path),
    };
    let seen = SEEN_THROUGH.iter().find_map(|(from, to)| Some(format!("{to}{}", path.strip_prefix(from)?)));
    seen.map_or(path, Cow::Owned)
}

/// The crate that a segment names by its shim.
fn crate_shimmed_by(segment: &str) -> Option<&str> {
    if segment == "lock_api" {
        return Some(segment);
    }
    let name = segment.strip_prefix("rv")?;
    SHIMMED.contains(&name).then_some(name)
}

/// Whether a path in the one form is of std.
pub fn is_of_std(path: &str) -> bool {
    path.starts_with("std::")
}

/// The last segment of a path in the one form.
pub fn last(path: &str) -> &str {
    // This is asked millions of times, and a search for one byte is much faster than one for two.
    let mut end = path.len();
    while let Some(at) = path[..end].rfind(':') {
        if path[..at].ends_with(':') {
            return &path[at + 1..];
        }
        end = at;
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ty::scan::parts;
    use std::fs;

    #[test]
    fn each_crate_that_has_a_shim_is_known_by_its_own_name() {
        let shims = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rvcheck-runtime/shims");
        let folders = fs::read_dir(shims).expect("the shims are there");
        let mut names: Vec<String> = folders
            .filter_map(Result::ok)
            .filter(|it| it.path().join("shim.toml").exists())
            .map(|it| it.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        assert_eq!(names, SHIMMED);
    }

    #[test]
    fn a_path_has_one_form_whatever_it_was_seen_through() {
        let cases = [
            ("rvstd::sync::Mutex::<Vec<(u8, fn() -> u8)>>::lock", "std::sync::Mutex::lock"),
            ("rvparking_lot::rvlock_api::Mutex::<R, T>::lock", "lock_api::Mutex::lock"),
            ("rvparking_lot::ArcMutexGuard<R, T>", "lock_api::ArcMutexGuard"),
            ("dashmap::Entry::<'_, K, V>::or_insert", "dashmap::mapref::entry::Entry::or_insert"),
            ("parking_lot::lock_api::MutexGuard<'_, R, T>", "lock_api::MutexGuard"),
            ("r#async::<impl rvflume::Sender<u64>>::send_async", "flume::Sender::send_async"),
            ("tokio::time::timeout::<impl Future<Output = u8>>", "tokio::time::timeout"),
            ("core::slice::<impl [u8]>::len", "[u8]::len"),
            ("alloc::sync::Arc<T>", "std::sync::Arc"),
            ("S::<T>::twice", "S::twice"),
            ("block_on::<{async fn body of S::f()}>", "block_on"),
            ("a::<impl at src/db.rs:3:1: 3:7>::get", "a::get"),
        ];
        for (path, expected) in cases {
            assert_eq!(canonical(path), expected, "{path}");
        }
    }

    #[test]
    fn no_text_makes_it_fail() {
        for text in
            ["", "::", "<", ">", "a<", "&", "&'", "*", "(", "[", "<impl ", "a::<impl >", "é::<é>", "{", "-"]
        {
            let _ = (canonical(text), last(text), parts(text));
        }
    }
}
