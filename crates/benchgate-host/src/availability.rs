//! A value that another program may not give.

/// A value, or the reason why there is none: not an error, because the run continues without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Availability<T> {
    /// The value.
    Available(T),
    /// There is none: the reason.
    Unavailable(String),
}

impl<T> Availability<T> {
    /// The value, if there is one.
    pub fn available(self) -> Option<T> {
        self.into_result().ok()
    }

    /// The value, or the reason as an error.
    ///
    /// # Errors
    /// The reason why there is none.
    pub fn into_result(self) -> Result<T, String> {
        match self {
            Self::Available(value) => Ok(value),
            Self::Unavailable(reason) => Err(reason),
        }
    }
}

impl<T> From<Result<T, String>> for Availability<T> {
    fn from(result: Result<T, String>) -> Self {
        match result {
            Ok(value) => Self::Available(value),
            Err(reason) => Self::Unavailable(reason),
        }
    }
}
