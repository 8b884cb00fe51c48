//! Which calls are sites, by the rows of primitives.
//!
//! Types are not known here, so a site is found by its name and its shape. Where that is not enough the row says that it is none:
//! a place that is missed only lacks a name in reports, while one too many is counted as unmonitored.

use crate::call::{Call, Shape};
use rvcheck_event::site::SiteKind;
use rvcheck_primitives::{Action, Capacity, End, Is, Object, Row, named};

/// The kind of site that a call is, if it is one. The path is the resolved one. Where it fits several kinds, the first one counts.
pub(super) fn kind_of(call: &Call<'_>, path: &[&str]) -> Option<SiteKind> {
    let name = path.last()?;
    let fitting = named(name).iter().filter(|it| it.operation.is_site && accepts(it, call, path));
    fitting.filter_map(|it| Some((rank(it)?, kind(it)?))).min_by_key(|it| it.0).map(|it| it.1)
}

/// Whether a call of that name may be a site.
pub(super) fn may_be_site(name: &str) -> bool {
    named(name).iter().any(|it| it.operation.is_site)
}

/// Whether a call of that name makes a channel.
pub(super) fn makes_channel(name: &str) -> bool {
    let is_one = |it: &Row| matches!(it.operation.action, Action::Make(of) if of != Capacity::None);
    named(name).iter().any(|it| it.operation.is_site && is_one(it))
}

/// Whether a call has the form that one of this row has.
fn accepts(row: &Row, call: &Call<'_>, path: &[&str]) -> bool {
    let Row { owner, operation } = row;
    let makes = matches!(operation.action, Action::Make(_));
    let is_function = makes || matches!(owner.is, Is::Module(_));
    match &call.shape {
        Shape::Method { .. } => !is_function && call.has_arguments == (operation.arguments > 0),
        Shape::Function { .. } => {
            let Some(of) = path.len().checked_sub(2).and_then(|index| path.get(index)) else { return false };
            let mut names = std::iter::once(&owner.path).chain(owner.aliases);
            let of_owner = names.any(|it| it.rsplit("::").next() == Some(of));
            // Files have asynchronous counterparts of the same names in modules of the same name.
            let is_file = matches!(owner.is, Is::Module(Object::Stream));
            let of_std = !is_file || path.first().is_some_and(|it| ["std", "fs"].contains(it));
            of_owner && of_std && (is_function || call.has_arguments)
        }
    }
}

fn kind(row: &Row) -> Option<SiteKind> {
    let Row { owner, operation } = row;
    Some(match (operation.action, owner.is) {
        // A watch has one value, and tells that it has changed.
        (_, Is::End(End { queues: false, .. })) => SiteKind::Signal,
        (Action::Make(_), _) => SiteKind::Creation,
        (Action::Run, _) if !operation.may_wait() => SiteKind::Blocking,
        (Action::Spawn(_) | Action::Run, _) => SiteKind::Spawn,
        (Action::Request(_), _) => SiteKind::Lock,
        (Action::Acquire(_) | Action::Add(_) | Action::Forget, _) => SiteKind::Semaphore,
        (Action::Send | Action::Receive | Action::Reserve | Action::WaitClosed | Action::Subscribe, _) => {
            SiteKind::Channel
        }
        (Action::Sleep | Action::Scope | Action::Join | Action::Transfer, _)
        | (Action::Wait, Is::Module(_)) => SiteKind::Blocking,
        (Action::Wait | Action::WaitReleasing | Action::Notify { .. } | Action::Initialise, _) => {
            SiteKind::Signal
        }
        _ => return None,
    })
}

/// The order of the kinds where a call fits several.
fn rank(row: &Row) -> Option<u8> {
    Some(match kind(row)? {
        SiteKind::Spawn => 0,
        SiteKind::Lock => 1,
        SiteKind::Channel => 2,
        SiteKind::Semaphore => 3,
        SiteKind::Signal => 4,
        SiteKind::Blocking => 5,
        _ => 6,
    })
}
