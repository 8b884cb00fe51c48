//! After a class of bugs seen in parallel searches: the consumer has what it wants, and joins the producers while it
//! still owns the receiver of a full channel.
//!
//! `search` waits for its workers, and the workers wait for room behind the matches that `search` will not read.
//!
//! expect: channel-deadlock, also partial-deadlock; shown by: run

pub mod stuck {
    use std::sync::mpsc::{SyncSender, sync_channel};
    use std::thread;

    fn matches(shelf: &[&'static str], word: &str, found: &SyncSender<&'static str>) {
        for title in shelf.iter().filter(|title| title.contains(word)) {
            let sent = found.send(title); // stuck here
            if sent.is_err() {
                return;
            }
        }
    }

    fn search(shelves: Vec<Vec<&'static str>>, word: &'static str) -> Option<&'static str> {
        let (found, matching) = sync_channel(1);
        let mut workers = Vec::new();
        for shelf in shelves {
            let found = found.clone();
            workers.push(thread::spawn(move || matches(&shelf, word, &found)));
        }
        drop(found);
        let first = matching.recv().ok();
        for worker in workers {
            worker.join().unwrap(); // stuck here
        }
        first
    }

    pub fn search_later(shelves: Vec<Vec<&'static str>>, word: &'static str) {
        thread::spawn(move || println!("{:?}", search(shelves, word)));
    }
}

pub mod fixed {
    use std::sync::mpsc::{SyncSender, sync_channel};
    use std::thread;

    fn matches(shelf: &[&'static str], word: &str, found: &SyncSender<&'static str>) {
        for title in shelf.iter().filter(|title| title.contains(word)) {
            if found.send(title).is_err() {
                return;
            }
        }
    }

    fn search(shelves: Vec<Vec<&'static str>>, word: &'static str) -> Option<&'static str> {
        let (found, matching) = sync_channel(1);
        let mut workers = Vec::new();
        for shelf in shelves {
            let found = found.clone();
            workers.push(thread::spawn(move || matches(&shelf, word, &found)));
        }
        drop(found);
        let first = matching.recv().ok();
        drop(matching);
        for worker in workers {
            worker.join().unwrap();
        }
        first
    }

    pub fn search_later(shelves: Vec<Vec<&'static str>>, word: &'static str) {
        thread::spawn(move || println!("{:?}", search(shelves, word)));
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    fn shelves() -> Vec<Vec<&'static str>> {
        vec![vec!["Sea birds", "Seals", "Sea weed"], vec!["Seas", "Seasons"]]
    }

    #[test]
    fn stuck_first_match() {
        super::stuck::search_later(shelves(), "Sea");
        thread::sleep(Duration::from_millis(20));
    }

    #[test]
    fn fixed_first_match() {
        super::fixed::search_later(shelves(), "Sea");
        thread::sleep(Duration::from_millis(20));
    }
}
