//! Which types here stand for which real ones.

rt::exchanged! {
    crate::sync::Lazy<()> => real::sync::Lazy<()>;
    crate::sync::OnceCell<()> => real::sync::OnceCell<()>;
}
