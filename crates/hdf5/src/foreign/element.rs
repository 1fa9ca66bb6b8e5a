//! Types of numbers and texts, and extents of arrays.

use super::bytes::{Bytes, Cursor, Part, number};

/// Type of one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Integer { size: usize, signed: bool, big_endian: bool },
    Float { size: usize, big_endian: bool },
    Text { size: usize },
}

impl Element {
    /// From a datatype message.
    pub fn read(mut cursor: Cursor<'_>) -> Part<Self> {
        let head = cursor.take(8)?;
        let (class, flags, size) = (head[0] & 0x0f, head[1], number(&head[4..8]) as usize);
        let big_endian = flags & 1 != 0;
        match class {
            0 if matches!(size, 1 | 2 | 4 | 8) => {
                let (offset, precision) = (cursor.number(2)?, cursor.number(2)? as usize);
                if offset != 0 || precision != 8 * size {
                    return Err("integers with padding, which are not supported");
                }
                Ok(Self::Integer { size, signed: flags & 0x08 != 0, big_endian })
            }
            1 if matches!(size, 4 | 8) => {
                // offset, precision, places and sizes of exponent and mantissa, bias
                let ieee: (&[u8], u64) = match size {
                    4 => (&[0, 0, 32, 0, 23, 8, 0, 23], 127),
                    _ => (&[0, 0, 64, 0, 52, 11, 0, 52], 1023),
                };
                if cursor.take(8)? != ieee.0 || cursor.number(4)? != ieee.1 || flags & 0x40 != 0 {
                    return Err("numbers that are not IEEE floating point");
                }
                Ok(Self::Float { size, big_endian })
            }
            3 if size > 0 => Ok(Self::Text { size }),
            _ => Err("elements of a type that is not supported"),
        }
    }

    /// Bytes of one element.
    pub fn size(self) -> usize {
        match self {
            Self::Integer { size, .. } | Self::Float { size, .. } | Self::Text { size } => size,
        }
    }

    /// Integers, or `None` for other types.
    pub fn integers(self, bytes: &[u8]) -> Option<Vec<i64>> {
        let Self::Integer { size, signed, big_endian } = self else { return None };
        let unused = 64 - 8 * size as u32;
        let value = |bytes: &[u8]| {
            let bits = raw(bytes, big_endian);
            if signed { (bits << unused) as i64 >> unused } else { i64::try_from(bits).unwrap_or(i64::MAX) }
        };
        Some(bytes.chunks_exact(size).map(value).collect())
    }

    /// Numbers, whatever their type; `None` for texts.
    pub fn floats(self, bytes: &[u8]) -> Option<Vec<f64>> {
        match self {
            Self::Text { .. } => None,
            Self::Integer { .. } => Some(self.integers(bytes)?.into_iter().map(|value| value as f64).collect()),
            Self::Float { size: 4, big_endian } => {
                let value = |bytes: &[u8]| f64::from(f32::from_bits(raw(bytes, big_endian) as u32));
                Some(bytes.chunks_exact(4).map(value).collect())
            }
            Self::Float { size, big_endian } => {
                Some(bytes.chunks_exact(size).map(|bytes| f64::from_bits(raw(bytes, big_endian))).collect())
            }
        }
    }

    /// One text, up to its first zero; `None` for numbers.
    pub fn text(self, bytes: &[u8]) -> Option<String> {
        let Self::Text { size } = self else { return None };
        let bytes = bytes.get(..size)?;
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(size);
        Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
    }
}

/// A number of at most 8 bytes.
fn raw(bytes: &[u8], big_endian: bool) -> u64 {
    if big_endian { bytes.iter().fold(0, |value, &byte| value << 8 | u64::from(byte)) } else { number(bytes) }
}

/// Extents of an array, from a dataspace message; none for a single value, a zero for no value.
pub(super) fn extents<'a>(bytes: Bytes<'a>, message: &'a [u8]) -> Part<Vec<u64>> {
    let mut cursor = bytes.cursor(message);
    let (version, rank) = (cursor.byte()?, cursor.byte()?);
    cursor.byte()?;
    match version {
        1 => {
            cursor.take(5)?;
        }
        2 => {
            // 2 is an array without any element
            if cursor.byte()? == 2 {
                return Ok(vec![0]);
            }
        }
        _ => return Err("a dataspace of an unknown version"),
    }
    (0..rank).map(|_| cursor.length()).collect()
}
