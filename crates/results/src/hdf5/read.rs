//! Reading arrays by rows, without loading a file. The only user of the `hdf5-pure` crate.

use std::path::Path;

use hdf5_pure::{AttrValue, ChunkCacheConfig, Dataset, File, FileAccessProperties, MetadataCacheConfig};

/// Why something could not be read, in words of the reader crate.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {reason}")]
pub struct ReadFault {
    what: String,
    reason: String,
}

impl ReadFault {
    fn new(what: &str, reason: impl ToString) -> Self {
        Self { what: what.to_owned(), reason: reason.to_string() }
    }
}

/// An open HDF5 file.
pub struct Reader(File);

impl Reader {
    /// Opens a file as it is now; frames that are added later are not seen.
    pub fn open(path: &Path) -> Result<Self, ReadFault> {
        let access = FileAccessProperties::new()
            .with_metadata_cache(MetadataCacheConfig::new(8 << 20).with_max_entry_bytes(64 << 10))
            .with_chunk_cache(ChunkCacheConfig::from_h5p_cache(521, 4 << 20));
        File::open_streaming_with_options(path, access).map(Self).map_err(|e| ReadFault::new("file", e))
    }

    /// Opens the array at a path.
    pub fn array(&self, path: &str) -> Result<Array, ReadFault> {
        let dataset = self.0.dataset(path).map_err(|e| ReadFault::new(path, e))?;
        let shape = dataset.shape().map_err(|e| ReadFault::new(path, e))?;
        Ok(Array { dataset, shape, path: path.to_owned() })
    }

    /// An integer attribute of a group.
    pub fn integer(&self, group: &str, name: &str) -> Result<i64, ReadFault> {
        match self.attribute(group, name)? {
            AttrValue::I64(value) => Ok(value),
            _ => Err(ReadFault::new(&format!("{group}@{name}"), "not an integer")),
        }
    }

    /// A text attribute of a group.
    pub fn text(&self, group: &str, name: &str) -> Result<String, ReadFault> {
        match self.attribute(group, name)? {
            AttrValue::String(text) | AttrValue::AsciiString(text) => Ok(text.trim_end_matches('\0').to_owned()),
            _ => Err(ReadFault::new(&format!("{group}@{name}"), "not a text")),
        }
    }

    fn attribute(&self, group: &str, name: &str) -> Result<AttrValue, ReadFault> {
        let fault = |e: hdf5_pure::Error| ReadFault::new(&format!("{group}@{name}"), e);
        let mut attributes = self.0.group(group).map_err(fault)?.attrs().map_err(fault)?;
        attributes.remove(name).ok_or_else(|| ReadFault::new(&format!("{group}@{name}"), "missing"))
    }
}

/// An array whose first dimension counts rows.
pub struct Array {
    dataset: Dataset,
    shape: Vec<u64>,
    path: String,
}

macro_rules! rows {
    ($(#[$doc:meta])* $name:ident, $read:ident, $type:ty) => {
        $(#[$doc])*
        pub fn $name(&self, start: u64, count: u64) -> Result<Vec<$type>, ReadFault> {
            let expected = self.expect_rows(start, count)?;
            if expected == 0 {
                return Ok(Vec::new());
            }
            let values = self.dataset.$read(start, count).map_err(|e| ReadFault::new(&self.path, e))?;
            if values.len() as u64 != expected {
                return Err(ReadFault::new(&self.path, "rows are missing"));
            }
            Ok(values)
        }
    };
}

impl Array {
    rows! {
        /// Rows as double precision numbers.
        f64s, read_f64_rows, f64
    }
    rows! {
        /// Rows as single precision numbers.
        f32s, read_f32_rows, f32
    }
    rows! {
        /// Rows as integers.
        i64s, read_i64_rows, i64
    }
    rows! {
        /// Rows as short integers.
        i32s, read_i32_rows, i32
    }
    rows! {
        /// Rows as bytes.
        u8s, read_u8_rows, u8
    }
    rows! {
        /// Rows as texts.
        texts, read_string_rows, String
    }

    /// Number of rows.
    pub fn rows(&self) -> u64 {
        self.shape.first().copied().unwrap_or(0)
    }

    /// Number of values in `count` rows; an error when the array does not have them.
    fn expect_rows(&self, start: u64, count: u64) -> Result<u64, ReadFault> {
        let there = start.checked_add(count).is_some_and(|end| end <= self.rows());
        let width = self.shape.iter().skip(1).try_fold(1u64, |product, &n| product.checked_mul(n));
        match width.and_then(|width| width.checked_mul(count)) {
            Some(values) if there && values < 1 << 40 => Ok(values),
            _ => Err(ReadFault::new(
                &self.path,
                format!("rows {start} to {} of an array of shape {:?}", start.saturating_add(count), self.shape),
            )),
        }
    }
}
