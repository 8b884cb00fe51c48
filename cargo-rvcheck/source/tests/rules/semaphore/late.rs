//! Permits that are forgotten before there is what gives them back.

use std::sync::Mutex;
use tokio::sync::Semaphore;
use tokio::time::{Duration, sleep};

#[derive(Debug)]
pub struct Refused;

async fn builds(width: u32) -> Result<u32, Refused> {
    sleep(Duration::from_millis(1)).await;
    if width == 0 { Err(Refused) } else { Ok(width) }
}

pub struct Yard {
    slips: Semaphore,
}

pub struct Slip<'a> {
    yard: &'a Yard,
    width: u32,
}

impl Drop for Slip<'_> {
    fn drop(&mut self) {
        self.yard.gives_back();
    }
}

impl Yard {
    fn gives_back(&self) {
        self.slips.add_permits(1);
    }

    pub async fn rents(&self, width: u32) -> Result<Slip<'_>, Refused> {
        self.slips.acquire().await.map_err(|_| Refused)?.forget(); //~ semaphore warning
        let width = builds(width).await?;
        Ok(Slip { yard: self, width })
    }

    pub async fn rents_first(&self, width: u32) -> Result<Slip<'_>, Refused> {
        self.slips.acquire().await.map_err(|_| Refused)?.forget();
        let mut slip = Slip { yard: self, width };
        slip.width = builds(width).await?;
        Ok(slip)
    }

    pub async fn rents_last(&self, width: u32) -> Result<Slip<'_>, Refused> {
        let permit = self.slips.acquire().await.map_err(|_| Refused)?;
        let width = builds(width).await?;
        permit.forget();
        Ok(Slip { yard: self, width })
    }
}

/// There are as many numbers as permits.
pub struct Docks {
    free: Mutex<Vec<u32>>,
    room: Semaphore,
}

pub struct Dock<'a> {
    docks: &'a Docks,
    number: u32,
}

impl Drop for Dock<'_> {
    fn drop(&mut self) {
        self.docks.free.lock().unwrap().push(self.number);
        self.docks.room.add_permits(1);
    }
}

impl Docks {
    pub async fn moors(&self) -> Result<Dock<'_>, Refused> {
        self.room.acquire().await.map_err(|_| Refused)?.forget(); //~ semaphore note
        let number = self.free.lock().unwrap().pop().ok_or(Refused)?;
        Ok(Dock { docks: self, number })
    }

    pub async fn moors_at(&self) -> Result<Dock<'_>, Refused> {
        self.room.acquire().await.map_err(|_| Refused)?.forget(); //~ semaphore note
        let Some(number) = self.free.lock().unwrap().pop() else { return Err(Refused) };
        Ok(Dock { docks: self, number })
    }

    pub async fn unloads(&self, crates: u32) -> Result<u32, Refused> {
        let dock = self.moors().await?;
        let unloaded = builds(crates).await?;
        drop(dock);
        Ok(unloaded)
    }
}
