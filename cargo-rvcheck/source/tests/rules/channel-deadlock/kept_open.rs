//! Loops that end when all senders are gone, and who keeps one meanwhile.

use std::sync::mpsc;
use std::thread;

/// One of the senders is kept by the one who counts.
pub fn counts_votes(booths: usize) -> usize {
    let (ballots, urn) = crossbeam_channel::unbounded::<bool>();
    for booth in 0..booths {
        let ballots = ballots.clone();
        thread::spawn(move || drop(ballots.send(booth % 2 == 0)));
    }
    let mut votes = 0;
    while let Ok(yes) = urn.recv() { //~ channel-deadlock warning
        votes += usize::from(yes);
    }
    votes
}

pub fn counts_votes_to_the_end(booths: usize) -> usize {
    let (ballots, urn) = crossbeam_channel::unbounded::<bool>();
    for booth in 0..booths {
        let ballots = ballots.clone();
        thread::spawn(move || drop(ballots.send(booth % 2 == 0)));
    }
    drop(ballots);
    let mut votes = 0;
    while let Ok(yes) = urn.recv() {
        votes += usize::from(yes);
    }
    votes
}

/// The loop may end by the number of ballots, but no booth has to send one.
pub async fn counts_valid_votes(booths: usize) -> usize {
    let (ballots, urn) = async_channel::unbounded::<usize>();
    for booth in 0..booths {
        let ballots = ballots.clone();
        tokio::spawn(async move {
            if booth % 2 == 0 {
                let _ = ballots.send(booth).await;
            }
        });
    }
    let mut votes = 0;
    while let Ok(_ballot) = urn.recv().await { //~ channel-deadlock warning
        votes += 1;
        if votes == booths {
            break;
        }
    }
    votes
}

/// Each booth sends one.
pub async fn counts_all_votes(booths: usize) -> usize {
    let (ballots, urn) = async_channel::unbounded::<usize>();
    for booth in 0..booths {
        let ballots = ballots.clone();
        tokio::spawn(async move {
            let _ = ballots.send(booth).await;
        });
    }
    let mut votes = 0;
    while let Ok(_ballot) = urn.recv().await {
        votes += 1;
        if votes == booths {
            break;
        }
    }
    votes
}

/// A clerk with a handle of the office in its own drawer.
struct Clerk {
    files: flume::Receiver<u32>,
    drawer: Drawer,
}

struct Drawer {
    copies: flume::Sender<u32>,
    number: u32,
}

impl Clerk {
    fn work(self) -> u32 {
        let mut sum = self.drawer.number;
        while let Ok(file) = self.files.recv() { //~ channel-deadlock warning
            sum += file;
        }
        sum
    }
}

pub fn opens() -> (flume::Sender<u32>, thread::JoinHandle<u32>) {
    let (office, files) = flume::unbounded();
    let clerk = Clerk { files, drawer: Drawer { copies: office.clone(), number: 0 } };
    (office, thread::spawn(move || clerk.work()))
}

/// The press is waited for while the paper is still there.
pub struct Press {
    paper: mpsc::Sender<u32>,
    press: thread::JoinHandle<u32>,
}

impl Press {
    pub fn start() -> Press {
        let (paper, tray) = mpsc::channel::<u32>();
        let press = thread::spawn(move || tray.iter().sum());
        Press { paper, press }
    }

    pub fn print(&self, sheet: u32) {
        let _ = self.paper.send(sheet);
    }

    pub fn stop_too_early(self) -> u32 {
        self.press.join().unwrap_or(0) //~ channel-deadlock warning
    }

    pub fn stop(self) -> u32 {
        let Press { paper, press } = self;
        drop(paper);
        press.join().unwrap_or(0)
    }
}

/// A handle that is downgraded, of which a part with a sender is left.
pub struct Phone {
    line: tokio::sync::mpsc::UnboundedSender<u32>,
    number: String,
}

pub struct WeakPhone {
    line: tokio::sync::mpsc::WeakUnboundedSender<u32>,
}

impl Phone {
    fn downgrade(&self) -> WeakPhone {
        WeakPhone { line: self.line.downgrade() }
    }

    pub fn dial(&self, digit: u32) {
        let _ = self.line.send(digit);
    }
}

async fn answers(phone: Phone, mut calls: tokio::sync::mpsc::UnboundedReceiver<u32>) {
    let (weak, number) = (phone.downgrade(), phone.number); //~ channel-deadlock warning
    while let Some(call) = calls.recv().await {
        if call == 0 {
            break;
        }
        println!("{number} {}", weak.line.upgrade().is_some());
    }
    println!("hung up");
}

async fn answers_weakly(phone: Phone, mut calls: tokio::sync::mpsc::UnboundedReceiver<u32>) {
    let weak = phone.downgrade();
    drop(phone);
    while let Some(call) = calls.recv().await {
        if call == 0 {
            break;
        }
        println!("{}", weak.line.upgrade().is_some());
    }
    println!("hung up");
}

fn connects(number: String) -> (Phone, tokio::sync::mpsc::UnboundedReceiver<u32>) {
    let (line, calls) = tokio::sync::mpsc::unbounded_channel();
    (Phone { line, number }, calls)
}

pub fn installs(number: String) -> WeakPhone {
    let (phone, calls) = connects(number);
    let weak = phone.downgrade();
    tokio::spawn(answers(phone, calls));
    weak
}

pub fn installs_weakly(number: String) -> WeakPhone {
    let (phone, calls) = connects(number);
    let weak = phone.downgrade();
    tokio::spawn(answers_weakly(phone, calls));
    weak
}

/// A tool that reports what it does, if asked to.
#[derive(Default)]
pub struct Lathe {
    turned: u32,
    reports: Option<std::sync::mpsc::Sender<u32>>,
}

impl Lathe {
    fn reports_to(&mut self, to: std::sync::mpsc::Sender<u32>) {
        self.reports = Some(to);
    }

    fn turns(&mut self) {
        self.turned += 1;
        if let Some(it) = &self.reports {
            let _ = it.send(self.turned);
        }
    }
}

pub fn works(verbose: bool) -> u32 {
    let mut lathe = Lathe::default();
    let (sender, reports) = std::sync::mpsc::channel();
    if verbose {
        lathe.reports_to(sender.clone());
    }
    let printer = std::thread::spawn(move || {
        while let Ok(it) = reports.recv() {
            println!("{it}");
        }
    });
    lathe.turns();
    drop(sender);
    printer.join().unwrap(); //~ channel-deadlock warning
    lathe.turned
}

/// One that lets go of it.
#[derive(Default)]
pub struct Mill {
    milled: u32,
    reports: Option<flume::Sender<u32>>,
}

impl Mill {
    fn reports_to(&mut self, to: flume::Sender<u32>) {
        self.reports = Some(to);
    }

    fn is_quiet(&mut self) {
        self.reports = None;
    }

    fn mills(&mut self) {
        self.milled += 1;
        if let Some(it) = &self.reports {
            let _ = it.send(self.milled);
        }
    }
}

pub async fn mills() -> u32 {
    let mut mill = Mill::default();
    let (sender, reports) = flume::unbounded();
    mill.reports_to(sender.clone());
    let printer = tokio::spawn(async move {
        while let Ok(it) = reports.recv_async().await {
            println!("{it}");
        }
    });
    mill.mills();
    drop(sender);
    mill.is_quiet();
    printer.await.unwrap();
    mill.milled
}
