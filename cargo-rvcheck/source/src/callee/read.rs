//! From the text of a callee to what it says.

use super::Node;
use crate::ty::{Ty, canonical, last, scan, segments};
use rvcheck_primitives::{Row, adapter, adapters_named, named, row, row_of};
use std::sync::OnceLock;

impl Node {
    pub(super) fn read(text: &'static str) -> Node {
        if ["move ", "copy ", "const "].iter().any(|it| text.starts_with(it)) {
            return Node::of(text, String::new());
        }
        let parts = segments(text);
        let generics = parts
            .last()
            .and_then(|it| it.strip_prefix('<')?.strip_suffix('>'))
            .map(|it| scan::parts(it).into_iter().map(Ty::read).collect())
            .unwrap_or_default();
        let qualified = parts.first().and_then(|it| it.strip_prefix('<')?.strip_suffix('>'));
        // `<impl T>::f` is an inherent method, `<impl Fn() as Fn<()>>::call` is not.
        let is_type = |it: &&str| !it.starts_with("impl ") || find_as(it).is_some();
        let Some(qualified) = qualified.filter(is_type) else {
            let path = with_its_readers(canonical(text).into_owned(), &parts);
            return Node { generics, ..Node::of(text, path) };
        };
        let rest = parts[1..].join("::");
        let Some(at) = find_as(qualified) else {
            let path = format!("{}::{}", canonical(qualified), canonical(&rest));
            return Node { generics, self_type: Some(Ty::read(qualified)), ..Node::of(text, path) };
        };
        let trait_path: &str = String::leak(canonical(&qualified[at + 4..]).into_owned());
        Node {
            of_trait: Some(last(trait_path)),
            trait_path: Some(trait_path),
            is_generic_trait: qualified[at + 4..].contains('<'),
            self_type: Some(Ty::read(&qualified[..at])),
            generics,
            ..Node::of(text, format!("{}::{}", last(trait_path), canonical(&rest)))
        }
    }

    /// A function of that path.
    pub(super) fn of(text: &'static str, path: String) -> Node {
        let path: &str = if path == text { text } else { String::leak(path) };
        let (name, owner) = (last(path), path.rsplit("::").nth(1).unwrap_or_default());
        Node {
            text,
            path,
            name,
            owner,
            of_trait: None,
            trait_path: None,
            is_generic_trait: false,
            self_type: None,
            generics: Vec::new(),
            row: row(path),
            likely_row: row_of(path),
            types: OnceLock::new(),
            adapter: adapter(owner, name),
            adapters: adapters_named(name),
            rows: named(name),
        }
    }
}

/// The path by which others are read as a `RecursiveRwLock` of `parking_lot` is: past writers that wait.
fn with_its_readers(path: String, parts: &[&str]) -> String {
    let Some(Row { owner, operation }) = row(&path) else { return path };
    let Some(recursively) = operation.recursive else { return path };
    let arguments = parts.iter().rev().nth(1).and_then(|it| it.strip_prefix('<')?.strip_suffix('>'));
    let raw = arguments.and_then(|it| scan::parts(it).first().copied()).unwrap_or_default();
    let is_recursive = raw.starts_with("rvparking_lot::") && raw.ends_with("::RawRwLock<true>");
    if is_recursive { format!("{}::{recursively}", owner.path) } else { path }
}

/// The types that a text names.
pub(super) fn types_in(text: &str) -> Vec<Ty> {
    let mut found = Vec::new();
    for segment in segments(text) {
        let Some(inner) = segment.strip_prefix('<').and_then(|it| it.strip_suffix('>')) else { continue };
        if let Some(at) = find_as(inner) {
            found.push(Ty::read(&inner[..at]));
            found.extend(Ty::read(&inner[at + 4..]).arguments());
        } else if let Some(of) = inner.strip_prefix("impl ").filter(|it| !it.contains(' ')) {
            found.push(Ty::read(of));
        } else {
            found.extend(scan::parts(inner).into_iter().map(Ty::read));
        }
    }
    found
}

/// The offset of the ` as ` outside all brackets.
fn find_as(text: &str) -> Option<usize> {
    scan::find_outside(text, |it| it.starts_with(" as "))
}
