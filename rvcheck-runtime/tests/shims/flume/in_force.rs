//! The shim is there with any features; without its wrappers the types are the real crate's.

const _: () = flume::__rv_shim::IN_FORCE;

#[cfg(left_out_channel)]
const _: fn(flume::Receiver<u8>) -> real_flume::Receiver<u8> = |it| it;

fn main() {
    let (sender, receiver) = flume::bounded(1);
    sender.send(1).unwrap();
    assert_eq!(receiver.into_iter().next(), Some(1));
}
