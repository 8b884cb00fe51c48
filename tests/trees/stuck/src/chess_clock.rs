//! After a class of bugs seen in Go programs with two unbuffered channels: both sides send before they receive.
//!
//! Each player hands over the first move and then reads; on rendezvous channels neither is ever read.
//!
//! expect: channel-deadlock; shown by: run

pub mod stuck {
    use crossbeam_channel::{Receiver, Sender, bounded};
    use std::thread;

    pub struct Player {
        pub own: Sender<u8>,
        pub other: Receiver<u8>,
    }

    impl Player {
        fn play(self, moves: u8) {
            for number in 0..moves {
                self.own.send(number).unwrap(); // stuck here
                let answer = self.other.recv().unwrap();
                println!("{number}, {answer}");
            }
        }
    }

    pub fn game(moves: u8) {
        let (white, to_black) = bounded(0);
        let (black, to_white) = bounded(0);
        let players = [Player { own: white, other: to_white }, Player { own: black, other: to_black }];
        for player in players {
            thread::spawn(move || player.play(moves));
        }
    }
}

pub mod fixed {
    use crossbeam_channel::{Receiver, Sender, bounded};
    use std::thread;

    pub struct Player {
        pub own: Sender<u8>,
        pub other: Receiver<u8>,
    }

    impl Player {
        fn play(self, moves: u8, first: bool) {
            for number in 0..moves {
                if first {
                    self.own.send(number).unwrap();
                }
                let answer = self.other.recv().unwrap();
                println!("{number}, {answer}");
                if !first {
                    self.own.send(number).unwrap();
                }
            }
        }
    }

    pub fn game(moves: u8) {
        let (white, to_black) = bounded(0);
        let (black, to_white) = bounded(0);
        let players = [Player { own: white, other: to_white }, Player { own: black, other: to_black }];
        for (player, first) in players.into_iter().zip([true, false]) {
            thread::spawn(move || player.play(moves, first));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_chess_clock() {
        super::stuck::game(3);
        thread::sleep(Duration::from_millis(20));
    }

    #[test]
    fn fixed_chess_clock() {
        super::fixed::game(3);
        thread::sleep(Duration::from_millis(20));
    }
}
