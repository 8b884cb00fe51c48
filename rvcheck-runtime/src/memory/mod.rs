//! The recorder's own memory, which comes from the system.
//!
//! A global allocator of the program's may take a lock. A hook that is called while the program holds that lock would wait for
//! itself if it allocated in the usual way, so what hooks keep is kept here. Whoever uses it is at work, see [`crate::at_work`].

mod arena;
mod short;

use core::alloc::Layout;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;
use core::{fmt, ptr, slice, str};

pub(crate) use short::Short;

/// Values in a row.
pub(crate) struct List<T: Copy> {
    first: NonNull<T>,
    length: usize,
    room: usize,
}

// SAFETY: it owns its values.
unsafe impl<T: Copy + Send> Send for List<T> {}
// SAFETY: as above.
unsafe impl<T: Copy + Sync> Sync for List<T> {}

impl<T: Copy> List<T> {
    /// Nothing, and no memory.
    pub(crate) const fn new() -> List<T> {
        const { assert!(size_of::<T>() != 0) };
        List { first: NonNull::dangling(), length: 0, room: 0 }
    }

    /// So many times this value.
    pub(crate) fn filled(value: T, length: usize) -> List<T> {
        let mut list = List::new();
        list.make_room(length);
        (0..length).for_each(|_| list.push(value));
        list
    }

    /// Appends a value.
    pub(crate) fn push(&mut self, value: T) {
        if self.length == self.room {
            self.make_room((self.room * 2).max(8));
        }
        // SAFETY: there is room for it.
        unsafe { self.first.add(self.length).write(value) };
        self.length += 1;
    }

    /// Appends values.
    pub(crate) fn extend(&mut self, values: &[T]) {
        for value in values {
            self.push(*value);
        }
    }

    /// Takes the value in this place out, and puts the last one there.
    pub(crate) fn swap_remove(&mut self, at: usize) -> T {
        let value = self[at];
        self[at] = self[self.length - 1];
        self.length -= 1;
        value
    }

    /// Keeps the values of which that is true.
    pub(crate) fn retain(&mut self, is_kept: impl Fn(&T) -> bool) {
        let mut kept = 0;
        for at in 0..self.length {
            let value = self[at];
            if is_kept(&value) {
                self[kept] = value;
                kept += 1;
            }
        }
        self.length = kept;
    }

    fn layout(room: usize) -> Layout {
        Layout::array::<T>(room).expect("lists are smaller than the memory")
    }

    fn make_room(&mut self, room: usize) {
        let first: NonNull<T> = arena::take(List::<T>::layout(room)).cast();
        // SAFETY: there is room for as many values as there are, in memory that is another one.
        unsafe { ptr::copy_nonoverlapping(self.first.as_ptr(), first.as_ptr(), self.length) };
        self.free();
        (self.first, self.room) = (first, room);
    }

    fn free(&mut self) {
        if self.room != 0 {
            // SAFETY: it was taken like this.
            unsafe { arena::give(self.first.cast(), List::<T>::layout(self.room)) };
        }
    }
}

impl<T: Copy> Default for List<T> {
    fn default() -> List<T> {
        List::new()
    }
}

impl<T: Copy> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: there are so many values.
        unsafe { slice::from_raw_parts(self.first.as_ptr(), self.length) }
    }
}

impl<T: Copy> DerefMut for List<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above.
        unsafe { slice::from_raw_parts_mut(self.first.as_ptr(), self.length) }
    }
}

impl<T: Copy + fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Copy> Drop for List<T> {
    fn drop(&mut self) {
        self.free();
    }
}

/// These texts as one.
pub(crate) struct Text(List<u8>);

impl Text {
    /// These texts, one after the other.
    pub(crate) fn of(parts: &[&str]) -> Text {
        let mut text = List::new();
        text.make_room(parts.iter().map(|it| it.len()).sum::<usize>().max(1));
        for part in parts {
            text.extend(part.as_bytes());
        }
        Text(text)
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        // SAFETY: as above.
        unsafe { str::from_utf8_unchecked(&self.0) }
    }
}

/// Puts a value into memory of its own, for good.
pub(crate) fn keep<T: 'static>(value: T) -> &'static T {
    let place: NonNull<T> = arena::keep(Layout::new::<T>()).cast();
    // SAFETY: there is room for it, and nobody else has it.
    unsafe {
        place.write(value);
        place.as_ref()
    }
}

/// These texts, one after the other, for good.
pub(crate) fn keep_text(parts: &[&str]) -> &'static str {
    let text = Text::of(parts);
    let place = arena::keep(Layout::for_value::<[u8]>(&text.0));
    // SAFETY: there is room for the text, which was put together from whole ones.
    unsafe {
        ptr::copy_nonoverlapping(text.as_ptr(), place.as_ptr(), text.len());
        str::from_utf8_unchecked(slice::from_raw_parts(place.as_ptr(), text.len()))
    }
}

/// Puts a value into memory of its own.
pub(crate) fn into_raw<T>(value: T) -> *mut T {
    let place: NonNull<T> = arena::take(Layout::new::<T>()).cast();
    // SAFETY: there is room for it.
    unsafe { place.write(value) };
    place.as_ptr()
}

/// Takes it out again.
///
/// # Safety
///
/// It must come from [`into_raw`], and is gone then.
pub(crate) unsafe fn from_raw<T>(place: *mut T) -> T {
    // SAFETY: as the caller says.
    unsafe {
        let value = place.read();
        arena::give(NonNull::new_unchecked(place.cast()), Layout::new::<T>());
        value
    }
}

/// Entries that are found by a hash.
pub(crate) struct Table<E: Copy> {
    /// By their hashes; the number of places is a power of two, or there are none.
    places: List<Option<(u64, E)>>,
    count: usize,
}

impl<E: Copy> Default for Table<E> {
    fn default() -> Table<E> {
        Table::new()
    }
}

impl<E: Copy> Table<E> {
    /// No entries, and no memory.
    pub(crate) const fn new() -> Table<E> {
        Table { places: List::new(), count: 0 }
    }

    /// The entry with this hash of which that is true.
    pub(crate) fn find(&mut self, hash: u64, is_it: impl Fn(&E) -> bool) -> Option<&mut E> {
        let mask = self.places.len().checked_sub(1)?;
        let mut at = hash as usize & mask;
        while let Some((other, entry)) = self.places[at] {
            if other == hash && is_it(&entry) {
                return self.places[at].as_mut().map(|(_, entry)| entry);
            }
            at = (at + 1) & mask;
        }
        None
    }

    /// Puts an entry in that is not there yet.
    pub(crate) fn insert(&mut self, hash: u64, entry: E) {
        // A quarter stays free, so that searches end.
        if (self.count + 1) * 4 > self.places.len() * 3 {
            let larger = List::filled(None, (self.places.len() * 2).max(64));
            let smaller = core::mem::replace(&mut self.places, larger);
            smaller.iter().flatten().for_each(|(hash, entry)| self.put(*hash, *entry));
        }
        self.put(hash, entry);
        self.count += 1;
    }

    fn put(&mut self, hash: u64, entry: E) {
        let mask = self.places.len() - 1;
        let mut at = hash as usize & mask;
        while self.places[at].is_some() {
            at = (at + 1) & mask;
        }
        self.places[at] = Some((hash, entry));
    }
}

/// The hash of these texts, put together, going on from another hash.
pub(crate) fn hash(parts: &[&str], from: u64) -> u64 {
    // FNV, mixed once more, since tables look at the lowest bits.
    let bytes = parts.iter().flat_map(|it| it.bytes());
    let mixed = bytes.fold(from ^ 0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    (mixed ^ mixed >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_finds_what_was_put_in_and_nothing_else() {
        let mut table: Table<u64> = Table::new();
        assert!(table.find(7, |_| true).is_none());
        for number in 0..10_000_u64 {
            // Many have the same hash.
            table.insert(number / 3, number);
        }
        for number in 0..10_000 {
            assert_eq!(table.find(number / 3, |it| *it == number).copied(), Some(number));
        }
        assert!(table.find(10_000, |_| true).is_none());
        assert!(table.find(1, |it| *it == 10_000).is_none());
    }

    #[test]
    fn a_list_grows_and_shrinks_like_a_vector() {
        let mut list = List::new();
        let mut vector = Vec::new();
        for number in 0..1_000_u32 {
            list.push(number);
            vector.push(number);
        }
        list.retain(|it| it % 3 != 0);
        vector.retain(|it| it % 3 != 0);
        assert_eq!(list.swap_remove(5), vector.swap_remove(5));
        assert_eq!(&*list, &*vector);
        assert_eq!(&*Text::of(&["set", " ", "größer"]), "set größer");
        assert_eq!(keep_text(&[]), "");
        assert_eq!(keep_text(&["a", "é"]), "aé");
    }
}
