//! Values that receive from a channel and have a sender of it.

use tokio::sync::mpsc;

pub struct Crawler {
    pages: mpsc::Receiver<u32>,
    found: mpsc::Sender<u32>,
}

impl Crawler {
    pub fn new() -> Crawler {
        let (found, pages) = mpsc::channel(100);
        Crawler { pages, found }
    }

    pub fn sender(&self) -> mpsc::Sender<u32> {
        self.found.clone()
    }

    pub async fn run(mut self) -> u32 {
        let mut seen = 0;
        while let Some(page) = self.pages.recv().await { //~ channel-deadlock warning
            seen += page;
        }
        println!("{seen}");
        seen
    }

    pub async fn run_until_zero(mut self) -> u32 {
        let mut seen = 0;
        while let Some(page) = self.pages.recv().await {
            if page == 0 {
                break;
            }
            seen += page;
        }
        seen
    }

    pub async fn run_without_the_sender(self) -> u32 {
        let Crawler { mut pages, found } = self;
        drop(found);
        let mut seen = 0;
        while let Some(page) = pages.recv().await {
            seen += page;
        }
        println!("{seen}");
        seen
    }
}

pub struct Forwarder {
    input: mpsc::Receiver<u32>,
    output: mpsc::Sender<u32>,
}

impl Forwarder {
    pub fn between() -> (mpsc::Sender<u32>, Forwarder, mpsc::Receiver<u32>) {
        let (first, input) = mpsc::channel(4);
        let (output, last) = mpsc::channel(4);
        (first, Forwarder { input, output }, last)
    }

    pub async fn run(mut self) {
        while let Some(item) = self.input.recv().await {
            let _ = self.output.send(item).await;
        }
        println!("done");
    }
}
