//! The processor of a controlled run. There is one, since one participant at a time goes on: to wake a thread on another one takes several
//! times as long.
//!
//! The program does not see that. Whoever asks how many there are is told what it would be without control, on Linux with glibc; elsewhere
//! nothing is changed.

/// From now on all threads of the process have the processor that this one is on.
pub(super) fn take_one() {
    #[cfg(all(
        target_os = "linux",
        target_env = "gnu",
        any(target_arch = "x86_64", target_arch = "aarch64")
    ))]
    system::take_one();
}

#[cfg(all(target_os = "linux", target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod system {
    //! The system's processors, and what stands in front of the question for them.

    use core::ffi::{c_int, c_long};
    use std::sync::OnceLock;

    const SCHED_SETAFFINITY: c_long = if cfg!(target_arch = "x86_64") { 203 } else { 122 };
    const SCHED_GETAFFINITY: c_long = if cfg!(target_arch = "x86_64") { 204 } else { 123 };
    /// A bit for each processor, as many as the C library knows of.
    type Processors = [u8; 128];

    /// What the program would have, and what it has.
    static TAKEN: OnceLock<(Processors, Processors)> = OnceLock::new();

    unsafe extern "C" {
        fn syscall(number: c_long, ...) -> c_long;
        fn sched_getcpu() -> c_int;
    }

    pub(super) fn take_one() {
        let (mut before, mut one): (Processors, Processors) = ([0; _], [0; _]);
        // SAFETY: the system writes at most so many bytes.
        let written = unsafe { syscall(SCHED_GETAFFINITY, 0, before.len(), before.as_mut_ptr()) };
        // SAFETY: it takes nothing.
        let Ok(here) = usize::try_from(unsafe { sched_getcpu() }) else { return };
        let Some(byte) = one.get_mut(here / 8).filter(|_| written > 0) else { return };
        *byte = 1 << (here % 8);
        if TAKEN.set((before, one)).is_ok() {
            // Where it is forbidden everything is only slower.
            // SAFETY: the system reads so many bytes.
            unsafe { syscall(SCHED_SETAFFINITY, 0, one.len(), one.as_ptr()) };
        }
    }

    // Weak, so that a program that defines the function itself keeps its own.
    #[cfg(target_arch = "x86_64")]
    core::arch::global_asm!(
        ".weak sched_getaffinity",
        ".type sched_getaffinity,@function",
        "sched_getaffinity: jmp {ours}",
        ours = sym rvcheck_sched_getaffinity,
    );
    #[cfg(target_arch = "aarch64")]
    core::arch::global_asm!(
        ".weak sched_getaffinity",
        ".type sched_getaffinity,%function",
        "sched_getaffinity: b {ours}",
        ours = sym rvcheck_sched_getaffinity,
    );

    /// What the program gets for `sched_getaffinity`.
    unsafe extern "C" fn rvcheck_sched_getaffinity(process: c_int, length: usize, set: *mut u8) -> c_int {
        // SAFETY: as the caller says.
        let written = unsafe { syscall(SCHED_GETAFFINITY, process, length, set) };
        let Ok(written) = usize::try_from(written) else { return -1 };
        // SAFETY: as the caller says, there is so much room.
        let set = unsafe { core::slice::from_raw_parts_mut(set, length) };
        set[written..].fill(0);
        let known = length.min(size_of::<Processors>());
        // A thread that has chosen its processors itself keeps those.
        if let Some((before, one)) = TAKEN.get()
            && set[..known] == one[..known]
        {
            set[..known].copy_from_slice(&before[..known]);
        }
        0
    }
}
