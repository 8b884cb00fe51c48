//! Checks that others can pass, too, before the change that they are for.

use std::collections::HashMap;
use std::sync::Mutex;
use tokio::sync::Mutex as AsyncMutex;
use tokio::time::{Duration, sleep};

#[derive(Debug)]
pub struct Refused;

async fn asks(name: &str) -> Result<u32, Refused> {
    sleep(Duration::from_millis(1)).await;
    if name.is_empty() { Err(Refused) } else { Ok(1) }
}

struct Boat {
    seats: usize,
    rowers: Vec<u32>,
}

impl Boat {
    fn is_full(&self) -> bool {
        self.rowers.len() >= self.seats
    }
}

pub struct Club {
    boats: AsyncMutex<HashMap<String, Boat>>,
    members: Mutex<HashMap<String, u32>>,
}

impl Club {
    pub async fn boards(&self, boat: &str, name: &str) -> Result<usize, Refused> {
        {
            let boats = self.boats.lock().await;
            if boats.get(boat).ok_or(Refused)?.is_full() {
                return Err(Refused);
            }
        }
        let rower = asks(name).await?;
        let mut boats = self.boats.lock().await;
        let boat = boats.get_mut(boat).ok_or(Refused)?;
        boat.rowers.push(rower); //~ order-dependence warning
        Ok(boat.rowers.len())
    }

    pub async fn boards_if_there_is_room(&self, boat: &str, name: &str) -> Result<usize, Refused> {
        if self.boats.lock().await.get(boat).ok_or(Refused)?.is_full() {
            return Err(Refused);
        }
        let rower = asks(name).await?;
        let mut boats = self.boats.lock().await;
        let boat = boats.get_mut(boat).ok_or(Refused)?;
        if boat.is_full() {
            return Err(Refused);
        }
        boat.rowers.push(rower);
        Ok(boat.rowers.len())
    }

    pub async fn boards_alone(&self, boat: &str, name: &str) -> Result<usize, Refused> {
        let mut boats = self.boats.lock().await;
        let boat = boats.get_mut(boat).ok_or(Refused)?;
        if boat.is_full() {
            return Err(Refused);
        }
        let rower = asks(name).await?;
        boat.rowers.push(rower);
        Ok(boat.rowers.len())
    }

    fn knows(&self, name: &str) -> bool {
        self.members.lock().unwrap().contains_key(name)
    }

    pub async fn joins(&self, name: &str) -> Result<(), Refused> {
        if self.knows(name) {
            return Err(Refused);
        }
        let number = asks(name).await?;
        self.members.lock().unwrap().insert(name.to_owned(), number); //~ order-dependence warning
        Ok(())
    }

    /// Whoever comes second is refused by what `insert` gives.
    pub async fn joins_once(&self, name: &str) -> Result<(), Refused> {
        if self.knows(name) {
            return Err(Refused);
        }
        let number = asks(name).await?;
        if self.members.lock().unwrap().insert(name.to_owned(), number).is_some() {
            return Err(Refused);
        }
        Ok(())
    }

    /// Twice the same number does no harm.
    pub async fn number(&self, name: &str) -> Result<u32, Refused> {
        if let Some(number) = self.members.lock().unwrap().get(name) {
            return Ok(*number);
        }
        let number = asks(name).await?;
        self.members.lock().unwrap().insert(name.to_owned(), number);
        Ok(number)
    }
}

/// One at a time comes from the check to the change.
pub struct Locker {
    turn: AsyncMutex<()>,
    keys: Mutex<Vec<u32>>,
}

impl Locker {
    pub async fn takes(&self, name: &str) -> Result<(), Refused> {
        let _turn = self.turn.lock().await;
        if self.keys.lock().unwrap().len() >= 8 {
            return Err(Refused);
        }
        let key = asks(name).await?;
        self.keys.lock().unwrap().push(key);
        Ok(())
    }
}
