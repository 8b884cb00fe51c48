//! Handlers that are closures, of several forms.

use std::future::Future;
use std::pin::Pin;

type Handler = Box<dyn FnMut(u32) -> Result<u32, String>>;
type Later = Box<dyn Fn(u32) -> Pin<Box<dyn Future<Output = u32>>>>;

/// Hands what is published to its handlers.
#[derive(Default)]
pub struct Bus {
    handlers: Vec<Handler>,
    later: Vec<Later>,
}

impl Bus {
    pub fn subscribe(&mut self, handler: impl FnMut(u32) -> Result<u32, String> + 'static) {
        self.handlers.push(Box::new(handler));
    }

    pub fn subscribe_later(&mut self, handler: Later) {
        self.later.push(handler);
    }

    pub async fn publish(&mut self, news: u32) -> u32 {
        let mut sum = 0;
        for handler in &mut self.handlers {
            sum += handler(news).unwrap_or(0);
        }
        for handler in &self.later {
            sum += handler(news).await;
        }
        sum
    }
}

/// A bus on which even numbers are taken at once, and all of them later.
pub fn bus() -> Bus {
    let mut bus = Bus::default();
    bus.subscribe(|news| if news % 2 == 0 { Ok(news) } else { Err(format!("{news} is odd")) });
    let mut last = 0;
    let rising = move |news: u32| {
        if news < last {
            return Err("it falls".to_owned());
        }
        last = "1".parse::<u32>().map_err(|it| it.to_string())? * news;
        Ok(0)
    };
    bus.subscribe(rising);
    bus.subscribe_later(Box::new(|news| Box::pin(async move { news })));
    bus
}
