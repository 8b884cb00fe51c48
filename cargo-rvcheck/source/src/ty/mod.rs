//! Types as the compiler writes them in MIR, each interned once and taken apart once.
//!
//! A [`Ty`] is a handle: it is copied, and compared by identity. What it is made by, with which arguments, and what else is asked of a type
//! again and again is found when it is first asked for, so that no text, however deep, makes reading fail.

mod interner;
pub mod path;
pub(crate) mod scan;
mod shape;

use self::path::last;
use self::shape::Shape;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

pub use self::shape::TyKind;

/// A type. There is one of each text, for as long as the process lives. The default is that of what has no type that is known.
#[derive(Clone, Copy)]
pub struct Ty(&'static Node);

/// What is known of a type.
struct Node {
    text: &'static str,
    shape: OnceLock<Shape>,
}

impl Ty {
    /// The type that a text says.
    pub fn read(text: &str) -> Ty {
        interner::interned(text)
    }

    /// The text, as the compiler wrote it.
    pub const fn text(self) -> &'static str {
        self.0.text
    }

    fn shape(self) -> &'static Shape {
        self.0.shape.get_or_init(|| Shape::of(self.0.text))
    }

    /// Which form it has.
    pub fn kind(self) -> TyKind {
        self.shape().kind
    }

    /// What it is made with: `std::sync::Mutex` for `rvstd::sync::Mutex<u32>`, `&` for a reference or pointer, and the whole text for
    /// tuples, closures and state machines.
    pub fn head(self) -> &'static str {
        self.shape().head
    }

    /// The last segment of its head.
    pub fn name(self) -> &'static str {
        last(self.head())
    }

    /// It without what it is made with: `Vec` for `Vec<u8>`.
    pub fn without_arguments(self) -> Ty {
        Ty::read(self.head())
    }

    /// The last segment of its head, or of that of what it refers to: `Vec` for `&mut Vec<u8>`.
    pub fn bare_name(self) -> &'static str {
        let mut ty = self;
        while let Some(inner) = ty.referent().filter(|_| ty.is_reference()) {
            ty = inner;
        }
        ty.name()
    }

    /// The types among its generic arguments, or the elements of a tuple or array.
    pub fn arguments(self) -> &'static [Ty] {
        &self.shape().arguments
    }

    /// The argument of that number.
    pub fn argument(self, number: usize) -> Option<Ty> {
        self.arguments().get(number).copied()
    }

    /// What a reference or raw pointer points to.
    pub fn referent(self) -> Option<Ty> {
        self.shape().referent
    }

    /// What it points to where it is a reference or raw pointer, and itself where it is none.
    pub fn pointee(self) -> Ty {
        self.referent().unwrap_or(self)
    }

    /// Whether it is a reference through which nothing else can be reached meanwhile.
    pub fn is_exclusive(self) -> bool {
        self.kind() == TyKind::Reference { mutable: true }
    }

    /// Whether it is a reference.
    pub fn is_reference(self) -> bool {
        matches!(self.kind(), TyKind::Reference { .. })
    }

    /// Whether it is a reference or a raw pointer.
    pub fn is_pointer(self) -> bool {
        matches!(self.kind(), TyKind::Reference { .. } | TyKind::Pointer { .. })
    }

    /// Whether that is what it is made with.
    pub fn is(self, head: &str) -> bool {
        self.head() == head
    }

    /// The closure that it is, or has in it at once.
    pub fn closure(self) -> Option<Ty> {
        closure_in(self.0.text)
    }

    /// The closures that its text names.
    pub(crate) fn closures(self) -> impl Iterator<Item = Ty> {
        closures_in(self.0.text)
    }

    /// Whether there is none.
    pub const fn is_unknown(self) -> bool {
        self.0.text.is_empty()
    }
}

/// The closures that a text names.
pub(crate) fn closures_in(text: &str) -> impl Iterator<Item = Ty> {
    text.match_indices("{closure@").filter_map(|(at, _)| text[at..].split_inclusive('}').next()).map(Ty::read)
}

/// The closure that a type or constant is, or has in it at once.
pub fn closure_in(text: &str) -> Option<Ty> {
    let at = text.find("{closure@")?;
    let is_plain = |it: char| it.is_alphanumeric() || "_:<&' ".contains(it);
    let end = text[..at].chars().all(is_plain).then(|| text[at..].find('}'))??;
    Some(Ty::read(&text[at..=at + end]))
}

impl Default for Ty {
    fn default() -> Ty {
        static UNKNOWN: Node = Node { text: "", shape: OnceLock::new() };
        Ty(&UNKNOWN)
    }
}

impl PartialEq for Ty {
    fn eq(&self, other: &Ty) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Ty {}

impl Hash for Ty {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.0, state);
    }
}

impl Ord for Ty {
    /// By the texts, so that the order is the same in each run.
    fn cmp(&self, other: &Ty) -> Ordering {
        if self == other { Ordering::Equal } else { self.text().cmp(other.text()) }
    }
}

impl PartialOrd for Ty {
    fn partial_cmp(&self, other: &Ty) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl fmt::Debug for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(ty: &str) -> Vec<&'static str> {
        Ty::read(ty).arguments().iter().map(|it| it.text()).collect()
    }

    #[test]
    fn one_text_is_one_type() {
        let (one, other) = (Ty::read("Vec<u8>"), Ty::read("Vec<u16>"));
        assert_eq!(one, Ty::read(" Vec<u8>"));
        assert_ne!(one, other);
        assert_eq!(Ty::read("Option<Vec<u8>>").argument(0), Some(one));
        assert_eq!(Ty::read(""), Ty::default());
        assert!(other < one);
    }

    #[test]
    fn a_type_is_taken_apart() {
        assert_eq!(Ty::read("rvstd::result::Result<A<'_, B>, C>").head(), "std::result::Result");
        assert_eq!(Ty::read("&'a rvstd::sync::Mutex<u32>").pointee().name(), "Mutex");
        assert_eq!(texts("Result<A<'_, B>, fn(C, D) -> E>"), ["A<'_, B>", "fn(C, D) -> E"]);
        assert_eq!(texts("std::sync::MutexGuard<'_, u32>"), ["u32"]);
        assert_eq!(texts("(A, [B; 3])"), ["A", "[B; 3]"]);
        assert_eq!(texts("[B; 3]"), ["B"]);
        assert_eq!(texts("{async fn body of a<B>()}"), [""; 0]);
        assert_eq!(Ty::read("&'a mut T").referent(), Some(Ty::read("T")));
        assert_eq!(Ty::read("*const T").referent(), Some(Ty::read("T")));
        assert_eq!(Ty::read("T").referent(), None);
        assert!(Ty::read("&'a mut T").is_exclusive() && !Ty::read("&T").is_exclusive());
    }

    #[test]
    fn each_form_of_a_type_is_known() {
        let cases = [
            ("", TyKind::Unknown),
            ("&T", TyKind::Reference { mutable: false }),
            ("&'a mut T", TyKind::Reference { mutable: true }),
            ("*mut T", TyKind::Pointer { mutable: true }),
            ("()", TyKind::Tuple),
            ("[u8; 3]", TyKind::Array),
            ("[u8]", TyKind::Slice),
            ("std::sync::Mutex<T>", TyKind::Path),
            ("<T as Future>::Output", TyKind::Projection),
            ("{closure@src/lib.rs:1:2: 3:4}", TyKind::Closure),
            ("{async fn body of a<B>()}", TyKind::Coroutine),
            ("{coroutine@src/lib.rs:1:2: 3:4 (#0)}", TyKind::Coroutine),
            ("dyn Fn() + Send", TyKind::Dyn),
            ("impl Future<Output = u8>", TyKind::Impl),
            ("for<'a> fn(&'a u8) -> u8", TyKind::FnPointer),
            ("unsafe extern \"C\" fn()", TyKind::FnPointer),
        ];
        for (text, kind) in cases {
            assert_eq!(Ty::read(text).kind(), kind, "{text}");
        }
    }

    #[test]
    fn no_text_makes_it_fail() {
        let deep = "[".repeat(100_000);
        for text in ["::", "<", ">", "a<", "&", "&'", "*", "(", "[", "<impl ", "é::<é>", "{", "-", &deep] {
            let ty = Ty::read(text);
            let _ = (ty.kind(), ty.name(), ty.arguments(), ty.referent());
        }
    }
}
