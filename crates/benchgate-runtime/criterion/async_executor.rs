//! What runs the futures of asynchronous benchmarks.

use std::future::Future;

/// Runs a future to its end.
pub trait AsyncExecutor {
    /// Runs the future to its end and returns its output.
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T;
}

/// The executor of the crate futures.
#[cfg(feature = "async_futures")]
pub struct FuturesExecutor;
#[cfg(feature = "async_futures")]
impl AsyncExecutor for FuturesExecutor {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        futures::executor::block_on(future)
    }
}

/// The executor of the crate smol.
#[cfg(feature = "async_smol")]
pub struct SmolExecutor;
#[cfg(feature = "async_smol")]
impl AsyncExecutor for SmolExecutor {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        smol::block_on(future)
    }
}

#[cfg(feature = "async_tokio")]
impl AsyncExecutor for tokio::runtime::Runtime {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.block_on(future)
    }
}
#[cfg(feature = "async_tokio")]
impl AsyncExecutor for &tokio::runtime::Runtime {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        (*self).block_on(future)
    }
}

since_0_6! {
    #[cfg(feature = "async_tokio")]
    impl AsyncExecutor for tokio::runtime::Handle {
        fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
            self.block_on(future)
        }
    }
    #[cfg(feature = "async_tokio")]
    impl AsyncExecutor for &tokio::runtime::Handle {
        fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
            (*self).block_on(future)
        }
    }
}

before_0_8! {
    /// The executor of the crate async-std.
    #[cfg(feature = "async_std")]
    pub struct AsyncStdExecutor;
    #[cfg(feature = "async_std")]
    impl AsyncExecutor for AsyncStdExecutor {
        fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
            async_std::task::block_on(future)
        }
    }
}
