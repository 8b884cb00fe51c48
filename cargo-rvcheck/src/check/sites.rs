//! How many places in the source there are for the events of a property, and which of them were unmonitored.

use super::sources::{CompiledSite, Sources};
use crate::recorded::{LeftOut, Recorded, Unmonitored};
use crate::report::SiteCount;
use rvcheck_event::kind::EventKind;
use rvcheck_event::names::Names;
use rvcheck_event::position::SourcePosition;
use rvcheck_event::site::{Site, SiteKind};
use std::collections::{BTreeMap, BTreeSet};

/// Why an await in a file that could not be edited is unmonitored.
const NOT_EDITED: &str = "the file could not be edited, so its awaits are unmonitored";

/// Where a site is: its file as the compiler names it, and where in that.
pub(super) type SiteKey = (String, SourcePosition);

/// Where this site is.
fn at(site: &Site) -> SiteKey {
    (site.file.clone(), site.start)
}

/// The sites at which something was recorded.
pub(super) fn seen(names: &Names, sources: &Sources) -> BTreeSet<SiteKey> {
    names.sites().filter_map(|(_, place)| sources.site(CompiledSite::of(place))).map(at).collect()
}

/// The count of places by kind, and the places that are unmonitored.
pub(super) struct Census {
    counts: BTreeMap<SiteKind, (u64, u64)>,
    /// Everything that is unmonitored, in order.
    pub(super) unmonitored: Vec<Unmonitored>,
}

impl Census {
    /// Counts the places of these sources, of which the build could not watch those that are listed as unmonitored;
    /// an entry for line 0 stands for the whole file, and one without a column for the whole line. `seen` are those at which
    /// something was recorded.
    pub(super) fn of(sources: &Sources, recorded: &Recorded, seen: &BTreeSet<SiteKey>) -> Census {
        let Recorded { unmonitored, left_out, .. } = recorded;
        let listed: BTreeSet<(&str, u32, Option<u32>)> =
            unmonitored.iter().map(|it| (it.file.as_str(), it.line, it.column)).collect();
        let mut all: BTreeSet<Unmonitored> = unmonitored.iter().cloned().collect();
        let mut counts: BTreeMap<SiteKind, (u64, u64)> = BTreeMap::new();
        for (file, text, rewritten, site) in sources.sites() {
            let SourcePosition { line, column } = site.start;
            let (total, missed) = counts.entry(site.kind).or_default();
            *total += 1;
            let not_edited = (site.kind == SiteKind::Await && !rewritten).then_some(NOT_EDITED);
            let ways = [(file, line, Some(column)), (file, line, None), (file, 0, None)];
            let was_seen = seen.contains(&at(site));
            let may_be = |it: &&LeftOut| it.concerns(site, text) && (it.is_everywhere() || !was_seen);
            let left_out = left_out.iter().find(may_be);
            let reason = left_out.map(|it| it.reason.as_str()).or(not_edited);
            if ways.iter().any(|it| listed.contains(it)) {
                *missed += 1;
            } else if let Some(reason) = reason {
                *missed += 1;
                all.insert(Unmonitored {
                    file: file.to_owned(),
                    line,
                    column: Some(column),
                    reason: reason.to_owned(),
                });
            }
        }
        Census { counts, unmonitored: all.into_iter().collect() }
    }

    /// All places.
    pub(super) fn all(&self) -> SiteCount {
        self.of_kinds(|_| true)
    }

    /// The places where events of this alphabet can be born.
    pub(super) fn of_alphabet(&self, alphabet: impl Iterator<Item = EventKind>) -> SiteCount {
        let kinds: BTreeSet<SiteKind> = alphabet.filter_map(born_at).collect();
        self.of_kinds(|kind| kinds.contains(&kind))
    }

    fn of_kinds(&self, wanted: impl Fn(SiteKind) -> bool) -> SiteCount {
        let counted = self.counts.iter().filter(|(kind, _)| wanted(**kind)).map(|(_, count)| *count);
        let (total, missed) = counted.fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
        SiteCount::of(total, missed)
    }
}

/// The kind of place where events of this kind begin.
const fn born_at(kind: EventKind) -> Option<SiteKind> {
    use EventKind as K;
    Some(match kind {
        K::Spawn
        | K::Start
        | K::Poll
        | K::Suspend
        | K::Finish
        | K::Panic
        | K::Cancel
        | K::Join
        | K::Ended
        | K::JoinWait
        | K::Detach
        | K::Abort
        | K::SetSpawn
        | K::WakerDrop => SiteKind::Spawn,
        K::Await | K::Resume | K::AwaitCancel => SiteKind::Await,
        K::Request | K::Acquire | K::Release | K::Withdraw => SiteKind::Lock,
        K::SendWait
        | K::Send
        | K::RecvWait
        | K::Recv
        | K::Closed
        | K::ChanClose
        | K::Lagged
        | K::SenderDrop
        | K::ReceiverDrop
        | K::Undelivered
        | K::SendCancel
        | K::RecvCancel => SiteKind::Channel,
        K::PermitWait | K::Permit | K::PermitRelease | K::PermitForget | K::PermitCancel => {
            SiteKind::Semaphore
        }
        K::SignalWait | K::Signalled | K::NotifyOne | K::NotifyAll | K::SignalCancel => SiteKind::Signal,
        K::Block | K::Unblock => SiteKind::Blocking,
        K::User => SiteKind::Observed,
        K::AtomicStore | K::AtomicLoad | K::TestBegin | K::TestEnd => return None,
    })
}
