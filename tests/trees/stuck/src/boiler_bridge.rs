//! After bytebeamio/rumqtt#263: a client subscribed from inside the loop that polls the connection, and the bounded
//! channel of requests, which only that loop empties, was full.
//!
//! Each reading of the boiler makes the loop publish two requests into its own queue of two before it takes one out.
//!
//! expect: channel-deadlock; shown by: run

pub mod stuck {
    use tokio::sync::mpsc;

    pub struct Bridge {
        requests: mpsc::Sender<u32>,
        queue: mpsc::Receiver<u32>,
    }

    impl Bridge {
        pub fn new() -> Self {
            let (requests, queue) = mpsc::channel(2);
            Bridge { requests, queue }
        }

        async fn publish(&self, value: u32) {
            self.requests.send(value).await.unwrap(); // stuck here
        }

        async fn run(mut self, mut readings: mpsc::Receiver<u32>) {
            loop {
                tokio::select! {
                    biased;
                    Some(degrees) = readings.recv() => {
                        self.publish(degrees).await;
                        self.publish(degrees * 9 / 5 + 32).await;
                    }
                    Some(request) = self.queue.recv() => println!("sent {request}"),
                    else => return,
                }
            }
        }

        pub fn start(self, readings: mpsc::Receiver<u32>) {
            tokio::spawn(self.run(readings));
        }
    }
}

pub mod fixed {
    use std::collections::VecDeque;
    use tokio::sync::mpsc;

    #[derive(Default)]
    pub struct Bridge {
        queue: VecDeque<u32>,
    }

    impl Bridge {
        async fn run(mut self, mut readings: mpsc::Receiver<u32>) {
            while let Some(degrees) = readings.recv().await {
                self.queue.extend([degrees, degrees * 9 / 5 + 32]);
                for request in self.queue.drain(..) {
                    println!("sent {request}");
                }
            }
        }

        pub fn start(self, readings: mpsc::Receiver<u32>) {
            tokio::spawn(self.run(readings));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use tokio::sync::mpsc;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_boiler_bridge() {
        let (reading, readings) = mpsc::channel(4);
        super::stuck::Bridge::new().start(readings);
        for degrees in [60, 61, 62] {
            reading.send(degrees).await.unwrap();
        }
        sleep(Duration::from_millis(10)).await;
    }

    #[tokio::test]
    async fn fixed_boiler_bridge() {
        let (reading, readings) = mpsc::channel(4);
        super::fixed::Bridge::default().start(readings);
        for degrees in [60, 61, 62] {
            reading.send(degrees).await.unwrap();
        }
        sleep(Duration::from_millis(10)).await;
    }
}
