//! Maps by the id of the thread.

use std::collections::HashMap;
use std::sync::Mutex;
use std::thread::{self, ThreadId};
use tokio::task::yield_now;

#[derive(Default)]
pub struct Activity {
    running: Mutex<HashMap<ThreadId, u32>>,
}

impl Activity {
    fn begin(&self) {
        self.running.lock().unwrap().insert(thread::current().id(), 1);
    }

    fn end(&self) {
        self.running.lock().unwrap().remove(&thread::current().id());
    }

    pub async fn is_suspended_in_between(&self) {
        self.begin();
        yield_now().await;
        self.end(); //~ affinity
    }

    pub async fn is_not_suspended_in_between(&self) {
        self.begin();
        println!("inside");
        self.end();
        yield_now().await;
    }

    pub fn belongs_to_a_thread(&self) {
        self.begin();
        self.end();
    }

    pub async fn says_where_it_is(&self) {
        println!("{:?}", thread::current().id());
        yield_now().await;
        println!("{:?}", thread::current().id());
    }
}
