//! What a prediction cannot know: what may order the tasks although no event says so. The message says it in the same sentence.

use super::predictions::{PredictionReporter, offset_of};
use super::scene::Scene;
use rvcheck_event::id::SiteId;
use rvcheck_predict::history::StepId;
use rvcheck_predict::{Prediction, Proof as Found, Why};
use rvcheck_source::telling::{Telling, called};
use std::collections::BTreeSet;
use std::ops::Range;

/// Why a prediction may be wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Doubt {
    /// The events leave it open.
    Of(Why),
    /// The later task may have learnt by this call that the earlier one was done.
    LearntBy(String),
    /// The earlier task has let go of this lock before the later one took it, and what it protects may have told that.
    Passed(String),
}

/// How deep functions are followed that a task calls.
const DEEPEST: usize = 3;

impl PredictionReporter<'_> {
    /// What stands against a prediction, if anything does.
    pub(super) fn doubt(&self, prediction: &Prediction, scene: &Scene<'_>) -> Option<Doubt> {
        match &prediction.proof {
            Found::Potential(why @ (Why::Moved | Why::OneThread)) => Some(Doubt::Of(*why)),
            Found::Potential(Why::Unseen) => {
                let learnt_by = self.learnt_by(prediction, scene, false);
                Some(learnt_by.map_or(Doubt::Of(Why::Unseen), Doubt::LearntBy))
            }
            Found::Witnessed(_) => {
                let of_others = prediction.blocked.iter().any(|it| self.history.task(it.task).is_of_others);
                let in_branch = || prediction.blocked.iter().any(|it| self.is_branch(it.step, scene));
                if of_others || in_branch() {
                    return Some(Doubt::Of(Why::Unseen));
                }
                let passed = || prediction.passed.map(|it| Doubt::Passed(self.lock(it, scene)));
                self.learnt_by(prediction, scene, true).map(Doubt::LearntBy).or_else(passed)
            }
        }
    }

    /// Whether a step asks in a branch of a `select!`.
    fn is_branch(&self, step: StepId, scene: &Scene<'_>) -> bool {
        let place = self.place_of(self.history.step(step).site, scene);
        let text = place.as_ref().and_then(|(file, _)| self.context.sources.text(file));
        place.zip(text).is_some_and(|((_, at), text)| is_branch(&text[at..]))
    }

    /// The file of a site, and the offset behind it.
    fn place_of(&self, site: SiteId, scene: &Scene<'_>) -> Option<(String, usize)> {
        let at = self.context.sources.place(scene.compiled_site(site)?, "").location;
        let text = self.context.sources.text(&at.file)?;
        let offset = offset_of(text, at.end_line, at.end_column)?;
        Some((at.file, offset))
    }

    /// The call by which the task that came later may have learnt what the earlier one had done: the last one before it took its lock,
    /// else one in a function that it calls. What atomics order by operations that are followed is left out where that is `known`.
    fn learnt_by(&self, prediction: &Prediction, scene: &Scene<'_>, known: bool) -> Option<String> {
        let taken = |it: &rvcheck_predict::Blocked| it.holds.map_or(it.step, |(_, _, taken)| taken);
        let later = prediction.blocked.iter().max_by_key(|it| self.history.step(taken(it)).event)?;
        let end = self.place_of(self.history.step(taken(later)).site, scene)?;
        let until = self.history.step(taken(later)).position;
        let steps = self.history.steps_of(later.task).iter().map(|it| self.history.step(*it));
        let before = steps.filter(|it| it.position <= until).map(|it| it.site);
        let mut sites: BTreeSet<SiteId> = before.collect();
        sites.insert(self.history.task(later.task).spawned_at);
        let mut open: Vec<(String, Range<usize>)> = Vec::new();
        for (file, at) in sites.into_iter().filter_map(|it| self.place_of(it, scene)) {
            let items = self.context.sources.items(&file);
            let around = items.and_then(|(_, items)| items.around(at.saturating_sub(1)));
            open.extend(around.map(|it| (file, it)).filter(|it| !open.contains(it)));
        }
        // Its own function first.
        open.sort_by_key(|(file, range)| !(*file == end.0 && range.contains(&end.1)));
        let mut seen = open.clone();
        for _ in 0..DEEPEST {
            let mut next = Vec::new();
            for (file, range) in open {
                let (text, _) = self.context.sources.items(&file)?;
                let called = called(text.get(range.clone())?);
                let is_early = |at: usize| file != end.0 || !range.contains(&end.1) || at < end.1;
                let tells = |it: &&Telling| {
                    let at = range.start + it.at;
                    is_early(at) && !(known && self.is_recorded(&file, at..at + it.name.len()))
                };
                if let Some(it) = called.telling.iter().rev().find(tells) {
                    let line = text[..range.start + it.at].matches('\n').count() + 1;
                    return Some(format!("`{}` at {file}:{line}", it.name));
                }
                for name in called.others {
                    let Some((file, _, range)) = self.context.sources.only_item(&name) else { continue };
                    let it = (file.to_owned(), range);
                    if !seen.contains(&it) {
                        seen.push(it.clone());
                        next.push(it);
                    }
                }
            }
            open = next;
        }
        None
    }

    /// Whether it is an operation on an atomic that is followed.
    fn is_recorded(&self, file: &str, name: Range<usize>) -> bool {
        !self.history.overlooks_atomics() && self.context.sources.follows_atomic(file, name)
    }
}

/// How the message of a prediction begins that something may stand against, which it names before the next colon.
const UNLESS: &str = "possible deadlock, unless ";
/// How the message begins of one whose tasks one thread polls.
const ON_ONE_THREAD: &str =
    "the tasks deadlock if each is suspended at its await, for example by a third task that holds the lock: ";
/// How that of one begins that nothing is known to stand against.
const CLAIM: &str = "nothing that was recorded keeps these tasks from a deadlock: ";
/// How it begins once it was made to happen.
const FACT: &str = "another schedule of these events deadlocks: ";

/// What is said of a deadlock: these parts, and what stands against it.
pub(super) fn hedged(doubt: Option<&Doubt>, parts: &str) -> String {
    let unless = |what: &str| format!("{UNLESS}{what}: {parts}");
    match doubt {
        None => format!("{CLAIM}{parts}"),
        Some(Doubt::LearntBy(call)) => unless(&format!("{call} orders the tasks")),
        Some(Doubt::Passed(lock)) => unless(&format!("what {lock} protects orders the tasks")),
        Some(Doubt::Of(Why::Unseen)) => unless("something unseen orders the tasks"),
        Some(Doubt::Of(Why::Moved)) => unless("the guard that moved to another task is dropped there"),
        Some(Doubt::Of(Why::OneThread)) => format!("{ON_ONE_THREAD}{parts}"),
    }
}

/// The message of a prediction once it was made to happen.
pub(crate) fn without_hedge(message: &str) -> String {
    let claimed = message.strip_prefix(CLAIM);
    let hedged = || message.strip_prefix(UNLESS).and_then(|it| it.split_once(": ")).map(|it| it.1);
    let rest = claimed.or_else(hedged);
    rest.map_or_else(|| message.to_owned(), |it| format!("{FACT}{it}"))
}

/// Whether a call, which this follows, is what a branch of a `select!` waits for.
fn is_branch(rest: &str) -> bool {
    let rest = rest.strip_prefix("()").unwrap_or(rest).trim_start();
    rest.starts_with("=>") || rest.starts_with(", if ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_happened_is_a_fact_and_nothing_else_is() {
        let doubts = [
            None,
            Some(Doubt::LearntBy("`is_closed` at src/lib.rs:3".to_owned())),
            Some(Doubt::Passed("`queue`".to_owned())),
            Some(Doubt::Of(Why::Unseen)),
            Some(Doubt::Of(Why::Moved)),
        ];
        for doubt in doubts {
            let message = hedged(doubt.as_ref(), "a waits");
            assert!(!message.starts_with(FACT), "{message}");
            assert_eq!(without_hedge(&message), format!("{FACT}a waits"));
        }
        assert_eq!(without_hedge("a waits for b"), "a waits for b");
    }

    #[test]
    fn a_select_branch_is_recognised_by_its_arrow() {
        assert!(is_branch("() => {}"));
        assert!(is_branch(", if open => {}"));
        assert!(!is_branch("().await"));
        assert!(!is_branch(".unwrap() => {}"));
    }
}
