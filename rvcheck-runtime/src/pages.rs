//! Pages of the system's memory. Everything that the recorder keeps is made of them.

use core::ptr::{NonNull, null_mut};

/// Fresh pages, filled with zeros, at least that many bytes.
pub(crate) fn take(length: usize) -> Option<NonNull<u8>> {
    const READ_WRITE: i32 = 3;
    const PRIVATE_AND_ANONYMOUS: i32 = if cfg!(target_os = "macos") { 0x1002 } else { 0x22 };
    unsafe extern "C" {
        fn mmap(
            address: *mut u8,
            length: usize,
            protection: i32,
            flags: i32,
            file: i32,
            offset: i64,
        ) -> *mut u8;
    }
    // SAFETY: a fresh map; nothing else refers to it.
    let pages = unsafe { mmap(null_mut(), length, READ_WRITE, PRIVATE_AND_ANONYMOUS, -1, 0) };
    if pages as isize == -1 { None } else { NonNull::new(pages) }
}

/// Gives pages back.
///
/// # Safety
///
/// They must come from [`take`] with the same length, and are gone then.
pub(crate) unsafe fn give(pages: NonNull<u8>, length: usize) {
    unsafe extern "C" {
        fn munmap(address: *mut u8, length: usize) -> i32;
    }
    // SAFETY: as the caller says.
    unsafe { munmap(pages.as_ptr(), length) };
}
