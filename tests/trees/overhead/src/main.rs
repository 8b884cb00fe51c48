//! The rows of the first paper's tables: what it takes to launch a task, to await one, and to await a thousand in parallel, each of
//! which does nothing for a second. Prints a line `name ms` for each; before that, one task at the same places violates properties.

use std::time::{Duration, Instant};

use tokio::task::JoinHandle;

const WORK: Duration = Duration::from_secs(1);

/// Spawns a task at one place. The first one blocks its thread, and that is learnt of the place.
fn spawned(blocks: bool) -> JoinHandle<Result<(), u8>> {
    tokio::spawn(async move {
        if blocks {
            std::thread::sleep(Duration::from_millis(1));
            return Err(1);
        }
        tokio::time::sleep(WORK).await;
        Ok(())
    })
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    drop(spawned(true));
    tokio::time::sleep(Duration::from_millis(20)).await;
    let begun = Instant::now();
    drop(spawned(false));
    tokio::time::sleep(WORK).await;
    report("launch", begun);
    let begun = Instant::now();
    spawned(false).await.unwrap().unwrap();
    report("async", begun);
    let begun = Instant::now();
    let tasks: Vec<_> = (0..1000).map(|_| spawned(false)).collect();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    report("1000 in parallel", begun);
}

fn report(name: &str, begun: Instant) {
    println!("{name}\t{:.3}", begun.elapsed().as_secs_f64() * 1000.0);
}
