//! Functions that call themselves while they hold a lock, and getters that are called twice.

use std::sync::{Mutex, MutexGuard};

pub struct Tree {
    seen: Mutex<Vec<usize>>,
    next: Vec<Vec<usize>>,
    children: Vec<Tree>,
}

impl Tree {
    pub fn visit(&self, node: usize) {
        let mut seen = self.seen.lock().unwrap();
        if seen.contains(&node) {
            return;
        }
        seen.push(node);
        for &next in &self.next[node] {
            self.visit(next); //~ double-lock warning
        }
    }

    pub fn visit_unlocked(&self, node: usize) {
        self.seen.lock().unwrap().push(node);
        for &next in &self.next[node] {
            self.visit_unlocked(next);
        }
    }

    pub fn clear(&self) {
        let mut seen = self.seen.lock().unwrap();
        seen.clear();
        for child in &self.children {
            child.clear();
        }
    }

    fn seen(&self) -> MutexGuard<'_, Vec<usize>> {
        self.seen.lock().unwrap()
    }

    pub fn by_a_getter(&self) -> usize {
        let seen = self.seen();
        seen.len() + self.seen().len() //~ double-lock warning
    }

    pub fn by_a_getter_one_after_another(&self) -> usize {
        let length = self.seen().len();
        length + self.seen().len()
    }
}
