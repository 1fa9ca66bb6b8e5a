//! Objects, numbers and points in COMPAS JSON.

use serde_json::Value;
use voussoir_geometry::glam::{DMat4, DVec3};

/// The content of an object with a type: `data` (COMPAS 1 and 2), `value` (nested in COMPAS 1), or the object
/// itself.
pub(super) fn content(value: &Value) -> &Value {
    let typed = value.get("dtype").or_else(|| value.get("datatype")).is_some();
    let inner = value.get("data").or_else(|| value.get("value"));
    inner.filter(|_| typed).unwrap_or(value)
}

/// The class of an object: the part of its type after the slash.
pub(super) fn class(value: &Value) -> &str {
    let name = value.get("dtype").or_else(|| value.get("datatype")).and_then(Value::as_str).unwrap_or("");
    name.rsplit(['/', '.']).next().unwrap_or("")
}

/// A text under a key.
pub(super) fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// Name of an object: beside its type, in its data, or among its attributes.
pub(super) fn name(value: &Value) -> Option<&str> {
    let data = content(value);
    text(value, "name").or_else(|| text(data, "name")).or_else(|| text(data.get("attributes")?, "name"))
}

/// True if a key exists and is true.
pub(super) fn is_true(value: &Value, key: &str) -> bool {
    value.get(key).and_then(Value::as_bool).unwrap_or(false)
}

/// A finite number under a key.
pub(super) fn number(value: &Value, key: &str) -> Option<f64> {
    value.get(key).and_then(Value::as_f64).filter(|x| x.is_finite())
}

/// Three numbers: a list, or a point or vector object; `null` in the list is none.
pub(super) fn three(value: &Value) -> Option<[Option<f64>; 3]> {
    let list = content(value).as_array().filter(|list| list.len() == 3)?;
    let part = |value: &Value| if value.is_null() { Some(None) } else { value.as_f64().map(Some) };
    Some([part(&list[0])?, part(&list[1])?, part(&list[2])?])
}

/// A point or vector without free components.
pub(super) fn vector(value: &Value) -> Option<DVec3> {
    let [x, y, z] = three(value)?;
    Some(DVec3::new(x?, y?, z?)).filter(|v| v.is_finite())
}

/// A transformation; the identity for `null`, none if it cannot be read.
pub(super) fn transformation(value: Option<&Value>) -> Option<DMat4> {
    let Some(value) = value.filter(|value| !value.is_null()) else { return Some(DMat4::IDENTITY) };
    let rows = content(value).get("matrix")?.as_array()?;
    let mut numbers = [0.0; 16];
    for (i, row) in rows.iter().enumerate().take(4) {
        for (j, cell) in row.as_array()?.iter().enumerate().take(4) {
            numbers[4 * i + j] = cell.as_f64()?;
        }
    }
    Some(DMat4::from_cols_array(&numbers).transpose())
}

/// Keys of an object or places of a list, in numerical order, with their values.
pub(super) fn entries(value: &Value) -> Vec<(u64, &str, &Value)> {
    let mut all: Vec<(u64, &str, &Value)> = match value {
        Value::Object(map) => {
            let key = |key: &String| key.parse().unwrap_or(u64::MAX);
            map.iter().map(|(name, value)| (key(name), name.as_str(), value)).collect()
        }
        Value::Array(list) => list.iter().enumerate().map(|(i, value)| (i as u64, "", value)).collect(),
        _ => Vec::new(),
    };
    all.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)));
    // keys that are not numbers are numbered in order
    for (i, entry) in all.iter_mut().enumerate().filter(|(_, entry)| entry.0 == u64::MAX) {
        entry.0 = i as u64;
    }
    all
}
