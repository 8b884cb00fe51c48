//! Three that ask each other in a cycle, and each waits for the answer before it serves again.

use tokio::sync::{mpsc, oneshot};

/// A question, and how many others are to be asked for it.
pub struct Question {
    pub others: u32,
    pub answer: oneshot::Sender<u32>,
}

pub type Desk = mpsc::UnboundedSender<Question>;

/// Three, each of which knows the next one.
pub fn three() -> [Desk; 3] {
    let [first, second, third] = [(); 3].map(|()| mpsc::unbounded_channel());
    let desks = [first.0, second.0, third.0];
    for (at, questions) in [first.1, second.1, third.1].into_iter().enumerate() {
        tokio::spawn(serve(questions, desks[(at + 1) % 3].clone()));
    }
    desks
}

async fn serve(mut questions: mpsc::UnboundedReceiver<Question>, next: Desk) {
    while let Some(Question { others, answer }) = questions.recv().await {
        let (own, heard) = oneshot::channel();
        let known = if others > 0 {
            let _ = next.send(Question { others: others - 1, answer: own });
            heard.await.unwrap() // cycle: waits
        } else {
            0
        };
        answer.send(known + 1).unwrap();
    }
}

/// Asks one, and through it another one.
pub async fn ask(desk: &Desk) -> u32 {
    let (answer, answered) = oneshot::channel();
    let _ = desk.send(Question { others: 1, answer });
    answered.await.unwrap()
}
