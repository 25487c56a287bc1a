//! The differences between variants: words of data, and padding in front of the code.
//!
//! The words are read so that the optimiser cannot know them; the lab makes a variant by writing them
//! into a copy of the base executable. So every instruction of a variant is the base's, at the same
//! address.

/// Finds the words in the executable. Then: more units of work per iteration in percent; bytes that
/// are allocated at start-up and never freed; the sizes that do no more work, a bit for each.
#[used]
static WORDS: [u64; 4] = [0x6c61_622d_776f_7264, 0, 0, 0];

/// Bytes of padding, given when building.
const PAD: u64 = number(option_env!("LAB_PAD"));

core::arch::global_asm!(
    ".section .text.lab_pad,\"ax\",@progbits",
    ".globl lab_pad",
    "lab_pad:",
    ".skip {pad}, 0x90",
    ".previous",
    pad = const PAD,
);

unsafe extern "C" {
    /// The padding. Never called: it is named so that the linker keeps it.
    safe fn lab_pad();
}

const fn number(text: Option<&str>) -> u64 {
    let Some(text) = text else { return 0 };
    let bytes = text.as_bytes();
    let (mut value, mut at) = (0, 0);
    while at < bytes.len() {
        assert!(bytes[at].is_ascii_digit(), "LAB_PAD is a whole number");
        value = value * 10 + (bytes[at] - b'0') as u64;
        at += 1;
    }
    value
}

fn word(index: usize) -> usize {
    // SAFETY: a reference to a static is valid for reads.
    let value = unsafe { std::ptr::from_ref(&WORDS[index]).read_volatile() };
    value as usize
}

/// Units of work of a kernel whose base has `base` of them, at the size of this index.
pub fn units(base: usize, index: usize) -> usize {
    let is_spared = word(3) >> index & 1 == 1;
    if is_spared { base } else { base + base * word(1) / 100 }
}

/// Runs the start-up of a variant.
pub fn settle() {
    std::hint::black_box(lab_pad as *const ());
    let bytes = word(2);
    if bytes > 0 {
        std::mem::forget(std::hint::black_box(vec![1_u8; bytes]));
    }
}
