//! What programs see of `Select` and `select!`.

#![allow(unused_braces)]

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{after, bounded, never, select, tick, unbounded, Receiver, Select, Sender};

const SHORT: Duration = Duration::from_millis(5);

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    operations();
    readiness();
    misused();
    println!("{:?}", arms());
    one_receive();
    macros_of_the_programs_own();
    forms();
    sends();
    borrows(&mut Worker::new());
    control_flow();
    meeting();
    times();
}

fn operations() {
    let (sender, receiver) = bounded(1);
    let (full, _full) = bounded::<u8>(0);
    let mut select = Select::new();
    println!("{} {} {}", select.recv(&receiver), select.send(&full), select.send(&sender));
    let operation = select.select();
    println!("{} {operation:?}", operation.index());
    println!("{:?}", operation.send(&sender, 1));
    select.remove(2);
    let operation = select.select_timeout(SHORT).unwrap();
    println!("{} {:?}", operation.index(), operation.recv(&receiver));
    println!("{:?} {:?}", select.try_select().map(drop), select.select_timeout(SHORT).map(drop));
    println!("{:?}", select.clone().select_deadline(Instant::now()).map(drop));
    println!("{:?}", Select::default().select_timeout(SHORT).map(drop));
}

fn readiness() {
    let (sender, receiver) = unbounded();
    let nothing = never::<u8>();
    let mut select = Select::new();
    select.recv(&nothing);
    select.recv(&receiver);
    println!("{:?} {:?}", select.try_ready(), select.ready_timeout(SHORT));
    println!("{:?}", select.ready_deadline(Instant::now()));
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(SHORT);
            sender.send(1).unwrap();
        });
        println!("{}", select.ready());
    });
    println!("{:?} {:?} {:?}", select.try_ready(), select.ready_timeout(SHORT), receiver.recv());
}

fn misused() {
    let panics = |misuse: fn()| {
        let payload = catch_unwind(AssertUnwindSafe(misuse)).unwrap_err();
        let text = payload.downcast_ref::<String>().cloned();
        println!("{}", text.unwrap_or_else(|| payload.downcast_ref::<&str>().unwrap().to_string()));
    };
    panics(|| drop(Select::new().select()));
    panics(|| drop(Select::new().ready()));
    panics(|| Select::new().remove(0));
    panics(|| {
        let receiver = after(Duration::ZERO);
        let mut select = Select::new();
        select.recv(&receiver);
        drop(select.select());
    });
}

/// All sorts of arms, with and without commas.
fn arms() -> u32 {
    let (sender, receiver) = unbounded::<u32>();
    let nothing = never::<u32>();
    sender.send(1).unwrap();
    let first = select! {
        recv(receiver) -> message => message.unwrap(),
        recv(nothing) -> _ => unreachable!(),
    };
    sender.send(2).unwrap();
    let second = select! {
        recv(&nothing) -> _ => { unreachable!() }
        recv(&receiver) -> message => { message.unwrap() }
    };
    let third = select! {
        recv(nothing) -> _ => 0,
        recv(receiver,) -> message => message.unwrap(),
        default => 3
    };
    let fourth = select! {
        recv(nothing) -> _ => { 0 },
        default() => { 4 }
    };
    let fifth = select! {
        recv(nothing) -> _ => { 0 }
        recv(receiver) -> message => message.unwrap_or_default(),
        default(SHORT) => 5,
    };
    let sixth = select! {
        default => 6,
    };
    select! { default(SHORT) => {} }
    first * 100_000 + second * 10_000 + third * 1000 + fourth * 100 + fifth * 10 + sixth
}

/// What other crates build upon the part that the real macros share.
fn macros_of_the_programs_own() {
    #[allow(dead_code)]
    const _IS_BIASED: bool = false;
    let (sender, receiver) = bounded(1);
    sender.send(7).unwrap();
    crossbeam_channel::crossbeam_channel_internal! {
        recv((receiver)) -> message => {
            println!("{message:?}");
        }
        recv(never::<u8>()) -> _ => println!("never")
    }
}

fn one_receive() {
    let (sender, receiver) = unbounded();
    select! { recv(receiver) -> message => println!("{message:?}"), default => println!("nothing") }
    select! {
        recv(receiver) -> message => println!("{message:?}"),
        default(SHORT) => println!("nothing yet"),
    }
    sender.send(1).unwrap();
    select! { recv(receiver) -> message => println!("{message:?}") }
    sender.send(2).unwrap();
    select! { recv(receiver) -> message => println!("{message:?}"), default => println!("nothing") }
    drop(sender);
    select! { recv(receiver) -> message => println!("{message:?}"), default => println!("nothing") }
    select! { recv(receiver) -> message => println!("{message:?}"), default(SHORT) => {} }
}

fn forms() {
    let boxed: Box<Receiver<u8>> = Box::new(never());
    let many: Vec<(Sender<u8>, Receiver<u8>)> = (0..2).map(|_| unbounded()).collect();
    many[1].0.send(1).unwrap();
    let maybe: Option<&Receiver<u8>> = None;
    select! {
        recv(boxed) -> _ => println!("boxed"),
        recv(maybe.unwrap_or(&never())) -> _ => println!("maybe"),
        recv(&many[0].1) -> _ => println!("first"),
        recv(many[1].1) -> message => println!("second {message:?}"),
        recv(after(Duration::from_secs(60))) -> _ => println!("too long"),
    }
    let ticks = tick(Duration::from_millis(1));
    let mut count = 0;
    while count < 3 {
        crossbeam_channel::select! {
            recv(ticks) -> (Ok(_) | Err(_)) => count += 1,
            recv(boxed) -> _ => break,
        }
    }
    println!("{count}");
}

fn sends() {
    let (sender, receiver) = bounded(1);
    let evaluated = std::cell::Cell::new(0);
    let value = || {
        evaluated.set(evaluated.get() + 1);
        evaluated.get()
    };
    for _ in 0..4 {
        select! {
            send(sender, value()) -> result => println!("sent {result:?}"),
            recv(never::<u8>()) -> _ => {}
            default => println!("full"),
        }
    }
    println!("{} {:?}", evaluated.get(), receiver.recv());
    select! { send(&sender, 7,) -> result => println!("{result:?}") }
    drop(receiver);
    select! { send(sender, 8) -> result => println!("{result:?}"), default => {} }
}

struct Worker {
    jobs: Receiver<u8>,
    stop: Receiver<()>,
    done: Vec<u8>,
    sender: Option<Sender<u8>>,
}

impl Worker {
    fn new() -> Worker {
        let (sender, jobs) = unbounded();
        (1..4).for_each(|it| sender.send(it).unwrap());
        Worker { jobs, stop: never(), done: Vec::new(), sender: Some(sender) }
    }

    fn work(&mut self, job: u8) {
        self.done.push(job);
        if self.done.len() == 3 {
            self.sender = None;
        }
    }
}

/// The bodies may change what the receivers were borrowed from.
fn borrows(worker: &mut Worker) {
    loop {
        select! {
            recv(worker.jobs) -> job => match job {
                Ok(job) => worker.work(job),
                Err(error) => {
                    println!("{error} {:?}", worker.done);
                    break;
                }
            },
            recv(worker.stop) -> _ => {
                worker.jobs = never();
                return;
            }
        }
    }
    let (sender, receiver) = unbounded::<u8>();
    let other = never::<u8>();
    select! {
        recv(receiver) -> _ => drop(receiver),
        recv(other) -> _ => drop(other),
        default => drop((sender, receiver, other)),
    }
}

fn control_flow() {
    fn found() -> Result<u8, crossbeam_channel::RecvError> {
        let (sender, receiver) = unbounded();
        sender.send(4).unwrap();
        drop(sender);
        loop {
            select! {
                recv(receiver) -> message => {
                    if message? < 5 {
                        continue;
                    }
                },
                recv(never::<u8>()) -> _ => return Ok(0),
            }
        }
    }
    println!("{:?}", found());
    let outer = 'outer: loop {
        loop {
            select! { default => break 'outer 5 }
        }
    };
    println!("{outer}");
}

fn meeting() {
    let (sender, receiver) = bounded::<u32>(0);
    let (other, others) = bounded::<u32>(0);
    let sum = thread::scope(|scope| {
        scope.spawn(|| {
            for it in 0..100 {
                select! {
                    send(sender, it) -> result => result.unwrap(),
                    send(other, it) -> result => result.unwrap(),
                }
            }
        });
        (0..100).fold(0, |sum, _| {
            sum + select! {
                recv(receiver) -> it => it.unwrap(),
                recv(others) -> it => it.unwrap(),
            }
        })
    });
    println!("{sum}");
}

fn times() {
    let (sender, receiver) = unbounded();
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(SHORT);
            sender.send(1).unwrap();
        });
        let timeout = after(Duration::from_secs(60));
        select! {
            recv(receiver) -> message => println!("{message:?}"),
            recv(timeout) -> _ => println!("too late"),
        }
    });
    select! {
        recv(receiver) -> message => println!("{message:?}"),
        recv(after(SHORT)) -> _ => println!("in time"),
    }
}
