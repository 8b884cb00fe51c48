//! What programs see of selections that prefer the first operation, and of a constant receiver.

use crossbeam_channel::{never, select_biased, unbounded, Receiver, Select};

const NOTHING: Receiver<u8> = never();

fn main() {
    let (sender, receiver) = unbounded();
    let (other, others) = unbounded();
    let mut order = Vec::new();
    (0..20).for_each(|it| {
        sender.send(it).unwrap();
        other.send(it + 100).unwrap();
    });
    loop {
        select_biased! {
            recv(NOTHING) -> _ => unreachable!(),
            recv(receiver) -> it => order.push(it.unwrap()),
            recv(others) -> it => order.push(it.unwrap()),
            default => break,
        }
    }
    println!("{order:?}");
    other.send(1).unwrap();
    let mut select = Select::new_biased();
    select.recv(&others);
    select.send(&other);
    for _ in 0..20 {
        assert_eq!(select.ready(), 0);
    }
    println!("{:?}", others.recv());
}
