//! What a call calls, taken from the text of the callee.

use crate::marker::Number;
use crate::ty::{Ty, canonical, last, scan, segments};
use rvcheck_primitives::{Row, row};

/// A callee.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Callee {
    /// The path in the one form, such as `std::sync::Mutex::lock`; for a method of a trait `Trait::method`. Empty for a call
    /// through a pointer.
    pub path: String,
    /// The last segment of the trait whose method it is; `_` where the compiler says no name.
    pub of_trait: Option<String>,
    /// That trait by its path in the one form, without arguments.
    pub trait_path: Option<String>,
    /// That trait has type arguments, as `From<T>` has.
    pub is_generic_trait: bool,
    /// The type whose method it is, where the callee has the form `<T as Trait>::f`.
    pub self_type: Option<Ty>,
    /// The generic arguments of the function itself.
    pub generics: Vec<Ty>,
}

impl Callee {
    /// Reads the text of a callee.
    pub fn read(text: &str) -> Callee {
        let text = text.trim();
        if ["move ", "copy ", "const "].iter().any(|it| text.starts_with(it)) {
            return Callee::default();
        }
        let parts = segments(text);
        let generics = parts
            .last()
            .and_then(|it| it.strip_prefix('<')?.strip_suffix('>'))
            .filter(|it| !it.starts_with("impl "))
            .map(|it| scan::parts(it).into_iter().map(Ty::read).collect())
            .unwrap_or_default();
        let qualified = parts.first().and_then(|it| it.strip_prefix('<')?.strip_suffix('>'));
        // `<impl T>::f` is an inherent method, `<impl Fn() as Fn<()>>::call` is not.
        let is_type = |it: &&str| !it.starts_with("impl ") || find_as(it).is_some();
        let Some(qualified) = qualified.filter(is_type) else {
            return Callee {
                path: with_its_readers(canonical(text).into_owned(), &parts),
                generics,
                ..Callee::default()
            };
        };
        let rest = parts[1..].join("::");
        let Some(at) = find_as(qualified) else {
            let path = format!("{}::{}", canonical(qualified), canonical(&rest));
            return Callee { path, generics, self_type: Some(Ty::read(qualified)), ..Callee::default() };
        };
        let is_generic_trait = qualified[at + 4..].contains('<');
        let trait_path = canonical(&qualified[at + 4..]).into_owned();
        let of_trait = last(&trait_path).to_owned();
        let path = format!("{of_trait}::{}", canonical(&rest));
        let self_type = Some(Ty::read(&qualified[..at]));
        let (of_trait, trait_path) = (Some(of_trait), Some(trait_path));
        Callee { path, of_trait, trait_path, is_generic_trait, self_type, generics }
    }

    /// The name of the function.
    pub fn name(&self) -> &str {
        last(&self.path)
    }

    /// Whether it is that method of that trait.
    pub fn is_trait(&self, of_trait: &str, name: &str) -> bool {
        self.of_trait.as_deref() == Some(of_trait) && self.name() == name
    }

    /// The number of the site that is marked by this call, if it is a mark.
    pub fn mark(&self) -> Option<Number> {
        let known = matches!(self.name(), "__rv_site" | "__rv_await");
        self.generics.first().filter(|_| known)?.text().trim_end_matches("_u64").parse().ok().map(Number)
    }

    /// Whether it calls a function that is a value: a closure, or what is behind a pointer to one.
    pub fn invokes(&self) -> bool {
        matches!(self.of_trait.as_deref(), Some("Fn" | "FnMut" | "FnOnce"))
    }

    /// Whether it only hands on the value that it is given: a mark, or what stands around an awaited future.
    pub fn hands_on(&self) -> bool {
        is_mark(self.name()) || self.is_trait("IntoFuture", "into_future")
    }
}

/// Whether a function of that name marks a place, and gives what it is given.
pub(crate) fn is_mark(name: &str) -> bool {
    matches!(name, "__rv_site" | "__rv_await" | "__rv_atomic" | "__rv_asked")
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

/// The offset of the ` as ` outside all brackets.
fn find_as(text: &str) -> Option<usize> {
    let (mut depth, mut previous) = (0_i32, ' ');
    for (at, char) in text.char_indices() {
        match char {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' if matches!(previous, '-' | '=') => {}
            '>' | ')' | ']' | '}' => depth -= 1,
            ' ' if depth == 0 && text[at..].starts_with(" as ") => return Some(at),
            _ => {}
        }
        previous = char;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_of_a_callee_is_read() {
        let read = |text| {
            let it = Callee::read(text);
            (it.path.clone(), it.self_type.unwrap_or_default().text(), it.mark().map(|it| it.0))
        };
        let cases = [
            ("rvstd::sync::Mutex::<u32>::lock", ("std::sync::Mutex::lock", "", None)),
            (
                "<A<fn() -> B> as rvstd::future::IntoFuture>::into_future",
                ("IntoFuture::into_future", "A<fn() -> B>", None),
            ),
            ("<T as __rv::RvSite>::__rv_site::<22>", ("RvSite::__rv_site", "T", Some(22))),
            ("<T as _>::__rv_await::<7>", ("_::__rv_await", "T", Some(7))),
            ("<[u8]>::len", ("[u8]::len", "[u8]", None)),
            ("r#async::<impl rvflume::Sender<u64>>::send_async", ("flume::Sender::send_async", "", None)),
            (
                "rvparking_lot::rvlock_api::RwLock::<rvparking_lot::RawRwLock<true>, u8>::read",
                ("lock_api::RwLock::read_recursive", "", None),
            ),
            (
                "rvlock_api::RwLock::<rvparking_lot::RawRwLock, u8>::read",
                ("lock_api::RwLock::read", "", None),
            ),
            (
                "<impl Future<Output = u8> + '_ as IntoFuture>::into_future",
                ("IntoFuture::into_future", "impl Future<Output = u8> + '_", None),
            ),
            ("<impl Fn() as Fn<()>>::call", ("Fn::call", "impl Fn()", None)),
            ("move _3", ("", "", None)),
        ];
        for (text, (path, self_type, mark)) in cases {
            assert_eq!(read(text), (path.to_owned(), self_type, mark), "{text}");
        }
        assert_eq!(Callee::read("a::f::<A<B>, C>").generics, ["A<B>", "C"].map(Ty::read));
    }
}
