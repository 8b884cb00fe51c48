//! Threads whose next record has to wait for a record of another thread.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// What a thread waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum For {
    /// The birth of an object.
    Birth,
    /// A position in the order of an object.
    Object,
    /// A position in the order of a task.
    Task,
    /// The spawn of a task.
    Spawn,
    /// The end of a task.
    End,
    /// The send of a message.
    Message,
}

/// What one thread waits for: which position or message (0 where there is only one), of what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Wait {
    pub(super) what: For,
    pub(super) id: u32,
    pub(super) need: u32,
}

/// Who waits for one thing: which position or message, and the stream.
type Queue = Vec<(u32, u32)>;

/// The waiting threads, by what they wait for.
#[derive(Clone, Debug, Default)]
pub(super) struct Waits {
    queues: HashMap<(For, u32), Queue, BuildHasherDefault<Mix>>,
    /// Emptied queues, to be used again.
    spare: Vec<Queue>,
}

impl Waits {
    /// Stream `stream` waits.
    pub(super) fn park(&mut self, wait: Wait, stream: u32) {
        let spare = &mut self.spare;
        self.queues
            .entry((wait.what, wait.id))
            .or_insert_with(|| spare.pop().unwrap_or_default())
            .push((wait.need, stream));
    }

    /// Moves the streams whose wait is over to `woken`.
    pub(super) fn wake(&mut self, what: For, id: u32, woken: &mut Vec<u32>, is_over: impl Fn(u32) -> bool) {
        let Some(queue) = self.queues.get_mut(&(what, id)) else { return };
        queue.retain(|(need, stream)| {
            let over = is_over(*need);
            if over {
                woken.push(*stream);
            }
            !over
        });
        if queue.is_empty()
            && let Some(queue) = self.queues.remove(&(what, id))
        {
            self.spare.push(queue);
        }
    }

    /// The least far of the positions that are waited for, as seen from `position`.
    pub(super) fn nearest(&self, what: For, id: u32, position: u32) -> Option<u32> {
        let queue = self.queues.get(&(what, id))?;
        queue.iter().map(|(need, _)| *need).min_by_key(|need| need.wrapping_sub(position))
    }
}

/// A hasher for small keys that nobody chooses with ill will.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_u64(number as u64);
    }
}
