//! After a class of bugs seen in connection pools such as deadpool and sqlx: the permit is forgotten because the value
//! that is built with it will give it back, and building the value fails.
//!
//! Two frames cannot be opened and take both permits of the farm with them; the third one waits forever.
//!
//! expect: semaphore, also partial-deadlock; shown by: run

pub mod stuck {
    use std::sync::Arc;
    use tokio::sync::Semaphore;

    pub struct Farm {
        machines: Arc<Semaphore>,
    }

    pub struct Render {
        machines: Arc<Semaphore>,
        pub frame: u32,
    }

    impl Drop for Render {
        fn drop(&mut self) {
            self.machines.add_permits(1);
        }
    }

    async fn open(scene: &str) -> Result<u32, String> {
        tokio::task::yield_now().await;
        scene.parse().map_err(|_| format!("no scene {scene}"))
    }

    impl Farm {
        pub fn new(machines: usize) -> Arc<Self> {
            Arc::new(Farm { machines: Arc::new(Semaphore::new(machines)) })
        }

        pub async fn render(&self, scene: &str) -> Result<Render, String> {
            self.machines.acquire().await.unwrap().forget(); // stuck here
            let frame = open(scene).await?;
            Ok(Render { machines: Arc::clone(&self.machines), frame })
        }

        pub fn queue(self: &Arc<Self>, scene: &'static str) {
            let farm = Arc::clone(self);
            tokio::spawn(async move {
                match farm.render(scene).await {
                    Ok(render) => println!("rendered {}", render.frame),
                    Err(problem) => println!("{problem}"),
                }
            });
        }
    }
}

pub mod fixed {
    use std::sync::Arc;
    use tokio::sync::{OwnedSemaphorePermit, Semaphore};

    pub struct Farm {
        machines: Arc<Semaphore>,
    }

    pub struct Render {
        _machine: OwnedSemaphorePermit,
        pub frame: u32,
    }

    async fn open(scene: &str) -> Result<u32, String> {
        tokio::task::yield_now().await;
        scene.parse().map_err(|_| format!("no scene {scene}"))
    }

    impl Farm {
        pub fn new(machines: usize) -> Arc<Self> {
            Arc::new(Farm { machines: Arc::new(Semaphore::new(machines)) })
        }

        pub async fn render(&self, scene: &str) -> Result<Render, String> {
            let machine = Arc::clone(&self.machines).acquire_owned().await.unwrap();
            let frame = open(scene).await?;
            Ok(Render { _machine: machine, frame })
        }

        pub fn queue(self: &Arc<Self>, scene: &'static str) {
            let farm = Arc::clone(self);
            tokio::spawn(async move {
                match farm.render(scene).await {
                    Ok(render) => println!("rendered {}", render.frame),
                    Err(problem) => println!("{problem}"),
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use tokio::time::sleep;

    const SCENES: [&str; 3] = ["sunset", "harbour", "12"];

    #[tokio::test]
    async fn stuck_render_farm() {
        let farm = super::stuck::Farm::new(2);
        for scene in SCENES {
            farm.queue(scene);
        }
        sleep(Duration::from_millis(20)).await;
    }

    #[tokio::test]
    async fn fixed_render_farm() {
        let farm = super::fixed::Farm::new(2);
        for scene in SCENES {
            farm.queue(scene);
        }
        sleep(Duration::from_millis(20)).await;
    }
}
