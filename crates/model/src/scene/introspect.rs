//! The names of the keys of a struct, from its `Deserialize` implementation.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// Names of the fields of `T`, empty if `T` is not a plain struct.
pub fn keys_of<'de, T: Deserialize<'de>>() -> &'static [&'static str] {
    let mut keys: &'static [&'static str] = &[];
    // the result is stored in `keys`; deserialization itself always fails
    let _ = T::deserialize(Asker { keys: &mut keys });
    keys
}

/// A deserializer that records the expected keys.
struct Asker<'a> {
    keys: &'a mut &'static [&'static str],
}

#[derive(Debug)]
struct Refused;

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("keys are recorded, no value is read")
    }
}

impl std::error::Error for Refused {}

impl Error for Refused {
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Self
    }
}

impl<'de> Deserializer<'de> for Asker<'_> {
    type Error = Refused;

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Refused> {
        Err(Refused)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, Refused> {
        *self.keys = fields;
        Err(Refused)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
