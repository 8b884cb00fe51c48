//! Messages over channels, which `specs/own.toml` observes by the variants of their enums. Each test is called after the property that it
//! violates, or says that it holds.

pub mod clerk;

#[cfg(test)]
mod tests {
    use crate::clerk::{Notice, Order, start};
    use std::sync::{Arc, mpsc as blocking};
    use tokio::sync::mpsc;

    async fn spent(orders: Vec<Order<'static>>) -> u64 {
        let (to, heard) = mpsc::channel(2);
        let (tells, notices) = blocking::channel();
        let clerk = start(heard, tells);
        for order in orders {
            to.send(order).await.expect("the clerk is there");
        }
        drop(to);
        let spent = clerk.await.expect("it does not panic");
        let paid = notices.iter().filter_map(|it| match it {
            Notice::Paid { amount, .. } => Some(amount),
            Notice::Tried(_) => None,
        });
        assert_eq!(paid.sum::<u64>(), spent);
        spent
    }

    #[tokio::test]
    async fn all_hold() {
        let orders = vec![Order::Budget(50), Order::Spend(20), Order::Note("n"), Order::Spend(30), Order::End];
        assert_eq!(spent(orders).await, 50);
    }

    #[tokio::test]
    async fn within_budget_violated() {
        assert_eq!(spent(vec![Order::Budget(50), Order::Spend(40), Order::Spend(20)]).await, 60);
    }

    #[tokio::test]
    async fn small_payments_violated() {
        assert_eq!(spent(vec![Order::Budget(500), Order::Spend(101)]).await, 101);
    }

    #[test]
    fn tried_once_violated() {
        let (to, heard) = blocking::channel();
        to.send(Some(Box::new(0))).expect("it is heard");
        let (boxed, shared, optional) = (blocking::channel(), blocking::channel(), blocking::channel());
        boxed.0.send(Box::new(Notice::Tried(1))).expect("it is heard");
        shared.0.send(Arc::new(Notice::Tried(2))).expect("it is heard");
        optional.0.send(None).expect("it is heard");
        optional.0.send(Some(Notice::Tried(1))).expect("it is heard");
        drop((heard, boxed.1, shared.1, optional.1));
    }

    #[test]
    fn a_message_that_has_no_room_is_none() {
        let (to, heard) = blocking::sync_channel(1);
        to.send(Notice::Tried(1)).expect("there is room");
        for _ in 0..3 {
            assert!(to.try_send(Notice::Tried(2)).is_err());
        }
        assert!(matches!(heard.recv(), Ok(Notice::Tried(1))));
        to.try_send(Notice::Tried(2)).expect("there is room again");
        assert!(matches!(heard.recv(), Ok(Notice::Tried(2))));
    }
}
