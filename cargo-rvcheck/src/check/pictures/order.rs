//! The events of an excerpt in the order that was predicted.

use super::Places;
use super::acts::RawTarget;
use super::excerpt::{Collected, Resolve};
use crate::finding::Order;
use rvcheck_page::{Act, Picture, Step};
use std::collections::BTreeMap;

/// The same picture in this order, which ends with requests that nobody grants. `None` if nothing of it is in the excerpt.
///
/// The order has the steps that others depend on. What else a task did goes with its next such step.
pub(super) fn reordered(collected: &Collected, order: &Order, places: &Places) -> Option<Picture> {
    let happened = &collected.picture;
    let at: BTreeMap<u64, usize> =
        happened.steps.iter().enumerate().filter_map(|(at, it)| Some((it.event?, at))).collect();
    let mut done = vec![false; happened.steps.len()];
    let mut steps: Vec<Step> = Vec::new();
    for last in order.events.iter().filter_map(|it| at.get(it)) {
        catch_up(happened, *last, true, &mut done, &mut steps);
    }
    let resolve = Resolve { tasks: &collected.tasks, objects: &collected.objects };
    for asking in &order.asking {
        let target = match asking.wanted {
            Ok(object) => RawTarget::Object(object),
            Err(task) => RawTarget::Task(task),
        };
        let act = Act::Wait(resolve.target(&target));
        if let Some(granted) = at.get(&asking.event) {
            catch_up(happened, *granted, false, &mut done, &mut steps);
        }
        let track = *collected.tasks.get(&asking.task)?;
        // It may have waited in the run, too.
        if steps.iter().rev().find(|it| it.track == track).is_some_and(|it| it.act == act) {
            continue;
        }
        let place = places.get(&asking.site).cloned();
        steps.push(Step { event: Some(asking.event), track, time: None, act, place });
    }
    (!steps.is_empty()).then(|| Picture {
        tracks: happened.tracks.clone(),
        objects: happened.objects.clone(),
        steps,
        runs: Vec::new(),
        omitted: happened.omitted,
        stuck: true,
        fault: None,
    })
}

/// Does what the track of a step did until then, and that step itself if it is `included`.
fn catch_up(happened: &Picture, last: usize, included: bool, done: &mut [bool], steps: &mut Vec<Step>) {
    let track = happened.steps[last].track;
    for (at, step) in happened.steps.iter().enumerate().take(last + usize::from(included)) {
        if step.track == track && !std::mem::replace(&mut done[at], true) {
            steps.push(Step { time: None, ..step.clone() });
        }
    }
}
