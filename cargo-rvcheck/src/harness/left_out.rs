//! What the report says of all that was left out of the build because the program does not compile with it.

use super::session::Session;
use crate::error::Result;
use crate::inject::member_file::MemberFiles;
use crate::inject::shortfall::Shortfall;
use crate::project::built::Artifact;
use crate::project::rust_files::rust_files;
use crate::project::{Project, Unsupported};
use crate::recorded::{LeftOut, Unmonitored};
use crate::rollback::decisions::{CrateId, Decisions, Plain};
use crate::shim::{self, STD, Shim};
use crate::unobserved::Unobserved;
use camino::Utf8Path;
use rvcheck_event::site::SiteKind;
use std::collections::BTreeSet;

/// What is not seen anywhere because a shim, or a group of one, is left out.
pub fn kinds_left_out(decisions: &Decisions, project: &Project) -> Vec<LeftOut> {
    if let Some(reason) = decisions.off.get(STD) {
        let reason = format!("nothing is monitored, because the shim for std is left out: {reason}");
        return vec![LeftOut { reason, kinds: words(SiteKind::ALL), names: Vec::new() }];
    }
    let groups = decisions.groups.iter().filter(|(krate, _)| !decisions.is_off(krate));
    let groups = groups.flat_map(|(krate, groups)| groups.iter().map(move |it| (krate, it)));
    let groups = groups.map(|(krate, (group, reason))| LeftOut {
        reason: format!("the shim for {group} of {krate} is left out: {reason}"),
        kinds: words(kinds(krate, group)),
        names: names(krate, project),
    });
    let whole = decisions.off.iter().map(|(krate, reason)| LeftOut {
        reason: format!("the shim for {krate} is left out: {reason}"),
        kinds: words(all_kinds(shim::of_crate(krate))),
        names: names(krate, project),
    });
    let unsupported = project.unsupported.iter().filter(|it| it.used_by_member);
    let unsupported = unsupported.map(|it| LeftOut {
        reason: no_shim(it),
        kinds: words(all_kinds(shim::of_package_of_any_version(&it.name))),
        names: called(&it.name, project),
    });
    groups.chain(whole).chain(unsupported).collect()
}

/// What is not seen because a shim as a whole does not compile with the version that the program uses.
pub fn without_shim(shortfalls: &[Shortfall], project: &Project) -> Vec<LeftOut> {
    let total = shortfalls.iter().filter(|it| it.is_total());
    let left_out = total.map(|it| LeftOut {
        reason: format!("there is no shim for {} {}, so what it does is not recorded", it.name, it.version),
        kinds: words(all_kinds(shim::of_package_of_any_version(&it.name))),
        names: called(&it.name, project),
    });
    left_out.collect()
}

/// By which names code calls the crate of this shim. What std has is also reached through preludes and macros.
fn names(krate: &str, project: &Project) -> Vec<String> {
    match shim::of_crate(krate) {
        Some(it) if krate != STD => called(&it.facts.package, project),
        _ => Vec::new(),
    }
}

fn called(package: &str, project: &Project) -> Vec<String> {
    let own = package.replace('-', "_");
    let others = project.called.get(package).into_iter().flatten().cloned();
    let names: BTreeSet<String> = others.chain([own]).collect();
    names.into_iter().collect()
}

fn no_shim(package: &Unsupported) -> String {
    let Unsupported { name, version, known, .. } = package;
    format!("there is no shim for {name} {version}, only for {known}, so what it does is not recorded")
}

/// A line for each of these, so that what has no site is reported, too.
pub fn lines(session: &Session, left_out: &[LeftOut]) -> Vec<Unmonitored> {
    let plain = session.decisions.plain.iter().filter(|it| !is_member(session, &it.id));
    let reasons = left_out.iter().map(|it| it.reason.clone()).chain(plain.map(reason));
    let below = session.project.unsupported.iter().filter(|it| !it.used_by_member);
    let reasons = reasons.chain(below.map(no_shim));
    let line = |reason| Unmonitored { file: "Cargo.toml".to_owned(), line: 1, column: None, reason };
    reasons.map(line).collect()
}

/// Why everything is compiled as it is, if that is so.
fn all_as_it_is(session: &Session) -> Option<String> {
    let left_out =
        session.decisions.is_off(STD).then(|| kinds_left_out(&session.decisions, &session.project));
    left_out.into_iter().flatten().next().map(|it| it.reason)
}

/// Why a crate of the package in this folder is compiled as it is, if one is.
fn package_as_it_is(session: &Session, folder: &Utf8Path) -> Option<String> {
    let plain = || session.decisions.plain.iter().find(|it| it.id.package == folder).map(reason);
    all_as_it_is(session).or_else(plain)
}

/// The functions in the package in this folder that are not recorded. `otherwise` is why none is, if that is so and the package is not
/// compiled as it is.
pub fn unobserved_in(
    session: &Session,
    folder: &Utf8Path,
    members: &MemberFiles<'_>,
    otherwise: Option<&str>,
) -> Result<Vec<Unobserved>> {
    let as_it_is = package_as_it_is(session, folder).or_else(|| otherwise.map(str::to_owned));
    let mut found = Vec::new();
    rust_files(folder, &mut |path| {
        let file = members.file(&path);
        found.extend(file.iter().flat_map(|it| Unobserved::in_file(it, as_it_is.as_deref())));
    })?;
    Ok(found)
}

/// Why messages through some channels are not seen, if that is so.
pub fn against_messages(left_out: &[LeftOut]) -> Option<&str> {
    let of_channels = |it: &&LeftOut| it.kinds.iter().any(|kind| kind == SiteKind::Channel.name());
    left_out.iter().find(of_channels).map(|it| it.reason.as_str())
}

/// Why this artefact of a member is unmonitored, if it was compiled as it is.
pub fn compiled_as_it_is(session: &Session, artifact: &Artifact) -> Option<String> {
    if let Some(reason) = all_as_it_is(session) {
        return Some(reason);
    }
    let package = session.project.packages.get(&artifact.package)?;
    let target = package.targets.iter().find(|it| it.kind == artifact.kind && it.name == artifact.target)?;
    let same = |it: &&Plain| it.id.root == target.root && it.id.for_tests == artifact.for_tests;
    session.decisions.plain.iter().find(same).map(reason)
}

/// Why this crate is compiled as it is.
pub fn reason(plain: &Plain) -> String {
    let tests = if plain.id.for_tests { " (test)" } else { "" };
    format!(
        "`{}`{tests} is compiled as it is, because it does not compile when instrumented: {}",
        plain.name, plain.message
    )
}

fn is_member(session: &Session, id: &CrateId) -> bool {
    session.project.members().any(|it: (&Utf8Path, _)| it.0 == id.package)
}

/// The kinds of places at which a shim sees something. Awaits are marked in the source.
const OPERATIONS: &[SiteKind] = &[
    SiteKind::Spawn,
    SiteKind::Lock,
    SiteKind::Channel,
    SiteKind::Semaphore,
    SiteKind::Signal,
    SiteKind::Creation,
];

/// The kinds of places at which this shim may see something.
fn all_kinds(shim: Option<&Shim>) -> Vec<SiteKind> {
    let Some(it) = shim else { return OPERATIONS.to_vec() };
    let kinds = it.facts.groups.values().flat_map(|group| kinds(it.krate, group));
    let kinds: BTreeSet<SiteKind> = kinds.copied().chain([SiteKind::Creation]).collect();
    kinds.into_iter().collect()
}

/// The kinds of places at which this group of a shim may see something.
fn kinds(krate: &str, group: &str) -> &'static [SiteKind] {
    match group {
        "mutex" => &[SiteKind::Lock, SiteKind::Signal],
        // With the condition variable.
        "lock" if krate == "parking_lot" => &[SiteKind::Lock, SiteKind::Signal],
        "rwlock" | "remutex" | "lock" => &[SiteKind::Lock],
        "mpsc" | "oneshot" | "broadcast" | "channel" => &[SiteKind::Channel],
        "watch" => &[SiteKind::Channel, SiteKind::Signal],
        "semaphore" => &[SiteKind::Semaphore],
        "notify" | "barrier" | "once" => &[SiteKind::Signal],
        "thread" => &[SiteKind::Spawn, SiteKind::Blocking],
        "task" => &[SiteKind::Spawn],
        "fs" => &[SiteKind::Blocking],
        "panic" | "select" => &[],
        _ => OPERATIONS,
    }
}

fn words(kinds: impl AsRef<[SiteKind]>) -> Vec<String> {
    kinds.as_ref().iter().map(|it| it.name().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rvcheck_event::position::SourcePosition;
    use rvcheck_event::site::Site;

    fn site(kind: SiteKind, call: &str) -> Site {
        Site {
            file: "src/lib.rs".into(),
            start: SourcePosition::new(1, 1),
            end: SourcePosition::new(1, 2),
            kind,
            call: call.into(),
            item: "f".into(),
            binding: None,
            in_test: false,
        }
    }

    #[test]
    fn a_crate_that_is_not_watched_concerns_what_it_has() {
        use SiteKind as K;
        let left_out = |krate: &str| LeftOut {
            reason: String::new(),
            kinds: words(all_kinds(shim::of_crate(krate))),
            names: vec![krate.into()],
        };
        for (krate, kind, call, concerned) in [
            ("flume", K::Channel, "send", true),
            ("flume", K::Creation, "bounded", true),
            ("flume", K::Creation, "new", false),
            ("flume", K::Lock, "lock", false),
            ("flume", K::Spawn, "spawn", false),
            ("parking_lot", K::Lock, "lock", true),
            ("parking_lot", K::Signal, "notify_one", true),
            ("parking_lot", K::Creation, "new", true),
            ("parking_lot", K::Creation, "channel", false),
            ("parking_lot", K::Channel, "send", false),
            ("futures_util", K::Signal, "notify_one", false),
            ("tokio", K::Semaphore, "acquire", true),
            ("tokio", K::Await, "await", false),
        ] {
            let text = format!("use {krate}::*;");
            assert_eq!(
                left_out(krate).concerns(&site(kind, call), &text),
                concerned,
                "{krate} {kind:?} {call}"
            );
        }
        assert!(!left_out("flume").concerns(&site(K::Channel, "send"), "use std::sync::mpsc;"));
    }
}
