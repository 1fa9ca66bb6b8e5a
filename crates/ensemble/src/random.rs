//! Random numbers that depend on nothing but a seed, and names by hash.
//!
//! The generator is SplitMix64 (Steele, Lea, Flood 2014): the k-th number is a mixing function of seed + k·γ, the same on
//! every machine and for every number of threads. Names are FNV-1a hashes of 128 bits (Fowler, Noll, Vo).

/// Increment of the state: 2⁶⁴ divided by the golden ratio, odd.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;
const FNV_START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const FNV_PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

/// A sequence of random numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomNumbers {
    state: u64,
}

impl RandomNumbers {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GAMMA);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number between 0 and 1, neither of them: the middle of one of 2⁵² cells.
    pub fn unit(&mut self) -> f64 {
        ((self.bits() >> 12) as f64 + 0.5) / (1u64 << 52) as f64
    }

    /// A whole number below `bound`, all equally likely.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = bound.max(1) as u64;
        // the last, incomplete cycle is drawn again
        let complete = u64::MAX - u64::MAX % bound;
        loop {
            let bits = self.bits();
            if bits < complete {
                return (bits % bound) as usize;
            }
        }
    }

    /// A random order of 0 … n−1 (Fisher–Yates).
    pub fn order(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            order.swap(i, self.below(i + 1));
        }
        order
    }
}

/// Hash of a sequence of texts; their lengths count, so that "ab", "c" differs from "a", "bc".
pub fn hash(parts: &[&str]) -> u128 {
    let mut hash = FNV_START;
    let mut add = |byte: u8| hash = (hash ^ u128::from(byte)).wrapping_mul(FNV_PRIME);
    for part in parts {
        (part.len() as u64).to_le_bytes().into_iter().for_each(&mut add);
        part.bytes().for_each(&mut add);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_splitmix64() {
        // reference values of the published algorithm for seed 0
        let mut numbers = RandomNumbers::new(0);
        assert_eq!([numbers.bits(), numbers.bits()], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    }

    #[test]
    fn orders_are_permutations_and_units_lie_inside() {
        let mut numbers = RandomNumbers::new(7);
        let mut order = numbers.order(100);
        order.sort_unstable();
        assert_eq!(order, (0..100).collect::<Vec<_>>());
        let mean = (0..10_000).map(|_| numbers.unit()).inspect(|u| assert!(*u > 0.0 && *u < 1.0)).sum::<f64>() / 1e4;
        assert!((mean - 0.5).abs() < 4.0 / (12.0f64 * 1e4).sqrt(), "{mean}");
    }

    #[test]
    fn hashes_depend_on_the_division_into_parts() {
        assert_ne!(hash(&["ab", "c"]), hash(&["a", "bc"]));
        assert_eq!(hash(&[]), FNV_START);
    }
}
