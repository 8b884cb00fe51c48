//! The one who is asked asks nobody.

use flume::{Receiver, Sender, bounded, unbounded};
use std::thread;

pub struct Question(u32, Sender<u32>);

fn question(desk: &Sender<Question>, number: u32) -> u32 {
    let (reply, answer) = bounded(1);
    if desk.send(Question(number, reply)).is_err() {
        return 0;
    }
    answer.recv().unwrap_or(0)
}

fn asks(questions: Receiver<Question>, other: Sender<Question>) {
    while let Ok(Question(number, reply)) = questions.recv() {
        let _ = reply.send(question(&other, number));
    }
}

fn knows(questions: Receiver<Question>) {
    while let Ok(Question(number, reply)) = questions.recv() {
        let _ = reply.send(number);
    }
}

pub fn open() -> Sender<Question> {
    let (desk, at_desk) = unbounded();
    let (office, at_office) = unbounded();
    thread::spawn(move || asks(at_desk, office));
    thread::spawn(move || knows(at_office));
    desk
}
