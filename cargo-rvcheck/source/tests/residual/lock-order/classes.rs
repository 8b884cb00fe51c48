//! Classes of locks with and without orders among them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

pub struct Alone(u32);
pub struct First(u32);
pub struct Second(u32);
pub struct Left(u32);
pub struct Right(u32);
pub struct Waiting(u32);
pub struct Called(u32);
pub struct Before(u32);
pub struct Noisy(fn());
pub struct Node(u32);

pub struct All {
    alone: Mutex<Vec<Alone>>,
    first: Mutex<First>,
    second: Mutex<Second>,
    left: Mutex<Left>,
    right: Mutex<Right>,
    waiting: Mutex<Waiting>,
    called: Mutex<Called>,
    before: Mutex<Before>,
    noisy: Mutex<HashMap<u32, Noisy>>,
    task: tokio::sync::Mutex<Task>,
}

pub struct Task(u32);

impl Drop for Noisy {
    fn drop(&mut self) {
        (self.0)();
    }
}

impl All {
    pub fn add(&self) {
        self.alone.lock().unwrap().push(Alone(1)); //~ lock-order orphan
    }

    pub fn count(&self) -> usize {
        let alone = self.alone.lock().unwrap(); //~ lock-order orphan
        alone.iter().map(|it| it.0 as usize).sum::<usize>() + alone.len()
    }

    pub fn ordered(&self) -> u32 {
        let first = self.first.lock().unwrap(); //~ lock-order ordered
        first.0 + self.of_second()
    }

    fn of_second(&self) -> u32 {
        self.second.lock().unwrap().0 //~ lock-order orphan
    }

    pub fn one_way(&self) -> u32 {
        let left = self.left.lock().unwrap(); //~ lock-order monitored
        left.0 + self.right.lock().unwrap().0 //~ lock-order monitored
    }

    pub fn other_way(&self) -> u32 {
        let right = self.right.lock().unwrap(); //~ lock-order monitored
        right.0 + self.left.lock().unwrap().0 //~ lock-order monitored
    }

    pub fn waits(&self, messages: &flume::Receiver<u32>) -> u32 {
        let waiting = self.waiting.lock().unwrap(); //~ lock-order monitored
        waiting.0 + messages.recv().unwrap()
    }

    pub fn calls(&self, back: &dyn Fn() -> u32) -> u32 {
        let called = self.called.lock().unwrap(); //~ lock-order monitored
        called.0 + back()
    }

    pub fn leads_to_a_call(&self, back: &dyn Fn() -> u32) -> u32 {
        let before = self.before.lock().unwrap(); //~ lock-order monitored
        before.0 + self.calls(back)
    }

    pub fn drops_what_prints(&self) {
        self.noisy.lock().unwrap().remove(&3); //~ lock-order monitored
    }

    pub async fn of_a_task(&self) -> u32 {
        self.task.lock().await.0 //~ lock-order orphan
    }
}

pub fn parent_and_child(parent: &Arc<Mutex<Node>>, child: &Arc<Mutex<Node>>) -> u32 {
    let parent = parent.lock().unwrap(); //~ lock-order monitored
    parent.0 + child.lock().unwrap().0 //~ lock-order monitored
}
