//! Declares what a newer version adds to the types of a shim.
//!
//! A method that passes on its arguments, and speaks of no other type of the shim, needs nobody to write it: a line of `forwards!`
//! is put beside the type. Whoever reviews the line decides whether there is something to record. Everything else stays with a
//! question mark in the list.

use std::fs;
use std::path::{Path, PathBuf};

use super::line::{Line, State};
use super::list::List;
use super::parse::{Item, closing, mentions, split};

/// Declares the methods among these lines that are left out and not explained. Whether there were any.
pub(super) fn declare(list: &List, older: &[&List], lines: &[Line]) -> bool {
    let own: Vec<&str> =
        lines.iter().filter(|it| it.state == State::Wrapped).filter_map(Line::type_path).collect();
    let shim = list.path.ancestors().nth(2).unwrap();
    let mut any = false;
    for line in lines
        .iter()
        .filter(|it| matches!(&it.state, State::LeftOut(reason) if reason == super::list::UNEXPLAINED))
    {
        let Some(method) = Item::parse(&line.item).and_then(|it| Method::of(&it, &list.krate, &own)) else {
            continue;
        };
        let is_new =
            !older.is_empty() && older.iter().all(|it| it.lines.iter().all(|it| it.item != line.item));
        let condition = is_new.then(|| condition(&list.krate, &list.version));
        let Some(file) = file_of(shim, &method) else { continue };
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, method.declared_in(&text, condition.as_deref())).unwrap();
        any = true;
    }
    any
}

/// A method that only passes on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Method {
    /// The module of its type, below the crate.
    module: Vec<String>,
    /// `Sender`.
    name: String,
    /// `[T] Sender<T>`.
    head: String,
    /// `pub fn len(&self) -> usize;`.
    signature: String,
}

impl Method {
    /// The method that this item is, if it passes on what it is given. `own` are the types of the shim.
    pub(crate) fn of(item: &Item<'_>, krate: &str, own: &[&str]) -> Option<Method> {
        if item.kind != "fn" || !item.conditions.is_empty() || !item.subject.starts_with('<') {
            return None;
        }
        let end = closing(item.subject)?;
        let (of, method) = (&item.subject[1..end], item.subject[end + 1..].strip_prefix("::")?);
        let path = of.split('<').next()?;
        let (inputs, output) = item.signature()?;
        let (receiver, arguments) = inputs.split_first()?;
        if !own.contains(&path) || method.contains('<') {
            return None;
        }
        let receiver = match elided(receiver).strip_suffix(&*elided(of))? {
            "&" => "&self",
            "&mut " => "&mut self",
            "" => "self",
            _ => return None,
        };
        let (of_same, rest) = match arguments {
            [other] if elided(other) == format!("&{}", elided(of)) => (true, &[][..]),
            _ => (false, arguments),
        };
        // The real types in the place of those of the shim would be wrong.
        if own.iter().any(|it| rest.iter().chain([&output]).any(|text| mentions(text, it))) {
            return None;
        }
        let mut given = vec![receiver.to_owned()];
        given.extend(of_same.then(|| "other: &Self".to_owned()));
        given.extend(rest.iter().enumerate().map(|(at, it)| format!("argument_{at}: {}", real(it, krate))));
        let output = if output == "()" { String::new() } else { format!(" -> {}", real(output, krate)) };
        let signature = format!("pub fn {method}({}){output};", given.join(", "));
        let parameters = split(item.parameters).into_iter().filter(|it| !it.starts_with("'l"));
        let parameters = parameters.map(|it| it.replace("std::marker::", "")).collect::<Vec<_>>().join(", ");
        let segments: Vec<&str> = path.split("::").skip(1).collect();
        let (name, module) = segments.split_last()?;
        let head = format!("[{parameters}] {name}{}", &of[path.len()..]);
        let module = module.iter().map(|it| (*it).to_owned()).collect();
        Some(Method { module, name: (*name).to_owned(), head, signature })
    }

    /// The text of a file with this method in it, under a condition.
    pub(crate) fn declared_in(&self, text: &str, condition: Option<&str>) -> String {
        let condition = condition.map(|it| format!("#[cfg({it})] ")).unwrap_or_default();
        let declared = format!("        {condition}{}\n", self.signature);
        let block = format!("    {} {{\n", self.head);
        if let Some(at) = text.find(&block) {
            let end = at + text[at..].find("\n    }").map_or(block.len(), |it| it + 1);
            return format!("{}{declared}{}", &text[..end], &text[end..]);
        }
        let at = text.find("\nrt::exchanged!").unwrap_or(text.len());
        format!("{}\nrt::forwards! {{\n{block}{declared}    }}\n}}\n{}", &text[..at], &text[at..])
    }
}

/// A type with its lifetimes left out.
fn elided(of: &str) -> String {
    of.split('&')
        .map(|it| it.strip_prefix('\'').and_then(|it| Some(it.split_once(' ')?.1)).unwrap_or(it))
        .collect::<Vec<_>>()
        .join("&")
}

/// A type as the shim names it.
fn real(of: &str, krate: &str) -> String {
    elided(of).replace(&format!("{krate}::"), "real::")
}

/// What the compiler is told from this version on.
pub(crate) fn condition(krate: &str, version: &str) -> String {
    let numbers: Vec<u64> = version.split('.').map(|it| it.parse().unwrap()).collect();
    match numbers.as_slice() {
        [0, minor, 0] => format!("rv_{krate}_0_{minor}"),
        [0, minor, patch] => format!("any(rv_{krate}_0_{}, rv_{krate}_0_{minor}_{patch})", minor + 1),
        [major, minor, ..] => format!("rv_{krate}_{major}_{minor}"),
        _ => panic!("{version} is no version"),
    }
}

/// The file of a type: below its module, or that itself.
fn file_of(shim: &Path, method: &Method) -> Option<PathBuf> {
    let structure = format!("pub struct {}", method.name);
    let has = |file: &PathBuf| {
        let text = fs::read_to_string(file).unwrap_or_default();
        text.match_indices(&structure)
            .any(|(at, _)| !text[at + structure.len()..].starts_with(char::is_alphanumeric))
    };
    let mut files = Vec::new();
    below(shim, &mut files);
    files.retain(|it| {
        let place: Vec<_> = it
            .strip_prefix(shim)
            .unwrap()
            .with_extension("")
            .iter()
            .map(|it| it.to_str().unwrap().to_owned())
            .collect();
        place.starts_with(&method.module) && has(it)
    });
    files.sort_by_key(|it| it.components().count());
    files.into_iter().next()
}

fn below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            below(&path, files);
        } else if path.extension().is_some_and(|it| it == "rs") {
            files.push(path);
        }
    }
}
