use shop::{Parcel, Shop, SoldOut};
use tokio::sync::mpsc;

#[tokio::test]
async fn what_is_sold_is_paid() {
    let shop = Shop::with(3);
    assert_eq!(shop.sell(2).await, Ok(()));
    assert_eq!(shop.sell(2).await, Err(SoldOut));
    assert_eq!(shop.takings().await, 10);
}

#[tokio::test]
async fn parcels_are_delivered() {
    let shop = Shop::with(3);
    let (van, mut parcels) = mpsc::channel(4);
    assert_eq!(shop.deliver(1, &van).await, Ok(()));
    assert_eq!(shop.deliver(2, &van).await, Ok(()));
    drop(van);
    assert_eq!(parcels.recv().await, Some(Parcel(1)));
    assert_eq!(parcels.recv().await, Some(Parcel(2)));
    assert_eq!(parcels.recv().await, None);
}

#[tokio::test]
async fn customers_wait_for_the_opening() {
    let shop = Shop::with(0);
    tokio::join!(shop.enter(), shop.open(Some("right")));
}

#[tokio::test]
#[should_panic(expected = "the key does not fit")]
async fn nobody_opens_the_shop_with_a_wrong_key() {
    let shop = Shop::with(0);
    tokio::join!(shop.enter(), shop.open(Some("wrong")));
}
