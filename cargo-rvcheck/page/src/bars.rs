//! From steps to what lasts: who holds what, who waits for what, and from which step to which.

use crate::picture::{Act, Picture, Target};

/// Something that lasts. `from` and `to` are steps; what begins before the first one has no beginning, and what is never over no end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bar<T> {
    pub(crate) track: usize,
    pub(crate) what: T,
    pub(crate) from: Option<usize>,
    pub(crate) to: Option<usize>,
}

/// What lasts in a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bars {
    /// Held locks and permits.
    pub(crate) holds: Vec<Bar<usize>>,
    /// Waits.
    pub(crate) waits: Vec<Bar<Target>>,
    /// Blocked threads.
    pub(crate) blocks: Vec<Bar<String>>,
}

/// See the module.
pub(crate) fn bars(picture: &Picture) -> Bars {
    let mut bars = Bars::default();
    for (at, step) in picture.steps.iter().enumerate() {
        let track = step.track;
        match &step.act {
            Act::Wait(target) => {
                // Whoever asks again has waited all the time.
                if open(&mut bars.waits, track, |it| it == target).is_none() {
                    bars.waits.push(Bar { track, what: target.clone(), from: Some(at), to: None });
                }
            }
            Act::Leave(target) => end(&mut bars.waits, track, at, |it| it == target),
            Act::Take(object) => {
                end(&mut bars.waits, track, at, |it| *it == Target::Object(*object));
                bars.holds.push(Bar { track, what: *object, from: Some(at), to: None });
            }
            Act::Release(object) => release(&mut bars.holds, track, at, *object),
            Act::Receive(object, _) | Act::Send(object, _) | Act::Signalled(object) => {
                end(&mut bars.waits, track, at, |it| *it == Target::Object(*object));
            }
            Act::Join(other) => end(&mut bars.waits, track, at, |it| *it == Target::Track(*other)),
            Act::Block(by) => bars.blocks.push(Bar { track, what: by.clone(), from: Some(at), to: None }),
            Act::Unblock(by) => end(&mut bars.blocks, track, at, |it| it == by),
            Act::End(_) => end(&mut bars.waits, track, at, |_| true),
            Act::Spawn(_) | Act::Begin | Act::Signal(_) | Act::Other(..) => {}
        }
    }
    bars
}

fn open<T>(bars: &mut [Bar<T>], track: usize, is: impl Fn(&T) -> bool) -> Option<&mut Bar<T>> {
    bars.iter_mut().rev().find(|it| it.track == track && it.to.is_none() && is(&it.what))
}

fn end<T>(bars: &mut [Bar<T>], track: usize, at: usize, is: impl Fn(&T) -> bool) {
    while let Some(bar) = open(bars, track, &is) {
        bar.to = Some(at);
    }
}

/// A guard may be dropped by somebody else than who has taken the lock. What was taken before the first step has been held since then.
fn release(holds: &mut Vec<Bar<usize>>, track: usize, at: usize, object: usize) {
    if let Some(bar) = open(holds, track, |it| *it == object) {
        bar.to = Some(at);
    } else if let Some(bar) = holds.iter_mut().rev().find(|it| it.to.is_none() && it.what == object) {
        bar.to = Some(at);
    } else {
        holds.insert(0, Bar { track, what: object, from: None, to: Some(at) });
    }
}

/// For each bar the row in which it lies, from 0, so that no two of a track overlap.
pub(crate) fn rows<T>(bars: &[Bar<T>], track: usize) -> Vec<(usize, &Bar<T>)> {
    let mut ends: Vec<Option<usize>> = Vec::new();
    let mut placed = Vec::new();
    for bar in bars.iter().filter(|it| it.track == track) {
        let from = bar.from.unwrap_or(0);
        let free = ends.iter().position(|it| it.is_some_and(|it| it <= from));
        let row = free.unwrap_or_else(|| {
            ends.push(None);
            ends.len() - 1
        });
        ends[row] = bar.to;
        placed.push((row, bar));
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Step;

    fn picture(acts: Vec<(usize, Act)>) -> Picture {
        let step = |(track, act)| Step { event: None, track, time: None, act, place: None };
        Picture { steps: acts.into_iter().map(step).collect(), ..Picture::default() }
    }

    #[test]
    fn a_wait_ends_with_what_was_waited_for() {
        let bars = bars(&picture(vec![
            (0, Act::Take(0)),
            (1, Act::Wait(Target::Object(0))),
            (0, Act::Release(0)),
            (1, Act::Take(0)),
        ]));
        let ends: Vec<_> = bars.holds.iter().map(|it| (it.track, it.from, it.to)).collect();
        assert_eq!(ends, [(0, Some(0), Some(2)), (1, Some(3), None)]);
        assert_eq!((bars.waits[0].from, bars.waits[0].to), (Some(1), Some(3)));
    }

    #[test]
    fn what_is_released_and_was_never_taken_was_held_before() {
        let bars = bars(&picture(vec![(0, Act::Begin), (0, Act::Release(7))]));
        assert_eq!(bars.holds, [Bar { track: 0, what: 7, from: None, to: Some(1) }]);
    }

    #[test]
    fn a_guard_that_moved_is_given_back_by_another() {
        let bars = bars(&picture(vec![(0, Act::Take(0)), (1, Act::Release(0))]));
        assert_eq!(bars.holds, [Bar { track: 0, what: 0, from: Some(0), to: Some(1) }]);
    }

    #[test]
    fn bars_that_overlap_lie_in_different_rows() {
        let bars = bars(&picture(vec![
            (0, Act::Take(0)),
            (0, Act::Take(1)),
            (0, Act::Release(0)),
            (0, Act::Take(2)),
        ]));
        let rows: Vec<_> = rows(&bars.holds, 0).into_iter().map(|it| it.0).collect();
        assert_eq!(rows, [0, 1, 0]);
    }
}
