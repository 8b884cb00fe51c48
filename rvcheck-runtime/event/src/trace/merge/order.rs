//! What a record has to wait for, and what happens when that never comes.

use super::Merge;
use super::wait::{For, Wait};
use crate::id::TaskId;
use crate::kind::EventKind;
use crate::record::{RecordOrder, code, order_of};
use crate::trace::resolve::ahead;

/// Whether the kind is about an object with a birth.
const fn has_object(kind: EventKind) -> bool {
    (kind as u8) >= EventKind::Request as u8 && (kind as u8) < EventKind::Block as u8
}

impl Merge<'_> {
    /// What the head of the stream has to wait for.
    #[inline]
    pub(super) fn obstacle(&mut self, stream: usize) -> Option<Wait> {
        use EventKind as K;
        let record = self.streams[stream].head;
        let id = record.object;
        if self.resolver.is_ticketed() {
            // Sends are recorded after the fact where nobody knows before whether there is room.
            let waits = self.resolver.waits_for_message(record);
            return waits.then_some(Wait { what: For::Message, id, need: record.number });
        }
        let Some(kind) = record.kind() else {
            let counted = record.code == code::OBJECT_DROP && record.number != 0;
            return if counted { self.object_obstacle(id, record.number.wrapping_add(1)) } else { None };
        };
        if id == 0 {
            return None;
        }
        if has_object(kind) {
            let entry = self.resolver.world_mut().objects.entry(id)?;
            if !entry.born {
                return Some(Wait { what: For::Birth, id, need: 0 });
            }
            let order = order_of(kind);
            if order == RecordOrder::Message {
                let wait = kind != K::Send && record.number != 0 && !entry.sent.contains(record.number);
                return wait.then_some(Wait { what: For::Message, id, need: record.number });
            }
            let ahead = ahead(order, record, entry.position)?;
            let need = entry.position.wrapping_add(ahead as u32);
            return (ahead > 1).then_some(Wait { what: For::Object, id, need });
        }
        match kind {
            K::Start | K::Poll | K::Suspend | K::Finish | K::Cancel => {
                let entry = self.resolver.world_mut().tasks.entry(id)?;
                if !entry.spawned && (kind == K::Start || record.number <= 1) {
                    return Some(Wait { what: For::Spawn, id, need: 0 });
                }
                let ahead = ahead(order_of(kind), record, entry.position)?;
                let need = entry.position.wrapping_add(ahead as u32);
                (ahead > 1).then_some(Wait { what: For::Task, id, need })
            }
            K::WakerDrop => {
                let ahead = record.number.wrapping_sub(self.resolver.world_mut().tasks.entry(id)?.position);
                let need = record.number.wrapping_add(1);
                (ahead.cast_signed() > 0).then_some(Wait { what: For::Task, id, need })
            }
            K::Join | K::Ended => {
                let ended = self.resolver.world_mut().tasks.entry(id)?.ended;
                (!ended).then_some(Wait { what: For::End, id, need: 0 })
            }
            K::Detach | K::Abort | K::SetSpawn => {
                let spawned = self.resolver.world_mut().tasks.entry(id)?.spawned;
                (!spawned).then_some(Wait { what: For::Spawn, id, need: 0 })
            }
            _ => None,
        }
    }

    /// Waits until everything before `need` was seen.
    fn object_obstacle(&mut self, id: u32, need: u32) -> Option<Wait> {
        let ahead = need.wrapping_sub(self.resolver.world_mut().objects.entry(id)?.position) as i32;
        (ahead > 1).then_some(Wait { what: For::Object, id, need })
    }

    /// Nobody can go on, so records were lost. Lets the earliest waiting thread go on; `false` if there is none.
    #[cold]
    pub(super) fn fill_gap(&mut self) -> bool {
        let (streams, waiting) = (&self.streams, &self.waiting);
        let parked = self.parked.get_or_insert_with(|| {
            let streams = streams.iter().zip(waiting).enumerate();
            streams
                .filter(|(_, (_, wait))| wait.is_some())
                .map(|(at, (stream, _))| (stream.rank(), at as u32))
                .collect()
        });
        let Some(wait) = parked.first().and_then(|(_, stream)| waiting[*stream as usize]) else {
            return false;
        };
        self.problems.order_gaps += 1;
        let Wait { what, id, mut need } = wait;
        match what {
            For::Birth => {
                if let Some(entry) = self.resolver.world_mut().objects.entry(id) {
                    entry.born = true;
                }
            }
            For::Spawn => {
                if let Some(entry) = self.resolver.world_mut().tasks.entry(id) {
                    entry.spawned = true;
                }
            }
            For::End => self.resolver.world_mut().mark_ended(TaskId(id)),
            For::Message => {
                if let Some(entry) = self.resolver.world_mut().objects.entry(id) {
                    entry.sent.insert(need);
                }
            }
            For::Object | For::Task => {
                let position = match what {
                    For::Object => self.resolver.world_mut().objects.entry(id).map(|it| &mut it.position),
                    _ => self.resolver.world_mut().tasks.entry(id).map(|it| &mut it.position),
                };
                if let Some(position) = position {
                    // Another thread may be nearer to what comes next here, although later in time.
                    need = self.waits.nearest(what, id, *position).unwrap_or(need);
                    *position = need.wrapping_sub(1);
                }
            }
        }
        self.wake(what, id, |it| it == need);
        true
    }
}
