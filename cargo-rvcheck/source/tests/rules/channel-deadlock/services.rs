//! Who asks waits for the answer before it takes the next one, and the other one asks, too.

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::thread;

pub enum Ask {
    Own(u32, Sender<u32>),
    Other(u32, Sender<u32>),
}

struct Desk {
    questions: Receiver<Ask>,
    colleague: Sender<Ask>,
}

fn question(desk: &Sender<Ask>, number: u32) -> u32 {
    let (reply, answer) = bounded(1);
    if desk.send(Ask::Own(number, reply)).is_err() {
        return 0;
    }
    answer.recv().unwrap_or(0)
}

impl Desk {
    fn serve(self) {
        while let Ok(ask) = self.questions.recv() {
            match ask {
                Ask::Own(number, reply) => drop(reply.send(number)),
                Ask::Other(number, reply) => drop(reply.send(question(&self.colleague, number))), //~ channel-deadlock warning
            }
        }
    }
}

struct Office {
    questions: Receiver<Ask>,
    colleague: Sender<Ask>,
}

impl Office {
    fn serve(self) {
        for ask in &self.questions {
            match ask {
                Ask::Own(number, reply) => drop(reply.send(number)),
                Ask::Other(number, reply) => drop(reply.send(question(&self.colleague, number))),
            }
        }
    }
}

pub fn open() -> (Sender<Ask>, Sender<Ask>) {
    let (desk, at_desk) = unbounded();
    let (office, at_office) = unbounded();
    let one = Desk { questions: at_desk, colleague: office.clone() };
    let two = Office { questions: at_office, colleague: desk.clone() };
    thread::spawn(move || one.serve());
    thread::spawn(move || two.serve());
    (desk, office)
}
