//! Channels.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::mpsc::{
    self, Receiver, RecvError, RecvTimeoutError, SendError, Sender, SyncSender, TryRecvError, TrySendError,
    channel, sync_channel,
};
use std::sync::{Arc, atomic};
use std::thread;
use std::time::Duration;

struct Counted(Arc<atomic::AtomicU32>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_add(1, atomic::Ordering::Relaxed);
    }
}

enum Command {
    Add(u32),
    Ask(Sender<u32>),
    Reply(SyncSender<&'static str>),
}

fn main() {
    let (sender, receiver) = channel();
    println!("{sender:?} {receiver:?} {:?} {:?}", receiver.iter(), receiver.try_iter());
    println!("{:?}", receiver.try_recv());
    println!("{:?}", receiver.recv_timeout(Duration::from_millis(2)));
    sender.send(1).unwrap();
    let other = sender.clone();
    other.send(2).unwrap();
    println!("{:?} {:?}", receiver.recv(), receiver.try_recv());
    for n in 3..7 {
        sender.send(n).unwrap();
    }
    println!("{:?}", receiver.try_iter().take(2).collect::<Vec<_>>());
    drop((sender, other));
    println!(
        "{:?} {:?}",
        receiver.recv_timeout(Duration::from_secs(1)),
        receiver.iter().collect::<Vec<i32>>()
    );
    assert_eq!(receiver.recv(), Err(RecvError));
    assert_eq!(receiver.try_recv(), Err(TryRecvError::Disconnected));
    assert_eq!(receiver.recv_timeout(Duration::ZERO), Err(RecvTimeoutError::Disconnected));

    bounded();
    actor();
    disconnects();
    loops();
    println!("{:?}", wrong_way());
    let (sender, receiver) = channel::<Rc<Cell<u8>>>();
    sender.send(Rc::default()).unwrap();
    println!("{:?}", receiver.into_iter().inspect(|_| ()).next());
    let (sender, _receiver) = mpsc::sync_channel::<u8>(1);
    println!("{sender:?} {:?}", mpsc::channel::<u8>().1.into_iter());
}

fn wrong_way() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let sender = channel().0;
    sender.send(5)?;
    Ok(())
}

fn bounded() {
    let (sender, receiver) = sync_channel(1);
    sender.send('a').unwrap();
    println!("{:?}", sender.try_send('b'));
    match sender.try_send('c') {
        Err(TrySendError::Full(value)) => println!("full: {value}"),
        other => println!("{other:?}"),
    }
    let sender2 = sender.clone();
    let waiting = thread::spawn(move || sender2.send('d'));
    thread::sleep(Duration::from_millis(10));
    println!("{:?} {:?} {:?}", receiver.recv(), receiver.recv(), waiting.join().unwrap());
    let (rendezvous, meeting) = sync_channel::<u8>(0);
    let there = thread::spawn(move || rendezvous.send(5));
    println!("{:?} {:?}", meeting.recv(), there.join().unwrap());
    let filled = sender.send('e');
    let blocked = thread::spawn(move || sender.send('f'));
    thread::sleep(Duration::from_millis(10));
    drop(receiver);
    println!("{:?}", (filled, blocked.join().unwrap()));
}

fn actor() {
    let (commands, inbox) = channel::<Command>();
    let actor = thread::spawn(move || {
        let mut sum = 0;
        for command in inbox {
            match command {
                Command::Add(n) => sum += n,
                Command::Ask(reply) => drop(reply.send(sum)),
                Command::Reply(reply) => reply.send("bounded").unwrap(),
            }
        }
        sum
    });
    (1..=3).for_each(|n| commands.send(Command::Add(n)).ok().unwrap());
    let (reply, answer) = channel();
    commands.send(Command::Ask(reply)).ok().unwrap();
    println!("{}", answer.recv().unwrap());
    let (reply, answer) = sync_channel(1);
    commands.send(Command::Reply(reply)).map_err(|_| "closed").unwrap();
    println!("{:?}", answer.iter().next());
    drop(commands);
    println!("{}", actor.join().unwrap());
}

fn disconnects() {
    let (sender, receiver) = channel();
    drop(receiver);
    let SendError(value) = sender.send(String::from("back")).unwrap_err();
    println!("{value} {:?} {}", sender.send("x".into()), sender.send("x".into()).unwrap_err());
    let (sender, receiver) = sync_channel(3);
    drop(receiver);
    println!("{:?} {:?}", sender.try_send(1), sender.send(2));
    println!("{}", sender.try_send(1).unwrap_err());

    let dropped = Arc::new(atomic::AtomicU32::new(0));
    let (sender, receiver) = channel();
    (0..40).for_each(|_| sender.send(Counted(dropped.clone())).ok().unwrap());
    drop(receiver.recv());
    drop(receiver);
    println!("{}", dropped.load(atomic::Ordering::Relaxed));
    drop(sender.send(Counted(dropped.clone())));
    println!("{}", dropped.load(atomic::Ordering::Relaxed));
    let (sender, receiver) = sync_channel(8);
    (0..5).for_each(|_| sender.send(Counted(dropped.clone())).ok().unwrap());
    drop(sender);
    drop(receiver);
    println!("{}", dropped.load(atomic::Ordering::Relaxed));
}

fn loops() {
    fn produce(n: u32) -> Receiver<u32> {
        let (sender, receiver) = channel();
        thread::spawn(move || {
            for i in 0..n {
                if sender.send(i).is_err() {
                    return;
                }
            }
        });
        receiver
    }
    let mut sum = 0;
    for n in produce(100) {
        sum += n;
    }
    let receiver = produce(100);
    for n in &receiver {
        sum += n;
    }
    while let Ok(n) = receiver.recv() {
        sum += n;
    }
    println!("{sum} {}", produce(10).into_iter().map(|n| n * 2).sum::<u32>());
    let senders: Vec<Sender<u32>> = {
        let (sender, receiver) = channel();
        let all = vec![sender; 4];
        let threads: Vec<_> = all.iter().cloned().map(|it| thread::spawn(move || it.send(1))).collect();
        threads.into_iter().for_each(|it| it.join().unwrap().unwrap());
        println!("{}", receiver.try_iter().sum::<u32>());
        all
    };
    println!("{}", senders.iter().filter(|it| it.send(1).is_err()).count());
}
