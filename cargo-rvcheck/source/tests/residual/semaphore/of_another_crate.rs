//! What is behind a function of another crate may have permits of its own.

pub async fn used(pool: &neighbour::Pool) {
    let first = pool.lease().await;
    let second = pool.lease().await;
    drop((first, second));
}
