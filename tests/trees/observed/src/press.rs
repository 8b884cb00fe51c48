//! Actors: presses, each with a task of its own, and the desk that they report to.

use tokio::sync::mpsc;

/// What others have of the desk.
#[derive(Clone)]
pub struct DeskHandle {
    to: mpsc::Sender<u32>,
}

impl DeskHandle {
    pub async fn begins(&self, press: u32) {
        let _ = self.to.send(press).await;
    }
}

pub enum Order {
    Edition(usize),
    Pages(Vec<u8>),
}

/// What others have of a press.
#[derive(Clone)]
pub struct PressHandle {
    to: mpsc::Sender<Order>,
}

impl PressHandle {
    pub async fn order(&self, order: Order) {
        let _ = self.to.send(order).await;
    }

    pub async fn is_over(&self) {
        self.to.closed().await;
    }
}

pub struct Press {
    number: u32,
    desk: DeskHandle,
    orders: mpsc::Receiver<Order>,
    printed: mpsc::UnboundedSender<usize>,
}

/// A desk, and what it hears.
pub fn desk() -> (DeskHandle, mpsc::Receiver<u32>) {
    let (to, heard) = mpsc::channel(8);
    (DeskHandle { to }, heard)
}

/// Starts a press. One that is hasty does not say so at the desk.
pub fn start(
    number: u32,
    desk: DeskHandle,
    hasty: bool,
    printed: mpsc::UnboundedSender<usize>,
) -> (PressHandle, tokio::task::JoinHandle<()>) {
    let (to, orders) = mpsc::channel(8);
    let press = Press { number, desk, orders, printed };
    (PressHandle { to }, tokio::spawn(press.run(hasty)))
}

impl Press {
    async fn run(mut self, hasty: bool) {
        if !hasty {
            self.desk.begins(self.number).await;
        }
        while let Some(order) = self.orders.recv().await {
            match order {
                Order::Edition(pages) => self.take_edition(pages),
                Order::Pages(pages) => {
                    self.print(pages).await;
                    break;
                }
            }
        }
    }

    fn take_edition(&mut self, _pages: usize) {}

    async fn print(&mut self, pages: Vec<u8>) {
        let _ = self.printed.send(pages.len());
    }
}
