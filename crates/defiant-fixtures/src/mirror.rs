//! Values of defiant and prost that mean the same.

use std::collections::BTreeMap;

use defiant::Map;

/// A defiant value that can be compared with prost's.
pub trait Same<P: ?Sized> {
    /// Whether both have the same value.
    fn same(&self, prost: &P) -> bool;
}

macro_rules! same_by_equality {
    ($($value:ty)*) => {$(
        impl Same<$value> for $value {
            fn same(&self, prost: &$value) -> bool {
                self == prost
            }
        }
    )*};
}

same_by_equality! { i32 i64 u32 u64 f32 f64 bool }

impl Same<String> for &str {
    fn same(&self, prost: &String) -> bool {
        self == prost
    }
}

impl Same<Vec<u8>> for &[u8] {
    fn same(&self, prost: &Vec<u8>) -> bool {
        self == prost
    }
}

impl<D: Same<P>, P> Same<Option<P>> for Option<D> {
    fn same(&self, prost: &Option<P>) -> bool {
        match (self, prost) {
            (Some(defiant), Some(prost)) => defiant.same(prost),
            (None, None) => true,
            _ => false,
        }
    }
}

/// Whether the elements are the same. Not `Same for &[D]`, because `&[u8]` is a value.
pub fn same_list<D: Same<P>, P>(defiant: &[D], prost: &[P]) -> bool {
    defiant.len() == prost.len() && defiant.iter().zip(prost).all(|(d, p)| d.same(p))
}

/// Whether the entries are the same, in the same order.
pub fn same_map<K, V, L, W>(defiant: Map<'_, K, V>, prost: &BTreeMap<L, W>) -> bool
where
    K: Same<L>,
    V: Same<W>,
{
    defiant.len() == prost.len()
        && defiant.iter().zip(prost).all(|((k, v), (l, w))| k.same(l) && v.same(w))
}

/// Implements [`Draw`](crate::entropy::Draw) for a message of prost and [`Same`] for defiant's.
///
/// `one` are fields with a single value, `list` repeated ones, `map` maps; `with` says how to draw
/// and compare a field.
macro_rules! mirror {
    (
        $defiant:ty, $prost:ty {
            $(one { $($one:ident)* })?
            $(list { $($list:ident)* })?
            $(map { $($map:ident)* })?
            $(with { $($with:ident: $draw:expr, $same:expr;)* })?
        }
    ) => {
        impl $crate::entropy::Draw for $prost {
            fn draw(entropy: &mut $crate::entropy::Entropy<'_>) -> Self {
                let _ = &entropy;
                Self {
                    $($($one: $crate::entropy::Draw::draw(entropy),)*)?
                    $($($list: $crate::entropy::list(entropy),)*)?
                    $($($map: $crate::entropy::map(entropy),)*)?
                    $($($with: $draw(entropy),)*)?
                }
            }
        }

        impl $crate::mirror::Same<$prost> for $defiant {
            fn same(&self, prost: &$prost) -> bool {
                let _ = &prost;
                true
                $($(&& $crate::mirror::Same::same(&self.$one, &prost.$one))*)?
                $($(&& $crate::mirror::same_list(self.$list, &prost.$list))*)?
                $($(&& $crate::mirror::same_map(self.$map, &prost.$map))*)?
                $($(&& $same(&self.$with, &prost.$with))*)?
            }
        }

        impl $crate::mirror::Same<$prost> for &$defiant {
            fn same(&self, prost: &$prost) -> bool {
                $crate::mirror::Same::same(*self, prost)
            }
        }

        impl $crate::mirror::Same<Box<$prost>> for &$defiant {
            fn same(&self, prost: &Box<$prost>) -> bool {
                $crate::mirror::Same::same(*self, &**prost)
            }
        }
    };
}

pub(crate) use mirror;
