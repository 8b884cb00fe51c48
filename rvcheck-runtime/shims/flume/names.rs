//! Which types here stand for which real ones.

rt::exchanged! {
    crate::Drain<'static, ()> => real::Drain<'static, ()>;
    crate::IntoIter<()> => real::IntoIter<()>;
    crate::Iter<'static, ()> => real::Iter<'static, ()>;
    crate::Receiver<()> => real::Receiver<()>;
    crate::Sender<()> => real::Sender<()>;
    crate::TryIter<'static, ()> => real::TryIter<'static, ()>;
    #[cfg(rv_flume_0_11)] crate::WeakSender<()> => real::WeakSender<()>;
    #[cfg(feature = "select")] crate::Selector<'static, ()> => real::Selector<'static, ()>;
    #[cfg(feature = "async")] crate::r#async::RecvFut<'static, ()> => real::r#async::RecvFut<'static, ()>;
    #[cfg(feature = "async")] crate::r#async::RecvStream<'static, ()> => real::r#async::RecvStream<'static, ()>;
    #[cfg(feature = "async")] crate::r#async::SendFut<'static, ()> => real::r#async::SendFut<'static, ()>;
    #[cfg(feature = "async")] crate::r#async::SendSink<'static, ()> => real::r#async::SendSink<'static, ()>;
}
