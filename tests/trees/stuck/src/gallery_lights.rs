//! After gokcehan/lf#2674: the quit command sent to a channel with one slot from the loop that was its only receiver; a
//! second quit before the loop had read the first one blocked forever.
//!
//! The controller handles a batch of keys and then looks at `commands`, where two keys of one batch do not fit.
//!
//! expect: channel-deadlock; shown by: run

pub mod stuck {
    use crossbeam_channel::{Receiver, Sender, bounded};
    use std::thread;

    pub enum Command {
        Dim,
        Off,
    }

    pub struct Controller {
        command: Sender<Command>,
        commands: Receiver<Command>,
    }

    impl Controller {
        fn key(&self, key: char) {
            match key {
                'd' => self.command.send(Command::Dim).unwrap(),
                'q' => self.command.send(Command::Off).unwrap(), // stuck here
                _ => {}
            }
        }

        fn run(&self, batches: &[&str]) {
            for batch in batches {
                batch.chars().for_each(|key| self.key(key));
                while let Ok(command) = self.commands.try_recv() {
                    match command {
                        Command::Dim => println!("dimmed"),
                        Command::Off => return,
                    }
                }
            }
        }
    }

    pub fn start(batches: &'static [&'static str]) {
        let (command, commands) = bounded(1);
        thread::spawn(move || Controller { command, commands }.run(batches));
    }
}

pub mod fixed {
    use std::thread;

    pub enum Command {
        Dim,
        Off,
    }

    #[derive(Default)]
    pub struct Controller {
        commands: Vec<Command>,
    }

    impl Controller {
        fn key(&mut self, key: char) {
            match key {
                'd' => self.commands.push(Command::Dim),
                'q' => self.commands.push(Command::Off),
                _ => {}
            }
        }

        fn run(&mut self, batches: &[&str]) {
            for batch in batches {
                batch.chars().for_each(|key| self.key(key));
                for command in self.commands.drain(..) {
                    match command {
                        Command::Dim => println!("dimmed"),
                        Command::Off => return,
                    }
                }
            }
        }
    }

    pub fn start(batches: &'static [&'static str]) {
        thread::spawn(move || Controller::default().run(batches));
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    #[test]
    fn stuck_gallery_lights() {
        super::stuck::start(&["d", "xx", "qq"]);
        thread::sleep(Duration::from_millis(20));
    }

    #[test]
    fn fixed_gallery_lights() {
        super::fixed::start(&["d", "xx", "qq"]);
        thread::sleep(Duration::from_millis(20));
    }
}
