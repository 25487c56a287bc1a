//! The code that `flatc` would generate for this schema, written by hand: generated code fits only
//! one version of the crate, and `flatc` is not available from a registry.
//!
//! ```text
//! enum Fruit : short { Apples, Pears, Bananas }
//! struct Foo { id: ulong; count: short; prefix: byte; length: uint; }
//! struct Bar { parent: Foo; time: int; ratio: float; size: ushort; }
//! table FooBar { sibling: Bar; name: string; rating: double; postfix: ubyte; }
//! table FooBarContainer { list: [FooBar]; initialized: bool; fruit: Fruit; location: string; }
//! ```

use flatbuffers::{
    FlatBufferBuilder, Follow, ForwardsUOffset, InvalidFlatbuffer, Push, PushAlignment, Table,
    VOffsetT, Vector, Verifiable, Verifier, WIPOffset,
};

/// Where the first four fields of a table are named in its vtable.
const FIELDS: [VOffsetT; 4] = [4, 6, 8, 10];

/// The struct `Bar` with the struct `Foo` in it, as they stand in a buffer: `id` at 0, `count` at 8,
/// `prefix` at 10, `length` at 12, `time` at 16, `ratio` at 20, `size` at 24.
#[derive(Clone, Copy, PartialEq)]
#[repr(transparent)]
pub(super) struct Bar([u8; 32]);

/// The values of a [`Bar`].
#[derive(Clone, Copy)]
pub(super) struct BarValues {
    pub(super) id: u64,
    pub(super) count: i16,
    pub(super) prefix: i8,
    pub(super) length: u32,
    pub(super) time: i32,
    pub(super) ratio: f32,
    pub(super) size: u16,
}

impl Bar {
    pub(super) fn new(values: BarValues) -> Self {
        let mut bytes = [0; 32];
        bytes[0..8].copy_from_slice(&values.id.to_le_bytes());
        bytes[8..10].copy_from_slice(&values.count.to_le_bytes());
        bytes[10..11].copy_from_slice(&values.prefix.to_le_bytes());
        bytes[12..16].copy_from_slice(&values.length.to_le_bytes());
        bytes[16..20].copy_from_slice(&values.time.to_le_bytes());
        bytes[20..24].copy_from_slice(&values.ratio.to_le_bytes());
        bytes[24..26].copy_from_slice(&values.size.to_le_bytes());
        Self(bytes)
    }

    fn part<const N: usize>(&self, at: usize) -> [u8; N] {
        self.0[at..].first_chunk().copied().expect("a part of the struct")
    }

    pub(super) fn values(&self) -> BarValues {
        BarValues {
            id: u64::from_le_bytes(self.part(0)),
            count: i16::from_le_bytes(self.part(8)),
            prefix: i8::from_le_bytes(self.part(10)),
            length: u32::from_le_bytes(self.part(12)),
            time: i32::from_le_bytes(self.part(16)),
            ratio: f32::from_le_bytes(self.part(20)),
            size: u16::from_le_bytes(self.part(24)),
        }
    }
}

impl<'a> Follow<'a> for Bar {
    type Inner = Self;

    unsafe fn follow(buf: &'a [u8], loc: usize) -> Self {
        Self(buf[loc..].first_chunk().copied().expect("the struct is in the buffer"))
    }
}

impl Verifiable for Bar {
    fn run_verifier(verifier: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        verifier.in_buffer::<Self>(pos)
    }
}

impl Push for Bar {
    type Output = Self;

    unsafe fn push(&self, dst: &mut [u8], _written_len: usize) {
        dst[..32].copy_from_slice(&self.0);
    }

    fn alignment() -> PushAlignment {
        PushAlignment::new(8)
    }
}

macro_rules! table {
    ($name:ident, |$visitor:ident| $verify:expr, { $($field:ident: $ty:ty = $at:expr, $default:expr;)* }) => {
        #[derive(Clone, Copy)]
        pub(super) struct $name<'a>(Table<'a>);

        impl<'a> Follow<'a> for $name<'a> {
            type Inner = Self;

            unsafe fn follow(buf: &'a [u8], loc: usize) -> Self {
                // SAFETY: The caller promises a table there.
                Self(unsafe { Table::new(buf, loc) })
            }
        }

        impl Verifiable for $name<'_> {
            fn run_verifier(
                verifier: &mut Verifier<'_, '_>,
                pos: usize,
            ) -> Result<(), InvalidFlatbuffer> {
                let $visitor = verifier.visit_table(pos)?;
                $verify.finish();
                Ok(())
            }
        }

        impl<'a> $name<'a> {
            $(pub(super) fn $field(&self) -> Option<<$ty as Follow<'a>>::Inner> {
                // SAFETY: The table was verified, or its maker vouches for it.
                unsafe { self.0.get::<$ty>(FIELDS[$at], $default) }
            })*
        }
    };
}

table!(FooBar, |visitor| visitor
    .visit_field::<Bar>("sibling", FIELDS[0], false)?
    .visit_field::<ForwardsUOffset<&str>>("name", FIELDS[1], false)?
    .visit_field::<f64>("rating", FIELDS[2], false)?
    .visit_field::<u8>("postfix", FIELDS[3], false)?, {
    sibling: Bar = 0, None;
    name: ForwardsUOffset<&'a str> = 1, None;
    rating: f64 = 2, Some(0.0);
    postfix: u8 = 3, Some(0);
});

type Items<'a> = Vector<'a, ForwardsUOffset<FooBar<'a>>>;

table!(FooBarContainer, |visitor| visitor
    .visit_field::<ForwardsUOffset<Items<'_>>>("list", FIELDS[0], false)?
    .visit_field::<bool>("initialized", FIELDS[1], false)?
    .visit_field::<i16>("fruit", FIELDS[2], false)?
    .visit_field::<ForwardsUOffset<&str>>("location", FIELDS[3], false)?, {
    list: ForwardsUOffset<Items<'a>> = 0, None;
    initialized: bool = 1, Some(false);
    fruit: i16 = 2, Some(0);
    location: ForwardsUOffset<&'a str> = 3, None;
});

/// Writes a table `FooBar`, its fields from the largest to the smallest as generated code does.
pub(super) fn push_foobar<'b>(
    builder: &mut FlatBufferBuilder<'b>,
    sibling: Bar,
    name: WIPOffset<&'b str>,
    rating: f64,
    postfix: u8,
) -> WIPOffset<FooBar<'b>> {
    let start = builder.start_table();
    builder.push_slot::<f64>(FIELDS[2], rating, 0.0);
    builder.push_slot_always(FIELDS[1], name);
    builder.push_slot_always(FIELDS[0], sibling);
    builder.push_slot::<u8>(FIELDS[3], postfix, 0);
    WIPOffset::new(builder.end_table(start).value())
}

/// Writes the table `FooBarContainer`, which is then finished.
pub(super) fn finish_container<'b>(
    builder: &mut FlatBufferBuilder<'b>,
    list: WIPOffset<Items<'b>>,
    initialized: bool,
    fruit: i16,
    location: WIPOffset<&'b str>,
) {
    let start = builder.start_table();
    builder.push_slot_always(FIELDS[3], location);
    builder.push_slot_always(FIELDS[0], list);
    builder.push_slot::<i16>(FIELDS[2], fruit, 0);
    builder.push_slot::<bool>(FIELDS[1], initialized, false);
    let root = builder.end_table(start);
    builder.finish(root, None);
}
