//! A guard that is a part of what the awaited future owns, beside trait objects.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Default)]
pub struct Market {
    stalls: Mutex<HashSet<String>>,
}

struct Place {
    market: Arc<Market>,
    name: String,
}
impl Place {
    fn leaves(&mut self) {
        self.market.stalls.lock().unwrap().remove(&self.name);
    }
}
impl Drop for Place {
    fn drop(&mut self) {
        self.leaves();
    }
}

pub struct Stall {
    place: Place,
    on_sale: Box<dyn Fn(u32) + Send + Sync>,
}
impl Stall {
    fn new(market: &Arc<Market>, name: &str) -> Result<Stall, String> {
        if !market.stalls.lock().unwrap().insert(name.to_owned()) {
            return Err(name.to_owned());
        }
        let place = Place { market: Arc::clone(market), name: name.to_owned() };
        Ok(Stall { place, on_sale: Box::new(|_| ()) })
    }

    async fn opens(self, after: Duration) -> u32 {
        tokio::time::sleep(after).await;
        (self.on_sale)(1);
        let sold = self.place.name.len() as u32;
        self.place.market.stalls.lock().unwrap().remove(&self.place.name);
        sold
    }
}

pub async fn trade(market: Arc<Market>, name: String) -> Result<u32, String> {
    let stall = Stall::new(&market, &name)?;
    Ok(stall.opens(Duration::from_millis(5)).await)
}
