//! Compiles only if what was left out is the real crate's.

#[cfg(left_out_sync)]
const _: fn(once_cell::sync::OnceCell<u8>) -> real_once_cell::sync::OnceCell<u8> = |it| it;
