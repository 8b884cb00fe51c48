//! Compiles only if what was left out is the real crate's.

#[cfg(left_out_channel)]
const _: fn(async_channel::WeakSender<u8>) -> real_async_channel::WeakSender<u8> = |it| it;
