//! A finding as a sequence diagram in Mermaid's language, which GitHub draws: the few steps of its picture that matter.

use crate::escape::label;
use rvcheck_page::{Act, Ending, Picture, Step, Target};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// How many steps a diagram has at most.
const STEPS: usize = 16;
/// How many participants of each sort: tasks, and objects.
const PARTICIPANTS: usize = 6;
/// How many characters a label has at most.
const LABEL: usize = 60;

/// The diagram; `None` if there is nothing to show.
pub(super) fn sequence_diagram(picture: &Picture) -> Option<String> {
    let last = picture.fault.unwrap_or(usize::MAX).min(picture.steps.len().checked_sub(1)?);
    let kept = kept(picture, last);
    kept.first()?;
    let mut participants = Participants::default();
    for at in &kept {
        participants.meet(&picture.steps[*at]);
    }
    let mut out = "sequenceDiagram\n".to_owned();
    for track in &participants.tracks {
        let _ =
            writeln!(out, "    participant t{track} as {}", label(&picture.tracks.get(*track)?.name, LABEL));
    }
    for object in &participants.objects {
        let _ = writeln!(
            out,
            "    participant o{object} as {}",
            label(&picture.objects.get(*object)?.name, LABEL)
        );
    }
    let mut before = None;
    for at in &kept {
        let step = &picture.steps[*at];
        let omitted = before.map_or(0, |before| at - before - 1);
        if omitted > 0 && picture.steps[at - omitted..*at].iter().any(matters) {
            let _ = writeln!(out, "    Note over t{}: {} left out", step.track, steps(omitted));
        }
        before = Some(*at);
        let _ = writeln!(out, "    {}", line(step, &participants)?);
    }
    let end = &picture.steps[*kept.last()?];
    if picture.stuck {
        for track in waiting(picture, last).into_iter().filter(|it| participants.tracks.contains(it)) {
            let _ = writeln!(out, "    Note over t{track}: waits forever");
        }
    } else if picture.fault.is_some() {
        let _ = writeln!(out, "    Note over t{}: here the property is violated", end.track);
    }
    Some(out)
}

fn steps(count: usize) -> String {
    format!("{count} step{}", if count == 1 { "" } else { "s" })
}

/// The steps that are shown, in order: the last ones, and before them what is held at the end.
fn kept(picture: &Picture, last: usize) -> Vec<usize> {
    let matters: Vec<usize> = (0..=last).filter(|at| matters(&picture.steps[*at])).collect();
    let mut held: Vec<usize> = Vec::new();
    for at in &matters {
        let step = &picture.steps[*at];
        match step.act {
            Act::Take(_) => held.push(*at),
            Act::Release(object) => held.retain(|it| picture.steps[*it].act != Act::Take(object)),
            _ => {}
        }
    }
    let held = &held[held.len().saturating_sub(STEPS / 2)..];
    let rest = matters.iter().rev().filter(|it| !held.contains(it)).take(STEPS - held.len());
    let chosen: BTreeSet<usize> = rest.chain(held).copied().collect();
    // From the end, while there is room for who takes part.
    let mut room = Participants::default();
    let mut kept: Vec<usize> =
        chosen.into_iter().rev().filter(|at| room.has_room_for(&picture.steps[*at], picture)).collect();
    kept.reverse();
    kept
}

/// Whether the step says something that the others do not.
fn matters(step: &Step) -> bool {
    !matches!(
        step.act,
        Act::Begin | Act::Unblock(_) | Act::End(Ending::Finished) | Act::Leave(Target::Other(_))
    )
}

/// Who waits at the end.
fn waiting(picture: &Picture, last: usize) -> Vec<usize> {
    let mut waiting = Vec::new();
    for track in 0..picture.tracks.len() {
        let of = picture.steps[..=last].iter().rev().find(|it| it.track == track);
        if of.is_some_and(|it| matches!(it.act, Act::Wait(_))) {
            waiting.push(track);
        }
    }
    waiting
}

/// Who takes part, in the order in which they come.
#[derive(Default)]
struct Participants {
    tracks: Vec<usize>,
    objects: Vec<usize>,
}

impl Participants {
    fn meet(&mut self, step: &Step) {
        let (tracks, object) = parts(step);
        for track in tracks {
            if !self.tracks.contains(&track) {
                self.tracks.push(track);
            }
        }
        if let Some(object) = object.filter(|it| !self.objects.contains(it)) {
            self.objects.push(object);
        }
    }

    /// Takes in those of a step if all of them are known, and there are not too many.
    fn has_room_for(&mut self, step: &Step, picture: &Picture) -> bool {
        let (tracks, object) = parts(step);
        let new = tracks.iter().filter(|it| !self.tracks.contains(it)).count();
        let fits = self.tracks.len() + new <= PARTICIPANTS
            && object.is_none_or(|it| self.objects.contains(&it) || self.objects.len() < PARTICIPANTS)
            && tracks.iter().all(|it| *it < picture.tracks.len())
            && object.is_none_or(|it| it < picture.objects.len());
        if fits {
            self.meet(step);
        }
        fits
    }
}

/// The tracks and the object of a step.
fn parts(step: &Step) -> (Vec<usize>, Option<usize>) {
    let (track, object) = match &step.act {
        Act::Spawn(track)
        | Act::Join(track)
        | Act::Wait(Target::Track(track))
        | Act::Leave(Target::Track(track)) => (Some(*track), None),
        Act::Wait(Target::Object(it))
        | Act::Leave(Target::Object(it))
        | Act::Take(it)
        | Act::Release(it)
        | Act::Send(it, _)
        | Act::Receive(it, _)
        | Act::Signal(it)
        | Act::Signalled(it) => (None, Some(*it)),
        Act::Other(_, object) => (None, *object),
        _ => (None, None),
    };
    (std::iter::once(step.track).chain(track).collect(), object)
}

fn line(step: &Step, participants: &Participants) -> Option<String> {
    let own = format!("t{}", step.track);
    let object = |it: &usize| format!("o{it}");
    let track = |it: &usize| format!("t{it}");
    let (arrow, text) = match &step.act {
        Act::Spawn(it) => (format!("{own}->>{}", track(it)), "spawns".to_owned()),
        Act::Join(it) => (format!("{}-->>{own}", track(it)), "has ended".to_owned()),
        Act::Wait(Target::Track(it)) => (format!("{own}--){}", track(it)), "waits for its end".to_owned()),
        Act::Leave(Target::Track(it)) => (format!("{own}--x{}", track(it)), "stops waiting".to_owned()),
        Act::Wait(Target::Object(it)) => (format!("{own}--){}", object(it)), "waits".to_owned()),
        Act::Leave(Target::Object(it)) => (format!("{own}--x{}", object(it)), "stops waiting".to_owned()),
        Act::Take(it) => (format!("{own}->>{}", object(it)), "takes".to_owned()),
        Act::Release(it) => (format!("{own}->>{}", object(it)), "gives back".to_owned()),
        Act::Send(it, 0) => (format!("{own}->>{}", object(it)), "sends".to_owned()),
        Act::Send(it, number) => (format!("{own}->>{}", object(it)), format!("sends message {number}")),
        Act::Receive(it, 0) => (format!("{}->>{own}", object(it)), "is received".to_owned()),
        Act::Receive(it, number) => (format!("{}->>{own}", object(it)), format!("message {number}")),
        Act::Signal(it) => (format!("{own}->>{}", object(it)), "signals".to_owned()),
        Act::Signalled(it) => (format!("{}->>{own}", object(it)), "lets it go on".to_owned()),
        Act::Other(words, Some(it)) => (format!("{own}->>{}", object(it)), words.clone()),
        Act::Wait(Target::Other(words)) => (note(&own), format!("waits {words}")),
        Act::Leave(Target::Other(words)) => (note(&own), format!("no longer waits {words}")),
        Act::Block(by) => (note(&own), format!("blocks its thread: {by}")),
        Act::Unblock(by) => (note(&own), format!("goes on after {by}")),
        Act::Begin => (note(&own), "begins".to_owned()),
        Act::End(Ending::Finished) => (note(&own), "ends".to_owned()),
        Act::End(Ending::Failed) => (note(&own), "ends with an error".to_owned()),
        Act::End(Ending::Panicked) => (note(&own), "panics".to_owned()),
        Act::End(Ending::Cancelled) => (note(&own), "is cancelled".to_owned()),
        Act::Other(words, None) => (note(&own), words.clone()),
    };
    participants.tracks.contains(&step.track).then_some(())?;
    let place = step.place.as_ref().map_or_else(String::new, |at| {
        let file = at.file.rsplit('/').next().unwrap_or_default();
        format!(" ({file}:{})", at.line)
    });
    Some(format!("{arrow}: {}", label(&format!("{text}{place}"), LABEL)))
}

fn note(own: &str) -> String {
    format!("Note over {own}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rvcheck_page::{Object, ObjectKind, Place, Track, TrackKind};

    fn picture(acts: &[(usize, Act)], fault: Option<usize>) -> Picture {
        let step = |(at, (track, act)): (usize, &(usize, Act))| Step {
            event: Some(at as u64),
            track: *track,
            time: None,
            act: act.clone(),
            place: Some(Place { file: "src/lib.rs".into(), line: at as u32 + 1, column: 1 }),
        };
        let track = |name: &str| Track { name: name.to_owned(), kind: TrackKind::Task };
        let object = |name: &str| Object { name: name.to_owned(), kind: ObjectKind::Lock };
        Picture {
            tracks: vec![track("the task `a`"), track("the task `b; end`")],
            objects: vec![object("`one`"), object("`two`")],
            steps: acts.iter().enumerate().map(step).collect(),
            stuck: fault.is_none(),
            fault,
            ..Picture::default()
        }
    }

    #[test]
    fn a_deadlock_is_shown_with_who_waits_for_ever() {
        let wait = |it| Act::Wait(Target::Object(it));
        let acts = [(0, Act::Begin), (0, Act::Take(0)), (1, Act::Take(1)), (0, wait(1)), (1, wait(0))];
        let expected = "\
sequenceDiagram
    participant t0 as the task #96;a#96;
    participant t1 as the task #96;b#59; end#96;
    participant o0 as #96;one#96;
    participant o1 as #96;two#96;
    t0->>o0: takes (lib.rs#58;2)
    t1->>o1: takes (lib.rs#58;3)
    t0--)o1: waits (lib.rs#58;4)
    t1--)o0: waits (lib.rs#58;5)
    Note over t0: waits forever
    Note over t1: waits forever
";
        assert_eq!(sequence_diagram(&picture(&acts, None)).as_deref(), Some(expected));
    }

    #[test]
    fn few_steps_are_kept_and_what_is_held_is_among_them() {
        let mut acts = vec![(0, Act::Take(0))];
        for number in 1..200 {
            acts.push((1, Act::Send(1, number)));
        }
        acts.push((0, Act::Block("sleep".to_owned())));
        acts.push((0, Act::Release(0)));
        let diagram = sequence_diagram(&picture(&acts, Some(200))).expect("there are steps");
        let lines: Vec<&str> = diagram.lines().skip(5).collect();
        assert_eq!(lines[0], "    t0->>o0: takes (lib.rs#58;1)");
        assert!(lines.len() <= STEPS + 2, "{diagram}");
        assert!(
            diagram.contains("blocks its thread#58; sleep") && !diagram.contains("gives back"),
            "{diagram}"
        );
        assert!(diagram.ends_with("    Note over t0: here the property is violated\n"), "{diagram}");
    }

    #[test]
    fn what_names_nothing_is_left_out() {
        let acts = [(0, Act::Take(9)), (7, Act::Begin), (0, Act::Spawn(5))];
        assert_eq!(sequence_diagram(&picture(&acts, Some(2))), None);
        assert_eq!(sequence_diagram(&Picture::default()), None);
    }
}
