//! Compiles only if what was left out is the real crate's.

#[cfg(left_out_mpsc)]
const _: fn(futures_channel::mpsc::Sender<u8>) -> real_futures_channel::mpsc::Sender<u8> = |it| it;
#[cfg(left_out_oneshot)]
const _: fn(futures_channel::oneshot::Sender<u8>) -> real_futures_channel::oneshot::Sender<u8> = |it| it;
