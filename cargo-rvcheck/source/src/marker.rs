//! Markers: what is inserted behind a call and before an `.await`, so that the place can be found again in what the compiler
//! makes of the text.
//!
//! `x.lock()` becomes `x.lock().__rv_site::<N>()`, which gives back what it is given, and `f.await` becomes
//! `f.__rv_await::<N>().await`. An operation on an atomic has its marker before the dot, as in
//! `flag.__rv_asked::<N>().load(order)`. The compiler's MIR has no positions, but it names the callee of each call with its generic
//! arguments, and so with `N`. The number holds the file and the offset of the place in it, so that an edit of one file
//! changes no number of another. All markers of a kind are equally long, and so is what stands for them where they are undone.

use std::fmt::{self, Display};

/// The number of a marked place: unique in a crate as long as no two of its files have the same [`file_number`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Number(pub u64);

impl Number {
    /// The number of the place at this byte offset of the original text; `None` where no number can hold the offset.
    pub fn new(file: u32, offset: usize) -> Option<Number> {
        Some(Number(u64::from(file) << 32 | u64::from(u32::try_from(offset).ok()?)))
    }

    /// The number of the file.
    pub fn file(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The byte offset in the original text: of the word `await`, of a method's name, or of the beginning of a function's path.
    pub fn offset(self) -> usize {
        self.0 as u32 as usize
    }
}

impl Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#018x}", self.0)
    }
}

/// Stands for a file in the numbers of its places: a hash (FNV-1a) of its path.
pub fn file_number(path: &str) -> u32 {
    path.bytes().fold(0x811c_9dc5, |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// What a marker stands at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MarkerKind {
    /// An `.await`.
    Await,
    /// A call.
    Site,
    /// An operation on an atomic.
    Atomic,
    /// An operation on an atomic by whose result something is decided.
    Asked,
}

/// A marker.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Marker {
    /// What it stands at.
    pub kind: MarkerKind,
    /// The place.
    pub number: Number,
}

/// What every comment begins with that stands where a marker was undone.
const UNDONE: &str = "/*rv_undone";

impl MarkerKind {
    const ALL: [MarkerKind; 4] = [MarkerKind::Await, MarkerKind::Site, MarkerKind::Atomic, MarkerKind::Asked];

    /// The name of the method that is called.
    pub const fn method(self) -> &'static str {
        match self {
            MarkerKind::Await => "__rv_await",
            MarkerKind::Site => "__rv_site",
            MarkerKind::Atomic => "__rv_atomic",
            MarkerKind::Asked => "__rv_asked",
        }
    }
}

impl Marker {
    /// The marker as it is inserted.
    pub fn text(self) -> String {
        format!(".{}::<{}>()", self.kind.method(), self.number)
    }

    /// The comment of the same length that is inserted instead where the marker does not compile.
    pub fn undone(self) -> String {
        let length = self.text().len();
        format!("{UNDONE:_<width$}*/", width = length - 2)
    }

    /// The marker that was inserted with this text; `None` for other insertions and for a marker that was undone.
    pub fn of_text(text: &str) -> Option<Marker> {
        let call = text.strip_prefix('.')?.strip_suffix("()")?;
        Marker::of_callee(call)
    }

    /// The numbers of the markers in a rewritten text.
    pub fn numbers_in(text: &str) -> impl Iterator<Item = Number> {
        let kinds = [".__rv_site::<0x", ".__rv_await::<0x"];
        let numbers = kinds.into_iter().flat_map(move |it| text.split(it).skip(1));
        numbers.filter_map(|it| u64::from_str_radix(it.split_once(">()")?.0, 16).ok().map(Number))
    }

    /// The marker whose method is named by the end of this path with generic arguments, such as
    /// `<Result<Guard<'_, u32>> as RvSite>::__rv_site::<4295>`.
    pub fn of_callee(callee: &str) -> Option<Marker> {
        let (path, number) = callee.strip_suffix('>')?.rsplit_once("::<")?;
        let number = match number.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok()?,
            None => number.parse().ok()?,
        };
        let kind = MarkerKind::ALL.into_iter().find(|it| {
            let before = path.strip_suffix(it.method());
            before.is_some_and(|it| it.is_empty() || it.ends_with("::"))
        })?;
        Some(Marker { kind, number: Number(number) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_tells_its_file_and_offset() {
        let number = Number::new(0xfedc_ba98, 70_000).expect("the offset fits");
        assert_eq!((number.file(), number.offset()), (0xfedc_ba98, 70_000));
        assert_eq!(Number::new(1, usize::MAX), None);
    }

    #[test]
    fn a_marker_is_recognised_by_its_text_and_by_its_callee() {
        let number = Number::new(7, 4295).expect("the offset fits");
        for kind in [MarkerKind::Await, MarkerKind::Site] {
            let marker = Marker { kind, number };
            let callee = format!("<Option<Vec<u8>> as RvSite>::{}::<{}>", kind.method(), number.0);
            assert_eq!(Marker::of_text(&marker.text()), Some(marker));
            assert_eq!(Marker::of_callee(&callee), Some(marker));
            assert_eq!(marker.text().len(), marker.undone().len());
            assert_eq!(Marker::of_text(&marker.undone()), None);
            assert!(marker.undone().starts_with(UNDONE) && marker.undone().ends_with("*/"));
        }
        for callee in ["x::my__rv_site::<3>", "<T as RvSite>::__rv_site::<N>", "f::<3>", "__rv_site", ""] {
            assert_eq!(Marker::of_callee(callee), None, "{callee}");
        }
    }

    #[test]
    fn the_markers_of_a_text_are_found() {
        let site = |number| Marker { kind: MarkerKind::Site, number: Number(number) }.text();
        let other = Marker { kind: MarkerKind::Await, number: Number(3) }.text();
        let text =
            format!("a.lock(){}.b(){other}.await;\n\".__rv_site::<0xno>()\"; c(){}", site(7), site(u64::MAX));
        let found: Vec<u64> = Marker::numbers_in(&text).map(|it| it.0).collect();
        assert_eq!(found, [7, u64::MAX, 3]);
    }

    #[test]
    fn all_markers_of_a_kind_are_equally_long() {
        let length = |number| Marker { kind: MarkerKind::Site, number: Number(number) }.text().len();
        assert_eq!(length(0), length(u64::MAX));
    }

    #[test]
    fn files_have_numbers_of_their_own() {
        let numbers: std::collections::BTreeSet<u32> =
            (0..500).map(|it| file_number(&format!("/shop/src/part_{it}.rs"))).collect();
        assert_eq!(numbers.len(), 500);
    }
}
