//! Functions of std that keep an error, a part of it, or nothing.

use tokio::task::JoinHandle;

#[derive(Debug)]
pub struct Refused(pub u8);

type Order = JoinHandle<Result<u32, Refused>>;

pub async fn thrown_away(order: Order) {
    let _ = order.await; //~ disposition(own) = lost; disposition(panic) = lost
}

pub async fn only_the_panic_is_looked_at(order: Order) {
    if let Err(panic) = order.await { //~ disposition(own) = lost; disposition(panic) = read
        println!("{panic:?}");
    }
}

pub async fn a_default_instead(order: Order) -> u32 {
    order.await.unwrap().unwrap_or_default() //~ disposition(own) = replaced; disposition(panic) = read
}

pub async fn a_value_instead_of_a_panic(order: JoinHandle<u32>) -> u32 {
    order.await.unwrap_or(0) //~ disposition(panic) = replaced
}

pub async fn an_option_that_is_returned(order: Order) -> Option<u32> {
    order.await.ok()?.ok() //~ disposition(own) = checked; disposition(panic) = checked
}

pub async fn an_option_that_is_dropped(order: Order) {
    order.await.unwrap().ok(); //~ disposition(own) = lost
}

pub async fn another_error_instead(order: Order) -> Result<u32, String> {
    order.await.map_err(|_| "no answer".to_owned())?.map_err(|_| "refused".to_owned()) //~ disposition(own) = read; disposition(panic) = read
}

pub async fn with_a_question_mark(order: Order) -> Result<u32, Refused> {
    let amount = order.await.unwrap()?; //~ disposition(own) = read
    Ok(amount)
}

pub async fn an_empty_arm(order: Order) {
    match order.await { //~ disposition(own) = lost; disposition(panic) = lost
        Ok(Ok(amount)) => println!("{amount}"),
        Ok(Err(_)) | Err(_) => {}
    }
}

pub async fn an_arm_that_counts(order: Order) -> u32 {
    let mut failed = 0;
    match order.await { //~ disposition(own) = checked; disposition(panic) = checked
        Ok(Ok(amount)) => println!("{amount}"),
        Ok(Err(_)) => failed += 1,
        Err(_) => failed += 2,
    }
    failed
}

pub async fn shown(order: Order) {
    println!("{:?}", order.await.map(|it| it.is_ok())); //~ disposition(own) = checked
}

pub async fn looked_at_by_a_closure(order: Order) -> u32 {
    order.await.unwrap().unwrap_or_else(|refused| u32::from(refused.0)) //~ disposition(own) = read
}

pub async fn not_looked_at_by_a_closure(order: Order) -> u32 {
    order.await.unwrap().unwrap_or_else(|_| 7) //~ disposition(own) = replaced
}

pub async fn aborted(order: Order) {
    order.abort();
    let _ = order.await; //~ disposition(own) = lost
}
