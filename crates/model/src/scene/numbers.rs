//! Lists of a fixed number of numbers. A list of another length is an error.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Exactly `N` numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numbers<const N: usize>(pub [f64; N]);

impl<const N: usize> std::ops::Deref for Numbers<N> {
    type Target = [f64; N];
    fn deref(&self) -> &[f64; N] {
        &self.0
    }
}

impl<const N: usize> Serialize for Numbers<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0)
    }
}

impl<'de, const N: usize> Deserialize<'de> for Numbers<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Exactly::<N>).map(Self)
    }
}

struct Exactly<const N: usize>;

impl<'de, const N: usize> Visitor<'de> for Exactly<N> {
    type Value = [f64; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of {N} numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<[f64; N], A::Error> {
        let mut numbers = [0.0; N];
        for (i, number) in numbers.iter_mut().enumerate() {
            *number = list.next_element()?.ok_or_else(|| A::Error::invalid_length(i, &self))?;
        }
        match list.next_element::<f64>()? {
            None => Ok(numbers),
            Some(_) => Err(A::Error::custom(format!("the list is too long, expected {N} numbers"))),
        }
    }
}

impl<const N: usize> JsonSchema for Numbers<N> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Numbers{N}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array", "items": { "type": "number" }, "minItems": N, "maxItems": N })
    }
}

/// Reads exactly two words.
pub(super) fn two_words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[String; 2], D::Error> {
    let words = Vec::<String>::deserialize(deserializer)?;
    let count = words.len();
    words.try_into().map_err(|_| D::Error::custom(format!("the list has {count} names, expected two")))
}
