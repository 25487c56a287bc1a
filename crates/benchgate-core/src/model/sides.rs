//! Values that come in twos: one per side, one per run.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

/// Either of the two things that a gate compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The existing state: the commit forked from, or a baseline.
    Base,
    /// The proposed state.
    Head,
}

impl Side {
    /// The name in files, folders and messages. Both are four letters long on purpose: the length of a
    /// path shifts the heap of the measured process.
    pub fn name(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Head => "head",
        }
    }

    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::Base => Self::Head,
            Self::Head => Self::Base,
        }
    }
}

/// A pair of values, one per side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Sides<T> {
    /// Of the base.
    pub base: T,
    /// Of the head.
    pub head: T,
}

impl<T> Sides<T> {
    /// From the values of both sides.
    pub fn new(base: T, head: T) -> Self {
        Self { base, head }
    }

    /// Borrows both.
    pub fn as_ref(&self) -> Sides<&T> {
        Sides { base: &self.base, head: &self.head }
    }

    /// Changes both in the same way.
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> Sides<U> {
        Sides { base: change(self.base), head: change(self.head) }
    }

    /// Changes both in the same way, or gives the first error.
    ///
    /// # Errors
    /// Fails with the error of `change`.
    pub fn try_map<U, E>(
        self,
        mut change: impl FnMut(Side, T) -> Result<U, E>,
    ) -> Result<Sides<U>, E> {
        Ok(Sides { base: change(Side::Base, self.base)?, head: change(Side::Head, self.head)? })
    }

    /// The pairs of what two have on each side.
    pub fn zip<U>(self, other: Sides<U>) -> Sides<(T, U)> {
        Sides { base: (self.base, other.base), head: (self.head, other.head) }
    }

    /// Both with their sides, the base first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Side, &T)> {
        [(Side::Base, &self.base), (Side::Head, &self.head)].into_iter()
    }
}

impl<T> Sides<Option<T>> {
    /// Both, where both are there.
    pub fn both(self) -> Option<Sides<T>> {
        Some(Sides { base: self.base?, head: self.head? })
    }

    /// The head's, or the base's where the head has none.
    pub fn newest(&self) -> Option<&T> {
        self.head.as_ref().or(self.base.as_ref())
    }
}

impl<T> Index<Side> for Sides<T> {
    type Output = T;

    fn index(&self, side: Side) -> &T {
        match side {
            Side::Base => &self.base,
            Side::Head => &self.head,
        }
    }
}

impl<T> IndexMut<Side> for Sides<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Base => &mut self.base,
            Side::Head => &mut self.head,
        }
    }
}

/// The values of two runs of the same executable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Twice<T> {
    /// Of the first run.
    pub first: T,
    /// Of the second.
    pub second: T,
}

impl<T> Twice<T> {
    /// From two runs.
    pub fn new(first: T, second: T) -> Self {
        Self { first, second }
    }
}

impl<T> Twice<T> {
    /// Both, in their order.
    pub fn to_vec(self) -> Vec<T> {
        vec![self.first, self.second]
    }
}
