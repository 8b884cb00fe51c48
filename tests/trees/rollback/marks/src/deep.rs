//! Futures in futures, almost as deep as the compiler goes. A mark is a future too.

/// Something that takes a while.
pub trait Step {
    fn go(&self) -> impl Future<Output = u32>;
}

pub struct First;

impl Step for First {
    async fn go(&self) -> u32 {
        1
    }
}

/// One more than another step.
pub struct Then<T>(T);

impl<T: Step> Step for Then<T> {
    async fn go(&self) -> u32 {
        self.0.go().await + 1
    }
}

/// Four more.
fn four<T: Step>(step: T) -> Then<Then<Then<Then<T>>>> {
    Then(Then(Then(Then(step))))
}

pub fn steps() -> impl Future<Output = u32> {
    let all = four(four(four(four(four(four(First))))));
    async move { all.go().await }
}
