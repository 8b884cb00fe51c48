//! Which types here stand for which real ones.

rt::exchanged! {
    crate::IntoIter<()> => real::IntoIter<()>;
    crate::Iter<'static, ()> => real::Iter<'static, ()>;
    crate::Receiver<()> => real::Receiver<()>;
    crate::Select<'static> => real::Select<'static>;
    crate::SelectedOperation<'static> => real::SelectedOperation<'static>;
    crate::Sender<()> => real::Sender<()>;
    crate::TryIter<'static, ()> => real::TryIter<'static, ()>;
}
