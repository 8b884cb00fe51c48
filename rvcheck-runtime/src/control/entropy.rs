//! Randomness of a controlled run: what the system gives, and in which order `select!` polls its branches, is decided by the seed.
//!
//! So maps iterate in the same order each time. Libraries draw the order of branches from numbers of the worker thread, and which worker polls a
//! task is not controlled. So [`random_below`] stands in for those.

use core::hash::{Hash, Hasher};
use core::sync::atomic::{AtomicU64, Ordering};
use std::hash::DefaultHasher;

use super::random::Random;
use super::state::with;

/// The seed, and how often something was asked for.
static SEED: AtomicU64 = AtomicU64::new(0);
static ASKED: AtomicU64 = AtomicU64::new(0);

/// The run has this seed.
pub(super) fn seed(seed: u64) {
    SEED.store(seed, Ordering::Relaxed);
}

/// A random number below this one, which is not 0. It depends on the seed, on the participant, and on how often that has asked. `None` where the
/// run is not controlled, or no participant asks.
pub fn random_below(end: u32) -> Option<u32> {
    if !super::on() {
        return None;
    }
    let drawn = with(|control| {
        let me = control.acting()?;
        let it = &mut control.all[me];
        it.drawn += 1;
        let mut hasher = DefaultHasher::new();
        (SEED.load(Ordering::Relaxed), &it.name, it.drawn).hash(&mut hasher);
        Some(hasher.finish())
    });
    u32::try_from(Random::new(drawn??).below(end.into())).ok()
}

/// The next bytes.
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "there is nothing that asks"))]
fn fill(bytes: &mut [u8]) {
    let count = ASKED.fetch_add(1, Ordering::Relaxed);
    let mut random = Random::new(SEED.load(Ordering::Relaxed) ^ count.rotate_left(32));
    for chunk in bytes.chunks_mut(8) {
        let next = random.next().to_le_bytes();
        chunk.copy_from_slice(&next[..chunk.len()]);
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod system {
    //! What stands in front of the system's randomness.

    use core::ffi::{c_long, c_void};

    const GETRANDOM: c_long = if cfg!(target_arch = "x86_64") { 318 } else { 278 };

    unsafe extern "C" {
        fn syscall(number: c_long, ...) -> c_long;
    }

    // Weak, so that a program that defines the function itself keeps its own.
    #[cfg(target_arch = "x86_64")]
    core::arch::global_asm!(
        ".weak getrandom",
        ".type getrandom,@function",
        "getrandom: jmp {ours}",
        ours = sym rvcheck_getrandom,
    );
    #[cfg(target_arch = "aarch64")]
    core::arch::global_asm!(
        ".weak getrandom",
        ".type getrandom,%function",
        "getrandom: b {ours}",
        ours = sym rvcheck_getrandom,
    );

    /// What the program gets for `getrandom`.
    unsafe extern "C" fn rvcheck_getrandom(buffer: *mut c_void, length: usize, flags: u32) -> isize {
        if !crate::control::on() || buffer.is_null() {
            // SAFETY: as the caller says.
            return unsafe { syscall(GETRANDOM, buffer, length, flags) as isize };
        }
        // SAFETY: as the caller says, there is so much room.
        super::fill(unsafe { core::slice::from_raw_parts_mut(buffer.cast(), length) });
        length as isize
    }
}
