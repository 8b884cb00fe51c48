//! Awaits whose marks do not compile, beside others whose marks do.

pub mod deep;
pub mod run;

use std::future::ready;

/// A parameter whose type is known only from its use: `.await` can wait for that, a method call cannot.
pub async fn inferred() -> u32 {
    let first = ready(1).await;
    let add_one = async |future| {
        let value: u32 = future.await;
        value + ready(1).await
    };
    first + add_one(ready(2)).await
}

/// A macro that looks for the very word.
macro_rules! exactly {
    ($future:ident . await) => {
        $future.await
    };
}

pub async fn matched() -> u32 {
    let three = ready(3);
    exactly!(three.await) + ready(4).await
}

pub mod counting;
