//! Arrays of NumPy: views of memory that an object of this module owns, and new arrays.

use numpy::ndarray::{ArrayViewD, IxDyn};
use numpy::{Element, PyArray, PyArrayMethods, ToPyArray};
use pyo3::prelude::*;

use crate::errors;

/// A read-only view, without a copy, of numbers that `owner` holds; the array keeps `owner` alive.
///
/// `data` must be memory of `owner`, and `owner` must never change or free it before it is dropped: the callers pass
/// vectors of frozen classes.
#[allow(unsafe_code, reason = "NumPy needs the address of memory that Rust owns; nothing else lends it")]
pub fn view<'py, T: Element>(owner: &Bound<'py, PyAny>, data: &[T], shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    let lent = ArrayViewD::from_shape(IxDyn(shape), data).map_err(|error| errors::internal(&error.to_string()))?;
    // SAFETY: `owner` is the base of the array, so it lives as long as the array; it is frozen, so its vectors stay where
    // they are.
    let array = unsafe { PyArray::borrow_from_array(&lent, owner.clone()) };
    let array: Bound<'py, PyArray<T, IxDyn>> = array;
    let fixed = array.readwrite().make_nonwriteable();
    Ok(fixed.as_any().clone())
}

/// A new array with a copy of numbers.
pub fn copy<'py, T: Element + Clone>(py: Python<'py>, data: &[T], shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    let lent = ArrayViewD::from_shape(IxDyn(shape), data).map_err(|error| errors::internal(&error.to_string()))?;
    Ok(lent.to_pyarray(py).into_any())
}
