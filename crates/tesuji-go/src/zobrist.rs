//! Random numbers from which the fingerprints of positions are made (Zobrist 1970).

/// The mixing step of SplitMix64 (Steele, Lea and Flood 2014): a bijection that spreads every bit.
#[inline]
pub(crate) const fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// How many cells any board has.
const CELLS: usize = 512;

static STONES: [[u64; CELLS]; 2] = {
    let mut table = [[0; CELLS]; 2];
    let mut i = 0;
    while i < 2 * CELLS {
        table[i / CELLS][i % CELLS] = mix(mix(i as u64));
        i += 1;
    }
    table
};

/// The number of a stone of `colour` on the cell `index`.
#[inline]
pub(crate) fn stone(colour: usize, index: usize) -> u64 {
    STONES[colour & 1][index % CELLS]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_differ() {
        let mut all: Vec<u64> = (0..2).flat_map(|c| (0..CELLS).map(move |i| stone(c, i))).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 2 * CELLS);
    }
}
