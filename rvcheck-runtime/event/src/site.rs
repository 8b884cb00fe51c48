//! The places in the user's source that are of interest, as found by reading it.
//!
//! The recorder knows a place only by file, line and column. This table says what stands there: which call, in which
//! function, on which field.

use crate::position::SourcePosition;
use std::collections::BTreeMap;

/// What sort of operation stands at a site.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SiteKind {
    /// An `.await`.
    Await,
    /// A task or thread is spawned.
    Spawn,
    /// An operation on a lock.
    Lock,
    /// An operation on a channel.
    Channel,
    /// An operation on a semaphore.
    Semaphore,
    /// An operation on a condition variable, notify, barrier or watch.
    Signal,
    /// A call that blocks its thread.
    Blocking,
    /// A lock, channel, semaphore or signal is created.
    Creation,
    /// A function of the program's that is an event.
    Observed,
}

impl SiteKind {
    /// Every kind.
    pub const ALL: [SiteKind; 9] = [
        SiteKind::Await,
        SiteKind::Spawn,
        SiteKind::Lock,
        SiteKind::Channel,
        SiteKind::Semaphore,
        SiteKind::Signal,
        SiteKind::Blocking,
        SiteKind::Creation,
        SiteKind::Observed,
    ];

    /// The name in files and reports.
    pub const fn name(self) -> &'static str {
        match self {
            SiteKind::Await => "await",
            SiteKind::Spawn => "spawn",
            SiteKind::Lock => "lock",
            SiteKind::Channel => "channel",
            SiteKind::Semaphore => "semaphore",
            SiteKind::Signal => "signal",
            SiteKind::Blocking => "blocking",
            SiteKind::Creation => "creation",
            SiteKind::Observed => "observed",
        }
    }

    /// The kind of that name.
    pub fn of_name(name: &str) -> Option<SiteKind> {
        SiteKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// One operation in the source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    /// The file, as the compiler names it.
    pub file: String,
    /// Where it begins: what stands there is what the compiler reports for the call.
    pub start: SourcePosition,
    /// Behind its last character.
    pub end: SourcePosition,
    /// What stands there.
    pub kind: SiteKind,
    /// The name of the method or function, such as `lock`.
    pub call: String,
    /// The path of the enclosing item, such as `Ledger::transfer`.
    pub item: String,
    /// The expression that the operation works on, such as `self.db.state`, where it is a plain path.
    pub binding: Option<String>,
    /// Whether it stands in a test.
    pub in_test: bool,
}

/// All sites of a program, in the order of file, line and column.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SiteTable {
    sites: Vec<Site>,
    /// For each file, where its sites begin and end in `sites`.
    files: BTreeMap<String, (usize, usize)>,
}

impl SiteTable {
    /// The table of these sites. Where two stand at one position, both are kept in the order of [`Site`]'s fields.
    pub fn new(mut sites: Vec<Site>) -> SiteTable {
        sites.sort();
        sites.dedup();
        let mut files: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for (index, site) in sites.iter().enumerate() {
            match files.get_mut(&site.file) {
                Some((_, end)) => *end = index + 1,
                None => {
                    files.insert(site.file.clone(), (index, index + 1));
                }
            }
        }
        SiteTable { sites, files }
    }

    /// The site that begins at this position; the first one where there are several.
    pub fn at(&self, file: &str, position: SourcePosition) -> Option<&Site> {
        let sites = self.of_file(file);
        let first = sites.partition_point(|site| site.start < position);
        sites.get(first).filter(|site| site.start == position)
    }

    /// The sites of one file, in the order of line and column.
    pub fn of_file(&self, file: &str) -> &[Site] {
        self.files.get(file).and_then(|&(start, end)| self.sites.get(start..end)).unwrap_or_default()
    }

    /// All sites, in the order of file, line and column.
    pub fn iter(&self) -> std::slice::Iter<'_, Site> {
        self.sites.iter()
    }

    /// How many sites there are.
    pub fn len(&self) -> usize {
        self.sites.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }
}

impl<'a> IntoIterator for &'a SiteTable {
    type Item = &'a Site;
    type IntoIter = std::slice::Iter<'a, Site>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(file: &str, line: u32, column: u32, call: &str) -> Site {
        Site {
            file: file.into(),
            start: SourcePosition::new(line, column),
            end: SourcePosition::new(line, column + 4),
            kind: SiteKind::Lock,
            call: call.into(),
            item: "Ledger::transfer".into(),
            binding: Some("self.db.state".into()),
            in_test: false,
        }
    }

    #[test]
    fn a_site_is_found_by_its_place_and_by_nothing_else() {
        let table = SiteTable::new(vec![
            site("src/b.rs", 1, 1, "b"),
            site("src/a.rs", 9, 2, "late"),
            site("src/a.rs", 3, 5, "early"),
        ]);
        assert_eq!(table.at("src/a.rs", SourcePosition::new(3, 5)).map(|it| &*it.call), Some("early"));
        assert_eq!(table.at("src/a.rs", SourcePosition::new(9, 2)).map(|it| &*it.call), Some("late"));
        assert_eq!(table.at("src/b.rs", SourcePosition::new(1, 1)).map(|it| &*it.call), Some("b"));
        for (file, line, column) in
            [("src/a.rs", 3, 4), ("src/a.rs", 1, 1), ("src/c.rs", 1, 1), ("src/b.rs", 2, 1)]
        {
            assert_eq!(table.at(file, SourcePosition::new(line, column)), None, "{file}:{line}:{column}");
        }
    }

    #[test]
    fn sites_come_in_the_order_of_file_line_and_column() {
        let table = SiteTable::new(vec![
            site("b", 1, 1, ""),
            site("a", 2, 1, ""),
            site("a", 1, 9, ""),
            site("a", 1, 9, ""),
        ]);
        let places: Vec<_> = table.iter().map(|it| (&*it.file, it.start.line, it.start.column)).collect();
        assert_eq!(places, [("a", 1, 9), ("a", 2, 1), ("b", 1, 1)]);
        assert_eq!(table.of_file("a").len(), 2);
    }

    #[test]
    fn every_kind_of_site_has_its_own_name() {
        for kind in SiteKind::ALL {
            assert_eq!(SiteKind::of_name(kind.name()), Some(kind));
        }
        assert_eq!(SiteKind::of_name("nothing"), None);
    }
}
