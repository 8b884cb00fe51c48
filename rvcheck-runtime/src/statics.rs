//! What a static keeps: a synchronisation object inside one, and what its initialiser makes. Any code of the process may reach it at any
//! time, so whoever waits for it is not left alone when the test that made it is over.

use crate::{switch, thread};

/// Learns where the program keeps its statics. To be called before anything is recorded: later a hook may ask in the handler of a signal,
/// which must wait neither for the loader nor for the code that it interrupts.
pub(crate) fn learn() {
    data::learn();
}

/// Whether a static keeps the object at this address, which is used for the first time, as far as is known.
pub(crate) fn keep(address: usize) -> bool {
    data::contains(address) || initialises()
}

/// This thread runs the initialiser of a static.
pub(crate) fn initialises() -> bool {
    switch::on() && thread::with(|state| state.statics.get() > 0)
}

/// While this lives, the thread runs the initialiser of a static. It stays on its thread.
#[derive(Debug)]
pub(crate) struct Initialiser;

impl Initialiser {
    /// The initialiser of what lies at this address runs; `None` where that is no static.
    pub(crate) fn of(address: usize) -> Option<Initialiser> {
        (switch::on() && data::contains(address)).then(|| {
            thread::with(|state| state.statics.set(state.statics.get() + 1));
            Initialiser
        })
    }
}

impl Drop for Initialiser {
    fn drop(&mut self) {
        thread::with(|state| state.statics.set(state.statics.get().saturating_sub(1)));
    }
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod data {
    use core::ffi::{c_int, c_void};
    use core::ops::Range;
    use core::sync::atomic::{AtomicUsize, Ordering};

    /// `ElfW(Phdr)` of 64 bits.
    #[repr(C)]
    struct Segment {
        kind: u32,
        flags: u32,
        offset: u64,
        address: u64,
        physical: u64,
        in_file: u64,
        in_memory: u64,
        align: u64,
    }

    /// The beginning of `dl_phdr_info`.
    #[repr(C)]
    struct Image {
        base: usize,
        name: *const u8,
        segments: *const Segment,
        count: u16,
    }

    const LOADED: u32 = 1;
    const WRITABLE: u32 = 2;

    unsafe extern "C" {
        fn dl_iterate_phdr(
            callback: unsafe extern "C" fn(*const Image, usize, *mut c_void) -> c_int,
            data: *mut c_void,
        ) -> c_int;
    }

    /// The first image that is told is the program itself.
    unsafe extern "C" fn first(image: *const Image, _: usize, found: *mut c_void) -> c_int {
        // SAFETY: the pointers are those that the C library hands over, and that of `range`.
        unsafe {
            let image = &*image;
            for at in 0..usize::from(image.count) {
                let segment = &*image.segments.add(at);
                if segment.kind == LOADED && segment.flags & WRITABLE != 0 {
                    let begin = image.base.wrapping_add(segment.address as usize);
                    *found.cast::<Range<usize>>() = begin..begin.wrapping_add(segment.in_memory as usize);
                }
            }
        }
        1
    }

    fn range() -> Range<usize> {
        let mut found = 0..0;
        // SAFETY: the callback gets what it expects, and does not unwind.
        unsafe { dl_iterate_phdr(first, (&raw mut found).cast()) };
        found
    }

    static BEGIN: AtomicUsize = AtomicUsize::new(0);
    static END: AtomicUsize = AtomicUsize::new(0);

    /// See [`super::learn`].
    pub(super) fn learn() {
        let Range { start, end } = range();
        BEGIN.store(start, Ordering::Relaxed);
        END.store(end, Ordering::Relaxed);
    }

    /// Whether the address lies in the writable data of the program.
    pub(super) fn contains(address: usize) -> bool {
        (BEGIN.load(Ordering::Relaxed)..END.load(Ordering::Relaxed)).contains(&address)
    }
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
mod data {
    pub(super) fn learn() {}

    /// Not known there.
    pub(super) fn contains(_: usize) -> bool {
        false
    }
}

#[cfg(test)]
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod tests {
    use super::*;
    use core::ptr;
    use core::sync::atomic::AtomicU32;

    #[test]
    fn statics_are_distinguished_from_the_stack_and_the_heap() {
        static KEPT: AtomicU32 = AtomicU32::new(1);
        learn();
        let own = AtomicU32::new(1);
        let boxed = Box::new(AtomicU32::new(1));
        let lies = |it: &AtomicU32| data::contains(ptr::from_ref(it).addr());
        assert_eq!([lies(&KEPT), lies(&own), lies(&boxed)], [true, false, false]);
    }
}
