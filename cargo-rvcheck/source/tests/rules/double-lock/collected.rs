//! What is replaced under a lock goes to the caller, who drops it when the lock is free.

use std::sync::Arc;

/// A collector of the caller.
#[derive(Default)]
pub struct Swept {
    old: Option<Box<Broom>>,
}

pub struct Broom {
    shed: Arc<Shed>,
}

#[derive(Default)]
pub struct Shed {
    brooms: std::sync::Mutex<Corner>,
}

#[derive(Default)]
pub struct Corner {
    broom: Option<Box<Broom>>,
    used: u32,
}

impl Drop for Broom {
    fn drop(&mut self) {
        self.shed.brooms.lock().unwrap().used += 1; //~ double-lock note
    }
}

impl Corner {
    fn leans(&mut self, broom: Broom, swept: &mut Swept) {
        swept.old = self.broom.replace(Box::new(broom));
    }
}

impl Shed {
    pub fn leans(&self, broom: Broom) {
        let mut swept = Swept::default();
        self.brooms.lock().unwrap().leans(broom, &mut swept);
        drop(swept);
    }
}
