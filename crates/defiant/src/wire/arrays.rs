//! `slice::as_chunks`, which the standard library has from Rust 1.88 on.

/// As many arrays of `N` bytes as there are, and the bytes behind them.
#[inline(always)]
pub(crate) fn arrays<const N: usize>(bytes: &[u8]) -> (&[[u8; N]], &[u8]) {
    const { assert!(N > 0) };
    let count = bytes.len() / N;
    let (whole, rest) = bytes.split_at(count * N);
    // SAFETY: there are `count * N` bytes, an array of bytes is aligned anywhere, and the lifetime is that of `bytes`.
    (unsafe { core::slice::from_raw_parts(whole.as_ptr().cast(), count) }, rest)
}

#[cfg(test)]
mod tests {
    use super::arrays;

    #[test]
    fn arrays_are_the_exact_chunks_and_their_remainder() {
        let bytes: [u8; 9] = core::array::from_fn(|at| at as u8);
        for len in 0..=bytes.len() {
            let chunks = bytes[..len].chunks_exact(4);
            let (whole, rest) = arrays::<4>(&bytes[..len]);
            assert_eq!(rest, chunks.remainder());
            assert!(whole.iter().map(<[u8; 4]>::as_slice).eq(chunks));
        }
    }
}
