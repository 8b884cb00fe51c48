use std::sync::Arc;
use std::time::Duration;
use steered::tasks::Desk;
use steered::threads::Shop;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tasks_pass_one_after_the_other() {
    let desk = Arc::new(Desk::default());
    let (first, second) = (Arc::clone(&desk), Arc::clone(&desk));
    let work = tokio::spawn(async move { first.work().await });
    let undo = tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(20)).await;
        second.undo().await;
    });
    work.await.unwrap();
    undo.await.unwrap();
}

#[test]
fn threads_pass_one_after_the_other() {
    let shop = Arc::new(Shop::default());
    let (first, second) = (Arc::clone(&shop), Arc::clone(&shop));
    let sell = std::thread::spawn(move || first.sell());
    let refund = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(20));
        second.refund();
    });
    sell.join().unwrap();
    refund.join().unwrap();
}
