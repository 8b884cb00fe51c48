//! Maps by numbers that the recorder gives itself. Nobody chooses them so that they collide, so hashing them takes next to nothing.

use core::hash::{BuildHasherDefault, Hasher};
use std::collections::HashMap;

/// A map by such numbers.
pub(super) type ByNumber<K, V> = HashMap<K, V, BuildHasherDefault<Multiplied>>;

/// One multiplication: Knuth, volume 3, 6.4.
#[derive(Default)]
pub(super) struct Multiplied(u64);

impl Hasher for Multiplied {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        let product = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        // The map looks at both ends.
        self.0 = product ^ (product >> 32);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
