//! After zed-industries/zed#36590: a server left a kind of request without an answer, and the client waited for a reply
//! that could not come.
//!
//! The office parks a request for a full row in `waiting` until a seat is given back. The visitor who waits for the
//! answer holds the only way to give one back.
//!
//! expect: channel-deadlock, also partial-deadlock; shown by: run

pub mod stuck {
    use std::collections::HashMap;
    use std::sync::mpsc::{self, Sender};
    use std::thread;

    enum Request {
        Take { row: u8, reply: Sender<bool> },
        GiveBack { row: u8 },
    }

    pub struct Visitor {
        office: Sender<Request>,
    }

    impl Visitor {
        pub fn enter() -> Self {
            let (office, requests) = mpsc::channel();
            thread::spawn(move || {
                let mut seats: HashMap<u8, u32> = HashMap::from([(1, 1)]);
                let mut waiting: HashMap<u8, Vec<Sender<bool>>> = HashMap::new();
                loop {
                    let Ok(request) = requests.recv() else { break }; // stuck here
                    match request {
                        Request::Take { row, reply } => match seats.get_mut(&row) {
                            Some(left) if *left > 0 => {
                                *left -= 1;
                                let _ = reply.send(true);
                            }
                            _ => waiting.entry(row).or_default().push(reply),
                        },
                        Request::GiveBack { row } => match waiting.get_mut(&row).and_then(Vec::pop) {
                            Some(reply) => drop(reply.send(true)),
                            None => *seats.entry(row).or_default() += 1,
                        },
                    }
                }
            });
            Visitor { office }
        }

        fn take(&self, row: u8) -> bool {
            let (reply, answer) = mpsc::channel();
            self.office.send(Request::Take { row, reply }).unwrap();
            answer.recv().unwrap_or(false) // stuck here
        }

        pub fn visit(self, rows: Vec<u8>) {
            thread::spawn(move || {
                let taken: Vec<u8> = rows.into_iter().filter(|row| self.take(*row)).collect();
                for row in taken {
                    self.office.send(Request::GiveBack { row }).unwrap();
                }
            });
        }
    }
}

pub mod fixed {
    use std::collections::HashMap;
    use std::sync::mpsc::{self, Sender};
    use std::thread;

    enum Request {
        Take { row: u8, reply: Sender<bool> },
        GiveBack { row: u8 },
    }

    pub struct Visitor {
        office: Sender<Request>,
    }

    impl Visitor {
        pub fn enter() -> Self {
            let (office, requests) = mpsc::channel();
            thread::spawn(move || {
                let mut seats: HashMap<u8, u32> = HashMap::from([(1, 1)]);
                while let Ok(request) = requests.recv() {
                    match request {
                        Request::Take { row, reply } => {
                            let left = seats.entry(row).or_default();
                            let free = *left > 0;
                            *left -= u32::from(free);
                            let _ = reply.send(free);
                        }
                        Request::GiveBack { row } => *seats.entry(row).or_default() += 1,
                    }
                }
            });
            Visitor { office }
        }

        fn take(&self, row: u8) -> bool {
            let (reply, answer) = mpsc::channel();
            self.office.send(Request::Take { row, reply }).unwrap();
            answer.recv().unwrap_or(false)
        }

        pub fn visit(self, rows: Vec<u8>) {
            thread::spawn(move || {
                let taken: Vec<u8> = rows.into_iter().filter(|row| self.take(*row)).collect();
                for row in taken {
                    self.office.send(Request::GiveBack { row }).unwrap();
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_seat_reservation() {
        super::stuck::Visitor::enter().visit(vec![1, 1]);
        thread::sleep(Duration::from_millis(20));
    }

    #[test]
    fn fixed_seat_reservation() {
        super::fixed::Visitor::enter().visit(vec![1, 1]);
        thread::sleep(Duration::from_millis(20));
    }
}
