//! What a wrong word was probably meant to be.

/// `; did you mean …?` with the known word that is nearest, or nothing if none is near enough to be a slip.
pub(crate) fn guess<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let limit = (wrong.chars().count() / 3).max(1);
    let near = known.into_iter().map(|it| (distance(wrong, it), it)).filter(|it| it.0 <= limit).min();
    near.map_or(String::new(), |(_, word)| format!("; did you mean `{word}`?"))
}

/// How many insertions, deletions, replacements and swaps of neighbours lead from one word to the other.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    let mut previous = None;
    for (i, a) in left.chars().enumerate() {
        let mut next = vec![i + 1];
        for (j, b) in right.iter().enumerate() {
            let replaced = row[j] + usize::from(a != *b);
            let mut best = replaced.min(row[j + 1] + 1).min(next[j] + 1);
            if j > 0 && previous == Some(*b) && a == right[j - 1] {
                best = best.min(before[j - 1] + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
        previous = Some(a);
    }
    row[right.len()]
}

/// Words as a list: `a`, `b` or `c`.
pub(crate) fn listed(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|it| format!("`{it}`")).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, first)) => format!("{} or {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_counts_slips() {
        let cases = [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("kitten", "sitting", 3),
            ("side", "sied", 1),
            ("args", "arg", 1),
        ];
        for (left, right, expected) in cases {
            assert_eq!(distance(left, right), expected, "{left} {right}");
            assert_eq!(distance(right, left), expected, "{right} {left}");
        }
    }

    #[test]
    fn the_nearest_word_is_guessed_and_a_far_one_is_not() {
        assert_eq!(guess("sied", ["side", "as", "args"]), "; did you mean `side`?");
        assert_eq!(guess("arg", ["side", "as", "args"]), "; did you mean `args`?");
        assert_eq!(guess("sides", ["side", "as", "args"]), "; did you mean `side`?");
        assert_eq!(guess("banana", ["side", "as", "args"]), "");
    }

    #[test]
    fn words_are_listed_as_a_sentence_has_them() {
        assert_eq!(listed(&[]), "");
        assert_eq!(listed(&["a"]), "`a`");
        assert_eq!(listed(&["a", "b", "c"]), "`a`, `b` or `c`");
    }
}
