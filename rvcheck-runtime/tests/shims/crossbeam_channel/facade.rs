//! What programs see of the channels of `crossbeam`: they are those of `crossbeam_channel`, the macro included.

use crossbeam::channel::{bounded, never, Receiver};

fn main() {
    let (sender, receiver) = bounded(1);
    let sender: crossbeam_channel::Sender<u8> = sender;
    crossbeam::select! {
        send(sender, 1) -> result => println!("{result:?}"),
        recv(never::<u8>()) -> _ => {}
    }
    let receiver: crossbeam_channel::Receiver<u8> = receiver;
    println!("{:?}", receiver.recv());
    crossbeam::scope(|scope| {
        scope.spawn(|_| sender.send(2).unwrap());
        let receiver: &Receiver<u8> = &receiver;
        crossbeam::channel::select! { recv(receiver) -> it => println!("{it:?}") }
    })
    .unwrap();
}
