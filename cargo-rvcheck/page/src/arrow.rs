//! What one track does for another: spawns, messages, wake-ups and joins.

use crate::picture::{Act, Picture};
use std::collections::HashMap;

/// An arrow from a step to a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arrow {
    pub(crate) kind: Kind,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// What an arrow stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Spawn,
    Message,
    Wake,
    Join,
}

impl Kind {
    /// The name in pictures.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Kind::Spawn => "spawn",
            Kind::Message => "message",
            Kind::Wake => "wake-up",
            Kind::Join => "join",
        }
    }
}

/// The arrows of a picture, in the order of their ends.
pub(crate) fn arrows(picture: &Picture) -> Vec<Arrow> {
    let mut arrows = Vec::new();
    let mut spawned: HashMap<usize, usize> = HashMap::new();
    let mut ended: HashMap<usize, usize> = HashMap::new();
    let mut sent: HashMap<(usize, u64), usize> = HashMap::new();
    let mut signalled: HashMap<usize, usize> = HashMap::new();
    let mut begun = vec![false; picture.tracks.len()];
    for (to, step) in picture.steps.iter().enumerate() {
        let mut arrow = |kind, from: Option<&usize>| {
            arrows.extend(from.map(|from| Arrow { kind, from: *from, to }));
        };
        // A track that was spawned begins with its first step, whatever that is.
        if let Some(begun) = begun.get_mut(step.track)
            && !std::mem::replace(begun, true)
        {
            arrow(Kind::Spawn, spawned.get(&step.track));
        }
        match &step.act {
            Act::Spawn(track) => {
                spawned.insert(*track, to);
            }
            Act::End(_) => {
                ended.insert(step.track, to);
            }
            Act::Join(track) => arrow(Kind::Join, ended.get(track)),
            Act::Send(object, message) => {
                sent.insert((*object, *message), to);
            }
            Act::Receive(object, message) => arrow(Kind::Message, sent.get(&(*object, *message))),
            Act::Signal(object) => {
                signalled.insert(*object, to);
            }
            Act::Signalled(object) => arrow(Kind::Wake, signalled.get(object)),
            _ => {}
        }
    }
    arrows
}
