//! Marks that say that something is under way, and that nobody expects to find.

use std::sync::Mutex;
use tokio::task::yield_now;

async fn end(number: u32) {
    for _ in 0..number {
        yield_now().await;
    }
}

#[derive(Clone, Copy)]
pub enum Core {
    Running(u32),
    Joining,
    Joined,
}

pub struct Engine {
    core: Mutex<Core>,
}

impl Engine {
    pub async fn join(&self) {
        let number = {
            let mut core = self.core.lock().unwrap(); //~ cancel-unsafe warning "later callers panic"
            match *core {
                Core::Running(number) => {
                    *core = Core::Joining;
                    number
                }
                Core::Joining => unreachable!("it is joined once"),
                Core::Joined => return,
            }
        };
        end(number).await;
        *self.core.lock().unwrap() = Core::Joined;
    }
}

pub struct Polite {
    core: Mutex<Core>,
}

impl Polite {
    pub async fn join(&self) -> Result<(), u32> {
        let number = {
            let mut core = self.core.lock().unwrap(); //~ cancel-unsafe warning "later callers get an error"
            match *core {
                Core::Running(number) => {
                    *core = Core::Joining;
                    number
                }
                Core::Joining => return Err(1),
                Core::Joined => unreachable!("it is joined once"),
            }
        };
        end(number).await;
        *self.core.lock().unwrap() = Core::Running(0);
        Ok(())
    }
}
