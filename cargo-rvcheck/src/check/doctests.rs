//! Where the code of doctests is.
//!
//! Rustdoc gives the code of a test lines of its own, in the file with the documentation or in one that holds several
//! tests. So whatever lies in the latter, or in the former where nothing of the kind stands in the source, is taken
//! for code of the test, and placed where that begins.

use super::sources::{CompiledSite, Sources};
use super::units::Units;
use camino::Utf8Path;
use rvcheck_event::names::RecordedSite;
use rvcheck_event::position::CompiledPosition;
use rvcheck_event::trace::read::Trace;

/// The file into which rustdoc puts several tests.
const BUNDLE: &str = "doctest_bundle_";

/// Places the sites of a doctest.
pub(super) fn place(trace: &mut Trace<'_>, units: &Units<'_>, sources: &Sources) {
    let test = units.documented_at();
    let is_code = |place: &RecordedSite| {
        let bundled = Utf8Path::new(&place.file).file_name().is_some_and(|it| it.starts_with(BUNDLE));
        let beside = place.own && test.is_none_or(|(file, _)| file == place.file);
        bundled || (beside && sources.site(CompiledSite::of(place)).is_none())
    };
    let moved: Vec<_> = trace
        .names()
        .sites()
        .filter(|(_, place)| is_code(place))
        .map(|(id, place)| {
            // Without a line there is nothing to point at.
            let (file, line) = test.unwrap_or((&place.file, 0));
            let position = CompiledPosition::new(line, 1);
            (id, RecordedSite { file: file.to_owned(), position, own: sources.text(file).is_some() })
        })
        .collect();
    for (id, place) in moved {
        trace.names_mut().set_site(id, place);
    }
}
