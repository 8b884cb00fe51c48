//! Handles that are downgraded and taken apart: what is left of them keeps a sender while their own loop waits for the last one to go.

use futures::future::{AbortRegistration, Abortable};
use std::sync::{Arc, Mutex};
use tokio::sync::mpsc;

pub enum PostSender {
    Narrow(mpsc::Sender<u32>),
    Wide(mpsc::UnboundedSender<u32>),
}

pub enum PostReceiver {
    Narrow(mpsc::Receiver<u32>),
    Wide(mpsc::UnboundedReceiver<u32>),
}

impl PostReceiver {
    pub async fn next(&mut self) -> Option<u32> {
        match self {
            PostReceiver::Narrow(it) => it.recv().await,
            PostReceiver::Wide(it) => it.recv().await,
        }
    }
}

pub struct Office {
    post: PostSender,
    doors: Arc<Mutex<Vec<u32>>>,
}

pub struct WeakOffice(u32);

impl Office {
    pub fn downgrade(&self) -> WeakOffice {
        WeakOffice(3)
    }

    pub fn is_narrow(&self) -> bool {
        matches!(self.post, PostSender::Narrow(_))
    }
}

pub fn narrow() -> (Office, PostReceiver) {
    let (post, letters) = mpsc::channel(4);
    (Office { post: PostSender::Narrow(post), doors: Arc::default() }, PostReceiver::Narrow(letters))
}

pub fn wide() -> (Office, PostReceiver) {
    let (post, letters) = mpsc::unbounded_channel();
    (Office { post: PostSender::Wide(post), doors: Arc::default() }, PostReceiver::Wide(letters))
}

pub trait Clerk {
    fn handle(&mut self, letters: &mut PostReceiver) -> impl Future<Output = Option<u32>> + Send;
}

async fn works<C: Clerk>(clerk: &mut C, letters: &mut PostReceiver) -> u32 {
    let mut sum = 0;
    while let Some(letter) = clerk.handle(letters).await {
        sum += letter;
    }
    sum
}

pub async fn opens<C: Clerk>(office: Office, mut letters: PostReceiver, mut clerk: C, stop: AbortRegistration) {
    let (weak, doors) = {
        let weak = office.downgrade(); //~ channel-deadlock warning
        (weak, office.doors)
    };
    let sum = Abortable::new(works(&mut clerk, &mut letters), stop).await.unwrap_or_default();
    doors.lock().unwrap().push(sum + weak.0);
}

pub async fn opens_well<C: Clerk>(
    office: Office,
    mut letters: PostReceiver,
    mut clerk: C,
    stop: AbortRegistration,
) {
    let (weak, doors) = (office.downgrade(), office.doors.clone());
    drop(office);
    let sum = Abortable::new(works(&mut clerk, &mut letters), stop).await.unwrap_or_default();
    doors.lock().unwrap().push(sum + weak.0);
}

/// What is left has no sender.
pub async fn opens_without<C: Clerk>(
    office: Office,
    mut letters: PostReceiver,
    mut clerk: C,
    stop: AbortRegistration,
) {
    let weak = office.downgrade();
    let Office { post, doors } = office;
    drop(post);
    let sum = Abortable::new(works(&mut clerk, &mut letters), stop).await.unwrap_or_default();
    doors.lock().unwrap().push(sum + weak.0);
}

/// It does not wait for letters while it keeps the rest.
pub async fn only_counts(office: Office, clerk: Abortable<std::future::Ready<u32>>) {
    let (weak, doors) = (office.downgrade(), office.doors);
    let sum = clerk.await.unwrap_or_default();
    doors.lock().unwrap().push(sum + weak.0);
}

pub struct Desk {
    inbox: flume::Sender<u32>,
    lamps: Arc<Mutex<Vec<u32>>>,
}

pub struct Papers {
    all: flume::Receiver<u32>,
}

impl Desk {
    pub fn new() -> (Desk, Papers) {
        let (inbox, all) = flume::bounded(2);
        (Desk { inbox, lamps: Arc::default() }, Papers { all })
    }

    pub fn downgrade(&self) -> WeakOffice {
        WeakOffice(u32::from(self.lamps.lock().unwrap().is_empty()))
    }
}

pub trait Reader {
    fn read(&mut self, papers: &Papers) -> impl Future<Output = u32> + Send;
}

pub async fn sits<R: Reader>(desk: Desk, papers: Papers, mut reader: R, stop: AbortRegistration) {
    let weak = desk.downgrade(); //~ channel-deadlock warning
    let lamps = desk.lamps;
    let read = Abortable::new(reader.read(&papers), stop).await.unwrap_or_default();
    lamps.lock().unwrap().push(read + weak.0);
}
