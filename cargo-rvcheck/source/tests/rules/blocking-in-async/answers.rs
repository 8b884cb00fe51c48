//! Sends of answers that block where there is no room, and there is: each question brings a channel of its own.

/// A question with the way back, of whatever types.
pub struct Question<Q, A> {
    about: Q,
    back: flume::Sender<A>,
}

pub struct Oracle {
    questions: flume::Sender<Question<u32, u64>>,
}

impl Oracle {
    pub async fn consult(&self, about: u32) -> Option<u64> {
        let (back, answer) = flume::bounded(1);
        self.questions.send_async(Question { about, back }).await.ok()?;
        answer.recv_async().await.ok()
    }
}

pub fn opens() -> Oracle {
    let (questions, heard) = flume::unbounded::<Question<u32, u64>>();
    tokio::spawn(async move {
        while let Ok(question) = heard.recv_async().await {
            let answer = u64::from(question.about) * 2;
            if question.back.send(answer).is_err() {
                return;
            }
        }
    });
    Oracle { questions }
}

/// The answers of all go through one channel.
pub fn prophesies(heard: flume::Receiver<u32>) -> flume::Receiver<u64> {
    let (back, answers) = flume::bounded(1);
    tokio::spawn(async move {
        while let Ok(question) = heard.recv_async().await {
            let answer = u64::from(question) * 2;
            if back.send(answer).is_err() { //~ blocking-in-async warning
                return;
            }
        }
    });
    answers
}
