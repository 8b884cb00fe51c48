//! The room of a bounded channel goes to whoever asked first, also if nobody polls that one.

use std::time::Duration;
use tokio::sync::mpsc::{Sender, UnboundedSender};
use tokio::time::sleep;

pub struct Reporter {
    lines: Sender<String>,
    errors: Sender<String>,
    all: UnboundedSender<String>,
}

impl Reporter {
    async fn says(&self, line: &str) -> bool {
        self.lines.send(line.to_owned()).await.is_ok()
    }

    async fn measures(&self) -> u32 {
        sleep(Duration::from_millis(3)).await;
        if self.says("measured").await { 1 } else { 0 }
    }

    pub async fn measures_and_ticks(&self) -> u32 {
        let measures = self.measures();
        tokio::pin!(measures);
        loop {
            tokio::select! {
                done = &mut measures => { return done }
                _ = sleep(Duration::from_millis(1)) => {
                    self.says("tick").await; //~ futurelock
                }
            }
        }
    }

    pub async fn measures_and_complains(&self) -> u32 {
        let measures = self.measures();
        tokio::pin!(measures);
        loop {
            tokio::select! {
                done = &mut measures => { return done }
                _ = sleep(Duration::from_millis(1)) => {
                    let _ = self.errors.send("slow".to_owned()).await;
                }
            }
        }
    }

    pub async fn measures_and_notes(&self) -> u32 {
        let measures = self.measures();
        tokio::pin!(measures);
        loop {
            tokio::select! {
                done = &mut measures => { return done }
                _ = sleep(Duration::from_millis(1)) => {
                    let _ = self.all.send("tick".to_owned());
                    let _ = self.lines.try_send("tick".to_owned());
                }
            }
        }
    }
}
