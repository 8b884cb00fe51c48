use cloakroom::Cloakroom;

#[tokio::test]
async fn every_guest_gets_a_coat() {
    let room = Cloakroom::open();
    let guest = tokio::spawn({
        let room = room.clone();
        async move { room.take().await }
    });
    tokio::task::yield_now().await;
    room.hang(7).await;
    assert_eq!(guest.await.unwrap(), Some(7));
}
