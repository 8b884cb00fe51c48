//! Gates that an error leaves shut.

use std::sync::Arc;
use tokio::sync::Semaphore;

#[derive(Clone)]
pub struct Probe {
    warm: Arc<Semaphore>,
    warm_or_failed: Arc<Semaphore>,
    readings: Arc<Semaphore>,
}

async fn heat(volts: u32) -> Result<u32, String> {
    tokio::task::yield_now().await;
    volts.checked_sub(5).ok_or_else(String::new)
}

async fn measure(gate: Arc<Semaphore>, degrees: u32) -> u32 {
    gate.add_permits(Semaphore::MAX_PERMITS);
    degrees
}

impl Probe {
    pub fn new() -> Probe {
        Probe {
            warm: Arc::new(Semaphore::new(0)),
            warm_or_failed: Arc::new(Semaphore::new(0)),
            readings: Arc::new(Semaphore::new(0)),
        }
    }

    pub async fn run(self, volts: u32) -> u32 {
        let degrees = match heat(volts).await {
            Ok(degrees) => degrees,
            Err(_) => {
                heat(0).await.unwrap_or_default(); //~ lost-wakeup warning
                return 0;
            }
        };
        measure(self.warm, degrees).await
    }

    pub async fn run_well(self, volts: u32) -> u32 {
        let heated = heat(volts).await;
        if heated.is_err() {
            self.warm_or_failed.close();
        }
        let Ok(degrees) = heated else {
            self.warm_or_failed.add_permits(Semaphore::MAX_PERMITS);
            return 0;
        };
        measure(self.warm_or_failed, degrees).await
    }

    pub async fn read(&self, volts: u32) -> Result<(), String> {
        heat(volts).await?;
        self.readings.add_permits(1);
        Ok(())
    }

    pub async fn wait(&self) {
        let _ = self.warm.acquire().await;
    }

    pub async fn wait_well(&self) {
        let _ = self.warm_or_failed.acquire().await;
    }

    pub async fn next(&self) {
        let _ = self.readings.acquire().await;
    }
}

/// A kiln whose fire is watched by functions of a module, which a wrapper of another crate drives.
mod kiln {
    pub mod fire {
        use super::super::*;
        use futures::future::{AbortRegistration, Abortable};

        pub struct Kiln {
            pub is_hot: Arc<Semaphore>,
        }

        pub fn kiln() -> Kiln {
            Kiln { is_hot: Arc::new(Semaphore::new(0)) }
        }

        impl Kiln {
            pub async fn hot(&self) {
                let _ = self.is_hot.acquire().await;
            }
        }

        async fn burns(gate: &Semaphore) -> u32 {
            gate.add_permits(Semaphore::MAX_PERMITS);
            7
        }

        async fn watches(gate: Arc<Semaphore>) -> u32 {
            loop {
                let degrees = burns(&gate).await;
                if degrees > 3 {
                    return degrees;
                }
            }
        }

        pub async fn lights(kiln: Kiln, spark: Result<u32, String>, stop: AbortRegistration) -> u32 {
            if let Err(_) = spark {
                heat(1).await.unwrap_or_default(); //~ lost-wakeup warning
                return 0;
            }
            Abortable::new(watches(kiln.is_hot), stop).await.unwrap_or_default()
        }
    }
}
