//! Short names for long inputs.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Sixteen hexadecimal digits that stand for these texts. Other texts, or the same ones split otherwise, give other digits.
pub fn digest<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> String {
    let mut hasher = DefaultHasher::new();
    for text in texts {
        text.as_ref().hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_texts_give_the_same_digits_and_others_do_not() {
        assert_eq!(digest(["a", "b"]), digest(["a".to_owned(), "b".to_owned()]));
        assert_ne!(digest(["a", "b"]), digest(["ab"]));
        assert_eq!(digest(["a"]).len(), 16);
    }
}
