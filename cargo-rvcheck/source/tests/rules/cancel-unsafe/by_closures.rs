//! States that helpers with closures claim, and give free again behind an await.

use parking_lot::Mutex;
use std::collections::BTreeMap;

pub struct Berth {
    taken: bool,
    closed: bool,
    visits: u32,
}

#[derive(Debug)]
pub enum Refused {
    Unknown,
    Taken,
    Closed,
}

pub trait Crane: Sync {
    fn unload(&self, ship: &str) -> impl Future<Output = u32> + Send;
}

pub struct Harbour<C> {
    crane: C,
    berths: Mutex<BTreeMap<u32, Berth>>,
}

impl<C: Crane> Harbour<C> {
    fn free<T>(&self, number: u32, change: impl FnOnce(&mut Berth) -> T) -> Result<T, Refused> {
        let mut berths = self.berths.lock();
        let berth = berths.get_mut(&number).ok_or(Refused::Unknown)?;
        if berth.taken {
            return Err(Refused::Taken);
        }
        Ok(change(berth))
    }

    fn close(&self, number: u32) -> Result<(), Refused> {
        self.free(number, |berth| berth.closed = true)
    }

    fn enter(&self, number: u32) -> Result<u32, Refused> {
        let visits = self.free(number, |berth| {
            if berth.closed {
                return None;
            }
            berth.taken = true;
            berth.visits += 1;
            Some(berth.visits)
        })?;
        visits.ok_or(Refused::Closed)
    }

    fn leave(&self, number: u32) {
        if let Some(berth) = self.berths.lock().get_mut(&number) {
            berth.taken = false;
        }
    }

    pub async fn lands(&self, number: u32, ship: &str) -> Result<u32, Refused> {
        self.enter(number)?; //~ cancel-unsafe warning
        let unloaded = self.crane.unload(ship).await;
        self.leave(number);
        Ok(unloaded)
    }

    pub async fn lands_with_care(&self, number: u32, ship: &str) -> Result<u32, Refused> {
        self.enter(number)?;
        let _free = Free { harbour: self, number };
        Ok(self.crane.unload(ship).await)
    }

    pub fn closes(&self, number: u32) -> bool {
        self.close(number).is_ok()
    }
}

struct Free<'a, C: Crane> {
    harbour: &'a Harbour<C>,
    number: u32,
}

impl<C: Crane> Drop for Free<'_, C> {
    fn drop(&mut self) {
        self.harbour.leave(self.number);
    }
}
