use old::{Memory, Store};
use tk as tokio;

async fn twice<S: Store + ?Sized>(store: &S) -> Option<u32> {
    let one = store.get("a").await?;
    store.set("a", one * 2).await;
    store.get("a").await
}

#[tokio::test]
async fn stores_behind_pointers_work() {
    let store: Box<dyn Store + Send + Sync> = Box::new(Memory::default());
    store.set("a", 4).await;
    assert_eq!(twice(&*store).await, Some(8));
    assert_eq!(old::square_of(3).await, old::SQUARES[3]);
}

#[tokio::test]
async fn numbers_are_added() {
    let (send, receive) = tokio::sync::mpsc::channel(1);
    let adding = tokio::spawn(old::total(receive));
    for number in 1..=3 {
        send.send(number).await.unwrap();
    }
    drop(send);
    assert_eq!(adding.await.unwrap(), 6);
    assert_eq!((file!().replace('\\', "/"), line!()), ("old/tests/it.rs".to_owned(), 27));
}
