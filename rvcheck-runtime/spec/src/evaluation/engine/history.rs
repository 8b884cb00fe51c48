//! The events that moved each instance, in one pool for all of them.

use rvcheck_event::event::Event;

use crate::evaluation::limits::KEPT;
use crate::verdict::Witness;

const NONE: u32 = u32::MAX;

/// The events of one instance: the first [`KEPT`], and after `split` the last [`KEPT`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct History {
    head: u32,
    tail: u32,
    /// The last of the first events, once there are that many.
    split: u32,
    /// How many events there were.
    count: u64,
}

impl History {
    /// No events.
    pub(super) const EMPTY: History = History { head: NONE, tail: NONE, split: NONE, count: 0 };
}

/// An event and the node after it, in one line of a cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Node(Event, u32);

/// Where the events are. Nodes that are free form a list.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    nodes: Vec<Node>,
    free: u32,
}

impl Default for Pool {
    fn default() -> Pool {
        Pool { nodes: Vec::new(), free: NONE }
    }
}

impl Pool {
    /// Adds an event to a history.
    #[inline]
    pub(super) fn push(&mut self, history: &mut History, event: &Event) {
        history.count += 1;
        let node = if history.count > 2 * u64::from(KEPT) {
            // The oldest of the last events makes room.
            let oldest = self.nodes[history.split as usize].1;
            self.nodes[history.split as usize].1 = self.nodes[oldest as usize].1;
            self.nodes[oldest as usize] = Node(*event, NONE);
            oldest
        } else {
            self.take(event)
        };
        match history.tail {
            NONE => history.head = node,
            tail => self.nodes[tail as usize].1 = node,
        }
        history.tail = node;
        if history.count == u64::from(KEPT) {
            history.split = node;
        }
    }

    #[inline]
    fn take(&mut self, event: &Event) -> u32 {
        match self.free {
            NONE => {
                self.nodes.push(Node(*event, NONE));
                (self.nodes.len() - 1) as u32
            }
            node => {
                self.free = self.nodes[node as usize].1;
                self.nodes[node as usize] = Node(*event, NONE);
                node
            }
        }
    }

    /// Forgets the events of a history.
    #[inline]
    pub(super) fn clear(&mut self, history: &mut History) {
        if history.head != NONE {
            self.nodes[history.tail as usize].1 = self.free;
            self.free = history.head;
        }
        *history = History::EMPTY;
    }

    /// A history of its own with the same events.
    pub(super) fn copy(&mut self, history: &History) -> History {
        let mut copy = History::EMPTY;
        let mut node = history.head;
        while node != NONE {
            let Node(event, next) = self.nodes[node as usize];
            self.push(&mut copy, &event);
            node = next;
        }
        copy.count = history.count;
        copy
    }

    /// What a history holds.
    pub(super) fn witness(&self, history: &History) -> Witness {
        let mut witness = Witness::default();
        let mut node = history.head;
        while node != NONE {
            let Node(event, next) = &self.nodes[node as usize];
            let list =
                if witness.first.len() < KEPT as usize { &mut witness.first } else { &mut witness.last };
            list.push(*event);
            node = *next;
        }
        witness.skipped = history.count - (witness.first.len() + witness.last.len()) as u64;
        witness
    }
}
