//! Locks, permits and room that are awaited while a stream of futures that ask for the same is not polled.

use futures::stream::{self, FuturesUnordered, StreamExt};
use std::sync::Arc;
use tokio::sync::{Semaphore, mpsc};

#[derive(Default)]
pub struct Chart {
    depths: Vec<u32>,
}

/// Soundings of a harbour, drawn into one chart.
pub struct Survey {
    chart: Arc<async_lock::Mutex<Chart>>,
    boats: Semaphore,
}

impl Survey {
    async fn sound(&self, at: u32) -> u32 {
        let chart = self.chart.lock().await;
        tokio::task::yield_now().await;
        chart.depths.get(at as usize).copied().unwrap_or(at)
    }

    async fn draw(&self, depth: u32) {
        self.chart.lock().await.depths.push(depth);
    }

    async fn draws_each(&self, depth: u32) {
        self.chart.lock().await.depths.push(depth);
    }

    pub async fn draws_between(&self, places: Vec<u32>, boats: usize) {
        let mut depths = stream::iter(places).map(|at| self.sound(at)).buffer_unordered(boats);
        while let Some(depth) = depths.next().await {
            self.draw(depth).await; //~ futurelock
        }
    }

    pub async fn draws_for_each(&self, places: Vec<u32>) {
        let depths = stream::iter(places).map(|at| self.sound(at)).buffered(3);
        depths.for_each(|depth| async move { self.draws_each(depth).await }).await; //~ futurelock
    }

    pub async fn draws_behind(&self, places: Vec<u32>, boats: usize) {
        let mut depths = stream::iter(places).map(|at| self.sound(at)).buffer_unordered(boats);
        let mut all = Vec::new();
        while let Some(depth) = depths.next().await {
            all.push(depth);
        }
        self.chart.lock().await.depths.append(&mut all);
    }

    pub async fn has_one_boat(&self, places: Vec<u32>) {
        let mut depths = stream::iter(places).map(|at| self.sound(at)).buffered(1);
        while let Some(depth) = depths.next().await {
            self.chart.lock().await.depths.push(depth);
        }
    }

    pub async fn draws_meanwhile(&self, places: Vec<u32>) {
        let depths = stream::iter(places).map(|at| self.sound(at)).buffered(3);
        depths.for_each_concurrent(2, |depth| async move { self.chart.lock().await.depths.push(depth) }).await;
    }

    async fn rows_out(&self, at: u32) -> u32 {
        let _boat = self.boats.acquire().await;
        tokio::task::yield_now().await;
        at
    }

    async fn rows_again(&self, at: u32) -> u32 {
        let _boat = self.boats.acquire().await;
        at + 1
    }

    pub async fn wants_a_boat_between(&self, places: Vec<u32>) -> u32 {
        let mut trips: FuturesUnordered<_> = places.into_iter().map(|at| self.rows_out(at)).collect();
        let mut sum = 0;
        while let Some(at) = trips.next().await {
            sum += self.rows_again(at).await; //~ futurelock
        }
        sum
    }

    pub async fn wants_a_boat_in_an_arm(&self, mut buoys: mpsc::Receiver<u32>) -> u32 {
        let mut trips = FuturesUnordered::new();
        trips.push(Box::pin(self.rows_out(0)));
        let mut sum = 0;
        loop {
            tokio::select! {
                at = trips.next() => {
                    match at {
                        Some(at) => sum += at,
                        None => return sum,
                    }
                }
                buoy = buoys.recv() => {
                    let _boat = self.boats.acquire().await; //~ futurelock
                    sum += buoy.unwrap_or_default();
                }
            }
        }
    }

    pub async fn asks_others_for_a_boat(&self, harbour: &Semaphore, places: Vec<u32>) -> u32 {
        let mut trips: FuturesUnordered<_> = places.into_iter().map(|at| self.rows_out(at)).collect();
        let mut sum = 0;
        while let Some(at) = trips.next().await {
            let _boat = harbour.acquire().await;
            sum += at;
        }
        sum
    }
}

async fn reports(log: &mpsc::Sender<u32>, at: u32) -> u32 {
    let _ = log.send(at).await;
    at
}

pub async fn reports_between(log: mpsc::Sender<u32>, places: Vec<u32>) {
    let mut all = stream::iter(places).map(|at| reports(&log, at)).buffered(4);
    while let Some(at) = all.next().await {
        let _ = log.send(at).await; //~ futurelock
    }
}

/// What runs on tasks of its own goes on meanwhile.
pub async fn is_spawned(survey: Arc<Survey>, places: Vec<u32>) {
    let one = |at| {
        let survey = survey.clone();
        tokio::spawn(async move { survey.sound(at).await })
    };
    let mut depths = stream::iter(places).map(one).buffered(4);
    while let Some(depth) = depths.next().await {
        survey.chart.lock().await.depths.push(depth.unwrap_or_default());
    }
}
