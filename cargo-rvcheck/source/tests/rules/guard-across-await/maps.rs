//! Entries of maps that lock a part of themselves, around awaits.

use dashmap::DashMap;

#[derive(Default)]
pub struct Desks {
    calls: DashMap<u32, u32>,
}

async fn rings() -> u32 {
    tokio::task::yield_now().await;
    1
}

impl Desks {
    pub async fn counts(&self, desk: u32) {
        if let Some(mut calls) = self.calls.get_mut(&desk) { //~ guard-across-await
            *calls += rings().await;
        }
    }

    pub async fn counts_before(&self, desk: u32) {
        let more = rings().await;
        if let Some(mut calls) = self.calls.get_mut(&desk) {
            *calls += more;
        }
    }

    pub async fn copies(&self, desk: u32) -> u32 {
        let calls = self.calls.get(&desk).map(|it| *it);
        calls.unwrap_or_default() + rings().await
    }

    pub async fn goes_round(&self) -> u32 {
        let mut all = 0;
        for calls in self.calls.iter() {
            all += *calls + rings().await; //~ guard-across-await
        }
        all
    }
}
