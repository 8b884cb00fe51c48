//! What programs see of selectors.

use std::thread;
use std::time::{Duration, Instant};

use flume::select::SelectError;
use flume::{bounded, unbounded, Selector};

const SHORT: Duration = Duration::from_millis(5);

fn main() {
    ready();
    waited_for();
    timed();
    not_selected();
    closed();
    meeting();
}

fn ready() {
    let (sender, receiver) = unbounded();
    let (full, others) = bounded(1);
    full.send("full").unwrap();
    sender.send(1).unwrap();
    let selected = Selector::new()
        .recv(&receiver, |it| format!("{it:?}"))
        .send(&full, "more", |it| format!("{it:?}"))
        .wait();
    println!("{selected} {:?} {:?}", others.try_recv(), others.try_recv());
    let selected: Result<_, SelectError> = Selector::default()
        .recv(&receiver, |it| format!("{it:?}"))
        .send(&full, "more", |it| format!("{it:?}"))
        .wait_timeout(SHORT);
    println!("{selected:?} {:?}", others.try_recv());
    println!("{:?}", Selector::<()>::new());
}

fn waited_for() {
    let (sender, receiver) = unbounded();
    let (full, others) = bounded(1);
    full.send(1).unwrap();
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(SHORT);
            sender.send(2).unwrap();
        });
        let received = Selector::new().recv(&receiver, Result::unwrap).send(&full, 9, |_| 0).wait();
        println!("{received} {:?}", others.len());
        let others = others.clone();
        scope.spawn(move || {
            thread::sleep(SHORT);
            others.recv().unwrap()
        });
        let sent =
            Selector::new().recv(&receiver, Result::unwrap).send(&full, 3, |it| it.map_or(0, |()| 3)).wait();
        println!("{sent}");
    });
    println!("{:?} {:?}", others.try_recv(), others.try_recv());
}

fn timed() {
    let (_sender, receiver) = unbounded::<u8>();
    println!("{:?}", Selector::new().recv(&receiver, |_| ()).wait_timeout(SHORT));
    println!("{:?}", Selector::new().recv(&receiver, |_| ()).wait_deadline(Instant::now() + SHORT));
}

/// Says when it is dropped.
#[derive(Debug)]
struct Loud(u8);

impl Drop for Loud {
    fn drop(&mut self) {
        println!("{} dropped", self.0);
    }
}

fn not_selected() {
    let (sender, receiver) = bounded(1);
    sender.send(Loud(1)).unwrap();
    drop(Selector::new().send(&sender, Loud(2), |_| ()));
    println!("{:?}", Selector::new().send(&sender, Loud(3), |_| ()).wait_timeout(SHORT));
    println!("{}", receiver.len());
}

fn closed() {
    let (sender, receiver) = bounded(1);
    let (gone, going) = bounded(1);
    drop(sender);
    println!("{:?}", Selector::new().recv(&receiver, |it: Result<u8, _>| it).wait());
    gone.send(1).unwrap();
    thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(SHORT);
            drop(going);
        });
        println!("{:?}", Selector::new().send(&gone, 2, |it| it.is_ok()).wait());
    });
    println!("{:?}", Selector::new().send(&gone, 3, |it| it.map_err(|it| it.into_inner())).wait());
}

fn meeting() {
    let (sender, receiver) = bounded::<u32>(0);
    let (other, others) = bounded::<u32>(0);
    let sum = thread::scope(|scope| {
        scope.spawn(|| (0..50).for_each(|it| sender.send(it).unwrap()));
        scope.spawn(|| (0..50).for_each(|it| other.send(it).unwrap()));
        (0..100)
            .map(|_| Selector::new().recv(&receiver, Result::unwrap).recv(&others, Result::unwrap).wait())
            .sum::<u32>()
    });
    println!("{sum}");
}
