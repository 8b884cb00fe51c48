//! Who takes messages asks the one that sends them, which may wait for room then.

use std::thread;
use tokio::sync::{mpsc, oneshot};

pub enum Wish {
    Grow(u32),
    Count(oneshot::Sender<usize>),
}

struct Gardener {
    wishes: mpsc::UnboundedReceiver<Wish>,
    news: mpsc::Sender<u32>,
    plants: Vec<u32>,
}

impl Gardener {
    async fn works(mut self) {
        while let Some(wish) = self.wishes.recv().await {
            match wish {
                Wish::Grow(plant) => {
                    self.plants.push(plant);
                    if self.news.send(plant).await.is_err() { //~ channel-deadlock warning
                        return;
                    }
                }
                Wish::Count(back) => drop(back.send(self.plants.len())),
            }
        }
    }
}

#[derive(Clone)]
pub struct Garden {
    wishes: mpsc::UnboundedSender<Wish>,
}

impl Garden {
    pub fn opens() -> (Garden, mpsc::Receiver<u32>) {
        let (wishes, heard) = mpsc::unbounded_channel();
        let (news, board) = mpsc::channel(16);
        tokio::spawn(Gardener { wishes: heard, news, plants: Vec::new() }.works());
        (Garden { wishes }, board)
    }

    pub fn grow(&self, plant: u32) -> bool {
        self.wishes.send(Wish::Grow(plant)).is_ok()
    }

    pub async fn count(&self) -> Option<usize> {
        let (back, count) = oneshot::channel();
        self.wishes.send(Wish::Count(back)).ok()?;
        count.await.ok()
    }
}

/// Reads the news, and asks for more at some.
pub struct Visitor {
    garden: Garden,
    board: mpsc::Receiver<u32>,
}

impl Visitor {
    pub fn comes() -> Visitor {
        let (garden, board) = Garden::opens();
        Visitor { garden, board }
    }

    pub async fn walks(&mut self) -> usize {
        let mut seen = 0;
        while let Some(plant) = self.board.recv().await {
            if plant % 7 == 0 {
                seen = self.garden.count().await.unwrap_or(seen);
            }
        }
        seen
    }
}

pub enum Task {
    Saw(u32),
    Left(std::sync::mpsc::Sender<u32>),
}

fn saws(tasks: flume::Receiver<Task>, chips: flume::Sender<u32>) {
    let mut left = 0;
    while let Ok(task) = tasks.recv() {
        match task {
            Task::Saw(log) => {
                left += log;
                if chips.send(log / 2).is_err() { //~ channel-deadlock warning
                    return;
                }
            }
            Task::Left(back) => drop(back.send(left)),
        }
    }
}

/// The same on threads.
pub struct Mill {
    tasks: flume::Sender<Task>,
    chips: flume::Receiver<u32>,
}

impl Mill {
    pub fn starts() -> Mill {
        let (tasks, todo) = flume::unbounded();
        let (chips, heap) = flume::bounded(4);
        thread::spawn(move || saws(todo, chips));
        Mill { tasks, chips: heap }
    }

    pub fn sender(&self) -> flume::Sender<Task> {
        self.tasks.clone()
    }

    pub fn sweeps(self, most: u32) -> u32 {
        let mut swept = 0;
        while let Ok(chip) = self.chips.recv() {
            swept += chip;
            let (back, left) = std::sync::mpsc::channel();
            if swept > most && self.tasks.send(Task::Left(back)).is_ok() {
                return left.recv().unwrap_or(0);
            }
        }
        swept
    }
}

pub enum Cut {
    Saw(u32),
    Left(std::sync::mpsc::Sender<u32>),
}

fn planes(tasks: flume::Receiver<Cut>, chips: flume::Sender<u32>) {
    let mut left = 0;
    while let Ok(task) = tasks.recv() {
        match task {
            Cut::Saw(log) => {
                left += log;
                if chips.send(log / 2).is_err() {
                    return;
                }
            }
            Cut::Left(back) => drop(back.send(left)),
        }
    }
}

/// Others may sweep meanwhile: the heap is shared.
pub struct Joinery {
    tasks: flume::Sender<Cut>,
    chips: flume::Receiver<u32>,
}

impl Joinery {
    pub fn starts() -> Joinery {
        let (tasks, todo) = flume::unbounded();
        let (chips, heap) = flume::bounded(4);
        thread::spawn(move || planes(todo, chips));
        Joinery { tasks, chips: heap }
    }

    pub fn sender(&self) -> flume::Sender<Cut> {
        self.tasks.clone()
    }

    pub fn sweeper(&self) -> flume::Receiver<u32> {
        self.chips.clone()
    }

    pub fn sweeps(self, most: u32) -> u32 {
        let mut swept = 0;
        while let Ok(chip) = self.chips.recv() {
            swept += chip;
            let (back, left) = std::sync::mpsc::channel();
            if swept > most && self.tasks.send(Cut::Left(back)).is_ok() {
                return left.recv().unwrap_or(0);
            }
        }
        swept
    }
}

pub enum Blow {
    Saw(u32),
    Left(std::sync::mpsc::Sender<u32>),
}

/// The heap has room for all.
pub struct Forge {
    tasks: crossbeam_channel::Sender<Blow>,
    sparks: crossbeam_channel::Receiver<u32>,
}

impl Forge {
    pub fn starts() -> Forge {
        let (tasks, todo) = crossbeam_channel::unbounded();
        let (sparks, seen) = crossbeam_channel::unbounded();
        thread::spawn(move || {
            let mut left = 0;
            while let Ok(task) = todo.recv() {
                match task {
                    Blow::Saw(log) => {
                        left += log;
                        if sparks.send(log / 2).is_err() {
                            return;
                        }
                    }
                    Blow::Left(back) => drop(back.send(left)),
                }
            }
        });
        Forge { tasks, sparks: seen }
    }

    pub fn sender(&self) -> crossbeam_channel::Sender<Blow> {
        self.tasks.clone()
    }

    pub fn watches(&mut self, most: u32) -> u32 {
        let mut seen = 0;
        while let Ok(spark) = self.sparks.recv() {
            seen += spark;
            let (back, left) = std::sync::mpsc::channel();
            if seen > most && self.tasks.send(Blow::Left(back)).is_ok() {
                return left.recv().unwrap_or(0);
            }
        }
        seen
    }
}
