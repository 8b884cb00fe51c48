//! A set of numbers of objects. Numbers are mostly given in turn, so that most of what it holds is without gaps and takes no room.

use std::collections::BTreeMap;

/// How many numbers a chunk is for.
const CHUNK: u32 = 4096;

/// How many chunks stand side by side.
const DENSE: u32 = 1 << 14;

#[derive(Clone, Debug)]
enum Chunk {
    Empty,
    Full,
    Some { count: u32, bits: Box<[u64; CHUNK as usize / 64]> },
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Ids {
    chunks: Vec<Chunk>,
    /// Those beyond, by their places.
    far: BTreeMap<u32, Chunk>,
    count: u64,
}

impl Ids {
    /// Adds a number.
    #[inline]
    pub(super) fn insert(&mut self, id: u32) {
        let (bit, mask) = ((id % CHUNK / 64) as usize, 1 << (id % 64));
        match self.chunk(id / CHUNK) {
            Some(Chunk::Full) => {}
            Some(Chunk::Some { bits, .. }) if bits[bit] & mask != 0 => {}
            _ => self.add(id),
        }
    }

    #[inline]
    fn chunk(&self, at: u32) -> Option<&Chunk> {
        if at < DENSE { self.chunks.get(at as usize) } else { self.far.get(&at) }
    }

    #[cold]
    fn add(&mut self, id: u32) {
        let at = id / CHUNK;
        let chunk = if at < DENSE {
            if self.chunks.len() <= at as usize {
                self.chunks.resize(at as usize + 1, Chunk::Empty);
            }
            &mut self.chunks[at as usize]
        } else {
            self.far.entry(at).or_insert(Chunk::Empty)
        };
        if matches!(chunk, Chunk::Empty) {
            *chunk = Chunk::Some { count: 0, bits: Box::new([0; CHUNK as usize / 64]) };
            // No object has the number 0, so the first chunk can be full without it.
            if at == 0
                && let Chunk::Some { count, bits } = chunk
            {
                (*count, bits[0]) = (1, 1);
            }
        }
        if let Chunk::Some { count, bits } = chunk {
            bits[(id % CHUNK / 64) as usize] |= 1 << (id % 64);
            (*count, self.count) = (*count + 1, self.count + 1);
            if *count == CHUNK {
                *chunk = Chunk::Full;
            }
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> u64 {
        self.count
    }

    /// The numbers in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let near = self.chunks.iter().zip(0..).filter(|(chunk, _)| !matches!(chunk, Chunk::Empty));
        let far = self.far.iter().map(|(at, chunk)| (chunk, *at));
        near.chain(far).flat_map(|(chunk, at)| {
            let ids = (0..CHUNK).filter(|place| chunk.contains(*place)).map(move |place| at * CHUNK + place);
            ids.filter(|id| *id != 0)
        })
    }

    /// Adds all of another set.
    pub(super) fn extend(&mut self, other: &Ids) {
        for id in other.iter() {
            self.insert(id);
        }
    }
}

impl Chunk {
    fn contains(&self, place: u32) -> bool {
        match self {
            Chunk::Empty => false,
            Chunk::Full => true,
            Chunk::Some { bits, .. } => bits[(place / 64) as usize] & 1 << (place % 64) != 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn it_agrees_with_a_set_also_where_chunks_fill_up() {
        let (mut ids, mut set) = (Ids::default(), BTreeSet::new());
        let scattered = (1..2000_u32).map(|it| it * 7919 % 50_000 + 1);
        let far = [u32::MAX, u32::MAX - CHUNK, 1 << 31];
        for id in scattered.chain(1..10_000).chain(20_000..30_000).chain(far) {
            ids.insert(id);
            set.insert(id);
        }
        assert_eq!(ids.len(), set.len() as u64);
        assert!(ids.iter().eq(set.iter().copied()));
        assert!(matches!(ids.chunks[0], Chunk::Full));
    }
}
