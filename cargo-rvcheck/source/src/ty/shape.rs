//! What a type is made by, and with what.

use super::Ty;
use super::interner::interned_part;
use super::path::{canonical, segments};
use super::scan::parts;
use std::borrow::Cow;

/// Which form a type has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TyKind {
    /// There is none.
    Unknown,
    /// `&T`, `&mut T`.
    Reference {
        /// It can be changed through it.
        mutable: bool,
    },
    /// `*const T`, `*mut T`.
    Pointer {
        /// It can be changed through it.
        mutable: bool,
    },
    /// `(A, B)`.
    Tuple,
    /// `[T; 3]`.
    Array,
    /// `[T]`.
    Slice,
    /// A primitive, a struct, enum or union, or a type parameter.
    Path,
    /// `<T as Trait>::Output`.
    Projection,
    /// A closure.
    Closure,
    /// The state machine of an async body.
    Coroutine,
    /// `dyn Trait`.
    Dyn,
    /// `impl Trait`.
    Impl,
    /// A pointer to a function, or the type of one function.
    FnPointer,
}

/// A type that is taken apart.
pub(super) struct Shape {
    pub(super) kind: TyKind,
    pub(super) head: &'static str,
    pub(super) arguments: Box<[Ty]>,
    pub(super) referent: Option<Ty>,
}

impl Shape {
    pub(super) fn of(text: &'static str) -> Shape {
        let kind = kind(text);
        let head = match kind {
            TyKind::Reference { .. } | TyKind::Pointer { .. } => "&",
            TyKind::Path => match canonical(text) {
                Cow::Borrowed(it) => it,
                // The type of that path alone has the text.
                Cow::Owned(it) => Ty::read(&it).text(),
            },
            _ => text,
        };
        Shape { kind, head, arguments: arguments(text, kind), referent: referent(text).map(interned_part) }
    }
}

fn kind(text: &str) -> TyKind {
    let is_one_of = |all: &[&str]| all.iter().any(|it| text.starts_with(it));
    match text.bytes().next() {
        None => TyKind::Unknown,
        Some(b'&') => TyKind::Reference { mutable: after_lifetime(&text[1..]).starts_with("mut ") },
        Some(b'*') => TyKind::Pointer { mutable: text.starts_with("*mut ") },
        Some(b'(') => TyKind::Tuple,
        Some(b'[') if text.contains("; ") => TyKind::Array,
        Some(b'[') => TyKind::Slice,
        Some(b'<') => TyKind::Projection,
        Some(b'{') if text.starts_with("{closure") => TyKind::Closure,
        Some(b'{') => TyKind::Coroutine,
        _ if text.starts_with("dyn ") => TyKind::Dyn,
        _ if text.starts_with("impl ") => TyKind::Impl,
        _ if is_one_of(&["fn(", "unsafe ", "extern ", "for<"]) => TyKind::FnPointer,
        _ => TyKind::Path,
    }
}

/// What stands behind the `&` of a reference and its lifetime.
fn after_lifetime(text: &str) -> &str {
    if text.starts_with('\'') { text.split_once(' ').map_or(text, |it| it.1) } else { text }
}

fn referent(text: &'static str) -> Option<&'static str> {
    if let Some(rest) = text.strip_prefix('*') {
        return rest.strip_prefix("const ").or_else(|| rest.strip_prefix("mut "));
    }
    let rest = after_lifetime(text.strip_prefix('&')?);
    Some(rest.strip_prefix("mut ").unwrap_or(rest)).filter(|it| !it.starts_with('\''))
}

fn arguments(text: &'static str, kind: TyKind) -> Box<[Ty]> {
    let inside = |open, close| text.strip_prefix(open).and_then(|it: &str| it.strip_suffix(close));
    let of_path = || {
        let segment = segments(text).pop()?;
        let open = segment.find('<').filter(|_| segment.ends_with('>'))?;
        let all = parts(&segment[open + 1..segment.len() - 1]);
        Some(all.into_iter().filter(|it| !it.starts_with('\'')).collect())
    };
    let all: Vec<&'static str> = match kind {
        TyKind::Tuple => inside('(', ')').map(parts).unwrap_or_default(),
        TyKind::Array | TyKind::Slice => {
            let element = inside('[', ']').map(|it| it.rsplit_once("; ").map_or(it, |(element, _)| element));
            element.into_iter().collect()
        }
        TyKind::Path | TyKind::Projection => of_path().unwrap_or_default(),
        _ => Vec::new(),
    };
    all.into_iter().map(interned_part).collect()
}
