//! Named arrays in one message.
//!
//! `VPK1`, length of the description (u32), description (JSON), filling to a multiple of 8, arrays. The description is
//! an object; its key `arrays` gives type, offset (from the first array) and number of elements of every array. All
//! numbers are little-endian, every array starts at a multiple of 8.

use serde_json::{Map, Value, json};

/// A message under construction.
#[derive(Debug, Default)]
pub struct Pack {
    description: Map<String, Value>,
    arrays: Map<String, Value>,
    bytes: Vec<u8>,
}

impl Pack {
    /// Adds a key to the description.
    pub fn say(&mut self, name: &str, value: impl Into<Value>) {
        self.description.insert(name.to_owned(), value.into());
    }

    /// Single precision numbers.
    pub fn f32s(&mut self, name: &str, values: impl Iterator<Item = f64>) {
        self.array(name, "f32", 4, values.flat_map(|x| (x as f32).to_le_bytes()).collect());
    }

    /// Whole numbers.
    pub fn u32s(&mut self, name: &str, values: impl Iterator<Item = u32>) {
        self.array(name, "u32", 4, values.flat_map(u32::to_le_bytes).collect());
    }

    /// Small whole numbers.
    pub fn u8s(&mut self, name: &str, values: impl Iterator<Item = u8>) {
        self.array(name, "u8", 1, values.collect());
    }

    fn array(&mut self, name: &str, kind: &str, size: usize, bytes: Vec<u8>) {
        let about = json!({ "type": kind, "offset": self.bytes.len(), "length": bytes.len() / size });
        self.arrays.insert(name.to_owned(), about);
        self.bytes.extend(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
    }

    /// The message.
    pub fn finish(mut self) -> Vec<u8> {
        self.description.insert("arrays".to_owned(), self.arrays.into());
        let mut text = Value::Object(self.description).to_string().into_bytes();
        text.resize(text.len().next_multiple_of(8), b' ');
        let mut message = b"VPK1".to_vec();
        message.extend((text.len() as u32).to_le_bytes());
        message.extend(text);
        message.extend(self.bytes);
        message
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_found_where_the_description_says() {
        let mut pack = Pack::default();
        pack.u8s("few", [1, 2, 3].into_iter());
        pack.f32s("numbers", [0.5, -2.0].into_iter());
        pack.say("frame", 7);
        let message = pack.finish();
        let size = u32::from_le_bytes(message[4..8].try_into().unwrap()) as usize;
        let about: Value = serde_json::from_slice(&message[8..8 + size]).unwrap();
        let numbers = &about["arrays"]["numbers"];
        let at = 8 + size + numbers["offset"].as_u64().unwrap() as usize;
        assert_eq!((about["frame"].as_u64(), numbers["length"].as_u64(), at % 8), (Some(7), Some(2), 0));
        assert_eq!(message[at + 4..at + 8], (-2.0f32).to_le_bytes());
    }
}
