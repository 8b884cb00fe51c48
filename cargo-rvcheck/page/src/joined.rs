//! The same event in two pictures.

use crate::picture::{Act, Picture, Step, Target};
use std::collections::HashMap;

/// For each step of the second picture the one of the first that is the same event. Where the numbers of events say nothing, as in
/// another run, it is the one that the same track did in the same way, at the same place, and as often before.
pub(crate) fn joined(first: &Picture, second: &Picture) -> Vec<Option<usize>> {
    let known: HashMap<u64, usize> =
        first.steps.iter().enumerate().filter_map(|(at, it)| Some((it.event?, at))).collect();
    let is_same_trace = second.steps.iter().filter_map(|it| it.event).any(|it| known.contains_key(&it))
        && second.steps.iter().filter_map(|it| it.event).all(|it| known.contains_key(&it));
    if is_same_trace {
        return second.steps.iter().map(|it| known.get(&it.event?).copied()).collect();
    }
    let mut counts = HashMap::new();
    let by_key: HashMap<(String, u32), usize> =
        first.steps.iter().enumerate().map(|(at, it)| (numbered(key(it, first), &mut counts), at)).collect();
    let mut counts = HashMap::new();
    let same = |it: &Step| by_key.get(&numbered(key(it, second), &mut counts)).copied();
    let mut pairs: Vec<Option<usize>> = second.steps.iter().map(same).collect();
    // Whoever waits for something in one of them may get it at once in the other.
    for (at, step) in second.steps.iter().enumerate().filter(|it| pairs[it.0].is_none()).collect::<Vec<_>>() {
        let Act::Wait(Target::Object(object)) = step.act else { continue };
        let is_same = |(other, it): &(usize, &Step)| {
            matches!(it.act, Act::Take(taken) if first.object(taken) == second.object(object))
                && first.track(it.track) == second.track(step.track)
                && it.place == step.place
                && !pairs.contains(&Some(*other))
        };
        let found = first.steps.iter().enumerate().find(is_same).map(|it| it.0);
        pairs[at] = found;
    }
    pairs
}

fn numbered(key: String, counts: &mut HashMap<String, u32>) -> (String, u32) {
    let count = counts.entry(key.clone()).or_default();
    *count += 1;
    (key, *count)
}

/// What an event is known by in another run.
fn key(step: &Step, picture: &Picture) -> String {
    let act = crate::wording::act(&step.act, picture);
    let place = step.place.as_ref().map(|it| format!("{}:{}:{}", it.file, it.line, it.column));
    format!("{} {act} {}", picture.track(step.track), place.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::{Track, TrackKind};

    fn picture(events: &[(Option<u64>, usize, Act)]) -> Picture {
        let track = |name: &str| Track { name: name.to_owned(), kind: TrackKind::Task };
        let steps = events.iter().map(|(event, track, act)| Step {
            event: *event,
            track: *track,
            time: None,
            act: act.clone(),
            place: None,
        });
        Picture { tracks: vec![track("a"), track("b")], steps: steps.collect(), ..Picture::default() }
    }

    #[test]
    fn events_of_one_trace_are_known_by_their_numbers() {
        let first = picture(&[(Some(1), 0, Act::Begin), (Some(5), 1, Act::Begin)]);
        let second = picture(&[(Some(5), 1, Act::Begin), (Some(1), 0, Act::Begin), (None, 0, Act::Take(0))]);
        assert_eq!(joined(&first, &second), [Some(1), Some(0), None]);
    }

    #[test]
    fn those_of_another_run_by_who_did_what_and_how_often() {
        let first =
            picture(&[(Some(1), 0, Act::Take(0)), (Some(2), 0, Act::Take(0)), (Some(3), 1, Act::Begin)]);
        let second =
            picture(&[(Some(10), 1, Act::Begin), (Some(20), 0, Act::Take(0)), (Some(21), 0, Act::Take(0))]);
        assert_eq!(joined(&first, &second), [Some(2), Some(0), Some(1)]);
    }
}
