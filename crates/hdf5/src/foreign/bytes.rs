//! Bounds-checked bytes of a file, and integers of the widths declared in it.

/// The reason why a part could not be read.
pub(super) type Part<T> = Result<T, &'static str>;

/// "No address", whatever the width of addresses.
pub(super) const NOWHERE: u64 = u64::MAX;

const OUTSIDE: &str = "points outside the file";

/// The whole file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a> {
    pub all: &'a [u8],
    /// Bytes of an address.
    pub address_size: usize,
    /// Bytes of a length.
    pub length_size: usize,
}

impl<'a> Bytes<'a> {
    /// `size` bytes at `address`.
    pub fn slice(&self, address: u64, size: u64) -> Part<&'a [u8]> {
        let start = usize::try_from(address).map_err(|_| OUTSIDE)?;
        let size = usize::try_from(size).map_err(|_| OUTSIDE)?;
        self.all.get(start..).and_then(|rest| rest.get(..size)).ok_or(OUTSIDE)
    }

    /// Continues reading at `address`.
    pub fn at(&self, address: u64) -> Part<Cursor<'a>> {
        let start = usize::try_from(address).map_err(|_| OUTSIDE)?;
        self.all.get(start..).map(|rest| self.cursor(rest)).ok_or(OUTSIDE)
    }

    /// Head of a node of a version 1 B-tree: the cursor after it, its level and the number of its entries. Levels must
    /// decrease from node to node, so that a damaged tree ends.
    pub fn tree_node(
        &self,
        address: u64,
        signature: &[u8],
        above: Option<u8>,
        damaged: &'static str,
    ) -> Part<(Cursor<'a>, u8, u64)> {
        let mut cursor = self.at(address)?;
        cursor.expect(signature, damaged)?;
        let level = cursor.byte()?;
        if above.is_some_and(|above| level >= above) {
            return Err(damaged);
        }
        let used = cursor.number(2)?;
        cursor.address()?;
        cursor.address()?;
        Ok((cursor, level, used))
    }

    /// Continues reading in a part of the file.
    pub fn cursor(&self, rest: &'a [u8]) -> Cursor<'a> {
        Cursor { rest, address_size: self.address_size, length_size: self.length_size }
    }
}

/// Reads forwards, never past the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    pub rest: &'a [u8],
    address_size: usize,
    length_size: usize,
}

impl<'a> Cursor<'a> {
    /// The next `size` bytes.
    pub fn take(&mut self, size: usize) -> Part<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(size).ok_or("cut off")?;
        self.rest = rest;
        Ok(taken)
    }

    /// A number of `size` bytes, at most 8.
    pub fn number(&mut self, size: usize) -> Part<u64> {
        Ok(number(self.take(size)?))
    }

    /// A byte.
    pub fn byte(&mut self) -> Part<u8> {
        Ok(self.take(1)?[0])
    }

    /// An address; all ones is [`NOWHERE`].
    pub fn address(&mut self) -> Part<u64> {
        let taken = self.take(self.address_size)?;
        Ok(if taken.iter().all(|&byte| byte == 0xff) { NOWHERE } else { number(taken) })
    }

    /// A length.
    pub fn length(&mut self) -> Part<u64> {
        self.number(self.length_size)
    }

    /// Checks and skips a signature.
    pub fn expect(&mut self, signature: &[u8], otherwise: &'static str) -> Part<()> {
        if self.take(signature.len())? == signature { Ok(()) } else { Err(otherwise) }
    }
}

/// Little-endian number of at most 8 bytes.
pub(super) fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}
