//! After tokio-rs/tokio#2849: a task read a fair `RwLock` again while it was reading it, and a writer had queued in
//! between.
//!
//! The tour holds the plan while it walks to the next room, where `room` reads the plan again; meanwhile a curator
//! wants to change it.
//!
//! expect: double-lock, also lock-order; shown by: run

pub mod stuck {
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::sync::RwLock;
    use tokio::time::sleep;

    pub struct Museum {
        plan: RwLock<Vec<&'static str>>,
    }

    impl Museum {
        pub fn open() -> Arc<Self> {
            Arc::new(Museum { plan: RwLock::new(vec!["Egypt", "Rome"]) })
        }

        async fn room(&self, at: usize) -> &'static str {
            self.plan.read().await[at] // stuck here
        }

        async fn tour(&self) {
            let plan = self.plan.read().await;
            for at in 0..plan.len() {
                sleep(Duration::from_millis(5)).await; // walks there
                println!("this is {}", self.room(at).await);
            }
        }

        pub fn guide(self: &Arc<Self>) {
            let museum = Arc::clone(self);
            tokio::spawn(async move { museum.tour().await });
        }

        pub fn rearrange(self: &Arc<Self>) {
            let museum = Arc::clone(self);
            tokio::spawn(async move {
                museum.plan.write().await.reverse(); // stuck here
            });
        }
    }
}

pub mod fixed {
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::sync::RwLock;
    use tokio::time::sleep;

    pub struct Museum {
        plan: RwLock<Vec<&'static str>>,
    }

    impl Museum {
        pub fn open() -> Arc<Self> {
            Arc::new(Museum { plan: RwLock::new(vec!["Egypt", "Rome"]) })
        }

        async fn room(&self, at: usize) -> &'static str {
            self.plan.read().await[at]
        }

        async fn tour(&self) {
            let rooms = self.plan.read().await.len();
            for at in 0..rooms {
                sleep(Duration::from_millis(5)).await; // walks there
                println!("this is {}", self.room(at).await);
            }
        }

        pub fn guide(self: &Arc<Self>) {
            let museum = Arc::clone(self);
            tokio::spawn(async move { museum.tour().await });
        }

        pub fn rearrange(self: &Arc<Self>) {
            let museum = Arc::clone(self);
            tokio::spawn(async move {
                museum.plan.write().await.reverse();
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_museum_guide() {
        let museum = super::stuck::Museum::open();
        museum.guide();
        museum.rearrange();
        sleep(Duration::from_millis(30)).await;
    }

    #[tokio::test]
    async fn fixed_museum_guide() {
        let museum = super::fixed::Museum::open();
        museum.guide();
        museum.rearrange();
        sleep(Duration::from_millis(30)).await;
    }
}
