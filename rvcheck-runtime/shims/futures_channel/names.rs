//! Which types here stand for which real ones.

#[cfg(all(feature = "std", not(rv_no_mpsc)))]
rt::exchanged! {
    crate::mpsc::Receiver<()> => real::mpsc::Receiver<()>;
    #[cfg(rv_futures_channel_0_3_32)] crate::mpsc::Recv<'static, ()> => real::mpsc::Recv<'static, ()>;
    crate::mpsc::Sender<()> => real::mpsc::Sender<()>;
    crate::mpsc::TrySendError<()> => real::mpsc::TrySendError<()>;
    crate::mpsc::UnboundedReceiver<()> => real::mpsc::UnboundedReceiver<()>;
    crate::mpsc::UnboundedSender<()> => real::mpsc::UnboundedSender<()>;
}
#[cfg(all(feature = "alloc", not(rv_no_oneshot)))]
rt::exchanged! {
    crate::oneshot::Cancellation<'static, ()> => real::oneshot::Cancellation<'static, ()>;
    crate::oneshot::Receiver<()> => real::oneshot::Receiver<()>;
    crate::oneshot::Sender<()> => real::oneshot::Sender<()>;
}
