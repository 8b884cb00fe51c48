//! Greets itself through its own mailbox before it opens that.

pub struct Mailbox {
    letters: flume::Sender<String>,
}

impl Mailbox {
    pub fn with_room_for(number: usize) -> Mailbox {
        let (letters, inbox) = flume::bounded(number);
        let own = letters.clone();
        tokio::spawn(async move {
            let _ = own.send_async("ready".to_owned()).await; //~ channel-deadlock warning
            drop(own);
            while let Ok(letter) = inbox.recv_async().await {
                println!("{letter}");
            }
        });
        Mailbox { letters }
    }

    pub async fn post(&self, letter: String) {
        let _ = self.letters.send_async(letter).await;
    }
}

/// With room for what it needs itself.
pub fn greets_alone() -> flume::Receiver<u8> {
    let (letters, inbox) = flume::bounded(1);
    tokio::spawn(async move {
        let _ = letters.send_async(1).await;
    });
    inbox
}
