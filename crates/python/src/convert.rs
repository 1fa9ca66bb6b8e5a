//! Values of Python as values of a scene, and back.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use toml_edit::{Array, InlineTable, Value};

/// Deepest nesting of lists and tables.
const DEEPEST: usize = 32;

/// A boolean, a number, a word, a list or a table.
pub fn value(of: &Bound<'_, PyAny>) -> PyResult<Value> {
    value_at(of, 0)
}

fn value_at(of: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    if depth > DEEPEST {
        return Err(PyTypeError::new_err("lists and tables of a scene are nested too deeply"));
    }
    if let Ok(flag) = of.cast::<PyBool>() {
        return Ok(Value::from(flag.is_true()));
    }
    if of.is_instance_of::<PyInt>() {
        return Ok(Value::from(of.extract::<i64>()?));
    }
    if of.is_instance_of::<PyFloat>() {
        return Ok(Value::from(of.extract::<f64>()?));
    }
    if let Ok(text) = of.cast::<PyString>() {
        return Ok(Value::from(text.to_cow()?.as_ref()));
    }
    if of.is_instance_of::<PyList>() || of.is_instance_of::<PyTuple>() {
        let mut array = Array::new();
        for item in of.try_iter()? {
            array.push(value_at(&item?, depth + 1)?);
        }
        return Ok(Value::Array(array));
    }
    if let Ok(dict) = of.cast::<PyDict>() {
        return Ok(Value::InlineTable(table_at(dict, depth)?));
    }
    let message = format!("a scene cannot have a value of the type {}", of.get_type().name()?);
    Err(PyTypeError::new_err(message))
}

/// A table.
pub fn table(of: &Bound<'_, PyDict>) -> PyResult<InlineTable> {
    table_at(of, 0)
}

fn table_at(of: &Bound<'_, PyDict>, depth: usize) -> PyResult<InlineTable> {
    let mut table = InlineTable::new();
    for (key, item) in of.iter() {
        table.insert(key.extract::<String>()?, value_at(&item, depth + 1)?);
    }
    Ok(table)
}

/// A value of a scene in Python.
pub fn python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::String(text) => text.value().into_pyobject(py)?.into_any(),
        Value::Integer(number) => number.value().into_pyobject(py)?.into_any(),
        Value::Float(number) => number.value().into_pyobject(py)?.into_any(),
        Value::Boolean(flag) => PyBool::new(py, *flag.value()).to_owned().into_any(),
        Value::Datetime(time) => time.value().to_string().into_pyobject(py)?.into_any(),
        Value::Array(array) => {
            let items = array.iter().map(|item| python(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_any()
        }
        Value::InlineTable(table) => {
            let dict = PyDict::new(py);
            for (key, item) in table.iter() {
                dict.set_item(key, python(py, item)?)?;
            }
            dict.into_any()
        }
    })
}
