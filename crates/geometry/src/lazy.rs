//! A value that is computed on first use, and is ignored by comparisons and copies.

use std::sync::OnceLock;

/// A cached value that can be recomputed at any time.
#[derive(Debug)]
pub struct Lazy<T>(OnceLock<Box<T>>);

impl<T> Lazy<T> {
    /// The value, computed on first use.
    pub fn get_or_make(&self, make: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(|| Box::new(make()))
    }
}

impl<T> Default for Lazy<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> Clone for Lazy<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T> PartialEq for Lazy<T> {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}
