//! The shim is there with any features; without its wrappers the types are the real crate's.

const _: () = crossbeam_channel::__rv_shim::IN_FORCE;

#[cfg(left_out_channel)]
const _: fn(crossbeam_channel::Receiver<u8>) -> real_crossbeam_channel::Receiver<u8> = |it| it;

fn main() {}
