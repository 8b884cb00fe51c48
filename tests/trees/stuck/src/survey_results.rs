//! After apache/kafka#7978 (KAFKA-8532): a latch of outstanding requests was not released where a request failed, and
//! the handler of session expiry waited for it.
//!
//! An empty answer returns before it is counted, so the count in the `watch` never reaches the number of answers.
//!
//! expect: partial-deadlock, also channel-deadlock; shown by: run

pub mod stuck {
    use std::sync::Arc;
    use tokio::sync::watch;

    pub struct Survey {
        counted: watch::Sender<usize>,
        expected: usize,
    }

    impl Survey {
        fn count(&self, answer: &str) -> Option<usize> {
            let stars = answer.chars().filter(|letter| *letter == '*').count();
            let length = answer.chars().next().map(|_| answer.len())?;
            self.counted.send_modify(|counted| *counted += 1);
            Some(stars.min(length))
        }

        async fn close(&self) {
            let mut counted = self.counted.subscribe();
            let all = counted.wait_for(|counted| *counted == self.expected).await; // stuck here
            println!("closed: {}", all.is_ok());
        }

        pub fn run(answers: &'static [&'static str]) {
            let survey = Arc::new(Survey { counted: watch::Sender::new(0), expected: answers.len() });
            for answer in answers {
                let survey = Arc::clone(&survey);
                tokio::spawn(async move { println!("{:?}", survey.count(answer)) });
            }
            tokio::spawn(async move { survey.close().await });
        }
    }
}

pub mod fixed {
    use std::sync::Arc;
    use tokio::sync::watch;

    pub struct Survey {
        counted: watch::Sender<usize>,
        expected: usize,
    }

    impl Survey {
        fn count(&self, answer: &str) -> Option<usize> {
            self.counted.send_modify(|counted| *counted += 1);
            let stars = answer.chars().filter(|letter| *letter == '*').count();
            let length = answer.chars().next().map(|_| answer.len())?;
            Some(stars.min(length))
        }

        async fn close(&self) {
            let mut counted = self.counted.subscribe();
            let all = counted.wait_for(|counted| *counted == self.expected).await;
            println!("closed: {}", all.is_ok());
        }

        pub fn run(answers: &'static [&'static str]) {
            let survey = Arc::new(Survey { counted: watch::Sender::new(0), expected: answers.len() });
            for answer in answers {
                let survey = Arc::clone(&survey);
                tokio::spawn(async move { println!("{:?}", survey.count(answer)) });
            }
            tokio::spawn(async move { survey.close().await });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_survey_results() {
        super::stuck::Survey::run(&["***", "", "*"]);
        sleep(Duration::from_millis(10)).await;
    }

    #[tokio::test]
    async fn fixed_survey_results() {
        super::fixed::Survey::run(&["***", "", "*"]);
        sleep(Duration::from_millis(10)).await;
    }
}
