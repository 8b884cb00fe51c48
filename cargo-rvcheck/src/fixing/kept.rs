//! Which changes are kept: those with which it still compiles.

/// The numbers below `count` of what can be kept together, in order. `works` says whether these do; it is asked for all at once first,
/// and for fewer only where that does not work. Errors are those of `works`.
pub fn kept<E>(count: usize, mut works: impl FnMut(&[usize]) -> Result<bool, E>) -> Result<Vec<usize>, E> {
    let all: Vec<usize> = (0..count).collect();
    let mut base = Vec::new();
    add(&mut base, &all, &mut works)?;
    Ok(base)
}

/// Adds what works on top of what is known to.
fn add<E>(
    base: &mut Vec<usize>,
    more: &[usize],
    works: &mut impl FnMut(&[usize]) -> Result<bool, E>,
) -> Result<(), E> {
    if more.is_empty() {
        return Ok(());
    }
    let together = [base.as_slice(), more].concat();
    if works(&together)? {
        *base = together;
        return Ok(());
    }
    if more.len() > 1 {
        let (first, second) = more.split_at(more.len() / 2);
        add(base, first, works)?;
        add(base, second, works)?;
    }
    Ok(())
}
