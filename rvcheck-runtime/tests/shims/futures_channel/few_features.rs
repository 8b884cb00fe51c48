//! Uses what there is with any features.

const _: () = futures_channel::__rv_shim::IN_FORCE;

fn main() {
    #[cfg(feature = "alloc")]
    {
        let (sender, mut receiver) = futures_channel::oneshot::channel();
        sender.send(1).unwrap();
        assert_eq!(receiver.try_recv(), Ok(Some(1)));
    }
    #[cfg(feature = "std")]
    {
        let (mut sender, mut receiver) = futures_channel::mpsc::channel(1);
        sender.try_send(1).unwrap();
        assert_eq!(receiver.try_recv(), Ok(1));
    }
}
