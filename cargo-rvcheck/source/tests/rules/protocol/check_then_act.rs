//! Flags that are looked at and set with a suspension in between, and ones that look like it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

async fn plan() {
    tokio::task::yield_now().await;
}
async fn work() {
    tokio::task::yield_now().await;
}

pub struct Reset<'a>(&'a AtomicBool);

impl Drop for Reset<'_> {
    fn drop(&mut self) {
        self.0.store(false, SeqCst);
    }
}

#[derive(Default)]
pub struct Job {
    running: AtomicBool,
    stop: AtomicBool,
    locked: Mutex<bool>,
    held: tokio::sync::Mutex<()>,
    runs: AtomicUsize,
}

impl Job {
    pub async fn resets_at_the_end(&self) -> bool {
        if self.running.load(SeqCst) { //~ protocol warning
            return false;
        }
        plan().await;
        self.running.store(true, SeqCst); //~ cancel-unsafe warning
        work().await;
        self.running.store(false, SeqCst);
        true
    }

    pub async fn goes_on_inside(self: Arc<Self>) {
        if !self.running.load(SeqCst) { //~ protocol warning
            plan().await;
            self.running.store(true, SeqCst);
            let job = self.clone();
            tokio::spawn(async move {
                work().await;
                job.running.store(false, SeqCst);
            });
        }
    }

    fn is_running(&self) -> bool {
        self.running.load(SeqCst)
    }

    fn set_running(&self, to: bool) {
        if to { self.running.store(true, SeqCst) } else { self.running.store(false, SeqCst) }
    }

    fn begin(&self) {
        self.running.store(true, SeqCst);
    }

    fn end(&self) {
        self.running.store(false, SeqCst);
    }

    pub async fn through_methods(&self) {
        if self.is_running() { //~ protocol warning
            return;
        }
        plan().await;
        self.begin(); //~ cancel-unsafe warning
        work().await;
        self.end();
    }

    pub async fn behind_a_lock(&self) {
        if *self.locked.lock().unwrap() { //~ protocol warning
            return;
        }
        plan().await;
        *self.locked.lock().unwrap() = true; //~ cancel-unsafe warning
        work().await;
        *self.locked.lock().unwrap() = false;
    }

    pub async fn in_a_select(&self) {
        if self.running.load(SeqCst) { //~ protocol warning
            return;
        }
        tokio::select! {
            _ = plan() => {}
            _ = work() => { return }
        }
        self.running.store(true, SeqCst); //~ cancel-unsafe warning
        work().await;
        self.running.store(false, SeqCst);
    }

    pub async fn is_made_once(&self) {
        if self.running.load(SeqCst) { //~ protocol note
            return;
        }
        plan().await;
        self.running.store(true, SeqCst);
    }

    // From here on nothing but what a future leaves that is dropped while its flag is set.

    pub async fn swaps(&self) {
        if self.running.swap(true, SeqCst) { //~ cancel-unsafe warning
            return;
        }
        plan().await;
        self.running.store(true, SeqCst);
        work().await;
        self.running.store(false, SeqCst);
    }

    pub async fn looks_and_swaps(&self) {
        if self.running.load(SeqCst) {
            return;
        }
        plan().await;
        if self.running.compare_exchange(false, true, SeqCst, SeqCst).is_err() { //~ cancel-unsafe warning
            return;
        }
        work().await;
        self.running.store(false, SeqCst);
    }

    pub async fn sets_before_the_await(&self) {
        if self.running.load(SeqCst) {
            return;
        }
        self.running.store(true, SeqCst); //~ cancel-unsafe warning
        plan().await;
        work().await;
        self.running.store(false, SeqCst);
    }

    pub async fn looks_again(&self) {
        if self.running.load(SeqCst) {
            return;
        }
        plan().await;
        if self.running.load(SeqCst) {
            return;
        }
        self.running.store(true, SeqCst); //~ cancel-unsafe warning
        work().await;
        self.running.store(false, SeqCst);
    }

    pub async fn has_the_only_reference(&mut self) {
        if self.running.load(SeqCst) {
            return;
        }
        plan().await;
        self.running.store(true, SeqCst); //~ cancel-unsafe note
        work().await;
        self.running.store(false, SeqCst);
    }

    pub async fn holds_a_lock(&self) {
        let _held = self.held.lock().await;
        if self.running.load(SeqCst) {
            return;
        }
        plan().await;
        self.running.store(true, SeqCst); //~ cancel-unsafe warning
        work().await;
        self.running.store(false, SeqCst);
    }

    pub async fn polls_a_stop_flag(&self) {
        while !self.stop.load(SeqCst) {
            work().await;
            self.runs.fetch_add(1, SeqCst);
        }
        self.stop.store(true, SeqCst);
    }

    pub async fn clears_after_the_work(&self) {
        if self.stop.load(SeqCst) {
            work().await;
            self.stop.store(false, SeqCst);
        }
    }

    pub async fn sets_it_either_way(&self) {
        if !self.running.load(SeqCst) {
            plan().await;
        }
        self.running.store(true, SeqCst);
        work().await;
        self.running.store(false, SeqCst);
    }

    async fn inner(&self) {
        if self.running.load(SeqCst) {
            return;
        }
        plan().await;
        self.running.store(true, SeqCst); //~ cancel-unsafe warning
        work().await;
        self.running.store(false, SeqCst);
    }

    pub async fn one_at_a_time(&self) {
        let _held = self.held.lock().await;
        self.inner().await;
    }

    pub async fn with_an_own_flag(&self) {
        let running = AtomicBool::new(false);
        if running.load(SeqCst) {
            return;
        }
        plan().await;
        running.store(true, SeqCst);
        work().await;
        running.store(false, SeqCst);
    }

    pub async fn another_flag(&self) {
        if self.stop.load(SeqCst) {
            return;
        }
        plan().await;
        self.running.store(true, SeqCst);
        work().await;
        self.running.store(false, SeqCst);
    }
}

pub fn started_once(job: Arc<Job>) -> Reset<'static> {
    static FLAG: AtomicBool = AtomicBool::new(false);
    job.set_running(true);
    Reset(&FLAG)
}

async fn only_in_main(flag: Arc<AtomicBool>) {
    if flag.load(SeqCst) {
        return;
    }
    plan().await;
    flag.store(true, SeqCst);
    work().await;
    flag.store(false, SeqCst);
}

pub fn main() {
    futures::executor::block_on(only_in_main(Arc::default()));
}
