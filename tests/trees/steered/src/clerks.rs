//! Threads that ask each other by a function that their clients use, too, and wait for the answer before they serve again.

/// Over channels of `std`; both run the same code.
pub mod letters {
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::thread;

    pub enum Letter {
        Weigh(Sender<u32>),
        Stamp(Sender<u32>),
    }

    pub fn ask(clerk: &Sender<Letter>, letter: fn(Sender<u32>) -> Letter) -> u32 {
        let (reply, answer) = channel();
        clerk.send(letter(reply)).unwrap();
        answer.recv().unwrap() // letters: waits
    }

    /// Two clerks, each of whom weighs before it stamps; the other one does that.
    pub fn office() -> [Sender<Letter>; 2] {
        let (left, of_left) = channel();
        let (right, of_right) = channel();
        hire(of_left, right.clone());
        hire(of_right, left.clone());
        [left, right]
    }

    fn hire(inbox: Receiver<Letter>, other: Sender<Letter>) {
        thread::spawn(move || {
            for letter in inbox {
                match letter {
                    Letter::Weigh(reply) => reply.send(20).unwrap(),
                    Letter::Stamp(reply) => reply.send(ask(&other, Letter::Weigh) + 1).unwrap(),
                }
            }
        });
    }
}

/// Over `flume`, by methods of a shared line.
pub mod parcels {
    use flume::{Receiver, Sender, bounded, unbounded};
    use std::thread;

    type Reply = Box<dyn FnOnce(u32) + Send>;

    #[derive(Clone)]
    pub struct Line(Sender<(bool, Reply)>);

    impl Line {
        fn open() -> (Line, Receiver<(bool, Reply)>) {
            let (line, calls) = unbounded();
            (Line(line), calls)
        }

        pub fn call(&self, far: bool) -> u32 {
            let (reply, answer) = bounded(1);
            self.0.send((far, Box::new(move |it| reply.send(it).unwrap()))).unwrap();
            answer.recv().unwrap() // parcels: waits
        }
    }

    /// Each of the two asks the other one what is far.
    pub fn depots() -> (Line, Line) {
        let ((north, of_north), (south, of_south)) = (Line::open(), Line::open());
        let (to_south, to_north) = (south.clone(), north.clone());
        thread::spawn(move || {
            while let Ok((far, reply)) = of_north.recv() {
                reply(if far { to_south.call(false) } else { 3 });
            }
        });
        thread::spawn(move || of_south.iter().for_each(|(far, reply)| reply(if far { to_north.call(false) } else { 4 })));
        (north, south)
    }
}

/// Over `crossbeam_channel` with room for a few.
pub mod forms {
    use crossbeam_channel::{Sender, bounded};
    use std::thread;

    pub enum Form {
        File(u32, Sender<u32>),
        Sign(u32, Sender<u32>),
    }

    pub fn handed_in(desk: &Sender<Form>, form: impl FnOnce(Sender<u32>) -> Form) -> u32 {
        let (reply, answer) = bounded(1);
        desk.send(form(reply)).unwrap();
        answer.recv().unwrap() // forms: waits
    }

    pub fn desks() -> [Sender<Form>; 2] {
        let ((first, of_first), (second, of_second)) = (bounded(4), bounded(4));
        let (before, after) = (first.clone(), second.clone());
        thread::Builder::new()
            .spawn(move || {
                while let Ok(form) = of_first.recv() {
                    match form {
                        Form::File(number, reply) => reply.send(number).unwrap(),
                        Form::Sign(number, reply) => {
                            let filed = handed_in(&after, |reply| Form::File(number, reply));
                            reply.send(filed + 1).unwrap();
                        }
                    }
                }
            })
            .unwrap();
        thread::spawn(move || {
            while let Ok(form) = of_second.recv() {
                let (number, reply) = match form {
                    Form::File(number, reply) => (number, reply),
                    Form::Sign(number, reply) => (handed_in(&before, |own| Form::File(number, own)) + 2, reply),
                };
                reply.send(number).unwrap();
            }
        });
        [first, second]
    }
}
