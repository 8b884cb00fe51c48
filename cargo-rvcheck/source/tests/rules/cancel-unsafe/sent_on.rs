//! What is taken out of a queue and given to a send that a `timeout` or a `select!` may drop.

use async_channel::{SendError, TrySendError};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use tokio::sync::mpsc;
use tokio::time::{Duration, sleep, timeout};

pub struct Kite(u32);

#[derive(Default)]
pub struct Hangar {
    kites: VecDeque<Kite>,
}

impl Hangar {
    fn bring_out(&mut self) -> Option<Kite> {
        self.kites.pop_front()
    }

    fn bring_back(&mut self, kite: Kite) {
        self.kites.push_front(kite);
    }
}

trait Shed {
    fn bring_out(&mut self) -> Option<Kite>;
}

impl Shed for Hangar {
    fn bring_out(&mut self) -> Option<Kite> {
        self.kites.pop_back()
    }
}

pub struct Field {
    hangar: Hangar,
    sky: async_channel::Sender<Kite>,
    lost: u32,
}

pub enum Flown {
    All,
    Some,
    None,
}

impl Field {
    pub async fn brings_back_what_fails(&mut self) -> Flown {
        while let Some(kite) = self.hangar.bring_out() { //~ cancel-unsafe note
            match timeout(Duration::from_secs(1), self.sky.send(kite)).await { //~ cancel-unsafe
                Ok(Ok(())) => {}
                Ok(Err(SendError(kite))) => {
                    self.hangar.bring_back(kite);
                    return Flown::None;
                }
                Err(_) => return Flown::Some,
            }
        }
        Flown::All
    }

    pub async fn tries_and_brings_back(&mut self) -> Flown {
        while let Some(kite) = self.hangar.bring_out() {
            match self.sky.try_send(kite) {
                Ok(()) => {}
                Err(TrySendError::Full(kite) | TrySendError::Closed(kite)) => {
                    self.hangar.bring_back(kite);
                    sleep(Duration::from_secs(1)).await;
                }
            }
        }
        Flown::All
    }

    pub async fn counts_what_is_lost(&mut self) {
        while let Some(kite) = self.hangar.bring_out() {
            if timeout(Duration::from_secs(1), self.sky.send(kite)).await.is_err() { //~ cancel-unsafe note
                self.lost += 1;
            }
        }
    }
}

pub struct Meadow {
    waiting: Arc<Mutex<VecDeque<Kite>>>,
    sky: flume::Sender<Kite>,
}

impl Meadow {
    fn next(&self) -> Option<Kite> {
        self.waiting.lock().unwrap().pop_front()
    }

    pub async fn goes_on_with_the_next(&self) {
        while let Some(kite) = self.next() {
            let _ = timeout(Duration::from_secs(1), self.sky.send_async(kite)).await; //~ cancel-unsafe
        }
    }

    pub async fn is_as_patient_as_it_takes(&self) {
        while let Some(kite) = self.next() {
            let _ = self.sky.send_async(kite).await;
        }
    }
}

pub async fn goes_on_when_the_wind_turns(
    shed: &mut Hangar,
    sky: &mpsc::Sender<Kite>,
    wind: &mut mpsc::Receiver<u32>,
) {
    while let Some(kite) = Shed::bring_out(shed) {
        tokio::select! {
            _ = sky.send(kite) => {} //~ cancel-unsafe
            _ = wind.recv() => {}
        }
    }
}

pub async fn waits_for_room_first(shed: &mut Hangar, sky: &mpsc::Sender<Kite>) {
    loop {
        let Ok(Ok(room)) = timeout(Duration::from_secs(1), sky.reserve()).await else { continue };
        match shed.bring_out() {
            Some(kite) => room.send(kite),
            None => return,
        }
    }
}

pub async fn has_one_of_its_own(sky: &mpsc::Sender<Kite>, n: u32) {
    for it in 0..n {
        let kite = Kite(it);
        let _ = timeout(Duration::from_secs(1), sky.send(kite)).await;
    }
}
