//! An agent whose loop is in a block that it awaits: nothing comes after it, so that it may go on for as long as the program runs.

use tokio::sync::{mpsc, oneshot};

pub enum Errand {
    Count(oneshot::Sender<u32>),
    Twice,
}

#[derive(Clone)]
pub struct Bell {
    errands: mpsc::Sender<Errand>,
}

impl Bell {
    pub async fn count(&self) -> u32 {
        let (tell, told) = oneshot::channel();
        let _ = self.errands.send(Errand::Count(tell)).await;
        told.await.unwrap_or(0)
    }
}

pub struct Porter {
    errands: mpsc::Receiver<Errand>,
    bell: Bell,
    run: u32,
}

impl Porter {
    pub fn hired() -> Bell {
        let (sender, errands) = mpsc::channel(4);
        let bell = Bell { errands: sender };
        tokio::spawn(Porter { errands, bell: bell.clone(), run: 0 }.serves());
        bell
    }

    async fn serves(mut self) {
        let round = async {
            while let Some(errand) = self.errands.recv().await {
                match errand {
                    Errand::Count(tell) => {
                        let _ = tell.send(self.run);
                    }
                    Errand::Twice => {
                        let run = self.bell.count().await; //~ channel-deadlock warning
                        self.run = run * 2;
                    }
                }
            }
        };
        round.await
    }
}
