//! After a class of bugs seen with async once-cells: the initialiser spawns a task, awaits it, and that task asks for
//! the cell.
//!
//! The table of regions is loaded by a task that wants to know the home region, which is looked up in the table.
//!
//! expect: partial-deadlock, also semaphore, also double-lock, also lock-order; shown by: run

pub mod stuck {
    use std::future::Future;
    use std::pin::Pin;
    use std::sync::Arc;
    use tokio::sync::OnceCell;

    type Lookup = Pin<Box<dyn Future<Output = String> + Send>>;

    #[derive(Default)]
    pub struct Regions {
        table: OnceCell<Vec<String>>,
    }

    impl Regions {
        async fn table(self: &Arc<Self>) -> &Vec<String> {
            let load = || async {
                let home = tokio::spawn(Arc::clone(self).home());
                vec![home.await.unwrap(), "Abroad".into()] // stuck here
            };
            self.table.get_or_init(load).await // stuck here
        }

        fn home(self: Arc<Self>) -> Lookup {
            Box::pin(async move { self.table().await[0].clone() })
        }

        pub fn preload(self: &Arc<Self>) {
            let regions = Arc::clone(self);
            tokio::spawn(async move { println!("{} regions", regions.table().await.len()) });
        }
    }
}

pub mod fixed {
    use std::sync::Arc;
    use tokio::sync::OnceCell;

    #[derive(Default)]
    pub struct Regions {
        table: OnceCell<Vec<String>>,
    }

    impl Regions {
        async fn table(&self) -> &Vec<String> {
            let load = || async {
                let home = tokio::spawn(async { String::from("Home") });
                vec![home.await.unwrap(), "Abroad".into()]
            };
            self.table.get_or_init(load).await
        }

        pub fn preload(self: &Arc<Self>) {
            let regions = Arc::clone(self);
            tokio::spawn(async move { println!("{} regions", regions.table().await.len()) });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_geo_cache() {
        Arc::new(super::stuck::Regions::default()).preload();
        sleep(Duration::from_millis(10)).await;
    }

    #[tokio::test]
    async fn fixed_geo_cache() {
        Arc::new(super::fixed::Regions::default()).preload();
        sleep(Duration::from_millis(10)).await;
    }
}
