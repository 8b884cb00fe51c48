#[path = "../parts/shared.rs"]
mod shared;

use std::sync::Mutex;

#[tokio::test]
async fn whoever_is_asked_often_answers_often() {
    assert_eq!(new::often(&new::Echo(Mutex::new(0)), 5).await, 10);
    assert_eq!(new::tasks().await, 12);
    assert_eq!(shared::registered("c").await, "c");
}
