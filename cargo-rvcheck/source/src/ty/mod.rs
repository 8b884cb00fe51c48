//! Types as the compiler writes them in MIR, each interned once and taken apart once.
//!
//! A [`Ty`] is a handle: it is copied, and compared by identity. What it is made by, with which arguments, and what else is asked of a type
//! again and again is found when it is first asked for, so that no text, however deep, makes reading fail.

mod interner;
mod known;
mod owners;
mod path;
pub(crate) mod scan;
mod shape;

use self::shape::Shape;
use rvcheck_primitives::Owner;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

pub use self::path::{canonical, is_of_std, last, segments};
pub use self::shape::TyKind;

/// A type. There is one of each text, for as long as the process lives. The default is that of what has no type that is known.
#[derive(Clone, Copy)]
pub struct Ty(&'static Node);

/// What is known of a type.
struct Node {
    text: &'static str,
    shape: OnceLock<Shape>,
    owners: OnceLock<Box<[&'static Owner]>>,
}

impl Node {
    const fn new(text: &'static str) -> Node {
        Node { text, shape: OnceLock::new(), owners: OnceLock::new() }
    }
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

    /// The last segment of the head of what it is behind references: `Vec` for `&mut Vec<u8>`.
    pub fn bare_name(self) -> &'static str {
        self.bare().name()
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

    /// What it is behind all references and raw pointers.
    pub fn bare(self) -> Ty {
        std::iter::successors(Some(self), |it| it.referent()).last().unwrap_or(self)
    }

    /// What it is behind references, and pointers that own or share.
    pub fn pointed(self) -> Ty {
        let is_pointer = |it: Ty| matches!(it.name(), "Box" | "Arc" | "Rc" | "Pin");
        let next = |it: &Ty| it.referent().or_else(|| it.argument(0).filter(|_| is_pointer(*it)));
        std::iter::successors(Some(self), next).last().unwrap_or(self)
    }

    /// Whether it is a reference through which nothing else can be reached meanwhile.
    pub fn is_exclusive(self) -> bool {
        self.kind() == TyKind::Reference { mutable: true }
    }

    /// Whether it is a reference.
    pub fn is_reference(self) -> bool {
        matches!(self.kind(), TyKind::Reference { .. })
    }

    /// Whether it is a raw pointer.
    pub fn is_raw_pointer(self) -> bool {
        matches!(self.kind(), TyKind::Pointer { .. })
    }

    /// Whether it is a reference or a raw pointer.
    pub fn is_pointer(self) -> bool {
        self.is_reference() || self.is_raw_pointer()
    }

    /// Whether it is a tuple.
    pub fn is_tuple(self) -> bool {
        self.kind() == TyKind::Tuple
    }

    /// Whether it is a tuple, an array or a slice.
    pub fn is_composite(self) -> bool {
        self.is_tuple() || self.is_sequence()
    }

    /// Whether it is an array or a slice.
    pub fn is_sequence(self) -> bool {
        matches!(self.kind(), TyKind::Array | TyKind::Slice)
    }

    /// Whether it is a closure or a state machine.
    pub fn is_body(self) -> bool {
        matches!(self.kind(), TyKind::Closure | TyKind::Coroutine)
    }

    /// Whether it is a pointer to a function.
    pub fn is_function(self) -> bool {
        self.kind() == TyKind::FnPointer
    }

    /// Whether it is a trait object.
    pub fn is_object(self) -> bool {
        self.kind() == TyKind::Dyn
    }

    /// Whether it is of any type that has a trait, or is associated with one.
    pub fn is_abstract(self) -> bool {
        matches!(self.kind(), TyKind::Dyn | TyKind::Impl | TyKind::Projection)
    }

    /// Whether that is what it is made with.
    pub fn is(self, head: &str) -> bool {
        self.head() == head
    }

    /// It, and the types that it refers to and is made with, and those of these.
    pub fn parts(self) -> impl Iterator<Item = Ty> {
        self.parts_within(|_| true)
    }

    /// The same without the parts of what is not to be `entered`.
    pub fn parts_within(self, entered: impl Fn(Ty) -> bool) -> impl Iterator<Item = Ty> {
        let mut open = vec![self];
        std::iter::from_fn(move || {
            let next = open.pop()?;
            if entered(next) {
                open.extend(next.arguments().iter().rev());
                open.extend(next.referent());
            }
            Some(next)
        })
    }

    /// Whether a part of it is so.
    pub fn has(self, is_so: impl Fn(Ty) -> bool) -> bool {
        self.parts().any(is_so)
    }

    /// Whether it is made by that with a reference: `Pin<&mut T>`.
    pub fn is_of_reference(self, by: &str) -> bool {
        self.name() == by && self.argument(0).is_some_and(Ty::is_reference)
    }

    /// Its path as it is written, without arguments.
    pub fn path(self) -> String {
        let names = segments(self.0.text).into_iter().filter(|it| !it.starts_with('<'));
        let plain = names.map(|it| it.split('<').next().unwrap_or_default().trim());
        plain.collect::<Vec<_>>().join("::")
    }

    /// Its text without lifetimes and spaces, each of its paths shortened to the last segment.
    pub fn shortened(self) -> String {
        let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | ':' | '\'');
        let mut out = String::new();
        for piece in self.0.text.split_inclusive(|it| !is_part(it)) {
            let word = piece.trim_end_matches(|it| !is_part(it));
            if !word.starts_with('\'') {
                out.push_str(last(word));
            }
            out.push_str(piece[word.len()..].trim());
        }
        out.replace("<,", "<")
    }

    /// The words of its text: the names in it, without the paths between them.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        words(self.0.text)
    }

    /// The words of its head; those of the whole text where that is not taken apart.
    pub fn names_itself(self) -> impl Iterator<Item = &'static str> {
        let is_apart = self.is_pointer() || self.is_composite();
        words(if is_apart { "" } else { self.head() })
    }

    /// The types of libraries that its text names.
    pub fn owners(self) -> &'static [&'static Owner] {
        self.0.owners.get_or_init(|| owners::named_in(self.0.text))
    }

    /// Whether it names that.
    pub fn names(self, word: &str) -> bool {
        self.words().any(|it| it == word)
    }

    /// The state machines of async bodies that its text names, one in another as well.
    pub(crate) fn machines(self) -> impl Iterator<Item = Ty> {
        let end = |text| scan::closing(text).map_or(0, |it| it.1);
        let rest = self.0.text.match_indices("{async").map(move |(at, _)| &self.0.text[at..]);
        rest.map(move |it| Ty::read(&it[..end(it)]))
    }

    /// Whether a state machine is in it.
    pub fn has_machine(self) -> bool {
        self.0.text.contains("{async") || self.0.text.contains("{coroutine")
    }

    /// Whether a trait object is in it.
    pub fn has_object(self) -> bool {
        self.0.text.contains("dyn ")
    }

    /// Whether it may be a type that only its user or its maker knows: a trait object or an `impl Trait` is in it.
    pub fn has_opaque(self) -> bool {
        self.has_object() || self.0.text.contains("impl ")
    }

    /// The closure that it is, or has in it at once.
    pub fn closure(self) -> Option<Ty> {
        closure_in(self.0.text)
    }

    /// The closures that its text names.
    pub(crate) fn closures(self) -> impl Iterator<Item = Ty> {
        closures_in(self.0.text)
    }

    /// The paths of the functions that are values of types that its text names: `S::f` of `fn(&S) {S::f}`.
    pub(crate) fn functions(self) -> impl Iterator<Item = &'static str> {
        let braces = self.0.text.match_indices(" {").map(|(at, _)| &self.0.text[at + 2..]);
        let paths = braces.filter_map(|it| it.split_once('}').map(|(path, _)| path));
        paths.filter(|it| !it.contains('@'))
    }

    /// Whether there is none.
    pub const fn is_unknown(self) -> bool {
        self.0.text.is_empty()
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_alphanumeric() && it != '_').filter(|it| !it.is_empty())
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
        static UNKNOWN: Node = Node::new("");
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
