//! What programs see of what older versions do not have.

use flume::{bounded, unbounded, WeakSender};

fn main() {
    counts();
    weak();
    debugged();
}

fn counts() {
    let (sender, receiver) = unbounded::<u8>();
    let other = sender.clone();
    println!("{} {}", sender.sender_count(), sender.receiver_count());
    println!("{} {}", sender.same_channel(&other), sender.same_channel(&unbounded().0));
    println!("{} {}", receiver.same_channel(&receiver.clone()), receiver.same_channel(&unbounded().1));
    let (sink, stream) = (other.into_sink(), receiver.clone().into_stream());
    println!("{} {}", sender.sender_count(), receiver.receiver_count());
    let (another, streams) = (sink.clone(), stream.clone());
    println!("{} {}", sender.sender_count(), receiver.receiver_count());
    println!("{} {}", sink.same_channel(&another), stream.same_channel(&streams));
    println!("{:?}", sink.sender().try_send(1));
    drop((sink, another, stream, streams));
    println!("{} {}", receiver.sender_count(), sender.receiver_count());
    drop((sender.send_async(1), receiver.recv_async()));
    drop((sender.clone().into_send_async(1), receiver.clone().into_recv_async()));
    println!("{} {}", receiver.sender_count(), sender.receiver_count());
}

fn weak() {
    let (sender, receiver) = bounded(1);
    let weak: WeakSender<u8> = sender.downgrade();
    let also = weak.clone();
    weak.upgrade().unwrap().send(1).unwrap();
    println!("{weak:?} {}", receiver.sender_count());
    drop(sender);
    println!("{} {:?} {:?}", also.upgrade().is_none(), receiver.recv(), receiver.recv());
}

fn debugged() {
    let (sender, receiver) = unbounded::<u8>();
    println!("{:?} {:?} {:?}", receiver.iter(), receiver.try_iter(), receiver.clone().into_iter());
    println!("{:?} {:?}", sender.send_async(1), sender.sink());
    println!("{:?} {:?}", receiver.recv_async(), receiver.stream());
}
