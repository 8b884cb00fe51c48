//! Senders that are put into a value which was lent, and are still there where somebody waits for the end of the senders.

use std::sync::mpsc;
use std::thread;

/// It copies what is played to whoever records.
#[derive(Default)]
pub struct Mixer {
    recorder: Option<crossbeam_channel::Sender<u32>>,
    volume: u32,
}

impl Mixer {
    fn records_to(&mut self, recorder: crossbeam_channel::Sender<u32>) {
        self.recorder = Some(recorder);
    }

    fn unplugs(&mut self) -> bool {
        self.recorder.take().is_some()
    }

    fn mutes(&mut self) {
        self.volume = 0;
        self.unplugs();
    }

    pub fn plays(&mut self, note: u32) {
        if let Some(recorder) = &self.recorder {
            let _ = recorder.send(note * self.volume);
        }
    }
}

impl Drop for Mixer {
    fn drop(&mut self) {
        self.unplugs();
    }
}

pub fn rehearses(mixer: &mut Mixer, notes: &[u32], with_tape: bool) -> u32 {
    let (recorder, tape) = crossbeam_channel::unbounded();
    if with_tape {
        mixer.records_to(recorder.clone());
    }
    let reel = thread::spawn(move || tape.iter().sum());
    for it in notes.iter().take(99) {
        mixer.plays(*it);
    }
    drop(recorder);
    reel.join().unwrap() //~ channel-deadlock warning
}

/// It is unplugged before, by a helper of another method.
#[derive(Default)]
pub struct Console {
    recorder: Option<crossbeam_channel::Sender<u64>>,
    level: u64,
}

impl Console {
    fn records_to(&mut self, recorder: crossbeam_channel::Sender<u64>) {
        self.recorder = Some(recorder);
    }

    fn unplugs(&mut self) -> bool {
        self.recorder.take().is_some()
    }

    fn fades(&mut self) {
        self.level = 0;
        self.unplugs();
    }

    pub fn plays(&mut self, note: u64) {
        if let Some(recorder) = &self.recorder {
            let _ = recorder.send(note * self.level);
        }
    }
}

pub fn performs(console: &mut Console, notes: &[u64], with_tape: bool) -> u64 {
    let (recorder, tape) = crossbeam_channel::unbounded();
    if with_tape {
        console.records_to(recorder.clone());
    }
    let reel = thread::spawn(move || tape.iter().sum());
    for it in notes {
        console.plays(*it);
    }
    console.fades();
    drop(recorder);
    reel.join().unwrap()
}

/// With std's channels, through `for`.
pub struct Studio {
    copies: Option<mpsc::Sender<String>>,
}

impl Studio {
    pub const fn new() -> Self {
        Studio { copies: None }
    }

    fn lends(&mut self, copies: mpsc::Sender<String>) {
        self.copies = Some(copies);
    }

    fn takes_back(&mut self) {
        self.copies = None;
    }

    pub fn says(&self, line: &str) {
        if let Some(copies) = &self.copies {
            let _ = copies.send(line.to_owned());
        }
    }
}

pub fn dubs(studio: &mut Studio, lines: &[&str]) {
    let (copies, heard) = mpsc::channel();
    studio.lends(copies);
    let listener = thread::spawn(move || {
        for it in heard {
            println!("{it}");
        }
    });
    lines.iter().for_each(|it| studio.says(it));
    listener.join().unwrap(); //~ channel-deadlock warning
    studio.takes_back();
}

/// As tasks, with tokio's.
pub struct Booth {
    copies: Option<tokio::sync::mpsc::UnboundedSender<i64>>,
}

impl Booth {
    pub const fn new() -> Self {
        Booth { copies: None }
    }

    fn lends(&mut self, copies: tokio::sync::mpsc::UnboundedSender<i64>) {
        self.copies = Some(copies);
    }

    fn takes_back(&mut self) {
        self.copies = None;
    }

    pub fn says(&self, number: i64) {
        if let Some(copies) = &self.copies {
            let _ = copies.send(number);
        }
    }
}

pub async fn counts(booth: &mut Booth) -> i64 {
    let (copies, mut heard) = tokio::sync::mpsc::unbounded_channel();
    booth.lends(copies);
    let listener = tokio::spawn(async move {
        let mut sum = 0;
        while let Some(it) = heard.recv().await {
            sum += it;
        }
        sum
    });
    booth.says(4);
    let sum = listener.await.unwrap(); //~ channel-deadlock warning
    booth.takes_back();
    sum
}

/// The same, taken back before.
pub struct Cabin {
    copies: Option<tokio::sync::mpsc::UnboundedSender<i8>>,
}

impl Cabin {
    pub const fn new() -> Self {
        Cabin { copies: None }
    }

    fn lends(&mut self, copies: tokio::sync::mpsc::UnboundedSender<i8>) {
        self.copies = Some(copies);
    }

    fn takes_back(&mut self) {
        self.copies = None;
    }

    pub fn says(&self, number: i8) {
        if let Some(copies) = &self.copies {
            let _ = copies.send(number);
        }
    }
}

pub async fn counts_and_ends(cabin: &mut Cabin) -> i8 {
    let (copies, mut heard) = tokio::sync::mpsc::unbounded_channel();
    cabin.lends(copies);
    let listener = tokio::spawn(async move {
        let mut sum = 0;
        while let Some(it) = heard.recv().await {
            sum += it;
        }
        sum
    });
    cabin.says(4);
    cabin.takes_back();
    listener.await.unwrap()
}
