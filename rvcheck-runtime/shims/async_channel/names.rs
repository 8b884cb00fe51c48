//! Which types here stand for which real ones.

rt::exchanged! {
    crate::Receiver<()> => real::Receiver<()>;
    crate::Recv<'static, ()> => real::Recv<'static, ()>;
    crate::Send<'static, ()> => real::Send<'static, ()>;
    crate::Sender<()> => real::Sender<()>;
    crate::WeakReceiver<()> => real::WeakReceiver<()>;
    crate::WeakSender<()> => real::WeakSender<()>;
    #[cfg(rv_async_channel_2_5)] crate::Closed<'static, ()> => real::Closed<'static, ()>;
}
