//! Results that could be passed on, since their errors are of the type that the function returns.

pub struct Failed(pub String);

async fn save(count: u32) -> Result<u32, Failed> {
    tokio::task::yield_now().await;
    if count > 3 { Err(Failed("full".to_owned())) } else { Ok(count) }
}

pub async fn closes() -> Result<(), Failed> {
    save(1).await?;
    let _ = save(2).await; //~ lost-error
    Ok(())
}
