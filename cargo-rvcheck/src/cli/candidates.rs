//! What completes the values of options that only the workspace knows.

use crate::levels::GROUPS;
use crate::request::BuildArgs;
use crate::specs;
use clap_complete::engine::CompletionCandidate;

/// The properties of the library and of the workspace, with their titles.
pub(super) fn properties() -> Vec<CompletionCandidate> {
    let known = specs::known(&BuildArgs::default()).unwrap_or_else(|_| specs::library().properties);
    let of = |it: &specs::Property| {
        CompletionCandidate::new(it.compiled.id()).help(Some(it.compiled.title().to_owned().into()))
    };
    known.iter().map(of).collect()
}

/// What levels can be given to: properties, and groups of them.
pub(super) fn levelled() -> Vec<CompletionCandidate> {
    let groups = GROUPS.iter().map(|it| CompletionCandidate::new(*it));
    properties().into_iter().chain(groups).collect()
}
