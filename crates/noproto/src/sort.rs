//! Numbers as bytes that sort as the numbers do: the highest byte first, and of signed ones the
//! sign turned round. Of floats the negative ones are turned round whole.

/// A number that stands in a slot.
pub(crate) trait Number: Copy {
    type Bytes: AsRef<[u8]> + Copy;

    fn to_sorted(self) -> Self::Bytes;
    fn from_sorted(bytes: Self::Bytes) -> Self;
}

macro_rules! unsigned {
    ($($number:ty)*) => {$(
        impl Number for $number {
            type Bytes = [u8; size_of::<$number>()];

            #[inline]
            fn to_sorted(self) -> Self::Bytes {
                self.to_be_bytes()
            }

            #[inline]
            fn from_sorted(bytes: Self::Bytes) -> Self {
                Self::from_be_bytes(bytes)
            }
        }
    )*};
}

macro_rules! signed {
    ($($number:ty)*) => {$(
        impl Number for $number {
            type Bytes = [u8; size_of::<$number>()];

            #[inline]
            fn to_sorted(self) -> Self::Bytes {
                (self ^ Self::MIN).to_be_bytes()
            }

            #[inline]
            fn from_sorted(bytes: Self::Bytes) -> Self {
                Self::from_be_bytes(bytes) ^ Self::MIN
            }
        }
    )*};
}

macro_rules! float {
    ($($number:ty, $signed:ty, $unsigned:ty;)*) => {$(
        impl Number for $number {
            type Bytes = [u8; size_of::<$number>()];

            #[inline]
            fn to_sorted(self) -> Self::Bytes {
                let bits = self.to_bits();
                // All ones where it is negative, and only the sign where it is not.
                let turned = ((bits as $signed) >> (<$unsigned>::BITS - 1)) as $unsigned;
                (bits ^ (turned | 1 << (<$unsigned>::BITS - 1))).to_be_bytes()
            }

            #[inline]
            fn from_sorted(bytes: Self::Bytes) -> Self {
                let bits = <$unsigned>::from_be_bytes(bytes);
                let turned = ((!bits as $signed) >> (<$unsigned>::BITS - 1)) as $unsigned;
                Self::from_bits(bits ^ (turned | 1 << (<$unsigned>::BITS - 1)))
            }
        }
    )*};
}

unsigned!(u8 u16 u32 u64 u128);
signed!(i8 i16 i32 i64);
float!(f32, i32, u32; f64, i64, u64;);
