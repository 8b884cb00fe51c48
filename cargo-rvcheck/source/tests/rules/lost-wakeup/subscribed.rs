//! Receivers of a `watch` that are made late.

use tokio::sync::watch;

pub struct Moon {
    full: watch::Sender<bool>,
}

impl Moon {
    fn watch(&self) -> watch::Receiver<bool> {
        self.full.subscribe()
    }

    pub async fn waits_first(&self) {
        let mut full = self.full.subscribe();
        while full.changed().await.is_ok() { //~ lost-wakeup warning
            if *full.borrow() {
                return;
            }
        }
    }

    pub async fn waits_first_by_helper(&self) {
        let mut full = self.watch();
        loop {
            full.changed().await.unwrap(); //~ lost-wakeup warning
            if *full.borrow_and_update() {
                return;
            }
        }
    }

    pub async fn looks_first(&self) {
        let mut full = self.full.subscribe();
        while !*full.borrow_and_update() {
            full.changed().await.unwrap();
        }
    }

    pub async fn waits_for(&self) {
        let _ = self.full.subscribe().wait_for(|it| *it).await;
    }

    pub async fn waits_for_any_change(&self) {
        let mut full = self.full.subscribe();
        let _ = full.changed().await;
    }

    pub async fn looks_by_the_sender(&self) {
        if *self.full.borrow() {
            return;
        }
        let mut full = self.full.subscribe();
        let _ = full.changed().await; //~ lost-wakeup warning
    }

    pub async fn looks_by_both(&self) {
        if *self.full.borrow() {
            return;
        }
        let mut full = self.full.subscribe();
        if !*full.borrow_and_update() {
            let _ = full.changed().await;
        }
    }
}

pub struct Tide {
    level: watch::Sender<u32>,
}

impl Tide {
    fn level(&self) -> u32 {
        *self.level.borrow()
    }

    fn is_above(&self, mark: u32) -> bool {
        self.level() > mark
    }

    pub async fn subscribes_first(&self, mark: u32) -> Option<u32> {
        let mut levels = self.level.subscribe();
        if self.is_above(mark) {
            return Some(self.level());
        }
        loop {
            levels.changed().await.ok()?;
            let level = *levels.borrow_and_update();
            if level > mark {
                return Some(level);
            }
        }
    }

    pub async fn subscribes_late(&self, mark: u32) -> Option<u32> {
        if self.is_above(mark) {
            return Some(self.level());
        }
        let mut levels = self.level.subscribe();
        loop {
            levels.changed().await.ok()?; //~ lost-wakeup warning
            let level = *levels.borrow_and_update();
            if level > mark {
                return Some(level);
            }
        }
    }
}

/// What follows a value has to begin with one that no change is between.
pub struct Followed {
    level: watch::Sender<u32>,
}

impl Followed {
    fn level(&self) -> u32 {
        *self.level.borrow()
    }

    pub async fn reads_and_then_subscribes(&self, shown: &mut Vec<u32>) {
        shown.push(self.level());
        tokio::task::yield_now().await;
        let mut levels = self.level.subscribe();
        while levels.changed().await.is_ok() { //~ lost-wakeup warning
            shown.push(*levels.borrow_and_update());
        }
    }

    pub async fn subscribes_and_then_reads(&self, shown: &mut Vec<u32>) {
        let mut levels = self.level.subscribe();
        shown.push(self.level());
        tokio::task::yield_now().await;
        while levels.changed().await.is_ok() {
            shown.push(*levels.borrow_and_update());
        }
    }

    pub async fn reads_and_then_selects(&self, stop: tokio::sync::Notify, shown: &mut Vec<u32>) {
        shown.push(self.level());
        tokio::task::yield_now().await;
        let mut levels = self.level.subscribe();
        loop {
            tokio::select! {
                _ = stop.notified() => { return }
                changed = levels.changed() => { //~ lost-wakeup warning
                    if changed.is_err() {
                        return;
                    }
                    shown.push(*levels.borrow_and_update());
                }
            }
        }
    }

    pub async fn counts_changes(&self) -> u32 {
        let at_first = self.level();
        let mut levels = self.level.subscribe();
        let mut changes = 0;
        while levels.changed().await.is_ok() {
            changes += 1;
        }
        changes + at_first
    }
}
