//! A program that receives what another crate sends. The other crate is a module whose path counts as a dependency's.

#[path = "dependency/sender.rs"]
mod sender;

fn main() {
    let (sender, receiver) = std::sync::mpsc::channel();
    sender::send_two(&sender);
    println!("{:?} {:?}", receiver.recv(), receiver.recv());
    sender.send(3).unwrap();
    println!("{:?}", receiver.recv());
}
