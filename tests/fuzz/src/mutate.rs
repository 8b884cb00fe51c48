//! Random changes of inputs, the same for the same seed.

/// A generator of random numbers (splitmix64).
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        it ^ (it >> 31)
    }

    /// A number below `bound`; 0 where that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.number() % bound.max(1) as u64) as usize
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }

    /// A range of `input`, mostly a short one.
    fn range(&mut self, input: &[u8]) -> std::ops::Range<usize> {
        let start = self.below(input.len() + 1);
        let longest = if self.below(4) == 0 { input.len() } else { 12 };
        start..(start + self.below(longest + 1)).min(input.len())
    }
}

/// Numbers at which something usually ends.
const EDGES: [u64; 10] = [0, 1, 0x7F, 0x80, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 1 << 63, u64::MAX];

/// No input gets longer than this, in bytes.
const LONGEST: usize = 1 << 16;

/// A new input: a changed one of `seeds`, or some of the words that have blanks between them.
pub fn input(random: &mut Random, seeds: &[Vec<u8>], words: &str) -> Vec<u8> {
    let words: Vec<&str> = words.split(' ').filter(|it| !it.is_empty()).collect();
    if !words.is_empty() && random.below(4) == 0 {
        return soup(random, &words);
    }
    let mut input = random.of(seeds).cloned().unwrap_or_default();
    for _ in 0..=random.below(6) {
        change(random, &mut input, seeds, &words);
    }
    input.truncate(LONGEST);
    input
}

/// Words in a row.
fn soup(random: &mut Random, words: &[&str]) -> Vec<u8> {
    let mut soup = String::new();
    for _ in 0..=random.below(30) {
        soup += random.of(words).copied().unwrap_or_default();
        if random.below(3) > 0 {
            soup.push(' ');
        }
    }
    soup.into_bytes()
}

fn change(random: &mut Random, input: &mut Vec<u8>, seeds: &[Vec<u8>], words: &[&str]) {
    let at = random.below(input.len() + 1);
    match random.below(10) {
        0 => {
            if let Some(byte) = input.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        1 => input.insert(at, random.number() as u8),
        2 => drop(input.drain(random.range(input))),
        3 => {
            let copy = input[random.range(input)].to_vec();
            input.splice(at..at, copy);
        }
        4 => {
            let other = random.of(seeds).cloned().unwrap_or_default();
            let piece = other[random.range(&other)].to_vec();
            input.splice(random.range(input), piece);
        }
        5 => {
            // A number of a binary form, which stands where such numbers stand.
            let edge = EDGES[random.below(EDGES.len())].to_le_bytes();
            let size = 4 << random.below(2);
            let at = at / size * size;
            if let Some(place) = input.get_mut(at..at + size) {
                place.copy_from_slice(&edge[..size]);
            }
        }
        6 => {
            let edge = EDGES[random.below(EDGES.len())].to_string();
            input.splice(random.range(input), edge.into_bytes());
        }
        7 => {
            let nested = [b'(', b'[', b'{', b'!', b'"', b'-'][random.below(6)];
            let many = 1 << random.below(12);
            input.splice(at..at, std::iter::repeat_n(nested, many));
        }
        _ => {
            let word = random.of(words).copied().unwrap_or("\u{0}");
            input.splice(random.range(input), word.bytes());
        }
    }
}
