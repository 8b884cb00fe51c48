//! A receiver waits while its own thread keeps a sender.

fn main() {
    let (sender, receiver) = async_channel::bounded(1);
    sender.send_blocking(1).unwrap();
    while receiver.recv_blocking().is_ok() {}
    drop(sender);
}
